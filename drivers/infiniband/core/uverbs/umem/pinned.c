// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Pinned memory: its pages stay where they are until the umem is released. */

#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "umem.h"

/* Pages of one call that pins them. The few stand on the stack. */
#define FEW_PAGES 16
#define MANY_PAGES (PAGE_SIZE / sizeof(struct page *))

/*
 * @pages were charged. They're kept because ib_umem_num_pages() says something else once the device
 * has its own address for the memory, which needn't start at the same place in a page.
 */
struct pinned_umem {
	struct ib_umem umem;
	unsigned long pages;
	struct scatterlist first[UMEM_FIRST_ENTRIES];
};

static struct sg_table *table_of(struct pinned_umem *pinned)
{
	return &pinned->umem.sgt_append.sgt;
}

/* Charges the pages to the process whose memory it is, against its RLIMIT_MEMLOCK. */
static int charge(struct pinned_umem *pinned)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	atomic64_t *charged = &pinned->umem.owning_mm->pinned_vm;

	if (atomic64_add_return(pinned->pages, charged) <= limit || capable(CAP_IPC_LOCK))
		return 0;
	atomic64_sub(pinned->pages, charged);
	return -ENOMEM;
}

static void uncharge(struct pinned_umem *pinned)
{
	atomic64_sub(pinned->pages, &pinned->umem.owning_mm->pinned_vm);
}

/* @pages has room for so many @at_once. After an error, too, what is in the list is pinned. */
static int pin(struct pinned_umem *pinned, struct umem_page_list *list, struct page **pages,
	       unsigned int at_once)
{
	unsigned int flags = FOLL_LONGTERM | (pinned->umem.writable ? FOLL_WRITE : 0);
	unsigned long address = pinned->umem.address & PAGE_MASK;
	unsigned long left = pinned->pages;
	unsigned int added;
	int n;

	for (; left; left -= n, address += n * PAGE_SIZE) {
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;

		n = pin_user_pages_fast(address, min(left, at_once), flags, pages);
		if (n <= 0)
			return n ? n : -EFAULT;

		added = umem_page_list_add(list, pages, n, left - n);
		if (added < n) {
			unpin_user_pages(pages + added, n - added);
			return -ENOMEM;
		}
	}
	return 0;
}

static int pin_few(struct pinned_umem *pinned, struct umem_page_list *list)
{
	struct page *pages[FEW_PAGES];

	return pin(pinned, list, pages, FEW_PAGES);
}

static int pin_many(struct pinned_umem *pinned, struct umem_page_list *list)
{
	unsigned int at_once = min(pinned->pages, MANY_PAGES);
	struct page **pages = kmalloc_array(at_once, sizeof(*pages), GFP_KERNEL);
	int ret;

	if (!pages)
		return -ENOMEM;
	ret = pin(pinned, list, pages, at_once);
	kfree(pages);
	return ret;
}

/* How many of the @n pages from @page on are in its folio, which is unpinned so often at once. */
static unsigned int unpin_folio_of(struct page *page, unsigned int n, bool dirty)
{
	struct folio *folio = page_folio(page);

	n = min_t(unsigned long, n, folio_nr_pages(folio) - folio_page_idx(folio, page));
	if (dirty && !folio_test_dirty(folio))
		set_page_dirty_lock(&folio->page);
	unpin_user_folio(folio, n);
	return n;
}

/* Unpins all pages in the table, and frees it. */
static void unpin(struct pinned_umem *pinned, bool dirty)
{
	unsigned int done, pages, folios = 0;
	struct scatterlist *sg;

	for (sg = table_of(pinned)->sgl; sg; sg = umem_page_list_next(sg)) {
		pages = sg->length >> PAGE_SHIFT;
		for (done = 0; done < pages;) {
			done += unpin_folio_of(nth_page(sg_page(sg), done), pages - done, dirty);
			if (++folios % UMEM_PAGES_AT_ONCE == 0)
				cond_resched();
		}
	}
	umem_page_list_free(table_of(pinned));
}

static int pin_and_map(struct pinned_umem *pinned, int access)
{
	unsigned long dma_attrs = access & IB_ACCESS_RELAXED_ORDERING ? DMA_ATTR_WEAK_ORDERING : 0;
	struct ib_device *device = pinned->umem.ibdev;
	struct umem_page_list list;
	int ret;

	umem_page_list_init(&list, pinned->first, ib_dma_max_seg_size(device));
	ret = pinned->pages <= FEW_PAGES ? pin_few(pinned, &list) : pin_many(pinned, &list);
	umem_page_list_end(&list, table_of(pinned));
	if (!ret)
		ret = ib_dma_map_sgtable_attrs(device, table_of(pinned), DMA_BIDIRECTIONAL,
					       dma_attrs);
	if (ret)
		unpin(pinned, false);
	return ret;
}

static int charge_and_pin(struct pinned_umem *pinned, int access)
{
	int ret = charge(pinned);

	if (ret)
		return ret;
	ret = pin_and_map(pinned, access);
	if (ret)
		uncharge(pinned);
	return ret;
}

/**
 * ib_umem_get - pin memory of the current process and map it for DMA
 * @device: what is going to access it
 * @addr: its address in the process
 * @size: bytes
 * @access: enum ib_access_flags; unless there's one that lets memory be written, only reading is
 *	made sure of
 *
 * The whole pages that the memory lies in are pinned, and charged to the process until they are
 * released, whoever does that. Pages that follow each other share an entry of the scatterlist. The
 * first entry starts with a whole page; see ib_umem_offset().
 *
 * Context: Sleeps, and gives way to others however much memory it is. A system call of the process.
 * Return: the umem, for ib_umem_release(). Or -EINVAL if there's no such range or it's empty;
 * -EPERM if the process may lock no memory at all; -EOPNOTSUPP for on-demand paging, which is
 * ib_umem_odp_get()'s; -ENOMEM, also if the process would have more locked than it may; -EINTR if
 * it is being killed; what pinning says of the memory, say -EFAULT, and what mapping says of it,
 * say -EIO.
 */
struct ib_umem *ib_umem_get(struct ib_device *device, unsigned long addr, size_t size, int access)
{
	struct pinned_umem *pinned;
	unsigned long end, pages;
	int ret;

	if (check_add_overflow(addr, size, &end) || PAGE_ALIGN(end) < end)
		return ERR_PTR(-EINVAL);
	if (!can_do_mlock())
		return ERR_PTR(-EPERM);
	if (access & IB_ACCESS_ON_DEMAND)
		return ERR_PTR(-EOPNOTSUPP);
	pages = (PAGE_ALIGN(end) - (addr & PAGE_MASK)) >> PAGE_SHIFT;
	if (!pages || pages > UINT_MAX)
		return ERR_PTR(-EINVAL);

	pinned = kzalloc(sizeof(*pinned), GFP_KERNEL);
	if (!pinned)
		return ERR_PTR(-ENOMEM);
	pinned->pages = pages;
	pinned->umem.ibdev = device;
	pinned->umem.address = addr;
	pinned->umem.iova = addr;
	pinned->umem.length = size;
	pinned->umem.writable = ib_access_writable(access);
	pinned->umem.owning_mm = current->mm;

	ret = charge_and_pin(pinned, access);
	if (ret) {
		kfree(pinned);
		return ERR_PTR(ret);
	}
	/* The umem may outlive the process. */
	mmgrab(current->mm);
	return &pinned->umem;
}
EXPORT_SYMBOL(ib_umem_get);

/**
 * umem_pinned_release - ib_umem_release() of pinned memory
 * @umem: what ib_umem_get() returned
 *
 * Context: Sleeps.
 */
void umem_pinned_release(struct ib_umem *umem)
{
	struct pinned_umem *pinned = container_of(umem, struct pinned_umem, umem);

	ib_dma_unmap_sgtable_attrs(umem->ibdev, table_of(pinned), DMA_BIDIRECTIONAL, 0);
	unpin(pinned, umem->writable);
	uncharge(pinned);
	mmdrop(umem->owning_mm);
	kfree(pinned);
}
