// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Which attributes Dynamically Connected queue pairs take at which transition. ib_core knows
 * nothing of them, so the rules live here. An initiator has its address in each request; a target
 * is made by the device at the last of its two transitions.
 */
#include "qp.h"

/* A transition with the attributes that it needs, and those that it takes beside them. */
struct rule {
	enum ib_qp_state from, to;
	int required, optional;
};

static const struct rule dci_rules[] = {
	{ IB_QPS_RESET, IB_QPS_INIT, IB_QP_PKEY_INDEX | IB_QP_PORT, 0 },
	{ IB_QPS_INIT, IB_QPS_INIT, 0, IB_QP_PKEY_INDEX | IB_QP_PORT },
	{ IB_QPS_INIT, IB_QPS_RTR, IB_QP_PATH_MTU, IB_QP_PKEY_INDEX | IB_QP_AV },
	{ IB_QPS_RTR, IB_QPS_RTS, IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY |
				  IB_QP_MAX_QP_RD_ATOMIC | IB_QP_SQ_PSN, IB_QP_MIN_RNR_TIMER },
	{ IB_QPS_RTS, IB_QPS_RTS, 0, IB_QP_MIN_RNR_TIMER },
};

static const struct rule dct_rules[] = {
	{ IB_QPS_RESET, IB_QPS_INIT, IB_QP_ACCESS_FLAGS | IB_QP_PKEY_INDEX | IB_QP_PORT, 0 },
	{ IB_QPS_INIT, IB_QPS_RTR, IB_QP_MIN_RNR_TIMER | IB_QP_AV | IB_QP_PATH_MTU, 0 },
};

static bool fits(const struct rule *rules, size_t count, enum ib_qp_state from,
		 enum ib_qp_state to, int attr_mask)
{
	for (size_t i = 0; i < count; i++) {
		const struct rule *rule = &rules[i];
		int required = rule->required | IB_QP_STATE;

		if (rule->from == from && rule->to == to)
			return (attr_mask & required) == required &&
			       !(attr_mask & ~(required | rule->optional));
	}
	return false;
}

/**
 * mlx5_ib_dci_modify_ok - may a DC initiator be modified so?
 * @from: its state
 * @to: the new one
 * @attr_mask: enum ib_qp_attr_mask
 *
 * Return: whether the device has the transition and takes these attributes there.
 */
bool mlx5_ib_dci_modify_ok(enum ib_qp_state from, enum ib_qp_state to, int attr_mask)
{
	if (to == IB_QPS_RESET || (to == IB_QPS_ERR && from != IB_QPS_RESET))
		return attr_mask == IB_QP_STATE;
	return fits(dci_rules, ARRAY_SIZE(dci_rules), from, to, attr_mask);
}

/**
 * mlx5_ib_dct_modify_ok - may a DC target be modified so?
 * @from: its state
 * @to: the new one
 * @attr_mask: enum ib_qp_attr_mask
 *
 * Return: whether it's one of its two transitions, with just the attributes that this one needs.
 */
bool mlx5_ib_dct_modify_ok(enum ib_qp_state from, enum ib_qp_state to, int attr_mask)
{
	return fits(dct_rules, ARRAY_SIZE(dct_rules), from, to, attr_mask);
}

/**
 * mlx5_ib_dct_query_ok - can these attributes of a DC target be told?
 * @state: its state
 * @attr_mask: enum ib_qp_attr_mask
 *
 * Return: whether there is a target to ask, and it knows all of these.
 */
bool mlx5_ib_dct_query_ok(enum ib_qp_state state, int attr_mask)
{
	const int known = IB_QP_STATE | IB_QP_ACCESS_FLAGS | IB_QP_PORT | IB_QP_MIN_RNR_TIMER |
			  IB_QP_AV | IB_QP_PATH_MTU | IB_QP_PKEY_INDEX;

	return state == IB_QPS_RTR && !(attr_mask & ~known);
}
