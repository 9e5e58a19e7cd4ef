// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The speed of an Ethernet port in the terms of InfiniBand: lanes, and the speed of one. */

#include <linux/ethtool.h>
#include <linux/rtnetlink.h>

#include "verbs.h"

/* Of devices that don't tell their lanes: what is usual up to @mbps. */
static const struct {
	u32 mbps;
	u8 width;
	u16 speed;
} usual[] = {
	{ SPEED_1000,	IB_WIDTH_1X, IB_SPEED_SDR },
	{ SPEED_10000,	IB_WIDTH_1X, IB_SPEED_FDR10 },
	{ SPEED_20000,	IB_WIDTH_4X, IB_SPEED_DDR },
	{ SPEED_25000,	IB_WIDTH_1X, IB_SPEED_EDR },
	{ SPEED_40000,	IB_WIDTH_4X, IB_SPEED_FDR10 },
	{ SPEED_50000,	IB_WIDTH_2X, IB_SPEED_EDR },
	{ SPEED_100000,	IB_WIDTH_4X, IB_SPEED_EDR },
	{ SPEED_200000,	IB_WIDTH_4X, IB_SPEED_HDR },
	{ U32_MAX,	IB_WIDTH_4X, IB_SPEED_NDR },
};

static const struct {
	u32 mbps;
	u16 speed;
} lane_speeds[] = {
	{ SPEED_5000,	IB_SPEED_DDR },
	{ SPEED_10000,	IB_SPEED_FDR10 },
	{ SPEED_14000,	IB_SPEED_FDR },
	{ SPEED_25000,	IB_SPEED_EDR },
	{ SPEED_50000,	IB_SPEED_HDR },
	{ SPEED_100000,	IB_SPEED_NDR },
};

static void guess(u32 mbps, u16 *speed, u8 *width)
{
	int i = 0;

	while (mbps > usual[i].mbps)
		i++;
	*speed = usual[i].speed;
	*width = usual[i].width;
}

static u8 width_of(u32 lanes)
{
	switch (lanes) {
	case 2:
		return IB_WIDTH_2X;
	case 4:
		return IB_WIDTH_4X;
	case 8:
		return IB_WIDTH_8X;
	case 12:
		return IB_WIDTH_12X;
	default:
		return IB_WIDTH_1X;
	}
}

static u16 speed_of(u32 lane_mbps)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(lane_speeds); i++)
		if (lane_speeds[i].mbps == lane_mbps)
			return lane_speeds[i].speed;
	return IB_SPEED_SDR;
}

static int read_settings(struct net_device *ndev, struct ethtool_link_ksettings *settings)
{
	int ret = -ENODEV;

	rtnl_lock();
	if (READ_ONCE(ndev->reg_state) == NETREG_REGISTERED) {
		ret = __ethtool_get_link_ksettings(ndev, settings);
		if (ret || settings->base.speed == (u32)SPEED_UNKNOWN)
			settings->base.speed = SPEED_1000;
		ret = 0;
	}
	rtnl_unlock();
	return ret;
}

/**
 * ib_get_eth_speed - speed and width of an Ethernet port; for a driver's query_port
 * @dev: the device
 * @port_num: the port
 * @speed: returns the speed of a lane, enum ib_port_speed
 * @width: returns the lanes, enum ib_port_width
 *
 * A port that doesn't know its speed is taken for one of 1 Gb/s.
 *
 * Context: Sleeps; takes RTNL.
 * Return: 0; -EINVAL for a port that isn't Ethernet; -ENODEV if it has no netdev.
 */
int ib_get_eth_speed(struct ib_device *dev, u32 port_num, u16 *speed, u8 *width)
{
	struct ethtool_link_ksettings settings = {};
	struct net_device *ndev;
	int ret;

	if (rdma_port_get_link_layer(dev, port_num) != IB_LINK_LAYER_ETHERNET)
		return -EINVAL;
	ndev = ib_device_get_netdev(dev, port_num);
	if (!ndev)
		return -ENODEV;
	ret = read_settings(ndev, &settings);
	dev_put(ndev);
	if (ret)
		return ret;

	if (settings.lanes) {
		*speed = speed_of(settings.base.speed / settings.lanes);
		*width = width_of(settings.lanes);
	} else {
		guess(settings.base.speed, speed, width);
	}
	return 0;
}
EXPORT_SYMBOL(ib_get_eth_speed);
