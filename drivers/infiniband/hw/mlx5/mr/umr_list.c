// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Translations go to the device in the work request itself, if they're as short as that, or through
 * a piece of memory of the kernel, in as many work requests as it takes. Who frees memory comes
 * here, too; so whatever memory there is has to do.
 */
#include "umr_list.h"

/* No list of a work request is longer: its length has 16 bits. */
#define BYTES_MAX (512 * 1024)

struct room {
	void *list;
	size_t bytes;
	dma_addr_t dma;
};

static gfp_t gfp_of(const struct mlx5_ib_umr_list *what)
{
	return (what->reclaim ? GFP_KERNEL : GFP_NOWAIT) | __GFP_NORETRY | __GFP_NOWARN;
}

/* The best there is, at worst the spare page, which others may be waiting for. */
static void get_room(struct mlx5_ib_umr *umr, const struct mlx5_ib_umr_list *what, size_t wanted,
		     struct room *room)
{
	size_t bytes;

	for (bytes = min_t(size_t, wanted, BYTES_MAX); ; bytes = PAGE_ALIGN(bytes / 2)) {
		room->list = (void *)__get_free_pages(gfp_of(what), get_order(bytes));
		if (room->list || bytes <= PAGE_SIZE)
			break;
	}
	if (!room->list) {
		mutex_lock(&umr->spare_lock);
		room->list = umr->spare;
	}
	room->bytes = bytes;
}

static void put_room(struct mlx5_ib_umr *umr, const struct room *room)
{
	if (room->list == umr->spare)
		mutex_unlock(&umr->spare_lock);
	else
		free_pages((unsigned long)room->list, get_order(room->bytes));
}

static int map_room(struct mlx5_ib_dev *dev, struct room *room)
{
	struct device *dma_dev = dev->ib_dev.dma_device;

	room->dma = dma_map_single(dma_dev, room->list, room->bytes, DMA_TO_DEVICE);
	return dma_mapping_error(dma_dev, room->dma);
}

static void unmap_room(struct mlx5_ib_dev *dev, const struct room *room)
{
	dma_unmap_single(dev->ib_dev.dma_device, room->dma, room->bytes, DMA_TO_DEVICE);
}

/* Entries, and zeros up to the end of a block. */
static u32 fill(struct mlx5_ib_mr *mr, const struct mlx5_ib_umr_list *what, const struct room *room,
		u64 first, u64 count)
{
	struct device *dma_dev = mr->ibmr.device->dma_device;
	size_t used = count * mlx5_ib_entry_size(mr->access_mode);
	size_t bytes = ALIGN(used, MLX5_IB_LIST_BLOCK);

	dma_sync_single_for_cpu(dma_dev, room->dma, room->bytes, DMA_TO_DEVICE);
	what->fill(mr, room->list, first, count, what->context);
	memset(room->list + used, 0, bytes - used);
	dma_sync_single_for_device(dma_dev, room->dma, room->bytes, DMA_TO_DEVICE);
	return bytes;
}

static int send_all(struct mlx5_ib_mr *mr, const struct mlx5_ib_umr_list *what,
		    const struct room *room)
{
	struct mlx5_ib_dev *dev = to_mdev(mr->ibmr.device);
	u32 entry = mlx5_ib_entry_size(mr->access_mode);
	struct mlx5_ib_umr_wqe *wqe = what->request;
	__be64 mask = wqe->umr.mkey_mask;
	u64 at, count;
	int err = 0;

	for (at = what->first; at < what->end && !err; at += count) {
		u32 bytes;

		count = min_t(u64, what->end - at, room->bytes / entry);
		bytes = fill(mr, what, room, at, count);
		wqe->data.lkey = cpu_to_be32(dev->umr->pd->local_dma_lkey);
		wqe->data.addr = cpu_to_be64(room->dma);
		mlx5_ib_umr_put_list(wqe, at * entry, what->whole, bytes);
		/* Values of the key change with the last piece. */
		wqe->umr.mkey_mask = at + count < what->end ? 0 : mask;
		err = mlx5_ib_umr_run(dev, mr->mkey.key, wqe);
	}
	return err;
}

/* All of it, no longer than a block. */
static int send_inline(struct mlx5_ib_mr *mr, const struct mlx5_ib_umr_list *what)
{
	size_t used = what->end * mlx5_ib_entry_size(mr->access_mode);
	struct mlx5_ib_umr_wqe *wqe = what->request;

	what->fill(mr, wqe->list, 0, what->end, what->context);
	memset(wqe->list + used, 0, sizeof(wqe->list) - used);
	mlx5_ib_umr_put_inline(wqe, sizeof(wqe->list));
	return mlx5_ib_umr_run(to_mdev(mr->ibmr.device), mr->mkey.key, wqe);
}

/**
 * mlx5_ib_umr_send_list - write a part of a key's translation
 * @mr: the region
 * @what: which part, its bounds at blocks of 64 bytes or the end of all; and what else changes
 *
 * Return: 0 or a negative errno; then it's unknown how much was written.
 */
int mlx5_ib_umr_send_list(struct mlx5_ib_mr *mr, const struct mlx5_ib_umr_list *what)
{
	struct mlx5_ib_dev *dev = to_mdev(mr->ibmr.device);
	u64 bytes = (what->end - what->first) * mlx5_ib_entry_size(mr->access_mode);
	struct room room;
	int err;

	if (what->whole && bytes <= MLX5_IB_LIST_BLOCK)
		return send_inline(mr, what);
	get_room(dev->umr, what, ALIGN(bytes, MLX5_IB_LIST_BLOCK), &room);
	err = map_room(dev, &room);
	if (!err) {
		err = send_all(mr, what, &room);
		unmap_room(dev, &room);
	}
	put_room(dev->umr, &room);
	return err;
}
