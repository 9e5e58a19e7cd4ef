/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include "vfio-user/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"

#define HEADER sizeof(struct vfu_header)

/* Room for one descriptor more than is allowed, so that the surplus is seen and closed. */
#define CONTROL_ROOM CMSG_SPACE((CONNECTION_MAX_FDS + 1) * sizeof(int))

static void take_fds(struct message *message, struct msghdr *received)
{
	if (received->msg_flags & MSG_CTRUNC)
		message->too_many_fds = true;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(received); c; c = CMSG_NXTHDR(received, c)) {
		size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < count; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof(fd), sizeof(fd));
			if (message->fd_count < CONNECTION_MAX_FDS) {
				message->fds[message->fd_count++] = fd;
			} else {
				message->too_many_fds = true;
				close(fd);
			}
		}
	}
}

static void forget_message(struct connection *connection)
{
	struct message *message = &connection->in;

	for (unsigned int i = 0; i < message->fd_count; i++)
		if (message->fds[i] >= 0)
			close(message->fds[i]);
	message->fd_count = 0;
	message->too_many_fds = false;
	connection->received = 0;
}

/* As recv(), and collects file descriptors. */
static ssize_t receive_some(struct connection *connection, void *to, size_t len)
{
	char control[CONTROL_ROOM] __attribute__((aligned(__alignof__(struct cmsghdr))));
	struct iovec iov = { .iov_base = to, .iov_len = len };
	struct msghdr header = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n = recvmsg(connection->watch.fd, &header, MSG_CMSG_CLOEXEC);

	if (n >= 0)
		take_fds(&connection->in, &header);
	return n;
}

static bool header_is_sane(const struct vfu_header *header)
{
	return header->size >= HEADER && header->size - HEADER <= CONNECTION_MAX_PAYLOAD &&
	       (header->flags & VFU_FLAG_TYPE) == VFU_FLAG_TYPE_COMMAND;
}

/*
 * 1: a message is complete; 0: there is nothing more to read now; -1: the stream is at its end or
 * can't be trusted.
 */
static int receive_message(struct connection *connection)
{
	struct message *in = &connection->in;

	for (;;) {
		size_t have = connection->received;
		uint8_t *to = have < HEADER ? (uint8_t *)&in->header + have
					    : in->payload + (have - HEADER);
		size_t want = have < HEADER ? HEADER - have : in->header.size - have;
		ssize_t n = receive_some(connection, to, want);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 && errno == EAGAIN ? 0 : -1;
		connection->received += (size_t)n;
		if (connection->received < HEADER)
			continue;
		if (!header_is_sane(&in->header)) {
			log_warn("vfio-user: bad header: command %u, size %u, flags %#x",
				 in->header.command, in->header.size, in->header.flags);
			return -1;
		}
		if (connection->received == in->header.size) {
			in->payload_len = in->header.size - HEADER;
			return 1;
		}
	}
}

_Static_assert(offsetof(struct reply, payload) == HEADER, "a reply is sent as one piece");

/* Sends what can be sent, and watches for room if there's more. Not 0: it can't go on. */
static int send_rest(struct connection *connection)
{
	while (connection->sent < connection->to_send) {
		const uint8_t *from = (const uint8_t *)&connection->out + connection->sent;
		ssize_t n = send(connection->watch.fd, from, connection->to_send - connection->sent,
				 MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return loop_rewatch(connection->loop, &connection->watch, EPOLLOUT);
		if (n < 0)
			return -1;
		connection->sent += (size_t)n;
	}
	return 0;
}

static int answer(struct connection *connection)
{
	struct message *in = &connection->in;
	struct reply *out = &connection->out;
	int error;

	out->payload_len = 0;
	error = in->too_many_fds ? -EMFILE : connection->ops->message(connection->ctx, in, out);
	forget_message(connection);
	if (error == CONNECTION_END)
		return -1;
	if (error)
		out->payload_len = 0;
	if (in->header.flags & VFU_FLAG_NO_REPLY)
		return 0;
	out->header = (struct vfu_header){
		.id = in->header.id,
		.command = in->header.command,
		.size = (uint32_t)(HEADER + out->payload_len),
		.flags = VFU_FLAG_TYPE_REPLY | (error ? VFU_FLAG_ERROR : 0),
		.error = (uint32_t)-error,
	};
	connection->sent = 0;
	connection->to_send = out->header.size;
	return send_rest(connection);
}

static int go_on(struct connection *connection)
{
	int result;

	if (connection->sent < connection->to_send) {
		if (send_rest(connection))
			return -1;
		if (connection->sent < connection->to_send)
			return 0;
		return loop_rewatch(connection->loop, &connection->watch, EPOLLIN);
	}
	result = receive_message(connection);
	return result > 0 ? answer(connection) : result;
}

static void ready(void *ctx, uint32_t epoll_events)
{
	struct connection *connection = ctx;

	(void)epoll_events; /* hang-ups and errors show up in recvmsg() and send() */
	if (go_on(connection))
		connection->ops->ended(connection->ctx);
}

void connection_init(struct connection *connection, struct loop *loop,
		     const struct connection_ops *ops, void *ctx)
{
	connection->loop = loop;
	connection->watch = (struct watch){ .fd = -1, .ready = ready, .ctx = connection };
	connection->ops = ops;
	connection->ctx = ctx;
}

int connection_open(struct connection *connection, int fd)
{
	int error;

	connection->watch.fd = fd;
	connection->received = 0;
	connection->sent = 0;
	connection->to_send = 0;
	error = loop_watch(connection->loop, &connection->watch, EPOLLIN);
	if (!error)
		return 0;
	close(fd);
	connection->watch.fd = -1;
	return error;
}

void connection_close(struct connection *connection)
{
	if (!connection_is_open(connection))
		return;
	forget_message(connection);
	loop_unwatch(connection->loop, &connection->watch);
	close(connection->watch.fd);
	connection->watch.fd = -1;
}

bool connection_hung_up(const struct connection *connection)
{
	struct pollfd poll_fd = { .fd = connection->watch.fd, .events = POLLRDHUP };

	return poll(&poll_fd, 1, 0) == 1 && poll_fd.revents & (POLLRDHUP | POLLHUP | POLLERR);
}
