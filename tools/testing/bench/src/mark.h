/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef BENCH_MARK_H
#define BENCH_MARK_H

/*
 * Windows in which the plugin counts a guest's instructions. Two exchanges of a register with
 * itself, which no compiler makes and which do nothing, open and close one. A program that measures
 * prints for each window it has closed what was in it (mark_end does), so that the n-th line of its
 * output belongs to the plugin's n-th.
 *
 * One window at a time in the whole guest.
 */

#define MARK_BEGIN_BYTES 0x66, 0x87, 0xdb /* xchg %bx, %bx */
#define MARK_END_BYTES 0x66, 0x87, 0xc9	  /* xchg %cx, %cx */
#define MARK_LEN 3

#ifndef BENCH_PLUGIN
#include <stdio.h>

static inline void mark_begin(void)
{
	__asm__ volatile("xchg %%bx, %%bx" ::: "memory");
}

static inline void mark_end(const char *what)
{
	__asm__ volatile("xchg %%cx, %%cx" ::: "memory");
	printf("window %s\n", what);
	fflush(stdout);
}

/* Statements in a window. */
#define WINDOW(what, ...)         \
	do {                      \
		mark_begin();     \
		__VA_ARGS__;      \
		mark_end(what);   \
	} while (0)
#endif

#endif
