// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Fast registration (IBTA 10.6.4.4): a free key of the kernel, and a list of what will lie behind
 * it, which a work request takes to the device. The list is of pages, or of keys where memory
 * needn't fall into pages.
 */
#include "mr.h"

/*
 * The device reads a list from an address with these low bits zero; a power of 2 is aligned to
 * itself.
 */
#define LIST_ALIGN 2048

static size_t list_bytes(const struct mlx5_ib_mr *mr)
{
	size_t bytes = (size_t)mr->list_max * mr->list_entry_size;

	return roundup_pow_of_two(max_t(size_t, bytes, LIST_ALIGN));
}

static int alloc_list(struct mlx5_ib_mr *mr)
{
	struct device *dma_dev = mr->ibmr.device->dma_device;

	mr->list = kzalloc(list_bytes(mr), GFP_KERNEL);
	if (!mr->list)
		return -ENOMEM;
	mr->list_dma = dma_map_single(dma_dev, mr->list, list_bytes(mr), DMA_TO_DEVICE);
	if (!dma_mapping_error(dma_dev, mr->list_dma))
		return 0;
	kfree(mr->list);
	return -ENOMEM;
}

/* Of a region of the kernel; that of all memory has none. */
void mlx5_ib_free_fast_list(struct mlx5_ib_mr *mr)
{
	if (!mr->list)
		return;
	dma_unmap_single(mr->ibmr.device->dma_device, mr->list_dma, list_bytes(mr), DMA_TO_DEVICE);
	kfree(mr->list);
}

/* Rights come with the registration, but for relaxed ordering, which is always wished for. */
static int create_key(struct mlx5_ib_mr *mr)
{
	struct mlx5_ib_dev *dev = to_mdev(mr->ibmr.device);
	const struct mlx5_ib_mkc values = {
		.pdn = to_mpd(mr->ibmr.pd)->pdn,
		.relaxed = mlx5_ib_relaxed(dev, IB_ACCESS_RELAXED_ORDERING),
		.free = true,
		.page_shift = mr->access_mode == MLX5_MKC_ACCESS_MODE_MTT ? PAGE_SHIFT : 0,
	};
	u32 *in = kzalloc(MLX5_ST_SZ_BYTES(create_mkey_in), GFP_KERNEL);
	void *mkc;
	int err;

	if (!in)
		return -ENOMEM;
	mkc = MLX5_ADDR_OF(create_mkey_in, in, memory_key_mkey_entry);
	mlx5_ib_mkc_put(mkc, &values);
	mlx5_ib_mkc_put_list(mkc, mr->access_mode, mr->list_max);
	if (mr->access_mode == MLX5_MKC_ACCESS_MODE_MTT)
		MLX5_SET(mkc, mkc, ma_translation_mode, MLX5_CAP_GEN(dev->mdev, ats));
	err = mlx5_ib_mkey_create(dev, &mr->mkey, in, MLX5_ST_SZ_BYTES(create_mkey_in));
	kfree(in);
	return err;
}

static int init(struct mlx5_ib_mr *mr)
{
	int err = alloc_list(mr);

	if (err)
		return err;
	err = create_key(mr);
	if (err) {
		mlx5_ib_free_fast_list(mr);
		return err;
	}
	mr->ibmr.lkey = mr->mkey.key;
	mr->ibmr.rkey = mr->mkey.key;
	return 0;
}

struct ib_mr *mlx5_ib_alloc_fast(struct ib_pd *ibpd, enum ib_mr_type type, u32 max_num_sg)
{
	struct mlx5_ib_mr *mr;
	int err;

	if (type != IB_MR_TYPE_MEM_REG && type != IB_MR_TYPE_SG_GAPS)
		return ERR_PTR(-EINVAL);
	if (!max_num_sg || max_num_sg > ibpd->device->attrs.max_fast_reg_page_list_len)
		return ERR_PTR(-EINVAL);
	mr = kzalloc(sizeof(*mr), GFP_KERNEL);
	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->ibmr.device = ibpd->device;
	mr->ibmr.pd = ibpd;
	mr->access_mode = type == IB_MR_TYPE_MEM_REG ? MLX5_MKC_ACCESS_MODE_MTT :
						       MLX5_MKC_ACCESS_MODE_KLMS;
	mr->list_entry_size = mlx5_ib_entry_size(mr->access_mode);
	mr->list_max = max_num_sg;
	err = init(mr);
	if (!err)
		return &mr->ibmr;
	kfree(mr);
	return ERR_PTR(err);
}

static int add_page(struct ib_mr *ibmr, u64 address)
{
	struct mlx5_ib_mr *mr = to_mmr(ibmr);
	__be64 *pages = mr->list;

	if (mr->mkey.entries == mr->list_max)
		return -ENOMEM;
	pages[mr->mkey.entries++] =
		cpu_to_be64(address | MLX5_IB_ENTRY_READ | MLX5_IB_ENTRY_WRITE);
	return 0;
}

static int map_keys(struct mlx5_ib_mr *mr, struct scatterlist *sg, int nents, unsigned int *offset)
{
	unsigned int skip = offset ? *offset : 0;

	mr->ibmr.iova = sg_dma_address(sg) + skip;
	mr->mkey.entries = mlx5_ib_klm_list(mr->list, mr->list_max, sg, nents, skip,
					    mr->ibmr.pd->local_dma_lkey, &mr->ibmr.length);
	if (offset)
		*offset = 0;
	return mr->mkey.entries;
}

/* The device reads whole blocks. */
static void clear_tail(struct mlx5_ib_mr *mr)
{
	size_t used = (size_t)mr->mkey.entries * mr->list_entry_size;
	size_t tail = ALIGN(used, MLX5_IB_LIST_BLOCK) - used;

	if (tail)
		memset(mr->list + used, 0, tail);
}

int mlx5_ib_map_fast(struct ib_mr *ibmr, struct scatterlist *sg, int nents, unsigned int *offset)
{
	struct mlx5_ib_mr *mr = to_mmr(ibmr);
	size_t bytes = ALIGN(mr->list_max * mr->list_entry_size, MLX5_IB_LIST_BLOCK);
	struct device *dma_dev = ibmr->device->dma_device;
	int n;

	mr->mkey.entries = 0;
	dma_sync_single_for_cpu(dma_dev, mr->list_dma, bytes, DMA_TO_DEVICE);
	if (mr->access_mode == MLX5_MKC_ACCESS_MODE_KLMS)
		n = map_keys(mr, sg, nents, offset);
	else
		n = ib_sg_to_pages(ibmr, sg, nents, offset, add_page);
	clear_tail(mr);
	dma_sync_single_for_device(dma_dev, mr->list_dma, bytes, DMA_TO_DEVICE);
	return n;
}
