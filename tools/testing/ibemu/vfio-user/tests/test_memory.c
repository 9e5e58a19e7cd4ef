/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include <errno.h>
#include <fcntl.h>
#include <linux/vfio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "vfio-user/memory.h"

#define PAGE 4096
#define READ VFIO_DMA_MAP_FLAG_READ
#define WRITE VFIO_DMA_MAP_FLAG_WRITE
#define BOTH (READ | WRITE)

static struct memory memory;
static int file; /* 16 pages; each byte of page n is n + 1 */

static int set_up(void **state)
{
	uint8_t page[PAGE];

	(void)state;
	memory_init(&memory);
	memory.bus_master = true;
	file = memfd_create("guest", 0);
	for (int i = 0; i < 16; i++) {
		memset(page, i + 1, sizeof(page));
		if (write(file, page, sizeof(page)) != sizeof(page))
			return -1;
	}
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	memory_unmap_all(&memory);
	close(file);
	return 0;
}

static int read_byte(uint64_t addr)
{
	uint8_t byte;
	int error = dma_read(&memory.dma, addr, &byte, 1);

	return error ? error : byte;
}

static void both_edges_of_a_mapping_are_sharp(void **state)
{
	uint8_t buf[2 * PAGE];

	(void)state;
	assert_int_equal(memory_map(&memory, 0x100000, 2 * PAGE, BOTH, file, 3 * PAGE), 0);
	assert_int_equal(read_byte(0x100000), 4);
	assert_int_equal(read_byte(0x101fff), 5);
	assert_int_equal(read_byte(0xfffff), -EFAULT);
	assert_int_equal(read_byte(0x102000), -EFAULT);
	assert_int_equal(dma_read(&memory.dma, 0x100000, buf, sizeof(buf)), 0);
	assert_int_equal(buf[PAGE - 1], 4);
	assert_int_equal(buf[PAGE], 5);
	assert_int_equal(dma_read(&memory.dma, 0x100001, buf, sizeof(buf)), -EFAULT);
	assert_non_null(dma_map(&memory.dma, 0x100000, 2 * PAGE, DMA_WRITE));
	assert_null(dma_map(&memory.dma, 0x100000, 2 * PAGE + 1, DMA_READ));
	assert_null(dma_map(&memory.dma, 0x100000, 0, DMA_READ));
}

static void an_access_across_mappings_is_put_together(void **state)
{
	uint8_t buf[4] = { 0 };
	const uint8_t expected[4] = { 9, 9, 1, 1 };

	(void)state;
	assert_int_equal(memory_map(&memory, PAGE, PAGE, BOTH, file, 0), 0);
	assert_int_equal(memory_map(&memory, 0, PAGE, BOTH, file, 8 * PAGE), 0);
	assert_int_equal(dma_read(&memory.dma, PAGE - 2, buf, 4), 0);
	assert_memory_equal(buf, expected, 4);
	assert_null(dma_map(&memory.dma, PAGE - 2, 4, DMA_READ));
	assert_int_equal(dma_write(&memory.dma, PAGE - 2, "abcd", 4), 0);
	assert_int_equal(read_byte(PAGE - 1), 'b');
	assert_int_equal(read_byte(PAGE), 'c');
}

static void a_hole_ends_an_access(void **state)
{
	uint8_t buf[3 * PAGE];

	(void)state;
	assert_int_equal(memory_map(&memory, 0, PAGE, BOTH, file, 0), 0);
	assert_int_equal(memory_map(&memory, 2 * PAGE, PAGE, BOTH, file, 0), 0);
	assert_int_equal(dma_read(&memory.dma, 0, buf, 3 * PAGE), -EFAULT);
	assert_int_equal(dma_write(&memory.dma, PAGE - 1, buf, 2), -EFAULT);
}

static void an_access_that_wraps_is_refused(void **state)
{
	uint8_t buf[16];
	const uint64_t top = UINT64_MAX - PAGE + 1;

	(void)state;
	assert_int_equal(memory_map(&memory, 0, PAGE, BOTH, file, 0), 0);
	assert_int_equal(memory_map(&memory, top, PAGE, BOTH, file, PAGE),
			 0); /* ends with the address space */
	assert_int_equal(read_byte(UINT64_MAX), 2);
	assert_int_equal(dma_read(&memory.dma, UINT64_MAX - 7, buf, 8), 0);
	assert_int_equal(dma_read(&memory.dma, UINT64_MAX - 7, buf, 9), -EFAULT);
	assert_null(dma_map(&memory.dma, UINT64_MAX, 2, DMA_READ));
}

static void rights_are_those_of_the_mapping(void **state)
{
	(void)state;
	assert_int_equal(memory_map(&memory, 0, PAGE, READ, file, 0), 0);
	assert_int_equal(memory_map(&memory, PAGE, PAGE, WRITE, file, 0), 0);
	assert_int_equal(read_byte(0), 1);
	assert_int_equal(dma_write(&memory.dma, 0, "x", 1), -EFAULT);
	assert_null(dma_map(&memory.dma, 0, 1, DMA_WRITE));
	assert_int_equal(dma_write(&memory.dma, PAGE, "x", 1), 0);
	assert_int_equal(read_byte(PAGE), -EFAULT);
}

static void memory_without_a_descriptor_is_out_of_reach(void **state)
{
	(void)state;
	assert_int_equal(memory_map(&memory, 0, PAGE, BOTH, -1, 0), 0);
	assert_int_equal(read_byte(0), -EFAULT);
	assert_int_equal(dma_write(&memory.dma, 0, "x", 1), -EFAULT);
	assert_int_equal(memory_map(&memory, 0, PAGE, BOTH, file, 0), -EEXIST);
	assert_int_equal(memory_unmap(&memory, 0, PAGE), 0);
}

static void a_device_that_is_no_bus_master_has_no_access(void **state)
{
	(void)state;
	assert_int_equal(memory_map(&memory, 0, PAGE, BOTH, file, 0), 0);
	memory.bus_master = false;
	assert_int_equal(read_byte(0), -EFAULT);
	memory.bus_master = true;
	assert_int_equal(read_byte(0), 1);
}

static void odd_ranges_are_refused(void **state)
{
	static const struct {
		uint64_t addr, size, offset;
		uint32_t flags;
	} bad[] = {
		{ 1, PAGE, 0, BOTH },
		{ 0, PAGE + 1, 0, BOTH },
		{ 0, 0, 0, BOTH },
		{ UINT64_MAX - PAGE + 1, 2 * PAGE, 0, BOTH },
		{ PAGE, UINT64_MAX - PAGE + 1, 0, BOTH },
		{ 0, PAGE, 0, 0 },
		{ 0, PAGE, 0, BOTH | 4 },
		{ 0, PAGE, 1, BOTH },
		{ 0, PAGE, 16 * PAGE, BOTH },
		{ 0, 17 * PAGE, 0, BOTH },
		{ 0, 2 * PAGE, UINT64_MAX - PAGE + 1, BOTH },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(memory_map(&memory, bad[i].addr, bad[i].size, bad[i].flags, file,
					    bad[i].offset),
				 -EINVAL);
	assert_int_equal(memory.count, 0);
}

static void overlaps_are_refused(void **state)
{
	static const struct {
		uint64_t addr, size;
		int result;
	} tries[] = {
		{ 4, 4, -EEXIST }, /* the same */
		{ 5, 1, -EEXIST }, /* inside */
		{ 3, 6, -EEXIST }, /* around */
		{ 3, 2, -EEXIST }, /* over its start */
		{ 7, 2, -EEXIST }, /* over its end */
		{ 0, 16, -EEXIST }, /* around this one and the next */
		{ 3, 1, 0 }, /* before */
		{ 8, 1, 0 }, /* behind */
		{ 9, 3, -EEXIST }, /* over the start of the next one */
	};

	(void)state;
	assert_int_equal(memory_map(&memory, 4 * PAGE, 4 * PAGE, BOTH, file, 0), 0);
	assert_int_equal(memory_map(&memory, 10 * PAGE, PAGE, BOTH, file, 0), 0);
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++)
		assert_int_equal(memory_map(&memory, tries[i].addr * PAGE, tries[i].size * PAGE,
					    BOTH, file, 0),
				 tries[i].result);
}

static void unmap_takes_exactly_one_mapping(void **state)
{
	(void)state;
	assert_int_equal(memory_map(&memory, 4 * PAGE, 4 * PAGE, BOTH, file, 0), 0);
	assert_int_equal(memory_map(&memory, 8 * PAGE, PAGE, BOTH, file, 0), 0);
	assert_int_equal(read_byte(8 * PAGE), 1); /* now the cached one */
	assert_int_equal(memory_unmap(&memory, 4 * PAGE, PAGE), -ENOENT);
	assert_int_equal(memory_unmap(&memory, 5 * PAGE, 3 * PAGE), -ENOENT);
	assert_int_equal(memory_unmap(&memory, 4 * PAGE, 5 * PAGE), -ENOENT);
	assert_int_equal(memory_unmap(&memory, 0, PAGE), -ENOENT);
	assert_int_equal(memory_unmap(&memory, 4 * PAGE, 4 * PAGE), 0);
	assert_int_equal(read_byte(4 * PAGE), -EFAULT);
	assert_int_equal(read_byte(8 * PAGE), 1);
	assert_int_equal(memory_unmap(&memory, 8 * PAGE, PAGE), 0);
	assert_int_equal(memory_unmap(&memory, 8 * PAGE, PAGE), -ENOENT);
	assert_int_equal(read_byte(8 * PAGE), -EFAULT);
}

static void only_files_can_be_mapped(void **state)
{
	int event = eventfd(0, 0), folder = open("/", O_RDONLY), ends[2], read_only;
	char name[] = "/tmp/ibemu-test-XXXXXX";
	int on_disk = mkstemp(name);

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(ftruncate(on_disk, PAGE), 0);
	read_only = open(name, O_RDONLY);
	unlink(name);
	assert_int_equal(memory_map(&memory, 0, PAGE, BOTH, event, 0), -EINVAL);
	assert_int_equal(memory_map(&memory, 0, PAGE, BOTH, folder, 0), -EINVAL);
	assert_int_equal(memory_map(&memory, 0, PAGE, BOTH, ends[0], 0), -EINVAL);
	assert_int_equal(memory_map(&memory, 0, PAGE, BOTH, 12345, 0), -EBADF);
	assert_int_equal(memory_map(&memory, 0, PAGE, BOTH, read_only, 0), -EACCES);
	assert_int_equal(memory_map(&memory, 0, PAGE, READ, read_only, 0), 0);
	close(event);
	close(folder);
	close(ends[0]);
	close(ends[1]);
	close(on_disk);
	close(read_only);
}

/* A client that shortens its file after we have mapped it must not kill us. */
static void a_file_that_shrinks_leaves_empty_memory(void **state)
{
	(void)state;
	memory_init(&memory); /* once more: cmocka has put a signal handler of its own there */
	memory.bus_master = true;
	assert_int_equal(memory_map(&memory, 0, 2 * PAGE, BOTH, file, 0), 0);
	assert_int_equal(ftruncate(file, PAGE), 0);
	assert_int_equal(read_byte(PAGE - 1), 1);
	assert_int_equal(read_byte(PAGE + 5), 0);
	assert_int_equal(dma_write(&memory.dma, PAGE + 5, "x", 1), 0);
	assert_int_equal(memory_unmap(&memory, 0, 2 * PAGE), 0);
}

static void the_table_is_bounded(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < MEMORY_MAX_MAPPINGS; i++)
		assert_int_equal(memory_map(&memory, 2 * i * PAGE, PAGE, BOTH, -1, 0), 0);
	assert_int_equal(memory_map(&memory, PAGE, PAGE, BOTH, file, 0), -ENOSPC);
	assert_int_equal(memory_unmap(&memory, 2 * 77 * PAGE, PAGE), 0);
	assert_int_equal(memory_map(&memory, PAGE, PAGE, BOTH, file, 0), 0);
	assert_int_equal(read_byte(PAGE), 1);
}

/* The table against a plain array of pages, over random maps and unmaps. */
static void lookups_agree_with_a_simple_model(void **state)
{
	enum { PAGES = 64 };
	struct {
		int start, pages;
	} live[PAGES] = { { 0 } };
	uint8_t content[PAGES] = { 0 }; /* what a page reads as; 0: not mapped */

	(void)state;
	srand(1);
	for (int round = 0; round < 4000; round++) {
		int at = rand() % PAGES, pages = 1 + rand() % 6, from = rand() % 8;
		bool is_free = at + pages <= PAGES;

		if (live[at].pages) {
			assert_int_equal(memory_unmap(&memory, (uint64_t)at * PAGE,
						      (uint64_t)live[at].pages * PAGE),
					 0);
			memset(content + at, 0, (size_t)live[at].pages);
			live[at].pages = 0;
		} else if (is_free) {
			for (int i = at; i < at + pages; i++)
				is_free = is_free && !content[i];
			assert_int_equal(memory_map(&memory, (uint64_t)at * PAGE,
						    (uint64_t)pages * PAGE, BOTH, file,
						    (uint64_t)from * PAGE),
					 is_free ? 0 : -EEXIST);
			for (int i = 0; is_free && i < pages; i++)
				content[at + i] = (uint8_t)(from + i + 1);
			live[at].pages = is_free ? pages : 0;
		}
		at = rand() % PAGES;
		assert_int_equal(read_byte((uint64_t)at * PAGE + 17),
				 content[at] ? content[at] : -EFAULT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(both_edges_of_a_mapping_are_sharp, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(an_access_across_mappings_is_put_together, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_hole_ends_an_access, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_access_that_wraps_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(rights_are_those_of_the_mapping, set_up, tear_down),
		cmocka_unit_test_setup_teardown(memory_without_a_descriptor_is_out_of_reach, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_device_that_is_no_bus_master_has_no_access,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(odd_ranges_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(overlaps_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(unmap_takes_exactly_one_mapping, set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_files_can_be_mapped, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_file_that_shrinks_leaves_empty_memory, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(the_table_is_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(lookups_agree_with_a_simple_model, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
