// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Mappings of device memory. ib_uverbs keeps a list of them for each of its files, so that it can
 * take the memory away from processes when the device goes; it sets vma->vm_ops before it calls
 * the driver, and frees the list's entries.
 */

#include <linux/mm.h>
#include <linux/slab.h>

#include "verbs.h"

/**
 * rdma_umap_priv_init - enter a mapping in its file's list
 * @priv: the list's entry; vma->vm_private_data from now on
 * @vma: the mapping, of a file of ib_uverbs
 * @entry: what is mapped, or NULL; a reference is taken
 *
 * Context: Sleeps.
 */
void rdma_umap_priv_init(struct rdma_umap_priv *priv, struct vm_area_struct *vma,
			 struct rdma_user_mmap_entry *entry)
{
	void *ufile = vma->vm_file->private_data;
	struct mutex *umap_lock = ufile + UVERBS_FILE_UMAP_LOCK;
	struct list_head *umaps = ufile + UVERBS_FILE_UMAPS;

	priv->vma = vma;
	priv->entry = entry;
	if (entry)
		kref_get(&entry->ref);
	vma->vm_private_data = priv;

	mutex_lock(umap_lock);
	list_add(&priv->list, umaps);
	mutex_unlock(umap_lock);
}
EXPORT_SYMBOL(rdma_umap_priv_init);

/**
 * rdma_user_mmap_io - map device memory; for a driver's mmap
 * @ucontext: the context of the process
 * @vma: the mapping that it wants
 * @pfn: first page frame of the memory
 * @size: its length, bytes
 * @prot: protection, that is caching
 * @entry: the entry of the offset, or NULL; the mapping takes a reference of its own
 *
 * Context: Sleeps. The driver's mmap, where ib_uverbs keeps the device from going away.
 * Return: 0; -EINVAL for a private mapping, another length than @size, or a file that isn't the
 * context's; -ENOMEM; -EAGAIN if the memory can't be mapped.
 */
int rdma_user_mmap_io(struct ib_ucontext *ucontext, struct vm_area_struct *vma,
		      unsigned long pfn, unsigned long size, pgprot_t prot,
		      struct rdma_user_mmap_entry *entry)
{
	struct rdma_umap_priv *priv;

	if (!(vma->vm_flags & VM_SHARED) || vma->vm_end - vma->vm_start != size)
		return -EINVAL;
	if (WARN_ON_ONCE(!vma->vm_file || vma->vm_file->private_data != ucontext->ufile))
		return -EINVAL;

	priv = kzalloc(sizeof(*priv), GFP_KERNEL);
	if (!priv)
		return -ENOMEM;

	vma->vm_page_prot = prot;
	if (!io_remap_pfn_range(vma, vma->vm_start, pfn, size, prot)) {
		rdma_umap_priv_init(priv, vma, entry);
		return 0;
	}
	kfree(priv);
	return -EAGAIN;
}
EXPORT_SYMBOL(rdma_user_mmap_io);
