// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What a flow refers to: it can't be destroyed as long as the flow is there. */

#include <linux/slab.h>

#include "verbs.h"

/**
 * flow_resources_alloc - make room for what a flow refers to
 * @num_specs: how many specifications the flow has; none refers to more than one object
 *
 * Context: Sleeps.
 * Return: what flow_resources_add() and ib_set_flow() take, or NULL.
 */
struct ib_uflow_resources *flow_resources_alloc(size_t num_specs)
{
	struct ib_uflow_resources *resources;

	resources = kzalloc(sizeof(*resources), GFP_KERNEL);
	if (!resources)
		return NULL;
	resources->max = num_specs;
	if (!num_specs)
		return resources;

	resources->counters = kcalloc(num_specs, sizeof(*resources->counters), GFP_KERNEL);
	resources->collection = kcalloc(num_specs, sizeof(*resources->collection), GFP_KERNEL);
	if (resources->counters && resources->collection)
		return resources;
	ib_uverbs_flow_resources_free(resources);
	return NULL;
}
EXPORT_SYMBOL(flow_resources_alloc);

/**
 * flow_resources_add - a flow refers to an object
 * @uflow_res: from flow_resources_alloc(), not full
 * @type: IB_FLOW_SPEC_ACTION_HANDLE or IB_FLOW_SPEC_ACTION_COUNT
 * @ibobj: struct ib_flow_action or struct ib_counters, according to @type. The caller sees to it
 *	that it isn't being destroyed.
 *
 * Context: Any.
 */
void flow_resources_add(struct ib_uflow_resources *uflow_res, enum ib_flow_spec_type type,
			void *ibobj)
{
	struct ib_flow_action *action = ibobj;
	struct ib_counters *counters = ibobj;

	if (WARN_ON(uflow_res->num >= uflow_res->max))
		return;
	switch (type) {
	case IB_FLOW_SPEC_ACTION_HANDLE:
		atomic_inc(&action->usecnt);
		uflow_res->collection[uflow_res->collection_num++] = action;
		break;
	case IB_FLOW_SPEC_ACTION_COUNT:
		atomic_inc(&counters->usecnt);
		uflow_res->counters[uflow_res->counters_num++] = counters;
		break;
	default:
		WARN_ON(1);
		return;
	}
	uflow_res->num++;
}
EXPORT_SYMBOL(flow_resources_add);

/**
 * ib_uverbs_flow_resources_free - the flow is gone, or hasn't come to be
 * @uflow_res: from flow_resources_alloc(), or NULL
 *
 * Context: Any.
 */
void ib_uverbs_flow_resources_free(struct ib_uflow_resources *uflow_res)
{
	if (!uflow_res)
		return;
	while (uflow_res->collection_num)
		atomic_dec(&uflow_res->collection[--uflow_res->collection_num]->usecnt);
	while (uflow_res->counters_num)
		atomic_dec(&uflow_res->counters[--uflow_res->counters_num]->usecnt);
	kfree(uflow_res->collection);
	kfree(uflow_res->counters);
	kfree(uflow_res);
}
EXPORT_SYMBOL(ib_uverbs_flow_resources_free);
