// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What all kinds of umem have in common. */

#include <linux/export.h>
#include <linux/scatterlist.h>
#include <rdma/ib_umem_odp.h>

#include "umem.h"

/**
 * ib_umem_release - give memory back to its process
 * @umem: any kind of umem, or NULL; the device doesn't access it any more
 *
 * Pages that the device may have written to become dirty.
 *
 * Context: Sleeps, and gives way to others however much memory it is. In any process.
 */
void ib_umem_release(struct ib_umem *umem)
{
	if (!umem)
		return;
	if (umem->is_dmabuf)
		ib_umem_dmabuf_release(to_ib_umem_dmabuf(umem));
	else if (umem->is_odp)
		ib_umem_odp_release(to_ib_umem_odp(umem));
	else
		umem_pinned_release(umem);
}
EXPORT_SYMBOL(ib_umem_release);

/**
 * ib_umem_find_best_pgsz - choose the page size with which a device translates a umem
 * @umem: the umem; takes @virt for its address on the device
 * @pgsz_bitmap: page sizes that the device has, a bit each
 * @virt: the umem's address for the device
 *
 * See umem_page_size() for what is best. On-demand paging has the size that it was made with.
 *
 * Context: Any.
 * Return: a bit of @pgsz_bitmap; 0 if the device has no size that fits, which a driver reports as
 * -EINVAL.
 */
unsigned long ib_umem_find_best_pgsz(struct ib_umem *umem, unsigned long pgsz_bitmap, u64 virt)
{
	umem->iova = virt;
	if (umem->is_odp)
		return pgsz_bitmap & BIT(to_ib_umem_odp(umem)->page_shift);
	return umem_page_size(&umem->sgt_append.sgt, ib_umem_offset(umem), umem->length, virt,
			      pgsz_bitmap);
}
EXPORT_SYMBOL(ib_umem_find_best_pgsz);

/**
 * ib_umem_copy_from - read what is in pinned memory
 * @dst: where to copy it
 * @umem: a umem of pinned pages
 * @offset: where in it to start
 * @length: bytes
 *
 * Context: Any.
 * Return: 0, or -EINVAL if so much isn't there.
 */
int ib_umem_copy_from(void *dst, struct ib_umem *umem, size_t offset, size_t length)
{
	struct sg_table *table = &umem->sgt_append.sgt;

	if (offset > umem->length || length > umem->length - offset)
		return -EINVAL;
	if (sg_pcopy_to_buffer(table->sgl, table->orig_nents, dst, length,
			       ib_umem_offset(umem) + offset) != length)
		return -EINVAL;
	return 0;
}
EXPORT_SYMBOL(ib_umem_copy_from);

/**
 * ib_umem_check_rereg - may an MR keep its umem when its access changes?
 * @umem: the MR's umem, or NULL for an MR without
 * @flags: IB_MR_REREG_... as of the command
 * @new_access_flags: the access that is asked for
 *
 * Memory that was pinned for reading can't become writable: the pages may not be the process's own.
 * If the memory changes as well, there will be a new umem.
 *
 * Context: Any.
 * Return: 0 or -EACCES.
 */
int ib_umem_check_rereg(struct ib_umem *umem, int flags, int new_access_flags)
{
	if (!umem || umem->writable || !ib_access_writable(new_access_flags))
		return 0;
	if ((flags & (IB_MR_REREG_ACCESS | IB_MR_REREG_TRANS)) == IB_MR_REREG_ACCESS)
		return -EACCES;
	return 0;
}
EXPORT_SYMBOL(ib_umem_check_rereg);
