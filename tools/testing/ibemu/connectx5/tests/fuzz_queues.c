/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Any contents of queues and doorbell records, and any doorbell, around two queue pairs that can
 * send to each other, as datagrams or over a connection, or two initiators and two targets of
 * dynamic connections.
 */
#include "base/log.h"
#include "connectx5/tests/dc.h"

#define FAR 0x8000u

struct input {
	const uint8_t *p, *end;
};

static uint8_t next(struct input *input)
{
	return input->p < input->end ? *input->p++ : 0;
}

static void scribble(struct input *input, uint8_t *at, uint32_t len)
{
	for (unsigned int count = next(input) % 32; count; count--) {
		uint32_t offset = (uint32_t)next(input) << 8 | next(input);

		at[offset % len] = next(input);
	}
}

/* Well-formed work requests, to be damaged by the next steps. */

static void post_datagram(struct queue_pair *qp, uint8_t what)
{
	post_send(qp, what & 1 ? 1 : 2, what & 2 ? 0xffffff : 0x40, what, what & 4 ? 5000 : what);
}

static struct target targets[2]; /* of dynamic connections; guest NULL: none */

/* Both guests' keys for all of their data have the same number, which requests name. */
static void post_request(struct queue_pair *qp, uint8_t what, uint32_t key)
{
	static const uint8_t opcodes[] = { 0x01, 0x08, 0x09, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x25 };
	uint8_t opcode = opcodes[what % sizeof(opcodes)];
	struct wqe wqe = begin_wqe(opcode, key);
	const struct target *target = targets[what >> 3 & 1].guest ? &targets[what >> 3 & 1] : NULL;
	bool atomic = opcode == 0x11 || opcode == 0x12;

	if (target && opcode != 0x25)
		add_target(&wqe, what >> 3 & 1 ? 2 : 1, target);
	if (opcode == 0x25)
		add_segments(&wqe, 7);
	else if (opcode == 0x08 || opcode == 0x09 || opcode >= 0x10)
		add_remote(&wqe, bus(DATA_AT + FAR), key);
	if (atomic)
		add_operands(&wqe, what, 0);
	if (opcode != 0x25)
		add_data(&wqe, qp, what, atomic ? 8 : (what & 4 ? 5000 : what));
	post_wqe(qp, &wqe);
}

static void post(struct queue_pair *qp, uint8_t what, uint32_t key)
{
	if (key)
		post_request(qp, what, key);
	else
		post_datagram(qp, what);
	post_receive(qp, 0x1000, 40 + what);
}

static void doorbell(struct guest *guest, struct input *input)
{
	uint8_t bytes[16];
	uint32_t offset = (uint32_t)next(input) << 4;
	size_t len = 1 + next(input) % sizeof(bytes);

	for (size_t i = 0; i < len; i++)
		bytes[i] = next(input);
	cx5_bar_write(&guest->dev, (uint64_t)guest->uar * PAGE + offset, bytes, len);
}

/* key: that connected queue pairs use */
static void step(struct bench *bench, struct queue_pair *qps, struct input *input, uint32_t key)
{
	uint8_t what = next(input);
	struct guest *guest = &bench->guest[what & 1];
	struct queue_pair *qp = &qps[what & 1];

	switch (what >> 1 & 15) {
	case 0:
		post(qp, next(input), key);
		break;
	case 1:
		scribble(input, guest->ram + qp->at, PAGE);
		break;
	case 2:
		scribble(input, guest->ram + qp->record, 8);
		break;
	case 3:
		scribble(input, guest->ram + RECORDS_AT, 8);
		break;
	case 4:
		doorbell(guest, input);
		break;
	case 5:
		guest->gone = next(input) & 1;
		break;
	case 6:
		modify(qp, (uint16_t)(0x502 + next(input) % 13), next(input), QKEY,
		       next(input) % 40);
		break;
	case 7:
		if (targets[0].guest)
			on(guest, next(input) & 3 ? DRAIN_DCT : DESTROY_DCT,
			   targets[what & 1].dctn);
		break;
	default:
		ring(qp);
		sched_advance(bench->sched, 20 * NSEC_PER_MSEC);
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct bench *bench; /* made once; devices and queues are reset for each input */
	struct input input = { bytes, bytes + len };
	struct queue_pair qps[2];
	uint8_t service = next(&input) % 4; /* RC, UC, UD, and 3: DC */
	uint32_t key = 0;

	log_level = LOG_ERROR;
	if (!bench)
		bench = bench_create_verbs();
	for (unsigned int i = 0; i < 2; i++) {
		struct guest *guest = &bench->guest[i];

		guest->gone = false;
		cx5_reset(&guest->dev);
		start_hca(guest);
		set_up_verbs(guest);
		memset(guest->ram + QP_AT, 0, 4 * PAGE);
		memset(guest->ram + RECORDS_AT, 0, PAGE);
		targets[i].guest = NULL;
		if (service == ST_UD)
			qps[i] = create_qp(guest, ST_UD, 0, QKEY);
		else
			key = remote_key(guest, true);
		if (service == 3) {
			targets[i] = create_target(guest);
			qps[i] = create_initiator(guest);
		}
	}
	if (service < ST_UD)
		connect_pair(bench, service, &qps[0], &qps[1]);
	while (input.p < input.end)
		step(bench, qps, &input, key);
	sched_advance(bench->sched, NSEC_PER_SEC);
	return 0;
}
