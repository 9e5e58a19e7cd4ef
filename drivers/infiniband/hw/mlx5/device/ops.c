// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What ib_core and ib_uverbs know of this part.
 */
#include <linux/module.h>
#include "device.h"

const struct ib_device_ops mlx5_ib_dev_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_MLX5,
	.uverbs_abi_ver = MLX5_IB_UVERBS_ABI_VERSION,

	.alloc_pd = mlx5_ib_alloc_pd,
	.alloc_ucontext = mlx5_ib_alloc_ucontext,
	.alloc_xrcd = mlx5_ib_alloc_xrcd,
	.attach_mcast = mlx5_ib_attach_mcast,
	.create_ah = mlx5_ib_create_ah,
	.create_user_ah = mlx5_ib_create_ah,
	.dealloc_pd = mlx5_ib_dealloc_pd,
	.dealloc_ucontext = mlx5_ib_dealloc_ucontext,
	.dealloc_xrcd = mlx5_ib_dealloc_xrcd,
	.destroy_ah = mlx5_ib_destroy_ah,
	.detach_mcast = mlx5_ib_detach_mcast,
	.device_group = &mlx5_ib_attr_group,
	.disassociate_ucontext = mlx5_ib_disassociate_ucontext,
	.get_dev_fw_str = mlx5_ib_fw_string,
	.get_link_layer = mlx5_ib_link_layer,
	.get_port_immutable = mlx5_ib_port_immutable,
	.mmap = mlx5_ib_mmap,
	.mmap_free = mlx5_ib_mmap_free,
	.modify_device = mlx5_ib_modify_device,
	.modify_port = mlx5_ib_modify_port,
	.process_mad = mlx5_ib_process_mad,
	.query_ah = mlx5_ib_query_ah,
	.query_device = mlx5_ib_query_device,
	.query_gid = mlx5_ib_query_gid,
	.query_pkey = mlx5_ib_query_pkey,
	.query_port = mlx5_ib_query_port,
	.query_ucontext = mlx5_ib_query_ucontext,

	INIT_RDMA_OBJ_SIZE(ib_ah, mlx5_ib_ah, ibah),
	INIT_RDMA_OBJ_SIZE(ib_pd, mlx5_ib_pd, ibpd),
	INIT_RDMA_OBJ_SIZE(ib_ucontext, mlx5_ib_ucontext, ibucontext),
	INIT_RDMA_OBJ_SIZE(ib_xrcd, mlx5_ib_xrcd, ibxrcd),
};
