/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum log_level log_level = LOG_INFO;

static FILE *log_file; /* NULL: stderr */

int log_open(const char *path)
{
	FILE *file = fopen(path, "ae");

	if (!file)
		return -errno;
	setvbuf(file, NULL, _IOLBF, BUFSIZ);
	log_close();
	log_file = file;
	return 0;
}

void log_close(void)
{
	if (log_file)
		fclose(log_file);
	log_file = NULL;
}

static double seconds_since_start(void)
{
	static struct timespec start;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!start.tv_sec)
		start = now;
	return (double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9;
}

void log_write(enum log_level level, const char *format, ...)
{
	static const char *const names[] = { "error", "warning", "info", "debug" };
	FILE *out = log_file ? log_file : stderr;
	/* For %m, and because a line in the log shouldn't change what its caller sees. */
	int saved_errno = errno;
	va_list args;

	fprintf(out, "%.6f %s: ", seconds_since_start(), names[level]);
	errno = saved_errno;
	va_start(args, format);
	vfprintf(out, format, args);
	va_end(args);
	fputc('\n', out);
	errno = saved_errno;
}
