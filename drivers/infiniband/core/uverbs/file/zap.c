// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Taking device memory away from the processes that have it mapped, since the device goes or is
 * reset. What they find afterwards is umap_fault()'s.
 *
 * mmap_lock comes before umap_lock, since mappings are made and removed with mmap_lock held. So
 * from the list we learn of a process, let go of the list, and lock the process. Each mapping is
 * looked at once. The list doesn't grow without end meanwhile: nobody makes a mapping, and of those
 * that are copied each process has mmap_lock once before us.
 */

#include <linux/mm.h>
#include <linux/sched/mm.h>

#include "file.h"

static void put_entry(struct rdma_user_mmap_entry *entry)
{
	if (entry)
		rdma_user_mmap_entry_put(entry);
}

/* The process of the list's first mapping, referenced, or NULL. Ending ones unmap by themselves. */
static struct mm_struct *first_mm(struct ib_uverbs_file *file)
{
	struct rdma_user_mmap_entry *entry;
	struct rdma_umap_priv *priv;
	struct mm_struct *mm;

	for (;;) {
		mutex_lock(&file->umap_lock);
		priv = list_first_entry_or_null(&file->umaps, struct rdma_umap_priv, list);
		mm = priv ? priv->vma->vm_mm : NULL;
		if (!mm || mmget_not_zero(mm)) {
			mutex_unlock(&file->umap_lock);
			return mm;
		}
		entry = uverbs_umap_forget(priv);
		mutex_unlock(&file->umap_lock);
		put_entry(entry);
	}
}

/* Take the list's first mapping, if it's of this process, whose mmap_lock keeps it. */
static struct vm_area_struct *take_first(struct ib_uverbs_file *file, const struct mm_struct *mm,
					 struct rdma_user_mmap_entry **entry)
{
	struct vm_area_struct *vma = NULL;
	struct rdma_umap_priv *priv;

	mutex_lock(&file->umap_lock);
	priv = list_first_entry_or_null(&file->umaps, struct rdma_umap_priv, list);
	if (priv && priv->vma->vm_mm == mm) {
		vma = priv->vma;
		*entry = uverbs_umap_forget(priv);
	}
	mutex_unlock(&file->umap_lock);
	return vma;
}

static void zap_process(struct ib_uverbs_file *file, struct mm_struct *mm)
{
	struct rdma_user_mmap_entry *entry;
	struct vm_area_struct *vma;

	mmap_read_lock(mm);
	while ((vma = take_first(file, mm, &entry))) {
		zap_vma_ptes(vma, vma->vm_start, vma->vm_end - vma->vm_start);
		put_entry(entry);
	}
	mmap_read_unlock(mm);
}

/**
 * uverbs_zap_mappings - take all of a file's mappings away
 * @file: the file
 *
 * Context: Sleeps.
 */
void uverbs_zap_mappings(struct ib_uverbs_file *file)
{
	struct mm_struct *mm;

	down_write(&file->disassociation_lock);
	while ((mm = first_mm(file))) {
		zap_process(file, mm);
		mmput(mm);
	}
	up_write(&file->disassociation_lock);
}

/* Another file's turn each time. The order of the list means nothing to anybody. */
static struct ib_uverbs_file *next_file(struct ib_uverbs_device *device)
{
	struct ib_uverbs_file *file;

	mutex_lock(&device->files_mutex);
	file = list_first_entry_or_null(&device->files, struct ib_uverbs_file, list);
	if (file) {
		list_move_tail(&file->list, &device->files);
		kref_get(&file->ref);
	}
	mutex_unlock(&device->files_mutex);
	return file;
}

static size_t count_files(struct ib_uverbs_device *device)
{
	size_t count;

	mutex_lock(&device->files_mutex);
	count = list_count_nodes(&device->files);
	mutex_unlock(&device->files_mutex);
	return count;
}

/**
 * rdma_user_mmap_disassociate - take a device's memory away from all processes
 * @ib_dev: a device that the driver is about to reset
 *
 * The driver refuses to map any from before the call on. Contexts and objects stay.
 *
 * Context: Sleeps. The device is registered and stays so.
 */
void rdma_user_mmap_disassociate(struct ib_device *ib_dev)
{
	struct ib_uverbs_device *device = ib_get_client_data(ib_dev, &uverbs_client);
	struct ib_uverbs_file *file;
	size_t count;

	if (!device)
		return;
	for (count = count_files(device); count && (file = next_file(device)); count--) {
		uverbs_zap_mappings(file);
		uverbs_file_put(file);
	}
}
EXPORT_SYMBOL(rdma_user_mmap_disassociate);
