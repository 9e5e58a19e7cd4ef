// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What handlers ask for attributes that are numbers. */

#include "engine.h"

/**
 * uverbs_get_flags64 - read an attribute that is a set of flags
 * @to: returns them, 0 if there's no such attribute
 * @attrs_bundle: the call
 * @idx: id of the attribute
 * @allowed_bits: those that are known
 *
 * A process may send 4 bytes or 8.
 *
 * Source: linux/include/rdma/uverbs_ioctl.h.
 * Context: Any.
 * Return: 0, or -EINVAL if there are others.
 */
int uverbs_get_flags64(u64 *to, const struct uverbs_attr_bundle *attrs_bundle, size_t idx,
		       u64 allowed_bits)
{
	const struct uverbs_attr *attr = uverbs_attr_get(attrs_bundle, idx);
	u64 flags = 0;

	if (!IS_ERR(attr)) {
		if (attr->ptr_attr.len == sizeof(u64))
			flags = attr->ptr_attr.data;
		else if (attr->ptr_attr.len == sizeof(u32))
			flags = *(const u32 *)&attr->ptr_attr.data;
		else
			return -EINVAL;
	}
	if (flags & ~allowed_bits)
		return -EINVAL;
	*to = flags;
	return 0;
}
EXPORT_SYMBOL(uverbs_get_flags64);

/**
 * uverbs_get_flags32 - read an attribute that is a set of at most 32 flags
 * @to: returns them, 0 if there's no such attribute
 * @attrs_bundle: the call
 * @idx: id of the attribute
 * @allowed_bits: those that are known
 *
 * Source: linux/include/rdma/uverbs_ioctl.h.
 * Context: Any.
 * Return: 0, or -EINVAL if there are others.
 */
int uverbs_get_flags32(u32 *to, const struct uverbs_attr_bundle *attrs_bundle, size_t idx,
		       u64 allowed_bits)
{
	u64 flags;
	int ret;

	ret = uverbs_get_flags64(&flags, attrs_bundle, idx, allowed_bits & U32_MAX);
	if (!ret)
		*to = flags;
	return ret;
}
EXPORT_SYMBOL(uverbs_get_flags32);

/* The attribute's number, or the default if there's one and no attribute. */
static int get_number(u64 *to, const struct uverbs_attr_bundle *bundle, size_t idx,
		      const void *def_val)
{
	const struct uverbs_attr *attr = uverbs_attr_get(bundle, idx);

	if (!IS_ERR(attr))
		*to = attr->ptr_attr.data;
	else if (def_val)
		*to = *(const u64 *)def_val;
	else
		return PTR_ERR(attr);
	return 0;
}

/**
 * _uverbs_get_const_signed - read an attribute that is a signed number
 * @to: returns it
 * @attrs_bundle: the call
 * @idx: id of the attribute
 * @lower_bound: the least that it may be
 * @upper_bound: the most
 * @def_val: what it is if there's no such attribute, or NULL
 *
 * @to is undefined if that fails.
 *
 * Source: linux/include/rdma/uverbs_ioctl.h.
 * Context: Any.
 * Return: 0, -EINVAL if it's out of range, or -ENOENT if there's neither attribute nor default.
 */
int _uverbs_get_const_signed(s64 *to, const struct uverbs_attr_bundle *attrs_bundle, size_t idx,
			     s64 lower_bound, u64 upper_bound, s64 *def_val)
{
	u64 number = 0;
	int ret;

	ret = get_number(&number, attrs_bundle, idx, def_val);
	*to = number;
	if (ret)
		return ret;
	if (*to < lower_bound || (*to > 0 && number > upper_bound))
		return -EINVAL;
	return 0;
}
EXPORT_SYMBOL(_uverbs_get_const_signed);

/**
 * _uverbs_get_const_unsigned - read an attribute that is a number
 * @to: returns it
 * @attrs_bundle: the call
 * @idx: id of the attribute
 * @upper_bound: the most that it may be
 * @def_val: what it is if there's no such attribute, or NULL
 *
 * @to is undefined if that fails.
 *
 * Source: linux/include/rdma/uverbs_ioctl.h.
 * Context: Any.
 * Return: 0, -EINVAL if it's out of range, or -ENOENT if there's neither attribute nor default.
 */
int _uverbs_get_const_unsigned(u64 *to, const struct uverbs_attr_bundle *attrs_bundle, size_t idx,
			       u64 upper_bound, u64 *def_val)
{
	int ret;

	*to = 0;
	ret = get_number(to, attrs_bundle, idx, def_val);
	if (ret)
		return ret;
	return *to > upper_bound ? -EINVAL : 0;
}
EXPORT_SYMBOL(_uverbs_get_const_unsigned);
