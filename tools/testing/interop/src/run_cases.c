// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

static const struct test_case *find_case(const struct test_case *const tables[], size_t count,
					 const char *name)
{
	for (size_t i = 0; i < count; i++)
		for (const struct test_case *c = tables[i]; c->name; c++)
			if (!strcmp(c->name, name))
				return c;
	return NULL;
}

static int list_cases(const struct test_case *const tables[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (const struct test_case *c = tables[i]; c->name; c++)
			puts(c->name);
	return 0;
}

/*
 * A command that ends, as UNPLUG does, would otherwise interrupt a thread that waits for something
 * else: it would look around, and nobody would see that it was never woken.
 */
static void block_sigchld(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals, NULL);
}

/* True if the case ended well. Its process is a group leader: what it forked dies with it. */
static int run_case(const struct test_case *c)
{
	int status;
	pid_t pid = fork();

	if (pid < 0) {
		perror("fork");
		return 0;
	}
	if (!pid) {
		setpgid(0, 0);
		block_sigchld();
		c->run();
		exit(0);
	}
	setpgid(pid, pid);
	if (waitpid(pid, &status, 0) != pid) {
		perror("waitpid");
		return 0;
	}
	kill(-pid, SIGKILL);
	if (WIFSIGNALED(status))
		printf("case %s: killed by signal %d\n", c->name, WTERMSIG(status));
	else
		printf("case %s: %s\n", c->name, WEXITSTATUS(status) ? "FAILED" : "ok");
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

int run_cases(const struct test_case *const tables[], size_t count, char **names)
{
	int failed = 0;

	if (!*names)
		return list_cases(tables, count);
	setvbuf(stdout, NULL, _IONBF, 0);
	for (; *names; names++) {
		const struct test_case *c = find_case(tables, count, *names);

		if (!c) {
			fprintf(stderr, "no case is called %s\n", *names);
			return 2;
		}
		failed |= !run_case(c);
	}
	return failed;
}
