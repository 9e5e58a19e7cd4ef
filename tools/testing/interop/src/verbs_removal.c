// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "uverbs.h"

/* The device goes while files, mappings and readers are there; UNPLUG and REPLUG say how. */

enum { DEVICE_FATAL = 8 };

static void unplug(void)
{
	CHECK_EQ(system(getenv("UNPLUG")), 0);
}

static void replug(void)
{
	CHECK_EQ(system(getenv("REPLUG")), 0);
}

static void set_nonblocking(int fd)
{
	CHECK_OK(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK));
}

/* Events after the end: of completions EIO, of the device a last word, and then nothing. */
static void events_after_removal(void)
{
	struct client client = open_client();
	int channel = new_channel(client.fd);
	struct ib_uverbs_async_event_desc event = {};
	struct pollfd pollfd = { .fd = channel, .events = POLLIN };

	set_nonblocking(channel);
	set_nonblocking(client.async_fd);
	CHECK_FAILS(read(channel, &event, sizeof(event)), EAGAIN);
	CHECK_FAILS(read(client.async_fd, &event, sizeof(event)), EAGAIN);
	unplug();
	CHECK_FAILS(read(channel, &event, sizeof(event)), EIO);
	CHECK_EQ(poll(&pollfd, 1, 0), 1);
	CHECK(pollfd.revents & POLLERR, "poll() says %x", pollfd.revents);
	CHECK_EQ(read(client.async_fd, &event, sizeof(event)), sizeof(event));
	CHECK_EQ(event.event_type, DEVICE_FATAL);
	CHECK_FAILS(read(client.async_fd, &event, sizeof(event)), EAGAIN);
	replug();
	CHECK_FAILS(read(channel, &event, sizeof(event)), EIO);
}

static void reader_at_removal(void)
{
	struct client client = open_client();
	int channel = new_channel(client.fd);
	pthread_t reader;
	void *error;

	CHECK_EQ(pthread_create(&reader, NULL, read_until_error, &channel), 0);
	usleep(500000);
	unplug();
	CHECK_EQ(pthread_join(reader, &error), 0);
	CHECK_EQ((long)error, EIO);
	replug();
}

/* Commands are in vain; what was there can be destroyed, and a file of the new device works. */
static void commands_after_removal(void)
{
	struct client client = open_client(), fresh;
	int bare = open_device();
	uint32_t pd = new_pd(client.fd), cq = new_cq(client.fd, -1, 0), handle;
	uint32_t qp = new_qp(client.fd, pd, cq, QPT_RC), events;
	struct ib_uverbs_query_port port = { .port_num = 1 };
	struct ib_uverbs_query_port_resp out;
	struct ib_uverbs_destroy_cq_resp last;

	unplug();
	CHECK_FAILS(try_pd(client.fd, &handle), EIO);
	CHECK_FAILS(COMMAND(client.fd, IB_USER_VERBS_CMD_QUERY_PORT, &port, &out), EIO);
	CHECK_FAILS(get_context(bare, &fresh), EIO);
	CHECK_OK(destroy_qp(client.fd, qp, &events));
	CHECK_OK(destroy_cq(client.fd, cq, &last));
	CHECK_OK(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd));
	CHECK_FAILS(drop(client.fd, IB_USER_VERBS_CMD_DEALLOC_PD, pd), ENOENT);
	replug();
	CHECK_FAILS(try_pd(client.fd, &handle), EIO);
	fresh = open_client();
	CHECK_EQ(new_pd(fresh.fd), 0);
	close_client(&client);
	CHECK_OK(close(bare));
	new_pd(fresh.fd);
}

static char *map_page(const struct client *client, int protection)
{
	char *page = mmap(NULL, 4096, protection, MAP_SHARED, client->fd, client->map_offset);

	CHECK(page != MAP_FAILED, "mmap() failed with %s", strerrorname_np(errno));
	return page;
}

/* What was mapped of the device is memory of the process afterwards: nothing, and harmless. */
static void mapping_after_removal(void)
{
	struct client client = open_client();
	char *page = map_page(&client, PROT_READ | PROT_WRITE);
	char *look = map_page(&client, PROT_READ);
	int status;
	pid_t pid;

	*page = 0x55;
	CHECK_EQ(*look, 0x55);
	pid = CHECK_OK(fork());
	if (!pid) {
		while (*(volatile char *)look == 0x55)
			usleep(1000);
		page[1] = 0x33;
		_exit(page[1] != 0x33);
	}
	unplug();
	CHECK_EQ(*look, 0);
	*page = 0x11;
	CHECK_EQ(*page, 0x11);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, 0);
	CHECK(mmap(NULL, 4096, PROT_READ, MAP_SHARED, client.fd, client.map_offset) == MAP_FAILED,
	      "a device that is gone was mapped");
	CHECK_EQ(errno, EIO);
	replug();
}

/* The file is closed, the mapping stays: its page isn't anybody else's. */
static void mapping_after_close(void)
{
	struct client client = open_client();
	char *page = map_page(&client, PROT_READ | PROT_WRITE);

	*page = 0x55;
	CHECK(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, client.fd, client.map_offset) == MAP_FAILED,
	      "a private mapping");
	CHECK_EQ(errno, EINVAL);
	CHECK(mmap(NULL, 8192, PROT_READ, MAP_SHARED, client.fd, client.map_offset) == MAP_FAILED,
	      "a mapping of two pages");
	CHECK_EQ(errno, EINVAL);
	close_client(&client);
	*page = 0x56;
	unplug();
	*page = 0x57;
	CHECK_OK(munmap(page, 4096));
	replug();
}

/* A call waits in the driver: the device doesn't go before it has ended. */
static void *call_pd(void *fd)
{
	uint32_t pd;
	long ret = try_pd(*(int *)fd, &pd) ? errno : 0;

	return (void *)ret;
}

static void *unplug_thread(void *done)
{
	unplug();
	*(volatile int *)done = 1;
	return NULL;
}

static void removal_waits(void)
{
	struct client client = open_client();
	volatile int done = 0;
	pthread_t call, removal;
	void *error;

	null_set("alloc_pd/block", 1);
	CHECK_EQ(pthread_create(&call, NULL, call_pd, &client.fd), 0);
	while (!null_get("alloc_pd/waiting"))
		usleep(1000);
	CHECK_EQ(pthread_create(&removal, NULL, unplug_thread, (void *)&done), 0);
	usleep(1000000);
	CHECK_EQ(done, 0);
	null_set("alloc_pd/block", 0);
	CHECK_EQ(pthread_join(call, &error), 0);
	CHECK_EQ((long)error, 0);
	CHECK_EQ(pthread_join(removal, NULL), 0);
	CHECK_EQ((long)call_pd(&client.fd), EIO);
	replug();
}

/*
 * A driver that can't part from its users (rxe): the node goes at once, the device when the last
 * file is closed and the last mapping of it has gone; until then they work as ever.
 */
static void removal_waits_for_files(void)
{
	struct client client = open_client(), fresh;
	struct ib_uverbs_create_cq in = { .cqe = 16, .comp_channel = -1 };
	struct ib_uverbs_create_cq_resp out;
	const char *path = device_path();
	struct driver_room room;
	volatile int done = 0;
	pthread_t removal;
	char *ring;

	CHECK_OK(command_with_room(client.fd, IB_USER_VERBS_CMD_CREATE_CQ, &in, sizeof(in), &out,
				   sizeof(out), &room));
	/* Where the CQ's ring is mapped, and its size. */
	ring = mmap(NULL, room.words[1] & 0xffffffff, PROT_READ | PROT_WRITE, MAP_SHARED,
		    client.fd, room.words[0]);
	CHECK(ring != MAP_FAILED, "mmap() failed with %s", strerrorname_np(errno));
	CHECK_EQ(pthread_create(&removal, NULL, unplug_thread, (void *)&done), 0);
	while (!access(path, F_OK))
		usleep(10000);
	usleep(300000);
	CHECK_EQ(done, 0);
	new_pd(client.fd);
	close_client(&client);
	usleep(300000);
	CHECK_EQ(done, 0);
	CHECK_OK(munmap(ring, room.words[1] & 0xffffffff));
	CHECK_EQ(pthread_join(removal, NULL), 0);
	replug();
	fresh = open_client();
	new_pd(fresh.fd);
}

const struct test_case removal_cases[] = {
	{ "events-after-removal", events_after_removal },
	{ "reader-at-removal", reader_at_removal },
	{ "commands-after-removal", commands_after_removal },
	{ "mapping-after-removal", mapping_after_removal },
	{ "mapping-after-close", mapping_after_close },
	{ "removal-waits", removal_waits },
	{ "removal-waits-for-files", removal_waits_for_files },
	{}
};
