// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Directed routes, as a channel adapter sees them: it is at either end of a route, never in
 * between. IBTA volume 1, chapter 14.2.2: C14-9 for requests, C14-13 for responses.
 *
 * A route may have a part before or after it that is routed by LID; the permissive LID says
 * that there is none.
 */

#include "mad.h"

static bool leaves_request(struct ib_smp *smp, u32 port_num)
{
	if (smp->hop_cnt && !smp->hop_ptr) {		/* C14-9:1, the first hop */
		smp->hop_ptr = 1;
		return smp->initial_path[1] == port_num;
	}
	if (smp->hop_ptr == smp->hop_cnt) {		/* C14-9:3, no hop */
		smp->hop_ptr++;
		return smp->dr_dlid == IB_LID_PERMISSIVE;
	}
	return smp->hop_ptr == smp->hop_cnt + 1;	/* C14-9:4, it's for this node */
}

static bool leaves_response(struct ib_smp *smp, u32 port_num)
{
	if (smp->hop_cnt && smp->hop_ptr == smp->hop_cnt + 1) {	/* C14-13:1, the first hop */
		smp->hop_ptr--;
		return smp->return_path[smp->hop_ptr] == port_num;
	}
	if (smp->hop_ptr == 1) {			/* C14-13:3, no hop */
		smp->hop_ptr = 0;
		return smp->dr_slid == IB_LID_PERMISSIVE;
	}
	return smp->hop_ptr == 0;			/* C14-13:4, it's for this node */
}

/**
 * mad_smi_send - take an SMP's first step
 * @smp: a directed-route SMP that this node sends
 * @port_num: the port that it would leave by
 *
 * An SMP that begins with a part routed by LID is left as it is.
 *
 * Return: false if it can't leave by @port_num.
 */
bool mad_smi_send(struct ib_smp *smp, u32 port_num)
{
	bool response = ib_get_smp_direction(smp);

	if ((response ? smp->dr_dlid : smp->dr_slid) != IB_LID_PERMISSIVE)
		return true;
	if (smp->hop_cnt >= IB_SMP_MAX_PATH_HOPS)
		return false;
	return response ? leaves_response(smp, port_num) : leaves_request(smp, port_num);
}

static bool arrives_request(struct ib_smp *smp, u32 port_num)
{
	if (smp->hop_ptr == smp->hop_cnt) {		/* C14-9:3, the last hop */
		if (smp->hop_cnt)
			smp->return_path[smp->hop_ptr] = port_num;
		smp->hop_ptr++;
		return smp->dr_dlid == IB_LID_PERMISSIVE;
	}
	return smp->hop_ptr == smp->hop_cnt + 1;	/* C14-9:4 */
}

static bool arrives_response(struct ib_smp *smp, u32 port_num)
{
	if (smp->hop_cnt && smp->hop_ptr == smp->hop_cnt + 1) {	/* C14-13:1 */
		smp->hop_ptr--;
		return smp->return_path[smp->hop_ptr] == port_num &&
		       (smp->hop_ptr > 1 || smp->dr_slid == IB_LID_PERMISSIVE);
	}
	if (smp->hop_ptr == 1) {			/* C14-13:3, the last hop */
		smp->hop_ptr = 0;
		return smp->dr_slid == IB_LID_PERMISSIVE;
	}
	return smp->hop_ptr == 0;			/* C14-13:4 */
}

/**
 * mad_smi_receive - take an SMP's last step
 * @smp: a directed-route SMP from the wire
 * @port_num: the port that it came by
 *
 * Return: false if it isn't for this node.
 */
bool mad_smi_receive(struct ib_smp *smp, u32 port_num)
{
	if (smp->hop_cnt >= IB_SMP_MAX_PATH_HOPS)
		return false;
	return ib_get_smp_direction(smp) ? arrives_response(smp, port_num) :
					   arrives_request(smp, port_num);
}

/* Whether an SMP that has taken its first step is already where it's going. */
bool mad_smi_is_local(const struct ib_smp *smp)
{
	if (smp->status & IB_SMP_DIRECTION)
		return smp->hop_ptr == 0;
	return smp->hop_ptr == smp->hop_cnt + 1;
}
