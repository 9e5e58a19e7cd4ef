// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The queue pair through which the driver changes keys: made when it's first needed. One request at
 * a time waits in it for each caller. A request that fails leaves the queue pair in the error
 * state, where all behind it are flushed; once nobody waits any more it's reset, and those go
 * again.
 */
#include <linux/sched/mm.h>
#include "mr.h"

#define SLOTS 128

static struct lock_class_key mutex_class;

struct request {
	struct ib_cqe cqe;
	struct completion done;
	enum ib_wc_status status;
};

static void done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct request *request = container_of(wc->wr_cqe, struct request, cqe);

	request->status = wc->status;
	complete(&request->done);
}

static int ready(struct ib_qp *qp)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_INIT, .port_num = 1 };
	int err;

	err = ib_modify_qp(qp, &attr, IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT);
	if (err)
		return err;
	attr.qp_state = IB_QPS_RTR;
	err = ib_modify_qp(qp, &attr, IB_QP_STATE);
	if (err)
		return err;
	attr.qp_state = IB_QPS_RTS;
	return ib_modify_qp(qp, &attr, IB_QP_STATE);
}

static struct ib_qp *create_qp(struct mlx5_ib_umr *umr)
{
	struct ib_qp_init_attr attr = {
		.send_cq = umr->cq,
		.recv_cq = umr->cq,
		.cap = { .max_send_wr = SLOTS, .max_send_sge = 1 },
		.sq_sig_type = IB_SIGNAL_ALL_WR,
		.qp_type = MLX5_IB_QPT_UMR,
		.port_num = 1,
	};
	struct ib_qp *qp = ib_create_qp(umr->pd, &attr);
	int err;

	if (IS_ERR(qp))
		return qp;
	/* Unlike other queue pairs', its mutex is taken by who frees memory. */
	lockdep_set_class(&to_mqp(qp)->mutex, &mutex_class);
	err = ready(qp);
	if (!err)
		return qp;
	ib_destroy_qp(qp);
	return ERR_PTR(err);
}

/* With start_lock held. */
static int start(struct mlx5_ib_dev *dev, struct mlx5_ib_umr *umr)
{
	struct ib_qp *qp;
	int err;

	umr->spare = (void *)get_zeroed_page(GFP_KERNEL);
	if (!umr->spare)
		return -ENOMEM;
	umr->pd = ib_alloc_pd(&dev->ib_dev, 0);
	if (IS_ERR(umr->pd)) {
		err = PTR_ERR(umr->pd);
		goto free_spare;
	}
	umr->cq = ib_alloc_cq(&dev->ib_dev, NULL, SLOTS, 0, IB_POLL_SOFTIRQ);
	if (IS_ERR(umr->cq)) {
		err = PTR_ERR(umr->cq);
		goto free_pd;
	}
	qp = create_qp(umr);
	if (IS_ERR(qp)) {
		err = PTR_ERR(qp);
		goto free_cq;
	}
	/* Pairs with mlx5_ib_umr_start(): who sees the queue pair sees all that belongs to it. */
	smp_store_release(&umr->qp, qp);
	return 0;

free_cq:
	ib_free_cq(umr->cq);
free_pd:
	ib_dealloc_pd(umr->pd);
free_spare:
	free_page((unsigned long)umr->spare);
	return err;
}

/* The queue is there when this returns 0. */
int mlx5_ib_umr_start(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_umr *umr = dev->umr;
	int err = 0;

	/* Pairs with start(). */
	if (likely(smp_load_acquire(&umr->qp)))
		return 0;
	mutex_lock(&umr->start_lock);
	if (!umr->qp)
		err = start(dev, umr);
	mutex_unlock(&umr->start_lock);
	return err;
}

/*
 * With the lock held for writing there's nobody who waits for a completion. It may be held by one
 * who frees memory, and others who do so wait for it; so no memory may be waited for here.
 */
static int repair(struct mlx5_ib_umr *umr)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_RESET };
	unsigned int flags;
	int err = 0;

	down_write(&umr->lock);
	if (umr->broken) {
		flags = memalloc_noreclaim_save();
		err = ib_modify_qp(umr->qp, &attr, IB_QP_STATE);
		if (!err)
			err = ready(umr->qp);
		memalloc_noreclaim_restore(flags);
		umr->broken = err;
	}
	up_write(&umr->lock);
	return err;
}

/*
 * -EAGAIN: the queue pair is, or has just been found, in the error state; the request was not done.
 */
static int post_and_wait(struct mlx5_ib_umr *umr, u32 key, const struct mlx5_ib_umr_wqe *wqe)
{
	struct request request = { .cqe.done = done };
	int err;

	if (READ_ONCE(umr->broken))
		return -EAGAIN;
	init_completion(&request.done);
	err = mlx5_ib_post_raw(to_mqp(umr->qp), MLX5_OPCODE_UMR, cpu_to_be32(key), wqe,
			       mlx5_ib_umr_length(wqe), (uintptr_t)&request.cqe);
	if (err)
		return err;
	wait_for_completion(&request.done);
	if (request.status == IB_WC_SUCCESS)
		return 0;
	WRITE_ONCE(umr->broken, true);
	return request.status == IB_WC_WR_FLUSH_ERR ? -EAGAIN : -EIO;
}

/**
 * mlx5_ib_umr_run - change a key
 * @dev: whose queue has been started
 * @key: which
 * @wqe: how
 *
 * Context: may sleep, but doesn't wait for memory to be reclaimed.
 * Return: 0; -EIO: the device refused, and the key is as it was, or the device is dead.
 */
int mlx5_ib_umr_run(struct mlx5_ib_dev *dev, u32 key, const struct mlx5_ib_umr_wqe *wqe)
{
	struct mlx5_ib_umr *umr = dev->umr;
	int err;

	down(&umr->slots);
	for (;;) {
		down_read(&umr->lock);
		err = post_and_wait(umr, key, wqe);
		up_read(&umr->lock);
		if (err != -EAGAIN)
			break;
		err = repair(umr);
		if (err)
			break;
	}
	up(&umr->slots);
	if (err)
		mlx5_ib_warn(dev, "key 0x%x can't be changed: %d\n", key, err);
	return err;
}

/**
 * mlx5_ib_umr_init - make ready for a queue
 * @dev: the adapter, about to be registered
 *
 * Return: 0 or a negative errno.
 */
int mlx5_ib_umr_init(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_umr *umr = kzalloc(sizeof(*umr), GFP_KERNEL);

	if (!umr)
		return -ENOMEM;
	mutex_init(&umr->start_lock);
	mutex_init(&umr->spare_lock);
	init_rwsem(&umr->lock);
	sema_init(&umr->slots, SLOTS);
	mlx5_ib_umr_caps(dev->mdev, &umr->caps);
	dev->umr = umr;
	return 0;
}

/**
 * mlx5_ib_umr_cleanup - no key will be changed any more
 * @dev: the adapter; keys that wait in its cache go, too: they're in the queue's protection domain
 */
void mlx5_ib_umr_cleanup(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_umr *umr = dev->umr;

	if (!umr)
		return;
	mlx5_ib_cache_drain(dev);
	if (umr->qp) {
		ib_destroy_qp(umr->qp);
		ib_free_cq(umr->cq);
		ib_dealloc_pd(umr->pd);
		free_page((unsigned long)umr->spare);
	}
	dev->umr = NULL;
	kfree(umr);
}
