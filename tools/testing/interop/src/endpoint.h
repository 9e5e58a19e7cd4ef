/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef INTEROP_ENDPOINT_H
#define INTEROP_ENDPOINT_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

#define ENDPOINT_BUFFER 4096

/* One side of a reliable connection, with all that it stands on. */
struct endpoint {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct ibv_cq *cq; /* for sends and receives; its events go to the channel */
	struct ibv_srq *srq; /* or NULL */
	struct ibv_qp *qp;
	struct ibv_mr *mr; /* all rights */
	char *buffer; /* ENDPOINT_BUFFER bytes */
	uint16_t lid;
};

struct endpoint_options {
	int cqe;	/* 0: enough for anything */
	bool srq;
	unsigned int access; /* of the queue pair */
};

/* port: as in PORT_A. */
bool endpoint_is_on(struct ibv_device *device, const char *port);
/* variable: PORT_A or PORT_B, of the environment. */
struct ibv_context *endpoint_device(const char *variable);
/* All is made, the queue pair is in INIT. */
struct endpoint endpoint_create(const char *variable, const struct endpoint_options *options);
/* Unmakes all of it; each step must succeed. Events have been acknowledged before. */
void endpoint_destroy(struct endpoint *endpoint);

void endpoint_to_rtr(struct endpoint *endpoint, const struct endpoint *peer);
void endpoint_to_rts(struct endpoint *endpoint);
void endpoint_to_error(struct endpoint *endpoint);
/* Both, from the ports of the environment, in RTS. */
void endpoint_connect(struct endpoint *a, struct endpoint *b);

void endpoint_receive(struct endpoint *endpoint, uint32_t len);
/* A signaled work request of len bytes; addresses are in the peer's buffer. */
void endpoint_send(struct endpoint *endpoint, uint32_t len, unsigned int flags);
void endpoint_rdma(struct endpoint *endpoint, enum ibv_wr_opcode opcode, uint64_t addr,
		   uint32_t rkey);

/* The next completion, which must come within some seconds. */
struct ibv_wc endpoint_poll(struct endpoint *endpoint);
/* The same, and it's of a success. */
void endpoint_expect(struct endpoint *endpoint, enum ibv_wc_opcode opcode);

/* The file has something to read before long; or nothing for a moment. */
void fd_becomes_readable(int fd, const char *what);
void fd_stays_silent(int fd, const char *what);

#endif
