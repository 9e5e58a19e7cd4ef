// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "hostile.h"

/* Values for the fields of requests: mostly sane, sometimes at the edge of it, or beyond. */

uint64_t chance(struct attacker *attacker)
{
	uint64_t x = attacker->state += 0x9e3779b97f4a7c15;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

uint32_t below(struct attacker *attacker, uint32_t n)
{
	return (chance(attacker) >> 32) % n;
}

bool once_in(struct attacker *attacker, uint32_t n)
{
	return !below(attacker, n);
}

uint64_t bad_address(struct attacker *attacker)
{
	switch (below(attacker, 9)) {
	case 0:
		return 0;
	case 1:
		return 4096;
	case 2:
		return -1ULL;
	case 3:
		return -4096ULL;
	case 4:
		return 0xffffffff81000000;
	case 5:
		return 0xffff888000000000;
	case 6:
		return 1ULL << 63;
	case 7:
		return chance(attacker);
	default:
		/* Some of it is there. */
		return (uintptr_t)attacker->frame + FRAME_SIZE - 1 - below(attacker, 64);
	}
}

static uint64_t odd_number(struct attacker *attacker)
{
	static const uint64_t odd[] = {
		0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000,
		0xfffffff0, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, -1ULL,
	};

	switch (below(attacker, 4)) {
	case 0:
		return chance(attacker);
	case 1:
		return 1ULL << below(attacker, 64);
	case 2:
		return (1ULL << below(attacker, 64)) - 1;
	default:
		return odd[below(attacker, sizeof(odd) / sizeof(odd[0]))];
	}
}

static uint64_t address(struct attacker *attacker)
{
	if (once_in(attacker, 16))
		return attacker->last_address = bad_address(attacker);
	attacker->last_address = (uintptr_t)attacker->arena + 4096 * below(attacker, 24);
	return attacker->last_address;
}

static uint64_t length(struct attacker *attacker)
{
	if (once_in(attacker, 32))
		return odd_number(attacker);
	return once_in(attacker, 4) ? below(attacker, 32768) : 4096ULL << below(attacker, 4);
}

static uint64_t file(struct attacker *attacker)
{
	switch (below(attacker, 8)) {
	case 0:
		return FIRST_OTHER_FILE + below(attacker, 16);
	case 1:
		return FIRST_FILE + below(attacker, FIRST_OTHER_FILE - FIRST_FILE);
	case 2:
		return 3 + below(attacker, FIRST_FILE - 3);
	case 3:
		return odd_number(attacker);
	default:
		return -1ULL;
	}
}

static uint64_t qp_type(struct attacker *attacker)
{
	static const uint8_t types[] = { 2, 2, 2, 3, 4, 4, 9, 10 };

	return once_in(attacker, 8) ? below(attacker, 256) : types[below(attacker, sizeof(types))];
}

/* Which handles furnish() leaves objects of a kind at. */
static bool find_handle(struct attacker *attacker, char kind, uint64_t *value)
{
	static const struct {
		char kind;
		uint8_t first, count;
	} furniture[] = {
		{ 'P', 0, 2 }, { 'C', 2, 2 }, { 'S', 4, 1 }, { 'T', 5, 3 }, { 'M', 8, 2 },
		{ 'W', 10, 1 }, { 'H', 11, 1 }, { 'X', 12, 1 }, { 'B', 13, 2 }, { 'I', 15, 1 },
		{ 'F', 16, 1 }, { 'D', 17, 1 }, { 'K', 18, 1 },
	};

	for (size_t i = 0; i < sizeof(furniture) / sizeof(furniture[0]); i++) {
		if (furniture[i].kind != kind)
			continue;
		*value = furniture[i].first + below(attacker, furniture[i].count);
		return true;
	}
	return false;
}

static uint64_t handle(struct attacker *attacker)
{
	return once_in(attacker, 8) ? odd_number(attacker) : below(attacker, 48);
}

/*
 * a address; A the same again; b shift of a receive's size: 6; c 2 (of something); d file; e, E
 * sizes of work requests: 56, 16; f flags; g part of a GID; h handle; i no user's index; j size of
 * a flow's specification: 40; l length; n size of a queue; o opcode; p port; q type of a QP;
 * r size of a completion: 64; s addresses of a work request; t small number; u whatever;
 * v completion vector; x mask; y type of a flow's specification; z zero; other capital letters:
 * handles of objects, see above
 */
uint64_t value_of(struct attacker *attacker, char kind)
{
	uint64_t value;

	if (kind != 'z' && once_in(attacker, 24))
		return odd_number(attacker);
	if (find_handle(attacker, kind, &value))
		return once_in(attacker, 5) ? handle(attacker) : value;
	switch (kind) {
	case 'a':
		return address(attacker);
	case 'A':
		return attacker->last_address;
	case 'b':
		return 6;
	case 'c':
		return 2;
	case 'd':
		return file(attacker);
	case 'e':
		return 56;
	case 'E':
		return 16;
	case 'f':
		return once_in(attacker, 2) ? 1 : 1 | 1U << below(attacker, 32);
	case 'g':
		return once_in(attacker, 2) ? 0x12ff : 0x80fe;
	case 'h':
		return handle(attacker);
	case 'i':
		return 0xffffff;
	case 'j':
		return 40;
	case 'l':
		return length(attacker);
	case 'n':
		return once_in(attacker, 64) ? below(attacker, 70000) : 1 + below(attacker, 16);
	case 'o':
		return below(attacker, 10);
	case 'p':
	case 's':
		return 1;
	case 'r':
		return 64;
	case 'q':
		return qp_type(attacker);
	case 't':
		return below(attacker, 5);
	case 'v':
		return once_in(attacker, 8) ? below(attacker, 4) : 0;
	case 'x':
		return once_in(attacker, 2) ? chance(attacker) & 0x1fffff : 1;
	case 'y':
		return 0x20;
	case 'z':
		return once_in(attacker, 64) ? odd_number(attacker) : 0;
	case 'u':
		return chance(attacker) & 0xffff;
	}
	check_failed(__FILE__, __LINE__, "value_of", "no kind is called %c", kind);
}

size_t fill(struct attacker *attacker, const char *form, unsigned char *bytes)
{
	unsigned char *at = bytes;

	for (; *form; form += 2) {
		uint64_t value = value_of(attacker, form[0]);
		size_t size = form[1] - '0';

		memcpy(at, &value, size);
		at += size;
	}
	return at - bytes;
}

bool with_ours(void)
{
	const char *ours = getenv("OURS");

	return ours && strstr(ours, "uverbs");
}

int file_of(struct attacker *attacker)
{
	if (once_in(attacker, 3))
		return SHARED_FILE + below(attacker, SHARED_FILES);
	return FIRST_FILE + attacker->number * FILES_OF_THREAD + below(attacker, FILES_OF_THREAD);
}
