// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Address handles (IBTA 10.2.2). */

#include <linux/slab.h>
#include <rdma/ib_cache.h>
#include <rdma/lag.h>

#include "verbs.h"

/* The address has its source GID filled in. */
static struct ib_ah *create(struct ib_pd *pd, struct rdma_ah_init_attr *init_attr,
			    struct ib_udata *udata)
{
	bool sleepable = init_attr->flags & RDMA_CREATE_AH_SLEEPABLE;
	struct ib_device *device = pd->device;
	struct ib_ah *ah;
	int ret;

	might_sleep_if(sleepable);
	if (udata ? !device->ops.create_user_ah : !device->ops.create_ah)
		return ERR_PTR(-EOPNOTSUPP);

	ah = rdma_zalloc_drv_obj_gfp(device, ib_ah, sleepable ? GFP_KERNEL : GFP_ATOMIC);
	if (!ah)
		return ERR_PTR(-ENOMEM);
	ah->device = device;
	ah->pd = pd;
	ah->type = init_attr->ah_attr->type;
	rdma_ah_keep_sgid(&ah->sgid_attr, init_attr->ah_attr, false);

	if (udata)
		ret = device->ops.create_user_ah(ah, init_attr, udata);
	else
		ret = device->ops.create_ah(ah, init_attr, NULL);
	if (ret) {
		if (ah->sgid_attr)
			rdma_put_gid_attr(ah->sgid_attr);
		kfree(ah);
		return ERR_PTR(ret);
	}
	atomic_inc(&pd->usecnt);
	return ah;
}

/**
 * rdma_create_ah - create an AH for the kernel
 * @pd: its PD
 * @ah_attr: the address. One of RoCE has its destination MAC resolved.
 * @flags: RDMA_CREATE_AH_SLEEPABLE, unless the caller can't sleep
 *
 * Context: As @flags says.
 * Return: the AH, with a reference to the source GID, or an ERR_PTR(): -EINVAL for an address that
 * doesn't suit the port, -ENODATA or -EINVAL if there is no such source GID, -EOPNOTSUPP, -ENOMEM,
 * or what the driver returns.
 */
struct ib_ah *rdma_create_ah(struct ib_pd *pd, struct rdma_ah_attr *ah_attr, u32 flags)
{
	struct rdma_ah_init_attr init_attr = { .ah_attr = ah_attr, .flags = flags };
	gfp_t gfp = flags & RDMA_CREATE_AH_SLEEPABLE ? GFP_KERNEL : GFP_ATOMIC;
	struct ib_ah *ah;
	bool filled;
	int ret;

	ret = rdma_ah_fill_sgid(pd->device, ah_attr, &filled);
	if (ret)
		return ERR_PTR(ret);

	init_attr.xmit_slave = rdma_lag_get_ah_roce_slave(pd->device, ah_attr, gfp);
	if (IS_ERR(init_attr.xmit_slave)) {
		ah = ERR_CAST(init_attr.xmit_slave);
	} else {
		ah = create(pd, &init_attr, NULL);
		rdma_lag_put_ah_roce_slave(init_attr.xmit_slave);
	}
	rdma_ah_unfill_sgid(ah_attr, filled);
	return ah;
}
EXPORT_SYMBOL(rdma_create_ah);

/**
 * rdma_create_user_ah - create an AH for user space
 * @pd: its PD
 * @ah_attr: the address. One of RoCE gets its destination MAC and hop limit resolved.
 * @udata: the driver's part of the user's request; NULL for an AH that the kernel uses for a user
 *
 * Context: Sleeps.
 * Return: as rdma_create_ah(), and errors of address resolution.
 */
struct ib_ah *rdma_create_user_ah(struct ib_pd *pd, struct rdma_ah_attr *ah_attr,
				  struct ib_udata *udata)
{
	struct rdma_ah_init_attr init_attr = {
		.ah_attr = ah_attr,
		.flags = RDMA_CREATE_AH_SLEEPABLE,
	};
	struct ib_ah *ah;
	bool filled;
	int ret;

	ret = rdma_ah_fill_sgid(pd->device, ah_attr, &filled);
	if (ret)
		return ERR_PTR(ret);
	if (ah_attr->type == RDMA_AH_ATTR_TYPE_ROCE)
		ret = rdma_ah_resolve_dmac(ah_attr);
	ah = ret ? ERR_PTR(ret) : create(pd, &init_attr, udata);
	rdma_ah_unfill_sgid(ah_attr, filled);
	return ah;
}
EXPORT_SYMBOL(rdma_create_user_ah);

/**
 * rdma_modify_ah - change the address of an AH
 * @ah: the AH
 * @ah_attr: the new address, of the same type
 *
 * Context: As the driver's modify_ah.
 * Return: 0 or a negative errno, and then the AH is as it was: -EINVAL for another type or a wrong
 * address, -EOPNOTSUPP, or what the driver returns.
 */
int rdma_modify_ah(struct ib_ah *ah, struct rdma_ah_attr *ah_attr)
{
	bool filled;
	int ret;

	if (!ah->device->ops.modify_ah)
		return -EOPNOTSUPP;
	if (ah->type != ah_attr->type)
		return -EINVAL;

	ret = rdma_ah_fill_sgid(ah->device, ah_attr, &filled);
	if (ret)
		return ret;
	ret = ah->device->ops.modify_ah(ah, ah_attr);
	if (!ret)
		rdma_ah_keep_sgid(&ah->sgid_attr, ah_attr, filled);
	rdma_ah_unfill_sgid(ah_attr, filled);
	return ret;
}
EXPORT_SYMBOL(rdma_modify_ah);

/**
 * rdma_query_ah - the address of an AH
 * @ah: the AH
 * @ah_attr: returns the address, without a reference to the source GID
 *
 * Context: As the driver's query_ah.
 * Return: 0, -EOPNOTSUPP, or what the driver returns.
 */
int rdma_query_ah(struct ib_ah *ah, struct rdma_ah_attr *ah_attr)
{
	ah_attr->grh.sgid_attr = NULL;
	if (!ah->device->ops.query_ah)
		return -EOPNOTSUPP;
	return ah->device->ops.query_ah(ah, ah_attr);
}
EXPORT_SYMBOL(rdma_query_ah);

/**
 * rdma_destroy_ah_user - destroy an AH; called as rdma_destroy_ah() for the kernel's own
 * @ah: the AH
 * @flags: RDMA_DESTROY_AH_SLEEPABLE, unless the caller can't sleep
 * @udata: of a user's AH, else NULL
 *
 * Context: As @flags says.
 * Return: 0, or the driver's errno, and then there still is the AH.
 */
int rdma_destroy_ah_user(struct ib_ah *ah, u32 flags, struct ib_udata *udata)
{
	int ret;

	might_sleep_if(flags & RDMA_DESTROY_AH_SLEEPABLE);
	ret = ah->device->ops.destroy_ah(ah, flags);
	if (ret)
		return ret;

	atomic_dec(&ah->pd->usecnt);
	if (ah->sgid_attr)
		rdma_put_gid_attr(ah->sgid_attr);
	kfree(ah);
	return 0;
}
EXPORT_SYMBOL(rdma_destroy_ah_user);
