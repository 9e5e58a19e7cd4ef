// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include "wr.h"

static const enum ib_qp_type types[] = {
	IB_QPT_RC, IB_QPT_XRC_INI, IB_QPT_UC, IB_QPT_UD, IB_QPT_SMI, MLX5_IB_QPT_HW_GSI,
	IB_QPT_GSI, IB_QPT_XRC_TGT, IB_QPT_DRIVER, MLX5_IB_QPT_UMR, MLX5_IB_QPT_DCI,
	MLX5_IB_QPT_DCT, IB_QPT_RAW_PACKET,
};

/* Which of @types do it, in their order: y or n; what the device and the completion call it. */
static const struct {
	enum ib_wr_opcode opcode;
	const char *who;
	u8 device;
	enum ib_wc_opcode completion;
} known[] = {
	{ IB_WR_SEND, "yyyyyynnnnnnn", 0x0a, IB_WC_SEND },
	{ IB_WR_SEND_WITH_IMM, "yyyyyynnnnnnn", 0x0b, IB_WC_SEND },
	{ IB_WR_SEND_WITH_INV, "yynnnnnnnnnnn", 0x01, IB_WC_SEND },
	{ IB_WR_RDMA_WRITE, "yyynnnnnnnnnn", 0x08, IB_WC_RDMA_WRITE },
	{ IB_WR_RDMA_WRITE_WITH_IMM, "yyynnnnnnnnnn", 0x09, IB_WC_RDMA_WRITE },
	{ IB_WR_RDMA_READ, "yynnnnnnnnnnn", 0x10, IB_WC_RDMA_READ },
	{ IB_WR_ATOMIC_CMP_AND_SWP, "yynnnnnnnnnnn", 0x11, IB_WC_COMP_SWAP },
	{ IB_WR_ATOMIC_FETCH_AND_ADD, "yynnnnnnnnnnn", 0x12, IB_WC_FETCH_ADD },
	{ IB_WR_MASKED_ATOMIC_CMP_AND_SWP, "yynnnnnnnnnnn", 0x14, IB_WC_MASKED_COMP_SWAP },
	{ IB_WR_MASKED_ATOMIC_FETCH_AND_ADD, "yynnnnnnnnnnn", 0x15, IB_WC_MASKED_FETCH_ADD },
	{ IB_WR_LOCAL_INV, "yyynnnnnnnnnn", 0x25, IB_WC_LOCAL_INV },
	{ IB_WR_REG_MR, "yyynnnnnnnnnn", 0x25, IB_WC_REG_MR },
};

static void known_operations(struct kunit *test)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		for (size_t t = 0; t < ARRAY_SIZE(types); t++) {
			const struct mlx5_ib_operation *operation =
				mlx5_ib_operation_of(types[t], known[i].opcode);
			int err = PTR_ERR_OR_ZERO(operation);

			KUNIT_ASSERT_EQ_MSG(test, err, known[i].who[t] == 'y' ? 0 : -EINVAL,
					    "opcode %#x, type %u", known[i].opcode, types[t]);
			if (err)
				continue;
			KUNIT_EXPECT_EQ(test, operation->opcode, known[i].device);
			KUNIT_EXPECT_EQ(test, operation->completion, known[i].completion);
		}
	}
}

static bool is_known(u32 opcode)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].opcode == opcode)
			return true;
	return false;
}

static void unknown_operations(struct kunit *test)
{
	static const u32 far[] = { IB_WR_RESERVED1, IB_WR_RESERVED10, 0x100, S32_MAX, U32_MAX };

	for (u32 opcode = 0; opcode <= IB_WR_REG_MR_INTEGRITY; opcode++)
		if (!is_known(opcode))
			KUNIT_EXPECT_EQ(test, PTR_ERR(mlx5_ib_operation_of(IB_QPT_RC, opcode)),
					-EOPNOTSUPP);
	for (size_t i = 0; i < ARRAY_SIZE(far); i++)
		KUNIT_EXPECT_EQ(test, PTR_ERR(mlx5_ib_operation_of(IB_QPT_RC, far[i])), -EINVAL);
}

static struct kunit_case operation_cases[] = {
	KUNIT_CASE(known_operations),
	KUNIT_CASE(unknown_operations),
	{}
};

static struct kunit_suite operation_suite = {
	.name = "mlx5-wr-operation",
	.test_cases = operation_cases,
};

kunit_test_suite(operation_suite);
