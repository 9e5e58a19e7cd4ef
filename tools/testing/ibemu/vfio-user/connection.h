/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A client's stream socket, cut into messages with the file descriptors that came with them.
 *
 * One message is handled at a time. While a reply can't be sent in full, nothing is read: a client
 * that doesn't read its replies stalls itself and costs no memory.
 */
#ifndef IBEMU_VFIO_USER_CONNECTION_H
#define IBEMU_VFIO_USER_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/loop.h"
#include "vfio-user/protocol.h"

#define CONNECTION_MAX_FDS 16
/* The most that a client may read or write in one message. */
#define CONNECTION_MAX_DATA 65536
#define CONNECTION_MAX_PAYLOAD (CONNECTION_MAX_DATA + sizeof(struct vfu_region_access))

/*
 * The handler takes a file descriptor by storing -1 in its place; the connection closes what is
 * left.
 */
struct message {
	struct vfu_header header;
	uint8_t payload[CONNECTION_MAX_PAYLOAD] __attribute__((aligned(8)));
	size_t payload_len;
	int fds[CONNECTION_MAX_FDS];
	unsigned int fd_count;
	bool too_many_fds; /* more came than fit; the surplus is closed */
};

struct reply {
	struct vfu_header header;
	uint8_t payload[CONNECTION_MAX_PAYLOAD] __attribute__((aligned(8)));
	size_t payload_len;
};

struct connection_ops {
	/* 0, -errno for an error reply, or CONNECTION_END. The reply comes empty. */
	int (*message)(void *ctx, struct message *message, struct reply *reply);
	/* The client is gone or was dropped. The owner closes the connection here. */
	void (*ended)(void *ctx);
};

#define CONNECTION_END 1

struct connection {
	struct loop *loop;
	struct watch watch; /* watch.fd: -1 when there is no client */
	const struct connection_ops *ops;
	void *ctx;
	struct message in;
	size_t received; /* bytes of header and payload */
	struct reply out;
	size_t to_send, sent;
};

void connection_init(struct connection *connection, struct loop *loop,
		     const struct connection_ops *ops, void *ctx);
/* Takes the socket over. 0 or -errno: the socket is closed then. */
int connection_open(struct connection *connection, int fd);
void connection_close(struct connection *connection);
static inline bool connection_is_open(const struct connection *connection)
{
	return connection->watch.fd >= 0;
}

/* The client has closed its end, though what it sent before may not have been handled. */
bool connection_hung_up(const struct connection *connection);

#endif
