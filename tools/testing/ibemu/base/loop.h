/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The event loop: epoll around a real-time scheduler. An idle loop sleeps in epoll_wait().
 */
#ifndef IBEMU_LOOP_H
#define IBEMU_LOOP_H

#include <stdint.h>

#include "base/sched.h"

struct loop;

/* A file descriptor that the loop watches; embedded in its owner. */
struct watch {
	int fd;
	void (*ready)(void *ctx, uint32_t epoll_events);
	void *ctx;
};

struct loop *loop_create(void);
void loop_destroy(struct loop *loop);
struct sched *loop_sched(struct loop *loop);

/* 0 or -errno. The events are epoll's; level-triggered. */
int loop_watch(struct loop *loop, struct watch *watch, uint32_t epoll_events);
int loop_rewatch(struct loop *loop, struct watch *watch, uint32_t epoll_events);
/*
 * Must come before close(watch->fd); no callback of this watch runs after it, also not a pending
 * one.
 */
void loop_unwatch(struct loop *loop, struct watch *watch);

/* Runs until loop_stop(); what epoll has reported by then is still dispatched. */
void loop_run(struct loop *loop);
void loop_stop(struct loop *loop);

#endif
