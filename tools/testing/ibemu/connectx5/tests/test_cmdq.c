/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The command queue: slots, chains of mailbox blocks, delivery errors, events; and the
 * initialization segment.
 */
#include "connectx5/tests/bench.h"

#define BLOCK_STEP 1024u
#define TOKEN 0xa5

/* Delivery statuses */
enum {
	BAD_TOKEN = 2,
	BAD_BLOCK_NUMBER = 3,
	BAD_OUT_PTR = 4,
	BAD_IN_PTR = 5,
	BAD_IN_LEN = 7,
	BAD_OUT_LEN = 8,
	BAD_DESCRIPTOR = 0x10
};

static int set_up(void **state)
{
	*state = bench_create();
	return 0;
}

static int tear_down(void **state)
{
	bench_destroy(*state);
	return 0;
}

static struct guest *first(void **state)
{
	return &((struct bench *)*state)->guest[0];
}

static void write32(struct guest *guest, uint32_t offset, uint32_t value)
{
	uint8_t word[4];

	put_be32(word, value);
	cx5_bar_write(&guest->dev, offset, word, 4);
}

static uint32_t read32(struct guest *guest, uint32_t offset)
{
	uint8_t word[4];

	cx5_bar_read(&guest->dev, offset, word, 4);
	return get_be32(word);
}

static void set_cmdq(struct guest *guest)
{
	write32(guest, 0x10, (uint32_t)(bus(CMDQ_AT) >> 32));
	write32(guest, 0x14, (uint32_t)bus(CMDQ_AT));
}

/* A chain of blocks for len bytes beyond the slot's own 16, at a place. */
static void make_chain(struct guest *guest, uint32_t at, uint32_t len)
{
	for (uint32_t number = 0; number * 512 + 16 < len; number++) {
		uint8_t *block = guest->ram + at + number * BLOCK_STEP;

		memset(block, 0, 576);
		if ((number + 1) * 512 + 16 < len)
			put_be64(block + 560, bus(at + (number + 1) * BLOCK_STEP));
		put_be32(block + 568, number);
		block[573] = TOKEN;
	}
}

/* The slot for a command whose input is in guest->in. */
static uint8_t *prepare(struct guest *guest, unsigned int number, uint16_t opcode, uint16_t op_mod,
			uint32_t in_len, uint32_t out_len)
{
	uint8_t *slot = guest->ram + CMDQ_AT + number * 64;

	memset(slot, 0, 64);
	put_be16(guest->in, opcode);
	put_be16(guest->in + 6, op_mod);
	slot[0] = 7;
	put_be32(slot + 4, in_len);
	memcpy(slot + 16, guest->in, 16);
	put_be32(slot + 56, out_len);
	slot[60] = TOKEN;
	slot[63] = 1;
	if (in_len > 16) {
		make_chain(guest, MAILBOX_AT, in_len);
		put_be64(slot + 8, bus(MAILBOX_AT));
		for (uint32_t i = 16; i < in_len; i++)
			guest->ram[MAILBOX_AT + (i - 16) / 512 * BLOCK_STEP + (i - 16) % 512] =
				guest->in[i];
	}
	if (out_len > 16) {
		make_chain(guest, OUT_MAILBOX_AT, out_len);
		put_be64(slot + 48, bus(OUT_MAILBOX_AT));
	}
	memset(guest->in, 0, sizeof(guest->in));
	return slot;
}

static uint8_t go(void **state, unsigned int number)
{
	struct bench *bench = *state;

	write32(&bench->guest[0], 0x18, 1u << number);
	sched_run(bench->sched);
	return bench->guest[0].ram[CMDQ_AT + number * 64 + 63];
}

static void version_and_geometry(void **state)
{
	struct guest *guest = first(state);

	assert_int_equal(read32(guest, 0x0), 35u << 16 | 16);
	assert_int_equal(read32(guest, 0x4) >> 16, 5);
	assert_int_equal(read32(guest, 0x14), 0x56); /* 32 slots of 64 bytes */
	assert_int_equal(read32(guest, 0x1fc), 0);
	write32(guest, 0x10, 0x12345678);
	write32(guest, 0x14, 0x9abcd000);
	assert_int_equal(read32(guest, 0x10), 0x12345678);
	assert_int_equal(read32(guest, 0x14), 0x9abcd056);
}

static void a_command_in_its_slot(void **state)
{
	struct guest *guest = first(state);
	uint8_t *slot;

	set_cmdq(guest);
	slot = prepare(guest, 0, ENABLE_HCA, 0, 16, 16);
	slot[32] = 0xff;
	assert_int_equal(go(state, 0), 0);
	assert_int_equal(slot[32], 0);
	slot = prepare(guest, 31, ENABLE_HCA, 0, 16, 16);
	assert_int_equal(go(state, 31), 0);
	assert_int_equal(slot[32], 4); /* enabled already */
}

static void a_slot_without_owner_bit_is_left_alone(void **state)
{
	struct guest *guest = first(state);

	set_cmdq(guest);
	prepare(guest, 0, ENABLE_HCA, 0, 16, 16)[63] = 0;
	assert_int_equal(go(state, 0), 0);
	assert_int_equal(guest->dev.state, CX5_DISABLED);
}

/* 200 pages: 1616 bytes of input in 4 blocks; the answer lists as many. */
static void long_inputs_and_outputs(void **state)
{
	struct guest *guest = first(state);
	uint8_t *slot;

	set_cmdq(guest);
	prepare(guest, 0, ENABLE_HCA, 0, 16, 16);
	go(state, 0);
	put_be32(guest->in + 12, 200);
	for (unsigned int i = 0; i < 200; i++)
		put_be64(guest->in + 16 + 8 * i, 0x100000 + i * PAGE);
	slot = prepare(guest, 0, MANAGE_PAGES, 1, 16 + 1600, 16);
	assert_int_equal(go(state, 0), 0);
	assert_int_equal(slot[32], 0);
	put_be32(guest->in + 12, 200);
	slot = prepare(guest, 0, MANAGE_PAGES, 2, 16, 16 + 1600);
	assert_int_equal(go(state, 0), 0);
	assert_int_equal(slot[32], 0);
	assert_int_equal(get_be32(slot + 40), 200);
	assert_int_equal(get_be64(guest->ram + OUT_MAILBOX_AT), 0x100000 + 199 * PAGE);
	assert_int_equal(get_be64(guest->ram + OUT_MAILBOX_AT + 3 * BLOCK_STEP + 56),
			 0x100000); /* the 200th */
}

static void broken_chains_execute_nothing(void **state)
{
	struct guest *guest = first(state);
	uint8_t *slot, *block = guest->ram + MAILBOX_AT, *out_block = guest->ram + OUT_MAILBOX_AT;

	set_cmdq(guest);
	prepare(guest, 0, ENABLE_HCA, 0, 16, 16);
	go(state, 0);
	put_be32(guest->in + 12, 200);
	slot = prepare(guest, 0, MANAGE_PAGES, 2, 1200, 1200);
#define BROKEN(change, undo, status) do { \
		slot[63] = 1; \
		change; \
		assert_int_equal(go(state, 0), (status) << 1); \
		undo; \
	} while (0)
	BROKEN(block[573] ^= 1, block[573] ^= 1, BAD_TOKEN);
	BROKEN(put_be32(block + BLOCK_STEP + 568, 0), put_be32(block + BLOCK_STEP + 568, 1),
	       BAD_BLOCK_NUMBER);
	BROKEN(put_be64(block + 560, bus(MAILBOX_AT)),
	       put_be64(block + 560, bus(MAILBOX_AT + BLOCK_STEP)),
	       BAD_BLOCK_NUMBER); /* a circle */
	BROKEN(put_be64(block + 560, 0), put_be64(block + 560, bus(MAILBOX_AT + BLOCK_STEP)),
	       BAD_IN_PTR);
	BROKEN(put_be64(slot + 8, bus(MAILBOX_AT) + 8), put_be64(slot + 8, bus(MAILBOX_AT)),
	       BAD_IN_PTR);
	BROKEN(put_be64(slot + 8, 0x4000), put_be64(slot + 8, bus(MAILBOX_AT)), BAD_IN_PTR);
	BROKEN(put_be64(slot + 48, UINT64_MAX - 0x1ff), put_be64(slot + 48, bus(OUT_MAILBOX_AT)),
	       BAD_OUT_PTR);
	BROKEN(put_be64(out_block + 560, 0),
	       put_be64(out_block + 560, bus(OUT_MAILBOX_AT + BLOCK_STEP)), BAD_OUT_PTR);
	BROKEN(slot[0] = 6, slot[0] = 7, BAD_DESCRIPTOR);
	BROKEN(put_be32(slot + 4, 0xffffffff), put_be32(slot + 4, 1200), BAD_IN_LEN);
	BROKEN(put_be32(slot + 4, 4), put_be32(slot + 4, 1200), BAD_IN_LEN);
	BROKEN(put_be32(slot + 56, 0x7fffffff), put_be32(slot + 56, 1200), BAD_OUT_LEN);
	BROKEN((void)0, (void)0, 0);
	assert_int_equal(guest->dev.counters.commands, 2);
	assert_int_equal(guest->dev.counters.delivery_errors, 12);
}

static void doorbells_without_a_queue_are_harmless(void **state)
{
	struct guest *guest = first(state);

	write32(guest, 0x18, 0xffffffff);
	sched_run(((struct bench *)*state)->sched);
	write32(guest, 0x10, 0xffffffff);
	write32(guest, 0x14, 0xfffff000);
	write32(guest, 0x18, 0xffffffff);
	sched_run(((struct bench *)*state)->sched);
	assert_int_equal(guest->dev.counters.commands, 0);
}

/* Events begin when the queue that takes them is armed, and end with it. */
static void commands_complete_with_events(void **state)
{
	struct guest *guest = first(state);
	uint32_t eqn;

	set_cmdq(guest);
	start_hca(guest);
	guest->uar = alloc(guest, ALLOC_UAR);
	eqn = create_eq(guest, 1, 5, 1ull << 10);
	prepare(guest, 2, ALLOC_PD, 0, 16, 16);
	go(state, 2);
	assert_null(eqe_at(guest, 1, 0));
	arm_eq(guest, eqn, 0);
	prepare(guest, 2, ALLOC_PD, 0, 16, 16);
	prepare(guest, 4, ALLOC_PD, 0, 16, 16);
	write32(guest, 0x18, 1 << 2 | 1 << 4);
	sched_run(((struct bench *)*state)->sched);
	assert_int_equal(guest->raised[5], 1);
	assert_int_equal(eqe_at(guest, 1, 0)[1], 10);
	assert_int_equal(get_be32(eqe_at(guest, 1, 0) + 32), 1 << 2);
	assert_int_equal(get_be32(eqe_at(guest, 1, 1) + 32), 1 << 4);
	assert_null(eqe_at(guest, 1, 2));
	arm_eq(guest, eqn, 1); /* one is unseen: at once */
	assert_int_equal(guest->raised[5], 2);
	arm_eq(guest, eqn, 2);
	assert_int_equal(guest->raised[5], 2);
	assert_int_equal(on(guest, DESTROY_EQ, eqn), 0);
	prepare(guest, 2, ALLOC_PD, 0, 16, 16);
	assert_int_equal(go(state, 2), 0);
	assert_int_equal(guest->raised[5], 2);
}

static void event_queues_are_never_overwritten(void **state)
{
	struct guest *guest = first(state);
	uint32_t eqn;

	start_hca(guest);
	guest->uar = alloc(guest, ALLOC_UAR);
	eqn = create_eq(guest, 1, 5, 1ull << 9);
	for (int i = 0; i < 70; i++)
		cx5_port_event(&guest->dev.hca, PORT_EV_LID_CHANGE);
	assert_int_equal(guest->dev.counters.events, 64);
	assert_int_equal(guest->dev.counters.dropped_events, 6);
	assert_int_equal(eqe_at(guest, 1, 0)[1], 9);
	assert_int_equal(eqe_at(guest, 1, 0)[3], 6);
	assert_int_equal(eqe_at(guest, 1, 0)[40], 0x10);
	on(guest, QUERY_EQ, eqn);
	assert_int_equal(guest->out[16] >> 4, 10); /* overrun */
}

static void health_lives_and_dies(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = first(state);
	uint32_t count = read32(guest, 0x1010), timer = read32(guest, 0x1004);

	sched_advance(bench->sched, 2 * NSEC_PER_SEC);
	assert_int_not_equal(read32(guest, 0x1010), count);
	assert_int_equal(read32(guest, 0x1004) - timer, (uint32_t)(2 * NSEC_PER_SEC));
	assert_int_equal(read32(guest, 0x23c), 0);
	assert_int_not_equal(read32(guest, 0x230), 0xffffffff);

	start_hca(guest);
	set_up_verbs(guest);
	set_cmdq(guest);
	assert_int_equal(control(guest, "fatal", stderr), 0);
	count = read32(guest, 0x1010);
	sched_advance(bench->sched, 2 * NSEC_PER_SEC);
	assert_int_not_equal(read32(guest, 0x1010),
			     count); /* it has started again: drivers wait for that */
	assert_int_equal(read32(guest, 0x14) >> 8 & 7, 1);     /* disabled */
	assert_int_equal(read32(guest, 0x23c) >> 16 & 0xff, 1); /* firmware error */
	assert_int_equal(read32(guest, 0x238) >> 31, 1);
	prepare(guest, 0, ENABLE_HCA, 0, 16, 16);
	assert_int_equal(go(state, 0), 1); /* nobody takes it */

	set_cmdq(guest);
	assert_int_equal(read32(guest, 0x23c), 0);
	assert_int_equal(read32(guest, 0x14) >> 8 & 7, 0);
	assert_int_equal(go(state, 0), 0);
}

static void software_reset_disables(void **state)
{
	struct guest *guest = first(state);

	set_cmdq(guest);
	start_hca(guest);
	write32(guest, 0x14, (uint32_t)bus(CMDQ_AT) | 7 << 8);
	assert_int_equal(read32(guest, 0x14) >> 8 & 7, 1);
	assert_int_equal(guest->dev.state, CX5_DISABLED);
	set_cmdq(guest);
	assert_int_equal(read32(guest, 0x14) >> 8 & 7, 0);
	prepare(guest, 0, ENABLE_HCA, 0, 16, 16);
	assert_int_equal(go(state, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		bench_test(version_and_geometry),
		bench_test(a_command_in_its_slot),
		bench_test(a_slot_without_owner_bit_is_left_alone),
		bench_test(long_inputs_and_outputs),
		bench_test(broken_chains_execute_nothing),
		bench_test(doorbells_without_a_queue_are_harmless),
		bench_test(commands_complete_with_events),
		bench_test(event_queues_are_never_overwritten),
		bench_test(health_lives_and_dies),
		bench_test(software_reset_disables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
