// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "hca/mkey.h"

#include <errno.h>
#include <stdlib.h>

#include "hca/hca.h"

/* Does the page list reach from the start address to the end of the range? */
static bool covered(const struct hca_mkey *mkey)
{
	uint64_t page_size, offset;

	if (mkey->log_page_size < 12 || mkey->log_page_size > 62)
		return false;
	page_size = 1ull << mkey->log_page_size;
	offset = mkey->start & (page_size - 1);
	if (mkey->len > UINT64_MAX - offset - (page_size - 1))
		return false;
	return (offset + mkey->len + page_size - 1) >> mkey->log_page_size <= mkey->page_count;
}

int hca_mkey_create(struct hca *hca, struct hca_mkey *mkey)
{
	int64_t index;

	if (!mkey->whole && mkey->len && mkey->start + (mkey->len - 1) < mkey->start)
		return -EINVAL;
	if (mkey->mode == HCA_MKEY_PAGES && (mkey->whole || !covered(mkey)))
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
	free(mkey->pages);
	mkey->pages = NULL;
}

struct hca_mkey *hca_mkey_find(struct hca *hca, uint32_t index)
{
	return idtab_find(&hca->mkeys, index);
}

const struct hca_mkey *hca_mkey_check(struct hca *hca, uint32_t key, uint32_t pd, uint64_t addr,
				      uint64_t len, unsigned int access)
{
	const struct hca_mkey *mkey = hca_mkey_find(hca, key >> 8);

	if (!mkey || mkey->variant != (key & 0xff) || mkey->free ||
	    mkey->mode == HCA_MKEY_UNBOUND || mkey->pd != pd || (mkey->access & access) != access)
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

uint64_t hca_mkey_translate(const struct hca_mkey *mkey, uint64_t addr, size_t *len)
{
	uint64_t page_size, offset, within;

	if (mkey->mode == HCA_MKEY_PHYSICAL)
		return addr;
	page_size = 1ull << mkey->log_page_size;
	offset = (mkey->start & (page_size - 1)) + (addr - mkey->start);
	within = offset & (page_size - 1);
	if (*len > page_size - within)
		*len = page_size - within;
	return mkey->pages[offset >> mkey->log_page_size] + within;
}

int hca_mkey_transfer(struct hca *hca, const struct hca_mkey *mkey, uint64_t addr, void *buf,
		      size_t len, enum dma_dir dir)
{
	while (len) {
		size_t part = len;
		uint64_t bus = hca_mkey_translate(mkey, addr, &part);
		int error = dir == DMA_READ ? dma_read(hca->dma, bus, buf, part)
					    : dma_write(hca->dma, bus, buf, part);

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
