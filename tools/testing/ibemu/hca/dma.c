/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include "hca/dma.h"

#include <errno.h>
#include <string.h>

static bool wraps(uint64_t addr, size_t len)
{
	return len && addr + (len - 1) < addr;
}

int dma_read(struct dma *dma, uint64_t addr, void *buf, size_t len)
{
	uint8_t *to = buf;

	if (wraps(addr, len))
		return -EFAULT;
	while (len) {
		size_t part = len;
		const void *from = dma->ops->map(dma, addr, &part, DMA_READ);

		if (!from)
			return -EFAULT;
		memcpy(to, from, part);
		to += part;
		addr += part;
		len -= part;
	}
	return 0;
}

int dma_write(struct dma *dma, uint64_t addr, const void *buf, size_t len)
{
	const uint8_t *from = buf;

	if (wraps(addr, len))
		return -EFAULT;
	while (len) {
		size_t part = len;
		void *to = dma->ops->map(dma, addr, &part, DMA_WRITE);

		if (!to)
			return -EFAULT;
		memcpy(to, from, part);
		from += part;
		addr += part;
		len -= part;
	}
	return 0;
}

void *dma_map(struct dma *dma, uint64_t addr, size_t len, enum dma_dir dir)
{
	size_t part = len;
	void *at;

	if (!len || wraps(addr, len))
		return NULL;
	at = dma->ops->map(dma, addr, &part, dir);
	return part == len ? at : NULL;
}
