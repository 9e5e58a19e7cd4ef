/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include "base/listen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static void accept_one(void *ctx, uint32_t epoll_events)
{
	struct listener *listener = ctx;
	int fd = accept4(listener->watch.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	(void)epoll_events;
	if (fd >= 0)
		listener->connected(listener->ctx, fd);
}

static int bind_to(int fd, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct stat stat;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	if (!lstat(path, &stat) && S_ISSOCK(stat.st_mode))
		unlink(path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, SOMAXCONN))
		return -errno;
	return 0;
}

int listener_open(struct listener *listener, struct loop *loop, const char *path,
		  void (*connected)(void *ctx, int fd), void *ctx)
{
	int error, fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	*listener = (struct listener){ .loop = loop, .connected = connected, .ctx = ctx };
	if (fd < 0)
		return -errno;
	listener->watch = (struct watch){ .fd = fd, .ready = accept_one, .ctx = listener };
	error = bind_to(fd, path);
	if (!error)
		error = loop_watch(loop, &listener->watch, EPOLLIN);
	if (!error) {
		listener->path = strdup(path);
		if (listener->path)
			return 0;
		loop_unwatch(loop, &listener->watch);
		error = -ENOMEM;
	}
	close(fd);
	return error;
}

void listener_close(struct listener *listener)
{
	if (!listener->path)
		return;
	loop_unwatch(listener->loop, &listener->watch);
	close(listener->watch.fd);
	unlink(listener->path);
	free(listener->path);
	listener->path = NULL;
}
