// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* umadN: open, close, poll, ioctl. */

#include <linux/compat.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "umad.h"

static struct umad_file *file_create(struct umad_port *port)
{
	struct umad_file *file;
	int i;

	file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);
	if (!file)
		return NULL;
	file->port = port;
	mutex_init(&file->lock);
	umad_queue_init(&file->queue);
	umad_transactions_init(&file->transactions);
	for (i = 0; i < UMAD_MAX_AGENTS; i++)
		file->agents[i].file = file;
	return file;
}

/* Without agents: nobody sends or queues any more. */
static void file_free(struct umad_file *file)
{
	struct umad_packet *packet, *next;

	list_for_each_entry_safe(packet, next, &file->queue.packets, node)
		umad_packet_free(packet);
	kfree(file);
}

static int port_attach(struct umad_port *port, struct umad_file *file)
{
	int err = 0;

	mutex_lock(&port->lock);
	if (port->gone)
		err = -ENXIO;
	else if (!rdma_dev_access_netns(port->ib_dev, current->nsproxy->net_ns))
		err = -EPERM;
	else
		list_add_tail(&file->node, &port->files);
	mutex_unlock(&port->lock);
	return err;
}

static int umad_open(struct inode *inode, struct file *filp)
{
	struct umad_port *port = umad_port_get(inode->i_rdev);
	struct umad_file *file;
	int err = -ENOMEM;

	if (!port)
		return -ENXIO;
	file = file_create(port);
	if (!file)
		goto err_port;
	err = port_attach(port, file);
	if (err)
		goto err_file;

	filp->private_data = file;
	return stream_open(inode, filp);

err_file:
	file_free(file);
err_port:
	umad_port_put(port);
	return err;
}

static int umad_release(struct inode *inode, struct file *filp)
{
	struct umad_file *file = filp->private_data;
	struct umad_port *port = file->port;

	/*
	 * First the agents, then the list: an unplug in between finds the file, and waits at
	 * its lock until the last agent is off the device.
	 */
	mutex_lock(&file->lock);
	umad_unregister_all(file);
	mutex_unlock(&file->lock);

	mutex_lock(&port->lock);
	list_del(&file->node);
	mutex_unlock(&port->lock);

	file_free(file);
	umad_port_put(port);
	return 0;
}

/**
 * umad_file_unplug - cut a file off its device
 * @file: on its port's list, whose lock is held
 *
 * What was outstanding is cancelled; reads, writes and registrations fail from now on.
 */
void umad_file_unplug(struct umad_file *file)
{
	umad_queue_kill(&file->queue);
	mutex_lock(&file->lock);
	file->gone = true;
	umad_unregister_all(file);
	mutex_unlock(&file->lock);
}

static __poll_t umad_poll(struct file *filp, struct poll_table_struct *wait)
{
	struct umad_file *file = filp->private_data;

	poll_wait(filp, &file->queue.wait, wait);
	return umad_queue_events(&file->queue);
}

static long enable_pkey(struct umad_file *file)
{
	long ret = 0;

	mutex_lock(&file->lock);
	if (file->registered)
		ret = -EINVAL;
	else
		WRITE_ONCE(file->pkey_index, true);
	mutex_unlock(&file->lock);
	return ret;
}

static long do_ioctl(struct file *filp, unsigned int cmd, void __user *arg, bool compat)
{
	struct umad_file *file = filp->private_data;

	switch (cmd) {
	case IB_USER_MAD_REGISTER_AGENT:
		return umad_register_agent(file, arg, compat);
	case IB_USER_MAD_REGISTER_AGENT2:
		return umad_register_agent2(file, arg);
	case IB_USER_MAD_UNREGISTER_AGENT:
		return umad_unregister_agent(file, arg);
	case IB_USER_MAD_ENABLE_PKEY:
		return enable_pkey(file);
	default:
		return -ENOIOCTLCMD;
	}
}

static long umad_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	return do_ioctl(filp, cmd, (void __user *)arg, false);
}

#ifdef CONFIG_COMPAT
static long umad_compat_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	return do_ioctl(filp, cmd, compat_ptr(arg), true);
}
#endif

const struct file_operations umad_fops = {
	.owner = THIS_MODULE,
	.open = umad_open,
	.release = umad_release,
	.read = umad_read,
	.write = umad_write,
	.poll = umad_poll,
	.unlocked_ioctl = umad_ioctl,
#ifdef CONFIG_COMPAT
	.compat_ioctl = umad_compat_ioctl,
#endif
};
