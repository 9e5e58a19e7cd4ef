// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Devices in software (rxe, siw) take kernel addresses where others take DMA addresses. */

#include "verbs.h"

#ifdef CONFIG_INFINIBAND_VIRT_DMA
/**
 * ib_dma_virt_map_sg - "map" a scatterlist for a device without DMA
 * @dev: the device
 * @sg: the list
 * @nents: its entries
 *
 * Context: Any.
 * Return: @nents; it can't fail.
 */
int ib_dma_virt_map_sg(struct ib_device *dev, struct scatterlist *sg, int nents)
{
	struct scatterlist *entry;
	int i;

	for_each_sg(sg, entry, nents, i) {
		sg_dma_address(entry) = (uintptr_t)sg_virt(entry);
		sg_dma_len(entry) = entry->length;
	}
	return nents;
}
EXPORT_SYMBOL(ib_dma_virt_map_sg);
#endif
