// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include "odp.h"

static void by_wqe(struct kunit *test)
{
	for (u32 type = 0; type < 8; type++) {
		struct mlx5_eqe eqe = { .sub_type = MLX5_PFAULT_SUBTYPE_WQE };
		struct mlx5_ib_fault fault;

		MLX5_SET(wqe_associated_page_fault_event, &eqe.data, bytes_committed, 0x12345678);
		MLX5_SET(wqe_associated_page_fault_event, &eqe.data, wqe_index, 0xabcd);
		MLX5_SET(wqe_associated_page_fault_event, &eqe.data, len, 0x1000);
		MLX5_SET(wqe_associated_page_fault_event, &eqe.data, rdma, type >> 2);
		MLX5_SET(wqe_associated_page_fault_event, &eqe.data, write_read, type >> 1 & 1);
		MLX5_SET(wqe_associated_page_fault_event, &eqe.data, requestor, type & 1);
		MLX5_SET(wqe_associated_page_fault_event, &eqe.data, qpn, 0xfedcba);
		eqe.data.page_fault.wqe.token = cpu_to_be32(0x89abcdef);
		mlx5_ib_fault_decode(&fault, &eqe);
		KUNIT_EXPECT_EQ(test, fault.subtype, MLX5_PFAULT_SUBTYPE_WQE);
		KUNIT_EXPECT_EQ(test, fault.type, type);
		KUNIT_EXPECT_EQ(test, fault.done, 0x12345678);
		KUNIT_EXPECT_EQ(test, fault.index, 0xabcd);
		KUNIT_EXPECT_EQ(test, fault.packet, 0x1000);
		KUNIT_EXPECT_EQ(test, fault.number, 0xfedcba);
		KUNIT_EXPECT_EQ(test, fault.token, 0x89abcdef);
		KUNIT_EXPECT_TRUE(test, fault.last);
	}
}

static void by_rdma(struct kunit *test)
{
	struct mlx5_eqe eqe = { .sub_type = MLX5_PFAULT_SUBTYPE_RDMA };
	struct mlx5_ib_fault fault;

	MLX5_SET(rdma_page_fault_event, &eqe.data, bytes_committed, 0x12345678);
	MLX5_SET(rdma_page_fault_event, &eqe.data, r_key, 0xa1b2c3d4);
	MLX5_SET(rdma_page_fault_event, &eqe.data, packet_len, 0x800);
	MLX5_SET(rdma_page_fault_event, &eqe.data, rdma_op_len, 0x7fffffff);
	MLX5_SET64(rdma_page_fault_event, &eqe.data, rdma_va, 0x123456789abcdef0);
	MLX5_SET(rdma_page_fault_event, &eqe.data, rdma, 1);
	MLX5_SET(rdma_page_fault_event, &eqe.data, write, 1);
	MLX5_SET(rdma_page_fault_event, &eqe.data, qp_number, 0xfedcba);
	mlx5_ib_fault_decode(&fault, &eqe);
	KUNIT_EXPECT_EQ(test, fault.type, MLX5_PFAULT_RDMA | MLX5_PFAULT_WRITE);
	KUNIT_EXPECT_EQ(test, fault.done, 0x12345678);
	KUNIT_EXPECT_EQ(test, fault.key, 0xa1b2c3d4);
	KUNIT_EXPECT_EQ(test, fault.packet, 0x800);
	KUNIT_EXPECT_EQ(test, fault.length, 0x7fffffff);
	KUNIT_EXPECT_EQ(test, fault.va, 0x123456789abcdef0);
	KUNIT_EXPECT_EQ(test, fault.number, 0xfedcba);
	KUNIT_EXPECT_EQ(test, fault.token, 0xfedcba);
}

static void by_memory(struct kunit *test)
{
	struct mlx5_eqe eqe = { .sub_type = MLX5_PFAULT_SUBTYPE_MEMORY };
	struct mlx5_ib_fault fault;

	eqe.data.page_fault.memory.token47_32 = cpu_to_be16(0xabcd);
	eqe.data.page_fault.memory.token31_0 = cpu_to_be32(0x12345678);
	eqe.data.page_fault.memory.mkey = cpu_to_be32(0xa1b2c3d4);
	eqe.data.page_fault.memory.va = cpu_to_be64(0x123456789abcd000);
	eqe.data.page_fault.memory.demand_fault_pages = cpu_to_be32(3 << 12 | 0xfff);
	eqe.data.page_fault.memory.pre_demand_fault_pages = cpu_to_be16(1);
	eqe.data.page_fault.memory.post_demand_fault_pages = cpu_to_be16(2);
	mlx5_ib_fault_decode(&fault, &eqe);
	KUNIT_EXPECT_EQ(test, fault.token, 0xabcd12345678);
	KUNIT_EXPECT_EQ(test, fault.key, 0xa1b2c3d4);
	KUNIT_EXPECT_EQ(test, fault.va, 0x123456789abcd000);
	KUNIT_EXPECT_EQ(test, fault.length, 3 * 4096);
	KUNIT_EXPECT_EQ(test, fault.before, 4096);
	KUNIT_EXPECT_EQ(test, fault.after, 2 * 4096);
	KUNIT_EXPECT_FALSE(test, fault.last);
	eqe.data.page_fault.memory.flags = BIT(7);
	mlx5_ib_fault_decode(&fault, &eqe);
	KUNIT_EXPECT_TRUE(test, fault.last);
}

/* It's resumed, whatever it is: nothing of another event is left in it. */
static void unknown(struct kunit *test)
{
	struct mlx5_eqe eqe = { .sub_type = 0x77 };
	struct mlx5_ib_fault fault;

	memset(&fault, 0xff, sizeof(fault));
	mlx5_ib_fault_decode(&fault, &eqe);
	KUNIT_EXPECT_EQ(test, fault.subtype, 0x77);
	KUNIT_EXPECT_EQ(test, fault.type, 0);
	KUNIT_EXPECT_EQ(test, fault.token, 0);
	KUNIT_EXPECT_EQ(test, fault.length, 0);
}

static struct kunit_case fault_cases[] = {
	KUNIT_CASE(by_wqe),
	KUNIT_CASE(by_rdma),
	KUNIT_CASE(by_memory),
	KUNIT_CASE(unknown),
	{}
};

static struct kunit_suite fault_suite = {
	.name = "mlx5-odp-fault",
	.test_cases = fault_cases,
};

kunit_test_suite(fault_suite);
