// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Objects of a process's own: making, modifying, querying and destroying them, by handles.
 */
#include "devx.h"

/* If only the answer can't be given, it's there all the same, until the file is closed. */
static int make(struct uverbs_attr_bundle *attrs, struct ib_uobject *uobj,
		struct mlx5_ib_devx_object *object, void *in)
{
	int outlen = uverbs_attr_get_len(attrs, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT);
	void *out = uverbs_zalloc(attrs, outlen);
	int err, copy_err;

	if (IS_ERR(out))
		return PTR_ERR(out);
	err = mlx5_ib_devx_make(object, in,
				uverbs_attr_get_len(attrs, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN),
				out, outlen);
	if (err && err != -EREMOTEIO)
		return err;
	if (!err) {
		uobj->object = object;
		uverbs_finalize_uobj_create(attrs, MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE);
	}
	copy_err = uverbs_copy_to(attrs, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT, out, outlen);
	return copy_err ?: err;
}

static int UVERBS_HANDLER(MLX5_IB_METHOD_DEVX_OBJ_CREATE)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj =
		uverbs_attr_get_uobject(attrs, MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE);
	void *in = uverbs_attr_get_alloced_ptr(attrs, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN);
	const struct mlx5_ib_devx_kind *kind;
	struct mlx5_ib_devx_object *object;
	int err;

	err = mlx5_ib_devx_prepare(attrs, in);
	if (err)
		return err;
	kind = mlx5_ib_devx_kind(in,
				 uverbs_attr_get_len(attrs, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN),
				 uverbs_attr_get_len(attrs, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT));
	if (!kind)
		return -EINVAL;
	object = kzalloc(sizeof(*object), GFP_KERNEL_ACCOUNT);
	if (!object)
		return -ENOMEM;
	object->dev = to_mdev(uobj->context->device);
	object->kind = kind;
	INIT_LIST_HEAD(&object->subscriptions);
	err = make(attrs, uobj, object, in);
	if (!uobj->object)
		kfree(object);
	return err;
}

static int destroy_object(struct ib_uobject *uobj, enum rdma_remove_reason why,
			  struct uverbs_attr_bundle *attrs)
{
	struct mlx5_ib_devx_object *object = uobj->object;
	int err;

	WRITE_ONCE(object->dying, true);
	err = mlx5_ib_devx_unmake(object);
	if (err) {
		WRITE_ONCE(object->dying, false);
		return err;
	}
	mlx5_ib_devx_unsubscribe_object(object);
	kfree_rcu(object, rcu);
	return 0;
}

static int UVERBS_HANDLER(MLX5_IB_METHOD_DEVX_OBJ_MODIFY)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj =
		uverbs_attr_get_uobject(attrs, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE);
	void *in = uverbs_attr_get_alloced_ptr(attrs, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN);
	size_t len = uverbs_attr_get_len(attrs, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN);
	bool indirect;
	int err;

	err = mlx5_ib_devx_prepare(attrs, in);
	if (err)
		return err;
	if (!mlx5_ib_devx_is_about(uobj, mlx5_ib_devx_modified_id(in, len)))
		return -EINVAL;
	err = mlx5_ib_devx_only_umem(in, len, &indirect);
	if (err)
		return err;
	return mlx5_ib_devx_send(attrs, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN,
				 MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT);
}

static int UVERBS_HANDLER(MLX5_IB_METHOD_DEVX_OBJ_QUERY)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj =
		uverbs_attr_get_uobject(attrs, MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE);
	void *in = uverbs_attr_get_alloced_ptr(attrs, MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN);
	size_t len = uverbs_attr_get_len(attrs, MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN);
	int err;

	err = mlx5_ib_devx_prepare(attrs, in);
	if (err)
		return err;
	if (!mlx5_ib_devx_is_about(uobj, mlx5_ib_devx_queried_id(in, len)))
		return -EINVAL;
	return mlx5_ib_devx_send(attrs, MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN,
				 MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT);
}

#define COMMAND(attr)									\
	UVERBS_ATTR_PTR_IN(attr, UVERBS_ATTR_MIN_SIZE(MLX5_IB_DEVX_MIN_IN), UA_MANDATORY,	\
			   UA_ALLOC_AND_COPY)
#define ANSWER(attr)									\
	UVERBS_ATTR_PTR_OUT(attr, UVERBS_ATTR_MIN_SIZE(MLX5_IB_DEVX_MIN_OUT), UA_MANDATORY)

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_DEVX_OBJ_CREATE,
			    UVERBS_ATTR_IDR(MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE,
					    MLX5_IB_OBJECT_DEVX_OBJ, UVERBS_ACCESS_NEW,
					    UA_MANDATORY),
			    COMMAND(MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN),
			    ANSWER(MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT));

DECLARE_UVERBS_NAMED_METHOD_DESTROY(MLX5_IB_METHOD_DEVX_OBJ_DESTROY,
				    UVERBS_ATTR_IDR(MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE,
						    MLX5_IB_OBJECT_DEVX_OBJ,
						    UVERBS_ACCESS_DESTROY, UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_DEVX_OBJ_MODIFY,
			    UVERBS_ATTR_IDR(MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE,
					    UVERBS_IDR_ANY_OBJECT, UVERBS_ACCESS_READ,
					    UA_MANDATORY),
			    COMMAND(MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN),
			    ANSWER(MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT));

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_DEVX_OBJ_QUERY,
			    UVERBS_ATTR_IDR(MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE,
					    UVERBS_IDR_ANY_OBJECT, UVERBS_ACCESS_READ,
					    UA_MANDATORY),
			    COMMAND(MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN),
			    ANSWER(MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT));

DECLARE_UVERBS_NAMED_OBJECT(MLX5_IB_OBJECT_DEVX_OBJ,
			    UVERBS_TYPE_ALLOC_IDR(destroy_object),
			    &UVERBS_METHOD(MLX5_IB_METHOD_DEVX_OBJ_CREATE),
			    &UVERBS_METHOD(MLX5_IB_METHOD_DEVX_OBJ_DESTROY),
			    &UVERBS_METHOD(MLX5_IB_METHOD_DEVX_OBJ_MODIFY),
			    &UVERBS_METHOD(MLX5_IB_METHOD_DEVX_OBJ_QUERY));

const struct uapi_definition mlx5_ib_devx_object_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(MLX5_IB_OBJECT_DEVX_OBJ,
				      UAPI_DEF_IS_OBJ_SUPPORTED(mlx5_ib_devx_supported)),
	{}
};
