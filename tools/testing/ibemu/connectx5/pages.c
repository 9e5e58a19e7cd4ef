// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Memory that the driver lends to the firmware. The emulator has its own, but asks, keeps and
 * returns as firmware does.
 */
#include <stdlib.h>

#include "connectx5/device.h"
#include "connectx5/field.h"
#include "connectx5/limits.h"

#define NUM_PAGES_AT 12
#define IN_ENTRIES_AT 12
#define OUT_ENTRIES_AT 8
#define LIST_AT 16

enum { QUERY_BOOT = 1, QUERY_INIT = 2, QUERY_REGULAR = 3 };
enum { ALLOCATION_FAILED = 0, GIVE = 1, TAKE = 2 };

enum cx5_status cx5_query_pages(struct connectx5 *dev, struct cx5_command *cmd)
{
	uint32_t wanted = 0;

	(void)dev;
	if (cmd->op_mod == QUERY_BOOT)
		wanted = CX5_BOOT_PAGES;
	else if (cmd->op_mod == QUERY_INIT)
		wanted = CX5_INIT_PAGES;
	else if (cmd->op_mod != QUERY_REGULAR)
		return CX5_BAD_PARAM;
	put_be32(cmd->out + NUM_PAGES_AT, wanted);
	return CX5_OK;
}

static bool list_is_good(const uint8_t *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint64_t page = get_be64(list + 8 * (size_t)i);

		if (!page || (page & 0xfff))
			return false;
	}
	return true;
}

static bool make_room(struct connectx5 *dev, uint32_t count)
{
	uint32_t room = dev->page_room ? dev->page_room : 64;
	uint64_t *pages;

	while (room < dev->page_count + count)
		room *= 2;
	if (room == dev->page_room)
		return true;
	pages = realloc(dev->pages, room * sizeof(*pages));
	if (!pages)
		return false;
	dev->pages = pages;
	dev->page_room = room;
	return true;
}

static enum cx5_status give(struct connectx5 *dev, const struct cx5_command *cmd, uint32_t count)
{
	const uint8_t *list = cmd->in + LIST_AT;

	if (count > (cmd->in_len - LIST_AT) / 8)
		return CX5_BAD_INPUT_LEN;
	if (!list_is_good(list, count))
		return CX5_BAD_PARAM;
	if (count > CX5_MAX_PAGES - dev->page_count)
		return CX5_LIMIT;
	if (!make_room(dev, count))
		return CX5_NO_RES;
	for (uint32_t i = 0; i < count; i++)
		dev->pages[dev->page_count++] = get_be64(list + 8 * (size_t)i);
	return CX5_OK;
}

static enum cx5_status take(struct connectx5 *dev, struct cx5_command *cmd, uint32_t count)
{
	uint32_t room = cmd->out_len > LIST_AT ? (cmd->out_len - LIST_AT) / 8 : 0;

	if (count > room)
		count = room;
	if (count > dev->page_count)
		count = dev->page_count;
	for (uint32_t i = 0; i < count; i++)
		put_be64(cmd->out + LIST_AT + 8 * (size_t)i, dev->pages[--dev->page_count]);
	put_be32(cmd->out + OUT_ENTRIES_AT, count);
	return CX5_OK;
}

enum cx5_status cx5_manage_pages(struct connectx5 *dev, struct cx5_command *cmd)
{
	uint32_t count = get_be32(cmd->in + IN_ENTRIES_AT);

	switch (cmd->op_mod) {
	case ALLOCATION_FAILED:
		return CX5_OK;
	case GIVE:
		return give(dev, cmd, count);
	case TAKE:
		return take(dev, cmd, count);
	default:
		return CX5_BAD_PARAM;
	}
}
