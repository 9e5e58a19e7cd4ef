// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * User memory: pages that a process has the driver hand over by themselves, and gives the number of
 * for queues and keys that it makes with its own commands. It stays as long as one of them does.
 */
#include <errno.h>
#include <stdlib.h>

#include "connectx5/device.h"
#include "connectx5/field.h"
#include "connectx5/limits.h"

#define NUMBER_AT 9
#define CONTEXT_AT 16
#define PAGES_AT 48
#define PAGE_LEN 8
#define LOG_PAGE_SIZE_BASE 12 /* the field counts from 4 KiB */

#define RECORD_LEN 8
#define RECORD_ALIGNMENT 4

static struct cx5_umem *find(struct connectx5 *dev, uint32_t id)
{
	return idtab_find(&dev->umems, id);
}

/* All of it is, or none. */
static bool is_writable(const uint8_t *pages, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if (!(get_be64(pages + i * PAGE_LEN) & HCA_PAGE_WRITE))
			return false;
	return true;
}

static int init(struct connectx5 *dev, struct cx5_umem *umem, const struct cx5_command *cmd)
{
	const uint8_t *c = cmd->in + CONTEXT_AT, *pages = cmd->in + PAGES_AT;
	uint64_t count = GET64(umem, num_of_mtt, c);

	if (GET(umem, ats, c) || count > (cmd->in_len - PAGES_AT) / PAGE_LEN)
		return -EINVAL;
	if (count > CX5_MAX_UMEM_PAGES - dev->umem_pages)
		return -ENOSPC;
	umem->writable = is_writable(pages, count);
	return hca_buffer_init(&umem->buf, pages, (uint32_t)count,
			       LOG_PAGE_SIZE_BASE + GET(umem, log_page_size, c),
			       GET(umem, page_offset, c));
}

static int add(struct connectx5 *dev, struct cx5_umem *umem)
{
	int64_t id = idtab_alloc(&dev->umems, umem);

	if (id < 0)
		return (int)id;
	umem->id = (uint32_t)id;
	dev->umem_pages += umem->buf.page_count;
	return 0;
}

enum cx5_status cx5_create_umem(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_umem *umem = calloc(1, sizeof(*umem));
	int error = umem ? init(dev, umem, cmd) : -ENOMEM;

	if (!error)
		error = add(dev, umem);
	if (!error) {
		put_be24(cmd->out + NUMBER_AT, umem->id);
		return CX5_OK;
	}
	if (umem)
		hca_buffer_destroy(&umem->buf);
	free(umem);
	return cx5_status_of(error);
}

static void destroy(struct connectx5 *dev, struct cx5_umem *umem)
{
	idtab_free(&dev->umems, umem->id);
	dev->umem_pages -= umem->buf.page_count;
	hca_buffer_destroy(&umem->buf);
	free(umem);
}

enum cx5_status cx5_destroy_umem(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_umem *umem = find(dev, get_be24(cmd->in + NUMBER_AT));

	if (!umem)
		return CX5_BAD_RES;
	if (umem->users)
		return CX5_BAD_RES_STATE;
	destroy(dev, umem);
	return CX5_OK;
}

void cx5_umems_forget(struct connectx5 *dev)
{
	struct cx5_umem *umem;
	uint32_t id;

	idtab_for_each(&dev->umems, id, umem)
		destroy(dev, umem);
}

/* NULL: there is none that the context reaches. */
static struct cx5_umem *find_at(struct connectx5 *dev, struct cx5_umem_place place)
{
	struct cx5_umem *umem = find(dev, place.id);

	return umem && cx5_uctx_reaches(place.uid, umem->uid) ? umem : NULL;
}

int cx5_umem_buffer(struct connectx5 *dev, struct cx5_umem_place place, uint64_t len, bool writes,
		    struct cx5_memory *memory, struct hca_buffer *buf)
{
	struct cx5_umem *umem = find_at(dev, place);
	int error;

	if (!umem)
		return -ENOENT;
	if (writes && !umem->writable)
		return -EINVAL;
	error = hca_buffer_slice(buf, &umem->buf, place.offset, len);
	if (error)
		return error;
	dev->counters.user_buffers++;
	umem->users++;
	memory->buffer = umem;
	return 0;
}

int cx5_umem_record(struct connectx5 *dev, struct cx5_umem_place place, struct cx5_memory *memory,
		    uint64_t *bus)
{
	struct cx5_umem *umem = find_at(dev, place);

	if (!umem)
		return -ENOENT;
	*bus = hca_buffer_address(&umem->buf, place.offset, RECORD_LEN);
	if (!*bus || *bus % RECORD_ALIGNMENT)
		return -EINVAL;
	umem->users++;
	memory->record = umem;
	return 0;
}

void cx5_memory_release(struct cx5_memory *memory)
{
	if (memory->buffer)
		memory->buffer->users--;
	if (memory->record)
		memory->record->users--;
	*memory = (struct cx5_memory){ 0 };
}

/*
 * A key knows but the number of pages in front of its first byte by the address of that byte, so
 * that one has to lie as far in its page as the place does.
 */
static bool is_aligned(const struct hca_mkey *mkey, const struct hca_buffer *slice)
{
	return (mkey->start & ((1ull << slice->log_page_size) - 1)) == slice->offset;
}

static int take_pages(struct hca *hca, struct hca_mkey *mkey, const struct cx5_umem *umem,
		      const struct hca_buffer *slice)
{
	uint64_t flags = HCA_PAGE_READ | (umem->writable ? HCA_PAGE_WRITE : 0);
	int error = is_aligned(mkey, slice) ? cx5_list_set_room(mkey, (slice->page_count + 1) / 2)
					    : -EINVAL;

	if (!error)
		error = hca_mkey_reserve(hca, mkey);
	if (error)
		return error;
	for (uint32_t i = 0; i < slice->page_count; i++)
		mkey->pages[i] = slice->pages[i] | flags;
	mkey->page_count = slice->page_count;
	return 0;
}

int cx5_umem_cover(struct connectx5 *dev, struct cx5_umem_place place, struct cx5_mkey *mkey)
{
	struct cx5_umem *umem = find_at(dev, place);
	struct hca_buffer slice;
	int error;

	if (!umem)
		return -ENOENT;
	error = hca_buffer_slice(&slice, &umem->buf, place.offset, mkey->hca.len);
	if (error)
		return error;
	error = take_pages(&dev->hca, &mkey->hca, umem, &slice);
	hca_buffer_destroy(&slice);
	if (error)
		return error;
	mkey->hca.log_page_size = umem->buf.log_page_size;
	PUT(mkc, log_page_size, mkey->context, mkey->hca.log_page_size);
	umem->users++;
	mkey->umem = umem;
	return 0;
}
