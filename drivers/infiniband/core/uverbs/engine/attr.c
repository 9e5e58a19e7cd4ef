// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * From an attribute as a process sent it to one as a handler sees it, and to what it stands for:
 * memory or objects.
 */

#include <linux/uaccess.h>

#include "engine.h"

#define INLINE_SIZE sizeof_field(struct ib_uverbs_attr, data)

/* Behind what we know of an input all has to be zero: else it's from a later day than we are. */
static int check_user_tail(const struct uverbs_attr_spec *content,
			   const struct uverbs_ptr_attr *ptr)
{
	u16 known = content->u.ptr.len;
	int ret;

	if (ptr->len <= known)
		return 0;
	ret = check_zeroed_user(u64_to_user_ptr(ptr->data) + known, ptr->len - known);
	return ret > 0 ? 0 : ret ?: -EOPNOTSUPP;
}

static int copy_input(struct uverbs_call *call, const struct uverbs_attr_spec *content,
		      struct uverbs_ptr_attr *ptr)
{
	u16 known = content->u.ptr.len;
	void *copy;

	copy = uverbs_call_alloc(call, ptr->len);
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	if (copy_from_user(copy, u64_to_user_ptr(ptr->data), ptr->len))
		return -EFAULT;
	ptr->ptr = copy;
	if (ptr->len > known && memchr_inv(copy + known, 0, ptr->len - known))
		return -EOPNOTSUPP;
	return 0;
}

static void take_pointer(struct uverbs_call *call, const struct ib_uverbs_attr *from,
			 struct uverbs_ptr_attr *ptr)
{
	ptr->data = from->data;
	ptr->len = from->len;
	ptr->uattr_idx = from - call->attrs;
}

static int take_input(struct uverbs_call *call, const struct uverbs_attr_spec *content,
		      const struct ib_uverbs_attr *from, struct uverbs_ptr_attr *ptr)
{
	take_pointer(call, from, ptr);
	if (ptr->len <= INLINE_SIZE)
		return 0;
	if (content->alloc_and_copy)
		return copy_input(call, content, ptr);
	return check_user_tail(content, ptr);
}

/*
 * A process learns a new object's handle at once: if that fails there's nothing yet to be undone
 * but the handle.
 */
static int take_object(struct uverbs_call *call, const struct uverbs_api_attr *elm,
		       const struct ib_uverbs_attr *from, struct uverbs_obj_attr *to, u32 bkey)
{
	const struct uverbs_attr_spec *spec = &elm->spec;
	struct ib_uobject *uobj;

	uobj = uverbs_object_acquire(spec->u.obj.obj_type, spec->u.obj.access, from->data_s64,
				     uverbs_call_bundle(call));
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	to->uobject = uobj;
	to->attr_elm = elm;
	__set_bit(bkey, call->held);

	if (spec->u.obj.access == UVERBS_ACCESS_NEW &&
	    put_user((u64)uobj->id, &call->user_attrs[from - call->attrs].data))
		return -EFAULT;
	return 0;
}

static int copy_handles(u32 *handles, const struct ib_uverbs_attr *from)
{
	if (from->len <= INLINE_SIZE) {
		memcpy(handles, &from->data, from->len);
		return 0;
	}
	return copy_from_user(handles, u64_to_user_ptr(from->data), from->len) ? -EFAULT : 0;
}

static int take_array(struct uverbs_call *call, const struct uverbs_attr_spec *spec,
		      const struct ib_uverbs_attr *from, struct uverbs_objs_arr_attr *to, u32 bkey)
{
	struct uverbs_attr_bundle *bundle = uverbs_call_bundle(call);
	size_t i, count = from->len / sizeof(u32);
	struct ib_uobject *uobj;
	u32 *handles;
	int ret;

	handles = uverbs_call_alloc(call, from->len);
	if (IS_ERR(handles))
		return PTR_ERR(handles);
	ret = copy_handles(handles, from);
	if (ret)
		return ret;
	to->uobjects = uverbs_call_alloc(call, count * sizeof(*to->uobjects));
	if (IS_ERR(to->uobjects))
		return PTR_ERR(to->uobjects);

	to->len = 0;
	__set_bit(bkey, call->held);
	for (i = 0; i < count; i++) {
		uobj = uverbs_object_acquire(spec->u2.objs_arr.obj_type, spec->u2.objs_arr.access,
					     handles[i], bundle);
		if (IS_ERR(uobj))
			return PTR_ERR(uobj);
		to->uobjects[to->len++] = uobj;
	}
	return 0;
}

/* @from has been checked. */
static int take_checked(struct uverbs_call *call, const struct uverbs_api_attr *elm,
			const struct ib_uverbs_attr *from, u32 bkey)
{
	struct uverbs_attr *to = &uverbs_call_bundle(call)->attrs[bkey];
	const struct uverbs_attr_spec *spec = &elm->spec;

	switch (spec->type) {
	case UVERBS_ATTR_TYPE_ENUM_IN:
		to->ptr_attr.enum_id = from->attr_data.enum_data.elem_id;
		fallthrough;
	case UVERBS_ATTR_TYPE_PTR_IN:
		return take_input(call, uverbs_attr_content(spec, from), from, &to->ptr_attr);
	case UVERBS_ATTR_TYPE_IDR:
	case UVERBS_ATTR_TYPE_FD:
		return take_object(call, elm, from, &to->obj_attr, bkey);
	case UVERBS_ATTR_TYPE_IDRS_ARRAY:
		return take_array(call, spec, from, &to->objs_arr_attr, bkey);
	}
	take_pointer(call, from, &to->ptr_attr);
	return 0;
}

/**
 * uverbs_call_take_attr - take one attribute of a call
 * @call: the call
 * @from: the attribute, one of @call->attrs
 *
 * Return: 0, also for one that isn't known and needn't be, or a negative errno.
 */
int uverbs_call_take_attr(struct uverbs_call *call, const struct ib_uverbs_attr *from)
{
	const struct uverbs_api_method *method = call->method;
	u32 bkey = uapi_bkey_attr(uapi_key_attr(from->attr_id));
	const struct uverbs_api_attr *elm;
	int ret;

	if (bkey >= method->num_bkeys)
		goto unknown;
	bkey = array_index_nospec(bkey, method->num_bkeys);
	elm = &method->attrs[bkey];
	if (elm->spec.type == UVERBS_ATTR_TYPE_NA)
		goto unknown;
	if (test_bit(bkey, call->bundle.attr_present))
		return -EINVAL;

	ret = uverbs_attr_check(&elm->spec, from);
	if (ret)
		return ret;
	ret = take_checked(call, elm, from, bkey);
	if (ret)
		return ret;
	__set_bit(bkey, call->bundle.attr_present);
	return 0;

unknown:
	return from->flags & UVERBS_ATTR_F_MANDATORY ? -EPROTONOSUPPORT : 0;
}

static void release_array(struct uverbs_attr_bundle *bundle, const struct uverbs_attr_spec *spec,
			  const struct uverbs_objs_arr_attr *array, bool commit)
{
	int i;

	for (i = 0; i < array->len; i++)
		uverbs_object_release(array->uobjects[i], spec->u2.objs_arr.access, false, commit,
				      bundle);
}

/**
 * uverbs_call_release_objects - release all objects of a call
 * @call: the call
 * @commit: it has succeeded
 */
void uverbs_call_release_objects(struct uverbs_call *call, bool commit)
{
	struct uverbs_attr_bundle *bundle = uverbs_call_bundle(call);
	const struct uverbs_attr_spec *spec;
	struct uverbs_attr *attr;
	unsigned int bkey;

	for_each_set_bit(bkey, call->held, API_ATTRS) {
		attr = &bundle->attrs[bkey];
		spec = &call->method->attrs[bkey].spec;
		if (spec->type == UVERBS_ATTR_TYPE_IDRS_ARRAY)
			release_array(bundle, spec, &attr->objs_arr_attr, commit);
		else
			uverbs_object_release(attr->obj_attr.uobject, spec->u.obj.access,
					      test_bit(bkey, call->hw_valid), commit, bundle);
	}
}
