// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Requests to resolve addresses. Each is a delayed work on an ordered queue: it makes an attempt,
 * and if something isn't known yet it runs again when that is known, or for the last time when
 * time is over.
 */

#include <linux/jiffies.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "addr.h"

typedef void (*addr_callback)(int status, struct sockaddr *src_addr, struct rdma_dev_addr *addr,
			      void *context);

/**
 * struct addr_request - an address to be resolved
 * @node: in the tree of all requests, by @addr; empty when rdma_addr_cancel() has taken it. Who
 *	removes it from the tree, @work or rdma_addr_cancel(), frees the request.
 * @addr: what's to be filled in; tells the requests apart
 * @work: the next attempt; after the last one the callback
 * @wait: for what the last attempt hadn't
 * @status: of the last attempt, or 0 when somebody else has filled in @addr
 * @deadline: jiffies; after it there is no further attempt
 * @by_gid_attr: see addr_route_find()
 * @callback: told of the end
 * @context: passed to @callback
 * @src: the source
 * @dst: the destination
 */
struct addr_request {
	struct rb_node node;
	struct rdma_dev_addr *addr;
	struct delayed_work work;
	struct addr_wait wait;
	int status;
	unsigned long deadline;
	bool by_gid_attr;
	addr_callback callback;
	void *context;
	struct sockaddr_storage src;
	struct sockaddr_storage dst;
};

static struct workqueue_struct *requests_wq;
static DEFINE_SPINLOCK(requests_lock);	/* guards the tree, and the nodes in it */
static struct rb_root requests = RB_ROOT;

static int by_addr(const void *addr, const struct rb_node *node)
{
	const struct rdma_dev_addr *other = rb_entry(node, struct addr_request, node)->addr;

	if (addr == other)
		return 0;
	return addr < (const void *)other ? -1 : 1;
}

static bool less(struct rb_node *node, const struct rb_node *other)
{
	return by_addr(rb_entry(node, struct addr_request, node)->addr, other) < 0;
}

/* With the lock held, so that rdma_addr_cancel() finds either nothing or what is queued. */
static void enlist(struct addr_request *request)
{
	spin_lock(&requests_lock);
	rb_add(&request->node, &requests, less);
	queue_delayed_work(requests_wq, &request->work, 0);
	spin_unlock(&requests_lock);
}

static void unlist_locked(struct addr_request *request)
{
	rb_erase(&request->node, &requests);
	RB_CLEAR_NODE(&request->node);
}

/* Returns false if rdma_addr_cancel() was faster, and frees the request. */
static bool unlist(struct addr_request *request)
{
	bool ours;

	spin_lock(&requests_lock);
	ours = !RB_EMPTY_NODE(&request->node);
	if (ours)
		unlist_locked(request);
	spin_unlock(&requests_lock);
	return ours;
}

static int attempt(struct addr_request *request, struct addr_missing *missing)
{
	return addr_resolve((struct sockaddr *)&request->src, (struct sockaddr *)&request->dst,
			    request->addr, request->by_gid_attr, missing);
}

/* The waiters' lock orders this with the work, which ends the wait before it looks at the rest. */
static void wake(struct addr_wait *wait, const void *news)
{
	struct addr_request *request = container_of(wait, struct addr_request, wait);
	union ib_gid gid;

	if (news) {
		memcpy(&gid, news, sizeof(gid));
		rdma_addr_set_dgid(request->addr, &gid);
		request->status = 0;
	}
	mod_delayed_work(requests_wq, &request->work, 0);
}

static unsigned long time_left(const struct addr_request *request)
{
	unsigned long now = jiffies;

	return time_before(now, request->deadline) ? request->deadline - now : 0;
}

/* Returns -ENODATA if the work is going to run again. */
static int wait_for(struct addr_request *request, const struct addr_missing *missing)
{
	int ret = 0;

	if (missing->neighbour)
		addr_neighbour_wait(&request->wait, missing->neighbour, wake);
	else if (missing->ls)
		ret = addr_ls_ask(&request->wait, (struct sockaddr *)&request->dst,
				  request->addr->bound_dev_if, wake);
	if (ret)
		return ret;
	/* If it has been woken already, it's queued, and this does nothing. */
	queue_delayed_work(requests_wq, &request->work, time_left(request));
	return -ENODATA;
}

static int try_again(struct addr_request *request)
{
	struct addr_missing missing;
	int ret = attempt(request, &missing);

	if (ret && time_after_eq(jiffies, request->deadline))
		ret = -ETIMEDOUT;
	else if (ret == -ENODATA)
		ret = wait_for(request, &missing);
	if (missing.neighbour)
		neigh_release(missing.neighbour);
	return ret;
}

static void request_work(struct work_struct *work)
{
	struct addr_request *request = container_of(work, struct addr_request, work.work);

	addr_wait_end(&request->wait);
	/* It may have been woken when it was about to run anyway. */
	cancel_delayed_work(&request->work);

	if (request->status == -ENODATA)
		request->status = try_again(request);
	if (request->status == -ENODATA)
		return;

	request->callback(request->status, (struct sockaddr *)&request->src, request->addr,
			  request->context);
	if (unlist(request))
		kfree(request);
}

static bool is_ip(const struct sockaddr *addr)
{
	return addr->sa_family == AF_INET || addr->sa_family == AF_INET6;
}

/* Makes the first attempt. Returns -ENODATA if there are to be more. */
static int first_attempt(struct addr_request *request)
{
	struct addr_missing missing;
	int ret = attempt(request, &missing);

	if (missing.neighbour)
		neigh_release(missing.neighbour);
	return ret;
}

/**
 * rdma_resolve_ip - find out how a destination is reached
 * @src_addr: the source, or NULL: any
 * @dst_addr: the destination, IPv4 or IPv6
 * @addr: its net is set, or its sgid_attr; gets the result, and stays until the callback is called
 *	or the request cancelled
 * @timeout_ms: for how long the answer of a neighbour, or of a program, is waited for
 * @callback: told of the end, once, and never before this function has queued the request:
 *	with 0; -ETIMEDOUT; or what made it pointless to wait any longer. It sleeps. No two
 *	callbacks run at the same time.
 * @resolve_by_gid_attr: begin at the netdev of @addr's sgid_attr, instead of its net and
 *	bound_dev_if
 * @context: passed to @callback
 *
 * Context: Sleeps.
 * Return: 0: the callback will be called, unless rdma_addr_cancel() comes first. Else it won't:
 * -EINVAL: no IP addresses, or not of one family; -ENOMEM; or there's no way to the destination.
 */
int rdma_resolve_ip(struct sockaddr *src_addr, const struct sockaddr *dst_addr,
		    struct rdma_dev_addr *addr, unsigned long timeout_ms,
		    void (*callback)(int status, struct sockaddr *src_addr,
				     struct rdma_dev_addr *addr, void *context),
		    bool resolve_by_gid_attr, void *context)
{
	struct addr_request *request;
	int ret;

	if (!is_ip(dst_addr) || (src_addr && src_addr->sa_family != dst_addr->sa_family))
		return -EINVAL;
	request = kzalloc(sizeof(*request), GFP_KERNEL);
	if (!request)
		return -ENOMEM;

	request->src.ss_family = dst_addr->sa_family;
	if (src_addr)
		memcpy(&request->src, src_addr, rdma_addr_size(src_addr));
	memcpy(&request->dst, dst_addr, rdma_addr_size(dst_addr));
	request->addr = addr;
	request->callback = callback;
	request->context = context;
	request->by_gid_attr = resolve_by_gid_attr;
	request->deadline = jiffies + msecs_to_jiffies(timeout_ms);
	INIT_DELAYED_WORK(&request->work, request_work);

	ret = first_attempt(request);
	if (ret && ret != -ENODATA) {
		kfree(request);
		return ret;
	}
	request->status = ret;
	enlist(request);
	return 0;
}
EXPORT_SYMBOL(rdma_resolve_ip);

/* Takes a request of @addr out of the tree, but not the one whose callback is running here. */
static struct addr_request *take(const struct rdma_dev_addr *addr)
{
	struct addr_request *request, *taken = NULL;
	struct rb_node *node;

	spin_lock(&requests_lock);
	rb_for_each(node, addr, &requests, by_addr) {
		request = rb_entry(node, struct addr_request, node);
		if (current_work() == &request->work.work)
			continue;
		unlist_locked(request);
		taken = request;
		break;
	}
	spin_unlock(&requests_lock);
	return taken;
}

/**
 * rdma_addr_cancel - forget a request
 * @addr: as it was given to rdma_resolve_ip(); there needn't be a request any more
 *
 * On return the callback isn't running, and won't be called. From within the callback there's
 * nothing to cancel, and nothing is done.
 *
 * Context: Sleeps; without a lock that the callback takes.
 */
void rdma_addr_cancel(struct rdma_dev_addr *addr)
{
	struct addr_request *request;

	while ((request = take(addr))) {
		/* From now on it can be woken, but that has no effect. */
		disable_delayed_work_sync(&request->work);
		addr_wait_end(&request->wait);
		kfree(request);
	}
}
EXPORT_SYMBOL(rdma_addr_cancel);

/**
 * rdma_addr_init - module load: follow neighbours, take requests
 *
 * Context: Sleeps.
 * Return: 0 or a negative errno.
 */
int rdma_addr_init(void)
{
	int ret;

	requests_wq = alloc_ordered_workqueue("rdma-addr", 0);
	if (!requests_wq)
		return -ENOMEM;
	ret = addr_neighbour_init();
	if (ret)
		destroy_workqueue(requests_wq);
	return ret;
}

/**
 * rdma_addr_exit - module unload
 *
 * Context: Sleeps; who had requests has cancelled them.
 */
void rdma_addr_exit(void)
{
	addr_neighbour_exit();
	destroy_workqueue(requests_wq);
	WARN_ON(!RB_EMPTY_ROOT(&requests));
}
