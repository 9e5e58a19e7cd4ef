// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The verbs part of a life: each kind of object, each transition.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "endpoint.h"
#include "mlx5_life.h"

#define DC_KEY 0x1122334455667788

/* What a call returns that gives a pointer, as an errno. */
static int made(const void *object)
{
	return object ? 0 : errno;
}

/* Without a context of the firmware's, or a doorbell page, the library makes do with less. */
static int open_all_of(struct ibv_device *device)
{
	struct mlx5dv_context_attr attr = { .flags = MLX5DV_CONTEXT_FLAGS_DEVX };
	int error;

	life.context = mlx5dv_open_device(device, &attr);
	if (!life.context)
		return errno;
	life.uar = mlx5dv_devx_alloc_uar(life.context, MLX5DV_UAR_ALLOC_TYPE_NC);
	error = made(life.uar);
	if (error)
		ibv_close_device(life.context);
	return error;
}

static int open_device(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	int error = ENODEV;

	for (struct ibv_device **device = list; list && *device; device++)
		if (endpoint_is_on(*device, getenv("PORT_A")))
			error = open_all_of(*device);
	ibv_free_device_list(list);
	return error;
}

static int close_device(void)
{
	mlx5dv_devx_free_uar(life.uar);
	return ibv_close_device(life.context);
}

static int query_port(void)
{
	struct ibv_port_attr port;
	int error = ibv_query_port(life.context, 1, &port);

	life.lid = port.lid;
	return error;
}

static int alloc_pd(void)
{
	life.pd = ibv_alloc_pd(life.context);
	return made(life.pd);
}

static int dealloc_pd(void)
{
	return ibv_dealloc_pd(life.pd);
}

/* --- completion queues and shared receive queues */

static int create_cq(void)
{
	life.cq = ibv_create_cq(life.context, 16, NULL, NULL, 0);
	return made(life.cq);
}

static int resize_cq(void)
{
	return ibv_resize_cq(life.cq, 60);
}

static int moderate_cq(void)
{
	struct ibv_modify_cq_attr attr = {
		.attr_mask = IBV_CQ_ATTR_MODERATE, .moderate = { .cq_count = 2, .cq_period = 3 },
	};

	return ibv_modify_cq(life.cq, &attr);
}

static int destroy_cq(void)
{
	return ibv_destroy_cq(life.cq);
}

static int create_srq(void)
{
	struct ibv_srq_init_attr attr = { .attr = { .max_wr = 15, .max_sge = 1 } };

	life.srq = ibv_create_srq(life.pd, &attr);
	return made(life.srq);
}

static int arm(struct ibv_srq *srq)
{
	return ibv_modify_srq(srq, &(struct ibv_srq_attr){ .srq_limit = 2 }, IBV_SRQ_LIMIT);
}

static int arm_srq(void)
{
	return arm(life.srq);
}

static int query_srq(void)
{
	return ibv_query_srq(life.srq, &(struct ibv_srq_attr){});
}

static int destroy_srq(void)
{
	return ibv_destroy_srq(life.srq);
}

static int open_xrcd(void)
{
	struct ibv_xrcd_init_attr attr = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
		.fd = -1, .oflags = O_CREAT,
	};

	life.xrcd = ibv_open_xrcd(life.context, &attr);
	return made(life.xrcd);
}

static int close_xrcd(void)
{
	return ibv_close_xrcd(life.xrcd);
}

static int create_xrc_srq(void)
{
	struct ibv_srq_init_attr_ex attr = {
		.attr = { .max_wr = 15, .max_sge = 1 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD |
			     IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ,
		.srq_type = IBV_SRQT_XRC, .pd = life.pd, .xrcd = life.xrcd, .cq = life.cq,
	};

	life.xrc_srq = ibv_create_srq_ex(life.context, &attr);
	return made(life.xrc_srq);
}

static int arm_xrc_srq(void)
{
	return arm(life.xrc_srq);
}

static int query_xrc_srq(void)
{
	return ibv_query_srq(life.xrc_srq, &(struct ibv_srq_attr){});
}

static int destroy_xrc_srq(void)
{
	return ibv_destroy_srq(life.xrc_srq);
}

/* --- memory */

static int reg_mr(void)
{
	life.mr = ibv_reg_mr(life.pd, life.memory, PAGE, IBV_ACCESS_LOCAL_WRITE);
	return made(life.mr);
}

static int dereg_mr(void)
{
	return ibv_dereg_mr(life.mr);
}

static int reg_paged_mr(void)
{
	life.paged_mr = ibv_reg_mr(life.pd, life.memory, PAGE,
				   IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ON_DEMAND);
	return made(life.paged_mr);
}

static int dereg_paged_mr(void)
{
	return ibv_dereg_mr(life.paged_mr);
}

static int reg_all_memory(void)
{
	life.all_memory = ibv_reg_mr(life.pd, NULL, SIZE_MAX,
				     IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ON_DEMAND);
	return made(life.all_memory);
}

static int dereg_all_memory(void)
{
	return ibv_dereg_mr(life.all_memory);
}

static int alloc_mw(void)
{
	life.mw = ibv_alloc_mw(life.pd, IBV_MW_TYPE_2);
	return made(life.mw);
}

static int dealloc_mw(void)
{
	return ibv_dealloc_mw(life.mw);
}

static int create_mkey(void)
{
	struct mlx5dv_mkey_init_attr attr = {
		.pd = life.pd, .create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT,
		.max_entries = 4,
	};

	life.mkey = mlx5dv_create_mkey(&attr);
	return made(life.mkey);
}

static int destroy_mkey(void)
{
	return mlx5dv_destroy_mkey(life.mkey);
}

/* --- queue pairs */

static struct ibv_qp *new_qp(enum ibv_qp_type type, struct mlx5dv_qp_init_attr *own)
{
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = type, .send_cq = life.cq, .recv_cq = life.cq, .pd = life.pd,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.cap = { .max_send_wr = 4, .max_send_sge = 1 },
	};

	if (own && own->dc_init_attr.dc_type == MLX5DV_DCTYPE_DCT) {
		attr.srq = life.srq;
		attr.cap = (struct ibv_qp_cap){};
	}
	if (type == IBV_QPT_RC || type == IBV_QPT_UD) {
		attr.cap.max_recv_wr = 4;
		attr.cap.max_recv_sge = 1;
	}
	if (type == IBV_QPT_XRC_RECV) {
		attr.comp_mask = IBV_QP_INIT_ATTR_XRCD;
		attr.xrcd = life.xrcd;
		attr.cap = (struct ibv_qp_cap){};
	}
	return mlx5dv_create_qp(life.context, &attr, own);
}

static int modify(struct ibv_qp *qp, enum ibv_qp_state state, int mask)
{
	struct ibv_qp_attr attr = {
		.qp_state = state, .port_num = 1, .qkey = 0x111, .path_mtu = IBV_MTU_1024,
		.dest_qp_num = qp->qp_num, .timeout = 14, .retry_cnt = 3, .rnr_retry = 3,
		.max_rd_atomic = 1, .max_dest_rd_atomic = 1, .min_rnr_timer = 12,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
		.ah_attr = { .dlid = life.lid, .port_num = 1 },
	};

	return ibv_modify_qp(qp, &attr, mask | IBV_QP_STATE);
}

#define CONNECTED_INIT (IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX | IBV_QP_PORT)
#define DATAGRAM_INIT (IBV_QP_QKEY | IBV_QP_PKEY_INDEX | IBV_QP_PORT)
#define RC_RTR (IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | \
		IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER)
#define RC_RTS (IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | \
		IBV_QP_MAX_QP_RD_ATOMIC)

static int create_rc(void)
{
	life.rc = new_qp(IBV_QPT_RC, NULL);
	return made(life.rc);
}

static int rc_to_init(void)
{
	return modify(life.rc, IBV_QPS_INIT, CONNECTED_INIT);
}

static int rc_stays_in_init(void)
{
	return modify(life.rc, IBV_QPS_INIT, IBV_QP_ACCESS_FLAGS);
}

static int rc_to_rtr(void)
{
	return modify(life.rc, IBV_QPS_RTR, RC_RTR);
}

static int rc_to_rts(void)
{
	return modify(life.rc, IBV_QPS_RTS, RC_RTS);
}

static int rc_stays_in_rts(void)
{
	return modify(life.rc, IBV_QPS_RTS, IBV_QP_MIN_RNR_TIMER);
}

static int query_rc(void)
{
	return ibv_query_qp(life.rc, &(struct ibv_qp_attr){}, IBV_QP_STATE,
			    &(struct ibv_qp_init_attr){});
}

static int rc_to_error(void)
{
	return modify(life.rc, IBV_QPS_ERR, 0);
}

static int rc_to_reset(void)
{
	return modify(life.rc, IBV_QPS_RESET, 0);
}

static int destroy_rc(void)
{
	return ibv_destroy_qp(life.rc);
}

static int create_ud(void)
{
	life.ud = new_qp(IBV_QPT_UD, NULL);
	return made(life.ud);
}

static int ud_to_init(void)
{
	return modify(life.ud, IBV_QPS_INIT, DATAGRAM_INIT);
}

static int destroy_ud(void)
{
	return ibv_destroy_qp(life.ud);
}

static const union ibv_gid group = { .raw = { 0xff, 0x12, 0xa0, 0x1b, [15] = 9 } };
#define GROUP_LID 0xc009

static int attach(void)
{
	return ibv_attach_mcast(life.ud, &group, GROUP_LID);
}

static int detach(void)
{
	return ibv_detach_mcast(life.ud, &group, GROUP_LID);
}

static int create_xrc_initiator(void)
{
	life.xrc_initiator = new_qp(IBV_QPT_XRC_SEND, NULL);
	return made(life.xrc_initiator);
}

static int destroy_xrc_initiator(void)
{
	return ibv_destroy_qp(life.xrc_initiator);
}

static int create_xrc_target(void)
{
	life.xrc_target = new_qp(IBV_QPT_XRC_RECV, NULL);
	return made(life.xrc_target);
}

static int xrc_target_to_init(void)
{
	return modify(life.xrc_target, IBV_QPS_INIT, CONNECTED_INIT);
}

static int destroy_xrc_target(void)
{
	return ibv_destroy_qp(life.xrc_target);
}

static int create_dc_initiator(void)
{
	struct mlx5dv_qp_init_attr own = {
		.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
		.dc_init_attr = { .dc_type = MLX5DV_DCTYPE_DCI },
	};

	life.dc_initiator = new_qp(IBV_QPT_DRIVER, &own);
	return made(life.dc_initiator);
}

static int dc_initiator_to_init(void)
{
	return modify(life.dc_initiator, IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT);
}

static int destroy_dc_initiator(void)
{
	return ibv_destroy_qp(life.dc_initiator);
}

/* A target comes to be when it's ready to receive. */
static int create_dc_target(void)
{
	struct mlx5dv_qp_init_attr own = {
		.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
		.dc_init_attr = { .dc_type = MLX5DV_DCTYPE_DCT, .dct_access_key = DC_KEY },
	};

	life.dc_target = new_qp(IBV_QPT_DRIVER, &own);
	return made(life.dc_target) ?: modify(life.dc_target, IBV_QPS_INIT, CONNECTED_INIT);
}

static int dc_target_to_rtr(void)
{
	return modify(life.dc_target, IBV_QPS_RTR,
		      IBV_QP_MIN_RNR_TIMER | IBV_QP_AV | IBV_QP_PATH_MTU);
}

static int query_dc_target(void)
{
	return ibv_query_qp(life.dc_target, &(struct ibv_qp_attr){}, IBV_QP_STATE,
			    &(struct ibv_qp_init_attr){});
}

static int destroy_dc_target(void)
{
	return ibv_destroy_qp(life.dc_target);
}

#define OBJECT(name, make, unmake) { name, make, unmake, EBUSY }
#define CHANGE(name, make) { name, make, NULL, EBUSY }

const struct step first_steps[] = {
	{ "device", open_device, close_device, ANY_ERRNO },
	OBJECT("protection domain", alloc_pd, dealloc_pd),
	OBJECT("completion queue", create_cq, destroy_cq),
	OBJECT("RC queue pair", create_rc, destroy_rc),
	OBJECT("region", reg_mr, dereg_mr),
	OBJECT("paged region", reg_paged_mr, dereg_paged_mr),
	{}
};

const struct step verbs_steps[] = {
	{ "device", open_device, close_device, ANY_ERRNO },
	CHANGE("port's attributes", query_port),
	OBJECT("protection domain", alloc_pd, dealloc_pd),
	OBJECT("completion queue", create_cq, destroy_cq),
	CHANGE("its size", resize_cq),
	CHANGE("its moderation", moderate_cq),
	OBJECT("shared receive queue", create_srq, destroy_srq),
	CHANGE("its limit", arm_srq),
	CHANGE("its attributes", query_srq),
	OBJECT("XRC domain", open_xrcd, close_xrcd),
	OBJECT("XRC receive queue", create_xrc_srq, destroy_xrc_srq),
	CHANGE("its limit", arm_xrc_srq),
	CHANGE("its attributes", query_xrc_srq),
	OBJECT("region", reg_mr, dereg_mr),
	OBJECT("paged region", reg_paged_mr, dereg_paged_mr),
	OBJECT("implicit region", reg_all_memory, dereg_all_memory),
	OBJECT("window", alloc_mw, dealloc_mw),
	OBJECT("indirect key", create_mkey, destroy_mkey),
	OBJECT("RC queue pair", create_rc, destroy_rc),
	CHANGE("to INIT", rc_to_init),
	CHANGE("in INIT", rc_stays_in_init),
	CHANGE("to RTR", rc_to_rtr),
	CHANGE("to RTS", rc_to_rts),
	CHANGE("in RTS", rc_stays_in_rts),
	CHANGE("its attributes", query_rc),
	CHANGE("to ERR", rc_to_error),
	CHANGE("to RESET", rc_to_reset),
	CHANGE("to INIT again", rc_to_init),
	OBJECT("UD queue pair", create_ud, destroy_ud),
	CHANGE("to INIT", ud_to_init),
	OBJECT("in a group", attach, detach),
	OBJECT("XRC initiator", create_xrc_initiator, destroy_xrc_initiator),
	OBJECT("XRC target", create_xrc_target, destroy_xrc_target),
	CHANGE("to INIT", xrc_target_to_init),
	OBJECT("DC initiator", create_dc_initiator, destroy_dc_initiator),
	CHANGE("to INIT", dc_initiator_to_init),
	OBJECT("DC target", create_dc_target, destroy_dc_target),
	CHANGE("to RTR", dc_target_to_rtr),
	CHANGE("its attributes", query_dc_target),
	{}
};
