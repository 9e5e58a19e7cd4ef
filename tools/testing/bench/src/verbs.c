// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "verbs.h"

#include <fcntl.h>
#include <infiniband/verbs.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "check.h"

enum {
	MAX_ATTRS = 16,
	INLINE_BYTES = 8,
	CQ_ENTRIES = 15,
	QUEUE_ENTRIES = 16,
};

/* --- ioctl */

struct call {
	struct ib_uverbs_ioctl_hdr hdr;
	struct ib_uverbs_attr attrs[MAX_ATTRS];
};

static void call_init(struct call *call, uint16_t object, uint16_t method)
{
	call->hdr = (struct ib_uverbs_ioctl_hdr){
		.object_id = object,
		.method_id = method,
		.driver_id = RDMA_DRIVER_UNKNOWN,
	};
}

static struct ib_uverbs_attr *attr(struct call *call, uint16_t id, uint16_t len)
{
	struct ib_uverbs_attr *attr = &call->attrs[call->hdr.num_attrs++];

	*attr = (struct ib_uverbs_attr){
		.attr_id = id,
		.len = len,
		.flags = UVERBS_ATTR_F_MANDATORY,
	};
	return attr;
}

static void attr_in(struct call *call, uint16_t id, const void *bytes, uint16_t len)
{
	struct ib_uverbs_attr *in = attr(call, id, len);

	if (len <= INLINE_BYTES)
		memcpy(&in->data, bytes, len);
	else
		in->data = (uintptr_t)bytes;
}

static void attr_out(struct call *call, uint16_t id, void *bytes, uint16_t len)
{
	attr(call, id, len)->data = (uintptr_t)bytes;
}

static void attr_u32(struct call *call, uint16_t id, uint32_t value)
{
	attr_in(call, id, &value, sizeof(value));
}

static void attr_u64(struct call *call, uint16_t id, uint64_t value)
{
	attr_in(call, id, &value, sizeof(value));
}

/* A handle or a file descriptor. */
static void attr_id(struct call *call, uint16_t id, int64_t value)
{
	attr(call, id, 0)->data_s64 = value;
}

static void call_do(const struct context *context, struct call *call)
{
	call->hdr.length = sizeof(call->hdr) + call->hdr.num_attrs * sizeof(call->attrs[0]);
	CHECK_OK(ioctl(context->fd, RDMA_VERBS_IOCTL, call));
}

/* The new handle is in the call's first attribute. */
static uint32_t call_create(const struct context *context, struct call *call)
{
	call_do(context, call);
	return call->attrs[0].data;
}

static void destroy(const struct context *context, uint16_t object, uint16_t method,
		    uint32_t handle)
{
	struct call call;

	call_init(&call, object, method);
	attr_id(&call, 0, handle);
	call_do(context, &call);
}

/* As above, for what reports how many events it had. */
static void destroy_with_events(const struct context *context, uint16_t object, uint16_t method,
				uint32_t handle, uint16_t response_size)
{
	uint8_t response[16];
	struct call call;

	call_init(&call, object, method);
	attr_id(&call, 0, handle);
	attr_out(&call, 1, response, response_size);
	call_do(context, &call);
}

/* A command of write(), in an ioctl. */
static void invoke(const struct context *context, uint64_t command, const void *request,
		   uint16_t request_size, void *response, uint16_t response_size)
{
	struct call call;

	call_init(&call, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE);
	attr_in(&call, UVERBS_ATTR_CORE_IN, request, request_size);
	if (response_size)
		attr_out(&call, UVERBS_ATTR_CORE_OUT, response, response_size);
	attr_u64(&call, UVERBS_ATTR_WRITE_CMD, command);
	call_do(context, &call);
}

/* --- contexts */

struct context context_open(const char *path)
{
	struct context context = { .fd = CHECK_OK(open(path, O_RDWR | O_CLOEXEC)) };
	uint32_t num_comp_vectors;
	uint64_t core_support;
	struct call call;

	call_init(&call, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT);
	attr_out(&call, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, &num_comp_vectors,
		 sizeof(num_comp_vectors));
	attr_out(&call, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, &core_support, sizeof(core_support));
	call_do(&context, &call);

	call_init(&call, UVERBS_OBJECT_ASYNC_EVENT, UVERBS_METHOD_ASYNC_EVENT_ALLOC);
	attr_id(&call, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, 0);
	context.async_fd = call_create(&context, &call);
	return context;
}

void context_close(const struct context *context)
{
	CHECK_OK(close(context->async_fd));
	CHECK_OK(close(context->fd));
}

/* --- protection domains and memory */

uint32_t pd_alloc(const struct context *context)
{
	struct ib_uverbs_alloc_pd request = {};
	struct ib_uverbs_alloc_pd_resp response;

	invoke(context, IB_USER_VERBS_CMD_ALLOC_PD, &request, sizeof(request), &response,
	       sizeof(response));
	return response.pd_handle;
}

void pd_dealloc(const struct context *context, uint32_t pd)
{
	destroy(context, UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, pd);
}

uint32_t mr_reg(const struct context *context, uint32_t pd, void *memory, uint64_t length)
{
	struct ib_uverbs_reg_mr request = {
		.start = (uintptr_t)memory,
		.length = length,
		.hca_va = (uintptr_t)memory,
		.pd_handle = pd,
		.access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
				IBV_ACCESS_REMOTE_WRITE,
	};
	struct ib_uverbs_reg_mr_resp response;

	invoke(context, IB_USER_VERBS_CMD_REG_MR, &request, sizeof(request), &response,
	       sizeof(response));
	return response.mr_handle;
}

void mr_dereg(const struct context *context, uint32_t mr)
{
	destroy(context, UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY, mr);
}

/* --- queues */

uint32_t cq_create(const struct context *context)
{
	uint32_t entries;
	struct call call;

	call_init(&call, UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE);
	attr_id(&call, UVERBS_ATTR_CREATE_CQ_HANDLE, 0);
	attr_out(&call, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &entries, sizeof(entries));
	attr_u32(&call, UVERBS_ATTR_CREATE_CQ_CQE, CQ_ENTRIES);
	attr_u64(&call, UVERBS_ATTR_CREATE_CQ_USER_HANDLE, 0);
	attr_u32(&call, UVERBS_ATTR_CREATE_CQ_COMP_VECTOR, 0);
	attr_id(&call, UVERBS_ATTR_CREATE_CQ_EVENT_FD, context->async_fd);
	return call_create(context, &call);
}

void cq_destroy(const struct context *context, uint32_t cq)
{
	destroy_with_events(context, UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_DESTROY, cq,
			    sizeof(struct ib_uverbs_destroy_cq_resp));
}

uint32_t srq_create(const struct context *context, uint32_t pd)
{
	uint32_t max_wr, max_sge;
	struct call call;

	call_init(&call, UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_CREATE);
	attr_id(&call, UVERBS_ATTR_CREATE_SRQ_HANDLE, 0);
	attr_id(&call, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE, pd);
	attr_u64(&call, UVERBS_ATTR_CREATE_SRQ_USER_HANDLE, 0);
	attr_u32(&call, UVERBS_ATTR_CREATE_SRQ_MAX_WR, QUEUE_ENTRIES);
	attr_u32(&call, UVERBS_ATTR_CREATE_SRQ_MAX_SGE, 1);
	attr_u32(&call, UVERBS_ATTR_CREATE_SRQ_LIMIT, 0);
	attr_u64(&call, UVERBS_ATTR_CREATE_SRQ_TYPE, IB_UVERBS_SRQT_BASIC);
	attr_id(&call, UVERBS_ATTR_CREATE_SRQ_EVENT_FD, context->async_fd);
	attr_out(&call, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &max_wr, sizeof(max_wr));
	attr_out(&call, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, &max_sge, sizeof(max_sge));
	return call_create(context, &call);
}

void srq_destroy(const struct context *context, uint32_t srq)
{
	destroy_with_events(context, UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_DESTROY, srq,
			    sizeof(struct ib_uverbs_destroy_srq_resp));
}

uint32_t qp_create(const struct context *context, uint32_t pd, uint32_t cq)
{
	struct ib_uverbs_qp_cap got, cap = {
		.max_send_wr = QUEUE_ENTRIES,
		.max_recv_wr = QUEUE_ENTRIES,
		.max_send_sge = 1,
		.max_recv_sge = 1,
	};
	struct call call;
	uint32_t qpn;

	call_init(&call, UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE);
	attr_id(&call, UVERBS_ATTR_CREATE_QP_HANDLE, 0);
	attr_u64(&call, UVERBS_ATTR_CREATE_QP_TYPE, IB_UVERBS_QPT_RC);
	attr_u64(&call, UVERBS_ATTR_CREATE_QP_USER_HANDLE, 0);
	attr_in(&call, UVERBS_ATTR_CREATE_QP_CAP, &cap, sizeof(cap));
	attr_id(&call, UVERBS_ATTR_CREATE_QP_EVENT_FD, context->async_fd);
	attr_id(&call, UVERBS_ATTR_CREATE_QP_PD_HANDLE, pd);
	attr_id(&call, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE, cq);
	attr_id(&call, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE, cq);
	attr_out(&call, UVERBS_ATTR_CREATE_QP_RESP_CAP, &got, sizeof(got));
	attr_out(&call, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, &qpn, sizeof(qpn));
	return call_create(context, &call);
}

void qp_to_init(const struct context *context, uint32_t qp)
{
	struct ib_uverbs_modify_qp request = {
		.qp_handle = qp,
		.attr_mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS,
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
	};

	invoke(context, IB_USER_VERBS_CMD_MODIFY_QP, &request, sizeof(request), NULL, 0);
}

void qp_query(const struct context *context, uint32_t qp)
{
	struct ib_uverbs_query_qp request = { .qp_handle = qp, .attr_mask = IBV_QP_STATE };
	struct ib_uverbs_query_qp_resp response;

	invoke(context, IB_USER_VERBS_CMD_QUERY_QP, &request, sizeof(request), &response,
	       sizeof(response));
	CHECK_EQ(response.qp_state, IBV_QPS_INIT);
}

void qp_destroy(const struct context *context, uint32_t qp)
{
	destroy_with_events(context, UVERBS_OBJECT_QP, UVERBS_METHOD_QP_DESTROY, qp,
			    sizeof(struct ib_uverbs_destroy_qp_resp));
}

/* --- write() */

static void command(const struct context *context, void *bytes, size_t size, uint32_t number,
		    size_t response_size)
{
	struct ib_uverbs_cmd_hdr *hdr = bytes;

	hdr->command = number;
	hdr->in_words = size / 4;
	hdr->out_words = response_size / 4;
	CHECK_EQ(write(context->fd, bytes, size), (ssize_t)size);
}

uint32_t pd_alloc_by_write(const struct context *context)
{
	struct ib_uverbs_alloc_pd_resp response;
	struct {
		struct ib_uverbs_cmd_hdr hdr;
		struct ib_uverbs_alloc_pd core;
	} request = { .core.response = (uintptr_t)&response };

	command(context, &request, sizeof(request), IB_USER_VERBS_CMD_ALLOC_PD, sizeof(response));
	return response.pd_handle;
}

void pd_dealloc_by_write(const struct context *context, uint32_t pd)
{
	struct {
		struct ib_uverbs_cmd_hdr hdr;
		struct ib_uverbs_dealloc_pd core;
	} request = { .core.pd_handle = pd };

	command(context, &request, sizeof(request), IB_USER_VERBS_CMD_DEALLOC_PD, 0);
}
