// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Reliable connections over a bad link: packets are lost, doubled and held up at random while both
 * sides send, write, read and add. Every byte, every completion and every sum has to be right in
 * the end. STORM_PACKETS says how many packets to go on for.
 */
#include "pair.h"

#define PACKETS 1000000
#define SLOTS 32          /* operations of a side that are under way */
#define SLOT_LEN 0x8000u
#define LOCAL_AT 0u       /* slots of what this side sends, and reads into */
#define REMOTE_AT 0x100000u /* slots that the other side writes and sends into */
#define SOURCE_AT 0x200000u /* what the other side reads */
#define SOURCE_LEN 0x100000u
#define COUNTER_AT 0x300000u
#define RATE 100          /* one packet in so many suffers each fate */

struct operation_log {
	enum hca_opcode opcode;
	uint32_t len, source;
};

struct sender {
	struct side *side, *peer;
	struct operation_log log[SLOTS]; /* by index */
	unsigned int started, done, received, receives;
	uint64_t added, seen;
};

static struct pair *pair;
static struct sender senders[2];
static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(random_state >> 33) % limit;
}

/* A damaged packet is a lost one by the time it would get here. */
static enum tap_action fate(struct side *side, const struct packet *packet)
{
	(void)side;
	(void)packet;
	switch (random_below(RATE)) {
	case 0:
		return TAP_DROP;
	case 1:
		return TAP_TWICE;
	case 2:
		return TAP_DELAY;
	default:
		return TAP_PASS;
	}
}

static uint32_t slot(unsigned int index)
{
	return index % SLOTS * SLOT_LEN;
}

/*
 * Sends are received in the order of sending: each has its receive posted with it, into the slot of
 * its number.
 */
static void start(struct sender *s)
{
	static const enum hca_opcode opcodes[] = { HCA_SEND, HCA_WRITE, HCA_WRITE_IMM, HCA_READ,
						   HCA_FETCH_ADD };
	unsigned int index = s->started++;
	struct operation_log *log = &s->log[index % SLOTS];
	struct hca_send_wr *wr;

	log->opcode = opcodes[random_below(5)];
	log->len = random_below(4) ? random_below(3000) : random_below(SLOT_LEN);
	if (log->opcode == HCA_FETCH_ADD)
		log->len = 8;
	log->source = random_below(SOURCE_LEN - SLOT_LEN);
	if (log->opcode != HCA_READ)
		memcpy(data(s->side, LOCAL_AT + slot(index)),
		       data(s->side, SOURCE_AT + log->source), log->len);
	wr = prepare_remote(s->side, log->opcode, LOCAL_AT + slot(index), log->len,
			    REMOTE_AT + slot(index));
	wr->imm = index;
	wr->fence = !random_below(8);
	if (log->opcode == HCA_READ)
		wr->remote_addr = data_addr(SOURCE_AT + log->source);
	if (log->opcode == HCA_FETCH_ADD) {
		wr->remote_addr = data_addr(COUNTER_AT);
		wr->swap_add = random_below(1000);
		s->added += wr->swap_add;
	}
	if (log->opcode == HCA_SEND)
		post_recv(s->peer, REMOTE_AT + slot(index), SLOT_LEN);
	if (log->opcode == HCA_WRITE_IMM)
		post_recv(s->peer, 0, 0);
	s->receives += log->opcode == HCA_SEND || log->opcode == HCA_WRITE_IMM;
}

static void check(struct sender *s, const struct hca_wc *wc)
{
	unsigned int index = s->done++;
	const struct operation_log *log = &s->log[index % SLOTS];

	assert_int_equal(wc->status, HCA_OK);
	assert_int_equal(wc->index, (uint16_t)index);
	switch (log->opcode) {
	case HCA_READ:
		assert_memory_equal(data(s->side, LOCAL_AT + slot(index)),
				    data(s->peer, SOURCE_AT + log->source), log->len);
		break;
	case HCA_FETCH_ADD:
		assert_true(*(uint64_t *)data(s->side, LOCAL_AT + slot(index)) >= s->seen);
		s->seen = *(uint64_t *)data(s->side, LOCAL_AT + slot(index));
		break;
	default:
		assert_memory_equal(data(s->peer, REMOTE_AT + slot(index)),
				    data(s->side, SOURCE_AT + log->source), log->len);
		break;
	}
}

static void take_completions(struct sender *s, struct sender *other)
{
	for (; s->side->wcs; s->side->wcs = 0) {
		for (unsigned int i = 0; i < s->side->wcs; i++) {
			if (s->side->wc[i].opcode == HCA_WC_SEND) {
				check(s, &s->side->wc[i]);
			} else {
				assert_int_equal(s->side->wc[i].status, HCA_OK);
				other->received++;
			}
		}
	}
}

static void run(uint8_t path_mtu, unsigned int packets, uint64_t seed)
{
	pair = create_pair(HCA_QP_RC);
	random_state = seed;
	memset(senders, 0, sizeof(senders));
	for (unsigned int i = 0; i < 2; i++) {
		struct side *side = i ? &pair->b : &pair->a;

		senders[i].side = side;
		senders[i].peer = i ? &pair->a : &pair->b;
		side->qp.conn.path_mtu = path_mtu;
		side->qp.conn.retry_count = 7;
		side->qp.conn.timeout = 8;
		fill(side, SOURCE_AT, SOURCE_LEN, i);
		side->tap = fate;
	}
	connect_pair(pair);
	while (pair->a.arrived + pair->b.arrived < packets ||
	       senders[0].done != senders[0].started || senders[1].done != senders[1].started) {
		for (unsigned int i = 0; i < 2; i++) {
			struct sender *s = &senders[i];

			while (s->started - s->done < SLOTS &&
			       pair->a.arrived + pair->b.arrived < packets)
				start(s);
			hca_qp_doorbell(&s->side->qp);
		}
		sched_advance(pair->sched, 20 * NSEC_PER_USEC);
		take_completions(&senders[0], &senders[1]);
		take_completions(&senders[1], &senders[0]);
		assert_int_equal(pair->a.qp.state, HCA_QP_RTS);
		assert_int_equal(pair->b.qp.state, HCA_QP_RTS);
	}
	for (unsigned int i = 0; i < 2; i++) {
		assert_true(senders[i].done > 100);
		assert_int_equal(senders[i].received, senders[i].receives);
		assert_int_equal(*(uint64_t *)data(senders[i].peer, COUNTER_AT), senders[i].added);
	}
	destroy_pair(pair);
}

static unsigned int packets_wanted(void)
{
	const char *text = getenv("STORM_PACKETS");

	return text ? (unsigned int)strtoul(text, NULL, 0) : PACKETS;
}

static void nothing_is_lost_in_a_storm(void **state)
{
	(void)state;
	run(1, packets_wanted(), 1);
}

static void nor_with_long_packets(void **state)
{
	(void)state;
	run(5, packets_wanted() / 8, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost_in_a_storm),
		cmocka_unit_test(nor_with_long_packets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
