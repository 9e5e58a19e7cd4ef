// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Mappings of device memory into processes. The driver makes them, with rdma_user_mmap_io(), which
 * enters each in the file's list of mappings; here they are copied, removed, and shown to be empty
 * once zap.c has taken the memory away.
 */

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/srcu.h>

#include "file.h"

/**
 * uverbs_umap_forget - take a mapping off its file's list
 * @priv: the mapping; its memory is or will be taken away, or nothing is mapped any more
 *
 * Context: Holds the file's umap_lock.
 * Return: what is mapped, whose reference is the caller's to drop, or NULL. The driver may sleep
 * over the last reference.
 */
struct rdma_user_mmap_entry *uverbs_umap_forget(struct rdma_umap_priv *priv)
{
	struct rdma_user_mmap_entry *entry = priv->entry;

	list_del_init(&priv->list);
	priv->entry = NULL;
	return entry;
}

/* A copy that has nothing: as after zap.c. */
static void copy_empty(struct vm_area_struct *vma, struct rdma_umap_priv *priv)
{
	priv->vma = vma;
	INIT_LIST_HEAD(&priv->list);
	vma->vm_private_data = priv;
}

/*
 * mmap_lock is held for writing, for a fork that of both processes. If the file's mappings are
 * being taken away, the new process mustn't get what its parent is about to lose. Page tables are
 * copied after this, unless the flag says not to.
 */
static void copy_to_child(struct ib_uverbs_file *file, struct vm_area_struct *vma,
			  struct rdma_umap_priv *priv, const struct rdma_umap_priv *original)
{
	if (down_read_trylock(&file->disassociation_lock)) {
		rdma_umap_priv_init(priv, vma, original->entry);
		up_read(&file->disassociation_lock);
		return;
	}
	vm_flags_set(vma, VM_WIPEONFORK);
	copy_empty(vma, priv);
}

/*
 * The mapping was split, moved or inherited; it has the original's pointer. Nobody asks whether
 * this fails, so it can't. Within a process, the copy of what is in the list has to be in the list
 * as well: whoever takes mappings away waits for our mmap_lock, and then takes all in the list.
 */
static void umap_open(struct vm_area_struct *vma)
{
	struct ib_uverbs_file *file = vma->vm_file->private_data;
	struct rdma_umap_priv *original = vma->vm_private_data;
	struct rdma_umap_priv *priv;

	if (!original)
		return;
	priv = kzalloc(sizeof(*priv), GFP_KERNEL | __GFP_NOFAIL);
	if (list_empty(&original->list))
		copy_empty(vma, priv);
	else if (vma->vm_mm != original->vma->vm_mm)
		copy_to_child(file, vma, priv, original);
	else
		rdma_umap_priv_init(priv, vma, original->entry);
}

static void umap_close(struct vm_area_struct *vma)
{
	struct ib_uverbs_file *file = vma->vm_file->private_data;
	struct rdma_umap_priv *priv = vma->vm_private_data;
	struct rdma_user_mmap_entry *entry;

	if (!priv)
		return;
	mutex_lock(&file->umap_lock);
	entry = uverbs_umap_forget(priv);
	mutex_unlock(&file->umap_lock);

	if (entry)
		rdma_user_mmap_entry_put(entry);
	kfree(priv);
}

/* A page for all who still write to a device that has gone. They may see what others write. */
static struct page *get_dummy_page(struct ib_uverbs_file *file, gfp_t gfp)
{
	struct page *page;

	mutex_lock(&file->umap_lock);
	if (!file->disassociate_page)
		file->disassociate_page = alloc_page(gfp | __GFP_ZERO);
	page = file->disassociate_page;
	if (page)
		get_page(page);
	mutex_unlock(&file->umap_lock);
	return page;
}

/* Drivers map all at once, so this is after the memory was taken away. */
static vm_fault_t umap_fault(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;

	if (!vma->vm_private_data)
		return VM_FAULT_SIGBUS;
	if (vma->vm_flags & (VM_WRITE | VM_MAYWRITE)) {
		vmf->page = get_dummy_page(vma->vm_file->private_data, vmf->gfp_mask);
	} else {
		vmf->page = ZERO_PAGE(vmf->address);
		get_page(vmf->page);
	}
	return vmf->page ? 0 : VM_FAULT_SIGBUS;
}

static const struct vm_operations_struct umap_ops = {
	.open = umap_open,
	.close = umap_close,
	.fault = umap_fault,
};

/**
 * uverbs_mmap - mmap() of a uverbsN
 * @filp: the file
 * @vma: what the process wants; its offset means something to the driver
 *
 * Context: Sleeps. Holds the process's mmap_lock for writing.
 * Return: 0; -EIO if the device has gone; -EINVAL if the file has no context; -EAGAIN if all
 * mappings are just being taken away; what the driver says.
 */
int uverbs_mmap(struct file *filp, struct vm_area_struct *vma)
{
	struct ib_uverbs_file *file = filp->private_data;
	struct ib_ucontext *ucontext;
	int key, err;

	key = srcu_read_lock(&file->device->disassociate_srcu);
	ucontext = ib_uverbs_get_ucontext_file(file);
	if (IS_ERR(ucontext)) {
		err = PTR_ERR(ucontext);
	} else if (!down_read_trylock(&file->disassociation_lock)) {
		err = -EAGAIN;
	} else {
		/* The driver may have others. */
		vma->vm_ops = &umap_ops;
		err = ucontext->device->ops.mmap(ucontext, vma);
		up_read(&file->disassociation_lock);
	}
	srcu_read_unlock(&file->device->disassociate_srcu, key);
	return err;
}
