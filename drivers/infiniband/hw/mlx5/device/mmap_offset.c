// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Offsets of mappings, in pages: bits 0 to 7 are an index, 8 to 15 say what it's an index of, 16 to
 * 23 are the index's upper half, where there may be more than 256. Objects made for being mapped
 * are numbered by ib_core, what and index in one: there in the order of significance.
 */
#include "device.h"

#define BYTE 0xff
#define COMMAND_SHIFT 8
#define UPPER_SHIFT 16
#define NUMBER_COMMAND_SHIFT 16

u8 mlx5_ib_mmap_command(unsigned long pgoff)
{
	return pgoff >> COMMAND_SHIFT & BYTE;
}

u32 mlx5_ib_mmap_index(unsigned long pgoff)
{
	return pgoff & BYTE;
}

u32 mlx5_ib_mmap_long_index(unsigned long pgoff)
{
	return (pgoff >> UPPER_SHIFT & BYTE) << 8 | (pgoff & BYTE);
}

/* ib_core's number of the entry that is mapped at @pgoff. */
unsigned long mlx5_ib_mmap_entry_number(unsigned long pgoff)
{
	return (unsigned long)mlx5_ib_mmap_command(pgoff) << NUMBER_COMMAND_SHIFT |
	       mlx5_ib_mmap_long_index(pgoff);
}

/* Where a process maps the entry of this number, in bytes. */
u64 mlx5_ib_mmap_entry_offset(unsigned long number)
{
	u64 index = number & 0xffff, command = number >> NUMBER_COMMAND_SHIFT & BYTE;
	u64 pgoff = index >> 8 << UPPER_SHIFT | command << COMMAND_SHIFT | (index & BYTE);

	return pgoff << PAGE_SHIFT;
}
