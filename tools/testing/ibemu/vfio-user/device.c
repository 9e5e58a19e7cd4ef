/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A PCI device on a unix socket: the listener, and one function for each message of the protocol.
 *
 * The device outlives its clients. A guest that reboots keeps its client and sends a reset; a
 * client that goes takes its memory and interrupts with it, and the next one finds the device as
 * after power-on.
 */
#include "vfio-user/vfio-user.h"

#include <errno.h>
#include <linux/vfio.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/listen.h"
#include "base/log.h"
#include "vfio-user/connection.h"
#include "vfio-user/irqs.h"
#include "vfio-user/memory.h"
#include "vfio-user/pci.h"

struct vfu_device {
	struct loop *loop;
	struct vfu_config config;
	const struct vfu_ops *ops;
	void *ctx;
	char *name; /* in the log: the path of its socket */
	struct listener listener;
	struct connection connection;
	bool negotiated;
	bool absent; /* pulled out of its slot */
	struct memory memory;
	struct irqs irqs;
	struct pci_space pci;
};

/* What can be set by the guest is as after power-on; the client's memory and eventfds stay. */
static void reset(struct vfu_device *device)
{
	device->ops->reset(device->ctx);
	pci_reset(&device->pci);
	device->memory.bus_master = false;
	irqs_set_bus_master(&device->irqs, false);
	irqs_clear_pending(&device->irqs);
}

/* Regions */

static uint64_t region_size(const struct vfu_device *device, uint32_t region)
{
	switch (region) {
	case VFIO_PCI_BAR0_REGION_INDEX:
		return device->config.bar0_size;
	case VFIO_PCI_BAR2_REGION_INDEX:
		return device->config.bar2_size;
	case VFIO_PCI_CONFIG_REGION_INDEX:
		return PCI_SPACE;
	default:
		return 0;
	}
}

static bool within_region(const struct vfu_device *device, const struct vfu_region_access *access)
{
	uint64_t size = region_size(device, access->region);

	return access->count && access->count <= CONNECTION_MAX_DATA && access->offset < size &&
	       access->count <= size - access->offset;
}

/*
 * The client emulates the MSI-X table, but asks us for the pending bits. They lie over what the
 * device has there.
 */
static void overlay_pending_bits(struct vfu_device *device, const struct vfu_region_access *access,
				 uint8_t *data)
{
	const struct vfu_config *config = &device->config;
	uint64_t start = config->msix_pba_offset;
	uint64_t end = start + (config->msix_vectors + 63) / 64 * 8;
	uint64_t from = access->offset > start ? access->offset : start;
	uint64_t to = access->offset + access->count < end ? access->offset + access->count : end;

	if (access->region == config->msix_bar && from < to)
		irqs_read_pending_bits(&device->irqs, from - start, data + (from - access->offset),
				       to - from);
}

static void read_region(struct vfu_device *device, const struct vfu_region_access *access,
			uint8_t *data)
{
	if (device->absent) {
		memset(data, 0xff, access->count);
		return;
	}
	if (access->region == VFIO_PCI_CONFIG_REGION_INDEX) {
		pci_read(&device->pci, access->offset, data, access->count);
		return;
	}
	device->ops->bar_read(device->ctx, access->region, access->offset, data, access->count);
	overlay_pending_bits(device, access, data);
}

static void write_config(struct vfu_device *device, const struct vfu_region_access *access,
			 const uint8_t *data)
{
	if (pci_write(&device->pci, access->offset, data, access->count)) {
		log_info("%s: function-level reset", device->name);
		reset(device);
	}
	device->memory.bus_master = pci_is_bus_master(&device->pci);
	irqs_set_bus_master(&device->irqs, device->memory.bus_master);
}

static void write_region(struct vfu_device *device, const struct vfu_region_access *access,
			 const uint8_t *data)
{
	if (device->absent)
		return;
	if (access->region == VFIO_PCI_CONFIG_REGION_INDEX)
		write_config(device, access, data);
	else
		device->ops->bar_write(device->ctx, access->region, access->offset, data,
				       access->count);
}

/*
 * Messages. Each function finds at least min_payload bytes; 0, -errno for an error reply, or
 * CONNECTION_END.
 */

/*
 * The client's capabilities aren't looked at: we send no commands and no descriptors, and no more
 * data in a reply than was asked for, so none of them can limit us. pgsizes and max_dma_maps are
 * what memory.c takes.
 */
static size_t put_capabilities(char *to)
{
	static const struct {
		const char *name;
		unsigned int value;
	} ours[] = {
		{ "max_msg_fds", CONNECTION_MAX_FDS },
		{ "max_data_xfer_size", CONNECTION_MAX_DATA },
		{ "max_dma_maps", MEMORY_MAX_MAPPINGS },
		{ "pgsizes", MEMORY_PAGE },
	};
	const size_t room = 256; /* the text takes about half of it */
	size_t len = (size_t)snprintf(to, room, "{\"capabilities\":{");

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		len += (size_t)snprintf(to + len, room - len, "\"%s\":%u,", ours[i].name,
					ours[i].value);
	return len + (size_t)snprintf(to + len, room - len, "\"write_multiple\":true}}") + 1;
}

static int negotiate(struct vfu_device *device, struct message *message, struct reply *reply)
{
	const struct vfu_version *theirs = (const void *)message->payload;
	struct vfu_version *ours = (void *)reply->payload;

	if (device->negotiated)
		return -EINVAL;
	if (theirs->major != VFU_MAJOR) {
		log_warn("%s: client speaks vfio-user %u.%u", device->name, theirs->major,
			 theirs->minor);
		return CONNECTION_END;
	}
	if (message->payload_len > sizeof(*theirs) && message->payload[message->payload_len - 1])
		return -EINVAL;
	ours->major = VFU_MAJOR;
	ours->minor = theirs->minor < VFU_MINOR ? theirs->minor : VFU_MINOR;
	reply->payload_len = sizeof(*ours) + put_capabilities((char *)(ours + 1));
	device->negotiated = true;
	return 0;
}

static int dma_map_message(struct vfu_device *device, struct message *message, struct reply *reply)
{
	const struct vfu_dma_map *map = (const void *)message->payload;
	int error;

	(void)reply;
	if (message->fd_count > 1 || map->argsz < sizeof(*map))
		return -EINVAL;
	error = memory_map(&device->memory, map->addr, map->size, map->flags,
			   message->fd_count ? message->fds[0] : -1, map->offset);
	log_debug("%s: map %#lx + %#lx%s: %s", device->name, map->addr, map->size,
		  message->fd_count ? "" : " without a descriptor", strerror(-error));
	return error;
}

static int dma_unmap_message(struct vfu_device *device, struct message *message,
			     struct reply *reply)
{
	const struct vfu_dma_unmap *unmap = (const void *)message->payload;
	int error = 0;

	if (unmap->argsz < sizeof(*unmap) || unmap->flags & ~(uint32_t)VFIO_DMA_UNMAP_FLAG_ALL)
		return -EINVAL;
	if (!(unmap->flags & VFIO_DMA_UNMAP_FLAG_ALL))
		error = memory_unmap(&device->memory, unmap->addr, unmap->size);
	else if (unmap->addr || unmap->size)
		error = -EINVAL;
	else
		memory_unmap_all(&device->memory);
	log_debug("%s: unmap %#lx + %#lx: %s", device->name, unmap->addr, unmap->size,
		  strerror(-error));
	if (error)
		return error;
	memcpy(reply->payload, unmap, sizeof(*unmap));
	reply->payload_len = sizeof(*unmap);
	return 0;
}

static int get_info(struct vfu_device *device, struct message *message, struct reply *reply)
{
	const struct vfu_device_info *request = (const void *)message->payload;
	struct vfu_device_info *info = (void *)reply->payload;

	(void)device;
	if (request->argsz < sizeof(*info))
		return -EINVAL;
	*info = (struct vfu_device_info){
		.argsz = sizeof(*info),
		.flags = VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI,
		.num_regions = VFIO_PCI_NUM_REGIONS,
		.num_irqs = VFIO_PCI_NUM_IRQS,
	};
	reply->payload_len = sizeof(*info);
	return 0;
}

/* No region can be mapped by the client: each access to a register is to be seen. */
static int get_region_info(struct vfu_device *device, struct message *message, struct reply *reply)
{
	const struct vfio_region_info *request = (const void *)message->payload;
	struct vfio_region_info *info = (void *)reply->payload;
	uint64_t size;

	if (request->argsz < sizeof(*info) || request->index >= VFIO_PCI_NUM_REGIONS)
		return -EINVAL;
	size = region_size(device, request->index);
	*info = (struct vfio_region_info){
		.argsz = sizeof(*info),
		.flags = size ? VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE : 0,
		.index = request->index,
		.size = size,
	};
	reply->payload_len = sizeof(*info);
	return 0;
}

/* None: see get_region_info(). */
static int get_region_io_fds(struct vfu_device *device, struct message *message,
			     struct reply *reply)
{
	/* argsz, flags, region index, number of descriptors: 32 bits each */
	const uint32_t *request = (const void *)message->payload;
	uint32_t *answer = (void *)reply->payload;

	(void)device;
	if (request[0] < 4 * sizeof(*request) || request[1] || request[2] >= VFIO_PCI_NUM_REGIONS ||
	    request[3])
		return -EINVAL;
	answer[0] = 4 * sizeof(*answer);
	answer[1] = 0;
	answer[2] = request[2];
	answer[3] = 0;
	reply->payload_len = 4 * sizeof(*answer);
	return 0;
}

static int get_irq_info(struct vfu_device *device, struct message *message, struct reply *reply)
{
	const struct vfio_irq_info *request = (const void *)message->payload;
	struct vfio_irq_info *info = (void *)reply->payload;
	struct irq *first;

	if (request->argsz < sizeof(*info) || request->index >= VFIO_PCI_NUM_IRQS)
		return -EINVAL;
	*info = (struct vfio_irq_info){
		.argsz = sizeof(*info),
		.index = request->index,
		.count = irqs_of_index(&device->irqs, request->index, &first),
	};
	if (info->count)
		info->flags = VFIO_IRQ_INFO_EVENTFD;
	if (request->index == VFIO_PCI_MSIX_IRQ_INDEX)
		info->flags |= VFIO_IRQ_INFO_MASKABLE;
	reply->payload_len = sizeof(*info);
	return 0;
}

static int set_irqs(struct vfu_device *device, struct message *message, struct reply *reply)
{
	const struct vfio_irq_set *set = (const void *)message->payload;

	(void)reply;
	if (set->argsz < sizeof(*set))
		return -EINVAL;
	return irqs_set(&device->irqs, set, message->payload + sizeof(*set),
			message->payload_len - sizeof(*set), message->fds, message->fd_count);
}

static int region_read(struct vfu_device *device, struct message *message, struct reply *reply)
{
	const struct vfu_region_access *access = (const void *)message->payload;

	if (!within_region(device, access))
		return -EINVAL;
	memcpy(reply->payload, access, sizeof(*access));
	read_region(device, access, reply->payload + sizeof(*access));
	reply->payload_len = sizeof(*access) + access->count;
	return 0;
}

static int region_write(struct vfu_device *device, struct message *message, struct reply *reply)
{
	const struct vfu_region_access *access = (const void *)message->payload;

	if (!within_region(device, access) ||
	    message->payload_len - sizeof(*access) != access->count)
		return -EINVAL;
	write_region(device, access, message->payload + sizeof(*access));
	memcpy(reply->payload, access, sizeof(*access));
	reply->payload_len = sizeof(*access);
	return 0;
}

static int region_write_multi(struct vfu_device *device, struct message *message,
			      struct reply *reply)
{
	const struct vfu_short_write *writes = (const void *)(message->payload + sizeof(uint64_t));
	size_t room = (message->payload_len - sizeof(uint64_t)) / sizeof(*writes);
	uint64_t count;

	memcpy(&count, message->payload, sizeof(count));
	if (count > room)
		return -EINVAL;
	for (size_t i = 0; i < count; i++)
		if (writes[i].to.count > sizeof(writes[i].data) ||
		    !within_region(device, &writes[i].to))
			return -EINVAL;
	for (size_t i = 0; i < count; i++)
		write_region(device, &writes[i].to, writes[i].data);
	memcpy(reply->payload, &count, sizeof(count));
	reply->payload_len = sizeof(count);
	return 0;
}

static int device_reset(struct vfu_device *device, struct message *message, struct reply *reply)
{
	(void)message;
	(void)reply;
	log_info("%s: reset by the client", device->name);
	reset(device);
	return 0;
}

/* Migration and all else that isn't here is refused with ENOTSUP. */
static const struct handler {
	int (*handle)(struct vfu_device *device, struct message *message, struct reply *reply);
	size_t min_payload;
} handlers[] = {
	[VFU_VERSION] = { negotiate, sizeof(struct vfu_version) },
	[VFU_DMA_MAP] = { dma_map_message, sizeof(struct vfu_dma_map) },
	[VFU_DMA_UNMAP] = { dma_unmap_message, sizeof(struct vfu_dma_unmap) },
	[VFU_DEVICE_GET_INFO] = { get_info, sizeof(struct vfu_device_info) },
	[VFU_DEVICE_GET_REGION_INFO] = { get_region_info, sizeof(struct vfio_region_info) },
	[VFU_DEVICE_GET_REGION_IO_FDS] = { get_region_io_fds, 4 * sizeof(uint32_t) },
	[VFU_DEVICE_GET_IRQ_INFO] = { get_irq_info, sizeof(struct vfio_irq_info) },
	[VFU_DEVICE_SET_IRQS] = { set_irqs, sizeof(struct vfio_irq_set) },
	[VFU_REGION_READ] = { region_read, sizeof(struct vfu_region_access) },
	[VFU_REGION_WRITE] = { region_write, sizeof(struct vfu_region_access) },
	[VFU_DEVICE_RESET] = { device_reset, 0 },
	[VFU_REGION_WRITE_MULTI] = { region_write_multi, sizeof(uint64_t) },
};

static int handle_message(void *ctx, struct message *message, struct reply *reply)
{
	struct vfu_device *device = ctx;
	unsigned int command = message->header.command;
	const struct handler *handler =
		command < sizeof(handlers) / sizeof(handlers[0]) ? &handlers[command] : NULL;
	int error;

	if (!device->negotiated && command != VFU_VERSION) {
		log_warn("%s: client doesn't begin with a version", device->name);
		return CONNECTION_END;
	}
	if (!handler || !handler->handle)
		error = -ENOTSUP;
	else if (message->payload_len < handler->min_payload)
		error = -EINVAL;
	else
		error = handler->handle(device, message, reply);
	if (error < 0)
		log_debug("%s: command %u: %s", device->name, command, strerror(-error));
	return error;
}

/* Clients */

static void client_ended(void *ctx)
{
	struct vfu_device *device = ctx;

	connection_close(&device->connection);
	reset(device);
	memory_unmap_all(&device->memory);
	irqs_release(&device->irqs);
	device->negotiated = false;
	log_info("%s: client is gone", device->name);
}

static const struct connection_ops connection_ops = {
	.message = handle_message,
	.ended = client_ended,
};

/* One client at a time. An old one that is gone may not have been noticed yet. */
static void take_client(void *ctx, int fd)
{
	struct vfu_device *device = ctx;

	if (connection_is_open(&device->connection) && connection_hung_up(&device->connection))
		client_ended(device);
	if (connection_is_open(&device->connection)) {
		log_warn("%s: a second client was turned away", device->name);
		close(fd);
	} else if (connection_open(&device->connection, fd) == 0) {
		log_info("%s: client connected", device->name);
	}
}

struct vfu_device *vfu_create(struct loop *loop, const char *socket_path,
			      const struct vfu_config *config, const struct vfu_ops *ops, void *ctx)
{
	struct vfu_device *device = calloc(1, sizeof(*device));
	int error;

	if (!device)
		return NULL;
	device->loop = loop;
	device->config = *config;
	device->ops = ops;
	device->ctx = ctx;
	memory_init(&device->memory);
	connection_init(&device->connection, loop, &connection_ops, device);
	device->name = strdup(socket_path);
	error = device->name ? pci_init(&device->pci, config) : -ENOMEM;
	if (!error)
		error = irqs_init(&device->irqs, config->msix_vectors);
	if (!error)
		error = listener_open(&device->listener, loop, socket_path, take_client, device);
	if (!error)
		return device;
	vfu_destroy(device);
	errno = -error;
	return NULL;
}

void vfu_destroy(struct vfu_device *device)
{
	if (!device)
		return;
	connection_close(&device->connection);
	listener_close(&device->listener);
	memory_unmap_all(&device->memory);
	irqs_destroy(&device->irqs);
	free(device->name);
	free(device);
}

struct dma *vfu_dma(struct vfu_device *device)
{
	return &device->memory.dma;
}

void vfu_raise(struct vfu_device *device, unsigned int vector)
{
	if (vector < device->irqs.msix_count)
		irqs_raise(&device->irqs, &device->irqs.msix[vector]);
}

int vfu_request_unplug(struct vfu_device *device)
{
	if (device->irqs.request.eventfd < 0)
		return -ENOTCONN;
	irqs_raise(&device->irqs, &device->irqs.request);
	return 0;
}

void vfu_set_present(struct vfu_device *device, bool present)
{
	if (device->absent == !present)
		return;
	log_info("%s: %s", device->name, present ? "put back" : "pulled out");
	device->absent = !present;
	reset(device); /* which also takes bus mastering away, and with it memory and interrupts */
}
