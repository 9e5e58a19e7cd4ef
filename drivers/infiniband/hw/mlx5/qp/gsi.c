// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * QP1, the general services interface (IBTA 3.9.3). The device's QP1 receives for all P_Keys but
 * sends with one only; so each P_Key of the table gets a datagram queue pair of its own to send
 * from, which puts QP1's number into its packets. Consumers see one queue pair, whose sends
 * complete in order.
 */
#include "qp.h"

/* A send under way, or one done that waits for those before it. */
struct gsi_send {
	struct ib_cqe cqe;
	struct ib_wc wc;
	bool done;
};

/**
 * struct mlx5_ib_gsi - what stands behind the consumer's queue pair
 * @qp: the consumer's
 * @receive: the device's QP1
 * @cq: of all senders
 * @cap: what the consumer asked for
 * @port_num: of the port
 * @lock: guards all below
 * @sends: a ring of cap.max_send_wr
 * @first: the oldest of @sends in use
 * @next: of @sends that will be used
 * @senders: by P_Key index; NULL where the table has none
 * @sender_count: 0 on devices that can't send in QP1's name: then @receive sends as well
 */
struct mlx5_ib_gsi {
	struct mlx5_ib_qp *qp;
	struct ib_qp *receive;
	struct ib_cq *cq;
	struct ib_qp_cap cap;
	u32 port_num;
	spinlock_t lock; /* see above */
	struct gsi_send *sends;
	u32 first;
	u32 next;
	struct ib_qp **senders;
	u32 sender_count;
};

static struct mlx5_ib_gsi *gsi_of(struct mlx5_ib_qp *qp)
{
	return to_mdev(qp->ibqp.device)->gsi;
}

static struct gsi_send *send_at(struct mlx5_ib_gsi *gsi, u32 num)
{
	return &gsi->sends[num % gsi->cap.max_send_wr];
}

/* Those at the head of the ring that are done. With @lock held. */
static void complete_in_order(struct mlx5_ib_gsi *gsi)
{
	struct mlx5_ib_cq *cq = to_mcq(gsi->qp->ibqp.send_cq);
	struct gsi_send *send;

	for (; gsi->first != gsi->next; gsi->first++) {
		send = send_at(gsi, gsi->first);
		if (!send->done)
			break;
		WARN_ON_ONCE(mlx5_ib_cq_add_software(cq, &send->wc));
	}
}

static void sent(struct ib_cq *cq, struct ib_wc *wc)
{
	struct gsi_send *send = container_of(wc->wr_cqe, struct gsi_send, cqe);
	struct mlx5_ib_gsi *gsi = cq->cq_context;
	u64 wr_id = send->wc.wr_id;
	unsigned long flags;

	spin_lock_irqsave(&gsi->lock, flags);
	send->wc = *wc;
	send->wc.wr_id = wr_id;
	send->wc.qp = &gsi->qp->ibqp;
	send->done = true;
	complete_in_order(gsi);
	spin_unlock_irqrestore(&gsi->lock, flags);
}

static struct mlx5_ib_gsi *alloc_gsi(struct mlx5_ib_dev *dev, const struct ib_qp_init_attr *attr)
{
	struct mlx5_ib_gsi *gsi = kzalloc(sizeof(*gsi), GFP_KERNEL);

	if (!gsi)
		return NULL;
	spin_lock_init(&gsi->lock);
	gsi->cap = attr->cap;
	gsi->port_num = attr->port_num;
	if (MLX5_CAP_GEN(dev->mdev, set_deth_sqpn))
		gsi->sender_count = dev->ib_dev.attrs.max_pkeys;
	gsi->sends = kcalloc(attr->cap.max_send_wr, sizeof(*gsi->sends), GFP_KERNEL);
	gsi->senders = kcalloc(gsi->sender_count, sizeof(*gsi->senders), GFP_KERNEL);
	if (gsi->sends && gsi->senders)
		return gsi;
	kfree(gsi->sends);
	kfree(gsi->senders);
	kfree(gsi);
	return NULL;
}

static void free_gsi(struct mlx5_ib_gsi *gsi)
{
	kfree(gsi->sends);
	kfree(gsi->senders);
	kfree(gsi);
}

static struct ib_qp *create_receive(struct mlx5_ib_gsi *gsi, const struct ib_qp_init_attr *attr)
{
	struct ib_qp_init_attr receive_attr = *attr;

	receive_attr.qp_type = MLX5_IB_QPT_HW_GSI;
	receive_attr.send_cq = gsi->cq;
	if (gsi->sender_count) {
		receive_attr.cap.max_send_wr = 0;
		receive_attr.cap.max_send_sge = 0;
		receive_attr.cap.max_inline_data = 0;
	}
	return ib_create_qp(gsi->qp->ibqp.pd, &receive_attr);
}

int mlx5_ib_gsi_create(struct mlx5_ib_qp *qp, struct ib_qp_init_attr *attr)
{
	struct mlx5_ib_dev *dev = to_mdev(qp->ibqp.device);
	struct mlx5_ib_gsi *gsi;
	int err;

	if (!attr->cap.max_send_wr)
		return -EINVAL;
	gsi = alloc_gsi(dev, attr);
	if (!gsi)
		return -ENOMEM;
	gsi->qp = qp;
	gsi->cq = ib_alloc_cq(&dev->ib_dev, gsi, attr->cap.max_send_wr, 0, IB_POLL_SOFTIRQ);
	if (IS_ERR(gsi->cq)) {
		err = PTR_ERR(gsi->cq);
		goto free;
	}
	gsi->receive = create_receive(gsi, attr);
	if (IS_ERR(gsi->receive)) {
		err = PTR_ERR(gsi->receive);
		goto free_cq;
	}
	mutex_lock(&dev->gsi_lock);
	err = dev->gsi ? -EBUSY : 0;
	if (!err)
		dev->gsi = gsi;
	mutex_unlock(&dev->gsi_lock);
	if (!err)
		return 0;
	ib_destroy_qp(gsi->receive);

free_cq:
	ib_free_cq(gsi->cq);
free:
	free_gsi(gsi);
	return err;
}

int mlx5_ib_gsi_destroy(struct mlx5_ib_qp *qp)
{
	struct mlx5_ib_dev *dev = to_mdev(qp->ibqp.device);
	struct mlx5_ib_gsi *gsi = dev->gsi;
	int err;

	mutex_lock(&dev->gsi_lock);
	err = ib_destroy_qp(gsi->receive);
	if (!err)
		dev->gsi = NULL;
	mutex_unlock(&dev->gsi_lock);
	if (err)
		return err;
	for (u32 i = 0; i < gsi->sender_count; i++)
		if (gsi->senders[i])
			ib_destroy_qp(gsi->senders[i]);
	ib_free_cq(gsi->cq);
	free_gsi(gsi);
	return 0;
}

static struct ib_qp *create_sender(struct mlx5_ib_gsi *gsi)
{
	struct ib_qp_init_attr attr = {
		.event_handler = gsi->receive->event_handler,
		.qp_context = gsi->receive->qp_context,
		.send_cq = gsi->cq,
		.recv_cq = gsi->receive->recv_cq,
		.cap = {
			.max_send_wr = gsi->cap.max_send_wr,
			.max_send_sge = gsi->cap.max_send_sge,
			.max_inline_data = gsi->cap.max_inline_data,
		},
		.qp_type = IB_QPT_UD,
		.create_flags = MLX5_IB_QP_CREATE_SQPN_QP1,
	};

	return ib_create_qp(gsi->receive->pd, &attr);
}

static int ready_sender(struct mlx5_ib_gsi *gsi, struct ib_qp *sender, u16 pkey_index)
{
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_INIT,
		.pkey_index = pkey_index,
		.port_num = gsi->port_num,
		.qkey = IB_QP1_QKEY,
	};
	int err;

	err = ib_modify_qp(sender, &attr,
			   IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_QKEY);
	if (err)
		return err;
	attr.qp_state = IB_QPS_RTR;
	err = ib_modify_qp(sender, &attr, IB_QP_STATE);
	if (err)
		return err;
	attr.qp_state = IB_QPS_RTS;
	return ib_modify_qp(sender, &attr, IB_QP_STATE | IB_QP_SQ_PSN);
}

static void add_sender(struct mlx5_ib_gsi *gsi, u16 pkey_index)
{
	struct ib_device *ib_dev = gsi->receive->device;
	struct ib_qp *sender;
	u16 pkey;
	int err;

	if (gsi->senders[pkey_index])
		return;
	if (ib_query_pkey(ib_dev, gsi->port_num, pkey_index, &pkey) || !pkey)
		return;
	sender = create_sender(gsi);
	err = PTR_ERR_OR_ZERO(sender);
	if (!err) {
		err = ready_sender(gsi, sender, pkey_index);
		if (err)
			ib_destroy_qp(sender);
	}
	if (err) {
		ibdev_warn(ib_dev, "QP1 can't send with P_Key index %u: %d\n", pkey_index, err);
		return;
	}
	spin_lock_irq(&gsi->lock);
	gsi->senders[pkey_index] = sender;
	spin_unlock_irq(&gsi->lock);
}

/* With the device's gsi_lock held. */
static void add_senders(struct mlx5_ib_gsi *gsi)
{
	if (to_mqp(gsi->receive)->state == IB_QPS_RTS)
		for (u32 i = 0; i < gsi->sender_count; i++)
			add_sender(gsi, i);
}

int mlx5_ib_gsi_modify(struct mlx5_ib_qp *qp, struct ib_qp_attr *attr, int attr_mask)
{
	struct mlx5_ib_dev *dev = to_mdev(qp->ibqp.device);
	int err;

	mutex_lock(&dev->gsi_lock);
	err = ib_modify_qp(dev->gsi->receive, attr, attr_mask);
	if (!err)
		add_senders(dev->gsi);
	mutex_unlock(&dev->gsi_lock);
	return err;
}

int mlx5_ib_gsi_query(struct mlx5_ib_qp *qp, struct ib_qp_attr *attr, int attr_mask,
		      struct ib_qp_init_attr *init_attr)
{
	struct mlx5_ib_gsi *gsi = gsi_of(qp);
	int err = ib_query_qp(gsi->receive, attr, attr_mask, init_attr);

	init_attr->cap = gsi->cap;
	return err;
}

/**
 * mlx5_ib_gsi_pkey_change - the port's P_Key table has changed
 * @dev: the adapter
 *
 * Context: may sleep.
 */
void mlx5_ib_gsi_pkey_change(struct mlx5_ib_dev *dev)
{
	mutex_lock(&dev->gsi_lock);
	if (dev->gsi)
		add_senders(dev->gsi);
	mutex_unlock(&dev->gsi_lock);
}

/* NULL: there is no such P_Key, and a datagram that can't be sent is one that was lost. */
static struct ib_qp *sender_for(struct mlx5_ib_gsi *gsi, u16 pkey_index)
{
	if (!gsi->sender_count)
		return gsi->receive;
	return pkey_index < gsi->sender_count ? gsi->senders[pkey_index] : NULL;
}

/* The place that the next one takes, with what its completion will be; NULL: none is free. */
static struct gsi_send *next_send(struct mlx5_ib_gsi *gsi, u64 wr_id, u16 pkey_index)
{
	struct gsi_send *send = send_at(gsi, gsi->next);

	if (gsi->next - gsi->first == gsi->cap.max_send_wr)
		return NULL;
	send->wc = (struct ib_wc) {
		.wr_id = wr_id,
		.opcode = IB_WC_SEND,
		.status = IB_WC_SUCCESS,
		.pkey_index = pkey_index,
		.qp = &gsi->qp->ibqp,
	};
	send->cqe.done = sent;
	return send;
}

/* With @lock held. */
static int post_one(struct mlx5_ib_gsi *gsi, const struct ib_send_wr *wr)
{
	struct ib_ud_wr ud = *ud_wr(wr);
	struct ib_qp *sender = sender_for(gsi, ud.pkey_index);
	struct gsi_send *send = next_send(gsi, wr->wr_id, ud.pkey_index);
	const struct ib_send_wr *bad;
	int err;

	if (!send)
		return -ENOMEM;
	send->done = !sender;
	ud.wr.next = NULL;
	ud.wr.wr_cqe = &send->cqe;
	err = sender ? ib_post_send(sender, &ud.wr, &bad) : 0;
	if (err)
		return err;
	gsi->next++;
	if (!sender)
		complete_in_order(gsi);
	return 0;
}

int mlx5_ib_gsi_post_send(struct mlx5_ib_qp *qp, const struct ib_send_wr *wr,
			  const struct ib_send_wr **bad)
{
	struct mlx5_ib_gsi *gsi = gsi_of(qp);
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&gsi->lock, flags);
	for (; wr && !err; wr = err ? wr : wr->next)
		err = post_one(gsi, wr);
	spin_unlock_irqrestore(&gsi->lock, flags);
	*bad = wr;
	return err;
}

/**
 * mlx5_ib_gsi_post_mark - something that is sent nowhere, and completes behind all that is
 * @qp: the consumer's queue pair
 * @wr_id: for the completion
 *
 * Context: any.
 * Return: 0; -ENOMEM: too many requests.
 */
int mlx5_ib_gsi_post_mark(struct mlx5_ib_qp *qp, u64 wr_id)
{
	struct mlx5_ib_gsi *gsi = gsi_of(qp);
	struct gsi_send *send;
	unsigned long flags;

	spin_lock_irqsave(&gsi->lock, flags);
	send = next_send(gsi, wr_id, 0);
	if (send) {
		send->done = true;
		gsi->next++;
		complete_in_order(gsi);
	}
	spin_unlock_irqrestore(&gsi->lock, flags);
	return send ? 0 : -ENOMEM;
}

int mlx5_ib_gsi_post_recv(struct mlx5_ib_qp *qp, const struct ib_recv_wr *wr,
			  const struct ib_recv_wr **bad)
{
	return ib_post_recv(gsi_of(qp)->receive, wr, bad);
}
