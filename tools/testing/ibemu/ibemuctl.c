/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * ibemuctl: sends one command to a running ibemu and prints its answer.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int connect_to(const char *folder)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int len = snprintf(address.sun_path, sizeof(address.sun_path), "%s/control.sock", folder);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (len >= (int)sizeof(address.sun_path))
		errno = ENAMETOOLONG;
	else if (fd >= 0 && !connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return fd;
	fprintf(stderr, "ibemuctl: %s/control.sock: %s\n", folder, strerror(errno));
	exit(1);
}

/*
 * Between single quotes nothing is special; a single quote itself stands outside of them, after a
 * backslash.
 */
static void put_quoted(FILE *out, const char *word)
{
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

static void send_command(int fd, int argc, char **argv)
{
	FILE *out = fdopen(dup(fd), "w");

	for (int i = 0; out && i < argc; i++) {
		if (strchr(argv[i], '\n')) {
			fprintf(stderr, "ibemuctl: a word can't have a line break in it\n");
			exit(2);
		}
		if (i)
			fputc(' ', out);
		put_quoted(out, argv[i]);
	}
	if (!out || fputc('\n', out) == EOF || fclose(out)) {
		perror("ibemuctl");
		exit(1);
	}
	shutdown(fd, SHUT_WR);
}

/* All lines but the last, which is the verdict. Exit status of the process. */
static int print_answer(int fd)
{
	static const char error_prefix[] = "error: ";
	FILE *in = fdopen(fd, "r");
	char *line = NULL, *last = NULL;
	size_t room = 0;
	int status = 1;

	while (in && getline(&line, &room, in) > 0) {
		if (last)
			fputs(last, stdout);
		free(last);
		last = line;
		line = NULL;
		room = 0;
	}
	if (last && !strcmp(last, "ok\n"))
		status = 0;
	else if (last && !strncmp(last, error_prefix, strlen(error_prefix)))
		fprintf(stderr, "ibemuctl: %s", last + strlen(error_prefix));
	else
		fprintf(stderr, "ibemuctl: the connection broke off\n");
	free(line);
	free(last);
	if (in)
		fclose(in);
	return status;
}

int main(int argc, char **argv)
{
	int fd;

	if (argc < 3) {
		fprintf(stderr, "usage: ibemuctl SOCKET-DIR COMMAND...\n");
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	fd = connect_to(argv[1]);
	send_command(fd, argc - 2, argv + 2);
	return print_answer(fd);
}
