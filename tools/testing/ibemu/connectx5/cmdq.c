// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The command queue: slots in guest memory that a doorbell names. What doesn't fit in a slot lies
 * in a chain of mailbox blocks. A command that can't even be delivered ends with a delivery status
 * instead of a command's.
 */
#include <stdlib.h>

#include "base/log.h"
#include "connectx5/device.h"
#include "connectx5/field.h"

#define SLOT_LEN 64
#define SLOT_TYPE 0
#define SLOT_IN_LEN 4
#define SLOT_IN_PTR 8
#define SLOT_IN 16
#define SLOT_OUT 32
#define SLOT_OUT_PTR 48
#define SLOT_OUT_LEN 56
#define SLOT_TOKEN 60
#define SLOT_STATUS_OWNER 63
#define SLOT_INLINE 16 /* bytes of each direction in the slot itself */

#define BLOCK_LEN 576
#define BLOCK_DATA 512
#define BLOCK_NEXT 560
#define BLOCK_NUM 568
#define BLOCK_TOKEN 573
#define BLOCK_ALIGN_MASK 0x1ffull

#define TYPE_PCI_COMMAND 7
#define OWNER_HARDWARE 1

/* A memory key with a million pages; the longest answer is a list of pages. */
#define MAX_IN_LEN (8u << 20)
#define MAX_OUT_LEN (64u << 10)

enum delivery {
	DELIVERED = 0,
	BAD_TOKEN = 2,
	BAD_BLOCK_NUMBER = 3,
	BAD_OUT_PTR = 4,
	BAD_IN_PTR = 5,
	INTERNAL = 6,
	BAD_IN_LEN = 7,
	BAD_OUT_LEN = 8,
	BAD_DESCRIPTOR = 0x10,
};

struct slot {
	uint64_t addr;
	uint32_t number;
	uint8_t bytes[SLOT_LEN];
};

struct block {
	uint8_t bytes[BLOCK_LEN];
};

/* Reads and checks the mailbox block that a pointer of the chain leads to. */
static enum delivery read_block(struct connectx5 *dev, const struct slot *slot, uint64_t addr,
				uint32_t number, enum delivery bad_pointer, struct block *block)
{
	if (!addr || (addr & BLOCK_ALIGN_MASK) || dma_read(dev->dma, addr, block->bytes, BLOCK_LEN))
		return bad_pointer;
	if (get_be32(block->bytes + BLOCK_NUM) != number)
		return BAD_BLOCK_NUMBER;
	return block->bytes[BLOCK_TOKEN] == slot->bytes[SLOT_TOKEN] ? DELIVERED : BAD_TOKEN;
}

static enum delivery gather_input(struct connectx5 *dev, const struct slot *slot, uint8_t *in,
				  uint32_t len)
{
	uint64_t next = get_be64(slot->bytes + SLOT_IN_PTR);
	uint32_t done = len < SLOT_INLINE ? len : SLOT_INLINE;

	memcpy(in, slot->bytes + SLOT_IN, done);
	for (uint32_t number = 0; done < len; number++) {
		uint32_t part = len - done < BLOCK_DATA ? len - done : BLOCK_DATA;
		struct block block;
		enum delivery delivery = read_block(dev, slot, next, number, BAD_IN_PTR, &block);

		if (delivery != DELIVERED)
			return delivery;
		memcpy(in + done, block.bytes, part);
		next = get_be64(block.bytes + BLOCK_NEXT);
		done += part;
	}
	return DELIVERED;
}

/* Walks the output chain, writing the answer to it, or only checking it beforehand. */
static enum delivery walk_output(struct connectx5 *dev, const struct slot *slot, const uint8_t *out,
				 uint32_t len)
{
	uint64_t next = get_be64(slot->bytes + SLOT_OUT_PTR);
	uint32_t number = 0;

	for (uint32_t done = SLOT_INLINE; done < len; done += BLOCK_DATA, number++) {
		uint32_t part = len - done < BLOCK_DATA ? len - done : BLOCK_DATA;
		struct block block;
		enum delivery delivery = read_block(dev, slot, next, number, BAD_OUT_PTR, &block);

		if (delivery != DELIVERED)
			return delivery;
		if (out && dma_write(dev->dma, next, out + done, part))
			return BAD_OUT_PTR;
		next = get_be64(block.bytes + BLOCK_NEXT);
	}
	return DELIVERED;
}

static enum delivery run(struct connectx5 *dev, struct slot *slot, struct cx5_command *cmd,
			 uint8_t *in)
{
	enum delivery delivery = gather_input(dev, slot, in, cmd->in_len);

	/* Nothing is executed that couldn't be answered. */
	if (delivery == DELIVERED)
		delivery = walk_output(dev, slot, NULL, cmd->out_len);
	if (delivery != DELIVERED)
		return delivery;
	cmd->in = in;
	cx5_execute(dev, cmd);
	if (!cmd->out)
		return INTERNAL;
	memcpy(slot->bytes + SLOT_OUT, cmd->out,
	       cmd->out_len < SLOT_INLINE ? cmd->out_len : SLOT_INLINE);
	return walk_output(dev, slot, cmd->out, cmd->out_len);
}

static enum delivery execute(struct connectx5 *dev, struct slot *slot)
{
	struct cx5_command cmd = {
		.in_len = get_be32(slot->bytes + SLOT_IN_LEN),
		.out_len = get_be32(slot->bytes + SLOT_OUT_LEN),
	};
	enum delivery delivery;
	uint8_t *in;

	if (slot->bytes[SLOT_TYPE] != TYPE_PCI_COMMAND)
		return BAD_DESCRIPTOR;
	if (cmd.in_len < SLOT_INLINE / 2 || cmd.in_len > MAX_IN_LEN)
		return BAD_IN_LEN;
	if (cmd.out_len < SLOT_INLINE / 2 || cmd.out_len > MAX_OUT_LEN)
		return BAD_OUT_LEN;
	in = malloc(cmd.in_len);
	if (!in)
		return INTERNAL;
	delivery = run(dev, slot, &cmd, in);
	free(cmd.out);
	free(in);
	return delivery;
}

static void notify(struct connectx5 *dev, const struct slot *slot)
{
	uint8_t data[CX5_EVENT_DATA] = { 0 };

	if (!dev->cmd_events)
		return;
	put_be32(data, 1u << slot->number);
	cx5_eq_push(dev->cmd_eq, CX5_EV_COMMAND, 0, data);
}

/* The answer first, the ownership last. */
static void finish(struct connectx5 *dev, struct slot *slot, enum delivery delivery)
{
	uint8_t status_owner = (uint8_t)(delivery << 1);

	if (delivery != DELIVERED) {
		dev->counters.delivery_errors++;
		log_warn("connectx5: the command in slot %u can't be delivered: status %#x",
			 slot->number, (unsigned int)delivery);
	}
	if (dma_write(dev->dma, slot->addr + SLOT_OUT, slot->bytes + SLOT_OUT, SLOT_INLINE) ||
	    dma_write(dev->dma, slot->addr + SLOT_STATUS_OWNER, &status_owner, 1))
		return;
	notify(dev, slot);
}

static void run_slot(struct connectx5 *dev, uint32_t number)
{
	struct slot slot = { .addr = dev->cmdq.addr + (uint64_t)number * SLOT_LEN,
			     .number = number };

	if (!dev->cmdq.addr || dma_read(dev->dma, slot.addr, slot.bytes, SLOT_LEN))
		return;
	if (slot.bytes[SLOT_STATUS_OWNER] & OWNER_HARDWARE)
		finish(dev, &slot, execute(dev, &slot));
}

/* One command a turn: others have work to do as well. */
static void run_queue(void *ctx)
{
	struct connectx5 *dev = ctx;
	uint32_t number;

	if (!dev->cmdq.pending)
		return;
	number = (uint32_t)__builtin_ctz(dev->cmdq.pending);
	dev->cmdq.pending &= dev->cmdq.pending - 1;
	run_slot(dev, number);
	if (dev->cmdq.pending)
		task_post(dev->sched, &dev->cmdq.task);
}

void cx5_cmdq_init(struct connectx5 *dev)
{
	task_init(&dev->cmdq.task, run_queue, dev);
}

void cx5_cmdq_doorbell(struct connectx5 *dev, uint32_t slots)
{
	dev->cmdq.pending |= slots;
	if (dev->cmdq.pending && dev->iseg.nic_interface == CX5_NIC_FULL)
		task_post(dev->sched, &dev->cmdq.task);
}

void cx5_cmdq_stop(struct connectx5 *dev)
{
	task_cancel(dev->sched, &dev->cmdq.task);
	dev->cmdq.addr = 0;
	dev->cmdq.pending = 0;
}
