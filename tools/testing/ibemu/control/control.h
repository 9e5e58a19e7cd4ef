/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The control socket. A client sends command lines (see words.h) and gets, for each, the text of
 * the answer, if any, and then a line "ok" or "error: REASON". A client may close its sending side
 * and read on.
 */
#ifndef IBEMU_CONTROL_H
#define IBEMU_CONTROL_H

#include <stdio.h>

#include "base/loop.h"

#define CONTROL_LINE_MAX 4096
#define CONTROL_CLIENTS_MAX 16

struct control;

/*
 * Runs one command of argc (1 or more) words. 0; -EINVAL with the reason in out; -ENOENT: no such
 * command.
 */
typedef int control_handler(void *ctx, int argc, char **argv, FILE *out);

/* Listens on socket_path (an old socket file there is replaced). NULL with errno set. */
struct control *control_create(struct loop *loop, const char *socket_path, control_handler *handler,
			       void *ctx);
void control_destroy(struct control *control);

#endif
