// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Contexts: what the driver knows of an open file. A file has at most one, all its objects belong
 * to it, and it goes last.
 */

#include <linux/slab.h>
#include <linux/srcu.h>

#include "file.h"

/**
 * ib_uverbs_get_ucontext_file - the context of an open file
 * @file: the file
 *
 * Context: Any. The caller is a handler of write(), ioctl() or mmap(), or otherwise holds the
 * device's disassociate_srcu, for as long as the context is used.
 * Return: the context; ERR_PTR of -EIO if the device has gone, of -EINVAL if there is none yet.
 */
struct ib_ucontext *ib_uverbs_get_ucontext_file(struct ib_uverbs_file *file)
{
	struct ib_ucontext *ucontext;

	/* Pairs with uverbs_init_ucontext(). */
	ucontext = smp_load_acquire(&file->ucontext);
	if (!srcu_dereference(file->device->ib_dev, &file->device->disassociate_srcu))
		return ERR_PTR(-EIO);
	return ucontext ?: ERR_PTR(-EINVAL);
}
EXPORT_SYMBOL(ib_uverbs_get_ucontext_file);

/**
 * uverbs_alloc_ucontext - allocate a context
 * @attrs: the call that asks for it; its context is set, so that objects can be allocated
 *
 * Neither the driver nor the file knows of it, and nothing is charged. It's to be followed by
 * uverbs_init_ucontext(), or by uverbs_free_ucontext().
 *
 * Context: Sleeps. Holds the device's disassociate_srcu.
 * Return: 0; -EIO if the device has gone; -ENOMEM.
 */
int uverbs_alloc_ucontext(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_file *file = attrs->ufile;
	struct ib_ucontext *ucontext;
	struct ib_device *ib_dev;

	ib_dev = srcu_dereference(file->device->ib_dev, &file->device->disassociate_srcu);
	if (!ib_dev)
		return -EIO;
	ucontext = rdma_zalloc_drv_obj(ib_dev, ib_ucontext);
	if (!ucontext)
		return -ENOMEM;

	ucontext->device = ib_dev;
	ucontext->ufile = file;
	xa_init_flags(&ucontext->mmap_xa, XA_FLAGS_ALLOC);
	rdma_restrack_new(&ucontext->res, RDMA_RESTRACK_CTX);
	rdma_restrack_set_name(&ucontext->res, NULL);
	attrs->context = ucontext;
	return 0;
}

/**
 * uverbs_free_ucontext - free a context that uverbs_init_ucontext() wasn't asked for or refused
 * @attrs: the call; its context is NULL again
 *
 * Context: Sleeps.
 */
void uverbs_free_ucontext(struct uverbs_attr_bundle *attrs)
{
	rdma_restrack_put(&attrs->context->res);
	kfree(attrs->context);
	attrs->context = NULL;
}

/* Charge it, and let the driver make what it needs. */
static int open_in_device(struct ib_ucontext *ucontext, struct ib_udata *udata)
{
	struct ib_device *ib_dev = ucontext->device;
	int err;

	err = ib_rdmacg_try_charge(&ucontext->cg_obj, ib_dev, RDMACG_RESOURCE_HCA_HANDLE);
	if (err)
		return err;
	err = ib_dev->ops.alloc_ucontext(ucontext, udata);
	if (err)
		ib_rdmacg_uncharge(&ucontext->cg_obj, ib_dev, RDMACG_RESOURCE_HCA_HANDLE);
	return err;
}

/**
 * uverbs_init_ucontext - make an allocated context the file's
 * @attrs: the call, with context and driver data
 *
 * On success the driver knows it, it is charged and listed, and other calls see it: it goes only
 * with the file or with the device. On failure nothing of this is so, and the caller frees it.
 *
 * Context: Sleeps. Holds the device's disassociate_srcu.
 * Return: 0; -EIO if all objects are being destroyed; -EINVAL if the file has a context; -EAGAIN if
 * it would exceed the control group's limit; what the driver says.
 */
int uverbs_init_ucontext(struct uverbs_attr_bundle *attrs)
{
	struct ib_ucontext *ucontext = attrs->context;
	struct ib_uverbs_file *file = attrs->ufile;
	int err = -EINVAL;

	if (!down_read_trylock(&file->hw_destroy_rwsem))
		return -EIO;
	mutex_lock(&file->ucontext_lock);
	if (!file->ucontext)
		err = open_in_device(ucontext, &attrs->driver_udata);
	if (!err) {
		rdma_restrack_add(&ucontext->res);
		/* Pairs with ib_uverbs_get_ucontext_file(): all of the above is seen first. */
		smp_store_release(&file->ucontext, ucontext);
	}
	mutex_unlock(&file->ucontext_lock);
	up_read(&file->hw_destroy_rwsem);
	return err;
}

/**
 * uverbs_destroy_ucontext - destroy a file's context
 * @file: the file, which has one and no objects any more
 * @why: the file is being closed, and so has no mappings; or the device goes, and they with it
 *
 * Context: Sleeps. Holds the file's hw_destroy_rwsem for writing.
 */
void uverbs_destroy_ucontext(struct ib_uverbs_file *file, enum rdma_remove_reason why)
{
	struct ib_ucontext *ucontext = file->ucontext;
	struct ib_device *ib_dev = ucontext->device;

	if (why == RDMA_REMOVE_DRIVER_REMOVE) {
		uverbs_zap_mappings(file);
		if (ib_dev->ops.disassociate_ucontext)
			ib_dev->ops.disassociate_ucontext(ucontext);
	}

	ib_rdmacg_uncharge(&ucontext->cg_obj, ib_dev, RDMACG_RESOURCE_HCA_HANDLE);
	rdma_restrack_del(&ucontext->res);
	ib_dev->ops.dealloc_ucontext(ucontext);
	WARN_ON(!xa_empty(&ucontext->mmap_xa));
	file->ucontext = NULL;
	kfree(ucontext);
}
