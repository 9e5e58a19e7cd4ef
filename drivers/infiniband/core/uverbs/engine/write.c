// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* write(): a command with its number in the header. */

#include <linux/uaccess.h>
#include <rdma/ib.h>

#include "write_frame.h"

/* Returns how long the headers are. */
static ssize_t read_headers(const struct uverbs_api *api, struct uverbs_write_message *msg,
			    const u8 __user *buf, size_t count,
			    const struct uverbs_api_command **command)
{
	if (count < sizeof(msg->hdr))
		return -EINVAL;
	if (copy_from_user(&msg->hdr, buf, sizeof(msg->hdr)))
		return -EFAULT;

	*command = uverbs_api_command(api, msg->hdr.command);
	if (IS_ERR(*command))
		return PTR_ERR(*command);
	if (!(*command)->is_ex)
		return sizeof(msg->hdr);

	if (count < sizeof(*msg))
		return -EINVAL;
	if (copy_from_user(&msg->ex_hdr, buf + sizeof(msg->hdr), sizeof(msg->ex_hdr)))
		return -EFAULT;
	return sizeof(*msg);
}

/* Where the response goes: a plain request that has one begins with that. */
static int read_response_address(const struct uverbs_api_command *command,
				 const struct uverbs_write_message *msg,
				 const u8 __user *payload, u64 *response)
{
	size_t size;

	if (!command->is_ex) {
		*response = 0;
		return command->has_resp ? get_user(*response, (const u64 __user *)payload) : 0;
	}

	*response = msg->ex_hdr.response;
	size = (msg->hdr.out_words + msg->ex_hdr.provider_out_words) * sizeof(u64);
	return access_ok(u64_to_user_ptr(*response), size) ? 0 : -EFAULT;
}

/* Inline, however large the call on the stack: it's on the way of each command. */
static __always_inline int call_command(struct ib_uverbs_file *file,
					const struct uverbs_api_command *command,
					const struct uverbs_write_message *msg,
					const u8 __user *payload, u64 response)
{
	struct uverbs_call call __uninitialized;
	struct uverbs_attr_bundle *attrs = uverbs_call_bundle(&call);
	int idx, ret;

	uverbs_call_begin(&call, file, 0, sizeof(call.arena));
	uverbs_write_frame(command, msg, payload, response, attrs);

	idx = srcu_read_lock(&file->device->disassociate_srcu);
	ret = uverbs_run_command(command, attrs);
	srcu_read_unlock(&file->device->disassociate_srcu, idx);
	uverbs_call_end(&call);
	return ret;
}

/**
 * uverbs_write - write() of uverbsN
 * @filp: the open file
 * @buf: a struct ib_uverbs_cmd_hdr and what follows it
 * @count: bytes
 * @pos: unused
 *
 * As a command makes the kernel write to addresses in it, nobody can be made to send one for
 * another: it takes the credentials with which the file was opened.
 *
 * Return: @count or a negative errno.
 */
ssize_t uverbs_write(struct file *filp, const char __user *buf, size_t count, loff_t *pos)
{
	struct ib_uverbs_file *file = filp->private_data;
	const struct uverbs_api_command *command;
	struct uverbs_write_message msg __uninitialized;
	const u8 __user *payload;
	ssize_t ret;
	u64 response;

	if (!ib_safe_file_access(filp))
		return -EACCES;

	ret = read_headers(file->device->uapi, &msg, buf, count, &command);
	if (ret < 0)
		return ret;
	payload = buf + ret;
	ret = uverbs_write_check(command, &msg, count);
	if (ret)
		return ret;
	ret = read_response_address(command, &msg, payload, &response);
	if (ret)
		return ret;
	return call_command(file, command, &msg, payload, response) ?: count;
}
