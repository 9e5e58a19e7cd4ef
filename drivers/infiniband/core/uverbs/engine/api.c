// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The tables of what a device understands: lookup and end. merge.c and settle.c build them. */

#include <linux/slab.h>

#include "engine.h"

/**
 * uverbs_api_build - make the tables for a device
 * @device: the device; its operations and its driver's definitions count
 * @core: the core's definitions
 *
 * Return: the tables or an ERR_PTR.
 */
struct uverbs_api *uverbs_api_build(struct ib_device *device, const struct uapi_definition *core)
{
	struct uverbs_api *api;
	int ret;

	api = kzalloc(sizeof(*api), GFP_KERNEL);
	if (!api)
		return ERR_PTR(-ENOMEM);
	api->driver_id = device->ops.driver_id;

	ret = uverbs_api_merge(api, device, core, false);
	if (!ret)
		ret = uverbs_api_merge(api, device, device->driver_def, true);
	if (!ret)
		ret = uverbs_api_settle(api);
	if (ret) {
		uverbs_api_free(api);
		return ERR_PTR(ret);
	}
	return api;
}

/**
 * uverbs_api_free_method - free a method
 * @method: the method or NULL
 */
void uverbs_api_free_method(struct uverbs_api_method *method)
{
	if (!method)
		return;
	kfree(method->attrs);
	kfree(method);
}

/**
 * uverbs_api_free_object - free an object's entry and its methods
 * @entry: the entry or NULL
 */
void uverbs_api_free_object(struct uverbs_api_entry *entry)
{
	int i;

	if (!entry)
		return;
	for (i = 0; i < API_METHODS; i++)
		uverbs_api_free_method(entry->methods[i]);
	kfree(entry);
}

/**
 * uverbs_api_free - free the tables of a device
 * @api: the tables, which nobody uses any more, nor an object
 */
void uverbs_api_free(struct uverbs_api *api)
{
	int i;

	for (i = 0; i < API_OBJECTS; i++)
		uverbs_api_free_object(api->objects[i]);
	kfree(api);
}

static struct uverbs_api_entry *find_object(const struct uverbs_api *api, u16 object_id)
{
	u32 index = api_object_index(object_id);

	if (index >= API_OBJECTS)
		return NULL;
	return api->objects[array_index_nospec(index, API_OBJECTS)];
}

/**
 * uapi_get_object - what kind of object an id means
 * @uapi: the tables of the device
 * @object_id: the id
 *
 * The name is dictated by uobj_get_type().
 *
 * Return: the kind, or an ERR_PTR: -ENOMSG for UVERBS_IDR_ANY_OBJECT, else -ENOENT.
 */
const struct uverbs_api_object *uapi_get_object(struct uverbs_api *uapi, u16 object_id)
{
	struct uverbs_api_entry *entry;

	if (object_id == UVERBS_IDR_ANY_OBJECT)
		return ERR_PTR(-ENOMSG);
	entry = find_object(uapi, object_id);
	return entry && entry->object.type_class ? &entry->object : ERR_PTR(-ENOENT);
}

/**
 * uverbs_api_method - find a method of ioctl()
 * @api: the tables of the device
 * @object_id: that a process sent
 * @method_id: that a process sent
 *
 * Return: the method or NULL.
 */
struct uverbs_api_method *uverbs_api_method(const struct uverbs_api *api, u16 object_id,
					    u16 method_id)
{
	struct uverbs_api_entry *entry = find_object(api, object_id);
	u32 index = api_method_index(method_id);

	if (!entry || index >= API_METHODS)
		return NULL;
	return entry->methods[array_index_nospec(index, API_METHODS)];
}

/**
 * uverbs_api_has_qp_type - whether the driver makes QPs of a reserved type for processes
 * @api: the tables of the device
 * @type: any number
 *
 * Drivers say so with <rdma_kmod/uverbs_qp_types.h>.
 *
 * Return: true if it does.
 */
bool uverbs_api_has_qp_type(const struct uverbs_api *api, enum ib_qp_type type)
{
	u32 bit = (u32)type - IB_QPT_RESERVED1;

	return bit < BITS_PER_TYPE(api->qp_types) && api->qp_types & BIT(bit);
}

static void drop_driver_handlers(struct uverbs_api_entry *entry)
{
	struct uverbs_api_method *method;
	int i;

	for (i = 0; i < API_METHODS; i++) {
		method = entry->methods[i];
		if (method && method->of_driver)
			WRITE_ONCE(method->handler, NULL);
	}
}

/**
 * uverbs_api_disassociate_handlers - let no new call come to the driver's handlers
 * @api: the tables of the device
 *
 * Calls under way end with their sections of disassociate_srcu, for which the caller waits.
 */
void uverbs_api_disassociate_handlers(struct uverbs_api *api)
{
	int i;

	for (i = 0; i < API_OBJECTS; i++)
		if (api->objects[i])
			drop_driver_handlers(api->objects[i]);
}

/**
 * uverbs_api_disassociate_objects - forget types, which may be in the driver's memory
 * @api: the tables of the device, of which all objects have been destroyed
 *
 * Attributes may point there, too, but those are of methods that have lost their handlers.
 */
void uverbs_api_disassociate_objects(struct uverbs_api *api)
{
	int i;

	for (i = 0; i < API_OBJECTS; i++)
		if (api->objects[i])
			api->objects[i]->object.type_attrs = NULL;
}

/**
 * uverbs_destroy_def_handler - the handler of a method that does nothing but destroy an object
 * @attrs: the call
 *
 * The object has been destroyed when it's called.
 *
 * Source: linux/include/rdma/ib_verbs.h.
 * Return: 0.
 */
int uverbs_destroy_def_handler(struct uverbs_attr_bundle *attrs)
{
	return 0;
}
EXPORT_SYMBOL(uverbs_destroy_def_handler);
