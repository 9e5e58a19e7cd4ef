// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "check.h"
#include "uverbs.h"

enum road road = BY_WRITE;

/* --- commands that are written */

static bool is_extended(const struct command *command)
{
	return command->number & IB_USER_VERBS_CMD_FLAG_EXTENDED;
}

static void *append(void *at, const void *data, size_t len)
{
	memcpy(at, data ? data : "", data ? len : 0);
	return (char *)at + len;
}

static size_t frame_legacy(const struct command *command, void *frame, void *response)
{
	uint64_t address = (uintptr_t)response;
	struct ib_uverbs_cmd_hdr hdr = {
		.command = command->number,
		.in_words = (sizeof(hdr) + command->in_len + command->driver_in_len) / 4,
		.out_words = (command->out_len + command->driver_out_len) / 4,
	};
	char *at = append(frame, &hdr, sizeof(hdr));

	at = append(at, command->in, command->in_len);
	if (command->out_len)
		memcpy((char *)frame + sizeof(hdr), &address, sizeof(address));
	at = append(at, command->driver_in, command->driver_in_len);
	return at - (char *)frame;
}

static size_t frame_extended(const struct command *command, void *frame, void *response)
{
	struct ib_uverbs_cmd_hdr hdr = {
		.command = command->number,
		.in_words = command->in_len / 8,
		.out_words = command->out_len / 8,
	};
	struct ib_uverbs_ex_cmd_hdr ex = {
		.response = command->out_len ? (uintptr_t)response : 0,
		.provider_in_words = command->driver_in_len / 8,
		.provider_out_words = command->driver_out_len / 8,
	};
	char *at = append(frame, &hdr, sizeof(hdr));

	at = append(at, &ex, sizeof(ex));
	at = append(at, command->in, command->in_len);
	at = append(at, command->driver_in, command->driver_in_len);
	return at - (char *)frame;
}

size_t command_frame(const struct command *command, void *frame, void *response)
{
	if (is_extended(command))
		return frame_extended(command, frame, response);
	return frame_legacy(command, frame, response);
}

/* The kernel wants both responses in one piece: they are put together, and taken apart. */
int command_write(int fd, const struct command *command)
{
	char frame[1024 + command->in_len + command->driver_in_len];
	char response[1 + command->out_len + command->driver_out_len];
	size_t len = command_frame(command, frame, response);
	ssize_t ret;

	append(append(response, command->out, command->out_len), command->driver_out,
	       command->driver_out_len);
	ret = write(fd, frame, len);
	append(command->out, response, command->out_len);
	append(command->driver_out, response + command->out_len, command->driver_out_len);
	if (ret < 0)
		return -1;
	CHECK_EQ(ret, len);
	return 0;
}

/* --- ioctls */

struct method method_of(uint16_t object, uint16_t number)
{
	return (struct method){ .hdr = { .object_id = object, .method_id = number,
					 .driver_id = driver_id() } };
}

static struct ib_uverbs_attr *add_attr(struct method *method, uint16_t id, size_t len,
				       uint64_t data)
{
	struct ib_uverbs_attr *attr = &method->attrs[method->hdr.num_attrs++];

	CHECK(method->hdr.num_attrs <= MAX_ATTRS, "a call with %u attributes",
	      method->hdr.num_attrs);
	*attr = (struct ib_uverbs_attr){ .attr_id = id & ~OPTIONAL, .len = len, .data = data };
	if (!(id & OPTIONAL))
		attr->flags = UVERBS_ATTR_F_MANDATORY;
	return attr;
}

struct ib_uverbs_attr *attr_in(struct method *method, uint16_t id, const void *data, size_t len)
{
	uint64_t value = 0;

	if (len > sizeof(value))
		value = (uintptr_t)data;
	else
		memcpy(&value, data, len);
	return add_attr(method, id, len, value);
}

struct ib_uverbs_attr *attr_out(struct method *method, uint16_t id, void *data, size_t len)
{
	return add_attr(method, id, len, (uintptr_t)data);
}

struct ib_uverbs_attr *attr_const(struct method *method, uint16_t id, uint64_t value)
{
	return add_attr(method, id, sizeof(value), value);
}

struct ib_uverbs_attr *attr_id(struct method *method, uint16_t id, int64_t value)
{
	return add_attr(method, id, 0, value);
}

int method_call(int fd, struct method *method)
{
	method->hdr.length = sizeof(method->hdr) + method->hdr.num_attrs * sizeof(method->attrs[0]);
	return ioctl(fd, RDMA_VERBS_IOCTL, method);
}

int command_ioctl(int fd, const struct command *command)
{
	struct method method = method_of(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE);

	attr_const(&method, UVERBS_ATTR_WRITE_CMD, command->number);
	if (command->in_len)
		attr_in(&method, UVERBS_ATTR_CORE_IN, command->in, command->in_len);
	if (command->out_len)
		attr_out(&method, UVERBS_ATTR_CORE_OUT, command->out, command->out_len);
	if (command->driver_in_len)
		attr_in(&method, UVERBS_ATTR_UHW_IN, command->driver_in, command->driver_in_len);
	if (command->driver_out_len)
		attr_out(&method, UVERBS_ATTR_UHW_OUT, command->driver_out,
			 command->driver_out_len);
	return method_call(fd, &method);
}

int command_send(int fd, const struct command *command)
{
	return road == BY_WRITE ? command_write(fd, command) : command_ioctl(fd, command);
}
