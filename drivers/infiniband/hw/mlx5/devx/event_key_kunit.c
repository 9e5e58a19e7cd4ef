// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include "devx.h"

#define NUMBER 0x123456

static const struct mlx5_ib_devx_kind *kind_of(u16 opcode)
{
	static u32 in[64];

	memset(in, 0, sizeof(in));
	MLX5_SET(general_obj_in_cmd_hdr, in, opcode, opcode);
	return mlx5_ib_devx_kind(in, sizeof(in), 64);
}

/* The key of an event of an object with the number NUMBER; of a general object, of type @type. */
static bool key_of(u16 create, u16 type, u8 event, u64 *key)
{
	return mlx5_ib_devx_object_key(kind_of(create), mlx5_ib_devx_id(create, type, NUMBER),
				       event, key);
}

/* The device's event about a queue: of @queue_type, if it says so. */
static void tell(struct mlx5_eqe *eqe, u8 type, u8 queue_type)
{
	memset(eqe, 0, sizeof(*eqe));
	eqe->type = type;
	switch (type) {
	case MLX5_EVENT_TYPE_CQ_ERROR:
		eqe->data.cq_err.cqn = cpu_to_be32(0xff000000 | NUMBER);
		break;
	case MLX5_EVENT_TYPE_DCT_DRAINED:
	case MLX5_EVENT_TYPE_DCT_KEY_VIOLATION:
		eqe->data.dct.dctn = cpu_to_be32(0xff000000 | NUMBER);
		break;
	case MLX5_EVENT_TYPE_XRQ_ERROR:
		eqe->data.xrq_err.type_xrqn = cpu_to_be32(0xff000000 | NUMBER);
		break;
	default:
		eqe->data.qp_srq.qp_srq_n = cpu_to_be32(0xff000000 | NUMBER);
		eqe->data.qp_srq.type = queue_type;
	}
}

/* Which kinds of objects can have an event about queues, and as what the device tells them. */
static const struct {
	u8 type;
	u16 create;
	u8 queue_type;
} whose[] = {
	{ MLX5_EVENT_TYPE_CQ_ERROR, MLX5_CMD_OP_CREATE_CQ, 0 },
	{ MLX5_EVENT_TYPE_WQ_CATAS_ERROR, MLX5_CMD_OP_CREATE_QP, MLX5_EVENT_QUEUE_TYPE_QP },
	{ MLX5_EVENT_TYPE_WQ_CATAS_ERROR, MLX5_CMD_OP_CREATE_RQ, MLX5_EVENT_QUEUE_TYPE_RQ },
	{ MLX5_EVENT_TYPE_WQ_CATAS_ERROR, MLX5_CMD_OP_CREATE_SQ, MLX5_EVENT_QUEUE_TYPE_SQ },
	{ MLX5_EVENT_TYPE_SRQ_LAST_WQE, MLX5_CMD_OP_CREATE_QP, MLX5_EVENT_QUEUE_TYPE_QP },
	{ MLX5_EVENT_TYPE_SRQ_RQ_LIMIT, MLX5_CMD_OP_CREATE_RMP, MLX5_EVENT_QUEUE_TYPE_RQ },
	{ MLX5_EVENT_TYPE_SRQ_RQ_LIMIT, MLX5_CMD_OP_CREATE_XRC_SRQ, 0 },
	{ MLX5_EVENT_TYPE_DCT_DRAINED, MLX5_CMD_OP_CREATE_DCT, 0 },
	{ MLX5_EVENT_TYPE_XRQ_ERROR, MLX5_CMD_OP_CREATE_XRQ, 0 },
};

static void of_queues(struct kunit *test)
{
	struct mlx5_eqe eqe;
	u64 key;

	for (size_t i = 0; i < ARRAY_SIZE(whose); i++) {
		tell(&eqe, whose[i].type, whose[i].queue_type);
		KUNIT_EXPECT_TRUE(test, key_of(whose[i].create, 0, whose[i].type, &key));
		KUNIT_EXPECT_EQ_MSG(test, mlx5_ib_devx_eqe_key(whose[i].type, &eqe), key, "%zu", i);
	}
}

/* Another's queue that has the same number tells nothing: such a subscription isn't taken. */
static void of_strangers(struct kunit *test)
{
	static const u16 others[] = {
		MLX5_CMD_OP_CREATE_TIR, MLX5_CMD_OP_CREATE_MKEY, MLX5_CMD_OP_ALLOC_PD,
		MLX5_CMD_OP_CREATE_GENERAL_OBJECT,
	};
	u64 key;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		for (u32 type = 0; type < MLX5_EVENT_TYPE_MAX; type++)
			if (mlx5_ib_devx_is_queue_event(type))
				KUNIT_EXPECT_FALSE(test, key_of(others[i], 5, type, &key));
	/* Completions are a CQ's alone. */
	KUNIT_EXPECT_FALSE(test, key_of(MLX5_CMD_OP_CREATE_QP, 0, MLX5_EVENT_TYPE_COMP, &key));
	KUNIT_EXPECT_TRUE(test, key_of(MLX5_CMD_OP_CREATE_CQ, 0, MLX5_EVENT_TYPE_COMP, &key));
	KUNIT_EXPECT_EQ(test, key, mlx5_ib_devx_completion_key(NUMBER));
}

static void of_typed_objects(struct kunit *test)
{
	const u8 change = MLX5_EVENT_TYPE_OBJECT_CHANGE;
	struct mlx5_eqe eqe = {};
	u64 key;

	MLX5_SET(affiliated_event_header, &eqe.data, obj_type, 0x40);
	MLX5_SET(affiliated_event_header, &eqe.data, obj_id, NUMBER);
	KUNIT_EXPECT_TRUE(test, key_of(MLX5_CMD_OP_CREATE_GENERAL_OBJECT, 0x40, change, &key));
	KUNIT_EXPECT_EQ(test, mlx5_ib_devx_eqe_key(change, &eqe), key);
	/* Kinds that have no type in events have no such events. */
	KUNIT_EXPECT_FALSE(test, key_of(MLX5_CMD_OP_ALLOC_PD, 0, change, &key));
}

/* What's the device's is no object's. */
static void of_the_device(struct kunit *test)
{
	const u16 create = MLX5_CMD_OP_CREATE_GENERAL_OBJECT;
	const u8 change = MLX5_EVENT_TYPE_OBJECT_CHANGE;
	const struct mlx5_ib_devx_kind *kind = kind_of(create);
	u64 key;

	for (u32 type = 0; type <= U16_MAX; type++)
		if (mlx5_ib_devx_object_key(kind, mlx5_ib_devx_id(create, type, 0), change, &key))
			KUNIT_EXPECT_NE(test, key, mlx5_ib_devx_device_key(change));
}

static struct kunit_case event_key_cases[] = {
	KUNIT_CASE(of_queues),
	KUNIT_CASE(of_strangers),
	KUNIT_CASE(of_typed_objects),
	KUNIT_CASE(of_the_device),
	{}
};

static struct kunit_suite event_key_suite = {
	.name = "mlx5-devx-event-key",
	.test_cases = event_key_cases,
};

kunit_test_suite(event_key_suite);
