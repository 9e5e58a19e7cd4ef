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
#define ACTUAL_OCTWORDS_AT 96
#define TRANSLATIONS_AT 272
#define TRANSLATIONS_PER_OCTWORD 2
#define NO_QPN 0xffffff

/* A translation entry is the address of a page; its low bits are flags. */
#define TRANSLATION_FLAGS 7ull

enum { MODE_PHYSICAL = 0, MODE_TRANSLATED = 1, MODE_INDIRECT = 2 };

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

static int read_pages(struct hca_mkey *mkey, const struct cx5_command *cmd)
{
	uint64_t wanted =
		(uint64_t)get_be32(cmd->in + ACTUAL_OCTWORDS_AT) * TRANSLATIONS_PER_OCTWORD;
	uint64_t given = (cmd->in_len - TRANSLATIONS_AT) / 8;

	mkey->page_count = (uint32_t)(wanted < given ? wanted : given);
	mkey->pages = malloc((mkey->page_count ? mkey->page_count : 1) * sizeof(*mkey->pages));
	if (!mkey->pages)
		return -ENOMEM;
	for (uint32_t i = 0; i < mkey->page_count; i++)
		mkey->pages[i] =
			get_be64(cmd->in + TRANSLATIONS_AT + 8 * (size_t)i) & ~TRANSLATION_FLAGS;
	return 0;
}

/*
 * A key that is created free is a memory window or waits for a registration by work request: it
 * translates nothing. A list of other keys is possible only so.
 */
static int set_mode(struct hca_mkey *mkey, const struct cx5_command *cmd)
{
	const uint8_t *mkc = cmd->in + CONTEXT_AT;
	uint32_t mode = GET(mkc, access_mode_4_2, mkc) << 2 | GET(mkc, access_mode_1_0, mkc);

	if (mode > MODE_INDIRECT || (mode == MODE_INDIRECT && !mkey->free))
		return -EOPNOTSUPP;
	if (mkey->free) {
		mkey->mode = HCA_MKEY_UNBOUND;
		return 0;
	}
	mkey->mode = mode == MODE_PHYSICAL ? HCA_MKEY_PHYSICAL : HCA_MKEY_PAGES;
	return mode == MODE_PHYSICAL ? 0 : read_pages(mkey, cmd);
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

static enum cx5_status init(struct connectx5 *dev, struct cx5_mkey *mkey,
			    const struct cx5_command *cmd)
{
	const uint8_t *mkc = cmd->in + CONTEXT_AT;
	int error;

	if (cmd->in[FLAGS_AT] & FLAG_UMEM)
		return CX5_BAD_PARAM;
	memcpy(mkey->context, mkc, CX5_MKC_LEN);
	cx5_mkey_decode(&mkey->hca, mkc);
	error = set_mode(&mkey->hca, cmd);
	if (!error)
		error = hca_mkey_create(&dev->hca, &mkey->hca);
	return cx5_status_of(error);
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
	if (mkey)
		free(mkey->hca.pages);
	free(mkey);
	return status;
}

void cx5_mkey_free(struct connectx5 *dev, struct cx5_mkey *mkey)
{
	cx5_resource_put(dev, CX5_PD, mkey->hca.pd);
	hca_mkey_destroy(&dev->hca, &mkey->hca);
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
	for (uint32_t i = 0; i < mkey->hca.page_count && i < 4; i++)
		put_be64(cmd->out + TRANSLATIONS_AT + 8 * (size_t)i, mkey->hca.pages[i]);
	return CX5_OK;
}
