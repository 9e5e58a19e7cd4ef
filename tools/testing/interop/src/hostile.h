/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef INTEROP_HOSTILE_H
#define INTEROP_HOSTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Calls that nobody sane makes, each made from a form in which the call is right. What is made
 * depends on the seed alone.
 */

/* Files have fixed numbers: of each thread its own, then some that all share. */
enum {
	FIRST_FILE = 20, FILES_OF_THREAD = 4, MAX_THREADS = 8,
	SHARED_FILE = FIRST_FILE + MAX_THREADS * FILES_OF_THREAD, SHARED_FILES = 2,
	FIRST_OTHER_FILE = SHARED_FILE + SHARED_FILES,
};

enum { FRAME_SIZE = 4096, ARENA_SIZE = 1 << 18 };

/**
 * struct attacker - a thread
 * @number: from 0
 * @state: of its random numbers
 * @frame: where requests are put: a page behind which there's nothing
 * @arena: memory to register, and for answers
 * @last_address: what the last address in the request was
 */
struct attacker {
	unsigned int number;
	uint64_t state;
	unsigned char *frame;
	unsigned char *arena;
	uint64_t last_address;
};

/* Chance: any number; one below n; true once in n times. */
uint64_t chance(struct attacker *attacker);
uint32_t below(struct attacker *attacker, uint32_t n);
bool once_in(struct attacker *attacker, uint32_t n);

/* A value for a field of that kind, most often one that makes sense; kinds: see hostile_values.c */
uint64_t value_of(struct attacker *attacker, char kind);
/* A request: the form names kind and size of each field, in bytes. Returns its size. */
size_t fill(struct attacker *attacker, const char *form, unsigned char *bytes);
/* What the device's driver wants to be told beside that, with a command. Returns its size. */
size_t driver_request(struct attacker *attacker, uint32_t command, unsigned char *bytes);
/* An address that is bad, or good for less than is needed. */
uint64_t bad_address(struct attacker *attacker);
/* A file of this thread's or of all. */
int file_of(struct attacker *attacker);

/* True if ib_uverbs is ours: then calls are made, too, that are known to break stock's. */
bool with_ours(void);

/* One call each; the result of the system call. */
int hostile_command(struct attacker *attacker);
int hostile_method(struct attacker *attacker);

/* The objects that the forms refer to, at the handles that they have in these forms. */
void furnish(int fd, struct attacker *attacker);

#endif
