// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cases.h"
#include "check.h"
#include "uverbs.h"

/*
 * Every byte of a response is one that the kernel has written on purpose. Where there was none, it
 * has the caller's, or zero; never what an allocation happened to hold. With slub_debug=P and
 * init_on_alloc=0 that is easily recognized, and it is nowhere else.
 */

enum { MINE = 0xee };

/* What the allocator fills memory with: never used yet, freed, and the last byte of it. */
static bool is_poison(unsigned char byte)
{
	return byte == 0x5a || byte == 0x6b || byte == 0xa5;
}

/* One such byte may be chance; in a number that is counted up, even two. */
static void inspect(const char *what, const void *data, size_t len)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i + 3 <= len; i++)
		CHECK(!is_poison(bytes[i]) || bytes[i + 1] != bytes[i] || bytes[i + 2] != bytes[i],
		      "%s: bytes %zu and following of the answer are 0x%02x", what, i, bytes[i]);
}

/* Sends a command with room for the driver's answer, and looks at all that comes back. */
static int ask(int fd, const char *what, uint32_t number, const void *in, size_t in_len, void *out,
	       size_t out_len)
{
	unsigned char room[64];
	int ret;

	memset(out, MINE, out_len);
	memset(room, MINE, sizeof(room));
	ret = command_send(fd, &(struct command){
		.number = number, .in = in, .in_len = in_len, .out = out, .out_len = out_len,
		.driver_out = room, .driver_out_len = sizeof(room),
	});
	inspect(what, out, out_len);
	inspect(what, room, sizeof(room));
	return ret;
}

#define ASK(fd, number, in, out) ask(fd, #number, number, in, sizeof(*(in)), out, sizeof(*(out)))

/* Freed memory of all sizes lies about. */
static void litter(int fd)
{
	uint32_t pd = new_pd(fd), cq = new_cq(fd, -1, 0), handles[16], events;
	struct ib_uverbs_destroy_cq_resp last;

	for (int i = 0; i < 16; i++)
		handles[i] = new_qp(fd, pd, cq, QPT_RC);
	for (int i = 0; i < 16; i++)
		CHECK_OK(destroy_qp(fd, handles[i], &events));
	CHECK_OK(destroy_cq(fd, cq, &last));
	CHECK_OK(drop(fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd));
}

static void bytes_of_queries(void)
{
	struct client client = open_client();
	struct ib_uverbs_query_device device_in = {};
	struct ib_uverbs_query_device_resp device;
	struct ib_uverbs_ex_query_device ex_in = {};
	struct ib_uverbs_ex_query_device_resp ex;
	struct ib_uverbs_query_port port_in = { .port_num = 1 };
	struct ib_uverbs_query_port_resp port;

	litter(client.fd);
	CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_QUERY_DEVICE, &device_in, &device));
	CHECK_EQ(device.reserved[0] | device.reserved[3], 0);
	CHECK_OK(command_send(client.fd, &(struct command){
		.number = EXTENDED(IB_USER_VERBS_EX_CMD_QUERY_DEVICE), .in = &ex_in,
		.in_len = sizeof(ex_in), .out = memset(&ex, MINE, sizeof(ex)),
		.out_len = sizeof(ex),
	}));
	inspect("the extended query", &ex, sizeof(ex));
	CHECK_EQ(ex.reserved | ex.odp_caps.reserved, 0);
	CHECK_EQ(ex.rss_caps.reserved | ex.tm_caps.reserved, 0);
	CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_QUERY_PORT, &port_in, &port));
	CHECK_EQ(port.reserved, 0);
}

static void bytes_of_memory(void)
{
	struct client client = open_client();
	char *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ib_uverbs_alloc_pd pd_in = {};
	struct ib_uverbs_alloc_pd_resp pd;
	struct ib_uverbs_reg_mr mr_in = {
		.start = (uintptr_t)memory, .hca_va = (uintptr_t)memory, .length = 8192,
		.access_flags = 1,
	};
	struct ib_uverbs_reg_mr_resp mr;
	struct ib_uverbs_rereg_mr rereg_in = { .flags = 4, .access_flags = 1 };
	struct ib_uverbs_rereg_mr_resp rereg;
	struct ib_uverbs_alloc_mw mw_in = { .mw_type = 1 };
	struct ib_uverbs_alloc_mw_resp mw;

	litter(client.fd);
	CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_ALLOC_PD, &pd_in, &pd));
	mr_in.pd_handle = mw_in.pd_handle = pd.pd_handle;
	CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_REG_MR, &mr_in, &mr));
	rereg_in.mr_handle = mr.mr_handle;
	CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_REREG_MR, &rereg_in, &rereg));
	CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_ALLOC_MW, &mw_in, &mw));
}

static void bytes_of_paths(void)
{
	struct client client = open_client();
	struct ib_uverbs_create_ah in = {
		.pd_handle = new_pd(client.fd),
		.attr = { .port_num = 1, .dlid = 1, .is_global = !device_is_null(),
			  .grh.dgid = { 0xfe, 0x80, [15] = 1 } },
	};
	struct ib_uverbs_create_ah_resp out;

	for (int i = 0; i < 16; i++) {
		litter(client.fd);
		CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_CREATE_AH, &in, &out));
		CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DESTROY_AH, out.ah_handle));
	}
}

static void bytes_of_queues(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd);
	struct ib_uverbs_create_cq cq_in = { .cqe = 10, .comp_channel = -1 };
	struct ib_uverbs_create_cq_resp cq;
	struct ib_uverbs_resize_cq resize_in = { .cqe = 20 };
	struct ib_uverbs_resize_cq_resp resize;
	struct ib_uverbs_create_srq srq_in = { .pd_handle = pd, .max_wr = 4, .max_sge = 1 };
	struct ib_uverbs_create_srq_resp srq;
	struct ib_uverbs_query_srq query_in = {};
	struct ib_uverbs_query_srq_resp query;

	litter(client.fd);
	CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_CREATE_CQ, &cq_in, &cq));
	resize_in.cq_handle = cq.cq_handle;
	CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_RESIZE_CQ, &resize_in, &resize));
	CHECK_EQ(resize.reserved, 0);
	CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_CREATE_SRQ, &srq_in, &srq));
	query_in.srq_handle = srq.srq_handle;
	CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_QUERY_SRQ, &query_in, &query));
	CHECK_EQ(query.reserved, 0);
}

static void bytes_of_qps(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0);
	struct ib_uverbs_create_qp in = qp_request(pd, cq, QPT_RC);
	struct ib_uverbs_create_qp_resp out;
	struct ib_uverbs_query_qp query_in = { .attr_mask = 0x1fffff };
	struct ib_uverbs_query_qp_resp query;
	struct ib_uverbs_destroy_qp last_in = {};
	struct ib_uverbs_destroy_qp_resp last;

	litter(client.fd);
	CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_CREATE_QP, &in, &out));
	CHECK_EQ(out.reserved, 0);
	query_in.qp_handle = last_in.qp_handle = out.qp_handle;
	for (uint8_t state = 0; state <= 3; state++) {
		raise_qp(client.fd, out.qp_handle, QPT_RC, out.qpn, state);
		CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_QUERY_QP, &query_in, &query));
		CHECK_EQ(query.dest.reserved | query.alt_dest.reserved | query.reserved[0], 0);
		reset_qp(client.fd, out.qp_handle);
	}
	CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_DESTROY_QP, &last_in, &last));
}

/* Completions of all kinds of requests, successful and not, into one answer. */
static void bytes_of_completions(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0), qpn;
	uint32_t qp = new_qp_number(client.fd, pd, cq, QPT_RC, &qpn);
	struct {
		struct ib_uverbs_post_send head;
		struct ib_uverbs_send_wr wr[3];
	} in = {
		.head = { .qp_handle = qp, .wr_count = 3, .wqe_size = sizeof(in.wr[0]) },
		.wr = { { .opcode = IB_UVERBS_WR_RDMA_WRITE }, { .opcode = IB_UVERBS_WR_RDMA_READ },
			{ .opcode = IB_UVERBS_WR_SEND } },
	};
	struct ib_uverbs_poll_cq poll_in = { .cq_handle = cq, .ne = 16 };
	struct {
		struct ib_uverbs_poll_cq_resp head;
		struct ib_uverbs_wc wc[16];
	} out;
	uint32_t bad;

	litter(client.fd);
	raise_qp(client.fd, qp, QPT_RC, qpn, 3);
	CHECK_OK(COMMAND(client.fd, IB_USER_VERBS_CMD_POST_SEND, &in, &bad));
	CHECK_OK(ASK(client.fd, IB_USER_VERBS_CMD_POLL_CQ, &poll_in, &out));
	CHECK_EQ(out.head.count, 3);
	CHECK_EQ(out.head.reserved, 0);
	for (int i = 0; i < 3; i++)
		CHECK_EQ(out.wc[i].reserved, 0);
	CHECK(!out.wc[3].wr_id || out.wc[3].wr_id == 0xeeeeeeeeeeeeeeee, "a fourth completion");
}

const struct test_case byte_cases[] = {
	{ "bytes-of-queries", bytes_of_queries },
	{ "bytes-of-memory", bytes_of_memory },
	{ "bytes-of-paths", bytes_of_paths },
	{ "bytes-of-queues", bytes_of_queues },
	{ "bytes-of-qps", bytes_of_qps },
	{ "bytes-of-completions", bytes_of_completions },
	{}
};
