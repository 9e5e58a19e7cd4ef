// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * On-demand paging: where the pages of a range are now. For each page of the process there's what
 * HMM knows of it (pfn_list); for each page of the device, which may be larger, its DMA address
 * and, in the low bits, what the device may do with it (dma_list), or 0. Both stay as they are
 * while umem_mutex is held, except that HMM looks pages up before that is taken; who then finds
 * that some have gone, begins again.
 */

#include <linux/hmm.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <rdma/ib_umem_odp.h>

#include "umem.h"

static unsigned long index_of(struct ib_umem_odp *odp, u64 address)
{
	return (address - ib_umem_start(odp)) >> odp->page_shift;
}

static unsigned long *pfn_of(struct ib_umem_odp *odp, unsigned long index)
{
	return &odp->pfn_list[index << (odp->page_shift - PAGE_SHIFT)];
}

/* A reference to the process's memory, as long as the process and its memory are there. */
static struct mm_struct *get_owning_mm(struct ib_umem_odp *odp)
{
	struct task_struct *owner = get_pid_task(odp->tgid, PIDTYPE_PID);
	struct mm_struct *mm = NULL;

	if (!owner)
		return NULL;
	if (mmget_not_zero(odp->umem.owning_mm))
		mm = odp->umem.owning_mm;
	put_task_struct(owner);
	return mm;
}

/*
 * Looks the range's pages up. On success they stay where they are while umem_mutex, taken here, is
 * held.
 */
static int look_up_and_lock(struct ib_umem_odp *odp, struct hmm_range *range, struct mm_struct *mm)
{
	unsigned long deadline = jiffies + msecs_to_jiffies(HMM_RANGE_DEFAULT_TIMEOUT);
	int ret;

	for (;;) {
		range->notifier_seq = mmu_interval_read_begin(range->notifier);
		mmap_read_lock(mm);
		ret = hmm_range_fault(range);
		mmap_read_unlock(mm);
		if (ret == -EBUSY && time_before_eq(jiffies, deadline))
			continue;
		if (ret)
			return ret;

		mutex_lock(&odp->umem_mutex);
		if (!mmu_interval_read_retry(range->notifier, range->notifier_seq))
			return 0;
		mutex_unlock(&odp->umem_mutex);
	}
}

/* Enters a page that has been looked up. A page that is there gets its new access. */
static int map_page(struct ib_umem_odp *odp, unsigned long index, u64 access)
{
	struct ib_device *device = odp->umem.ibdev;
	dma_addr_t *entry = &odp->dma_list[index];
	unsigned long pfn = *pfn_of(odp, index);
	dma_addr_t dma = *entry & ODP_DMA_ADDR_MASK;

	if (PAGE_SHIFT + hmm_pfn_to_map_order(pfn) < odp->page_shift)
		return -EINVAL;

	if (!*entry) {
		dma = ib_dma_map_page(device, hmm_pfn_to_page(pfn), 0, 1UL << odp->page_shift,
				      DMA_BIDIRECTIONAL);
		if (ib_dma_mapping_error(device, dma))
			return -EFAULT;
		odp->npages++;
	}
	*entry = dma | access;
	return 0;
}

/* What the device may do with a page that wasn't asked for, but is there. */
static u64 access_of(unsigned long pfn)
{
	return ODP_READ_ALLOWED_BIT | (pfn & HMM_PFN_WRITE ? ODP_WRITE_ALLOWED_BIT : 0);
}

static int map_pages(struct ib_umem_odp *odp, unsigned long first, unsigned long end, u64 access,
		     bool fault)
{
	unsigned long index, pfn;
	int ret;

	for (index = first; index < end; index++) {
		pfn = *pfn_of(odp, index);
		if (pfn & HMM_PFN_VALID) {
			ret = map_page(odp, index, fault ? access : access_of(pfn));
			if (ret)
				return ret;
		} else if (WARN_ON_ONCE(fault || odp->dma_list[index])) {
			return -EFAULT;
		}
		if ((index - first) % UMEM_PAGES_AT_ONCE == UMEM_PAGES_AT_ONCE - 1)
			cond_resched();
	}
	return 0;
}

/**
 * ib_umem_odp_map_dma_and_lock - give a device pages of a range
 * @umem_odp: the range; with pages, so not an implicit umem
 * @start_offset: where in the process's memory to start, an address
 * @bcnt: bytes; the whole pages of the device that these lie in are given
 * @access_mask: ODP_READ_ALLOWED_BIT, ODP_WRITE_ALLOWED_BIT: what the device wants to do with them
 * @fault: get them if they aren't there, or aren't writable. Otherwise only those are given that
 *	are there, for reading, and for writing if they are writable
 *
 * What was given before an error stays given.
 *
 * Context: Sleeps. Any process. Returns with umem_odp->umem_mutex held if, and only if, it
 * succeeds: no page goes away until the driver, having told the device, unlocks it.
 * Return: the number of pages in dma_list, from the one that @start_offset lies in on. Or -EINVAL
 * if nothing is wanted, the process is gone, or the device's page isn't in one huge page; -EFAULT
 * outside of the umem and for memory that isn't there or not like that; -EBUSY if it has been going
 * away again and again for a second.
 */
int ib_umem_odp_map_dma_and_lock(struct ib_umem_odp *umem_odp, u64 start_offset, u64 bcnt,
				 u64 access_mask, bool fault)
{
	unsigned long page = 1UL << umem_odp->page_shift;
	struct hmm_range range = { .notifier = &umem_odp->notifier };
	unsigned long first, end;
	struct mm_struct *mm;
	int ret;

	if (!access_mask)
		return -EINVAL;
	if (start_offset < ib_umem_start(umem_odp) || start_offset > ib_umem_end(umem_odp) ||
	    bcnt > ib_umem_end(umem_odp) - start_offset)
		return -EFAULT;

	range.start = ALIGN_DOWN(start_offset, page);
	range.end = ALIGN(start_offset + bcnt, page);
	first = index_of(umem_odp, range.start);
	end = index_of(umem_odp, range.end);
	range.hmm_pfns = pfn_of(umem_odp, first);
	if (fault)
		range.default_flags = HMM_PFN_REQ_FAULT;
	if (fault && access_mask & ODP_WRITE_ALLOWED_BIT)
		range.default_flags |= HMM_PFN_REQ_WRITE;

	mm = get_owning_mm(umem_odp);
	if (!mm)
		return -EINVAL;
	ret = look_up_and_lock(umem_odp, &range, mm);
	if (!ret) {
		ret = map_pages(umem_odp, first, end, access_mask, fault);
		if (ret)
			mutex_unlock(&umem_odp->umem_mutex);
	}
	/* The last reference would wait for the notifier, for which umem_mutex is needed. */
	mmput_async(mm);
	return ret ? ret : end - first;
}
EXPORT_SYMBOL(ib_umem_odp_map_dma_and_lock);

static void unmap_page(struct ib_umem_odp *odp, unsigned long index)
{
	dma_addr_t entry = odp->dma_list[index];

	ib_dma_unmap_page(odp->umem.ibdev, entry & ODP_DMA_ADDR_MASK, 1UL << odp->page_shift,
			  DMA_BIDIRECTIONAL);
	/*
	 * Whoever takes the page away waits for the driver's notifier and that for us, so it's
	 * still the process's; the page's lock may be held by them or not.
	 */
	if (entry & ODP_WRITE_ALLOWED_BIT)
		folio_mark_dirty(page_folio(hmm_pfn_to_page(*pfn_of(odp, index))));
	odp->dma_list[index] = 0;
	odp->npages--;
}

/**
 * ib_umem_odp_unmap_dma_pages - take pages of a range from a device
 * @umem_odp: the range
 * @start_offset: where in the process's memory to start, an address
 * @bound: where to end; both may lie outside of the range
 *
 * Pages that the device may have written to become dirty.
 *
 * Context: Sleeps; umem_odp->umem_mutex is held, and the device doesn't access them any more. So
 * it's in the driver's notifier, if that may block.
 */
void ib_umem_odp_unmap_dma_pages(struct ib_umem_odp *umem_odp, u64 start_offset, u64 bound)
{
	u64 page = 1ULL << umem_odp->page_shift;
	unsigned long index, end;

	lockdep_assert_held(&umem_odp->umem_mutex);

	start_offset = max_t(u64, start_offset, ib_umem_start(umem_odp));
	bound = min_t(u64, bound, ib_umem_end(umem_odp));
	if (start_offset >= bound)
		return;

	end = index_of(umem_odp, bound + page - 1);
	for (index = index_of(umem_odp, start_offset); index < end; index++) {
		if (umem_odp->dma_list[index])
			unmap_page(umem_odp, index);
		if (index % UMEM_PAGES_AT_ONCE == UMEM_PAGES_AT_ONCE - 1)
			cond_resched();
	}
}
EXPORT_SYMBOL(ib_umem_odp_unmap_dma_pages);
