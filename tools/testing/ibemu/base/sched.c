/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Tasks stand in a singly linked list, timers in a binary heap of pointers with slot 1 at the top.
 */
#include "base/sched.h"

#include <stdlib.h>
#include <time.h>

#include "base/log.h"

/* What a real-time scheduler does before it lets its caller look at file descriptors. */
#define BATCH 256

struct sched {
	bool is_virtual;
	uint64_t virtual_now_ns;
	struct task *first_task, **last_link;
	struct timer **heap;
	size_t timers, heap_room; /* slots in use; highest slot that fits */
	uint64_t next_order;
};

struct sched *sched_create(void)
{
	struct sched *sched = calloc(1, sizeof(*sched));

	if (sched)
		sched->last_link = &sched->first_task;
	return sched;
}

struct sched *sched_create_virtual(void)
{
	struct sched *sched = sched_create();

	if (sched) {
		sched->is_virtual = true;
		sched->virtual_now_ns = NSEC_PER_SEC;
	}
	return sched;
}

void sched_destroy(struct sched *sched)
{
	if (!sched)
		return;
	for (size_t slot = 1; slot <= sched->timers; slot++)
		sched->heap[slot]->heap_slot = 0;
	for (struct task *task = sched->first_task; task; task = task->next)
		task->queued = false;
	free(sched->heap);
	free(sched);
}

uint64_t sched_now_ns(struct sched *sched)
{
	struct timespec now;

	if (sched->is_virtual)
		return sched->virtual_now_ns;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec;
}

/* Tasks */

void task_init(struct task *task, void (*run)(void *ctx), void *ctx)
{
	*task = (struct task){ .run = run, .ctx = ctx };
}

void task_post(struct sched *sched, struct task *task)
{
	if (task->queued)
		return;
	task->queued = true;
	task->next = NULL;
	*sched->last_link = task;
	sched->last_link = &task->next;
}

static void unlink_task(struct sched *sched, struct task **link)
{
	struct task *task = *link;

	*link = task->next;
	if (sched->last_link == &task->next)
		sched->last_link = link;
	task->queued = false;
}

void task_cancel(struct sched *sched, struct task *task)
{
	struct task **link = &sched->first_task;

	if (!task->queued)
		return;
	while (*link != task)
		link = &(*link)->next;
	unlink_task(sched, link);
}

/* Timers */

static bool earlier(const struct timer *a, const struct timer *b)
{
	if (a->deadline_ns != b->deadline_ns)
		return a->deadline_ns < b->deadline_ns;
	return a->order < b->order;
}

static void put_in_slot(struct sched *sched, struct timer *timer, size_t slot)
{
	sched->heap[slot] = timer;
	timer->heap_slot = slot;
}

/* Lets the timer find its place from a slot that is free: first up, then down. */
static void settle(struct sched *sched, struct timer *timer, size_t slot)
{
	struct timer **heap = sched->heap;
	size_t child;

	for (; slot > 1 && earlier(timer, heap[slot / 2]); slot /= 2)
		put_in_slot(sched, heap[slot / 2], slot);
	for (; (child = 2 * slot) <= sched->timers; slot = child) {
		if (child < sched->timers && earlier(heap[child + 1], heap[child]))
			child++;
		if (!earlier(heap[child], timer))
			break;
		put_in_slot(sched, heap[child], slot);
	}
	put_in_slot(sched, timer, slot);
}

/*
 * A timer that can't be armed would hang a queue pair for ever with no one to tell: out of memory
 * ends the process here. It takes millions of timers to get there.
 */
static void grow_heap(struct sched *sched)
{
	size_t room = sched->heap_room ? 2 * sched->heap_room : 63;
	struct timer **heap = realloc(sched->heap, (room + 1) * sizeof(*heap));

	if (!heap) {
		log_error("no memory for %zu timers", room);
		abort();
	}
	sched->heap = heap;
	sched->heap_room = room;
}

void timer_init(struct timer *timer, void (*fire)(void *ctx), void *ctx)
{
	*timer = (struct timer){ .fire = fire, .ctx = ctx };
}

void timer_arm(struct sched *sched, struct timer *timer, uint64_t deadline_ns)
{
	timer->deadline_ns = deadline_ns;
	timer->order = sched->next_order++;
	if (!timer_armed(timer)) {
		if (sched->timers == sched->heap_room)
			grow_heap(sched);
		timer->heap_slot = ++sched->timers;
	}
	settle(sched, timer, timer->heap_slot);
}

void timer_cancel(struct sched *sched, struct timer *timer)
{
	size_t slot = timer->heap_slot;
	struct timer *last;

	if (!slot)
		return;
	last = sched->heap[sched->timers--];
	if (last != timer)
		settle(sched, last, slot);
	timer->heap_slot = 0;
}

/* Running */

/* Runs the first task or, with no task queued, the first timer that is due. */
static bool run_one(struct sched *sched)
{
	struct task *task = sched->first_task;
	struct timer *timer;

	if (task) {
		unlink_task(sched, &sched->first_task);
		task->run(task->ctx);
		return true;
	}
	if (!sched->timers)
		return false;
	timer = sched->heap[1];
	if (timer->deadline_ns > sched_now_ns(sched))
		return false;
	timer_cancel(sched, timer);
	timer->fire(timer->ctx);
	return true;
}

uint64_t sched_run(struct sched *sched)
{
	unsigned int done = 0;

	while (run_one(sched))
		if (++done == BATCH && !sched->is_virtual)
			return sched_now_ns(sched);
	return sched->timers ? sched->heap[1]->deadline_ns : SCHED_IDLE;
}

void sched_advance(struct sched *sched, uint64_t ns)
{
	uint64_t end, next;

	if (__builtin_add_overflow(sched->virtual_now_ns, ns, &end))
		end = SCHED_IDLE - 1;
	while ((next = sched_run(sched)) <= end)
		sched->virtual_now_ns = next;
	sched->virtual_now_ns = end;
}
