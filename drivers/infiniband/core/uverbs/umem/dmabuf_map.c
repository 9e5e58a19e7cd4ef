// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A dma-buf's pages. The exporter maps the whole buffer; the umem's scatterlist is the part of that
 * list in which its piece lies, with the first and the last entry cut to whole pages. The exporter
 * gets its list back as it was.
 */

#include <linux/align.h>
#include <linux/dma-buf.h>
#include <linux/dma-resv.h>
#include <linux/export.h>

#include "dmabuf.h"

/*
 * Finds the entries in which the piece lies; returns how many, or 0 if it doesn't lie in the list.
 */
static unsigned int find_piece(struct ib_umem_dmabuf *umem_dmabuf, struct sg_table *table)
{
	u64 bytes_end = (u64)umem_dmabuf->umem.address + umem_dmabuf->umem.length;
	u64 start = ALIGN_DOWN(umem_dmabuf->umem.address, PAGE_SIZE);
	u64 end = ALIGN(bytes_end, PAGE_SIZE);
	unsigned int i, entries = 0;
	struct scatterlist *sg;
	u64 entry_end = 0;

	umem_dmabuf->first_sg = NULL;
	for_each_sgtable_dma_sg(table, sg, i) {
		entry_end += sg_dma_len(sg);
		if (entry_end <= start)
			continue;
		if (!umem_dmabuf->first_sg) {
			umem_dmabuf->first_sg = sg;
			umem_dmabuf->first_sg_offset = start - (entry_end - sg_dma_len(sg));
		}
		entries++;
		umem_dmabuf->last_sg = sg;
		if (entry_end >= end)
			break;
	}
	/* A buffer need not end with a page. */
	umem_dmabuf->last_sg_trim = entry_end > end ? entry_end - end : 0;
	return entry_end >= bytes_end ? entries : 0;
}

static void cut(struct ib_umem_dmabuf *umem_dmabuf)
{
	sg_dma_address(umem_dmabuf->first_sg) += umem_dmabuf->first_sg_offset;
	sg_dma_len(umem_dmabuf->first_sg) -= umem_dmabuf->first_sg_offset;
	sg_dma_len(umem_dmabuf->last_sg) -= umem_dmabuf->last_sg_trim;
}

static void uncut(struct ib_umem_dmabuf *umem_dmabuf)
{
	sg_dma_address(umem_dmabuf->first_sg) -= umem_dmabuf->first_sg_offset;
	sg_dma_len(umem_dmabuf->first_sg) += umem_dmabuf->first_sg_offset;
	sg_dma_len(umem_dmabuf->last_sg) += umem_dmabuf->last_sg_trim;
}

static int map(struct ib_umem_dmabuf *umem_dmabuf)
{
	struct sg_table *table = dma_buf_map_attachment(umem_dmabuf->attach, DMA_BIDIRECTIONAL);
	unsigned int entries;

	if (IS_ERR(table))
		return PTR_ERR(table);

	entries = find_piece(umem_dmabuf, table);
	if (!entries) {
		dma_buf_unmap_attachment(umem_dmabuf->attach, table, DMA_BIDIRECTIONAL);
		return -EINVAL;
	}
	cut(umem_dmabuf);
	umem_dmabuf->umem.sgt_append.sgt.sgl = umem_dmabuf->first_sg;
	umem_dmabuf->umem.sgt_append.sgt.nents = entries;
	umem_dmabuf->sgt = table;
	return 0;
}

/**
 * ib_umem_dmabuf_map_pages - map a umem's piece of a dma-buf for DMA
 * @umem_dmabuf: the umem; if it's mapped, only the wait is left
 *
 * Waits until the exporter has brought the contents there.
 *
 * Context: Sleeps. The buffer's reservation lock is held.
 * Return: 0. Or -EINVAL if it has been revoked, or isn't in what the exporter has mapped; what the
 * exporter says. If waiting fails it's mapped all the same.
 */
int ib_umem_dmabuf_map_pages(struct ib_umem_dmabuf *umem_dmabuf)
{
	struct dma_resv *resv = umem_dmabuf->attach->dmabuf->resv;
	long left;
	int ret;

	dma_resv_assert_held(resv);

	if (umem_dmabuf->revoked)
		return -EINVAL;
	if (!umem_dmabuf->sgt) {
		ret = map(umem_dmabuf);
		if (ret)
			return ret;
	}

	left = dma_resv_wait_timeout(resv, DMA_RESV_USAGE_KERNEL, false, MAX_SCHEDULE_TIMEOUT);
	if (left < 0)
		return left;
	return left ? 0 : -ETIMEDOUT;
}
EXPORT_SYMBOL(ib_umem_dmabuf_map_pages);

/**
 * ib_umem_dmabuf_unmap_pages - undo ib_umem_dmabuf_map_pages()
 * @umem_dmabuf: the umem; the device doesn't access it any more
 *
 * Context: Sleeps. The buffer's reservation lock is held.
 */
void ib_umem_dmabuf_unmap_pages(struct ib_umem_dmabuf *umem_dmabuf)
{
	dma_resv_assert_held(umem_dmabuf->attach->dmabuf->resv);

	if (!umem_dmabuf->sgt)
		return;

	uncut(umem_dmabuf);
	dma_buf_unmap_attachment(umem_dmabuf->attach, umem_dmabuf->sgt, DMA_BIDIRECTIONAL);
	umem_dmabuf->sgt = NULL;
}
EXPORT_SYMBOL(ib_umem_dmabuf_unmap_pages);
