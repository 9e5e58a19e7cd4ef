// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* ioctl(): an object, a method of it, and attributes. */

#include <linux/slab.h>
#include <linux/uaccess.h>

#include "engine.h"

/* What handlers allocate for themselves shall find room in a call that is itself allocated. */
#define ARENA_SPARE 256

static int check_header(const struct ib_uverbs_ioctl_hdr *hdr)
{
	if (hdr->length > PAGE_SIZE || hdr->length != struct_size(hdr, attrs, hdr->num_attrs))
		return -EINVAL;
	return hdr->reserved1 || hdr->reserved2 ? -EPROTONOSUPPORT : 0;
}

/* All attributes are copied before the first is looked at, and read nowhere else. */
static int take_attrs(struct uverbs_call *call, unsigned int num_attrs)
{
	unsigned int i;
	int ret;

	call->attrs = uverbs_call_alloc(call, num_attrs * sizeof(*call->attrs));
	if (IS_ERR(call->attrs))
		return PTR_ERR(call->attrs);
	if (copy_from_user(call->attrs, call->user_attrs, num_attrs * sizeof(*call->attrs)))
		return -EFAULT;

	for (i = 0; i < num_attrs; i++) {
		ret = uverbs_call_take_attr(call, &call->attrs[i]);
		if (ret)
			return ret;
	}
	return bitmap_subset(call->method->mandatory, call->bundle.attr_present, API_ATTRS) ?
		       0 : -EINVAL;
}

/* The handler of a method that destroys an object finds it destroyed. */
static int destroy_object(struct uverbs_call *call)
{
	u8 bkey = call->method->destroy_bkey;
	struct uverbs_attr_bundle *bundle = uverbs_call_bundle(call);

	if (bkey == API_ATTRS)
		return 0;
	return uverbs_object_destroy(bundle->attrs[bkey].obj_attr.uobject, bundle);
}

/* Drivers don't say whether they have written their output, so it counts as written. */
static int mark_driver_output(struct uverbs_attr_bundle *bundle)
{
	const struct uverbs_attr *attr = uverbs_attr_get(bundle, UVERBS_ATTR_UHW_OUT);

	return IS_ERR(attr) ? 0 : uverbs_call_mark_output(bundle, attr);
}

static int perform(struct uverbs_call *call, int (*handler)(struct uverbs_attr_bundle *attrs))
{
	struct uverbs_attr_bundle *bundle = uverbs_call_bundle(call);
	bool has_udata = call->method->has_udata;
	int ret;

	if (has_udata)
		uverbs_call_fill_udata(bundle, &bundle->driver_udata, UVERBS_ATTR_UHW_IN,
				       UVERBS_ATTR_UHW_OUT);
	ret = destroy_object(call);
	if (ret)
		return ret;
	ret = handler(bundle);
	if (!ret && has_udata)
		ret = mark_driver_output(bundle);

	/* It means that there's no such method, so a method that is there mustn't say so. */
	return WARN_ON_ONCE(ret == -EPROTONOSUPPORT) ? -EINVAL : ret;
}

static int run(struct uverbs_call *call, int (*handler)(struct uverbs_attr_bundle *attrs),
	       unsigned int num_attrs)
{
	int ret;

	ret = take_attrs(call, num_attrs);
	if (!ret)
		ret = perform(call, handler);
	uverbs_call_release_objects(call, !ret);
	uverbs_call_end(call);
	return ret;
}

/* Most calls fit on the stack, where nothing is cleared that is written before it's read. */
static int call_method(struct ib_uverbs_file *file, const struct uverbs_api_method *method,
		       struct ib_uverbs_attr __user *user_attrs, unsigned int num_attrs)
{
	size_t attrs_size = array_size(method->num_bkeys, sizeof(struct uverbs_attr));
	size_t need = attrs_size + num_attrs * sizeof(struct ib_uverbs_attr);
	int (*handler)(struct uverbs_attr_bundle *attrs) = READ_ONCE(method->handler);
	struct uverbs_call on_stack __uninitialized, *call = &on_stack;
	size_t size = sizeof(on_stack.arena);
	int ret;

	if (!handler)
		return -EIO;
	if (need > size) {
		size = need + ARENA_SPARE;
		call = kmalloc(offsetof(struct uverbs_call, arena) + size, GFP_KERNEL);
		if (!call)
			return -ENOMEM;
	}

	uverbs_call_begin(call, file, attrs_size, size);
	call->method = method;
	call->user_attrs = user_attrs;
	ret = run(call, handler, num_attrs);
	if (call != &on_stack)
		kfree(call);
	return ret;
}

static int find_and_call(struct ib_uverbs_file *file, const struct ib_uverbs_ioctl_hdr *hdr,
			 struct ib_uverbs_attr __user *user_attrs)
{
	const struct uverbs_api *api = file->device->uapi;
	const struct uverbs_api_method *method;

	if (hdr->driver_id != api->driver_id)
		return -EINVAL;
	method = uverbs_api_method(api, hdr->object_id, hdr->method_id);
	if (!method)
		return -EPROTONOSUPPORT;
	return call_method(file, method, user_attrs, hdr->num_attrs);
}

/**
 * uverbs_ioctl - ioctl() of uverbsN
 * @filp: the open file
 * @cmd: RDMA_VERBS_IOCTL
 * @arg: address of a struct ib_uverbs_ioctl_hdr with its attributes
 *
 * Return: 0 or a negative errno: -EPROTONOSUPPORT if this kernel has no such method, or doesn't
 * know an attribute that the process insists on; -EIO if the device is gone.
 */
long uverbs_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct ib_uverbs_file *file = filp->private_data;
	struct ib_uverbs_ioctl_hdr __user *user_hdr = (void __user *)arg;
	struct ib_uverbs_ioctl_hdr hdr;
	int idx, ret;

	if (cmd != RDMA_VERBS_IOCTL)
		return -ENOIOCTLCMD;
	if (copy_from_user(&hdr, user_hdr, sizeof(hdr)))
		return -EFAULT;
	ret = check_header(&hdr);
	if (ret)
		return ret;

	idx = srcu_read_lock(&file->device->disassociate_srcu);
	ret = find_and_call(file, &hdr, user_hdr->attrs);
	srcu_read_unlock(&file->device->disassociate_srcu, idx);
	return ret;
}
