/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef INTEROP_CHECK_H
#define INTEROP_CHECK_H

#include <errno.h>
#include <stddef.h>

/*
 * Assertions of the client programs. Each ends the process with status 1 and one line that says
 * where it failed, what was expected and what came instead. Arguments are evaluated once.
 */

/* The condition holds; what follows is a printf format that says what was being done. */
#define CHECK(condition, ...) \
	do { \
		if (!(condition)) \
			check_failed(__FILE__, __LINE__, #condition, __VA_ARGS__); \
	} while (0)

/* Two integers are equal. */
#define CHECK_EQ(got, want) \
	check_equal(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))

/* A system call succeeds; its result is the value of the expression. */
#define CHECK_OK(call) check_ok(__FILE__, __LINE__, #call, (long long)(call))

/* A system call fails with just this errno. */
#define CHECK_FAILS(call, error) \
	do { \
		long long result_ = (errno = 0, (call)); \
		check_fails(__FILE__, __LINE__, #call, result_, errno, error); \
	} while (0)

/* Two blocks of memory are equal; the first difference is reported. */
#define CHECK_BYTES(got, want, len) check_bytes(__FILE__, __LINE__, #got, got, want, len)

__attribute__((noreturn, format(printf, 4, 5)))
void check_failed(const char *file, int line, const char *condition, const char *format, ...);
void check_equal(const char *file, int line, const char *what, long long got, long long want);
long long check_ok(const char *file, int line, const char *call, long long result);
void check_fails(const char *file, int line, const char *call, long long result, int error,
		 int want);
void check_bytes(const char *file, int line, const char *what, const void *got, const void *want,
		 size_t len);

#endif
