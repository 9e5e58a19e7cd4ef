// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Fields of the attributes of performance management. */

#include <linux/bits.h>

#include "device.h"

/**
 * rdma_pma_field - read a field of an attribute
 * @attribute: the attribute (the part of the MAD after the header and the reserved bytes)
 * @offset_bits: where the field starts, as the specification counts: from the first byte's
 *	most significant bit
 * @width_bits: its length, up to 64; a field shorter than a byte doesn't cross bytes
 *
 * Return: its value.
 */
u64 rdma_pma_field(const u8 *attribute, unsigned int offset_bits, unsigned int width_bits)
{
	const u8 *byte = attribute + offset_bits / 8;
	u64 value = 0;
	unsigned int i;

	if (width_bits < 8)
		return (*byte >> (8 - offset_bits % 8 - width_bits)) & (BIT(width_bits) - 1);
	for (i = 0; i < width_bits / 8; i++)
		value = value << 8 | byte[i];
	return value;
}
