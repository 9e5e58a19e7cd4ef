// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Registration of a file's agents with ib_mad. */

#include <linux/nospec.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "umad.h"

static struct umad_agent *free_slot(struct umad_file *file)
{
	int id;

	for (id = 0; id < UMAD_MAX_AGENTS; id++)
		if (!file->agents[id].mad_agent)
			return &file->agents[id];
	return NULL;
}

/* The first registration settles the form of the header for good. */
static void settle_header(struct umad_file *file, bool pkey_index)
{
	if (file->registered)
		return;
	file->registered = true;
	if (pkey_index)
		WRITE_ONCE(file->pkey_index, true);
	if (!file->pkey_index)
		ibdev_warn_ratelimited(file->port->ib_dev,
				       "%s doesn't enable the P_Key index, see user_mad.rst\n",
				       current->comm);
}

/* Returns the agent's id or a negative errno. Caller holds file->lock. */
static int register_locked(struct umad_file *file, struct umad_registration *reg, bool pkey_index)
{
	struct ib_mad_agent *mad_agent;
	struct umad_agent *agent;

	if (file->gone)
		return -EPIPE;
	agent = free_slot(file);
	if (!agent)
		return -ENOMEM;

	mad_agent = ib_register_mad_agent(file->port->ib_dev, file->port->port_num, reg->qp_type,
					  reg->unsolicited ? &reg->req : NULL, reg->rmpp_version,
					  umad_send_handler, umad_recv_handler, agent, reg->flags);
	if (IS_ERR(mad_agent))
		return PTR_ERR(mad_agent);

	agent->mad_agent = mad_agent;
	settle_header(file, pkey_index);
	return agent - file->agents;
}

/* Caller holds file->lock, no handler takes it. */
static void unregister_locked(struct umad_agent *agent)
{
	if (agent->mad_agent)
		ib_unregister_mad_agent(agent->mad_agent);
	agent->mad_agent = NULL;
}

static long register_agent(struct umad_file *file, struct umad_registration *reg,
			   bool pkey_index, u32 __user *id_arg)
{
	struct ib_mad_agent *mad_agent;
	u32 hi_tid = 0;
	int id;

	mutex_lock(&file->lock);
	id = register_locked(file, reg, pkey_index);
	if (id >= 0)
		hi_tid = file->agents[id].mad_agent->hi_tid;
	mutex_unlock(&file->lock);
	if (id < 0)
		return id;

	if (!put_user((u32)id, id_arg))
		return 0;

	/*
	 * The program will never know the id, so the agent can't stay. Another thread may have
	 * guessed it, though, and have the slot in use for an agent of its own by now.
	 */
	mutex_lock(&file->lock);
	mad_agent = file->agents[id].mad_agent;
	if (mad_agent && mad_agent->hi_tid == hi_tid)
		unregister_locked(&file->agents[id]);
	mutex_unlock(&file->lock);
	return -EFAULT;
}

/**
 * umad_register_agent - IB_USER_MAD_REGISTER_AGENT
 * @file: the open file
 * @arg: the request; its id is set on success
 * @compat: the program's long has 32 bits
 *
 * Return: 0; -EFAULT; -EINVAL for a wrong QP or what ib_mad refuses; -ENOMEM when all 32 agents
 * are in use; -EPIPE after unplug; another errno of ib_register_mad_agent().
 */
long umad_register_agent(struct umad_file *file, struct ib_user_mad_reg_req __user *arg,
			 bool compat)
{
	struct ib_user_mad_reg_req ureq;
	struct umad_registration reg;
	int err;

	if (copy_from_user(&ureq, arg, sizeof(ureq)))
		return -EFAULT;
	err = umad_parse_reg_req(&ureq, compat, &reg);
	if (err)
		return err;
	return register_agent(file, &reg, false, &arg->id);
}

/**
 * umad_register_agent2 - IB_USER_MAD_REGISTER_AGENT2
 * @file: the open file
 * @arg: the request; its id is set on success. Unknown flags are replaced by those that are known
 *
 * A program that starts with this form knows the P_Key index, and needn't enable it.
 *
 * Return: as umad_register_agent(); also -EINVAL for unknown flags and for an OUI of more than
 * 24 bits.
 */
long umad_register_agent2(struct umad_file *file, struct ib_user_mad_reg_req2 __user *arg)
{
	struct ib_user_mad_reg_req2 ureq;
	struct umad_registration reg;
	int err;

	if (copy_from_user(&ureq, arg, sizeof(ureq)))
		return -EFAULT;
	err = umad_parse_reg_req2(&ureq, &reg);
	if (err) {
		if (ureq.flags & ~IB_USER_MAD_REG_FLAGS_CAP &&
		    put_user((u32)IB_USER_MAD_REG_FLAGS_CAP, &arg->flags))
			return -EFAULT;
		return err;
	}
	return register_agent(file, &reg, true, &arg->id);
}

/**
 * umad_unregister_agent - IB_USER_MAD_UNREGISTER_AGENT
 * @file: the open file
 * @arg: the agent's id
 *
 * What the agent has outstanding is cancelled, silently. What it received already can still be
 * read.
 *
 * Return: 0; -EFAULT; -EINVAL for an id that isn't registered with this file.
 */
long umad_unregister_agent(struct umad_file *file, const u32 __user *arg)
{
	struct umad_agent *agent;
	long ret = -EINVAL;
	u32 id;

	if (get_user(id, arg))
		return -EFAULT;
	if (id >= UMAD_MAX_AGENTS)
		return -EINVAL;
	agent = &file->agents[array_index_nospec(id, UMAD_MAX_AGENTS)];

	mutex_lock(&file->lock);
	if (agent->mad_agent) {
		unregister_locked(agent);
		ret = 0;
	}
	mutex_unlock(&file->lock);
	return ret;
}

/**
 * umad_unregister_all - end all agents of a file
 * @file: its lock is held
 */
void umad_unregister_all(struct umad_file *file)
{
	int id;

	for (id = 0; id < UMAD_MAX_AGENTS; id++)
		unregister_locked(&file->agents[id]);
}
