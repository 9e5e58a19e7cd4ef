/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The registry: devices, the clients that are told of them, and what both look like in sysfs.
 *
 * A struct ib_device is in one of three states:
 *
 *	allocated	only its driver knows it;
 *	named		it has a name and an index, ib_register_device() or ib_unregister_device()
 *			is under way, or the driver has yet to free it;
 *	registered	others can find it.
 *
 * References:
 *
 *  ib_device.refcount	 keeps it registered: one of the registry itself, one for each bound client,
 *			 each sub device and each ib_device_try_get(). Zero in the other two states.
 *			 Unregistration waits for the last put, which frees nothing.
 *  ib_device.dev	 keeps the memory (for a grace period more): the driver's, from allocation
 *			 to ib_dealloc_device(), and the driver core's.
 *  ib_client.uses	 keeps the client registered: its own, and one for each device that it is
 *			 bound to.
 *
 * Locks, outermost first; those of a device come before those of its sub devices. All but the last
 * may be held across calls that sleep; which calls of drivers and clients are made under them is
 * said here.
 *
 *  ib_device.unregistration_lock unregistration and moves between namespaces, from start to end,
 *				  thus all that they call.
 *  ib_device.subdev_lock	  the list of sub devices. The driver's add_sub_dev.
 *  rdma_devices_rwsem		  names of devices; the marks in rdma_devices. Clients' add (for
 *				  writing or reading), rename (for reading), the driver's
 *				  enable_driver (for reading).
 *  clients_rwsem (client.c)	  the same for clients. Clients' add and get_global_nl_info.
 *  rdma_nets_rwsem		  namespaces, and whether they share devices.
 *  ib_device.compat_devs_mutex	  the devices in other namespaces. The driver's query_port.
 *  ib_device.client_data_rwsem	  the marks in client_data: reading, a bound client stays so. Its
 *				  rename, get_nl_info, get_net_dev_by_params.
 *  netdevs_mutex (netdev.c)	  changes of which netdev a port has.
 *  ib_port_data.netdev_lock	  the netdev of a port.
 *
 * Clients' remove is called with none of these held but unregistration_lock. RTNL may be taken
 * inside all of them but the last two, and drivers take the last two inside RTNL.
 */
#ifndef RDMA_CORE_DEVICE_H
#define RDMA_CORE_DEVICE_H

#include <linux/rwsem.h>
#include <linux/sysfs.h>
#include <linux/xarray.h>
#include <rdma/ib_sysfs.h>

#include "../core.h"

struct ib_port;

/* ---- registry.c: named devices */

extern struct xarray rdma_devices;
extern struct rw_semaphore rdma_devices_rwsem;

/* Marks in rdma_devices. Set and cleared with rdma_devices_rwsem held for writing. */
#define RDMA_DEVICE_REGISTERED	XA_MARK_1
#define RDMA_DEVICE_GID_UPDATES	XA_MARK_2

/* With rdma_devices_rwsem held. */
#define rdma_for_each_registered(device, index) \
	xa_for_each_marked(&rdma_devices, index, device, RDMA_DEVICE_REGISTERED)

int rdma_device_assign_name(struct ib_device *device, const char *name);
void rdma_device_drop_name(struct ib_device *device);
bool rdma_device_is_named(struct ib_device *device);
bool rdma_device_is_registered(struct ib_device *device);
struct ib_device *rdma_device_next_get(unsigned long *index);
struct ib_device *rdma_device_next_named(unsigned long *index);

/* ---- name.c, text.c, pma.c: pure */

int rdma_name_check_pattern(const char *pattern);
int rdma_name_number(const char *pattern, const char *name);

const char *rdma_node_type_text(unsigned int node_type);
const char *rdma_port_state_text(unsigned int state);
const char *rdma_port_phys_state_text(unsigned int phys_state);
int rdma_rate_text(char *buf, u8 active_width, u16 active_speed);

u64 rdma_pma_field(const u8 *attribute, unsigned int offset_bits, unsigned int width_bits);

/* ---- alloc.c */

extern struct class rdma_class;

void rdma_core_device_init(struct ib_core_device *core, struct ib_device *owner, struct net *net,
			   const struct attribute_group **groups);

/* ---- port.c */

int rdma_ports_alloc(struct ib_device *device);
int rdma_ports_set_up(struct ib_device *device);
void rdma_ports_free(struct ib_device *device);

/* ---- netdev.c */

void rdma_netdevs_drop(struct ib_device *device);

/* ---- enable.c: from named to registered and back */

int rdma_device_enable_get(struct ib_device *device);
void rdma_device_disable(struct ib_device *device);

/* ---- unregister.c */

int rdma_unregister_init(void);
void rdma_unregister_exit(void);
void rdma_unregister(struct ib_device *device);
void rdma_unregister_work(struct work_struct *work);
void rdma_device_dealloc_by_caller(struct ib_device *device);

/* ---- client.c */

int rdma_clients_bind(struct ib_device *device);
void rdma_clients_unbind(struct ib_device *device);
void rdma_clients_renamed(struct ib_device *device);
bool rdma_clients_empty(void);

/* ---- netns.c, compat.c */

extern struct xarray rdma_nets;
extern struct rw_semaphore rdma_nets_rwsem;

int rdma_netns_init(void);
void rdma_netns_exit(void);

int rdma_compat_add(struct ib_device *device, struct rdma_net *rnet);
int rdma_compat_add_all(struct ib_device *device);
void rdma_compat_remove(struct ib_device *device, u32 net_id);
void rdma_compat_remove_all(struct ib_device *device);
int rdma_compat_rename(struct ib_device *device);

/* ---- subdev.c */

void rdma_sub_devices_remove(struct ib_device *parent);
bool rdma_has_sub_devices(struct ib_device *parent);

/* ---- cgroup.c */

void rdma_cgroup_register(struct ib_device *device);
void rdma_cgroup_unregister(struct ib_device *device);

/* ---- sysfs_device.c */

extern const struct attribute_group rdma_device_attr_group;

/* ---- sysfs_port.c, sysfs_table.c, sysfs_counters.c */

/* What a port's performance management agent can count, from little to much. */
enum rdma_pma_kind {
	RDMA_PMA_BASIC,		/* PortCounters */
	RDMA_PMA_EXT_NO_IETF,	/* and PortCountersExtended without those by kind of packet */
	RDMA_PMA_EXT,		/* and all of PortCountersExtended */
};

/**
 * struct rdma_port_table - a folder with a file for each index of a table
 * @group: the folder
 * @entries: the files, whose names are their indices
 */
struct rdma_port_table {
	struct attribute_group group;
	struct rdma_port_table_entry {
		struct ib_port_attribute attr;
		unsigned int index;
		char name[12];
	} entries[];
};

/**
 * struct rdma_gid_folder - the folder gid_attrs of a port
 * @kobj: its owner is the port, from creation to ports/N's removal
 * @tables: "ndevs" and "types"
 * @groups: those of @tables
 */
struct rdma_gid_folder {
	struct kobject kobj;
	struct rdma_port_table *tables[2];
	const struct attribute_group *groups[3];
};

/**
 * struct ib_port - the folder ports/N of a device in one namespace
 * @kobj: owned by ib_core_device.port_list. Whoever else holds it can read no file any more once
 *	the port is removed.
 * @node: in ib_core_device.port_list
 * @device: the device
 * @port_num: N
 * @gids: folder "gids"
 * @pkeys: folder "pkeys"; NULL if the port has none
 * @gid_attrs: folder "gid_attrs"
 * @hw_stats: folder "hw_counters"; NULL if the driver has none
 * @pma_kind: which files folder "counters" has
 * @groups: the groups of all these but @gid_attrs, and "counters"
 */
struct ib_port {
	struct kobject kobj;
	struct list_head node;
	struct ib_device *device;
	u32 port_num;
	struct rdma_port_table *gids;
	struct rdma_port_table *pkeys;
	struct rdma_gid_folder *gid_attrs;
	struct hw_stats_device_data *hw_stats;
	enum rdma_pma_kind pma_kind;
	const struct attribute_group *groups[5];
};

int rdma_sysfs_add_ports(struct ib_core_device *core);
void rdma_sysfs_remove_ports(struct ib_core_device *core);

int rdma_port_tables_create(struct ib_port *port, const struct ib_port_attr *attr);
void rdma_port_tables_free(struct ib_port *port);
int rdma_gid_folder_add(struct ib_port *port, const struct ib_port_attr *attr);
void rdma_gid_folder_remove(struct ib_port *port);

extern const struct attribute_group rdma_pma_group;

void rdma_pma_group_init(void);
enum rdma_pma_kind rdma_pma_kind(struct ib_device *device, u32 port_num);

/* ---- sysfs_hw_stats.c */

/**
 * struct hw_stats_device_data - the folder hw_counters of a device or of a port
 * @group: the folder
 * @stats: what is shown; ours, though the driver made it
 * @files: a file for each counter that isn't optional, and "lifespan"
 *
 * Its name is the one that <rdma/ib_verbs.h> gives it.
 */
struct hw_stats_device_data {
	struct attribute_group group;
	struct rdma_hw_stats *stats;
	struct rdma_hw_stat_file {
		union {
			struct attribute attr;
			struct ib_port_attribute port;
			struct device_attribute device;
		};
		struct rdma_hw_stats *stats;
		unsigned int index;
	} files[];
};

struct hw_stats_device_data *rdma_hw_counters_create(struct ib_device *device, u32 port_num);
void rdma_hw_counters_free(struct hw_stats_device_data *data);

#endif
