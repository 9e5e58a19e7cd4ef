/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef BENCH_VERBS_H
#define BENCH_VERBS_H

#include <rdma/ib_verbs.h>

/* The marks that ../src/mark.h has for programs. */
static __always_inline void mark_begin(void)
{
	asm volatile("xchg %%bx, %%bx" ::: "memory");
}

static __always_inline void mark_end(void)
{
	asm volatile("xchg %%cx, %%cx" ::: "memory");
}

/* What was in the window that has just been closed. */
void name_window(const char *name);

/* The value of a call, which is in a window of its own. */
#define WINDOW(name, call) ({			\
	typeof(call) value_;			\
						\
	mark_begin();				\
	value_ = (call);			\
	mark_end();				\
	name_window(name);			\
	value_;					\
})

#define WINDOW_VOID(name, call) do {		\
	mark_begin();				\
	call;					\
	mark_end();				\
	name_window(name);			\
} while (0)

/**
 * struct bench - what one repetition makes
 * @device: where
 * @pd: protection domain
 * @cq: of both queues
 * @qp: connected to itself
 */
struct bench {
	struct ib_device *device;
	struct ib_pd *pd;
	struct ib_cq *cq;
	struct ib_qp *qp;
};

/* Until a request has completed; 0 or a negative errno. */
int await_completion(struct bench *bench);

/* requests.c: what needs a device that does something. */
int post_requests(struct bench *bench);

#endif
