// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Verbs of the kernel, each in a window for the plugin. It's done when the module has been loaded;
 * the windows' names are in debugfs then, in bench_verbs.
 */

#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_mad.h>

#include "bench.h"

MODULE_DESCRIPTION("Kernel verbs in windows for the instruction counter");
MODULE_LICENSE("Dual BSD/GPL");

#define REPETITIONS	50
#define MAX_WINDOWS	(REPETITIONS * 128)
#define PATIENCE_MS	10000

static char *device_name = "null0";
module_param_named(device, device_name, charp, 0444);
MODULE_PARM_DESC(device, "where (null0)");

static char *prefix = "verbs";
module_param(prefix, charp, 0444);
MODULE_PARM_DESC(prefix, "names of windows begin with it (verbs)");

static bool requests;
module_param(requests, bool, 0444);
MODULE_PARM_DESC(requests, "receives, sends and fast registration, too (no)");

static const char *names[MAX_WINDOWS];
static unsigned int nr_windows;
static int result = -ENODEV;
static u32 port_lid;

void name_window(const char *name)
{
	if (!WARN_ON_ONCE(nr_windows == MAX_WINDOWS))
		names[nr_windows++] = name;
}

/* Those are polled for. */
static void completed(struct ib_cq *cq, void *context)
{
}

static struct ib_cq *create_cq(struct ib_device *device)
{
	static const struct ib_cq_init_attr attr = { .cqe = 64 };

	return ib_create_cq(device, completed, NULL, NULL, &attr);
}

static struct ib_qp *create_qp(struct bench *bench)
{
	struct ib_qp_init_attr attr = {
		.qp_type = IB_QPT_RC,
		.sq_sig_type = IB_SIGNAL_ALL_WR,
		.send_cq = bench->cq,
		.recv_cq = bench->cq,
		.cap = { .max_send_wr = 16, .max_recv_wr = 16,
			 .max_send_sge = 1, .max_recv_sge = 1 },
	};

	return ib_create_qp(bench->pd, &attr);
}

/* --- the states */

static int to_init(struct ib_qp *qp)
{
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = IB_ACCESS_REMOTE_WRITE,
	};

	return ib_modify_qp(qp, &attr, IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT |
			    IB_QP_ACCESS_FLAGS);
}

/* To the port itself, by way of its first GID. */
static void set_path(struct ib_device *device, struct rdma_ah_attr *attr)
{
	attr->type = RDMA_AH_ATTR_TYPE_IB;
	rdma_ah_set_port_num(attr, 1);
	rdma_ah_set_dlid(attr, port_lid);
	rdma_ah_set_grh(attr, NULL, 0, 0, 64, 0);
	rdma_query_gid(device, 1, 0, &attr->grh.dgid);
}

static int to_rtr(struct ib_qp *qp)
{
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_RTR,
		.path_mtu = IB_MTU_1024,
		.dest_qp_num = qp->qp_num,
		.max_dest_rd_atomic = 1,
		.min_rnr_timer = 12,
	};

	set_path(qp->device, &attr.ah_attr);
	return ib_modify_qp(qp, &attr, IB_QP_STATE | IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN |
			    IB_QP_RQ_PSN | IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_MIN_RNR_TIMER);
}

static int to_rts(struct ib_qp *qp)
{
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_RTS,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.max_rd_atomic = 1,
	};

	return ib_modify_qp(qp, &attr, IB_QP_STATE | IB_QP_TIMEOUT | IB_QP_RETRY_CNT |
			    IB_QP_RNR_RETRY | IB_QP_SQ_PSN | IB_QP_MAX_QP_RD_ATOMIC);
}

/* --- what a connected QP does */

static int query_qp(struct ib_qp *qp)
{
	struct ib_qp_init_attr init;
	struct ib_qp_attr attr;

	return ib_query_qp(qp, &attr, IB_QP_STATE, &init);
}

/* It isn't known beforehand if a completion is there. */
static int poll(struct bench *bench)
{
	struct ib_wc wc;
	int n;

	mark_begin();
	n = ib_poll_cq(bench->cq, 1, &wc);
	mark_end();
	name_window(n ? "poll_cq" : "poll_cq_empty");
	return n == 1 && wc.status != IB_WC_SUCCESS ? -EIO : n;
}

int await_completion(struct bench *bench)
{
	int waited_ms, n;

	for (waited_ms = 0; waited_ms < PATIENCE_MS; waited_ms += 20) {
		n = poll(bench);
		if (n)
			return min(n, 0);
		msleep(20);
	}
	return -ETIMEDOUT;
}

static int transfer(struct bench *bench)
{
	struct ib_send_wr wr = { .opcode = IB_WR_RDMA_WRITE };

	return WINDOW("post_send_nothing", ib_post_send(bench->qp, &wr, NULL)) ?:
	       await_completion(bench);
}

static int with_qp(struct bench *bench)
{
	struct ib_qp *qp = WINDOW("create_qp", create_qp(bench));
	int ret;

	if (IS_ERR(qp))
		return PTR_ERR(qp);
	bench->qp = qp;
	ret = WINDOW("modify_qp_init", to_init(qp)) ?:
	      WINDOW("modify_qp_rtr", to_rtr(qp)) ?:
	      WINDOW("modify_qp_rts", to_rts(qp)) ?:
	      WINDOW("query_qp", query_qp(qp)) ?:
	      transfer(bench) ?:
	      (requests ? post_requests(bench) : 0);
	return WINDOW("destroy_qp", ib_destroy_qp(qp)) ?: ret;
}

/* --- the rest */

static int with_mr(struct bench *bench)
{
	struct ib_mr *mr;

	mr = WINDOW("alloc_mr", ib_alloc_mr(bench->pd, IB_MR_TYPE_MEM_REG, 16));
	if (IS_ERR(mr))
		return PTR_ERR(mr);
	return WINDOW("dereg_mr", ib_dereg_mr(mr));
}

static int with_ah(struct bench *bench)
{
	struct rdma_ah_attr attr = {};
	struct ib_ah *ah;

	set_path(bench->device, &attr);
	ah = WINDOW("create_ah", rdma_create_ah(bench->pd, &attr, RDMA_CREATE_AH_SLEEPABLE));
	if (IS_ERR(ah))
		return PTR_ERR(ah);
	WINDOW_VOID("destroy_ah", rdma_destroy_ah(ah, RDMA_DESTROY_AH_SLEEPABLE));
	return 0;
}

static int look_up(struct bench *bench)
{
	union ib_gid gid;
	u16 index;

	return WINDOW("find_cached_pkey",
		      ib_find_cached_pkey(bench->device, 1, IB_DEFAULT_PKEY_FULL, &index)) ?:
	       WINDOW("query_gid", rdma_query_gid(bench->device, 1, 0, &gid));
}

static int with_cq(struct bench *bench)
{
	int ret;

	bench->cq = WINDOW("create_cq", create_cq(bench->device));
	if (IS_ERR(bench->cq))
		return PTR_ERR(bench->cq);
	ret = with_qp(bench) ?: with_mr(bench) ?: with_ah(bench) ?: look_up(bench);
	WINDOW_VOID("destroy_cq", ib_destroy_cq(bench->cq));
	return ret;
}

static int repeat_once(struct ib_device *device)
{
	struct bench bench = { .device = device };
	int ret;

	bench.pd = WINDOW("alloc_pd", ib_alloc_pd(device, 0));
	if (IS_ERR(bench.pd))
		return PTR_ERR(bench.pd);
	ret = with_cq(&bench);
	WINDOW_VOID("dealloc_pd", ib_dealloc_pd(bench.pd));
	return ret;
}

static int add_device(struct ib_device *device)
{
	struct ib_port_attr port;
	int i;

	if (strcmp(dev_name(&device->dev), device_name))
		return -EOPNOTSUPP;
	result = ib_query_port(device, 1, &port);
	port_lid = port.lid ?: 1;
	for (i = 0; i < REPETITIONS && !result; i++)
		result = repeat_once(device);
	return -EOPNOTSUPP;
}

static struct ib_client client = { .name = "bench_verbs", .add = add_device };

static int windows_show(struct seq_file *seq, void *data)
{
	unsigned int i;

	for (i = 0; i < nr_windows; i++)
		seq_printf(seq, "window %s_%s\n", prefix, names[i]);
	return 0;
}

DEFINE_SHOW_ATTRIBUTE(windows);

static struct dentry *file;

static int __init bench_verbs_init(void)
{
	int ret;

	ret = ib_register_client(&client);
	if (ret)
		return ret;
	ib_unregister_client(&client);
	if (result)
		return result;
	file = debugfs_create_file("bench_verbs", 0400, NULL, NULL, &windows_fops);
	return 0;
}
module_init(bench_verbs_init);

static void __exit bench_verbs_exit(void)
{
	debugfs_remove(file);
}
module_exit(bench_verbs_exit);
