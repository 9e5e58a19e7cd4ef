// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

void check_failed(const char *file, int line, const char *condition, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s:%d: %s: ", file, line, condition);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

void check_equal(const char *file, int line, const char *what, long long got, long long want)
{
	if (got != want)
		check_failed(file, line, what, "is %lld (0x%llx), expected %lld (0x%llx)", got, got,
			     want, want);
}

long long check_ok(const char *file, int line, const char *call, long long result)
{
	if (result < 0)
		check_failed(file, line, call, "returned %lld, errno is %s", result,
			     strerrorname_np(errno));
	return result;
}

void check_fails(const char *file, int line, const char *call, long long result, int error,
		 int want)
{
	if (result >= 0)
		check_failed(file, line, call, "returned %lld, expected %s", result,
			     strerrorname_np(want));
	if (error != want)
		check_failed(file, line, call, "failed with %s, expected %s",
			     strerrorname_np(error), strerrorname_np(want));
}

void check_bytes(const char *file, int line, const char *what, const void *got, const void *want,
		 size_t len)
{
	const unsigned char *a = got, *b = want;

	for (size_t i = 0; i < len; i++)
		if (a[i] != b[i])
			check_failed(file, line, what,
				     "byte %zu of %zu is 0x%02x, expected 0x%02x", i, len,
				     a[i], b[i]);
}
