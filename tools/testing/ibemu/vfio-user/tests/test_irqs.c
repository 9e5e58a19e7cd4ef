/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "vfio-user/irqs.h"

#define VECTORS 70
/* VFIO: data type in bits 0-2, action in bits 3-5. */
enum { NONE = 1, BOOL = 2, EVENTFD = 4, MASK = 8, UNMASK = 16, TRIGGER = 32 };
enum { INTX, MSI, MSIX, ERR, REQ };

static struct irqs irqs;

static int set_up(void **state)
{
	int error = irqs_init(&irqs, VECTORS);

	(void)state;
	irqs_set_bus_master(&irqs, true);
	return error;
}

static int tear_down(void **state)
{
	(void)state;
	irqs_destroy(&irqs);
	return 0;
}

static int set(uint32_t flags, uint32_t index, uint32_t start, uint32_t count)
{
	const struct vfio_irq_set request = {
		.argsz = sizeof(request),
		.flags = flags,
		.index = index,
		.start = start,
		.count = count,
	};

	return irqs_set(&irqs, &request, NULL, 0, NULL, 0);
}

static int set_bools(uint32_t action, uint32_t start, uint32_t count, const uint8_t *bools,
		     size_t bools_len)
{
	const struct vfio_irq_set request = {
		.argsz = sizeof(request),
		.flags = BOOL | action,
		.index = MSIX,
		.start = start,
		.count = count,
	};

	return irqs_set(&irqs, &request, bools, bools_len, NULL, 0);
}

static int set_fds(uint32_t index, uint32_t start, uint32_t count, int *fds, unsigned int fd_count)
{
	const struct vfio_irq_set request = {
		.argsz = sizeof(request),
		.flags = EVENTFD | TRIGGER,
		.index = index,
		.start = start,
		.count = count,
	};

	return irqs_set(&irqs, &request, NULL, 0, fds, fd_count);
}

/* Assigns a new eventfd to a vector; the descriptor that the test keeps. */
static int assign(uint32_t vector)
{
	int fd = eventfd(0, EFD_NONBLOCK), given = dup(fd);

	assert_int_equal(set_fds(MSIX, vector, 1, &given, 1), 0);
	assert_int_equal(given, -1);
	return fd;
}

/* How often it was signalled since the last look. */
static uint64_t count(int fd)
{
	uint64_t value = 0;

	if (read(fd, &value, sizeof(value)) < 0)
		assert_int_equal(errno, EAGAIN);
	return value;
}

static void a_vector_signals_its_eventfd(void **state)
{
	int first = assign(0), last = assign(VECTORS - 1);

	(void)state;
	irqs_raise(&irqs, &irqs.msix[0]);
	irqs_raise(&irqs, &irqs.msix[0]);
	assert_int_equal(count(first), 2);
	assert_int_equal(count(last), 0);
	irqs_raise(&irqs, &irqs.msix[VECTORS - 1]);
	assert_int_equal(count(last), 1);
	close(first);
	close(last);
}

static void without_an_eventfd_a_vector_stays_pending(void **state)
{
	int fd;

	(void)state;
	irqs_raise(&irqs, &irqs.msix[5]);
	irqs_raise(&irqs, &irqs.msix[5]);
	fd = assign(5);
	assert_int_equal(count(fd), 1);
	irqs_raise(&irqs, &irqs.msix[5]);
	assert_int_equal(count(fd), 1);
	close(fd);
}

static void a_masked_vector_stays_pending(void **state)
{
	int fd = assign(3);

	(void)state;
	assert_int_equal(set(NONE | MASK, MSIX, 3, 1), 0);
	irqs_raise(&irqs, &irqs.msix[3]);
	assert_int_equal(count(fd), 0);
	assert_int_equal(set(NONE | UNMASK, MSIX, 3, 1), 0);
	assert_int_equal(count(fd), 1);
	assert_int_equal(set(NONE | UNMASK, MSIX, 3, 1), 0);
	assert_int_equal(count(fd), 0);
	close(fd);
}

static void without_bus_mastering_a_vector_stays_pending(void **state)
{
	int fd = assign(0);

	(void)state;
	irqs_set_bus_master(&irqs, false);
	irqs_raise(&irqs, &irqs.msix[0]);
	assert_int_equal(count(fd), 0);
	irqs_set_bus_master(&irqs, true);
	assert_int_equal(count(fd), 1);
	irqs_set_bus_master(&irqs, false);
	irqs_raise(&irqs, &irqs.msix[0]);
	irqs_clear_pending(&irqs);
	irqs_set_bus_master(&irqs, true);
	assert_int_equal(count(fd), 0);
	close(fd);
}

static void pending_bits_are_readable(void **state)
{
	uint8_t bits[16];
	const uint8_t expected[16] = { [0] = 0x81, [8] = 0x20 };

	(void)state;
	irqs_raise(&irqs, &irqs.msix[0]);
	irqs_raise(&irqs, &irqs.msix[7]);
	irqs_raise(&irqs, &irqs.msix[69]);
	irqs_read_pending_bits(&irqs, 0, bits, sizeof(bits));
	assert_memory_equal(bits, expected, sizeof(bits));
	irqs_read_pending_bits(&irqs, 8, bits, 1);
	assert_int_equal(bits[0], 0x20);
}

static void booleans_select_vectors(void **state)
{
	const uint8_t bools[3] = { 1, 0, 7 };
	int a = assign(10), b = assign(11), c = assign(12);

	(void)state;
	assert_int_equal(set_bools(TRIGGER, 10, 3, bools, 3), 0);
	assert_int_equal(count(a), 1);
	assert_int_equal(count(b), 0);
	assert_int_equal(count(c), 1);
	assert_int_equal(set_bools(MASK, 10, 3, bools, 3), 0);
	assert_int_equal(set(NONE | TRIGGER, MSIX, 10, 3), 0);
	assert_int_equal(count(a), 0);
	assert_int_equal(count(b), 1);
	assert_int_equal(set_bools(TRIGGER, 10, 3, bools, 2), -EINVAL); /* one too few */
	close(a);
	close(b);
	close(c);
}

static void a_range_takes_as_many_eventfds(void **state)
{
	int fds[3], given[3];

	(void)state;
	for (int i = 0; i < 3; i++) {
		fds[i] = eventfd(0, EFD_NONBLOCK);
		given[i] = dup(fds[i]);
	}
	assert_int_equal(set_fds(MSIX, 20, 2, given, 3), -EINVAL);
	assert_int_equal(set_fds(MSIX, 20, 4, given, 3), -EINVAL);
	for (int i = 0; i < 3; i++)
		assert_true(given[i] >= 0);
	assert_int_equal(set_fds(MSIX, 20, 3, given, 3), 0);
	irqs_raise(&irqs, &irqs.msix[22]);
	assert_int_equal(count(fds[2]), 1);
	for (int i = 0; i < 3; i++)
		close(fds[i]);
}

static void no_eventfds_take_the_range_away(void **state)
{
	int a = assign(1), b = assign(2);

	(void)state;
	assert_int_equal(set_fds(MSIX, 1, 1, NULL, 0), 0);
	irqs_raise(&irqs, &irqs.msix[1]);
	irqs_raise(&irqs, &irqs.msix[2]);
	assert_int_equal(count(a), 0);
	assert_int_equal(count(b), 1);
	close(a);
	close(b);
}

static void a_count_of_zero_disables_the_index(void **state)
{
	int fd = assign(1);

	(void)state;
	assert_int_equal(set(NONE | TRIGGER, MSIX, 0, 0), 0);
	irqs_raise(&irqs, &irqs.msix[1]);
	assert_int_equal(count(fd), 0);
	assert_int_equal(set(NONE | TRIGGER, INTX, 0, 0), 0);
	assert_int_equal(set(NONE | TRIGGER, MSIX, 1, 0), -EINVAL);
	assert_int_equal(set(NONE | MASK, MSIX, 0, 0), -EINVAL);
	assert_int_equal(set(EVENTFD | TRIGGER, MSIX, 0, 0), -EINVAL);
	close(fd);
}

static void odd_flags_are_refused(void **state)
{
	(void)state;
	for (uint32_t flags = 0; flags < 128; flags++) {
		bool good = flags == (NONE | MASK) || flags == (NONE | UNMASK) ||
			    flags == (NONE | TRIGGER) || flags == (EVENTFD | TRIGGER);

		assert_int_equal(set(flags, MSIX, 0, 1), good ? 0 : -EINVAL);
	}
	assert_int_equal(set(0x80000000 | NONE | TRIGGER, MSIX, 0, 1), -EINVAL);
}

static void odd_ranges_are_refused(void **state)
{
	(void)state;
	assert_int_equal(set(NONE | TRIGGER, MSIX, VECTORS - 1, 1), 0);
	assert_int_equal(set(NONE | TRIGGER, MSIX, VECTORS, 1), -EINVAL);
	assert_int_equal(set(NONE | TRIGGER, MSIX, 0, VECTORS + 1), -EINVAL);
	assert_int_equal(set(NONE | TRIGGER, MSIX, 2, UINT32_MAX), -EINVAL);
	assert_int_equal(set(NONE | TRIGGER, MSIX, UINT32_MAX, 2), -EINVAL);
	assert_int_equal(set(NONE | TRIGGER, INTX, 0, 1), -EINVAL);
	assert_int_equal(set(NONE | TRIGGER, MSI, 0, 1), -EINVAL);
	assert_int_equal(set(NONE | TRIGGER, 5, 0, 1), -EINVAL);
	assert_int_equal(set(NONE | TRIGGER, UINT32_MAX, 0, 0), 0); /* nothing to disable */
	assert_int_equal(set(NONE | MASK, REQ, 0, 1), -EINVAL);
}

/* Writing to any of these could block us or raise SIGPIPE. */
static void only_eventfds_are_taken(void **state)
{
	int pipe_ends[2], sockets[2], file = open("/dev/null", O_RDWR), closed = 12345;

	(void)state;
	assert_int_equal(pipe(pipe_ends), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
	assert_int_equal(set_fds(MSIX, 0, 1, &pipe_ends[1], 1), -EINVAL);
	assert_int_equal(set_fds(MSIX, 0, 1, &sockets[0], 1), -EINVAL);
	assert_int_equal(set_fds(MSIX, 0, 1, &file, 1), -EINVAL);
	assert_int_equal(set_fds(MSIX, 0, 1, &closed, 1), -EINVAL);
	assert_true(file >= 0);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
	close(sockets[0]);
	close(sockets[1]);
	close(file);
}

static void a_full_eventfd_does_not_block_us(void **state)
{
	const uint64_t maximum = UINT64_MAX - 1;
	int fd = eventfd(0, 0), given = dup(fd); /* blocking */

	(void)state;
	assert_int_equal(set_fds(MSIX, 0, 1, &given, 1), 0);
	assert_int_equal(write(fd, &maximum, sizeof(maximum)), sizeof(maximum));
	irqs_raise(&irqs, &irqs.msix[0]);
	close(fd);
}

static void the_request_interrupt_needs_no_bus_mastering(void **state)
{
	int fd = eventfd(0, EFD_NONBLOCK), given = dup(fd);

	(void)state;
	assert_int_equal(set_fds(REQ, 0, 1, &given, 1), 0);
	irqs_set_bus_master(&irqs, false);
	irqs_raise(&irqs, &irqs.request);
	assert_int_equal(count(fd), 1);
	close(fd);
}

static int open_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	int count = 0;

	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

static void release_closes_all_eventfds(void **state)
{
	int before = open_descriptors();

	(void)state;
	for (uint32_t i = 0; i < VECTORS; i++)
		close(assign(i));
	assert_int_equal(open_descriptors(), before + VECTORS);
	close(assign(7)); /* takes the place of an older one */
	assert_int_equal(open_descriptors(), before + VECTORS);
	assert_int_equal(set(NONE | MASK, MSIX, 0, VECTORS), 0);
	irqs_release(&irqs);
	assert_int_equal(open_descriptors(), before);
	assert_false(irqs.msix[0].masked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_vector_signals_its_eventfd, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_an_eventfd_a_vector_stays_pending, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_masked_vector_stays_pending, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_bus_mastering_a_vector_stays_pending,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(pending_bits_are_readable, set_up, tear_down),
		cmocka_unit_test_setup_teardown(booleans_select_vectors, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_range_takes_as_many_eventfds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_eventfds_take_the_range_away, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_count_of_zero_disables_the_index, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(odd_flags_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(odd_ranges_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_eventfds_are_taken, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_full_eventfd_does_not_block_us, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(the_request_interrupt_needs_no_bus_mastering,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(release_closes_all_eventfds, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
