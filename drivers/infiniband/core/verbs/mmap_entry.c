// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The offsets at which a process maps memory of a device. An entry is the driver's object; it takes
 * up one slot of ib_ucontext.mmap_xa for each of its pages, from insert until its last reference
 * is gone: the driver's own, and one for each mapping. Until then nobody else gets the offset, so
 * that it always means the same memory.
 */

#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/xarray.h>
#include <rdma/ib_verbs.h>

#include "../stock_contract.h"

/* ib_uverbs' mutex. Outside of the lock of mmap_xa. */
static struct mutex *umap_lock(struct ib_ucontext *ucontext)
{
	return (void *)ucontext->ufile + UVERBS_FILE_UMAP_LOCK;
}

/* The first offset in [@from, @max] with nothing there. */
static bool next_free(struct xarray *xa, u32 from, u32 max, u32 *pgoff)
{
	XA_STATE(xas, xa, from);

	xa_lock(xa);
	xas_find_marked(&xas, max, XA_FREE_MARK);
	xa_unlock(xa);
	if (xas.xa_node == XAS_RESTART)
		return false;
	*pgoff = xas.xa_index;
	return true;
}

/* The first run of @npages free offsets in [@min, @max]. */
static bool find_run(struct xarray *xa, u32 npages, u32 min, u32 max, u32 *first)
{
	unsigned long taken;
	u32 last;

	while (next_free(xa, min, max, first)) {
		if (check_add_overflow(*first, npages - 1, &last) || last > max)
			return false;
		taken = *first;
		if (!xa_find(xa, &taken, last, XA_PRESENT))
			return true;
		min = taken;
	}
	return false;
}

static void erase_run(struct xarray *xa, unsigned long first, size_t npages)
{
	xa_lock(xa);
	while (npages--)
		__xa_erase(xa, first + npages);
	xa_unlock(xa);
}

/* From the end: lookups want the first page, so they see the entry only when all are there. */
static int fill_run(struct xarray *xa, struct rdma_user_mmap_entry *entry)
{
	size_t page = entry->npages;
	int ret;

	while (page--) {
		ret = xa_insert(xa, entry->start_pgoff + page, entry, GFP_KERNEL);
		if (ret) {
			erase_run(xa, entry->start_pgoff + page + 1, entry->npages - page - 1);
			return ret;
		}
	}
	return 0;
}

/**
 * rdma_user_mmap_entry_insert_range - give an entry an offset in a range
 * @ucontext: the context whose process is to map it
 * @entry: the entry, embedded in an object of the driver; start_pgoff returns the offset
 * @length: its length, bytes
 * @min_pgoff: the least offset, pages
 * @max_pgoff: the greatest offset, pages, of the entry's last page too
 *
 * On success the driver has a reference; rdma_user_mmap_entry_remove() drops it.
 *
 * Context: Sleeps.
 * Return: 0; -EINVAL without an entry or a length; -ENOMEM if there is no run of free offsets, or
 * no memory.
 */
int rdma_user_mmap_entry_insert_range(struct ib_ucontext *ucontext,
				      struct rdma_user_mmap_entry *entry, size_t length,
				      u32 min_pgoff, u32 max_pgoff)
{
	int ret = -ENOMEM;
	size_t npages;
	u32 first;

	if (!entry || !length)
		return -EINVAL;
	npages = (length - 1) / PAGE_SIZE + 1;
	if (npages > U32_MAX)
		return -ENOMEM;

	kref_init(&entry->ref);
	entry->ucontext = ucontext;
	entry->npages = npages;
	entry->driver_removed = false;

	/* Others may leave while we choose and fill a run, but nobody else may come. */
	mutex_lock(umap_lock(ucontext));
	if (find_run(&ucontext->mmap_xa, npages, min_pgoff, max_pgoff, &first)) {
		entry->start_pgoff = first;
		ret = fill_run(&ucontext->mmap_xa, entry);
	}
	mutex_unlock(umap_lock(ucontext));
	return ret;
}
EXPORT_SYMBOL(rdma_user_mmap_entry_insert_range);

/**
 * rdma_user_mmap_entry_insert - give an entry an offset
 * @ucontext: the context whose process is to map it
 * @entry: the entry
 * @length: its length, bytes
 *
 * Context: Sleeps.
 * Return: as rdma_user_mmap_entry_insert_range().
 */
int rdma_user_mmap_entry_insert(struct ib_ucontext *ucontext, struct rdma_user_mmap_entry *entry,
				size_t length)
{
	return rdma_user_mmap_entry_insert_range(ucontext, entry, length, 0, U32_MAX);
}
EXPORT_SYMBOL(rdma_user_mmap_entry_insert);

/**
 * rdma_user_mmap_entry_get_pgoff - the entry that starts at an offset
 * @ucontext: the context
 * @pgoff: the offset, pages
 *
 * Context: Any that may take a spinlock.
 * Return: the entry, referenced, or NULL: also after rdma_user_mmap_entry_remove().
 */
struct rdma_user_mmap_entry *rdma_user_mmap_entry_get_pgoff(struct ib_ucontext *ucontext,
							    unsigned long pgoff)
{
	struct rdma_user_mmap_entry *entry;

	/* Slots hold no references, so the lock is what keeps the entry until we have one. */
	xa_lock(&ucontext->mmap_xa);
	entry = xa_load(&ucontext->mmap_xa, pgoff);
	if (entry && (entry->start_pgoff != pgoff || entry->driver_removed ||
		      !kref_get_unless_zero(&entry->ref)))
		entry = NULL;
	xa_unlock(&ucontext->mmap_xa);
	return entry;
}
EXPORT_SYMBOL(rdma_user_mmap_entry_get_pgoff);

/**
 * rdma_user_mmap_entry_get - the entry that a mapping wants
 * @ucontext: the context
 * @vma: the mapping: shared, of the entry's offset and length
 *
 * Context: As rdma_user_mmap_entry_get_pgoff().
 * Return: the entry, referenced, or NULL.
 */
struct rdma_user_mmap_entry *rdma_user_mmap_entry_get(struct ib_ucontext *ucontext,
						      struct vm_area_struct *vma)
{
	struct rdma_user_mmap_entry *entry;

	if (!(vma->vm_flags & VM_SHARED))
		return NULL;
	entry = rdma_user_mmap_entry_get_pgoff(ucontext, vma->vm_pgoff);
	if (entry && entry->npages * PAGE_SIZE != vma->vm_end - vma->vm_start) {
		rdma_user_mmap_entry_put(entry);
		return NULL;
	}
	return entry;
}
EXPORT_SYMBOL(rdma_user_mmap_entry_get);

static void release_entry(struct kref *ref)
{
	struct rdma_user_mmap_entry *entry = container_of(ref, struct rdma_user_mmap_entry, ref);
	struct ib_device *device = entry->ucontext->device;

	erase_run(&entry->ucontext->mmap_xa, entry->start_pgoff, entry->npages);
	if (device->ops.mmap_free)
		device->ops.mmap_free(entry);
}

/**
 * rdma_user_mmap_entry_put - drop a reference to an entry
 * @entry: the entry
 *
 * Context: That of the driver's mmap_free, which the last reference calls.
 */
void rdma_user_mmap_entry_put(struct rdma_user_mmap_entry *entry)
{
	kref_put(&entry->ref, release_entry);
}
EXPORT_SYMBOL(rdma_user_mmap_entry_put);

/**
 * rdma_user_mmap_entry_remove - take an entry back
 * @entry: the entry, or NULL
 *
 * It can't be mapped any more, and goes with its last mapping. Drops the driver's reference.
 *
 * Context: As rdma_user_mmap_entry_put().
 */
void rdma_user_mmap_entry_remove(struct rdma_user_mmap_entry *entry)
{
	if (!entry)
		return;

	xa_lock(&entry->ucontext->mmap_xa);
	entry->driver_removed = true;
	xa_unlock(&entry->ucontext->mmap_xa);
	rdma_user_mmap_entry_put(entry);
}
EXPORT_SYMBOL(rdma_user_mmap_entry_remove);
