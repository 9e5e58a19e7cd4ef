// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A piece of a dma-buf, which its exporter may move: the driver's move_notify tells the device. */

#include <linux/dma-buf.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "dmabuf.h"

MODULE_IMPORT_NS(DMA_BUF);

static struct ib_umem_dmabuf *attach(struct ib_device *device, struct device *dma_device,
				     struct dma_buf *dmabuf, unsigned long offset, size_t size,
				     int access, const struct dma_buf_attach_ops *ops)
{
	struct ib_umem_dmabuf *umem_dmabuf = kzalloc(sizeof(*umem_dmabuf), GFP_KERNEL);
	int ret;

	if (!umem_dmabuf)
		return ERR_PTR(-ENOMEM);
	umem_dmabuf->umem.ibdev = device;
	umem_dmabuf->umem.address = offset;
	umem_dmabuf->umem.length = size;
	umem_dmabuf->umem.writable = ib_access_writable(access);
	umem_dmabuf->umem.is_dmabuf = 1;

	umem_dmabuf->attach = dma_buf_dynamic_attach(dmabuf, dma_device, ops, umem_dmabuf);
	if (IS_ERR(umem_dmabuf->attach)) {
		ret = PTR_ERR(umem_dmabuf->attach);
		kfree(umem_dmabuf);
		return ERR_PTR(ret);
	}
	return umem_dmabuf;
}

/**
 * umem_dmabuf_attach - what all ways to get a umem of a dma-buf begin with
 * @device: what is going to access it
 * @dma_device: what does that on the bus
 * @offset: where in the buffer to start
 * @size: bytes
 * @fd: the buffer, a file of the current process
 * @access: enum ib_access_flags
 * @ops: called with the umem as importer_priv
 *
 * Context: Sleeps. A system call of the process.
 * Return: see ib_umem_dmabuf_get().
 */
struct ib_umem_dmabuf *umem_dmabuf_attach(struct ib_device *device, struct device *dma_device,
					  unsigned long offset, size_t size, int fd, int access,
					  const struct dma_buf_attach_ops *ops)
{
	struct ib_umem_dmabuf *umem_dmabuf = ERR_PTR(-EINVAL);
	struct dma_buf *dmabuf;
	unsigned long end;

	if (check_add_overflow(offset, size, &end) || !ops || !ops->move_notify)
		return ERR_PTR(-EINVAL);

	dmabuf = dma_buf_get(fd);
	if (IS_ERR(dmabuf))
		return ERR_CAST(dmabuf);
	if (size && end <= dmabuf->size)
		umem_dmabuf = attach(device, dma_device, dmabuf, offset, size, access, ops);
	if (IS_ERR(umem_dmabuf))
		dma_buf_put(dmabuf);
	return umem_dmabuf;
}

/**
 * ib_umem_dmabuf_get - use a piece of a dma-buf as a device's memory
 * @device: what is going to access it
 * @offset: where in the buffer to start
 * @size: bytes
 * @fd: the buffer, a file of the current process
 * @access: enum ib_access_flags
 * @ops: the driver's, called with the umem as importer_priv and the buffer's reservation lock held
 *
 * The driver maps it with ib_umem_dmabuf_map_pages() and, when move_notify() says so, unmaps it.
 *
 * Context: Sleeps. A system call of the process.
 * Return: the umem, for ib_umem_release(). Or -EINVAL for an empty piece, one that isn't in the
 * buffer, and without move_notify(); -EBADF if @fd isn't open; -ENOMEM; what attaching says.
 */
struct ib_umem_dmabuf *ib_umem_dmabuf_get(struct ib_device *device, unsigned long offset,
					  size_t size, int fd, int access,
					  const struct dma_buf_attach_ops *ops)
{
	return umem_dmabuf_attach(device, device->dma_device, offset, size, fd, access, ops);
}
EXPORT_SYMBOL(ib_umem_dmabuf_get);

/**
 * ib_umem_dmabuf_release - ib_umem_release() of a piece of a dma-buf
 * @umem_dmabuf: the umem; the device doesn't access it any more
 *
 * Context: Sleeps. Takes the buffer's reservation lock.
 */
void ib_umem_dmabuf_release(struct ib_umem_dmabuf *umem_dmabuf)
{
	struct dma_buf *dmabuf = umem_dmabuf->attach->dmabuf;

	ib_umem_dmabuf_revoke(umem_dmabuf);
	dma_buf_detach(dmabuf, umem_dmabuf->attach);
	dma_buf_put(dmabuf);
	kfree(umem_dmabuf);
}
