// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Verbs of a ConnectX by libibverbs and libmlx5, each in a window for the plugin. What's counted
 * is the kernel's alone.
 *
 * usage: count-mlx5       (PORT_A of the environment, an Active port)
 */
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "endpoint.h"
#include "mark.h"
#include "memory.h"

enum {
	REPETITIONS = 20,
	CQ_ENTRIES = 100,
	QUEUE_ENTRIES = 16,
	QKEY = 0x11111111,
	DC_KEY = 0x1234,
	MLID = 0xc001,
};

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_port_attr port;

/* A window with the name "mlx5_WHAT_OF". */
#define WINDOW_OF(what, of, ...)                                        \
	do {                                                            \
		char name_[64];                                         \
									\
		snprintf(name_, sizeof(name_), "mlx5_%s_%s", what, of); \
		WINDOW(name_, __VA_ARGS__);                             \
	} while (0)

/* Something that's made, and is there then. */
#define MADE(object) CHECK(object, "it can't be made")

static void count_contexts(void)
{
	struct ibv_context *other;

	for (int i = 0; i < REPETITIONS; i++) {
		WINDOW("mlx5_open", other = ibv_open_device(context->device));
		MADE(other);
		WINDOW("mlx5_query_port", CHECK_EQ(ibv_query_port(context, 1, &port), 0));
		WINDOW("mlx5_close", CHECK_OK(ibv_close_device(other)));
	}
}

static void count_pds(void)
{
	struct ibv_pd *other;

	for (int i = 0; i < REPETITIONS; i++) {
		WINDOW("mlx5_alloc_pd", other = ibv_alloc_pd(context));
		MADE(other);
		WINDOW("mlx5_dealloc_pd", CHECK_EQ(ibv_dealloc_pd(other), 0));
	}
}

/* --- memory */

#define MR_ACCESS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE)

/*
 * At first there's no key that waits for its next region; then each region that comes gets the one
 * that has just gone.
 */
static void count_mrs(const char *size, void *memory, size_t length)
{
	struct ibv_mr *mrs[REPETITIONS], *mr;

	for (int i = 0; i < REPETITIONS; i++) {
		WINDOW_OF("reg_mr_cold", size, mrs[i] = ibv_reg_mr(pd, memory, length, MR_ACCESS));
		MADE(mrs[i]);
	}
	for (int i = 0; i < REPETITIONS; i++)
		CHECK_EQ(ibv_dereg_mr(mrs[i]), 0);
	for (int i = 0; i < REPETITIONS; i++) {
		WINDOW_OF("reg_mr", size, mr = ibv_reg_mr(pd, memory, length, MR_ACCESS));
		MADE(mr);
		WINDOW_OF("rereg_mr_access", size,
			  CHECK_EQ(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
						IBV_ACCESS_LOCAL_WRITE), 0));
		WINDOW_OF("dereg_mr", size, CHECK_EQ(ibv_dereg_mr(mr), 0));
	}
}

static void count_mws(const char *type_name, enum ibv_mw_type type)
{
	struct ibv_mw *mw;

	for (int i = 0; i < REPETITIONS; i++) {
		WINDOW_OF("alloc_mw", type_name, mw = ibv_alloc_mw(pd, type));
		MADE(mw);
		WINDOW_OF("dealloc_mw", type_name, CHECK_EQ(ibv_dealloc_mw(mw), 0));
	}
}

/* --- queues */

static void count_cqs(void)
{
	struct ibv_cq *cq;

	for (int i = 0; i < REPETITIONS; i++) {
		WINDOW("mlx5_create_cq", cq = ibv_create_cq(context, CQ_ENTRIES, NULL, NULL, 0));
		MADE(cq);
		WINDOW("mlx5_resize_cq", CHECK_EQ(ibv_resize_cq(cq, 3 * CQ_ENTRIES), 0));
		WINDOW("mlx5_destroy_cq", CHECK_EQ(ibv_destroy_cq(cq), 0));
	}
}

static void count_srqs(void)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = QUEUE_ENTRIES, .max_sge = 1 } };
	struct ibv_srq_attr attr;
	struct ibv_srq *srq;

	for (int i = 0; i < REPETITIONS; i++) {
		WINDOW("mlx5_create_srq", srq = ibv_create_srq(pd, &init));
		MADE(srq);
		attr.srq_limit = 2;
		WINDOW("mlx5_modify_srq",
		       CHECK_EQ(ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT), 0));
		WINDOW("mlx5_query_srq", CHECK_EQ(ibv_query_srq(srq, &attr), 0));
		WINDOW("mlx5_destroy_srq", CHECK_EQ(ibv_destroy_srq(srq), 0));
	}
}

static struct ibv_xrcd *open_xrcd(void)
{
	return ibv_open_xrcd(context, &(struct ibv_xrcd_init_attr){
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
		.fd = -1,
		.oflags = O_CREAT,
	});
}

static struct ibv_srq *create_xrc_srq(struct ibv_xrcd *xrcd, struct ibv_cq *cq)
{
	return ibv_create_srq_ex(context, &(struct ibv_srq_init_attr_ex){
		.attr = { .max_wr = QUEUE_ENTRIES, .max_sge = 1 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD |
			     IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ,
		.srq_type = IBV_SRQT_XRC,
		.pd = pd,
		.xrcd = xrcd,
		.cq = cq,
	});
}

static void count_xrc(struct ibv_cq *cq)
{
	struct ibv_xrcd *xrcd;
	struct ibv_srq *srq;

	for (int i = 0; i < REPETITIONS; i++) {
		WINDOW("mlx5_open_xrcd", xrcd = open_xrcd());
		MADE(xrcd);
		WINDOW("mlx5_create_srq_xrc", srq = create_xrc_srq(xrcd, cq));
		MADE(srq);
		WINDOW("mlx5_destroy_srq_xrc", CHECK_EQ(ibv_destroy_srq(srq), 0));
		WINDOW("mlx5_close_xrcd", CHECK_EQ(ibv_close_xrcd(xrcd), 0));
	}
}

/* --- queue pairs */

/**
 * struct kind - of queue pair
 * @name: for windows
 * @create: makes one
 * @init: what's told when it goes to INIT beside the state, the P_Key and the port
 * @rtr: and to RTR
 * @rts: and to RTS; 0: it doesn't go there
 */
struct kind {
	const char *name;
	struct ibv_qp *(*create)(void);
	int init;
	int rtr;
	int rts;
};

/* What they share. */
static struct ibv_cq *qp_cq;
static struct ibv_srq *qp_srq;
static struct ibv_xrcd *qp_xrcd;

static struct ibv_qp_init_attr_ex ordinary(enum ibv_qp_type type)
{
	return (struct ibv_qp_init_attr_ex){
		.qp_type = type,
		.send_cq = qp_cq,
		.recv_cq = qp_cq,
		.cap = { .max_send_wr = QUEUE_ENTRIES, .max_recv_wr = QUEUE_ENTRIES,
			 .max_send_sge = 1, .max_recv_sge = 1 },
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = pd,
	};
}

static struct ibv_qp *create_rc(void)
{
	struct ibv_qp_init_attr_ex attr = ordinary(IBV_QPT_RC);

	return ibv_create_qp_ex(context, &attr);
}

static struct ibv_qp *create_uc(void)
{
	struct ibv_qp_init_attr_ex attr = ordinary(IBV_QPT_UC);

	return ibv_create_qp_ex(context, &attr);
}

static struct ibv_qp *create_ud(void)
{
	struct ibv_qp_init_attr_ex attr = ordinary(IBV_QPT_UD);

	return ibv_create_qp_ex(context, &attr);
}

static struct ibv_qp *create_xrc_send(void)
{
	struct ibv_qp_init_attr_ex attr = ordinary(IBV_QPT_XRC_SEND);

	attr.recv_cq = NULL;
	attr.cap.max_recv_wr = 0;
	attr.cap.max_recv_sge = 0;
	return ibv_create_qp_ex(context, &attr);
}

static struct ibv_qp *create_xrc_recv(void)
{
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_XRC_RECV,
		.comp_mask = IBV_QP_INIT_ATTR_XRCD,
		.xrcd = qp_xrcd,
	};

	return ibv_create_qp_ex(context, &attr);
}

static struct ibv_qp *create_dci(void)
{
	struct ibv_qp_init_attr_ex attr = ordinary(IBV_QPT_DRIVER);
	struct mlx5dv_qp_init_attr dv = {
		.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
		.dc_init_attr = { .dc_type = MLX5DV_DCTYPE_DCI },
	};

	attr.cap.max_recv_wr = 0;
	attr.cap.max_recv_sge = 0;
	return mlx5dv_create_qp(context, &attr, &dv);
}

static struct ibv_qp *create_dct(void)
{
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_DRIVER,
		.send_cq = qp_cq,
		.recv_cq = qp_cq,
		.srq = qp_srq,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = pd,
	};
	struct mlx5dv_qp_init_attr dv = {
		.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
		.dc_init_attr = { .dc_type = MLX5DV_DCTYPE_DCT, .dct_access_key = DC_KEY },
	};

	return mlx5dv_create_qp(context, &attr, &dv);
}

#define CONNECTED_RTR (IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN)
#define RESPONDER_RTR (IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER)
#define REQUESTER_RTS (IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | \
		       IBV_QP_MAX_QP_RD_ATOMIC)

static const struct kind kinds[] = {
	{ "rc", create_rc, IBV_QP_ACCESS_FLAGS, CONNECTED_RTR | RESPONDER_RTR, REQUESTER_RTS },
	{ "uc", create_uc, IBV_QP_ACCESS_FLAGS, CONNECTED_RTR, IBV_QP_SQ_PSN },
	{ "ud", create_ud, IBV_QP_QKEY, 0, IBV_QP_SQ_PSN },
	{ "xrc_send", create_xrc_send, IBV_QP_ACCESS_FLAGS, CONNECTED_RTR, REQUESTER_RTS },
	{ "xrc_recv", create_xrc_recv, IBV_QP_ACCESS_FLAGS, CONNECTED_RTR | RESPONDER_RTR,
	  IBV_QP_TIMEOUT | IBV_QP_SQ_PSN },
	{ "dci", create_dci, 0, IBV_QP_PATH_MTU, REQUESTER_RTS },
	{ "dct", create_dct, IBV_QP_ACCESS_FLAGS, IBV_QP_MIN_RNR_TIMER | IBV_QP_AV |
	  IBV_QP_PATH_MTU, 0 },
};

static void move(const struct kind *kind, struct ibv_qp *qp, enum ibv_qp_state state, int mask)
{
	static const char *const names[] = {
		[IBV_QPS_INIT] = "modify_qp_init",
		[IBV_QPS_RTR] = "modify_qp_rtr",
		[IBV_QPS_RTS] = "modify_qp_rts",
		[IBV_QPS_ERR] = "modify_qp_err",
	};
	struct ibv_qp_attr attr = {
		.qp_state = state,
		.path_mtu = IBV_MTU_1024,
		.port_num = 1,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
		.qkey = QKEY,
		.dest_qp_num = qp->qp_num,
		.timeout = 14,
		.retry_cnt = 3,
		.rnr_retry = 3,
		.max_rd_atomic = 1,
		.max_dest_rd_atomic = 1,
		.min_rnr_timer = 12,
		.ah_attr = { .dlid = port.lid, .port_num = 1 },
	};
	int err;

	WINDOW_OF(names[state], kind->name, err = ibv_modify_qp(qp, &attr, mask | IBV_QP_STATE));
	CHECK(!err, "%s to state %d: %s", kind->name, state, strerror(err));
}

static void query(const struct kind *kind, struct ibv_qp *qp)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	WINDOW_OF("query_qp", kind->name,
		  CHECK_EQ(ibv_query_qp(qp, &attr, IBV_QP_STATE, &init), 0));
}

static void count_qp(const struct kind *kind)
{
	struct ibv_qp *qp;

	WINDOW_OF("create_qp", kind->name, qp = kind->create());
	CHECK(qp, "%s: %m", kind->name);
	move(kind, qp, IBV_QPS_INIT, kind->init | IBV_QP_PKEY_INDEX | IBV_QP_PORT);
	move(kind, qp, IBV_QPS_RTR, kind->rtr);
	if (kind->rts)
		move(kind, qp, IBV_QPS_RTS, kind->rts);
	query(kind, qp);
	if (kind->rts)
		move(kind, qp, IBV_QPS_ERR, 0);
	WINDOW_OF("destroy_qp", kind->name, CHECK_EQ(ibv_destroy_qp(qp), 0));
}

static void count_multicast(void)
{
	static const union ibv_gid gid = { .raw = { 0xff, 0x12, 0x40, 0x1b, [15] = 7 } };
	struct ibv_qp *qp = create_ud();

	MADE(qp);
	for (int i = 0; i < REPETITIONS; i++) {
		WINDOW("mlx5_attach_mcast", CHECK_EQ(ibv_attach_mcast(qp, &gid, MLID), 0));
		WINDOW("mlx5_detach_mcast", CHECK_EQ(ibv_detach_mcast(qp, &gid, MLID), 0));
	}
	CHECK_EQ(ibv_destroy_qp(qp), 0);
}

static void count_qps(void)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = QUEUE_ENTRIES, .max_sge = 1 } };

	MADE(qp_cq = ibv_create_cq(context, CQ_ENTRIES, NULL, NULL, 0));
	MADE(qp_srq = ibv_create_srq(pd, &init));
	MADE(qp_xrcd = open_xrcd());
	count_xrc(qp_cq);
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		for (int i = 0; i < REPETITIONS; i++)
			count_qp(&kinds[k]);
	count_multicast();
	CHECK_EQ(ibv_close_xrcd(qp_xrcd), 0);
	CHECK_EQ(ibv_destroy_srq(qp_srq), 0);
	CHECK_EQ(ibv_destroy_cq(qp_cq), 0);
}

int main(void)
{
	context = endpoint_device("PORT_A");
	count_contexts();
	count_pds();
	MADE(pd = ibv_alloc_pd(context));
	count_mrs("4K", scattered_memory(PAGE), PAGE);
	count_mrs("1M", scattered_memory(MIB), MIB);
	count_mrs("1M_huge", huge_memory(), MIB);
	count_mws("type1", IBV_MW_TYPE_1);
	count_mws("type2", IBV_MW_TYPE_2);
	count_cqs();
	count_srqs();
	count_qps();
	CHECK_EQ(ibv_dealloc_pd(pd), 0);
	CHECK_OK(ibv_close_device(context));
	return 0;
}
