/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Time and deferred work: the only two ways in which anything in ibemu happens later.
 *
 * A scheduler has a clock, a set of timers and a queue of ready tasks. It knows nothing of file
 * descriptors: loop.h drives a real-time scheduler from epoll, tests drive a virtual one by hand.
 * Single-threaded; timers and tasks are embedded in their owners and never allocated here.
 */
#ifndef IBEMU_SCHED_H
#define IBEMU_SCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NSEC_PER_USEC 1000ull
#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_SEC 1000000000ull

/* No timer is armed. */
#define SCHED_IDLE UINT64_MAX

struct sched;

/* Work to be done soon, after the current call chain has returned. */
struct task {
	void (*run)(void *ctx);
	void *ctx;
	struct task *next;
	bool queued;
};

/* Work to be done at a point of time. */
struct timer {
	void (*fire)(void *ctx);
	void *ctx;
	uint64_t deadline_ns;
	uint64_t order; /* among equal deadlines, the one that was armed first fires first */
	size_t heap_slot; /* 1-based; 0: not armed */
};

/* A scheduler on the machine's monotonic clock, or NULL without memory. */
struct sched *sched_create(void);
/* A scheduler whose clock stands still until sched_advance(); it starts at 1 s. */
struct sched *sched_create_virtual(void);
/* Forgets all that is queued and armed. */
void sched_destroy(struct sched *sched);

/* Nanoseconds on this scheduler's clock: monotonic, never 0. */
uint64_t sched_now_ns(struct sched *sched);

/*
 * Runs all that is ready: tasks in the order in which they were posted, then timers that are due,
 * until neither is left. Returns the next deadline in ns, or SCHED_IDLE.
 * A real-time scheduler returns after a bounded batch, with the current time as the deadline, so
 * that its caller can look at its file descriptors in between.
 */
uint64_t sched_run(struct sched *sched);

/*
 * Virtual time only: moves the clock forward by ns, stopping at each deadline on the way to run it.
 */
void sched_advance(struct sched *sched, uint64_t ns);

void task_init(struct task *task, void (*run)(void *ctx), void *ctx);
/* Queues the task, unless it is queued already. It may post itself again while it runs. */
void task_post(struct sched *sched, struct task *task);
void task_cancel(struct sched *sched, struct task *task);

void timer_init(struct timer *timer, void (*fire)(void *ctx), void *ctx);
/* (Re)arms the timer; a deadline that has passed fires at the next sched_run(). O(log n). */
void timer_arm(struct sched *sched, struct timer *timer, uint64_t deadline_ns);
static inline bool timer_armed(const struct timer *timer)
{
	return timer->heap_slot != 0;
}

/* Harmless on a timer that isn't armed. */
void timer_cancel(struct sched *sched, struct timer *timer);

#endif
