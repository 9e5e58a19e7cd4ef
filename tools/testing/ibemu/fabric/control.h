/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The words of one command of ibemuctl, taken one by one; where something is wrong, a message goes
 * to out.
 */
#ifndef IBEMU_FABRIC_CONTROL_H
#define IBEMU_FABRIC_CONTROL_H

#include <stdbool.h>
#include <stdio.h>

struct fabric;
struct fabric_node;

struct words {
	int left;
	char **at;
	FILE *out;
};

/* The next word, or NULL; peek leaves it there. */
const char *words_next(struct words *words);
const char *words_peek(const struct words *words);
/* The next word as a number (decimal, or hexadecimal with 0x) from 0 to max. */
bool words_number(struct words *words, const char *what, int max, int *value);
/* No word is left. */
bool words_end(struct words *words);
/* Writes the message as a line; always false. */
bool control_fail(struct words *words, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * NODE or NODE:PORT, then *port_num is the port and else -1. A node is given by GUID (hexadecimal),
 * by id ("S-0002c90200000010") or by its description. NULL with a message in out.
 */
struct fabric_node *control_find_node(struct fabric *fabric, const char *name, int *port_num,
				      FILE *out);

int filter_control(struct fabric *fabric, struct words *words);

#endif
