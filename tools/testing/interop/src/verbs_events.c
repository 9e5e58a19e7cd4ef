// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "uverbs.h"

/* Event files: what is read from them, when, and how often. On a device without hardware. */

enum { CQ_ERR = 0, PORT_ERR = 10 };

static void set_nonblocking(int fd)
{
	CHECK_OK(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK));
}

/* What poll() says of a file now. */
static short ready(int fd)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };

	CHECK_OK(poll(&pollfd, 1, 0));
	return pollfd.revents;
}

static void wait_until_readable(int fd)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };

	CHECK_EQ(poll(&pollfd, 1, 30000), 1);
	CHECK_EQ(pollfd.revents, POLLIN);
}

/* A connection to itself whose completions wake a channel. */
struct loop {
	struct client client;
	int channel;
	uint32_t pd, cq, qp;
};

enum { CQ_HANDLE = 0x6060 };

static struct loop make_loop(void)
{
	struct loop loop = { .client = open_client() };
	uint32_t qpn;

	loop.channel = new_channel(loop.client.fd);
	set_nonblocking(loop.channel);
	set_nonblocking(loop.client.async_fd);
	loop.pd = new_pd(loop.client.fd);
	loop.cq = new_cq(loop.client.fd, loop.channel, CQ_HANDLE);
	loop.qp = new_qp_number(loop.client.fd, loop.pd, loop.cq, QPT_RC, &qpn);
	raise_qp(loop.client.fd, loop.qp, QPT_RC, qpn, 3);
	return loop;
}

static void arm(struct loop *loop)
{
	struct ib_uverbs_req_notify_cq in = { .cq_handle = loop->cq };

	CHECK_OK(ORDER(loop->client.fd, IB_USER_VERBS_CMD_REQ_NOTIFY_CQ, &in));
}

/* A request that completes at once, and moves nothing. */
static void complete(struct loop *loop)
{
	struct {
		struct ib_uverbs_post_send head;
		struct ib_uverbs_send_wr wr;
	} in = {
		.head = { .qp_handle = loop->qp, .wr_count = 1, .wqe_size = sizeof(in.wr) },
		.wr = { .opcode = IB_UVERBS_WR_RDMA_WRITE },
	};
	uint32_t bad;

	CHECK_OK(COMMAND(loop->client.fd, IB_USER_VERBS_CMD_POST_SEND, &in, &bad));
}

static void completion_events(void)
{
	struct loop loop = make_loop();
	struct ib_uverbs_comp_event_desc event[4] = {};
	struct ib_uverbs_destroy_cq_resp last;
	uint32_t events;

	CHECK_FAILS(read(loop.channel, event, sizeof(event)), EAGAIN);
	CHECK_EQ(ready(loop.channel), 0);
	complete(&loop);
	usleep(200000);
	CHECK_FAILS(read(loop.channel, event, sizeof(event)), EAGAIN);
	for (int i = 0; i < 2; i++) {
		arm(&loop);
		complete(&loop);
		wait_until_readable(loop.channel);
	}
	/* One event at a time; and none is lost to a reader without room for it. */
	CHECK_FAILS(read(loop.channel, event, sizeof(event[0]) - 1), EINVAL);
	CHECK_EQ(read(loop.channel, event, sizeof(event)), sizeof(event[0]));
	CHECK_EQ(event[0].cq_handle, CQ_HANDLE);
	/* That the first was there says nothing of the second. */
	wait_until_readable(loop.channel);
	CHECK_EQ(read(loop.channel, event, sizeof(event[0])), sizeof(event[0]));
	CHECK_FAILS(read(loop.channel, event, sizeof(event)), EAGAIN);
	CHECK_FAILS(write(loop.channel, event, sizeof(event)), EBADF);
	CHECK_OK(destroy_qp(loop.client.fd, loop.qp, &events));
	CHECK_OK(destroy_cq(loop.client.fd, loop.cq, &last));
	CHECK_EQ(last.comp_events_reported, 2);
}

/* What nobody has read goes with the CQ, and isn't counted. */
static void unread_events(void)
{
	struct loop loop = make_loop();
	struct ib_uverbs_comp_event_desc event;
	struct ib_uverbs_destroy_cq_resp last;
	uint32_t events;

	arm(&loop);
	complete(&loop);
	wait_until_readable(loop.channel);
	CHECK_OK(destroy_qp(loop.client.fd, loop.qp, &events));
	CHECK_OK(destroy_cq(loop.client.fd, loop.cq, &last));
	CHECK_EQ(last.comp_events_reported, 0);
	CHECK_EQ(ready(loop.channel), 0);
	CHECK_FAILS(read(loop.channel, &event, sizeof(event)), EAGAIN);
}

/* The channel is closed, and its CQ goes on. */
static void closed_channel(void)
{
	struct loop loop = make_loop();
	struct ib_uverbs_destroy_cq_resp last;
	uint32_t events;

	arm(&loop);
	CHECK_OK(close(loop.channel));
	complete(&loop);
	usleep(200000);
	arm(&loop);
	complete(&loop);
	CHECK_OK(destroy_qp(loop.client.fd, loop.qp, &events));
	CHECK_OK(destroy_cq(loop.client.fd, loop.cq, &last));
	CHECK_EQ(last.comp_events_reported, 0);
}

static void overrun_event(void)
{
	struct loop loop = make_loop();
	struct ib_uverbs_async_event_desc event = {};
	struct ib_uverbs_destroy_cq_resp last;
	uint32_t events;

	CHECK_FAILS(read(loop.client.async_fd, &event, sizeof(event)), EAGAIN);
	for (int i = 0; i < 17; i++)
		complete(&loop);
	CHECK_EQ(ready(loop.client.async_fd), POLLIN);
	CHECK_FAILS(read(loop.client.async_fd, &event, sizeof(event) - 1), EINVAL);
	CHECK_EQ(read(loop.client.async_fd, &event, sizeof(event)), sizeof(event));
	CHECK_EQ(event.element, CQ_HANDLE);
	CHECK_EQ(event.event_type, CQ_ERR);
	CHECK_EQ(event.reserved, 0);
	CHECK_OK(destroy_qp(loop.client.fd, loop.qp, &events));
	CHECK_OK(destroy_cq(loop.client.fd, loop.cq, &last));
	CHECK_EQ(last.async_events_reported, 1);
}

static void raise_event(const char *name)
{
	char path[200];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/kernel/debug/nullhca/%s/event", device_name());
	file = fopen(path, "w");
	CHECK(file, "opening %s", path);
	fputs(name, file);
	CHECK_EQ(fclose(file), 0);
}

/* Each file of the device hears of the port, once. */
static void port_event(void)
{
	struct client clients[3];
	struct ib_uverbs_async_event_desc event;

	for (int i = 0; i < 3; i++) {
		clients[i] = open_client();
		set_nonblocking(clients[i].async_fd);
	}
	close_client(&clients[1]);
	raise_event("port_err");
	for (int i = 0; i < 3; i += 2) {
		wait_until_readable(clients[i].async_fd);
		CHECK_EQ(read(clients[i].async_fd, &event, sizeof(event)), sizeof(event));
		CHECK_EQ(event.element, 1);
		CHECK_EQ(event.event_type, PORT_ERR);
		CHECK_FAILS(read(clients[i].async_fd, &event, sizeof(event)), EAGAIN);
	}
}

/* The file is closed while its event files stay open. */
static void orphaned_files(void)
{
	struct loop loop = make_loop();
	struct ib_uverbs_async_event_desc event;

	arm(&loop);
	complete(&loop);
	wait_until_readable(loop.channel);
	CHECK_OK(close(loop.client.fd));
	CHECK_FAILS(read(loop.channel, &event, sizeof(event)), EIO);
	CHECK(ready(loop.channel) & POLLERR, "poll() says %x", ready(loop.channel));
	raise_event("port_err");
	CHECK_FAILS(read(loop.client.async_fd, &event, sizeof(event)), EAGAIN);
}

/* Somebody waits for a completion when the file is closed. */
static void orphaned_reader(void)
{
	struct client client = open_client();
	int channel = new_channel(client.fd);
	pthread_t reader;
	void *error;

	CHECK_EQ(pthread_create(&reader, NULL, read_until_error, &channel), 0);
	usleep(500000);
	CHECK_OK(close(client.fd));
	CHECK_EQ(pthread_join(reader, &error), 0);
	CHECK_EQ((long)error, EIO);
}

const struct test_case event_cases[] = {
	{ "completion-events", completion_events },
	{ "unread-events", unread_events },
	{ "closed-channel", closed_channel },
	{ "overrun-event", overrun_event },
	{ "port-event", port_event },
	{ "orphaned-files", orphaned_files },
	{ "orphaned-reader", orphaned_reader },
	{}
};
