// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * usage: umadtest CASE...
 *
 * Runs the named cases, each in a process of its own, and says how each ended. Without a name, it
 * lists them. PORT_A and PORT_B in the environment name two ports that reach each other
 * ("rxe_a/1").
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

static const struct umad_case *const tables[] = {
	agent_cases, send_cases, bad_write_cases, rmpp_cases, unplug_cases, load_cases, mad_cases,
};

static const struct umad_case *find_case(const char *name)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (const struct umad_case *c = tables[i]; c->name; c++)
			if (!strcmp(c->name, name))
				return c;
	return NULL;
}

static int list_cases(void)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (const struct umad_case *c = tables[i]; c->name; c++)
			puts(c->name);
	return 0;
}

/* True if the case ended well. Its process is a group leader: what it forked dies with it. */
static int run_case(const struct umad_case *c)
{
	int status;
	pid_t pid = fork();

	if (pid < 0) {
		perror("fork");
		return 0;
	}
	if (!pid) {
		setpgid(0, 0);
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

int main(int argc, char **argv)
{
	int failed = 0;

	if (argc == 1)
		return list_cases();
	setvbuf(stdout, NULL, _IONBF, 0);
	for (int i = 1; i < argc; i++) {
		const struct umad_case *c = find_case(argv[i]);

		if (!c) {
			fprintf(stderr, "umadtest: no case is called %s\n", argv[i]);
			return 2;
		}
		failed |= !run_case(c);
	}
	return failed;
}
