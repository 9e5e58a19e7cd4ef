// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Work requests as drivers write them.
 *
 * A send is a number of 64-byte blocks, made of 16-byte segments: a control segment, the remote
 * shared receive queue for XRC, an address vector for datagrams and dynamic connections, the remote
 * address for RDMA, an atomic's operands, then data segments. Blocks wrap around at the end of the
 * queue.
 */
#include "connectx5/device.h"
#include "connectx5/field.h"

#define SEGMENT 16

/* Control segment. */
#define CTRL_INDEX 1
#define CTRL_OPCODE 3
#define CTRL_SEGMENTS 7
#define CTRL_SEGMENTS_MASK 0x3f
#define CTRL_FLAGS 11
#define CTRL_IMM 12
#define FLAG_SOLICITED 0x02
#define FLAG_COMPLETE 0x08

/* Fence modes, in the flags. From this one on, requests wait for reads and atomics before them. */
#define FENCE_SHIFT 5
#define FENCE_READS 2

enum { OP_NOP = 0x00, OP_UMR = 0x25 };

/* What goes over the wire. */
static const struct format {
	uint8_t chip_opcode;
	enum hca_opcode opcode;
	bool remote; /* has a remote address segment */
	bool atomic; /* has a segment with operands */
	bool fetches; /* its data segments take a response */
} formats[] = {
	{ .chip_opcode = 0x01, .opcode = HCA_SEND_INVALIDATE },
	{ .chip_opcode = 0x08, .opcode = HCA_WRITE, .remote = true },
	{ .chip_opcode = 0x09, .opcode = HCA_WRITE_IMM, .remote = true },
	{ .chip_opcode = 0x0a, .opcode = HCA_SEND },
	{ .chip_opcode = 0x0b, .opcode = HCA_SEND_IMM },
	{ .chip_opcode = 0x10, .opcode = HCA_READ, .remote = true, .fetches = true },
	{ .chip_opcode = 0x11,
	  .opcode = HCA_COMPARE_SWAP,
	  .remote = true,
	  .atomic = true,
	  .fetches = true },
	{ .chip_opcode = 0x12,
	  .opcode = HCA_FETCH_ADD,
	  .remote = true,
	  .atomic = true,
	  .fetches = true },
};

/* XRC, remote address and atomic segments. */
#define XRC_SRQN 1
#define REMOTE_VA 0
#define REMOTE_RKEY 8
#define ATOMIC_SWAP_ADD 0
#define ATOMIC_COMPARE 8

/* Address vector. */
#define AV_LEN 48
#define AV_QKEY 0
#define AV_DC_KEY 0
#define AV_DEST_QPN 9
#define AV_SL 12
#define AV_PATH_BITS 13
#define AV_DLID 14
#define AV_TRAFFIC_CLASS 26
#define AV_HOP_LIMIT 27
#define AV_GRH 28
#define AV_DGID 32
#define AV_GRH_PRESENT (1u << 30)

/* Data segment. */
#define DATA_LEN 0
#define DATA_LKEY 4
#define DATA_ADDR 8
#define DATA_INLINE 0x80000000u
#define INLINE_LEN_MASK 0x3ff
#define INLINE_HEADER 4
#define LKEY_END 0x100 /* ends the scatter list of a receive */

#define SRQ_LINK 2
#define SRQ_HEADER 16

static uint16_t blocks(unsigned int segments)
{
	return (uint16_t)((segments * SEGMENT + CX5_WQEBB - 1) / CX5_WQEBB);
}

uint16_t cx5_wqe_end(const uint8_t *ctrl)
{
	return (uint16_t)(get_be16(ctrl + CTRL_INDEX) +
			  blocks(ctrl[CTRL_SEGMENTS] & CTRL_SEGMENTS_MASK));
}

static int read_blocks(const struct cx5_qp *qp, uint16_t index, unsigned int count, uint8_t *to)
{
	uint32_t mask = (1u << qp->log_sq_size) - 1;

	for (unsigned int i = 0; i < count; i++, to += CX5_WQEBB) {
		uint64_t offset = qp->sq_offset + (uint64_t)((index + i) & mask) * CX5_WQEBB;

		if (hca_buffer_read(qp->hca.hca->dma, &qp->hca.buf, offset, to, CX5_WQEBB))
			return -1;
	}
	return 0;
}

/*
 * Blocks posted from index on: 0 to the queue's size, or -1: the doorbell record can't be read, or
 * it, or the doorbell that stands for it, is nonsense.
 */
static int posted_blocks(const struct cx5_qp *qp, uint16_t index)
{
	uint8_t record[4];
	uint16_t posted;

	if (qp->sq_without_record)
		put_be32(record, qp->sq_posted);
	else if (dma_read(qp->hca.hca->dma, qp->sq_dbr, record, sizeof(record)))
		return -1;
	posted = (uint16_t)(get_be32(record) - index);
	return posted > 1u << qp->log_sq_size ? -1 : posted;
}

static void decode_av(const uint8_t *av, struct hca_send_wr *wr)
{
	uint32_t grh = get_be32(av + AV_GRH);

	wr->qkey = get_be32(av + AV_QKEY);
	wr->dc_key = get_be64(av + AV_DC_KEY);
	wr->dest_qpn = get_be24(av + AV_DEST_QPN);
	wr->av = (struct hca_av){
		.dlid = get_be16(av + AV_DLID),
		.sl = av[AV_SL] & 0xf,
		.path_bits = av[AV_PATH_BITS] & 0x7f,
		.grh = grh & AV_GRH_PRESENT,
		.sgid_index = (uint8_t)(grh >> 20),
		.flow_label = grh & 0xfffff,
		.traffic_class = av[AV_TRAFFIC_CLASS],
		.hop_limit = av[AV_HOP_LIMIT],
	};
	memcpy(wr->av.dgid, av + AV_DGID, sizeof(wr->av.dgid));
}

/* Inline data fills segments, behind a length in front of it. False: it reaches beyond the end. */
static bool add_inline(struct hca_send_wr *wr, const uint8_t **p, const uint8_t *end)
{
	uint32_t len = get_be32(*p) & INLINE_LEN_MASK;
	size_t segments = (INLINE_HEADER + len + SEGMENT - 1) / SEGMENT;

	if ((size_t)(end - *p) < segments * SEGMENT)
		return false;
	wr->sge[wr->sge_count++] =
		(struct hca_sge){ .len = len, .inline_data = *p + INLINE_HEADER };
	*p += segments * SEGMENT;
	return true;
}

static struct hca_sge decode_data(const uint8_t *p)
{
	return (struct hca_sge){
		.len = get_be32(p + DATA_LEN),
		.lkey = get_be32(p + DATA_LKEY),
		.addr = get_be64(p + DATA_ADDR),
	};
}

/* Inline data is only to be sent. */
static bool decode_data_list(struct hca_send_wr *wr, const uint8_t *p, const uint8_t *end,
			     bool fetches)
{
	while (p < end) {
		if (get_be32(p) & DATA_INLINE) {
			if (fetches || !add_inline(wr, &p, end))
				return false;
			continue;
		}
		if (get_be32(p))
			wr->sge[wr->sge_count++] = decode_data(p);
		p += SEGMENT;
	}
	return true;
}

static bool has_av(const struct hca_qp *qp)
{
	return qp->type == HCA_QP_UD || qp->type == HCA_QP_SMI || qp->type == HCA_QP_GSI ||
	       qp->type == HCA_QP_DCI;
}

static void decode_remote(const uint8_t *p, struct hca_send_wr *wr)
{
	wr->remote_addr = get_be64(p + REMOTE_VA);
	wr->rkey = get_be32(p + REMOTE_RKEY);
}

static void decode_operands(const uint8_t *p, struct hca_send_wr *wr)
{
	wr->swap_add = get_be64(p + ATOMIC_SWAP_ADD);
	wr->compare = get_be64(p + ATOMIC_COMPARE);
}

/* Bytes of the segments in front of the data. */
static unsigned int fixed_len(const struct hca_qp *qp, const struct format *format)
{
	return SEGMENT + (qp->type == HCA_QP_XRC ? SEGMENT : 0) + (has_av(qp) ? AV_LEN : 0) +
	       (format->remote ? SEGMENT : 0) + (format->atomic ? SEGMENT : 0);
}

static bool decode_message(const struct hca_qp *qp, const struct format *format,
			   struct hca_send_wr *wr, const uint8_t *end)
{
	const uint8_t *p = wr->wqe + SEGMENT, *data = wr->wqe + fixed_len(qp, format);

	wr->opcode = format->opcode;
	if (data > end)
		return false;
	if (qp->type == HCA_QP_XRC) {
		wr->srqn = get_be24(p + XRC_SRQN);
		p += SEGMENT;
	}
	if (has_av(qp)) {
		decode_av(p, wr);
		p += AV_LEN;
	}
	if (format->remote) {
		decode_remote(p, wr);
		p += SEGMENT;
	}
	if (format->atomic)
		decode_operands(p, wr);
	return decode_data_list(wr, data, end, format->fetches);
}

static const struct format *find_format(uint8_t chip_opcode)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (formats[i].chip_opcode == chip_opcode)
			return &formats[i];
	return NULL;
}

static bool decode(const struct hca_qp *qp, struct hca_send_wr *wr, const uint8_t *end)
{
	const struct format *format = find_format(wr->chip_opcode);

	wr->sge_count = 0;
	if (format)
		return decode_message(qp, format, wr, end);
	if (wr->chip_opcode == OP_NOP)
		wr->opcode = HCA_NOP;
	else
		wr->opcode = wr->chip_opcode == OP_UMR ? HCA_LOCAL : HCA_UNSUPPORTED;
	return true;
}

static void decode_control(struct hca_send_wr *wr)
{
	wr->chip_opcode = wr->wqe[CTRL_OPCODE];
	wr->signaled = wr->wqe[CTRL_FLAGS] & FLAG_COMPLETE;
	wr->solicited = wr->wqe[CTRL_FLAGS] & FLAG_SOLICITED;
	wr->fence = wr->wqe[CTRL_FLAGS] >> FENCE_SHIFT >= FENCE_READS;
	wr->imm = get_be32(wr->wqe + CTRL_IMM);
}

/* A work request that claims no segment, or more than were posted, is as long as one block. */
enum hca_fetch cx5_fetch_send(struct hca_qp *hca_qp, uint16_t index, struct hca_send_wr *wr)
{
	const struct cx5_qp *qp = container(hca_qp, struct cx5_qp, hca);
	int posted = posted_blocks(qp, index);
	unsigned int segments;
	uint16_t count;

	if (posted <= 0)
		return posted ? HCA_UNREADABLE : HCA_EMPTY;
	if (read_blocks(qp, index, 1, wr->wqe))
		return HCA_UNREADABLE;
	decode_control(wr);
	segments = wr->wqe[CTRL_SEGMENTS] & CTRL_SEGMENTS_MASK;
	count = blocks(segments);
	wr->index = index;
	wr->next = (uint16_t)(index + 1);
	if (!count || count > posted)
		return HCA_MALFORMED;
	if (read_blocks(qp, (uint16_t)(index + 1), count - 1u, wr->wqe + CX5_WQEBB))
		return HCA_UNREADABLE;
	wr->next = (uint16_t)(index + count);
	return decode(hca_qp, wr, wr->wqe + segments * SEGMENT) ? HCA_FETCHED : HCA_MALFORMED;
}

bool cx5_decode_recv(const struct hca_rq *rq, const uint8_t *wqe, struct hca_recv_wr *wr)
{
	const uint8_t *p = wqe, *end = wqe + (1u << rq->log_stride);

	if (rq->linked) {
		wr->link = get_be16(wqe + SRQ_LINK);
		p += SRQ_HEADER;
	}
	wr->sge_count = 0;
	for (; end - p >= SEGMENT && get_be32(p + DATA_LKEY) != LKEY_END; p += SEGMENT) {
		if (get_be32(p) & DATA_INLINE)
			return false;
		if (get_be32(p))
			wr->sge[wr->sge_count++] = decode_data(p);
	}
	return true;
}
