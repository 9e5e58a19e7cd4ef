/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The configuration space of a PCI Express endpoint: header type 0 and the capabilities power
 * management, VPD, PCI Express (version 2) and MSI-X, where a ConnectX has them. Its extended part
 * is empty.
 *
 * Each byte has a mask of the bits that software can write, and one of those that it clears by
 * writing ones. BAR sizing is a consequence: the address bits below the size can't be written.
 */
#ifndef IBEMU_VFIO_USER_PCI_H
#define IBEMU_VFIO_USER_PCI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vfio-user/vfio-user.h"

#define PCI_SPACE 4096
#define PCI_VPD_MAX 256

struct pci_space {
	uint8_t bytes[PCI_SPACE];
	uint8_t writable[PCI_SPACE];
	uint8_t write_one_to_clear[PCI_SPACE];
	uint8_t at_reset[PCI_SPACE];
	uint8_t vpd[PCI_VPD_MAX]; /* vital product data; 0 after its end */
};

/* 0 or -EINVAL: a size that isn't a power of two, or an MSI-X table that doesn't fit its BAR. */
int pci_init(struct pci_space *space, const struct vfu_config *config);
/* As after power-on: BARs, command register and all else that can be written. */
void pci_reset(struct pci_space *space);

/* offset + len stays within PCI_SPACE. */
void pci_read(const struct pci_space *space, size_t offset, uint8_t *buf, size_t len);
/*
 * True when the write asked for a function-level reset, which the caller does (pci_reset() is part
 * of it).
 */
bool pci_write(struct pci_space *space, size_t offset, const uint8_t *buf, size_t len);

bool pci_is_bus_master(const struct pci_space *space);

#endif
