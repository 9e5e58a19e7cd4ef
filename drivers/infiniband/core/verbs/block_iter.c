// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* DMA-mapped memory as a sequence of aligned blocks, for page lists of drivers. */

#include <linux/bits.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <rdma/iter.h>

/**
 * __rdma_block_iter_start - set an iterator before the first block
 * @biter: the iterator
 * @sglist: DMA-mapped list
 * @nents: its mapped entries
 * @pgsz: size of a block, a power of two, bytes
 *
 * Context: Any.
 */
void __rdma_block_iter_start(struct ib_block_iter *biter, struct scatterlist *sglist,
			     unsigned int nents, unsigned long pgsz)
{
	*biter = (struct ib_block_iter) {
		.__sg = sglist,
		.__sg_nents = nents,
		.__pg_bit = __fls(pgsz),
	};
}
EXPORT_SYMBOL(__rdma_block_iter_start);

static void advance(struct ib_block_iter *biter, u64 bytes)
{
	while (biter->__sg && biter->__sg_nents) {
		u64 left = sg_dma_len(biter->__sg) - biter->__sg_advance;

		if (bytes < left) {
			biter->__sg_advance += bytes;
			return;
		}
		bytes -= left;
		biter->__sg = sg_next(biter->__sg);
		biter->__sg_nents--;
		biter->__sg_advance = 0;
	}
}

/**
 * __rdma_block_iter_next - go to the next block
 * @biter: the iterator
 *
 * A block may extend over several entries: whoever chose its size has made sure that the entries
 * inside of it follow each other.
 *
 * Context: Any.
 * Return: false when there is none.
 */
bool __rdma_block_iter_next(struct ib_block_iter *biter)
{
	u64 size = BIT_ULL(biter->__pg_bit);

	if (!biter->__sg || !biter->__sg_nents)
		return false;

	biter->__dma_addr = sg_dma_address(biter->__sg) + biter->__sg_advance;
	advance(biter, size - (biter->__dma_addr & (size - 1)));
	return true;
}
EXPORT_SYMBOL(__rdma_block_iter_next);
