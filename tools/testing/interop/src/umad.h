/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef INTEROP_UMAD_H
#define INTEROP_UMAD_H

#include <sys/types.h>

#include <rdma/ib_user_mad.h>
#include <rdma/rdma_user_ioctl.h>

#include "mad.h"
#include "port.h"

/*
 * A client of /dev/infiniband/umadN without any library: what the kernel gets is what the test
 * wrote. Helpers end the process when something that must work doesn't; what a test wants to see
 * fail, it calls itself.
 */

enum {
	UMAD_HDR = sizeof(struct ib_user_mad_hdr),		/* 64 */
	UMAD_HDR_OLD = sizeof(struct ib_user_mad_hdr_old),	/* 56: a file without P_Key index */
	UMAD_MAX_AGENTS = 32,
	UMAD_MAX_MAD = 72 * 1024,
	TEST_OUI = 0x0a1b2c,
};

_Static_assert(UMAD_HDR == 64 && UMAD_HDR_OLD == 56, "user MAD headers");

/* What a registration asks for, in the form that suits both ioctls. */
struct agent_spec {
	unsigned int qpn;
	uint8_t mgmt_class;
	uint8_t class_version;
	uint64_t methods[2];
	uint32_t oui;
	uint8_t rmpp_version;
	uint32_t flags;
};

#define METHOD_BIT(method) (1ull << (method))

/* Of one vendor class, the methods Get, Set and Send; and none at all. */
extern const struct agent_spec server_spec, client_spec;

/* The ioctls themselves: the agent's id, or -1 with errno. */
int agent_register(int fd, const struct agent_spec *spec);
int agent_register2(int fd, const struct agent_spec *spec);
int agent_unregister(int fd, uint32_t id);

/* One user MAD: header and MAD stand behind each other, as read() and write() want it. */
struct packet {
	size_t hdr_len;
	size_t mad_len;
	union {
		struct ib_user_mad_hdr hdr;
		unsigned char bytes[UMAD_HDR + UMAD_MAX_MAD];
	};
};

static inline struct mad *packet_mad(struct packet *packet)
{
	return (struct mad *)(packet->bytes + packet->hdr_len);
}

/*
 * A vendor-class MAD of 256 bytes with a pattern in its data, addressed from one port to another.
 */
void packet_init(struct packet *packet, uint32_t agent_id, const struct port *from,
		 const struct port *to, uint8_t method, uint32_t tid);
/*
 * The response to a request, addressed to where that came from; the data is the request's,
 * inverted.
 */
void packet_respond(struct packet *response, struct packet *request, uint32_t agent_id);

ssize_t packet_write(int fd, const struct packet *packet);
void packet_send(int fd, const struct packet *packet);
/* Waits for a MAD and reads it; hdr_len is what the file's header form is. */
void packet_receive(int fd, struct packet *packet, size_t hdr_len);
/* Nothing can be read just now. */
void check_nothing_queued(int fd);

/* Byte i of a transfer's pattern: no segment of it is equal to another. */
static inline unsigned char pattern(size_t i)
{
	return i * 7 + i / 251;
}

#endif
