/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include "vfio-user/irqs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

static const struct irq unused_irq = { .eventfd = -1 };

int irqs_init(struct irqs *irqs, unsigned int msix_count)
{
	*irqs = (struct irqs){ .msix_count = msix_count,
			       .error = unused_irq,
			       .request = unused_irq };
	irqs->msix = calloc(msix_count ? msix_count : 1, sizeof(*irqs->msix));
	if (!irqs->msix)
		return -ENOMEM;
	for (unsigned int i = 0; i < msix_count; i++)
		irqs->msix[i] = unused_irq;
	return 0;
}

static void drop_eventfd(struct irq *irq)
{
	if (irq->eventfd >= 0)
		close(irq->eventfd);
	irq->eventfd = -1;
}

void irqs_release(struct irqs *irqs)
{
	for (uint32_t index = 0; index < VFIO_PCI_NUM_IRQS; index++) {
		struct irq *first;
		unsigned int count = irqs_of_index(irqs, index, &first);

		for (unsigned int i = 0; i < count; i++) {
			drop_eventfd(&first[i]);
			first[i] = unused_irq;
		}
	}
	irqs->bus_master = false;
}

void irqs_destroy(struct irqs *irqs)
{
	if (!irqs->msix)
		return;
	irqs_release(irqs);
	free(irqs->msix);
	irqs->msix = NULL;
}

unsigned int irqs_of_index(struct irqs *irqs, uint32_t index, struct irq **first)
{
	switch (index) {
	case VFIO_PCI_MSIX_IRQ_INDEX:
		*first = irqs->msix;
		return irqs->msix_count;
	case VFIO_PCI_ERR_IRQ_INDEX:
		*first = &irqs->error;
		return 1;
	case VFIO_PCI_REQ_IRQ_INDEX:
		*first = &irqs->request;
		return 1;
	default:
		*first = NULL;
		return 0;
	}
}

static bool is_message(const struct irqs *irqs, const struct irq *irq)
{
	return irq >= irqs->msix && irq < irqs->msix + irqs->msix_count;
}

void irqs_raise(struct irqs *irqs, struct irq *irq)
{
	const uint64_t one = 1;

	irq->pending = true;
	if (irq->masked || irq->eventfd < 0 || (is_message(irqs, irq) && !irqs->bus_master))
		return;
	irq->pending = false;
	/* EAGAIN: the counter is at its maximum, so the client has been told often enough. */
	if (write(irq->eventfd, &one, sizeof(one)) < 0 && errno != EAGAIN)
		log_debug("vfio-user: eventfd: %m");
}

static void raise_if_pending(struct irqs *irqs, struct irq *irq)
{
	if (irq->pending)
		irqs_raise(irqs, irq);
}

void irqs_set_bus_master(struct irqs *irqs, bool bus_master)
{
	if (irqs->bus_master == bus_master)
		return;
	irqs->bus_master = bus_master;
	for (unsigned int i = 0; i < irqs->msix_count; i++)
		raise_if_pending(irqs, &irqs->msix[i]);
}

void irqs_clear_pending(struct irqs *irqs)
{
	for (unsigned int i = 0; i < irqs->msix_count; i++)
		irqs->msix[i].pending = false;
	irqs->error.pending = false;
	irqs->request.pending = false;
}

void irqs_read_pending_bits(const struct irqs *irqs, size_t offset, uint8_t *buf, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		buf[i] = 0;
		for (unsigned int bit = 0; bit < 8; bit++) {
			size_t vector = (offset + i) * 8 + bit;

			if (vector < irqs->msix_count && irqs->msix[vector].pending)
				buf[i] |= (uint8_t)(1u << bit);
		}
	}
}

/* SET_IRQS */

/*
 * An eventfd has no file type; a pipe, a socket or a terminal has one, and a write to it could
 * block or raise a signal. It's made non-blocking, since a client could fill its counter.
 */
static bool make_usable(int fd)
{
	struct stat stat;
	int flags = fcntl(fd, F_GETFL);

	return !fstat(fd, &stat) && !(stat.st_mode & S_IFMT) && flags >= 0 &&
	       (flags & O_NONBLOCK || !fcntl(fd, F_SETFL, flags | O_NONBLOCK));
}

static int set_eventfds(struct irqs *irqs, struct irq *first, uint32_t count, int *fds,
			unsigned int fd_count)
{
	if (fd_count && fd_count != count)
		return -EINVAL;
	for (unsigned int i = 0; i < fd_count; i++)
		if (!make_usable(fds[i]))
			return -EINVAL;
	for (uint32_t i = 0; i < count; i++) {
		drop_eventfd(&first[i]);
		if (!fd_count)
			continue;
		first[i].eventfd = fds[i];
		fds[i] = -1;
		raise_if_pending(irqs, &first[i]);
	}
	return 0;
}

static void act(struct irqs *irqs, struct irq *irq, uint32_t action)
{
	switch (action) {
	case VFIO_IRQ_SET_ACTION_MASK:
		irq->masked = true;
		break;
	case VFIO_IRQ_SET_ACTION_UNMASK:
		irq->masked = false;
		raise_if_pending(irqs, irq);
		break;
	default:
		irqs_raise(irqs, irq);
	}
}

static bool one_bit(uint32_t flags)
{
	return flags && !(flags & (flags - 1));
}

int irqs_set(struct irqs *irqs, const struct vfio_irq_set *set, const uint8_t *data,
	     size_t data_len, int *fds, unsigned int fd_count)
{
	uint32_t data_type = set->flags & VFIO_IRQ_SET_DATA_TYPE_MASK;
	uint32_t action = set->flags & VFIO_IRQ_SET_ACTION_TYPE_MASK;
	struct irq *first;
	uint32_t end, count = irqs_of_index(irqs, set->index, &first);

	if (!one_bit(data_type) || !one_bit(action) || set->flags != (data_type | action))
		return -EINVAL;
	if (__builtin_add_overflow(set->start, set->count, &end) || end > count)
		return -EINVAL;
	if (action != VFIO_IRQ_SET_ACTION_TRIGGER && set->index != VFIO_PCI_MSIX_IRQ_INDEX)
		return -EINVAL;
	if (!set->count) {
		/* Disables the index, which may as well have no interrupt. */
		if (set->start ||
		    set->flags != (VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_TRIGGER))
			return -EINVAL;
		return set_eventfds(irqs, first, count, NULL, 0);
	}
	first += set->start;
	if (data_type == VFIO_IRQ_SET_DATA_EVENTFD && action != VFIO_IRQ_SET_ACTION_TRIGGER)
		return -EINVAL;
	if (data_type == VFIO_IRQ_SET_DATA_EVENTFD)
		return set_eventfds(irqs, first, set->count, fds, fd_count);
	if (data_type == VFIO_IRQ_SET_DATA_BOOL && data_len < set->count)
		return -EINVAL;
	for (uint32_t i = 0; i < set->count; i++)
		if (data_type == VFIO_IRQ_SET_DATA_NONE || data[i])
			act(irqs, &first[i], action);
	return 0;
}
