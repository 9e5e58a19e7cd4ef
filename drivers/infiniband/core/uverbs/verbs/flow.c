// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Flows: rules by which a device gives packets to a QP. A rule is a list of specifications:
 * filters, and what else shall happen to a packet that passes them all.
 */

#include <linux/capability.h>
#include <linux/slab.h>

#include "flow.h"

static int destroy_flow(struct ib_uobject *uobject, enum rdma_remove_reason why,
			struct uverbs_attr_bundle *attrs)
{
	struct ib_uflow_object *uflow = container_of(uobject, struct ib_uflow_object, uobject);
	struct ib_flow *flow = uobject->object;
	struct ib_qp *qp = flow->qp;
	int ret;

	/* The driver frees the flow. */
	ret = flow->device->ops.destroy_flow(flow);
	if (ret)
		return ret;
	if (qp)
		atomic_dec(&qp->usecnt);
	ib_uverbs_flow_resources_free(uflow->resources);
	return 0;
}

/* An object that the flow refers to can't be destroyed from then on, so its lock is let go of. */
static int get_action(struct uverbs_attr_bundle *attrs, u32 handle, union ib_flow_spec *spec,
		      struct ib_uflow_resources *resources)
{
	int ret;

	ret = uverbs_look_up(spec->action.act, flow_action, UVERBS_OBJECT_FLOW_ACTION, handle,
			     attrs);
	if (ret)
		return ret;
	flow_resources_add(resources, IB_FLOW_SPEC_ACTION_HANDLE, spec->action.act);
	uobj_put_obj_read(spec->action.act);
	return 0;
}

static int get_counters(struct uverbs_attr_bundle *attrs, u32 handle, union ib_flow_spec *spec,
			struct ib_uflow_resources *resources)
{
	int ret;

	ret = uverbs_look_up(spec->flow_count.counters, counters, UVERBS_OBJECT_COUNTERS, handle,
			     attrs);
	if (ret)
		return ret;
	flow_resources_add(resources, IB_FLOW_SPEC_ACTION_COUNT, spec->flow_count.counters);
	uobj_put_obj_read(spec->flow_count.counters);
	return 0;
}

static int parse_action(struct uverbs_attr_bundle *attrs,
			const struct ib_uverbs_flow_spec_hdr *hdr, union ib_flow_spec *spec,
			struct ib_uflow_resources *resources)
{
	const struct ib_uverbs_flow_spec_action_tag *tag = (const void *)hdr;
	const struct ib_uverbs_flow_spec_action_handle *action = (const void *)hdr;
	const struct ib_uverbs_flow_spec_action_count *count = (const void *)hdr;

	spec->type = hdr->type;
	switch (hdr->type) {
	case IB_FLOW_SPEC_ACTION_TAG:
		if (hdr->size != sizeof(*tag))
			return -EINVAL;
		spec->size = sizeof(spec->flow_tag);
		spec->flow_tag.tag_id = tag->tag_id;
		return 0;
	case IB_FLOW_SPEC_ACTION_DROP:
		if (hdr->size != sizeof(struct ib_uverbs_flow_spec_action_drop))
			return -EINVAL;
		spec->size = sizeof(spec->drop);
		return 0;
	case IB_FLOW_SPEC_ACTION_HANDLE:
		if (hdr->size != sizeof(*action))
			return -EOPNOTSUPP;
		spec->size = sizeof(spec->action);
		return get_action(attrs, action->handle, spec, resources);
	case IB_FLOW_SPEC_ACTION_COUNT:
		if (hdr->size != sizeof(*count))
			return -EINVAL;
		spec->size = sizeof(spec->flow_count);
		return get_counters(attrs, count->handle, spec, resources);
	default:
		return -EINVAL;
	}
}

static int parse_spec(struct uverbs_attr_bundle *attrs, const struct ib_uverbs_flow_spec_hdr *hdr,
		      union ib_flow_spec *spec, struct ib_uflow_resources *resources)
{
	if (hdr->reserved)
		return -EINVAL;
	if (hdr->type >= IB_FLOW_SPEC_ACTION_TAG)
		return parse_action(attrs, hdr, spec, resources);
	return uverbs_flow_filter(hdr, spec);
}

/*
 * User's and driver's specifications both stand one behind the other, each as long as it says; the
 * user's fill @user_size bytes exactly. @flow has room for the largest ones.
 */
static int parse_specs(struct uverbs_attr_bundle *attrs, const void *user, size_t user_size,
		       struct ib_flow_attr *flow, struct ib_uflow_resources *resources)
{
	const struct ib_uverbs_flow_spec_hdr *hdr;
	union ib_flow_spec spec;
	int i, ret;

	for (i = 0; i < flow->num_of_specs; i++) {
		hdr = user;
		if (user_size < sizeof(*hdr) || hdr->size < sizeof(*hdr) || hdr->size > user_size)
			return -EINVAL;
		memset(&spec, 0, sizeof(spec));
		ret = parse_spec(attrs, hdr, &spec, resources);
		if (ret)
			return ret;
		memcpy((void *)flow + flow->size, &spec, spec.size);
		flow->size += spec.size;
		user += hdr->size;
		user_size -= hdr->size;
	}
	return user_size ? -EINVAL : 0;
}

/* @user are the specifications that @attr announces. The caller holds @qp for reading. */
static int create_flow(struct uverbs_attr_bundle *attrs, struct ib_uobject *uobj,
		       struct ib_qp *qp, const struct ib_uverbs_flow_attr *attr, const void *user)
{
	struct ib_uflow_resources *resources = flow_resources_alloc(attr->num_of_specs);
	struct ib_flow_attr *flow_attr;
	struct ib_flow *flow;
	int ret = -ENOMEM;

	flow_attr = kzalloc(struct_size(flow_attr, flows, attr->num_of_specs), GFP_KERNEL);
	if (!resources || !flow_attr)
		goto free_resources;
	flow_attr->type = attr->type;
	flow_attr->priority = attr->priority;
	flow_attr->flags = attr->flags;
	flow_attr->port = attr->port;
	flow_attr->num_of_specs = attr->num_of_specs;
	flow_attr->size = sizeof(*flow_attr);
	ret = parse_specs(attrs, user, attr->size, flow_attr, resources);
	if (ret)
		goto free_resources;

	flow = qp->device->ops.create_flow(qp, flow_attr, &attrs->driver_udata);
	ret = PTR_ERR_OR_ZERO(flow);
	if (ret)
		goto free_resources;
	ib_set_flow(uobj, flow, qp, qp->device, resources);
	kfree(flow_attr);
	return 0;

free_resources:
	ib_uverbs_flow_resources_free(resources);
	kfree(flow_attr);
	return ret;
}

/* The longest of them. */
#define USER_SPEC_SIZE sizeof(struct ib_uverbs_flow_spec_ipv6)

static int check_request(const struct ib_uverbs_create_flow *cmd)
{
	const struct ib_uverbs_flow_attr *attr = &cmd->flow_attr;

	if (cmd->comp_mask)
		return -EINVAL;
	if (!capable(CAP_NET_RAW))
		return -EPERM;
	if (attr->flags >= IB_FLOW_ATTR_FLAGS_RESERVED || attr->reserved[0] || attr->reserved[1])
		return -EINVAL;
	/* A rule for what no other rule takes has nobody to pass it on to. */
	if (attr->flags & IB_FLOW_ATTR_FLAGS_DONT_TRAP &&
	    (attr->type == IB_FLOW_ATTR_ALL_DEFAULT || attr->type == IB_FLOW_ATTR_MC_DEFAULT))
		return -EINVAL;
	if (attr->num_of_specs > IB_FLOW_SPEC_SUPPORT_LAYERS)
		return -EINVAL;
	if (attr->size > attr->num_of_specs * USER_SPEC_SIZE)
		return -EINVAL;
	return 0;
}

static int look_up_and_create(struct uverbs_attr_bundle *attrs, struct ib_uobject *uobj,
			      const struct ib_uverbs_create_flow *cmd, const void *specs)
{
	struct ib_qp *qp;
	int ret;

	if (!rdma_is_port_valid(attrs->context->device, cmd->flow_attr.port))
		return -EINVAL;
	ret = uverbs_look_up(qp, qp, UVERBS_OBJECT_QP, cmd->qp_handle, attrs);
	if (ret)
		return ret;
	ret = -EINVAL;
	if (qp->qp_type == IB_QPT_UD || qp->qp_type == IB_QPT_RAW_PACKET)
		ret = create_flow(attrs, uobj, qp, &cmd->flow_attr, specs);
	uverbs_put_queue(qp);
	return ret;
}

/* Specifications stand behind the request; check_request() has bounded their size. */
static void *read_specs(struct uverbs_request_iter *iter, size_t size)
{
	const void __user *user = uverbs_request_skip(iter, size);
	int ret;

	if (IS_ERR(user))
		return ERR_CAST((const void __force *)user);
	ret = uverbs_request_end(iter);
	return ret ? ERR_PTR(ret) : memdup_user(user, size);
}

static int write_create_flow(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_create_flow_resp resp = {};
	struct ib_uverbs_create_flow cmd;
	struct uverbs_request_iter iter;
	struct ib_device *ib_dev;
	struct ib_uobject *uobj;
	void *specs;
	int ret;

	ret = uverbs_request_begin(attrs, &iter, &cmd, sizeof(cmd));
	if (!ret)
		ret = check_request(&cmd);
	if (ret)
		return ret;
	specs = read_specs(&iter, cmd.flow_attr.size);
	if (IS_ERR(specs))
		return PTR_ERR(specs);

	uobj = uobj_alloc(UVERBS_OBJECT_FLOW, attrs, &ib_dev);
	ret = PTR_ERR_OR_ZERO(uobj);
	if (ret)
		goto free_specs;
	ret = look_up_and_create(attrs, uobj, &cmd, specs);
	if (ret) {
		uobj_alloc_abort(uobj, attrs);
		goto free_specs;
	}
	uobj_finalize_uobj_create(uobj, attrs);
	resp.flow_handle = uobj->id;
	ret = uverbs_response(attrs, &resp, sizeof(resp));
free_specs:
	kfree(specs);
	return ret;
}

static int write_destroy_flow(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_destroy_flow cmd;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	if (cmd.comp_mask)
		return -EINVAL;
	return uobj_perform_destroy(UVERBS_OBJECT_FLOW, cmd.flow_handle, attrs);
}

DECLARE_UVERBS_NAMED_METHOD_DESTROY(UVERBS_METHOD_FLOW_DESTROY,
				    UVERBS_ATTR_IDR(UVERBS_ATTR_DESTROY_FLOW_HANDLE,
						    UVERBS_OBJECT_FLOW, UVERBS_ACCESS_DESTROY,
						    UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_FLOW,
			    UVERBS_TYPE_ALLOC_IDR_SZ(sizeof(struct ib_uflow_object), destroy_flow),
			    &UVERBS_METHOD(UVERBS_METHOD_FLOW_DESTROY));

const struct uapi_definition uverbs_def_flow[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_FLOW, UAPI_DEF_OBJ_NEEDS_FN(destroy_flow)),
	DECLARE_UVERBS_WRITE_EX(IB_USER_VERBS_EX_CMD_CREATE_FLOW, write_create_flow,
				UVERBS_EXTENSIBLE),
	UAPI_DEF_METHOD_NEEDS_FN(create_flow),
	DECLARE_UVERBS_WRITE_EX(IB_USER_VERBS_EX_CMD_DESTROY_FLOW, write_destroy_flow,
				UVERBS_EXTENSIBLE),
	UAPI_DEF_METHOD_NEEDS_FN(destroy_flow),
	{}
};
