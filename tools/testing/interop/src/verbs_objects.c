// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "uverbs.h"

/* Contexts and objects, by commands. */

int command_with_room(int fd, uint32_t number, const void *in, size_t in_len, void *out,
		      size_t out_len, struct driver_room *room)
{
	*room = (struct driver_room){};
	return command_send(fd, &(struct command){
		.number = number, .in = in, .in_len = in_len, .out = out, .out_len = out_len,
		.driver_out = room, .driver_out_len = sizeof(*room),
	});
}

int open_device(void)
{
	return CHECK_OK(open(device_path(), O_RDWR | O_CLOEXEC));
}

int get_context(int fd, struct client *client)
{
	struct ib_uverbs_get_context in = {};
	struct ib_uverbs_get_context_resp out = {};
	struct driver_room room;
	int ret = command_with_room(fd, IB_USER_VERBS_CMD_GET_CONTEXT, &in, sizeof(in), &out,
				    sizeof(out), &room);

	*client = (struct client){
		.fd = fd, .async_fd = out.async_fd, .comp_vectors = out.num_comp_vectors,
		.map_offset = room.words[0],
	};
	return ret;
}

struct client open_client(void)
{
	struct client client;

	CHECK_OK(get_context(open_device(), &client));
	return client;
}

void close_client(struct client *client)
{
	CHECK_OK(close(client->async_fd));
	CHECK_OK(close(client->fd));
}

int try_pd(int fd, uint32_t *handle)
{
	struct ib_uverbs_alloc_pd in = {};
	struct ib_uverbs_alloc_pd_resp out = {};
	int ret = COMMAND(fd, IB_USER_VERBS_CMD_ALLOC_PD, &in, &out);

	*handle = out.pd_handle;
	return ret;
}

int try_mr(int fd, uint32_t pd, uint64_t address, uint64_t length, uint32_t access,
	   struct ib_uverbs_reg_mr_resp *resp)
{
	struct ib_uverbs_reg_mr in = {
		.start = address, .length = length, .hca_va = address, .pd_handle = pd,
		.access_flags = access,
	};

	memset(resp, 0, sizeof(*resp));
	return COMMAND(fd, IB_USER_VERBS_CMD_REG_MR, &in, resp);
}

int try_mw(int fd, uint32_t pd, uint32_t *handle)
{
	struct ib_uverbs_alloc_mw in = { .pd_handle = pd, .mw_type = 1 };
	struct ib_uverbs_alloc_mw_resp out = {};
	int ret = COMMAND(fd, IB_USER_VERBS_CMD_ALLOC_MW, &in, &out);

	*handle = out.mw_handle;
	return ret;
}

int try_channel(int fd, int *channel)
{
	struct ib_uverbs_create_comp_channel in = {};
	struct ib_uverbs_create_comp_channel_resp out = {};
	int ret = COMMAND(fd, IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL, &in, &out);

	*channel = out.fd;
	return ret;
}

int try_cq(int fd, uint32_t cqe, int channel, uint64_t user_handle, uint32_t *handle)
{
	struct ib_uverbs_create_cq in = {
		.cqe = cqe, .comp_channel = channel, .user_handle = user_handle,
	};
	struct ib_uverbs_create_cq_resp out = {};
	int ret = COMMAND_WITH_ROOM(fd, IB_USER_VERBS_CMD_CREATE_CQ, &in, &out);

	*handle = out.cq_handle;
	return ret;
}

int try_srq(int fd, uint32_t pd, uint32_t max_wr, uint64_t user_handle, uint32_t *handle)
{
	struct ib_uverbs_create_srq in = {
		.pd_handle = pd, .max_wr = max_wr, .max_sge = 1, .user_handle = user_handle,
	};
	struct ib_uverbs_create_srq_resp out = {};
	int ret = COMMAND_WITH_ROOM(fd, IB_USER_VERBS_CMD_CREATE_SRQ, &in, &out);

	*handle = out.srq_handle;
	return ret;
}

/* To the port itself: on InfiniBand by its LID, which is 1 there, on Ethernet by its first GID. */
int try_ah(int fd, uint32_t pd, uint32_t *handle)
{
	struct ib_uverbs_create_ah in = {
		.pd_handle = pd,
		.attr = { .port_num = 1, .dlid = 1, .is_global = !device_is_null(),
			  .grh.dgid = { 0xfe, 0x80, [15] = 1 } },
	};
	struct ib_uverbs_create_ah_resp out = {};
	int ret = COMMAND_WITH_ROOM(fd, IB_USER_VERBS_CMD_CREATE_AH, &in, &out);

	*handle = out.ah_handle;
	return ret;
}

int try_xrcd(int fd, int file, int oflags, uint32_t *handle)
{
	struct ib_uverbs_open_xrcd in = { .fd = file, .oflags = oflags };
	struct ib_uverbs_open_xrcd_resp out = {};
	int ret = COMMAND(fd, IB_USER_VERBS_CMD_OPEN_XRCD, &in, &out);

	*handle = out.xrcd_handle;
	return ret;
}

int try_qp(int fd, const struct ib_uverbs_create_qp *in, struct ib_uverbs_create_qp_resp *resp)
{
	memset(resp, 0, sizeof(*resp));
	return COMMAND_WITH_ROOM(fd, IB_USER_VERBS_CMD_CREATE_QP, in, resp);
}

uint32_t new_pd(int fd)
{
	uint32_t pd;

	CHECK_OK(try_pd(fd, &pd));
	return pd;
}

uint32_t new_mr(int fd, uint32_t pd, void *address, size_t length)
{
	struct ib_uverbs_reg_mr_resp resp;

	CHECK_OK(try_mr(fd, pd, (uintptr_t)address, length, 1, &resp));
	return resp.mr_handle;
}

int new_channel(int fd)
{
	int channel;

	CHECK_OK(try_channel(fd, &channel));
	return channel;
}

void *read_until_error(void *fd)
{
	char event[16];
	long ret = read(*(int *)fd, event, sizeof(event)) < 0 ? errno : 0;

	return (void *)ret;
}

uint32_t new_cq(int fd, int channel, uint64_t user_handle)
{
	uint32_t cq;

	CHECK_OK(try_cq(fd, 16, channel, user_handle, &cq));
	return cq;
}

uint32_t new_srq(int fd, uint32_t pd, uint64_t user_handle)
{
	uint32_t srq;

	CHECK_OK(try_srq(fd, pd, 16, user_handle, &srq));
	return srq;
}

struct ib_uverbs_create_qp qp_request(uint32_t pd, uint32_t cq, uint8_t type)
{
	return (struct ib_uverbs_create_qp){
		.user_handle = 0x1234567890,
		.pd_handle = pd, .send_cq_handle = cq, .recv_cq_handle = cq,
		.max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 2, .max_recv_sge = 2,
		.sq_sig_all = 1, .qp_type = type,
	};
}

uint32_t new_qp_number(int fd, uint32_t pd, uint32_t cq, uint8_t type, uint32_t *qpn)
{
	struct ib_uverbs_create_qp in = qp_request(pd, cq, type);
	struct ib_uverbs_create_qp_resp out;

	CHECK_OK(try_qp(fd, &in, &out));
	*qpn = out.qpn;
	return out.qp_handle;
}

uint32_t new_qp(int fd, uint32_t pd, uint32_t cq, uint8_t type)
{
	uint32_t qpn;

	return new_qp_number(fd, pd, cq, type, &qpn);
}

int drop(int fd, uint32_t number, uint32_t handle)
{
	return ORDER(fd, number, &handle);
}

int destroy_cq(int fd, uint32_t handle, struct ib_uverbs_destroy_cq_resp *resp)
{
	struct ib_uverbs_destroy_cq in = { .cq_handle = handle };

	return COMMAND(fd, IB_USER_VERBS_CMD_DESTROY_CQ, &in, resp);
}

int destroy_qp(int fd, uint32_t handle, uint32_t *events)
{
	struct ib_uverbs_destroy_qp in = { .qp_handle = handle };

	return COMMAND(fd, IB_USER_VERBS_CMD_DESTROY_QP, &in, events);
}

int destroy_srq(int fd, uint32_t handle, uint32_t *events)
{
	struct ib_uverbs_destroy_srq in = { .srq_handle = handle };

	return COMMAND(fd, IB_USER_VERBS_CMD_DESTROY_SRQ, &in, events);
}

/* --- states */

enum {
	STATE = 1 << 0, ACCESS_FLAGS = 1 << 3, PKEY_INDEX = 1 << 4, PORT = 1 << 5, QKEY = 1 << 6,
	AV = 1 << 7, PATH_MTU = 1 << 8, TIMEOUT = 1 << 9, RETRY_CNT = 1 << 10, RNR_RETRY = 1 << 11,
	RQ_PSN = 1 << 12, MAX_QP_RD_ATOMIC = 1 << 13, MIN_RNR_TIMER = 1 << 15, SQ_PSN = 1 << 16,
	MAX_DEST_RD_ATOMIC = 1 << 17, DEST_QPN = 1 << 20,
};

static uint32_t mask_to(uint8_t type, uint8_t state)
{
	static const uint32_t datagram[] = {
		[1] = STATE | PKEY_INDEX | PORT | QKEY, [2] = STATE, [3] = STATE | SQ_PSN,
	};
	static const uint32_t connection[] = {
		[1] = STATE | PKEY_INDEX | PORT | ACCESS_FLAGS,
		[2] = STATE | AV | PATH_MTU | DEST_QPN | RQ_PSN | MAX_DEST_RD_ATOMIC |
		      MIN_RNR_TIMER,
		[3] = STATE | TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC,
	};

	return type == QPT_UD ? datagram[state] : connection[state];
}

void raise_qp(int fd, uint32_t handle, uint8_t type, uint32_t qpn, uint8_t state)
{
	struct ib_uverbs_modify_qp in = {
		.qp_handle = handle, .port_num = 1, .qkey = 0x1234, .path_mtu = 3,
		.dest_qp_num = qpn, .qp_access_flags = 1, .max_rd_atomic = 1,
		.max_dest_rd_atomic = 1, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7,
		.min_rnr_timer = 12,
		.dest = { .port_num = 1, .dlid = 1, .is_global = !device_is_null(),
			  .dgid = { 0xfe, 0x80, [15] = 1 } },
	};

	for (in.qp_state = 1; in.qp_state <= state; in.qp_state++) {
		in.attr_mask = mask_to(type, in.qp_state);
		CHECK_OK(ORDER(fd, IB_USER_VERBS_CMD_MODIFY_QP, &in));
	}
}

void reset_qp(int fd, uint32_t handle)
{
	struct ib_uverbs_modify_qp in = { .qp_handle = handle, .attr_mask = STATE };

	CHECK_OK(ORDER(fd, IB_USER_VERBS_CMD_MODIFY_QP, &in));
}
