// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Making objects and destroying them, as the firmware and mlx5_core want it for their kinds:
 * mlx5_core keeps completion queues, to find them when they have an event, and DC targets are kept
 * with those of verbs.
 */
#include "devx.h"

static void completed(struct mlx5_core_cq *mcq, struct mlx5_eqe *eqe)
{
	struct mlx5_ib_devx_object *object = container_of(mcq, struct mlx5_ib_devx_object, cq);

	mlx5_ib_devx_dispatch(object->dev->devx, mlx5_ib_devx_completion_key(mcq->cqn), eqe);
}

/* Completions of a queue for an APU are no event of the host's. */
static bool is_host_cq(const struct mlx5_ib_devx_object *object, const void *in)
{
	return object->kind->create == MLX5_CMD_OP_CREATE_CQ &&
	       !(MLX5_CAP_GEN(object->dev->mdev, apu) &&
		 MLX5_GET(create_cq_in, in, cq_context.apu_cq));
}

static bool is_dct(const struct mlx5_ib_devx_object *object)
{
	return object->kind->create == MLX5_CMD_OP_CREATE_DCT;
}

static int create(struct mlx5_ib_devx_object *object, void *in, int inlen, void *out, int outlen)
{
	struct mlx5_core_dev *mdev = object->dev->mdev;

	if (object->kind->create == MLX5_CMD_OP_CREATE_CQ &&
	    inlen < MLX5_ST_SZ_BYTES(create_cq_in))
		return -EINVAL;
	object->is_cq = is_host_cq(object, in);
	if (!object->is_cq)
		return mlx5_cmd_do(mdev, in, inlen, out, outlen);
	object->cq.comp = completed;
	return mlx5_create_cq(mdev, &object->cq, in, inlen, out, outlen);
}

static int destroy(struct mlx5_ib_devx_object *object)
{
	struct mlx5_core_dev *mdev = object->dev->mdev;
	u32 out[MLX5_ST_SZ_DW(general_obj_out_cmd_hdr)] = {};

	if (object->is_cq)
		return mlx5_core_destroy_cq(mdev, &object->cq);
	return mlx5_cmd_exec(mdev, object->destroy, object->kind->destroy_len, out, sizeof(out));
}

/* Counters are made by the bundle. */
static u32 range_of(const struct mlx5_ib_devx_object *object, const void *in)
{
	u32 log, bulk;

	if (object->kind->create != MLX5_CMD_OP_ALLOC_FLOW_COUNTER)
		return 1;
	log = MLX5_GET(alloc_flow_counter_in, in, flow_counter_bulk_log_size);
	bulk = MLX5_GET(alloc_flow_counter_in, in, flow_counter_bulk);
	if (log)
		return 1U << log;
	return max(bulk * 128, 1U);
}

static int show_key(struct mlx5_ib_devx_object *object, const void *in, u32 index)
{
	init_waitqueue_head(&object->mkey.wait);
	object->mkey.type = MLX5_IB_MKEY_DEVX;
	object->mkey.key = mlx5_idx_to_mkey(index) |
			   MLX5_GET(create_mkey_in, in, memory_key_mkey_entry.mkey_7_0);
	object->mkey.entries = MLX5_GET(create_mkey_in, in,
					memory_key_mkey_entry.translations_octword_size);
	return mlx5_ib_key_show(object->dev, &object->mkey);
}

static int show(struct mlx5_ib_devx_object *object, const void *in, u32 number)
{
	if (object->indirect)
		return show_key(object, in, number);
	if (is_dct(object))
		return mlx5_ib_dct_add(object->dev, number, &object->dct);
	return 0;
}

/**
 * mlx5_ib_devx_make - make an object
 * @object: with its device and kind
 * @in: the process's command, prepared
 * @inlen: bytes of it
 * @out: the answer, also that of a firmware that refuses
 * @outlen: bytes of it, the object's number among them
 *
 * Return: 0, -EREMOTEIO: the firmware refuses, or another negative errno.
 */
int mlx5_ib_devx_make(struct mlx5_ib_devx_object *object, void *in, int inlen, void *out,
		      int outlen)
{
	u32 number;
	int err;

	err = mlx5_ib_devx_only_umem(in, inlen, &object->indirect);
	if (!err)
		err = create(object, in, inlen, out, outlen);
	if (err)
		return err;
	number = mlx5_ib_devx_number(object->kind, in, out);
	object->id = mlx5_ib_devx_created_id(object->kind, in, number);
	object->range = range_of(object, in);
	mlx5_ib_devx_destroy_command(object->kind, in, number, object->destroy);
	err = show(object, in, number);
	if (err)
		destroy(object);
	return err;
}

static int unmake_dct(struct mlx5_ib_devx_object *object)
{
	u16 uid = MLX5_GET(general_obj_in_cmd_hdr, object->destroy, uid);

	return mlx5_ib_dct_remove(object->dev, uid, mlx5_ib_devx_object_number(object),
				  &object->dct);
}

/**
 * mlx5_ib_devx_unmake - destroy an object
 * @object: it
 *
 * Return: 0, or a negative errno: it's still there.
 */
int mlx5_ib_devx_unmake(struct mlx5_ib_devx_object *object)
{
	int err;

	if (is_dct(object))
		return unmake_dct(object);
	/* Before another key can have its number. */
	if (object->indirect)
		mlx5_ib_key_hide(object->dev, &object->mkey);
	err = destroy(object);
	if (err && object->indirect)
		mlx5_ib_key_show(object->dev, &object->mkey);
	return err;
}
