/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What the tests of the device share: two devices at the two ends of a cable, on virtual time, each
 * with a guest: some memory at GUEST_BASE, and a driver that knows just enough to send commands and
 * to make queues. The layouts of commands are written down here anew, as byte offsets, so that a
 * wrong table can't pass.
 */
#ifndef IBEMU_CX5_TESTS_BENCH_H
#define IBEMU_CX5_TESTS_BENCH_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "connectx5/device.h"
#include "fabric/fabric.h"

/* A test between the file's set_up() and tear_down(). */
#define bench_test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

#define GUEST_BASE 0x10000000ull /* bus address */
#define GUEST_LEN 0x400000u
#define PAGE 0x1000u

/* Where things lie in the guest's memory. */
#define CMDQ_AT 0x1000u
#define MAILBOX_AT 0x10000u /* blocks, 1 KiB apart: first those of inputs, then those of outputs */
#define OUT_MAILBOX_AT 0x20000u
#define EQ_AT 0x40000u
#define CQ_AT 0x80000u
#define QP_AT 0x100000u
#define RECORDS_AT 0x200000u /* doorbell records, 64 bytes each */
#define DATA_AT 0x300000u
#define DATA_LEN 0x100000u

#define QKEY 0x11111111u
#define UAR_ARM_CQ 0x20u
#define UAR_ARM_EQ 0x40u
#define UAR_SEND 0x800u

/* Command codes. */
enum {
	QUERY_HCA_CAP = 0x100,
	INIT_HCA = 0x102,
	TEARDOWN_HCA = 0x103,
	ENABLE_HCA = 0x104,
	DISABLE_HCA = 0x105,
	QUERY_PAGES = 0x107,
	MANAGE_PAGES = 0x108,
	SET_HCA_CAP = 0x109,
	QUERY_ISSI = 0x10a,
	SET_ISSI = 0x10b,
	CREATE_MKEY = 0x200,
	QUERY_MKEY = 0x201,
	DESTROY_MKEY = 0x202,
	PAGE_FAULT_RESUME = 0x204,
	CREATE_EQ = 0x301,
	DESTROY_EQ = 0x302,
	QUERY_EQ = 0x303,
	CREATE_CQ = 0x400,
	DESTROY_CQ = 0x401,
	QUERY_CQ = 0x402,
	MODIFY_CQ = 0x403,
	CREATE_QP = 0x500,
	DESTROY_QP = 0x501,
	RST2INIT_QP = 0x502,
	INIT2RTR_QP = 0x503,
	RTR2RTS_QP = 0x504,
	RTS2RTS_QP = 0x505,
	SQERR2RTS_QP = 0x506,
	TO_ERR_QP = 0x507,
	TO_RST_QP = 0x50a,
	QUERY_QP = 0x50b,
	MAD_IFC = 0x50d,
	INIT2INIT_QP = 0x50e,
	CREATE_XRC_SRQ = 0x705,
	DESTROY_XRC_SRQ = 0x706,
	QUERY_XRC_SRQ = 0x707,
	ARM_XRC_SRQ = 0x708,
	CREATE_DCT = 0x710,
	DESTROY_DCT = 0x711,
	DRAIN_DCT = 0x712,
	QUERY_DCT = 0x713,
	QUERY_HCA_VPORT_CONTEXT = 0x762,
	QUERY_LAG = 0x842,
	ALLOC_PD = 0x800,
	DEALLOC_PD = 0x801,
	ALLOC_UAR = 0x802,
	DEALLOC_UAR = 0x803,
	ACCESS_REG = 0x805,
	ATTACH_TO_MCG = 0x806,
	DETACH_FROM_MCG = 0x807,
	ALLOC_XRCD = 0x80e,
	DEALLOC_XRCD = 0x80f,
	CREATE_RMP = 0x90c,
	MODIFY_RMP = 0x90d,
	DESTROY_RMP = 0x90e,
	QUERY_RMP = 0x90f,
};

struct guest {
	struct dma dma;
	uint8_t *ram;
	bool gone; /* all of its memory is unmapped */
	unsigned int raised[CX5_VECTORS];
	struct connectx5 dev;
	uint8_t in[8192], out[8192];
	uint32_t out_len;
	/* What set_up_verbs() makes */
	uint32_t uar, eqn, pd, lkey, cqn;
};

struct bench {
	struct sched *sched;
	struct fabric *fabric;
	struct guest guest[2];
};

/* Guest memory */

static inline void *guest_map(struct dma *dma, uint64_t addr, size_t *len, enum dma_dir dir)
{
	struct guest *guest = container(dma, struct guest, dma);

	(void)dir;
	if (guest->gone || addr < GUEST_BASE || addr >= GUEST_BASE + GUEST_LEN)
		return NULL;
	if (*len > GUEST_BASE + GUEST_LEN - addr)
		*len = GUEST_BASE + GUEST_LEN - addr;
	return guest->ram + (addr - GUEST_BASE);
}

static const struct dma_ops guest_dma_ops = { .map = guest_map };

static inline void guest_raise(void *host, unsigned int vector)
{
	struct guest *guest = host;

	guest->raised[vector]++;
}

static inline uint64_t bus(uint32_t at) { return GUEST_BASE + at; }

/* The subnet */

#define HCA(guid, name, peer) \
	"expose=connectx5\nCa 1 \"" guid "\" # \"" name "\"\n[1] \"" peer "\"[1]\n"
#define BACK_TO_BACK \
	HCA("H-0002c90300001010", "hca0", "H-0002c90300001020") \
	HCA("H-0002c90300001020", "hca1", "H-0002c90300001010")

static inline void load(struct fabric *fabric)
{
	FILE *file = fmemopen((void *)BACK_TO_BACK, strlen(BACK_TO_BACK), "r");
	char error[200] = "";

	if (fabric_load(fabric, file, "t", error, sizeof(error)))
		fail_msg("%s", error);
	fclose(file);
}

/* PortInfo, as a subnet manager would set it: the state changes one step a time. */
static inline void set_port(struct guest *guest, uint16_t lid, enum port_state state)
{
	uint8_t mad[MAD_LEN] = { 1, 1, 1, 1 },
		reply[MAD_LEN]; /* base version 1, class 1, version 1, Get */

	put_be16(mad + 16, 0x15);
	assert_true(fabric_port_mad(guest->dev.port, MAD_IGNORE_MKEY, mad, reply));
	memcpy(mad + 64, reply + 64, 64);
	mad[3] = 2; /* Set */
	put_be16(mad + 64 + 16, lid);
	put_be16(mad + 64 + 18, 1);                               /* the SM's LID */
	mad[64 + 32] = (mad[64 + 32] & 0xf0) | (uint8_t)state;
	mad[64 + 33] &= 0x0f;                                     /* physical state: no change */
	assert_true(fabric_port_mad(guest->dev.port, MAD_IGNORE_MKEY, mad, reply));
	assert_int_equal(get_be16(reply + 4), 0);
}

static inline void activate(struct bench *bench)
{
	for (uint16_t i = 0; i < 2; i++)
		set_port(&bench->guest[i], (uint16_t)(i + 1), PORT_ARMED);
	for (uint16_t i = 0; i < 2; i++)
		set_port(&bench->guest[i], (uint16_t)(i + 1), PORT_ACTIVE);
	sched_run(bench->sched);
}

/* Commands */

/* Sends the command that in holds; the output is in out. */
static inline uint8_t execute(struct guest *guest, uint16_t opcode, uint16_t op_mod,
			      uint32_t in_len)
{
	struct cx5_command cmd = { .in = guest->in,
				   .in_len = in_len,
				   .out_len = sizeof(guest->out) };

	put_be16(guest->in, opcode);
	put_be16(guest->in + 6, op_mod);
	cx5_execute(&guest->dev, &cmd);
	memcpy(guest->out, cmd.out, sizeof(guest->out));
	free(cmd.out);
	memset(guest->in, 0, sizeof(guest->in));
	return guest->out[0];
}

/* A command whose input is a number at byte 8. */
static inline uint8_t on(struct guest *guest, uint16_t opcode, uint32_t num)
{
	put_be32(guest->in + 8, num);
	return execute(guest, opcode, 0, 16);
}

static inline uint32_t alloc(struct guest *guest, uint16_t opcode)
{
	assert_int_equal(execute(guest, opcode, 0, 16), 0);
	return get_be24(guest->out + 9);
}

static inline void put_pages(struct guest *guest, uint32_t offset, uint32_t at, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		put_be64(guest->in + offset + 8 * i, bus(at + i * PAGE));
}

/* An event queue of 64 entries, at EQ_AT + n * 4 KiB, for these types of events. */
static inline uint32_t create_eq(struct guest *guest, unsigned int n, unsigned int vector,
				 uint64_t mask)
{
	uint32_t at = EQ_AT + n * PAGE;

	for (unsigned int i = 0; i < 64; i++)
		guest->ram[at + i * 64 + 63] = 1; /* owned by the device */
	put_be32(guest->in + 16 + 12, 6u << 24 | guest->uar);
	put_be32(guest->in + 16 + 20, vector);
	put_be64(guest->in + 88, mask);
	put_pages(guest, 272, at, 1);
	assert_int_equal(execute(guest, CREATE_EQ, 0, 280), 0);
	return guest->out[11];
}

/* A completion queue at a page, with its doorbell record number. */
static inline uint8_t try_create_cq(struct guest *guest, uint32_t at, unsigned int log_size,
				    unsigned int pages, unsigned int record, uint8_t cqe_sz)
{
	guest->in[16 + 1] = (uint8_t)(cqe_sz << 5);
	put_be32(guest->in + 16 + 12, log_size << 24 | guest->uar);
	put_be32(guest->in + 16 + 20, guest->eqn);
	put_be64(guest->in + 16 + 56, bus(RECORDS_AT + record * 64));
	put_pages(guest, 272, at, pages);
	return execute(guest, CREATE_CQ, 0, 272 + 8 * pages);
}

static inline uint32_t create_cq(struct guest *guest, uint32_t at, unsigned int log_size,
				 unsigned int record)
{
	unsigned int pages = ((64u << log_size) + PAGE - 1) / PAGE;

	memset(guest->ram + at, 0, pages * PAGE);
	for (unsigned int i = 0; i < 1u << log_size; i++)
		guest->ram[at + i * 64 + 63] = 0xf1;
	assert_int_equal(try_create_cq(guest, at, log_size, pages, record, 0), 0);
	return get_be24(guest->out + 9);
}

/* A memory key of pages in the guest, from an address on; access: lr 1, lw 2, rr 4, rw 8. */
static inline uint8_t try_create_mkey(struct guest *guest, uint64_t start, uint64_t len,
				      uint32_t at, unsigned int pages, unsigned int access,
				      uint8_t variant)
{
	guest->in[16 + 2] = (uint8_t)(access << 2 | 1); /* and mode 1: a list of pages */
	put_be32(guest->in + 16 + 4, 0xffffff00u | variant);
	put_be32(guest->in + 16 + 12, guest->pd);
	put_be64(guest->in + 16 + 16, start);
	put_be64(guest->in + 16 + 24, len);
	put_be32(guest->in + 16 + 52, (pages + 1) / 2);
	guest->in[16 + 59] = 12;
	put_be32(guest->in + 96, (pages + 1) / 2);
	put_pages(guest, 272, at, pages);
	return execute(guest, CREATE_MKEY, 0, 272 + 16 * ((pages + 1) / 2));
}

/*
 * Queue pairs: 16 receives of 64 bytes, then 16 blocks for sends, in one page; its record: [0]
 * receives, [1] sends
 */

#define ST_UD 2
#define ST_QP0 7
#define ST_QP1 8

struct queue_pair {
	struct guest *guest;
	uint32_t qpn, at, record;
	uint16_t sent, received; /* posted */
};

static inline uint8_t try_create_qp(struct guest *guest, struct queue_pair *qp, unsigned int st,
				    uint32_t n)
{
	uint8_t *qpc = guest->in + 24;

	*qp = (struct queue_pair){ .guest = guest,
				   .at = QP_AT + n * PAGE,
				   .record = RECORDS_AT + (16 + n) * 64 };
	qpc[1] = (uint8_t)st;
	put_be32(qpc + 4, guest->pd);
	qpc[9] = 4 << 3 | 2; /* 16 receives of 16 << 2 bytes */
	qpc[10] = 4 << 3;    /* 16 send blocks */
	put_be32(qpc + 12, guest->uar);
	put_be24(qpc + 17, 0x00abc0 + n); /* user index */
	put_be32(qpc + 124, guest->cqn);
	put_be32(qpc + 156, guest->cqn);
	put_be64(qpc + 160, bus(qp->record));
	put_pages(guest, 272, qp->at, 1);
	memset(guest->ram + qp->record, 0, 64);
	if (execute(guest, CREATE_QP, 0, 280))
		return guest->out[0];
	qp->qpn = get_be24(guest->out + 9);
	return 0;
}

static inline uint8_t modify(struct queue_pair *qp, uint16_t opcode, uint32_t options,
			     uint32_t qkey, uint16_t pkey_index)
{
	struct guest *guest = qp->guest;

	put_be32(guest->in + 8, qp->qpn);
	put_be32(guest->in + 16, options);
	put_be16(guest->in + 24 + 24 + 2, pkey_index);
	put_be32(guest->in + 24 + 168, qkey);
	return execute(guest, opcode, 0, 272);
}

static inline struct queue_pair create_qp(struct guest *guest, unsigned int st, uint32_t n,
					  uint32_t qkey)
{
	struct queue_pair qp;

	assert_int_equal(try_create_qp(guest, &qp, st, n), 0);
	assert_int_equal(modify(&qp, RST2INIT_QP, 0, qkey, 0), 0);
	assert_int_equal(modify(&qp, INIT2RTR_QP, 0, 0, 0), 0);
	assert_int_equal(modify(&qp, RTR2RTS_QP, 0, 0, 0), 0);
	return qp;
}

static inline uint8_t *data(struct guest *guest, uint32_t at) { return guest->ram + DATA_AT + at; }

static inline void ring(struct queue_pair *qp)
{
	uint8_t doorbell[8] = { 0 };

	put_be32(qp->guest->ram + qp->record + 4, qp->sent);
	put_be32(doorbell + 4, qp->qpn << 8);
	cx5_bar_write(&qp->guest->dev, (uint64_t)qp->guest->uar * PAGE + UAR_SEND, doorbell, 8);
}

static inline uint8_t *send_block(struct queue_pair *qp, uint16_t index)
{
	return qp->guest->ram + qp->at + 16 * 64 + (index & 15) * 64;
}

/* An address vector at p. */
static inline void put_av(uint8_t *p, uint16_t dlid, uint32_t qpn, uint32_t qkey)
{
	memset(p, 0, 48);
	put_be32(p, qkey);
	put_be32(p + 8, 0x80000000u | qpn);
	put_be16(p + 14, dlid);
}

static inline void put_data_segment(uint8_t *p, uint32_t len, uint32_t lkey, uint64_t addr)
{
	put_be32(p, len);
	put_be32(p + 4, lkey);
	put_be64(p + 8, addr);
}

/*
 * Posts a datagram of len bytes at data offset at; it takes two blocks. The caller may change it
 * and rings.
 */
static inline uint8_t *post_send(struct queue_pair *qp, uint16_t dlid, uint32_t qpn, uint32_t at,
				 uint32_t len)
{
	uint8_t *wqe = send_block(qp, qp->sent), *second = send_block(qp, qp->sent + 1);

	memset(wqe, 0, 64);
	memset(second, 0, 64);
	put_be32(wqe, (uint32_t)qp->sent << 8 | 0x0a);
	put_be32(wqe + 4, qp->qpn << 8 | 5);
	wqe[11] = 0x08; /* complete it */
	put_av(wqe + 16, dlid, qpn, QKEY);
	put_data_segment(second, len, qp->guest->lkey, bus(DATA_AT + at));
	qp->sent += 2;
	return wqe;
}

static inline void post_receive(struct queue_pair *qp, uint32_t at, uint32_t len)
{
	uint8_t *wqe = qp->guest->ram + qp->at + (qp->received & 15) * 64;

	put_data_segment(wqe, len, qp->guest->lkey, bus(DATA_AT + at));
	put_data_segment(wqe + 16, 0, 0x100, 0);
	qp->received++;
	put_be32(qp->guest->ram + qp->record, qp->received);
}

/*
 * The completion at an index of the guest's first queue (64 entries), or NULL: the device still
 * owns it.
 */
static inline const uint8_t *cqe_at(struct guest *guest, uint32_t index)
{
	const uint8_t *cqe = guest->ram + CQ_AT + (index & 63) * 64;

	return cqe[63] >> 4 != 0xf && (cqe[63] & 1) == (index >> 6 & 1) ? cqe : NULL;
}

/* The completion at this index is there, with this opcode and (of an error) syndrome. */
static inline void expect(struct guest *guest, uint32_t index, unsigned int opcode,
			  unsigned int syndrome)
{
	const uint8_t *cqe = cqe_at(guest, index);

	assert_non_null(cqe);
	assert_int_equal(cqe[63] >> 4, opcode);
	if (opcode >= 13)
		assert_int_equal(cqe[55], syndrome); /* else it's part of the time */
}

static inline const uint8_t *eqe_at(struct guest *guest, unsigned int n, uint32_t index)
{
	const uint8_t *eqe = guest->ram + EQ_AT + n * PAGE + (index & 63) * 64;

	return (eqe[63] & 1) == (index >> 6 & 1) ? eqe : NULL;
}

static inline void arm_eq(struct guest *guest, uint32_t eqn, uint32_t consumer)
{
	uint8_t word[4];

	put_be32(word, eqn << 24 | consumer);
	cx5_bar_write(&guest->dev, (uint64_t)guest->uar * PAGE + UAR_ARM_EQ, word, 4);
}

static inline void arm_cq(struct guest *guest, uint32_t cqn, uint32_t consumer, bool solicited)
{
	uint8_t words[8];

	put_be32(words, (solicited ? 1u << 24 : 0) | consumer);
	put_be32(words + 4, cqn);
	cx5_bar_write(&guest->dev, (uint64_t)guest->uar * PAGE + UAR_ARM_CQ, words, 8);
}

/* A line of ibemuctl. */
static inline int control(struct guest *guest, const char *line, FILE *out)
{
	char text[100], *words[8], *rest = text;
	int count = 0;

	snprintf(text, sizeof(text), "%s", line);
	while ((words[count] = strtok_r(NULL, " ", &rest)))
		count++;
	return connectx5_control(&guest->dev, count, words, out);
}

/* Set-up */

static inline void start_hca(struct guest *guest)
{
	assert_int_equal(execute(guest, ENABLE_HCA, 0, 16), 0);
	put_be16(guest->in + 10, 1);
	assert_int_equal(execute(guest, SET_ISSI, 0, 16), 0);
	assert_int_equal(execute(guest, INIT_HCA, 0, 32), 0);
}

/*
 * All that a queue pair needs: EQ 0 takes completions and all asynchronous events, CQ 0 has 64
 * entries.
 */
static inline void set_up_verbs(struct guest *guest)
{
	guest->uar = alloc(guest, ALLOC_UAR);
	guest->pd = alloc(guest, ALLOC_PD);
	guest->eqn = create_eq(guest, 0, 3, 0xffffffffull & ~(1ull << 10));
	guest->cqn = create_cq(guest, CQ_AT, 6, 0);
	assert_int_equal(try_create_mkey(guest, bus(DATA_AT), DATA_LEN, DATA_AT, DATA_LEN / PAGE, 3,
					 0x77),
			 0);
	guest->lkey = get_be24(guest->out + 9) << 8 | 0x77;
}

static inline struct bench *bench_create_with(const struct connectx5_options *options)
{
	struct bench *bench = calloc(1, sizeof(*bench));

	assert_non_null(bench);
	bench->sched = sched_create_virtual();
	bench->fabric = fabric_create(bench->sched);
	load(bench->fabric);
	for (unsigned int i = 0; i < 2; i++) {
		struct guest *guest = &bench->guest[i];

		guest->ram = calloc(1, GUEST_LEN);
		guest->dma.ops = &guest_dma_ops;
		assert_int_equal(cx5_init(&guest->dev, bench->sched, &guest->dma,
					  fabric_exposed(bench->fabric, i), options, guest_raise,
					  guest),
				 0);
	}
	sched_run(bench->sched);
	return bench;
}

static inline struct bench *bench_create(void)
{
	return bench_create_with(NULL);
}

/* Two guests with verbs, on active ports. */
static inline struct bench *bench_create_verbs(void)
{
	struct bench *bench = bench_create();

	activate(bench);
	for (unsigned int i = 0; i < 2; i++) {
		start_hca(&bench->guest[i]);
		set_up_verbs(&bench->guest[i]);
	}
	return bench;
}

static inline void bench_destroy(struct bench *bench)
{
	for (unsigned int i = 0; i < 2; i++) {
		cx5_destroy(&bench->guest[i].dev);
		free(bench->guest[i].ram);
	}
	fabric_destroy(bench->fabric);
	sched_destroy(bench->sched);
	packet_drain_pool();
	free(bench);
}

#endif
