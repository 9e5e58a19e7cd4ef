// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Address handles and multicast groups. */

#include "nullhca.h"

/* What is kept mustn't hold on to the GID entry, whose reference belongs to the caller. */
static void keep(struct nullhca_ah *ah, const struct rdma_ah_attr *attr)
{
	ah->attr = *attr;
	ah->attr.grh.sgid_attr = NULL;
}

static int create_ah(struct ib_ah *ib, struct rdma_ah_init_attr *init, struct ib_udata *udata)
{
	int ret = nullhca_pass(ib->device, NULLHCA_create_ah);

	if (ret)
		return ret;
	keep(to_ah(ib), init->ah_attr);
	atomic_inc(&to_nullhca(ib->device)->ahs);
	return 0;
}

static int modify_ah(struct ib_ah *ib, struct rdma_ah_attr *attr)
{
	int ret = nullhca_pass(ib->device, NULLHCA_modify_ah);

	if (!ret)
		keep(to_ah(ib), attr);
	return ret;
}

static int query_ah(struct ib_ah *ib, struct rdma_ah_attr *attr)
{
	int ret = nullhca_pass(ib->device, NULLHCA_query_ah);

	if (!ret)
		*attr = to_ah(ib)->attr;
	return ret;
}

static int destroy_ah(struct ib_ah *ib, u32 flags)
{
	int ret = nullhca_pass(ib->device, NULLHCA_destroy_ah);

	if (!ret)
		atomic_dec(&to_nullhca(ib->device)->ahs);
	return ret;
}

static int attach_mcast(struct ib_qp *ib, union ib_gid *gid, u16 lid)
{
	return nullhca_pass(ib->device, NULLHCA_attach_mcast);
}

static int detach_mcast(struct ib_qp *ib, union ib_gid *gid, u16 lid)
{
	return nullhca_pass(ib->device, NULLHCA_detach_mcast);
}

const struct ib_device_ops nullhca_address_ops = {
	.create_ah = create_ah,
	.create_user_ah = create_ah,
	.modify_ah = modify_ah,
	.query_ah = query_ah,
	.destroy_ah = destroy_ah,
	.attach_mcast = attach_mcast,
	.detach_mcast = detach_mcast,
	INIT_RDMA_OBJ_SIZE(ib_ah, nullhca_ah, ib),
};
