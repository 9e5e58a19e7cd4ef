/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A vfio-user client for tests: a socket on which messages are put together by hand, and a loop
 * that runs the device until it has answered.
 */
#ifndef IBEMU_TEST_CLIENT_H
#define IBEMU_TEST_CLIENT_H

#include <linux/sockios.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/loop.h"

/* Written out here, not taken from the device's headers, so that a wrong number there shows up. */
enum {
	VERSION = 1,
	DMA_MAP,
	DMA_UNMAP,
	GET_INFO,
	GET_REGION_INFO,
	GET_REGION_IO_FDS,
	GET_IRQ_INFO,
	SET_IRQS,
	REGION_READ,
	REGION_WRITE,
	DEVICE_RESET = 13,
	DIRTY_PAGES = 14,
	REGION_WRITE_MULTI = 15,
	DEVICE_FEATURE = 16,
	MIG_DATA_READ = 17,
};

enum { NO_REPLY = 0x10 };

enum { BAR0 = 0, BAR2 = 2, CONFIG = 7 };

struct wire_header {
	uint16_t id, command;
	uint32_t size, flags, error;
};

struct test_client {
	struct loop *loop;
	struct watch watch; /* watch.fd is the socket */
	struct wire_header header; /* of the last reply */
	uint8_t payload[70000];
	size_t payload_len;
};

static inline void client_readable(void *ctx, uint32_t epoll_events)
{
	struct test_client *client = ctx;

	(void)epoll_events;
	loop_stop(client->loop);
}

static inline int client_connect(struct test_client *client, struct loop *loop, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	client->loop = loop;
	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	client->watch = (struct watch){
		.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0),
		.ready = client_readable,
		.ctx = client,
	};
	return connect(client->watch.fd, (struct sockaddr *)&address, sizeof(address));
}

static inline void client_close(struct test_client *client)
{
	close(client->watch.fd);
	client->watch.fd = -1;
}

/* Sends bytes as they are, with file descriptors. */
static inline void client_send_raw(struct test_client *client, const void *bytes, size_t len,
				   const int *fds, unsigned int fd_count)
{
	char control[CMSG_SPACE(64 * sizeof(int))] __attribute__((aligned(8))) = { 0 };
	struct iovec iov = { .iov_base = (void *)bytes, .iov_len = len };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (fd_count) {
		struct cmsghdr *c = (struct cmsghdr *)control;

		message.msg_control = control;
		message.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(fd_count * sizeof(int));
		memcpy(CMSG_DATA(c), fds, fd_count * sizeof(int));
	}
	(void)!sendmsg(client->watch.fd, &message, MSG_NOSIGNAL);
}

static inline void client_send(struct test_client *client, unsigned int command, uint32_t flags,
			       const void *payload, size_t len, const int *fds,
			       unsigned int fd_count)
{
	static uint8_t bytes[sizeof(struct wire_header) + 70000];
	const struct wire_header header = {
		.id = (uint16_t)(0x1000 + command),
		.command = (uint16_t)command,
		.size = (uint32_t)(sizeof(header) + len),
		.flags = flags,
	};

	memcpy(bytes, &header, sizeof(header));
	if (len)
		memcpy(bytes + sizeof(header), payload, len);
	client_send_raw(client, bytes, sizeof(header) + len, fds, fd_count);
}

static inline bool client_receive_bytes(struct test_client *client, void *to, size_t len)
{
	for (size_t have = 0; have < len;) {
		ssize_t n = recv(client->watch.fd, (uint8_t *)to + have, len - have, 0);

		if (n > 0) {
			have += (size_t)n;
			continue;
		}
		if (!n)
			return false;
		loop_watch(client->loop, &client->watch, EPOLLIN);
		loop_run(client->loop);
		loop_unwatch(client->loop, &client->watch);
	}
	return true;
}

/* Runs the device until a reply has come. False: it has closed the connection instead. */
static inline bool client_receive(struct test_client *client)
{
	if (!client_receive_bytes(client, &client->header, sizeof(client->header)))
		return false;
	client->payload_len = client->header.size - sizeof(client->header);
	return client_receive_bytes(client, client->payload, client->payload_len);
}

/* One round of the loop, without waiting: our socket can be written to or read from at any time. */
static inline void client_let_run_once(struct test_client *client)
{
	loop_watch(client->loop, &client->watch, EPOLLIN | EPOLLOUT);
	loop_run(client->loop);
	loop_unwatch(client->loop, &client->watch);
}

/* Runs the device until it has read all that was sent. */
static inline void client_let_run(struct test_client *client)
{
	int unread;

	do
		client_let_run_once(client);
	while (!ioctl(client->watch.fd, SIOCOUTQ, &unread) && unread);
}

#endif
