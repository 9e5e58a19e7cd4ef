/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "vfio-user/pci.h"

/* Offsets and bits are those of the PCI specification, written out here on purpose. */

static const struct vfu_config config = {
	.vendor_id = 0x15b3,
	.device_id = 0x1017,
	.subsystem_vendor_id = 0x15b3,
	.subsystem_id = 0x0009,
	.class_code = 0x020700,
	.revision = 0x01,
	.bar0_size = 32 << 20,
	.bar2_size = 8ull << 30,
	.msix_vectors = 100,
	.msix_bar = 0,
	.msix_table_offset = 0x2000,
	.msix_pba_offset = 0x3000,
	.part_number = "PART",
	.serial_number = "SERIAL",
};

static struct pci_space space;

static int set_up(void **state)
{
	(void)state;
	return pci_init(&space, &config);
}

static uint32_t read_le(size_t at, size_t len)
{
	uint8_t b[4] = { 0 };

	pci_read(&space, at, b, len);
	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool write_le(size_t at, size_t len, uint32_t value)
{
	uint8_t b[4] = { (uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
			 (uint8_t)(value >> 24) };

	return pci_write(&space, at, b, len);
}

static void the_header_says_what_was_configured(void **state)
{
	(void)state;
	assert_int_equal(read_le(0x00, 4), 0x101715b3);
	assert_int_equal(read_le(0x06, 2), 0x0010); /* status: capability list */
	assert_int_equal(read_le(0x08, 4), 0x02070001);
	assert_int_equal(read_le(0x0e, 1), 0x00); /* header type 0 */
	assert_int_equal(read_le(0x2c, 4), 0x000915b3);
	assert_int_equal(read_le(0x3d, 1), 0x00); /* no interrupt pin */
	assert_int_equal(read_le(0x100, 4), 0); /* no extended capability */
}

/* Software writes all ones to each half and reads back which bits stick. */
static void bars_are_sized_by_writing_ones(void **state)
{
	(void)state;
	for (size_t at = 0x10; at < 0x28; at += 4)
		write_le(at, 4, 0xffffffff);
	assert_int_equal(read_le(0x10, 4), 0xfe00000c); /* 32 MiB, 64-bit, prefetchable */
	assert_int_equal(read_le(0x14, 4), 0xffffffff);
	assert_int_equal(read_le(0x18, 4), 0x0000000c); /* 8 GiB */
	assert_int_equal(read_le(0x1c, 4), 0xfffffffe);
	assert_int_equal(read_le(0x20, 4), 0);
	assert_int_equal(read_le(0x24, 4), 0);
	write_le(0x30, 4, 0xffffffff); /* no expansion ROM */
	assert_int_equal(read_le(0x30, 4), 0);
}

static void a_bar_keeps_its_address(void **state)
{
	(void)state;
	write_le(0x10, 4, 0xfc123456);
	write_le(0x14, 4, 0x00000012);
	assert_int_equal(read_le(0x10, 4), 0xfc00000c);
	assert_int_equal(read_le(0x14, 4), 0x12);
	write_le(0x13, 1, 0xaa); /* a single byte */
	assert_int_equal(read_le(0x10, 4), 0xaa00000c);
}

static void read_only_bits_stay(void **state)
{
	static const uint16_t read_only[] = { 0x00, 0x02, 0x08, 0x0a, 0x0e, 0x2c, 0x2e, 0x34,
					      0x3d, 0x40, 0x42, 0x48, 0x60, 0x62, 0x64, 0x6c,
					      0x72, 0x84, 0x8c, 0x9c, 0xa0, 0xa4 };

	(void)state;
	for (size_t i = 0; i < sizeof(read_only) / sizeof(read_only[0]); i++) {
		uint32_t before = read_le(read_only[i], 1);

		write_le(read_only[i], 1, ~before);
		assert_int_equal(read_le(read_only[i], 1), before);
	}
	write_le(0x04, 2, 0xffff);
	assert_int_equal(read_le(0x04, 2),
			 0x0546); /* memory, master, parity, SERR, INTx disable; no I/O */
	write_le(0x9e, 2, 0xffff);
	assert_int_equal(read_le(0x9e, 2), 0xc063); /* enable, function mask; 100 vectors */
}

static void every_byte_can_be_written_without_harm(void **state)
{
	uint8_t ones[PCI_SPACE], back[PCI_SPACE];

	(void)state;
	memset(ones, 0xff, sizeof(ones));
	assert_true(pci_write(&space, 0, ones, sizeof(ones))); /* the reset bit is among them */
	pci_read(&space, 0, back, sizeof(back));
	assert_int_equal(back[0], 0xb3);
	assert_int_equal(back[4095], 0);
}

static void status_bits_are_cleared_by_writing_ones(void **state)
{
	(void)state;
	space.bytes[0x07] = 0xf9; /* errors, as if they had happened */
	write_le(0x06, 2, 0x4000);
	assert_int_equal(read_le(0x06, 2), 0xb910);
	write_le(0x06, 2, 0xffff);
	assert_int_equal(read_le(0x06, 2), 0x0010);
	space.bytes[0x6a] = 0x0f;
	write_le(0x6a, 2, 0x0005);
	assert_int_equal(read_le(0x6a, 2), 0x000a);
}

static void the_capabilities_are_linked(void **state)
{
	(void)state;
	assert_int_equal(read_le(0x34, 1), 0x40);
	assert_int_equal(read_le(0x40, 2), 0x4801); /* power management */
	assert_int_equal(read_le(0x48, 2), 0x6003); /* VPD */
	assert_int_equal(read_le(0x60, 2), 0x9c10); /* PCI Express */
	assert_int_equal(read_le(0x9c, 2), 0x0011); /* MSI-X, the last one */
	assert_int_equal(read_le(0xa0, 4), 0x00002000);
	assert_int_equal(read_le(0xa4, 4), 0x00003000);
}

static void the_link_is_8_gt_by_16(void **state)
{
	(void)state;
	assert_int_equal(read_le(0x62, 2), 0x0002); /* version 2, endpoint */
	assert_int_equal(read_le(0x6c, 2), 0x0103);
	assert_int_equal(read_le(0x72, 2), 0x1103);
	assert_int_equal(read_le(0x8c, 4), 0x0000000e);
}

static void a_function_level_reset_is_asked_for_by_bit_15(void **state)
{
	(void)state;
	assert_true(read_le(0x64, 4) >> 28 & 1);
	assert_false(write_le(0x68, 2, 0x2810));
	assert_true(write_le(0x68, 2, 0x8000 | 0x2810));
	assert_int_equal(read_le(0x68, 2), 0x2810); /* it always reads 0 */
	assert_false(write_le(0x68, 1, 0x10));
	assert_true(write_le(0x69, 1, 0x80));
}

static void reset_brings_back_what_was_there_at_start(void **state)
{
	(void)state;
	write_le(0x04, 2, 0x0006);
	write_le(0x10, 4, 0xfc000000);
	write_le(0x3c, 1, 0x0b);
	write_le(0x9e, 2, 0x8000);
	assert_true(pci_is_bus_master(&space));
	pci_reset(&space);
	assert_false(pci_is_bus_master(&space));
	assert_int_equal(read_le(0x04, 2), 0);
	assert_int_equal(read_le(0x10, 4), 0x0000000c);
	assert_int_equal(read_le(0x3c, 1), 0);
	assert_int_equal(read_le(0x9e, 2), 0x0063);
	assert_int_equal(read_le(0x00, 4), 0x101715b3);
}

/* The whole of VPD, through the window of four bytes. */
static void vpd_is_read_through_its_window(void **state)
{
	static const uint8_t expected[] = {
		0x82, 5,    0,	 'i', 'b', 'e', 'm', 'u', /* name */
		0x90, 0x14, 0,				  /* read-only fields */
		'P',  'N',  4,	 'P', 'A', 'R', 'T',	  /* part number */
		'S',  'N',  6,	 'S', 'E', 'R', 'I', 'A', 'L',
		'R',  'V',  1,				  /* checksum follows */
	};
	uint8_t vpd[PCI_VPD_MAX], sum = 0;
	const size_t len = sizeof(expected);

	(void)state;
	for (uint32_t at = 0; at < sizeof(vpd); at += 4) {
		write_le(0x4a, 2, at);
		assert_int_equal(read_le(0x4a, 2), 0x8000 | at);
		pci_read(&space, 0x4c, vpd + at, 4);
	}
	assert_memory_equal(vpd, expected, len);
	for (size_t i = 0; i <= len; i++)
		sum = (uint8_t)(sum + vpd[i]);
	assert_int_equal(sum, 0);
	assert_int_equal(vpd[len + 1], 0x78);
	write_le(0x4a, 2, 0x7ffc); /* far beyond its end */
	assert_int_equal(read_le(0x4c, 4), 0);
}

static void vpd_can_not_be_written(void **state)
{
	(void)state;
	write_le(0x4c, 4, 0x12345678);
	write_le(0x4a, 2, 0x8000); /* "write to address 0" */
	assert_int_equal(read_le(0x4a, 2), 0x0000); /* done */
	write_le(0x4a, 2, 0x0000);
	assert_int_equal(read_le(0x4c, 4), 0x69000582);
}

static void impossible_configurations_are_refused(void **state)
{
	struct vfu_config bad = config;

	(void)state;
	bad.bar0_size = 3 << 20;
	assert_int_equal(pci_init(&space, &bad), -EINVAL);
	bad = config;
	bad.bar2_size = 512;
	assert_int_equal(pci_init(&space, &bad), -EINVAL);
	bad = config;
	bad.msix_bar = 4;
	assert_int_equal(pci_init(&space, &bad), -EINVAL);
	bad = config;
	bad.msix_table_offset = (32 << 20) - 1592; /* 100 entries of 16 bytes take 1600 */
	assert_int_equal(pci_init(&space, &bad), -EINVAL);
	bad = config;
	bad.msix_vectors = 2049;
	assert_int_equal(pci_init(&space, &bad), -EINVAL);
	bad = config;
	bad.msix_pba_offset = 0x3004;
	assert_int_equal(pci_init(&space, &bad), -EINVAL);
}

static void what_is_not_configured_is_not_there(void **state)
{
	const struct vfu_config bare = { .vendor_id = 1, .device_id = 2, .bar0_size = 4096 };

	(void)state;
	assert_int_equal(pci_init(&space, &bare), 0);
	assert_int_equal(read_le(0x40, 2), 0x6001); /* no VPD: power management, then PCI Express */
	assert_int_equal(read_le(0x60, 2), 0x0010); /* no MSI-X */
	write_le(0x48, 4, 0xffffffff);
	assert_int_equal(read_le(0x48, 4), 0);
	write_le(0x18, 4, 0xffffffff);
	assert_int_equal(read_le(0x18, 4), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_header_says_what_was_configured, set_up),
		cmocka_unit_test_setup(bars_are_sized_by_writing_ones, set_up),
		cmocka_unit_test_setup(a_bar_keeps_its_address, set_up),
		cmocka_unit_test_setup(read_only_bits_stay, set_up),
		cmocka_unit_test_setup(every_byte_can_be_written_without_harm, set_up),
		cmocka_unit_test_setup(status_bits_are_cleared_by_writing_ones, set_up),
		cmocka_unit_test_setup(the_capabilities_are_linked, set_up),
		cmocka_unit_test_setup(the_link_is_8_gt_by_16, set_up),
		cmocka_unit_test_setup(a_function_level_reset_is_asked_for_by_bit_15, set_up),
		cmocka_unit_test_setup(reset_brings_back_what_was_there_at_start, set_up),
		cmocka_unit_test_setup(vpd_is_read_through_its_window, set_up),
		cmocka_unit_test_setup(vpd_can_not_be_written, set_up),
		cmocka_unit_test_setup(impossible_configurations_are_refused, set_up),
		cmocka_unit_test_setup(what_is_not_configured_is_not_there, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
