// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * User contexts: what a process has the driver send on its behalf carries the number of its
 * context, and reaches the objects alone that were made under that number. The driver itself, who
 * sends with number 0, reaches all; what it makes under another number is there for everybody.
 */
#include "base/log.h"
#include "connectx5/device.h"
#include "connectx5/field.h"

#define UID_AT 2       /* in the input of any command */
#define UCTX_UID_AT 10 /* of the commands on user contexts themselves, in both directions */
#define NUMBER_AT 9
#define SHARED 0xffff

enum kind {
	NOTHING, EQ, PD, XRCD, TRANSPORT_DOMAIN, UAR, CQ, QP, SRQ, MKEY, UMEM,
};

/*
 * What a command names: the object that it's about, by its number in the input or (creates) in the
 * output; or another one, by a field of the context that begins at a byte of the input.
 */
static const struct reference {
	uint16_t opcode;
	uint8_t kind;
	bool creates;
	uint16_t at; /* bit, of 24 */
} references[] = {
#define CQ_EQN (16 * 8 + cqc_c_eqn_or_apu_element_at + 8)
#define ABOUT(opcode, kind) { opcode, kind, false, NUMBER_AT * 8 }
#define CREATES(opcode, kind) { opcode, kind, true, NUMBER_AT * 8 }
#define NAMES(opcode, kind, context, layout, field) \
	{ opcode, kind, false, (context) * 8 + layout##_##field##_at }
	CREATES(0x200, MKEY), NAMES(0x200, PD, 16, mkc, pd),
	ABOUT(0x201, MKEY), ABOUT(0x202, MKEY),
	CREATES(0x301, EQ),
	CREATES(0x400, CQ), NAMES(0x400, UAR, 16, cqc, uar_page), { 0x400, EQ, false, CQ_EQN },
	ABOUT(0x401, CQ), ABOUT(0x402, CQ), ABOUT(0x403, CQ),
	CREATES(0x500, QP), NAMES(0x500, PD, 24, qpc, pd), NAMES(0x500, UAR, 24, qpc, uar_page),
	NAMES(0x500, CQ, 24, qpc, cqn_snd), NAMES(0x500, CQ, 24, qpc, cqn_rcv),
	ABOUT(0x501, QP), ABOUT(0x502, QP), ABOUT(0x503, QP), ABOUT(0x504, QP), ABOUT(0x505, QP),
	ABOUT(0x506, QP), ABOUT(0x507, QP), ABOUT(0x50a, QP), ABOUT(0x50b, QP), ABOUT(0x50c, QP),
	ABOUT(0x50e, QP),
	CREATES(0x700, SRQ), NAMES(0x700, PD, 16, srqc, pd),
	ABOUT(0x701, SRQ), ABOUT(0x702, SRQ), ABOUT(0x703, SRQ),
	CREATES(0x705, SRQ), NAMES(0x705, PD, 16, srqc, pd), NAMES(0x705, CQ, 16, srqc, cqn),
	NAMES(0x705, XRCD, 16, srqc, xrcd),
	ABOUT(0x706, SRQ), ABOUT(0x707, SRQ), ABOUT(0x708, SRQ),
	CREATES(0x710, QP), NAMES(0x710, PD, 16, dctc, pd), NAMES(0x710, CQ, 16, dctc, cqn),
	NAMES(0x710, SRQ, 16, dctc, srqn_xrqn),
	ABOUT(0x711, QP), ABOUT(0x712, QP), ABOUT(0x713, QP),
	CREATES(0x800, PD), ABOUT(0x801, PD),
	CREATES(0x802, UAR), ABOUT(0x803, UAR),
	ABOUT(0x806, QP), ABOUT(0x807, QP),
	CREATES(0x80e, XRCD), ABOUT(0x80f, XRCD),
	CREATES(0x816, TRANSPORT_DOMAIN), ABOUT(0x817, TRANSPORT_DOMAIN),
	CREATES(0x90c, SRQ), NAMES(0x90c, PD, 80, wq, pd),
	ABOUT(0x90d, SRQ), ABOUT(0x90e, SRQ), ABOUT(0x90f, SRQ),
	CREATES(0xa08, UMEM), ABOUT(0xa0a, UMEM),
	/* Questions about the device, which anybody may ask. */
	{ 0x100, NOTHING }, { 0x101, NOTHING }, { 0x10a, NOTHING }, { 0x203, NOTHING },
	{ 0x762, NOTHING }, { 0x842, NOTHING },
#undef ABOUT
#undef CREATES
#undef NAMES
#undef CQ_EQN
};

#define REFERENCE_COUNT (sizeof(references) / sizeof(references[0]))

/* The kind of receive queue with which a queue pair's context names a shared one. */
#define CREATE_QP 0x500
#define QPC_AT 24
#define RQ_SHARED 1
enum { ST_XRC = 3, ST_DCI = 5 };

static uint16_t *owner_of_eq(struct connectx5 *dev, uint32_t num)
{
	struct cx5_eq *eq = cx5_eq_find(dev, num);

	return eq ? &eq->uid : NULL;
}

static uint16_t *owner_of_cq(struct connectx5 *dev, uint32_t num)
{
	struct hca_cq *cq = hca_cq_find(&dev->hca, num);

	return cq ? &container(cq, struct cx5_cq, hca)->uid : NULL;
}

static uint16_t *owner_of_qp(struct connectx5 *dev, uint32_t num)
{
	struct hca_qp *qp = hca_qp_find(&dev->hca, num);

	return qp ? &container(qp, struct cx5_qp, hca)->uid : NULL;
}

static uint16_t *owner_of_srq(struct connectx5 *dev, uint32_t num)
{
	struct hca_srq *srq = hca_srq_find(&dev->hca, num);

	return srq ? &container(srq, struct cx5_srq, hca)->uid : NULL;
}

static uint16_t *owner_of_mkey(struct connectx5 *dev, uint32_t num)
{
	struct hca_mkey *mkey = hca_mkey_find(&dev->hca, num);

	return mkey ? &container(mkey, struct cx5_mkey, hca)->uid : NULL;
}

static uint16_t *owner_of_umem(struct connectx5 *dev, uint32_t num)
{
	struct cx5_umem *umem = idtab_find(&dev->umems, num);

	return umem ? &umem->uid : NULL;
}

/* Where it's written down whose an object is; NULL: there is no such object. */
static uint16_t *owner_of(struct connectx5 *dev, enum kind kind, uint32_t num)
{
	switch (kind) {
	case EQ:
		return owner_of_eq(dev, num);
	case PD:
		return cx5_resource_owner(dev, CX5_PD, num);
	case XRCD:
		return cx5_resource_owner(dev, CX5_XRCD, num);
	case TRANSPORT_DOMAIN:
		return cx5_resource_owner(dev, CX5_TRANSPORT_DOMAIN, num);
	case UAR:
		return cx5_resource_owner(dev, CX5_UAR, num);
	case CQ:
		return owner_of_cq(dev, num);
	case QP:
		return owner_of_qp(dev, num);
	case SRQ:
		return owner_of_srq(dev, num);
	case MKEY:
		return owner_of_mkey(dev, num);
	case UMEM:
		return owner_of_umem(dev, num);
	default:
		return NULL;
	}
}

uint16_t cx5_uid_of(const struct cx5_command *cmd)
{
	return get_be16(cmd->in + UID_AT);
}

static bool is_driver(uint16_t uid)
{
	return !uid || uid == SHARED;
}

bool cx5_uctx_reaches(uint16_t uid, uint16_t owner)
{
	return is_driver(uid) || owner == uid || owner == SHARED;
}

static bool owns(struct connectx5 *dev, uint16_t uid, enum kind kind, uint32_t num)
{
	const uint16_t *owner = owner_of(dev, kind, num);

	return owner && cx5_uctx_reaches(uid, *owner);
}

/*
 * A receive queue of its own leaves the field for a shared one undefined; XRC and DC initiators,
 * which receive nothing from it, have one of the driver's there.
 */
static bool may_share(struct connectx5 *dev, uint16_t uid, const struct cx5_command *cmd)
{
	const uint8_t *qpc = cmd->in + QPC_AT;

	return cmd->opcode != CREATE_QP || GET(qpc, rq_type, qpc) != RQ_SHARED ||
	       GET(qpc, st, qpc) == ST_XRC || GET(qpc, st, qpc) == ST_DCI ||
	       owns(dev, uid, SRQ, GET(qpc, srqn_rmpn_xrqn, qpc));
}

static bool may_name(struct connectx5 *dev, uint16_t uid, const struct cx5_command *cmd,
		     const struct reference *reference)
{
	uint32_t num = get_bits(cmd->in, reference->at, 24);

	if (reference->creates || reference->kind == NOTHING ||
	    owns(dev, uid, (enum kind)reference->kind, num))
		return true;
	log_info("connectx5: command %#x of user context %u names %#x at bit %u: not its own",
		 cmd->opcode, uid, num, reference->at);
	return false;
}

enum cx5_status cx5_uctx_check(struct connectx5 *dev, const struct cx5_command *cmd)
{
	uint16_t uid = cx5_uid_of(cmd);
	bool known = false;

	if (is_driver(uid))
		return CX5_OK;
	if (!idtab_find(&dev->uctxs, uid))
		return CX5_BAD_RES;
	for (size_t i = 0; i < REFERENCE_COUNT; i++) {
		if (references[i].opcode != cmd->opcode)
			continue;
		known = true;
		if (references[i].kind == EQ && references[i].creates)
			return CX5_BAD_OP;
		if (!may_name(dev, uid, cmd, &references[i]))
			return CX5_BAD_RES;
	}
	if (!known)
		return CX5_BAD_OP;
	return may_share(dev, uid, cmd) ? CX5_OK : CX5_BAD_RES;
}

void cx5_uctx_own(struct connectx5 *dev, const struct cx5_command *cmd)
{
	uint16_t uid = cx5_uid_of(cmd), *owner;

	for (size_t i = 0; i < REFERENCE_COUNT && uid; i++) {
		if (references[i].opcode != cmd->opcode || !references[i].creates)
			continue;
		owner = owner_of(dev, (enum kind)references[i].kind,
				 get_be24(cmd->out + NUMBER_AT));
		if (owner)
			*owner = uid;
	}
}

/* The contexts themselves: only their numbers count. */

enum cx5_status cx5_create_uctx(struct connectx5 *dev, struct cx5_command *cmd)
{
	int64_t uid = idtab_alloc(&dev->uctxs, &dev->uctxs);

	if (uid < 0)
		return cx5_status_of((int)uid);
	put_be16(cmd->out + UCTX_UID_AT, (uint16_t)uid);
	return CX5_OK;
}

static void orphan(struct connectx5 *dev, uint16_t uid, enum kind kind, const struct idtab *tab)
{
	uint32_t num;
	void *object;

	idtab_for_each(tab, num, object) {
		uint16_t *owner = owner_of(dev, kind, num);

		if (owner && *owner == uid)
			*owner = 0;
	}
}

/* What is left of its objects is the driver's, so that the next one of its number has none. */
enum cx5_status cx5_destroy_uctx(struct connectx5 *dev, struct cx5_command *cmd)
{
	uint16_t uid = get_be16(cmd->in + UCTX_UID_AT);

	if (!idtab_find(&dev->uctxs, uid))
		return CX5_BAD_RES;
	orphan(dev, uid, PD, &dev->resources[CX5_PD]);
	orphan(dev, uid, XRCD, &dev->resources[CX5_XRCD]);
	orphan(dev, uid, TRANSPORT_DOMAIN, &dev->resources[CX5_TRANSPORT_DOMAIN]);
	orphan(dev, uid, UAR, &dev->resources[CX5_UAR]);
	orphan(dev, uid, CQ, &dev->hca.cqs);
	orphan(dev, uid, QP, &dev->hca.qps);
	orphan(dev, uid, SRQ, &dev->hca.srqs);
	orphan(dev, uid, MKEY, &dev->hca.mkeys);
	orphan(dev, uid, UMEM, &dev->umems);
	idtab_free(&dev->uctxs, uid);
	return CX5_OK;
}

void cx5_uctxs_forget(struct connectx5 *dev)
{
	uint32_t uid;
	void *uctx;

	idtab_for_each(&dev->uctxs, uid, uctx)
		idtab_free(&dev->uctxs, uid);
}
