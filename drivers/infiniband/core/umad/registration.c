// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * From the two forms of a user's registration request to what ib_mad takes. Nothing here
 * touches a device. Class, version, methods and RMPP version are ib_mad's to judge, which knows
 * what is registered already.
 */

#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "umad.h"

static int parse_qpn(u32 qpn, struct umad_registration *reg)
{
	if (qpn > 1)
		return -EINVAL;
	reg->qp_type = qpn ? IB_QPT_GSI : IB_QPT_SMI;
	return 0;
}

/**
 * umad_parse_reg_req - parse the first form
 * @ureq: what the program gave
 * @compat: the program's long has 32 bits
 * @reg: filled in on success
 *
 * Return: 0, or -EINVAL for a QP other than 0 and 1.
 */
int umad_parse_reg_req(const struct ib_user_mad_reg_req *ureq, bool compat,
		       struct umad_registration *reg)
{
	memset(reg, 0, sizeof(*reg));
	if (parse_qpn(ureq->qpn, reg))
		return -EINVAL;

	reg->rmpp_version = ureq->rmpp_version;
	reg->unsolicited = ureq->mgmt_class;
	if (!reg->unsolicited)
		return 0;

	reg->req.mgmt_class = ureq->mgmt_class;
	reg->req.mgmt_class_version = ureq->mgmt_class_version;
	memcpy(reg->req.oui, ureq->oui, sizeof(reg->req.oui));
	/* A bitmap of longs; on a big-endian machine the size of long makes a difference. */
	if (compat)
		bitmap_from_arr32(reg->req.method_mask, (const u32 *)ureq->method_mask,
				  IB_MGMT_MAX_METHODS);
	else
		memcpy(reg->req.method_mask, ureq->method_mask, sizeof(reg->req.method_mask));
	return 0;
}

/**
 * umad_parse_reg_req2 - parse the second form
 * @ureq: what the program gave
 * @reg: filled in on success
 *
 * Return: 0, or -EINVAL for a QP other than 0 and 1, for unknown flags, and for an OUI of more
 * than 24 bits with a management class.
 */
int umad_parse_reg_req2(const struct ib_user_mad_reg_req2 *ureq, struct umad_registration *reg)
{
	memset(reg, 0, sizeof(*reg));
	if (parse_qpn(ureq->qpn, reg) || ureq->flags & ~IB_USER_MAD_REG_FLAGS_CAP)
		return -EINVAL;

	reg->flags = ureq->flags;
	reg->rmpp_version = ureq->rmpp_version;
	reg->unsolicited = ureq->mgmt_class;
	if (!reg->unsolicited)
		return 0;

	if (ureq->oui >> 24)
		return -EINVAL;
	reg->req.mgmt_class = ureq->mgmt_class;
	reg->req.mgmt_class_version = ureq->mgmt_class_version;
	put_unaligned_be24(ureq->oui, reg->req.oui);
	bitmap_from_arr64(reg->req.method_mask, ureq->method_mask, IB_MGMT_MAX_METHODS);
	return 0;
}
