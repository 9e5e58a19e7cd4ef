// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Slots, and devices that are plugged into them. */

#include <linux/debugfs.h>
#include <linux/module.h>

#include "nullhca.h"

MODULE_DESCRIPTION("RDMA devices whose operations do what a tester wants");
MODULE_LICENSE("Dual BSD/GPL");

static unsigned int devices = 1;
module_param(devices, uint, 0444);
MODULE_PARM_DESC(devices, "so many slots, named null0 and so on (1 to 16)");

static unsigned int ports = 1;
module_param(ports, uint, 0444);
MODULE_PARM_DESC(ports, "of each device (1 or 2)");

static bool plugged = true;
module_param(plugged, bool, 0444);
MODULE_PARM_DESC(plugged, "register all devices at once");

static struct nullhca_slot *slots;
static struct dentry *root;

static void set_ops(struct ib_device *ib)
{
	static const struct ib_device_ops identity = {
		.owner = THIS_MODULE,
		.driver_id = RDMA_DRIVER_UNKNOWN,
		.uverbs_abi_ver = 1,
	};

	ib_set_device_ops(ib, &identity);
	ib_set_device_ops(ib, &nullhca_port_ops);
	ib_set_device_ops(ib, &nullhca_context_ops);
	ib_set_device_ops(ib, &nullhca_address_ops);
	ib_set_device_ops(ib, &nullhca_cq_ops);
	ib_set_device_ops(ib, &nullhca_qp_ops);
	ib_set_device_ops(ib, &nullhca_srq_ops);
	ib_set_device_ops(ib, &nullhca_memory_ops);
	ib_set_device_ops(ib, &nullhca_stats_ops);
}

static struct nullhca *make_device(struct nullhca_slot *slot)
{
	struct nullhca *device = ib_alloc_device(nullhca, ib);

	if (!device)
		return NULL;
	device->slot = slot;
	xa_init_flags(&device->qps, XA_FLAGS_ALLOC | XA_FLAGS_LOCK_IRQ);
	set_ops(&device->ib);
	device->ib.node_type = RDMA_NODE_IB_CA;
	device->ib.phys_port_cnt = ports;
	device->ib.num_comp_vectors = num_online_cpus();
	device->ib.local_dma_lkey = NULLHCA_DMA_LKEY;
	device->ib.node_guid = cpu_to_be64(0x6e756c6c00000000 + 256 * slot->number);
	snprintf(device->ib.node_desc, sizeof(device->ib.node_desc), "null%u", slot->number);
	/* These commands are for devices whose queues user space can't reach. */
	device->ib.uverbs_cmd_mask |= BIT_ULL(IB_USER_VERBS_CMD_POST_SEND) |
				      BIT_ULL(IB_USER_VERBS_CMD_POST_RECV) |
				      BIT_ULL(IB_USER_VERBS_CMD_POST_SRQ_RECV) |
				      BIT_ULL(IB_USER_VERBS_CMD_POLL_CQ) |
				      BIT_ULL(IB_USER_VERBS_CMD_REQ_NOTIFY_CQ);
	return device;
}

static void free_device(struct nullhca *device)
{
	xa_destroy(&device->qps);
	ib_dealloc_device(&device->ib);
}

/**
 * nullhca_plug - register a slot's device
 * @slot: the slot
 *
 * Return: 0; -EEXIST if it is there; or what ib_register_device() says.
 */
int nullhca_plug(struct nullhca_slot *slot)
{
	struct nullhca *device;
	char name[16];
	int ret;

	guard(mutex)(&slot->lock);
	if (slot->device)
		return -EEXIST;
	device = make_device(slot);
	if (!device)
		return -ENOMEM;
	snprintf(name, sizeof(name), "null%u", slot->number);
	ret = ib_register_device(&device->ib, name, NULL);
	if (ret)
		free_device(device);
	else
		WRITE_ONCE(slot->device, device);
	return ret;
}

/* Unregisters a slot's device, if it is there. Waits for all that is under way in it. */
void nullhca_pull(struct nullhca_slot *slot)
{
	guard(mutex)(&slot->lock);
	if (!slot->device)
		return;
	ib_unregister_device(&slot->device->ib);
	free_device(slot->device);
	WRITE_ONCE(slot->device, NULL);
}

static void init_port(struct nullhca_port *port, u16 lid)
{
	port->lid = lid;
	port->sm_lid = 1;
	port->state = IB_PORT_ACTIVE;
	port->subnet_prefix = 0xfe80000000000000;
	port->pkeys[0] = 0xffff;
}

static int init_slot(struct nullhca_slot *slot, u32 number)
{
	u32 i;

	slot->number = number;
	mutex_init(&slot->lock);
	nullhca_gates_init(slot);
	for (i = 0; i < ports; i++)
		init_port(&slot->ports[i], 1 + 16 * (number * ports + i));
	return nullhca_control_init(slot, root, ports);
}

/* The folder goes first: then nobody plugs anything any more. */
static void remove_all(void)
{
	u32 i;

	for (i = 0; i < devices; i++)
		nullhca_gates_open(&slots[i]);
	debugfs_remove(root);
	for (i = 0; i < devices; i++)
		nullhca_pull(&slots[i]);
	kvfree(slots);
}

static int __init nullhca_init(void)
{
	u32 i;
	int ret = 0;

	if (devices < 1 || devices > NULLHCA_MAX_DEVICES || ports < 1 || ports > NULLHCA_MAX_PORTS)
		return -EINVAL;
	slots = kvcalloc(devices, sizeof(*slots), GFP_KERNEL);
	if (!slots)
		return -ENOMEM;
	root = debugfs_create_dir("nullhca", NULL);
	for (i = 0; i < devices && !ret; i++)
		ret = init_slot(&slots[i], i);
	for (i = 0; i < devices && !ret && plugged; i++)
		ret = nullhca_plug(&slots[i]);
	if (ret)
		remove_all();
	return ret;
}
module_init(nullhca_init);

static void __exit nullhca_exit(void)
{
	remove_all();
}
module_exit(nullhca_exit);
