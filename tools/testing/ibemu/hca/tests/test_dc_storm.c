// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Dynamic connections over a bad link: one initiator turns from target to target while packets are
 * lost, doubled and held up at random. Each request must be executed exactly once, in order, on the
 * target that it names. STORM_PACKETS says how many packets to go on for.
 */
#include "pair.h"

#define PACKETS 200000
#define TARGETS 3
#define KEY 0xfeedull
#define SLOTS 8
#define SLOT_LEN 0x1000u
#define REMOTE_AT 0x100000u /* slots that are sent and written into */
#define COUNTER_AT 0x200000u /* one a target */
#define RATE 50

static struct pair *pair;
static struct side *a, *b;
static struct hca_qp targets[TARGETS]; /* the first one is b->qp instead */
static uint64_t random_state, sums[TARGETS];
static unsigned int started, done, sends, received;

static struct log {
	enum hca_opcode opcode;
	uint32_t len;
} slots[SLOTS];

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(random_state >> 33) % limit;
}

static enum tap_action fate(struct side *side, const struct packet *packet)
{
	static const enum tap_action actions[] = { TAP_DROP, TAP_TWICE, TAP_DELAY };
	uint32_t n = random_below(RATE);

	(void)side;
	(void)packet;
	return n < 3 ? actions[n] : TAP_PASS;
}

static struct hca_qp *target(unsigned int n)
{
	return n ? &targets[n] : &b->qp;
}

static void create_target(struct hca_qp *qp)
{
	*qp = (struct hca_qp){
		.type = HCA_QP_DCT, .pd = PD, .srq = &b->srq, .dc_key = KEY,
		.send_cq = &b->cq, .recv_cq = &b->cq, .conn = a->qp.conn,
	};
	assert_int_equal(hca_qp_create(&b->hca, qp), 0);
	hca_qp_set_state(qp, HCA_QP_INIT);
	hca_qp_set_state(qp, HCA_QP_RTR);
}

static void set_up(void)
{
	pair = create_pair_without_qps();
	a = &pair->a;
	b = &pair->b;
	create_qp(a, HCA_QP_DCI, NULL);
	a->qp.conn.timeout = 8;
	a->qp.conn.retry_count = 7;
	a->qp.conn.path = (struct hca_av){ 0 };
	connect_qp(&a->qp);
	create_srq(b);
	for (unsigned int n = 0; n < TARGETS; n++)
		create_target(target(n));
	a->tap = fate;
	b->tap = fate;
}

static void start(void)
{
	static const enum hca_opcode opcodes[] = { HCA_SEND, HCA_WRITE, HCA_READ, HCA_FETCH_ADD };
	unsigned int n = random_below(TARGETS);
	uint32_t at = started % SLOTS * SLOT_LEN;
	struct log *log = &slots[started % SLOTS];
	struct hca_send_wr *wr;

	log->opcode = opcodes[random_below(4)];
	log->len = log->opcode == HCA_FETCH_ADD ? 8 : 1 + random_below(SLOT_LEN);
	fill(a, at, SLOT_LEN, started);
	if (log->opcode == HCA_READ)
		fill(b, REMOTE_AT + at, SLOT_LEN, ~started);
	if (log->opcode == HCA_SEND) {
		post_srq(b, REMOTE_AT + at, SLOT_LEN);
		sends++;
	}
	wr = prepare_remote(a, log->opcode, at, log->len, REMOTE_AT + at);
	if (log->opcode == HCA_FETCH_ADD) {
		wr->remote_addr = data_addr(COUNTER_AT + 8 * n);
		wr->swap_add = random_below(1000);
		sums[n] += wr->swap_add;
	}
	wr->av.dlid = fabric_port_attr(b->port)->lid;
	wr->dest_qpn = target(n)->num;
	wr->dc_key = KEY;
	started++;
}

static void take_completions(void)
{
	for (unsigned int i = 0; i < a->wcs; i++) {
		const struct log *log = &slots[done % SLOTS];
		uint32_t at = done % SLOTS * SLOT_LEN;

		assert_int_equal(a->wc[i].status, HCA_OK);
		assert_int_equal(a->wc[i].index, (uint16_t)done);
		if (log->opcode != HCA_FETCH_ADD)
			assert_memory_equal(data(a, at), data(b, REMOTE_AT + at), log->len);
		done++;
	}
	a->wcs = 0;
	for (unsigned int i = 0; i < b->wcs; i++)
		assert_int_equal(b->wc[i].status, HCA_OK);
	received += b->wcs;
	b->wcs = 0;
}

static void everything_happens_once(void **state)
{
	const char *text = getenv("STORM_PACKETS");
	unsigned int packets = text ? (unsigned int)strtoul(text, NULL, 0) : PACKETS;

	(void)state;
	random_state = 3;
	set_up();
	while (b->arrived < packets || done != started) {
		while (started - done < SLOTS && b->arrived < packets)
			start();
		hca_qp_doorbell(&a->qp);
		sched_advance(pair->sched, 20 * NSEC_PER_USEC);
		take_completions();
	}
	assert_true(done > 100);
	assert_int_equal(received, sends);
	for (unsigned int n = 0; n < TARGETS; n++)
		assert_int_equal(*(uint64_t *)data(b, COUNTER_AT + 8 * n), sums[n]);
	for (unsigned int n = 1; n < TARGETS; n++)
		assert_int_equal(hca_qp_destroy(target(n)), 0);
	destroy_pair(pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_happens_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
