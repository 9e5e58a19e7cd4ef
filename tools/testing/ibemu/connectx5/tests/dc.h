/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What tests of dynamic connections share: a target with its receives, an initiator, and requests.
 */
#ifndef IBEMU_CX5_TESTS_DC_H
#define IBEMU_CX5_TESTS_DC_H

#include "connectx5/tests/connect.h"

#define DC_KEY 0x0123456789abcdefull
#define ST_DCI 5
#define DC_RECEIVE_AT 0x8000u /* data offset of the receive */
#define SRQ_AT (QP_AT + 8 * PAGE)
#define SRQ_RECORD (RECORDS_AT + 40 * 64)

struct target {
	struct guest *guest;
	uint32_t dctn, srqn;
};

/* A receive memory pool: 4 linked slots of 64 bytes, of which one is posted. */
static inline uint32_t create_rmp(struct guest *guest)
{
	uint8_t *wq = guest->in + 80, *wqe = guest->ram + SRQ_AT;

	put_be24(wq + 9, guest->pd);
	put_be64(wq + 16, bus(SRQ_RECORD));
	wq[33] = 6;
	wq[35] = 2;
	put_pages(guest, 272, SRQ_AT, 1);
	assert_int_equal(execute(guest, CREATE_RMP, 0, 280), 0);
	put_be16(wqe + 2, 1);
	put_data_segment(wqe + 16, 2000, guest->lkey, bus(DATA_AT + DC_RECEIVE_AT));
	put_data_segment(wqe + 32, 0, 0x100, 0);
	put_be32(guest->ram + SRQ_RECORD, 1);
	return get_be24(guest->out + 9);
}

static inline uint8_t *target_context(struct guest *guest, uint32_t srqn)
{
	uint8_t *dctc = guest->in + 16;

	put_be24(dctc + 5, 0xabcdef); /* user index */
	put_be24(dctc + 9, guest->cqn);
	dctc[13] = 0x0e; /* reads, writes, atomics */
	dctc[18] = 12;   /* RNR timer */
	put_be24(dctc + 21, srqn);
	put_be24(dctc + 25, guest->pd);
	put_be64(dctc + 32, DC_KEY);
	dctc[40] = 3; /* MTU 1024 */
	dctc[41] = 1; /* port */
	dctc[47] = 1; /* hop limit */
	return dctc;
}

static inline struct target create_target(struct guest *guest)
{
	struct target target = { .guest = guest, .srqn = create_rmp(guest) };

	target_context(guest, target.srqn);
	assert_int_equal(execute(guest, CREATE_DCT, 0, 128), 0);
	target.dctn = get_be24(guest->out + 9);
	return target;
}

static inline struct queue_pair create_initiator(struct guest *guest)
{
	static const struct link_options options = { .pm_state = PM_MIGRATED };
	struct queue_pair qp;

	guest->in[24 + 172] = 1; /* as the driver has it: a shared receive queue */
	assert_int_equal(try_create_qp(guest, &qp, ST_DCI, 0), 0);
	qp.at -= 16 * 64; /* there is no receive queue in front of the send queue */
	bring_up(&qp, 0, 0, &options);
	return qp;
}

static inline void add_target(struct wqe *wqe, uint16_t dlid, const struct target *target)
{
	uint8_t *av = add_segments(wqe, 3);

	put_av(av, dlid, target->dctn, 0);
	put_be64(av, DC_KEY);
}

#endif
