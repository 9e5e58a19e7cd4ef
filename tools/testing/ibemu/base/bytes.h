/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Big-endian fields at any address, and bit fields as the InfiniBand specification and the device
 * documents number them: bit offset 0 is the most significant bit of byte 0.
 */
#ifndef IBEMU_BYTES_H
#define IBEMU_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint16_t get_be16(const void *p)
{
	const uint8_t *b = p;

	return (uint16_t)(b[0] << 8 | b[1]);
}

static inline uint32_t get_be24(const void *p)
{
	const uint8_t *b = p;

	return (uint32_t)b[0] << 16 | (uint32_t)b[1] << 8 | b[2];
}

static inline uint32_t get_be32(const void *p)
{
	const uint8_t *b = p;

	return (uint32_t)b[0] << 24 | get_be24(b + 1);
}

static inline uint64_t get_be64(const void *p)
{
	const uint8_t *b = p;

	return (uint64_t)get_be32(b) << 32 | get_be32(b + 4);
}

static inline void put_be16(void *p, uint16_t v)
{
	uint8_t *b = p;

	b[0] = (uint8_t)(v >> 8);
	b[1] = (uint8_t)v;
}

static inline void put_be24(void *p, uint32_t v)
{
	uint8_t *b = p;

	b[0] = (uint8_t)(v >> 16);
	put_be16(b + 1, (uint16_t)v);
}

static inline void put_be32(void *p, uint32_t v)
{
	uint8_t *b = p;

	b[0] = (uint8_t)(v >> 24);
	put_be24(b + 1, v);
}

static inline void put_be64(void *p, uint64_t v)
{
	uint8_t *b = p;

	put_be32(b, (uint32_t)(v >> 32));
	put_be32(b + 4, (uint32_t)v);
}

/* The width (1..32) bits at a bit offset; they may not cross more than one 32-bit word boundary. */
static inline uint32_t get_bits(const void *p, unsigned int bit, unsigned int width)
{
	const uint8_t *b = (const uint8_t *)p + bit / 8;
	unsigned int skip = bit % 8, have = 0;
	uint64_t v = 0;

	while (have < skip + width) {
		v = v << 8 | *b++;
		have += 8;
	}
	return (uint32_t)(v >> (have - skip - width) & (~0ull >> (64 - width)));
}

static inline void put_bits(void *p, unsigned int bit, unsigned int width, uint32_t v)
{
	uint8_t *b = (uint8_t *)p;

	for (unsigned int i = 0; i < width; i++) {
		unsigned int at = bit + i;
		uint8_t mask = (uint8_t)(0x80u >> (at % 8));

		if (v >> (width - 1 - i) & 1)
			b[at / 8] |= mask;
		else
			b[at / 8] &= (uint8_t)~mask;
	}
}

#endif
