// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What a process maps of the device: pages with doorbells, the clock, objects made for it.
 */
#include "device.h"

#define LAST_COMMAND 0xff

phys_addr_t mlx5_ib_uar_address(struct mlx5_ib_dev *dev, u32 uar_index)
{
	u32 per_page = MLX5_CAP_GEN(dev->mdev, uar_4k) ? MLX5_UARS_IN_PAGE : 1;

	return (dev->mdev->bar_addr & PAGE_MASK) + (phys_addr_t)(uar_index / per_page) * PAGE_SIZE;
}

static bool is_one_page(const struct vm_area_struct *vma)
{
	return vma->vm_end - vma->vm_start == PAGE_SIZE;
}

/* No more of the device's registers than the 4 KiB with the clock may be seen. */
static int map_clock(struct mlx5_ib_ucontext *context, struct vm_area_struct *vma)
{
	struct mlx5_core_dev *mdev = to_mdev(context->ibucontext.device)->mdev;
	phys_addr_t clock = mdev->iseg_base + offsetof(struct mlx5_init_seg, internal_timer_h);

	if (!is_one_page(vma))
		return -EINVAL;
	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	if (PAGE_SIZE > MLX5_ADAPTER_PAGE_SIZE)
		return -EOPNOTSUPP;
	vm_flags_clear(vma, VM_MAYWRITE);
	return rdma_user_mmap_io(&context->ibucontext, vma, clock >> PAGE_SHIFT, PAGE_SIZE,
				 pgprot_noncached(vma->vm_page_prot), NULL);
}

/* How the clock relates to the system's: a page that mlx5_core keeps up to date. */
static int map_clock_info(struct mlx5_ib_ucontext *context, struct vm_area_struct *vma)
{
	struct mlx5_core_dev *mdev = to_mdev(context->ibucontext.device)->mdev;

	if (!is_one_page(vma) || !(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	if (mlx5_ib_mmap_index(vma->vm_pgoff) != MLX5_IB_CLOCK_INFO_V1)
		return -EOPNOTSUPP;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	if (!mdev->clock_info)
		return -EOPNOTSUPP;
	vm_flags_clear(vma, VM_MAYWRITE);
	return vm_insert_page(vma, vma->vm_start, virt_to_page(mdev->clock_info));
}

static int map_uar(struct mlx5_ib_ucontext *context, struct vm_area_struct *vma, u8 command)
{
	bool make = command == MLX5_IB_MMAP_ALLOC_WC;
	u32 page = make ? mlx5_ib_mmap_long_index(vma->vm_pgoff) :
			  mlx5_ib_mmap_index(vma->vm_pgoff);

	if (!is_one_page(vma))
		return -EINVAL;
	return mlx5_ib_bfregs_mmap(context, vma, page, make, command != MLX5_IB_MMAP_NC_PAGE);
}

static int map_entry(struct mlx5_ib_ucontext *context, struct vm_area_struct *vma)
{
	struct rdma_user_mmap_entry *rdma_entry;
	struct mlx5_ib_mmap_entry *entry;
	pgprot_t prot;
	int err;

	rdma_entry = rdma_user_mmap_entry_get_pgoff(&context->ibucontext,
						    mlx5_ib_mmap_entry_number(vma->vm_pgoff));
	if (!rdma_entry)
		return -EINVAL;
	entry = container_of(rdma_entry, struct mlx5_ib_mmap_entry, rdma_entry);
	prot = entry->write_combining ? pgprot_writecombine(vma->vm_page_prot) :
					pgprot_noncached(vma->vm_page_prot);
	err = rdma_user_mmap_io(&context->ibucontext, vma, entry->address >> PAGE_SHIFT,
				rdma_entry->npages * PAGE_SIZE, prot, rdma_entry);
	rdma_user_mmap_entry_put(rdma_entry);
	return err;
}

int mlx5_ib_mmap(struct ib_ucontext *ibcontext, struct vm_area_struct *vma)
{
	struct mlx5_ib_ucontext *context = to_mucontext(ibcontext);
	u8 command = mlx5_ib_mmap_command(vma->vm_pgoff);

	switch (command) {
	case MLX5_IB_MMAP_WC_PAGE:
	case MLX5_IB_MMAP_ALLOC_WC:
		if (!mlx5_wc_support_get(to_mdev(ibcontext->device)->mdev))
			return -EPERM;
		fallthrough;
	case MLX5_IB_MMAP_REGULAR_PAGE:
	case MLX5_IB_MMAP_NC_PAGE:
		return map_uar(context, vma, command);
	case MLX5_IB_MMAP_GET_CONTIGUOUS_PAGES:
		return -ENOSYS;
	case MLX5_IB_MMAP_CORE_CLOCK:
		return map_clock(context, vma);
	case MLX5_IB_MMAP_CLOCK_INFO:
		return map_clock_info(context, vma);
	default:
		return map_entry(context, vma);
	}
}

/**
 * mlx5_ib_mmap_entry_insert - let a process map something
 * @context: the process's
 * @entry: what; its free() is called once it's removed and mapped by nobody
 * @length: bytes, a multiple of the page size
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int mlx5_ib_mmap_entry_insert(struct mlx5_ib_ucontext *context, struct mlx5_ib_mmap_entry *entry,
			      size_t length)
{
	return rdma_user_mmap_entry_insert_range(&context->ibucontext, &entry->rdma_entry, length,
						 MLX5_IB_MMAP_ENTRY << 16,
						 (LAST_COMMAND << 16) + (1UL << 16) - 1);
}

/**
 * mlx5_ib_mmap_offset - where a process maps an entry
 * @entry: of mlx5_ib_mmap_entry_insert()
 *
 * Return: the offset for its mmap().
 */
u64 mlx5_ib_mmap_offset(const struct mlx5_ib_mmap_entry *entry)
{
	return mlx5_ib_mmap_entry_offset(entry->rdma_entry.start_pgoff);
}

void mlx5_ib_mmap_free(struct rdma_user_mmap_entry *rdma_entry)
{
	struct mlx5_ib_mmap_entry *entry =
		container_of(rdma_entry, struct mlx5_ib_mmap_entry, rdma_entry);

	entry->free(to_mdev(rdma_entry->ucontext->device), entry);
}
