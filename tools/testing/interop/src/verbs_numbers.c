// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "uverbs.h"

/* Counts, sizes and addresses that are huge, zero, or wrap when they are added or multiplied. */

static void mr_wraps(void)
{
	static const struct {
		uint64_t start, length;
	} bad[] = {
		{ -4096ULL, 4096 }, { -4096ULL, 8192 }, { -1ULL, 1 }, { -1ULL, 2 },
		{ 4096, -4096ULL }, { 4096, -1ULL }, { 0, -1ULL }, { -8192ULL, 4097 },
		{ 1ULL << 63, 1ULL << 63 }, { 4096, 1ULL << 44 }, { 0, 0 }, { 4096, 0 },
		{ 4095, -4095ULL }, { -4096ULL, -1ULL },
	};
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd);
	struct ib_uverbs_reg_mr_resp mr;
	int ret;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ret = try_mr(client.fd, pd, bad[i].start, bad[i].length, 1, &mr);
		CHECK(ret < 0, "%llu bytes at %llx were registered",
		      (unsigned long long)bad[i].length, (unsigned long long)bad[i].start);
		CHECK(errno == EINVAL || errno == ENOMEM || errno == EFAULT, "%s",
		      strerrorname_np(errno));
	}
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd));
}

/* --- completions */

/* A queue pair, with requests that complete at once. */
struct source {
	struct client client;
	uint32_t pd, cq, qp;
};

static struct source make_source(void)
{
	struct source source = { .client = open_client() };
	uint32_t qpn;

	source.pd = new_pd(source.client.fd);
	source.cq = new_cq(source.client.fd, -1, 0);
	source.qp = new_qp_number(source.client.fd, source.pd, source.cq, QPT_RC, &qpn);
	raise_qp(source.client.fd, source.qp, QPT_RC, qpn, 3);
	return source;
}

/* A post_send of @count empty requests, with the counts that the caller says. */
struct posted {
	struct ib_uverbs_post_send head;
	struct ib_uverbs_send_wr wr[4];
};

static struct posted writes(const struct source *source, uint32_t count)
{
	struct posted posted = {
		.head = { .qp_handle = source->qp, .wr_count = count,
			  .wqe_size = sizeof(posted.wr[0]) },
	};

	for (int i = 0; i < 4; i++)
		posted.wr[i].opcode = IB_UVERBS_WR_RDMA_WRITE;
	return posted;
}

static int post(const struct source *source, const struct posted *posted, size_t requests)
{
	uint32_t bad;

	return command_send(source->client.fd, &(struct command){
		.number = IB_USER_VERBS_CMD_POST_SEND, .in = posted,
		.in_len = sizeof(posted->head) + requests * sizeof(posted->wr[0]),
		.out = &bad, .out_len = sizeof(bad),
	});
}

/* Polls up to @ne into memory for @room completions, behind which there's nothing. */
static int poll(const struct source *source, uint32_t ne, size_t room, uint32_t *count)
{
	size_t len = sizeof(struct ib_uverbs_poll_cq_resp) + room * sizeof(struct ib_uverbs_wc);
	struct ib_uverbs_poll_cq in = { .cq_handle = source->cq, .ne = ne };
	char *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ib_uverbs_poll_cq_resp *out = (void *)(memory + 4096 - len);
	struct command command = {
		.number = IB_USER_VERBS_CMD_POLL_CQ, .in = &in, .in_len = sizeof(in),
		.out = out, .out_len = len,
	};
	char frame[256];
	int ret;

	munmap(memory + 4096, 4096);
	if (road == BY_IOCTL)
		ret = command_ioctl(source->client.fd, &command);
	else
		ret = write(source->client.fd, frame, command_frame(&command, frame, out));
	*count = out->count;
	munmap(memory, 4096);
	return ret;
}

static void poll_huge(void)
{
	static const uint32_t huge[] = {
		4, 1 << 20, 0x05555556, 0x7fffffff, 0x80000000, 0xffffffff,
	};
	struct source source = make_source();
	struct posted posted = writes(&source, 3);
	uint32_t count;

	for (size_t i = 0; i < sizeof(huge) / sizeof(huge[0]); i++) {
		CHECK_OK(post(&source, &posted, 3));
		CHECK_OK(poll(&source, huge[i], 3, &count));
		CHECK_EQ(count, 3);
		CHECK_OK(poll(&source, huge[i], 0, &count));
		CHECK_EQ(count, 0);
	}
	CHECK_OK(post(&source, &posted, 3));
	CHECK_OK(poll(&source, 0, 0, &count));
	CHECK_EQ(count, 0);
	CHECK_OK(poll(&source, 2, 2, &count));
	CHECK_EQ(count, 2);
}

/* --- work requests */

static void check_nothing_posted(const struct source *source)
{
	uint32_t count;

	CHECK_OK(poll(source, 16, 16, &count));
	CHECK_EQ(count, 0);
}

/* Size times count wraps at 32 bits, to what is really there: 0, 1 or 4 requests. */
static void send_wraps(void)
{
	static const struct {
		uint32_t size, count;
		size_t there;
	} bad[] = {
		{ 0x80000000, 2, 0 }, { 0x40000000, 4, 0 }, { 0x10000, 0x10000, 0 },
		{ 64, 0x04000000, 0 }, { 0x80000038, 2, 2 }, { 56, 0x20000004, 4 },
		{ 0xffffffc8, 0xffffffff, 1 }, { 0xffffffff, 1, 0 }, { 55, 1, 1 }, { 0, 1, 0 },
		{ 0, 0xffffffff, 0 }, { 8, 7, 1 }, { 0x7fffffff, 0, 0 }, { 0xffffffff, 0, 0 },
	};
	struct source source = make_source();
	struct posted posted;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		posted = writes(&source, bad[i].count);
		posted.head.wqe_size = bad[i].size;
		if (post(&source, &posted, bad[i].there) >= 0)
			CHECK(!bad[i].count, "size %x, count %x: posted", bad[i].size,
			      bad[i].count);
		check_nothing_posted(&source);
	}
	posted = writes(&source, 1);
	CHECK_OK(post(&source, &posted, 1));
}

/* The same with the list of addresses: 16 bytes each. */
static void sge_wraps(void)
{
	static const uint32_t counts[] = {
		1, 0x10000000, 0x10000001, 0xf0000000, 0xffffffff, 0x80000000,
	};
	struct source source = make_source();
	struct posted posted;

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		posted = writes(&source, 1);
		posted.head.sge_count = counts[i];
		CHECK(post(&source, &posted, 1) < 0, "%x addresses: posted", counts[i]);
		posted.wr[0].num_sge = counts[i];
		CHECK(post(&source, &posted, 1) < 0, "%x addresses: posted", counts[i]);
		posted.head.sge_count = 0;
		CHECK_FAILS(post(&source, &posted, 1), EINVAL);
		check_nothing_posted(&source);
	}
	/* Two counts whose sum wraps. */
	posted = writes(&source, 2);
	posted.wr[0].num_sge = 0x80000000;
	posted.wr[1].num_sge = 0x80000000;
	CHECK_FAILS(post(&source, &posted, 2), EINVAL);
	check_nothing_posted(&source);
}

static void receive_wraps(void)
{
	static const struct {
		uint32_t size, count, sges;
	} bad[] = {
		{ 0x80000000, 2, 0 }, { 0x10000, 0x10000, 0 }, { 16, 0x10000000, 0 },
		{ 16, 0x10000001, 0 }, { 16, 1, 0x10000000 }, { 16, 1, 0xffffffff }, { 15, 1, 0 },
		{ 0, 0xffffffff, 0 }, { 0xfffffff0, 0xffffffff, 0 },
	};
	struct source source = make_source();
	uint32_t srq = new_srq(source.client.fd, source.pd, 0), failed;
	struct {
		struct ib_uverbs_post_recv head;
		struct ib_uverbs_recv_wr wr;
	} in = {};

	null_set("post_recv/calls", 0);
	null_set("post_srq_recv/calls", 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		in.head = (struct ib_uverbs_post_recv){
			.qp_handle = source.qp, .wr_count = bad[i].count, .wqe_size = bad[i].size,
			.sge_count = bad[i].sges,
		};
		CHECK(COMMAND(source.client.fd, IB_USER_VERBS_CMD_POST_RECV, &in, &failed) < 0,
		      "size %x, count %x: posted", bad[i].size, bad[i].count);
		in.head.qp_handle = srq;
		CHECK(COMMAND(source.client.fd, IB_USER_VERBS_CMD_POST_SRQ_RECV, &in, &failed) < 0,
		      "size %x, count %x: posted", bad[i].size, bad[i].count);
	}
	CHECK_EQ(null_get("post_recv/calls") + null_get("post_srq_recv/calls"), 0);
}

/* --- queues */

static void cqe_zero(void)
{
	static const uint32_t bad[] = { 0, 0x80000000, 0xffffffff };
	struct client client = open_client();
	struct ib_uverbs_resize_cq resize = {};
	struct ib_uverbs_resize_cq_resp resized = {};
	uint32_t cq;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_FAILS(try_cq(client.fd, bad[i], -1, 0, &cq), EINVAL);
	resize.cq_handle = new_cq(client.fd, -1, 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		resize.cqe = bad[i];
		CHECK_FAILS(COMMAND_WITH_ROOM(client.fd, IB_USER_VERBS_CMD_RESIZE_CQ, &resize,
					      &resized), EINVAL);
	}
}

static void qp_sizes(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0), srq;
	struct ib_uverbs_create_qp in = qp_request(pd, cq, QPT_RC);
	struct ib_uverbs_create_qp_resp out;
	uint32_t *const sizes[] = {
		&in.max_send_wr, &in.max_recv_wr, &in.max_send_sge, &in.max_recv_sge,
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint32_t sane = *sizes[i];

		*sizes[i] = 0xffffffff;
		CHECK_FAILS(try_qp(client.fd, &in, &out), EINVAL);
		*sizes[i] = 0x80000000;
		CHECK_FAILS(try_qp(client.fd, &in, &out), EINVAL);
		*sizes[i] = sane;
	}
	CHECK_FAILS(try_srq(client.fd, pd, 0xffffffff, 0, &srq), EINVAL);
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, new_pd(client.fd)));
}

const struct test_case number_cases[] = {
	{ "mr-wraps", mr_wraps },
	{ "poll-huge", poll_huge },
	{ "send-wraps", send_wraps },
	{ "sge-wraps", sge_wraps },
	{ "receive-wraps", receive_wraps },
	{ "cqe-zero", cqe_zero },
	{ "qp-sizes", qp_sizes },
	{}
};
