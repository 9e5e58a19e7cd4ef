// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Which agent a request is for: by class version, class, OUI (of vendors' classes) and method. */

#include <linux/slab.h>

#include "mad.h"

/**
 * struct mad_class - who has which methods of a class
 * @node: in mad_registry.classes
 * @key: see class_key()
 * @methods: how many of @agents aren't NULL
 * @agents: by method
 */
struct mad_class {
	struct rb_node node;
	u64 key;
	unsigned int methods;
	struct mad_agent *agents[IB_MGMT_MAX_METHODS];
};

static u64 class_key(u8 version, u8 mgmt_class, const u8 *oui)
{
	u64 key = version << 8 | mgmt_class;

	if (mad_is_vendor_class(mgmt_class))
		key |= (u64)oui[0] << 32 | (u64)oui[1] << 24 | (u64)oui[2] << 16;
	return key;
}

static u64 key_of(const struct ib_mad_reg_req *req)
{
	return class_key(req->mgmt_class_version, req->mgmt_class, req->oui);
}

static int compare(const void *key, const struct rb_node *node)
{
	const struct mad_class *class = rb_entry(node, struct mad_class, node);
	u64 wanted = *(const u64 *)key;

	return wanted == class->key ? 0 : wanted < class->key ? -1 : 1;
}

static int compare_nodes(struct rb_node *a, const struct rb_node *b)
{
	return compare(&rb_entry(a, struct mad_class, node)->key, b);
}

static struct mad_class *find_class(const struct mad_registry *registry, u64 key)
{
	return rb_entry_safe(rb_find(&key, &registry->classes, compare), struct mad_class, node);
}

void mad_registry_init(struct mad_registry *registry)
{
	spin_lock_init(&registry->lock);
	registry->classes = RB_ROOT;
}

/**
 * mad_registration_check - whether a client may ask for this
 * @req: which requests it wants
 * @qp_type: IB_QPT_SMI or IB_QPT_GSI
 * @rmpp_version: 0, or the version of RMPP
 *
 * Return: 0 or -EINVAL.
 */
int mad_registration_check(const struct ib_mad_reg_req *req, enum ib_qp_type qp_type,
			   u8 rmpp_version)
{
	if (req->mgmt_class_version >= MAD_VERSION_LIMIT || !req->mgmt_class)
		return -EINVAL;
	if (req->mgmt_class >= MAD_CLASS_LIMIT &&
	    req->mgmt_class != IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
		return -EINVAL;
	if (mad_is_vendor_class(req->mgmt_class) && !(req->oui[0] | req->oui[1] | req->oui[2]))
		return -EINVAL;
	if (rmpp_version && !ib_is_mad_class_rmpp(req->mgmt_class))
		return -EINVAL;
	return mad_is_sm_class(req->mgmt_class) == (qp_type == IB_QPT_SMI) ? 0 : -EINVAL;
}

/* Whether somebody else has one of the methods that @req asks for. Caller holds the lock. */
static bool taken(const struct mad_class *class, const struct ib_mad_reg_req *req)
{
	unsigned int method;

	for_each_set_bit(method, req->method_mask, IB_MGMT_MAX_METHODS)
		if (class->agents[method])
			return true;
	return false;
}

static void take(struct mad_class *class, const struct ib_mad_reg_req *req,
		 struct mad_agent *agent)
{
	unsigned int method;

	for_each_set_bit(method, req->method_mask, IB_MGMT_MAX_METHODS)
		class->agents[method] = agent;
	class->methods += bitmap_weight(req->method_mask, IB_MGMT_MAX_METHODS);
}

/**
 * mad_registry_add - give an agent the requests that it asks for
 * @registry: the port's registry
 * @req: checked by mad_registration_check(); no method at all is fine
 * @agent: the agent
 *
 * Context: sleeps.
 *
 * Return: 0; -EINVAL if somebody has one of them already; -ENOMEM.
 */
int mad_registry_add(struct mad_registry *registry, const struct ib_mad_reg_req *req,
		     struct mad_agent *agent)
{
	struct mad_class *class, *fresh;
	int ret = 0;

	if (bitmap_empty(req->method_mask, IB_MGMT_MAX_METHODS))
		return 0;
	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL);
	if (!fresh)
		return -ENOMEM;
	fresh->key = key_of(req);

	spin_lock_irq(&registry->lock);
	class = rb_entry_safe(rb_find_add(&fresh->node, &registry->classes, compare_nodes),
			      struct mad_class, node);
	if (!class)
		take(fresh, req, agent);
	else if (taken(class, req))
		ret = -EINVAL;
	else
		take(class, req, agent);
	spin_unlock_irq(&registry->lock);

	if (class)
		kfree(fresh);
	return ret;
}

/**
 * mad_registry_remove - take back what mad_registry_add() gave
 * @registry: the port's registry
 * @req: as it was added
 * @agent: as it was added
 */
void mad_registry_remove(struct mad_registry *registry, const struct ib_mad_reg_req *req,
			 struct mad_agent *agent)
{
	struct mad_class *class, *unused = NULL;
	unsigned int method;

	spin_lock_irq(&registry->lock);
	class = find_class(registry, key_of(req));
	for_each_set_bit(method, req->method_mask, IB_MGMT_MAX_METHODS) {
		if (!class || class->agents[method] != agent)
			continue;
		class->agents[method] = NULL;
		class->methods--;
	}
	if (class && !class->methods) {
		rb_erase(&class->node, &registry->classes);
		unused = class;
	}
	spin_unlock_irq(&registry->lock);
	kfree(unused);
}

/**
 * mad_registry_find - find the agent that a request is for
 * @registry: the port's registry; the caller holds its lock
 * @hdr: a whole MAD
 *
 * Return: the agent or NULL.
 */
struct mad_agent *mad_registry_find(const struct mad_registry *registry,
				    const struct ib_mad_hdr *hdr)
{
	const struct ib_vendor_mad *vendor = (const struct ib_vendor_mad *)hdr;
	struct mad_class *class;

	class = find_class(registry, class_key(hdr->class_version, hdr->mgmt_class, vendor->oui));
	return class ? class->agents[hdr->method & ~IB_MGMT_METHOD_RESP] : NULL;
}
