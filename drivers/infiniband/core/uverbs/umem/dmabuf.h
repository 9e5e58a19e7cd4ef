/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef RDMA_UVERBS_DMABUF_H
#define RDMA_UVERBS_DMABUF_H

#include "umem.h"

struct ib_umem_dmabuf *umem_dmabuf_attach(struct ib_device *device, struct device *dma_device,
					  unsigned long offset, size_t size, int fd, int access,
					  const struct dma_buf_attach_ops *ops);

#endif
