// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Memory windows and other keys that lie behind keys, seen from the other side of a connection. */
#include "pair.h"

static struct pair *pair;
static struct side *a, *b;
static struct hca_mkey window;

static int set_up(void **state)
{
	(void)state;
	pair = connected_pair(HCA_QP_RC);
	a = &pair->a;
	b = &pair->b;
	memset(&window, 0, sizeof(window));
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	if (window.parts)
		hca_mkey_destroy(&b->hca, &window);
	destroy_pair(pair);
	return 0;
}

/* A key on b: parts of len bytes each, one for every place given. */
static void make_window(uint64_t start, uint32_t len, unsigned int count, const uint32_t *at)
{
	window = (struct hca_mkey){
		.variant = 1, .mode = HCA_MKEY_INDIRECT, .pd = PD, .start = start,
		.len = (uint64_t)len * count, .access = HCA_REMOTE_READ | HCA_REMOTE_WRITE,
		.part_count = count, .parts = calloc(count, sizeof(struct hca_mkey_part)),
	};
	for (unsigned int i = 0; i < count; i++)
		window.parts[i] = (struct hca_mkey_part){
			.end = (uint64_t)len * (i + 1), .addr = data_addr(at[i]),
			.key = key_of(&b->mkey),
		};
	assert_int_equal(hca_mkey_create(&b->hca, &window), 0);
}

static struct hca_send_wr *prepare_window(enum hca_opcode opcode, uint32_t at, uint32_t len,
					  uint64_t remote_addr)
{
	struct hca_send_wr *wr = prepare(a, opcode, at, len);

	wr->remote_addr = remote_addr;
	wr->rkey = key_of(&window);
	return wr;
}

static void expect_status(enum hca_status status)
{
	ring(a);
	expect_wc(a, a->wcs - 1, HCA_WC_SEND, status);
}

/* Against a slow reference: each byte is looked for in the parts one after another. */
static void bytes_come_from_their_parts(void **state)
{
	static const uint32_t at[] = { 0x3000, 0x1003, 0x9000, 0x2001, 0x5ff0 };

	(void)state;
	fill(b, 0, 0x10000, 1);
	make_window(0x77000, 777, 5, at);
	prepare_window(HCA_READ, 0, 5 * 777, 0x77000);
	expect_status(HCA_OK);
	for (uint32_t i = 0; i < 5 * 777; i++)
		assert_int_equal(*data(a, i), *data(b, at[i / 777] + i % 777));
	fill(a, 0x10000, 2000, 9);
	prepare_window(HCA_WRITE, 0x10000, 2000, 0x77000 + 700);
	expect_status(HCA_OK);
	for (uint32_t i = 0; i < 2000; i++)
		assert_int_equal(*data(a, 0x10000 + i),
				 *data(b, at[(700 + i) / 777] + (700 + i) % 777));
}

static void a_window_has_bounds(void **state)
{
	static const uint32_t at = 0x1000;

	(void)state;
	make_window(0, 100, 1, &at);
	prepare_window(HCA_WRITE, 0, 100, 0);
	expect_status(HCA_OK);
	prepare_window(HCA_WRITE, 0, 100, 1);
	expect_status(HCA_REMOTE_ACCESS);
}

static void a_window_has_rights_of_its_own(void **state)
{
	static const uint32_t at = 0x1000;

	(void)state;
	make_window(0, 100, 1, &at);
	window.access = HCA_REMOTE_READ;
	prepare_window(HCA_READ, 0, 100, 0);
	expect_status(HCA_OK);
	prepare_window(HCA_WRITE, 0, 100, 0);
	expect_status(HCA_REMOTE_ACCESS);
}

static void what_is_behind_it_must_let_it(void **state)
{
	static const uint32_t at = 0x1000;

	(void)state;
	make_window(0, 100, 1, &at);
	b->mkey.access &= (uint8_t)~HCA_LOCAL_WRITE;
	prepare_window(HCA_READ, 0, 100, 0);
	expect_status(HCA_OK);
	prepare_window(HCA_WRITE, 0, 100, 0);
	expect_status(HCA_REMOTE_ACCESS);
}

static void what_is_behind_it_may_have_gone(void **state)
{
	static const uint32_t at = 0x1000;

	(void)state;
	make_window(0, 100, 1, &at);
	window.parts[0].key ^= 1;
	prepare_window(HCA_READ, 0, 100, 0);
	expect_status(HCA_REMOTE_ACCESS);
}

static void a_circle_of_keys_ends(void **state)
{
	const uint32_t at = 0;

	(void)state;
	make_window(data_addr(0), 100, 1, &at);
	window.access |= HCA_LOCAL_READ;
	window.parts[0].key = key_of(&window);
	prepare_window(HCA_READ, 0, 8, data_addr(0));
	expect_status(HCA_REMOTE_ACCESS);
}

static void keys_may_lie_behind_each_other(void **state)
{
	static const uint32_t at = 0x1000;
	struct hca_mkey outer = { .mode = HCA_MKEY_INDIRECT, .pd = PD, .start = 0, .len = 50,
				  .access = HCA_REMOTE_READ, .part_count = 1 };

	(void)state;
	fill(b, 0x1000, 100, 3);
	make_window(0, 100, 1, &at);
	window.access |= HCA_LOCAL_READ;
	outer.parts = calloc(1, sizeof(*outer.parts));
	outer.parts[0] = (struct hca_mkey_part){ .end = 50, .addr = 20, .key = key_of(&window) };
	assert_int_equal(hca_mkey_create(&b->hca, &outer), 0);
	prepare_window(HCA_READ, 0, 50, 0)->rkey = key_of(&outer);
	expect_status(HCA_OK);
	assert_memory_equal(data(a, 0), data(b, 0x1014), 50);
	hca_mkey_destroy(&b->hca, &outer);
}

static void a_window_of_one_queue_pair(void **state)
{
	static const uint32_t at = 0x1000;

	(void)state;
	make_window(0, 100, 1, &at);
	window.qpn = b->qp.num;
	prepare_window(HCA_WRITE, 0, 8, 0);
	expect_status(HCA_OK);
	window.qpn++;
	prepare_window(HCA_WRITE, 0, 8, 0);
	expect_status(HCA_REMOTE_ACCESS);
}

static void a_window_can_be_invalidated_from_afar(void **state)
{
	static const uint32_t at = 0x1000;

	(void)state;
	make_window(0, 100, 1, &at);
	window.revocable = true;
	post_recv(b, 0, 8);
	prepare(a, HCA_SEND_INVALIDATE, 0, 8)->imm = key_of(&window);
	expect_status(HCA_OK);
	assert_true(window.free);
	prepare_window(HCA_WRITE, 0, 8, 0);
	expect_status(HCA_REMOTE_ACCESS);
}

static void an_atomic_across_two_parts_is_none(void **state)
{
	static const uint32_t at[] = { 0x1000, 0x2000 };

	(void)state;
	make_window(0, 12, 2, at);
	window.access |= HCA_REMOTE_ATOMIC;
	prepare_window(HCA_FETCH_ADD, 0, 8, 0)->swap_add = 5;
	expect_status(HCA_OK);
	assert_int_equal(*data(b, 0x1000), 5);
	prepare_window(HCA_FETCH_ADD, 0, 8, 8);
	expect_status(HCA_REMOTE_OPERATION);
}

static void parts_must_cover_the_range(void **state)
{
	struct hca_mkey_part parts[] = { { .end = 10 }, { .end = 5 }, { .end = 20 } };
	struct hca_mkey mkey = { .mode = HCA_MKEY_INDIRECT, .len = 21, .part_count = 3,
				 .parts = parts };

	(void)state;
	assert_int_equal(hca_mkey_create(&b->hca, &mkey), -EINVAL); /* not in order */
	parts[1].end = 15;
	assert_int_equal(hca_mkey_create(&b->hca, &mkey), -EINVAL); /* too short */
	mkey.len = 20;
	assert_true(hca_mkey_is_sound(&mkey));
	mkey.whole = true;
	assert_false(hca_mkey_is_sound(&mkey));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(bytes_come_from_their_parts),
		CASE(a_window_has_bounds),
		CASE(a_window_has_rights_of_its_own),
		CASE(what_is_behind_it_must_let_it),
		CASE(what_is_behind_it_may_have_gone),
		CASE(a_circle_of_keys_ends),
		CASE(keys_may_lie_behind_each_other),
		CASE(a_window_of_one_queue_pair),
		CASE(a_window_can_be_invalidated_from_afar),
		CASE(an_atomic_across_two_parts_is_none),
		CASE(parts_must_cover_the_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
