/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The device side of the vfio-user protocol (QEMU docs/interop/vfio-user.rst): a PCI device on a
 * unix socket. It knows nothing of InfiniBand.
 */
#ifndef IBEMU_VFIO_USER_H
#define IBEMU_VFIO_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/loop.h"
#include "hca/dma.h"

struct vfu_device;

/*
 * The PCI face: what configuration space says. One 64-bit prefetchable BAR pair at BAR0 (BAR2:
 * second, size 0: none).
 */
struct vfu_config {
	uint16_t vendor_id, device_id, subsystem_vendor_id, subsystem_id;
	uint32_t class_code; /* 24 bits */
	uint8_t revision;
	uint64_t bar0_size, bar2_size; /* powers of two */
	unsigned int msix_vectors;
	unsigned int msix_bar;
	uint32_t msix_table_offset, msix_pba_offset;
	const char *part_number, *serial_number; /* VPD */
};

struct vfu_ops {
	/*
	 * Register accesses of the guest: any offset and length (1..len of the message) within the
	 * BAR.
	 */
	void (*bar_read)(void *ctx, unsigned int bar, uint64_t offset, uint8_t *buf, size_t len);
	void (*bar_write)(void *ctx, unsigned int bar, uint64_t offset, const uint8_t *buf,
			  size_t len);
	/*
	 * The guest is starting or restarting, or it is gone: forget everything, hold no DMA
	 * reference.
	 */
	void (*reset)(void *ctx);
};

/* Listens on socket_path (an old socket file there is replaced). NULL with errno set. */
struct vfu_device *vfu_create(struct loop *loop, const char *socket_path,
			      const struct vfu_config *config, const struct vfu_ops *ops,
			      void *ctx);
void vfu_destroy(struct vfu_device *device);

/* Memory of the guest that is connected now; without one, every access fails. */
struct dma *vfu_dma(struct vfu_device *device);

/* Raises an MSI-X vector; one that is masked or has no eventfd is kept pending. */
void vfu_raise(struct vfu_device *device, unsigned int vector);

/* Asks the client to unplug the device (VFIO's request interrupt). 0 or -errno: nobody listens. */
int vfu_request_unplug(struct vfu_device *device);

/*
 * Pulls the device out of its slot without notice, or puts it back as after power-on. In between,
 * its registers and configuration space read as all ones, writes are lost, and it gets no access to
 * memory and sends no interrupt.
 */
void vfu_set_present(struct vfu_device *device, bool present);

#endif
