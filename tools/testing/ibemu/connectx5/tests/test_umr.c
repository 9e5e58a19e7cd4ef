/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Memory windows, and other rights for regions. */
#include "connectx5/tests/umr.h"

#define WINDOW 100u /* bytes that the window shows */

static int set_up(void **state)
{
	struct world *world = calloc(1, sizeof(*world));
	struct guest *guest;

	assert_non_null(world);
	world->bench = bench_create_verbs();
	guest = &world->bench->guest[1];
	connect_pair(world->bench, ST_RC, &world->from, &world->to);
	world->region = remote_key(guest, true);
	guest->in[16] = 0x40;     /* free */
	guest->in[16 + 2] = 0x86; /* can be changed; local read; a list of keys */
	put_be32(guest->in + 16 + 4, 0xffffff05);
	put_be32(guest->in + 16 + 12, 1u << 24 | guest->pd); /* the other side may invalidate it */
	put_be32(guest->in + 16 + 52, 4);                    /* entries of its list */
	assert_int_equal(execute(guest, CREATE_MKEY, 0, 272), 0);
	world->window = get_be24(guest->out + 9) << 8 | 0x05;
	*state = world;
	return 0;
}

/* Shows WINDOW bytes of the region under addresses from 0 on, as variant 6, to its queue pair. */
static struct wqe binding(struct world *world)
{
	struct wqe wqe = begin_change(world->window, INLINE | MUST_BE_FREE,
				      LEN | START_ADDR | VARIANT | QPN | RIGHTS | FREE, 4);
	uint8_t *mkc = wqe.bytes + 64;

	mkc[2] = 0x34; /* remote write, remote read, local read */
	put_be32(mkc + 4, world->to.qpn << 8 | 0x06);
	put_be64(mkc + 24, WINDOW);
	add_entry(&wqe, 60, world->region, bus(DATA_AT + FAR));
	add_entry(&wqe, WINDOW - 60, world->region, bus(DATA_AT + FAR + 0x1000));
	add_entry(&wqe, 0, 0, 0);
	add_entry(&wqe, 0, 0, 0);
	return wqe;
}

static uint32_t bound_key(const struct world *world) { return (world->window & ~0xffu) | 0x06; }

static void a_window_shows_parts(void **state)
{
	struct world *world = *state;
	struct guest *b = &world->bench->guest[1];
	struct wqe wqe = binding(world);

	give(world, &wqe, 0);
	write_to(world, bound_key(world), 56, 0);
	assert_memory_equal(data(b, FAR + 56), "\1\2\3\4\0", 5);
	assert_memory_equal(data(b, FAR + 0x1000), "\5\6\7\10\0", 5);
	write_to(world, bound_key(world), WINDOW - 7, REMOTE_ACCESS);
}

static void the_old_key_is_none(void **state)
{
	struct world *world = *state;
	struct wqe wqe = binding(world);

	give(world, &wqe, 0);
	write_to(world, world->window, 0, REMOTE_ACCESS);
}

static void only_free_windows_are_bound(void **state)
{
	struct world *world = *state;
	struct wqe first = binding(world), second = binding(world);

	give(world, &first, 0);
	give(world, &second, MW_BIND);
}

static void freed_again(void **state)
{
	struct world *world = *state;
	struct wqe first = binding(world), second = binding(world);
	struct wqe wqe = begin_change(bound_key(world), INLINE | MUST_BE_OURS,
				      VARIANT | QPN | FREE, 0);

	give(world, &first, 0);
	wqe.bytes[64] = 0x40;
	put_be32(wqe.bytes + 64 + 4, 0xffffff06);
	give(world, &wqe, 0);
	give(world, &second, 0);
	wqe.bytes[64] = 0x40;
	give(world, &wqe, 0);
	write_to(world, bound_key(world), 0, REMOTE_ACCESS);
}

static void invalidated_by_the_other_side(void **state)
{
	struct world *world = *state;
	struct guest *b = &world->bench->guest[1];
	struct wqe bind = binding(world), again = binding(world),
		   wqe = begin_wqe(0x01, bound_key(world));

	give(world, &bind, 0);
	post_receive(&world->to, 0, 0);
	post_and_run(&world->from, &wqe, world->bench);
	next(world, 0, CQE_REQUEST, 0);
	next(world, 1, CQE_RECEIVED_INVALIDATE, 0);
	assert_int_equal(get_be32(cqe_at(b, 1) + 36), bound_key(world));
	assert_int_equal(on(b, QUERY_MKEY, world->window >> 8), 0);
	assert_int_equal(b->out[16] & 0x40, 0x40);
	give(world, &again, 0); /* it is free */
}

static void other_rights_for_a_region(void **state)
{
	struct world *world = *state;
	struct wqe wqe = begin_change(world->region, INLINE | MUST_BE_VALID, RIGHTS, 0);

	write_to(world, world->region, bus(DATA_AT + FAR), 0);
	wqe.bytes[64 + 2] = 0x04; /* local read */
	give(world, &wqe, 0);
	write_to(world, world->region, bus(DATA_AT + FAR), REMOTE_ACCESS);
}

/* Each of these ends in an error, and changes nothing. */
static void refuse(struct world *world, struct wqe *wqe, unsigned int syndrome)
{
	give(world, wqe, syndrome);
	assert_int_equal(query(&world->to)[0] >> 4, 6);
	assert_int_equal(on(&world->bench->guest[1], QUERY_MKEY, world->window >> 8), 0);
	assert_int_equal(world->bench->guest[1].out[16] & 0x40, 0x40);
}

static void keys_that_are_none(void **state)
{
	struct world *world = *state;
	struct wqe wqe = binding(world);

	put_be32(wqe.bytes + 12, 0xffffff00);
	refuse(world, &wqe, MW_BIND);
}

static void keys_that_are_fixed(void **state)
{
	struct world *world = *state;
	struct wqe wqe = begin_change(world->bench->guest[1].lkey, INLINE, RIGHTS, 0);

	refuse(world, &wqe, MW_BIND);
}

static void other_protection_domains(void **state)
{
	struct world *world = *state;
	struct wqe wqe = begin_change(world->region, INLINE, PD, 0);

	put_be32(wqe.bytes + 64 + 12, alloc(&world->bench->guest[1], ALLOC_PD));
	refuse(world, &wqe, MW_BIND);
}

static void behind_it_is_nothing(void **state)
{
	struct world *world = *state;
	struct wqe wqe = binding(world);

	put_be32(wqe.bytes + 128 + 4, world->region ^ 1);
	refuse(world, &wqe, MW_BIND);
}

/* The second part begins in the region's last page and ends beyond it. */
static void behind_it_is_too_little(void **state)
{
	struct world *world = *state;
	struct wqe wqe = binding(world);

	put_be64(wqe.bytes + 144 + 8, bus(DATA_AT + DATA_LEN - 39));
	refuse(world, &wqe, MW_BIND);
}

static void longer_than_its_parts(void **state)
{
	struct world *world = *state;
	struct wqe wqe = binding(world);

	put_be64(wqe.bytes + 64 + 24, WINDOW + 1);
	refuse(world, &wqe, MW_BIND);
}

static void more_entries_than_there_are(void **state)
{
	struct world *world = *state;
	struct wqe wqe = binding(world);

	put_be16(wqe.bytes + 16 + 4, 5);
	refuse(world, &wqe, LOCAL_QP_OPERATION);
}

static void more_entries_than_the_key_takes(void **state)
{
	struct world *world = *state;
	struct wqe wqe = binding(world);

	add_entry(&wqe, 0, 0, 0);
	put_be16(wqe.bytes + 16 + 4, 5);
	refuse(world, &wqe, MW_BIND);
}

static void cut_off(void **state)
{
	struct world *world = *state;
	struct wqe wqe = binding(world);

	wqe.len = 112; /* in the middle of the context */
	refuse(world, &wqe, LOCAL_QP_OPERATION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		bench_test(a_window_shows_parts),
		bench_test(the_old_key_is_none),
		bench_test(only_free_windows_are_bound),
		bench_test(freed_again),
		bench_test(invalidated_by_the_other_side),
		bench_test(other_rights_for_a_region),
		bench_test(keys_that_are_none),
		bench_test(keys_that_are_fixed),
		bench_test(other_protection_domains),
		bench_test(behind_it_is_nothing),
		bench_test(behind_it_is_too_little),
		bench_test(longer_than_its_parts),
		bench_test(more_entries_than_there_are),
		bench_test(more_entries_than_the_key_takes),
		bench_test(cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
