// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* XRC domains (IBTA annex 14). */

#include <linux/slab.h>

#include "verbs.h"

static struct ib_xrcd *new_xrcd(struct ib_device *device, struct inode *inode)
{
	struct ib_xrcd *xrcd = rdma_zalloc_drv_obj(device, ib_xrcd);

	if (!xrcd)
		return NULL;
	xrcd->device = device;
	xrcd->inode = inode;
	init_rwsem(&xrcd->tgt_qps_rwsem);
	xa_init(&xrcd->tgt_qps);
	return xrcd;
}

/**
 * ib_alloc_xrcd_user - allocate an XRC domain
 * @device: the device
 * @inode: the file by which processes share it, or NULL; only kept
 * @udata: the driver's part of a user's request, or NULL
 *
 * Context: Sleeps.
 * Return: the domain or an ERR_PTR(): -EOPNOTSUPP, -ENOMEM, or what the driver returns.
 */
struct ib_xrcd *ib_alloc_xrcd_user(struct ib_device *device, struct inode *inode,
				   struct ib_udata *udata)
{
	struct ib_xrcd *xrcd;
	int ret = -ENOMEM;

	if (!device->ops.alloc_xrcd)
		return ERR_PTR(-EOPNOTSUPP);
	xrcd = new_xrcd(device, inode);
	if (xrcd)
		ret = device->ops.alloc_xrcd(xrcd, udata);
	if (!ret)
		return xrcd;
	kfree(xrcd);
	return ERR_PTR(ret);
}
EXPORT_SYMBOL(ib_alloc_xrcd_user);

/**
 * ib_dealloc_xrcd_user - free an XRC domain
 * @xrcd: the domain
 * @udata: of a user's domain, else NULL
 *
 * Context: Sleeps.
 * Return: 0; -EBUSY while an SRQ or a QP uses it; or the driver's errno. There still is the domain
 * then.
 */
int ib_dealloc_xrcd_user(struct ib_xrcd *xrcd, struct ib_udata *udata)
{
	int ret;

	/* Those in tgt_qps are among them. */
	if (atomic_read(&xrcd->usecnt))
		return -EBUSY;

	ret = xrcd->device->ops.dealloc_xrcd(xrcd, udata);
	if (!ret)
		kfree(xrcd);
	return ret;
}
EXPORT_SYMBOL(ib_dealloc_xrcd_user);
