/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * From bytes to the call of a handler. What the files of this part share.
 *
 * What a device understands is a table of objects, each with a table of methods, each with a table
 * of attributes, all indexed by what the key functions of <rdma/uverbs_ioctl.h> make of the ids
 * that a process sends; and two tables of commands, indexed by their numbers. They are built when
 * the device is added, from the definitions of core and driver, without what the device can't do.
 */
#ifndef RDMA_UVERBS_ENGINE_H
#define RDMA_UVERBS_ENGINE_H

#include <linux/nospec.h>
#include <rdma/rdma_user_ioctl.h>

#include "../uverbs.h"

#define API_OBJECTS (UVERBS_API_OBJ_KEY_NUM_CORE + UVERBS_API_OBJ_KEY_NUM_DRIVER)
#define API_METHODS (UVERBS_API_METHOD_IS_WRITE >> UVERBS_API_METHOD_KEY_SHIFT)
#define API_ATTRS UVERBS_API_ATTR_BKEY_LEN
#define API_COMMANDS UVERBS_API_WRITE_KEY_NUM

/* A type of UVERBS_ATTR_TYPE_NA: there's no such attribute. */
struct uverbs_api_attr {
	struct uverbs_attr_spec spec;
};

/**
 * struct uverbs_api_method - a method of ioctl()
 * @handler: what does it; NULL once the device is gone, for one that is the driver's
 * @attrs: API_ATTRS attributes, by uapi_bkey_attr()
 * @mandatory: those of them without which there's no call
 * @num_bkeys: past the last attribute
 * @destroy_bkey: the attribute whose object is destroyed, or API_ATTRS
 * @has_udata: it takes data for the driver
 * @of_driver: @handler or what an attribute points to is in the driver
 */
struct uverbs_api_method {
	int (*handler)(struct uverbs_attr_bundle *attrs);
	struct uverbs_api_attr *attrs;
	DECLARE_BITMAP(mandatory, API_ATTRS);
	u8 num_bkeys;
	u8 destroy_bkey;
	bool has_udata;
	bool of_driver;
};

/* @object is what others see of it. @methods are indexed by api_method_index(). */
struct uverbs_api_entry {
	struct uverbs_api_object object;
	struct uverbs_api_method *methods[API_METHODS];
};

/**
 * struct uverbs_api_command - a command of write()
 * @handler: what does it; never NULL in a finished table
 * @owner: the index of the object that it belongs to
 * @disabled: the device can't do it
 * @is_ex: it has the extended header
 * @has_udata: behind the core's request and response stand the driver's
 * @has_resp: the request begins with the address of the response
 * @req_size: the least that a request must have; 0 for an extended one, whose handler sees to it
 * @resp_size: the least room for the response; 0 as well
 */
struct uverbs_api_command {
	int (*handler)(struct uverbs_attr_bundle *attrs);
	u8 owner;
	bool disabled;
	bool is_ex;
	bool has_udata;
	bool has_resp;
	u8 req_size;
	u8 resp_size;
};

/**
 * struct uverbs_api - what a device understands
 * @driver_id: that a process must name, so that it doesn't talk to the wrong driver
 * @qp_types: bit n: the driver makes QPs of type IB_QPT_RESERVED1 + n for processes
 * @objects: by api_object_index()
 * @commands: by number
 * @commands_ex: the extended ones
 */
struct uverbs_api {
	enum rdma_driver_id driver_id;
	u16 qp_types;
	struct uverbs_api_entry *objects[API_OBJECTS];
	struct uverbs_api_command commands[API_COMMANDS];
	struct uverbs_api_command commands_ex[API_COMMANDS];
};

/* These two are beyond their tables for an id that can't exist. */

static inline u32 api_object_index(u16 object_id)
{
	return uapi_key_obj(object_id) >> UVERBS_API_OBJ_KEY_SHIFT;
}

static inline u32 api_method_index(u16 method_id)
{
	return uapi_key_ioctl_method(method_id) >> UVERBS_API_METHOD_KEY_SHIFT;
}

/* definitions.c, merge.c, settle.c, api.c */
struct uverbs_api *uverbs_api_build(struct ib_device *device, const struct uapi_definition *core);
int uverbs_api_merge(struct uverbs_api *api, struct ib_device *device,
		     const struct uapi_definition *definitions, bool of_driver);
int uverbs_api_settle(struct uverbs_api *api);
void uverbs_api_free_method(struct uverbs_api_method *method);
void uverbs_api_free_object(struct uverbs_api_entry *entry);
struct uverbs_api_method *uverbs_api_method(const struct uverbs_api *api, u16 object_id,
					    u16 method_id);

/**
 * uverbs_api_command - find a command of write()
 * @api: the tables of the device
 * @command: that a process sent: a number, and perhaps the flag for an extended one
 *
 * Return: the command, which for one that there isn't answers -EOPNOTSUPP; or an ERR_PTR.
 */
static inline const struct uverbs_api_command *uverbs_api_command(const struct uverbs_api *api,
								  u32 command)
{
	u32 number = command & IB_USER_VERBS_CMD_COMMAND_MASK;
	u32 flags = command & ~(u32)IB_USER_VERBS_CMD_COMMAND_MASK;

	if (flags & ~IB_USER_VERBS_CMD_FLAG_EXTENDED)
		return ERR_PTR(-EINVAL);
	if (number >= API_COMMANDS)
		return ERR_PTR(-EOPNOTSUPP);
	number = array_index_nospec(number, API_COMMANDS);
	return flags ? &api->commands_ex[number] : &api->commands[number];
}

/* attr_check.c */
const struct uverbs_attr_spec *uverbs_attr_content(const struct uverbs_attr_spec *spec,
						   const struct ib_uverbs_attr *attr);
int uverbs_attr_check(const struct uverbs_attr_spec *spec, const struct ib_uverbs_attr *attr);

/**
 * struct uverbs_call - a call of ioctl() or write() under way
 * @blocks: memory that _uverbs_alloc() took because @arena was full
 * @used: bytes of @arena
 * @size: bytes of @arena that there are; more than it says if the call is allocated
 * @method: NULL for a write()
 * @user_attrs: attributes as the process sent them, and where it expects some changed
 * @attrs: a copy of them
 * @held: by bkey: attributes with objects to be released at the end
 * @hw_valid: by bkey: a new object of which the driver's part is there
 * @bundle: what handlers see; its attributes are the start of @arena
 * @arena: where what is needed only for the call is allocated
 */
struct uverbs_call {
	struct uverbs_call_block *blocks;
	size_t used;
	size_t size;
	const struct uverbs_api_method *method;
	struct ib_uverbs_attr __user *user_attrs;
	struct ib_uverbs_attr *attrs;
	DECLARE_BITMAP(held, API_ATTRS);
	DECLARE_BITMAP(hw_valid, API_ATTRS);
	struct uverbs_attr_bundle_hdr bundle;
	u64 arena[64];
};

static_assert(offsetof(struct uverbs_call, arena) ==
	      offsetof(struct uverbs_call, bundle) + offsetof(struct uverbs_attr_bundle, attrs));

static inline struct uverbs_attr_bundle *uverbs_call_bundle(struct uverbs_call *call)
{
	return container_of(&call->bundle, struct uverbs_attr_bundle, hdr);
}

static inline struct uverbs_call *uverbs_call_of(const struct uverbs_attr_bundle *bundle)
{
	return container_of(&bundle->hdr, struct uverbs_call, bundle);
}

/**
 * uverbs_call_begin - prepare a call
 * @call: the call, not yet initialized
 * @file: whose call
 * @attrs_size: how much of the arena the bundle's attributes take
 * @size: how large the arena is
 *
 * All that isn't set here is for the caller to set.
 */
static inline void uverbs_call_begin(struct uverbs_call *call, struct ib_uverbs_file *file,
				     size_t attrs_size, size_t size)
{
	call->blocks = NULL;
	call->used = attrs_size;
	call->size = size;
	bitmap_zero(call->held, API_ATTRS);
	bitmap_zero(call->hw_valid, API_ATTRS);
	call->bundle.ufile = file;
	call->bundle.context = NULL;
	call->bundle.uobject = NULL;
	call->bundle.driver_udata = (struct ib_udata) {};
	bitmap_zero(call->bundle.attr_present, API_ATTRS);
}

/* call.c */
void uverbs_call_free_blocks(struct uverbs_call *call);
void *uverbs_call_alloc(struct uverbs_call *call, size_t size);
void uverbs_call_fill_udata(struct uverbs_attr_bundle *attrs, struct ib_udata *udata, u16 in,
			    u16 out);
int uverbs_call_mark_output(const struct uverbs_attr_bundle *attrs, const struct uverbs_attr *attr);

/**
 * uverbs_call_end - free what a call has allocated
 * @call: the call
 */
static inline void uverbs_call_end(struct uverbs_call *call)
{
	if (call->blocks)
		uverbs_call_free_blocks(call);
}

/* attr.c */
int uverbs_call_take_attr(struct uverbs_call *call, const struct ib_uverbs_attr *from);
void uverbs_call_release_objects(struct uverbs_call *call, bool commit);

/**
 * struct uverbs_write_message - what every write() begins with
 * @hdr: for all commands
 * @ex_hdr: behind it, for extended ones
 */
struct uverbs_write_message {
	struct ib_uverbs_cmd_hdr hdr;
	struct ib_uverbs_ex_cmd_hdr ex_hdr;
};

/**
 * uverbs_run_command - call a command's handler
 * @command: the command
 * @attrs: the call, with its request and response set
 *
 * A handler that makes an object leaves it in @attrs: it stays if the handler succeeds.
 *
 * Return: 0 or a negative errno.
 */
static inline int uverbs_run_command(const struct uverbs_api_command *command,
				     struct uverbs_attr_bundle *attrs)
{
	int ret;

	attrs->uobject = NULL;
	ret = command->handler(attrs);
	if (attrs->uobject)
		uverbs_object_release(attrs->uobject, UVERBS_ACCESS_NEW, true, !ret, attrs);
	return ret;
}

#endif
