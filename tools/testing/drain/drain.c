// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A consumer in the kernel that drains a queue pair of each type, with requests in its queues: when
 * a drain function returns, every request of that queue has completed. The consumer takes its time
 * over each completion, so that a function that doesn't wait for it is found out; and more over
 * receives, which aren't all done when the sends have been drained. It's done when the module has
 * been loaded, or couldn't be: the reason is in the kernel's log.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/module.h>
#include <rdma/ib_verbs.h>

MODULE_DESCRIPTION("Draining queue pairs of each type");
MODULE_LICENSE("Dual BSD/GPL");

#define REQUESTS 8
#define DEPTH (REQUESTS + 1) /* with room for the drain function's own */
#define SEND_MS 5
#define RECEIVE_MS 25
#define QKEY 0x1234
#define DLID 0x1f /* nobody's */

static char *device_name = "mlx5_0";
module_param_named(device, device_name, charp, 0444);
MODULE_PARM_DESC(device, "where (mlx5_0)");

static int result = -ENODEV;

/**
 * struct queue - the requests of one kind
 * @cq: where they complete
 * @cqe: of each of them
 * @each_ms: how long the consumer takes over a completion
 * @completed: how many have
 */
struct queue {
	struct ib_cq *cq;
	struct ib_cqe cqe;
	unsigned int each_ms;
	atomic_t completed;
};

/**
 * struct bench - a queue pair and its world
 * @pd: protection domain
 * @qp: the queue pair
 * @ah: a datagram's destination
 * @sends: of @qp
 * @receives: of @qp
 */
struct bench {
	struct ib_pd *pd;
	struct ib_qp *qp;
	struct ib_ah *ah;
	struct queue sends, receives;
};

static void completed(struct ib_cq *cq, struct ib_wc *wc)
{
	struct queue *queue = container_of(wc->wr_cqe, struct queue, cqe);

	msleep(queue->each_ms);
	atomic_inc(&queue->completed);
}

static const struct bench_type {
	const char *name;
	enum ib_qp_type type;
	int init, rtr, rts; /* attributes beside the state, the P_Key index and the port */
} types[] = {
	{ "RC", IB_QPT_RC, IB_QP_ACCESS_FLAGS,
	  IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN | IB_QP_MAX_DEST_RD_ATOMIC |
	  IB_QP_MIN_RNR_TIMER,
	  IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY | IB_QP_SQ_PSN |
	  IB_QP_MAX_QP_RD_ATOMIC },
	{ "UC", IB_QPT_UC, IB_QP_ACCESS_FLAGS,
	  IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN, IB_QP_SQ_PSN },
	{ "UD", IB_QPT_UD, IB_QP_QKEY, 0, IB_QP_SQ_PSN },
};

static void set_path(struct rdma_ah_attr *attr)
{
	attr->type = RDMA_AH_ATTR_TYPE_IB;
	rdma_ah_set_port_num(attr, 1);
	rdma_ah_set_dlid(attr, DLID);
}

static int raise(struct bench *bench, const struct bench_type *type)
{
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_INIT,
		.port_num = 1,
		.qkey = QKEY,
		.path_mtu = IB_MTU_1024,
		.dest_qp_num = 5,
		.max_dest_rd_atomic = 1,
		.max_rd_atomic = 1,
		.min_rnr_timer = 12,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = 7,
	};
	int ret;

	set_path(&attr.ah_attr);
	ret = ib_modify_qp(bench->qp, &attr,
			   IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT | type->init);
	attr.qp_state = IB_QPS_RTR;
	ret = ret ?: ib_modify_qp(bench->qp, &attr, IB_QP_STATE | type->rtr);
	attr.qp_state = IB_QPS_RTS;
	return ret ?: ib_modify_qp(bench->qp, &attr, IB_QP_STATE | type->rts);
}

static int post(struct bench *bench)
{
	struct ib_ud_wr send = {
		.wr.opcode = IB_WR_SEND,
		.wr.wr_cqe = &bench->sends.cqe,
		.wr.send_flags = IB_SEND_SIGNALED,
		.ah = bench->ah,
		.remote_qpn = 5,
		.remote_qkey = QKEY,
	};
	struct ib_recv_wr recv = { .wr_cqe = &bench->receives.cqe };
	int i, ret = 0;

	for (i = 0; i < REQUESTS && !ret; i++)
		ret = ib_post_recv(bench->qp, &recv, NULL) ?:
		      ib_post_send(bench->qp, &send.wr, NULL);
	return ret;
}

static int is_drained(struct queue *queue, const char *type, const char *requests)
{
	int count = atomic_read(&queue->completed);

	if (count == REQUESTS)
		return 0;
	pr_err("%s: %d of %d %s have completed\n", type, count, REQUESTS, requests);
	return -EIO;
}

static int drain_in_use(struct bench *bench, const struct bench_type *type)
{
	int ret = raise(bench, type) ?: post(bench);

	if (ret)
		return ret;
	ib_drain_sq(bench->qp);
	ret = is_drained(&bench->sends, type->name, "sends");
	ib_drain_rq(bench->qp);
	return ret ?: is_drained(&bench->receives, type->name, "receives");
}

static int with_cqs(struct bench *bench, const struct bench_type *type)
{
	struct ib_qp_init_attr attr = {
		.qp_type = type->type,
		.sq_sig_type = IB_SIGNAL_ALL_WR,
		.send_cq = bench->sends.cq,
		.recv_cq = bench->receives.cq,
		.cap = { .max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1,
			 .max_recv_sge = 1 },
	};
	int ret;

	bench->qp = ib_create_qp(bench->pd, &attr);
	if (IS_ERR(bench->qp))
		return PTR_ERR(bench->qp);
	ret = drain_in_use(bench, type);
	ib_destroy_qp(bench->qp);
	return ret;
}

static int alloc_cq(struct bench *bench, struct queue *queue)
{
	queue->cq = ib_alloc_cq(bench->pd->device, NULL, DEPTH, 0, IB_POLL_WORKQUEUE);
	return PTR_ERR_OR_ZERO(queue->cq);
}

static int with_ah(struct bench *bench, const struct bench_type *type)
{
	int ret = alloc_cq(bench, &bench->sends);

	if (ret)
		return ret;
	ret = alloc_cq(bench, &bench->receives);
	if (!ret) {
		ret = with_cqs(bench, type);
		ib_free_cq(bench->receives.cq);
	}
	ib_free_cq(bench->sends.cq);
	return ret;
}

static int with_pd(struct bench *bench, const struct bench_type *type)
{
	struct rdma_ah_attr attr = {};
	int ret;

	set_path(&attr);
	bench->ah = rdma_create_ah(bench->pd, &attr, RDMA_CREATE_AH_SLEEPABLE);
	if (IS_ERR(bench->ah))
		return PTR_ERR(bench->ah);
	ret = with_ah(bench, type);
	rdma_destroy_ah(bench->ah, RDMA_DESTROY_AH_SLEEPABLE);
	return ret;
}

static int try_type(struct ib_device *device, const struct bench_type *type)
{
	struct bench bench = {
		.sends = { .cqe.done = completed, .each_ms = SEND_MS },
		.receives = { .cqe.done = completed, .each_ms = RECEIVE_MS },
	};
	int ret;

	bench.pd = ib_alloc_pd(device, 0);
	if (IS_ERR(bench.pd))
		return PTR_ERR(bench.pd);
	ret = with_pd(&bench, type);
	ib_dealloc_pd(bench.pd);
	pr_info("%s: %d\n", type->name, ret);
	return ret;
}

static int add_device(struct ib_device *device)
{
	size_t i;

	if (strcmp(dev_name(&device->dev), device_name))
		return -EOPNOTSUPP;
	result = 0;
	for (i = 0; i < ARRAY_SIZE(types) && !result; i++)
		result = try_type(device, &types[i]);
	return -EOPNOTSUPP;
}

static struct ib_client client = { .name = KBUILD_MODNAME, .add = add_device };

static int __init drain_init(void)
{
	int ret = ib_register_client(&client);

	if (ret)
		return ret;
	ib_unregister_client(&client);
	return result;
}
module_init(drain_init);

static void __exit drain_exit(void) {}
module_exit(drain_exit);
