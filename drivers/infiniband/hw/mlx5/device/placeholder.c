// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What queue pairs name where they've nothing of the kind: the device insists on a name. XRC
 * domains are there from the beginning; the rest, which needs a registered device, is made when the
 * first queue is.
 */
#include "device.h"

int mlx5_ib_placeholders_init(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_placeholders *none = &dev->placeholders;
	int err;

	mutex_init(&none->lock);
	if (!MLX5_CAP_GEN(dev->mdev, xrc))
		return -EOPNOTSUPP;
	err = mlx5_ib_cmd_alloc_xrcd(dev->mdev, &none->xrcdn_ini);
	if (err)
		return err;
	err = mlx5_ib_cmd_alloc_xrcd(dev->mdev, &none->xrcdn_tgt);
	if (err)
		mlx5_ib_cmd_dealloc_xrcd(dev->mdev, none->xrcdn_ini);
	return err;
}

void mlx5_ib_placeholders_cleanup(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_placeholders *none = &dev->placeholders;

	if (none->srq) {
		ib_destroy_srq(none->srq);
		ib_destroy_srq(none->xrc_srq);
	}
	if (none->cq) {
		ib_destroy_cq(none->cq);
		ib_dealloc_pd(none->pd);
	}
	mlx5_ib_cmd_dealloc_xrcd(dev->mdev, none->xrcdn_tgt);
	mlx5_ib_cmd_dealloc_xrcd(dev->mdev, none->xrcdn_ini);
}

/* With @lock held. */
static int make_cq(struct mlx5_ib_dev *dev)
{
	const struct ib_cq_init_attr attr = { .cqe = 1 };
	struct mlx5_ib_placeholders *none = &dev->placeholders;
	struct ib_pd *pd;
	struct ib_cq *cq;

	if (none->cq)
		return 0;
	pd = ib_alloc_pd(&dev->ib_dev, 0);
	if (IS_ERR(pd))
		return PTR_ERR(pd);
	cq = ib_create_cq(&dev->ib_dev, NULL, NULL, NULL, &attr);
	if (IS_ERR(cq)) {
		ib_dealloc_pd(pd);
		return PTR_ERR(cq);
	}
	none->pd = pd;
	/* Who finds the CQ without the lock finds the PD, too. */
	smp_store_release(&none->cq, cq);
	return 0;
}

static struct ib_srq *make_srq(struct mlx5_ib_placeholders *none, enum ib_srq_type type)
{
	struct ib_srq_init_attr attr = {
		.attr = { .max_wr = 1, .max_sge = 1 },
		.srq_type = type,
	};

	if (type == IB_SRQT_XRC)
		attr.ext.cq = none->cq;
	return ib_create_srq(none->pd, &attr);
}

/* With @lock held; the CQ is there. */
static int make_srqs(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_placeholders *none = &dev->placeholders;
	struct ib_srq *xrc_srq, *srq;

	if (none->srq)
		return 0;
	xrc_srq = make_srq(none, IB_SRQT_XRC);
	if (IS_ERR(xrc_srq))
		return PTR_ERR(xrc_srq);
	srq = make_srq(none, IB_SRQT_BASIC);
	if (IS_ERR(srq)) {
		ib_destroy_srq(xrc_srq);
		return PTR_ERR(srq);
	}
	none->xrc_srq = xrc_srq;
	/* Who finds the one without the lock finds the other, too. */
	smp_store_release(&none->srq, srq);
	return 0;
}

/**
 * mlx5_ib_placeholder_cq - see to it that there is the CQ that others name
 * @dev: the adapter
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int mlx5_ib_placeholder_cq(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_placeholders *none = &dev->placeholders;
	int err;

	/* Pairs with the release in make_cq(). */
	if (smp_load_acquire(&none->cq))
		return 0;
	mutex_lock(&none->lock);
	err = make_cq(dev);
	mutex_unlock(&none->lock);
	return err;
}

/**
 * mlx5_ib_placeholder_srqs - see to it that there are the CQ and SRQs that others name
 * @dev: the adapter
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int mlx5_ib_placeholder_srqs(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_placeholders *none = &dev->placeholders;
	int err;

	/* Pairs with the release in make_srqs(). */
	if (smp_load_acquire(&none->srq))
		return 0;
	/* Their creation asks for the CQ, too, and must find it, since the lock is held by then. */
	err = mlx5_ib_placeholder_cq(dev);
	if (err)
		return err;
	mutex_lock(&none->lock);
	err = make_srqs(dev);
	mutex_unlock(&none->lock);
	return err;
}
