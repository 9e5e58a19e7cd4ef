/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The guest's memory: the ranges that the client has mapped, as a provider of the dma seam.
 *
 * Memory without a file descriptor (ROM, video memory) is kept in the table, so that it can't be
 * mapped twice, but can't be reached: an access fails like one to a hole. The protocol would have
 * us ask the client for each access, but QEMU (up to 11.1) doesn't answer such requests, and its
 * guest's RAM always comes with one.
 */
#ifndef IBEMU_VFIO_USER_MEMORY_H
#define IBEMU_VFIO_USER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hca/dma.h"

#define MEMORY_PAGE 4096
#define MEMORY_MAX_MAPPINGS 4096

struct mapping {
	uint64_t addr, size;
	uint8_t *host; /* NULL: without a file descriptor */
	bool readable, writable;
};

struct memory {
	struct dma dma;
	bool bus_master; /* PCI: a device that isn't one gets no access */
	struct mapping *mappings; /* sorted by addr, without overlaps */
	size_t count, room;
	size_t last_hit;
};

void memory_init(struct memory *memory);

/*
 * Maps size bytes of the file at offset, with VFIO_DMA_MAP_FLAG_*; fd -1: memory that can't be
 * reached. The descriptor stays the caller's. 0; -EINVAL: unaligned, empty, wraps, no right or an
 * unknown one, not a file or beyond its end; -EEXIST: overlaps; -ENOSPC: too many mappings; or what
 * mmap() says.
 */
int memory_map(struct memory *memory, uint64_t addr, uint64_t size, uint32_t flags, int fd,
	       uint64_t offset);
/* Exactly one mapping. 0 or -ENOENT. */
int memory_unmap(struct memory *memory, uint64_t addr, uint64_t size);
void memory_unmap_all(struct memory *memory);

#endif
