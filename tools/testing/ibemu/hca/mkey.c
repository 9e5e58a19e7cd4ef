// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "hca/mkey.h"

#include <errno.h>
#include <stdlib.h>

#include "hca/hca.h"

/* Keys may lie behind keys, and a guest may make that a circle. */
#define INDIRECTIONS_MAX 5

static bool page_size_is_sound(const struct hca_mkey *mkey)
{
	return mkey->log_page_size >= 12 && mkey->log_page_size <= 62;
}

/* Bytes from the start of the first page, or block, to an address of the range. */
static uint64_t list_offset(const struct hca_mkey *mkey, uint64_t addr)
{
	return (mkey->start & ((1ull << mkey->log_page_size) - 1)) + (addr - mkey->start);
}

/* Does the page list reach from the start address to the end of the range? */
static bool covered(const struct hca_mkey *mkey)
{
	return !mkey->len ||
	       list_offset(mkey, mkey->start + (mkey->len - 1)) >> mkey->log_page_size <
		       mkey->page_count;
}

static bool covered_by_parts(const struct hca_mkey *mkey)
{
	uint64_t end = 0;

	for (uint32_t i = 0; i < mkey->part_count; i++) {
		if (mkey->parts[i].end < end)
			return false;
		end = mkey->parts[i].end;
	}
	return mkey->len <= end * (mkey->repeats ? mkey->repeats : 1);
}

bool hca_mkey_is_sound(const struct hca_mkey *mkey)
{
	if (!mkey->whole && mkey->len && mkey->start + (mkey->len - 1) < mkey->start)
		return false;
	switch (mkey->mode) {
	case HCA_MKEY_PAGES:
		return page_size_is_sound(mkey) && (mkey->whole || covered(mkey));
	case HCA_MKEY_INDIRECT:
		return !mkey->whole && covered_by_parts(mkey);
	case HCA_MKEY_BLOCKS: /* a driver covers all its addresses by one key, as far as they go */
		return page_size_is_sound(mkey);
	default:
		return true;
	}
}

int hca_mkey_create(struct hca *hca, struct hca_mkey *mkey)
{
	int64_t index;

	if (!mkey->free && !hca_mkey_is_sound(mkey))
		return -EINVAL;
	index = idtab_alloc(&hca->mkeys, mkey);
	if (index < 0)
		return (int)index;
	mkey->index = (uint32_t)index;
	return 0;
}

void hca_mkey_destroy(struct hca *hca, struct hca_mkey *mkey)
{
	idtab_free(&hca->mkeys, mkey->index);
	hca_mkey_drop_list(hca, mkey);
}

struct hca_mkey *hca_mkey_find(struct hca *hca, uint32_t index)
{
	return idtab_find(&hca->mkeys, index);
}

const struct hca_mkey *hca_mkey_check(struct hca *hca, uint32_t key, uint32_t pd, uint64_t addr,
				      uint64_t len, unsigned int access)
{
	const struct hca_mkey *mkey = hca_mkey_find(hca, key >> 8);

	if (!mkey || mkey->variant != (key & 0xff) || mkey->free || mkey->pd != pd ||
	    (mkey->access & access) != access)
		return NULL;
	if (!mkey->whole &&
	    (addr < mkey->start || len > mkey->len || addr - mkey->start > mkey->len - len))
		return NULL;
	return mkey;
}

bool hca_mkey_invalidate(struct hca *hca, uint32_t key, uint32_t pd, uint32_t qpn)
{
	struct hca_mkey *mkey = hca_mkey_find(hca, key >> 8);

	if (!mkey || mkey->variant != (key & 0xff) || mkey->free || !mkey->revocable ||
	    mkey->pd != pd || (mkey->qpn && mkey->qpn != qpn))
		return false;
	mkey->free = true;
	return true;
}

/* How much of *len bytes lies in the same page, or block, as an offset. */
static void cut_at_page_end(const struct hca_mkey *mkey, uint64_t offset, size_t *len)
{
	uint64_t page_size = 1ull << mkey->log_page_size, within = offset & (page_size - 1);

	if (*len > page_size - within)
		*len = page_size - within;
}

static bool is_there(const struct hca_mkey *mkey, uint64_t page, enum dma_dir dir)
{
	return !mkey->demand_paged ||
	       (mkey->pages[page] & (dir == DMA_READ ? HCA_PAGE_READ : HCA_PAGE_WRITE));
}

static int find_page(const struct hca_mkey *mkey, uint64_t addr, size_t *len, enum dma_dir dir,
		     uint64_t *bus)
{
	uint64_t offset = list_offset(mkey, addr), page = offset >> mkey->log_page_size;

	if (page >= mkey->page_count)
		return -EFAULT;
	if (!is_there(mkey, page, dir))
		return -EAGAIN;
	cut_at_page_end(mkey, offset, len);
	*bus = (mkey->pages[page] & ~HCA_PAGE_FLAGS) +
	       (offset & ((1ull << mkey->log_page_size) - 1));
	return 0;
}

/* The part that a byte lies in: the first one that ends behind it. */
static const struct hca_mkey_part *find_part(const struct hca_mkey *mkey, uint64_t offset)
{
	uint32_t low = 0, high = mkey->part_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (mkey->parts[middle].end <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < mkey->part_count ? &mkey->parts[low] : NULL;
}

/* The part that has a byte, and how far it lies in it; *len is cut short at its end. */
static const struct hca_mkey_part *locate(const struct hca_mkey *mkey, uint64_t addr, size_t *len,
					  uint64_t *within)
{
	uint64_t offset = addr - mkey->start, round = 0;
	const struct hca_mkey_part *part;

	if (mkey->repeats) {
		uint64_t cycle = mkey->part_count ? mkey->parts[mkey->part_count - 1].end : 0;

		if (!cycle || offset / cycle >= mkey->repeats)
			return NULL;
		round = offset / cycle;
		offset %= cycle;
	}
	part = find_part(mkey, offset);
	if (!part)
		return NULL;
	*within = offset - (part == mkey->parts ? 0 : part[-1].end) + round * part->stride;
	if (*len > part->end - offset)
		*len = part->end - offset;
	return part;
}

static const struct hca_mkey_part *locate_block(const struct hca_mkey *mkey, uint64_t addr,
						size_t *len, uint64_t *within)
{
	uint64_t offset = list_offset(mkey, addr), block = offset >> mkey->log_page_size;

	if (block >= mkey->part_count)
		return NULL;
	*within = offset & ((1ull << mkey->log_page_size) - 1);
	cut_at_page_end(mkey, offset, len);
	return &mkey->parts[block];
}

/* The key that has a byte of an indirect one, and where; *len is cut short at the part's end. */
static int descend(struct hca *hca, const struct hca_mkey **mkey, uint64_t *addr, size_t *len,
		   enum dma_dir dir)
{
	const struct hca_mkey_part *part;
	uint32_t pd = (*mkey)->pd;
	uint64_t within;

	part = (*mkey)->mode == HCA_MKEY_BLOCKS ? locate_block(*mkey, *addr, len, &within)
						: locate(*mkey, *addr, len, &within);
	if (!part)
		return -EFAULT;
	if (hca->null_key && part->key == hca->null_key)
		return -EAGAIN;
	*addr = part->addr + within;
	*mkey = hca_mkey_check(hca, part->key, pd, *addr, *len,
			       dir == DMA_READ ? HCA_LOCAL_READ : HCA_LOCAL_WRITE);
	return *mkey ? 0 : -EFAULT;
}

int hca_mkey_resolve(struct hca *hca, const struct hca_mkey *mkey, uint64_t addr, size_t *len,
		     enum dma_dir dir, uint64_t *bus)
{
	int error = 0;

	for (unsigned int i = 0; !error && i < INDIRECTIONS_MAX; i++) {
		switch (mkey->mode) {
		case HCA_MKEY_PHYSICAL:
			*bus = addr;
			return 0;
		case HCA_MKEY_PAGES:
			return find_page(mkey, addr, len, dir, bus);
		default:
			error = descend(hca, &mkey, &addr, len, dir);
			break;
		}
	}
	return error ? error : -EFAULT;
}

static int transfer_piece(struct hca *hca, uint64_t bus, void *buf, size_t len, enum dma_dir dir)
{
	return dir == DMA_READ ? dma_read(hca->dma, bus, buf, len)
			       : dma_write(hca->dma, bus, buf, len);
}

int hca_mkey_transfer(struct hca *hca, const struct hca_mkey *mkey, uint64_t addr, void *buf,
		      size_t len, enum dma_dir dir)
{
	while (len) {
		size_t part = len;
		uint64_t bus;
		int error = hca_mkey_resolve(hca, mkey, addr, &part, dir, &bus);

		if (!error)
			error = transfer_piece(hca, bus, buf, part, dir);
		if (error)
			return error;
		buf = (uint8_t *)buf + part;
		addr += part;
		len -= part;
	}
	return 0;
}

int hca_mkey_copy(struct hca *hca, uint32_t lkey, uint32_t pd, uint64_t addr, void *buf, size_t len,
		  enum dma_dir dir)
{
	unsigned int access = dir == DMA_READ ? HCA_LOCAL_READ : HCA_LOCAL_WRITE;
	const struct hca_mkey *mkey = hca_mkey_check(hca, lkey, pd, addr, len, access);

	return mkey ? hca_mkey_transfer(hca, mkey, addr, buf, len, dir) : -EFAULT;
}
