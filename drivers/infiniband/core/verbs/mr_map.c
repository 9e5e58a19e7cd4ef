// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Scatterlists into MRs: what an MR will translate to, once it's registered. */

#include <linux/export.h>
#include <linux/math.h>
#include <linux/scatterlist.h>
#include <rdma/ib_verbs.h>

/**
 * ib_map_mr_sg - describe a scatterlist's longest possible prefix in an MR
 * @mr: an MR from ib_alloc_mr()
 * @sg: DMA-mapped list
 * @sg_nents: its mapped entries
 * @sg_offset: where in the first entry to start; returns where in entry n (see below) the rest
 *	starts. May be NULL.
 * @page_size: size of the MR's pages, bytes
 *
 * Except for an MR of IB_MR_TYPE_SG_GAPS, an entry must continue the one before, or both must meet
 * at page boundaries; the prefix ends before one that doesn't, or with the MR's page list.
 *
 * Context: Any.
 * Return: n, the number of entries mapped completely, or a negative errno: -EOPNOTSUPP, or as
 * ib_sg_to_pages().
 */
int ib_map_mr_sg(struct ib_mr *mr, struct scatterlist *sg, int sg_nents, unsigned int *sg_offset,
		 unsigned int page_size)
{
	if (!mr->device->ops.map_mr_sg)
		return -EOPNOTSUPP;

	mr->page_size = page_size;
	return mr->device->ops.map_mr_sg(mr, sg, sg_nents, sg_offset);
}
EXPORT_SYMBOL(ib_map_mr_sg);

/**
 * ib_map_mr_sg_pi - describe data and their protection information in an MR
 * @mr: an MR from ib_alloc_mr_integrity()
 * @data_sg: DMA-mapped list of the data
 * @data_sg_nents: its mapped entries
 * @data_sg_offset: where in its first entry to start; may be NULL
 * @meta_sg: DMA-mapped list of the protection information
 * @meta_sg_nents: its mapped entries
 * @meta_sg_offset: where in its first entry to start; may be NULL
 * @page_size: size of the MR's pages, bytes
 *
 * Context: Any.
 * Return: 0 or a negative errno; -EOPNOTSUPP for other MRs.
 */
int ib_map_mr_sg_pi(struct ib_mr *mr, struct scatterlist *data_sg, int data_sg_nents,
		    unsigned int *data_sg_offset, struct scatterlist *meta_sg, int meta_sg_nents,
		    unsigned int *meta_sg_offset, unsigned int page_size)
{
	if (!mr->device->ops.map_mr_sg_pi || WARN_ON_ONCE(mr->type != IB_MR_TYPE_INTEGRITY))
		return -EOPNOTSUPP;

	mr->page_size = page_size;
	return mr->device->ops.map_mr_sg_pi(mr, data_sg, data_sg_nents, data_sg_offset,
					    meta_sg, meta_sg_nents, meta_sg_offset);
}
EXPORT_SYMBOL(ib_map_mr_sg_pi);

/**
 * ib_check_mr_status - ask whether an integrity MR has seen an error
 * @mr: the MR
 * @check_mask: enum ib_mr_status_check
 * @mr_status: returns what was found
 *
 * Context: Any.
 * Return: 0 or a negative errno; -EOPNOTSUPP if the device doesn't check.
 */
int ib_check_mr_status(struct ib_mr *mr, u32 check_mask, struct ib_mr_status *mr_status)
{
	if (!mr->device->ops.check_mr_status)
		return -EOPNOTSUPP;
	return mr->device->ops.check_mr_status(mr, check_mask, mr_status);
}
EXPORT_SYMBOL(ib_check_mr_status);

/* The part of a scatterlist entry that is still to be mapped. */
struct span {
	u64 start;
	u64 end;
};

/* Maps @span's pages from @page on. On an error @span starts behind what was mapped. */
static int set_pages(struct ib_mr *mr, struct span *span, u64 page,
		     int (*set_page)(struct ib_mr *, u64))
{
	int ret;

	for (; span->start < span->end; page += mr->page_size) {
		ret = set_page(mr, page);
		if (ret < 0)
			return ret;
		mr->length += min(page + mr->page_size, span->end) - span->start;
		span->start = min(page + mr->page_size, span->end);
	}
	return 0;
}

/*
 * Maps @span behind @end, where the MR's memory ends so far (if it has any). Returns 1 if it
 * can't follow there.
 */
static int append(struct ib_mr *mr, struct span *span, u64 end,
		  int (*set_page)(struct ib_mr *, u64))
{
	u64 page = round_down(span->start, (u64)mr->page_size);
	u64 shared;

	if (!mr->length) {
		mr->iova = span->start;
	} else if ((end | span->start) & (mr->page_size - 1)) {
		if (end != span->start)
			return 1;
		/* The page in which @end is, is there already. */
		page += mr->page_size;
		shared = min(page, span->end) - span->start;
		mr->length += shared;
		span->start += shared;
	}
	return set_pages(mr, span, page, set_page);
}

/**
 * ib_sg_to_pages - a scatterlist's longest possible prefix as a page list; for drivers
 * @mr: the MR, with page_size set; returns iova and length
 * @sgl: DMA-mapped list
 * @sg_nents: its mapped entries
 * @sg_offset_p: where in the first entry to start; returns where in entry n the rest starts. May
 *	be NULL.
 * @set_page: adds a page to the MR's list; a negative errno when that is full
 *
 * Context: As @set_page.
 * Return: n, the number of entries mapped completely; -EINVAL for an empty list or an offset
 * outside of it; the error of @set_page if nothing could be mapped.
 */
int ib_sg_to_pages(struct ib_mr *mr, struct scatterlist *sgl, int sg_nents,
		   unsigned int *sg_offset_p, int (*set_page)(struct ib_mr *, u64))
{
	unsigned int offset = sg_offset_p ? *sg_offset_p : 0;
	struct scatterlist *sg;
	u64 end = 0;
	int i, ret;

	if (sg_nents <= 0 || offset > sg_dma_len(sgl))
		return -EINVAL;

	mr->iova = sg_dma_address(sgl) + offset;
	mr->length = 0;
	for_each_sg(sgl, sg, sg_nents, i) {
		struct span span = {
			.start = sg_dma_address(sg) + offset,
			.end = sg_dma_address(sg) + sg_dma_len(sg),
		};

		ret = append(mr, &span, end, set_page);
		offset = ret ? span.start - sg_dma_address(sg) : 0;
		if (ret)
			break;
		end = span.end;
	}
	if (sg_offset_p)
		*sg_offset_p = offset;
	return i < sg_nents && ret < 0 && !mr->length ? ret : i;
}
EXPORT_SYMBOL(ib_sg_to_pages);
