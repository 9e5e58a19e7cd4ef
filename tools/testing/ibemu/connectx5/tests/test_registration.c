/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Regions whose list of pages, or of other keys, comes with a work request: fast registration, and
 * what drivers do with pieces of a list.
 */
#include "connectx5/tests/umr.h"

#define START 0x500000123000ull /* of regions; in the middle of a page of 8 KiB */
#define LIST 0x2000u            /* data offset of lists that aren't in the work request */
#define PAGES 8u

enum { MODE_PHYSICAL = 0, MODE_PAGES = 1, MODE_KEYS = 2, MODE_BLOCKS = 3 };

enum { OFFSET = 0x10 };

#define PAGE_SIZE (1u << 1)
#define REVOCABLE (1u << 8)
#define ALL_OF_IT (LEN | PAGE_SIZE | START_ADDR | REVOCABLE | VARIANT | RIGHTS | FREE)

/* A free key of guest 1 with room for so many octwords. */
static uint32_t free_key(struct world *world, unsigned int mode, uint32_t octwords)
{
	struct guest *guest = &world->bench->guest[1];

	guest->in[16] = 0x40;
	guest->in[16 + 2] = (uint8_t)(0x80 | mode); /* can be changed */
	put_be32(guest->in + 16 + 4, 0xffffff05);
	put_be32(guest->in + 16 + 12, guest->pd);
	put_be32(guest->in + 16 + 52, octwords);
	assert_int_equal(execute(guest, CREATE_MKEY, 0, 272), 0);
	return get_be24(guest->out + 9) << 8 | 0x05;
}

static int set_up(void **state)
{
	struct world *world = calloc(1, sizeof(*world));

	assert_non_null(world);
	world->bench = bench_create_verbs();
	connect_pair(world->bench, ST_RC, &world->from, &world->to);
	world->region = free_key(world, MODE_PAGES, PAGES / 2);
	*state = world;
	return 0;
}

/* The key as variant 6, valid: len bytes from START, with remote rights, in pages of 4 KiB. */
static struct wqe registration(uint32_t key, uint8_t flags, uint64_t len, unsigned int octwords)
{
	struct wqe wqe = begin_change(key, flags | MUST_BE_FREE, ALL_OF_IT, octwords);
	uint8_t *mkc = wqe.bytes + 64;

	mkc[2] = 0x3c; /* local and remote, read and write */
	put_be32(mkc + 4, 0xffffff06);
	mkc[12] = 0x01; /* the other side may invalidate it */
	put_be64(mkc + 16, START);
	put_be64(mkc + 24, len);
	mkc[59] = 12;
	return wqe;
}

static uint32_t valid_key(const struct world *world) { return (world->region & ~0xffu) | 0x06; }

/* Page n of the guest's data, as an entry. */
static void put_page(uint8_t *p, unsigned int n)
{
	put_be64(p, bus(DATA_AT + n * PAGE) | 3);
}

/* Pages from n on, in reverse order. */
static void add_pages(struct wqe *wqe, unsigned int n, unsigned int count)
{
	uint8_t *p = add_segments(wqe, count / 2);

	for (unsigned int i = 0; i < count; i++)
		put_page(p + 8 * i, n + count - 1 - i);
}

/* A data segment for a list at data offset LIST. */
static void add_pointer(struct world *world, struct wqe *wqe, unsigned int octwords)
{
	add_data(wqe, &world->to, LIST, octwords * 16);
}

static uint8_t *list_of(struct world *world) { return data(&world->bench->guest[1], LIST); }

/* What guest 0 writes at va comes to data offset at. */
static void lands(struct world *world, uint32_t key, uint64_t va, uint32_t at)
{
	uint8_t *p = data(&world->bench->guest[1], at);

	memset(p, 0, 8);
	write_to(world, key, va, 0);
	assert_memory_equal(p, "\1\2\3\4\5\6\7\10", 8);
}

static void a_list_in_the_request(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, INLINE, 4 * PAGE, 2);

	add_pages(&wqe, 16, 4);
	give(world, &wqe, 0);
	lands(world, valid_key(world), START, 19 * PAGE);
	lands(world, valid_key(world), START + 3 * PAGE + 5, 16 * PAGE + 5);
	write_to(world, valid_key(world), START + 4 * PAGE - 7, REMOTE_ACCESS);
}

static void a_list_elsewhere(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, 0, PAGES * PAGE, PAGES / 2);

	for (unsigned int i = 0; i < PAGES; i++)
		put_page(list_of(world) + 8 * i, 40 + 3 * i);
	add_pointer(world, &wqe, PAGES / 2);
	give(world, &wqe, 0);
	lands(world, valid_key(world), START, 40 * PAGE);
	lands(world, valid_key(world), START + 7 * PAGE, 61 * PAGE);
}

static void larger_pages(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, INLINE, 3 * PAGE, 1);

	wqe.bytes[64 + 59] = 13;
	add_pages(&wqe, 16, 2);
	give(world, &wqe, 0);
	lands(world, valid_key(world), START, 18 * PAGE);            /* 17, its second half */
	lands(world, valid_key(world), START + 2 * PAGE, 17 * PAGE); /* 16, the same */
}

static void registered_anew(void **state)
{
	struct world *world = *state;
	struct wqe first = registration(world->region, INLINE, 2 * PAGE, 1), second = first;
	struct wqe invalidate = begin_change(world->region, INLINE, FREE, 0);

	invalidate.bytes[64] = 0x40;
	add_pages(&first, 16, 2);
	add_pages(&second, 18, 2);
	give(world, &first, 0);
	give(world, &invalidate, 0);
	give(world, &second, 0);
	lands(world, valid_key(world), START, 19 * PAGE);
	give(world, &invalidate, 0);
	write_to(world, valid_key(world), START, REMOTE_ACCESS);
}

static void invalidated_by_the_other_side(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, INLINE, 2 * PAGE, 1),
		   invalidate = begin_wqe(0x01, valid_key(world));

	add_pages(&wqe, 16, 2);
	give(world, &wqe, 0);
	lands(world, valid_key(world), START, 17 * PAGE);
	post_receive(&world->to, 0, 0);
	post_and_run(&world->from, &invalidate, world->bench);
	next(world, 0, CQE_REQUEST, 0);
	next(world, 1, CQE_RECEIVED_INVALIDATE, 0);
	write_to(world, valid_key(world), START, REMOTE_ACCESS);
}

/* A driver fills a long list in pieces, and makes the key valid with the last one. */
static void a_list_in_pieces(void **state)
{
	struct world *world = *state;
	struct wqe first = begin_change(world->region, INLINE | MUST_BE_FREE, 0, 2);
	struct wqe last = registration(world->region, INLINE | OFFSET, PAGES * PAGE, 2);

	add_pages(&first, 16, 4);
	add_pages(&last, 32, 4);
	put_be16(last.bytes + 16 + 6, 2);
	give(world, &first, 0);
	give(world, &last, 0);
	lands(world, valid_key(world), START + 1 * PAGE, 18 * PAGE);
	lands(world, valid_key(world), START + 4 * PAGE, 35 * PAGE);
}

static void a_piece_of_a_valid_list(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, INLINE, PAGES * PAGE, 4);
	struct wqe piece = begin_change(world->region, INLINE | MUST_BE_VALID | OFFSET, 0, 1);

	add_pages(&wqe, 16, PAGES);
	add_pages(&piece, 48, 2);
	put_be16(piece.bytes + 16 + 6, 1);
	give(world, &wqe, 0);
	give(world, &piece, 0);
	lands(world, valid_key(world), START + 1 * PAGE, 22 * PAGE);
	lands(world, valid_key(world), START + 2 * PAGE, 49 * PAGE);
	lands(world, valid_key(world), START + 3 * PAGE, 48 * PAGE);
	lands(world, valid_key(world), START + 4 * PAGE, 19 * PAGE);
}

/* 10 bytes, 20 bytes ... of the region behind it; what is behind the key's end is rubbish. */
static struct wqe of_keys(struct world *world, uint32_t key, uint32_t behind)
{
	struct wqe wqe = registration(key, 0, 60, 4);
	uint8_t *list = list_of(world);

	for (unsigned int i = 0; i < 3; i++)
		put_data_segment(list + 16 * i, 10 * (i + 1), behind, START + 0x100 * i);
	memset(list + 48, 0xa5, 16);
	add_pointer(world, &wqe, 4);
	return wqe;
}

/* A valid region, and a key for that. */
static uint32_t behind(struct world *world)
{
	struct wqe wqe = registration(world->region, INLINE, 2 * PAGE, 1);

	add_pages(&wqe, 16, 2);
	give(world, &wqe, 0);
	return valid_key(world);
}

static void a_list_of_keys(void **state)
{
	struct world *world = *state;
	uint32_t key = free_key(world, MODE_KEYS, 4);
	struct wqe wqe = of_keys(world, key, behind(world));

	give(world, &wqe, 0);
	key = (key & ~0xffu) | 0x06;
	lands(world, key, START + 1, 17 * PAGE + 1);
	lands(world, key, START + 10, 17 * PAGE + 0x100);
	lands(world, key, START + 50, 17 * PAGE + 0x200 + 20);
	write_to(world, key, START + 53, REMOTE_ACCESS);
}

/* The first part grows by 5 bytes, so those behind it move. */
static void a_piece_of_a_list_of_keys(void **state)
{
	struct world *world = *state;
	uint32_t key = free_key(world, MODE_KEYS, 4), region = behind(world);
	struct wqe wqe = of_keys(world, key, region);
	struct wqe piece = begin_change(key, INLINE | OFFSET, 0, 1);

	give(world, &wqe, 0);
	add_entry(&piece, 15, region, START + 0x400);
	give(world, &piece, 0);
	key = (key & ~0xffu) | 0x06;
	lands(world, key, START + 7, 17 * PAGE + 0x400 + 7);
	lands(world, key, START + 15, 17 * PAGE + 0x100);
	lands(world, key, START + 35, 17 * PAGE + 0x200);
}

/* A list without an offset is all there is, however long the one before it was. */
static void a_shorter_list_of_keys(void **state)
{
	struct world *world = *state;
	uint32_t key = free_key(world, MODE_KEYS, 4), region = behind(world);
	struct wqe wqe = of_keys(world, key, region);
	struct wqe shorter = begin_change(key, INLINE, 0, 1);

	give(world, &wqe, 0);
	add_entry(&shorter, 59, region, START);
	give(world, &shorter, MW_BIND);
}

/* Interleaved: 8 bytes of every 64, and 4 of every 32 elsewhere, ten times. */
static struct wqe interleaved(struct world *world, uint32_t key, uint64_t len, uint32_t repeats)
{
	struct wqe wqe = registration(key, INLINE, len, 3);
	uint32_t region = behind(world);
	uint8_t *p = add_segments(&wqe, 3);

	put_be32(p, 12);
	put_be32(p + 4, 0x400);
	put_be32(p + 8, repeats);
	put_be16(p + 14, 2);
	put_be16(p + 16, 64);
	put_be16(p + 18, 8);
	put_be32(p + 20, region);
	put_be64(p + 24, START);
	put_be16(p + 32, 32);
	put_be16(p + 34, 4);
	put_be32(p + 36, region);
	put_be64(p + 40, START + PAGE);
	return wqe;
}

static void an_interleaved_list(void **state)
{
	struct world *world = *state;
	uint32_t key = free_key(world, MODE_KEYS, 4);
	struct wqe wqe = interleaved(world, key, 120, 10);

	give(world, &wqe, 0);
	key = (key & ~0xffu) | 0x06;
	lands(world, key, START, 17 * PAGE);
	lands(world, key, START + 3 * 12, 17 * PAGE + 3 * 64);
	write_to(world, key, START + 9 * 12 + 4, 0); /* the last round, both parts */
	assert_memory_equal(data(&world->bench->guest[1], 17 * PAGE + 9 * 64 + 4), "\1\2\3\4", 4);
	assert_memory_equal(data(&world->bench->guest[1], 16 * PAGE + 9 * 32), "\5\6\7\10", 4);
	write_to(world, key, START + 113, REMOTE_ACCESS);
}

static void interleaved_too_long(void **state)
{
	struct world *world = *state;
	struct wqe wqe = interleaved(world, free_key(world, MODE_KEYS, 4), 121, 10);

	give(world, &wqe, MW_BIND);
}

/* 129 times 64 bytes reach beyond what lies behind it. */
static void interleaved_too_far(void **state)
{
	struct world *world = *state;
	struct wqe wqe = interleaved(world, free_key(world, MODE_KEYS, 4), 12, 129);

	give(world, &wqe, MW_BIND);
}

static void interleaved_of_nothing(void **state)
{
	struct world *world = *state;
	struct wqe wqe = interleaved(world, free_key(world, MODE_KEYS, 4), 12, 0);

	give(world, &wqe, MW_BIND);
}

/* Entries of 4 KiB: of the third, nothing is known. */
static void a_list_of_blocks(void **state)
{
	struct world *world = *state;
	uint32_t key = free_key(world, MODE_BLOCKS, 4), region = behind(world);
	struct wqe wqe = registration(key, INLINE, UINT64_MAX - START, 3);

	add_entry(&wqe, 0, region, START + PAGE);
	add_entry(&wqe, 0, region, START);
	add_entry(&wqe, 0, 0xffffff00, 0);
	give(world, &wqe, 0);
	key = (key & ~0xffu) | 0x06;
	lands(world, key, START + 8, 16 * PAGE + 8);
	lands(world, key, START + PAGE, 17 * PAGE);
	write_to(world, key, START + 2 * PAGE, REMOTE_ACCESS);
}

static void blocks_beyond_the_list(void **state)
{
	struct world *world = *state;
	uint32_t key = free_key(world, MODE_BLOCKS, 4), region = behind(world);
	struct wqe wqe = registration(key, INLINE, UINT64_MAX - START, 1);

	add_entry(&wqe, 0, region, START);
	give(world, &wqe, 0);
	write_to(world, (key & ~0xffu) | 0x06, START + 100 * PAGE, REMOTE_ACCESS);
}

/* A key of no length of its own ends where its list does. */
static void as_long_as_the_list(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, INLINE, 0, 1);

	wqe.bytes[64 + 12] |= 0x80;
	add_pages(&wqe, 16, 2);
	give(world, &wqe, 0);
	lands(world, valid_key(world), START + 2 * PAGE - 8, 17 * PAGE - 8);
	write_to(world, valid_key(world), START + 2 * PAGE - 4, REMOTE_ACCESS);
}

/* Blocks that lie behind themselves. */
static void a_circle_of_blocks(void **state)
{
	struct world *world = *state;
	uint32_t key = free_key(world, MODE_BLOCKS, 4);
	struct wqe wqe = registration(key, INLINE, PAGE, 1);

	add_entry(&wqe, 0, (key & ~0xffu) | 0x06, START);
	give(world, &wqe, 0);
	write_to(world, (key & ~0xffu) | 0x06, START, REMOTE_ACCESS);
}

/* Each of these ends in an error, and the key stays free. */
static void refuse(struct world *world, struct wqe *wqe, unsigned int syndrome)
{
	struct guest *guest = &world->bench->guest[1];

	give(world, wqe, syndrome);
	assert_int_equal(on(guest, QUERY_MKEY, world->region >> 8), 0);
	assert_int_equal(guest->out[16] & 0x40, 0x40);
}

static void more_than_there_is_room_for(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, 0, PAGE, PAGES / 2 + 1);

	add_pointer(world, &wqe, PAGES / 2 + 1);
	refuse(world, &wqe, MW_BIND);
}

static void a_piece_that_ends_outside(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, INLINE | OFFSET, PAGE, 2);

	add_pages(&wqe, 16, 4);
	put_be16(wqe.bytes + 16 + 6, PAGES / 2 - 1);
	refuse(world, &wqe, MW_BIND);
}

/* An offset of 2^32 - 1 octwords, and one that has more than 32 bits. */
static void a_piece_that_wraps_around(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, INLINE | OFFSET, PAGE, 2);

	add_pages(&wqe, 16, 4);
	put_be16(wqe.bytes + 16 + 6, 0xffff);
	put_be32(wqe.bytes + 16 + 16, 0xffff);
	refuse(world, &wqe, MW_BIND);
}

static void a_piece_far_away(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, INLINE | OFFSET, PAGE, 2);

	add_pages(&wqe, 16, 4);
	put_be32(wqe.bytes + 16 + 16, 0x10000);
	refuse(world, &wqe, MW_BIND);
}

static void longer_than_its_pages(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, INLINE, 2 * PAGE + 1, 1);

	add_pages(&wqe, 16, 2);
	refuse(world, &wqe, MW_BIND);
}

static void pages_of_no_size(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, INLINE, PAGE, 1);

	add_pages(&wqe, 16, 2);
	wqe.bytes[64 + 59] = 0;
	refuse(world, &wqe, MW_BIND);
}

static void no_list_at_all(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, INLINE, PAGE, 0);

	refuse(world, &wqe, MW_BIND);
}

static void a_range_that_wraps_around(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, INLINE, 2 * PAGE, 1);

	add_pages(&wqe, 16, 2);
	put_be64(wqe.bytes + 64 + 16, 0 - (uint64_t)PAGE);
	refuse(world, &wqe, MW_BIND);
}

static void a_list_that_can_not_be_read(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, 0, PAGE, 4);

	put_data_segment(add_segments(&wqe, 1), 64, world->to.guest->lkey ^ 1, bus(DATA_AT));
	refuse(world, &wqe, LOCAL_PROTECTION);
}

static void a_list_that_is_cut_off(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, 0, PAGE, 4);

	add_data(&wqe, &world->to, LIST, 63);
	refuse(world, &wqe, LOCAL_LENGTH);
}

static void a_pointer_that_is_missing(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(world->region, 0, PAGE, 4);

	refuse(world, &wqe, LOCAL_QP_OPERATION);
}

static void physical_keys_have_no_list(void **state)
{
	struct world *world = *state;
	struct wqe wqe = registration(free_key(world, MODE_PHYSICAL, 4), INLINE, PAGE, 1);

	add_pages(&wqe, 16, 2);
	refuse(world, &wqe, MW_BIND);
}

/* A key may have room for more than the device has, as long as it isn't filled. */
static void lists_have_a_common_limit(void **state)
{
	struct world *world = *state;
	uint32_t a = free_key(world, MODE_PAGES, 1 << 22), b = free_key(world, MODE_PAGES, 1 << 22),
		 c = free_key(world, MODE_PAGES, 1 << 22);
	struct wqe wqe[3] = { begin_change(a, INLINE, 0, 1), begin_change(b, INLINE, 0, 1),
			      begin_change(c, INLINE, 0, 1) };

	for (int i = 0; i < 3; i++)
		add_pages(&wqe[i], 16, 2);
	give(world, &wqe[0], 0);
	assert_int_equal(on(&world->bench->guest[1], DESTROY_MKEY, a >> 8), 0);
	give(world, &wqe[1], 0);
	give(world, &wqe[2], MW_BIND); /* the bench's own keys have some */
}

static void keys_of_a_monstrous_list(void **state)
{
	struct world *world = *state;
	struct guest *guest = &world->bench->guest[1];

	guest->in[16] = 0x40;
	guest->in[16 + 2] = 0x80 | MODE_PAGES;
	put_be32(guest->in + 16 + 12, guest->pd);
	put_be32(guest->in + 16 + 52, 0xffffffff);
	assert_int_not_equal(execute(guest, CREATE_MKEY, 0, 272), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		bench_test(a_list_in_the_request),
		bench_test(a_list_elsewhere),
		bench_test(larger_pages),
		bench_test(registered_anew),
		bench_test(invalidated_by_the_other_side),
		bench_test(a_list_in_pieces),
		bench_test(a_piece_of_a_valid_list),
		bench_test(a_list_of_keys),
		bench_test(a_piece_of_a_list_of_keys),
		bench_test(a_shorter_list_of_keys),
		bench_test(an_interleaved_list),
		bench_test(interleaved_too_long),
		bench_test(interleaved_too_far),
		bench_test(interleaved_of_nothing),
		bench_test(a_list_of_blocks),
		bench_test(blocks_beyond_the_list),
		bench_test(as_long_as_the_list),
		bench_test(a_circle_of_blocks),
		bench_test(more_than_there_is_room_for),
		bench_test(a_piece_that_ends_outside),
		bench_test(a_piece_that_wraps_around),
		bench_test(a_piece_far_away),
		bench_test(longer_than_its_pages),
		bench_test(pages_of_no_size),
		bench_test(no_list_at_all),
		bench_test(a_range_that_wraps_around),
		bench_test(a_list_that_can_not_be_read),
		bench_test(a_list_that_is_cut_off),
		bench_test(a_pointer_that_is_missing),
		bench_test(physical_keys_have_no_list),
		bench_test(lists_have_a_common_limit),
		bench_test(keys_of_a_monstrous_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
