// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A port with MADs: from its device's appearance until it's unplugged and its last file closed. */

#include <linux/slab.h>
#include <linux/xarray.h>

#include "umad.h"

/*
 * Ports by number. A port that is being removed leaves its number reserved, until its nodes are
 * gone and the names umadN and issmN are free again.
 */
static DEFINE_XARRAY_ALLOC(ports);

static void port_release(struct kref *ref)
{
	kfree(container_of(ref, struct umad_port, ref));
}

/**
 * umad_port_put - give up a reference
 * @port: may be freed
 */
void umad_port_put(struct umad_port *port)
{
	kref_put(&port->ref, port_release);
}

/**
 * umad_port_get - find the port of an inode
 * @devt: the inode's device number
 *
 * Return: the port, referenced, or NULL. The port may be unplugged at any time: see
 * umad_port.gone.
 */
struct umad_port *umad_port_get(dev_t devt)
{
	struct umad_port *port;

	xa_lock(&ports);
	port = xa_load(&ports, umad_node_port_number(devt));
	if (port)
		kref_get(&port->ref);
	xa_unlock(&ports);
	return port;
}

/*
 * Once this returns, nobody will use the RDMA device: programs that wait are on their way out
 * with an error, agents are unregistered.
 */
static void port_unplug(struct umad_port *port)
{
	struct umad_file *file;

	mutex_lock(&port->lock);
	WRITE_ONCE(port->gone, true);
	umad_issm_unplug(port);
	list_for_each_entry(file, &port->files, node)
		umad_file_unplug(file);
	mutex_unlock(&port->lock);
}

/**
 * umad_port_create - make a port with its nodes
 * @ib_dev: the device
 * @port_num: the port, which has MADs
 *
 * Context: may sleep.
 * Return: the port, or ERR_PTR of -ENOMEM, -EBUSY (no number free) or an errno of the driver
 * core.
 */
struct umad_port *umad_port_create(struct ib_device *ib_dev, u32 port_num)
{
	struct umad_port *port;
	int err;

	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return ERR_PTR(-ENOMEM);
	kref_init(&port->ref);
	port->ib_dev = ib_dev;
	port->port_num = port_num;
	mutex_init(&port->lock);
	INIT_LIST_HEAD(&port->files);
	init_waitqueue_head(&port->sm_wait);

	err = xa_alloc(&ports, &port->number, port, XA_LIMIT(0, UMAD_MAX_PORTS - 1), GFP_KERNEL);
	if (err) {
		umad_port_put(port);
		return ERR_PTR(err);
	}

	err = umad_node_create(&port->umad, port, false);
	if (!err && rdma_cap_ib_smi(ib_dev, port_num))
		err = umad_node_create(&port->issm, port, true);
	if (err) {
		umad_port_remove(port);
		return ERR_PTR(err);
	}
	return port;
}

/**
 * umad_port_remove - take away a port whose device goes, also from under open files
 * @port: the caller's reference ends here
 *
 * Context: may sleep; the device still works.
 */
void umad_port_remove(struct umad_port *port)
{
	xa_store(&ports, port->number, NULL, 0);
	umad_node_destroy(&port->issm);
	umad_node_destroy(&port->umad);
	port_unplug(port);
	xa_erase(&ports, port->number);
	umad_port_put(port);
}
