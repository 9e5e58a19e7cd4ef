/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The messages of vfio-user, protocol version 0: data only. Their payloads are those of
 * <linux/vfio.h> where a structure of that name exists there; all fields are in host byte order, at
 * natural alignment. Source: QEMU, docs/interop/vfio-user.rst.
 */
#ifndef IBEMU_VFIO_USER_PROTOCOL_H
#define IBEMU_VFIO_USER_PROTOCOL_H

#include <stdint.h>

enum vfu_command {
	VFU_VERSION = 1,
	VFU_DMA_MAP = 2,
	VFU_DMA_UNMAP = 3,
	VFU_DEVICE_GET_INFO = 4,
	VFU_DEVICE_GET_REGION_INFO = 5,
	VFU_DEVICE_GET_REGION_IO_FDS = 6,
	VFU_DEVICE_GET_IRQ_INFO = 7,
	VFU_DEVICE_SET_IRQS = 8,
	VFU_REGION_READ = 9,
	VFU_REGION_WRITE = 10,
	VFU_DMA_READ = 11, /* to the client; ibemu sends none */
	VFU_DMA_WRITE = 12, /* to the client; ibemu sends none */
	VFU_DEVICE_RESET = 13,
	VFU_REGION_WRITE_MULTI = 15,
	VFU_DEVICE_FEATURE = 16,
	VFU_MIG_DATA_READ = 17,
	VFU_MIG_DATA_WRITE = 18,
};

#define VFU_MAJOR 0
#define VFU_MINOR 1

#define VFU_FLAG_TYPE 0xf
#define VFU_FLAG_TYPE_COMMAND 0
#define VFU_FLAG_TYPE_REPLY 1
#define VFU_FLAG_NO_REPLY 0x10
#define VFU_FLAG_ERROR 0x20

struct vfu_header {
	uint16_t id;
	uint16_t command;
	uint32_t size; /* of the whole message, with this header */
	uint32_t flags;
	uint32_t error; /* errno, in replies */
};

struct vfu_version {
	uint16_t major, minor; /* then JSON with a NUL at its end, or nothing */
};

struct vfu_dma_map {
	uint32_t argsz, flags; /* VFIO_DMA_MAP_FLAG_* */
	uint64_t offset; /* in the file */
	uint64_t addr, size;
};

struct vfu_dma_unmap {
	uint32_t argsz, flags; /* VFIO_DMA_UNMAP_FLAG_* */
	uint64_t addr, size;
};

struct vfu_device_info {
	uint32_t argsz, flags, num_regions, num_irqs;
};

struct vfu_region_access {
	uint64_t offset;
	uint32_t region, count; /* then the data */
};

/* In VFU_REGION_WRITE_MULTI, after a 64-bit count of these. */
struct vfu_short_write {
	struct vfu_region_access to; /* count: up to 8 */
	uint8_t data[8];
};

#endif
