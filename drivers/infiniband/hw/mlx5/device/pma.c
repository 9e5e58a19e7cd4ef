// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Performance management (IBTA 16.1) of functions whose counters the firmware tells by commands.
 * All others' are told by their port's agent.
 */
#include <linux/mlx5/vport.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_pma.h>
#include "device.h"

#define COUNTERS_AT 40 /* in the data of a datagram */

/* Each function has one port, and that's the firmware's port 1. */
#define THE_PORT 1

bool mlx5_ib_answers_pma(struct mlx5_ib_dev *dev, const struct ib_mad_hdr *hdr)
{
	return MLX5_CAP_GEN(dev->mdev, vport_counters) && hdr->method == IB_MGMT_METHOD_GET &&
	       (hdr->attr_id == IB_PMA_CLASS_PORT_INFO || hdr->attr_id == IB_PMA_PORT_COUNTERS ||
		hdr->attr_id == IB_PMA_PORT_COUNTERS_EXT);
}

static void tell_class(void *at)
{
	struct ib_class_port_info *info = at;

	memset(info, 0, sizeof(*info));
	info->base_version = IB_MGMT_BASE_VERSION;
	info->class_version = 1;
	info->capability_mask = IB_PMA_CLASS_CAP_EXT_WIDTH;
}

/*
 * The firmware keeps them as PortCounters has them, up to the dropped packets of VL 15; what counts
 * traffic is 32 bits wide there, and left to the extended counters.
 */
static int tell_counters(struct mlx5_core_dev *mdev, struct ib_pma_portcounters *counters)
{
	const size_t first = offsetof(struct ib_pma_portcounters, symbol_error_counter);
	const size_t end = offsetofend(struct ib_pma_portcounters, vl15_dropped);
	void *ppcnt, *set;
	int err;

	ppcnt = kzalloc(MLX5_ST_SZ_BYTES(ppcnt_reg), GFP_KERNEL);
	if (!ppcnt)
		return -ENOMEM;
	err = mlx5_ib_cmd_read_port_counters(mdev, THE_PORT, ppcnt);
	set = MLX5_ADDR_OF(ppcnt_reg, ppcnt, counter_set);
	memcpy((void *)counters + first, set, end - first);
	counters->reserved1 = 0;
	counters->reserved2 = 0;
	counters->port_xmit_wait =
		cpu_to_be32(MLX5_GET(ib_port_cntrs_grp_data_layout, set, port_xmit_wait));
	kfree(ppcnt);
	return err;
}

static u64 count(const void *traffic, bool octets)
{
	return octets ? MLX5_GET64(traffic_counter, traffic, octets) :
			MLX5_GET64(traffic_counter, traffic, packets);
}

struct traffic {
	const void *unicast, *multicast;
};

/* Data counts in units of 4 bytes. */
static __be64 words(const struct traffic *traffic)
{
	return cpu_to_be64((count(traffic->unicast, true) + count(traffic->multicast, true)) /
			   sizeof(u32));
}

static __be64 packets(const struct traffic *traffic)
{
	return cpu_to_be64(count(traffic->unicast, false) + count(traffic->multicast, false));
}

static void fill_traffic(const void *out, struct ib_pma_portcounters_ext *counters)
{
	const struct traffic sent = {
		MLX5_ADDR_OF(query_vport_counter_out, out, transmitted_ib_unicast),
		MLX5_ADDR_OF(query_vport_counter_out, out, transmitted_ib_multicast),
	}, received = {
		MLX5_ADDR_OF(query_vport_counter_out, out, received_ib_unicast),
		MLX5_ADDR_OF(query_vport_counter_out, out, received_ib_multicast),
	};

	counters->port_xmit_data = words(&sent);
	counters->port_rcv_data = words(&received);
	counters->port_xmit_packets = packets(&sent);
	counters->port_rcv_packets = packets(&received);
	counters->port_unicast_xmit_packets = cpu_to_be64(count(sent.unicast, false));
	counters->port_unicast_rcv_packets = cpu_to_be64(count(received.unicast, false));
	counters->port_multicast_xmit_packets = cpu_to_be64(count(sent.multicast, false));
	counters->port_multicast_rcv_packets = cpu_to_be64(count(received.multicast, false));
}

static int tell_traffic(struct mlx5_core_dev *mdev, struct ib_pma_portcounters_ext *counters)
{
	void *out = kzalloc(MLX5_ST_SZ_BYTES(query_vport_counter_out), GFP_KERNEL);
	int err;

	if (!out)
		return -ENOMEM;
	err = mlx5_core_query_vport_counter(mdev, 0, 0, THE_PORT, out);
	if (!err)
		fill_traffic(out, counters);
	kfree(out);
	return err;
}

/**
 * mlx5_ib_answer_pma - answer a question that mlx5_ib_answers_pma() knows
 * @dev: the adapter
 * @in: Get()
 * @out: its answer
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int mlx5_ib_answer_pma(struct mlx5_ib_dev *dev, const struct ib_mad *in, struct ib_mad *out)
{
	void *at = out->data + COUNTERS_AT;

	*out = *in;
	out->mad_hdr.method = IB_MGMT_METHOD_GET_RESP;
	out->mad_hdr.status = 0;
	if (in->mad_hdr.attr_id == IB_PMA_PORT_COUNTERS)
		return tell_counters(dev->mdev, at);
	if (in->mad_hdr.attr_id == IB_PMA_PORT_COUNTERS_EXT)
		return tell_traffic(dev->mdev, at);
	tell_class(at);
	return 0;
}
