/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Interrupts towards the client: an eventfd each, with mask and pending bits for MSI-X.
 */
#ifndef IBEMU_VFIO_USER_IRQS_H
#define IBEMU_VFIO_USER_IRQS_H

#include <linux/vfio.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IRQS_MAX_VECTORS 2048 /* PCI: the most that an MSI-X table can have */

struct irq {
	int eventfd; /* -1: none */
	bool masked, pending;
};

struct irqs {
	struct irq *msix;
	unsigned int msix_count;
	struct irq error; /* QEMU wants it of a PCI Express device; never raised */
	struct irq request; /* asks the client to unplug the device */
	bool bus_master; /* PCI: a device that isn't one sends no message */
};

/* 0 or -ENOMEM. */
int irqs_init(struct irqs *irqs, unsigned int msix_count);
/* Closes all eventfds and forgets masks and pending bits. */
void irqs_release(struct irqs *irqs);
void irqs_destroy(struct irqs *irqs);

/* The interrupts with a VFIO index; their number, and the first one in *first. */
unsigned int irqs_of_index(struct irqs *irqs, uint32_t index, struct irq **first);

/*
 * VFIO_DEVICE_SET_IRQS. data: what follows the structure (for DATA_BOOL); fds: those that came with
 * it; a descriptor that was taken is replaced by -1. 0 or -EINVAL, and then nothing has changed.
 */
int irqs_set(struct irqs *irqs, const struct vfio_irq_set *set, const uint8_t *data,
	     size_t data_len, int *fds, unsigned int fd_count);

/*
 * Signals a vector, or keeps it pending while it's masked, without an eventfd or without bus
 * mastering.
 */
void irqs_raise(struct irqs *irqs, struct irq *irq);
void irqs_set_bus_master(struct irqs *irqs, bool bus_master);
void irqs_clear_pending(struct irqs *irqs);

/* len bytes of the pending bit array (PCI: one bit a vector), from an offset in it. */
void irqs_read_pending_bits(const struct irqs *irqs, size_t offset, uint8_t *buf, size_t len);

#endif
