/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Configuration space under random writes: bits that are read-only stay, and a reset undoes
 * everything. The input is a list of records: offset (2 bytes), length (1 byte), data.
 */
#include <stdlib.h>
#include <string.h>

#include "vfio-user/pci.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct vfu_config config = {
	.vendor_id = 0x15b3,
	.device_id = 0x1017,
	.class_code = 0x020700,
	.bar0_size = 1 << 25,
	.msix_vectors = 32,
	.msix_table_offset = 0x2000,
	.msix_pba_offset = 0x3000,
	.part_number = "P",
};

/* Identification, capability list and BAR sizes are what a guest's driver relies on. */
static void check(const struct pci_space *space, const struct pci_space *fresh)
{
	static const uint16_t fixed[] = { 0,	1,    2,    3,	  8,	9,     10,   11,   14,
					  0x12, 0x34, 0x40, 0x41, 0x48, 0x49,  0x60, 0x61, 0x9c,
					  0x9d, 0xa0, 0xa1, 0xa4, 0xa5, 0x100, 0xfff };
	uint8_t now, before;

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
		pci_read(space, fixed[i], &now, 1);
		pci_read(fresh, fixed[i], &before, 1);
		if (now != before)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct pci_space fresh, space;

	if (pci_init(&fresh, &config))
		abort();
	space = fresh;
	while (size >= 3) {
		size_t offset = (size_t)(data[0] | data[1] << 8) % PCI_SPACE;
		size_t len = data[2];

		data += 3;
		size -= 3;
		if (len > size)
			len = size;
		if (len > PCI_SPACE - offset)
			len = PCI_SPACE - offset;
		pci_write(&space, offset, data, len);
		check(&space, &fresh);
		data += len;
		size -= len;
	}
	pci_reset(&space);
	if (memcmp(space.bytes, fresh.bytes, PCI_SPACE))
		abort();
	return 0;
}
