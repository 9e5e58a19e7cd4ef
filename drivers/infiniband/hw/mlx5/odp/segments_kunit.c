// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include <linux/prandom.h>
#include "odp.h"

#define TERMINATE 0x100
#define MAX_SEGMENTS 64

/* A list that's written and known. */
struct list {
	u8 wqe[MLX5_IB_SEND_WQE_MAX];
	size_t length;
	struct mlx5_ib_segment segments[MAX_SEGMENTS];
	u32 count;
};

static void put(struct list *list, u64 va, u32 key, u32 length)
{
	struct mlx5_wqe_data_seg *segment = (void *)list->wqe + list->length;

	segment->byte_count = cpu_to_be32(length);
	segment->lkey = cpu_to_be32(key);
	segment->addr = cpu_to_be64(va);
	list->length += sizeof(*segment);
	list->segments[list->count++] = (struct mlx5_ib_segment) {
		.key = key, .va = va, .length = length ?: BIT(31),
	};
}

static void put_inline(struct list *list, u32 length)
{
	struct mlx5_wqe_inline_seg *segment = (void *)list->wqe + list->length;

	segment->byte_count = cpu_to_be32(MLX5_INLINE_SEG | length);
	list->length += ALIGN(sizeof(*segment) + length, 16);
	list->segments[list->count++] = (struct mlx5_ib_segment) {
		.length = length, .is_inline = true,
	};
}

static void expect(struct kunit *test, const struct list *list, struct mlx5_ib_segments *walk)
{
	const struct mlx5_ib_segment *expected = list->segments;
	struct mlx5_ib_segment found;

	for (u32 i = 0; i < list->count; i++, expected++) {
		KUNIT_ASSERT_TRUE(test, mlx5_ib_next_segment(walk, &found));
		KUNIT_EXPECT_EQ(test, found.is_inline, expected->is_inline);
		KUNIT_EXPECT_EQ(test, found.length, expected->length);
		if (expected->is_inline)
			continue;
		KUNIT_EXPECT_EQ(test, found.key, expected->key);
		KUNIT_EXPECT_EQ(test, found.va, expected->va);
	}
	KUNIT_EXPECT_FALSE(test, mlx5_ib_next_segment(walk, &found));
}

static struct list *new_list(struct kunit *test, size_t skip)
{
	struct list *list = kunit_kzalloc(test, sizeof(*list), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, list);
	list->length = skip;
	return list;
}

/* Data segments and inline ones, in any order, to the last byte. */
static void any_list(struct kunit *test)
{
	struct rnd_state rnd;

	prandom_seed_state(&rnd, 1);
	for (int round = 0; round < 200; round++) {
		struct list *list = new_list(test, 0);
		struct mlx5_ib_segments walk;

		while (list->length + 128 < sizeof(list->wqe) && prandom_u32_state(&rnd) % 16) {
			if (prandom_u32_state(&rnd) % 4)
				put(list, prandom_u32_state(&rnd), prandom_u32_state(&rnd),
				    prandom_u32_state(&rnd) % 3 ? prandom_u32_state(&rnd) >> 1 : 0);
			else
				put_inline(list, prandom_u32_state(&rnd) % 120);
		}
		walk = (struct mlx5_ib_segments) {
			.at = list->wqe, .end = list->wqe + list->length,
		};
		expect(test, list, &walk);
	}
}

/* A receive's list ends at a certain segment; what a send has there is data. */
static void terminated(struct kunit *test)
{
	struct list *list = new_list(test, 0);
	struct mlx5_ib_segments walk = {
		.at = list->wqe, .end = list->wqe + 80, .terminate = cpu_to_be32(TERMINATE),
	};

	put(list, 0x1000, 5, 100);
	put(list, 0, TERMINATE, 200);
	put(list, 0x2000, TERMINATE, 0);
	put(list, 0, TERMINATE, 0);
	list->count = 3;
	expect(test, list, &walk);

	list->count = 4;
	walk = (struct mlx5_ib_segments) { .at = list->wqe, .end = list->wqe + list->length };
	expect(test, list, &walk);
}

struct header {
	enum ib_qp_type type;
	u8 opcode;
	bool extended;
	int size; /* before the list; 0: it has none */
};

static const struct header headers[] = {
	{ IB_QPT_RC, MLX5_OPCODE_SEND, false, 16 },
	{ IB_QPT_RC, MLX5_OPCODE_SEND_IMM, false, 16 },
	{ IB_QPT_RC, MLX5_OPCODE_SEND_INVAL, false, 16 },
	{ IB_QPT_RC, MLX5_OPCODE_RDMA_WRITE, false, 32 },
	{ IB_QPT_UC, MLX5_OPCODE_RDMA_WRITE_IMM, false, 32 },
	{ IB_QPT_RC, MLX5_OPCODE_RDMA_READ, false, 32 },
	{ IB_QPT_RC, MLX5_OPCODE_ATOMIC_CS, false, 48 },
	{ IB_QPT_RC, MLX5_OPCODE_ATOMIC_FA, false, 48 },
	{ IB_QPT_XRC_INI, MLX5_OPCODE_SEND, false, 32 },
	{ IB_QPT_XRC_INI, MLX5_OPCODE_RDMA_READ, false, 48 },
	{ IB_QPT_UD, MLX5_OPCODE_SEND, true, 64 },
	{ IB_QPT_UD, MLX5_OPCODE_SEND, false, 32 },
	{ MLX5_IB_QPT_DCI, MLX5_OPCODE_RDMA_WRITE, true, 80 },
	{ MLX5_IB_QPT_DCI, MLX5_OPCODE_ATOMIC_FA, true, 96 },
	{ IB_QPT_RC, MLX5_OPCODE_UMR, false, 0 },
	{ IB_QPT_RC, MLX5_OPCODE_NOP, false, 0 },
	{ IB_QPT_RC, 0xff, false, 0 },
};

static void put_header(struct list *list, const struct header *header)
{
	struct mlx5_wqe_ctrl_seg *ctrl = (void *)list->wqe;
	struct mlx5_base_av *av = (void *)(ctrl + 1);

	ctrl->opmod_idx_opcode = cpu_to_be32(0xabcdef00 | header->opcode);
	ctrl->qpn_ds = cpu_to_be32(0x12345600 | list->length / 16);
	if (header->extended)
		av->dqp_dct = cpu_to_be32(MLX5_EXTENDED_UD_AV);
}

static void sends(struct kunit *test)
{
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++) {
		const struct header *header = &headers[i];
		struct list *list = new_list(test, header->size ?: 16);
		struct mlx5_ib_segments walk;

		put(list, 0x123456789000, 0x11, 4096);
		put(list, 0x223456789000, 0x22, 1);
		put_header(list, header);
		KUNIT_EXPECT_EQ(test, mlx5_ib_send_wqe_length(list->wqe), list->length);
		if (!header->size) {
			KUNIT_EXPECT_LT(test, mlx5_ib_send_segments(header->type, list->wqe, &walk),
					0);
			continue;
		}
		KUNIT_ASSERT_EQ(test, mlx5_ib_send_segments(header->type, list->wqe, &walk), 0);
		expect(test, list, &walk);
	}
}

/* One that says it's shorter than what it has to have. */
static void sends_cut_short(struct kunit *test)
{
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++) {
		for (size_t length = 0; length < headers[i].size; length += 16) {
			struct list *list = new_list(test, length);
			struct mlx5_ib_segments walk;

			put_header(list, &headers[i]);
			KUNIT_EXPECT_LT(test, mlx5_ib_send_segments(headers[i].type, list->wqe,
								    &walk), 0);
		}
	}
}

/* The walk stays in the request, whatever that is. */
static void garbage(struct kunit *test)
{
	struct list *list = new_list(test, 0);
	struct rnd_state rnd;

	prandom_seed_state(&rnd, 2);
	for (int round = 0; round < 2000; round++) {
		size_t length = prandom_u32_state(&rnd) % sizeof(list->wqe);
		struct mlx5_ib_segments walk = { .at = list->wqe, .end = list->wqe + length };
		struct mlx5_ib_segment segment;
		const void *before = walk.at;

		prandom_bytes_state(&rnd, list->wqe, sizeof(list->wqe));
		while (mlx5_ib_next_segment(&walk, &segment)) {
			KUNIT_ASSERT_TRUE(test, walk.at > before && walk.at <= walk.end);
			before = walk.at;
		}
	}
}

static struct kunit_case segments_cases[] = {
	KUNIT_CASE(any_list),
	KUNIT_CASE(terminated),
	KUNIT_CASE(sends),
	KUNIT_CASE(sends_cut_short),
	KUNIT_CASE(garbage),
	{}
};

static struct kunit_suite segments_suite = {
	.name = "mlx5-odp-segments",
	.test_cases = segments_cases,
};

kunit_test_suite(segments_suite);
