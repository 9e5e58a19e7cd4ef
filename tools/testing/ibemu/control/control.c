/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include "control/control.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/listen.h"
#include "base/log.h"
#include "control/words.h"

/* Reads while it has nothing to send, so that answers which nobody reads don't pile up. */
struct client {
	struct control *control;
	struct watch watch; /* watch.fd: -1 when this place is free */
	char line[CONTROL_LINE_MAX];
	size_t line_len;
	bool at_end; /* of what the client sends */
	char *answer;
	size_t answer_len, sent;
};

struct control {
	struct loop *loop;
	struct listener listener;
	control_handler *handler;
	void *ctx;
	struct client clients[CONTROL_CLIENTS_MAX];
};

static void close_client(struct client *client)
{
	if (client->watch.fd < 0)
		return;
	loop_unwatch(client->control->loop, &client->watch);
	close(client->watch.fd);
	client->watch.fd = -1;
	free(client->answer);
	client->answer = NULL;
}

/* The text of a failed command, as the rest of one line. */
static void put_reason(FILE *out, int error, char *text)
{
	size_t len = strlen(text);

	while (len && text[len - 1] == '\n')
		text[--len] = '\0';
	for (char *at = text; (at = strchr(at, '\n')); at++)
		*at = ' ';
	if (!len)
		text = error == -ENOENT ? "no such command" : strerror(-error);
	fprintf(out, "error: %s\n", text);
}

static void run_words(struct control *control, int argc, char **argv, FILE *out)
{
	char *text = NULL;
	size_t len;
	FILE *text_file = open_memstream(&text, &len);
	int error = -ENOMEM;

	if (text_file) {
		error = control->handler(control->ctx, argc, argv, text_file);
		if (fclose(text_file))
			error = -ENOMEM;
	}
	if (error) {
		put_reason(out, error, text ? text : (char[]){ "" });
	} else {
		fwrite(text, 1, len, out);
		fputs(len && text[len - 1] != '\n' ? "\nok\n" : "ok\n", out);
	}
	free(text);
}

static void run_line(struct control *control, char *line, FILE *out)
{
	char *words[WORDS_MAX];
	int count = words_split(line, words);

	if (count > 0)
		run_words(control, count, words, out);
	else if (count < 0)
		fprintf(out, "error: %s\n",
			count == -E2BIG ? "too many words" : "a quote isn't closed");
}

/* Runs the first of the lines that have come, if there is a whole one. 0 or -1: drop the client. */
static int run_first_line(struct client *client)
{
	char *end = memchr(client->line, '\n', client->line_len);
	size_t used;
	FILE *out;

	if (!end)
		return client->line_len == sizeof(client->line) ? -1 : 0;
	*end = '\0';
	used = (size_t)(end + 1 - client->line);
	out = open_memstream(&client->answer, &client->answer_len);
	if (!out)
		return -1;
	run_line(client->control, client->line, out);
	client->sent = 0;
	memmove(client->line, client->line + used, client->line_len - used);
	client->line_len -= used;
	return fclose(out) ? -1 : 0;
}

/* 1: all sent; 0: the socket is full; -1: the client is gone. */
static int send_answer(struct client *client)
{
	while (client->sent < client->answer_len) {
		ssize_t n = send(client->watch.fd, client->answer + client->sent,
				 client->answer_len - client->sent, MSG_NOSIGNAL);

		if (n < 0)
			return errno == EAGAIN ? 0 : -1;
		client->sent += (size_t)n;
	}
	free(client->answer);
	client->answer = NULL;
	client->answer_len = 0;
	client->sent = 0;
	return 1;
}

static int receive(struct client *client)
{
	ssize_t n = recv(client->watch.fd, client->line + client->line_len,
			 sizeof(client->line) - client->line_len, 0);

	if (n < 0)
		return errno == EAGAIN ? 0 : -1;
	client->at_end = !n;
	client->line_len += (size_t)n;
	return 0;
}

/*
 * Answers all lines that have come, as far as the client reads the answers. 0 or -1: it's over with
 * this client.
 */
static int serve(struct client *client)
{
	if (!client->answer && receive(client))
		return -1;
	for (;;) {
		if (client->answer) {
			int sent = send_answer(client);

			if (sent <= 0)
				return sent;
		}
		if (run_first_line(client))
			return -1;
		if (!client->answer)
			return client->at_end ? -1 : 0;
	}
}

static void client_ready(void *ctx, uint32_t epoll_events)
{
	struct client *client = ctx;

	(void)epoll_events;
	if (serve(client) || loop_rewatch(client->control->loop, &client->watch,
					  client->answer ? EPOLLOUT : EPOLLIN))
		close_client(client);
}

static void take_client(void *ctx, int fd)
{
	struct control *control = ctx;

	for (int i = 0; i < CONTROL_CLIENTS_MAX; i++) {
		struct client *client = &control->clients[i];

		if (client->watch.fd >= 0)
			continue;
		*client = (struct client){ .control = control };
		client->watch = (struct watch){ .fd = fd, .ready = client_ready, .ctx = client };
		if (loop_watch(control->loop, &client->watch, EPOLLIN))
			break;
		return;
	}
	log_warn("control: a client was turned away");
	close(fd);
}

struct control *control_create(struct loop *loop, const char *socket_path, control_handler *handler,
			       void *ctx)
{
	struct control *control = calloc(1, sizeof(*control));
	int error;

	if (!control)
		return NULL;
	control->loop = loop;
	control->handler = handler;
	control->ctx = ctx;
	for (int i = 0; i < CONTROL_CLIENTS_MAX; i++)
		control->clients[i].watch.fd = -1;
	error = listener_open(&control->listener, loop, socket_path, take_client, control);
	if (!error)
		return control;
	control_destroy(control);
	errno = -error;
	return NULL;
}

void control_destroy(struct control *control)
{
	if (!control)
		return;
	for (int i = 0; i < CONTROL_CLIENTS_MAX; i++)
		close_client(&control->clients[i]);
	listener_close(&control->listener);
	free(control);
}
