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
	const struct mlx5_ib_devx_kind *kind;
	struct mlx5_eqe eqe;
	u64 key;

	for (size_t i = 0; i < ARRAY_SIZE(whose); i++) {
		kind = kind_of(whose[i].create);
		tell(&eqe, whose[i].type, whose[i].queue_type);
		KUNIT_ASSERT_NOT_NULL(test, kind);
		KUNIT_EXPECT_TRUE(test, mlx5_ib_devx_object_key(kind,
				mlx5_ib_devx_id(whose[i].create, 0, NUMBER), whose[i].type, &key));
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
	const struct mlx5_ib_devx_kind *kind;
	u64 key;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		kind = kind_of(others[i]);
		KUNIT_ASSERT_NOT_NULL(test, kind);
		for (u32 type = 0; type < MLX5_EVENT_TYPE_MAX; type++) {
			if (!mlx5_ib_devx_is_queue_event(type))
				continue;
			KUNIT_EXPECT_FALSE(test, mlx5_ib_devx_object_key(kind,
					mlx5_ib_devx_id(others[i], 5, NUMBER), type, &key));
		}
	}
	/* Completions are a CQ's alone. */
	kind = kind_of(MLX5_CMD_OP_CREATE_QP);
	KUNIT_EXPECT_FALSE(test, mlx5_ib_devx_object_key(kind,
			mlx5_ib_devx_id(MLX5_CMD_OP_CREATE_QP, 0, NUMBER), MLX5_EVENT_TYPE_COMP,
			&key));
}

static void of_typed_objects(struct kunit *test)
{
	const u64 id = mlx5_ib_devx_id(MLX5_CMD_OP_CREATE_GENERAL_OBJECT, 0x40, 0xfedcba98);
	const struct mlx5_ib_devx_kind *kind = kind_of(MLX5_CMD_OP_CREATE_GENERAL_OBJECT);
	struct mlx5_eqe eqe = {};
	u64 key;

	KUNIT_ASSERT_NOT_NULL(test, kind);
	MLX5_SET(affiliated_event_header, &eqe.data, obj_type, 0x40);
	MLX5_SET(affiliated_event_header, &eqe.data, obj_id, 0xfedcba98);
	KUNIT_EXPECT_TRUE(test, mlx5_ib_devx_object_key(kind, id, MLX5_EVENT_TYPE_OBJECT_CHANGE,
							&key));
	KUNIT_EXPECT_EQ(test, mlx5_ib_devx_eqe_key(MLX5_EVENT_TYPE_OBJECT_CHANGE, &eqe), key);
	/* Kinds that have no type in events have no such events. */
	KUNIT_EXPECT_FALSE(test, mlx5_ib_devx_object_key(kind_of(MLX5_CMD_OP_ALLOC_PD),
			mlx5_ib_devx_id(MLX5_CMD_OP_ALLOC_PD, 0, 1),
			MLX5_EVENT_TYPE_OBJECT_CHANGE, &key));
}

/* What's the device's is no object's. */
static void of_the_device(struct kunit *test)
{
	const struct mlx5_ib_devx_kind *kind = kind_of(MLX5_CMD_OP_CREATE_GENERAL_OBJECT);
	u64 key;

	KUNIT_ASSERT_NOT_NULL(test, kind);
	for (u32 type = 0; type <= U16_MAX; type++) {
		bool valid = mlx5_ib_devx_object_key(kind,
				mlx5_ib_devx_id(MLX5_CMD_OP_CREATE_GENERAL_OBJECT, type, 0),
				MLX5_EVENT_TYPE_OBJECT_CHANGE, &key);

		if (valid)
			KUNIT_EXPECT_NE(test, key,
					mlx5_ib_devx_device_key(MLX5_EVENT_TYPE_OBJECT_CHANGE));
	}
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
