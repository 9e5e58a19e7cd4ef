// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The files of a port: /sys/class/infiniband/DEVICE/ports/N. */

#include <linux/slab.h>

#include "device.h"

/* A file with something of struct ib_port_attr. */
struct port_file {
	struct ib_port_attribute attr;
	ssize_t (*emit)(char *buf, const struct ib_port_attr *attr);
};

static ssize_t show_port_file(struct ib_device *device, u32 port_num,
			      struct ib_port_attribute *attr, char *buf)
{
	struct ib_port_attr port_attr;
	int err = ib_query_port(device, port_num, &port_attr);

	return err ?: container_of(attr, struct port_file, attr)->emit(buf, &port_attr);
}

#define PORT_FILE(_name) \
static struct port_file _name##_file = { \
	.attr = __ATTR(_name, 0444, show_port_file, NULL), \
	.emit = emit_##_name, \
}

static ssize_t emit_state(char *buf, const struct ib_port_attr *attr)
{
	return sysfs_emit(buf, "%d: %s\n", attr->state, rdma_port_state_text(attr->state));
}

PORT_FILE(state);

static ssize_t emit_phys_state(char *buf, const struct ib_port_attr *attr)
{
	return sysfs_emit(buf, "%u: %s\n", attr->phys_state,
			  rdma_port_phys_state_text(attr->phys_state));
}

PORT_FILE(phys_state);

static ssize_t emit_rate(char *buf, const struct ib_port_attr *attr)
{
	return rdma_rate_text(buf, attr->active_width, attr->active_speed);
}

PORT_FILE(rate);

static ssize_t emit_lid(char *buf, const struct ib_port_attr *attr)
{
	return sysfs_emit(buf, "0x%x\n", attr->lid);
}

PORT_FILE(lid);

static ssize_t emit_lid_mask_count(char *buf, const struct ib_port_attr *attr)
{
	return sysfs_emit(buf, "%u\n", attr->lmc);
}

PORT_FILE(lid_mask_count);

static ssize_t emit_sm_lid(char *buf, const struct ib_port_attr *attr)
{
	return sysfs_emit(buf, "0x%x\n", attr->sm_lid);
}

PORT_FILE(sm_lid);

static ssize_t emit_sm_sl(char *buf, const struct ib_port_attr *attr)
{
	return sysfs_emit(buf, "%u\n", attr->sm_sl);
}

PORT_FILE(sm_sl);

static ssize_t emit_cap_mask(char *buf, const struct ib_port_attr *attr)
{
	return sysfs_emit(buf, "0x%08x\n", attr->port_cap_flags);
}

PORT_FILE(cap_mask);

static ssize_t link_layer_show(struct ib_device *device, u32 port_num,
			       struct ib_port_attribute *attr, char *buf)
{
	const char *text = "Unknown";

	switch (rdma_port_get_link_layer(device, port_num)) {
	case IB_LINK_LAYER_INFINIBAND:
		text = "InfiniBand";
		break;
	case IB_LINK_LAYER_ETHERNET:
		text = "Ethernet";
		break;
	case IB_LINK_LAYER_UNSPECIFIED:
		break;
	}
	return sysfs_emit(buf, "%s\n", text);
}
static IB_PORT_ATTR_RO(link_layer);

static struct attribute *port_attrs[] = {
	&state_file.attr.attr,
	&phys_state_file.attr.attr,
	&rate_file.attr.attr,
	&lid_file.attr.attr,
	&lid_mask_count_file.attr.attr,
	&sm_lid_file.attr.attr,
	&sm_sl_file.attr.attr,
	&cap_mask_file.attr.attr,
	&ib_port_attr_link_layer.attr,
	NULL
};
ATTRIBUTE_GROUPS(port);

static struct ib_port *to_port(struct kobject *kobj)
{
	return container_of(kobj, struct ib_port, kobj);
}

static ssize_t show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	struct ib_port_attribute *port_attr = container_of(attr, struct ib_port_attribute, attr);
	struct ib_port *port = to_port(kobj);

	if (!port_attr->show)
		return -EIO;
	return port_attr->show(port->device, port->port_num, port_attr, buf);
}

static ssize_t store(struct kobject *kobj, struct attribute *attr, const char *buf, size_t count)
{
	struct ib_port_attribute *port_attr = container_of(attr, struct ib_port_attribute, attr);
	struct ib_port *port = to_port(kobj);

	if (!port_attr->store)
		return -EIO;
	return port_attr->store(port->device, port->port_num, port_attr, buf, count);
}

static const struct sysfs_ops port_sysfs_ops = {
	.show = show,
	.store = store,
};

static void release_port(struct kobject *kobj)
{
	struct ib_port *port = to_port(kobj);

	rdma_port_tables_free(port);
	rdma_hw_counters_free(port->hw_stats);
	kfree(port);
}

static const struct kobj_type port_type = {
	.sysfs_ops = &port_sysfs_ops,
	.default_groups = port_groups,
	.release = release_port,
};

static const struct attribute_group **end_of(const struct attribute_group **groups)
{
	while (*groups)
		groups++;
	return groups;
}

/* What only the device itself has, not its stand-ins in other namespaces. */
static int prepare_counters(struct ib_port *port)
{
	const struct attribute_group **group = end_of(port->groups);
	struct ib_device *device = port->device;

	/* On a switch, whose port is number 0, the device has them. */
	if (port->port_num) {
		port->hw_stats = rdma_hw_counters_create(device, port->port_num);
		if (IS_ERR(port->hw_stats)) {
			int err = PTR_ERR(port->hw_stats);

			port->hw_stats = NULL;
			return err;
		}
	}
	if (port->hw_stats)
		*group++ = &port->hw_stats->group;
	if (device->ops.process_mad) {
		port->pma_kind = rdma_pma_kind(device, port->port_num);
		*group = &rdma_pma_group;
	}
	return 0;
}

static struct ib_port *create_port(struct ib_device *device, u32 port_num,
				   const struct ib_port_attr *attr, bool counters)
{
	struct ib_port *port = kzalloc(sizeof(*port), GFP_KERNEL);
	int err;

	if (!port)
		return ERR_PTR(-ENOMEM);
	kobject_init(&port->kobj, &port_type);
	port->device = device;
	port->port_num = port_num;
	err = rdma_port_tables_create(port, attr);
	if (!err && counters)
		err = prepare_counters(port);
	if (err) {
		kobject_put(&port->kobj);
		return ERR_PTR(err);
	}
	return port;
}

/* Removal of the folder removes all that is in it. */
static int add_files(struct ib_port *port, const struct ib_port_attr *attr,
		     const struct attribute_group **driver_groups)
{
	int err;

	err = sysfs_create_groups(&port->kobj, port->groups);
	if (err)
		return err;
	err = sysfs_create_groups(&port->kobj, driver_groups);
	if (err)
		return err;
	return rdma_gid_folder_add(port, attr);
}

static int add_port(struct ib_core_device *core, u32 port_num)
{
	struct ib_device *device = core->owner;
	bool is_device = core == &device->coredev;
	struct ib_port_attr attr;
	struct ib_port *port;
	int err;

	err = ib_query_port(device, port_num, &attr);
	if (err)
		return err;
	port = create_port(device, port_num, &attr, is_device);
	if (IS_ERR(port))
		return PTR_ERR(port);
	err = kobject_add(&port->kobj, core->ports_kobj, "%u", port_num);
	if (err)
		goto err_put;
	err = add_files(port, &attr, is_device ? device->ops.port_groups : NULL);
	if (err)
		goto err_del;

	list_add_tail(&port->node, &core->port_list);
	if (is_device)
		device->port_data[port_num].sysfs = port;
	return 0;

err_del:
	kobject_del(&port->kobj);
err_put:
	kobject_put(&port->kobj);
	return err;
}

static void remove_port(struct ib_core_device *core, struct ib_port *port)
{
	struct ib_device *device = core->owner;

	if (core == &device->coredev)
		device->port_data[port->port_num].sysfs = NULL;
	list_del(&port->node);
	rdma_gid_folder_remove(port);
	kobject_del(&port->kobj);
	kobject_put(&port->kobj);
}

/**
 * rdma_sysfs_add_ports - make the folders of a device's ports
 * @core: the device in one namespace, which has a folder
 *
 * Context: Sleeps; asks the driver.
 * Return: 0 or a negative errno.
 */
int rdma_sysfs_add_ports(struct ib_core_device *core)
{
	u32 port_num;
	int err;

	core->ports_kobj = kobject_create_and_add("ports", &core->dev.kobj);
	if (!core->ports_kobj)
		return -ENOMEM;
	rdma_for_each_port(core->owner, port_num) {
		err = add_port(core, port_num);
		if (err) {
			rdma_sysfs_remove_ports(core);
			return err;
		}
	}
	return 0;
}

/**
 * rdma_sysfs_remove_ports - remove them
 * @core: the device. On return nobody reads a file of a port.
 *
 * Context: Sleeps.
 */
void rdma_sysfs_remove_ports(struct ib_core_device *core)
{
	struct ib_port *port, *next;

	list_for_each_entry_safe(port, next, &core->port_list, node)
		remove_port(core, port);
	kobject_put(core->ports_kobj);
}

/**
 * ib_port_sysfs_get_ibdev_kobj - what a port's folder is of
 * @kobj: the folder, as functions of attributes of a driver get it
 * @port_num: set to the port's number
 *
 * Context: Any.
 * Return: the device.
 */
struct ib_device *ib_port_sysfs_get_ibdev_kobj(struct kobject *kobj, u32 *port_num)
{
	struct ib_port *port = to_port(kobj);

	*port_num = port->port_num;
	return port->device;
}
EXPORT_SYMBOL(ib_port_sysfs_get_ibdev_kobj);

/**
 * ib_port_register_client_groups - add files of a client to a port
 * @device: the device
 * @port_num: the port
 * @groups: of struct ib_port_attribute; to be removed in the client's remove
 *
 * For ib_cm alone.
 *
 * Context: Sleeps.
 * Return: 0 or a negative errno.
 */
int ib_port_register_client_groups(struct ib_device *device, u32 port_num,
				   const struct attribute_group **groups)
{
	return sysfs_create_groups(&device->port_data[port_num].sysfs->kobj, groups);
}
EXPORT_SYMBOL(ib_port_register_client_groups);

/**
 * ib_port_unregister_client_groups - remove them
 * @device: the device
 * @port_num: the port
 * @groups: the same
 *
 * Context: Sleeps.
 */
void ib_port_unregister_client_groups(struct ib_device *device, u32 port_num,
				      const struct attribute_group **groups)
{
	sysfs_remove_groups(&device->port_data[port_num].sysfs->kobj, groups);
}
EXPORT_SYMBOL(ib_port_unregister_client_groups);

/**
 * rdma_port_hw_stats - the counters that sysfs shows of a port
 * @device: the device, referenced
 * @port_num: the port
 *
 * Context: Any.
 * Return: the counters, or NULL if there is no such port or it has none.
 */
struct rdma_hw_stats *rdma_port_hw_stats(struct ib_device *device, u32 port_num)
{
	struct ib_port *port;

	if (!device->port_data || !rdma_is_port_valid(device, port_num))
		return NULL;
	port = device->port_data[port_num].sysfs;
	return port && port->hw_stats ? port->hw_stats->stats : NULL;
}
