// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Work queues for receives alone, and tables of them, which never receive anything. */

#include <linux/slab.h>

#include "nullhca.h"

static struct ib_wq *create_wq(struct ib_pd *pd, struct ib_wq_init_attr *init,
			       struct ib_udata *udata)
{
	struct ib_wq *wq;
	int ret = nullhca_pass(pd->device, NULLHCA_create_wq);

	if (ret)
		return ERR_PTR(ret);
	if (init->create_flags)
		return ERR_PTR(-EOPNOTSUPP);
	if (init->max_wr > NULLHCA_MAX_WR || init->max_sge > NULLHCA_MAX_SGE)
		return ERR_PTR(-EINVAL);
	wq = kzalloc(sizeof(*wq), GFP_KERNEL);
	return wq ?: ERR_PTR(-ENOMEM);
}

static int modify_wq(struct ib_wq *wq, struct ib_wq_attr *attr, u32 mask, struct ib_udata *udata)
{
	int ret = nullhca_pass(wq->device, NULLHCA_modify_wq);

	if (!ret && (mask & IB_WQ_STATE))
		wq->state = attr->wq_state;
	return ret;
}

static int destroy_wq(struct ib_wq *wq, struct ib_udata *udata)
{
	int ret = nullhca_pass(wq->device, NULLHCA_destroy_wq);

	if (!ret)
		kfree(wq);
	return ret;
}

static int create_table(struct ib_rwq_ind_table *table, struct ib_rwq_ind_table_init_attr *init,
			struct ib_udata *udata)
{
	return nullhca_pass(table->device, NULLHCA_create_rwq_ind_table);
}

static int destroy_table(struct ib_rwq_ind_table *table)
{
	return nullhca_pass(table->device, NULLHCA_destroy_rwq_ind_table);
}

const struct ib_device_ops nullhca_wq_ops = {
	.create_wq = create_wq,
	.modify_wq = modify_wq,
	.destroy_wq = destroy_wq,
	.create_rwq_ind_table = create_table,
	.destroy_rwq_ind_table = destroy_table,
	INIT_RDMA_OBJ_SIZE(ib_rwq_ind_table, nullhca_table, ib),
};
