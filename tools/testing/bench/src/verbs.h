/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef BENCH_VERBS_H
#define BENCH_VERBS_H

#include <stdint.h>

/*
 * Verbs of a device that libibverbs has no provider for, in the forms in which libibverbs 56 sends
 * them, with no driver data. Every failure ends the program. Handles are the kernel's.
 */

struct context {
	int fd;
	int async_fd;
};

struct context context_open(const char *path);
void context_close(const struct context *context);

uint32_t pd_alloc(const struct context *context);
void pd_dealloc(const struct context *context, uint32_t pd);

uint32_t mr_reg(const struct context *context, uint32_t pd, void *memory, uint64_t length);
void mr_dereg(const struct context *context, uint32_t mr);

uint32_t cq_create(const struct context *context);
void cq_destroy(const struct context *context, uint32_t cq);

uint32_t srq_create(const struct context *context, uint32_t pd);
void srq_destroy(const struct context *context, uint32_t srq);

/* An RC queue pair, on port 1. */
uint32_t qp_create(const struct context *context, uint32_t pd, uint32_t cq);
void qp_to_init(const struct context *context, uint32_t qp);
void qp_query(const struct context *context, uint32_t qp);
void qp_destroy(const struct context *context, uint32_t qp);

/* The same by write(), as programs with an old library have it. */
uint32_t pd_alloc_by_write(const struct context *context);
void pd_dealloc_by_write(const struct context *context, uint32_t pd);

#endif
