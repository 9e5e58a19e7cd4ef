/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A device under a client that sends anything. The input is a list of records
 *
 *	byte 0: command
 *	byte 1: low 4 bits: file descriptors of different kinds; bit 4: no reply; bit 5: no header
 *	byte 2, 3: length of the payload, little-endian; then the payload
 *
 * so that most messages get as far as their handlers. After each, the device does some DMA and
 * raises interrupts.
 */
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

#include "base/log.h"
#include "vfio-user/tests/client.h"
#include "vfio-user/vfio-user.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct loop *loop;
static struct vfu_device *device;
static struct test_client client;
static char path[64];

static void bar_read(void *ctx, unsigned int bar, uint64_t offset, uint8_t *buf, size_t len)
{
	(void)ctx;
	(void)bar;
	(void)offset;
	memset(buf, 0, len);
}

static void bar_write(void *ctx, unsigned int bar, uint64_t offset, const uint8_t *buf, size_t len)
{
	static volatile uint8_t sink;

	(void)ctx;
	(void)bar;
	(void)offset;
	for (size_t i = 0; i < len; i++)
		sink = buf[i];
	(void)sink;
}

static void reset(void *ctx)
{
	(void)ctx;
}

static const struct vfu_ops ops = { bar_read, bar_write, reset };
static const struct vfu_config config = {
	.vendor_id = 0x15b3,
	.device_id = 0x1017,
	.class_code = 0x020700,
	.bar0_size = 1 << 20,
	.bar2_size = 1 << 16,
	.msix_vectors = 70,
	.msix_table_offset = 0x2000,
	.msix_pba_offset = 0x3000,
	.part_number = "P",
};

/* Runs the device until it has nothing more to do; replies are thrown away. */
static void drain(void)
{
	static uint8_t sink[1 << 17];
	int unread;

	do {
		client_let_run_once(&client);
		while (recv(client.watch.fd, sink, sizeof(sink), 0) > 0)
			;
	} while (!ioctl(client.watch.fd, SIOCOUTQ, &unread) && unread);
}

static void reconnect(void)
{
	static const uint8_t version[4] = { 0, 0, 0, 0 };

	client_close(&client);
	if (client_connect(&client, loop, path))
		abort();
	client_send(&client, VERSION, 0, version, sizeof(version), NULL, 0);
	/* No client may leave the device in a state in which the next one isn't served. */
	if (!client_receive(&client) || client.header.error)
		abort();
}

static void start(void)
{
	log_level = LOG_ERROR;
	snprintf(path, sizeof(path), "/tmp/ibemu-fuzz-%d.sock", getpid());
	loop = loop_create();
	device = vfu_create(loop, path, &config, &ops, NULL);
	if (!device)
		abort();
	client.watch.fd = -1;
}

static void stop(void)
{
	client_close(&client);
	vfu_destroy(device);
	loop_destroy(loop);
}

static void use_device(void)
{
	uint8_t buf[64];

	for (uint64_t addr = 0; addr < 1 << 20; addr += 4096) {
		dma_read(vfu_dma(device), addr + 4090, buf, sizeof(buf));
		dma_write(vfu_dma(device), addr, buf, sizeof(buf));
	}
	for (unsigned int vector = 0; vector < 72; vector++)
		vfu_raise(device, vector);
	vfu_request_unplug(device);
}

static void send_record(const uint8_t *record, const uint8_t *payload, size_t len)
{
	int kinds[4] = { memfd_create("f", 0), eventfd(0, 0), socket(AF_UNIX, SOCK_STREAM, 0),
			 memfd_create("e", 0) };
	int fds[15];
	unsigned int fd_count = record[1] & 15;

	(void)!ftruncate(kinds[0], 1 << 16);
	for (unsigned int i = 0; i < fd_count; i++)
		fds[i] = kinds[(record[0] + i) & 3];
	if (record[1] & 0x20)
		client_send_raw(&client, payload, len, fds, fd_count);
	else
		client_send(&client, record[0] & 31, record[1] & NO_REPLY, payload, len, fds,
			    fd_count);
	for (int i = 0; i < 4; i++)
		close(kinds[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!device) {
		start();
		atexit(stop);
	}
	reconnect();
	while (size >= 4) {
		size_t len = (size_t)(data[2] | data[3] << 8);

		if (len > size - 4)
			len = size - 4;
		send_record(data, data + 4, len);
		drain();
		use_device();
		data += 4 + len;
		size -= 4 + len;
	}
	return 0;
}
