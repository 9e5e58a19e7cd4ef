// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "ring_kunit.h"

#define QPN 0xabcdef
#define DMA_LKEY 0x5eed00
#define NO_FENCE 0x00
#define SMALL 0x20
#define FENCE 0x40
#define STRONG 0x60
#define SMALL_AND_FENCE 0x80
#define COMPLETE 0x08
#define SOLICITED 0x02

static const struct mlx5_ib_wr_caps able = {
	.umr_fence = STRONG,
	.masked_atomics = true,
	.umr_atomics = true,
};

/* Any request. What the requests of several kinds have in common is in the same place. */
union request {
	struct ib_send_wr wr;
	struct ib_rdma_wr rdma;
	struct ib_atomic_wr atomic;
	struct ib_ud_wr ud;
	struct ib_reg_wr reg;
};

/* What all cases need. */
struct bench {
	struct test_ring *ring;
	struct test_image image;
	struct mlx5_ib_qp qp;
	struct ib_pd pd;
	struct mlx5_ib_ah ah;
	struct mlx5_ib_mr mr;
	struct ib_sge list[2];
	union request request;
};

static struct bench *bench_new(struct kunit *test, enum ib_qp_type type)
{
	struct bench *bench = kunit_kzalloc(test, sizeof(*bench), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, bench);
	bench->ring = test_ring_new(test);
	bench->pd.local_dma_lkey = DMA_LKEY;
	bench->qp.ibqp.pd = &bench->pd;
	bench->qp.type = type;
	bench->qp.qpn = QPN;
	bench->qp.max_inline = 100;
	memset(&bench->ah.av, 0x3c, sizeof(bench->ah.av));
	bench->list[0] = (struct ib_sge) { .addr = 0x1020304050607080, .length = 8, .lkey = 0x99 };
	bench->list[1] = (struct ib_sge) { .addr = 0x8877665544332211, .length = 9, .lkey = 0x77 };
	return bench;
}

static void make_request(struct bench *bench, enum ib_wr_opcode opcode, u32 num_sge, int flags)
{
	union request *request = &bench->request;

	memset(request, 0, sizeof(*request));
	switch (opcode) {
	case IB_WR_ATOMIC_CMP_AND_SWP:
	case IB_WR_ATOMIC_FETCH_AND_ADD:
	case IB_WR_MASKED_ATOMIC_CMP_AND_SWP:
	case IB_WR_MASKED_ATOMIC_FETCH_AND_ADD:
		request->atomic.remote_addr = 0xa1a2a3a4a5a6a7a8;
		request->atomic.rkey = 0xb1b2b3b4;
		request->atomic.swap = 0xc1c2c3c4c5c6c7c8;
		request->atomic.compare_add = 0xd1d2d3d4d5d6d7d8;
		request->atomic.swap_mask = 0xe1e2e3e4e5e6e7e8;
		request->atomic.compare_add_mask = 0xf1f2f3f4f5f6f7f8;
		break;
	case IB_WR_SEND:
	case IB_WR_SEND_WITH_IMM:
		request->ud.ah = &bench->ah.ibah;
		request->ud.remote_qpn = 0x123456;
		request->ud.remote_qkey = 0x80010000;
		break;
	case IB_WR_REG_MR:
		request->reg.mr = &bench->mr.ibmr;
		request->reg.key = 0x4455;
		break;
	default:
		request->rdma.remote_addr = 0xa1a2a3a4a5a6a7a8;
		request->rdma.rkey = 0xb1b2b3b4;
		break;
	}
	request->wr.opcode = opcode;
	request->wr.send_flags = flags;
	request->wr.sg_list = bench->list;
	request->wr.num_sge = num_sge;
	request->wr.ex.invalidate_rkey = 0x01020304;
}

static int encode(struct bench *bench, const struct mlx5_ib_wr_caps *caps, u32 place, u32 *bytes)
{
	const struct ib_send_wr *wr = &bench->request.wr;
	const struct mlx5_ib_operation *operation;
	struct mlx5_ib_wqe wqe;
	int err;

	test_ring_poison(bench->ring);
	operation = mlx5_ib_operation_of(bench->qp.type, wr->opcode);
	if (IS_ERR(operation))
		return PTR_ERR(operation);
	bench->qp.sq.fbc = bench->ring->sq.fbc;
	bench->qp.sq.next = place;
	err = mlx5_ib_encode(&bench->qp, caps, wr, operation, &wqe);
	*bytes = wqe.bytes;
	return err;
}

/* The image begins with its control segment, whose count of segments comes at the end. */
static void expect_control(struct test_image *image, u32 place, u32 opmod_opcode, u8 flags,
			   u32 imm)
{
	memset(image->bytes, POISON, RING_BYTES);
	image->at = 0;
	image_put(image, opmod_opcode >> 8, 1);
	image_put(image, place, 2);
	image_put(image, opmod_opcode, 1);
	image_put(image, QPN, 3);
	image_put(image, 0, 4);
	image_put(image, flags, 1);
	image_put(image, imm, 4);
}

static void expect_address(struct test_image *image, enum ib_qp_type type)
{
	switch ((int)type) {
	case IB_QPT_XRC_INI:
		image_put(image, 0, 16);
		break;
	case IB_QPT_UD:
	case IB_QPT_SMI:
	case MLX5_IB_QPT_HW_GSI:
		image_put(image, 0x80010000, 4);
		image_put(image, 0x3c3c3c3c, 4);
		image_put(image, 0x80123456, 4);
		for (u32 i = 0; i < 36; i++)
			image_put(image, 0x3c, 1);
		break;
	default:
		break;
	}
}

static void expect_remote(struct test_image *image)
{
	image_put(image, 0xa1a2a3a4a5a6a7a8, 8);
	image_put(image, 0xb1b2b3b4, 4);
	image_put(image, 0, 4);
}

static void expect_list(struct test_image *image, const struct bench *bench, u32 count)
{
	for (u32 i = 0; i < count; i++) {
		image_put(image, bench->list[i].length, 4);
		image_put(image, bench->list[i].lkey, 4);
		image_put(image, bench->list[i].addr, 8);
	}
}

static void expect_end(struct test_image *image)
{
	image->bytes[7] = image->at / 16;
}

static const struct {
	enum ib_wr_opcode opcode;
	u32 opmod_opcode;
	u32 imm;
	char body; /* s: none, r: remote address, c, f, C, F: atomic, with masks */
	bool datagram;
	bool unreliable;
} sends[] = {
	{ IB_WR_SEND, 0x0a, 0, 's', true, true },
	{ IB_WR_SEND_WITH_IMM, 0x0b, 1, 's', true, true },
	{ IB_WR_SEND_WITH_INV, 0x01, 0x01020304, 's', false, false },
	{ IB_WR_RDMA_WRITE, 0x08, 0, 'r', false, true },
	{ IB_WR_RDMA_WRITE_WITH_IMM, 0x09, 1, 'r', false, true },
	{ IB_WR_RDMA_READ, 0x10, 0, 'r', false, false },
	{ IB_WR_ATOMIC_CMP_AND_SWP, 0x11, 0, 'c', false, false },
	{ IB_WR_ATOMIC_FETCH_AND_ADD, 0x12, 0, 'f', false, false },
	{ IB_WR_MASKED_ATOMIC_CMP_AND_SWP, 0x914, 0, 'C', false, false },
	{ IB_WR_MASKED_ATOMIC_FETCH_AND_ADD, 0x915, 0, 'F', false, false },
};

static void expect_body(struct test_image *image, char body)
{
	if (body == 's')
		return;
	expect_remote(image);
	if (body == 'r')
		return;
	if (strchr("fF", body)) {
		image_put(image, 0xd1d2d3d4d5d6d7d8, 8);
		image_put(image, body == 'F' ? 0xf1f2f3f4f5f6f7f8 : 0, 8);
		return;
	}
	image_put(image, 0xc1c2c3c4c5c6c7c8, 8);
	image_put(image, 0xd1d2d3d4d5d6d7d8, 8);
	if (body == 'C') {
		image_put(image, 0xe1e2e3e4e5e6e7e8, 8);
		image_put(image, 0xf1f2f3f4f5f6f7f8, 8);
	}
}

static bool does(enum ib_qp_type type, size_t i)
{
	switch ((int)type) {
	case IB_QPT_RC:
	case IB_QPT_XRC_INI:
		return true;
	case IB_QPT_UC:
		return sends[i].unreliable;
	default:
		return sends[i].datagram;
	}
}

static void check_send(struct kunit *test, struct bench *bench, size_t i, u32 place)
{
	bool atomic = !strchr("sr", sends[i].body);
	u32 imm = sends[i].imm, bytes;

	make_request(bench, sends[i].opcode, atomic ? 1 : 2, 0);
	/* Immediate data is big-endian already. */
	if (imm == 1) {
		bench->request.wr.ex.imm_data = cpu_to_be32(0x0a0b0c0d);
		imm = 0x0a0b0c0d;
	}
	expect_control(&bench->image, place, sends[i].opmod_opcode, 0, imm);
	expect_address(&bench->image, bench->qp.type);
	expect_body(&bench->image, sends[i].body);
	expect_list(&bench->image, bench, atomic ? 1 : 2);
	expect_end(&bench->image);
	KUNIT_ASSERT_EQ(test, encode(bench, &able, place, &bytes), 0);
	KUNIT_EXPECT_EQ(test, bytes, bench->image.at);
	KUNIT_ASSERT_TRUE_MSG(test, image_matches(&bench->image, bench->ring, place),
			      "opcode %#x, type %u, place %u", sends[i].opcode, bench->qp.type,
			      place);
}

static void all_sends_at_all_places(struct kunit *test)
{
	static const enum ib_qp_type types[] = {
		IB_QPT_RC, IB_QPT_XRC_INI, IB_QPT_UC, IB_QPT_UD, IB_QPT_SMI, MLX5_IB_QPT_HW_GSI,
	};
	u32 place;

	for (size_t t = 0; t < ARRAY_SIZE(types); t++) {
		struct bench *bench = bench_new(test, types[t]);

		for (size_t i = 0; i < ARRAY_SIZE(sends); i++)
			if (does(types[t], i))
				for_each_place(place)
					check_send(test, bench, i, place);
	}
}

static void inline_sends(struct kunit *test)
{
	static const u8 data[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17 };
	struct bench *bench = bench_new(test, IB_QPT_UD);
	u32 place, bytes;

	bench->list[0].addr = (uintptr_t)data;
	bench->list[1].addr = (uintptr_t)data + 8;
	for_each_place(place) {
		make_request(bench, IB_WR_SEND, 2, IB_SEND_INLINE | IB_SEND_SIGNALED);
		expect_control(&bench->image, place, 0x0a, COMPLETE, 0);
		expect_address(&bench->image, IB_QPT_UD);
		image_put(&bench->image, 0x80000011, 4);
		image_bytes(&bench->image, data, 17);
		bench->image.at = ALIGN(bench->image.at, 16);
		expect_end(&bench->image);
		KUNIT_ASSERT_EQ(test, encode(bench, &able, place, &bytes), 0);
		KUNIT_ASSERT_TRUE(test, image_matches(&bench->image, bench->ring, place));
	}
}

/* A list of translations in the first bytes of a page, with @entries of 8 or 16 bytes in use. */
static void make_region(struct bench *bench, u32 mode, u32 entries, u8 *list)
{
	bench->mr = (struct mlx5_ib_mr) {
		.ibmr.iova = 0x1111222233334444,
		.ibmr.length = 0x5555666677778888,
		.ibmr.page_size = 0x10000,
		.mkey.entries = entries,
		.access_mode = mode,
		.list_entry_size = mode == MLX5_MKC_ACCESS_MODE_MTT ? 8 : 16,
		.list = list,
		.list_dma = 0xdddd0000cccc0800,
	};
}

/* [IB access flags] the low bits of a key's flags */
static u8 rights(int access)
{
	static const struct { int ib; u8 bit; } map[] = {
		{ IB_ACCESS_LOCAL_WRITE, 0x08 }, { IB_ACCESS_REMOTE_READ, 0x10 },
		{ IB_ACCESS_REMOTE_WRITE, 0x20 }, { IB_ACCESS_REMOTE_ATOMIC, 0x40 },
	};
	u8 flags = 0x84;

	for (size_t i = 0; i < ARRAY_SIZE(map); i++)
		if (access & map[i].ib)
			flags |= map[i].bit;
	return flags;
}

static void expect_registration(struct bench *bench, u32 place, int access)
{
	struct mlx5_ib_mr *mr = &bench->mr;
	u32 bytes = roundup(mr->mkey.entries * mr->list_entry_size, 64);
	bool pages = mr->list_entry_size == 8, few = bytes <= 64;
	struct test_image *image = &bench->image;

	expect_control(image, place, 0x25, STRONG, 0x4455);
	expect_address(image, bench->qp.type);
	/* which fields change */
	image_put(image, few ? 0xa0 : 0x20, 1);
	image_put(image, 0, 3);
	image_put(image, bytes / 16, 2);
	image_put(image, 0, 2);
	image_put(image, access & IB_ACCESS_REMOTE_ATOMIC ? 0x20be2143 : 0x209e2143, 8);
	image_put(image, 0, 32);
	/* the key's context */
	image_put(image, 0, 2);
	image_put(image, rights(access) | (pages ? 1 : 2), 1);
	image_put(image, 0, 1);
	image_put(image, 0xffffff55, 4);
	image_put(image, 0, 4);
	image_put(image, 0x01000000, 4);
	image_put(image, mr->ibmr.iova, 8);
	image_put(image, mr->ibmr.length, 8);
	image_put(image, 0, 20);
	image_put(image, bytes / 16, 4);
	image_put(image, 0, 3);
	image_put(image, pages ? 16 : 0, 1);
	image_put(image, 0, 4);
	if (few) {
		image_bytes(image, mr->list, bytes);
	} else {
		image_put(image, bytes, 4);
		image_put(image, DMA_LKEY, 4);
		image_put(image, mr->list_dma, 8);
	}
	expect_end(image);
}

static void check_registration(struct kunit *test, struct bench *bench, u32 place, int access)
{
	u32 bytes;

	make_request(bench, IB_WR_REG_MR, 0, 0);
	bench->request.reg.access = access;
	expect_registration(bench, place, access);
	KUNIT_ASSERT_EQ(test, encode(bench, &able, place, &bytes), 0);
	KUNIT_EXPECT_EQ(test, bytes, bench->image.at);
	KUNIT_ASSERT_TRUE(test, image_matches(&bench->image, bench->ring, place));
	/* that much stands before a list's end in size.c */
	KUNIT_EXPECT_LE(test, bytes, bench->qp.type == IB_QPT_XRC_INI ? 208U : 192U);
}

static void registrations(struct kunit *test)
{
	static const enum ib_qp_type types[] = { IB_QPT_RC, IB_QPT_XRC_INI, IB_QPT_UC };
	static const u32 modes[] = { MLX5_MKC_ACCESS_MODE_MTT, MLX5_MKC_ACCESS_MODE_KLMS };
	u8 *list = kunit_kzalloc(test, 4096, GFP_KERNEL);
	u32 place;

	KUNIT_ASSERT_NOT_NULL(test, list);
	for (u32 i = 0; i < 4096; i++)
		list[i] = i * 5;
	for (size_t t = 0; t < ARRAY_SIZE(types); t++) {
		struct bench *bench = bench_new(test, types[t]);

		for (u32 entries = 0; entries <= 34; entries++) {
			make_region(bench, modes[entries % 2], entries / 2, list);
			for_each_place(place)
				check_registration(test, bench, place, IB_ACCESS_LOCAL_WRITE);
			for (int access = 0; access < 16; access++)
				check_registration(test, bench, 0, access);
		}
	}
}

static void invalidations(struct kunit *test)
{
	static const enum ib_qp_type types[] = { IB_QPT_RC, IB_QPT_XRC_INI, IB_QPT_UC };
	u32 place, bytes;

	for (size_t t = 0; t < ARRAY_SIZE(types); t++) {
		struct bench *bench = bench_new(test, types[t]);
		struct test_image *image = &bench->image;

		for_each_place(place) {
			make_request(bench, IB_WR_LOCAL_INV, 0, 0);
			expect_control(image, place, 0x25, 0, 0x01020304);
			expect_address(image, types[t]);
			image_put(image, 0x80, 1);
			image_put(image, 0, 7);
			image_put(image, 1 << 29, 8);
			image_put(image, 0, 32);
			image_put(image, 0x40, 1);
			image_put(image, 0, 63);
			expect_end(image);
			KUNIT_ASSERT_EQ(test, encode(bench, &able, place, &bytes), 0);
			KUNIT_ASSERT_TRUE(test, image_matches(image, bench->ring, place));
		}
	}
}

static u8 flags_written(struct kunit *test, struct bench *bench, enum ib_wr_opcode opcode,
			int flags)
{
	u8 *control = bench->ring->pages[0].buf + RING_SKIPPED * 64;
	u32 bytes;

	make_request(bench, opcode, 0, flags);
	KUNIT_ASSERT_EQ(test, encode(bench, &able, 0, &bytes), 0);
	return control[11];
}

static void fences(struct kunit *test)
{
	struct bench *bench = bench_new(test, IB_QPT_RC);
	static u8 list[64];

	make_region(bench, MLX5_MKC_ACCESS_MODE_MTT, 1, list);
	KUNIT_EXPECT_EQ(test, flags_written(test, bench, IB_WR_SEND, 0), NO_FENCE);
	KUNIT_EXPECT_EQ(test, flags_written(test, bench, IB_WR_SEND, IB_SEND_FENCE), FENCE);
	KUNIT_EXPECT_EQ(test, flags_written(test, bench, IB_WR_LOCAL_INV, IB_SEND_FENCE), FENCE);
	/* What follows a registration waits for it, and only that. */
	KUNIT_EXPECT_EQ(test, flags_written(test, bench, IB_WR_REG_MR, 0), STRONG);
	KUNIT_EXPECT_EQ(test, flags_written(test, bench, IB_WR_SEND, 0), SMALL);
	KUNIT_EXPECT_EQ(test, flags_written(test, bench, IB_WR_SEND, 0), NO_FENCE);
	KUNIT_EXPECT_EQ(test, flags_written(test, bench, IB_WR_REG_MR, IB_SEND_FENCE), STRONG);
	KUNIT_EXPECT_EQ(test, flags_written(test, bench, IB_WR_RDMA_WRITE, IB_SEND_FENCE),
			SMALL_AND_FENCE);
	KUNIT_EXPECT_EQ(test, flags_written(test, bench, IB_WR_RDMA_WRITE, IB_SEND_FENCE), FENCE);
	KUNIT_EXPECT_EQ(test, flags_written(test, bench, IB_WR_REG_MR, 0), STRONG);
	KUNIT_EXPECT_EQ(test, flags_written(test, bench, IB_WR_REG_MR, 0), STRONG);
	KUNIT_EXPECT_EQ(test, flags_written(test, bench, IB_WR_LOCAL_INV, 0), SMALL);
}

static void completions_and_events(struct kunit *test)
{
	struct bench *bench = bench_new(test, IB_QPT_RC);

	for (int all = 0; all < 2; all++) {
		bench->qp.signal_all = all;
		for (int flags = 0; flags < 8; flags++) {
			u8 expected = (all || flags & IB_SEND_SIGNALED ? COMPLETE : 0) |
				      (flags & IB_SEND_SOLICITED ? SOLICITED : 0) |
				      (flags & IB_SEND_FENCE ? FENCE : 0);

			KUNIT_EXPECT_EQ(test, flags_written(test, bench, IB_WR_SEND, flags),
					expected);
		}
	}
}

static void expect_refused(struct kunit *test, struct bench *bench,
			   const struct mlx5_ib_wr_caps *caps, int err)
{
	u32 bytes;

	bench->qp.next_fence = SMALL;
	KUNIT_EXPECT_EQ_MSG(test, encode(bench, caps, 7, &bytes), err, "opcode %#x",
			    bench->request.wr.opcode);
	KUNIT_EXPECT_EQ(test, bench->qp.next_fence, SMALL);
}

static void refused_atomics(struct kunit *test)
{
	static const struct mlx5_ib_wr_caps unable = {};
	struct bench *bench = bench_new(test, IB_QPT_RC);
	u32 bytes;

	for (enum ib_wr_opcode opcode = IB_WR_ATOMIC_CMP_AND_SWP;
	     opcode <= IB_WR_ATOMIC_FETCH_AND_ADD; opcode++) {
		make_request(bench, opcode, 0, 0);
		expect_refused(test, bench, &able, -EINVAL);
		make_request(bench, opcode, 2, 0);
		expect_refused(test, bench, &able, -EINVAL);
		make_request(bench, opcode, 1, IB_SEND_INLINE);
		expect_refused(test, bench, &able, -EINVAL);
		bench->list[0].length = 4;
		make_request(bench, opcode, 1, 0);
		expect_refused(test, bench, &able, -EINVAL);
		bench->list[0].length = 8;
		KUNIT_EXPECT_EQ(test, encode(bench, &unable, 7, &bytes), 0);
	}
	make_request(bench, IB_WR_MASKED_ATOMIC_CMP_AND_SWP, 1, 0);
	expect_refused(test, bench, &unable, -EOPNOTSUPP);
	make_request(bench, IB_WR_MASKED_ATOMIC_FETCH_AND_ADD, 1, 0);
	expect_refused(test, bench, &unable, -EOPNOTSUPP);
}

static void refused_registrations(struct kunit *test)
{
	static const struct mlx5_ib_wr_caps unable = {};
	struct bench *bench = bench_new(test, IB_QPT_RC);
	static u8 list[64];
	u32 bytes;

	make_region(bench, MLX5_MKC_ACCESS_MODE_MTT, 1, list);
	make_request(bench, IB_WR_REG_MR, 0, IB_SEND_INLINE);
	expect_refused(test, bench, &able, -EINVAL);
	make_request(bench, IB_WR_REG_MR, 0, 0);
	bench->request.reg.access = IB_ACCESS_REMOTE_ATOMIC;
	expect_refused(test, bench, &unable, -EINVAL);
	bench->request.reg.access = IB_ACCESS_REMOTE_WRITE | IB_ACCESS_LOCAL_WRITE;
	KUNIT_EXPECT_EQ(test, encode(bench, &unable, 7, &bytes), 0);
	make_request(bench, IB_WR_REG_MR_INTEGRITY, 0, 0);
	expect_refused(test, bench, &able, -EOPNOTSUPP);
}

static void refused_sends(struct kunit *test)
{
	struct bench *bench = bench_new(test, IB_QPT_UD);

	make_request(bench, IB_WR_SEND, 1, 0);
	bench->request.ud.ah = NULL;
	expect_refused(test, bench, &able, -EINVAL);
	bench->list[0].length = bench->qp.max_inline + 1;
	make_request(bench, IB_WR_SEND, 1, IB_SEND_INLINE);
	expect_refused(test, bench, &able, -ENOMEM);
	bench->list[0].length = 1U << 31;
	make_request(bench, IB_WR_SEND, 1, 0);
	expect_refused(test, bench, &able, -EINVAL);
	bench->qp.type = IB_QPT_RC;
	make_request(bench, IB_WR_RDMA_READ, 1, 0);
	expect_refused(test, bench, &able, -EINVAL);
	make_request(bench, IB_WR_RDMA_READ, 1, IB_SEND_INLINE);
	expect_refused(test, bench, &able, -EINVAL);
}

/* 63 segments are the most that a control segment can speak of. */
static void longest(struct kunit *test)
{
	struct bench *bench = bench_new(test, IB_QPT_RC);
	struct ib_sge *list = kunit_kcalloc(test, 63, sizeof(*list), GFP_KERNEL);
	u32 bytes;

	KUNIT_ASSERT_NOT_NULL(test, list);
	for (u32 i = 0; i < 63; i++)
		list[i].length = i + 1;
	make_request(bench, IB_WR_SEND, 62, 0);
	bench->request.wr.sg_list = list;
	KUNIT_EXPECT_EQ(test, encode(bench, &able, RING_WQEBBS - 8, &bytes), 0);
	KUNIT_EXPECT_EQ(test, bytes, 63U * 16);
	bench->request.wr.num_sge = 63;
	expect_refused(test, bench, &able, -EINVAL);
}

static struct kunit_case encode_cases[] = {
	KUNIT_CASE(all_sends_at_all_places),
	KUNIT_CASE(inline_sends),
	KUNIT_CASE(registrations),
	KUNIT_CASE(invalidations),
	KUNIT_CASE(fences),
	KUNIT_CASE(completions_and_events),
	KUNIT_CASE(refused_atomics),
	KUNIT_CASE(refused_registrations),
	KUNIT_CASE(refused_sends),
	KUNIT_CASE(longest),
	{}
};

static struct kunit_suite encode_suite = {
	.name = "mlx5-wr-encode",
	.test_cases = encode_cases,
};

kunit_test_suite(encode_suite);
