// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What management classes have in common. IBTA volume 1, chapters 13.4 and 16. */

#include <linux/export.h>
#include <linux/string.h>

#include "mad.h"

bool mad_is_vendor_class(u8 mgmt_class)
{
	return mgmt_class >= IB_MGMT_CLASS_VENDOR_RANGE2_START &&
	       mgmt_class <= IB_MGMT_CLASS_VENDOR_RANGE2_END;
}

bool mad_is_sm_class(u8 mgmt_class)
{
	return mgmt_class == IB_MGMT_CLASS_SUBN_LID_ROUTED ||
	       mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE;
}

/**
 * ib_response_mad - whether a MAD is a response
 * @hdr: its header
 *
 * TrapRepress has no response bit but answers a Trap all the same, and baseboard management has
 * its response bit elsewhere.
 *
 * Context: any.
 *
 * Return: 1 or 0.
 */
int ib_response_mad(const struct ib_mad_hdr *hdr)
{
	return hdr->method & IB_MGMT_METHOD_RESP ||
	       hdr->method == IB_MGMT_METHOD_TRAP_REPRESS ||
	       (hdr->mgmt_class == IB_MGMT_CLASS_BM && hdr->attr_mod & IB_BM_ATTR_MOD_RESP);
}
EXPORT_SYMBOL(ib_response_mad);

/**
 * ib_is_mad_class_rmpp - whether MADs of a class have an RMPP header
 * @mgmt_class: the class
 *
 * Context: any.
 *
 * Return: 1 or 0.
 */
int ib_is_mad_class_rmpp(u8 mgmt_class)
{
	switch (mgmt_class) {
	case IB_MGMT_CLASS_SUBN_ADM:
	case IB_MGMT_CLASS_DEVICE_MGMT:
	case IB_MGMT_CLASS_DEVICE_ADM:
	case IB_MGMT_CLASS_BIS:
		return 1;
	default:
		return mad_is_vendor_class(mgmt_class);
	}
}
EXPORT_SYMBOL(ib_is_mad_class_rmpp);

/**
 * ib_get_mad_data_offset - where the data of a MAD begin
 * @mgmt_class: its class
 *
 * Context: any.
 *
 * Return: bytes from the start of the MAD: behind the MAD header, the RMPP header and the header
 * of the class.
 */
int ib_get_mad_data_offset(u8 mgmt_class)
{
	switch (mgmt_class) {
	case IB_MGMT_CLASS_SUBN_ADM:
		return IB_MGMT_SA_HDR;
	case IB_MGMT_CLASS_DEVICE_MGMT:
	case IB_MGMT_CLASS_DEVICE_ADM:
	case IB_MGMT_CLASS_BIS:
		return IB_MGMT_DEVICE_HDR;
	default:
		return mad_is_vendor_class(mgmt_class) ? IB_MGMT_VENDOR_HDR : IB_MGMT_MAD_HDR;
	}
}
EXPORT_SYMBOL(ib_get_mad_data_offset);

/**
 * ib_mad_kernel_rmpp_agent - whether RMPP is done here for an agent
 * @agent: the agent
 *
 * Context: any.
 *
 * Return: 1, or 0 if it does it by itself or not at all.
 */
int ib_mad_kernel_rmpp_agent(const struct ib_mad_agent *agent)
{
	return agent->rmpp_version && !(agent->flags & IB_MAD_USER_RMPP);
}
EXPORT_SYMBOL(ib_mad_kernel_rmpp_agent);

/* Whether a received MAD may be looked at. @smi: it was received on QP0. */
bool mad_acceptable(const struct ib_mad_hdr *hdr, bool smi)
{
	if (hdr->base_version != IB_MGMT_BASE_VERSION || mad_is_sm_class(hdr->mgmt_class) != smi)
		return false;
	/* Connection management knows but one method, except for ClassPortInfo. */
	return hdr->mgmt_class != IB_MGMT_CLASS_CM || hdr->method == IB_MGMT_METHOD_SEND ||
	       hdr->attr_id == IB_MGMT_CLASSPORTINFO_ATTR_ID;
}

/* Makes the answer to a query that nobody takes; false if it isn't a query. */
bool mad_make_unsupported(struct ib_mad *reply, const struct ib_mad *request)
{
	if (request->mad_hdr.method != IB_MGMT_METHOD_GET &&
	    request->mad_hdr.method != IB_MGMT_METHOD_SET)
		return false;

	*reply = *request;
	reply->mad_hdr.method = IB_MGMT_METHOD_GET_RESP;
	reply->mad_hdr.status = cpu_to_be16(IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD_ATTRIB);
	if (request->mad_hdr.mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
		reply->mad_hdr.status |= IB_SMP_DIRECTION;
	return true;
}
