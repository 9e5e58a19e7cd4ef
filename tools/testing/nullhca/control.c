// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The tester's side, in debugfs: nullhca/nullN/
 *
 *	plugged			1 or 0; writing registers or unregisters the device, and fails as
 *				that does
 *	event			writing "NAME [PORT]" raises that event
 *	portP/			lid, sm_lid, lmc, state, subnet_prefix, pkey0 ...; raises no event
 *	portP/mad		what is written arrives at QP0 or QP1, from LID sm_lid
 *	OPERATION/calls		so many calls were made; writing sets it, 0 to start anew
 *	OPERATION/fail_at	the call of this number fails
 *	OPERATION/failures	and so many in all
 *	OPERATION/error		with this errno
 *	OPERATION/block		calls from this number on wait while it stays
 *	OPERATION/waiting	so many do
 */

#include <linux/debugfs.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "nullhca.h"

static const char *const op_names[] = {
#define OP(name) #name
#include "ops.h"
#undef OP
};

static const struct {
	const char *name;
	enum ib_event_type type;
} event_names[] = {
	{ "port_active", IB_EVENT_PORT_ACTIVE },
	{ "port_err", IB_EVENT_PORT_ERR },
	{ "lid_change", IB_EVENT_LID_CHANGE },
	{ "pkey_change", IB_EVENT_PKEY_CHANGE },
	{ "gid_change", IB_EVENT_GID_CHANGE },
	{ "sm_change", IB_EVENT_SM_CHANGE },
	{ "client_reregister", IB_EVENT_CLIENT_REREGISTER },
	{ "device_fatal", IB_EVENT_DEVICE_FATAL },
};

static int plugged_get(void *data, u64 *value)
{
	struct nullhca_slot *slot = data;

	*value = !!READ_ONCE(slot->device);
	return 0;
}

static int plugged_set(void *data, u64 value)
{
	struct nullhca_slot *slot = data;

	if (value)
		return nullhca_plug(slot);
	nullhca_pull(slot);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(plugged_fops, plugged_get, plugged_set, "%llu\n");

static int raise_event(struct nullhca_slot *slot, const char *name, u32 port_num)
{
	struct ib_event event = { .element.port_num = port_num };
	int i;

	for (i = 0; i < ARRAY_SIZE(event_names); i++)
		if (!strcmp(name, event_names[i].name))
			break;
	if (i == ARRAY_SIZE(event_names))
		return -EINVAL;
	event.event = event_names[i].type;

	guard(mutex)(&slot->lock);
	if (!slot->device)
		return -ENODEV;
	if (!rdma_is_port_valid(&slot->device->ib, port_num))
		return -EINVAL;
	event.device = &slot->device->ib;
	ib_dispatch_event(&event);
	return 0;
}

static ssize_t event_write(struct file *file, const char __user *user, size_t count, loff_t *pos)
{
	char text[64], name[32];
	u32 port_num = 1;
	int ret;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, user, count))
		return -EFAULT;
	text[count] = 0;
	if (sscanf(text, "%31s %u", name, &port_num) < 1)
		return -EINVAL;
	ret = raise_event(file->private_data, name, port_num);
	return ret ?: count;
}

static const struct file_operations event_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = event_write,
};

/* The write fails if nobody can receive it just now. */
static ssize_t mad_write(struct file *file, const char __user *user, size_t count, loff_t *pos)
{
	struct ib_mad mad;
	int ret;

	if (count != sizeof(mad))
		return -EINVAL;
	if (copy_from_user(&mad, user, sizeof(mad)))
		return -EFAULT;
	ret = nullhca_arrive(file->private_data, &mad);
	return ret ?: count;
}

static const struct file_operations mad_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = mad_write,
};

static int block_get(void *data, u64 *value)
{
	struct nullhca_gate *gate = data;

	*value = READ_ONCE(gate->block);
	return 0;
}

static int block_set(void *data, u64 value)
{
	struct nullhca_gate *gate = data;

	WRITE_ONCE(gate->block, value);
	wake_up_all(&gate->released);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(block_fops, block_get, block_set, "%llu\n");

static void make_gate(struct nullhca_slot *slot, enum nullhca_op op)
{
	struct nullhca_gate *gate = &slot->gates[op];
	struct dentry *folder = debugfs_create_dir(op_names[op], slot->folder);

	debugfs_create_atomic_t("calls", 0600, folder, &gate->calls);
	debugfs_create_u32("fail_at", 0600, folder, &gate->fail_at);
	debugfs_create_u32("failures", 0600, folder, &gate->failures);
	debugfs_create_u32("error", 0600, folder, &gate->error);
	if (op >= NULLHCA_FIRST_ATOMIC_OP)
		return;
	debugfs_create_file_unsafe("block", 0600, folder, gate, &block_fops);
	debugfs_create_atomic_t("waiting", 0400, folder, &gate->waiting);
}

static void make_port(struct nullhca_slot *slot, u32 number)
{
	struct nullhca_port *port = &slot->ports[number - 1];
	struct dentry *folder;
	char name[16];
	int i;

	snprintf(name, sizeof(name), "port%u", number);
	folder = debugfs_create_dir(name, slot->folder);
	debugfs_create_u16("lid", 0600, folder, &port->lid);
	debugfs_create_u16("sm_lid", 0600, folder, &port->sm_lid);
	debugfs_create_u8("lmc", 0600, folder, &port->lmc);
	debugfs_create_u8("state", 0600, folder, &port->state);
	debugfs_create_file("mad", 0200, folder, port, &mad_fops);
	debugfs_create_x64("subnet_prefix", 0600, folder, &port->subnet_prefix);
	for (i = 0; i < NULLHCA_PKEYS; i++) {
		snprintf(name, sizeof(name), "pkey%d", i);
		debugfs_create_x16(name, 0600, folder, &port->pkeys[i]);
	}
}

/**
 * nullhca_control_init - make the folder of a slot
 * @slot: the slot
 * @root: where; who removes this removes the folder
 * @ports: so many ports
 *
 * Return: 0, or what debugfs says.
 */
int nullhca_control_init(struct nullhca_slot *slot, struct dentry *root, u32 ports)
{
	char name[16];
	u32 i;

	snprintf(name, sizeof(name), "null%u", slot->number);
	slot->folder = debugfs_create_dir(name, root);
	if (IS_ERR(slot->folder))
		return PTR_ERR(slot->folder);
	debugfs_create_file_unsafe("plugged", 0600, slot->folder, slot, &plugged_fops);
	debugfs_create_file("event", 0200, slot->folder, slot, &event_fops);
	for (i = 1; i <= ports; i++)
		make_port(slot, i);
	for (i = 0; i < NULLHCA_NR_OPS; i++)
		make_gate(slot, i);
	return 0;
}
