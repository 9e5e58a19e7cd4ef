// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * End-to-end flow control (IBTA vol. 1, 9.7.7.2): a positive acknowledge tells how many receives
 * are posted for messages beyond those that it counts. Only for connections with a receive queue of
 * their own; others say that there is no such limit.
 */
#include "hca/connected.h"

/* Credit counts by their code in the AETH (table 45). */
static const uint16_t counts[AETH_CREDITS_INVALID] = {
	0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536,
	2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768,
};

static uint8_t encode(uint32_t count)
{
	uint8_t code = 0;

	while (code + 1 < AETH_CREDITS_INVALID && counts[code + 1] <= count)
		code++;
	return code;
}

/* The receive in use is for the first message that isn't counted yet. */
uint8_t hca_positive_syndrome(const struct hca_qp *qp)
{
	if (qp->type != HCA_QP_RC || !qp->has_rq)
		return AETH_ACK | AETH_CREDITS_INVALID;
	return AETH_ACK |
	       encode(hca_rq_posted(qp->hca, &qp->rq) + qp->connected->inbound.has_wr);
}

void hca_take_credits(struct requester *r, const struct aeth *aeth)
{
	uint8_t code = aeth->syndrome & AETH_VALUE_MASK;

	if ((aeth->syndrome & AETH_KIND_MASK) != AETH_ACK)
		return;
	r->limited = code != AETH_CREDITS_INVALID;
	if (r->limited)
		r->last_ssn = psn_add(aeth->msn, counts[code]);
}

static bool takes_a_receive(const struct request *request)
{
	return request->opcode == HCA_SEND || request->opcode == HCA_SEND_IMM ||
	       request->opcode == HCA_SEND_INVALIDATE || request->opcode == HCA_WRITE_IMM;
}

/*
 * Beyond the limit a first packet is sent all the same, once nothing is under way: its answer tells
 * how it stands by then.
 */
bool hca_has_credit(const struct requester *r, struct request *request)
{
	if (!r->limited || !takes_a_receive(request) ||
	    psn_distance(request->ssn, r->last_ssn) < PSN_HALF)
		return true;
	if (r->una != request->psn)
		return psn_distance(request->psn, r->una) < request->packets;
	request->probes = true;
	return !r->packet;
}
