// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The network header before a datagram's payload: 40 bytes. A GRH and an IPv6 header fill them; an
 * IPv4 header of RoCE v2 stands in the last 20, after bytes that mean nothing (IBTA annex 17).
 */

#include <linux/export.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <net/checksum.h>
#include <net/ipv6.h>
#include <rdma/ib_verbs.h>

/**
 * ib_get_rdma_header_version - guess the IP version of a received datagram's network header
 * @hdr: the 40 bytes
 *
 * Hardware that doesn't report the version leaves only the bytes. If the first nibble says 6 it
 * can be chance, as an IPv4 header's preceding bytes are undefined; so a right IPv4 checksum is
 * believed first.
 *
 * Context: Any.
 * Return: 4, 6 (also for a GRH), or 0 for neither.
 */
int ib_get_rdma_header_version(const union rdma_network_hdr *hdr)
{
	const struct ipv6hdr *ip6 = (const struct ipv6hdr *)&hdr->ibgrh;
	const struct iphdr *ip4 = &hdr->roce4grh;

	if (ip6->version != 6)
		return ip4->version == 4 ? 4 : 0;
	/* RoCE v2 has no IP options. The sum over a whole header is 0. */
	if (ip4->ihl == 5 && !ip_fast_csum(ip4, 5))
		return 4;
	return 6;
}
EXPORT_SYMBOL(ib_get_rdma_header_version);

static void gid_of_ipv4(union ib_gid *gid, __be32 addr)
{
	ipv6_addr_set_v4mapped(addr, (struct in6_addr *)gid);
}

/**
 * ib_get_gids_from_rdma_hdr - the GIDs of a received datagram
 * @hdr: its network header
 * @net_type: what kind of header that is
 * @sgid: returns the sender's GID
 * @dgid: returns the receiver's GID
 *
 * IPv4 addresses become IPv4-mapped GIDs.
 *
 * Context: Any.
 * Return: 0, or -EINVAL for an unknown type or a missing argument.
 */
int ib_get_gids_from_rdma_hdr(const union rdma_network_hdr *hdr, enum rdma_network_type net_type,
			      union ib_gid *sgid, union ib_gid *dgid)
{
	if (!sgid || !dgid)
		return -EINVAL;

	switch (net_type) {
	case RDMA_NETWORK_IPV4:
		gid_of_ipv4(sgid, hdr->roce4grh.saddr);
		gid_of_ipv4(dgid, hdr->roce4grh.daddr);
		return 0;
	case RDMA_NETWORK_IB:
	case RDMA_NETWORK_ROCE_V1:
	case RDMA_NETWORK_IPV6:
		*sgid = hdr->ibgrh.sgid;
		*dgid = hdr->ibgrh.dgid;
		return 0;
	default:
		return -EINVAL;
	}
}
EXPORT_SYMBOL(ib_get_gids_from_rdma_hdr);
