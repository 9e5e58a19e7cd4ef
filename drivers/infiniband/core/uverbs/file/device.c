// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* RDMA devices come and go. */

#include <linux/slab.h>
#include <linux/srcu.h>
#include <net/netlink.h>
#include <rdma/rdma_netlink.h>

#include "file.h"

static void device_free(struct ib_uverbs_device *device)
{
	uverbs_api_free(device->uapi);
	cleanup_srcu_struct(&device->disassociate_srcu);
	kfree(device);
}

/**
 * uverbs_device_put - the client or an open file doesn't use the RDMA device any more
 * @device: ours, which may go with this
 *
 * The last one frees it; or if its RDMA device couldn't be taken away, wakes him who waits for that
 * and will free it.
 *
 * Context: Sleeps.
 */
void uverbs_device_put(struct ib_uverbs_device *device)
{
	if (!refcount_dec_and_test(&device->refcount))
		return;
	if (rcu_access_pointer(device->ib_dev))
		complete(&device->unused);
	else
		device_free(device);
}

static struct ib_uverbs_device *device_alloc(struct ib_device *ib_dev)
{
	struct ib_uverbs_device *device;
	int err;

	device = kzalloc(sizeof(*device), GFP_KERNEL);
	if (!device)
		return ERR_PTR(-ENOMEM);
	err = init_srcu_struct(&device->disassociate_srcu);
	if (err)
		goto err_free;
	device->uapi = uverbs_api_alloc(ib_dev);
	if (IS_ERR(device->uapi)) {
		err = PTR_ERR(device->uapi);
		goto err_srcu;
	}

	refcount_set(&device->refcount, 1);
	init_completion(&device->unused);
	device->num_comp_vectors = ib_dev->num_comp_vectors;
	mutex_init(&device->xrcd_mutex);
	device->xrcds = RB_ROOT;
	mutex_init(&device->files_mutex);
	INIT_LIST_HEAD(&device->files);
	RCU_INIT_POINTER(device->ib_dev, ib_dev);
	return device;

err_srcu:
	cleanup_srcu_struct(&device->disassociate_srcu);
err_free:
	kfree(device);
	return ERR_PTR(err);
}

static struct ib_uverbs_file *take_file(struct ib_uverbs_device *device)
{
	struct ib_uverbs_file *file;

	mutex_lock(&device->files_mutex);
	file = list_first_entry_or_null(&device->files, struct ib_uverbs_file, list);
	if (file) {
		list_del_init(&file->list);
		kref_get(&file->ref);
	}
	mutex_unlock(&device->files_mutex);
	return file;
}

/*
 * Take the RDMA device away from the open files: first from those who come, then from those who are
 * in, then all that they have of it.
 */
static void disassociate(struct ib_uverbs_device *device)
{
	struct ib_uverbs_file *file;

	rcu_assign_pointer(device->ib_dev, NULL);
	uverbs_api_disassociate_handlers(device->uapi);
	synchronize_srcu(&device->disassociate_srcu);

	while ((file = take_file(device))) {
		uverbs_objects_destroy_all(file, RDMA_REMOVE_DRIVER_REMOVE);
		uverbs_file_put(file);
	}
	uverbs_api_disassociate_objects(device->uapi);
}

/* The node has gone already. Either the files lose the RDMA device, or it has to wait for them. */
static void device_remove(struct ib_uverbs_device *device, struct ib_device *ib_dev)
{
	if (ib_dev->ops.disassociate_ucontext) {
		disassociate(device);
		uverbs_device_put(device);
	} else {
		uverbs_device_put(device);
		wait_for_completion(&device->unused);
		device_free(device);
	}
}

static int uverbs_add(struct ib_device *ib_dev)
{
	struct ib_uverbs_device *device;
	int err;

	if (!ib_dev->ops.alloc_ucontext || ib_dev->type == RDMA_DEVICE_TYPE_SMI)
		return -EOPNOTSUPP;
	device = device_alloc(ib_dev);
	if (IS_ERR(device))
		return PTR_ERR(device);
	err = uverbs_node_create(device, ib_dev->dev.parent,
				 ib_dev->ops.mmap ? &uverbs_mmap_fops : &uverbs_fops);
	if (err) {
		/* Somebody may have opened it all the same. */
		device_remove(device, ib_dev);
		return err;
	}
	ib_set_client_data(ib_dev, &uverbs_client, device);
	return 0;
}

static void uverbs_remove(struct ib_device *ib_dev, void *client_data)
{
	struct ib_uverbs_device *device = client_data;

	uverbs_node_destroy(device);
	device_remove(device, ib_dev);
}

/* Programs bind to the driver by its id, unless the driver has other ways. */
static int uverbs_get_nl_info(struct ib_device *ib_dev, void *client_data,
			      struct ib_client_nl_info *info)
{
	struct ib_uverbs_device *device = client_data;

	if (info->port != U32_MAX)
		return -EINVAL;
	info->abi = ib_dev->ops.uverbs_abi_ver;
	info->cdev = device->dev;
	if (ib_dev->ops.uverbs_no_driver_id_binding)
		return 0;
	return nla_put_u32(info->nl_msg, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, ib_dev->ops.driver_id);
}

struct ib_client uverbs_client = {
	.name = "uverbs",
	.no_kverbs_req = true,
	.add = uverbs_add,
	.remove = uverbs_remove,
	.get_nl_info = uverbs_get_nl_info,
};
