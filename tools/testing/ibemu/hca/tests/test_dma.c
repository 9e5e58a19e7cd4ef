/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The helpers over the dma seam, on two pieces of memory that adjoin: [0x1000, 0x1010) and [0x1010,
 * 0x1018).
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "hca/dma.h"

static uint8_t first[16], second[8];
static bool second_is_read_only;

static void *map(struct dma *dma, uint64_t addr, size_t *len, enum dma_dir dir)
{
	uint64_t end = addr < 0x1010 ? 0x1010 : 0x1018;

	(void)dma;
	if (addr < 0x1000 || addr >= 0x1018 ||
	    (addr >= 0x1010 && second_is_read_only && dir == DMA_WRITE))
		return NULL;
	if (*len > end - addr)
		*len = (size_t)(end - addr);
	return addr < 0x1010 ? first + (addr - 0x1000) : second + (addr - 0x1010);
}

static const struct dma_ops ops = { .map = map };
static struct dma dma = { .ops = &ops };

static int set_up(void **state)
{
	(void)state;
	memcpy(first, "0123456789abcdef", 16);
	memcpy(second, "ghijklmn", 8);
	second_is_read_only = false;
	return 0;
}

static void reads_cross_pieces(void **state)
{
	char buf[24];

	(void)state;
	assert_int_equal(dma_read(&dma, 0x1000, buf, 24), 0);
	assert_memory_equal(buf, "0123456789abcdefghijklmn", 24);
	assert_int_equal(dma_read(&dma, 0x100f, buf, 2), 0);
	assert_memory_equal(buf, "fg", 2);
	assert_int_equal(dma_read(&dma, 0x1000, buf, 25), -EFAULT);
	assert_int_equal(dma_read(&dma, 0xfff, buf, 2), -EFAULT);
}

static void writes_cross_pieces_up_to_a_fault(void **state)
{
	(void)state;
	assert_int_equal(dma_write(&dma, 0x100e, "XYZ", 3), 0);
	assert_memory_equal(first + 13, "dXY", 3);
	assert_memory_equal(second, "Zhi", 3);
	second_is_read_only = true;
	assert_int_equal(dma_write(&dma, 0x100f, "PQ", 2), -EFAULT);
	assert_memory_equal(first + 15, "P", 1);
	assert_memory_equal(second, "Z", 1);
}

static void nothing_is_always_there(void **state)
{
	(void)state;
	assert_int_equal(dma_read(&dma, 0x5000, NULL, 0), 0);
	assert_int_equal(dma_write(&dma, UINT64_MAX, NULL, 0), 0);
}

static void wrapping_is_a_fault(void **state)
{
	char buf[4];

	(void)state;
	assert_int_equal(dma_read(&dma, UINT64_MAX - 1, buf, 4), -EFAULT);
	assert_int_equal(dma_write(&dma, UINT64_MAX - 1, buf, 4), -EFAULT);
	assert_null(dma_map(&dma, UINT64_MAX - 1, 4, DMA_READ));
}

static void a_map_is_one_piece(void **state)
{
	(void)state;
	assert_ptr_equal(dma_map(&dma, 0x1004, 12, DMA_READ), first + 4);
	assert_ptr_equal(dma_map(&dma, 0x1010, 8, DMA_WRITE), second);
	assert_null(dma_map(&dma, 0x1004, 13, DMA_READ));
	assert_null(dma_map(&dma, 0x1004, 0, DMA_READ));
	assert_null(dma_map(&dma, 0x1018, 1, DMA_READ));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(reads_cross_pieces, set_up),
		cmocka_unit_test_setup(writes_cross_pieces_up_to_a_fault, set_up),
		cmocka_unit_test_setup(nothing_is_always_there, set_up),
		cmocka_unit_test_setup(wrapping_is_a_fault, set_up),
		cmocka_unit_test_setup(a_map_is_one_piece, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
