/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The seam to guest memory. hca/ owns it; vfio-user/ provides it from the client's mappings, tests
 * provide it from an array. Every access is checked against what is mapped at that moment.
 */
#ifndef IBEMU_DMA_H
#define IBEMU_DMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dma_dir { DMA_READ, DMA_WRITE }; /* as the device sees it */

struct dma;

struct dma_ops {
	/*
	 * A pointer to [addr, addr + *len) of guest memory, or NULL when addr isn't mapped with
	 * that right. *len is cut short where the mapping ends. Valid until control returns to the
	 * event loop, since any message from the client can unmap it.
	 */
	void *(*map)(struct dma *dma, uint64_t addr, size_t *len, enum dma_dir dir);
};

/* Embedded in its provider. */
struct dma {
	const struct dma_ops *ops;
};

/*
 * All or nothing on a single mapping; across mappings, what comes before a hole may be done. 0 or
 * -EFAULT.
 */
int dma_read(struct dma *dma, uint64_t addr, void *buf, size_t len);
int dma_write(struct dma *dma, uint64_t addr, const void *buf, size_t len);

/* len bytes in one piece, or NULL: then use dma_read() or dma_write(). Validity as for ops->map. */
void *dma_map(struct dma *dma, uint64_t addr, size_t len, enum dma_dir dir);

#endif
