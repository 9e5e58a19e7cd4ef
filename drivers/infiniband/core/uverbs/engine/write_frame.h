/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * How a write() is divided: what of it is the core's and what the driver's, and where the answers
 * go. Lengths count words: of 4 bytes, header included, in a plain command; of 8 bytes behind the
 * headers in an extended one.
 */

#ifndef RDMA_UVERBS_WRITE_FRAME_H
#define RDMA_UVERBS_WRITE_FRAME_H

#include "engine.h"

#define WORD sizeof(u32)
#define EX_WORD sizeof(u64)
#define HEADERS_SIZE (sizeof(struct ib_uverbs_cmd_hdr) + sizeof(struct ib_uverbs_ex_cmd_hdr))

static inline int check_ex_response(const struct uverbs_api_command *command,
				    const struct uverbs_write_message *msg)
{
	bool room = msg->hdr.out_words || msg->ex_hdr.provider_out_words;

	if (!msg->ex_hdr.response != !room)
		return -EINVAL;
	return room && msg->hdr.out_words * EX_WORD < command->resp_size ? -ENOSPC : 0;
}

static inline int check_ex(const struct uverbs_api_command *command,
			   const struct uverbs_write_message *msg, size_t count)
{
	size_t words = msg->hdr.in_words + msg->ex_hdr.provider_in_words;

	if (count < HEADERS_SIZE || words * EX_WORD != count - HEADERS_SIZE)
		return -EINVAL;
	if (msg->hdr.in_words * EX_WORD < command->req_size)
		return -ENOSPC;
	if (msg->ex_hdr.cmd_hdr_reserved)
		return -EINVAL;
	return check_ex_response(command, msg);
}

/* An old library says that the message is shorter than what it has put there. */
static inline bool is_short_destroy_cq(const struct uverbs_write_message *msg, size_t count)
{
	return msg->hdr.command == IB_USER_VERBS_CMD_DESTROY_CQ && count == 16;
}

static inline int check_plain(const struct uverbs_api_command *command,
			      struct uverbs_write_message *msg, size_t count)
{
	size_t least = sizeof(msg->hdr) + command->req_size;

	if (msg->hdr.in_words * WORD != count)
		return -EINVAL;
	if (count < least) {
		if (!is_short_destroy_cq(msg, count))
			return -ENOSPC;
		msg->hdr.in_words = least / WORD;
		return 0;
	}
	return msg->hdr.out_words * WORD < command->resp_size ? -ENOSPC : 0;
}

/**
 * uverbs_write_check - check the headers of a write()
 * @command: what it asks for
 * @msg: the headers; of a plain command, the extended one isn't looked at
 * @count: what was written
 *
 * Return: 0, -EINVAL, or -ENOSPC if there's no room for request or response.
 */
static inline int uverbs_write_check(const struct uverbs_api_command *command,
				     struct uverbs_write_message *msg, size_t count)
{
	return command->is_ex ? check_ex(command, msg, count) : check_plain(command, msg, count);
}

static inline void set_input(struct ib_udata *udata, const u8 __user *address, size_t size)
{
	udata->inbuf = size ? address : NULL;
	udata->inlen = size;
}

static inline void set_output(struct ib_udata *udata, u64 address, size_t size)
{
	udata->outbuf = size ? u64_to_user_ptr(address) : NULL;
	udata->outlen = size;
}

static inline void frame_ex(const struct uverbs_write_message *msg, const u8 __user *payload,
			    u64 response, struct uverbs_attr_bundle *attrs)
{
	size_t in = msg->hdr.in_words * EX_WORD;
	size_t out = msg->hdr.out_words * EX_WORD;

	set_input(&attrs->ucore, payload, in);
	set_output(&attrs->ucore, response, out);
	set_input(&attrs->driver_udata, payload + in, msg->ex_hdr.provider_in_words * EX_WORD);
	set_output(&attrs->driver_udata, response + out,
		   msg->ex_hdr.provider_out_words * EX_WORD);
}

/* The driver's part, if there may be one, begins where the core's ends: at a multiple of 4. */
static inline void frame_plain(const struct uverbs_api_command *command,
			       const struct uverbs_write_message *msg, const u8 __user *payload,
			       u64 response, struct uverbs_attr_bundle *attrs)
{
	size_t in = msg->hdr.in_words * WORD - sizeof(msg->hdr);
	size_t out = command->has_resp ? msg->hdr.out_words * WORD : 0;
	size_t core_in = command->has_udata ? command->req_size : in;
	size_t core_out = command->has_udata && command->has_resp ? command->resp_size : out;

	set_input(&attrs->ucore, payload, core_in);
	set_output(&attrs->ucore, response, core_out);
	set_input(&attrs->driver_udata, payload + core_in, in - core_in);
	set_output(&attrs->driver_udata, response + core_out, out - core_out);
}

/**
 * uverbs_write_frame - divide a write()
 * @command: what it asks for
 * @msg: its headers, checked
 * @payload: what follows them
 * @response: where the response goes
 * @attrs: gets the parts
 */
static inline void uverbs_write_frame(const struct uverbs_api_command *command,
				      const struct uverbs_write_message *msg,
				      const u8 __user *payload, u64 response,
				      struct uverbs_attr_bundle *attrs)
{
	if (command->is_ex)
		frame_ex(msg, payload, response, attrs);
	else
		frame_plain(command, msg, payload, response, attrs);
}

#endif
