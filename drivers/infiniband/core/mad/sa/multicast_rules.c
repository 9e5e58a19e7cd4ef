// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* When a membership fits a group, and which memberships SA must hear of. */

#include "multicast.h"

/* Counts @change members of each kind in @join_state. */
void mcast_count(struct mcast_counts *counts, u8 join_state, int change)
{
	int kind;

	for (kind = 0; kind < NUM_JOIN_MEMBERSHIP_TYPES; kind++)
		if (join_state & BIT(kind))
			counts->members[kind] += change;
}

/* The kinds in @join_state of which there is no member. */
u8 mcast_unused(const struct mcast_counts *counts, u8 join_state)
{
	u8 unused = 0;
	int kind;

	for (kind = 0; kind < NUM_JOIN_MEMBERSHIP_TYPES; kind++)
		if (!counts->members[kind])
			unused |= BIT(kind);
	return unused & join_state;
}

/* A value that's asked for with a selector: more than, less than, or exactly. */
static bool fits(u8 selector, u8 value, u8 wanted)
{
	switch (selector) {
	case IB_SA_GT:
		return value > wanted;
	case IB_SA_LT:
		return value < wanted;
	case IB_SA_EQ:
		return value == wanted;
	default:
		return true;	/* the best that there is */
	}
}

static bool both(ib_sa_comp_mask mask, ib_sa_comp_mask a, ib_sa_comp_mask b)
{
	return mask & a && mask & b;
}

/**
 * mcast_check_record - whether a group is what somebody wants to join
 * @group: what it is; the MGID is the right one
 * @wanted: what is wanted
 * @mask: which components of @wanted count
 *
 * Return: 0 or -EINVAL.
 */
int mcast_check_record(const struct ib_sa_mcmember_rec *group,
		       const struct ib_sa_mcmember_rec *wanted, ib_sa_comp_mask mask)
{
	if ((mask & IB_SA_MCMEMBER_REC_PORT_GID &&
	     memcmp(&group->port_gid, &wanted->port_gid, sizeof(group->port_gid))) ||
	    (mask & IB_SA_MCMEMBER_REC_QKEY && group->qkey != wanted->qkey) ||
	    (mask & IB_SA_MCMEMBER_REC_MLID && group->mlid != wanted->mlid) ||
	    (mask & IB_SA_MCMEMBER_REC_TRAFFIC_CLASS &&
	     group->traffic_class != wanted->traffic_class) ||
	    (mask & IB_SA_MCMEMBER_REC_PKEY && group->pkey != wanted->pkey) ||
	    (mask & IB_SA_MCMEMBER_REC_SL && group->sl != wanted->sl) ||
	    (mask & IB_SA_MCMEMBER_REC_FLOW_LABEL && group->flow_label != wanted->flow_label) ||
	    (mask & IB_SA_MCMEMBER_REC_HOP_LIMIT && group->hop_limit != wanted->hop_limit) ||
	    (mask & IB_SA_MCMEMBER_REC_SCOPE && group->scope != wanted->scope))
		return -EINVAL;

	if ((both(mask, IB_SA_MCMEMBER_REC_MTU_SELECTOR, IB_SA_MCMEMBER_REC_MTU) &&
	     !fits(wanted->mtu_selector, group->mtu, wanted->mtu)) ||
	    (both(mask, IB_SA_MCMEMBER_REC_RATE_SELECTOR, IB_SA_MCMEMBER_REC_RATE) &&
	     !fits(wanted->rate_selector, group->rate, wanted->rate)) ||
	    (both(mask, IB_SA_MCMEMBER_REC_PACKET_LIFE_TIME_SELECTOR,
		  IB_SA_MCMEMBER_REC_PACKET_LIFE_TIME) &&
	     !fits(wanted->packet_life_time_selector, group->packet_life_time,
		   wanted->packet_life_time)))
		return -EINVAL;
	return 0;
}
