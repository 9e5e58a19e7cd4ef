// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Reads the definitions of core and driver, which are lists of lists, into the tables of a device.
 * What is disabled by a condition is but marked; settle.c takes it out.
 *
 * A driver adds objects, methods to the core's objects and attributes to the core's methods. It
 * can't change what is there, nor add commands of write(), whose handlers would outlive it.
 */

#include <linux/slab.h>

#include "engine.h"

#include <rdma_kmod/uverbs_qp_types.h>

/**
 * struct merge - where we are in the definitions
 * @api: the tables
 * @device: whose tables
 * @of_driver: the definitions are the driver's
 * @entry: the last object, to which commands and conditions belong; or NULL
 * @command: the last command of that object, to which conditions may belong; or NULL
 */
struct merge {
	struct uverbs_api *api;
	struct ib_device *device;
	bool of_driver;
	struct uverbs_api_entry *entry;
	struct uverbs_api_command *command;
};

static int enter_object(struct merge *merge, u16 object_id)
{
	u32 index = api_object_index(object_id);
	struct uverbs_api_entry **slot;

	if (index >= API_OBJECTS)
		return -EOVERFLOW;

	slot = &merge->api->objects[index];
	if (!*slot) {
		*slot = kzalloc(sizeof(**slot), GFP_KERNEL);
		if (!*slot)
			return -ENOMEM;
		(*slot)->object.id = object_id;
	}
	merge->entry = *slot;
	merge->command = NULL;
	return 0;
}

/*
 * Whoever opens such a file keeps its operations' module loaded; the rest is our release method's.
 */
static bool class_is_safe(const struct merge *merge, const struct uverbs_obj_type *type)
{
	if (type->type_class == &uverbs_fd_class)
		return !merge->of_driver ||
		       container_of(type, struct uverbs_obj_fd_type, type)->fops->release ==
			       uverbs_uobject_fd_release;
	return type->type_class == &uverbs_idr_class;
}

static int merge_type(struct merge *merge, const struct uverbs_obj_type *type)
{
	struct uverbs_api_object *object = &merge->entry->object;

	if (object->type_attrs)
		return -EEXIST;
	if (!class_is_safe(merge, type))
		return -EINVAL;
	object->type_attrs = type;
	object->type_class = type->type_class;
	return 0;
}

static struct uverbs_api_method *new_method(void)
{
	struct uverbs_api_method *method = kzalloc(sizeof(*method), GFP_KERNEL);

	if (!method)
		return NULL;
	method->attrs = kcalloc(API_ATTRS, sizeof(*method->attrs), GFP_KERNEL);
	if (!method->attrs) {
		kfree(method);
		return NULL;
	}
	return method;
}

/* A definition without a handler adds attributes to a method that is there. */
static int enter_method(struct merge *merge, const struct uverbs_method_def *def,
			struct uverbs_api_method **method)
{
	u32 index = api_method_index(def->id);
	struct uverbs_api_method **slot;

	if (index >= API_METHODS)
		return -EOVERFLOW;
	slot = &merge->entry->methods[index];
	*method = *slot;
	if (*slot)
		return def->handler ? -EEXIST : 0;
	if (!def->handler)
		return -EINVAL;

	*slot = new_method();
	if (!*slot)
		return -ENOMEM;
	(*slot)->handler = def->handler;
	(*slot)->of_driver = merge->of_driver && def->handler != uverbs_destroy_def_handler;
	*method = *slot;
	return 0;
}

static bool attr_is_valid(const struct uverbs_attr_spec *spec)
{
	switch (spec->type) {
	case UVERBS_ATTR_TYPE_NA:
		return false;
	case UVERBS_ATTR_TYPE_IDRS_ARRAY:
		return spec->u2.objs_arr.access == UVERBS_ACCESS_READ ||
		       spec->u2.objs_arr.access == UVERBS_ACCESS_WRITE;
	}
	return spec->type <= UVERBS_ATTR_TYPE_IDRS_ARRAY;
}

static int merge_attr(struct merge *merge, struct uverbs_api_method *method,
		      const struct uverbs_attr_def *def)
{
	u32 bkey = uapi_bkey_attr(uapi_key_attr(def->id));

	if (bkey >= API_ATTRS)
		return -EOVERFLOW;
	if (!attr_is_valid(&def->attr))
		return -EINVAL;
	if (method->attrs[bkey].spec.type != UVERBS_ATTR_TYPE_NA)
		return -EEXIST;

	method->attrs[bkey].spec = def->attr;
	/* Its ids point into the driver. */
	if (def->attr.type == UVERBS_ATTR_TYPE_ENUM_IN && merge->of_driver)
		method->of_driver = true;
	return 0;
}

/* This one is there for us alone: see <rdma_kmod/uverbs_qp_types.h>. */
static bool declares_qp_types(const struct merge *merge, const struct uverbs_method_def *method,
			      const struct uverbs_attr_def *def)
{
	return merge->of_driver && merge->entry->object.id == UVERBS_OBJECT_QP &&
	       method->id == UVERBS_METHOD_QP_CREATE && def->id == UVERBS_ATTR_DRIVER_QP_TYPES &&
	       def->attr.type == UVERBS_ATTR_TYPE_ENUM_IN;
}

static int merge_qp_types(struct merge *merge, const struct uverbs_attr_spec *spec)
{
	u32 type;

	if (spec->u.enum_def.num_elems > BITS_PER_TYPE(merge->api->qp_types))
		return -EOVERFLOW;
	for (type = UVERBS_FIRST_DRIVER_QP_TYPE - IB_QPT_RESERVED1;
	     type < spec->u.enum_def.num_elems; type++)
		if (uverbs_qp_type_declared(&spec->u2.enum_def.ids[type]))
			merge->api->qp_types |= BIT(type);
	return 0;
}

static int merge_method(struct merge *merge, const struct uverbs_method_def *def)
{
	struct uverbs_api_method *method;
	const struct uverbs_attr_def *attr;
	size_t i;
	int ret;

	ret = enter_method(merge, def, &method);
	for (i = 0; !ret && i < def->num_attrs; i++) {
		attr = (*def->attrs)[i];
		if (!attr)
			continue;
		if (declares_qp_types(merge, def, attr))
			ret = merge_qp_types(merge, &attr->attr);
		else
			ret = merge_attr(merge, method, attr);
	}
	return ret;
}

static int merge_object(struct merge *merge, const struct uapi_definition *def)
{
	const struct uverbs_object_def *object = def->chain_obj_tree;
	size_t i;
	int ret;

	if (object->id != def->object_start.object_id)
		return -EINVAL;

	ret = enter_object(merge, object->id);
	if (!ret && object->type_attrs)
		ret = merge_type(merge, object->type_attrs);
	for (i = 0; !ret && i < object->num_methods; i++)
		if ((*object->methods)[i])
			ret = merge_method(merge, (*object->methods)[i]);
	return ret;
}

static int merge_command(struct merge *merge, const struct uapi_definition *def)
{
	struct uverbs_api *api = merge->api;
	struct uverbs_api_command *command;

	if (!merge->entry || merge->of_driver || !def->func_write)
		return -EINVAL;
	if (def->write.command_num >= API_COMMANDS)
		return -EOVERFLOW;

	command = &(def->write.is_ex ? api->commands_ex : api->commands)[def->write.command_num];
	if (command->handler)
		return -EEXIST;
	command->handler = def->func_write;
	command->owner = api_object_index(merge->entry->object.id);
	command->is_ex = def->write.is_ex;
	if (!command->is_ex) {
		command->has_udata = def->write.has_udata;
		command->has_resp = def->write.has_resp;
		command->req_size = def->write.req_size;
		command->resp_size = def->write.resp_size;
		command->disabled = !(merge->device->uverbs_cmd_mask &
				      BIT_ULL(def->write.command_num));
	}
	merge->command = command;
	return 0;
}

static bool condition_holds(const struct merge *merge, const struct uapi_definition *def)
{
	if (def->kind == UAPI_DEF_IS_SUPPORTED_FUNC)
		return def->func_is_supported(merge->device);
	return *(void **)((void *)&merge->device->ops + def->needs_fn_offset);
}

static int merge_condition(struct merge *merge, const struct uapi_definition *def)
{
	if (def->scope == UAPI_SCOPE_OBJECT && merge->entry) {
		if (!condition_holds(merge, def))
			merge->entry->object.disabled = 1;
		return 0;
	}
	if (def->scope == UAPI_SCOPE_METHOD && merge->command) {
		if (!condition_holds(merge, def))
			merge->command->disabled = true;
		return 0;
	}
	return -EINVAL;
}

static int merge_one(struct merge *merge, const struct uapi_definition *def)
{
	switch ((enum uapi_definition_kind)def->kind) {
	case UAPI_DEF_OBJECT_START:
		return enter_object(merge, def->object_start.object_id);
	case UAPI_DEF_WRITE:
		return merge_command(merge, def);
	case UAPI_DEF_CHAIN_OBJ_TREE:
		return merge_object(merge, def);
	case UAPI_DEF_CHAIN:
		return uverbs_api_merge(merge->api, merge->device, def->chain, merge->of_driver);
	case UAPI_DEF_IS_SUPPORTED_FUNC:
	case UAPI_DEF_IS_SUPPORTED_DEV_FN:
		return merge_condition(merge, def);
	case UAPI_DEF_END:
		break;
	}
	return -EINVAL;
}

/**
 * uverbs_api_merge - add a list of definitions to the tables of a device
 * @api: the tables
 * @device: whose
 * @definitions: up to one of kind UAPI_DEF_END; or NULL
 * @of_driver: they are the driver's
 *
 * Return: 0, or a negative errno, after which the tables are of no use: -EEXIST for a second
 * definition of the same, -EOVERFLOW for an id that is out of range, -EINVAL for one without sense.
 */
int uverbs_api_merge(struct uverbs_api *api, struct ib_device *device,
		     const struct uapi_definition *definitions, bool of_driver)
{
	struct merge merge = { .api = api, .device = device, .of_driver = of_driver };
	const struct uapi_definition *def;
	int ret = 0;

	for (def = definitions; !ret && def && def->kind != UAPI_DEF_END; def++)
		ret = merge_one(&merge, def);
	return ret;
}
