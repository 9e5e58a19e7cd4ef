// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <fcntl.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "uverbs.h"

/* What only ioctls can do, and what the ioctl itself refuses. */

static struct method context_method(uint32_t *vectors, uint64_t *support)
{
	struct method method = method_of(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT);

	attr_out(&method, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, vectors, sizeof(*vectors));
	attr_out(&method, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, support, sizeof(*support));
	return method;
}

static int get_async_fd(int fd)
{
	struct method method = method_of(UVERBS_OBJECT_ASYNC_EVENT,
					 UVERBS_METHOD_ASYNC_EVENT_ALLOC);
	struct ib_uverbs_attr *attr;

	attr = attr_id(&method, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, 0);
	return method_call(fd, &method) ? -1 : attr->data_s64;
}

static void context_by_method(void)
{
	int fd = open_device(), first, second;
	uint32_t vectors = 0;
	uint64_t support = 0;
	struct method method = context_method(&vectors, &support);

	CHECK_FAILS(get_async_fd(fd), EINVAL);
	CHECK_OK(method_call(fd, &method));
	CHECK(vectors > 0, "the device has no completion vector");
	CHECK_EQ(support, IB_UVERBS_CORE_SUPPORT_OPTIONAL_MR_ACCESS);
	CHECK_FAILS(method_call(fd, &method), EINVAL);
	first = CHECK_OK(get_async_fd(fd));
	second = CHECK_OK(get_async_fd(fd));
	CHECK(first != second, "both files are %d", first);
	CHECK(fcntl(second, F_GETFD) & FD_CLOEXEC, "flags of fd %d", second);
}

static void query_port_by_method(void)
{
	struct client client = open_client();
	struct ib_uverbs_query_port_resp_ex out = {};
	struct method method = method_of(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT);
	struct ib_uverbs_attr *port, *resp;

	port = attr_const(&method, UVERBS_ATTR_QUERY_PORT_PORT_NUM, 1);
	resp = attr_out(&method, UVERBS_ATTR_QUERY_PORT_RESP, &out, sizeof(out));
	CHECK_OK(method_call(client.fd, &method));
	CHECK_EQ(out.legacy_resp.state, 4);
	port->data = 2;
	CHECK_FAILS(method_call(client.fd, &method), EINVAL);
	port->data = 1ULL << 40;
	CHECK_FAILS(method_call(client.fd, &method), EINVAL);
	port->data = 1;
	port->len = 4;
	CHECK_FAILS(method_call(client.fd, &method), EINVAL);
	port->len = 8;
	resp->len = 40;
	CHECK_FAILS(method_call(client.fd, &method), EINVAL);
}

static void gids(void)
{
	struct client client = open_client();
	struct ib_uverbs_gid_entry entries[8] = {}, entry = {};
	uint64_t count = 0;
	struct method table = method_of(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_TABLE);
	struct method one = method_of(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_ENTRY);
	struct ib_uverbs_attr *size, *list, *index, *flags;

	size = attr_const(&table, UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE, sizeof(entry));
	attr_const(&table, UVERBS_ATTR_QUERY_GID_TABLE_FLAGS, 0);
	list = attr_out(&table, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, entries, sizeof(entries));
	attr_out(&table, UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, &count, sizeof(count));
	CHECK_OK(method_call(client.fd, &table));
	CHECK(count >= 1 && count <= 8, "%llu entries", (unsigned long long)count);

	attr_const(&one, UVERBS_ATTR_QUERY_GID_ENTRY_PORT, 1);
	index = attr_const(&one, UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX, 0);
	flags = attr_const(&one, UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS, 0);
	attr_out(&one, UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY, &entry, sizeof(entry));
	CHECK_OK(method_call(client.fd, &one));
	CHECK_BYTES(&entry, &entries[0], sizeof(entry));
	flags->data = 1;
	CHECK_FAILS(method_call(client.fd, &one), EINVAL);
	flags->data = 0;
	index->data = 7;
	CHECK_FAILS(method_call(client.fd, &one), ENODATA);
	index->data = 100000;
	CHECK_FAILS(method_call(client.fd, &one), EINVAL);

	size->data = 0;
	CHECK_FAILS(method_call(client.fd, &table), EINVAL);
	size->data = 1ULL << 63;
	CHECK_FAILS(method_call(client.fd, &table), EINVAL);
	size->data = sizeof(entry);
	list->len = sizeof(entry) + 1;
	CHECK_FAILS(method_call(client.fd, &table), EINVAL);
}

/* --- objects */

static int info_handles(int fd, uint64_t object, uint32_t *list, size_t size, uint32_t *total)
{
	struct method method = method_of(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INFO_HANDLES);

	attr_const(&method, UVERBS_ATTR_INFO_OBJECT_ID, object);
	attr_out(&method, UVERBS_ATTR_INFO_TOTAL_HANDLES, total, sizeof(*total));
	attr_out(&method, UVERBS_ATTR_INFO_HANDLES_LIST, list, size);
	return method_call(fd, &method);
}

static void list_handles(void)
{
	struct client client = open_client();
	uint32_t list[8] = {}, total = 0;

	for (int i = 0; i < 3; i++)
		new_pd(client.fd);
	CHECK_OK(info_handles(client.fd, UVERBS_OBJECT_PD, list, sizeof(list), &total));
	CHECK_EQ(total, 3);
	CHECK_EQ(list[0] + list[1] + list[2], 3);
	CHECK_OK(info_handles(client.fd, UVERBS_OBJECT_CQ, list, sizeof(list), &total));
	CHECK_EQ(total, 0);
	CHECK_OK(info_handles(client.fd, UVERBS_OBJECT_PD, list, 8, &total));
	CHECK_EQ(total, 2);
	CHECK_FAILS(info_handles(client.fd, 77, list, sizeof(list), &total), ENOENT);
}

struct cq_call {
	struct method method;
	struct driver_room room;
	uint32_t cqe;
	struct ib_uverbs_attr *handle, *size, *vector, *flags;
};

static void prepare_cq(struct cq_call *call, int channel, int events)
{
	struct method *method = &call->method;
	uint64_t user_handle = 0xabcdef;

	memset(call, 0, sizeof(*call));
	*method = method_of(UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE);
	call->handle = attr_id(method, UVERBS_ATTR_CREATE_CQ_HANDLE, 0);
	call->size = attr_in(method, UVERBS_ATTR_CREATE_CQ_CQE, &(uint32_t){ 12 }, 4);
	attr_in(method, UVERBS_ATTR_CREATE_CQ_USER_HANDLE, &user_handle, 8);
	call->vector = attr_in(method, UVERBS_ATTR_CREATE_CQ_COMP_VECTOR, &(uint32_t){ 0 }, 4);
	call->flags = attr_in(method, UVERBS_ATTR_CREATE_CQ_FLAGS, &(uint32_t){ 0 }, 4);
	attr_out(method, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &call->cqe, 4);
	attr_out(method, UVERBS_ATTR_UHW_OUT, &call->room, sizeof(call->room));
	if (channel >= 0)
		attr_id(method, UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL, channel);
	if (events >= 0)
		attr_id(method, UVERBS_ATTR_CREATE_CQ_EVENT_FD | OPTIONAL, events);
}

static int destroy_cq_by_method(int fd, uint32_t handle, struct ib_uverbs_destroy_cq_resp *resp)
{
	struct method method = method_of(UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_DESTROY);

	attr_id(&method, UVERBS_ATTR_DESTROY_CQ_HANDLE, handle);
	attr_out(&method, UVERBS_ATTR_DESTROY_CQ_RESP, resp, sizeof(*resp));
	return method_call(fd, &method);
}

static void cq_by_method(void)
{
	struct client client = open_client();
	int channel = new_channel(client.fd), async = CHECK_OK(get_async_fd(client.fd));
	struct ib_uverbs_destroy_cq_resp last = { 7, 7 };
	struct cq_call call;

	prepare_cq(&call, channel, async);
	CHECK_OK(method_call(client.fd, &call.method));
	CHECK(call.cqe >= 12, "room for %u completions", call.cqe);
	CHECK_OK(destroy_cq_by_method(client.fd, call.handle->data, &last));
	CHECK_EQ(last.comp_events_reported + last.async_events_reported, 0);
	CHECK_FAILS(destroy_cq_by_method(client.fd, call.handle->data, &last), ENOENT);

	/* Each of two kinds of files in the other's place; and files of somebody else. */
	prepare_cq(&call, async, -1);
	CHECK_FAILS(method_call(client.fd, &call.method), EBADF);
	prepare_cq(&call, -1, channel);
	CHECK_FAILS(method_call(client.fd, &call.method), EBADF);
	prepare_cq(&call, new_channel(open_client().fd), -1);
	CHECK_FAILS(method_call(client.fd, &call.method), EBADF);
	prepare_cq(&call, 999, -1);
	CHECK_FAILS(method_call(client.fd, &call.method), EBADF);
	prepare_cq(&call, client.fd, -1);
	CHECK_FAILS(method_call(client.fd, &call.method), EBADF);

	prepare_cq(&call, -1, -1);
	call.vector->data = client.comp_vectors;
	CHECK_FAILS(method_call(client.fd, &call.method), EINVAL);
	prepare_cq(&call, -1, -1);
	call.flags->data = 1U << 31;
	CHECK_FAILS(method_call(client.fd, &call.method), EINVAL);
}

struct qp_call {
	struct method method;
	struct driver_room room;
	struct ib_uverbs_qp_cap cap, got;
	uint32_t qpn;
	struct ib_uverbs_attr *handle, *type, *flags, *limits;
};

static void prepare_qp(struct qp_call *call, uint64_t type)
{
	struct method *method = &call->method;
	uint64_t user_handle = 0xabcdef;

	memset(call, 0, sizeof(*call));
	call->cap = (struct ib_uverbs_qp_cap){ 8, 8, 2, 2, 0 };
	*method = method_of(UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE);
	call->handle = attr_id(method, UVERBS_ATTR_CREATE_QP_HANDLE, 0);
	call->type = attr_in(method, UVERBS_ATTR_CREATE_QP_TYPE, &type, 8);
	attr_in(method, UVERBS_ATTR_CREATE_QP_USER_HANDLE, &user_handle, 8);
	call->limits = attr_in(method, UVERBS_ATTR_CREATE_QP_CAP, &call->cap, sizeof(call->cap));
	call->flags = attr_in(method, UVERBS_ATTR_CREATE_QP_FLAGS, &(uint32_t){ 0 }, 4);
	attr_out(method, UVERBS_ATTR_CREATE_QP_RESP_CAP, &call->got, sizeof(call->got));
	attr_out(method, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, &call->qpn, 4);
	attr_out(method, UVERBS_ATTR_UHW_OUT, &call->room, sizeof(call->room));
}

static void give_queues(struct qp_call *call, uint32_t pd, uint32_t cq)
{
	attr_id(&call->method, UVERBS_ATTR_CREATE_QP_PD_HANDLE, pd);
	attr_id(&call->method, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE, cq);
	attr_id(&call->method, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE, cq);
}

static int destroy_qp_by_method(int fd, uint32_t handle)
{
	struct method method = method_of(UVERBS_OBJECT_QP, UVERBS_METHOD_QP_DESTROY);
	uint32_t events;

	attr_id(&method, UVERBS_ATTR_DESTROY_QP_HANDLE, handle);
	attr_out(&method, UVERBS_ATTR_DESTROY_QP_RESP, &events, sizeof(events));
	return method_call(fd, &method);
}

static void qp_by_method(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0);
	struct qp_call call;

	prepare_qp(&call, IB_UVERBS_QPT_RC);
	give_queues(&call, pd, cq);
	CHECK_OK(method_call(client.fd, &call.method));
	CHECK(call.qpn > 1 && call.got.max_send_wr >= 8, "QP %u", call.qpn);
	CHECK_OK(destroy_qp_by_method(client.fd, call.handle->data));

	prepare_qp(&call, IB_UVERBS_QPT_RC);
	CHECK_FAILS(method_call(client.fd, &call.method), ENOENT);
	prepare_qp(&call, IB_UVERBS_QPT_RC);
	give_queues(&call, pd, 77);
	CHECK_FAILS(method_call(client.fd, &call.method), ENOENT);
	prepare_qp(&call, IB_UVERBS_QPT_RC);
	give_queues(&call, cq, pd);
	CHECK_FAILS(method_call(client.fd, &call.method), EINVAL);
	prepare_qp(&call, IB_UVERBS_QPT_XRC_TGT);
	give_queues(&call, pd, cq);
	CHECK_FAILS(method_call(client.fd, &call.method), EINVAL);
	prepare_qp(&call, IB_UVERBS_QPT_RC);
	give_queues(&call, pd, cq);
	call.flags->data = 1U << 31;
	CHECK_FAILS(method_call(client.fd, &call.method), EINVAL);
}

/* No number beyond eight bits may be taken for one within; what is the core's own is refused. */
static void qp_types_by_method(void)
{
	static const uint64_t types[] = {
		0, 1, 5, 6, 7, 0x100, 0x102, 0x1000, 0x1002, 0x100000002, (uint64_t)-1,
	};
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0);
	struct qp_call call;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		prepare_qp(&call, types[i]);
		give_queues(&call, pd, cq);
		CHECK_FAILS(method_call(client.fd, &call.method), EINVAL);
	}
}

static void srq_by_method(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), size = 0, sge = 0, events = 7;
	struct driver_room room;
	struct method method = method_of(UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_CREATE);
	struct method last = method_of(UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_DESTROY);
	struct ib_uverbs_attr *handle, *type;
	uint64_t user_handle = 1;

	handle = attr_id(&method, UVERBS_ATTR_CREATE_SRQ_HANDLE, 0);
	attr_id(&method, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE, pd);
	attr_in(&method, UVERBS_ATTR_CREATE_SRQ_USER_HANDLE, &user_handle, 8);
	attr_in(&method, UVERBS_ATTR_CREATE_SRQ_MAX_WR, &(uint32_t){ 10 }, 4);
	attr_in(&method, UVERBS_ATTR_CREATE_SRQ_MAX_SGE, &(uint32_t){ 1 }, 4);
	attr_in(&method, UVERBS_ATTR_CREATE_SRQ_LIMIT, &(uint32_t){ 0 }, 4);
	type = attr_const(&method, UVERBS_ATTR_CREATE_SRQ_TYPE, IB_UVERBS_SRQT_BASIC);
	attr_out(&method, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &size, 4);
	attr_out(&method, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, &sge, 4);
	attr_out(&method, UVERBS_ATTR_UHW_OUT, &room, sizeof(room));
	CHECK_OK(method_call(client.fd, &method));
	CHECK(size >= 10 && sge >= 1, "%u entries", size);
	attr_id(&last, UVERBS_ATTR_DESTROY_SRQ_HANDLE, handle->data);
	attr_out(&last, UVERBS_ATTR_DESTROY_SRQ_RESP, &events, sizeof(events));
	CHECK_OK(method_call(client.fd, &last));
	CHECK_EQ(events, 0);
	type->data = 77;
	CHECK_FAILS(method_call(client.fd, &method), EINVAL);
}

static void query_mr(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), lkey = 0, rkey = 0;
	uint64_t length = 0, iova = 0, at = (uintptr_t)mmap(NULL, 8192, PROT_READ | PROT_WRITE,
							    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct method method = method_of(UVERBS_OBJECT_MR, UVERBS_METHOD_QUERY_MR);
	struct method last = method_of(UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY);
	struct ib_uverbs_reg_mr_resp mr;

	CHECK_OK(try_mr(client.fd, pd, at, 8192, 1, &mr));
	attr_id(&method, UVERBS_ATTR_QUERY_MR_HANDLE, mr.mr_handle);
	attr_out(&method, UVERBS_ATTR_QUERY_MR_RESP_LKEY, &lkey, 4);
	attr_out(&method, UVERBS_ATTR_QUERY_MR_RESP_RKEY, &rkey, 4);
	attr_out(&method, UVERBS_ATTR_QUERY_MR_RESP_LENGTH, &length, 8);
	attr_out(&method, UVERBS_ATTR_QUERY_MR_RESP_IOVA | OPTIONAL, &iova, 8);
	CHECK_OK(method_call(client.fd, &method));
	CHECK_EQ(lkey, mr.lkey);
	CHECK_EQ(rkey, mr.rkey);
	CHECK_EQ(length, 8192);
	CHECK_EQ(iova, at);
	attr_id(&last, UVERBS_ATTR_DESTROY_MR_HANDLE, mr.mr_handle);
	CHECK_OK(method_call(client.fd, &last));
	CHECK_FAILS(method_call(client.fd, &method), ENOENT);
}

static int reg_dm(int fd, uint32_t pd, uint32_t dm, uint64_t offset, uint64_t length,
		  uint32_t access, uint32_t *handle)
{
	struct method method = method_of(UVERBS_OBJECT_MR, UVERBS_METHOD_DM_MR_REG);
	struct ib_uverbs_attr *attr;
	uint32_t lkey, rkey;
	int ret;

	attr = attr_id(&method, UVERBS_ATTR_REG_DM_MR_HANDLE, 0);
	attr_in(&method, UVERBS_ATTR_REG_DM_MR_OFFSET, &offset, 8);
	attr_in(&method, UVERBS_ATTR_REG_DM_MR_LENGTH, &length, 8);
	attr_id(&method, UVERBS_ATTR_REG_DM_MR_PD_HANDLE, pd);
	attr_in(&method, UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS, &access, 4);
	attr_id(&method, UVERBS_ATTR_REG_DM_MR_DM_HANDLE, dm);
	attr_out(&method, UVERBS_ATTR_REG_DM_MR_RESP_LKEY, &lkey, 4);
	attr_out(&method, UVERBS_ATTR_REG_DM_MR_RESP_RKEY, &rkey, 4);
	ret = method_call(fd, &method);
	*handle = attr->data;
	return ret;
}

static void device_memory(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), mr;
	struct method method = method_of(UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC);
	struct method last = method_of(UVERBS_OBJECT_DM, UVERBS_METHOD_DM_FREE);
	struct ib_uverbs_attr *dm = attr_id(&method, UVERBS_ATTR_ALLOC_DM_HANDLE, 0);
	uint32_t zero_based = IB_UVERBS_ACCESS_ZERO_BASED | IB_UVERBS_ACCESS_LOCAL_WRITE;
	uint64_t length = 4096;

	attr_in(&method, UVERBS_ATTR_ALLOC_DM_LENGTH, &length, 8);
	attr_in(&method, UVERBS_ATTR_ALLOC_DM_ALIGNMENT, &(uint32_t){ 0 }, 4);
	CHECK_OK(method_call(client.fd, &method));
	attr_id(&last, UVERBS_ATTR_FREE_DM_HANDLE, dm->data);
	CHECK_OK(reg_dm(client.fd, pd, dm->data, 1024, 1024, zero_based, &mr));
	CHECK_FAILS(method_call(client.fd, &last), EBUSY);
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEREG_MR, mr));
	CHECK_FAILS(reg_dm(client.fd, pd, dm->data, 0, 1024, IB_UVERBS_ACCESS_LOCAL_WRITE, &mr),
		    EINVAL);
	CHECK_FAILS(reg_dm(client.fd, pd, dm->data, 1024, 4096, zero_based, &mr), EINVAL);
	CHECK_FAILS(reg_dm(client.fd, pd, dm->data, 4096, -1024ULL, zero_based, &mr), EINVAL);
	CHECK_FAILS(reg_dm(client.fd, pd, dm->data, -1024ULL, 2048, zero_based, &mr), EINVAL);
	CHECK_OK(method_call(client.fd, &last));
}

static void counters(void)
{
	struct client client = open_client();
	struct method method = method_of(UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_CREATE);
	struct method read = method_of(UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_READ);
	struct method last = method_of(UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_DESTROY);
	struct ib_uverbs_attr *handle = attr_id(&method, UVERBS_ATTR_CREATE_COUNTERS_HANDLE, 0);
	uint64_t values[4] = { 7, 7, 7, 7 };

	CHECK_OK(method_call(client.fd, &method));
	attr_id(&read, UVERBS_ATTR_READ_COUNTERS_HANDLE, handle->data);
	attr_out(&read, UVERBS_ATTR_READ_COUNTERS_BUFF, values, sizeof(values));
	attr_in(&read, UVERBS_ATTR_READ_COUNTERS_FLAGS, &(uint32_t){ 0 }, 4);
	attr_id(&last, UVERBS_ATTR_DESTROY_COUNTERS_HANDLE, handle->data);
	/* Nothing is counted before a flow is bound to them. */
	CHECK_FAILS(method_call(client.fd, &read), EINVAL);
	CHECK_OK(method_call(client.fd, &last));
	CHECK_FAILS(method_call(client.fd, &read), ENOENT);
}

/* A work queue that completes nowhere: stock takes the missing attribute for an address. */
static void wq_without_cq(void)
{
	struct client client = open_client();
	struct method method = method_of(UVERBS_OBJECT_WQ, UVERBS_METHOD_WQ_CREATE);
	uint64_t user_handle = 1;
	uint32_t words[3];

	attr_id(&method, UVERBS_ATTR_CREATE_WQ_HANDLE, 0);
	attr_id(&method, UVERBS_ATTR_CREATE_WQ_PD_HANDLE, new_pd(client.fd));
	attr_in(&method, UVERBS_ATTR_CREATE_WQ_USER_HANDLE, &user_handle, 8);
	attr_const(&method, UVERBS_ATTR_CREATE_WQ_TYPE, 0);
	attr_in(&method, UVERBS_ATTR_CREATE_WQ_MAX_WR, &(uint32_t){ 4 }, 4);
	attr_in(&method, UVERBS_ATTR_CREATE_WQ_MAX_SGE, &(uint32_t){ 1 }, 4);
	attr_in(&method, UVERBS_ATTR_CREATE_WQ_FLAGS, &(uint32_t){ 0 }, 4);
	attr_out(&method, UVERBS_ATTR_CREATE_WQ_RESP_MAX_WR, &words[0], 4);
	attr_out(&method, UVERBS_ATTR_CREATE_WQ_RESP_MAX_SGE, &words[1], 4);
	attr_out(&method, UVERBS_ATTR_CREATE_WQ_RESP_WQ_NUM, &words[2], 4);
	CHECK(method_call(client.fd, &method) < 0, "a WQ without a CQ");
	CHECK(errno == EINVAL || errno == ENOENT, "%s", strerrorname_np(errno));
}

/* --- what the ioctl refuses */

static struct method destroy_pd(uint32_t pd)
{
	struct method method = method_of(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY);

	attr_id(&method, UVERBS_ATTR_DESTROY_PD_HANDLE, pd);
	return method;
}

static int call_as_it_is(int fd, struct method *method)
{
	return ioctl(fd, RDMA_VERBS_IOCTL, method);
}

static void method_headers(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd);
	struct method method = destroy_pd(pd);

	CHECK_FAILS(ioctl(client.fd, RDMA_VERBS_IOCTL, NULL), EFAULT);
	CHECK_FAILS(ioctl(client.fd, _IO(RDMA_IOCTL_MAGIC, 77), &method), ENOTTY);
	CHECK_FAILS(call_as_it_is(client.fd, &method), EINVAL);
	method.hdr.length = sizeof(method.hdr) + sizeof(method.attrs[0]) - 1;
	CHECK_FAILS(call_as_it_is(client.fd, &method), EINVAL);
	method.hdr.num_attrs = 0xffff;
	method.hdr.length = 0xfff8;
	CHECK_FAILS(call_as_it_is(client.fd, &method), EINVAL);
	method = destroy_pd(pd);
	method.hdr.reserved1 = 1;
	CHECK_FAILS(method_call(client.fd, &method), EPROTONOSUPPORT);
	method = destroy_pd(pd);
	method.hdr.reserved2 = 1;
	CHECK_FAILS(method_call(client.fd, &method), EPROTONOSUPPORT);
	method = destroy_pd(pd);
	method.hdr.driver_id = 77;
	CHECK_FAILS(method_call(client.fd, &method), EINVAL);
	method = destroy_pd(pd);
	method.hdr.method_id = 7;
	CHECK_FAILS(method_call(client.fd, &method), EPROTONOSUPPORT);
	method = destroy_pd(pd);
	method.hdr.object_id = 0x1fff;
	CHECK_FAILS(method_call(client.fd, &method), EPROTONOSUPPORT);
	method = destroy_pd(pd);
	CHECK_OK(method_call(client.fd, &method));
}

static void attributes(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd);
	struct method method = destroy_pd(pd);

	method.attrs[0].len = 4;
	CHECK_FAILS(method_call(client.fd, &method), EINVAL);
	method = destroy_pd(pd);
	method.attrs[0].attr_data.reserved = 1;
	CHECK_FAILS(method_call(client.fd, &method), EINVAL);
	method = destroy_pd(pd);
	method.attrs[0].data_s64 = -1;
	CHECK_FAILS(method_call(client.fd, &method), EINVAL);
	method = destroy_pd(pd);
	method.attrs[0].data = 1ULL << 32;
	CHECK_FAILS(method_call(client.fd, &method), ENOENT);
	method = destroy_pd(pd);
	attr_id(&method, UVERBS_ATTR_DESTROY_PD_HANDLE, pd);
	CHECK_FAILS(method_call(client.fd, &method), EINVAL);
	method = method_of(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY);
	CHECK_FAILS(method_call(client.fd, &method), EINVAL);
	method = destroy_pd(pd);
	attr_const(&method, 20, 0);
	CHECK_FAILS(method_call(client.fd, &method), EPROTONOSUPPORT);
	method = destroy_pd(pd);
	attr_const(&method, 20 | OPTIONAL, 0);
	CHECK_OK(method_call(client.fd, &method));
}

const struct test_case method_cases[] = {
	{ "context-by-method", context_by_method },
	{ "query-port-by-method", query_port_by_method },
	{ "gids", gids },
	{ "list-handles", list_handles },
	{ "cq-by-method", cq_by_method },
	{ "qp-by-method", qp_by_method },
	{ "qp-types-by-method", qp_types_by_method },
	{ "srq-by-method", srq_by_method },
	{ "query-mr", query_mr },
	{ "device-memory", device_memory },
	{ "counters", counters },
	{ "wq-without-cq", wq_without_cq },
	{ "method-headers", method_headers },
	{ "attributes", attributes },
	{}
};
