// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "uverbs.h"

/* Two calls that want the same object, one of which is held up in the driver; and many. */

enum { REREG_TRANS = 1, REREG_PD = 2, REREG_ACCESS = 4 };

/* --- a call that waits in the driver */

struct call {
	pthread_t thread;
	int (*make)(int fd, uint32_t handle);
	int fd;
	uint32_t handle;
	int ret, error;
	const char *operation;
};

static void set_block(const char *operation, int block)
{
	char control[64];

	snprintf(control, sizeof(control), "%s/block", operation);
	null_set(control, block);
}

static void *carry_out(void *data)
{
	struct call *call = data;

	call->ret = call->make(call->fd, call->handle);
	call->error = errno;
	return NULL;
}

static void begin(struct call *call)
{
	char control[64];

	snprintf(control, sizeof(control), "%s/waiting", call->operation);
	set_block(call->operation, 1);
	CHECK_EQ(pthread_create(&call->thread, NULL, carry_out, call), 0);
	while (!null_get(control))
		usleep(1000);
}

static int end(struct call *call)
{
	set_block(call->operation, 0);
	CHECK_EQ(pthread_join(call->thread, NULL), 0);
	errno = call->error;
	return call->ret;
}

/* --- what is called */

static uint32_t pds[2];
static char *memory;

static int rereg(int fd, uint32_t mr, uint32_t flags, uint32_t pd)
{
	struct ib_uverbs_rereg_mr in = {
		.mr_handle = mr, .flags = flags, .pd_handle = pd, .access_flags = 1,
		.start = (uintptr_t)memory, .hca_va = (uintptr_t)memory, .length = 8192,
	};
	struct ib_uverbs_rereg_mr_resp out;

	return COMMAND(fd, IB_USER_VERBS_CMD_REREG_MR, &in, &out);
}

static int move_mr(int fd, uint32_t mr)
{
	return rereg(fd, mr, REREG_PD, pds[1]);
}

static int drop_mr(int fd, uint32_t mr)
{
	return drop(fd, IB_USER_VERBS_CMD_DEREG_MR, mr);
}

static int drop_pd(int fd, uint32_t pd)
{
	return drop(fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd);
}

static struct client prepare(uint32_t *mr)
{
	struct client client = open_client();

	memory = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pds[0] = new_pd(client.fd);
	pds[1] = new_pd(client.fd);
	*mr = new_mr(client.fd, pds[0], memory, 4096);
	return client;
}

/* --- cases */

/* While a region is changed, nobody else may change it, or take it away, or use it. */
static void rereg_is_alone(void)
{
	uint32_t mr;
	struct client client = prepare(&mr);
	struct call call = {
		.make = move_mr, .fd = client.fd, .handle = mr, .operation = "rereg_user_mr",
	};

	begin(&call);
	CHECK_FAILS(rereg(client.fd, mr, REREG_PD, pds[1]), EBUSY);
	CHECK_FAILS(rereg(client.fd, mr, REREG_TRANS, 0), EBUSY);
	CHECK_FAILS(drop_mr(client.fd, mr), EBUSY);
	CHECK_FAILS(drop_pd(client.fd, pds[0]), EBUSY);
	CHECK_FAILS(drop_pd(client.fd, pds[1]), EBUSY);
	CHECK_OK(end(&call));
	CHECK_OK(drop_pd(client.fd, pds[0]));
	CHECK_FAILS(drop_pd(client.fd, pds[1]), EBUSY);
	CHECK_OK(drop_mr(client.fd, mr));
	CHECK_OK(drop_pd(client.fd, pds[1]));
}

static void destroy_is_alone(void)
{
	uint32_t mr;
	struct client client = prepare(&mr);
	struct call call = {
		.make = drop_mr, .fd = client.fd, .handle = mr, .operation = "dereg_mr",
	};

	begin(&call);
	CHECK_FAILS(drop_mr(client.fd, mr), EBUSY);
	CHECK_FAILS(rereg(client.fd, mr, REREG_PD, pds[1]), EBUSY);
	CHECK_OK(end(&call));
	CHECK_FAILS(drop_mr(client.fd, mr), ENOENT);
	CHECK_OK(drop_pd(client.fd, pds[0]));
	CHECK_OK(drop_pd(client.fd, pds[1]));
}

static int query_qp(int fd, uint32_t qp)
{
	struct ib_uverbs_query_qp in = { .qp_handle = qp };
	struct ib_uverbs_query_qp_resp out;

	return COMMAND(fd, IB_USER_VERBS_CMD_QUERY_QP, &in, &out);
}

/* Readers share; what is read isn't destroyed. */
static void readers_share(void)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0), events;
	uint32_t qp = new_qp(client.fd, pd, cq, QPT_RC);
	struct call first = {
		.make = query_qp, .fd = client.fd, .handle = qp, .operation = "query_qp",
	};

	begin(&first);
	raise_qp(client.fd, qp, QPT_RC, 4711, 1);
	CHECK_FAILS(destroy_qp(client.fd, qp, &events), EBUSY);
	CHECK_OK(end(&first));
	CHECK_OK(destroy_qp(client.fd, qp, &events));
}

/* A handle is nobody's before its object is complete. */
static int make_pd(int fd, uint32_t handle)
{
	(void)handle;
	return try_pd(fd, &handle);
}

static void unborn(void)
{
	struct client client = open_client();
	struct call call = { .make = make_pd, .fd = client.fd, .operation = "alloc_pd" };

	begin(&call);
	CHECK_FAILS(drop_pd(client.fd, 0), ENOENT);
	CHECK_OK(end(&call));
	CHECK_OK(drop_pd(client.fd, 0));
}

/* The file is closed by one thread while another is in a call: that one ends in peace. */
static void closed_under_call(void)
{
	struct client client = open_client();
	struct call call = { .make = make_pd, .fd = client.fd, .operation = "alloc_pd" };

	begin(&call);
	CHECK_OK(close(client.fd));
	CHECK_OK(end(&call));
	CHECK_FAILS(drop_pd(client.fd, 0), EBADF);
}

/* --- without end */

enum { SECONDS = 4, THREADS = 4 };

static struct client shared;
static uint32_t shared_mr;
static atomic_int calls, wrong;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void *rereg_all_the_time(void *seed)
{
	unsigned int random = (uintptr_t)seed;
	double stop = now() + SECONDS;
	uint32_t flags;

	while (now() < stop) {
		flags = 1 + rand_r(&random) % 7;
		/* A handle may be nobody's for the instant in which the region is replaced. */
		if (rereg(shared.fd, shared_mr, flags, pds[rand_r(&random) % 2]) &&
		    errno != EBUSY && errno != ENOENT)
			wrong++;
		calls++;
	}
	return NULL;
}

static void run_threads(void *(*body)(void *seed))
{
	pthread_t threads[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, body, (void *)(i + 1)), 0);
	for (int i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_join(threads[i], NULL), 0);
	printf("%d calls\n", calls);
	CHECK_EQ(wrong, 0);
}

/* Whatever the order, the domains' counts are right in the end. */
static void racing_reregs(void)
{
	shared = prepare(&shared_mr);
	run_threads(rereg_all_the_time);
	CHECK_OK(drop_mr(shared.fd, shared_mr));
	CHECK_OK(drop_pd(shared.fd, pds[0]));
	CHECK_OK(drop_pd(shared.fd, pds[1]));
}

/* Everybody makes, uses and destroys what has the first few handles. */
static void *make_and_destroy(void *seed)
{
	unsigned int random = (uintptr_t)seed;
	double stop = now() + SECONDS;
	struct ib_uverbs_reg_mr_resp mr;
	uint32_t handle, pd;

	while (now() < stop) {
		handle = rand_r(&random) % 4;
		switch (rand_r(&random) % 5) {
		case 0:
			try_pd(shared.fd, &pd);
			break;
		case 1:
			drop_pd(shared.fd, handle);
			break;
		case 2:
			try_mr(shared.fd, handle, (uintptr_t)memory, 4096, 1, &mr);
			break;
		case 3:
			drop_mr(shared.fd, handle);
			break;
		case 4:
			rereg(shared.fd, handle, REREG_PD, rand_r(&random) % 4);
			break;
		}
		calls++;
	}
	return NULL;
}

static void racing_destroys(void)
{
	shared = prepare(&shared_mr);
	run_threads(make_and_destroy);
	close_client(&shared);
}

const struct test_case race_cases[] = {
	{ "rereg-is-alone", rereg_is_alone },
	{ "destroy-is-alone", destroy_is_alone },
	{ "readers-share", readers_share },
	{ "unborn", unborn },
	{ "closed-under-call", closed_under_call },
	{ "racing-reregs", racing_reregs },
	{ "racing-destroys", racing_destroys },
	{}
};
