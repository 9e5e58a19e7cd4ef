// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "uverbs.h"

/*
 * Each command as it should be used, with what it answers; and that what depends on an object
 * keeps it: its destruction is refused until then.
 */

enum { LOCAL_WRITE = 1, REMOTE_WRITE = 2, REMOTE_READ = 4 };
enum { REREG_TRANS = 1, REREG_PD = 2, REREG_ACCESS = 4 };
enum { WC_SEND = 0, WC_RECV = 128 };

static void context(void)
{
	int fd = open_device();
	struct client client, again;
	uint32_t pd;

	CHECK_FAILS(try_pd(fd, &pd), EINVAL);
	CHECK_OK(get_context(fd, &client));
	CHECK(client.comp_vectors > 0, "the device has no completion vector");
	CHECK(fcntl(client.async_fd, F_GETFD) & FD_CLOEXEC, "flags of fd %d", client.async_fd);
	CHECK_FAILS(get_context(fd, &again), EINVAL);
	CHECK_OK(try_pd(fd, &pd));
	CHECK_EQ(pd, 0);
	close_client(&client);
}

/* The extended answer begins with all of the other one. */
static void query_device(void)
{
	struct client client = open_client();
	struct ib_uverbs_query_device in = {};
	struct ib_uverbs_query_device_resp out = {};
	struct ib_uverbs_ex_query_device ex_in = {};
	struct ib_uverbs_ex_query_device_resp ex_out = {};

	CHECK_OK(COMMAND(client.fd, IB_USER_VERBS_CMD_QUERY_DEVICE, &in, &out));
	CHECK_EQ(out.phys_port_cnt, 1);
	CHECK(out.node_guid && out.max_qp && out.max_cq && out.max_pd && out.max_sge,
	      "the device has nothing");
	CHECK_OK(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_QUERY_DEVICE), &ex_in, &ex_out));
	CHECK_BYTES(&ex_out.base, &out, sizeof(out));
	CHECK_EQ(ex_out.response_length, sizeof(ex_out));
	ex_in.comp_mask = 1;
	CHECK_FAILS(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_QUERY_DEVICE), &ex_in,
			    &ex_out), EINVAL);
	ex_in = (struct ib_uverbs_ex_query_device){ .reserved = 1 };
	CHECK_FAILS(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_QUERY_DEVICE), &ex_in,
			    &ex_out), EINVAL);
}

static void query_port(void)
{
	struct client client = open_client();
	struct ib_uverbs_query_port in = { .port_num = 1 };
	struct ib_uverbs_query_port_resp out = {};

	CHECK_OK(COMMAND(client.fd, IB_USER_VERBS_CMD_QUERY_PORT, &in, &out));
	CHECK_EQ(out.state, 4);
	CHECK(out.gid_tbl_len && out.pkey_tbl_len && out.link_layer, "the port has nothing");
	in.port_num = 2;
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_QUERY_PORT, &in, &out), EINVAL);
	in.port_num = 0;
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_QUERY_PORT, &in, &out), EINVAL);
}

static void mr(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd);
	uint64_t at = (uintptr_t)mmap(NULL, 16384, PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ib_uverbs_reg_mr skewed = {
		.start = at, .length = 16, .hca_va = at + 1, .pd_handle = pd, .access_flags = 1,
	};
	struct ib_uverbs_reg_mr_resp out;

	CHECK_OK(try_mr(client.fd, pd, at, 16384, LOCAL_WRITE | REMOTE_WRITE, &out));
	CHECK(out.lkey && out.rkey, "a memory region without keys");
	CHECK_FAILS(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd), EBUSY);
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEREG_MR, out.mr_handle));
	CHECK_FAILS(drop(client.fd, IB_USER_VERBS_CMD_DEREG_MR, out.mr_handle), ENOENT);
	CHECK_FAILS(try_mr(client.fd, pd, at, 16384, REMOTE_WRITE, &out), EINVAL);
	CHECK_FAILS(try_mr(client.fd, pd, at, 16384, 1 << 15, &out), EINVAL);
	CHECK_FAILS(try_mr(client.fd, pd + 77, at, 16384, LOCAL_WRITE, &out), ENOENT);
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_REG_MR, &skewed, &out), EINVAL);
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd));
}

/* Protection domain, address and rights change; the handle doesn't. */
static void rereg_mr(void)
{
	struct client client = open_client();
	uint32_t a = new_pd(client.fd), b = new_pd(client.fd);
	char *memory = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	uint32_t mr = new_mr(client.fd, a, memory, 8192);
	struct ib_uverbs_rereg_mr in = { .mr_handle = mr, .pd_handle = b };
	struct ib_uverbs_rereg_mr_resp out = {};

	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_REREG_MR, &in, &out), EINVAL);
	in.flags = 8;
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_REREG_MR, &in, &out), EOPNOTSUPP);
	in.flags = REREG_PD;
	CHECK_OK(COMMAND(client.fd, IB_USER_VERBS_CMD_REREG_MR, &in, &out));
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, a));
	CHECK_FAILS(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, b), EBUSY);
	in.flags = REREG_ACCESS;
	in.access_flags = REMOTE_WRITE;
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_REREG_MR, &in, &out), EINVAL);
	in.access_flags = LOCAL_WRITE | REMOTE_READ;
	CHECK_OK(COMMAND(client.fd, IB_USER_VERBS_CMD_REREG_MR, &in, &out));
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEREG_MR, mr));
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, b));
}

/* Another address means, with this device, another region behind the same handle. */
static void rereg_address(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd);
	char *memory = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	uint32_t mr = new_mr(client.fd, pd, memory, 4096);
	struct ib_uverbs_rereg_mr in = {
		.mr_handle = mr, .flags = REREG_TRANS, .length = 8192,
		.start = (uintptr_t)memory + 4096, .hca_va = (uintptr_t)memory + 4096,
	};
	struct ib_uverbs_rereg_mr_resp out = {};

	CHECK_OK(COMMAND(client.fd, IB_USER_VERBS_CMD_REREG_MR, &in, &out));
	CHECK(out.lkey && out.rkey, "keys %x and %x", out.lkey, out.rkey);
	in.hca_va++;
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_REREG_MR, &in, &out), EINVAL);
	in.start = -4096;
	in.hca_va = in.start;
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_REREG_MR, &in, &out), EINVAL);
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEREG_MR, mr));
	in.start = (uintptr_t)memory;
	in.hca_va = in.start;
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_REREG_MR, &in, &out), ENOENT);
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd));
}

static void mw(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), mw;
	struct ib_uverbs_alloc_mw in = { .pd_handle = pd, .mw_type = 3 };
	struct ib_uverbs_alloc_mw_resp out;

	CHECK_OK(try_mw(client.fd, pd, &mw));
	CHECK_FAILS(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd), EBUSY);
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_ALLOC_MW, &in, &out), EINVAL);
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_MW, mw));
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd));
}

static void cq(void)
{
	struct client client = open_client();
	struct ib_uverbs_create_cq in = { .cqe = 10, .comp_channel = -1 };
	struct ib_uverbs_resize_cq resize = { .cqe = 20 };
	struct ib_uverbs_ex_modify_cq moderate = { .attr_mask = 1, .attr = { 2, 3 } };
	struct ib_uverbs_create_cq_resp out = {};
	struct ib_uverbs_resize_cq_resp resized = {};
	struct ib_uverbs_destroy_cq_resp last = { 7, 7 };

	CHECK_OK(COMMAND_WITH_ROOM(client.fd, IB_USER_VERBS_CMD_CREATE_CQ, &in, &out));
	CHECK(out.cqe >= 10, "room for %u completions", out.cqe);
	moderate.cq_handle = resize.cq_handle = out.cq_handle;
	CHECK_OK(COMMAND_WITH_ROOM(client.fd, IB_USER_VERBS_CMD_RESIZE_CQ, &resize, &resized));
	CHECK(resized.cqe >= 20, "room for %u completions", resized.cqe);
	if (device_is_null()) {
		CHECK_OK(ORDER(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_MODIFY_CQ), &moderate));
		moderate.attr_mask = 0;
		CHECK_FAILS(ORDER(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_MODIFY_CQ), &moderate),
			    EINVAL);
		moderate.attr_mask = 3;
		CHECK_FAILS(ORDER(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_MODIFY_CQ), &moderate),
			    EOPNOTSUPP);
	}
	CHECK_OK(destroy_cq(client.fd, out.cq_handle, &last));
	CHECK_EQ(last.comp_events_reported, 0);
	CHECK_EQ(last.async_events_reported, 0);
	in.comp_vector = client.comp_vectors;
	CHECK_FAILS(COMMAND_WITH_ROOM(client.fd, IB_USER_VERBS_CMD_CREATE_CQ, &in, &out), EINVAL);
	in.comp_vector = 0;
	in.comp_channel = client.fd;
	CHECK_FAILS(COMMAND_WITH_ROOM(client.fd, IB_USER_VERBS_CMD_CREATE_CQ, &in, &out), EBADF);
}

static int create_cq(int fd, const struct ib_uverbs_ex_create_cq *in,
		     struct ib_uverbs_ex_create_cq_resp *out)
{
	return COMMAND_WITH_ROOM(fd, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_CQ), in, out);
}

static void ex_cq(void)
{
	struct client client = open_client();
	struct ib_uverbs_ex_create_cq in = { .cqe = 10, .comp_channel = -1 };
	struct ib_uverbs_ex_create_cq_resp out = {};
	struct ib_uverbs_destroy_cq_resp last;

	CHECK_OK(create_cq(client.fd, &in, &out));
	CHECK_EQ(out.response_length, sizeof(out));
	CHECK_OK(destroy_cq(client.fd, out.base.cq_handle, &last));
	in.comp_mask = 1;
	CHECK_FAILS(create_cq(client.fd, &in, &out), EINVAL);
	in.comp_mask = 0;
	in.reserved = 1;
	CHECK_FAILS(create_cq(client.fd, &in, &out), EINVAL);
}

static void srq(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), srq = new_srq(client.fd, pd, 5), events = 7;
	struct ib_uverbs_modify_srq limit = { .srq_handle = srq, .attr_mask = 2, .srq_limit = 3 };
	struct ib_uverbs_query_srq in = { .srq_handle = srq };
	struct ib_uverbs_query_srq_resp out = {};

	CHECK_OK(ORDER(client.fd, IB_USER_VERBS_CMD_MODIFY_SRQ, &limit));
	CHECK_OK(COMMAND(client.fd, IB_USER_VERBS_CMD_QUERY_SRQ, &in, &out));
	CHECK_EQ(out.srq_limit, 3);
	CHECK(out.max_wr >= 16 && out.max_sge >= 1, "%u entries", out.max_wr);
	CHECK_FAILS(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd), EBUSY);
	CHECK_OK(destroy_srq(client.fd, srq, &events));
	CHECK_EQ(events, 0);
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd));
}

static void check_qp_query(int fd, uint32_t qp, uint8_t state, uint32_t qpn)
{
	struct ib_uverbs_query_qp in = { .qp_handle = qp, .attr_mask = 0x1fffff };
	struct ib_uverbs_query_qp_resp out = {};

	CHECK_OK(COMMAND(fd, IB_USER_VERBS_CMD_QUERY_QP, &in, &out));
	CHECK_EQ(out.qp_state, state);
	CHECK_EQ(out.port_num, 1);
	CHECK_EQ(out.dest_qp_num, qpn);
	CHECK(out.max_send_wr >= 8 && out.max_send_sge >= 2, "%u sends", out.max_send_wr);
}

static void qp(void)
{
	static const uint8_t types[] = { QPT_RC, QPT_UC };
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0), handle, qpn, events = 7;
	struct ib_uverbs_destroy_cq_resp last;

	for (size_t i = 0; i < sizeof(types); i++) {
		if (types[i] == QPT_UC && !device_is_null())
			continue;
		handle = new_qp_number(client.fd, pd, cq, types[i], &qpn);
		CHECK_FAILS(destroy_cq(client.fd, cq, &last), EBUSY);
		CHECK_FAILS(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd), EBUSY);
		if (types[i] == QPT_RC) {
			raise_qp(client.fd, handle, QPT_RC, qpn, 3);
			check_qp_query(client.fd, handle, 3, qpn);
		}
		CHECK_OK(destroy_qp(client.fd, handle, &events));
		CHECK_EQ(events, 0);
	}
	CHECK_OK(destroy_cq(client.fd, cq, &last));
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd));
}

static int create_qp(int fd, const struct ib_uverbs_ex_create_qp *in,
		     struct ib_uverbs_ex_create_qp_resp *out)
{
	return COMMAND_WITH_ROOM(fd, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_QP), in, out);
}

static void ex_qp(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0), events;
	struct ib_uverbs_ex_create_qp in = {
		.pd_handle = pd, .send_cq_handle = cq, .recv_cq_handle = cq, .max_send_wr = 8,
		.max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1, .qp_type = QPT_RC,
	};
	struct ib_uverbs_ex_modify_qp modify = {
		.base = { .attr_mask = 0x39, .qp_state = 1, .port_num = 1 },
	};
	struct ib_uverbs_ex_modify_qp_resp modified = {};
	struct ib_uverbs_ex_create_qp_resp out = {};

	CHECK_OK(create_qp(client.fd, &in, &out));
	CHECK_EQ(out.response_length, sizeof(out));
	modify.base.qp_handle = out.base.qp_handle;
	CHECK_OK(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_MODIFY_QP), &modify, &modified));
	CHECK_EQ(modified.response_length, sizeof(modified));
	modify.base.attr_mask = 1 << 26;
	CHECK_FAILS(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_MODIFY_QP), &modify,
			    &modified), EOPNOTSUPP);
	CHECK_OK(destroy_qp(client.fd, out.base.qp_handle, &events));
	in.comp_mask = 2;
	CHECK_FAILS(create_qp(client.fd, &in, &out), EINVAL);
	in.comp_mask = 0;
	in.create_flags = 1 << 31;
	CHECK_FAILS(create_qp(client.fd, &in, &out), EINVAL);
}

/* A type that user space may not have, or that doesn't exist. */
static void qp_types(void)
{
	static const uint8_t types[] = { 0, 1, 5, 6, 7, 11, 12, 200, 0xfe };
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0);
	struct ib_uverbs_create_qp in = qp_request(pd, cq, 0);
	struct ib_uverbs_create_qp_resp out;

	for (size_t i = 0; i < sizeof(types); i++) {
		in.qp_type = types[i];
		CHECK_FAILS(try_qp(client.fd, &in, &out), EINVAL);
	}
	/* Raw packets take a privilege, which goes with the user, and with him goes write(). */
	CHECK_OK(setuid(1000));
	in.qp_type = 8;
	CHECK_FAILS(try_qp(client.fd, &in, &out), road == BY_WRITE ? EACCES : EPERM);
}

/* --- work requests, of devices whose queues are in the kernel */

struct sends {
	struct ib_uverbs_post_send head;
	struct ib_uverbs_send_wr wr[2];
	struct ib_uverbs_sge sge[2];
};

struct receives {
	struct ib_uverbs_post_recv head;
	struct ib_uverbs_recv_wr wr[2];
	struct ib_uverbs_sge sge[2];
};

struct completions {
	struct ib_uverbs_poll_cq_resp head;
	struct ib_uverbs_wc wc[16];
};

static struct receives receives_for(uint32_t handle)
{
	return (struct receives){
		.head = { .qp_handle = handle, .wr_count = 2, .sge_count = 2,
			  .wqe_size = sizeof(struct ib_uverbs_recv_wr) },
		.wr = { { .wr_id = 101, .num_sge = 1 }, { .wr_id = 102, .num_sge = 1 } },
		.sge = { { .length = 4096 }, { .length = 4096 } },
	};
}

static struct sends sends_for(uint32_t handle)
{
	return (struct sends){
		.head = { .qp_handle = handle, .wr_count = 2, .sge_count = 2,
			  .wqe_size = sizeof(struct ib_uverbs_send_wr) },
		.wr = { { .wr_id = 201, .num_sge = 1, .opcode = IB_UVERBS_WR_SEND },
			{ .wr_id = 202, .num_sge = 1, .opcode = IB_UVERBS_WR_SEND_WITH_IMM,
			  .ex.imm_data = 0x12345678 } },
		.sge = { { .length = 100 }, { .length = 200 } },
	};
}

static int poll(int fd, uint32_t cq, uint32_t ne, struct completions *out)
{
	struct ib_uverbs_poll_cq in = { .cq_handle = cq, .ne = ne };

	memset(out, 0, sizeof(*out));
	return COMMAND(fd, IB_USER_VERBS_CMD_POLL_CQ, &in, out);
}

static void check_wc(const struct ib_uverbs_wc *wc, uint64_t id, uint32_t opcode, uint32_t qpn)
{
	CHECK_EQ(wc->wr_id, id);
	CHECK_EQ(wc->status, 0);
	CHECK_EQ(wc->opcode, opcode);
	CHECK_EQ(wc->qp_num, qpn);
}

/* Two sends of a connection to itself: each is received before it has been sent. */
static void post(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0), qpn, bad = 7;
	uint32_t qp = new_qp_number(client.fd, pd, cq, QPT_RC, &qpn);
	struct receives receives = receives_for(qp);
	struct sends sends = sends_for(qp);
	struct completions done;

	raise_qp(client.fd, qp, QPT_RC, qpn, 3);
	CHECK_OK(COMMAND(client.fd, IB_USER_VERBS_CMD_POST_RECV, &receives, &bad));
	CHECK_EQ(bad, 0);
	CHECK_OK(COMMAND(client.fd, IB_USER_VERBS_CMD_POST_SEND, &sends, &bad));
	CHECK_EQ(bad, 0);
	CHECK_OK(poll(client.fd, cq, 16, &done));
	CHECK_EQ(done.head.count, 4);
	check_wc(&done.wc[0], 101, WC_RECV, qpn);
	CHECK_EQ(done.wc[0].byte_len, 100);
	check_wc(&done.wc[1], 201, WC_SEND, qpn);
	check_wc(&done.wc[2], 102, WC_RECV, qpn);
	CHECK_EQ(done.wc[2].ex.imm_data, 0x12345678);
	check_wc(&done.wc[3], 202, WC_SEND, qpn);
	CHECK_OK(poll(client.fd, cq, 16, &done));
	CHECK_EQ(done.head.count, 0);
}

/* The second of two requests is bad: the first one has been carried out, and the answer says so. */
static void post_bad(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0), qpn, bad = 7;
	uint32_t qp = new_qp_number(client.fd, pd, cq, QPT_RC, &qpn);
	struct sends sends = sends_for(qp);
	struct completions done;

	raise_qp(client.fd, qp, QPT_RC, qpn, 3);
	sends.wr[0].opcode = sends.wr[1].opcode = IB_UVERBS_WR_RDMA_WRITE;
	null_fail("post_send", 2, ENOSPC);
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_POST_SEND, &sends, &bad), ENOSPC);
	CHECK_EQ(bad, 2);
	CHECK_OK(poll(client.fd, cq, 16, &done));
	CHECK_EQ(done.head.count, 1);
	sends.wr[1].opcode = 77;
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_POST_SEND, &sends, &bad), EINVAL);
	sends.wr[1].opcode = IB_UVERBS_WR_SEND;
	sends.wr[1].num_sge = 2;
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_POST_SEND, &sends, &bad), EINVAL);
	CHECK_OK(poll(client.fd, cq, 16, &done));
	CHECK_EQ(done.head.count, 0);
}

static void post_datagram(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0), srq, ah, bad = 7, qpn;
	struct ib_uverbs_create_qp in = qp_request(pd, cq, QPT_UD);
	struct ib_uverbs_create_qp_resp out;
	struct receives receives;
	struct sends sends;
	struct completions done;

	srq = new_srq(client.fd, pd, 0);
	in.is_srq = 1;
	in.srq_handle = srq;
	CHECK_OK(try_qp(client.fd, &in, &out));
	qpn = out.qpn;
	raise_qp(client.fd, out.qp_handle, QPT_UD, 0, 3);
	receives = receives_for(srq);
	receives.wr[1].num_sge = 0;
	receives.head.sge_count = 1;
	/* More than the counts say. */
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_POST_SRQ_RECV, &receives, &bad),
		    EOPNOTSUPP);
	receives = receives_for(srq);
	CHECK_OK(COMMAND(client.fd, IB_USER_VERBS_CMD_POST_SRQ_RECV, &receives, &bad));
	CHECK_EQ(bad, 0);
	CHECK_OK(try_ah(client.fd, pd, &ah));
	sends = sends_for(out.qp_handle);
	for (int i = 0; i < 2; i++) {
		sends.wr[i].wr.ud.ah = ah;
		sends.wr[i].wr.ud.remote_qpn = qpn;
		sends.wr[i].wr.ud.remote_qkey = 0x1234;
	}
	CHECK_OK(COMMAND(client.fd, IB_USER_VERBS_CMD_POST_SEND, &sends, &bad));
	CHECK_OK(poll(client.fd, cq, 16, &done));
	CHECK_EQ(done.head.count, 4);
	check_wc(&done.wc[0], 101, WC_RECV, qpn);
	CHECK_EQ(done.wc[0].byte_len, 140);
	CHECK_EQ(done.wc[0].src_qp, qpn);
	sends.wr[1].wr.ud.ah = 4711;
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_POST_SEND, &sends, &bad), ENOENT);
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DESTROY_AH, ah));
}

/* --- the rest */

static void ah(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), ah;

	CHECK_OK(try_ah(client.fd, pd, &ah));
	CHECK_FAILS(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd), EBUSY);
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DESTROY_AH, ah));
	CHECK_FAILS(drop(client.fd, IB_USER_VERBS_CMD_DESTROY_AH, ah), ENOENT);
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd));
}

static void multicast(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0), events;
	uint32_t qp = new_qp(client.fd, pd, cq, QPT_UD);
	struct ib_uverbs_attach_mcast in = {
		.gid = { 0xff, 0x12 }, .qp_handle = qp, .mlid = 0xc001,
	};

	CHECK_OK(ORDER(client.fd, IB_USER_VERBS_CMD_ATTACH_MCAST, &in));
	CHECK_OK(ORDER(client.fd, IB_USER_VERBS_CMD_ATTACH_MCAST, &in));
	CHECK_FAILS(destroy_qp(client.fd, qp, &events), EBUSY);
	CHECK_OK(ORDER(client.fd, IB_USER_VERBS_CMD_DETACH_MCAST, &in));
	CHECK_FAILS(ORDER(client.fd, IB_USER_VERBS_CMD_DETACH_MCAST, &in), EINVAL);
	in.gid[0] = 0xfe;
	CHECK_FAILS(ORDER(client.fd, IB_USER_VERBS_CMD_ATTACH_MCAST, &in), EINVAL);
	CHECK_OK(destroy_qp(client.fd, qp, &events));
}

/* A domain is a file's; it is there as long as somebody has it open or something is in it. */
static void xrc_domain(void)
{
	struct client client = open_client(), other = open_client();
	int file = CHECK_OK(open("/tmp/xrcd", O_RDWR | O_CREAT, 0600));
	uint32_t first, second, third;

	CHECK_FAILS(try_xrcd(client.fd, file, 0, &first), EAGAIN);
	CHECK_OK(try_xrcd(client.fd, file, O_CREAT | O_EXCL, &first));
	CHECK_FAILS(try_xrcd(other.fd, file, O_CREAT | O_EXCL, &second), EINVAL);
	CHECK_OK(try_xrcd(other.fd, file, 0, &second));
	CHECK_FAILS(try_xrcd(other.fd, 4711, O_CREAT, &third), EBADF);
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_CLOSE_XRCD, first));
	CHECK_OK(try_xrcd(client.fd, file, 0, &first));
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_CLOSE_XRCD, first));
	CHECK_OK(drop(other.fd, IB_USER_VERBS_CMD_CLOSE_XRCD, second));
	CHECK_FAILS(try_xrcd(client.fd, file, 0, &first), EAGAIN);
	CHECK_OK(try_xrcd(client.fd, -1, 0, &first));
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_CLOSE_XRCD, first));
}

/* A target QP, opened by another process, outlives its maker. */
static void xrc_qp(void)
{
	struct client client = open_client(), other = open_client();
	int file = CHECK_OK(open("/tmp/xrcd", O_RDWR | O_CREAT, 0600));
	struct ib_uverbs_open_qp open_in = { .qp_type = QPT_XRC_TGT };
	struct ib_uverbs_create_qp_resp made, opened;
	struct ib_uverbs_create_qp in;
	uint32_t mine, theirs, events;

	CHECK_OK(try_xrcd(client.fd, file, O_CREAT, &mine));
	CHECK_OK(try_xrcd(other.fd, file, O_CREAT, &theirs));
	in = qp_request(mine, 0, QPT_XRC_TGT);
	CHECK_OK(try_qp(client.fd, &in, &made));
	CHECK_FAILS(drop(client.fd, IB_USER_VERBS_CMD_CLOSE_XRCD, mine), EBUSY);
	open_in.pd_handle = theirs;
	open_in.qpn = made.qpn;
	CHECK_OK(COMMAND(other.fd, IB_USER_VERBS_CMD_OPEN_QP, &open_in, &opened));
	CHECK_EQ(opened.qpn, made.qpn);
	CHECK_OK(destroy_qp(client.fd, made.qp_handle, &events));
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_CLOSE_XRCD, mine));
	open_in.qp_type = QPT_RC;
	CHECK_FAILS(COMMAND(other.fd, IB_USER_VERBS_CMD_OPEN_QP, &open_in, &made), EINVAL);
	open_in.qp_type = QPT_XRC_TGT;
	open_in.qpn++;
	CHECK_FAILS(COMMAND(other.fd, IB_USER_VERBS_CMD_OPEN_QP, &open_in, &made), EINVAL);
	CHECK_OK(destroy_qp(other.fd, opened.qp_handle, &events));
	CHECK_OK(drop(other.fd, IB_USER_VERBS_CMD_CLOSE_XRCD, theirs));
}

static void xrc_srq(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0), xrcd, events;
	struct ib_uverbs_create_xsrq in = {
		.srq_type = 1, .pd_handle = pd, .max_wr = 8, .max_sge = 1, .cq_handle = cq,
	};
	struct ib_uverbs_create_srq_resp out = {};
	struct ib_uverbs_destroy_cq_resp last;

	CHECK_OK(try_xrcd(client.fd, -1, 0, &xrcd));
	in.xrcd_handle = xrcd;
	CHECK_OK(COMMAND(client.fd, IB_USER_VERBS_CMD_CREATE_XSRQ, &in, &out));
	CHECK_FAILS(drop(client.fd, IB_USER_VERBS_CMD_CLOSE_XRCD, xrcd), EBUSY);
	CHECK_FAILS(destroy_cq(client.fd, cq, &last), EBUSY);
	CHECK_OK(destroy_srq(client.fd, out.srq_handle, &events));
	in.srq_type = 9;
	CHECK(COMMAND(client.fd, IB_USER_VERBS_CMD_CREATE_XSRQ, &in, &out) < 0, "an unknown type");
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_CLOSE_XRCD, xrcd));
}

/* Receive queues of their own, a table of them, and a QP that spreads what comes over it. */
static void wq(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0);
	struct ib_uverbs_ex_create_wq in = {
		.pd_handle = pd, .cq_handle = cq, .max_wr = 4, .max_sge = 1,
	};
	struct ib_uverbs_ex_create_wq_resp out = {};
	struct {
		struct ib_uverbs_ex_create_rwq_ind_table head;
		uint32_t handles[2];
	} table = { .head.log_ind_tbl_size = 1 };
	struct ib_uverbs_ex_create_rwq_ind_table_resp made = {};
	struct ib_uverbs_ex_modify_wq modify = { .attr_mask = 1, .wq_state = 1 };
	struct ib_uverbs_ex_destroy_wq last = {};
	struct ib_uverbs_ex_destroy_wq_resp gone = {};
	struct ib_uverbs_ex_destroy_rwq_ind_table end = {};

	for (int i = 0; i < 2; i++) {
		CHECK_OK(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_WQ), &in, &out));
		table.handles[i] = out.wq_handle;
	}
	modify.wq_handle = last.wq_handle = out.wq_handle;
	CHECK_OK(ORDER(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_MODIFY_WQ), &modify));
	CHECK_OK(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL), &table,
			 &made));
	CHECK_EQ(made.response_length, sizeof(made));
	CHECK_FAILS(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_DESTROY_WQ), &last, &gone),
		    EBUSY);
	end.ind_tbl_handle = made.ind_tbl_handle;
	CHECK_OK(ORDER(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_DESTROY_RWQ_IND_TBL), &end));
	CHECK_OK(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_DESTROY_WQ), &last, &gone));
	table.handles[0] = 4711;
	CHECK_FAILS(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL), &table,
			    &made), ENOENT);
	table.head.log_ind_tbl_size = 31;
	CHECK_FAILS(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL), &table,
			    &made), EINVAL);
}

static void flow(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0), events;
	struct {
		struct ib_uverbs_create_flow head;
		struct ib_uverbs_flow_spec_eth eth;
	} in = {
		.head.flow_attr = { .size = sizeof(in.eth), .num_of_specs = 1, .port = 1 },
		.eth = { .type = 0x20, .size = sizeof(in.eth) },
	};
	struct ib_uverbs_create_flow_resp out = {};
	struct ib_uverbs_destroy_flow last = {};

	in.head.qp_handle = new_qp(client.fd, pd, cq, QPT_UD);
	CHECK_OK(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_FLOW), &in, &out));
	CHECK_FAILS(destroy_qp(client.fd, in.head.qp_handle, &events), EBUSY);
	last.flow_handle = out.flow_handle;
	CHECK_OK(ORDER(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_DESTROY_FLOW), &last));
	in.head.flow_attr.num_of_specs = 2;
	CHECK_FAILS(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_FLOW), &in, &out),
		    EINVAL);
	in.head.flow_attr.num_of_specs = 1;
	in.eth.size = 0xffff;
	CHECK_FAILS(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_FLOW), &in, &out),
		    EINVAL);
	CHECK_OK(destroy_qp(client.fd, in.head.qp_handle, &events));
}

const struct test_case command_cases[] = {
	{ "context", context },
	{ "query-device", query_device },
	{ "query-port", query_port },
	{ "mr", mr },
	{ "rereg-mr", rereg_mr },
	{ "rereg-address", rereg_address },
	{ "mw", mw },
	{ "cq", cq },
	{ "ex-cq", ex_cq },
	{ "srq", srq },
	{ "qp", qp },
	{ "ex-qp", ex_qp },
	{ "qp-types", qp_types },
	{ "post", post },
	{ "post-bad", post_bad },
	{ "post-datagram", post_datagram },
	{ "ah", ah },
	{ "multicast", multicast },
	{ "xrc-domain", xrc_domain },
	{ "xrc-qp", xrc_qp },
	{ "xrc-srq", xrc_srq },
	{ "wq", wq },
	{ "flow", flow },
	{}
};
