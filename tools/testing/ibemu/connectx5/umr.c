// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Work requests that change a memory key: other rights or another protection domain for a region,
 * and windows, which are bound to what lies behind other keys, or made free again.
 *
 * Behind the control segment, which names the key, stand another control segment with a mask of
 * what changes, a memory key context, and the list of what lies behind the key.
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
#define UMR_MASK 8
#define CONTEXT_AT (UMR_AT + UMR_LEN)
#define LIST_AT (CONTEXT_AT + CX5_MKC_LEN)

#define FLAG_INLINE 0x80
#define FLAG_MUST_BE_VALID 0x40
#define FLAG_MUST_BE_FREE 0x20
#define FLAG_MUST_BE_OURS 0x08 /* bound to the queue pair that asks */

/* An entry of the list. */
#define ENTRY_LEN 0
#define ENTRY_KEY 4
#define ENTRY_ADDR 8

#define MASK_PD (1ull << 7)

static const struct {
	uint64_t mask;
	struct cx5_field field;
} changes[] = {
#define CHANGE(bit, name) \
	{ 1ull << (bit), { .at = mkc_##name##_at, .width = mkc_##name##_width } }
	CHANGE(0, len), CHANGE(0, length64), CHANGE(6, start_addr), CHANGE(7, pd),
	CHANGE(13, mkey_7_0), CHANGE(14, qpn), CHANGE(17, lr), CHANGE(18, lw), CHANGE(19, rr),
	CHANGE(20, rw), CHANGE(21, a), CHANGE(29, free),
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
	       !((flags & FLAG_MUST_BE_OURS) && mkey->hca.qpn != qp->num);
}

/* What lies behind a key must be accessible to it, and writable if it lets others write. */
static bool add_part(struct hca *hca, struct hca_mkey *mkey, const uint8_t *entry)
{
	uint64_t end = mkey->part_count ? mkey->parts[mkey->part_count - 1].end : 0;
	uint32_t len = get_be32(entry + ENTRY_LEN);
	struct hca_mkey_part part = {
		.end = end + len,
		.key = get_be32(entry + ENTRY_KEY),
		.addr = get_be64(entry + ENTRY_ADDR),
	};
	bool writes = mkey->access & (HCA_REMOTE_WRITE | HCA_REMOTE_ATOMIC);

	if (!len)
		return true;
	mkey->parts[mkey->part_count++] = part;
	return hca_mkey_check(hca, part.key, mkey->pd, part.addr, len,
			      writes ? HCA_LOCAL_WRITE : 0);
}

/* The list becomes the key's own. A region's pages can't be replaced: no capability says so. */
static enum hca_status bind(struct hca *hca, struct hca_mkey *mkey, const uint8_t *list,
			    unsigned int entries)
{
	if (mkey->mode == HCA_MKEY_PHYSICAL || mkey->mode == HCA_MKEY_PAGES)
		return HCA_MW_BIND;
	mkey->mode = HCA_MKEY_INDIRECT;
	mkey->part_count = 0;
	mkey->parts = calloc(entries, sizeof(*mkey->parts));
	if (!mkey->parts)
		return HCA_MW_BIND;
	for (unsigned int i = 0; i < entries; i++) {
		if (add_part(hca, mkey, list + i * SEGMENT))
			continue;
		free(mkey->parts);
		return HCA_MW_BIND;
	}
	return HCA_OK;
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

/* The key as it will be is made aside, and takes the old one's place if all is well. */
static enum hca_status change(struct hca_qp *qp, struct cx5_mkey *mkey, const uint8_t *wqe,
			      unsigned int entries)
{
	struct connectx5 *dev = cx5_of(qp->hca);
	struct cx5_mkey next = *mkey;

	PUT(mkc, free, next.context, mkey->hca.free); /* the other side may have made it so */
	merge(next.context, wqe + CONTEXT_AT, get_be64(wqe + UMR_AT + UMR_MASK));
	cx5_mkey_decode(&next.hca, next.context);
	if (entries) {
		enum hca_status status = bind(qp->hca, &next.hca, wqe + LIST_AT, entries);

		if (status != HCA_OK)
			return status;
	}
	if ((!next.hca.free && !hca_mkey_is_sound(&next.hca)) ||
	    !change_pd(dev, mkey->hca.pd, next.hca.pd)) {
		if (entries)
			free(next.hca.parts);
		return HCA_MW_BIND;
	}
	if (entries)
		free(mkey->hca.parts);
	*mkey = next;
	return HCA_OK;
}

enum hca_status cx5_execute_local(struct hca_qp *qp, const struct hca_send_wr *wr)
{
	unsigned int len = (wr->wqe[CTRL_SEGMENTS] & CTRL_SEGMENTS_MASK) * SEGMENT;
	const uint8_t *umr = wr->wqe + UMR_AT;
	unsigned int entries = get_be16(umr + UMR_OCTWORDS);
	struct hca_mkey *found = hca_mkey_find(qp->hca, wr->imm >> 8);
	struct cx5_mkey *mkey = found ? container(found, struct cx5_mkey, hca) : NULL;

	if (len < LIST_AT || (entries && !(umr[UMR_FLAGS] & FLAG_INLINE)) ||
	    entries > (len - LIST_AT) / SEGMENT)
		return HCA_LOCAL_QP_OPERATION;
	if (!mkey || !may_change(qp, mkey, umr) ||
	    entries > GET(mkc, translations_octword_size, mkey->context))
		return HCA_MW_BIND;
	return change(qp, mkey, wr->wqe, entries);
}
