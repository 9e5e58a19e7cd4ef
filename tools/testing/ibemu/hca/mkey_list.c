// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The memory of lists of pages and of parts. It is taken when the first entry comes: drivers keep
 * thousands of keys in reserve.
 */
#include <errno.h>
#include <stdlib.h>

#include "hca/hca.h"

static bool charge(struct hca *hca, struct hca_mkey *mkey)
{
	if (mkey->room > HCA_LIST_ENTRIES - hca->list_entries)
		return false;
	hca->list_entries += mkey->room;
	mkey->charged = mkey->room;
	return true;
}

int hca_mkey_reserve(struct hca *hca, struct hca_mkey *mkey)
{
	if (mkey->pages || mkey->parts || !mkey->room)
		return 0;
	if (!charge(hca, mkey))
		return -ENOMEM;
	if (mkey->mode == HCA_MKEY_PAGES)
		mkey->pages = calloc(mkey->room, sizeof(*mkey->pages));
	else
		mkey->parts = calloc(mkey->room, sizeof(*mkey->parts));
	if (mkey->pages || mkey->parts)
		return 0;
	hca_mkey_drop_list(hca, mkey);
	return -ENOMEM;
}

void hca_mkey_drop_list(struct hca *hca, struct hca_mkey *mkey)
{
	hca->list_entries -= mkey->charged;
	mkey->charged = 0;
	free(mkey->pages);
	mkey->pages = NULL;
	mkey->page_count = 0;
	free(mkey->parts);
	mkey->parts = NULL;
	mkey->part_count = 0;
}
