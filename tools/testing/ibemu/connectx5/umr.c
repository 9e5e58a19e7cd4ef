// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Work requests that change a memory key: other rights or another protection domain for a region,
 * another list of what lies behind it (fast registration), or a piece of that list; windows, which
 * are bound to what lies behind other keys, or made free again.
 *
 * Behind the control segment, which names the key, stand another control segment with a mask of
 * what changes, a memory key context, and the list: its entries, or a data segment that says where
 * they are.
 */
#include <stdlib.h>

#include "connectx5/device.h"
#include "connectx5/field.h"

#define SEGMENT 16

/* Control segments. */
#define CTRL_SEGMENTS 7
#define CTRL_SEGMENTS_MASK 0x3f
#define UMR_AT 16
#define UMR_LEN 48
#define UMR_FLAGS 0
#define UMR_OCTWORDS 4
#define UMR_OFFSET 6
#define UMR_MASK 8
#define UMR_OFFSET_HIGH 16
#define CONTEXT_AT (UMR_AT + UMR_LEN)
#define LIST_AT (CONTEXT_AT + CX5_MKC_LEN)

#define FLAG_INLINE 0x80
#define FLAG_MUST_BE_VALID 0x40
#define FLAG_MUST_BE_FREE 0x20
#define FLAG_OFFSET 0x10       /* the list begins there in the key's; else it's all of it */
#define FLAG_MUST_BE_OURS 0x08 /* bound to the queue pair that asks, if to any */

/* A data segment, in place of the list. */
#define DATA_LEN 0
#define DATA_LKEY 4
#define DATA_ADDR 8

#define MASK_PD (1ull << 7)

static const struct {
	uint64_t mask;
	struct cx5_field field;
} changes[] = {
#define CHANGE(bit, name) \
	{ 1ull << (bit), { .at = mkc_##name##_at, .width = mkc_##name##_width } }
	CHANGE(0, len), CHANGE(0, length64), CHANGE(1, log_page_size), CHANGE(6, start_addr),
	CHANGE(7, pd), CHANGE(8, en_rinval), CHANGE(13, mkey_7_0), CHANGE(14, qpn), CHANGE(17, lr),
	CHANGE(18, lw), CHANGE(19, rr), CHANGE(20, rw), CHANGE(21, a),
	CHANGE(23, small_fence_on_rdma_read_response), CHANGE(29, free),
#undef CHANGE
};

static void merge(uint8_t *context, const uint8_t *wanted, uint64_t mask)
{
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		if (mask & changes[i].mask)
			cx5_field_copy(&changes[i].field, context, wanted);
}

/* Only the driver's own queue pair reaches beyond its protection domain. */
static bool may_change(const struct hca_qp *qp, const struct cx5_mkey *mkey, const uint8_t *umr)
{
	uint8_t flags = umr[UMR_FLAGS];

	if (!GET(mkc, umr_en, mkey->context))
		return false;
	if (qp->type != HCA_QP_LOCAL &&
	    (mkey->hca.pd != qp->pd || (get_be64(umr + UMR_MASK) & MASK_PD)))
		return false;
	return !((flags & FLAG_MUST_BE_VALID) && mkey->hca.free) &&
	       !((flags & FLAG_MUST_BE_FREE) && !mkey->hca.free) &&
	       !((flags & FLAG_MUST_BE_OURS) && mkey->hca.qpn && mkey->hca.qpn != qp->num);
}

/*
 * What lies behind a key must be accessible to it, and writable if it lets others write. What its
 * range doesn't reach may be anything: a list comes in whole blocks.
 */
static bool parts_let_it(struct hca *hca, const struct hca_mkey *mkey)
{
	bool writes = mkey->access & (HCA_REMOTE_WRITE | HCA_REMOTE_ATOMIC);
	uint64_t begin = 0;

	for (uint32_t i = 0; i < mkey->part_count && begin < mkey->len; i++) {
		const struct hca_mkey_part *part = &mkey->parts[i];

		uint64_t farthest = mkey->repeats ? (mkey->repeats - 1ull) * part->stride : 0;

		if (part->end != begin && !hca_mkey_check(hca, part->key, mkey->pd, part->addr,
							  farthest + part->end - begin,
							  writes ? HCA_LOCAL_WRITE : 0))
			return false;
		begin = part->end;
	}
	return true;
}

/* Protection domains are counted references. False: there is no such domain. */
static bool change_pd(struct connectx5 *dev, uint32_t from, uint32_t to)
{
	if (from == to)
		return true;
	if (!cx5_resource_get(dev, CX5_PD, to))
		return false;
	cx5_resource_put(dev, CX5_PD, from);
	return true;
}

/* Can the key be so? */
static bool is_possible(struct hca *hca, const struct hca_mkey *next, const struct cx5_list *list)
{
	if (next->free)
		return true;
	if (list->octwords && next->mode == HCA_MKEY_INDIRECT && !parts_let_it(hca, next))
		return false;
	return hca_mkey_is_sound(next);
}

/*
 * The key as it will be, but for pages and blocks: those change in place, as there may be very
 * many. The parts of an indirect key are next's own.
 */
static bool make_next(struct cx5_mkey *next, const uint8_t *wqe, const struct cx5_list *list)
{
	struct hca_mkey *hca = &next->hca;
	struct hca_mkey_part *parts;

	PUT(mkc, free, next->context, hca->free); /* the other side may have made it so */
	merge(next->context, wqe + CONTEXT_AT, get_be64(wqe + UMR_AT + UMR_MASK));
	cx5_mkey_decode(hca, next->context);
	if (!list->octwords)
		return true;
	cx5_list_reach(hca, list);
	if (hca->mode != HCA_MKEY_INDIRECT)
		return true;
	parts = calloc(hca->room, sizeof(*parts));
	if (!parts)
		return false;
	memcpy(parts, hca->parts, hca->part_count * sizeof(*parts));
	hca->parts = parts;
	cx5_list_put(hca, list);
	return true;
}

/* next becomes the key. */
static void commit(struct cx5_mkey *mkey, struct cx5_mkey *next, const struct cx5_list *list)
{
	if (mkey->hca.parts != next->hca.parts)
		free(mkey->hca.parts);
	else if (list->octwords)
		cx5_list_put(&next->hca, list);
	*mkey = *next;
}

static enum hca_status change(struct hca *hca, struct cx5_mkey *mkey, const uint8_t *wqe,
			      const struct cx5_list *list)
{
	struct cx5_mkey next;

	if (list->octwords && hca_mkey_reserve(hca, &mkey->hca))
		return HCA_MW_BIND;
	next = *mkey;
	if (!make_next(&next, wqe, list))
		return HCA_MW_BIND;
	if (!is_possible(hca, &next.hca, list) ||
	    !change_pd(cx5_of(hca), mkey->hca.pd, next.hca.pd)) {
		if (next.hca.parts != mkey->hca.parts)
			free(next.hca.parts);
		return HCA_MW_BIND;
	}
	commit(mkey, &next, list);
	return HCA_OK;
}

/*
 * Reads a list that lies elsewhere. The driver's own queue pair belongs to no protection domain, so
 * there the key's is as good as any.
 */
static enum hca_status read_list(struct hca_qp *qp, const uint8_t *data, uint8_t *entries,
				 size_t len)
{
	uint32_t lkey = get_be32(data + DATA_LKEY);
	const struct hca_mkey *mkey = hca_mkey_find(qp->hca, lkey >> 8);
	uint32_t pd = qp->type == HCA_QP_LOCAL && mkey ? mkey->pd : qp->pd;

	if (get_be32(data + DATA_LEN) < len)
		return HCA_LOCAL_LENGTH;
	return hca_mkey_copy(qp->hca, lkey, pd, get_be64(data + DATA_ADDR), entries, len, DMA_READ)
		       ? HCA_LOCAL_PROTECTION
		       : HCA_OK;
}

static enum hca_status change_from_afar(struct hca_qp *qp, struct cx5_mkey *mkey,
					const uint8_t *wqe, struct cx5_list *list)
{
	size_t len = (size_t)list->octwords * SEGMENT;
	uint8_t *entries = malloc(len);
	enum hca_status status;

	if (!entries)
		return HCA_LOCAL_QP_OPERATION;
	status = read_list(qp, wqe + LIST_AT, entries, len);
	list->entries = entries;
	if (status == HCA_OK)
		status = change(qp->hca, mkey, wqe, list);
	free(entries);
	return status;
}

/* An offset of more than 32 bits is beyond any list. */
static uint32_t offset_of(const uint8_t *umr)
{
	uint32_t high = get_be32(umr + UMR_OFFSET_HIGH);

	return high >> 16 ? UINT32_MAX : high << 16 | get_be16(umr + UMR_OFFSET);
}

static struct cx5_list list_of(const uint8_t *umr)
{
	bool offset = umr[UMR_FLAGS] & FLAG_OFFSET;

	return (struct cx5_list){
		.entries = umr - UMR_AT + LIST_AT,
		.first = offset ? offset_of(umr) : 0,
		.octwords = get_be16(umr + UMR_OCTWORDS),
		.replaces = !offset,
	};
}

/* Is the list, or what says where it lies, in the work request? */
static bool is_complete(const uint8_t *umr, const struct cx5_list *list, unsigned int len)
{
	bool is_inline = umr[UMR_FLAGS] & FLAG_INLINE;

	if (len < LIST_AT || !list->octwords)
		return len >= LIST_AT;
	return (is_inline ? list->octwords : 1) <= (len - LIST_AT) / SEGMENT;
}

enum hca_status cx5_execute_local(struct hca_qp *qp, const struct hca_send_wr *wr)
{
	unsigned int len = (wr->wqe[CTRL_SEGMENTS] & CTRL_SEGMENTS_MASK) * SEGMENT;
	const uint8_t *umr = wr->wqe + UMR_AT;
	struct hca_mkey *found = hca_mkey_find(qp->hca, wr->imm >> 8);
	struct cx5_mkey *mkey = found ? container(found, struct cx5_mkey, hca) : NULL;
	struct cx5_list list = list_of(umr);

	if (!is_complete(umr, &list, len))
		return HCA_LOCAL_QP_OPERATION;
	if (!mkey || !may_change(qp, mkey, umr) ||
	    (list.octwords && !cx5_list_fits(&mkey->hca, &list)))
		return HCA_MW_BIND;
	if (list.octwords && !(umr[UMR_FLAGS] & FLAG_INLINE))
		return change_from_afar(qp, mkey, wr->wqe, &list);
	return change(qp->hca, mkey, wr->wqe, &list);
}
