// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Asynchronous events of queue pairs (IBTA 11.6.3): they come in an interrupt and are told where
 * their handlers may sleep, in a work queue of the module's own.
 */
#include "qp.h"

static struct workqueue_struct *event_wq;

struct qp_event {
	struct work_struct work;
	struct mlx5_ib_qp *qp;
	enum ib_event_type type;
};

static int event_of(u8 type)
{
	switch (type) {
	case MLX5_EVENT_TYPE_PATH_MIG:
		return IB_EVENT_PATH_MIG;
	case MLX5_EVENT_TYPE_PATH_MIG_FAILED:
		return IB_EVENT_PATH_MIG_ERR;
	case MLX5_EVENT_TYPE_COMM_EST:
		return IB_EVENT_COMM_EST;
	case MLX5_EVENT_TYPE_SQ_DRAINED:
		return IB_EVENT_SQ_DRAINED;
	case MLX5_EVENT_TYPE_SRQ_LAST_WQE:
		return IB_EVENT_QP_LAST_WQE_REACHED;
	case MLX5_EVENT_TYPE_WQ_CATAS_ERROR:
		return IB_EVENT_QP_FATAL;
	case MLX5_EVENT_TYPE_WQ_INVAL_REQ_ERROR:
		return IB_EVENT_QP_REQ_ERR;
	case MLX5_EVENT_TYPE_WQ_ACCESS_ERROR:
		return IB_EVENT_QP_ACCESS_ERR;
	default:
		return -1;
	}
}

static void tell(struct work_struct *work)
{
	struct qp_event *event = container_of(work, struct qp_event, work);
	struct ib_qp *ibqp = &event->qp->ibqp;
	struct ib_event ib_event = {
		.device = ibqp->device,
		.element.qp = ibqp,
		.event = event->type,
	};

	ibqp->event_handler(&ib_event, ibqp->qp_context);
	mlx5_ib_qp_put(event->qp);
	kfree(event);
}

/* Takes over the caller's reference. */
static void queue_event(struct mlx5_ib_qp *qp, enum ib_event_type type)
{
	struct qp_event *event = NULL;

	if (qp->ibqp.event_handler)
		event = kmalloc(sizeof(*event), GFP_ATOMIC);
	if (!event) {
		mlx5_ib_qp_put(qp);
		return;
	}
	event->qp = qp;
	event->type = type;
	INIT_WORK(&event->work, tell);
	queue_work(event_wq, &event->work);
}

/**
 * mlx5_ib_qp_event - an event whose object is a queue pair or DC target
 * @dev: the adapter
 * @type: enum mlx5_event; others are ignored
 * @eqe: the event
 *
 * Context: any; doesn't sleep.
 */
void mlx5_ib_qp_event(struct mlx5_ib_dev *dev, u8 type, const struct mlx5_eqe *eqe)
{
	int event = event_of(type);
	struct mlx5_ib_qp *qp;

	if (type == MLX5_EVENT_TYPE_DCT_DRAINED) {
		mlx5_ib_dct_drained(dev, be32_to_cpu(eqe->data.dct.dctn) & MLX5_24BIT_MASK);
		return;
	}
	if (event < 0 || eqe->data.qp_srq.type != MLX5_EVENT_QUEUE_TYPE_QP)
		return;
	qp = mlx5_ib_qp_get(dev, be32_to_cpu(eqe->data.qp_srq.qp_srq_n) & MLX5_24BIT_MASK);
	if (!qp)
		return;
	if (event == IB_EVENT_PATH_MIG)
		WRITE_ONCE(qp->port, READ_ONCE(qp->alt_port));
	queue_event(qp, event);
}

int mlx5_ib_qp_module_init(void)
{
	event_wq = alloc_ordered_workqueue("mlx5_ib_qp_event", 0);
	return event_wq ? 0 : -ENOMEM;
}

void mlx5_ib_qp_module_exit(void)
{
	destroy_workqueue(event_wq);
}
