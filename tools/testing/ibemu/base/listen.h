/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* A unix stream socket that clients connect to. */
#ifndef IBEMU_LISTEN_H
#define IBEMU_LISTEN_H

#include "base/loop.h"

struct listener {
	struct loop *loop;
	struct watch watch;
	char *path; /* NULL: not open */
	void (*connected)(void *ctx, int fd);
	void *ctx;
};

/*
 * Listens on a path. A socket that an earlier run has left there is removed; any other file isn't
 * ours to remove. connected() is given the descriptor of each client: non-blocking, and its own to
 * close. 0 or -errno, and then nothing is to be closed.
 */
int listener_open(struct listener *listener, struct loop *loop, const char *path,
		  void (*connected)(void *ctx, int fd), void *ctx);
/*
 * Removes the socket, too. Harmless on a listener that couldn't be opened, or on one that is all
 * zero.
 */
void listener_close(struct listener *listener);

#endif
