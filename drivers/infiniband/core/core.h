/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The seams inside ib_core: what one of its parts asks of another. Parts are the folders beside
 * this file, and depend on each other through here alone:
 *
 *	device	registry of devices and clients, their life cycle, events, namespaces, sysfs
 *	verbs	PD, AH, CQ, QP, SRQ, MR ...; packing of headers; mappings of device memory
 *	cache	GIDs, P_Keys and port attributes; who fills them on InfiniBand and on RoCE
 *	addr	IP addresses to link-layer addresses; routes of RoCE
 *	netlink	RDMA netlink: transport, nldev, resource tracking, counters
 *
 * Documentation/infiniband/core.rst has the objects, their lifetimes and locks in one picture.
 */
#ifndef RDMA_CORE_CORE_H
#define RDMA_CORE_CORE_H

#include <linux/netlink.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_netlink.h>

#include "stock_contract.h"

/* --- device: the registry */

/* A network namespace as ib_core sees it. @id names it in ib_device.compat_devs. */
struct rdma_net {
	possible_net_t net;
	struct sock *nl_sock;
	u32 id;
};

extern unsigned int rdma_net_id;

static inline struct rdma_net *rdma_net_of(const struct net *net)
{
	return net_generic(net, rdma_net_id);
}

int rdma_device_init(void);	/* module load: class, ib_wq, pernet operations */
void rdma_device_exit(void);

/* Devices registered and visible from @net. Both take a registration reference: ib_device_put(). */
struct ib_device *rdma_device_get_by_index(const struct net *net, u32 index);
/*
 * The next registered device visible from @net whose index is @index or higher, or NULL. Sets
 * @index to its index. For dumps, which may stop and go on.
 */
struct ib_device *rdma_device_get_next(const struct net *net, u32 *index);

int rdma_device_rename(struct ib_device *device, const char *name);
int rdma_device_set_dim(struct ib_device *device, bool enable);
/* Moves @device to the namespace of file descriptor @ns_fd. Drops the reference to @device. */
int rdma_device_set_net_put(struct ib_device *device, u32 ns_fd, const struct sk_buff *requester);
bool rdma_netns_shared(void);
int rdma_set_netns_shared(bool shared);

/*
 * Asks client @name of @device (or, with @device NULL, the client itself) about its character
 * device, loading module rdma-client-NAME if nobody of that name is there. On success
 * @info->cdev is referenced.
 */
int rdma_client_nl_info(struct ib_device *device, const char *name, struct ib_client_nl_info *info);

/* Calls the device's event handlers, at once, in this context. Sleeps. */
void rdma_call_event_handlers(struct ib_event *event);

/* GID tables follow the netdevs from before clients see a device until all of them are gone. */
void rdma_enable_gid_updates(struct ib_device *device);
void rdma_disable_gid_updates(struct ib_device *device);

typedef void (*rdma_roce_port_fn)(struct ib_device *device, u32 port_num, struct net_device *ndev,
				  void *context);
/*
 * Each RoCE port, with its netdev (held during the call) or NULL: of one device, of all with GID
 * updates.
 */
void rdma_walk_roce_ports(struct ib_device *device, rdma_roce_port_fn fn, void *context);
void rdma_walk_all_roce_ports(rdma_roce_port_fn fn, void *context);

/* hw_stats of a port as sysfs shows them; NULL if the driver has none. */
struct rdma_hw_stats *rdma_port_hw_stats(struct ib_device *device, u32 port_num);

/* --- cache */

int rdma_cache_init(void);	/* module load: notifiers and work queue of RoCE GIDs */
void rdma_cache_exit(void);
/* Step of ib_register_device(): tables allocated, GID updates enabled, everything read once. */
int rdma_cache_setup(struct ib_device *device);
void rdma_cache_cleanup(struct ib_device *device);
/* From the release of the struct device: nobody holds a GID any more. */
void rdma_cache_release(struct ib_device *device);
/* Reads again what @event says has changed. On an error the event isn't passed on. */
int rdma_cache_refresh(const struct ib_event *event);

/* --- verbs */

/* Its peer is one other QP, of which it keeps the address, and perhaps a second path to it. */
static inline bool rdma_qp_is_connected(const struct ib_qp *qp)
{
	switch (qp->qp_type) {
	case IB_QPT_RC:
	case IB_QPT_UC:
	case IB_QPT_XRC_INI:
	case IB_QPT_XRC_TGT:
		return true;
	default:
		return false;
	}
}

int rdma_verbs_init(void);	/* module load: work queues of CQs */
void rdma_verbs_exit(void);
void rdma_cq_pools_init(struct ib_device *device);
void rdma_cq_pools_destroy(struct ib_device *device);

/* --- addr */

int rdma_addr_init(void);
void rdma_addr_exit(void);
/* Fills in the destination MAC and hop limit for a RoCE address vector. Sleeps. */
int rdma_find_dmac(const union ib_gid *sgid, const union ib_gid *dgid, u8 *dmac,
		   const struct ib_gid_attr *sgid_attr, int *hop_limit);
/* Answer of user space's address resolver (ibacm) to what rdma_resolve_ip() asked it. */
int rdma_addr_ls_response(struct sk_buff *skb, struct nlmsghdr *nlh,
			  struct netlink_ext_ack *extack);

/* --- netlink */

int rdma_netlink_init(void);	/* module load: nldev and LS tables */
void rdma_netlink_exit(void);
int rdma_netlink_net_init(struct rdma_net *rnet);
void rdma_netlink_net_exit(struct rdma_net *rnet);

/* A message to the multicast group of `rdma monitor`. */
void rdma_nl_notify(struct ib_device *device, u32 port_num, enum rdma_nl_notify_event_type type);

/* Resource tracking: the arrays of a device. Others' calls stand in stock_contract.h. */
int rdma_restrack_init(struct ib_device *device);
void rdma_restrack_clean(struct ib_device *device);

/* --- for ib_mad; exported, and not by stock */

struct sa_path_rec;

/**
 * rdma_roce_resolve_route - check that a RoCE path leads out of the netdev of its source GID
 * @rec: the path; its route members are filled in
 * @attr: the source GID
 *
 * Context: Sleeps.
 * Return: 0 or a negative errno.
 */
int rdma_roce_resolve_route(struct sa_path_rec *rec, const struct ib_gid_attr *attr);

/* What ib_mad does with messages of the local-service netlink client. */
struct rdma_ls_sa_ops {
	int (*resolve_response)(struct sk_buff *skb, struct nlmsghdr *nlh,
				struct netlink_ext_ack *extack);
	int (*set_timeout)(struct sk_buff *skb, struct nlmsghdr *nlh,
			   struct netlink_ext_ack *extack);
};

/*
 * The LS table has one owner, ib_core. With @ops NULL ib_mad leaves; on return none of its handlers
 * runs.
 */
void rdma_ls_set_sa_ops(const struct rdma_ls_sa_ops *ops);

#endif
