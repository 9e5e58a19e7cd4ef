/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * From IP addresses to the addresses of the link layer, for rdma_cm and for RoCE:
 *
 *  size.c	sizes of socket addresses
 *  local.c	the netdev of a local address
 *  route.c	the route to a destination, and the source that it implies
 *  neighbour.c	the link-layer address at the other end of the route's first hop
 *  ls.c	what a program (ibacm) says of destinations in another IP network over InfiniBand
 *  resolve.c	one attempt at all of that
 *  waiters.c	who waits for what
 *  requests.c	attempts until one succeeds, or it's too late: rdma_resolve_ip()
 *  roce.c	the same at once, for RoCE's address vectors and paths
 *
 * A request isn't looked for by going through all of them: those that wait are found by what they
 * wait for, and those that are cancelled by their owner, in trees.
 *
 * Locks: that of requests.c and those of struct addr_waiters are innermost. They aren't nested.
 */
#ifndef CORE_ADDR_H
#define CORE_ADDR_H

#include <linux/in.h>
#include <linux/in6.h>
#include <linux/rbtree.h>
#include <linux/socket.h>
#include <linux/spinlock.h>
#include <net/dst.h>
#include <net/neighbour.h>
#include <rdma/ib_addr.h>

#include "../core.h"

/* ---- waiters.c ---- */

struct addr_wait;

/*
 * Called once, with the waiters' lock held and interrupts' bottom halves off, when the wait is
 * over. @news is what addr_wake() was told.
 */
typedef void (*addr_wake_fn)(struct addr_wait *wait, const void *news);

/**
 * struct addr_waiters - those who wait for something of one kind
 * @lock: guards the tree, and the nodes of the waits in it; taken in softirqs, too
 * @waits: by key; several may have the same
 */
struct addr_waiters {
	spinlock_t lock;	/* guards @waits */
	struct rb_root waits;
};

/**
 * struct addr_wait - a wait; all zero before the first one
 * @node: in the tree, or empty when the wait is over
 * @among: whose tree
 * @key: what is waited for
 * @wake: called when it has happened
 */
struct addr_wait {
	struct rb_node node;
	struct addr_waiters *among;
	unsigned long key;
	addr_wake_fn wake;
};

void addr_wait_begin(struct addr_waiters *waiters, struct addr_wait *wait, unsigned long key,
		     addr_wake_fn wake);
void addr_wait_end(struct addr_wait *wait);
unsigned int addr_wake(struct addr_waiters *waiters, unsigned long key, const void *news);

/* ---- local.c ---- */

struct net_device *addr_local_ndev_rcu(struct net *net, const struct sockaddr *ip);

/* ---- route.c ---- */

/**
 * struct addr_route - where packets to a destination go first
 * @dst: the route, referenced
 * @loopback: the destination is a local address
 * @gateway: the first hop isn't the destination
 */
struct addr_route {
	struct dst_entry *dst;
	bool loopback;
	bool gateway;
};

int addr_route_find(struct sockaddr *src, const struct sockaddr *dst, struct rdma_dev_addr *addr,
		    bool by_gid_attr, struct addr_route *route);

/* ---- neighbour.c ---- */

int addr_neighbour_init(void);
void addr_neighbour_exit(void);
int addr_neighbour_find(struct dst_entry *dst, const void *ip, u8 *link_addr,
			struct neighbour **unknown);
void addr_neighbour_wait(struct addr_wait *wait, struct neighbour *neighbour, addr_wake_fn wake);

/* ---- ls.c ---- */

bool addr_ls_listens(void);
int addr_ls_ask(struct addr_wait *wait, const struct sockaddr *dst, int ifindex,
		addr_wake_fn wake);

/* ---- resolve.c ---- */

/**
 * struct addr_missing - what kept an attempt from success
 * @neighbour: its link-layer address isn't known yet; referenced, or NULL
 * @ls: only a program can know the address
 */
struct addr_missing {
	struct neighbour *neighbour;
	bool ls;
};

int addr_resolve(struct sockaddr *src, const struct sockaddr *dst, struct rdma_dev_addr *addr,
		 bool by_gid_attr, struct addr_missing *missing);

/* ---- requests.c ---- */

int addr_requests_init(void);
void addr_requests_exit(void);

#endif
