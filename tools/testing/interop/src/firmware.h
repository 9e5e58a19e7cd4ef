/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef INTEROP_FIRMWARE_H
#define INTEROP_FIRMWARE_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

/* Fields of firmware commands: most significant byte first, at any address. */

static inline void put16(uint8_t *p, uint16_t value)
{
	value = htobe16(value);
	memcpy(p, &value, sizeof(value));
}

static inline void put32(uint8_t *p, uint32_t value)
{
	value = htobe32(value);
	memcpy(p, &value, sizeof(value));
}

static inline void put64(uint8_t *p, uint64_t value)
{
	value = htobe64(value);
	memcpy(p, &value, sizeof(value));
}

#endif
