/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What the tests of the connected transports share: two engines at the two ends of a cable, on
 * virtual time, each with a queue pair that is connected to the other's. Between the port and each
 * engine sits a tap that sees every packet and may lose it, double it or hold it up.
 */
#ifndef IBEMU_TESTS_PAIR_H
#define IBEMU_TESTS_PAIR_H

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
#include "fabric/mad.h"
#include "hca/connected.h"

#define MEMORY_BASE 0x100000ull /* bus address */
#define MEMORY_LEN 0x800000u
/* Offsets in it */
#define CQ_AT 0x0u
#define SRQ_AT 0xf0000u
#define RQ_AT 0x100000u
#define RQ_DBR_AT 0x200000u
#define SRQ_DBR_AT 0x200040u
#define CQ_DBR_AT 0x200080u
#define DATA_AT 0x400000u
#define DATA_LEN 0x400000u

#define LOG_CQ 12
#define LOG_RQ 10
#define LOG_RECV_STRIDE 6
#define SENDS 256
#define WCS 4096
#define LOGGED 1024
#define PD 7

#define VARIANT 0x5a /* of all keys */

enum tap_action { TAP_PASS, TAP_DROP, TAP_TWICE, TAP_DELAY };

struct pair;
struct side;

struct side {
	struct pair *pair;
	struct dma dma;
	uint8_t *memory;
	struct fabric_port *port;
	struct hca hca;
	struct hca_cq cq;
	struct hca_srq srq;
	struct hca_qp qp;
	struct hca_mkey mkey; /* all of DATA, all rights */

	struct hca_send_wr *sends; /* a ring */
	uint16_t posted;
	bool malformed, unreadable; /* whatever is fetched next */
	unsigned int locals;        /* HCA_LOCAL work requests executed */
	enum hca_status local_status;
	uint32_t received_posted, srq_posted;

	struct hca_wc wc[WCS];
	unsigned int wcs, events_cq;
	struct { enum hca_event event; uint32_t number; } event[64];
	unsigned int events;

	/* Packets that arrived for this side */
	struct packet *logged[LOGGED];
	unsigned int arrived;
	enum tap_action (*tap)(struct side *side, const struct packet *packet);
	struct packet *held; /* by TAP_DELAY, oldest first */
	struct timer release;
};

struct pair {
	struct sched *sched;
	struct fabric *fabric;
	struct side a, b;
};

/* Guest memory */

static void *side_map(struct dma *dma, uint64_t addr, size_t *len, enum dma_dir dir)
{
	struct side *side = (struct side *)((char *)dma - offsetof(struct side, dma));

	(void)dir;
	if (addr < MEMORY_BASE || addr >= MEMORY_BASE + MEMORY_LEN)
		return NULL;
	if (*len > MEMORY_BASE + MEMORY_LEN - addr)
		*len = MEMORY_BASE + MEMORY_LEN - addr;
	return side->memory + (addr - MEMORY_BASE);
}

static const struct dma_ops side_dma_ops = { side_map };

/* The n-th byte of the data area, and the address that both keys and bus know it by. */
static inline uint8_t *data(struct side *side, uint32_t n) { return side->memory + DATA_AT + n; }
static inline uint64_t data_addr(uint32_t n) { return MEMORY_BASE + DATA_AT + n; }
static inline uint32_t key_of(const struct hca_mkey *mkey)
{
	return mkey->index << 8 | mkey->variant;
}

static inline void fill(struct side *side, uint32_t at, uint32_t len, unsigned int seed)
{
	for (uint32_t i = 0; i < len; i++)
		data(side, at)[i] = (uint8_t)(i * 7 + (i >> 8) * 13 + seed);
}

static inline void make_mkey(struct side *side, struct hca_mkey *mkey, uint32_t at, uint32_t len,
			     uint8_t access)
{
	*mkey = (struct hca_mkey){
		.variant = VARIANT, .access = access, .mode = HCA_MKEY_PHYSICAL, .pd = PD,
		.start = data_addr(at), .len = len,
	};
	assert_int_equal(hca_mkey_create(&side->hca, mkey), 0);
}

/* The chip: work requests are kept as structures, receive work requests are a count and a list. */

static enum hca_fetch fetch_send(struct hca_qp *qp, uint16_t index, struct hca_send_wr *wr)
{
	struct side *side = qp->hca->chip;
	const struct hca_send_wr *from = &side->sends[index % SENDS];

	if (side->unreadable)
		return HCA_UNREADABLE;
	if (index == side->posted)
		return HCA_EMPTY;
	*wr = *from;
	wr->index = index;
	wr->next = (uint16_t)(index + 1);
	if (side->malformed)
		return HCA_MALFORMED;
	for (unsigned int i = 0; i < wr->sge_count; i++)
		if (from->sge[i].inline_data)
			wr->sge[i].inline_data = wr->wqe + (from->sge[i].inline_data - from->wqe);
	return HCA_FETCHED;
}

static bool decode_recv(const struct hca_rq *rq, const uint8_t *wqe, struct hca_recv_wr *wr)
{
	uint32_t count = get_be32(wqe);

	wr->link = rq->linked ? get_be16(wqe + 4) : 0;
	if (count > 3)
		return false;
	wr->sge_count = count;
	for (unsigned int i = 0; i < count; i++) {
		const uint8_t *p = wqe + 16 + 16 * i;

		wr->sge[i] = (struct hca_sge){ .len = get_be32(p),
					       .lkey = get_be32(p + 4),
					       .addr = get_be64(p + 8) };
	}
	return true;
}

static void encode_cqe(const struct hca_cq *cq, const struct hca_wc *wc, bool owner, uint8_t *cqe)
{
	struct side *side = cq->hca->chip;

	side->wc[side->wcs++ % WCS] = *wc;
	memset(cqe, 0, 64);
	cqe[63] = owner;
}

static void completion_event(struct hca_cq *cq)
{
	((struct side *)cq->hca->chip)->events_cq++;
}

static void note_event(struct hca *hca, enum hca_event event, uint32_t number)
{
	struct side *side = hca->chip;

	assert_true(side->events < 64);
	side->event[side->events].event = event;
	side->event[side->events++].number = number;
}

static void ignore_port_event(struct hca *hca, enum port_event event)
{
	(void)hca;
	(void)event;
}

static enum hca_status execute_local(struct hca_qp *qp, const struct hca_send_wr *wr)
{
	struct side *side = qp->hca->chip;

	(void)wr;
	side->locals++;
	return side->local_status;
}

static const struct hca_ops chip_ops = {
	.fetch_send = fetch_send,
	.decode_recv = decode_recv,
	.execute_local = execute_local,
	.encode_cqe = encode_cqe,
	.completion_event = completion_event,
	.event = note_event,
	.port_event = ignore_port_event,
};

/* The tap */

static void release_held(void *ctx)
{
	struct side *side = ctx;

	while (side->held) {
		struct packet *packet = side->held;

		side->held = packet->next;
		packet->next = NULL;
		hca_receive(&side->hca, packet);
	}
}

static inline void hold(struct side *side, struct packet *packet)
{
	struct packet **link = &side->held;

	while (*link)
		link = &(*link)->next;
	packet->next = NULL;
	*link = packet;
	timer_arm(side->pair->sched, &side->release,
		  sched_now_ns(side->pair->sched) + 50 * NSEC_PER_USEC);
}

static void tap_receive(void *owner, struct packet *packet)
{
	struct side *side = owner;
	struct packet **log = &side->logged[side->arrived++ % LOGGED];
	enum tap_action action = side->tap ? side->tap(side, packet) : TAP_PASS;

	packet_free(*log);
	*log = packet_clone(packet);
	switch (action) {
	case TAP_DROP:
		packet_free(packet);
		break;
	case TAP_DELAY:
		hold(side, packet);
		break;
	case TAP_TWICE:
		hca_receive(&side->hca, packet_clone(packet));
		/* fall through */
	case TAP_PASS:
		hca_receive(&side->hca, packet);
		break;
	}
}

static void tap_event(void *owner, enum port_event event)
{
	(void)owner;
	(void)event;
}

static const struct port_ops tap_ops = { tap_receive, tap_event };

/* BTH:OpCode's operation, and the PSN, of the n-th packet that came; all without GRH. */
static inline const uint8_t *packet_at(const struct side *side, unsigned int n)
{
	assert_true(n < side->arrived);
	return side->logged[n % LOGGED]->data;
}

static inline unsigned int operation_of(const struct packet *packet)
{
	return packet->data[LRH_LEN] & 0x1f;
}

static inline uint32_t psn_of(const struct packet *packet)
{
	return get_be24(packet->data + LRH_LEN + 9);
}

static inline void expect_packet(const struct side *side, unsigned int n, unsigned int operation,
				 uint32_t psn)
{
	assert_true(n < side->arrived);
	assert_int_equal(operation_of(side->logged[n % LOGGED]), operation);
	assert_int_equal(psn_of(side->logged[n % LOGGED]), psn);
}

/* Setting up */

static inline void set_port_state(struct fabric_port *port, uint16_t lid, unsigned int state)
{
	uint8_t smp[MAD_LEN] = { 1, 1, 1, METHOD_GET }, reply[MAD_LEN];

	put_be16(smp + MAD_ATTR_ID, ATTR_PORT_INFO);
	assert_true(fabric_port_mad(port, MAD_IGNORE_MKEY, smp, reply));
	memcpy(smp + MAD_DATA, reply + MAD_DATA, SMP_DATA_LEN);
	smp[MAD_METHOD] = METHOD_SET;
	put_be16(smp + MAD_DATA + 16, lid);
	smp[MAD_DATA + 29] = 0; /* link width: no change */
	smp[MAD_DATA + 32] = (uint8_t)state;
	smp[MAD_DATA + 33] = 0; /* physical state: no change */
	smp[MAD_DATA + 35] &= 0xf0;
	smp[MAD_DATA + 36] = 0x50; /* NeighborMTU 4096 */
	assert_true(fabric_port_mad(port, MAD_IGNORE_MKEY, smp, reply));
	assert_int_equal(get_be16(reply + MAD_STATUS), 0);
}

static inline void make_buffer(struct hca_buffer *buf, uint32_t at, unsigned int pages)
{
	uint8_t list[8 * 1024];

	assert_true(pages <= 1024);
	for (unsigned int i = 0; i < pages; i++)
		put_be64(list + 8 * i, MEMORY_BASE + at + 4096ull * i);
	assert_int_equal(hca_buffer_init(buf, list, pages, 12, 0), 0);
}

static inline void create_side(struct pair *pair, struct side *side, unsigned int number)
{
	const struct hca_limits limits = {
		.first_qpn = 0x40 + number * 0x100,
		.qps = 16,
		.cqs = 16,
		.srqs = 16,
		.mkeys = 64,
		.first_mkey = 16,
		.mcgs = 1,
		.dc_connections = 1024,
	};

	side->pair = pair;
	side->dma.ops = &side_dma_ops;
	side->memory = calloc(1, MEMORY_LEN);
	side->sends = calloc(SENDS, sizeof(*side->sends));
	side->port = fabric_node_port(fabric_exposed(pair->fabric, number), 1);
	timer_init(&side->release, release_held, side);
	assert_int_equal(hca_init(&side->hca, pair->sched, &side->dma, side->port, &chip_ops, side,
				  &limits),
			 0);
	fabric_port_attach(side->port, &tap_ops, side);

	make_mkey(side, &side->mkey, 0, DATA_LEN, 0x1f);
	side->cq = (struct hca_cq){
		.log_size = LOG_CQ,
		.entry_size = 64,
		.cqe_len = 64,
		.ignore_overrun = true,
		.dbr = MEMORY_BASE + CQ_DBR_AT,
	};
	make_buffer(&side->cq.buf, CQ_AT, (64u << LOG_CQ) / 4096);
	assert_int_equal(hca_cq_create(&side->hca, &side->cq), 0);
}

static inline void create_srq(struct side *side)
{
	side->srq = (struct hca_srq){
		.pd = PD,
		.rq = { .log_size = 4,
			.log_stride = LOG_RECV_STRIDE,
			.dbr = MEMORY_BASE + SRQ_DBR_AT },
	};
	make_buffer(&side->srq.buf, SRQ_AT, 1);
	assert_int_equal(hca_srq_create(&side->hca, &side->srq), 0);
}

/* With the attributes of a connection that tests may change before they connect. */
static inline void create_qp(struct side *side, enum hca_qp_type type, struct hca_srq *srq)
{
	struct side *peer = side == &side->pair->a ? &side->pair->b : &side->pair->a;

	side->qp = (struct hca_qp){
		.type = type, .pd = PD, .has_sq = true,
		.has_rq = !srq && type != HCA_QP_XRC && type != HCA_QP_DCI, .srq = srq,
		.rq = {
			.log_size = LOG_RQ, .log_stride = LOG_RECV_STRIDE,
			.dbr = MEMORY_BASE + RQ_DBR_AT,
		},
		.send_cq = &side->cq, .recv_cq = &side->cq,
		.conn = {
			.sq_psn = side == &side->pair->a ? 0xfffffe : 0x100,
			.rq_psn = side == &side->pair->a ? 0x100 : 0xfffffe,
			.path_mtu = 1, .timeout = 10, .retry_count = 3, .rnr_retry = 3,
			.min_rnr_timer = 12, .max_rd_atomic = 4, .max_dest_rd_atomic = 4,
			.remote_access = HCA_REMOTE_READ | HCA_REMOTE_WRITE | HCA_REMOTE_ATOMIC,
			.path = { .dlid = fabric_port_attr(peer->port)->lid },
		},
	};
	make_buffer(&side->qp.buf, RQ_AT, (1u << (LOG_RQ + LOG_RECV_STRIDE)) / 4096);
	assert_int_equal(hca_qp_create(&side->hca, &side->qp), 0);
}

static inline struct pair *create_pair_without_qps(void)
{
	static const char topology[] =
		"expose=connectx5\n"
		"Ca 1 \"H-0002c90300001010\" # \"hca0\"\n"
		"[1] \"H-0002c90300001020\"[1]\n"
		"expose=connectx5\n"
		"Ca 1 \"H-0002c90300001020\" # \"hca1\"\n"
		"[1] \"H-0002c90300001010\"[1]\n";
	struct pair *pair = calloc(1, sizeof(*pair));
	FILE *file = fmemopen((void *)topology, strlen(topology), "r");
	char error[200] = "";

	assert_non_null(pair);
	pair->sched = sched_create_virtual();
	pair->fabric = fabric_create(pair->sched);
	if (fabric_load(pair->fabric, file, "t", error, sizeof(error)))
		fail_msg("%s", error);
	fclose(file);
	create_side(pair, &pair->a, 0);
	create_side(pair, &pair->b, 1);
	for (unsigned int state = PORT_ARMED; state <= PORT_ACTIVE; state++) {
		set_port_state(pair->a.port, 1, state);
		set_port_state(pair->b.port, 2, state);
	}
	sched_run(pair->sched);
	return pair;
}

static inline struct pair *create_pair(enum hca_qp_type type)
{
	struct pair *pair = create_pair_without_qps();

	create_qp(&pair->a, type, NULL);
	create_qp(&pair->b, type, NULL);
	pair->a.qp.conn.dest_qpn = pair->b.qp.num;
	pair->b.qp.conn.dest_qpn = pair->a.qp.num;
	return pair;
}

static inline void connect_qp(struct hca_qp *qp)
{
	hca_qp_set_state(qp, HCA_QP_INIT);
	hca_qp_set_state(qp, HCA_QP_RTR);
	hca_qp_set_state(qp, HCA_QP_RTS);
}

static inline void connect_pair(struct pair *pair)
{
	connect_qp(&pair->a.qp);
	connect_qp(&pair->b.qp);
}

static inline struct pair *connected_pair(enum hca_qp_type type)
{
	struct pair *pair = create_pair(type);

	connect_pair(pair);
	return pair;
}

static inline void destroy_side(struct side *side)
{
	assert_int_equal(hca_qp_destroy(&side->qp), 0);
	if (side->srq.hca)
		assert_int_equal(hca_srq_destroy(&side->srq), 0);
	assert_int_equal(hca_cq_destroy(&side->cq), 0);
	hca_mkey_destroy(&side->hca, &side->mkey);
	hca_destroy(&side->hca);
	for (unsigned int i = 0; i < LOGGED; i++)
		packet_free(side->logged[i]);
	while (side->held) {
		struct packet *packet = side->held;

		side->held = packet->next;
		packet_free(packet);
	}
	free(side->sends);
	free(side->memory);
}

static inline void destroy_pair(struct pair *pair)
{
	destroy_side(&pair->a);
	destroy_side(&pair->b);
	fabric_destroy(pair->fabric);
	sched_destroy(pair->sched);
	packet_drain_pool();
	free(pair);
}

/* Working */

/* The next send work request, to be filled in; it counts once the doorbell is rung. */
static inline struct hca_send_wr *prepare(struct side *side, enum hca_opcode opcode, uint32_t at,
					  uint32_t len)
{
	struct hca_send_wr *wr = &side->sends[side->posted++ % SENDS];

	memset(wr, 0, sizeof(*wr));
	wr->opcode = opcode;
	wr->chip_opcode = (uint8_t)opcode;
	wr->signaled = true;
	wr->sge_count = 1;
	wr->sge[0] =
		(struct hca_sge){ .len = len, .lkey = key_of(&side->mkey), .addr = data_addr(at) };
	return wr;
}

/* An RDMA operation or atomic on the other side's data area. */
static inline struct hca_send_wr *prepare_remote(struct side *side, enum hca_opcode opcode,
						 uint32_t at, uint32_t len, uint32_t remote_at)
{
	struct side *peer = side == &side->pair->a ? &side->pair->b : &side->pair->a;
	struct hca_send_wr *wr = prepare(side, opcode, at, len);

	wr->remote_addr = data_addr(remote_at);
	wr->rkey = key_of(&peer->mkey);
	return wr;
}

static inline void ring(struct side *side)
{
	hca_qp_doorbell(&side->qp);
	sched_run(side->pair->sched);
}

static inline void put_recv_wqe(struct side *side, uint32_t at, uint32_t len, uint8_t *wqe)
{
	memset(wqe, 0, 1u << LOG_RECV_STRIDE);
	put_be32(wqe, 1);
	put_be32(wqe + 16, len);
	put_be32(wqe + 20, key_of(&side->mkey));
	put_be64(wqe + 24, data_addr(at));
}

static inline uint8_t *recv_wqe(struct side *side, uint32_t index)
{
	return side->memory + RQ_AT + ((index % (1u << LOG_RQ)) << LOG_RECV_STRIDE);
}

static inline void post_recv(struct side *side, uint32_t at, uint32_t len)
{
	put_recv_wqe(side, at, len, recv_wqe(side, side->received_posted++));
	put_be32(side->memory + RQ_DBR_AT, side->received_posted);
}

static inline void post_srq(struct side *side, uint32_t at, uint32_t len)
{
	put_recv_wqe(side, at, len,
		     side->memory + SRQ_AT + ((side->srq_posted++ % 16) << LOG_RECV_STRIDE));
	put_be32(side->memory + SRQ_DBR_AT, side->srq_posted);
}

static inline void expect_wc(struct side *side, unsigned int n, enum hca_wc_opcode opcode,
			     enum hca_status status)
{
	assert_true(n < side->wcs);
	assert_int_equal(side->wc[n % WCS].status, status);
	assert_int_equal(side->wc[n % WCS].opcode, opcode);
}

static inline void expect_event(const struct side *side, unsigned int n, enum hca_event event)
{
	assert_true(n < side->events);
	assert_int_equal(side->event[n].event, event);
	assert_int_equal(side->event[n].number, side->qp.num);
}

/* A packet that the other side might have sent, past the tap; rest is what follows the BTH. */
static inline void inject(struct side *to, unsigned int transport, unsigned int operation,
			  uint32_t psn, const void *rest, uint16_t len)
{
	struct side *peer = to == &to->pair->a ? &to->pair->b : &to->pair->a;
	struct packet *packet = packet_alloc();
	const struct bth bth = {
		.opcode = (uint8_t)BTH_OPCODE(transport, operation),
		.pad_count = (uint8_t)(-len & 3),
		.migrated = true,
		.ack_request = true,
		.pkey = 0xffff,
		.dest_qpn = to->qp.num,
		.psn = psn,
	};
	struct lrh lrh = {
		.lnh = LNH_LOCAL, .dlid = fabric_port_attr(to->port)->lid,
		.slid = fabric_port_attr(peer->port)->lid,
	};

	packet->len = (uint16_t)(LRH_LEN + BTH_LEN + len + bth.pad_count);
	lrh.packet_words = (uint16_t)((packet->len + ICRC_LEN) / 4);
	lrh_encode(packet->data, &lrh);
	bth_encode(packet->data + LRH_LEN, &bth);
	memset(packet->data + LRH_LEN + BTH_LEN, 0, packet->len - LRH_LEN - BTH_LEN);
	memcpy(packet->data + LRH_LEN + BTH_LEN, rest, len);
	hca_receive(&to->hca, packet);
	sched_run(to->pair->sched);
}

/* How many packets of an operation have arrived. */
static inline unsigned int count_packets(const struct side *side, unsigned int operation)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < side->arrived; i++)
		count += operation_of(side->logged[i % LOGGED]) == operation;
	return count;
}

#endif
