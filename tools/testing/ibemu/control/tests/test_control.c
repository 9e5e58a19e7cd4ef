/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "control/control.h"

static struct loop *loop;
static struct control *control;
static char path[64];
static int commands;

/*
 * echo WORD...: the words, a line each. fail REASON. silent. long N: N lines. Else: no such
 * command.
 */
static int handle(void *ctx, int argc, char **argv, FILE *out)
{
	assert_ptr_equal(ctx, &commands);
	commands++;
	if (!strcmp(argv[0], "echo")) {
		for (int i = 1; i < argc; i++)
			fprintf(out, "%s\n", argv[i]);
		return 0;
	}
	if (!strcmp(argv[0], "unfinished")) {
		fputs("no line break", out);
		return 0;
	}
	if (!strcmp(argv[0], "fail")) {
		fputs(argv[1], out);
		return -EINVAL;
	}
	if (!strcmp(argv[0], "multi")) {
		fputs("first\nsecond\n", out);
		return -EINVAL;
	}
	if (!strcmp(argv[0], "long")) {
		for (int i = 0; i < atoi(argv[1]); i++)
			fprintf(out, "line %d\n", i);
		return 0;
	}
	return strcmp(argv[0], "silent") ? -ENOENT : 0;
}

static int set_up(void **state)
{
	(void)state;
	commands = 0;
	snprintf(path, sizeof(path), "/tmp/ibemu-test-%d.sock", getpid());
	loop = loop_create();
	control = control_create(loop, path, handle, &commands);
	return control ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	control_destroy(control);
	loop_destroy(loop);
	return access(path, F_OK) == 0;
}

/* A client, which reads up to the end of the connection. */

static int client_fd;
static char answer[1 << 20];

static void connect_client(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strcpy(address.sun_path, path);
	client_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	assert_int_equal(connect(client_fd, (struct sockaddr *)&address, sizeof(address)), 0);
}

static void stop_loop(void *ctx, uint32_t epoll_events)
{
	(void)epoll_events;
	loop_stop(ctx);
}

static void run_until_readable(int fd)
{
	struct watch watch = { .fd = fd, .ready = stop_loop, .ctx = loop };

	loop_watch(loop, &watch, EPOLLIN);
	loop_run(loop);
	loop_unwatch(loop, &watch);
}

/* What comes until a text ends the answer or, with NULL, until the end of the connection. */
static const char *read_until(const char *end)
{
	size_t len = 0;

	answer[0] = '\0';
	while (!end || len < strlen(end) || strcmp(answer + len - strlen(end), end)) {
		ssize_t n = recv(client_fd, answer + len, sizeof(answer) - 1 - len, 0);

		if (n == 0 || (n < 0 && errno != EAGAIN))
			break;
		if (n > 0)
			len += (size_t)n;
		else
			run_until_readable(client_fd);
		answer[len] = '\0';
	}
	return answer;
}

static void send_text(const char *text)
{
	assert_int_equal(send(client_fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* One client with these lines. */
static const char *ask(const char *lines)
{
	connect_client();
	send_text(lines);
	shutdown(client_fd, SHUT_WR);
	read_until(NULL);
	close(client_fd);
	return answer;
}

static void an_answer_ends_with_ok(void **state)
{
	(void)state;
	assert_string_equal(ask("echo 'a b' c\n"), "a b\nc\nok\n");
	assert_string_equal(ask("silent\n"), "ok\n");
	assert_string_equal(ask("unfinished\n"), "no line break\nok\n");
}

static void a_failure_gives_its_reason_on_one_line(void **state)
{
	(void)state;
	assert_string_equal(ask("fail 'no link 7'\n"), "error: no link 7\n");
	assert_string_equal(ask("multi\n"), "error: first second\n");
	assert_string_equal(ask("fail ''\n"), "error: Invalid argument\n");
	assert_string_equal(ask("nonsense\n"), "error: no such command\n");
	assert_string_equal(ask("echo 'x\n"), "error: a quote isn't closed\n");
}

static void many_lines_are_answered_in_order(void **state)
{
	(void)state;
	assert_string_equal(ask("echo 1\n\n\t\nnonsense\necho 2\n"),
			    "1\nok\nerror: no such command\n2\nok\n");
	assert_int_equal(commands, 3);
}

static void a_line_may_come_in_pieces(void **state)
{
	(void)state;
	connect_client();
	send_text("echo he");
	send_text("llo\nec");
	assert_string_equal(read_until("ok\n"), "hello\nok\n");
	send_text("ho again\n");
	assert_string_equal(read_until("ok\n"), "again\nok\n");
	close(client_fd);
}

static void a_line_without_an_end_is_not_a_command(void **state)
{
	(void)state;
	assert_string_equal(ask("echo half"), "");
	assert_int_equal(commands, 0);
}

static void a_line_that_is_too_long_ends_the_connection(void **state)
{
	static char text[CONTROL_LINE_MAX + 2];

	(void)state;
	memset(text, 'x', CONTROL_LINE_MAX);
	assert_string_equal(ask(text), "");
	text[CONTROL_LINE_MAX - 1] = '\n';
	text[CONTROL_LINE_MAX] = '\0';
	assert_string_equal(ask(text), "error: no such command\n");
}

static void a_long_answer_arrives_whole(void **state)
{
	const char *last;

	(void)state;
	last = ask("long 60000\necho done\n");
	assert_true(strlen(last) > 600000);
	assert_string_equal(last + strlen(last) - strlen("line 59999\nok\ndone\nok\n"),
			    "line 59999\nok\ndone\nok\n");
}

static void zero_bytes_are_harmless(void **state)
{
	(void)state;
	connect_client();
	assert_int_equal(send(client_fd, "echo a\0b\n\0\n", 11, 0), 11);
	shutdown(client_fd, SHUT_WR);
	assert_string_equal(read_until(NULL), "a\nok\n");
	close(client_fd);
}

static void a_client_that_does_not_read_is_dropped_when_it_goes(void **state)
{
	(void)state;
	connect_client();
	send_text("long 60000\nlong 60000\n");
	close(client_fd);
	assert_string_equal(ask("echo next\n"), "next\nok\n");
}

static void several_clients_are_served_at_once(void **state)
{
	int fds[CONTROL_CLIENTS_MAX];

	(void)state;
	for (int i = 0; i < CONTROL_CLIENTS_MAX; i++) {
		connect_client();
		fds[i] = client_fd;
	}
	send_text("echo last\n");
	assert_string_equal(read_until("ok\n"), "last\nok\n");
	client_fd = fds[0];
	send_text("echo first\n");
	assert_string_equal(read_until("ok\n"), "first\nok\n");
	connect_client(); /* one too many */
	assert_string_equal(read_until(NULL), "");
	close(client_fd);
	for (int i = 0; i < CONTROL_CLIENTS_MAX; i++)
		close(fds[i]);
	assert_string_equal(ask("silent\n"), "ok\n"); /* their places are free again */
}

static void it_may_end_while_clients_are_there(void **state)
{
	(void)state;
	connect_client();
	send_text("echo a\necho b");
	read_until("ok\n");
	close(client_fd);
	connect_client();
	send_text("long 60000\n");
	run_until_readable(client_fd);
	close(client_fd); /* tear_down() finds an answer that is half sent */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_answer_ends_with_ok, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_failure_gives_its_reason_on_one_line, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(many_lines_are_answered_in_order, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_line_may_come_in_pieces, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_line_without_an_end_is_not_a_command, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_line_that_is_too_long_ends_the_connection, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_long_answer_arrives_whole, set_up, tear_down),
		cmocka_unit_test_setup_teardown(zero_bytes_are_harmless, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_client_that_does_not_read_is_dropped_when_it_goes,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(several_clients_are_served_at_once, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(it_may_end_while_clients_are_there, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
