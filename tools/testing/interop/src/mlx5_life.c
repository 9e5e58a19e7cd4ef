// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Lives of a process whose device refuses commands. Each refusal that a step has met is told in a
 * line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "mlx5_life.h"

#define PATIENCE 5

struct life life;

/* Until it's done: the firmware refuses now and then. */
static void take(const struct step *step, int (*function)(void), int want, const char *what)
{
	int error;

	for (int i = 0; (error = function()); i++) {
		printf("refused: %s %s: %s\n", what, step->name, strerrorname_np(error));
		CHECK(want == ANY_ERRNO || error == want, "%s %s: %s", what, step->name,
		      strerrorname_np(error));
		CHECK(i < PATIENCE, "%s %s: refused again and again", what, step->name);
	}
}

static void make_all(const struct step *steps)
{
	for (; steps->name; steps++)
		take(steps, steps->make, steps->refusal, "make");
}

static void unmake_all(const struct step *steps)
{
	const struct step *step = steps;

	while (step->name)
		step++;
	while (step-- > steps)
		if (step->unmake)
			take(step, step->unmake, EBUSY, "unmake");
}

static void prepare(void)
{
	life.memory = aligned_alloc(PAGE, LIFE_PAGES * PAGE);
	memset(life.memory, 0, LIFE_PAGES * PAGE);
}

static void whole_life(void)
{
	prepare();
	make_all(verbs_steps);
	make_all(devx_steps);
	unmake_all(devx_steps);
	unmake_all(verbs_steps);
}

static void first_life(void)
{
	prepare();
	make_all(first_steps);
	unmake_all(first_steps);
}

/* Ends with all of it there, as soon as it's told so: the kernel cleans up. */
static void sudden_end(void)
{
	char byte;

	prepare();
	make_all(verbs_steps);
	make_all(devx_steps);
	puts("all is there");
	CHECK_EQ(read(STDIN_FILENO, &byte, 1), 1);
}

const struct test_case mlx5_life_cases[] = {
	{ "life", whole_life },
	{ "first-life", first_life },
	{ "sudden-end", sudden_end },
	{}
};
