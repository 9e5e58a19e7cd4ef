// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A piece of a dma-buf for devices that can't follow when it moves: it's pinned. For those that can
 * give it up, the exporter may take it back all the same, once and for all. All of the state is
 * guarded by the buffer's reservation lock.
 */

#include <linux/dma-buf.h>
#include <linux/dma-resv.h>
#include <linux/export.h>

#include "dmabuf.h"

static void refuse_move(struct dma_buf_attachment *attach)
{
	struct ib_umem_dmabuf *umem_dmabuf = attach->importer_priv;

	ibdev_warn_ratelimited(umem_dmabuf->umem.ibdev,
			       "the exporter of a dma-buf moves it although it's pinned\n");
}

static void revoke(struct dma_buf_attachment *attach)
{
	struct ib_umem_dmabuf *umem_dmabuf = attach->importer_priv;

	dma_resv_assert_held(attach->dmabuf->resv);

	if (umem_dmabuf->revoked)
		return;
	umem_dmabuf->revoked = 1;

	if (umem_dmabuf->pinned_revoke)
		umem_dmabuf->pinned_revoke(umem_dmabuf->private);
	ib_umem_dmabuf_unmap_pages(umem_dmabuf);
	if (umem_dmabuf->pinned)
		dma_buf_unpin(attach);
	umem_dmabuf->pinned = 0;
}

static const struct dma_buf_attach_ops pinned_ops = {
	.allow_peer2peer = true,
	.move_notify = refuse_move,
};

static const struct dma_buf_attach_ops revocable_ops = {
	.allow_peer2peer = true,
	.move_notify = revoke,
};

static int pin_and_map(struct ib_umem_dmabuf *umem_dmabuf)
{
	int ret = dma_buf_pin(umem_dmabuf->attach);

	if (ret)
		return ret;
	umem_dmabuf->pinned = 1;
	return ib_umem_dmabuf_map_pages(umem_dmabuf);
}

/* Returns with the reservation lock held, if it succeeds. */
static struct ib_umem_dmabuf *get_pinned(struct ib_device *device, struct device *dma_device,
					 unsigned long offset, size_t size, int fd, int access,
					 const struct dma_buf_attach_ops *ops)
{
	struct ib_umem_dmabuf *umem_dmabuf;
	int ret;

	umem_dmabuf = umem_dmabuf_attach(device, dma_device, offset, size, fd, access, ops);
	if (IS_ERR(umem_dmabuf))
		return umem_dmabuf;

	ib_umem_dmabuf_revoke_lock(umem_dmabuf);
	ret = pin_and_map(umem_dmabuf);
	if (ret) {
		ib_umem_dmabuf_revoke_unlock(umem_dmabuf);
		ib_umem_dmabuf_release(umem_dmabuf);
		return ERR_PTR(ret);
	}
	return umem_dmabuf;
}

/**
 * ib_umem_dmabuf_get_pinned_with_dma_device - pin a piece of a dma-buf for a device of one's choice
 * @device: the RDMA device
 * @dma_device: what is going to access it on the bus
 * @offset: where in the buffer to start
 * @size: bytes
 * @fd: the buffer, a file of the current process
 * @access: enum ib_access_flags
 *
 * Context: Sleeps. A system call of the process.
 * Return: the umem, mapped, for ib_umem_release(). Or as ib_umem_dmabuf_get(); what the exporter
 * says.
 */
struct ib_umem_dmabuf *ib_umem_dmabuf_get_pinned_with_dma_device(struct ib_device *device,
								 struct device *dma_device,
								 unsigned long offset, size_t size,
								 int fd, int access)
{
	struct ib_umem_dmabuf *umem_dmabuf;

	umem_dmabuf = get_pinned(device, dma_device, offset, size, fd, access, &pinned_ops);
	if (!IS_ERR(umem_dmabuf))
		ib_umem_dmabuf_revoke_unlock(umem_dmabuf);
	return umem_dmabuf;
}
EXPORT_SYMBOL(ib_umem_dmabuf_get_pinned_with_dma_device);

/**
 * ib_umem_dmabuf_get_pinned - pin a piece of a dma-buf
 * @device: what is going to access it
 * @offset: where in the buffer to start
 * @size: bytes
 * @fd: the buffer, a file of the current process
 * @access: enum ib_access_flags
 *
 * Context: Sleeps. A system call of the process.
 * Return: the umem, mapped, for ib_umem_release(). Or as ib_umem_dmabuf_get(); what the exporter
 * says.
 */
struct ib_umem_dmabuf *ib_umem_dmabuf_get_pinned(struct ib_device *device, unsigned long offset,
						 size_t size, int fd, int access)
{
	return ib_umem_dmabuf_get_pinned_with_dma_device(device, device->dma_device, offset, size,
							 fd, access);
}
EXPORT_SYMBOL(ib_umem_dmabuf_get_pinned);

/**
 * ib_umem_dmabuf_get_pinned_revocable_and_lock - pin a piece of a dma-buf that may be taken back
 * @device: what is going to access it
 * @offset: where in the buffer to start
 * @size: bytes
 * @fd: the buffer, a file of the current process
 * @access: enum ib_access_flags
 *
 * Context: Sleeps. A system call of the process. On success the buffer's reservation lock is held:
 * before the driver lets go of it with ib_umem_dmabuf_revoke_unlock(), it says what is to be done
 * when the exporter takes the piece back, with ib_umem_dmabuf_set_revoke_locked().
 * Return: the umem, mapped, for ib_umem_release(). Or as ib_umem_dmabuf_get(); what the exporter
 * says.
 */
struct ib_umem_dmabuf *ib_umem_dmabuf_get_pinned_revocable_and_lock(struct ib_device *device,
								    unsigned long offset,
								    size_t size, int fd, int access)
{
	return get_pinned(device, device->dma_device, offset, size, fd, access, &revocable_ops);
}
EXPORT_SYMBOL(ib_umem_dmabuf_get_pinned_revocable_and_lock);

/**
 * ib_umem_dmabuf_set_revoke_locked - say what is done when a piece of a dma-buf is taken back
 * @umem_dmabuf: the umem
 * @revoke: called at most once, with the reservation lock held: by the exporter, by
 *	ib_umem_dmabuf_revoke(), or when the umem is released. When it returns, the device doesn't
 *	access the memory any more; an MR's key stays taken until the MR goes.
 * @priv: its argument
 *
 * Context: The buffer's reservation lock is held.
 */
void ib_umem_dmabuf_set_revoke_locked(struct ib_umem_dmabuf *umem_dmabuf,
				      void (*revoke)(void *priv), void *priv)
{
	dma_resv_assert_held(umem_dmabuf->attach->dmabuf->resv);

	umem_dmabuf->pinned_revoke = revoke;
	umem_dmabuf->private = priv;
}
EXPORT_SYMBOL(ib_umem_dmabuf_set_revoke_locked);

/**
 * ib_umem_dmabuf_revoke_lock - keep a umem's dma-buf from being taken back
 * @umem_dmabuf: the umem
 *
 * Context: Sleeps, for the buffer's reservation lock.
 */
void ib_umem_dmabuf_revoke_lock(struct ib_umem_dmabuf *umem_dmabuf)
{
	dma_resv_lock(umem_dmabuf->attach->dmabuf->resv, NULL);
}
EXPORT_SYMBOL(ib_umem_dmabuf_revoke_lock);

/**
 * ib_umem_dmabuf_revoke_unlock - undo ib_umem_dmabuf_revoke_lock()
 * @umem_dmabuf: the umem
 *
 * Context: Any.
 */
void ib_umem_dmabuf_revoke_unlock(struct ib_umem_dmabuf *umem_dmabuf)
{
	dma_resv_unlock(umem_dmabuf->attach->dmabuf->resv);
}
EXPORT_SYMBOL(ib_umem_dmabuf_revoke_unlock);

/**
 * ib_umem_dmabuf_revoke - give a piece of a dma-buf back before the umem is released
 * @umem_dmabuf: the umem; it can't be mapped any more. Nothing happens the second time
 *
 * Context: Sleeps, for the buffer's reservation lock.
 */
void ib_umem_dmabuf_revoke(struct ib_umem_dmabuf *umem_dmabuf)
{
	ib_umem_dmabuf_revoke_lock(umem_dmabuf);
	revoke(umem_dmabuf->attach);
	ib_umem_dmabuf_revoke_unlock(umem_dmabuf);
}
EXPORT_SYMBOL(ib_umem_dmabuf_revoke);
