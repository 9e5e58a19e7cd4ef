// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Doorbell records in a process's memory. Many queues have theirs on one page, which is pinned
 * once. The same context may be used by several processes, so that an address tells a page only
 * together with whose it is.
 */
#include <linux/sched/mm.h>
#include "device.h"

struct mlx5_ib_user_db_page {
	struct rb_node node;
	struct mm_struct *mm; /* held, so that no other can be at its place */
	unsigned long virt;
	struct ib_umem *umem;
	u32 users;
};

/* Negative: @page comes after the page wanted. */
static int compare(const struct mm_struct *mm, unsigned long virt,
		   const struct mlx5_ib_user_db_page *page)
{
	if (mm != page->mm)
		return mm < page->mm ? -1 : 1;
	if (virt != page->virt)
		return virt < page->virt ? -1 : 1;
	return 0;
}

/* Where the page is, or where it would be. */
static struct rb_node **find(struct rb_root *pages, unsigned long virt, struct rb_node **parent)
{
	struct rb_node **link = &pages->rb_node;
	int order;

	*parent = NULL;
	while (*link) {
		order = compare(current->mm, virt,
				rb_entry(*link, struct mlx5_ib_user_db_page, node));
		if (!order)
			break;
		*parent = *link;
		link = order < 0 ? &(*link)->rb_left : &(*link)->rb_right;
	}
	return link;
}

static struct mlx5_ib_user_db_page *pin(struct ib_device *ibdev, unsigned long virt)
{
	struct mlx5_ib_user_db_page *page = kzalloc(sizeof(*page), GFP_KERNEL_ACCOUNT);
	struct ib_umem *umem;

	if (!page)
		return ERR_PTR(-ENOMEM);
	umem = ib_umem_get(ibdev, virt, PAGE_SIZE, 0);
	if (IS_ERR(umem)) {
		kfree(page);
		return ERR_CAST(umem);
	}
	page->umem = umem;
	page->virt = virt;
	page->mm = current->mm;
	mmgrab(page->mm);
	return page;
}

/* With the context's db_lock held. */
static struct mlx5_ib_user_db_page *get_page_of(struct mlx5_ib_ucontext *context,
						unsigned long virt)
{
	struct mlx5_ib_user_db_page *page;
	struct rb_node **link, *parent;

	link = find(&context->db_pages, virt, &parent);
	if (*link)
		return rb_entry(*link, struct mlx5_ib_user_db_page, node);
	page = pin(context->ibucontext.device, virt);
	if (IS_ERR(page))
		return page;
	rb_link_node(&page->node, parent, link);
	rb_insert_color(&page->node, &context->db_pages);
	return page;
}

/**
 * mlx5_ib_db_map_user - pin the page with a doorbell record
 * @context: the process's
 * @virt: where the record is in the process
 * @db: where it is for the device
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int mlx5_ib_db_map_user(struct mlx5_ib_ucontext *context, unsigned long virt, struct mlx5_db *db)
{
	struct mlx5_ib_user_db_page *page;

	mutex_lock(&context->db_lock);
	page = get_page_of(context, virt & PAGE_MASK);
	if (!IS_ERR(page)) {
		page->users++;
		db->u.user_page = page;
		db->dma = sg_dma_address(page->umem->sgt_append.sgt.sgl) + (virt & ~PAGE_MASK);
	}
	mutex_unlock(&context->db_lock);
	return PTR_ERR_OR_ZERO(page);
}

/**
 * mlx5_ib_db_unmap_user - the queue of a doorbell record is gone
 * @context: as at mlx5_ib_db_map_user()
 * @db: as it was then
 *
 * Context: may sleep.
 */
void mlx5_ib_db_unmap_user(struct mlx5_ib_ucontext *context, struct mlx5_db *db)
{
	struct mlx5_ib_user_db_page *page = db->u.user_page;
	bool last;

	mutex_lock(&context->db_lock);
	last = !--page->users;
	if (last)
		rb_erase(&page->node, &context->db_pages);
	mutex_unlock(&context->db_lock);
	if (!last)
		return;
	ib_umem_release(page->umem);
	mmdrop(page->mm);
	kfree(page);
}
