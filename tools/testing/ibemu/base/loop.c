/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include "base/loop.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"

#define EVENTS 32

struct loop {
	int epoll_fd;
	struct sched *sched;
	bool stopped;
	/*
	 * What epoll reported and isn't dispatched yet; an entry of a watch that went away has a
	 * NULL pointer.
	 */
	struct epoll_event events[EVENTS];
	int first_event, events_end;
};

struct loop *loop_create(void)
{
	struct loop *loop = calloc(1, sizeof(*loop));

	if (!loop)
		return NULL;
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	loop->sched = sched_create();
	if (loop->epoll_fd >= 0 && loop->sched)
		return loop;
	loop_destroy(loop);
	return NULL;
}

void loop_destroy(struct loop *loop)
{
	if (!loop)
		return;
	if (loop->epoll_fd >= 0)
		close(loop->epoll_fd);
	sched_destroy(loop->sched);
	free(loop);
}

struct sched *loop_sched(struct loop *loop)
{
	return loop->sched;
}

static int control(struct loop *loop, int operation, struct watch *watch, uint32_t epoll_events)
{
	struct epoll_event event = { .events = epoll_events, .data.ptr = watch };

	return epoll_ctl(loop->epoll_fd, operation, watch->fd, &event) ? -errno : 0;
}

int loop_watch(struct loop *loop, struct watch *watch, uint32_t epoll_events)
{
	return control(loop, EPOLL_CTL_ADD, watch, epoll_events);
}

int loop_rewatch(struct loop *loop, struct watch *watch, uint32_t epoll_events)
{
	return control(loop, EPOLL_CTL_MOD, watch, epoll_events);
}

void loop_unwatch(struct loop *loop, struct watch *watch)
{
	control(loop, EPOLL_CTL_DEL, watch, 0);
	for (int i = loop->first_event; i < loop->events_end; i++)
		if (loop->events[i].data.ptr == watch)
			loop->events[i].data.ptr = NULL;
}

/* Waits for events until the deadline on the scheduler's clock. */
static void wait_until(struct loop *loop, uint64_t deadline_ns)
{
	uint64_t now_ns = sched_now_ns(loop->sched);
	uint64_t rest_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
	struct timespec rest = {
		.tv_sec = (time_t)(rest_ns / NSEC_PER_SEC),
		.tv_nsec = (long)(rest_ns % NSEC_PER_SEC),
	};
	int found = epoll_pwait2(loop->epoll_fd, loop->events, EVENTS,
				 deadline_ns == SCHED_IDLE ? NULL : &rest, NULL);

	if (found < 0 && errno != EINTR) {
		log_error("epoll_pwait2: %m");
		loop->stopped = true;
	}
	loop->first_event = 0;
	loop->events_end = found < 0 ? 0 : found;
}

void loop_run(struct loop *loop)
{
	loop->stopped = false;
	while (!loop->stopped) {
		uint64_t deadline_ns = sched_run(loop->sched);

		if (loop->stopped)
			break;
		wait_until(loop, deadline_ns);
		while (loop->first_event < loop->events_end) {
			struct epoll_event *event = &loop->events[loop->first_event++];
			struct watch *watch = event->data.ptr;

			if (watch)
				watch->ready(watch->ctx, event->events);
		}
	}
}

void loop_stop(struct loop *loop)
{
	loop->stopped = true;
}
