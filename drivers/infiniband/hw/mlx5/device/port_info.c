// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What the port's agent, or the firmware, says of a port, in ib_core's terms.
 */
#include <linux/mlx5/port.h>
#include <linux/unaligned.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_smi.h>
#include "device.h"

/* Active extended speeds (IBTA 14.2.5.6), and the second group of them. */
#define EXTENDED_FDR 1
#define EXTENDED_EDR 2
#define EXTENDED_HDR 4
#define EXTENDED_NDR 8
#define EXTENDED2_XDR 2

static u16 get_u16(const u8 *at)
{
	return get_unaligned_be16(at);
}

/* 0: none that counts */
static u16 extended_speed(u8 active, u16 cap_flags2)
{
	switch (active) {
	case EXTENDED_FDR:
		return IB_SPEED_FDR;
	case EXTENDED_EDR:
		return IB_SPEED_EDR;
	case EXTENDED_HDR:
		return cap_flags2 & IB_PORT_LINK_SPEED_HDR_SUP ? IB_SPEED_HDR : 0;
	case EXTENDED_NDR:
		return cap_flags2 & IB_PORT_LINK_SPEED_NDR_SUP ? IB_SPEED_NDR : 0;
	default:
		return 0;
	}
}

static u16 speed(const u8 *info, u32 cap_flags, u16 cap_flags2)
{
	u16 speed = info[35] >> 4, extended = 0;

	if (cap_flags & IB_PORT_EXTENDED_SPEEDS_SUP)
		extended = extended_speed(info[62] >> 4, cap_flags2);
	if (cap_flags2 & IB_PORT_EXTENDED_SPEEDS2_SUP && cap_flags2 & IB_PORT_LINK_SPEED_XDR_SUP &&
	    (info[56] >> 4 & 6) == EXTENDED2_XDR)
		extended = IB_SPEED_XDR;
	return extended ?: speed;
}

/**
 * mlx5_ib_port_info - a port's attributes from its PortInfo (IBTA 14.2.5.6)
 * @smp: Get(PortInfo)'s answer
 * @attr: what the attribute tells is filled in, the rest left alone
 */
void mlx5_ib_port_info(const struct ib_smp *smp, struct ib_port_attr *attr)
{
	const u8 *info = smp->data;
	bool second_mask, double_width;

	attr->lid = get_u16(info + 16);
	attr->sm_lid = get_u16(info + 18);
	attr->port_cap_flags = get_unaligned_be32(info + 20);
	second_mask = attr->port_cap_flags & IB_PORT_CAP_MASK2_SUP;
	attr->port_cap_flags2 = second_mask ? get_u16(info + 60) : 0;
	double_width = attr->port_cap_flags2 & IB_PORT_LINK_WIDTH_2X_SUP;
	attr->active_width = info[31] & (double_width ? 0x1f : 0xf);
	attr->state = info[32] & 0xf;
	attr->phys_state = info[33] >> 4;
	attr->lmc = info[34] & 7;
	attr->active_speed = speed(info, attr->port_cap_flags, attr->port_cap_flags2);
	attr->active_mtu = info[36] >> 4;
	attr->sm_sl = info[36] & 0xf;
	attr->max_vl_num = info[37] >> 4;
	attr->init_type_reply = info[41] >> 4;
	attr->max_mtu = info[41] & 0xf;
	attr->bad_pkey_cntr = get_u16(info + 46);
	attr->qkey_viol_cntr = get_u16(info + 48);
	attr->gid_tbl_len = info[50];
	attr->subnet_timeout = info[51] & 0x1f;
}

/**
 * mlx5_ib_is_fdr10 - whether what looks like QDR is FDR-10
 * @extended_port_info: Get()'s answer with the vendor's extension of PortInfo
 *
 * Return: true if it is.
 */
bool mlx5_ib_is_fdr10(const struct ib_smp *extended_port_info)
{
	return extended_port_info->data[15] & 1;
}

/**
 * mlx5_ib_width_of_ptys - a link's width
 * @width: MLX5_PTYS_WIDTH_*, of which the narrowest counts
 *
 * Return: enum ib_port_width; 4x if the device names none.
 */
u8 mlx5_ib_width_of_ptys(u16 width)
{
	static const u8 widths[] = { IB_WIDTH_1X, IB_WIDTH_2X, IB_WIDTH_4X, IB_WIDTH_8X,
				     IB_WIDTH_12X };
	u32 narrowest = ffs(width);

	return narrowest && narrowest <= ARRAY_SIZE(widths) ? widths[narrowest - 1] : IB_WIDTH_4X;
}

/**
 * mlx5_ib_mtu_of_bytes - an MTU in ib_core's terms
 * @bytes: as the device says it
 *
 * Return: enum ib_mtu; 0: there is no such MTU.
 */
enum ib_mtu mlx5_ib_mtu_of_bytes(u16 bytes)
{
	return is_power_of_2(bytes) && bytes >= 256 && bytes <= 4096 ? ilog2(bytes) - 7 : 0;
}

/**
 * mlx5_ib_vls_of_device - how many virtual lanes a port can have, as PortInfo says it
 * @vls: of data, as the device says it
 *
 * Return: 1 to 5, or -EINVAL: IBTA knows no such number of lanes.
 */
int mlx5_ib_vls_of_device(u8 vls)
{
	switch (vls) {
	case 1:
		return 1;
	case 2:
		return 2;
	case 4:
		return 3;
	case 8:
		return 4;
	case 15:
		return 5;
	default:
		return -EINVAL;
	}
}
