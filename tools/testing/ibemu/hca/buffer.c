// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "hca/buffer.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

#define LOG_PAGE_SIZE_MIN 12
#define LOG_PAGE_SIZE_MAX 31

int hca_buffer_init(struct hca_buffer *buf, const uint8_t *be64_pages, uint32_t page_count,
		    unsigned int log_page_size, uint32_t offset)
{
	if (!page_count || log_page_size < LOG_PAGE_SIZE_MIN || log_page_size > LOG_PAGE_SIZE_MAX ||
	    offset >> log_page_size)
		return -EINVAL;
	*buf = (struct hca_buffer){ .page_count = page_count,
				    .log_page_size = (uint8_t)log_page_size,
				    .offset = offset };
	buf->pages = malloc(page_count * sizeof(*buf->pages));
	if (!buf->pages)
		return -ENOMEM;
	for (uint32_t i = 0; i < page_count; i++)
		buf->pages[i] = get_be64(be64_pages + 8 * (size_t)i) & ~0xfffull;
	return 0;
}

void hca_buffer_destroy(struct hca_buffer *buf)
{
	free(buf->pages);
	*buf = (struct hca_buffer){ 0 };
}

uint64_t hca_buffer_size(const struct hca_buffer *buf)
{
	return ((uint64_t)buf->page_count << buf->log_page_size) - buf->offset;
}

int hca_buffer_slice(struct hca_buffer *slice, const struct hca_buffer *whole, uint64_t offset,
		     uint64_t len)
{
	uint64_t size = hca_buffer_size(whole), begin = whole->offset + offset, first;

	if (!len || offset > size || len > size - offset)
		return -EINVAL;
	first = begin >> whole->log_page_size;
	*slice = (struct hca_buffer){
		.page_count = (uint32_t)(((begin + len - 1) >> whole->log_page_size) - first + 1),
		.log_page_size = whole->log_page_size,
		.offset = (uint32_t)(begin & ((1ull << whole->log_page_size) - 1)),
	};
	slice->pages = malloc(slice->page_count * sizeof(*slice->pages));
	if (!slice->pages)
		return -ENOMEM;
	memcpy(slice->pages, whole->pages + first, slice->page_count * sizeof(*slice->pages));
	return 0;
}

/*
 * The bus address at an offset, and how many of *len bytes follow it in the same page. 0: outside.
 */
static uint64_t locate(const struct hca_buffer *buf, uint64_t offset, size_t *len)
{
	uint64_t page_size = 1ull << buf->log_page_size, at = buf->offset + offset;
	uint64_t page = at >> buf->log_page_size, within = at & (page_size - 1);

	if (page >= buf->page_count)
		return 0;
	if (*len > page_size - within)
		*len = page_size - within;
	return buf->pages[page] + within;
}

uint64_t hca_buffer_address(const struct hca_buffer *buf, uint64_t offset, size_t len)
{
	size_t part = len;
	uint64_t addr = offset < hca_buffer_size(buf) ? locate(buf, offset, &part) : 0;

	return part == len ? addr : 0;
}

int hca_buffer_read(struct dma *dma, const struct hca_buffer *buf, uint64_t offset, void *to,
		    size_t len)
{
	while (len) {
		size_t part = len;
		uint64_t addr = locate(buf, offset, &part);

		if (!addr || dma_read(dma, addr, to, part))
			return -EFAULT;
		to = (uint8_t *)to + part;
		offset += part;
		len -= part;
	}
	return 0;
}

int hca_buffer_write(struct dma *dma, const struct hca_buffer *buf, uint64_t offset,
		     const void *from, size_t len)
{
	while (len) {
		size_t part = len;
		uint64_t addr = locate(buf, offset, &part);

		if (!addr || dma_write(dma, addr, from, part))
			return -EFAULT;
		from = (const uint8_t *)from + part;
		offset += part;
		len -= part;
	}
	return 0;
}

int hca_buffer_publish(struct dma *dma, const struct hca_buffer *buf, uint64_t offset,
		       const uint8_t *entry, size_t len)
{
	if (hca_buffer_write(dma, buf, offset, entry, len - 1))
		return -EFAULT;
	atomic_thread_fence(memory_order_release);
	return hca_buffer_write(dma, buf, offset + len - 1, entry + len - 1, 1);
}
