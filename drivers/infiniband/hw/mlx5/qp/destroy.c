// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Destruction of queue pairs. One that the kernel polls for goes at once with its number and its
 * completions, so that nobody meets a completion of a queue pair that isn't there; and before the
 * device gives the number to another. Of others a device that refuses leaves all as it was, but for
 * the state.
 */
#include "qp.h"

/* Those that it's listed with; NULL where it has none of its own. */
void mlx5_ib_qp_cqs(struct mlx5_ib_qp *qp, struct mlx5_ib_cq **send_cq, struct mlx5_ib_cq **recv_cq)
{
	struct ib_qp *ibqp = &qp->ibqp;
	bool receives = qp->type != MLX5_IB_QPT_UMR && qp->type != IB_QPT_XRC_INI &&
			qp->type != IB_QPT_XRC_TGT;
	bool sends = qp->type != IB_QPT_XRC_TGT;

	*send_cq = sends && ibqp->send_cq ? to_mcq(ibqp->send_cq) : NULL;
	*recv_cq = receives && ibqp->recv_cq ? to_mcq(ibqp->recv_cq) : NULL;
}

/* Both CQs' locks, each once, the one at the lower address first; interrupts are off already. */
void mlx5_ib_lock_cqs(struct mlx5_ib_cq *send_cq, struct mlx5_ib_cq *recv_cq)
	__acquires(send_cq->lock) __acquires(recv_cq->lock)
{
	struct mlx5_ib_cq *first = send_cq < recv_cq ? send_cq : recv_cq;
	struct mlx5_ib_cq *second = send_cq < recv_cq ? recv_cq : send_cq;

	if (first)
		spin_lock(&first->lock);
	else
		__acquire(&first->lock);
	if (second && second != first)
		spin_lock_nested(&second->lock, SINGLE_DEPTH_NESTING);
	else
		__acquire(&second->lock);
}

void mlx5_ib_unlock_cqs(struct mlx5_ib_cq *send_cq, struct mlx5_ib_cq *recv_cq)
	__releases(send_cq->lock) __releases(recv_cq->lock)
{
	if (send_cq)
		spin_unlock(&send_cq->lock);
	else
		__release(&send_cq->lock);
	if (recv_cq && recv_cq != send_cq)
		spin_unlock(&recv_cq->lock);
	else
		__release(&recv_cq->lock);
}

/* With its lock held. */
static void forget(struct mlx5_ib_cq *cq, const struct mlx5_ib_qp *qp)
{
	if (cq && cq->polled == qp)
		cq->polled = NULL;
}

static void vanish(struct mlx5_ib_dev *dev, struct mlx5_ib_qp *qp)
{
	struct mlx5_ib_srq *srq = qp->ibqp.srq ? to_msrq(qp->ibqp.srq) : NULL;
	struct mlx5_ib_cq *send_cq, *recv_cq;
	unsigned long flags;

	if (!mlx5_ib_qp_has_kernel_queues(qp))
		return;
	mlx5_ib_qp_cqs(qp, &send_cq, &recv_cq);
	spin_lock_irqsave(&dev->kernel_qps_lock, flags);
	mlx5_ib_lock_cqs(send_cq, recv_cq);
	mlx5_ib_number_remove(&dev->qps, qp->qpn, &qp->numbered);
	list_del(&qp->kernel_list);
	forget(send_cq, qp);
	forget(recv_cq, qp);
	if (send_cq)
		list_del(&qp->send_list);
	if (recv_cq) {
		list_del(&qp->recv_list);
		mlx5_ib_cq_clean_locked(recv_cq, qp->qpn, srq);
	}
	if (send_cq && send_cq != recv_cq)
		mlx5_ib_cq_clean_locked(send_cq, qp->qpn, NULL);
	mlx5_ib_unlock_cqs(send_cq, recv_cq);
	spin_unlock_irqrestore(&dev->kernel_qps_lock, flags);
}

/* So that nothing completes any more. */
static void reset(struct mlx5_ib_dev *dev, struct mlx5_ib_qp *qp)
{
	const struct mlx5_ib_transition to_reset = { .opcode = MLX5_CMD_OP_2RST_QP };
	u32 ece = 0;

	if (qp->state == IB_QPS_RESET)
		return;
	if (mlx5_ib_cmd_modify_qp(dev->mdev, qp->uid, qp->qpn, &to_reset, NULL, &ece))
		mlx5_ib_dbg(dev, "queue pair %#x goes as it is: no RESET\n", qp->qpn);
	else
		qp->state = IB_QPS_RESET;
}

static void free_queues(struct mlx5_ib_qp *qp, struct ib_udata *udata)
{
	if (qp->type == IB_QPT_XRC_TGT)
		return;
	if (udata)
		mlx5_ib_user_queues_free(qp, udata);
	else
		mlx5_ib_kernel_queues_free(qp);
}

/* @keep: if the device refuses, it stays and can be destroyed again. */
static int destroy(struct mlx5_ib_qp *qp, struct ib_udata *udata, bool keep)
{
	struct mlx5_ib_dev *dev = to_mdev(qp->ibqp.device);
	int err;

	reset(dev, qp);
	vanish(dev, qp);
	err = mlx5_ib_cmd_destroy_qp(dev->mdev, qp->uid, qp->qpn);
	if (err && dev->mdev->state != MLX5_DEVICE_STATE_INTERNAL_ERROR) {
		mlx5_ib_warn(dev, "queue pair %#x can't be destroyed: %d\n", qp->qpn, err);
		if (keep && !mlx5_ib_number_is_lost(&qp->numbered))
			return err;
	}
	mlx5_ib_number_remove(&dev->qps, qp->qpn, &qp->numbered);
	mlx5_ib_number_wait(&qp->numbered);
	free_queues(qp, udata);
	return 0;
}

/*
 * A queue pair of the kernel goes in any case, since few who destroy one look at what comes back. A
 * process's stays; so does an XRC target, which is destroyed when the last of its processes lets go
 * of it.
 */
int mlx5_ib_destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata)
{
	struct mlx5_ib_qp *qp = to_mqp(ibqp);

	switch (qp->type) {
	case IB_QPT_GSI:
		return mlx5_ib_gsi_destroy(qp);
	case MLX5_IB_QPT_DCT:
		return mlx5_ib_dct_destroy(qp);
	default:
		return destroy(qp, udata, !mlx5_ib_qp_has_kernel_queues(qp));
	}
}

/* One that a process has never heard of: it goes, whatever the device says. */
void mlx5_ib_qp_abandon(struct mlx5_ib_qp *qp, struct ib_udata *udata)
{
	if (qp->type == MLX5_IB_QPT_DCT)
		mlx5_ib_dct_destroy(qp);
	else
		destroy(qp, udata, false);
}
