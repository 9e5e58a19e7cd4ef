/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Each message of the protocol over a real socket, as a friendly client would send it and as a
 * hostile one could.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "vfio-user/tests/client.h"
#include "vfio-user/vfio-user.h"

#define PAGE 4096

static struct loop *loop;
static struct vfu_device *device;
static struct test_client client;
static char folder[32];
static char path[64];

/* The device under the protocol: BAR0 is plain memory at its start, and all accesses are noted. */
static uint8_t bar0[0x4000];
static int resets, writes;
static struct {
	unsigned int bar;
	uint64_t offset;
	size_t len;
} last_access;

static void bar_read(void *ctx, unsigned int bar, uint64_t offset, uint8_t *buf, size_t len)
{
	(void)ctx;
	last_access.bar = bar;
	last_access.offset = offset;
	last_access.len = len;
	for (size_t i = 0; i < len; i++)
		buf[i] = bar == 0 && offset + i < sizeof(bar0) ? bar0[offset + i] : 0xee;
}

static void bar_write(void *ctx, unsigned int bar, uint64_t offset, const uint8_t *buf, size_t len)
{
	(void)ctx;
	writes++;
	last_access.bar = bar;
	last_access.offset = offset;
	last_access.len = len;
	for (size_t i = 0; i < len; i++)
		if (bar == 0 && offset + i < sizeof(bar0))
			bar0[offset + i] = buf[i];
}

static void reset(void *ctx)
{
	(void)ctx;
	resets++;
}

static const struct vfu_ops ops = { bar_read, bar_write, reset };
static const struct vfu_config config = {
	.vendor_id = 0x15b3,
	.device_id = 0x1017,
	.class_code = 0x020700,
	.bar0_size = 1 << 20,
	.msix_vectors = 8,
	.msix_table_offset = 0x2000,
	.msix_pba_offset = 0x3000,
};

static int start_device(void **state)
{
	(void)state;
	memset(bar0, 0, sizeof(bar0));
	resets = 0;
	writes = 0;
	loop = loop_create();
	device = vfu_create(loop, path, &config, &ops, NULL);
	return !device || client_connect(&client, loop, path);
}

static bool request(unsigned int command, const void *payload, size_t len)
{
	client_send(&client, command, 0, payload, len, NULL, 0);
	return client_receive(&client);
}

/* The errno of a request's reply; a reply with an error must be a bare header. */
static int result_with_fds(unsigned int command, const void *payload, size_t len, const int *fds,
			   unsigned int fd_count)
{
	client_send(&client, command, 0, payload, len, fds, fd_count);
	assert_true(client_receive(&client));
	assert_int_equal(client.header.id, 0x1000 + command);
	assert_int_equal(client.header.command, command);
	if (!client.header.error) {
		assert_int_equal(client.header.flags, 1);
		return 0;
	}
	assert_int_equal(client.header.flags, 0x21);
	assert_int_equal(client.header.size, 16);
	return (int)client.header.error;
}

static int result(unsigned int command, const void *payload, size_t len)
{
	return result_with_fds(command, payload, len, NULL, 0);
}

/* A payload of 32-bit fields. */
#define WORDS(...) ((const uint32_t[]){ __VA_ARGS__ })

static const struct {
	uint16_t major, minor;
	char json[80];
} version = { 0, 0, "{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":1048576}}" };

static int set_up(void **state)
{
	return start_device(state) || !request(VERSION, &version, sizeof(version));
}

static int tear_down(void **state)
{
	(void)state;
	client_close(&client);
	vfu_destroy(device);
	loop_destroy(loop);
	return access(path, F_OK) == 0; /* the socket must be gone */
}

/* Small helpers around messages */

struct access {
	uint64_t offset;
	uint32_t region, count;
};

static uint32_t read_le(uint32_t region, uint64_t offset, uint32_t count)
{
	const struct access access = { offset, region, count };
	uint32_t value = 0;

	assert_int_equal(result(REGION_READ, &access, sizeof(access)), 0);
	assert_int_equal(client.payload_len, sizeof(access) + count);
	assert_memory_equal(client.payload, &access, sizeof(access));
	memcpy(&value, client.payload + sizeof(access), count < 4 ? count : 4);
	return value;
}

static int write_le(uint32_t region, uint64_t offset, uint32_t count, uint32_t value)
{
	struct {
		struct access access;
		uint32_t value;
	} message = { { offset, region, count }, value };

	return result(REGION_WRITE, &message, sizeof(message.access) + count);
}

struct dma_map {
	uint32_t argsz, flags;
	uint64_t offset, addr, size;
};

static int map_memory(uint64_t addr, uint64_t size, int fd)
{
	const struct dma_map map = { 32, 3, 0, addr, size };

	return result_with_fds(DMA_MAP, &map, sizeof(map), &fd, fd >= 0);
}

static int unmap_memory(uint32_t flags, uint64_t addr, uint64_t size)
{
	const struct {
		uint32_t argsz, flags;
		uint64_t addr, size;
	} unmap = { 24, flags, addr, size };
	int error = result(DMA_UNMAP, &unmap, sizeof(unmap));

	if (!error) {
		assert_int_equal(client.payload_len, sizeof(unmap));
		assert_memory_equal(client.payload, &unmap, sizeof(unmap));
	}
	return error;
}

static int new_memory(size_t size)
{
	int fd = memfd_create("guest", 0);

	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	return fd;
}

static void enable_bus_master(void)
{
	assert_int_equal(write_le(CONFIG, 4, 2, 0x0006), 0);
}

static int assign_vector(uint32_t index, uint32_t vector)
{
	const uint32_t set[5] = { 20, 0x24, index, vector, 1 };
	int fd = eventfd(0, EFD_NONBLOCK);

	assert_int_equal(result_with_fds(SET_IRQS, set, sizeof(set), &fd, 1), 0);
	return fd;
}

static uint64_t count_events(int fd)
{
	uint64_t value = 0;

	return read(fd, &value, sizeof(value)) < 0 ? 0 : value;
}

static int open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static int mapped_regions_of(const char *name)
{
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "r");
	int count = 0;

	while (fgets(line, sizeof(line), maps))
		count += !!strstr(line, name);
	fclose(maps);
	return count;
}

/* Version */

static void a_version_is_negotiated(void **state)
{
	uint16_t numbers[2];

	(void)state;
	assert_int_equal(result(VERSION, &version, sizeof(version)), 0);
	memcpy(numbers, client.payload, sizeof(numbers));
	assert_int_equal(numbers[0], 0);
	assert_int_equal(numbers[1], 0); /* not above the client's */
	assert_memory_equal(client.payload + 4, "{\"capabilities\":{", 17);
	assert_non_null(strstr((char *)client.payload + 4, "\"max_msg_fds\":16,"));
	assert_non_null(strstr((char *)client.payload + 4, "\"max_data_xfer_size\":65536,"));
	assert_non_null(strstr((char *)client.payload + 4, "\"max_dma_maps\":4096,"));
	assert_non_null(strstr((char *)client.payload + 4, "\"pgsizes\":4096,"));
	assert_non_null(strstr((char *)client.payload + 4, "\"write_multiple\":true}}"));
	assert_int_equal(client.payload_len, 4 + strlen((char *)client.payload + 4) + 1);
	assert_int_equal(result(VERSION, &version, sizeof(version)), EINVAL); /* only once */
}

static void a_version_needs_no_json_and_survives_any(void **state)
{
	static const char nesting[40000] = { [0 ... 39998] = '{' };
	uint8_t message[4 + sizeof(nesting)] = { 0, 0, 7, 0 };

	(void)state;
	assert_int_equal(result(VERSION, message, 4 + 8), 0);
	assert_int_equal(client.payload[2], 1); /* minor: ours, since it's lower than 7 */
	client_close(&client);
	assert_int_equal(client_connect(&client, loop, path), 0);
	memcpy(message + 4, nesting, sizeof(nesting));
	assert_int_equal(result(VERSION, message, sizeof(message) - 1),
			 EINVAL); /* no NUL at the end */
	assert_int_equal(result(VERSION, message, 3), EINVAL);
	assert_int_equal(result(VERSION, message, sizeof(message)), 0);
}

static void another_major_version_ends_the_connection(void **state)
{
	const uint16_t numbers[2] = { 1, 0 };

	(void)state;
	assert_false(request(VERSION, numbers, sizeof(numbers)));
}

static void nothing_comes_before_the_version(void **state)
{
	const uint32_t info[4] = { 16 };

	(void)state;
	assert_false(request(GET_INFO, info, sizeof(info)));
}

/* Information */

static void device_info(void **state)
{
	uint32_t info[4] = { 16 };
	const uint32_t expected[4] = { 16, 3 /* reset, PCI */, 9, 5 };

	(void)state;
	assert_int_equal(result(GET_INFO, info, sizeof(info)), 0);
	assert_int_equal(client.payload_len, 16);
	assert_memory_equal(client.payload, expected, 16);
	assert_int_equal(result(GET_INFO, info, 12), EINVAL);
	info[0] = 15;
	assert_int_equal(result(GET_INFO, info, sizeof(info)), EINVAL);
}

static void region_info(void **state)
{
	static const uint64_t sizes[9] = { [BAR0] = 1 << 20, [CONFIG] = 4096 };

	(void)state;
	for (uint32_t index = 0; index < 9; index++) {
		uint32_t info[8] = { 32, 0, index };
		const uint32_t expected[8] = { 32, sizes[index] ? 3 : 0, index, 0,
					       (uint32_t)sizes[index] };

		assert_int_equal(result(GET_REGION_INFO, info, sizeof(info)), 0);
		assert_int_equal(client.payload_len, 32);
		assert_memory_equal(client.payload, expected, 32);
	}
	assert_int_equal(result(GET_REGION_INFO, WORDS(32, 0, 9, 0, 0, 0, 0, 0), 32), EINVAL);
	assert_int_equal(result(GET_REGION_INFO, WORDS(32, 0, -1u, 0, 0, 0, 0, 0), 32), EINVAL);
	assert_int_equal(result(GET_REGION_INFO, WORDS(31, 0, 0, 0, 0, 0, 0, 0), 32), EINVAL);
	assert_int_equal(result(GET_REGION_INFO, WORDS(32, 0, 0, 0, 0, 0, 0, 0), 28), EINVAL);
}

static void no_region_has_descriptors(void **state)
{
	const uint32_t expected[4] = { 16, 0, 2, 0 };

	(void)state;
	assert_int_equal(result(GET_REGION_IO_FDS, WORDS(64, 0, 2, 0), 16), 0);
	assert_int_equal(client.payload_len, 16);
	assert_memory_equal(client.payload, expected, 16);
	assert_int_equal(result(GET_REGION_IO_FDS, WORDS(64, 0, 9, 0), 16), EINVAL);
	assert_int_equal(result(GET_REGION_IO_FDS, WORDS(64, 1, 0, 0), 16), EINVAL);
}

static void irq_info(void **state)
{
	static const uint32_t counts[5] = { 0, 0, 8, 1, 1 }, flags[5] = { 0, 0, 3, 1, 1 };

	(void)state;
	for (uint32_t index = 0; index < 5; index++) {
		const uint32_t expected[4] = { 16, flags[index], index, counts[index] };

		assert_int_equal(result(GET_IRQ_INFO, WORDS(16, 0, index, 0), 16), 0);
		assert_memory_equal(client.payload, expected, 16);
	}
	assert_int_equal(result(GET_IRQ_INFO, WORDS(16, 0, 5, 0), 16), EINVAL);
	assert_int_equal(result(GET_IRQ_INFO, WORDS(8, 0, 2, 0), 16), EINVAL);
}

/* Regions */

static void bar_accesses_reach_the_device(void **state)
{
	(void)state;
	assert_int_equal(write_le(BAR0, 0x10, 4, 0x44332211), 0);
	assert_int_equal(client.payload_len, 16);
	assert_int_equal(bar0[0x10], 0x11);
	assert_int_equal(bar0[0x13], 0x44);
	assert_int_equal(read_le(BAR0, 0x11, 2), 0x3322);
	assert_int_equal(last_access.offset, 0x11);
	assert_int_equal(last_access.len, 2);
	read_le(BAR0, (1 << 20) - 1, 1);
	assert_int_equal(last_access.offset, (1 << 20) - 1);
}

static void accesses_beyond_a_region_are_refused(void **state)
{
	static const struct access bad[] = {
		{ 1 << 20, BAR0, 1 },
		{ (1 << 20) - 1, BAR0, 2 },
		{ UINT64_MAX, BAR0, 1 },
		{ UINT64_MAX - 1, BAR0, 4 },
		{ 0, BAR0, 0 },
		{ 0, BAR0, 65537 },
		{ 0, BAR0, UINT32_MAX },
		{ 0, 1, 4 },
		{ 0, BAR2, 4 },
		{ 0, 8, 4 },
		{ 0, 9, 4 },
		{ 0, UINT32_MAX, 4 },
		{ 4093, CONFIG, 4 },
		{ 4096, CONFIG, 1 },
		{ 0, CONFIG, 4097 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint8_t message[sizeof(bad[i]) + 8] = { 0 };

		memcpy(message, &bad[i], sizeof(bad[i]));
		assert_int_equal(result(REGION_READ, message, sizeof(bad[i])), EINVAL);
		assert_int_equal(result(REGION_WRITE, message, sizeof(bad[i]) + (bad[i].count & 7)),
				 EINVAL);
	}
	assert_int_equal(writes, 0);
}

static void the_data_must_be_as_long_as_its_count(void **state)
{
	const uint8_t message[24] = { [12] = 4 };

	(void)state;
	assert_int_equal(result(REGION_WRITE, message, 16), EINVAL);
	assert_int_equal(result(REGION_WRITE, message, 19), EINVAL);
	assert_int_equal(result(REGION_WRITE, message, 21), EINVAL);
	assert_int_equal(result(REGION_WRITE, message, 15), EINVAL);
	assert_int_equal(result(REGION_READ, message, 15), EINVAL);
	assert_int_equal(writes, 0);
	assert_int_equal(result(REGION_WRITE, message, 20), 0);
	assert_int_equal(writes, 1);
}

static void the_largest_access_goes_through(void **state)
{
	static uint8_t message[16 + 65536];
	const struct access access = { 0, BAR0, 65536 };

	(void)state;
	memcpy(message, &access, sizeof(access));
	memset(message + sizeof(access), 0x5a, 65536);
	assert_int_equal(result(REGION_WRITE, message, sizeof(message)), 0);
	assert_int_equal(last_access.len, 65536);
	assert_int_equal(result(REGION_READ, &access, sizeof(access)), 0);
	assert_int_equal(client.payload_len, 16 + 65536);
	assert_int_equal(client.payload[16 + 0x1000], 0x5a);
	assert_int_equal(client.payload[16 + 0xffff], 0xee);
}

static void posted_writes_get_no_reply_and_keep_their_order(void **state)
{
	struct {
		struct access access;
		uint8_t value[4];
	} write = { { 0x20, BAR0, 4 }, { 1, 2, 3, 4 } };

	(void)state;
	client_send(&client, REGION_WRITE, NO_REPLY, &write, 20, NULL, 0);
	write.access.region = 9; /* an error that nobody will hear of */
	client_send(&client, REGION_WRITE, NO_REPLY, &write, 20, NULL, 0);
	assert_int_equal(read_le(BAR0, 0x20, 4), 0x04030201);
	assert_int_equal(client.header.command, REGION_READ);
}

struct short_write {
	struct access access;
	uint8_t data[8];
};

static void many_writes_come_in_one_message(void **state)
{
	struct {
		uint64_t count;
		struct short_write writes[2];
	} message = { 2, { { { 0x30, BAR0, 8 }, "abcdefgh" }, { { 0x40, BAR0, 2 }, "xy" } } };
	uint64_t done;

	(void)state;
	assert_int_equal(result(REGION_WRITE_MULTI, &message, sizeof(message)), 0);
	memcpy(&done, client.payload, sizeof(done));
	assert_int_equal(client.payload_len, 8);
	assert_int_equal(done, 2);
	assert_memory_equal(bar0 + 0x30, "abcdefgh", 8);
	assert_memory_equal(bar0 + 0x40, "xy\0", 3);
}

/* What the message before it had at the place of the third one must not count. */
static void more_writes_than_the_message_has_are_refused(void **state)
{
	struct {
		uint64_t count;
		struct short_write writes[3];
	} message = {
		3, { { { 0, BAR0, 1 }, "a" }, { { 1, BAR0, 1 }, "b" }, { { 2, BAR0, 1 }, "c" } }
	};

	(void)state;
	assert_int_equal(result(REGION_WRITE_MULTI, &message, sizeof(message)), 0);
	assert_int_equal(writes, 3);
	assert_int_equal(result(REGION_WRITE_MULTI, &message, sizeof(message) - 1), EINVAL);
	assert_int_equal(result(REGION_WRITE_MULTI, &message, 8 + 2 * sizeof(message.writes[0])),
			 EINVAL);
	assert_int_equal(writes, 3);
}

static void bad_writes_among_many_undo_all(void **state)
{
	struct {
		uint64_t count;
		struct short_write writes[2];
	} message = { 2, { { { 0x30, BAR0, 8 }, "abcdefgh" }, { { 0x40, BAR0, 9 }, "xy" } } };

	(void)state;
	assert_int_equal(result(REGION_WRITE_MULTI, &message, sizeof(message)), EINVAL);
	message.writes[1].access = (struct access){ 1 << 20, BAR0, 1 };
	assert_int_equal(result(REGION_WRITE_MULTI, &message, sizeof(message)), EINVAL);
	message.count = UINT64_MAX;
	assert_int_equal(result(REGION_WRITE_MULTI, &message, sizeof(message)), EINVAL);
	assert_int_equal(result(REGION_WRITE_MULTI, &message, 7), EINVAL);
	assert_int_equal(writes, 0);
}

/* Memory */

static void memory_is_mapped_and_unmapped(void **state)
{
	int fd = new_memory(2 * PAGE);
	char buf[6] = "";

	(void)state;
	enable_bus_master();
	assert_int_equal(pwrite(fd, "hello", 5, PAGE), 5);
	assert_int_equal(map_memory(0x10000, 2 * PAGE, fd), 0);
	assert_int_equal(map_memory(0x11000, PAGE, fd), EEXIST);
	assert_int_equal(dma_read(vfu_dma(device), 0x11000, buf, 5), 0);
	assert_string_equal(buf, "hello");
	assert_int_equal(dma_write(vfu_dma(device), 0x10000, "back", 4), 0);
	assert_int_equal(pread(fd, buf, 4, 0), 4);
	assert_memory_equal(buf, "back", 4);
	assert_int_equal(unmap_memory(0, 0x10000, PAGE), ENOENT);
	assert_int_equal(unmap_memory(0, 0x10000, 2 * PAGE), 0);
	assert_int_equal(dma_read(vfu_dma(device), 0x11000, buf, 5), -EFAULT);
	close(fd);
}

static void all_memory_is_unmapped_at_once(void **state)
{
	int fd = new_memory(PAGE);
	char byte;

	(void)state;
	enable_bus_master();
	assert_int_equal(map_memory(0, PAGE, fd), 0);
	assert_int_equal(map_memory(PAGE, PAGE, -1), 0);
	assert_int_equal(unmap_memory(2, PAGE, 0), EINVAL);
	assert_int_equal(unmap_memory(2, 0, PAGE), EINVAL);
	assert_int_equal(dma_read(vfu_dma(device), 0, &byte, 1), 0);
	assert_int_equal(unmap_memory(2, 0, 0), 0);
	assert_int_equal(dma_read(vfu_dma(device), 0, &byte, 1), -EFAULT);
	assert_int_equal(map_memory(PAGE, PAGE, fd), 0);
	close(fd);
}

static void dirty_page_tracking_is_refused(void **state)
{
	(void)state;
	assert_int_equal(map_memory(0, PAGE, -1), 0);
	assert_int_equal(unmap_memory(1, 0, PAGE), EINVAL);
	assert_int_equal(unmap_memory(4, 0, PAGE), EINVAL);
	assert_int_equal(result(DIRTY_PAGES, WORDS(8, 1), 8), ENOTSUP);
	assert_int_equal(result(DEVICE_FEATURE, WORDS(8, 0x10006), 8), ENOTSUP);
	assert_int_equal(result(MIG_DATA_READ, WORDS(8, 8), 8), ENOTSUP);
	assert_int_equal(unmap_memory(0, 0, PAGE), 0);
}

static void odd_maps_are_refused(void **state)
{
	int fds[2] = { new_memory(PAGE), new_memory(PAGE) }, event = eventfd(0, 0);
	struct dma_map map = { 32, 3, 0, 0, PAGE };

	(void)state;
	assert_int_equal(result_with_fds(DMA_MAP, &map, sizeof(map), fds, 2), EINVAL);
	assert_int_equal(result_with_fds(DMA_MAP, &map, sizeof(map) - 1, fds, 1), EINVAL);
	assert_int_equal(result_with_fds(DMA_MAP, &map, sizeof(map), &event, 1), EINVAL);
	map.argsz = 31;
	assert_int_equal(result_with_fds(DMA_MAP, &map, sizeof(map), fds, 1), EINVAL);
	map.argsz = 32;
	map.size = UINT64_MAX - PAGE + 1;
	map.addr = PAGE;
	assert_int_equal(result_with_fds(DMA_MAP, &map, sizeof(map), fds, 1), EINVAL);
	assert_int_equal(result(DMA_UNMAP, &map, 23), EINVAL);
	close(fds[0]);
	close(fds[1]);
	close(event);
}

static void dma_needs_bus_mastering(void **state)
{
	int fd = new_memory(PAGE);
	char byte;

	(void)state;
	assert_int_equal(map_memory(0, PAGE, fd), 0);
	assert_int_equal(dma_read(vfu_dma(device), 0, &byte, 1), -EFAULT);
	enable_bus_master();
	assert_int_equal(dma_read(vfu_dma(device), 0, &byte, 1), 0);
	assert_int_equal(write_le(CONFIG, 4, 2, 0x0002), 0);
	assert_int_equal(dma_read(vfu_dma(device), 0, &byte, 1), -EFAULT);
	close(fd);
}

/* Interrupts */

static void an_interrupt_is_raised(void **state)
{
	int fd = assign_vector(2, 7);

	(void)state;
	enable_bus_master();
	vfu_raise(device, 7);
	assert_int_equal(count_events(fd), 1);
	vfu_raise(device, 8); /* there is no such vector */
	assert_int_equal(result(SET_IRQS, WORDS(20, 0x21, 2, 0, 0), 20), 0);
	vfu_raise(device, 7);
	assert_int_equal(count_events(fd), 0);
	close(fd);
}

static void pending_bits_lie_over_the_bar(void **state)
{
	(void)state;
	memset(bar0 + 0x2ff8, 0xaa, 0x18);
	vfu_raise(device, 1);
	vfu_raise(device, 4);
	assert_int_equal(read_le(BAR0, 0x3000, 4), 0x12);
	assert_int_equal(read_le(BAR0, 0x2ffe, 4), 0x0012aaaa); /* across its start */
	assert_int_equal(read_le(BAR0, 0x3007, 2), 0xaa00); /* across its end */
	assert_int_equal(read_le(BAR0, 0x2ff0, 16), 0);
	assert_int_equal(client.payload[16 + 15], 0xaa);
}

static void odd_interrupt_messages_are_refused(void **state)
{
	int fds[3] = { eventfd(0, 0), eventfd(0, 0), eventfd(0, 0) };
	const uint8_t bools[22] = { [0] = 20, [4] = 0x22, [8] = 2, [16] = 3 };

	(void)state;
	assert_int_equal(result(SET_IRQS, WORDS(19, 0x21, 2, 0, 0), 20), EINVAL);
	assert_int_equal(result(SET_IRQS, WORDS(20, 0x21, 2, 0, 0), 19), EINVAL);
	assert_int_equal(result(SET_IRQS, WORDS(20, 0x21, 2, 7, 2), 20), EINVAL);
	assert_int_equal(result(SET_IRQS, bools, sizeof(bools)), EINVAL); /* 3 booleans, 2 bytes */
	assert_int_equal(result_with_fds(SET_IRQS, WORDS(20, 0x24, 2, 0, 2), 20, fds, 3), EINVAL);
	for (int i = 0; i < 3; i++)
		close(fds[i]);
}

static void unplugging_is_asked_for_by_the_request_interrupt(void **state)
{
	int fd;

	(void)state;
	assert_int_equal(vfu_request_unplug(device), -ENOTCONN);
	fd = assign_vector(4, 0);
	assert_int_equal(vfu_request_unplug(device), 0);
	assert_int_equal(count_events(fd), 1);
	close(fd);
}

static void a_device_that_is_pulled_out_reads_as_all_ones(void **state)
{
	int fd = assign_vector(2, 0), memory = new_memory(PAGE);
	char byte;

	(void)state;
	enable_bus_master();
	assert_int_equal(map_memory(0, PAGE, memory), 0);
	vfu_set_present(device, false);
	vfu_set_present(device, false);
	assert_int_equal(resets, 1);
	assert_int_equal(read_le(CONFIG, 0, 4), 0xffffffff);
	assert_int_equal(read_le(BAR0, 0x3000, 4), 0xffffffff);
	assert_int_equal(write_le(CONFIG, 4, 2, 0x0006), 0);
	assert_int_equal(write_le(BAR0, 0x10, 4, 1), 0);
	assert_int_equal(writes, 0);
	assert_int_equal(dma_read(vfu_dma(device), 0, &byte, 1), -EFAULT);
	vfu_raise(device, 0);
	assert_int_equal(count_events(fd), 0);

	vfu_set_present(device, true);
	assert_int_equal(resets, 2);
	assert_int_equal(read_le(CONFIG, 0, 4), 0x101715b3);
	assert_int_equal(read_le(CONFIG, 4, 2), 0);
	enable_bus_master();
	assert_int_equal(count_events(fd), 0);
	assert_int_equal(dma_read(vfu_dma(device), 0, &byte, 1), 0);
	close(fd);
	close(memory);
}

/* Reset */

static void a_reset_reaches_the_device_and_its_configuration(void **state)
{
	int fd = assign_vector(2, 0);

	(void)state;
	enable_bus_master();
	assert_int_equal(write_le(CONFIG, 0x10, 4, 0xfc000000), 0);
	assert_int_equal(result(DEVICE_RESET, NULL, 0), 0);
	assert_int_equal(client.payload_len, 0);
	assert_int_equal(resets, 1);
	assert_int_equal(read_le(CONFIG, 0x10, 4), 0x0000000c);
	assert_int_equal(read_le(CONFIG, 4, 2), 0);
	vfu_raise(device, 0);
	assert_int_equal(count_events(fd), 0); /* no bus master any more */
	enable_bus_master();
	assert_int_equal(count_events(fd), 1); /* the eventfd is still there */
	close(fd);
}

static void a_function_level_reset_is_one_too(void **state)
{
	(void)state;
	vfu_raise(device, 2);
	assert_int_equal(read_le(BAR0, 0x3000, 1), 4);
	assert_int_equal(write_le(CONFIG, 0x68, 2, 0x8000), 0);
	assert_int_equal(resets, 1);
	assert_int_equal(read_le(BAR0, 0x3000, 1), 0);
}

/* The stream */

static void unknown_commands_are_refused(void **state)
{
	(void)state;
	assert_int_equal(result(0, NULL, 0), ENOTSUP);
	assert_int_equal(result(11, NULL, 0), ENOTSUP);
	assert_int_equal(result(12, NULL, 0), ENOTSUP);
	assert_int_equal(result(19, NULL, 0), ENOTSUP);
	assert_int_equal(result(0xffff - 0x1000, NULL, 0), ENOTSUP);
}

static void messages_may_come_in_pieces(void **state)
{
	const struct {
		struct wire_header header;
		struct access access;
		uint8_t value;
	} message = { { 1, REGION_WRITE, 33, 0, 0 }, { 5, BAR0, 1 }, 0x77 };

	(void)state;
	for (size_t i = 0; i < 33; i++) {
		assert_int_equal(bar0[5], 0);
		client_send_raw(&client, (const uint8_t *)&message + i, 1, NULL, 0);
		client_let_run(&client);
	}
	assert_true(client_receive(&client));
	assert_int_equal(client.header.error, 0);
	assert_int_equal(bar0[5], 0x77);
}

static void messages_may_come_many_at_once(void **state)
{
	struct {
		struct wire_header header;
		struct access access;
	} reads[100];

	(void)state;
	for (int i = 0; i < 100; i++) {
		reads[i].header = (struct wire_header){ (uint16_t)i, REGION_READ, 32, 0, 0 };
		reads[i].access = (struct access){ (uint64_t)i, BAR0, 1 };
		bar0[i] = (uint8_t)(i ^ 0x55);
	}
	client_send_raw(&client, reads, sizeof(reads), NULL, 0);
	for (int i = 0; i < 100; i++) {
		assert_true(client_receive(&client));
		assert_int_equal(client.header.id, i);
		assert_int_equal(client.payload[16], i ^ 0x55);
	}
}

static void impossible_headers_end_the_connection(void **state)
{
	static const struct wire_header bad[] = {
		{ 1, GET_INFO, 0, 0, 0 },
		{ 1, GET_INFO, 15, 0, 0 },
		{ 1, REGION_WRITE, 16 + 16 + 65536 + 1, 0, 0 },
		{ 1, REGION_WRITE, UINT32_MAX, 0, 0 },
		{ 1, GET_INFO, 32, 1, 0 }, /* a reply to nothing */
		{ 1, GET_INFO, 32, 2, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		client_send_raw(&client, &bad[i], sizeof(bad[i]), NULL, 0);
		assert_false(client_receive(&client));
		client_close(&client);
		assert_int_equal(client_connect(&client, loop, path), 0);
		assert_true(request(VERSION, &version, sizeof(version)));
	}
}

static void descriptors_that_nobody_asked_for_are_closed(void **state)
{
	const struct wire_header header = { 1, GET_INFO, 32, 0, 0 };
	const uint32_t info[4] = { 16 };
	int fds[40], before;

	(void)state;
	for (int i = 0; i < 40; i++)
		fds[i] = eventfd(0, 0);
	before = open_descriptors();
	assert_int_equal(result_with_fds(GET_INFO, info, sizeof(info), fds, 3), 0);
	assert_int_equal(result_with_fds(GET_INFO, info, sizeof(info), fds, 16), 0);
	assert_int_equal(result_with_fds(GET_INFO, info, sizeof(info), fds, 17), EMFILE);
	assert_int_equal(result_with_fds(GET_INFO, info, sizeof(info), fds, 40), EMFILE);
	assert_int_equal(result_with_fds(GET_INFO, info, sizeof(info), fds, 1), 0);
	/* those of a message that never gets complete */
	client_send_raw(&client, &header, 10, fds, 5);
	client_let_run(&client);
	assert_int_equal(open_descriptors(), before + 5);
	client_close(&client);
	assert_int_equal(client_connect(&client, loop, path), 0);
	assert_true(request(VERSION, &version, sizeof(version)));
	assert_int_equal(open_descriptors(), before);
	for (int i = 0; i < 40; i++)
		close(fds[i]);
}

/*
 * The socket's buffers take a few hundred kB; what doesn't fit must wait, in order, without being
 * lost.
 */
static void replies_wait_for_a_client_that_does_not_read(void **state)
{
	enum { COUNT = 200 };
	struct {
		struct wire_header header;
		struct access access;
	} read = { { 0, REGION_READ, 32, 0, 0 }, { 0, BAR0, 65536 } };

	(void)state;
	for (int i = 0; i < COUNT; i++) {
		read.header.id = (uint16_t)i;
		client_send_raw(&client, &read, sizeof(read), NULL, 0);
	}
	for (int i = 0; i < COUNT; i++) {
		assert_true(client_receive(&client));
		assert_int_equal(client.header.id, i);
		assert_int_equal(client.header.size, 32 + 65536);
	}
	assert_int_equal(read_le(BAR0, 0, 4), 0);
}

/* Clients */

static void a_second_client_is_turned_away(void **state)
{
	struct test_client second;

	(void)state;
	assert_int_equal(client_connect(&second, loop, path), 0);
	assert_false(client_receive(&second));
	client_close(&second);
	assert_int_equal(read_le(BAR0, 0, 4), 0); /* the first one is still served */
}

/* The next client may be seen before the end of the last one is. */
static void a_client_that_is_gone_is_not_in_the_way(void **state)
{
	struct test_client next;

	(void)state;
	assert_int_equal(client_connect(&next, loop, path), 0);
	client_close(&client);
	client = next;
	assert_true(request(VERSION, &version, sizeof(version)));
	assert_int_equal(resets, 1);
}

static void a_client_takes_all_it_brought_with_it(void **state)
{
	int before, fd = new_memory(PAGE), events[2];
	char byte;

	(void)state;
	before = open_descriptors();
	for (int round = 0; round < 5; round++) {
		enable_bus_master();
		assert_int_equal(map_memory(0, PAGE, fd), 0);
		assert_int_equal(map_memory(PAGE, PAGE, fd), 0);
		assert_int_equal(mapped_regions_of("memfd:guest"), 2);
		events[0] = assign_vector(2, 0);
		events[1] = assign_vector(4, 0);
		assert_int_equal(result(SET_IRQS, WORDS(20, 0x09, 2, 0, 8), 20), 0); /* mask */
		assert_int_equal(write_le(CONFIG, 0x10, 4, 0xfc000000), 0);
		resets = 0;
		client_close(&client);
		assert_int_equal(client_connect(&client, loop, path), 0);
		assert_true(request(VERSION, &version, sizeof(version)));
		assert_int_equal(resets, 1);
		assert_int_equal(dma_read(vfu_dma(device), 0, &byte, 1), -EFAULT);
		assert_int_equal(vfu_request_unplug(device), -ENOTCONN);
		assert_int_equal(read_le(CONFIG, 0x10, 4), 0x0000000c);
		assert_int_equal(mapped_regions_of("memfd:guest"), 0);
		close(events[0]);
		close(events[1]);
		assert_int_equal(open_descriptors(), before);
	}
	close(fd);
}

static void masks_do_not_outlive_a_client(void **state)
{
	int fd;

	(void)state;
	assert_int_equal(result(SET_IRQS, WORDS(20, 0x09, 2, 0, 8), 20), 0);
	client_close(&client);
	assert_int_equal(client_connect(&client, loop, path), 0);
	assert_true(request(VERSION, &version, sizeof(version)));
	enable_bus_master();
	fd = assign_vector(2, 3);
	vfu_raise(device, 3);
	assert_int_equal(count_events(fd), 1);
	close(fd);
}

static void the_device_may_end_while_a_client_is_there(void **state)
{
	int fd = new_memory(PAGE);

	(void)state;
	assert_int_equal(map_memory(0, PAGE, fd), 0);
	close(assign_vector(2, 0));
	close(fd); /* ASan and the other tests' counts would show what tear_down() leaves */
}

/* The socket */

static void sockets_that_can_not_be_made_say_why(void **state)
{
	const struct vfu_config impossible = { .bar0_size = 5 };
	char file[80], longer[200];

	(void)state;
	loop = loop_create();
	snprintf(file, sizeof(file), "%s/file", folder);
	close(open(file, O_CREAT | O_WRONLY, 0600));
	assert_null(vfu_create(loop, file, &config, &ops, NULL));
	assert_int_equal(errno, EADDRINUSE); /* what isn't a socket stays */
	assert_int_equal(access(file, F_OK), 0);
	unlink(file);
	assert_null(vfu_create(loop, "/nowhere/at/all", &config, &ops, NULL));
	assert_int_equal(errno, ENOENT);
	memset(longer, 'a', sizeof(longer));
	longer[199] = '\0';
	assert_null(vfu_create(loop, longer, &config, &ops, NULL));
	assert_int_equal(errno, ENAMETOOLONG);
	assert_null(vfu_create(loop, path, &impossible, &ops, NULL));
	assert_int_equal(errno, EINVAL);
	loop_destroy(loop);
}

static void an_old_socket_is_replaced(void **state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int old = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)state;
	strcpy(address.sun_path, path);
	assert_int_equal(bind(old, (struct sockaddr *)&address, sizeof(address)), 0);
	close(old);
	assert_int_equal(start_device(NULL), 0);
	assert_true(request(VERSION, &version, sizeof(version)));
	assert_int_equal(tear_down(NULL), 0);
}

static void two_devices_do_not_share_anything(void **state)
{
	char other_path[80];
	struct vfu_device *other;
	struct test_client second;
	const uint8_t message[17] = { [12] = 1, [16] = 9 };

	(void)state;
	snprintf(other_path, sizeof(other_path), "%s/other", folder);
	other = vfu_create(loop, other_path, &config, &ops, NULL);
	assert_non_null(other);
	assert_int_equal(client_connect(&second, loop, other_path), 0);
	client_send(&second, VERSION, 0, &version, sizeof(version), NULL, 0);
	assert_true(client_receive(&second));
	client_send(&second, REGION_WRITE, 0, message, sizeof(message), NULL, 0);
	assert_true(client_receive(&second));
	client_close(&second);
	assert_int_equal(read_le(BAR0, 0, 1), 9);
	vfu_destroy(other);
	assert_int_equal(read_le(BAR0, 0, 1), 9);
}

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/ibemu-test-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/hca0.sock", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define RAW_TEST(name) cmocka_unit_test_setup_teardown(name, start_device, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RAW_TEST(a_version_is_negotiated),
		RAW_TEST(a_version_needs_no_json_and_survives_any),
		RAW_TEST(another_major_version_ends_the_connection),
		RAW_TEST(nothing_comes_before_the_version),
		TEST(device_info),
		TEST(region_info),
		TEST(no_region_has_descriptors),
		TEST(irq_info),
		TEST(bar_accesses_reach_the_device),
		TEST(accesses_beyond_a_region_are_refused),
		TEST(the_data_must_be_as_long_as_its_count),
		TEST(the_largest_access_goes_through),
		TEST(posted_writes_get_no_reply_and_keep_their_order),
		TEST(many_writes_come_in_one_message),
		TEST(more_writes_than_the_message_has_are_refused),
		TEST(bad_writes_among_many_undo_all),
		TEST(memory_is_mapped_and_unmapped),
		TEST(all_memory_is_unmapped_at_once),
		TEST(dirty_page_tracking_is_refused),
		TEST(odd_maps_are_refused),
		TEST(dma_needs_bus_mastering),
		TEST(an_interrupt_is_raised),
		TEST(pending_bits_lie_over_the_bar),
		TEST(odd_interrupt_messages_are_refused),
		TEST(unplugging_is_asked_for_by_the_request_interrupt),
		TEST(a_device_that_is_pulled_out_reads_as_all_ones),
		TEST(a_reset_reaches_the_device_and_its_configuration),
		TEST(a_function_level_reset_is_one_too),
		TEST(unknown_commands_are_refused),
		TEST(messages_may_come_in_pieces),
		TEST(messages_may_come_many_at_once),
		TEST(impossible_headers_end_the_connection),
		TEST(descriptors_that_nobody_asked_for_are_closed),
		TEST(replies_wait_for_a_client_that_does_not_read),
		TEST(a_second_client_is_turned_away),
		TEST(a_client_that_is_gone_is_not_in_the_way),
		TEST(a_client_takes_all_it_brought_with_it),
		TEST(masks_do_not_outlive_a_client),
		TEST(the_device_may_end_while_a_client_is_there),
		TEST(two_devices_do_not_share_anything),
		cmocka_unit_test(sockets_that_can_not_be_made_say_why),
		cmocka_unit_test(an_old_socket_is_replaced),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
