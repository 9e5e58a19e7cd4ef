// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* RDMA READs and WRITEs of any length: when they need MRs, and what a QP needs for them. */

#include <linux/moduleparam.h>
#include <linux/overflow.h>

#include "verbs.h"

/* Bounds the size of an MR. */
#define PAGES_PER_MR_MAX 256

static bool force_mr;
module_param(force_mr, bool, 0);
MODULE_PARM_DESC(force_mr, "Use MRs for all RDMA READs and WRITEs of the kernel (for tests)");

u32 rdma_rw_pages_per_mr(struct ib_device *device, bool integrity)
{
	return min_t(u32, PAGES_PER_MR_MAX,
		     integrity ? device->attrs.max_pi_fast_reg_page_list_len :
				 device->attrs.max_fast_reg_page_list_len);
}

/* Whether transfers on this port ever need MRs. */
static bool port_uses_mrs(struct ib_device *device, u32 port_num)
{
	return rdma_protocol_iwarp(device, port_num) || device->attrs.max_sgl_rd || force_mr;
}

/* An iWARP READ puts its data where an rkey says. */
bool rdma_rw_must_use_mr(const struct rdma_rw_io *io)
{
	return force_mr || (io->dir == DMA_FROM_DEVICE &&
			    rdma_protocol_iwarp(io->qp->device, io->port_num));
}

/* Devices with max_sgl_rd READ faster into one MR than into more SGEs than that. */
bool rdma_rw_needs_mr(const struct rdma_rw_io *io)
{
	u32 max_sgl_rd = io->qp->device->attrs.max_sgl_rd;

	return rdma_rw_must_use_mr(io) ||
	       (io->dir == DMA_FROM_DEVICE && max_sgl_rd && io->nents > max_sgl_rd);
}

/**
 * rdma_rw_mr_factor - how many MRs a transfer takes
 * @device: the device
 * @port_num: the connection's port
 * @maxpages: greatest length of a transfer, pages
 *
 * Context: Any.
 * Return: the number of MRs, or of WRs where no MRs are used.
 */
unsigned int rdma_rw_mr_factor(struct ib_device *device, u32 port_num, unsigned int maxpages)
{
	unsigned int pages = port_uses_mrs(device, port_num) ?
			     rdma_rw_pages_per_mr(device, false) : device->attrs.max_sge_rd;

	return DIV_ROUND_UP(maxpages, pages);
}
EXPORT_SYMBOL(rdma_rw_mr_factor);

/* An MR takes two WRs more: to invalidate its last key, and to register it. */
static unsigned int wrs_per_ctx(struct ib_device *device, u32 port_num, u32 create_flags)
{
	return create_flags & IB_QP_CREATE_INTEGRITY_EN || port_uses_mrs(device, port_num) ? 3 : 1;
}

/**
 * rdma_rw_max_send_wr - how many WRs transfers need in a send queue
 * @dev: the device
 * @port_num: the connection's port
 * @max_rdma_ctxs: transfers at a time
 * @create_flags: those of the QP; IB_QP_CREATE_INTEGRITY_EN counts
 *
 * Context: Any.
 * Return: the number, UINT_MAX if it's greater.
 */
unsigned int rdma_rw_max_send_wr(struct ib_device *dev, u32 port_num, unsigned int max_rdma_ctxs,
				 u32 create_flags)
{
	return min_t(size_t, UINT_MAX,
		     size_mul(wrs_per_ctx(dev, port_num, create_flags), max_rdma_ctxs));
}
EXPORT_SYMBOL(rdma_rw_max_send_wr);

/* Makes room in a new QP's send queue; what the device can't do, it has to go without. */
void rdma_rw_init_qp(struct ib_device *dev, struct ib_qp_init_attr *attr)
{
	u32 wrs;

	WARN_ON_ONCE(!attr->port_num);
	wrs = rdma_rw_max_send_wr(dev, attr->port_num, attr->cap.max_rdma_ctxs, attr->create_flags);
	attr->cap.max_send_wr = min_t(u64, (u64)attr->cap.max_send_wr + wrs, dev->attrs.max_qp_wr);
}

/* The MR pools of a new QP. */
int rdma_rw_init_mrs(struct ib_qp *qp, struct ib_qp_init_attr *attr)
{
	bool integrity = attr->create_flags & IB_QP_CREATE_INTEGRITY_EN;
	u32 pages = rdma_rw_pages_per_mr(qp->device, integrity);
	u32 nr = attr->cap.max_rdma_ctxs;
	int ret;

	if (!integrity && !port_uses_mrs(qp->device, attr->port_num))
		return 0;

	ret = ib_mr_pool_init(qp, &qp->rdma_mrs, nr, IB_MR_TYPE_MEM_REG, pages, 0);
	if (ret || !integrity)
		return ret;
	ret = ib_mr_pool_init(qp, &qp->sig_mrs, nr, IB_MR_TYPE_INTEGRITY, pages, pages);
	if (ret)
		ib_mr_pool_destroy(qp, &qp->rdma_mrs);
	return ret;
}

void rdma_rw_cleanup_mrs(struct ib_qp *qp)
{
	ib_mr_pool_destroy(qp, &qp->sig_mrs);
	ib_mr_pool_destroy(qp, &qp->rdma_mrs);
}
