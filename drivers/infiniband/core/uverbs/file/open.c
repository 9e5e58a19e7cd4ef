// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Opening and closing uverbsN. */

#include <linux/fs.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "file.h"

/* A driver that can't part from open files has to stay as long as they do. */
static bool pin_driver(const struct ib_device *ib_dev)
{
	return ib_dev->ops.disassociate_ucontext || try_module_get(ib_dev->ops.owner);
}

static void unpin_driver(const struct ib_device *ib_dev)
{
	if (!ib_dev->ops.disassociate_ucontext)
		module_put(ib_dev->ops.owner);
}

static struct ib_uverbs_file *file_alloc(struct ib_uverbs_device *device)
{
	struct ib_uverbs_file *file = kzalloc(sizeof(*file), GFP_KERNEL);

	if (!file)
		return NULL;
	kref_init(&file->ref);
	file->device = device;
	mutex_init(&file->ucontext_lock);
	mutex_init(&file->umap_lock);
	INIT_LIST_HEAD(&file->umaps);
	init_rwsem(&file->disassociation_lock);
	uverbs_objects_init(file);
	return file;
}

/* With disassociate_srcu held, so that removal finds the file in the list, or we no device. */
static struct ib_uverbs_file *open_device(struct ib_uverbs_device *device)
{
	struct ib_uverbs_file *file;
	struct ib_device *ib_dev;

	ib_dev = srcu_dereference(device->ib_dev, &device->disassociate_srcu);
	if (!ib_dev)
		return ERR_PTR(-EIO);
	if (!rdma_dev_access_netns(ib_dev, current->nsproxy->net_ns))
		return ERR_PTR(-EPERM);
	if (!pin_driver(ib_dev))
		return ERR_PTR(-ENODEV);
	file = file_alloc(device);
	if (!file) {
		unpin_driver(ib_dev);
		return ERR_PTR(-ENOMEM);
	}

	mutex_lock(&device->files_mutex);
	list_add_tail(&file->list, &device->files);
	mutex_unlock(&device->files_mutex);
	return file;
}

static int uverbs_open(struct inode *inode, struct file *filp)
{
	struct ib_uverbs_device *device = uverbs_node_get(inode->i_rdev);
	struct ib_uverbs_file *file;
	int key;

	if (!device)
		return -ENXIO;
	key = srcu_read_lock(&device->disassociate_srcu);
	file = open_device(device);
	srcu_read_unlock(&device->disassociate_srcu, key);
	if (IS_ERR(file)) {
		uverbs_device_put(device);
		return PTR_ERR(file);
	}
	filp->private_data = file;
	return stream_open(inode, filp);
}

/*
 * If the device is still there and its driver can't part from us, then it is until we say that we
 * don't use it.
 */
static void let_device_go(struct ib_uverbs_device *device)
{
	struct ib_device *ib_dev;
	int key;

	key = srcu_read_lock(&device->disassociate_srcu);
	ib_dev = srcu_dereference(device->ib_dev, &device->disassociate_srcu);
	if (ib_dev)
		unpin_driver(ib_dev);
	srcu_read_unlock(&device->disassociate_srcu, key);
	uverbs_device_put(device);
}

static void file_free(struct kref *ref)
{
	struct ib_uverbs_file *file = container_of(ref, struct ib_uverbs_file, ref);

	uverbs_objects_cleanup(file);
	if (file->default_async_file)
		uverbs_uobject_put(&file->default_async_file->uobj);
	if (file->disassociate_page)
		__free_page(file->disassociate_page);
	let_device_go(file->device);
	kfree(file);
}

/**
 * uverbs_file_put - drop a reference to an open file
 * @file: the file
 *
 * Context: Sleeps.
 */
void uverbs_file_put(struct ib_uverbs_file *file)
{
	kref_put(&file->ref, file_free);
}

static int uverbs_release(struct inode *inode, struct file *filp)
{
	struct ib_uverbs_file *file = filp->private_data;

	uverbs_objects_destroy_all(file, RDMA_REMOVE_CLOSE);

	mutex_lock(&file->device->files_mutex);
	list_del_init(&file->list);
	mutex_unlock(&file->device->files_mutex);
	uverbs_file_put(file);
	return 0;
}

#define UVERBS_FOPS				\
	.owner = THIS_MODULE,			\
	.open = uverbs_open,			\
	.release = uverbs_release,		\
	.write = uverbs_write,			\
	.unlocked_ioctl = uverbs_ioctl,		\
	.compat_ioctl = compat_ptr_ioctl

const struct file_operations uverbs_fops = {
	UVERBS_FOPS,
};

const struct file_operations uverbs_mmap_fops = {
	UVERBS_FOPS,
	.mmap = uverbs_mmap,
};
