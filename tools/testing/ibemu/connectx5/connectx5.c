// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The device on its PCI bus.
 */
#include "connectx5/connectx5.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "connectx5/device.h"
#include "vfio-user/vfio-user.h"

#define ISEG_END                                                                                   \
	0x4000 /* the initialization segment, and the MSI-X table, which the client emulates */

struct pci_device {
	struct connectx5 dev;
	struct vfu_device *vfu;
};

void cx5_bar_read(struct connectx5 *dev, uint64_t offset, uint8_t *buf, size_t len)
{
	memset(buf, 0, len); /* doorbells can't be read */
	if (offset < ISEG_END)
		cx5_iseg_read(dev, offset, buf, len);
}

void cx5_bar_write(struct connectx5 *dev, uint64_t offset, const uint8_t *buf, size_t len)
{
	if (offset < ISEG_END)
		cx5_iseg_write(dev, offset, buf, len);
	else
		cx5_uar_write(dev, offset, buf, len);
}

static void bar_read(void *ctx, unsigned int bar, uint64_t offset, uint8_t *buf, size_t len)
{
	(void)bar;
	cx5_bar_read(ctx, offset, buf, len);
}

static void bar_write(void *ctx, unsigned int bar, uint64_t offset, const uint8_t *buf, size_t len)
{
	(void)bar;
	cx5_bar_write(ctx, offset, buf, len);
}

static void reset(void *ctx)
{
	cx5_reset(ctx);
}

static const struct vfu_ops vfu_ops = { .bar_read = bar_read,
					.bar_write = bar_write,
					.reset = reset };

static const struct vfu_config vfu_config = {
	.vendor_id = 0x15b3,
	.device_id = 0x1017,
	.subsystem_vendor_id = 0x15b3,
	.subsystem_id = 0x0009,
	.class_code = 0x020700,
	.bar0_size = CX5_BAR0_SIZE,
	.msix_vectors = CX5_VECTORS,
	.msix_bar = 0,
	.msix_table_offset = 0x2000,
	.msix_pba_offset = 0x3000,
	.part_number = "IBEMU-CX5",
	.serial_number = "0",
};

static void raise_vector(void *host, unsigned int vector)
{
	struct pci_device *pci = host;

	vfu_raise(pci->vfu, vector);
}

struct connectx5 *connectx5_create(struct loop *loop, struct fabric_node *node,
				   const char *socket_path, const struct connectx5_options *options)
{
	struct pci_device *pci = calloc(1, sizeof(*pci));
	int error;

	if (!pci)
		return NULL;
	pci->vfu = vfu_create(loop, socket_path, &vfu_config, &vfu_ops, &pci->dev);
	if (!pci->vfu) {
		free(pci);
		return NULL;
	}
	error = cx5_init(&pci->dev, loop_sched(loop), vfu_dma(pci->vfu), node, options,
			 raise_vector, pci);
	if (!error)
		return &pci->dev;
	vfu_destroy(pci->vfu);
	free(pci);
	errno = -error;
	return NULL;
}

void connectx5_destroy(struct connectx5 *dev)
{
	struct pci_device *pci = container(dev, struct pci_device, dev);

	cx5_destroy(dev);
	vfu_destroy(pci->vfu);
	free(pci);
}

int connectx5_unplug(struct connectx5 *dev)
{
	return vfu_request_unplug(container(dev, struct pci_device, dev)->vfu);
}

void connectx5_set_present(struct connectx5 *dev, bool present)
{
	vfu_set_present(container(dev, struct pci_device, dev)->vfu, present);
}
