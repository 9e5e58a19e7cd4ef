// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Takes out of a device's tables what it can't do, and works out what each call would ask for. */

#include "engine.h"

static int not_supported(struct uverbs_attr_bundle *attrs)
{
	return -EOPNOTSUPP;
}

static bool is_disabled(const struct uverbs_api *api, const struct uverbs_api_command *command)
{
	return command->disabled || api->objects[command->owner]->object.disabled;
}

static void settle_commands(const struct uverbs_api *api, struct uverbs_api_command *commands,
			    bool is_ex)
{
	int i;

	for (i = 0; i < API_COMMANDS; i++)
		if (!commands[i].handler || is_disabled(api, &commands[i]))
			commands[i] = (struct uverbs_api_command) {
				.handler = not_supported,
				.is_ex = is_ex,
			};
}

static void drop_disabled_objects(struct uverbs_api *api)
{
	struct uverbs_api_entry **slot;

	for (slot = api->objects; slot < api->objects + API_OBJECTS; slot++) {
		if (*slot && (*slot)->object.disabled) {
			uverbs_api_free_object(*slot);
			*slot = NULL;
		}
	}
}

/* Whether an attribute is for an object of a kind that there isn't. */
static bool is_homeless(struct uverbs_api *api, const struct uverbs_attr_spec *spec)
{
	u16 object_id;

	switch (spec->type) {
	case UVERBS_ATTR_TYPE_IDR:
	case UVERBS_ATTR_TYPE_FD:
		object_id = spec->u.obj.obj_type;
		break;
	case UVERBS_ATTR_TYPE_IDRS_ARRAY:
		object_id = spec->u2.objs_arr.obj_type;
		break;
	default:
		return false;
	}
	return uapi_get_object(api, object_id) == ERR_PTR(-ENOENT);
}

/* Takes such attributes out. Returns false if the method can't be called without one of them. */
static bool drop_homeless_attrs(struct uverbs_api *api, struct uverbs_api_method *method)
{
	struct uverbs_attr_spec *spec;
	int i;

	for (i = 0; i < API_ATTRS; i++) {
		spec = &method->attrs[i].spec;
		if (!is_homeless(api, spec))
			continue;
		if (spec->mandatory)
			return false;
		*spec = (struct uverbs_attr_spec) { .type = UVERBS_ATTR_TYPE_NA };
	}
	return true;
}

/* A call makes or destroys one object at most: it couldn't undo half of two. */
static int settle_object_attr(struct uverbs_api_method *method, int bkey, bool *single)
{
	const struct uverbs_attr_spec *spec = &method->attrs[bkey].spec;

	if (spec->type != UVERBS_ATTR_TYPE_IDR && spec->type != UVERBS_ATTR_TYPE_FD)
		return 0;
	if (spec->u.obj.access != UVERBS_ACCESS_NEW && spec->u.obj.access != UVERBS_ACCESS_DESTROY)
		return 0;
	if (*single || !spec->mandatory)
		return -EINVAL;

	*single = true;
	if (spec->u.obj.access == UVERBS_ACCESS_DESTROY)
		method->destroy_bkey = bkey;
	return 0;
}

static int settle_method(struct uverbs_api_method *method)
{
	const struct uverbs_attr_spec *spec;
	bool single = false;
	int i, ret = 0;

	method->destroy_bkey = API_ATTRS;
	for (i = 0; !ret && i < API_ATTRS; i++) {
		spec = &method->attrs[i].spec;
		if (spec->type == UVERBS_ATTR_TYPE_NA)
			continue;
		method->num_bkeys = i + 1;
		method->has_udata |= spec->is_udata;
		if (spec->mandatory)
			__set_bit(i, method->mandatory);
		ret = settle_object_attr(method, i, &single);
	}
	return ret;
}

static int settle_methods(struct uverbs_api *api, struct uverbs_api_entry *entry)
{
	struct uverbs_api_method **slot;
	int ret = 0;

	for (slot = entry->methods; !ret && slot < entry->methods + API_METHODS; slot++) {
		if (!*slot)
			continue;
		if (drop_homeless_attrs(api, *slot)) {
			ret = settle_method(*slot);
		} else {
			uverbs_api_free_method(*slot);
			*slot = NULL;
		}
	}
	return ret;
}

/**
 * uverbs_api_settle - finish the tables of a device
 * @api: the tables, with all definitions in them
 *
 * Return: 0, or -EINVAL if a method would make or destroy more than one object, or perhaps one.
 */
int uverbs_api_settle(struct uverbs_api *api)
{
	int i, ret = 0;

	settle_commands(api, api->commands, false);
	settle_commands(api, api->commands_ex, true);
	drop_disabled_objects(api);
	for (i = 0; !ret && i < API_OBJECTS; i++)
		if (api->objects[i])
			ret = settle_methods(api, api->objects[i]);
	return ret;
}
