// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The way back: address vectors to whoever sent a datagram. */

#include <linux/in.h>
#include <rdma/ib_cache.h>

#include "verbs.h"

#define NO_VLAN 0xffff

static enum rdma_network_type network_type(struct ib_device *device, u32 port_num,
					   const struct ib_wc *wc, const struct ib_grh *grh)
{
	if (!rdma_cap_eth_ah(device, port_num))
		return RDMA_NETWORK_IB;
	if (wc->wc_flags & IB_WC_WITH_NETWORK_HDR_TYPE)
		return wc->network_hdr_type;
	if (rdma_protocol_ib(device, port_num))
		return RDMA_NETWORK_IB;
	if (ib_get_rdma_header_version((const union rdma_network_hdr *)grh) == 4)
		return RDMA_NETWORK_IPV4;
	return grh->next_hdr == IPPROTO_UDP ? RDMA_NETWORK_IPV6 : RDMA_NETWORK_ROCE_V1;
}

struct roce_gid {
	enum ib_gid_type type;
	u16 vlan_id;
};

static bool is_roce_gid(const union ib_gid *gid, const struct ib_gid_attr *attr, void *context)
{
	const struct roce_gid *wanted = context;
	u16 vlan_id = NO_VLAN;

	return attr->gid_type == wanted->type && !rdma_read_gid_l2_fields(attr, &vlan_id, NULL) &&
	       vlan_id == wanted->vlan_id;
}

/* The GID to which a datagram came on a RoCE port, referenced. */
static const struct ib_gid_attr *roce_receiver(struct ib_device *device, u32 port_num,
					       const struct ib_wc *wc, const union ib_gid *gid,
					       enum rdma_network_type net_type)
{
	struct roce_gid wanted = {
		.type = ib_network_to_gid_type(net_type),
		.vlan_id = wc->wc_flags & IB_WC_WITH_VLAN ? wc->vlan_id : NO_VLAN,
	};

	return rdma_find_gid_by_filter(device, gid, port_num, is_roce_gid, &wanted);
}

/* The same on an InfiniBand port. */
static const struct ib_gid_attr *ib_receiver(struct ib_device *device, u32 port_num,
					     const union ib_gid *gid)
{
	/* The well-known GID of the SA isn't in the table of the port where an SA is. */
	if (gid->global.interface_id == cpu_to_be64(IB_SA_WELL_KNOWN_GUID))
		return rdma_get_gid_attr(device, port_num, 0);
	return rdma_find_gid_by_port(device, gid, IB_GID_TYPE_IB, port_num, NULL);
}

/* A GRH from the receiver, whose reference is consumed, back to the sender. */
static void reply_grh(struct rdma_ah_attr *ah_attr, const struct ib_grh *grh, union ib_gid *sender,
		      const struct ib_gid_attr *receiver)
{
	u32 word = be32_to_cpu(grh->version_tclass_flow);

	rdma_move_grh_sgid_attr(ah_attr, sender, word & IB_GRH_FLOWLABEL_MASK, 0xff,
				(word >> 20) & 0xff, receiver);
}

/**
 * ib_init_ah_attr_from_wc - the address of a datagram's sender
 * @device: the device
 * @port_num: the port on which it came
 * @wc: its completion
 * @grh: the first 40 bytes of its receive buffer
 * @ah_attr: returns the address; rdma_destroy_ah_attr() drops its reference
 *
 * Context: Sleeps.
 * Return: 0; -EPROTOTYPE for a RoCE datagram without GRH; -EINVAL for an unknown network header;
 * -ENOENT if the port has no such GID (any more); errors of address resolution.
 */
int ib_init_ah_attr_from_wc(struct ib_device *device, u32 port_num, const struct ib_wc *wc,
			    const struct ib_grh *grh, struct rdma_ah_attr *ah_attr)
{
	bool roce = rdma_protocol_roce(device, port_num);
	const struct ib_gid_attr *receiver;
	enum rdma_network_type net_type;
	union ib_gid sgid, dgid;
	int ret;

	might_sleep();
	*ah_attr = (struct rdma_ah_attr) { .type = rdma_ah_find_type(device, port_num) };
	rdma_ah_set_sl(ah_attr, wc->sl);
	rdma_ah_set_port_num(ah_attr, port_num);

	if (!roce) {
		rdma_ah_set_dlid(ah_attr, wc->slid);
		rdma_ah_set_path_bits(ah_attr, wc->dlid_path_bits);
	}
	if (!(wc->wc_flags & IB_WC_GRH))
		return roce ? -EPROTOTYPE : 0;

	net_type = network_type(device, port_num, wc, grh);
	ret = ib_get_gids_from_rdma_hdr((const union rdma_network_hdr *)grh, net_type, &sgid,
					&dgid);
	if (ret)
		return ret;
	receiver = roce ? roce_receiver(device, port_num, wc, &dgid, net_type) :
			  ib_receiver(device, port_num, &dgid);
	if (IS_ERR(receiver))
		return PTR_ERR(receiver);

	reply_grh(ah_attr, grh, &sgid, receiver);
	if (roce) {
		ret = rdma_ah_resolve_unicast_dmac(ah_attr);
		if (ret)
			rdma_destroy_ah_attr(ah_attr);
	}
	return ret;
}
EXPORT_SYMBOL(ib_init_ah_attr_from_wc);

/**
 * ib_create_ah_from_wc - an AH for replies to a datagram
 * @pd: the AH's PD
 * @wc: the datagram's completion
 * @grh: the first 40 bytes of its receive buffer
 * @port_num: the port on which it came
 *
 * Context: Sleeps.
 * Return: the AH or an ERR_PTR(), as ib_init_ah_attr_from_wc() and rdma_create_ah().
 */
struct ib_ah *ib_create_ah_from_wc(struct ib_pd *pd, const struct ib_wc *wc,
				   const struct ib_grh *grh, u32 port_num)
{
	struct rdma_ah_attr attr;
	struct ib_ah *ah;
	int ret;

	ret = ib_init_ah_attr_from_wc(pd->device, port_num, wc, grh, &attr);
	if (ret)
		return ERR_PTR(ret);
	/* The AH has its own reference to the source GID. */
	ah = rdma_create_ah(pd, &attr, RDMA_CREATE_AH_SLEEPABLE);
	rdma_destroy_ah_attr(&attr);
	return ah;
}
EXPORT_SYMBOL(ib_create_ah_from_wc);
