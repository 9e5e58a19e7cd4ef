// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Sizes of the socket addresses that rdma_cm knows.
 */

#include <rdma/ib.h>

#include "addr.h"

/**
 * rdma_addr_size - size of a socket address
 * @addr: the address; only its family is looked at
 *
 * Context: Any.
 * Return: bytes; 0 for a family that RDMA doesn't know.
 */
int rdma_addr_size(const struct sockaddr *addr)
{
	static const u8 sizes[] = {
		[AF_INET] = sizeof(struct sockaddr_in),
		[AF_INET6] = sizeof(struct sockaddr_in6),
		[AF_IB] = sizeof(struct sockaddr_ib),
	};

	return addr->sa_family < ARRAY_SIZE(sizes) ? sizes[addr->sa_family] : 0;
}
EXPORT_SYMBOL(rdma_addr_size);

static int size_within(const void *addr, size_t room)
{
	int size = rdma_addr_size(addr);

	return size <= room ? size : 0;
}

/**
 * rdma_addr_size_in6 - size of a socket address where there's room for IPv6's
 * @addr: the address
 *
 * Context: Any.
 * Return: bytes; 0 for a family that RDMA doesn't know, or whose addresses don't fit.
 */
int rdma_addr_size_in6(struct sockaddr_in6 *addr)
{
	return size_within(addr, sizeof(*addr));
}
EXPORT_SYMBOL(rdma_addr_size_in6);

/**
 * rdma_addr_size_kss - size of a socket address where there's room for any
 * @addr: the address
 *
 * Context: Any.
 * Return: bytes; 0 for a family that RDMA doesn't know.
 */
int rdma_addr_size_kss(struct __kernel_sockaddr_storage *addr)
{
	return size_within(addr, sizeof(*addr));
}
EXPORT_SYMBOL(rdma_addr_size_kss);
