/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A queue's buffer in guest memory: a list of equal pages, as the driver handed it over. Accesses
 * beyond the list, or to pages that the guest doesn't have, fail.
 */
#ifndef IBEMU_BUFFER_H
#define IBEMU_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#include "hca/dma.h"

struct hca_buffer {
	uint64_t *pages; /* bus addresses; owned */
	uint32_t page_count;
	uint8_t log_page_size;
	uint32_t offset; /* of the buffer's first byte in the first page */
};

/*
 * pages is copied from big-endian addresses, whose low 12 bits are flags. 0, -EINVAL (bad sizes)
 * or -ENOMEM.
 */
int hca_buffer_init(struct hca_buffer *buf, const uint8_t *be64_pages, uint32_t page_count,
		    unsigned int log_page_size, uint32_t offset);
void hca_buffer_destroy(struct hca_buffer *buf);

/* Bytes from the start of the buffer to the end of its last page. */
uint64_t hca_buffer_size(const struct hca_buffer *buf);

/* A part of another one, with a list of its own. 0, -EINVAL (there isn't so much) or -ENOMEM. */
int hca_buffer_slice(struct hca_buffer *slice, const struct hca_buffer *whole, uint64_t offset,
		     uint64_t len);

/* The bus address of len bytes that lie in one page; 0: they don't. */
uint64_t hca_buffer_address(const struct hca_buffer *buf, uint64_t offset, size_t len);

/* 0 or -EFAULT. */
int hca_buffer_read(struct dma *dma, const struct hca_buffer *buf, uint64_t offset, void *to,
		    size_t len);
int hca_buffer_write(struct dma *dma, const struct hca_buffer *buf, uint64_t offset,
		     const void *from, size_t len);

/*
 * Writes an entry of a queue that software polls: all but the last byte, which carries the
 * ownership bit, then that byte. 0 or -EFAULT.
 */
int hca_buffer_publish(struct dma *dma, const struct hca_buffer *buf, uint64_t offset,
		       const uint8_t *entry, size_t len);

#endif
