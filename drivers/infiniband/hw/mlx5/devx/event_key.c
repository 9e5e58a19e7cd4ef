// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Which events are whose. An event names its object in one of two ways: those about queues by a
 * number that's unique only among queues of a type, and each of them can befall but some kinds of
 * objects; all others by type and number. Who could subscribe to the first for another kind of
 * object would be told of a stranger's queue that happens to have its number.
 */
#include "devx.h"

/* The place of the type for events that are the device's, which no object has. */
#define DEVICE_WIDE 0xffff

static u64 key_of(u8 type, u16 object_type, u32 number)
{
	return (u64)object_type << 48 | (u64)type << 32 | number;
}

static u8 family_of(u8 type)
{
	switch (type) {
	case MLX5_EVENT_TYPE_COMP:
	case MLX5_EVENT_TYPE_CQ_ERROR:
		return MLX5_IB_DEVX_CQ;
	case MLX5_EVENT_TYPE_PATH_MIG:
	case MLX5_EVENT_TYPE_PATH_MIG_FAILED:
	case MLX5_EVENT_TYPE_COMM_EST:
	case MLX5_EVENT_TYPE_SQ_DRAINED:
	case MLX5_EVENT_TYPE_SRQ_LAST_WQE:
	case MLX5_EVENT_TYPE_WQ_CATAS_ERROR:
	case MLX5_EVENT_TYPE_WQ_INVAL_REQ_ERROR:
	case MLX5_EVENT_TYPE_WQ_ACCESS_ERROR:
		return MLX5_IB_DEVX_QUEUE;
	case MLX5_EVENT_TYPE_SRQ_RQ_LIMIT:
	case MLX5_EVENT_TYPE_SRQ_CATAS_ERROR:
		return MLX5_IB_DEVX_SRQ;
	case MLX5_EVENT_TYPE_DCT_DRAINED:
	case MLX5_EVENT_TYPE_DCT_KEY_VIOLATION:
		return MLX5_IB_DEVX_DCT;
	case MLX5_EVENT_TYPE_XRQ_ERROR:
		return MLX5_IB_DEVX_XRQ;
	default:
		return 0;
	}
}

bool mlx5_ib_devx_is_queue_event(u8 type)
{
	return family_of(type);
}

u64 mlx5_ib_devx_device_key(u8 type)
{
	return key_of(type, DEVICE_WIDE, 0);
}

u64 mlx5_ib_devx_completion_key(u32 cqn)
{
	return key_of(MLX5_EVENT_TYPE_COMP, 0, cqn);
}

static u16 object_type_of(const struct mlx5_ib_devx_kind *kind, u64 id)
{
	if (kind->create == MLX5_CMD_OP_CREATE_GENERAL_OBJECT)
		return id >> 48;
	return kind->object_type;
}

/**
 * mlx5_ib_devx_object_key - the key of an object's event
 * @kind: of object
 * @id: mlx5_ib_devx_id() of it
 * @type: of event
 * @key: its key
 *
 * Return: whether such an object can have such an event.
 */
bool mlx5_ib_devx_object_key(const struct mlx5_ib_devx_kind *kind, u64 id, u8 type, u64 *key)
{
	u8 family = family_of(type);
	u16 object_type = family ? kind->queue_type : object_type_of(kind, id);

	*key = key_of(type, object_type, lower_32_bits(id));
	if (family)
		return kind->families & family;
	return object_type && object_type != DEVICE_WIDE;
}

#define NUMBER_MASK 0xffffff

/**
 * mlx5_ib_devx_eqe_key - the key of an object's event, as the device tells it
 * @type: of event
 * @eqe: the entry
 *
 * Return: its key.
 */
u64 mlx5_ib_devx_eqe_key(u8 type, const struct mlx5_eqe *eqe)
{
	const union ev_data *data = &eqe->data;

	switch (family_of(type)) {
	case MLX5_IB_DEVX_QUEUE:
	case MLX5_IB_DEVX_SRQ:
		return key_of(type, data->qp_srq.type,
			      be32_to_cpu(data->qp_srq.qp_srq_n) & NUMBER_MASK);
	case MLX5_IB_DEVX_CQ:
		return key_of(type, 0, be32_to_cpu(data->cq_err.cqn) & NUMBER_MASK);
	case MLX5_IB_DEVX_DCT:
		return key_of(type, MLX5_EVENT_QUEUE_TYPE_DCT,
			      be32_to_cpu(data->dct.dctn) & NUMBER_MASK);
	case MLX5_IB_DEVX_XRQ:
		return key_of(type, 0, be32_to_cpu(data->xrq_err.type_xrqn) & NUMBER_MASK);
	default:
		return key_of(type, MLX5_GET(affiliated_event_header, data, obj_type),
			      MLX5_GET(affiliated_event_header, data, obj_id));
	}
}
