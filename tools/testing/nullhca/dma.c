// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The device that does the DMA: its addresses are the kernel's, and a tester may refuse them. */

#include <linux/dma-map-ops.h>
#include <linux/scatterlist.h>

#include "nullhca.h"

static bool refused(struct device *dev, enum dma_data_direction direction)
{
	struct nullhca_slot *slot = dev_get_drvdata(dev);

	if (nullhca_pass_slot(slot, direction == DMA_TO_DEVICE ? NULLHCA_map_to_device :
								 NULLHCA_map_from_device))
		return true;
	atomic_inc(&slot->mappings);
	return false;
}

static void unmap(struct device *dev)
{
	struct nullhca_slot *slot = dev_get_drvdata(dev);

	atomic_dec(&slot->mappings);
}

static dma_addr_t map_page(struct device *dev, struct page *page, unsigned long offset,
			   size_t size, enum dma_data_direction direction, unsigned long attrs)
{
	if (refused(dev, direction))
		return DMA_MAPPING_ERROR;
	return (uintptr_t)page_address(page) + offset;
}

static void unmap_page(struct device *dev, dma_addr_t address, size_t size,
		       enum dma_data_direction direction, unsigned long attrs)
{
	unmap(dev);
}

static int map_sg(struct device *dev, struct scatterlist *list, int entries,
		  enum dma_data_direction direction, unsigned long attrs)
{
	struct scatterlist *entry;
	int i;

	if (refused(dev, direction))
		return -ENOMEM;
	for_each_sg(list, entry, entries, i) {
		sg_dma_address(entry) = (uintptr_t)sg_virt(entry);
		sg_dma_len(entry) = entry->length;
	}
	return entries;
}

static void unmap_sg(struct device *dev, struct scatterlist *list, int entries,
		     enum dma_data_direction direction, unsigned long attrs)
{
	unmap(dev);
}

static const struct dma_map_ops ops = {
	.map_page = map_page,
	.unmap_page = unmap_page,
	.map_sg = map_sg,
	.unmap_sg = unmap_sg,
};

/**
 * nullhca_dma_init - make the device that does a slot's DMA
 * @slot: the slot, numbered
 *
 * Return: 0, or a negative errno.
 */
int nullhca_dma_init(struct nullhca_slot *slot)
{
	struct platform_device *made;

	made = platform_device_register_simple("nullhca", slot->number, NULL, 0);
	if (IS_ERR(made))
		return PTR_ERR(made);
	platform_set_drvdata(made, slot);
	dma_set_max_seg_size(&made->dev, UINT_MAX);
	set_dma_ops(&made->dev, &ops);
	slot->dma_device = made;
	return 0;
}

/**
 * nullhca_dma_device - who does a slot's DMA
 * @slot: the slot
 *
 * Return: the device, or NULL in a kernel where a device can't have DMA operations of its own: it
 * would map to bus addresses. ib_core then takes the kernel's addresses as they are, and nothing
 * is refused.
 */
struct device *nullhca_dma_device(struct nullhca_slot *slot)
{
	return IS_ENABLED(CONFIG_ARCH_HAS_DMA_OPS) ? &slot->dma_device->dev : NULL;
}

void nullhca_dma_exit(struct nullhca_slot *slot)
{
	platform_device_unregister(slot->dma_device);
}
