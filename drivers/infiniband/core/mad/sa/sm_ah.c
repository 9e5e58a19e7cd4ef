// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The way to the subnet manager: an address handle that changes with it. */

#include <linux/slab.h>
#include <rdma/ib_cache.h>

#include "sa.h"

static void release(struct kref *ref)
{
	struct sa_sm_ah *sm_ah = container_of(ref, struct sa_sm_ah, ref);

	rdma_destroy_ah(sm_ah->ah, 0);
	kfree(sm_ah);
}

/* Context: any. */
void sa_sm_ah_put(struct sa_sm_ah *sm_ah)
{
	kref_put(&sm_ah->ref, release);
}

/* Return: the way, referenced, or NULL if it isn't known. Context: any. */
struct sa_sm_ah *sa_sm_ah_get(struct sa_port *port)
{
	struct sa_sm_ah *sm_ah;
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	sm_ah = port->sm_ah;
	if (sm_ah)
		kref_get(&sm_ah->ref);
	spin_unlock_irqrestore(&port->lock, flags);
	return sm_ah;
}

static void replace(struct sa_port *port, struct sa_sm_ah *sm_ah)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	swap(port->sm_ah, sm_ah);
	spin_unlock_irqrestore(&port->lock, flags);
	if (sm_ah)
		sa_sm_ah_put(sm_ah);
}

/* The subnet manager may be elsewhere now: no query until sa_sm_ah_update(). Context: any. */
void sa_sm_ah_forget(struct sa_port *port)
{
	replace(port, NULL);
}

static struct ib_ah *create_ah(struct sa_port *port, const struct ib_port_attr *port_attr)
{
	struct ib_device *device = port->agent->device;
	struct rdma_ah_attr attr = {};

	attr.type = rdma_ah_find_type(device, port->port_num);
	rdma_ah_set_dlid(&attr, port_attr->sm_lid);
	rdma_ah_set_sl(&attr, port_attr->sm_sl);
	rdma_ah_set_port_num(&attr, port->port_num);
	if (rdma_is_grh_required(device, port->port_num)) {
		rdma_ah_set_ah_flags(&attr, IB_AH_GRH);
		rdma_ah_set_subnet_prefix(&attr, cpu_to_be64(port_attr->subnet_prefix));
		rdma_ah_set_interface_id(&attr, cpu_to_be64(IB_SA_WELL_KNOWN_GUID));
	}
	return rdma_create_ah(port->agent->qp->pd, &attr, RDMA_CREATE_AH_SLEEPABLE);
}

/**
 * sa_sm_ah_update - find the way to the subnet manager
 * @port: from here
 *
 * Context: sleeps. Without success the old way, if there is one, stays.
 */
void sa_sm_ah_update(struct sa_port *port)
{
	struct ib_device *device = port->agent->device;
	struct ib_port_attr port_attr;
	struct sa_sm_ah *sm_ah;

	if (ib_query_port(device, port->port_num, &port_attr))
		return;
	sm_ah = kzalloc(sizeof(*sm_ah), GFP_KERNEL);
	if (!sm_ah)
		return;
	kref_init(&sm_ah->ref);
	sm_ah->path_mask = (1 << port_attr.lmc) - 1;
	if (ib_find_pkey(device, port->port_num, IB_DEFAULT_PKEY_FULL, &sm_ah->pkey_index))
		sm_ah->pkey_index = 0;

	sm_ah->ah = create_ah(port, &port_attr);
	if (IS_ERR(sm_ah->ah)) {
		ibdev_warn(device, "port %u: no way to the subnet manager: %pe\n", port->port_num,
			   sm_ah->ah);
		kfree(sm_ah);
		return;
	}
	replace(port, sm_ah);
}

/* The bits of a LID that tell a port's LIDs apart; all that there can be, if that isn't known. */
u8 sa_path_mask(struct ib_device *device, u32 port_num)
{
	struct sa_port *port = sa_port_find(device, port_num);
	struct sa_sm_ah *sm_ah;
	u8 mask = 0x7f;

	sm_ah = port ? sa_sm_ah_get(port) : NULL;
	if (sm_ah) {
		mask = sm_ah->path_mask;
		sa_sm_ah_put(sm_ah);
	}
	return mask;
}
