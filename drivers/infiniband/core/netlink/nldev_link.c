// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * nldev: RDMA devices in software, made on top of a network device. `rdma link add`, `rdma link
 * delete`.
 */

#include <linux/export.h>
#include <linux/kmod.h>
#include <linux/netdevice.h>
#include <linux/rwsem.h>

#include "netlink.h"

static LIST_HEAD(links);
/* Guards links; held for reading while one of them makes a device. */
static DECLARE_RWSEM(nldev_links_lock);

static const struct rdma_link_ops *find(const char *type)
{
	const struct rdma_link_ops *ops;

	list_for_each_entry(ops, &links, list)
		if (!strcmp(ops->type, type))
			return ops;
	return NULL;
}

/**
 * rdma_link_register - offer to make devices of a type
 * @ops: the type, which nobody else offers, and how
 *
 * Context: Process, sleeps.
 */
void rdma_link_register(struct rdma_link_ops *ops)
{
	down_write(&nldev_links_lock);
	if (!WARN_ON_ONCE(find(ops->type)))
		list_add(&ops->list, &links);
	up_write(&nldev_links_lock);
}
EXPORT_SYMBOL(rdma_link_register);

/**
 * rdma_link_unregister - no longer offer to make devices
 * @ops: as registered
 *
 * Context: Process, sleeps until none is being made.
 */
void rdma_link_unregister(struct rdma_link_ops *ops)
{
	down_write(&nldev_links_lock);
	list_del(&ops->list);
	up_write(&nldev_links_lock);
}
EXPORT_SYMBOL(rdma_link_unregister);

/*
 * On success the lock is held. The module that comes takes it for writing, so it's let go of in
 * between.
 */
static const struct rdma_link_ops *find_and_lock(const char *type)
{
	const struct rdma_link_ops *ops;

	down_read(&nldev_links_lock);
	ops = find(type);
	if (ops)
		return ops;
	up_read(&nldev_links_lock);

	request_module("rdma-link-%s", type);

	down_read(&nldev_links_lock);
	ops = find(type);
	if (!ops)
		up_read(&nldev_links_lock);
	return ops;
}

static int make_link(const char *type, const char *name, struct net_device *ndev)
{
	const struct rdma_link_ops *ops = find_and_lock(type);
	int err;

	if (!ops)
		return -EINVAL;
	err = ops->newlink(name, ndev);
	up_read(&nldev_links_lock);
	return err;
}

int nldev_link_new(struct nldev_request *request)
{
	struct nlattr *const *tb = request->tb;
	char name[IB_DEVICE_NAME_MAX], type[IFNAMSIZ], ndev_name[IFNAMSIZ];
	struct net_device *ndev;
	int err;

	if (!tb[RDMA_NLDEV_ATTR_DEV_NAME] || !tb[RDMA_NLDEV_ATTR_LINK_TYPE] ||
	    !tb[RDMA_NLDEV_ATTR_NDEV_NAME])
		return -EINVAL;
	nla_strscpy(name, tb[RDMA_NLDEV_ATTR_DEV_NAME], sizeof(name));
	nla_strscpy(type, tb[RDMA_NLDEV_ATTR_LINK_TYPE], sizeof(type));
	nla_strscpy(ndev_name, tb[RDMA_NLDEV_ATTR_NDEV_NAME], sizeof(ndev_name));
	if (!*name || strchr(name, '%')) /* a pattern would be numbered */
		return -EINVAL;

	ndev = dev_get_by_name(request->net, ndev_name);
	if (!ndev)
		return -ENODEV;
	err = make_link(type, name, ndev);
	dev_put(ndev);
	return err;
}

int nldev_link_delete(struct nldev_request *request)
{
	if (!(request->device->attrs.kernel_cap_flags & IBK_ALLOW_USER_UNREG))
		return -EINVAL;
	ib_unregister_device_and_put(nldev_take_device(request));
	return 0;
}
