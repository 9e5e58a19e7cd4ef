// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * mlx5 only: a completion queue and a queue pair that the program makes with the adapter's own
 * commands, on memory that it has registered for that, and their events. Commands are laid out as
 * byte offsets.
 */
#include <infiniband/mlx5dv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "check.h"
#include "endpoint.h"
#include "firmware.h"

enum {
	CREATE_CQ = 0x400, CREATE_QP = 0x500, RST2INIT_QP = 0x502, TO_ERR_QP = 0x507,
};

enum { COMPLETION = 0, CQ_ERROR = 4, PORT_CHANGE = 9 }; /* types of events */

#define BAD_RESOURCE 5 /* status of a command */
#define SERVICE_UD 2

/* The memory: a page for each queue, and the doorbell records. */
#define PAGE 4096
#define CQ_AT 0
#define QP_AT PAGE
#define CQ_RECORD_AT (2 * PAGE)
#define QP_RECORD_AT (2 * PAGE + 64)
#define MEMORY_LEN (3 * PAGE)

#define LOG_CQ_SIZE 2
#define LOG_RQ_SIZE 4 /* of 16 bytes each */
#define UAR_ARM_CQ 0x20

struct device {
	struct ibv_context *context;
	struct ibv_pd *pd;
	uint32_t pdn, eqn;
	struct mlx5dv_devx_uar *uar;
	uint8_t *memory;
	struct mlx5dv_devx_umem *umem;
	struct mlx5dv_devx_obj *cq, *qp;
	uint32_t cqn, qpn;
	struct mlx5dv_devx_event_channel *channel;
};

static uint32_t number(const uint8_t *out)
{
	return out[9] << 16 | out[10] << 8 | out[11];
}

static struct ibv_context *open_devx(const char *port)
{
	struct mlx5dv_context_attr attr = { .flags = MLX5DV_CONTEXT_FLAGS_DEVX };
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;

	CHECK(port && list, "PORT_A is to name a port");
	for (struct ibv_device **device = list; *device && !context; device++)
		if (endpoint_is_on(*device, port))
			context = mlx5dv_open_device(*device, &attr);
	CHECK(context, "opening the device of %s for DEVX: %s", port, strerrorname_np(errno));
	ibv_free_device_list(list);
	return context;
}

static uint32_t number_of(struct ibv_pd *pd)
{
	struct mlx5dv_pd dv_pd = {};
	struct mlx5dv_obj obj = { .pd = { .in = pd, .out = &dv_pd } };

	CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD), 0);
	return dv_pd.pdn;
}

static struct device open_device(void)
{
	struct device device = { .context = open_devx(getenv("PORT_A")) };

	device.pd = ibv_alloc_pd(device.context);
	CHECK(device.pd, "a protection domain");
	device.pdn = number_of(device.pd);
	CHECK_EQ(mlx5dv_devx_query_eqn(device.context, 0, &device.eqn), 0);
	device.uar = mlx5dv_devx_alloc_uar(device.context, MLX5DV_UAR_ALLOC_TYPE_NC);
	CHECK(device.uar, "a doorbell page: %s", strerrorname_np(errno));
	device.memory = aligned_alloc(PAGE, MEMORY_LEN);
	memset(device.memory, 0, MEMORY_LEN);
	device.umem = mlx5dv_devx_umem_reg(device.context, device.memory, MEMORY_LEN,
					   IBV_ACCESS_LOCAL_WRITE);
	CHECK(device.umem, "registering memory: %s", strerrorname_np(errno));
	device.channel = mlx5dv_devx_create_event_channel(device.context, 0);
	CHECK(device.channel, "an event channel: %s", strerrorname_np(errno));
	return device;
}

static void close_device(struct device *device)
{
	mlx5dv_devx_destroy_event_channel(device->channel);
	CHECK_EQ(mlx5dv_devx_umem_dereg(device->umem), 0);
	mlx5dv_devx_free_uar(device->uar);
	CHECK_EQ(ibv_dealloc_pd(device->pd), 0);
	CHECK_EQ(ibv_close_device(device->context), 0);
	free(device->memory);
}

static struct mlx5dv_devx_obj *try_create_cq(struct device *device, uint32_t umem,
					     uint64_t offset, uint8_t out[16])
{
	uint8_t in[272] = {}, *cqc = in + 16;

	put16(in, CREATE_CQ);
	put32(cqc + 4, umem); /* of the record */
	put32(cqc + 12, LOG_CQ_SIZE << 24 | device->uar->page_id);
	put32(cqc + 20, device->eqn);
	put64(cqc + 56, CQ_RECORD_AT);
	put64(in + 80, offset);
	put32(in + 88, umem);
	return mlx5dv_devx_obj_create(device->context, in, sizeof(in), out, 16);
}

static void create_cq(struct device *device)
{
	uint8_t out[16] = {};

	for (int i = 0; i < 1 << LOG_CQ_SIZE; i++)
		device->memory[CQ_AT + i * 64 + 63] = 0xf1; /* the adapter's, and invalid */
	device->cq = try_create_cq(device, device->umem->umem_id, CQ_AT, out);
	CHECK(device->cq, "CREATE_CQ: %s, status %#x", strerrorname_np(errno), out[0]);
	device->cqn = number(out);
}

/* With receives alone. */
static void create_qp(struct device *device)
{
	uint8_t in[272] = {}, out[16] = {}, *qpc = in + 24;

	put16(in, CREATE_QP);
	qpc[1] = SERVICE_UD;
	put32(qpc + 4, device->pdn);
	qpc[9] = LOG_RQ_SIZE << 3;
	qpc[10] = 0x80;
	put32(qpc + 12, device->uar->page_id);
	put32(qpc + 124, device->cqn);
	put32(qpc + 156, device->cqn);
	put64(qpc + 160, QP_RECORD_AT);
	put32(qpc + 228, device->umem->umem_id);
	put64(in + 256, QP_AT);
	put32(in + 264, device->umem->umem_id);
	device->qp = mlx5dv_devx_obj_create(device->context, in, sizeof(in), out, sizeof(out));
	CHECK(device->qp, "CREATE_QP: %s, status %#x", strerrorname_np(errno), out[0]);
	device->qpn = number(out);
}

static void modify_qp(struct device *device, uint16_t opcode)
{
	uint8_t in[272] = {}, out[16] = {};

	put16(in, opcode);
	put32(in + 8, device->qpn);
	in[24 + 24 + 37] = 1; /* port */
	CHECK_EQ(mlx5dv_devx_obj_modify(device->qp, in, sizeof(in), out, sizeof(out)), 0);
}

static void arm_cq(struct device *device)
{
	uint8_t doorbell[8];
	uint64_t word;

	put32(doorbell, 0);
	put32(doorbell + 4, device->cqn);
	memcpy(device->memory + CQ_RECORD_AT + 4, doorbell, 4);
	memcpy(&word, doorbell, sizeof(word));
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	*(volatile uint64_t *)((uint8_t *)device->uar->base_addr + UAR_ARM_CQ) = word;
}

/* So many receives are there from now on, all of nothing. */
static void post_receives(struct device *device, uint32_t count)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	put32(device->memory + QP_RECORD_AT, count);
}

static void subscribe(struct device *device, struct mlx5dv_devx_obj *object, uint16_t type,
		      uint64_t cookie)
{
	uint16_t types[] = { type };

	CHECK_EQ(mlx5dv_devx_subscribe_devx_event(device->channel, object, sizeof(types), types,
						  cookie), 0);
}

/* The next event has this cookie and this type. */
static void expect_event(struct device *device, uint64_t cookie, uint8_t type, const char *what)
{
	struct {
		struct mlx5dv_devx_async_event_hdr header;
		uint8_t eqe[64];
	} event;

	fd_becomes_readable(device->channel->fd, what);
	CHECK_EQ(mlx5dv_devx_get_event(device->channel, &event.header, sizeof(event)),
		 sizeof(event));
	CHECK_EQ(event.header.cookie, cookie);
	CHECK_EQ(event.eqe[1], type);
}

/* Memory stays as long as a queue stands on it; what isn't there can't be stood on. */
static void user_memory(void)
{
	struct device device = open_device();
	uint8_t out[16] = {};

	CHECK(!try_create_cq(&device, device.umem->umem_id + 1000, 0, out), "on no memory");
	CHECK_EQ(errno, EREMOTEIO);
	CHECK_EQ(out[0], BAD_RESOURCE);
	CHECK(!try_create_cq(&device, device.umem->umem_id, MEMORY_LEN - 64, out),
	      "on more memory than there is");
	CHECK_EQ(errno, EREMOTEIO);
	create_cq(&device);
	CHECK(mlx5dv_devx_umem_dereg(device.umem), "deregistering memory in use");
	CHECK_EQ(mlx5dv_devx_obj_destroy(device.cq), 0);
	close_device(&device);
}

/*
 * A queue pair in error gives its receives back, and there are more of them than its completion
 * queue has room for.
 */
static void object_events(void)
{
	struct device device = open_device();
	uint8_t *first = device.memory + CQ_AT;

	create_cq(&device);
	create_qp(&device);
	subscribe(&device, device.cq, COMPLETION, 0x1111);
	subscribe(&device, device.cq, CQ_ERROR, 0x2222);
	arm_cq(&device);
	modify_qp(&device, RST2INIT_QP);
	post_receives(&device, 1);
	fd_stays_silent(device.channel->fd, "an event before anything completes");
	modify_qp(&device, TO_ERR_QP);
	expect_event(&device, 0x1111, COMPLETION, "the event of a completion");
	CHECK_EQ(first[63] >> 4, 14); /* a receive in error */
	CHECK_EQ(number(first + 48), device.qpn);
	post_receives(&device, 1 << LOG_RQ_SIZE);
	expect_event(&device, 0x2222, CQ_ERROR, "the event of a completion queue in error");
	CHECK_EQ(mlx5dv_devx_obj_destroy(device.qp), 0);
	CHECK_EQ(mlx5dv_devx_obj_destroy(device.cq), 0);
	close_device(&device);
}

/* Says when it listens: then the port's cable is to be pulled. */
static void port_events(void)
{
	struct device device = open_device();

	subscribe(&device, NULL, PORT_CHANGE, 0x3333);
	fd_stays_silent(device.channel->fd, "an event of a port to which nothing happens");
	puts("listening");
	expect_event(&device, 0x3333, PORT_CHANGE, "the port's event");
	close_device(&device);
}

const struct test_case devx_cases[] = {
	{ "user-memory", user_memory },
	{ "object-events", object_events },
	{ "port-events", port_events },
	{}
};
