// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Commands of write(), however they have come. */

#include "engine.h"

/**
 * uverbs_invoke_write - the ioctl() method that calls a command of write()
 * @attrs: the call
 *
 * Return: 0, -ENOSPC if there's no room for request or response, or another negative errno.
 */
int uverbs_invoke_write(struct uverbs_attr_bundle *attrs)
{
	const struct uverbs_api_command *command;
	u32 number;
	int ret;

	ret = uverbs_get_const(&number, attrs, UVERBS_ATTR_WRITE_CMD);
	if (ret)
		return ret;
	command = uverbs_api_command(attrs->ufile->device->uapi, number);
	if (IS_ERR(command))
		return PTR_ERR(command);

	uverbs_call_fill_udata(attrs, &attrs->ucore, UVERBS_ATTR_CORE_IN, UVERBS_ATTR_CORE_OUT);
	if (attrs->ucore.inlen < command->req_size || attrs->ucore.outlen < command->resp_size)
		return -ENOSPC;
	return uverbs_run_command(command, attrs);
}
