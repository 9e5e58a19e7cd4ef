// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The queue of page faults: read in interrupts, dealt with in a work queue.
 */
#include "odp.h"

#define EQ_ENTRIES 0x1000

/* A fault on its way through the work queue. */
struct item {
	struct work_struct work;
	struct mlx5_ib_dev *dev;
	struct mlx5_ib_fault fault;
};

static void deal_with(struct work_struct *work)
{
	struct item *item = container_of(work, struct item, work);
	struct mlx5_ib_fault *fault = &item->fault;

	switch (fault->subtype) {
	case MLX5_PFAULT_SUBTYPE_WQE:
		mlx5_ib_fault_by_wqe(item->dev, fault);
		break;
	case MLX5_PFAULT_SUBTYPE_RDMA:
		mlx5_ib_fault_by_rdma(item->dev, fault);
		break;
	case MLX5_PFAULT_SUBTYPE_MEMORY:
		mlx5_ib_fault_by_memory(item->dev, fault);
		break;
	default:
		mlx5_ib_warn(item->dev, "page fault of unknown kind %u\n", fault->subtype);
		mlx5_ib_fault_resume(item->dev, fault, true);
	}
	kfree(item);
}

static void queue(struct mlx5_ib_odp *odp, struct item *item, const struct mlx5_eqe *eqe)
{
	mlx5_ib_fault_decode(&item->fault, eqe);
	item->dev = odp->dev;
	INIT_WORK(&item->work, deal_with);
	queue_work(odp->faults, &item->work);
}

/*
 * Reads on until there's nothing, for which the queue is armed, or no memory. @spare, which may be
 * NULL, is memory for one.
 */
static bool drain(struct mlx5_ib_odp *odp, struct item *spare)
{
	bool starved = false;
	struct mlx5_eqe *eqe;
	struct item *item;
	u32 count = 0;

	while ((eqe = mlx5_eq_get_eqe(odp->eq, count))) {
		item = spare ?: kmalloc(sizeof(*item), GFP_ATOMIC);
		starved = !item;
		if (starved)
			break;
		spare = NULL;
		queue(odp, item, eqe);
		count = mlx5_eq_update_cc(odp->eq, count + 1);
	}
	mlx5_eq_update_ci(odp->eq, count, !starved);
	kfree(spare);
	return !starved;
}

/* Goes on where the interrupt couldn't; memory comes here by waiting for it. */
static void go_on(struct work_struct *work)
{
	struct mlx5_ib_odp *odp = container_of(work, struct mlx5_ib_odp, starved);
	struct item *spare;
	bool drained;

	do {
		spare = kmalloc(sizeof(*spare), GFP_KERNEL);
		spin_lock_irq(&odp->lock);
		drained = drain(odp, spare);
		spin_unlock_irq(&odp->lock);
	} while (!drained);
}

static int interrupt(struct notifier_block *nb, unsigned long type, void *data)
{
	struct mlx5_ib_odp *odp = container_of(nb, struct mlx5_ib_odp, interrupt);
	unsigned long flags;

	spin_lock_irqsave(&odp->lock, flags);
	if (!drain(odp, NULL))
		queue_work(odp->faults, &odp->starved);
	spin_unlock_irqrestore(&odp->lock, flags);
	return NOTIFY_OK;
}

static int make_eq(struct mlx5_ib_odp *odp)
{
	struct mlx5_eq_param params = {
		.nent = EQ_ENTRIES,
		.mask[0] = BIT_ULL(MLX5_EVENT_TYPE_PAGE_FAULT),
	};
	struct mlx5_core_dev *mdev = odp->dev->mdev;
	struct mlx5_eq *eq = mlx5_eq_create_generic(mdev, &params);
	int err;

	if (IS_ERR(eq))
		return PTR_ERR(eq);
	odp->eq = eq;
	odp->interrupt.notifier_call = interrupt;
	err = mlx5_eq_enable(mdev, eq, &odp->interrupt);
	if (err) {
		odp->eq = NULL;
		mlx5_eq_destroy_generic(mdev, eq);
	}
	return err;
}

/**
 * mlx5_ib_odp_start - have page faults answered
 * @dev: the adapter
 *
 * Return: 0, also if they are already, or a negative errno.
 */
int mlx5_ib_odp_start(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_odp *odp = dev->odp;
	int err = 0;

	if (!odp)
		return -EOPNOTSUPP;
	mutex_lock(&odp->start);
	if (!odp->eq)
		err = make_eq(odp);
	mutex_unlock(&odp->start);
	return err;
}

static void stop(struct mlx5_ib_odp *odp)
{
	if (!odp->eq)
		return;
	mlx5_eq_disable(odp->dev->mdev, odp->eq, &odp->interrupt);
	cancel_work_sync(&odp->starved);
	mlx5_eq_destroy_generic(odp->dev->mdev, odp->eq);
}

static void free_queues(struct mlx5_ib_odp *odp)
{
	if (odp->others)
		destroy_workqueue(odp->others);
	if (odp->faults)
		destroy_workqueue(odp->faults);
}

static int alloc_queues(struct mlx5_ib_odp *odp)
{
	odp->faults = alloc_workqueue("mlx5_ib_page_fault",
				      WQ_HIGHPRI | WQ_UNBOUND | WQ_MEM_RECLAIM, MLX5_NUM_CMD_EQE);
	odp->others = alloc_workqueue("mlx5_ib_paging", WQ_UNBOUND, 0);
	if (odp->faults && odp->others)
		return 0;
	free_queues(odp);
	return -ENOMEM;
}

static const struct ib_device_ops paging_ops = {
	.advise_mr = mlx5_ib_advise_mr,
};

/* For all devices: regions that aren't paged have counters, too, which say nothing. */
const struct ib_device_ops mlx5_ib_odp_ops = {
	.fill_res_mr_entry = mlx5_ib_fill_mr,
	.fill_stat_mr_entry = mlx5_ib_fill_mr_stat,
};

/**
 * mlx5_ib_odp_init - before registration
 * @dev: the adapter
 *
 * Return: 0 (also where the device has nothing of it) or a negative errno.
 */
int mlx5_ib_odp_init(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_odp *odp;

	if (!mlx5_ib_odp_supported(dev))
		return 0;
	odp = kzalloc(sizeof(*odp), GFP_KERNEL);
	if (!odp)
		return -ENOMEM;
	if (alloc_queues(odp)) {
		kfree(odp);
		return -ENOMEM;
	}
	odp->dev = dev;
	mutex_init(&odp->start);
	spin_lock_init(&odp->lock);
	INIT_WORK(&odp->starved, go_on);
	ib_set_device_ops(&dev->ib_dev, &paging_ops);
	dev->odp = odp;
	return 0;
}

/* Once there's no region any more. */
void mlx5_ib_odp_cleanup(struct mlx5_ib_dev *dev)
{
	if (!dev->odp)
		return;
	stop(dev->odp);
	free_queues(dev->odp);
	kfree(dev->odp);
	dev->odp = NULL;
}
