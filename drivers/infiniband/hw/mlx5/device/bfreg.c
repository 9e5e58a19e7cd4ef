// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Doorbells of a context whose library wants them given at open: pages of the device (UARs), with
 * some doorbells on each. A library of today makes its pages by itself (uar.c) and has none of
 * these.
 */
#include "device.h"

static void free_uars(struct mlx5_ib_ucontext *context)
{
	struct mlx5_core_dev *mdev = to_mdev(context->ibucontext.device)->mdev;
	struct mlx5_ib_bfregs *bfregs = context->bfregs;

	for (u32 i = 0; i < mlx5_ib_bfreg_pages(&bfregs->plan); i++)
		if (bfregs->uars[i] != MLX5_IB_NO_UAR)
			mlx5_ib_cmd_dealloc_uar(mdev, context->devx_uid, bfregs->uars[i]);
}

static int alloc_uars(struct mlx5_ib_ucontext *context)
{
	struct mlx5_core_dev *mdev = to_mdev(context->ibucontext.device)->mdev;
	struct mlx5_ib_bfregs *bfregs = context->bfregs;
	int err = 0;

	for (u32 i = 0; i < mlx5_ib_bfreg_pages(&bfregs->plan); i++)
		bfregs->uars[i] = MLX5_IB_NO_UAR;
	for (u32 i = 0; i < mlx5_ib_bfreg_pages_at_open(&bfregs->plan) && !err; i++)
		err = mlx5_ib_cmd_alloc_uar(mdev, context->devx_uid, &bfregs->uars[i]);
	if (err)
		free_uars(context);
	return err;
}

static void free_bfregs(struct mlx5_ib_bfregs *bfregs)
{
	kfree(bfregs->users);
	kfree(bfregs->uars);
	kfree(bfregs);
}

/**
 * mlx5_ib_bfregs_create - give a context its doorbells
 * @context: with its devx_uid
 * @plan: how many
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int mlx5_ib_bfregs_create(struct mlx5_ib_ucontext *context, const struct mlx5_ib_bfreg_plan *plan)
{
	struct mlx5_ib_bfregs *bfregs = kzalloc(sizeof(*bfregs), GFP_KERNEL_ACCOUNT);
	int err = -ENOMEM;

	if (!bfregs)
		return -ENOMEM;
	bfregs->plan = *plan;
	mutex_init(&bfregs->lock);
	bfregs->users = kcalloc(plan->at_open, sizeof(*bfregs->users), GFP_KERNEL_ACCOUNT);
	bfregs->uars = kcalloc(mlx5_ib_bfreg_pages(plan), sizeof(*bfregs->uars),
			       GFP_KERNEL_ACCOUNT);
	context->bfregs = bfregs;
	if (bfregs->users && bfregs->uars)
		err = alloc_uars(context);
	if (!err)
		return 0;
	context->bfregs = NULL;
	free_bfregs(bfregs);
	return err;
}

void mlx5_ib_bfregs_destroy(struct mlx5_ib_ucontext *context)
{
	if (!context->bfregs)
		return;
	free_uars(context);
	free_bfregs(context->bfregs);
}

/**
 * mlx5_ib_bfreg_alloc - a doorbell for one more queue
 * @context: the queue's
 * @uar_index: its page
 * @library_index: what the library calls it
 *
 * Context: may sleep.
 * Return: its number, for mlx5_ib_bfreg_free(); -EINVAL: this context makes doorbells by itself.
 */
int mlx5_ib_bfreg_alloc(struct mlx5_ib_ucontext *context, u32 *uar_index, u32 *library_index)
{
	struct mlx5_ib_bfregs *bfregs = context->bfregs;
	u32 bfregn;

	if (!bfregs)
		return -EINVAL;
	mutex_lock(&bfregs->lock);
	bfregn = mlx5_ib_bfreg_choose(&bfregs->plan, bfregs->users);
	bfregs->users[bfregn]++;
	mutex_unlock(&bfregs->lock);
	*uar_index = bfregs->uars[bfregn / bfregs->plan.per_page] +
		     bfregn % bfregs->plan.per_page / MLX5_NON_FP_BFREGS_PER_UAR;
	*library_index = mlx5_ib_bfreg_library_index(bfregn);
	return bfregn;
}

void mlx5_ib_bfreg_free(struct mlx5_ib_ucontext *context, int bfregn)
{
	struct mlx5_ib_bfregs *bfregs = context->bfregs;

	mutex_lock(&bfregs->lock);
	bfregs->users[bfregn]--;
	mutex_unlock(&bfregs->lock);
}

/**
 * mlx5_ib_bfreg_uar - the page of a doorbell that a process has made by mapping it
 * @context: the process's
 * @index: of the doorbell, among those
 * @uar_index: its page
 *
 * Context: may sleep.
 * Return: 0; -EINVAL: it hasn't been made.
 */
int mlx5_ib_bfreg_uar(struct mlx5_ib_ucontext *context, u32 index, u32 *uar_index)
{
	struct mlx5_ib_bfregs *bfregs = context->bfregs;
	u32 page;

	if (!bfregs || index >= bfregs->plan.later)
		return -EINVAL;
	page = mlx5_ib_bfreg_pages_at_open(&bfregs->plan) + index / bfregs->plan.per_page;
	mutex_lock(&bfregs->lock);
	*uar_index = bfregs->uars[page];
	mutex_unlock(&bfregs->lock);
	if (*uar_index == MLX5_IB_NO_UAR)
		return -EINVAL;
	*uar_index += index % bfregs->plan.per_page / MLX5_NON_FP_BFREGS_PER_UAR;
	return 0;
}

int mlx5_ib_first_uar(struct mlx5_ib_ucontext *context, u32 *uar_index)
{
	if (!context->bfregs)
		return -EINVAL;
	*uar_index = context->bfregs->uars[0];
	return 0;
}

static int map(struct mlx5_ib_ucontext *context, struct vm_area_struct *vma, u32 uar_index,
	       bool write_combining)
{
	phys_addr_t address = mlx5_ib_uar_address(to_mdev(context->ibucontext.device), uar_index);

	return rdma_user_mmap_io(&context->ibucontext, vma, address >> PAGE_SHIFT, PAGE_SIZE,
				 write_combining ? pgprot_writecombine(vma->vm_page_prot) :
						   pgprot_noncached(vma->vm_page_prot),
				 NULL);
}

/* A page that wasn't there before, made and mapped; it stays until the context goes. */
static int make_and_map(struct mlx5_ib_ucontext *context, struct vm_area_struct *vma, u32 page)
{
	struct mlx5_core_dev *mdev = to_mdev(context->ibucontext.device)->mdev;
	u32 *uar = &context->bfregs->uars[page];
	u32 made;
	int err;

	if (*uar != MLX5_IB_NO_UAR)
		return -EINVAL;
	err = mlx5_ib_cmd_alloc_uar(mdev, context->devx_uid, &made);
	if (err)
		return err;
	err = map(context, vma, made, true);
	if (err)
		mlx5_ib_cmd_dealloc_uar(mdev, context->devx_uid, made);
	else
		*uar = made;
	return err;
}

/**
 * mlx5_ib_bfregs_mmap - map a page with doorbells
 * @context: the process's
 * @vma: where
 * @page: number of the page, among those at open or, if @make, those that may be made
 * @make: it's a new one
 * @write_combining: how
 *
 * Context: may sleep.
 * Return: 0 or a negative errno; -EINVAL: there is no such page, or it can't be new.
 */
int mlx5_ib_bfregs_mmap(struct mlx5_ib_ucontext *context, struct vm_area_struct *vma, u32 page,
			bool make, bool write_combining)
{
	struct mlx5_ib_bfregs *bfregs = context->bfregs;
	u32 at_open;
	int err;

	if (!bfregs)
		return -EINVAL;
	at_open = mlx5_ib_bfreg_pages_at_open(&bfregs->plan);
	if (!make)
		return page < at_open ? map(context, vma, bfregs->uars[page], write_combining) :
					-EINVAL;
	if (page >= mlx5_ib_bfreg_pages(&bfregs->plan) - at_open)
		return -EINVAL;
	mutex_lock(&bfregs->lock);
	err = make_and_map(context, vma, at_open + page);
	mutex_unlock(&bfregs->lock);
	return err;
}
