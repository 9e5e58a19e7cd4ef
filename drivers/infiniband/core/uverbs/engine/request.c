// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * How commands read their requests and write their responses. Either may be longer or shorter than
 * what we know of it: what isn't sent is zero, what we don't know has to be.
 */

#include <linux/uaccess.h>

#include "engine.h"

static int check_rest(const void __user *rest, size_t size)
{
	int ret;

	if (!size)
		return 0;
	ret = check_zeroed_user(rest, size);
	return ret > 0 ? 0 : ret ?: -EOPNOTSUPP;
}

/**
 * uverbs_request - read a request of any length
 * @attrs: the call
 * @request: returns it, filled up with zeros
 * @size: of @request
 *
 * Return: 0, -EFAULT, or -EOPNOTSUPP if something is beyond what we know.
 */
int uverbs_request(struct uverbs_attr_bundle *attrs, void *request, size_t size)
{
	const struct ib_udata *core = &attrs->ucore;
	size_t known = min(core->inlen, size);

	if (copy_from_user(request, core->inbuf, known))
		return -EFAULT;
	if (known < size)
		memset(request + known, 0, size - known);
	return check_rest(core->inbuf + known, core->inlen - known);
}

/**
 * uverbs_request_begin - read the fixed part of a request
 * @attrs: the call
 * @iter: returns where the rest is, for uverbs_request_next(), _skip() and _end()
 * @request: returns the fixed part
 * @size: of @request
 *
 * Return: 0, -ENOSPC if the request is shorter, or -EFAULT.
 */
int uverbs_request_begin(struct uverbs_attr_bundle *attrs, struct uverbs_request_iter *iter,
			 void *request, size_t size)
{
	iter->next = attrs->ucore.inbuf;
	iter->end = iter->next + attrs->ucore.inlen;
	return uverbs_request_next(iter, request, size);
}

/**
 * uverbs_request_next - read the next part of a request
 * @iter: where it is
 * @to: returns it
 * @size: of it
 *
 * Return: 0, -ENOSPC if the request is shorter, or -EFAULT.
 */
int uverbs_request_next(struct uverbs_request_iter *iter, void *to, size_t size)
{
	const void __user *from = uverbs_request_skip(iter, size);

	if (IS_ERR((void __force *)from))
		return PTR_ERR((void __force *)from);
	return copy_from_user(to, from, size) ? -EFAULT : 0;
}

/**
 * uverbs_request_skip - pass over the next part of a request, which another will read
 * @iter: where it is
 * @size: of it
 *
 * Return: its address, or an ERR_PTR: -ENOSPC if the request is shorter.
 */
const void __user *uverbs_request_skip(struct uverbs_request_iter *iter, size_t size)
{
	const void __user *from = iter->next;

	if (size > iter->end - iter->next)
		return (void __user *)ERR_PTR(-ENOSPC);
	iter->next += size;
	return from;
}

/**
 * uverbs_request_end - see that nothing is left of a request
 * @iter: where we are
 *
 * Return: 0, -EFAULT, or -EOPNOTSUPP if something is left that isn't zero.
 */
int uverbs_request_end(struct uverbs_request_iter *iter)
{
	return check_rest(iter->next, iter->end - iter->next);
}

/**
 * uverbs_response - write a response
 * @attrs: the call
 * @response: as we know it
 * @size: of @response
 *
 * What there's no room for is left out, and if there's more room it gets zeros.
 *
 * Return: 0 or -EFAULT.
 */
int uverbs_response(struct uverbs_attr_bundle *attrs, const void *response, size_t size)
{
	const struct ib_udata *core = &attrs->ucore;
	size_t known = min(core->outlen, size);

	if (uverbs_attr_is_valid(attrs, UVERBS_ATTR_CORE_OUT))
		return uverbs_copy_to_struct_or_zero(attrs, UVERBS_ATTR_CORE_OUT, response, size);
	if (copy_to_user(core->outbuf, response, known))
		return -EFAULT;
	if (known < core->outlen && clear_user(core->outbuf + known, core->outlen - known))
		return -EFAULT;
	return 0;
}

/**
 * uverbs_response_length - what of a response the process gets
 * @attrs: the call
 * @size: of the response as we know it
 *
 * Return: bytes.
 */
u32 uverbs_response_length(struct uverbs_attr_bundle *attrs, size_t size)
{
	return min(attrs->ucore.outlen, size);
}

/**
 * uverbs_cleared_udata - make a driver's call look like one without data
 * @attrs: the call
 *
 * For a driver that undoes what it did: the data belonged to that.
 *
 * Return: the data, which is empty.
 */
struct ib_udata *uverbs_cleared_udata(struct uverbs_attr_bundle *attrs)
{
	attrs->driver_udata = (struct ib_udata) {};
	return &attrs->driver_udata;
}
