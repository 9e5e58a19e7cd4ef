// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "uverbs.h"

/*
 * What is refused before any command is carried out: headers, sizes, addresses and handles. Each
 * case ends with a command that works.
 */

/* Sizes of request and response of the commands that aren't extended; and of the least request. */
static const struct {
	uint8_t number;
	uint8_t in;
	uint8_t out;
	uint8_t least;
} sizes[] = {
	{ IB_USER_VERBS_CMD_QUERY_DEVICE, 8, 176, 0 },
	{ IB_USER_VERBS_CMD_QUERY_PORT, 16, 40, 0 },
	{ IB_USER_VERBS_CMD_ALLOC_PD, 8, 4, 0 },
	{ IB_USER_VERBS_CMD_DEALLOC_PD, 4, 0, 0 },
	{ IB_USER_VERBS_CMD_CREATE_AH, 56, 4, 0 },
	{ IB_USER_VERBS_CMD_DESTROY_AH, 4, 0, 0 },
	{ IB_USER_VERBS_CMD_REG_MR, 40, 12, 0 },
	{ IB_USER_VERBS_CMD_REREG_MR, 48, 8, 0 },
	{ IB_USER_VERBS_CMD_DEREG_MR, 4, 0, 0 },
	{ IB_USER_VERBS_CMD_ALLOC_MW, 16, 8, 0 },
	{ IB_USER_VERBS_CMD_DEALLOC_MW, 4, 0, 0 },
	{ IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL, 8, 4, 0 },
	{ IB_USER_VERBS_CMD_CREATE_CQ, 32, 8, 0 },
	{ IB_USER_VERBS_CMD_RESIZE_CQ, 16, 8, 0 },
	{ IB_USER_VERBS_CMD_DESTROY_CQ, 16, 8, 8 },
	{ IB_USER_VERBS_CMD_POLL_CQ, 16, 8, 0 },
	{ IB_USER_VERBS_CMD_REQ_NOTIFY_CQ, 8, 0, 0 },
	{ IB_USER_VERBS_CMD_CREATE_QP, 56, 32, 0 },
	{ IB_USER_VERBS_CMD_QUERY_QP, 16, 128, 0 },
	{ IB_USER_VERBS_CMD_MODIFY_QP, 112, 0, 0 },
	{ IB_USER_VERBS_CMD_DESTROY_QP, 16, 4, 0 },
	{ IB_USER_VERBS_CMD_POST_SEND, 24, 4, 0 },
	{ IB_USER_VERBS_CMD_POST_RECV, 24, 4, 0 },
	{ IB_USER_VERBS_CMD_ATTACH_MCAST, 24, 0, 0 },
	{ IB_USER_VERBS_CMD_DETACH_MCAST, 24, 0, 0 },
	{ IB_USER_VERBS_CMD_CREATE_SRQ, 32, 16, 0 },
	{ IB_USER_VERBS_CMD_MODIFY_SRQ, 16, 0, 0 },
	{ IB_USER_VERBS_CMD_QUERY_SRQ, 16, 16, 0 },
	{ IB_USER_VERBS_CMD_DESTROY_SRQ, 16, 4, 0 },
	{ IB_USER_VERBS_CMD_POST_SRQ_RECV, 24, 4, 0 },
	{ IB_USER_VERBS_CMD_OPEN_XRCD, 16, 4, 0 },
	{ IB_USER_VERBS_CMD_CLOSE_XRCD, 4, 0, 0 },
	{ IB_USER_VERBS_CMD_CREATE_XSRQ, 48, 16, 0 },
	{ IB_USER_VERBS_CMD_OPEN_QP, 32, 32, 0 },
};

#define FOR_EACH_SIZE(i) for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)

static void check_still_works(int fd)
{
	uint32_t pd = new_pd(fd);

	CHECK_OK(drop(fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd));
}

static ssize_t write_header(int fd, uint32_t command, uint16_t in_words, size_t count)
{
	struct {
		struct ib_uverbs_cmd_hdr hdr;
		uint64_t request[8];
	} frame = { .hdr = { .command = command, .in_words = in_words } };

	return write(fd, &frame, count);
}

/* Counts that don't hold a header, and numbers that aren't commands. */
static void headers(void)
{
	static const uint32_t words[] = { 0x100, 0x10003, 0x40000003, 0x80000103 };
	static const uint8_t holes[] = { 6, 7, 10, 12, 15, 22 };
	struct client client = open_client();

	for (size_t count = 0; count < sizeof(struct ib_uverbs_cmd_hdr); count++)
		CHECK_FAILS(write_header(client.fd, IB_USER_VERBS_CMD_ALLOC_PD, 4, count), EINVAL);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		CHECK_FAILS(write_header(client.fd, words[i], 4, 16), EINVAL);
	for (size_t i = 0; i < sizeof(holes); i++)
		CHECK_FAILS(write_header(client.fd, holes[i], 4, 16), EOPNOTSUPP);
	for (uint32_t number = 41; number < 256; number++)
		CHECK_FAILS(write_header(client.fd, number, 4, 16), EOPNOTSUPP);
	CHECK_FAILS(write(client.fd, NULL, 16), EFAULT);
	CHECK_FAILS(write(client.fd, (void *)-4096, 16), EFAULT);
	check_still_works(client.fd);
}

static void missing_commands(void)
{
	struct client client = open_client();
	char request[64] = {}, response[64];

	for (uint32_t number = 0; number < 256; number++) {
		bool known = number == IB_USER_VERBS_CMD_GET_CONTEXT;
		struct command command = {
			.number = number, .in = request, .in_len = sizeof(request),
			.out = response, .out_len = sizeof(response),
		};

		FOR_EACH_SIZE(i)
			known |= sizes[i].number == number;
		if (!known)
			CHECK_FAILS(command_send(client.fd, &command), EOPNOTSUPP);
	}
	check_still_works(client.fd);
}

/* The header's count of words isn't the count of bytes. */
static void word_counts(void)
{
	struct client client = open_client();
	int words;

	FOR_EACH_SIZE(i) {
		words = (8 + sizes[i].in) / 4;
		CHECK_FAILS(write_header(client.fd, sizes[i].number, words - 1, words * 4), EINVAL);
		CHECK_FAILS(write_header(client.fd, sizes[i].number, words + 1, words * 4), EINVAL);
		CHECK_FAILS(write_header(client.fd, sizes[i].number, words, words * 4 - 1), EINVAL);
	}
	check_still_works(client.fd);
}

/* A request that is cut short anywhere. */
static void short_requests(void)
{
	struct client client = open_client();
	char request[256] = {}, response[256];

	FOR_EACH_SIZE(i) {
		struct command command = {
			.number = sizes[i].number, .in = request, .out = response,
			.out_len = sizes[i].out,
		};
		size_t least = sizes[i].least ?: sizes[i].in;

		for (command.in_len = 8; command.in_len < least; command.in_len += 4)
			CHECK_FAILS(command_send(client.fd, &command), ENOSPC);
		if (road == BY_WRITE)
			CHECK_FAILS(write_header(client.fd, sizes[i].number, 2, 8), ENOSPC);
	}
	check_still_works(client.fd);
}

/* A response that there's no room for. */
static void short_responses(void)
{
	struct client client = open_client();
	char request[256] = {}, response[256];

	FOR_EACH_SIZE(i) {
		struct command command = {
			.number = sizes[i].number, .in = request, .in_len = sizes[i].in,
			.out = response,
		};

		for (; command.out_len < sizes[i].out; command.out_len += 4)
			CHECK_FAILS(command_send(client.fd, &command), ENOSPC);
	}
	check_still_works(client.fd);
}

/* Neither request nor response: how libraries ask whether the ioctl is there. */
static void probe(void)
{
	struct client client = open_client();

	FOR_EACH_SIZE(i)
		CHECK_FAILS(command_ioctl(client.fd,
					  &(struct command){ .number = sizes[i].number }), ENOSPC);
	check_still_works(client.fd);
}

/* --- extended commands */

struct extended {
	struct ib_uverbs_cmd_hdr hdr;
	struct ib_uverbs_ex_cmd_hdr ex;
	struct ib_uverbs_ex_query_device in;
	uint64_t tail;
};

static struct ib_uverbs_ex_query_device_resp answer;

static struct extended query(void)
{
	return (struct extended){
		.hdr = { .command = EXTENDED(IB_USER_VERBS_EX_CMD_QUERY_DEVICE), .in_words = 1,
			 .out_words = sizeof(answer) / 8 },
		.ex = { .response = (uintptr_t)&answer },
	};
}

#define SHORT (sizeof(struct extended) - 8)

static void extended_headers(void)
{
	struct client client = open_client();
	struct extended frame = query();

	CHECK_EQ(write(client.fd, &frame, SHORT), SHORT);
	for (size_t count = 8; count < 24; count++)
		CHECK_FAILS(write(client.fd, &frame, count), EINVAL);
	frame.hdr.in_words = 2;
	CHECK_FAILS(write(client.fd, &frame, SHORT), EINVAL);
	frame = query();
	frame.ex.provider_in_words = 1;
	CHECK_FAILS(write(client.fd, &frame, SHORT), EINVAL);
	frame = query();
	frame.ex.cmd_hdr_reserved = 1;
	CHECK_FAILS(write(client.fd, &frame, SHORT), EINVAL);
	check_still_works(client.fd);
}

static void extended_responses(void)
{
	struct client client = open_client();
	struct extended frame = query();

	frame.ex.response = 0;
	CHECK_FAILS(write(client.fd, &frame, SHORT), EINVAL);
	frame.hdr.out_words = 0;
	frame.ex.provider_out_words = 1;
	CHECK_FAILS(write(client.fd, &frame, SHORT), EINVAL);
	frame = query();
	frame.hdr.out_words = 0;
	CHECK_FAILS(write(client.fd, &frame, SHORT), EINVAL);
	frame = query();
	frame.ex.response = 0xffff800000000000;
	CHECK_FAILS(write(client.fd, &frame, SHORT), EFAULT);
	frame.ex.response = -8;
	CHECK_FAILS(write(client.fd, &frame, SHORT), EFAULT);
	frame.ex.response = 4096;
	CHECK_FAILS(write(client.fd, &frame, SHORT), EFAULT);
	check_still_works(client.fd);
}

/* A longer request is one of the future: its tail must say nothing. A shorter answer is cut. */
static void extended_lengths(void)
{
	struct client client = open_client();
	struct extended frame = query();

	frame.hdr.in_words = 2;
	CHECK_EQ(write(client.fd, &frame, sizeof(frame)), sizeof(frame));
	frame.tail = 1ULL << 63;
	CHECK_FAILS(write(client.fd, &frame, sizeof(frame)), EOPNOTSUPP);
	frame = query();
	frame.hdr.out_words = sizeof(answer.base) / 8 + 1;
	memset(&answer, 0x77, sizeof(answer));
	CHECK_EQ(write(client.fd, &frame, SHORT), SHORT);
	CHECK_EQ(answer.response_length, sizeof(answer.base) + 8);
	CHECK_EQ(answer.reserved, 0x77777777);
	CHECK_EQ(answer.odp_caps.general_caps, 0x7777777777777777);
}

/* --- addresses */

/* Memory whose last byte is followed by nothing. */
static char *edge(void)
{
	char *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(memory + 4096, 4096);
	return memory + 4096;
}

/* The command's own memory is bad: what it made must not be there afterwards. */
static int with_response(int fd, uint32_t number, void *request, size_t len, void *response,
			 size_t response_len)
{
	char frame[256];
	struct command command = {
		.number = number, .in = request, .in_len = len, .out_len = response_len,
	};

	if (road == BY_IOCTL) {
		command.out = response;
		return command_ioctl(fd, &command);
	}
	len = command_frame(&command, frame, response);
	return write(fd, frame, len) < 0 ? -1 : 0;
}

static void bad_responses(void)
{
	struct client client = open_client();
	char *end = edge();
	void *const bad[] = { NULL, (void *)4096, (void *)-4096, end, end - 2 };
	struct ib_uverbs_alloc_pd pd = {};
	struct ib_uverbs_create_comp_channel channel = {};
	struct ib_uverbs_create_cq cq = { .cqe = 1, .comp_channel = -1 };
	int next = dup(0);

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CHECK_FAILS(with_response(client.fd, IB_USER_VERBS_CMD_ALLOC_PD, &pd, sizeof(pd),
					  bad[i], 4), EFAULT);
		CHECK_FAILS(with_response(client.fd, IB_USER_VERBS_CMD_CREATE_CQ, &cq, sizeof(cq),
					  bad[i], 8), EFAULT);
		CHECK_FAILS(with_response(client.fd, IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL,
					  &channel, sizeof(channel), bad[i], 4), EFAULT);
	}
	CHECK_EQ(new_pd(client.fd), 0);
	CHECK_EQ(dup(0), next + 1);
}

static void bad_requests(void)
{
	struct client client = open_client();
	char *end = edge();

	for (size_t len = 1; len < 40; len++) {
		struct ib_uverbs_cmd_hdr hdr = { IB_USER_VERBS_CMD_REG_MR, 12, 3 };

		memset(end - len, 0, len);
		memcpy(end - len, &hdr, len < sizeof(hdr) ? len : sizeof(hdr));
		CHECK_FAILS(write(client.fd, end - len, 48), EFAULT);
	}
	check_still_works(client.fd);
}

/* --- handles */

/* They count from 0, and the lowest that is free is the next. */
static void handles(void)
{
	struct client client = open_client();

	for (uint32_t i = 0; i < 5; i++)
		CHECK_EQ(new_pd(client.fd), i);
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, 1));
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, 3));
	CHECK_EQ(new_cq(client.fd, -1, 0), 1);
	CHECK_EQ(new_cq(client.fd, -1, 0), 3);
	CHECK_EQ(new_pd(client.fd), 5);
}

static void wrong_handles(void)
{
	static const uint32_t nobodys[] = { 1, 4711, 0x7fffffff, 0x80000000, 0xffffffff };
	struct client client = open_client(), other = open_client();
	uint32_t pd = new_pd(client.fd), theirs = 0, events;
	struct ib_uverbs_destroy_cq_resp last;

	for (size_t i = 0; i < sizeof(nobodys) / sizeof(nobodys[0]); i++)
		CHECK_FAILS(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, nobodys[i]), ENOENT);
	CHECK_FAILS(drop(client.fd, IB_USER_VERBS_CMD_DEREG_MR, pd), EINVAL);
	CHECK_FAILS(destroy_cq(client.fd, pd, &last), EINVAL);
	CHECK_FAILS(destroy_qp(client.fd, pd, &events), EINVAL);
	while (theirs < 20)
		theirs = new_pd(other.fd);
	CHECK_FAILS(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, theirs), ENOENT);
	CHECK_OK(drop(other.fd, IB_USER_VERBS_CMD_DEALLOC_PD, theirs));
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd));
}

const struct test_case frame_cases[] = {
	{ "headers", headers },
	{ "missing-commands", missing_commands },
	{ "word-counts", word_counts },
	{ "short-requests", short_requests },
	{ "short-responses", short_responses },
	{ "probe", probe },
	{ "extended-headers", extended_headers },
	{ "extended-responses", extended_responses },
	{ "extended-lengths", extended_lengths },
	{ "bad-responses", bad_responses },
	{ "bad-requests", bad_requests },
	{ "handles", handles },
	{ "wrong-handles", wrong_handles },
	{}
};
