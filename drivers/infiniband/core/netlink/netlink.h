/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * RDMA netlink, and what it shows: tracked resources and counters. See
 * Documentation/infiniband/netlink.rst.
 *
 * Locks. Handlers run under the read side of their client's lock (dispatch.c), outermost of all.
 * The rest:
 *
 *  nldev_links_lock		link.c: kinds of software devices. Held while one makes a device.
 *  rdma_hw_stats.lock		values and disabled counters of a port, or of one counter.
 *  counters lock		counter.c: what binds QPs of a device to counters; inside a port's
 *				rdma_hw_stats.lock, outside rdma_counter.lock.
 *  rdma_counter.lock		the driver's operations on one counter.
 *  rdma_restrack_root.xa	restrack.c: spinlock, innermost.
 */
#ifndef RDMA_NETLINK_PART_H
#define RDMA_NETLINK_PART_H

#include <linux/xarray.h>
#include <net/netlink.h>
#include <rdma/rdma_counter.h>

#include "../core.h"

/* ---- dispatch.c: from a message to the handler of its client and operation ---- */

void rdma_nl_input(struct sk_buff *skb);

/* ---- restrack.c, restrack_find.c: the resources of a device ---- */

/**
 * struct rdma_restrack_root - the resources of one kind of a device
 * @xa: struct rdma_restrack_entry by id. Its lock guards all of this. An entry that's being deleted
 *	keeps its place until that is final, but is hidden: it's marked as one not to be tracked. An
 *	entry that isn't may be referenced under the lock
 * @next_id: where the search for a free id begins
 * @live: entries that aren't hidden
 * @live_details: those of them that rdma_restrack_is_detail()
 */
struct rdma_restrack_root {
	struct xarray xa;
	u32 next_id;
	u32 live;
	u32 live_details;
};

/* Of such a QP only the driver knows what it's for. */
static inline bool rdma_restrack_is_detail(const struct rdma_restrack_entry *res)
{
	return res->type == RDMA_RESTRACK_QP &&
	       container_of(res, struct ib_qp, res)->qp_type >= IB_QPT_DRIVER;
}

struct rdma_restrack_entry *rdma_restrack_get_next(struct ib_device *device,
						   enum rdma_restrack_type type,
						   unsigned long *id, bool details);

/* ---- counter.c, counter_bind.c, counter_stats.c, counter_optional.c ---- */

struct mutex *rdma_counters_lock(const struct ib_device *device);
struct rdma_port_counter *rdma_port_counter(const struct ib_device *device, u32 port);
struct rdma_counter *rdma_counter_next(struct ib_device *device, u32 port, unsigned long *id);
void rdma_counter_add_to_history(struct rdma_counter *counter);

/* ---- nldev.c: requests and their replies ---- */

struct nldev_kind;

/**
 * struct nldev_request - a request that is being served
 * @skb: the message's; its socket is where the reply goes
 * @nlh: the message
 * @extack: NULL in a dump
 * @net: devices that this namespace sees can be asked for
 * @tb: the message's attributes
 * @device: referenced; NULL if the command is about none. nldev_take_device() moves the reference
 * @port: valid if tb[RDMA_NLDEV_ATTR_PORT_INDEX] is there and the command looks at it, else 0
 * @kind: of resources that the command is about, or NULL
 * @reply: to be filled in, if the command has one
 */
struct nldev_request {
	struct sk_buff *skb;
	const struct nlmsghdr *nlh;
	struct netlink_ext_ack *extack;
	struct net *net;
	struct nlattr *tb[RDMA_NLDEV_ATTR_MAX];
	struct ib_device *device;
	u32 port;
	const struct nldev_kind *kind;
	struct sk_buff *reply;
};

void nldev_init(void);
void nldev_exit(void);

struct ib_device *nldev_take_device(struct nldev_request *request);
struct nlmsghdr *nldev_dump_begin(struct sk_buff *skb, struct netlink_callback *cb);
int nldev_dump_devices(struct sk_buff *skb, struct netlink_callback *cb,
		       int (*fill)(struct sk_buff *msg, struct ib_device *device));

/* ---- nldev_fill.c: attributes that many messages have ---- */

int nldev_put_u64(struct sk_buff *msg, int attr, u64 value);
int nldev_put_handle(struct sk_buff *msg, const struct ib_device *device);
int nldev_put_netdev(struct sk_buff *msg, const struct net_device *ndev);
int nldev_put_owner(struct sk_buff *msg, const struct rdma_restrack_entry *res);

/* ---- nldev_qp_range.c: numbers in ascending order, as ranges; pure ---- */

/**
 * struct nldev_qp_ranges - a table of QP numbers on its way into a message
 * @msg: where it goes
 * @first: of the range that isn't in the message yet; 0 if there's none: nobody lists QP 0
 * @last: of that range
 */
struct nldev_qp_ranges {
	struct sk_buff *msg;
	u32 first;
	u32 last;
};

int nldev_qp_ranges_add(struct nldev_qp_ranges *ranges, u32 qp_num);
int nldev_qp_ranges_flush(struct nldev_qp_ranges *ranges);

/* ---- nldev_res.c: one reply and one dump for all kinds of resources ---- */

/**
 * struct nldev_kind - how resources of a kind are shown
 * @type: where they are tracked
 * @table: attribute that holds the entries in a dump
 * @entry: attribute of one of them
 * @id: attribute that asks for one of them
 * @port: the port that a resource belongs to, 0 if none yet; NULL if the kind belongs to devices
 * @fill: attributes of an entry. Called without a lock, with a reference to @res: may sleep
 */
struct nldev_kind {
	enum rdma_restrack_type type;
	u16 table;
	u16 entry;
	u16 id;
	u32 (*port)(const struct rdma_restrack_entry *res);
	int (*fill)(struct sk_buff *msg, struct rdma_restrack_entry *res, bool admin);
};

extern const struct nldev_kind nldev_qp;
extern const struct nldev_kind nldev_qp_raw;
extern const struct nldev_kind nldev_cm_id;
extern const struct nldev_kind nldev_cq;
extern const struct nldev_kind nldev_cq_raw;
extern const struct nldev_kind nldev_mr;
extern const struct nldev_kind nldev_mr_raw;
extern const struct nldev_kind nldev_mr_stat;
extern const struct nldev_kind nldev_pd;
extern const struct nldev_kind nldev_ctx;
extern const struct nldev_kind nldev_srq;
extern const struct nldev_kind nldev_srq_raw;
extern const struct nldev_kind nldev_counter;

int nldev_res_get(struct nldev_request *request);
int nldev_res_dump(struct nldev_request *request, struct sk_buff *skb, struct netlink_callback *cb);
int nldev_res_summary_get(struct nldev_request *request);
int nldev_res_summary_dump(struct nldev_request *request, struct sk_buff *skb,
			   struct netlink_callback *cb);

/* ---- nldev_dev.c, nldev_port.c, nldev_sys.c, nldev_chardev.c, nldev_link.c ---- */

int nldev_dev_get(struct nldev_request *request);
int nldev_dev_dump(struct nldev_request *request, struct sk_buff *skb, struct netlink_callback *cb);
int nldev_dev_set(struct nldev_request *request);
int nldev_dev_new(struct nldev_request *request);
int nldev_dev_delete(struct nldev_request *request);
int nldev_port_get(struct nldev_request *request);
int nldev_port_dump(struct nldev_request *request, struct sk_buff *skb,
		    struct netlink_callback *cb);
int nldev_sys_get(struct nldev_request *request);
int nldev_sys_set(struct nldev_request *request);
int nldev_chardev_get(struct nldev_request *request);
int nldev_link_new(struct nldev_request *request);
int nldev_link_delete(struct nldev_request *request);

/* ---- nldev_stat.c, nldev_stat_set.c ---- */

int nldev_stat_get(struct nldev_request *request);
int nldev_stat_dump(struct nldev_request *request, struct sk_buff *skb,
		    struct netlink_callback *cb);
int nldev_stat_get_status(struct nldev_request *request);
int nldev_stat_set(struct nldev_request *request);
int nldev_stat_unbind(struct nldev_request *request);

/* ---- ls.c ---- */

void rdma_ls_init(void);
void rdma_ls_exit(void);

#endif
