// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Connected transports against a peer that sends whatever it likes, and a guest that changes states
 * and keys under the traffic. Nothing is asserted of what comes of it but that a reset makes all
 * well again: the sanitizers are the judges.
 */
#include "pair.h"

#define ROUNDS 100
#define PACKETS_A_ROUND 400

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(random_state >> 33) % limit;
}

/* Mostly something that's near to right. */
static uint32_t psn_for(struct side *to)
{
	const struct hca_connected *connected = to->qp.connected;
	uint32_t near = random_below(2) ? connected->responder.epsn : connected->requester.una;

	return random_below(8) ? (near + random_below(9) - 4) & PSN_MASK : random_below(1 << 24);
}

static uint16_t fill_rest(struct side *to, uint8_t rest[512])
{
	const struct reth reth = {
		.va = data_addr(random_below(0x10000)), .rkey = key_of(&to->mkey),
		.len = random_below(8) ? random_below(1000) : random_below(UINT32_MAX),
	};
	static const uint16_t lens[] = { 0, 4, 8, 12, 16, 20, 28, 256, 260, 272, 276 };

	for (unsigned int i = 0; i < 512; i++)
		rest[i] = (uint8_t)random_below(256);
	if (random_below(4))
		reth_encode(rest, &reth);
	if (!random_below(3))
		put_be32(rest, random_below(4) << 29 | random_below(32) << 24);
	if (!random_below(3))
		put_be32(rest, 1); /* XRC: a queue that exists */
	return random_below(4) ? lens[random_below(11)] : (uint16_t)random_below(512);
}

static void send_garbage(struct side *to, unsigned int transport)
{
	uint8_t rest[512];
	uint16_t len = fill_rest(to, rest);

	inject(to, random_below(50) ? transport : random_below(8), random_below(32), psn_for(to),
	       rest, len);
}

static void post_something(struct side *side)
{
	static const enum hca_opcode opcodes[] = {
		HCA_SEND, HCA_SEND_IMM, HCA_WRITE, HCA_WRITE_IMM, HCA_READ, HCA_COMPARE_SWAP,
		HCA_FETCH_ADD, HCA_SEND_INVALIDATE, HCA_LOCAL, HCA_NOP,
	};
	enum hca_opcode opcode = opcodes[random_below(10)];
	uint32_t len =
		opcode == HCA_COMPARE_SWAP || opcode == HCA_FETCH_ADD ? 8 : random_below(5000);
	struct hca_send_wr *wr =
		prepare_remote(side, opcode, random_below(1000), len, 8 * random_below(100));

	wr->fence = !random_below(5);
	wr->srqn = 1;
	wr->imm = key_of(&side->mkey);
	hca_qp_doorbell(&side->qp);
}

static void disturb(struct side *side)
{
	switch (random_below(12)) {
	case 0:
		side->mkey.free = !side->mkey.free;
		break;
	case 1:
		hca_qp_set_state(&side->qp, HCA_QP_ERR);
		break;
	case 2:
		hca_qp_set_state(&side->qp, HCA_QP_RESET);
		side->posted = 0;
		side->received_posted = 0;
		put_be32(side->memory + RQ_DBR_AT, 0);
		connect_qp(&side->qp);
		break;
	case 3:
		if (side->qp.state == HCA_QP_RTS)
			hca_qp_set_state(&side->qp, HCA_QP_SQD);
		else if (side->qp.state == HCA_QP_SQD || side->qp.state == HCA_QP_SQE)
			hca_qp_set_state(&side->qp, HCA_QP_RTS);
		break;
	case 4:
		side->qp.conn.path_mtu = (uint8_t)random_below(8);
		break;
	default:
		post_recv(side, random_below(0x1000), random_below(2000));
		break;
	}
}

static void play_round(struct pair *pair, unsigned int transport)
{
	for (unsigned int i = 0; i < PACKETS_A_ROUND; i++) {
		struct side *side = random_below(2) ? &pair->a : &pair->b;

		side->events = 0;
		if (!random_below(3))
			send_garbage(side, transport);
		else if (!random_below(20))
			disturb(side);
		else
			post_something(side);
		if (!random_below(10))
			sched_advance(pair->sched, random_below(10 * NSEC_PER_MSEC));
	}
}

/* Both start anew; what is sent then arrives. */
static void expect_recovery(struct pair *pair, enum hca_qp_type type)
{
	for (struct side *side = &pair->a; side; side = side == &pair->a ? &pair->b : NULL) {
		side->events = 0;
		hca_qp_set_state(&side->qp, HCA_QP_RESET);
		side->posted = 0;
		side->mkey.free = false;
		side->qp.conn.path_mtu = 2;
	}
	connect_pair(pair);
	pair->a.wcs = 0;
	fill(&pair->a, 0, 3000, random_below(256));
	prepare_remote(&pair->a, HCA_WRITE, 0, 3000, 0x8000)->srqn = 1;
	ring(&pair->a);
	sched_advance(pair->sched, NSEC_PER_SEC);
	if (type != HCA_QP_UC)
		expect_wc(&pair->a, 0, HCA_WC_SEND, HCA_OK);
	assert_memory_equal(data(&pair->b, 0x8000), data(&pair->a, 0), 3000);
}

static void endure(enum hca_qp_type type, unsigned int transport)
{
	for (unsigned int i = 0; i < ROUNDS; i++) {
		struct pair *pair = create_pair(type);

		random_state = i;
		if (type == HCA_QP_XRC) {
			create_srq(&pair->b);
			pair->b.srq.cq = &pair->b.cq;
			pair->b.cq.users++;
		}
		connect_pair(pair);
		play_round(pair, transport);
		expect_recovery(pair, type);
		destroy_pair(pair);
	}
}

static void reliable_connections_endure(void **state)
{
	(void)state;
	endure(HCA_QP_RC, BTH_TRANSPORT_RC);
}

static void unreliable_connections_endure(void **state)
{
	(void)state;
	endure(HCA_QP_UC, BTH_TRANSPORT_UC);
}

static void extended_reliable_connections_endure(void **state)
{
	(void)state;
	endure(HCA_QP_XRC, BTH_TRANSPORT_XRC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reliable_connections_endure),
		cmocka_unit_test(unreliable_connections_endure),
		cmocka_unit_test(extended_reliable_connections_endure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
