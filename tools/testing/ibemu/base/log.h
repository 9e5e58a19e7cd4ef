/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The log: one line an entry, with the time since start, to stderr or a file. The guest can make
 * any of these happen at will, so callers keep what a guest can repeat at LOG_DEBUG, or rate-limit
 * it.
 */
#ifndef IBEMU_LOG_H
#define IBEMU_LOG_H

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Entries above this level are dropped; LOG_INFO at start. */
extern enum log_level log_level;

/* Sends the log to a file (appending) instead of stderr. 0 or -errno. */
int log_open(const char *path);
/* Back to stderr. */
void log_close(void);

#define log_at(level, ...)                                                                         \
	do {                                                                                       \
		if ((level) <= log_level)                                                          \
			log_write(level, __VA_ARGS__);                                             \
	} while (0)
#define log_error(...) log_at(LOG_ERROR, __VA_ARGS__)
#define log_warn(...) log_at(LOG_WARN, __VA_ARGS__)
#define log_info(...) log_at(LOG_INFO, __VA_ARGS__)
#define log_debug(...) log_at(LOG_DEBUG, __VA_ARGS__)

void log_write(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
