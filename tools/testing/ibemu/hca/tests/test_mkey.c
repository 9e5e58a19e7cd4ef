/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Memory keys: who may touch what, and translation against a slow, obvious one. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hca/hca.h"

#define RAM_LEN 0x20000u
#define PD 3

static uint8_t ram[RAM_LEN]; /* at bus address 0 */

static void *map(struct dma *dma, uint64_t addr, size_t *len, enum dma_dir dir)
{
	(void)dma;
	(void)dir;
	if (addr >= RAM_LEN)
		return NULL;
	if (*len > RAM_LEN - addr)
		*len = RAM_LEN - addr;
	return ram + addr;
}

static const struct dma_ops ops = { .map = map };
static struct dma dma = { .ops = &ops };
static struct hca hca = { .dma = &dma };

static int set_up(void **state)
{
	(void)state;
	return idtab_init(&hca.mkeys, 2, 64);
}

static int tear_down(void **state)
{
	(void)state;
	idtab_destroy(&hca.mkeys);
	return 0;
}

static uint32_t key_of(const struct hca_mkey *mkey)
{
	return mkey->index << 8 | mkey->variant;
}

static void rights_and_bounds(void **state)
{
	struct hca_mkey mkey = {
		.variant = 0xab,
		.access = HCA_LOCAL_READ | HCA_REMOTE_WRITE,
		.mode = HCA_MKEY_PHYSICAL,
		.pd = PD,
		.start = 0x1000,
		.len = 0x100,
	};
	uint32_t key;

	(void)state;
	assert_int_equal(hca_mkey_create(&hca, &mkey), 0);
	key = key_of(&mkey);
	assert_non_null(hca_mkey_check(&hca, key, PD, 0x1000, 0x100, HCA_LOCAL_READ));
	assert_non_null(hca_mkey_check(&hca, key, PD, 0x1100, 0, HCA_REMOTE_WRITE));
	assert_null(hca_mkey_check(&hca, key, PD, 0x1000, 0x101, HCA_LOCAL_READ));
	assert_null(hca_mkey_check(&hca, key, PD, 0xfff, 1, HCA_LOCAL_READ));
	assert_null(hca_mkey_check(&hca, key, PD, 0x10ff, UINT64_MAX, HCA_LOCAL_READ));
	assert_null(hca_mkey_check(&hca, key, PD, UINT64_MAX, 2, HCA_LOCAL_READ));
	assert_null(hca_mkey_check(&hca, key, PD, 0x1000, 1, HCA_LOCAL_WRITE));
	assert_null(hca_mkey_check(&hca, key, PD, 0x1000, 1, HCA_LOCAL_READ | HCA_REMOTE_READ));
	assert_null(hca_mkey_check(&hca, key, PD + 1, 0x1000, 1, HCA_LOCAL_READ));
	assert_null(hca_mkey_check(&hca, key ^ 1, PD, 0x1000, 1, HCA_LOCAL_READ));
	assert_null(hca_mkey_check(&hca, key ^ 0x100, PD, 0x1000, 1, HCA_LOCAL_READ));
	mkey.free = true;
	assert_null(hca_mkey_check(&hca, key, PD, 0x1000, 1, HCA_LOCAL_READ));
	hca_mkey_destroy(&hca, &mkey);
	assert_null(hca_mkey_check(&hca, key, PD, 0x1000, 1, HCA_LOCAL_READ));
}

static void the_whole_address_space(void **state)
{
	struct hca_mkey mkey = {
		.access = HCA_LOCAL_WRITE, .mode = HCA_MKEY_PHYSICAL, .pd = PD, .whole = true
	};
	char text[] = "text";

	(void)state;
	assert_int_equal(hca_mkey_create(&hca, &mkey), 0);
	assert_int_equal(hca_mkey_copy(&hca, key_of(&mkey), PD, RAM_LEN - 4, text, 4, DMA_WRITE),
			 0);
	assert_memory_equal(ram + RAM_LEN - 4, "text", 4);
	assert_int_equal(hca_mkey_copy(&hca, key_of(&mkey), PD, RAM_LEN - 3, text, 4, DMA_WRITE),
			 -EFAULT);
	assert_int_equal(hca_mkey_copy(&hca, key_of(&mkey), PD, UINT64_MAX - 1, text, 4, DMA_WRITE),
			 -EFAULT);
	hca_mkey_destroy(&hca, &mkey);
}

static void page_lists_must_cover_the_range(void **state)
{
	static const struct {
		uint64_t start, len;
		unsigned int log_page_size, pages;
		int result;
	} cases[] = {
		{ 0x1000, 0x1000, 12, 1, 0 },
		{ 0x1000, 0x1001, 12, 1, -EINVAL },
		{ 0x1fff, 1, 12, 1, 0 },
		{ 0x1fff, 2, 12, 1, -EINVAL },
		{ 0x1fff, 2, 12, 2, 0 },
		{ 0x1000, 0, 12, 0, 0 },
		{ 0, 0x10000, 16, 1, 0 },
		{ 0, 0x1000, 11, 9, -EINVAL },
		{ 0, 0x1000, 63, 1, -EINVAL },
		{ UINT64_MAX, 1, 12, 1, 0 },
		{ UINT64_MAX, 2, 12, 1, -EINVAL },
		{ 1, UINT64_MAX, 62, 4, 0 },
		{ 1, UINT64_MAX, 62, 3, -EINVAL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hca_mkey mkey = {
			.mode = HCA_MKEY_PAGES,
			.start = cases[i].start,
			.len = cases[i].len,
			.log_page_size = (uint8_t)cases[i].log_page_size,
			.page_count = cases[i].pages,
			.pages = calloc(16, sizeof(uint64_t)),
		};

		assert_int_equal(hca_mkey_create(&hca, &mkey), cases[i].result);
		if (cases[i].result)
			free(mkey.pages);
		else
			hca_mkey_destroy(&hca, &mkey);
	}
}

/* Page by page, byte by byte: the address of a byte is that of its page and its place in it. */
static uint64_t obvious(const struct hca_mkey *mkey, uint64_t addr)
{
	uint64_t page_size = 1ull << mkey->log_page_size;
	uint64_t first_page = mkey->start / page_size;

	return mkey->pages[addr / page_size - first_page] + addr % page_size;
}

static void translation_is_the_obvious_one(void **state)
{
	uint64_t starts[] = { 0, 0x1000, 0x1abc, 0xfff, 0x7fff12345678, UINT64_MAX - 0x4fff };

	(void)state;
	srand(1);
	for (size_t i = 0; i < 2 * sizeof(starts) / sizeof(starts[0]); i++) {
		struct hca_mkey mkey = {
			.access = HCA_LOCAL_READ,
			.mode = HCA_MKEY_PAGES,
			.pd = PD,
			.start = starts[i / 2],
			.len = 0x5000,
			.log_page_size = i % 2 ? 13 : 12,
			.page_count = 6,
			.pages = calloc(6, sizeof(uint64_t)),
		};
		uint8_t copy[0x5000];

		for (int page = 0; page < 6; page++)
			mkey.pages[page] = (uint64_t)(rand() % 14) << 13;
		assert_int_equal(hca_mkey_create(&hca, &mkey), 0);
		for (size_t byte = 0; byte < RAM_LEN; byte++)
			ram[byte] = (uint8_t)rand();
		assert_int_equal(hca_mkey_copy(&hca, key_of(&mkey), PD, mkey.start, copy, 0x5000,
					       DMA_READ),
				 0);
		for (uint64_t byte = 0; byte < 0x5000; byte++) {
			size_t len = 0x5000 - byte;
			uint64_t bus;

			assert_int_equal(hca_mkey_resolve(&hca, &mkey, mkey.start + byte, &len,
							  DMA_READ, &bus),
					 0);
			assert_int_equal(bus, obvious(&mkey, mkey.start + byte));
			assert_true(len > 0);
			assert_int_equal(copy[byte], ram[obvious(&mkey, mkey.start + byte)]);
		}
		hca_mkey_destroy(&hca, &mkey);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rights_and_bounds),
		cmocka_unit_test(the_whole_address_space),
		cmocka_unit_test(page_lists_must_cover_the_range),
		cmocka_unit_test(translation_is_the_obvious_one),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
