// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Page faults, as the device writes them.
 */
#include "odp.h"

#define NUMBER_MASK 0xffffff
#define TYPE_SHIFT 24
#define WQE_TYPE_MASK 0x7

/* Of faults by memory: all sizes are in pages of the device's. */
#define MEMORY_LAST BIT(7)
#define MEMORY_PAGES_SHIFT 12

static void by_wqe(struct mlx5_ib_fault *fault, const struct mlx5_eqe_page_fault *said)
{
	u32 type_number = be32_to_cpu(said->wqe.pftype_wq);

	fault->type = type_number >> TYPE_SHIFT & WQE_TYPE_MASK;
	fault->number = type_number & NUMBER_MASK;
	fault->token = be32_to_cpu(said->wqe.token);
	fault->done = be32_to_cpu(said->wqe.bytes_committed);
	fault->index = be16_to_cpu(said->wqe.wqe_index);
	fault->packet = be16_to_cpu(said->wqe.packet_length);
}

static void by_rdma(struct mlx5_ib_fault *fault, const struct mlx5_eqe_page_fault *said)
{
	u32 type_token = be32_to_cpu(said->rdma.pftype_token);

	fault->type = type_token >> TYPE_SHIFT;
	fault->token = type_token & NUMBER_MASK;
	fault->number = fault->token;
	fault->done = be32_to_cpu(said->rdma.bytes_committed);
	fault->key = be32_to_cpu(said->rdma.r_key);
	fault->va = be64_to_cpu(said->rdma.rdma_va);
	fault->length = be32_to_cpu(said->rdma.rdma_op_len);
	fault->packet = be16_to_cpu(said->rdma.packet_length);
}

static u32 device_pages(__be16 pages)
{
	return be16_to_cpu(pages) * MEMORY_SCHEME_PAGE_FAULT_GRANULARITY;
}

static void by_memory(struct mlx5_ib_fault *fault, const struct mlx5_eqe_page_fault *said)
{
	fault->token = (u64)be16_to_cpu(said->memory.token47_32) << 32 |
		       be32_to_cpu(said->memory.token31_0);
	fault->key = be32_to_cpu(said->memory.mkey);
	fault->va = be64_to_cpu(said->memory.va);
	fault->length = (be32_to_cpu(said->memory.demand_fault_pages) >> MEMORY_PAGES_SHIFT) *
			MEMORY_SCHEME_PAGE_FAULT_GRANULARITY;
	fault->before = device_pages(said->memory.pre_demand_fault_pages);
	fault->after = device_pages(said->memory.post_demand_fault_pages);
	fault->last = said->memory.flags & MEMORY_LAST;
}

/**
 * mlx5_ib_fault_decode - read an event
 * @fault: what it says
 * @eqe: the event
 *
 * One of an unknown kind has but its kind in it.
 */
void mlx5_ib_fault_decode(struct mlx5_ib_fault *fault, const struct mlx5_eqe *eqe)
{
	const struct mlx5_eqe_page_fault *said = &eqe->data.page_fault;

	*fault = (struct mlx5_ib_fault) { .subtype = eqe->sub_type, .last = true };
	switch (eqe->sub_type) {
	case MLX5_PFAULT_SUBTYPE_WQE:
		by_wqe(fault, said);
		break;
	case MLX5_PFAULT_SUBTYPE_RDMA:
		by_rdma(fault, said);
		break;
	case MLX5_PFAULT_SUBTYPE_MEMORY:
		by_memory(fault, said);
		break;
	}
}
