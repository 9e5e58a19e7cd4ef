// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Sub devices: a part of a device that is a device of its own, as the SMI of a ConnectX plane. */

#include "device.h"

/* With subdev_lock held: the registration of @parent doesn't end before that is let go. */
static struct ib_device *add_sub_device(struct ib_device *parent, enum rdma_nl_dev_type type,
					const char *name)
{
	struct ib_device *sub;

	if (!rdma_device_is_registered(parent) || !ib_device_try_get(parent))
		return ERR_PTR(-EINVAL);
	sub = parent->ops.add_sub_dev(parent, type, name);
	if (IS_ERR(sub)) {
		ib_device_put(parent);
		return sub;
	}
	sub->type = type;
	sub->parent = parent;
	list_add_tail(&sub->subdev_list, &parent->subdev_list_head);
	return sub;
}

/**
 * ib_add_sub_device - let a device have a sub device
 * @parent: the device
 * @type: what part
 * @name: the sub device's name
 *
 * The sub device holds its parent; an unregistration of @parent removes it.
 *
 * Context: Sleeps.
 * Return: 0; -EOPNOTSUPP; -EINVAL if @parent isn't registered; an errno of the driver.
 */
int ib_add_sub_device(struct ib_device *parent, enum rdma_nl_dev_type type, const char *name)
{
	struct ib_device *sub;

	if (!parent->ops.add_sub_dev || !parent->ops.del_sub_dev)
		return -EOPNOTSUPP;
	mutex_lock(&parent->subdev_lock);
	sub = add_sub_device(parent, type, name);
	mutex_unlock(&parent->subdev_lock);
	return PTR_ERR_OR_ZERO(sub);
}
EXPORT_SYMBOL(ib_add_sub_device);

/* Whoever has taken a sub device off the list removes it, with no lock held. */
static void remove_sub_device(struct ib_device *parent, struct ib_device *sub)
{
	parent->ops.del_sub_dev(sub);
	ib_device_put(parent);
}

static bool unlink_sub_device(struct ib_device *parent, struct ib_device *sub)
{
	bool linked;

	mutex_lock(&parent->subdev_lock);
	linked = !list_empty(&sub->subdev_list);
	list_del_init(&sub->subdev_list);
	mutex_unlock(&parent->subdev_lock);
	return linked;
}

/**
 * ib_del_sub_device_and_put - remove a sub device
 * @sub: the sub device; the caller's reference to it is put
 *
 * Context: Sleeps.
 * Return: 0; -EOPNOTSUPP if it is no sub device; -ENODEV if somebody else is removing it.
 */
int ib_del_sub_device_and_put(struct ib_device *sub)
{
	struct ib_device *parent = sub->parent;
	bool linked;

	if (!parent) {
		ib_device_put(sub);
		return -EOPNOTSUPP;
	}
	/* @sub, and with it @parent, stays until the caller's reference is put. */
	linked = unlink_sub_device(parent, sub);
	ib_device_put(sub);
	if (!linked)
		return -ENODEV;
	remove_sub_device(parent, sub);
	return 0;
}
EXPORT_SYMBOL(ib_del_sub_device_and_put);

static struct ib_device *unlink_youngest(struct ib_device *parent)
{
	struct ib_device *sub = NULL;

	mutex_lock(&parent->subdev_lock);
	if (!list_empty(&parent->subdev_list_head)) {
		sub = list_last_entry(&parent->subdev_list_head, struct ib_device, subdev_list);
		list_del_init(&sub->subdev_list);
	}
	mutex_unlock(&parent->subdev_lock);
	return sub;
}

/**
 * rdma_sub_devices_remove - remove all sub devices of a device, the youngest first
 * @parent: the device, not marked as registered any more: it gets no new ones
 *
 * Context: Sleeps.
 */
void rdma_sub_devices_remove(struct ib_device *parent)
{
	struct ib_device *sub;

	while ((sub = unlink_youngest(parent)))
		remove_sub_device(parent, sub);
}

/**
 * rdma_has_sub_devices - tell whether a device has sub devices
 * @parent: the device
 *
 * Context: Sleeps.
 * Return: true if so.
 */
bool rdma_has_sub_devices(struct ib_device *parent)
{
	bool has;

	mutex_lock(&parent->subdev_lock);
	has = !list_empty(&parent->subdev_list_head);
	mutex_unlock(&parent->subdev_lock);
	return has;
}
