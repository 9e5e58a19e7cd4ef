// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * issmN: as long as somebody has it open, the port's capability mask says that there is a
 * subnet manager (IsSM, IBTA 14.2.5.6). It has nothing to read or write. One opener at a time.
 */

#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>

#include "umad.h"

/* Caller holds port->lock, and the port isn't gone. */
static int set_is_sm(struct umad_port *port, bool is_sm)
{
	struct ib_port_modify change = {};

	if (is_sm)
		change.set_port_cap_mask = IB_PORT_SM;
	else
		change.clr_port_cap_mask = IB_PORT_SM;
	return ib_modify_port(port->ib_dev, port->port_num, 0, &change);
}

/* One try to become the holder; -EAGAIN if there's one. */
static int issm_acquire(struct umad_port *port)
{
	int err;

	mutex_lock(&port->lock);
	if (port->gone) {
		err = -ENXIO;
	} else if (!rdma_dev_access_netns(port->ib_dev, current->nsproxy->net_ns)) {
		err = -EPERM;
	} else if (port->sm_held) {
		err = -EAGAIN;
	} else {
		err = set_is_sm(port, true);
		WRITE_ONCE(port->sm_held, !err);
	}
	mutex_unlock(&port->lock);
	return err;
}

static int issm_open(struct inode *inode, struct file *filp)
{
	struct umad_port *port = umad_port_get(inode->i_rdev);
	int err;

	if (!port)
		return -ENXIO;

	err = issm_acquire(port);
	while (err == -EAGAIN && !(filp->f_flags & O_NONBLOCK)) {
		if (wait_event_interruptible(port->sm_wait,
					     !READ_ONCE(port->sm_held) || READ_ONCE(port->gone)))
			err = -ERESTARTSYS;
		else
			err = issm_acquire(port);
	}
	if (err) {
		umad_port_put(port);
		return err;
	}

	filp->private_data = port;
	return stream_open(inode, filp);
}

static int issm_release(struct inode *inode, struct file *filp)
{
	struct umad_port *port = filp->private_data;

	mutex_lock(&port->lock);
	if (!port->gone)
		set_is_sm(port, false);
	WRITE_ONCE(port->sm_held, false);
	mutex_unlock(&port->lock);

	wake_up_interruptible(&port->sm_wait);
	umad_port_put(port);
	return 0;
}

/**
 * umad_issm_unplug - clear IsSM while the device is there, turn away those who wait for it
 * @port: its lock is held and its @gone set
 *
 * The device may stay, with this module or its network namespace gone.
 */
void umad_issm_unplug(struct umad_port *port)
{
	if (port->sm_held)
		set_is_sm(port, false);
	wake_up_interruptible_all(&port->sm_wait);
}

const struct file_operations umad_issm_fops = {
	.owner = THIS_MODULE,
	.open = issm_open,
	.release = issm_release,
};
