// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The netdev that has an address, and what it has for a link layer.
 */

#include <linux/inetdevice.h>
#include <linux/netdevice.h>
#include <net/ipv6_stubs.h>

#include "addr.h"

/**
 * rdma_copy_src_l2_addr - note a netdev as the source
 * @dev_addr: where; its source, broadcast address, type and interface are set
 * @ndev: the netdev, held or looked at under RCU
 *
 * Context: Any.
 */
void rdma_copy_src_l2_addr(struct rdma_dev_addr *dev_addr, const struct net_device *ndev)
{
	dev_addr->dev_type = ndev->type;
	dev_addr->bound_dev_if = ndev->ifindex;
	memcpy(dev_addr->src_dev_addr, ndev->dev_addr, MAX_ADDR_LEN);
	memcpy(dev_addr->broadcast, ndev->broadcast, MAX_ADDR_LEN);
}
EXPORT_SYMBOL(rdma_copy_src_l2_addr);

static struct net_device *ipv4_ndev_rcu(struct net *net, const struct sockaddr_in *ip)
{
	return __ip_dev_find(net, ip->sin_addr.s_addr, false);
}

static struct net_device *ipv6_ndev_rcu(struct net *net, const struct sockaddr_in6 *ip)
{
	struct net_device *ndev = ipv6_stub->ipv6_dev_find(net, &ip->sin6_addr, NULL);

	return IS_ERR(ndev) ? NULL : ndev;
}

/**
 * addr_local_ndev_rcu - the netdev that has an address
 * @net: in this namespace
 * @ip: an IPv4 or IPv6 address
 *
 * Context: RCU read-side critical section.
 * Return: the netdev, or -EADDRNOTAVAIL.
 */
struct net_device *addr_local_ndev_rcu(struct net *net, const struct sockaddr *ip)
{
	struct net_device *ndev = NULL;

	if (ip->sa_family == AF_INET)
		ndev = ipv4_ndev_rcu(net, (const struct sockaddr_in *)ip);
	else if (ip->sa_family == AF_INET6)
		ndev = ipv6_ndev_rcu(net, (const struct sockaddr_in6 *)ip);
	return ndev ?: ERR_PTR(-EADDRNOTAVAIL);
}

/**
 * rdma_translate_ip - link-layer address of a local IP address
 * @addr: the IP address; isn't looked at if @dev_addr names an interface
 * @dev_addr: its net is set, and its bound_dev_if is an interface's or 0; gets the netdev's link
 *	layer
 *
 * Context: Any.
 * Return: 0; -ENODEV: there's no such interface; -EADDRNOTAVAIL: nobody has the address.
 */
int rdma_translate_ip(const struct sockaddr *addr, struct rdma_dev_addr *dev_addr)
{
	struct net_device *ndev;

	guard(rcu)();
	if (dev_addr->bound_dev_if)
		ndev = dev_get_by_index_rcu(dev_addr->net, dev_addr->bound_dev_if) ?:
		       ERR_PTR(-ENODEV);
	else
		ndev = addr_local_ndev_rcu(dev_addr->net, addr);
	if (IS_ERR(ndev))
		return PTR_ERR(ndev);

	rdma_copy_src_l2_addr(dev_addr, ndev);
	return 0;
}
EXPORT_SYMBOL(rdma_translate_ip);
