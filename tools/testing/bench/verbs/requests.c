// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Work requests of the kernel, each in a window for the plugin: receives and sends of a few bytes,
 * and fast registration. Completions are awaited, and polled in windows of their own.
 */
#include <linux/slab.h>

#include "bench.h"

#define LIST 8		/* requests posted at once */
#define BYTES 64	/* of a message */
#define PAGES 16	/* of a region */
#define REGION (PAGES * PAGE_SIZE)

struct memory {
	void *bytes;
	u64 dma;
	struct ib_sge sge;
};

static int get_memory(struct bench *bench, struct memory *memory)
{
	memory->bytes = kzalloc(REGION, GFP_KERNEL);
	if (!memory->bytes)
		return -ENOMEM;
	memory->dma = ib_dma_map_single(bench->device, memory->bytes, REGION, DMA_BIDIRECTIONAL);
	if (ib_dma_mapping_error(bench->device, memory->dma)) {
		kfree(memory->bytes);
		return -ENOMEM;
	}
	memory->sge = (struct ib_sge) {
		.addr = memory->dma,
		.length = BYTES,
		.lkey = bench->pd->local_dma_lkey,
	};
	return 0;
}

static void put_memory(struct bench *bench, struct memory *memory)
{
	ib_dma_unmap_single(bench->device, memory->dma, REGION, DMA_BIDIRECTIONAL);
	kfree(memory->bytes);
}

static int await_completions(struct bench *bench, int count)
{
	int ret = 0;

	while (count-- && !ret)
		ret = await_completion(bench);
	return ret;
}

/* With nothing under way, so that no event comes. */
static int arm(struct bench *bench)
{
	return WINDOW("req_notify_cq", ib_req_notify_cq(bench->cq, IB_CQ_NEXT_COMP));
}

static int send_one(struct bench *bench, struct memory *memory)
{
	struct ib_recv_wr recv = { .sg_list = &memory->sge, .num_sge = 1 };
	struct ib_send_wr send = {
		.opcode = IB_WR_SEND,
		.sg_list = &memory->sge,
		.num_sge = 1,
	};

	return WINDOW("post_recv", ib_post_recv(bench->qp, &recv, NULL)) ?:
	       WINDOW("post_send", ib_post_send(bench->qp, &send, NULL)) ?:
	       await_completions(bench, 2);
}

static int send_list(struct bench *bench, struct memory *memory)
{
	struct ib_recv_wr recv[LIST] = {};
	struct ib_send_wr send[LIST] = {};
	int i;

	for (i = 0; i < LIST; i++) {
		recv[i].sg_list = &memory->sge;
		recv[i].num_sge = 1;
		recv[i].next = i + 1 < LIST ? &recv[i + 1] : NULL;
		send[i].opcode = IB_WR_SEND;
		send[i].sg_list = &memory->sge;
		send[i].num_sge = 1;
		send[i].next = i + 1 < LIST ? &send[i + 1] : NULL;
	}
	return WINDOW("post_recv_list_of_8", ib_post_recv(bench->qp, recv, NULL)) ?:
	       WINDOW("post_send_list_of_8", ib_post_send(bench->qp, send, NULL)) ?:
	       await_completions(bench, 2 * LIST);
}

/* --- fast registration */

static int write_to(struct bench *bench, struct memory *memory, struct ib_mr *mr)
{
	struct ib_rdma_wr write = {
		.wr = { .opcode = IB_WR_RDMA_WRITE, .sg_list = &memory->sge, .num_sge = 1 },
		.remote_addr = mr->iova + PAGE_SIZE,
		.rkey = mr->rkey,
	};

	return WINDOW("post_send_rdma_write", ib_post_send(bench->qp, &write.wr, NULL)) ?:
	       await_completion(bench);
}

static int invalidate(struct bench *bench, struct ib_mr *mr)
{
	struct ib_send_wr wr = { .opcode = IB_WR_LOCAL_INV, .ex.invalidate_rkey = mr->rkey };

	return WINDOW("post_send_local_inv", ib_post_send(bench->qp, &wr, NULL)) ?:
	       await_completion(bench);
}

static int map(struct memory *memory, struct ib_mr *mr)
{
	struct scatterlist list[PAGES];
	int i, n;

	sg_init_table(list, PAGES);
	for (i = 0; i < PAGES; i++) {
		/* Backwards: no two of them are one piece. */
		sg_set_page(&list[i], virt_to_page(memory->bytes), PAGE_SIZE, 0);
		sg_dma_address(&list[i]) = memory->dma + (PAGES - 1 - i) * PAGE_SIZE;
		sg_dma_len(&list[i]) = PAGE_SIZE;
	}
	n = WINDOW("map_mr_sg", ib_map_mr_sg(mr, list, PAGES, NULL, PAGE_SIZE));
	return n == PAGES ? 0 : -EIO;
}

static int use_mr(struct bench *bench, struct memory *memory, struct ib_mr *mr)
{
	struct ib_reg_wr wr = {
		.wr.opcode = IB_WR_REG_MR,
		.mr = mr,
		.key = mr->rkey,
		.access = IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE,
	};

	return map(memory, mr) ?:
	       WINDOW("post_send_reg_mr", ib_post_send(bench->qp, &wr.wr, NULL)) ?:
	       await_completion(bench) ?:
	       write_to(bench, memory, mr) ?:
	       invalidate(bench, mr);
}

static int register_fast(struct bench *bench, struct memory *memory)
{
	struct ib_mr *mr = ib_alloc_mr(bench->pd, IB_MR_TYPE_MEM_REG, PAGES);
	int ret;

	if (IS_ERR(mr))
		return PTR_ERR(mr);
	ret = use_mr(bench, memory, mr);
	return ib_dereg_mr(mr) ?: ret;
}

int post_requests(struct bench *bench)
{
	struct memory memory;
	int ret;

	ret = get_memory(bench, &memory);
	if (ret)
		return ret;
	ret = send_one(bench, &memory) ?:
	      send_list(bench, &memory) ?:
	      register_fast(bench, &memory) ?:
	      arm(bench);
	put_memory(bench, &memory);
	return ret;
}
