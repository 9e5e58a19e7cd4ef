/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * User memory, and what stands on it: queues and their records at some place in it, keys that cover
 * a part of it. It isn't another context's, and doesn't go while something stands on it.
 */
#include "connectx5/tests/connect.h"

#define EVERYBODY 0xffff
#define BAD_OP 0x2
#define BAD_PARAM 0x3
#define BAD_RES 0x5
#define LIMIT 0x8
#define BAD_RES_STATE 0x9
#define BAD_INPUT_LEN 0x50

enum { CREATE_UCTX = 0xa04, DESTROY_UCTX = 0xa06, CREATE_UMEM = 0xa08, DESTROY_UMEM = 0xa0a };

#define READABLE 1
#define WRITABLE 3

/* What the tests' user memory consists of: 0x2f00 bytes, in pages that don't follow one another. */
#define FIRST_BYTE 0x100
#define UMEM_LEN 0x2f00u
static const uint32_t umem_pages[] = { QP_AT + 0x20000, QP_AT + 0x26000, QP_AT + 0x23000 };

static struct bench *bench;
static struct guest *guest;
static uint16_t uid, other;
static uint32_t uar, pd, xrcd, eqn, cqn; /* the context's */

static uint16_t create_uctx(void)
{
	assert_int_equal(execute(guest, CREATE_UCTX, 0, 64), 0);
	return get_be16(guest->out + 10);
}

static uint8_t as(uint16_t context, uint16_t opcode, uint16_t op_mod, uint32_t in_len)
{
	put_be16(guest->in + 2, context);
	return execute(guest, opcode, op_mod, in_len);
}

static uint8_t on_as(uint16_t context, uint16_t opcode, uint32_t num)
{
	put_be32(guest->in + 8, num);
	return as(context, opcode, 0, 16);
}

static uint32_t alloc_as(uint16_t opcode)
{
	assert_int_equal(as(uid, opcode, 0, 16), 0);
	return get_be24(guest->out + 9);
}

static uint8_t *umem_at(uint32_t offset)
{
	offset += FIRST_BYTE;
	return guest->ram + umem_pages[offset / PAGE] + offset % PAGE;
}

static uint8_t try_create_umem(uint16_t context, unsigned int flags)
{
	put_be32(guest->in + 16 + 20, FIRST_BYTE);
	put_be64(guest->in + 16 + 24, 3);
	for (unsigned int i = 0; i < 3; i++)
		put_be64(guest->in + 48 + 8 * i, bus(umem_pages[i]) | flags);
	return as(context, CREATE_UMEM, 0, 48 + 3 * 8);
}

static uint32_t create_umem(uint16_t context, unsigned int flags)
{
	assert_int_equal(try_create_umem(context, flags), 0);
	return get_be24(guest->out + 9);
}

static void destroy_umem(uint32_t umem)
{
	assert_int_equal(on_as(uid, DESTROY_UMEM, umem), 0);
}

/* Where an object is to stand. */
struct place {
	uint32_t buffer, record; /* user memory */
	uint64_t buffer_at, record_at;
};

static uint8_t create_cq_on(const struct place *place)
{
	uint8_t *cqc = guest->in + 16;

	cqc[0] = 0x02;
	put_be32(cqc + 4, place->record);
	put_be32(cqc + 12, 6u << 24 | uar);
	put_be32(cqc + 20, eqn);
	put_be64(cqc + 56, place->record_at);
	put_be64(guest->in + 80, place->buffer_at);
	put_be32(guest->in + 88, place->buffer);
	guest->in[92] = 0x80;
	return as(uid, CREATE_CQ, 0, 272);
}

/* 16 receives of 64 bytes, 16 blocks for sends. */
static uint8_t create_qp_on(const struct place *place)
{
	uint8_t *qpc = guest->in + 24;

	qpc[1] = ST_UD;
	put_be32(qpc + 4, pd);
	qpc[9] = 4 << 3 | 2;
	qpc[10] = 4 << 3;
	put_be32(qpc + 12, uar);
	put_be32(qpc + 124, cqn);
	put_be32(qpc + 156, cqn);
	put_be64(qpc + 160, place->record_at);
	qpc[208] = 0x10;
	put_be32(qpc + 228, place->record);
	put_be64(guest->in + 256, place->buffer_at);
	put_be32(guest->in + 264, place->buffer);
	guest->in[268] = 0x80;
	return as(uid, CREATE_QP, 0, 272);
}

/* 32 receives of 64 bytes. */
static uint8_t create_rmp_on(const struct place *place)
{
	uint8_t *wq = guest->in + 80;

	put_be24(wq + 9, pd);
	put_be64(wq + 16, place->record_at);
	wq[33] = 6;
	wq[35] = 5;
	wq[36] = 0xc0;
	put_be32(wq + 40, place->record);
	put_be32(wq + 44, place->buffer);
	put_be64(wq + 48, place->buffer_at);
	return as(uid, CREATE_RMP, 0, 272);
}

static uint8_t create_xrc_srq_on(const struct place *place)
{
	uint8_t *srqc = guest->in + 16;

	srqc[0] = 5;
	srqc[4] = 2;
	put_be24(srqc + 5, xrcd);
	srqc[8] = 0x01;
	put_be24(srqc + 9, cqn);
	put_be32(srqc + 12, place->record);
	put_be24(srqc + 25, pd);
	put_be64(srqc + 40, place->record_at);
	put_be64(guest->in + 80, place->buffer_at);
	put_be32(guest->in + 88, place->buffer);
	guest->in[92] = 0x80;
	return as(uid, CREATE_XRC_SRQ, 0, 272);
}

#define MKEY_START (0x7000000ull + FIRST_BYTE)
#define MKEY_LEN 2048u

/* For local access; it has no record. */
static uint8_t create_mkey_on(const struct place *place)
{
	guest->in[12] = 0x40;
	guest->in[16 + 2] = 3 << 2 | 1;
	put_be32(guest->in + 16 + 4, 0xffffff77u);
	put_be32(guest->in + 16 + 12, pd);
	put_be64(guest->in + 16 + 16, MKEY_START + place->buffer_at);
	put_be64(guest->in + 16 + 24, MKEY_LEN);
	put_be32(guest->in + 96, 1);
	put_be32(guest->in + 100, place->buffer);
	put_be64(guest->in + 104, place->buffer_at);
	return as(uid, CREATE_MKEY, 0, 272);
}

static const struct kind {
	uint8_t (*create)(const struct place *place);
	uint16_t destroy;
	uint32_t len;
	bool has_record;
} kinds[] = {
	{ create_cq_on, DESTROY_CQ, 4096, true },
	{ create_qp_on, DESTROY_QP, 2048, true },
	{ create_rmp_on, DESTROY_RMP, 2048, true },
	{ create_xrc_srq_on, DESTROY_XRC_SRQ, 2048, true },
	{ create_mkey_on, DESTROY_MKEY, MKEY_LEN, false },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static int set_up(void **state)
{
	(void)state;
	bench = bench_create_verbs();
	guest = &bench->guest[0];
	uid = create_uctx();
	other = create_uctx();
	put_be16(guest->in + 2, EVERYBODY);
	eqn = create_eq(guest, 1, 4, 0);
	uar = alloc_as(ALLOC_UAR);
	pd = alloc_as(ALLOC_PD);
	xrcd = alloc_as(ALLOC_XRCD);
	put_be32(guest->in + 16 + 12, 6u << 24 | uar);
	put_be32(guest->in + 16 + 20, eqn);
	put_be64(guest->in + 16 + 56, bus(RECORDS_AT + 50 * 64));
	put_pages(guest, 272, CQ_AT + 8 * PAGE, 1);
	assert_int_equal(as(uid, CREATE_CQ, 0, 280), 0);
	cqn = get_be24(guest->out + 9);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	bench_destroy(bench);
	return 0;
}

static void umems_have_numbers(void **state)
{
	uint32_t a = create_umem(uid, WRITABLE), b = create_umem(uid, READABLE);

	(void)state;
	assert_int_not_equal(a, b);
	destroy_umem(a);
	assert_int_equal(on_as(uid, DESTROY_UMEM, a), BAD_RES);
	assert_int_equal(on_as(uid, DESTROY_UMEM, 0), BAD_RES);
	assert_int_equal(on_as(uid, DESTROY_UMEM, 0xffffff), BAD_RES);
	destroy_umem(b);
	assert_int_not_equal(create_umem(uid, WRITABLE), 0);
}

/* One page, with one thing wrong. */
static uint8_t create_wrong(unsigned int which)
{
	uint8_t *umem = guest->in + 16;

	put_be64(umem + 24, 1);
	put_be64(guest->in + 48, bus(QP_AT));
	switch (which) {
	case 0: /* address translation services */
		umem[16] = 0x80;
		break;
	case 1: /* pages of 2^43 bytes */
		umem[19] = 31;
		break;
	case 2: /* an offset beyond the first page */
		put_be32(umem + 20, PAGE);
		break;
	case 3:
		put_be64(umem + 24, 0);
		break;
	case 4: /* more pages than there are in the command */
		put_be64(umem + 24, 2);
		break;
	case 5:
		put_be64(umem + 24, UINT64_MAX);
		break;
	}
	return as(uid, CREATE_UMEM, 0, 56);
}

static void wrong_umems(void **state)
{
	(void)state;
	for (unsigned int which = 0; which < 6; which++)
		assert_int_equal(create_wrong(which), BAD_PARAM);
	assert_int_equal(create_wrong(6), 0);
	assert_int_equal(as(uid, CREATE_UMEM, 0, 47), BAD_INPUT_LEN);
	assert_int_equal(as(0x333, CREATE_UMEM, 0, 56), BAD_RES);
}

/* All user memory together is limited, so that no guest takes all of the host's memory. */
static void pages_are_limited(void **state)
{
	uint32_t count = 1u << 20, len = 48 + count * 8, umem = 0;
	struct cx5_command cmd = { .in_len = len, .out_len = 16 };
	uint8_t *in = calloc(1, len);

	(void)state;
	put_be16(in, CREATE_UMEM);
	put_be64(in + 16 + 24, count);
	cmd.in = in;
	for (unsigned int i = 0; i < 5; i++) {
		assert_int_equal(cx5_execute(&guest->dev, &cmd), i < 4 ? 0 : LIMIT);
		if (i < 4)
			umem = get_be24(cmd.out + 9);
		free(cmd.out);
	}
	assert_int_equal(try_create_umem(uid, WRITABLE), LIMIT);
	assert_int_equal(on(guest, DESTROY_UMEM, umem), 0);
	assert_int_equal(try_create_umem(uid, WRITABLE), 0);
	free(in);
}

static void objects_stand_on_it(void **state)
{
	uint32_t buffer = create_umem(uid, WRITABLE), record = create_umem(uid, WRITABLE);

	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		struct place place = { buffer, record, UMEM_LEN - kinds[i].len, UMEM_LEN - 8 };
		uint32_t num;

		assert_int_equal(kinds[i].create(&place), 0);
		num = get_be24(guest->out + 9);
		assert_int_equal(on_as(uid, DESTROY_UMEM, buffer), BAD_RES_STATE);
		assert_int_equal(on_as(uid, DESTROY_UMEM, record),
				 kinds[i].has_record ? BAD_RES_STATE : 0);
		if (!kinds[i].has_record)
			record = create_umem(uid, WRITABLE);
		assert_int_equal(on_as(uid, kinds[i].destroy, num), 0);
		destroy_umem(buffer);
		destroy_umem(record);
		buffer = create_umem(uid, WRITABLE);
		record = create_umem(uid, WRITABLE);
	}
	/* all of them but the key are queues */
	assert_int_equal(guest->dev.counters.user_buffers, KINDS - 1);
}

/* What is refused has left nothing behind that user memory would have to stay for. */
static void wrong_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		uint32_t mine = create_umem(uid, WRITABLE), theirs = create_umem(other, WRITABLE);
		const struct {
			struct place place;
			uint8_t status;
		} wrong[] = {
			{ { 0x4711, mine, 0, 0 }, BAD_RES },
			{ { 0x1000000 | mine, mine, 0, 0 }, BAD_RES },
			{ { theirs, mine, 0, 0 }, BAD_RES },
			{ { mine, mine, UMEM_LEN - kinds[i].len + 64, 0 }, BAD_PARAM },
			{ { mine, mine, UMEM_LEN, 0 }, BAD_PARAM },
			{ { mine, mine, UINT64_MAX - 63, 0 }, BAD_PARAM },
			{ { mine, 0x4711, 0, 0 }, BAD_RES },
			{ { mine, theirs, 0, 0 }, BAD_RES },
			{ { mine, mine, 0, UMEM_LEN }, BAD_PARAM },
			{ { mine, mine, 0, UMEM_LEN - 4 }, BAD_PARAM },
			{ { mine, mine, 0, UINT64_MAX - 3 }, BAD_PARAM },
			{ { mine, mine, 0, PAGE - FIRST_BYTE - 4 }, BAD_PARAM }, /* on two pages */
		};

		for (size_t n = 0; n < (kinds[i].has_record ? 12 : 6); n++)
			assert_int_equal(kinds[i].create(&wrong[n].place), wrong[n].status);
		destroy_umem(mine);
		assert_int_equal(on_as(other, DESTROY_UMEM, theirs), 0);
	}
}

/* The device itself writes completions: not where the process may but read. */
static void completions_need_writable_memory(void **state)
{
	uint32_t umem = create_umem(uid, READABLE);
	struct place place = { umem, umem, 0, UMEM_LEN - 8 };

	(void)state;
	assert_int_equal(create_cq_on(&place), BAD_PARAM);
	assert_int_equal(create_qp_on(&place), 0);
	assert_int_equal(on_as(uid, DESTROY_QP, get_be24(guest->out + 9)), 0);
	destroy_umem(umem);
}

static uint8_t resize_cq(uint32_t num, uint32_t umem, uint64_t at)
{
	put_be32(guest->in + 8, num);
	put_be32(guest->in + 16 + 12, 5u << 24);
	put_be64(guest->in + 80, at);
	put_be32(guest->in + 88, umem);
	guest->in[92] = 0x80;
	return as(uid, MODIFY_CQ, 1, 272);
}

static void resizing_moves_it(void **state)
{
	uint32_t umem = create_umem(uid, WRITABLE), next = create_umem(uid, WRITABLE), num;
	uint32_t records = create_umem(uid, WRITABLE);
	struct place place = { umem, records, 0, UMEM_LEN - 8 };

	(void)state;
	assert_int_equal(create_cq_on(&place), 0);
	num = get_be24(guest->out + 9);
	assert_int_equal(resize_cq(num, 0x4711, 0), BAD_RES);
	assert_int_equal(resize_cq(num, next, UMEM_LEN), BAD_PARAM);
	destroy_umem(next);
	next = create_umem(uid, WRITABLE);
	assert_int_equal(resize_cq(num, next, 64), 0);
	destroy_umem(umem);
	assert_int_equal(on_as(uid, DESTROY_UMEM, next), BAD_RES_STATE);
	assert_int_equal(on_as(uid, DESTROY_CQ, num), 0);
	destroy_umem(next);
	destroy_umem(records);
}

/* A queue pair of the context, in all ways like those of the bench but for where it stands. */
static uint32_t start_qp(const struct place *place, uint32_t *qpn)
{
	static const uint16_t steps[] = { RST2INIT_QP, INIT2RTR_QP, RTR2RTS_QP };

	assert_int_equal(create_qp_on(place), 0);
	*qpn = get_be24(guest->out + 9);
	for (unsigned int i = 0; i < 3; i++) {
		put_be32(guest->in + 8, *qpn);
		put_be32(guest->in + 24 + 168, i ? 0 : QKEY);
		assert_int_equal(as(uid, steps[i], 0, 272), 0);
	}
	return *qpn;
}

static void ring_as(uint32_t qpn, uint64_t record_at, uint16_t sent)
{
	uint8_t doorbell[8] = { 0 };

	put_be32(umem_at((uint32_t)record_at + 4), sent);
	put_be32(doorbell + 4, qpn << 8);
	cx5_bar_write(&guest->dev, (uint64_t)uar * PAGE + UAR_SEND, doorbell, 8);
	sched_run(bench->sched);
}

/*
 * A datagram, with everything of its sender's in user memory: the work request lies on two of its
 * pages, the completion in a third, the data behind a key of it.
 */
static void datagrams_from_it(void **state)
{
	static struct queue_pair peer;
	uint32_t umem = create_umem(uid, WRITABLE), qpn, key;
	struct place cq = { umem, umem, 0x1000, 0x10 };
	struct place qp = { umem, umem, PAGE - FIRST_BYTE - 1024 - 64, 0x20 };
	struct place data_at = { umem, 0, 0x2100, 0 };
	uint8_t *wqe, *second;

	(void)state;
	peer = create_qp(&bench->guest[1], ST_UD, 0, QKEY);
	post_receive(&peer, 0, 1000);
	assert_int_equal(create_mkey_on(&data_at), 0);
	key = get_be24(guest->out + 9) << 8 | 0x77;
	assert_int_equal(create_cq_on(&cq), 0);
	cqn = get_be24(guest->out + 9);
	start_qp(&qp, &qpn);

	memcpy(umem_at(0x2180), "from user memory", 16);
	wqe = umem_at((uint32_t)qp.buffer_at + 1024);
	second = umem_at((uint32_t)qp.buffer_at + 1024 + 64);
	assert_ptr_not_equal(wqe + 64, second);
	put_be32(wqe, 0x0a);
	put_be32(wqe + 4, qpn << 8 | 5);
	wqe[11] = 0x08;
	put_av(wqe + 16, 2, peer.qpn, QKEY);
	put_data_segment(second, 16, key, MKEY_START + data_at.buffer_at + 0x80);
	ring_as(qpn, qp.record_at, 2);

	assert_int_equal(umem_at(0x1000)[63], 0);
	assert_int_equal(get_be24(umem_at(0x1000) + 57), qpn);
	expect(&bench->guest[1], 0, CQE_RECEIVED, 0);
	assert_memory_equal(data(&bench->guest[1], 40), "from user memory", 16);
}

/* A key of user memory for reading alone doesn't let anything be written, whatever it says. */
static void keys_keep_pages_read_only(void **state)
{
	struct place place = { create_umem(uid, READABLE), 0, 0, 0 };
	struct hca_mkey *mkey;
	uint64_t addr;
	size_t len = 1;

	(void)state;
	assert_int_equal(create_mkey_on(&place), 0);
	mkey = hca_mkey_find(&guest->dev.hca, get_be24(guest->out + 9));
	assert_int_equal(hca_mkey_resolve(&guest->dev.hca, mkey, MKEY_START, &len, DMA_READ, &addr),
			 0);
	assert_int_equal(addr, bus(umem_pages[0] + FIRST_BYTE));
	assert_int_equal(hca_mkey_resolve(&guest->dev.hca, mkey, MKEY_START, &len, DMA_WRITE,
					  &addr),
			 -EAGAIN);
}

/* A key of user memory, with one thing wrong. */
static uint8_t create_wrong_mkey(uint32_t umem, unsigned int which)
{
	uint8_t *mkc = guest->in + 16;

	guest->in[12] = 0x40;
	put_be32(guest->in + 100, umem);
	mkc[2] = 3 << 2 | 1;
	put_be32(mkc + 12, pd);
	put_be64(mkc + 16, MKEY_START);
	put_be64(mkc + 24, MKEY_LEN);
	switch (which) {
	case 0: /* of physical addresses */
		mkc[2] = 3 << 2;
		break;
	case 1: /* without bounds */
		mkc[12] |= 0x80;
		break;
	case 2: /* of nothing */
		put_be64(mkc + 24, 0);
		break;
	case 3: /* its first byte doesn't lie in its page as that of the user memory does */
		put_be64(mkc + 16, MKEY_START + 8);
		break;
	case 4: /* of other keys */
		mkc[2] = 3 << 2 | 2;
		break;
	case 5: /* free: its pages come later, and have nothing to do with user memory */
		mkc[0] = 0x40;
		break;
	}
	return as(uid, CREATE_MKEY, 0, 272);
}

static void wrong_keys(void **state)
{
	uint32_t umem = create_umem(uid, WRITABLE);

	(void)state;
	for (unsigned int which = 0; which < 5; which++)
		assert_int_equal(create_wrong_mkey(umem, which), BAD_PARAM);
	assert_int_equal(create_wrong_mkey(umem, 5), 0);
	destroy_umem(umem);
}

/* What a context leaves behind is the driver's. */
static void orphans(void **state)
{
	uint32_t umem = create_umem(uid, WRITABLE);

	(void)state;
	assert_int_equal(on_as(other, DESTROY_UMEM, umem), BAD_RES);
	put_be16(guest->in + 10, uid);
	assert_int_equal(execute(guest, DESTROY_UCTX, 0, 16), 0);
	assert_int_equal(on_as(other, DESTROY_UMEM, umem), BAD_RES);
	assert_int_equal(on(guest, DESTROY_UMEM, umem), 0);
}

/* A reset takes queues on user memory before that. */
static void resets_forget_it(void **state)
{
	uint32_t umem = create_umem(uid, WRITABLE);
	struct place place = { umem, umem, 0, UMEM_LEN - 8 };

	(void)state;
	for (size_t i = 0; i < KINDS; i++)
		assert_int_equal(kinds[i].create(&place), 0);
	cx5_reset(&guest->dev);
	start_hca(guest);
	assert_int_equal(on(guest, DESTROY_UMEM, umem), BAD_RES);
}

/* Events of receive pools are told apart from those of queue pairs by the type of the queue. */
static void pools_events_have_a_type(void **state)
{
	uint32_t umem = create_umem(uid, WRITABLE), num;
	struct place place = { umem, umem, 0, UMEM_LEN - 8 };
	const uint8_t *eqe;

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal((i ? create_xrc_srq_on : create_rmp_on)(&place), 0);
		num = get_be24(guest->out + 9);
		cx5_affiliated_event(&guest->dev.hca, HCA_EVENT_SRQ_LIMIT, num);
		eqe = eqe_at(guest, 0, i);
		assert_non_null(eqe);
		assert_int_equal(eqe[1], CX5_EV_SRQ_LIMIT);
		assert_int_equal(eqe[32 + 20], i ? 0 : 1);
		assert_int_equal(get_be24(eqe + 32 + 25), num);
	}
}

/* Which events a process may ask for: of its objects, and of the port. */
static void events_on_offer(void **state)
{
	static const uint8_t affiliated[] = {
		0x01, 0x02, 0x03, 0x04, 0x05, 0x07, 0x10, 0x11, 0x12, 0x13, 0x14, 0x1c,
	};
	uint64_t mask = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(affiliated); i++)
		mask |= 1ull << affiliated[i];
	assert_int_equal(as(uid, QUERY_HCA_CAP, 1, 16), 0);
	assert_int_equal(guest->out[16 + 18] >> 7, 1);
	assert_int_equal(as(uid, QUERY_HCA_CAP, 0x14 << 1 | 1, 16), 0);
	assert_int_equal(get_be64(guest->out + 16), mask);
	assert_int_equal(get_be64(guest->out + 16 + 32), 1ull << 0x09);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		bench_test(umems_have_numbers),
		bench_test(wrong_umems),
		bench_test(pages_are_limited),
		bench_test(objects_stand_on_it),
		bench_test(wrong_places),
		bench_test(completions_need_writable_memory),
		bench_test(resizing_moves_it),
		bench_test(datagrams_from_it),
		bench_test(keys_keep_pages_read_only),
		bench_test(wrong_keys),
		bench_test(orphans),
		bench_test(resets_forget_it),
		bench_test(pools_events_have_a_type),
		bench_test(events_on_offer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
