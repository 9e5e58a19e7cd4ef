// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The module, and an adapter from probe to removal: a table of stages, set up in its order and
 * taken down in the opposite one.
 */
#include <linux/auxiliary_bus.h>
#include <linux/module.h>
#include "device/device.h"

MODULE_DESCRIPTION("Verbs driver for ConnectX-4 and later, InfiniBand ports");
MODULE_LICENSE("Dual BSD/GPL");

/**
 * struct stage - a part of the way to a registered device
 * @init: returns 0 or a negative errno, and then has left nothing behind; NULL: nothing to do
 * @cleanup: NULL: nothing to do
 */
struct stage {
	int (*init)(struct mlx5_ib_dev *dev);
	void (*cleanup)(struct mlx5_ib_dev *dev);
};

static int describe(struct mlx5_ib_dev *dev)
{
	struct ib_device *ibdev = &dev->ib_dev;
	int err;

	ibdev->node_type = RDMA_NODE_IB_CA;
	ibdev->phys_port_cnt = MLX5_CAP_GEN(dev->mdev, num_ports);
	ibdev->num_comp_vectors = mlx5_comp_vectors_max(dev->mdev);
	ibdev->dev.parent = dev->mdev->device;
	ibdev->use_cq_dim = true;
	err = mlx5_ib_special_keys_init(dev);
	if (!err)
		err = mlx5_ib_port_init(dev);
	return err ?: mlx5_ib_node_init(dev);
}

static int set_operations(struct mlx5_ib_dev *dev)
{
	struct ib_device *ibdev = &dev->ib_dev;

	ib_set_device_ops(ibdev, &mlx5_ib_dev_ops);
	ib_set_device_ops(ibdev, &mlx5_ib_cq_ops);
	ib_set_device_ops(ibdev, &mlx5_ib_srq_ops);
	ib_set_device_ops(ibdev, &mlx5_ib_qp_ops);
	ib_set_device_ops(ibdev, &mlx5_ib_wr_ops);
	ib_set_device_ops(ibdev, &mlx5_ib_mr_ops);
	if (MLX5_CAP_GEN(dev->mdev, imaicl))
		ib_set_device_ops(ibdev, &mlx5_ib_mw_ops);
	if (IS_ENABLED(CONFIG_INFINIBAND_ON_DEMAND_PAGING))
		ib_set_device_ops(ibdev, &mlx5_ib_odp_ops);
	if (IS_ENABLED(CONFIG_INFINIBAND_USER_ACCESS))
		ibdev->driver_def = mlx5_ib_device_defs;
	return 0;
}

static int init_tables(struct mlx5_ib_dev *dev)
{
	mlx5_ib_qp_table_init(dev);
	mlx5_ib_srq_table_init(dev);
	return 0;
}

static void cleanup_tables(struct mlx5_ib_dev *dev)
{
	mlx5_ib_srq_table_cleanup(dev);
	mlx5_ib_qp_table_cleanup(dev);
}

static int alloc_doorbell(struct mlx5_ib_dev *dev)
{
	return mlx5_alloc_bfreg(dev->mdev, &dev->bfreg, false, false);
}

static void free_doorbell(struct mlx5_ib_dev *dev)
{
	mlx5_free_bfreg(dev->mdev, &dev->bfreg);
}

static int start_events(struct mlx5_ib_dev *dev)
{
	mlx5_ib_events_start(dev);
	return 0;
}

static int register_device(struct mlx5_ib_dev *dev)
{
	return ib_register_device(&dev->ib_dev, "mlx5_%d", &dev->mdev->pdev->dev);
}

static void unregister_device(struct mlx5_ib_dev *dev)
{
	ib_unregister_device(&dev->ib_dev);
}

/*
 * Memory may be registered as soon as the device is, and is still being deregistered while that is
 * unregistered: what changes keys is there before and after.
 */
static const struct stage stages[] = {
	{ describe, NULL },
	{ set_operations, NULL },
	{ mlx5_ib_wr_init, NULL },
	{ init_tables, cleanup_tables },
	{ alloc_doorbell, free_doorbell },
	{ mlx5_ib_counters_init, mlx5_ib_counters_cleanup },
	{ mlx5_ib_odp_init, mlx5_ib_odp_cleanup },
	{ mlx5_ib_keys_init, mlx5_ib_keys_cleanup },
	{ mlx5_ib_placeholders_init, mlx5_ib_placeholders_cleanup },
	{ mlx5_ib_umr_init, mlx5_ib_umr_cleanup },
	{ mlx5_ib_devx_init, mlx5_ib_devx_cleanup },
	{ start_events, mlx5_ib_events_stop },
	{ register_device, unregister_device },
};

static void take_down(struct mlx5_ib_dev *dev, size_t count)
{
	WRITE_ONCE(dev->active, false);
	while (count--)
		if (stages[count].cleanup)
			stages[count].cleanup(dev);
}

static int set_up(struct mlx5_ib_dev *dev)
{
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(stages); i++) {
		if (stages[i].init)
			err = stages[i].init(dev);
		if (err) {
			take_down(dev, i);
			return err;
		}
	}
	WRITE_ONCE(dev->active, true);
	return 0;
}

static int probe(struct auxiliary_device *adev, const struct auxiliary_device_id *id)
{
	struct mlx5_core_dev *mdev = container_of(adev, struct mlx5_adev, adev)->mdev;
	struct mlx5_ib_dev *dev;
	int err;

	if (MLX5_CAP_GEN(mdev, port_type) != MLX5_CAP_PORT_TYPE_IB ||
	    mlx5_core_mp_enabled(mdev))
		return -ENODEV;
	dev = ib_alloc_device(mlx5_ib_dev, ib_dev);
	if (!dev)
		return -ENOMEM;
	dev->mdev = mdev;
	err = set_up(dev);
	if (err) {
		ib_dealloc_device(&dev->ib_dev);
		return err;
	}
	auxiliary_set_drvdata(adev, dev);
	return 0;
}

static void remove(struct auxiliary_device *adev)
{
	struct mlx5_ib_dev *dev = auxiliary_get_drvdata(adev);

	take_down(dev, ARRAY_SIZE(stages));
	ib_dealloc_device(&dev->ib_dev);
}

static const struct auxiliary_device_id ids[] = {
	{ .name = MLX5_ADEV_NAME ".rdma" },
	{}
};
MODULE_DEVICE_TABLE(auxiliary, ids);

static struct auxiliary_driver driver = {
	.name = "rdma",
	.probe = probe,
	.remove = remove,
	.id_table = ids,
};

static int __init mlx5_ib_init(void)
{
	int err = mlx5_ib_qp_module_init();

	if (err)
		return err;
	err = auxiliary_driver_register(&driver);
	if (err)
		mlx5_ib_qp_module_exit();
	return err;
}

static void __exit mlx5_ib_exit(void)
{
	auxiliary_driver_unregister(&driver);
	mlx5_ib_qp_module_exit();
}

module_init(mlx5_ib_init);
module_exit(mlx5_ib_exit);
