// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Receive work queue indirection tables: which WQ gets a packet, by the low bits of its hash. A WQ
 * may stand there more than once; each time counts.
 */

#include <linux/mm.h>
#include <linux/slab.h>

#include "verbs.h"

static u32 count_wqs(const struct ib_rwq_ind_table *table)
{
	return 1U << table->log_ind_tbl_size;
}

static int destroy_table(struct ib_uobject *uobject, enum rdma_remove_reason why,
			 struct uverbs_attr_bundle *attrs)
{
	struct ib_rwq_ind_table *table = uobject->object;
	int ret;
	u32 i;

	if (atomic_read(&table->usecnt))
		return -EBUSY;
	ret = table->device->ops.destroy_rwq_ind_table(table);
	if (ret)
		return ret;
	for (i = 0; i < count_wqs(table); i++)
		atomic_dec(&table->ind_tbl[i]->usecnt);
	kvfree(table->ind_tbl);
	kfree(table);
	return 0;
}

/* The WQs are held for reading by the caller. */
static int create_table(struct uverbs_attr_bundle *attrs, struct ib_uobject *uobj,
			struct ib_rwq_ind_table_init_attr *attr)
{
	struct ib_device *device = attrs->context->device;
	struct ib_rwq_ind_table *table;
	int ret;
	u32 i;

	table = rdma_zalloc_drv_obj(device, ib_rwq_ind_table);
	if (!table)
		return -ENOMEM;
	table->device = device;
	table->uobject = uobj;
	table->log_ind_tbl_size = attr->log_ind_tbl_size;
	table->ind_tbl = attr->ind_tbl;
	ret = device->ops.create_rwq_ind_table(table, attr, &attrs->driver_udata);
	if (ret) {
		kfree(table);
		return ret;
	}
	for (i = 0; i < count_wqs(table); i++)
		atomic_inc(&table->ind_tbl[i]->usecnt);
	uobj->object = table;
	return 0;
}

static void put_wqs(struct ib_wq **wqs, u32 count)
{
	while (count)
		uverbs_put_queue(wqs[--count]);
}

/* All or none of them; @wqs and @handles have @count members. */
static int look_up_wqs(struct uverbs_attr_bundle *attrs, struct ib_wq **wqs, const u32 *handles,
		       u32 count)
{
	int ret;
	u32 i;

	for (i = 0; i < count; i++) {
		ret = uverbs_look_up(wqs[i], wq, UVERBS_OBJECT_WQ, handles[i], attrs);
		if (ret) {
			put_wqs(wqs, i);
			return ret;
		}
	}
	return 0;
}

/* The handles stand behind the request: its length bounds what is allocated. */
static u32 *read_handles(struct uverbs_request_iter *iter, u32 count)
{
	const void __user *handles = uverbs_request_skip(iter, count * sizeof(u32));
	int ret;

	if (IS_ERR(handles))
		return ERR_CAST((const void __force *)handles);
	ret = uverbs_request_end(iter);
	return ret ? ERR_PTR(ret) : vmemdup_array_user(handles, count, sizeof(u32));
}

static int respond(struct uverbs_attr_bundle *attrs, const struct ib_uobject *uobj)
{
	const struct ib_rwq_ind_table *table = uobj->object;
	struct ib_uverbs_ex_create_rwq_ind_table_resp resp = {
		.response_length = uverbs_response_length(attrs, sizeof(resp)),
		.ind_tbl_handle = uobj->id,
		.ind_tbl_num = table->ind_tbl_num,
	};

	return uverbs_response(attrs, &resp, sizeof(resp));
}

/* On success, @attr's table of WQs belongs to the new object. */
static int look_up_and_create(struct uverbs_attr_bundle *attrs, const u32 *handles,
			      struct ib_rwq_ind_table_init_attr *attr)
{
	u32 count = 1U << attr->log_ind_tbl_size;
	struct ib_device *ib_dev;
	struct ib_uobject *uobj;
	int ret;

	uobj = uobj_alloc(UVERBS_OBJECT_RWQ_IND_TBL, attrs, &ib_dev);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	ret = look_up_wqs(attrs, attr->ind_tbl, handles, count);
	if (!ret) {
		ret = create_table(attrs, uobj, attr);
		put_wqs(attr->ind_tbl, count);
	}
	if (ret)
		uobj_alloc_abort(uobj, attrs);
	else
		uobj_finalize_uobj_create(uobj, attrs);
	return ret;
}

static int write_create_table(struct uverbs_attr_bundle *attrs)
{
	struct ib_rwq_ind_table_init_attr attr = {};
	struct ib_uverbs_ex_create_rwq_ind_table cmd;
	struct uverbs_request_iter iter;
	u32 *handles;
	int ret;

	ret = uverbs_request_begin(attrs, &iter, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	if (cmd.comp_mask)
		return -EOPNOTSUPP;
	if (cmd.log_ind_tbl_size > IB_USER_VERBS_MAX_LOG_IND_TBL_SIZE)
		return -EINVAL;
	handles = read_handles(&iter, 1U << cmd.log_ind_tbl_size);
	if (IS_ERR(handles))
		return PTR_ERR(handles);

	attr.log_ind_tbl_size = cmd.log_ind_tbl_size;
	attr.ind_tbl = kvcalloc(1U << cmd.log_ind_tbl_size, sizeof(*attr.ind_tbl), GFP_KERNEL);
	ret = attr.ind_tbl ? look_up_and_create(attrs, handles, &attr) : -ENOMEM;
	kvfree(handles);
	if (ret) {
		kvfree(attr.ind_tbl);
		return ret;
	}
	return respond(attrs, attrs->uobject);
}

static int write_destroy_table(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_ex_destroy_rwq_ind_table cmd;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	if (cmd.comp_mask)
		return -EOPNOTSUPP;
	return uobj_perform_destroy(UVERBS_OBJECT_RWQ_IND_TBL, cmd.ind_tbl_handle, attrs);
}

DECLARE_UVERBS_NAMED_METHOD_DESTROY(UVERBS_METHOD_RWQ_IND_TBL_DESTROY,
				    UVERBS_ATTR_IDR(UVERBS_ATTR_DESTROY_RWQ_IND_TBL_HANDLE,
						    UVERBS_OBJECT_RWQ_IND_TBL,
						    UVERBS_ACCESS_DESTROY, UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_RWQ_IND_TBL,
			    UVERBS_TYPE_ALLOC_IDR(destroy_table),
			    &UVERBS_METHOD(UVERBS_METHOD_RWQ_IND_TBL_DESTROY));

const struct uapi_definition uverbs_def_rwq_ind_tbl[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_RWQ_IND_TBL,
				      UAPI_DEF_OBJ_NEEDS_FN(destroy_rwq_ind_table)),
	DECLARE_UVERBS_WRITE_EX(IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL, write_create_table,
				UVERBS_EXTENSIBLE),
	UAPI_DEF_METHOD_NEEDS_FN(create_rwq_ind_table),
	DECLARE_UVERBS_WRITE_EX(IB_USER_VERBS_EX_CMD_DESTROY_RWQ_IND_TBL, write_destroy_table,
				UVERBS_EXTENSIBLE),
	UAPI_DEF_METHOD_NEEDS_FN(destroy_rwq_ind_table),
	{}
};
