// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Datagrams that arrived for the port's own agents, or that the host sends to itself.
 */
#include <rdma/ib_mad.h>
#include <rdma/ib_smi.h>
#include "device.h"

/* Vendor classes of which the firmware has agents. */
#define CLASS_VENDOR_9 0x9
#define CLASS_VENDOR_A 0xa

static bool gets_or_sets(const struct ib_mad_hdr *hdr)
{
	return hdr->method == IB_MGMT_METHOD_GET || hdr->method == IB_MGMT_METHOD_SET;
}

/* A subnet manager isn't among the firmware's agents: SMInfo goes to who registered for it. */
static bool is_agents(const struct ib_mad_hdr *hdr)
{
	switch (hdr->mgmt_class) {
	case IB_MGMT_CLASS_SUBN_LID_ROUTED:
	case IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE:
		return (gets_or_sets(hdr) || hdr->method == IB_MGMT_METHOD_TRAP_REPRESS) &&
		       hdr->attr_id != IB_SMP_ATTR_SM_INFO;
	case IB_MGMT_CLASS_PERF_MGMT:
	case IB_MGMT_CLASS_CONG_MGMT:
	case CLASS_VENDOR_9:
	case CLASS_VENDOR_A:
		return gets_or_sets(hdr);
	default:
		return false;
	}
}

/* The host's own trap, which has no LID yet to be sent from. */
static bool is_stray_trap(const struct ib_mad_hdr *hdr, const struct ib_wc *wc)
{
	return hdr->method == IB_MGMT_METHOD_TRAP && wc && !wc->slid;
}

static int answer(struct mlx5_ib_dev *dev, int flags, u32 port_num, const struct ib_wc *wc,
		  const struct ib_grh *grh, const struct ib_mad *in, struct ib_mad *out)
{
	if (in->mad_hdr.mgmt_class == IB_MGMT_CLASS_PERF_MGMT &&
	    mlx5_ib_answers_pma(dev, &in->mad_hdr))
		return mlx5_ib_answer_pma(dev, in, out);
	return mlx5_ib_mad_ifc(dev, flags & IB_MAD_IGNORE_MKEY, flags & IB_MAD_IGNORE_BKEY,
			       port_num, wc, grh, in, out);
}

/**
 * mlx5_ib_process_mad - what the port's own agents say to a datagram
 * @ibdev: the adapter
 * @flags: IB_MAD_IGNORE_*
 * @port_num: the port
 * @wc: how it came; NULL: it's the host's own
 * @grh: of it, or NULL
 * @in: the datagram
 * @out: the answer
 * @out_size: of the answer
 * @out_pkey_index: unused, the answer goes back as the question came
 *
 * Context: may sleep.
 * Return: IB_MAD_RESULT_*
 */
int mlx5_ib_process_mad(struct ib_device *ibdev, int flags, u32 port_num, const struct ib_wc *wc,
			const struct ib_grh *grh, const struct ib_mad *in, struct ib_mad *out,
			size_t *out_size, u16 *out_pkey_index)
{
	const struct ib_mad_hdr *hdr = &in->mad_hdr;

	if (is_stray_trap(hdr, wc))
		return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_CONSUMED;
	if (!is_agents(hdr))
		return IB_MAD_RESULT_SUCCESS;
	if (answer(to_mdev(ibdev), flags, port_num, wc, grh, in, out))
		return IB_MAD_RESULT_FAILURE;
	if (hdr->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
		out->mad_hdr.status |= IB_SMP_DIRECTION;
	if (hdr->method == IB_MGMT_METHOD_TRAP_REPRESS)
		return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_CONSUMED;
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}
