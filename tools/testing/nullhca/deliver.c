// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Messages between queue pairs of one device. A destination that isn't here is a black hole: a
 * datagram is lost, a connection's request succeeds. RDMA and atomics move no data.
 */

#include "nullhca.h"

/* A message on its way to queue pair @qpn of port @port_num. */
struct letter {
	const struct ib_send_wr *wr;
	const struct rdma_ah_attr *path;
	u32 qpn;
	u32 port_num;
	u16 pkey_index;
	bool datagram;
};

static bool consumes_receive(enum ib_wr_opcode opcode)
{
	return opcode == IB_WR_SEND || opcode == IB_WR_SEND_WITH_IMM ||
	       opcode == IB_WR_SEND_WITH_INV || opcode == IB_WR_RDMA_WRITE_WITH_IMM;
}

/* Which port has this LID? 0: none. */
static u32 find_port(struct nullhca *device, u32 dlid)
{
	struct nullhca_port *port;
	u32 port_num;

	rdma_for_each_port(&device->ib, port_num) {
		port = nullhca_port(&device->ib, port_num);
		if (dlid >= port->lid && dlid < port->lid + (1U << (port->lmc & 7)))
			return port_num;
	}
	return 0;
}

static void address(struct letter *letter, struct nullhca_qp *sender)
{
	const struct ib_ud_wr *ud = ud_wr(letter->wr);

	letter->datagram = sender->ib.qp_type == IB_QPT_UD || sender->ib.qp_type == IB_QPT_SMI ||
			   sender->ib.qp_type == IB_QPT_GSI;
	if (letter->datagram) {
		letter->path = &to_ah(ud->ah)->attr;
		letter->qpn = ud->remote_qpn;
		/* Only QP1 has no P_Key of its own, but one for each request. */
		letter->pkey_index = sender->ib.qp_type == IB_QPT_GSI ? ud->pkey_index :
								       sender->attr.pkey_index;
	} else {
		letter->path = &sender->attr.ah_attr;
		letter->qpn = sender->attr.dest_qp_num;
		letter->pkey_index = sender->attr.pkey_index;
	}
	letter->port_num = find_port(to_nullhca(sender->ib.device), rdma_ah_get_dlid(letter->path));
}

static u32 length_of(const struct ib_sge *sge, u32 count)
{
	u32 length = 0;

	while (count--)
		length += sge++->length;
	return length;
}

/* Nothing but the kernel's own memory may be touched, and only for queue pairs of the kernel. */
static bool is_kernel_memory(const struct ib_qp *qp, const struct ib_sge *sge, u32 count)
{
	if (qp->uobject)
		return false;
	while (count--)
		if (sge++->lkey != NULLHCA_DMA_LKEY)
			return false;
	return true;
}

static void copy(const struct ib_sge *to, u32 offset, const struct ib_sge *from, u32 count)
{
	u32 done, piece;

	for (; count; from++, count--) {
		for (done = 0; done < from->length; done += piece, offset += piece) {
			while (offset >= to->length)
				offset -= to++->length;
			piece = min(from->length - done, to->length - offset);
			memcpy((void *)(uintptr_t)(to->addr + offset),
			       (void *)(uintptr_t)(from->addr + done), piece);
		}
	}
}

static void describe(struct ib_wc *wc, const struct letter *letter, struct nullhca_qp *sender)
{
	const struct nullhca_port *from = nullhca_port(sender->ib.device, sender->attr.port_num);
	const struct nullhca_port *to = nullhca_port(sender->ib.device, letter->port_num);

	wc->opcode = IB_WC_RECV;
	if (letter->wr->opcode == IB_WR_RDMA_WRITE_WITH_IMM)
		wc->opcode = IB_WC_RECV_RDMA_WITH_IMM;
	wc->src_qp = sender->ib.qp_num;
	wc->slid = from->lid + rdma_ah_get_path_bits(letter->path);
	wc->sl = rdma_ah_get_sl(letter->path);
	wc->dlid_path_bits = rdma_ah_get_dlid(letter->path) - to->lid;
	wc->port_num = letter->port_num;
	wc->pkey_index = letter->pkey_index;
	if (letter->wr->opcode == IB_WR_SEND_WITH_IMM ||
	    letter->wr->opcode == IB_WR_RDMA_WRITE_WITH_IMM) {
		wc->wc_flags = IB_WC_WITH_IMM;
		wc->ex.imm_data = letter->wr->ex.imm_data;
	} else if (letter->wr->opcode == IB_WR_SEND_WITH_INV) {
		wc->wc_flags = IB_WC_WITH_INVALIDATE;
		wc->ex.invalidate_rkey = letter->wr->ex.invalidate_rkey;
	}
}

static bool fill(const struct letter *letter, struct nullhca_qp *sender,
		 struct nullhca_qp *receiver, const struct nullhca_receive *receive,
		 struct ib_wc *wc)
{
	u32 header = letter->datagram ? sizeof(struct ib_grh) : 0;
	u32 length = length_of(letter->wr->sg_list, letter->wr->num_sge);

	if (letter->wr->opcode == IB_WR_RDMA_WRITE_WITH_IMM) {
		wc->byte_len = length;
		return true;
	}
	if (length + header > length_of(receive->sge, receive->num_sge))
		return false;
	wc->byte_len = length + header;
	if (is_kernel_memory(&sender->ib, letter->wr->sg_list, letter->wr->num_sge) &&
	    is_kernel_memory(&receiver->ib, receive->sge, receive->num_sge))
		copy(receive->sge, header, letter->wr->sg_list, letter->wr->num_sge);
	return true;
}

static bool take(struct nullhca_qp *receiver, struct nullhca_receive *receive)
{
	struct ib_srq *srq = receiver->ib.srq;
	struct ib_event event = {
		.device = receiver->ib.device,
		.event = IB_EVENT_SRQ_LIMIT_REACHED,
		.element.srq = srq,
	};
	bool limit, found;

	found = nullhca_queue_take(srq ? &to_srq(srq)->queue : &receiver->receives,
				   receive, &limit);
	if (limit && srq && srq->event_handler)
		srq->event_handler(&event, srq->srq_context);
	return found;
}

static bool can_receive(const struct nullhca_qp *qp)
{
	enum ib_qp_state state = READ_ONCE(qp->attr.qp_state);

	return qp->ib.recv_cq && state >= IB_QPS_RTR && state <= IB_QPS_SQE;
}

static enum ib_wc_status hand_over(const struct letter *letter, struct nullhca_qp *sender,
				   struct nullhca_qp *receiver)
{
	struct nullhca_receive receive;
	struct ib_wc wc = { .qp = &receiver->ib };

	if (!can_receive(receiver))
		return IB_WC_RETRY_EXC_ERR;
	if (!take(receiver, &receive))
		return IB_WC_RNR_RETRY_EXC_ERR;
	wc.wr_cqe = receive.cqe;
	describe(&wc, letter, sender);
	if (!fill(letter, sender, receiver, &receive, &wc))
		wc.status = IB_WC_LOC_LEN_ERR;
	nullhca_complete(receiver->ib.recv_cq, &wc,
			 wc.status || (letter->wr->send_flags & IB_SEND_SOLICITED));
	return wc.status ? IB_WC_REM_INV_REQ_ERR : IB_WC_SUCCESS;
}

/**
 * nullhca_receive - give a datagram from outside to a queue pair of the kernel
 * @receiver: the QP
 * @wc: what's known of the sender; the rest is filled in
 * @data: the datagram, in kernel memory
 *
 * Context: Any.
 * Return: 0; -ENOBUFS if the QP isn't ready, or nothing is posted that it fits in.
 */
int nullhca_receive(struct nullhca_qp *receiver, struct ib_wc *wc, const struct ib_sge *data)
{
	u32 length = data->length + sizeof(struct ib_grh);
	struct nullhca_receive receive;

	if (!can_receive(receiver) || !take(receiver, &receive))
		return -ENOBUFS;
	wc->qp = &receiver->ib;
	wc->wr_cqe = receive.cqe;
	wc->opcode = IB_WC_RECV;
	wc->byte_len = length;
	if (length > length_of(receive.sge, receive.num_sge) ||
	    !is_kernel_memory(&receiver->ib, receive.sge, receive.num_sge))
		wc->status = IB_WC_LOC_LEN_ERR;
	else
		copy(receive.sge, sizeof(struct ib_grh), data, 1);
	nullhca_complete(receiver->ib.recv_cq, wc, true);
	return wc->status ? -ENOBUFS : 0;
}

/**
 * nullhca_deliver - carry out a send
 * @sender: the QP, ready to send
 * @wr: the work request
 *
 * Context: Any.
 * Return: with what status it completes. Nobody learns what became of a datagram.
 */
enum ib_wc_status nullhca_deliver(struct nullhca_qp *sender, const struct ib_send_wr *wr)
{
	struct letter letter = { .wr = wr };
	enum ib_wc_status status;
	struct nullhca_qp *receiver;

	if (!consumes_receive(wr->opcode))
		return IB_WC_SUCCESS;
	address(&letter, sender);
	if (!letter.port_num)
		return IB_WC_SUCCESS;
	receiver = nullhca_qp_get(to_nullhca(sender->ib.device), letter.port_num, letter.qpn);
	if (!receiver)
		return IB_WC_SUCCESS;
	status = hand_over(&letter, sender, receiver);
	nullhca_qp_put(receiver);
	return letter.datagram ? IB_WC_SUCCESS : status;
}
