// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include <linux/log2.h>
#include "qp.h"

static const struct mlx5_ib_qp_limits limits = {
	.max_wr = 4096,
	.max_send_wqe = 512,
	.max_recv_wqe = 512,
};

static void receive_queue(struct kunit *test)
{
	struct mlx5_ib_queue_size rq;
	struct ib_qp_cap cap = {};

	for (u32 wr = 1; wr <= 4096; wr = wr * 3 / 2 + 1) {
		for (u32 sge = 0; sge <= 32; sge++) {
			cap.max_recv_wr = wr;
			cap.max_recv_sge = sge;
			KUNIT_ASSERT_EQ(test, mlx5_ib_kernel_rq_size(&limits, &cap, &rq), 0);
			KUNIT_EXPECT_TRUE(test, is_power_of_2(rq.count));
			KUNIT_EXPECT_GE(test, rq.count, wr);
			KUNIT_EXPECT_GE(test, rq.max_sge, sge);
			KUNIT_EXPECT_EQ(test, rq.max_sge * 16, 1U << rq.shift);
			KUNIT_EXPECT_GE(test, rq.count << rq.shift, 64U);
			/* No more than it takes, but for the smallest ring that there can be. */
			if (rq.count << rq.shift > 64)
				KUNIT_EXPECT_LT(test, rq.count / 2, wr);
		}
	}
}

static void receive_queue_refused(struct kunit *test)
{
	static const struct ib_qp_cap refused[] = {
		{ .max_recv_wr = 4097, .max_recv_sge = 1 },
		{ .max_recv_wr = U32_MAX, .max_recv_sge = 1 },
		{ .max_recv_wr = 1, .max_recv_sge = 33 },
		{ .max_recv_wr = 1, .max_recv_sge = U32_MAX },
		{ .max_recv_wr = 1, .max_recv_sge = 1U << 28 },
	};
	struct mlx5_ib_queue_size rq;

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		KUNIT_EXPECT_EQ(test, mlx5_ib_kernel_rq_size(&limits, &refused[i], &rq), -EINVAL);
}

/* Bytes that a send takes: what stands before its list, and the list or its inline data. */
static u32 bytes_of(enum ib_qp_type type, u32 sge, u32 inline_data)
{
	u32 before = type == IB_QPT_UD ? 16 + 48 : 16 + 16 + (type == IB_QPT_XRC_INI ? 16 : 0);
	u32 list = before + sge * 16, data = before + (inline_data ? 4 + inline_data : 0);

	return ALIGN(max(list, data), 64);
}

static void send_queue(struct kunit *test)
{
	static const enum ib_qp_type types[] = { IB_QPT_RC, IB_QPT_UC, IB_QPT_UD, IB_QPT_XRC_INI };
	struct mlx5_ib_queue_size sq;
	u32 max_inline;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		for (u32 wr = 1; wr < 400; wr = wr * 2 + 3) {
			for (u32 sge = 0; sge < 16; sge++) {
				struct ib_qp_cap cap = {
					.max_send_wr = wr,
					.max_send_sge = sge,
					.max_inline_data = sge * 7,
				};
				int err = mlx5_ib_kernel_sq_size(&limits, types[i], &cap, &sq,
								 &max_inline);

				KUNIT_ASSERT_EQ(test, err, 0);
				KUNIT_EXPECT_TRUE(test, is_power_of_2(sq.count));
				KUNIT_EXPECT_GE(test, sq.max_wr, wr);
				KUNIT_EXPECT_GE(test, sq.max_sge, sge);
				KUNIT_EXPECT_GE(test, max_inline, sge * 7);
				/* As many as it may have of the longest find their place. */
				KUNIT_EXPECT_LE(test, sq.max_wr * bytes_of(types[i], sq.max_sge,
									   max_inline),
						sq.count * 64);
				KUNIT_EXPECT_LE(test, bytes_of(types[i], sq.max_sge, max_inline),
						512U);
			}
		}
	}
}

static void send_queue_refused(struct kunit *test)
{
	static const struct {
		struct ib_qp_cap cap;
		int err;
	} refused[] = {
		{ { .max_send_wr = 1, .max_send_sge = 40 }, -EINVAL },
		{ { .max_send_wr = 1, .max_send_sge = U32_MAX }, -EINVAL },
		{ { .max_send_wr = 1, .max_inline_data = 512 }, -EINVAL },
		{ { .max_send_wr = 1, .max_inline_data = U32_MAX }, -EINVAL },
		{ { .max_send_wr = 5000, .max_send_sge = 1 }, -ENOMEM },
		{ { .max_send_wr = U32_MAX, .max_send_sge = 1 }, -ENOMEM },
	};
	struct ib_qp_cap none = {};
	struct mlx5_ib_queue_size sq;
	u32 max_inline;

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		KUNIT_EXPECT_EQ(test, mlx5_ib_kernel_sq_size(&limits, IB_QPT_RC, &refused[i].cap,
							     &sq, &max_inline), refused[i].err);
	KUNIT_EXPECT_EQ(test, mlx5_ib_kernel_sq_size(&limits, IB_QPT_RC, &none, &sq, &max_inline),
			0);
	KUNIT_EXPECT_EQ(test, sq.count, 0U);
	none.max_send_wr = 1;
	KUNIT_EXPECT_EQ(test, mlx5_ib_kernel_sq_size(&limits, IB_QPT_XRC_TGT, &none, &sq,
						     &max_inline), -EINVAL);
}

/* A process may write any shift and any count. */
static void user_queues(struct kunit *test)
{
	static const struct ib_qp_cap cap = { .max_recv_wr = 16, .max_recv_sge = 1 };
	struct mlx5_ib_queue_size rq, sq;
	size_t size;

	for (u32 shift = 0; shift < 256; shift++) {
		bool good = shift >= 4 && shift <= 9;

		KUNIT_EXPECT_EQ_MSG(test,
				    mlx5_ib_user_rq_size(&limits, &cap, 16, shift, false, &rq),
				    good ? 0 : -EINVAL, "shift %u", shift);
		KUNIT_EXPECT_EQ(test, mlx5_ib_user_rq_size(&limits, &cap, 16, shift, true, &rq),
				good && shift > 4 ? 0 : -EINVAL);
	}
	KUNIT_EXPECT_EQ(test, mlx5_ib_user_rq_size(&limits, &cap, 16, U32_MAX, false, &rq),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_user_rq_size(&limits, &cap, 0, 4, false, &rq), -EINVAL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_user_rq_size(&limits, &cap, 3, 4, false, &rq), -EINVAL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_user_rq_size(&limits, &cap, 8192, 4, false, &rq), -EINVAL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_user_rq_size(&limits, &cap, 1U << 31, 9, false, &rq),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_user_sq_size(&limits, 3, &sq), -EINVAL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_user_sq_size(&limits, 1U << 31, &sq), -EINVAL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_user_sq_size(&limits, 0, &sq), 0);

	KUNIT_ASSERT_EQ(test, mlx5_ib_user_rq_size(&limits, &cap, 16, 5, true, &rq), 0);
	KUNIT_EXPECT_EQ(test, rq.max_sge, 1U);
	KUNIT_ASSERT_EQ(test, mlx5_ib_user_sq_size(&limits, 64, &sq), 0);
	KUNIT_ASSERT_EQ(test, mlx5_ib_qp_buf_size(&rq, &sq, &size), 0);
	KUNIT_EXPECT_EQ(test, size, (size_t)16 * 32 + 64 * 64);
}

static void who_receives(struct kunit *test)
{
	static const struct ib_qp_cap some = { .max_recv_wr = 1 }, none = {};

	KUNIT_EXPECT_TRUE(test, mlx5_ib_qp_has_rq(IB_QPT_RC, false, &some));
	KUNIT_EXPECT_FALSE(test, mlx5_ib_qp_has_rq(IB_QPT_RC, true, &some));
	KUNIT_EXPECT_FALSE(test, mlx5_ib_qp_has_rq(IB_QPT_RC, false, &none));
	KUNIT_EXPECT_FALSE(test, mlx5_ib_qp_has_rq(IB_QPT_XRC_INI, false, &some));
	KUNIT_EXPECT_FALSE(test, mlx5_ib_qp_has_rq(IB_QPT_XRC_TGT, false, &some));
	KUNIT_EXPECT_FALSE(test, mlx5_ib_qp_has_rq(MLX5_IB_QPT_DCI, false, &some));
	KUNIT_EXPECT_TRUE(test, mlx5_ib_qp_has_rq(IB_QPT_SMI, false, &some));
}

static struct kunit_case size_cases[] = {
	KUNIT_CASE(receive_queue),
	KUNIT_CASE(receive_queue_refused),
	KUNIT_CASE(send_queue),
	KUNIT_CASE(send_queue_refused),
	KUNIT_CASE(user_queues),
	KUNIT_CASE(who_receives),
	{}
};

static struct kunit_suite size_suite = {
	.name = "mlx5-qp-size",
	.test_cases = size_cases,
};

kunit_test_suite(size_suite);
