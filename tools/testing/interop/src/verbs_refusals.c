// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "uverbs.h"

/*
 * The driver can't, or the kernel has no more files: the caller learns the reason, and nothing is
 * left of what was begun. Then it works, with the handle that it would have had.
 */

struct maker {
	struct client client;
	uint32_t pd, cq, srq, qp;
	char *memory;
	int file;
};

static struct maker make(void)
{
	struct maker maker = { .client = open_client() };

	maker.pd = new_pd(maker.client.fd);
	maker.cq = new_cq(maker.client.fd, -1, 0);
	maker.srq = new_srq(maker.client.fd, maker.pd, 0);
	maker.qp = new_qp(maker.client.fd, maker.pd, maker.cq, QPT_RC);
	maker.file = CHECK_OK(open("/tmp", O_RDWR | O_TMPFILE, 0600));
	maker.memory = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	return maker;
}

static int make_pd(struct maker *maker, uint32_t *handle)
{
	return try_pd(maker->client.fd, handle);
}

static int make_cq(struct maker *maker, uint32_t *handle)
{
	return try_cq(maker->client.fd, 16, -1, 0, handle);
}

static int make_srq(struct maker *maker, uint32_t *handle)
{
	return try_srq(maker->client.fd, maker->pd, 16, 0, handle);
}

static int make_qp_of(struct maker *maker, uint8_t type, uint32_t *handle)
{
	struct ib_uverbs_create_qp in = qp_request(maker->pd, maker->cq, type);
	struct ib_uverbs_create_qp_resp out;
	int ret = try_qp(maker->client.fd, &in, &out);

	*handle = out.qp_handle;
	return ret;
}

static int make_qp(struct maker *maker, uint32_t *handle)
{
	return make_qp_of(maker, QPT_RC, handle);
}

static int make_mr(struct maker *maker, uint32_t *handle)
{
	struct ib_uverbs_reg_mr_resp out;
	int ret = try_mr(maker->client.fd, maker->pd, (uintptr_t)maker->memory, 65536, 1, &out);

	*handle = out.mr_handle;
	return ret;
}

static int make_mw(struct maker *maker, uint32_t *handle)
{
	return try_mw(maker->client.fd, maker->pd, handle);
}

static int make_ah(struct maker *maker, uint32_t *handle)
{
	return try_ah(maker->client.fd, maker->pd, handle);
}

static int make_xrcd(struct maker *maker, uint32_t *handle)
{
	return try_xrcd(maker->client.fd, maker->file, O_CREAT, handle);
}

static int drop_cq(int fd, uint32_t handle)
{
	struct ib_uverbs_destroy_cq_resp last;

	return destroy_cq(fd, handle, &last);
}

static int drop_qp(int fd, uint32_t handle)
{
	uint32_t events;

	return destroy_qp(fd, handle, &events);
}

static int drop_srq(int fd, uint32_t handle)
{
	uint32_t events;

	return destroy_srq(fd, handle, &events);
}

static int drop_pd(int fd, uint32_t handle)
{
	return drop(fd, IB_USER_VERBS_CMD_DEALLOC_PD, handle);
}

static int drop_mr(int fd, uint32_t handle)
{
	return drop(fd, IB_USER_VERBS_CMD_DEREG_MR, handle);
}

static int drop_mw(int fd, uint32_t handle)
{
	return drop(fd, IB_USER_VERBS_CMD_DEALLOC_MW, handle);
}

static int drop_ah(int fd, uint32_t handle)
{
	return drop(fd, IB_USER_VERBS_CMD_DESTROY_AH, handle);
}

static int drop_xrcd(int fd, uint32_t handle)
{
	return drop(fd, IB_USER_VERBS_CMD_CLOSE_XRCD, handle);
}

/* An AH's destruction may happen where nobody can be told: a driver can't refuse it. */
static const struct kind {
	const char *create, *destroy;
	int (*make)(struct maker *maker, uint32_t *handle);
	int (*drop)(int fd, uint32_t handle);
} kinds[] = {
	{ "alloc_pd", "dealloc_pd", make_pd, drop_pd },
	{ "create_cq", "destroy_cq", make_cq, drop_cq },
	{ "create_srq", "destroy_srq", make_srq, drop_srq },
	{ "create_qp", "destroy_qp", make_qp, drop_qp },
	{ "reg_user_mr", "dereg_mr", make_mr, drop_mr },
	{ "alloc_mw", "dealloc_mw", make_mw, drop_mw },
	{ "alloc_xrcd", "dealloc_xrcd", make_xrcd, drop_xrcd },
	{ "create_ah", NULL, make_ah, drop_ah },
	{}
};

/* All that the maker has can be destroyed: no failure has kept a reference. */
static void unmake(struct maker *maker)
{
	CHECK_OK(drop_qp(maker->client.fd, maker->qp));
	CHECK_OK(drop_srq(maker->client.fd, maker->srq));
	CHECK_OK(drop_cq(maker->client.fd, maker->cq));
	CHECK_OK(drop_pd(maker->client.fd, maker->pd));
}

static void creation_refused(void)
{
	static const int errors[] = { ENOSPC, ENOMEM, EBUSY, EAGAIN };
	struct maker maker = make();
	uint32_t handle, next;

	for (const struct kind *kind = kinds; kind->create; kind++) {
		CHECK_OK(kind->make(&maker, &next));
		CHECK_OK(kind->drop(maker.client.fd, next));
		for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
			null_fail(kind->create, 1, errors[i]);
			CHECK_FAILS(kind->make(&maker, &handle), errors[i]);
		}
		CHECK_OK(kind->make(&maker, &handle));
		CHECK_EQ(handle, next);
		CHECK_OK(kind->drop(maker.client.fd, handle));
	}
	unmake(&maker);
}

static void context_refused(void)
{
	int fd = open_device(), next = dup(0);
	struct client client;

	CHECK_OK(close(next));
	null_fail("alloc_ucontext", 1, ENOSPC);
	CHECK_FAILS(get_context(fd, &client), ENOSPC);
	CHECK_EQ(dup(0), next);
	CHECK_OK(get_context(fd, &client));
	new_pd(client.fd);
}

/* The driver refuses to destroy: the object is there as before. */
static void destruction_refused(void)
{
	struct maker maker = make();
	uint32_t handle;

	for (const struct kind *kind = kinds; kind->create; kind++) {
		if (!kind->destroy)
			continue;
		CHECK_OK(kind->make(&maker, &handle));
		null_fail(kind->destroy, 1, EBUSY);
		CHECK_FAILS(kind->drop(maker.client.fd, handle), EBUSY);
		CHECK_OK(kind->drop(maker.client.fd, handle));
		CHECK_FAILS(kind->drop(maker.client.fd, handle), ENOENT);
	}
	unmake(&maker);
}

/* A domain that is nobody else's: stock counts its users wrongly after that, and can't close it. */
static void private_domain_refused(void)
{
	struct client client = open_client();
	uint32_t xrcd;

	CHECK_OK(try_xrcd(client.fd, -1, 0, &xrcd));
	null_fail("dealloc_xrcd", 1, EBUSY);
	CHECK_FAILS(drop_xrcd(client.fd, xrcd), EBUSY);
	CHECK_OK(drop_xrcd(client.fd, xrcd));
}

/* The last handle of one that the driver keeps can be destroyed again; stock has lost it then. */
static void target_refused(void)
{
	struct client client = open_client();
	struct ib_uverbs_open_qp open_in = { .qp_type = QPT_XRC_TGT };
	struct ib_uverbs_create_qp_resp made, opened;
	struct ib_uverbs_create_qp in;
	uint32_t xrcd;

	CHECK_OK(try_xrcd(client.fd, -1, 0, &xrcd));
	in = qp_request(xrcd, 0, QPT_XRC_TGT);
	CHECK_OK(try_qp(client.fd, &in, &made));
	null_fail("destroy_qp", 1, EBUSY);
	CHECK_FAILS(drop_qp(client.fd, made.qp_handle), EBUSY);
	open_in.pd_handle = xrcd;
	open_in.qpn = made.qpn;
	CHECK_OK(COMMAND(client.fd, IB_USER_VERBS_CMD_OPEN_QP, &open_in, &opened));
	CHECK_OK(drop_qp(client.fd, made.qp_handle));
	null_fail("destroy_qp", 1, EBUSY);
	CHECK_FAILS(drop_qp(client.fd, opened.qp_handle), EBUSY);
	CHECK_FAILS(drop_xrcd(client.fd, xrcd), EBUSY);
	CHECK_OK(drop_qp(client.fd, opened.qp_handle));
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_OPEN_QP, &open_in, &opened), EINVAL);
	CHECK_OK(drop_xrcd(client.fd, xrcd));
}

/* A state that there isn't: stock forgets that it has locked the WQ. */
static void wq_bad_state(void)
{
	struct client client = open_client();
	struct ib_uverbs_ex_create_wq in = {
		.pd_handle = new_pd(client.fd), .cq_handle = new_cq(client.fd, -1, 0),
		.max_wr = 4, .max_sge = 1,
	};
	struct ib_uverbs_ex_create_wq_resp out = {};
	struct ib_uverbs_ex_modify_wq modify = { .attr_mask = 1, .wq_state = 4 };
	struct ib_uverbs_ex_destroy_wq last = {};
	struct ib_uverbs_ex_destroy_wq_resp gone = {};

	CHECK_OK(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_WQ), &in, &out));
	modify.wq_handle = last.wq_handle = out.wq_handle;
	CHECK_FAILS(ORDER(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_MODIFY_WQ), &modify), EINVAL);
	modify = (struct ib_uverbs_ex_modify_wq){
		.wq_handle = out.wq_handle, .attr_mask = 2, .curr_wq_state = 4,
	};
	CHECK_FAILS(ORDER(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_MODIFY_WQ), &modify), EINVAL);
	CHECK_OK(COMMAND(client.fd, EXTENDED(IB_USER_VERBS_EX_CMD_DESTROY_WQ), &last, &gone));
}

/* It refuses once while the file is closed: then the object is destroyed in a second attempt. */
static void close_refused(void)
{
	for (const struct kind *kind = kinds; kind->create; kind++) {
		struct maker maker = make();
		uint32_t handle;

		if (!kind->destroy)
			continue;
		CHECK_OK(kind->make(&maker, &handle));
		null_fail(kind->destroy, 1, EBUSY);
		close_client(&maker.client);
		CHECK_EQ(null_get("plugged"), 1);
	}
}

/* There's nothing else that goes, so that a second attempt was worth while: stock gives up. */
static void lone_close_refused(void)
{
	struct client client = open_client();

	new_pd(client.fd);
	null_fail("dealloc_pd", 1, EBUSY);
	close_client(&client);
}

/* --- files */

static int make_channel(int fd)
{
	int channel;

	return try_channel(fd, &channel);
}

static int make_async(int fd)
{
	struct method method = method_of(UVERBS_OBJECT_ASYNC_EVENT,
					 UVERBS_METHOD_ASYNC_EVENT_ALLOC);

	attr_id(&method, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, 0);
	return method_call(fd, &method);
}

static int make_context(int fd)
{
	struct client client;

	return get_context(fd, &client);
}

/* The process may have no more files. */
static void descriptors_exhausted(void)
{
	struct client client = open_client();
	int fresh = open_device(), next = dup(0);
	struct rlimit limit;

	CHECK_OK(close(next));
	CHECK_OK(getrlimit(RLIMIT_NOFILE, &limit));
	CHECK_OK(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ next, limit.rlim_max }));
	for (int i = 0; i < 100; i++) {
		CHECK_FAILS(make_channel(client.fd), EMFILE);
		CHECK_FAILS(make_async(client.fd), EMFILE);
		CHECK_FAILS(make_context(fresh), EMFILE);
	}
	CHECK_OK(setrlimit(RLIMIT_NOFILE, &limit));
	CHECK_OK(make_channel(client.fd));
	CHECK_OK(make_async(client.fd));
	CHECK_OK(make_context(fresh));
	CHECK_EQ(dup(0), next + 3);
}

static void set_file_max(unsigned long count)
{
	FILE *file = fopen("/proc/sys/fs/file-max", "w");

	CHECK(file, "opening file-max");
	fprintf(file, "%lu\n", count);
	CHECK_EQ(fclose(file), 0);
}

/* An ordinary user; says when he is ready for the worst, and waits for it. */
static void no_files_for_user(int ready, int begin)
{
	struct client client;
	int fresh, next;
	char byte = 0;

	CHECK_OK(setresuid(1000, 1000, 1000));
	client = open_client();
	fresh = open_device();
	next = CHECK_OK(dup(0));
	CHECK_OK(close(next));
	CHECK_EQ(write(ready, &byte, 1), 1);
	CHECK_EQ(read(begin, &byte, 1), 1);
	for (int i = 0; i < 100; i++) {
		CHECK_FAILS(make_channel(client.fd), ENFILE);
		CHECK_FAILS(make_async(client.fd), ENFILE);
		CHECK_FAILS(make_context(fresh), ENFILE);
	}
	CHECK_EQ(write(ready, &byte, 1), 1);
	CHECK_EQ(read(begin, &byte, 1), 1);
	CHECK_OK(make_channel(client.fd));
	CHECK_OK(make_context(fresh));
	CHECK_EQ(dup(0), next + 2);
}

/* The kernel has a descriptor for him, but no file to go with it. */
static void files_exhausted(void)
{
	int ready[2], begin[2], status;
	char byte;
	pid_t pid;

	CHECK_OK(pipe(ready));
	CHECK_OK(pipe(begin));
	pid = CHECK_OK(fork());
	if (!pid) {
		no_files_for_user(ready[1], begin[0]);
		_exit(0);
	}
	close(ready[1]);
	CHECK_EQ(read(ready[0], &byte, 1), 1);
	set_file_max(0);
	CHECK_EQ(write(begin[1], &byte, 1), 1);
	status = read(ready[0], &byte, 1);
	set_file_max(1000000);
	CHECK_EQ(status, 1);
	CHECK_EQ(write(begin[1], &byte, 1), 1);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, 0);
}

const struct test_case refusal_cases[] = {
	{ "creation-refused", creation_refused },
	{ "context-refused", context_refused },
	{ "destruction-refused", destruction_refused },
	{ "private-domain-refused", private_domain_refused },
	{ "target-refused", target_refused },
	{ "wq-bad-state", wq_bad_state },
	{ "close-refused", close_refused },
	{ "lone-close-refused", lone_close_refused },
	{ "descriptors-exhausted", descriptors_exhausted },
	{ "files-exhausted", files_exhausted },
	{}
};
