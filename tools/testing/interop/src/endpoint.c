// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "endpoint.h"

#define PATIENCE_S 20
#define SILENCE_MS 200
#define PSN 0xfffff0

bool endpoint_is_on(struct ibv_device *device, const char *port)
{
	const char *name = ibv_get_device_name(device);

	return !strncmp(port, name, strlen(name)) && port[strlen(name)] == '/';
}

struct ibv_context *endpoint_device(const char *variable)
{
	const char *port = getenv(variable);
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;

	CHECK(port && list, "%s is to name a port", variable);
	for (struct ibv_device **device = list; *device && !context; device++)
		if (endpoint_is_on(*device, port))
			context = ibv_open_device(*device);
	CHECK(context, "opening the device of %s", port);
	ibv_free_device_list(list);
	return context;
}

static struct ibv_srq *create_srq(struct ibv_pd *pd)
{
	struct ibv_srq_init_attr attr = { .attr = { .max_wr = 16, .max_sge = 1 } };
	struct ibv_srq *srq = ibv_create_srq(pd, &attr);

	CHECK(srq, "creating a shared receive queue: %s", strerrorname_np(errno));
	return srq;
}

static void create_qp(struct endpoint *endpoint, unsigned int access)
{
	struct ibv_qp_init_attr init = {
		.send_cq = endpoint->cq, .recv_cq = endpoint->cq, .srq = endpoint->srq,
		.qp_type = IBV_QPT_RC, .sq_sig_all = 1,
		.cap = { .max_send_wr = 64, .max_recv_wr = 64, .max_send_sge = 1,
			 .max_recv_sge = 1 },
	};
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = access,
	};

	endpoint->qp = ibv_create_qp(endpoint->pd, &init);
	CHECK(endpoint->qp, "creating a queue pair: %s", strerrorname_np(errno));
	CHECK_EQ(ibv_modify_qp(endpoint->qp, &attr,
			       IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
			       IBV_QP_ACCESS_FLAGS), 0);
}

struct endpoint endpoint_create(const char *variable, const struct endpoint_options *options)
{
	struct endpoint endpoint = { .context = endpoint_device(variable) };
	struct ibv_port_attr port;

	CHECK_EQ(ibv_query_port(endpoint.context, 1, &port), 0);
	CHECK_EQ(port.state, IBV_PORT_ACTIVE);
	endpoint.lid = port.lid;
	endpoint.pd = ibv_alloc_pd(endpoint.context);
	endpoint.channel = ibv_create_comp_channel(endpoint.context);
	CHECK(endpoint.pd && endpoint.channel, "a protection domain and a channel");
	endpoint.cq = ibv_create_cq(endpoint.context, options->cqe ? options->cqe : 256, NULL,
				    endpoint.channel, 0);
	CHECK(endpoint.cq, "creating a completion queue: %s", strerrorname_np(errno));
	endpoint.buffer = aligned_alloc(4096, ENDPOINT_BUFFER);
	memset(endpoint.buffer, 0, ENDPOINT_BUFFER);
	endpoint.mr = ibv_reg_mr(endpoint.pd, endpoint.buffer, ENDPOINT_BUFFER,
				 IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
				 IBV_ACCESS_REMOTE_WRITE);
	CHECK(endpoint.mr, "registering memory: %s", strerrorname_np(errno));
	if (options->srq)
		endpoint.srq = create_srq(endpoint.pd);
	create_qp(&endpoint, options->access);
	return endpoint;
}

void endpoint_destroy(struct endpoint *endpoint)
{
	CHECK_EQ(ibv_destroy_qp(endpoint->qp), 0);
	if (endpoint->srq)
		CHECK_EQ(ibv_destroy_srq(endpoint->srq), 0);
	CHECK_EQ(ibv_destroy_cq(endpoint->cq), 0);
	CHECK_EQ(ibv_destroy_comp_channel(endpoint->channel), 0);
	CHECK_EQ(ibv_dereg_mr(endpoint->mr), 0);
	CHECK_EQ(ibv_dealloc_pd(endpoint->pd), 0);
	CHECK_EQ(ibv_close_device(endpoint->context), 0);
	free(endpoint->buffer);
}

void endpoint_to_rtr(struct endpoint *endpoint, const struct endpoint *peer)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = peer->qp->qp_num,
		.rq_psn = PSN, .max_dest_rd_atomic = 4, .min_rnr_timer = 12,
		.ah_attr = { .dlid = peer->lid, .port_num = 1 },
	};

	CHECK_EQ(ibv_modify_qp(endpoint->qp, &attr,
			       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
			       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER),
		 0);
}

void endpoint_to_rts(struct endpoint *endpoint)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS, .sq_psn = PSN, .max_rd_atomic = 4, .retry_cnt = 7,
		.rnr_retry = 7, .timeout = 14,
	};

	CHECK_EQ(ibv_modify_qp(endpoint->qp, &attr,
			       IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
			       IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC), 0);
}

void endpoint_to_error(struct endpoint *endpoint)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };

	CHECK_EQ(ibv_modify_qp(endpoint->qp, &attr, IBV_QP_STATE), 0);
}

void endpoint_connect(struct endpoint *a, struct endpoint *b)
{
	endpoint_to_rtr(a, b);
	endpoint_to_rtr(b, a);
	endpoint_to_rts(a);
	endpoint_to_rts(b);
}

static struct ibv_sge all_of(const struct endpoint *endpoint, uint32_t len)
{
	return (struct ibv_sge){ (uintptr_t)endpoint->buffer, len, endpoint->mr->lkey };
}

void endpoint_receive(struct endpoint *endpoint, uint32_t len)
{
	struct ibv_sge sge = all_of(endpoint, len);
	struct ibv_recv_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;

	CHECK_EQ(endpoint->srq ? ibv_post_srq_recv(endpoint->srq, &wr, &bad)
			       : ibv_post_recv(endpoint->qp, &wr, &bad), 0);
}

void endpoint_send(struct endpoint *endpoint, uint32_t len, unsigned int flags)
{
	struct ibv_sge sge = all_of(endpoint, len);
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_SEND, .sg_list = &sge, .num_sge = 1, .send_flags = flags,
	}, *bad;

	CHECK_EQ(ibv_post_send(endpoint->qp, &wr, &bad), 0);
}

void endpoint_rdma(struct endpoint *endpoint, enum ibv_wr_opcode opcode, uint64_t addr,
		   uint32_t rkey)
{
	struct ibv_sge sge = all_of(endpoint, 8);
	struct ibv_send_wr wr = {
		.opcode = opcode, .sg_list = &sge, .num_sge = 1,
		.wr.rdma = { .remote_addr = addr, .rkey = rkey },
	}, *bad;

	CHECK_EQ(ibv_post_send(endpoint->qp, &wr, &bad), 0);
}

struct ibv_wc endpoint_poll(struct endpoint *endpoint)
{
	time_t end = time(NULL) + PATIENCE_S;
	struct ibv_wc wc;
	int count;

	while (!(count = ibv_poll_cq(endpoint->cq, 1, &wc)))
		CHECK(time(NULL) < end, "no completion comes");
	CHECK_EQ(count, 1);
	return wc;
}

void endpoint_expect(struct endpoint *endpoint, enum ibv_wc_opcode opcode)
{
	struct ibv_wc wc = endpoint_poll(endpoint);

	CHECK_EQ(wc.status, IBV_WC_SUCCESS);
	CHECK_EQ(wc.opcode, opcode);
}

static bool poll_fd(int fd, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return CHECK_OK(poll(&poll_fd, 1, timeout_ms));
}

void fd_becomes_readable(int fd, const char *what)
{
	CHECK(poll_fd(fd, PATIENCE_S * 1000), "it never comes: %s", what);
}

void fd_stays_silent(int fd, const char *what)
{
	CHECK(!poll_fd(fd, SILENCE_MS), "it comes, and shouldn't: %s", what);
}
