// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Agents: those who send and receive MADs. */

#include <linux/export.h>
#include <linux/jiffies.h>
#include <linux/slab.h>

#include "mad.h"
#include "rmpp.h"

/* mlx4 has its own use for the TID's upper byte: it tells virtual functions apart. */
#define MAD_MAX_HI_TID	(BIT(24) - 1)

/* All agents by the upper half of their TIDs. Looked up under RCU. */
static DEFINE_XARRAY_ALLOC1(agents);
static u32 next_hi_tid;

/**
 * mad_agent_by_tid - find an agent by a TID that it has made
 * @tid: the TID
 *
 * Return: the agent, referenced, or NULL.
 */
struct mad_agent *mad_agent_by_tid(__be64 tid)
{
	struct mad_agent *agent;

	rcu_read_lock();
	agent = xa_load(&agents, be64_to_cpu(tid) >> 32);
	if (agent && !refcount_inc_not_zero(&agent->refs))
		agent = NULL;
	rcu_read_unlock();
	return agent;
}

void mad_agent_put(struct mad_agent *agent)
{
	if (refcount_dec_and_test(&agent->refs))
		complete(&agent->gone);
}

static long until(const struct mad_timer_queue *queue)
{
	const struct mad_timer *timer = mad_timer_first(queue);

	if (!timer)
		return LONG_MAX;
	return max_t(long, timer->expires - jiffies, 0);
}

/* Runs @agent's expiry when the first of its timers is due. Caller holds the lock. */
void mad_agent_arm(struct mad_agent *agent)
{
	long delay = min(until(&agent->send_timers), until(&agent->rmpp_timers));

	if (delay != LONG_MAX && !agent->closing)
		mod_delayed_work(agent->qp->port->wq, &agent->expire, delay);
}

static struct mad_agent *alloc_agent(struct mad_qp *qp, const struct ib_mad_agent *template)
{
	struct mad_agent *agent = kzalloc(sizeof(*agent), GFP_KERNEL);

	if (!agent)
		return NULL;
	agent->agent = *template;
	agent->agent.device = qp->port->device;
	agent->agent.port_num = qp->port->port_num;
	agent->agent.qp = qp->qp;
	agent->qp = qp;
	refcount_set(&agent->refs, 1);
	init_completion(&agent->gone);
	spin_lock_init(&agent->lock);
	INIT_LIST_HEAD(&agent->sends);
	agent->match = RB_ROOT;
	mad_timer_queue_init(&agent->send_timers);
	agent->rmpp_receives = RB_ROOT;
	INIT_LIST_HEAD(&agent->rmpp_remembered);
	mad_timer_queue_init(&agent->rmpp_timers);
	INIT_DELAYED_WORK(&agent->expire, mad_expire_work);
	INIT_LIST_HEAD(&agent->local);
	INIT_WORK(&agent->local_work, mad_local_work);
	return agent;
}

static int publish(struct mad_agent *agent, const struct ib_mad_reg_req *req)
{
	int ret;

	ret = xa_alloc_cyclic(&agents, &agent->agent.hi_tid, agent, XA_LIMIT(1, MAD_MAX_HI_TID),
			      &next_hi_tid, GFP_KERNEL);
	if (ret < 0)
		return ret;
	if (!req)
		return 0;
	agent->req = *req;
	ret = mad_registry_add(&agent->qp->port->registry, req, agent);
	agent->registered = !ret;
	return ret;
}

/**
 * mad_agent_create - make an agent
 * @qp: that it sends on
 * @template: handlers, context, flags and RMPP version
 * @req: the requests that it wants, checked, or NULL
 *
 * Context: sleeps.
 *
 * Return: the agent, or ERR_PTR(): -EINVAL if somebody has one of these requests already; -EBUSY
 * if there are too many agents; -ENOMEM.
 */
struct mad_agent *mad_agent_create(struct mad_qp *qp, const struct ib_mad_agent *template,
				   const struct ib_mad_reg_req *req)
{
	struct mad_agent *agent;
	int ret;

	agent = alloc_agent(qp, template);
	if (!agent)
		return ERR_PTR(-ENOMEM);
	ret = publish(agent, req);
	if (!ret)
		return agent;
	mad_agent_destroy(agent);
	return ERR_PTR(ret);
}

static void withdraw(struct mad_agent *agent)
{
	if (agent->registered)
		mad_registry_remove(&agent->qp->port->registry, &agent->req, agent);
	if (agent->agent.hi_tid)
		xa_erase(&agents, agent->agent.hi_tid);
}

/* First nobody can find it, then nothing new can begin, then what's under way is ended. */
void mad_agent_destroy(struct mad_agent *agent)
{
	withdraw(agent);
	spin_lock_irq(&agent->lock);
	agent->closing = true;
	spin_unlock_irq(&agent->lock);

	mad_cancel_all(agent);
	rmpp_receive_end(agent);
	cancel_delayed_work_sync(&agent->expire);
	flush_work(&agent->local_work);
	mad_agent_put(agent);
	wait_for_completion(&agent->gone);
	kfree_rcu(agent, rcu);
}

static bool has_kind(struct ib_device *device, u32 port_num, enum ib_qp_type qp_type)
{
	return qp_type == IB_QPT_SMI ? rdma_cap_ib_smi(device, port_num) :
				       rdma_cap_ib_cm(device, port_num);
}

static int check_registration(const struct ib_mad_reg_req *req, enum ib_qp_type qp_type,
			      const struct ib_mad_agent *template)
{
	if (template->rmpp_version && template->rmpp_version != IB_MGMT_RMPP_VERSION)
		return -EINVAL;
	if (!req)
		return !template->send_handler || template->flags & IB_MAD_USER_RMPP ? -EINVAL : 0;
	if (!template->recv_handler)
		return -EINVAL;
	return mad_registration_check(req, qp_type, template->rmpp_version);
}

/**
 * ib_register_mad_agent - become one who sends and receives MADs
 * @device: on which device
 * @port_num: on which port
 * @qp_type: IB_QPT_SMI (QP0) or IB_QPT_GSI (QP1)
 * @mad_reg_req: which requests to receive; NULL for none: only responses
 * @rmpp_version: IB_MGMT_RMPP_VERSION if long MADs are to be split and put together here; else 0
 * @send_handler: called when a send completes
 * @recv_handler: called for each MAD received, which the client frees with ib_free_recv_mad().
 *	Both are called from process context, without locks, and not after
 *	ib_unregister_mad_agent() has returned, which they mustn't call
 * @context: the client's
 * @registration_flags: IB_MAD_USER_RMPP if the client does RMPP by itself
 *
 * The TIDs of what the agent sends must have its @hi_tid in their upper half: that's how responses
 * find it. IBTA volume 1, chapter 13.4.6.
 *
 * Context: sleeps.
 *
 * Return: the agent, or ERR_PTR(): -EPROTONOSUPPORT if the port has no such QP; -ENODEV if it has
 * no MADs; -EINVAL for a wrong argument, or if somebody receives one of these requests already;
 * -ENOMEM.
 */
struct ib_mad_agent *ib_register_mad_agent(struct ib_device *device, u32 port_num,
					   enum ib_qp_type qp_type,
					   struct ib_mad_reg_req *mad_reg_req, u8 rmpp_version,
					   ib_mad_send_handler send_handler,
					   ib_mad_recv_handler recv_handler, void *context,
					   u32 registration_flags)
{
	struct ib_mad_agent template = {
		.rmpp_version = rmpp_version,
		.send_handler = send_handler,
		.recv_handler = recv_handler,
		.context = context,
		.flags = registration_flags,
	};
	struct mad_agent *agent;
	struct mad_port *port;
	struct mad_qp *qp;
	int ret;

	if (qp_type != IB_QPT_SMI && qp_type != IB_QPT_GSI)
		return ERR_PTR(-EINVAL);
	if (!has_kind(device, port_num, qp_type))
		return ERR_PTR(-EPROTONOSUPPORT);
	ret = check_registration(mad_reg_req, qp_type, &template);
	if (ret)
		return ERR_PTR(ret);

	port = mad_port_find(device, port_num);
	if (!port)
		return ERR_PTR(-ENODEV);
	qp = &port->qps[qp_type == IB_QPT_GSI];
	if (!qp->qp)
		return ERR_PTR(-EPROTONOSUPPORT);
	agent = mad_agent_create(qp, &template, mad_reg_req);
	return IS_ERR(agent) ? ERR_CAST(agent) : &agent->agent;
}
EXPORT_SYMBOL(ib_register_mad_agent);

/**
 * ib_unregister_mad_agent - be an agent no more
 * @mad_agent: the agent
 *
 * Cancels all sends, whose handlers are called. Waits until no handler is running and the client
 * has freed all its send buffers.
 *
 * Context: sleeps; not from a handler.
 */
void ib_unregister_mad_agent(struct ib_mad_agent *mad_agent)
{
	mad_agent_destroy(to_mad_agent(mad_agent));
}
EXPORT_SYMBOL(ib_unregister_mad_agent);
