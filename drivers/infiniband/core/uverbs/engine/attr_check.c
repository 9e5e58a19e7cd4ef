// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Whether an attribute that a process sent is what its specification asks for, as far as the
 * attribute itself tells: memory that it points to isn't read here.
 */

#include <linux/limits.h>
#include <linux/string.h>

#include "engine.h"

#define INLINE_SIZE sizeof_field(struct ib_uverbs_attr, data)

/* Of a pointer or an enumeration, the length. A longer one may be if it has but zeros more. */
static int check_length(const struct uverbs_attr_spec *content, u16 len)
{
	if (len < content->u.ptr.min_len)
		return -EINVAL;
	return len <= content->u.ptr.len || content->zero_trailing ? 0 : -EINVAL;
}

/* What stands in the attribute itself; its data may be input for core or driver. */
static int check_inline(const struct uverbs_attr_spec *content, const struct ib_uverbs_attr *attr)
{
	u16 known = content->u.ptr.len;

	if (attr->len <= known || attr->len > INLINE_SIZE)
		return 0;
	return memchr_inv((const u8 *)&attr->data + known, 0, attr->len - known) ? -EOPNOTSUPP : 0;
}

static int check_input(const struct uverbs_attr_spec *content, const struct ib_uverbs_attr *attr)
{
	return check_length(content, attr->len) ?: check_inline(content, attr);
}

static int check_enum(const struct uverbs_attr_spec *spec, const struct ib_uverbs_attr *attr)
{
	const struct uverbs_attr_spec *content;

	if (attr->attr_data.enum_data.elem_id >= spec->u.enum_def.num_elems)
		return -EOPNOTSUPP;
	if (attr->attr_data.enum_data.reserved)
		return -EINVAL;
	content = uverbs_attr_content(spec, attr);
	if (content->type != UVERBS_ATTR_TYPE_PTR_IN)
		return -EOPNOTSUPP;
	return check_input(content, attr);
}

static int check_array(const struct uverbs_attr_spec *spec, const struct ib_uverbs_attr *attr)
{
	size_t count = attr->len / sizeof(u32);
	size_t min = spec->u2.objs_arr.min_len, max = spec->u2.objs_arr.max_len;

	if (attr->len % sizeof(u32))
		return -EINVAL;
	return count >= min && count <= max ? 0 : -EINVAL;
}

static int check_raw_fd(const struct ib_uverbs_attr *attr)
{
	return !attr->len && attr->data_s64 == (int)attr->data_s64 ? 0 : -EINVAL;
}

/**
 * uverbs_attr_content - what an attribute's memory is specified by
 * @spec: the attribute's specification
 * @attr: the attribute; of an enumeration, its element exists
 *
 * Return: the element's specification if it's an enumeration, else @spec.
 */
const struct uverbs_attr_spec *uverbs_attr_content(const struct uverbs_attr_spec *spec,
						   const struct ib_uverbs_attr *attr)
{
	if (spec->type != UVERBS_ATTR_TYPE_ENUM_IN)
		return spec;
	return &spec->u2.enum_def.ids[array_index_nospec(attr->attr_data.enum_data.elem_id,
							 spec->u.enum_def.num_elems)];
}

/**
 * uverbs_attr_check - hold an attribute against its specification
 * @spec: the specification
 * @attr: the attribute, in our memory
 *
 * An input of more than 8 bytes may still be longer than what is known of it, if its specification
 * says zero_trailing: then the caller has to see that the rest is zero.
 *
 * Return: 0, -EINVAL, or -EOPNOTSUPP for what a later kernel may understand.
 */
int uverbs_attr_check(const struct uverbs_attr_spec *spec, const struct ib_uverbs_attr *attr)
{
	if (spec->type == UVERBS_ATTR_TYPE_ENUM_IN)
		return check_enum(spec, attr);
	if (attr->attr_data.reserved)
		return -EINVAL;

	switch (spec->type) {
	case UVERBS_ATTR_TYPE_PTR_IN:
		return check_input(spec, attr);
	case UVERBS_ATTR_TYPE_PTR_OUT:
		return check_length(spec, attr->len);
	case UVERBS_ATTR_TYPE_IDR:
	case UVERBS_ATTR_TYPE_FD:
		return attr->len ? -EINVAL : 0;
	case UVERBS_ATTR_TYPE_RAW_FD:
		return check_raw_fd(attr);
	case UVERBS_ATTR_TYPE_IDRS_ARRAY:
		return check_array(spec, attr);
	}
	return -EOPNOTSUPP;
}
