// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Commands on memory keys.
 */
#include <errno.h>
#include <stdlib.h>

#include "connectx5/device.h"
#include "connectx5/field.h"

#define NUMBER_AT 9
#define CONTEXT_AT 16
#define FLAGS_AT 12
#define FLAG_UMEM 0x40
#define FLAG_PAGED 0x80 /* the flags of pages say whether they are there */
#define ACTUAL_OCTWORDS_AT 96
#define UMEM_ID_AT 100
#define UMEM_OFFSET_AT 104
#define LIST_AT 272
#define OCTWORD 16
#define NO_QPN 0xffffff

/* Access modes. What follows is other memory than the guest's. */
enum { MODE_PHYSICAL, MODE_PAGES, MODE_INDIRECT, MODE_BLOCKS, MODES };

static struct cx5_mkey *find(struct connectx5 *dev, const struct cx5_command *cmd)
{
	struct hca_mkey *mkey = hca_mkey_find(&dev->hca, get_be24(cmd->in + NUMBER_AT));

	return mkey ? container(mkey, struct cx5_mkey, hca) : NULL;
}

static uint8_t access_of(const uint8_t *mkc)
{
	return (uint8_t)((GET(mkc, lr, mkc) ? HCA_LOCAL_READ : 0) |
			 (GET(mkc, lw, mkc) ? HCA_LOCAL_WRITE : 0) |
			 (GET(mkc, rr, mkc) ? HCA_REMOTE_READ : 0) |
			 (GET(mkc, rw, mkc) ? HCA_REMOTE_WRITE : 0) |
			 (GET(mkc, a, mkc) ? HCA_REMOTE_ATOMIC : 0));
}

/*
 * A key that is created free is a memory window, or waits for a registration by work request: its
 * list comes then.
 */
static int init_list(struct hca *hca, struct hca_mkey *mkey, const struct cx5_command *cmd)
{
	uint32_t given = (cmd->in_len - LIST_AT) / OCTWORD;
	uint32_t wanted = mkey->free ? 0 : get_be32(cmd->in + ACTUAL_OCTWORDS_AT);
	struct cx5_list list = {
		.entries = cmd->in + LIST_AT,
		.octwords = wanted < given ? wanted : given,
		.replaces = true,
		.present = !(cmd->in[FLAGS_AT] & FLAG_PAGED),
	};
	uint32_t room = GET(mkc, translations_octword_size, cmd->in + CONTEXT_AT);
	int error = cx5_list_set_room(mkey, room > list.octwords ? room : list.octwords);

	if (error || !list.octwords || mkey->mode == HCA_MKEY_PHYSICAL)
		return error;
	error = hca_mkey_reserve(hca, mkey);
	if (!error)
		cx5_list_put(mkey, &list);
	return error;
}

static int set_mode(struct hca_mkey *mkey, const uint8_t *mkc)
{
	static const enum hca_mkey_mode modes[MODES] = {
		[MODE_PHYSICAL] = HCA_MKEY_PHYSICAL,
		[MODE_PAGES] = HCA_MKEY_PAGES,
		[MODE_INDIRECT] = HCA_MKEY_INDIRECT,
		[MODE_BLOCKS] = HCA_MKEY_BLOCKS,
	};
	uint32_t mode = GET(mkc, access_mode_4_2, mkc) << 2 | GET(mkc, access_mode_1_0, mkc);

	if (mode >= MODES)
		return -EOPNOTSUPP;
	mkey->mode = modes[mode];
	mkey->demand_paged = mkey->mode == HCA_MKEY_PAGES;
	return 0;
}

/* A key that belongs to no queue pair names the number that has all bits set. */
static uint32_t qpn_of(const uint8_t *mkc)
{
	uint32_t qpn = GET(mkc, qpn, mkc);

	return qpn == NO_QPN ? 0 : qpn;
}

void cx5_mkey_decode(struct hca_mkey *mkey, const uint8_t *mkc)
{
	mkey->variant = (uint8_t)GET(mkc, mkey_7_0, mkc);
	mkey->access = access_of(mkc);
	mkey->free = GET(mkc, free, mkc);
	mkey->revocable = GET(mkc, en_rinval, mkc);
	mkey->qpn = qpn_of(mkc);
	mkey->whole = GET(mkc, length64, mkc);
	mkey->pd = GET(mkc, pd, mkc);
	mkey->start = GET64(mkc, start_addr, mkc);
	mkey->len = GET64(mkc, len, mkc);
	mkey->log_page_size = (uint8_t)GET(mkc, log_page_size, mkc);
}

/*
 * A key of user memory is one of its pages, whatever else the command says of pages. A process can
 * have no key of physical addresses: the driver says of all of its keys that they are of user
 * memory, but for those of other keys.
 */
static int init_translation(struct connectx5 *dev, struct cx5_mkey *mkey,
			    const struct cx5_command *cmd)
{
	const struct cx5_umem_place place = { cx5_uid_of(cmd), get_be32(cmd->in + UMEM_ID_AT),
					      get_be64(cmd->in + UMEM_OFFSET_AT) };

	if (!(cmd->in[FLAGS_AT] & FLAG_UMEM))
		return init_list(&dev->hca, &mkey->hca, cmd);
	if (mkey->hca.mode != HCA_MKEY_PAGES || mkey->hca.whole)
		return -EINVAL;
	if (mkey->hca.free)
		return init_list(&dev->hca, &mkey->hca, cmd);
	return cx5_umem_cover(dev, place, mkey);
}

static enum cx5_status init(struct connectx5 *dev, struct cx5_mkey *mkey,
			    const struct cx5_command *cmd)
{
	const uint8_t *mkc = cmd->in + CONTEXT_AT;
	int error;

	memcpy(mkey->context, mkc, CX5_MKC_LEN);
	cx5_mkey_decode(&mkey->hca, mkc);
	error = set_mode(&mkey->hca, mkc);
	if (!error)
		error = init_translation(dev, mkey, cmd);
	if (!error)
		error = hca_mkey_create(&dev->hca, &mkey->hca);
	return cx5_status_of(error);
}

static void uncover(struct cx5_mkey *mkey)
{
	if (mkey->umem)
		mkey->umem->users--;
}

enum cx5_status cx5_create_mkey(struct connectx5 *dev, struct cx5_command *cmd)
{
	uint32_t pd = GET(mkc, pd, cmd->in + CONTEXT_AT);
	struct cx5_mkey *mkey;
	enum cx5_status status;

	if (!cx5_resource_get(dev, CX5_PD, pd))
		return CX5_BAD_RES;
	mkey = calloc(1, sizeof(*mkey));
	status = mkey ? init(dev, mkey, cmd) : CX5_NO_RES;
	if (status == CX5_OK) {
		put_be24(cmd->out + NUMBER_AT, mkey->hca.index);
		return CX5_OK;
	}
	cx5_resource_put(dev, CX5_PD, pd);
	if (mkey) {
		hca_mkey_drop_list(&dev->hca, &mkey->hca);
		uncover(mkey);
	}
	free(mkey);
	return status;
}

void cx5_mkey_free(struct connectx5 *dev, struct cx5_mkey *mkey)
{
	cx5_resource_put(dev, CX5_PD, mkey->hca.pd);
	hca_mkey_destroy(&dev->hca, &mkey->hca);
	uncover(mkey);
	free(mkey);
}

enum cx5_status cx5_destroy_mkey(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_mkey *mkey = find(dev, cmd);

	if (!mkey)
		return CX5_BAD_RES;
	cx5_mkey_free(dev, mkey);
	return CX5_OK;
}

enum cx5_status cx5_query_mkey(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_mkey *mkey = find(dev, cmd);

	if (!mkey)
		return CX5_BAD_RES;
	memcpy(cmd->out + CONTEXT_AT, mkey->context, CX5_MKC_LEN);
	PUT(mkc, free, cmd->out + CONTEXT_AT, mkey->hca.free);
	cx5_list_get(&mkey->hca, cmd->out + LIST_AT,
		     (cmd->out_len > LIST_AT + 2 * OCTWORD ? cmd->out_len - LIST_AT : 2 * OCTWORD) /
			     OCTWORD);
	return CX5_OK;
}
