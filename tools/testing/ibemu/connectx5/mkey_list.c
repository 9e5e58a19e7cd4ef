// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The list of what lies behind a memory key, as drivers write it: in units of 16 bytes, an octword
 * each, of two page addresses, or one other key with an address and a length. Drivers work on
 * four octwords at a time, so that a list has room for a multiple of that.
 */
#include <errno.h>
#include <stdlib.h>

#include "connectx5/device.h"
#include "connectx5/field.h"
#include "connectx5/limits.h"

#define OCTWORD 16
#define OCTWORDS_ALIGN 4
#define PAGES_AN_OCTWORD 2

/* A page's address; its low bits say which access it allows now. */
#define PAGE_LEN 8
#define PAGE_PRESENT (HCA_PAGE_READ | HCA_PAGE_WRITE)

/* Another key. */
#define PART_LEN 0
#define PART_KEY 4
#define PART_ADDR 8

static bool is_list(enum hca_mkey_mode mode)
{
	return mode != HCA_MKEY_PHYSICAL;
}

static uint32_t per_octword(const struct hca_mkey *mkey)
{
	return mkey->mode == HCA_MKEY_PAGES ? PAGES_AN_OCTWORD : 1;
}

int cx5_list_set_room(struct hca_mkey *mkey, uint32_t octwords)
{
	uint32_t max = mkey->mode == HCA_MKEY_INDIRECT ? 1u << CX5_LOG_MAX_KLM_LIST_SIZE
						       : HCA_LIST_ENTRIES / PAGES_AN_OCTWORD;

	if (!is_list(mkey->mode))
		return 0;
	if (octwords > max)
		return -EINVAL;
	octwords = (octwords + OCTWORDS_ALIGN - 1) / OCTWORDS_ALIGN * OCTWORDS_ALIGN;
	mkey->room = octwords * per_octword(mkey);
	return 0;
}

bool cx5_list_fits(const struct hca_mkey *mkey, const struct cx5_list *list)
{
	uint32_t room = mkey->room / per_octword(mkey);

	return is_list(mkey->mode) && list->first <= room && list->octwords <= room - list->first;
}

static struct hca_mkey_part decode_part(const uint8_t *entry, uint64_t begin)
{
	return (struct hca_mkey_part){
		.end = begin + get_be32(entry + PART_LEN),
		.key = get_be32(entry + PART_KEY),
		.addr = get_be64(entry + PART_ADDR),
	};
}

/*
 * A list may say that it's repeated: then its first entry tells how often, and of how many entries
 * it consists. Each of those has a stride. The key's place holds a number that is no key's.
 */
#define REPEAT_COUNT 8
#define REPEAT_ENTRIES 14
#define REPEAT_MARK 0x400
#define STRIDED_STRIDE 0
#define STRIDED_LEN 2

static struct hca_mkey_part decode_strided(const uint8_t *entry, uint64_t begin)
{
	return (struct hca_mkey_part){
		.end = begin + get_be16(entry + STRIDED_LEN),
		.key = get_be32(entry + PART_KEY),
		.addr = get_be64(entry + PART_ADDR),
		.stride = get_be16(entry + STRIDED_STRIDE),
	};
}

static bool is_repeated(const struct cx5_list *list)
{
	return list->replaces && get_be32(list->entries + PART_KEY) == REPEAT_MARK;
}

static uint64_t end_of(const struct hca_mkey_part *parts, uint32_t count)
{
	return count ? parts[count - 1].end : 0;
}

static void put_repeated(struct hca_mkey *mkey, const struct cx5_list *list)
{
	uint32_t count = get_be16(list->entries + REPEAT_ENTRIES);

	if (count > list->octwords - 1)
		count = list->octwords - 1;
	for (uint32_t i = 0; i < count; i++)
		mkey->parts[i] = decode_strided(list->entries + (size_t)(i + 1) * OCTWORD,
						end_of(mkey->parts, i));
	mkey->part_count = count;
	mkey->repeats = get_be32(list->entries + REPEAT_COUNT);
	if (!mkey->repeats)
		mkey->part_count = 0;
}

/*
 * Parts lie one behind the other, so those behind the new ones move. A list that doesn't say where
 * it begins is all there is.
 */
static void put_parts(struct hca_mkey *mkey, const struct cx5_list *list)
{
	uint32_t old_count = list->replaces ? 0 : mkey->part_count;
	uint32_t i, behind = list->first + list->octwords;
	uint64_t old_end = end_of(mkey->parts, behind);

	for (i = old_count; i < list->first; i++)
		mkey->parts[i] = (struct hca_mkey_part){ .end = end_of(mkey->parts, i) };
	for (i = list->first; i < behind; i++)
		mkey->parts[i] = decode_part(list->entries + (size_t)(i - list->first) * OCTWORD,
					     end_of(mkey->parts, i));
	for (; i < old_count; i++)
		mkey->parts[i].end += end_of(mkey->parts, behind) - old_end;
	mkey->part_count = i;
	mkey->repeats = 0;
}

static void put_blocks(struct hca_mkey *mkey, const struct cx5_list *list)
{
	for (uint32_t i = 0; i < list->octwords; i++)
		mkey->parts[list->first + i] =
			decode_part(list->entries + (size_t)i * OCTWORD, 0);
}

static void put_pages(struct hca_mkey *mkey, const struct cx5_list *list)
{
	uint64_t flags = list->present ? PAGE_PRESENT : 0;

	for (uint32_t i = 0; i < list->octwords * PAGES_AN_OCTWORD; i++)
		mkey->pages[list->first * PAGES_AN_OCTWORD + i] =
			get_be64(list->entries + (size_t)i * PAGE_LEN) | flags;
}

void cx5_list_reach(struct hca_mkey *mkey, const struct cx5_list *list)
{
	uint32_t behind = (list->first + list->octwords) * per_octword(mkey);
	uint32_t *count = mkey->mode == HCA_MKEY_PAGES ? &mkey->page_count : &mkey->part_count;

	if (mkey->mode != HCA_MKEY_INDIRECT && *count < behind)
		*count = behind;
}

void cx5_list_put(struct hca_mkey *mkey, const struct cx5_list *list)
{
	cx5_list_reach(mkey, list);
	switch (mkey->mode) {
	case HCA_MKEY_PAGES:
		put_pages(mkey, list);
		break;
	case HCA_MKEY_INDIRECT:
		if (is_repeated(list))
			put_repeated(mkey, list);
		else
			put_parts(mkey, list);
		break;
	case HCA_MKEY_BLOCKS:
		put_blocks(mkey, list);
		break;
	case HCA_MKEY_PHYSICAL:
		break;
	}
}

static void get_parts(const struct hca_mkey *mkey, uint8_t *entries, uint32_t count)
{
	uint64_t begin = 0;

	for (uint32_t i = 0; i < count && i < mkey->part_count; i++, entries += OCTWORD) {
		const struct hca_mkey_part *part = &mkey->parts[i];

		put_be32(entries + PART_LEN, (uint32_t)(part->end - begin));
		put_be32(entries + PART_KEY, part->key);
		put_be64(entries + PART_ADDR, part->addr);
		begin = mkey->mode == HCA_MKEY_INDIRECT ? part->end : 0;
	}
}

void cx5_list_get(const struct hca_mkey *mkey, uint8_t *entries, uint32_t octwords)
{
	if (mkey->mode != HCA_MKEY_PAGES) {
		get_parts(mkey, entries, octwords);
		return;
	}
	for (uint32_t i = 0; i < octwords * PAGES_AN_OCTWORD && i < mkey->page_count; i++)
		put_be64(entries + (size_t)i * PAGE_LEN, mkey->pages[i] & ~HCA_PAGE_FLAGS);
}
