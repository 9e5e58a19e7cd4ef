// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "hostile.h"
#include "uverbs.h"

/* Commands: what their requests are made of, and the sizes of the answers. */

#define WC (8 + 8 * 48)
#define PATH "g8g8u4u2z2t1u1u1t1t1t1t1p1"
#define MODIFY PATH PATH "T4x4u4u4u4u4f4t2t2t1t1t1t1t1t1t1t1p1u1t1t1p1u1z2"
#define SEND "u8s4o4t4u4H4u4u4z4u8u8"
#define RECEIVES "c4c4E4u8s4z4u8s4z4a8l4u4a8l4u4"

static const struct form {
	uint32_t number;
	const char *request;
	size_t answer;
} forms[] = {
	{ IB_USER_VERBS_CMD_GET_CONTEXT, "z8", 8 },
	{ IB_USER_VERBS_CMD_QUERY_DEVICE, "z8", 176 },
	{ IB_USER_VERBS_CMD_QUERY_PORT, "z8p1z1z2z4", 40 },
	{ IB_USER_VERBS_CMD_ALLOC_PD, "z8", 4 },
	{ IB_USER_VERBS_CMD_DEALLOC_PD, "h4", 0 },
	{ IB_USER_VERBS_CMD_CREATE_AH, "z8u8P4z4g8g8u4t1u1u1z1t2u1u1u1t1p1z1", 4 },
	{ IB_USER_VERBS_CMD_DESTROY_AH, "h4", 0 },
	{ IB_USER_VERBS_CMD_REG_MR, "z8a8l8A8P4f4", 12 },
	{ IB_USER_VERBS_CMD_REREG_MR, "z8M4t4a8l8A8P4f4", 8 },
	{ IB_USER_VERBS_CMD_DEREG_MR, "h4", 0 },
	{ IB_USER_VERBS_CMD_ALLOC_MW, "z8P4t1z1z2", 8 },
	{ IB_USER_VERBS_CMD_DEALLOC_MW, "h4", 0 },
	{ IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL, "z8", 4 },
	{ IB_USER_VERBS_CMD_CREATE_CQ, "z8u8n4v4d4z4", 8 },
	{ IB_USER_VERBS_CMD_RESIZE_CQ, "z8C4n4", 8 },
	{ IB_USER_VERBS_CMD_DESTROY_CQ, "z8h4z4", 8 },
	{ IB_USER_VERBS_CMD_POLL_CQ, "z8C4n4", WC },
	{ IB_USER_VERBS_CMD_REQ_NOTIFY_CQ, "C4t4", 0 },
	{ IB_USER_VERBS_CMD_CREATE_QP, "z8u8P4C4C4S4n4n4s4s4n4t1q1t1z1", 32 },
	{ IB_USER_VERBS_CMD_OPEN_QP, "z8u8X4u4q1z1z2z4", 32 },
	{ IB_USER_VERBS_CMD_QUERY_QP, "z8T4x4", 128 },
	{ IB_USER_VERBS_CMD_MODIFY_QP, MODIFY, 0 },
	{ IB_USER_VERBS_CMD_DESTROY_QP, "z8h4z4", 4 },
	{ IB_USER_VERBS_CMD_POST_SEND, "z8T4c4c4e4" SEND SEND "a8l4u4a8l4u4", 4 },
	{ IB_USER_VERBS_CMD_POST_RECV, "z8T4" RECEIVES, 4 },
	{ IB_USER_VERBS_CMD_POST_SRQ_RECV, "z8S4" RECEIVES, 4 },
	{ IB_USER_VERBS_CMD_ATTACH_MCAST, "g8g8T4u2z2", 0 },
	{ IB_USER_VERBS_CMD_DETACH_MCAST, "g8g8T4u2z2", 0 },
	{ IB_USER_VERBS_CMD_CREATE_SRQ, "z8u8P4n4s4t4", 16 },
	{ IB_USER_VERBS_CMD_MODIFY_SRQ, "S4t4n4t4", 0 },
	{ IB_USER_VERBS_CMD_QUERY_SRQ, "z8S4z4", 16 },
	{ IB_USER_VERBS_CMD_DESTROY_SRQ, "z8h4z4", 4 },
	{ IB_USER_VERBS_CMD_OPEN_XRCD, "z8d4f4", 4 },
	{ IB_USER_VERBS_CMD_CLOSE_XRCD, "h4", 0 },
	{ IB_USER_VERBS_CMD_CREATE_XSRQ, "z8u8t4P4n4s4t4n4X4C4", 16 },
	{ EXTENDED(IB_USER_VERBS_EX_CMD_QUERY_DEVICE), "z4z4", 304 },
	{ EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_CQ), "u8n4v4d4z4t4z4", 16 },
	{ EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_QP), "u8P4C4C4S4n4n4s4s4n4t1q1t1z1z4z4I4u4", 40 },
	{ EXTENDED(IB_USER_VERBS_EX_CMD_MODIFY_QP), MODIFY "u4z4", 8 },
	{ EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_FLOW), "z4T4t4j2t2s1z1z1p1z4y4j2z2g8g8g8g8", 8 },
	{ EXTENDED(IB_USER_VERBS_EX_CMD_DESTROY_FLOW), "z4h4", 0 },
	{ EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_WQ), "z4z4u8P4C4n4s4z4z4", 24 },
	{ EXTENDED(IB_USER_VERBS_EX_CMD_DESTROY_WQ), "z4h4", 16 },
	{ EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL), "z4s4B4B4", 16 },
	{ EXTENDED(IB_USER_VERBS_EX_CMD_DESTROY_RWQ_IND_TBL), "z4h4", 0 },
	{ EXTENDED(IB_USER_VERBS_EX_CMD_MODIFY_CQ), "C4t4u2u2z4", 0 },
	/* Only for ours: stock keeps a WQ locked for ever if a state is out of range. */
	{ EXTENDED(IB_USER_VERBS_EX_CMD_MODIFY_WQ), "x4B4t4t4t4t4", 0 },
};

/* What is wrong with the request's and the answer's sizes. */
static void distort_sizes(struct attacker *attacker, struct command *command)
{
	switch (below(attacker, 6)) {
	case 0:
		command->in_len = below(attacker, command->in_len + 1);
		break;
	case 1:
		command->in_len += 4 + below(attacker, 64);
		break;
	case 2:
		command->out_len = below(attacker, command->out_len + 1);
		break;
	case 3:
		command->out_len += 8 * below(attacker, 32);
		break;
	case 4:
		command->driver_in_len = below(attacker, 64);
		break;
	case 5:
		command->driver_out_len = below(attacker, 80);
		break;
	}
}

/* What is wrong with the headers: a few bits, or a whole field. */
static void distort_headers(struct attacker *attacker, unsigned char *frame)
{
	uint32_t at = below(attacker, 24);

	if (once_in(attacker, 2))
		frame[at] ^= 1 << below(attacker, 8);
	else
		memset(frame + (at & ~1), once_in(attacker, 2) ? 0xff : 0, 2);
}

/* Writes the frame from where it ends at the page's end, or even beyond. */
static int write_frame(struct attacker *attacker, const unsigned char *frame, size_t len)
{
	unsigned char *at = attacker->frame + FRAME_SIZE - len;

	memcpy(at, frame, len);
	if (once_in(attacker, 32))
		return write(file_of(attacker), at + below(attacker, len + 1), len);
	if (once_in(attacker, 32))
		return write(file_of(attacker), (void *)(uintptr_t)bad_address(attacker), len);
	return write(file_of(attacker), at, once_in(attacker, 32) ? below(attacker, len + 9) : len);
}

static int write_command(struct attacker *attacker, struct command *command)
{
	unsigned char frame[2048] = {};
	/* With all ones for its upper half, it's still beyond the stack of a 32-bit program. */
	uint64_t response = (uintptr_t)attacker->arena + 0x1e000;
	size_t len;

	command->in_len &= ~3;
	command->driver_in_len &= ~3;
	if (once_in(attacker, 16))
		response = bad_address(attacker);
	len = command_frame(command, frame, (void *)(uintptr_t)response);
	if (once_in(attacker, 16))
		distort_headers(attacker, frame);
	return write_frame(attacker, frame, len);
}

int hostile_command(struct attacker *attacker)
{
	unsigned char extra[64] = {};
	size_t count = sizeof(forms) / sizeof(forms[0]);
	const struct form *form = &forms[below(attacker, with_ours() ? count : count - 1)];
	unsigned char request[512] = {};
	struct command command = {
		.number = form->number, .in = request,
		.in_len = fill(attacker, form->request, request),
		.out_len = form->answer, .driver_in = extra,
		.driver_in_len = driver_request(attacker, form->number, extra),
		.driver_out_len = 64,
	};

	if (!form->answer)
		command.driver_out_len = 0;
	if (once_in(attacker, 8))
		distort_sizes(attacker, &command);
	if (once_in(attacker, 16))
		request[below(attacker, sizeof(request))] ^= 1 << below(attacker, 8);
	if (once_in(attacker, 64))
		command.number = once_in(attacker, 2) ? below(attacker, 64) : chance(attacker);
	if (once_in(attacker, 2))
		return write_command(attacker, &command);
	command.out = attacker->arena + 65536;
	command.driver_out = attacker->arena + 98304;
	return command_ioctl(file_of(attacker), &command);
}
