/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Access to the fields that layout.h and cap_layout.h describe: GET(qpc, pd, p), PUT(qpc, pd, p,
 * value).
 */
#ifndef IBEMU_CX5_FIELD_H
#define IBEMU_CX5_FIELD_H

#include "base/bytes.h"
#include "connectx5/cap_layout.h"
#include "connectx5/layout.h"

#define CX5_LAYOUTS(F)                                                                             \
	CX5_EQC(F)                                                                                 \
	CX5_CQC(F) CX5_QPC(F) CX5_DCTC(F) CX5_ADS(F) CX5_MKC(F) CX5_WQ(F) CX5_RMPC(F)              \
		CX5_SRQC(F) CX5_HCA_CAP(F) CX5_ATOMIC_CAP(F) CX5_ODP_CAP(F) CX5_EVENT_CAP(F)       \
		CX5_HCA_CAP_2(F)                                                                   \
		CX5_VPORT_CONTEXT(F) CX5_UMEM(F)

#define CX5_FIELD_ENUM(layout, field, at, width) \
	layout##_##field##_at = (at), layout##_##field##_width = (width),
enum { CX5_LAYOUTS(CX5_FIELD_ENUM) };

#define GET(layout, field, p) get_bits(p, layout##_##field##_at, layout##_##field##_width)
#define PUT(layout, field, p, v) put_bits(p, layout##_##field##_at, layout##_##field##_width, v)

/* Fields of 64 bits, which are always aligned. */
#define GET64(layout, field, p) get_be64((const uint8_t *)(p) + layout##_##field##_at / 8)
#define PUT64(layout, field, p, v) put_be64((uint8_t *)(p) + layout##_##field##_at / 8, v)

struct cx5_field {
	const char *name;
	uint16_t at, width; /* bits */
};

struct cx5_layout {
	const struct cx5_field *fields;
	unsigned int count;
};

static inline uint64_t cx5_field_get(const struct cx5_field *field, const uint8_t *p)
{
	return field->width == 64 ? get_be64(p + field->at / 8)
				  : get_bits(p, field->at, field->width);
}

static inline void cx5_field_copy(const struct cx5_field *field, uint8_t *to, const uint8_t *from)
{
	if (field->width % 8 == 0 && field->at % 8 == 0)
		memcpy(to + field->at / 8, from + field->at / 8, field->width / 8);
	else
		put_bits(to, field->at, field->width, get_bits(from, field->at, field->width));
}

#endif
