// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Noise in reserved fields. Firmware may put there what it likes, and newer firmware does; a driver
 * that looks at them works until that day.
 */
#include "connectx5/device.h"
#include "connectx5/output.h"

static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull; /* splitmix64 */

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static void mark_field(uint8_t *mask, uint32_t len, uint32_t at, uint32_t width)
{
	for (uint32_t bit = at; bit < at + width && bit / 8 < len; bit++)
		mask[bit / 8] |= (uint8_t)(0x80u >> bit % 8);
}

void cx5_noise_apply(struct connectx5 *dev, const struct cx5_output *output, uint8_t *out,
		     uint32_t len)
{
	uint8_t mask[CX5_OUTPUT_MAX] = { 0 };

	if (len > output->len)
		len = output->len;
	for (int part = 0; part < CX5_OUTPUT_PARTS; part++) {
		const struct cx5_layout *layout = output->parts[part].layout;

		for (unsigned int i = 0; layout && i < layout->count; i++)
			mark_field(mask, len, output->parts[part].at * 8 + layout->fields[i].at,
				   layout->fields[i].width);
	}
	for (uint32_t i = 0; i < len; i++)
		out[i] = (uint8_t)((out[i] & mask[i]) | (next(&dev->noise) & ~mask[i]));
}
