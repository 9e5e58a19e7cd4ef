// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * On-demand paging: memory that a process may lose and get back while a device uses it. A notifier
 * tells the driver when pages go away; ib_umem_odp_map_dma_and_lock() is how they come back.
 *
 * An implicit umem stands for all memory of a process. It has no pages: its driver makes children
 * of it, each a range with pages of its own. That needs the process's memory descriptor, so the
 * implicit umem holds one reference to it; a range's notifier holds its own.
 */

#include <linux/hugetlb.h>
#include <linux/mmu_notifier.h>
#include <linux/overflow.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <rdma/ib_umem_odp.h>

#include "umem.h"

static struct ib_umem_odp *alloc_odp(struct ib_device *device, struct mm_struct *mm, bool writable)
{
	struct ib_umem_odp *odp = kzalloc(sizeof(*odp), GFP_KERNEL);

	if (!odp)
		return NULL;
	mutex_init(&odp->umem_mutex);
	odp->page_shift = PAGE_SHIFT;
	odp->umem.ibdev = device;
	odp->umem.owning_mm = mm;
	odp->umem.writable = writable;
	odp->umem.is_odp = 1;
	return odp;
}

static void free_odp(struct ib_umem_odp *odp)
{
	put_pid(odp->tgid);
	kfree(odp);
}

static void free_pages_of(struct ib_umem_odp *odp)
{
	kvfree(odp->dma_list);
	kvfree(odp->pfn_list);
}

/* The device's pages that the memory lies in, from @start on. */
static int whole_pages(struct ib_umem_odp *odp, unsigned long *start, unsigned long *size)
{
	unsigned long page = 1UL << odp->page_shift;
	unsigned long end;

	if (check_add_overflow(odp->umem.address, odp->umem.length, &end))
		return -EOVERFLOW;
	end = ALIGN(end, page);
	if (end < page)
		return -EOVERFLOW;
	*start = ALIGN_DOWN(odp->umem.address, page);
	*size = end - *start;
	return *size ? 0 : -EINVAL;
}

/* Makes room for the range's pages and has @ops told what becomes of them. */
static int watch_range(struct ib_umem_odp *odp, const struct mmu_interval_notifier_ops *ops)
{
	const gfp_t flags = GFP_KERNEL | __GFP_NOWARN;
	unsigned long start, size;
	int ret = whole_pages(odp, &start, &size);

	if (ret)
		return ret;

	odp->pfn_list = kvcalloc(size >> PAGE_SHIFT, sizeof(*odp->pfn_list), flags);
	odp->dma_list = kvcalloc(size >> odp->page_shift, sizeof(*odp->dma_list), flags);
	ret = -ENOMEM;
	if (odp->pfn_list && odp->dma_list)
		ret = mmu_interval_notifier_insert(&odp->notifier, odp->umem.owning_mm, start, size,
						   ops);
	if (ret)
		free_pages_of(odp);
	return ret;
}

static unsigned int page_shift_for(int access)
{
#ifdef CONFIG_HUGETLB_PAGE
	if (access & IB_ACCESS_HUGETLB)
		return HPAGE_SHIFT;
#endif
	return PAGE_SHIFT;
}

/**
 * ib_umem_odp_get - offer memory of the current process to a device that can fault
 * @device: what is going to access it
 * @addr: its address in the process
 * @size: bytes
 * @access: enum ib_access_flags, with IB_ACCESS_ON_DEMAND; IB_ACCESS_HUGETLB promises that it's all
 *	huge pages, and the device's pages will be as large
 * @ops: the driver's, told before pages go away
 *
 * Nothing is pinned, charged or mapped.
 *
 * Context: Sleeps. A system call of the process.
 * Return: the umem, for ib_umem_odp_release() or ib_umem_release(). Or -EINVAL without
 * IB_ACCESS_ON_DEMAND and for an empty range; -EOVERFLOW if there's no such range; -ENOMEM.
 */
struct ib_umem_odp *ib_umem_odp_get(struct ib_device *device, unsigned long addr, size_t size,
				    int access, const struct mmu_interval_notifier_ops *ops)
{
	struct ib_umem_odp *odp;
	int ret;

	if (WARN_ON_ONCE(!(access & IB_ACCESS_ON_DEMAND)))
		return ERR_PTR(-EINVAL);

	odp = alloc_odp(device, current->mm, ib_access_writable(access));
	if (!odp)
		return ERR_PTR(-ENOMEM);
	odp->umem.address = addr;
	odp->umem.length = size;
	odp->page_shift = page_shift_for(access);
	odp->tgid = get_task_pid(current->group_leader, PIDTYPE_PID);

	ret = watch_range(odp, ops);
	if (ret) {
		free_odp(odp);
		return ERR_PTR(ret);
	}
	return odp;
}
EXPORT_SYMBOL(ib_umem_odp_get);

/**
 * ib_umem_odp_alloc_implicit - offer all memory of the current process to a device that can fault
 * @device: what is going to access it
 * @access: enum ib_access_flags
 *
 * Context: Sleeps. A system call of the process.
 * Return: an umem without pages, for ib_umem_odp_alloc_child(), and ib_umem_odp_release() once its
 * children are gone. Or -EINVAL for IB_ACCESS_HUGETLB; -ENOMEM.
 */
struct ib_umem_odp *ib_umem_odp_alloc_implicit(struct ib_device *device, int access)
{
	struct ib_umem_odp *odp;

	if (access & IB_ACCESS_HUGETLB)
		return ERR_PTR(-EINVAL);

	odp = alloc_odp(device, current->mm, ib_access_writable(access));
	if (!odp)
		return ERR_PTR(-ENOMEM);
	odp->is_implicit_odp = true;
	odp->tgid = get_task_pid(current->group_leader, PIDTYPE_PID);
	mmgrab(odp->umem.owning_mm);
	return odp;
}
EXPORT_SYMBOL(ib_umem_odp_alloc_implicit);

/**
 * ib_umem_odp_alloc_child - a range of an implicit umem
 * @root: what ib_umem_odp_alloc_implicit() returned; it isn't released before its children
 * @addr: the range's address in the process
 * @size: bytes
 * @ops: the driver's, told before pages go away
 *
 * Context: Sleeps. Any process: this may be the answer to a device's fault.
 * Return: the umem, for ib_umem_odp_release(). Or -EINVAL for an empty range and if @root isn't
 * implicit; -EOVERFLOW if there's no such range; -EFAULT if the process has no memory any more;
 * -ENOMEM.
 */
struct ib_umem_odp *ib_umem_odp_alloc_child(struct ib_umem_odp *root, unsigned long addr,
					    size_t size,
					    const struct mmu_interval_notifier_ops *ops)
{
	struct mm_struct *mm = root->umem.owning_mm;
	struct ib_umem_odp *odp;
	int ret;

	if (WARN_ON_ONCE(!root->is_implicit_odp))
		return ERR_PTR(-EINVAL);

	odp = alloc_odp(root->umem.ibdev, mm, root->umem.writable);
	if (!odp)
		return ERR_PTR(-ENOMEM);
	odp->umem.address = addr;
	odp->umem.length = size;
	odp->tgid = get_pid(root->tgid);

	/* A notifier can be added only while there's somebody who uses the memory. */
	ret = -EFAULT;
	if (mmget_not_zero(mm)) {
		ret = watch_range(odp, ops);
		mmput(mm);
	}
	if (ret) {
		free_odp(odp);
		return ERR_PTR(ret);
	}
	return odp;
}
EXPORT_SYMBOL(ib_umem_odp_alloc_child);

/**
 * ib_umem_odp_release - take memory back from a device that can fault
 * @umem_odp: any umem of this kind; the device doesn't access it any more, and the driver maps none
 *	of it
 *
 * Context: Sleeps, and waits for a notification that is under way, so none of what the driver's
 * notifier locks may be held.
 */
void ib_umem_odp_release(struct ib_umem_odp *umem_odp)
{
	if (umem_odp->is_implicit_odp) {
		mmdrop(umem_odp->umem.owning_mm);
	} else {
		mutex_lock(&umem_odp->umem_mutex);
		ib_umem_odp_unmap_dma_pages(umem_odp, ib_umem_start(umem_odp),
					    ib_umem_end(umem_odp));
		mutex_unlock(&umem_odp->umem_mutex);
		mmu_interval_notifier_remove(&umem_odp->notifier);
		free_pages_of(umem_odp);
	}
	free_odp(umem_odp);
}
EXPORT_SYMBOL(ib_umem_odp_release);
