// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A call under way: its memory, and what handlers ask of their attributes. */

#include <linux/mm.h>
#include <linux/slab.h>

#include "engine.h"

struct uverbs_call_block {
	struct uverbs_call_block *next;
	u8 data[] __aligned(8);
};

/**
 * uverbs_call_free_blocks - free what a call has allocated outside of its arena
 * @call: the call
 */
void uverbs_call_free_blocks(struct uverbs_call *call)
{
	struct uverbs_call_block *block;

	while ((block = call->blocks)) {
		call->blocks = block->next;
		kvfree(block);
	}
}

/* Returns NULL if the arena hasn't that much left. */
static void *alloc_in_arena(struct uverbs_call *call, size_t size)
{
	size_t start = ALIGN(call->used, sizeof(u64));

	if (start > call->size || size > call->size - start)
		return NULL;
	call->used = start + size;
	return (u8 *)call->arena + start;
}

static void *alloc_block(struct uverbs_call *call, size_t size, gfp_t flags)
{
	struct uverbs_call_block *block;

	if (size > INT_MAX - sizeof(*block))
		return ERR_PTR(-EOVERFLOW);
	block = kvmalloc(sizeof(*block) + size, flags);
	if (!block)
		return ERR_PTR(-ENOMEM);
	block->next = call->blocks;
	call->blocks = block;
	return block->data;
}

/**
 * uverbs_call_alloc - allocate memory that is written before it's read
 * @call: the call, for whose time it is
 * @size: bytes
 *
 * Return: the memory or an ERR_PTR.
 */
void *uverbs_call_alloc(struct uverbs_call *call, size_t size)
{
	return alloc_in_arena(call, size) ?: alloc_block(call, size, GFP_KERNEL);
}

/**
 * _uverbs_alloc - allocate memory for the time of a call
 * @bundle: the call
 * @size: bytes
 * @flags: how
 *
 * It's freed when the call ends and not before. Little costs next to nothing.
 *
 * Source: linux/include/rdma/uverbs_ioctl.h.
 * Context: Sleeps, if @flags allow.
 * Return: the memory, or an ERR_PTR: -EOVERFLOW for a size that is beyond reason, -ENOMEM.
 */
__malloc void *_uverbs_alloc(struct uverbs_attr_bundle *bundle, size_t size, gfp_t flags)
{
	struct uverbs_call *call = uverbs_call_of(bundle);
	void *memory;

	memory = alloc_in_arena(call, size);
	if (!memory)
		return alloc_block(call, size, flags);
	if (want_init_on_alloc(flags))
		memset(memory, 0, size);
	return memory;
}
EXPORT_SYMBOL(_uverbs_alloc);

/*
 * Drivers read the input by its address, so if it stands in the attribute, that is what they get.
 */
static const void __user *input_address(const struct uverbs_call *call,
					const struct uverbs_attr *attr)
{
	if (uverbs_attr_ptr_is_inline(attr))
		return &call->user_attrs[attr->ptr_attr.uattr_idx].data;
	return u64_to_user_ptr(attr->ptr_attr.data);
}

/**
 * uverbs_call_fill_udata - present two attributes as input and output memory
 * @attrs: the call
 * @udata: what to fill in
 * @in: id of the input; it may be missing
 * @out: id of the output; it may be missing
 */
void uverbs_call_fill_udata(struct uverbs_attr_bundle *attrs, struct ib_udata *udata, u16 in,
			    u16 out)
{
	const struct uverbs_attr *attr;

	*udata = (struct ib_udata) {};
	attr = uverbs_attr_get(attrs, in);
	if (!IS_ERR(attr)) {
		udata->inbuf = input_address(uverbs_call_of(attrs), attr);
		udata->inlen = attr->ptr_attr.len;
	}
	attr = uverbs_attr_get(attrs, out);
	if (!IS_ERR(attr)) {
		udata->outbuf = u64_to_user_ptr(attr->ptr_attr.data);
		udata->outlen = attr->ptr_attr.len;
	}
}

/**
 * uverbs_call_mark_output - tell the process that an output has been written
 * @attrs: the call
 * @attr: the output
 *
 * Return: 0 or -EFAULT.
 */
int uverbs_call_mark_output(const struct uverbs_attr_bundle *attrs, const struct uverbs_attr *attr)
{
	const struct uverbs_call *call = uverbs_call_of(attrs);
	u16 index = attr->ptr_attr.uattr_idx;

	return put_user(call->attrs[index].flags | UVERBS_ATTR_F_VALID_OUTPUT,
			&call->user_attrs[index].flags);
}

/**
 * uverbs_copy_to - write an output
 * @attrs_bundle: the call
 * @idx: id of the output
 * @from: what to write
 * @size: of @from; what the process has no room for is left out
 *
 * Source: linux/include/rdma/uverbs_ioctl.h.
 * Context: Sleeps.
 * Return: 0, -EFAULT, or -ENOENT if the process didn't ask for it.
 */
int uverbs_copy_to(const struct uverbs_attr_bundle *attrs_bundle, size_t idx, const void *from,
		   size_t size)
{
	const struct uverbs_attr *attr = uverbs_attr_get(attrs_bundle, idx);

	if (IS_ERR(attr))
		return PTR_ERR(attr);
	if (copy_to_user(u64_to_user_ptr(attr->ptr_attr.data), from,
			 min_t(size_t, attr->ptr_attr.len, size)))
		return -EFAULT;
	return uverbs_call_mark_output(attrs_bundle, attr);
}
EXPORT_SYMBOL(uverbs_copy_to);

/**
 * uverbs_copy_to_struct_or_zero - write an output, and zeros behind it
 * @bundle: the call
 * @idx: id of the output
 * @from: what to write
 * @size: of @from
 *
 * Source: linux/include/rdma/uverbs_ioctl.h.
 * Context: Sleeps.
 * Return: 0, -EFAULT, or -ENOENT if the process didn't ask for it.
 */
int uverbs_copy_to_struct_or_zero(const struct uverbs_attr_bundle *bundle, size_t idx,
				  const void *from, size_t size)
{
	const struct uverbs_attr *attr = uverbs_attr_get(bundle, idx);

	if (IS_ERR(attr))
		return PTR_ERR(attr);
	if (attr->ptr_attr.len > size &&
	    clear_user(u64_to_user_ptr(attr->ptr_attr.data) + size, attr->ptr_attr.len - size))
		return -EFAULT;
	return uverbs_copy_to(bundle, idx, from, size);
}
EXPORT_SYMBOL(uverbs_copy_to_struct_or_zero);

/**
 * uverbs_finalize_uobj_create - say that the driver's part of a new object is there
 * @attrs_bundle: the call
 * @idx: id of the attribute that is the new object
 *
 * If the call fails afterwards, the object's type is asked to destroy it.
 *
 * Source: linux/include/rdma/uverbs_ioctl.h.
 */
void uverbs_finalize_uobj_create(const struct uverbs_attr_bundle *attrs_bundle, u16 idx)
{
	__set_bit(uapi_bkey_attr(uapi_key_attr(idx)), uverbs_call_of(attrs_bundle)->hw_valid);
}
EXPORT_SYMBOL(uverbs_finalize_uobj_create);
