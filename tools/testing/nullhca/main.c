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
	ib_set_device_ops(ib, &nullhca_wq_ops);
	ib_set_device_ops(ib, &nullhca_flow_ops);
	ib_set_device_ops(ib, &nullhca_stats_ops);
	ib_set_device_ops(ib, &nullhca_tracking_ops);
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

/*
 * Of what is left by then nobody takes care any more. ib_core itself looks after most objects.
 * (Of mappings there can be less than none: stock's ib_ipoib unmaps more than it has mapped.)
 */
static void check_leaks(const struct nullhca *device)
{
	int ahs = atomic_read(&device->ahs), mappings = atomic_read(&device->slot->mappings);

	WARN(ahs, "null%u: %d address handles are left\n", device->slot->number, ahs);
	WARN(mappings > 0, "null%u: %d mappings for DMA are left\n", device->slot->number,
	     mappings);
}

static void free_device(struct nullhca *device)
{
	check_leaks(device);
	xa_destroy(&device->qps);
	ib_dealloc_device(&device->ib);
}

static void wire(struct nullhca_slot *slot, struct nullhca *device)
{
	spin_lock(&slot->wire_lock);
	slot->wired = device;
	spin_unlock(&slot->wire_lock);
}

/* What arrives holds the queue pair that it found, and these go before the device. */
static void free_wired(struct nullhca_slot *slot, struct nullhca *device)
{
	wire(slot, NULL);
	free_device(device);
}

static struct nullhca_qp *find_special(const struct nullhca_port *port, u32 qpn)
{
	struct nullhca_slot *slot = port->slot;
	struct nullhca_qp *qp = NULL;

	spin_lock(&slot->wire_lock);
	if (slot->wired)
		qp = nullhca_qp_get(slot->wired, port->number, qpn);
	spin_unlock(&slot->wire_lock);
	return qp;
}

static bool is_smp(const struct ib_mad *mad)
{
	return mad->mad_hdr.mgmt_class == IB_MGMT_CLASS_SUBN_LID_ROUTED ||
	       mad->mad_hdr.mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE;
}

/**
 * nullhca_arrive - a MAD comes in from outside
 * @port: where; its device may be about to come or to go
 * @mad: the MAD
 *
 * Return: 0; -ENODEV if the port hasn't got the queue pair; -ENOBUFS if that can't receive.
 */
int nullhca_arrive(const struct nullhca_port *port, struct ib_mad *mad)
{
	struct ib_sge data = { .addr = (uintptr_t)mad, .length = sizeof(*mad) };
	struct nullhca_qp *qp = find_special(port, is_smp(mad) ? 0 : 1);
	struct ib_wc wc = {
		.src_qp = is_smp(mad) ? 0 : 1,
		.slid = port->sm_lid,
		.port_num = port->number,
	};
	int ret;

	if (!qp)
		return -ENODEV;
	ret = nullhca_receive(qp, &wc, &data);
	nullhca_qp_put(qp);
	return ret;
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
	wire(slot, device);
	ret = ib_register_device(&device->ib, name, nullhca_dma_device(slot));
	if (ret)
		free_wired(slot, device);
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
	free_wired(slot, slot->device);
	WRITE_ONCE(slot->device, NULL);
}

static void init_port(struct nullhca_slot *slot, u32 index, u16 lid)
{
	struct nullhca_port *port = &slot->ports[index];

	port->slot = slot;
	port->number = index + 1;
	port->lid = lid;
	port->sm_lid = 1;
	port->state = IB_PORT_ACTIVE;
	port->subnet_prefix = 0xfe80000000000000;
	port->pkeys[0] = 0xffff;
}

static int init_slot(struct nullhca_slot *slot, u32 number)
{
	u32 i;
	int ret;

	slot->number = number;
	mutex_init(&slot->lock);
	spin_lock_init(&slot->wire_lock);
	nullhca_gates_init(slot);
	for (i = 0; i < ports; i++)
		init_port(slot, i, 1 + 16 * (number * ports + i));
	ret = nullhca_dma_init(slot);
	if (ret)
		return ret;
	return nullhca_control_init(slot, root, ports);
}

/* The folder goes first: then nobody plugs anything any more. */
static void remove_all(void)
{
	u32 i;

	for (i = 0; i < devices; i++)
		nullhca_gates_open(&slots[i]);
	debugfs_remove(root);
	for (i = 0; i < devices; i++) {
		nullhca_pull(&slots[i]);
		nullhca_dma_exit(&slots[i]);
	}
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
