// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include <linux/mlx5/port.h>
#include <linux/unaligned.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_smi.h>
#include "device.h"

#define QDR 4

static void set_caps(struct ib_smp *smp, u32 first, u16 second)
{
	put_unaligned_be32(first, smp->data + 20);
	put_unaligned_be16(second, smp->data + 60);
	smp->data[35] = QDR << 4;
}

/* Each field, with ones in all that stands beside it. */
static void fields(struct kunit *test)
{
	struct ib_port_attr attr = { .pkey_tbl_len = 77 };
	struct ib_smp smp;

	memset(&smp, 0xff, sizeof(smp));
	put_unaligned_be16(0x1234, smp.data + 16);
	put_unaligned_be16(0x5678, smp.data + 18);
	put_unaligned_be32(IB_PORT_SM, smp.data + 20);
	smp.data[31] = 0xf0 | IB_WIDTH_4X;
	smp.data[32] = 0xf0 | IB_PORT_ACTIVE;
	smp.data[33] = 5 << 4 | 0xf;
	smp.data[34] = 0xf8 | 3;
	smp.data[35] = QDR << 4 | 0xf;
	smp.data[36] = IB_MTU_2048 << 4 | 9;
	smp.data[37] = 4 << 4 | 0xf;
	smp.data[41] = 6 << 4 | IB_MTU_4096;
	put_unaligned_be16(0x9abc, smp.data + 46);
	put_unaligned_be16(0xdef0, smp.data + 48);
	smp.data[50] = 8;
	smp.data[51] = 0xe0 | 18;
	mlx5_ib_port_info(&smp, &attr);
	KUNIT_EXPECT_EQ(test, attr.lid, 0x1234);
	KUNIT_EXPECT_EQ(test, attr.sm_lid, 0x5678);
	KUNIT_EXPECT_EQ(test, attr.port_cap_flags, IB_PORT_SM);
	KUNIT_EXPECT_EQ(test, attr.port_cap_flags2, 0);
	KUNIT_EXPECT_EQ(test, attr.active_width, IB_WIDTH_4X);
	KUNIT_EXPECT_EQ(test, attr.state, IB_PORT_ACTIVE);
	KUNIT_EXPECT_EQ(test, attr.phys_state, 5);
	KUNIT_EXPECT_EQ(test, attr.lmc, 3);
	KUNIT_EXPECT_EQ(test, attr.active_speed, QDR);
	KUNIT_EXPECT_EQ(test, attr.active_mtu, IB_MTU_2048);
	KUNIT_EXPECT_EQ(test, attr.max_mtu, IB_MTU_4096);
	KUNIT_EXPECT_EQ(test, attr.sm_sl, 9);
	KUNIT_EXPECT_EQ(test, attr.max_vl_num, 4);
	KUNIT_EXPECT_EQ(test, attr.init_type_reply, 6);
	KUNIT_EXPECT_EQ(test, attr.bad_pkey_cntr, 0x9abc);
	KUNIT_EXPECT_EQ(test, attr.qkey_viol_cntr, 0xdef0);
	KUNIT_EXPECT_EQ(test, attr.gid_tbl_len, 8);
	KUNIT_EXPECT_EQ(test, attr.subnet_timeout, 18);
	KUNIT_EXPECT_EQ(test, attr.pkey_tbl_len, 77);
}

static void speeds(struct kunit *test)
{
	static const struct {
		u8 extended, extended2;
		u32 caps;
		u16 caps2, speed;
	} cases[] = {
		{ 1, 0, 0, 0, QDR },
		{ 1, 0, IB_PORT_EXTENDED_SPEEDS_SUP, 0, IB_SPEED_FDR },
		{ 2, 0, IB_PORT_EXTENDED_SPEEDS_SUP, 0, IB_SPEED_EDR },
		{ 4, 0, IB_PORT_EXTENDED_SPEEDS_SUP, IB_PORT_LINK_SPEED_HDR_SUP, QDR },
		{ 4, 0, IB_PORT_EXTENDED_SPEEDS_SUP | IB_PORT_CAP_MASK2_SUP,
		  IB_PORT_LINK_SPEED_HDR_SUP, IB_SPEED_HDR },
		{ 8, 0, IB_PORT_EXTENDED_SPEEDS_SUP | IB_PORT_CAP_MASK2_SUP,
		  IB_PORT_LINK_SPEED_NDR_SUP, IB_SPEED_NDR },
		{ 8, 0, IB_PORT_EXTENDED_SPEEDS_SUP | IB_PORT_CAP_MASK2_SUP,
		  IB_PORT_LINK_SPEED_HDR_SUP, QDR },
		{ 3, 0, IB_PORT_EXTENDED_SPEEDS_SUP, 0, QDR },
		{ 0, 2, IB_PORT_CAP_MASK2_SUP,
		  IB_PORT_EXTENDED_SPEEDS2_SUP | IB_PORT_LINK_SPEED_XDR_SUP, IB_SPEED_XDR },
		{ 0, 2, IB_PORT_CAP_MASK2_SUP, IB_PORT_LINK_SPEED_XDR_SUP, QDR },
		{ 0, 4, IB_PORT_CAP_MASK2_SUP,
		  IB_PORT_EXTENDED_SPEEDS2_SUP | IB_PORT_LINK_SPEED_XDR_SUP, QDR },
	};
	struct ib_port_attr attr;
	struct ib_smp smp = {};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		set_caps(&smp, cases[i].caps, cases[i].caps2);
		smp.data[62] = cases[i].extended << 4;
		smp.data[56] = cases[i].extended2 << 4;
		mlx5_ib_port_info(&smp, &attr);
		KUNIT_EXPECT_EQ_MSG(test, attr.active_speed, cases[i].speed, "case %zu", i);
	}
}

static void double_width(struct kunit *test)
{
	struct ib_port_attr attr;
	struct ib_smp smp = {};

	smp.data[31] = 0xe0 | IB_WIDTH_2X;
	set_caps(&smp, IB_PORT_CAP_MASK2_SUP, IB_PORT_LINK_WIDTH_2X_SUP);
	mlx5_ib_port_info(&smp, &attr);
	KUNIT_EXPECT_EQ(test, attr.active_width, IB_WIDTH_2X);
}

static void by_command(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, mlx5_ib_width_of_ptys(MLX5_PTYS_WIDTH_1X), IB_WIDTH_1X);
	KUNIT_EXPECT_EQ(test, mlx5_ib_width_of_ptys(MLX5_PTYS_WIDTH_2X), IB_WIDTH_2X);
	KUNIT_EXPECT_EQ(test, mlx5_ib_width_of_ptys(MLX5_PTYS_WIDTH_4X), IB_WIDTH_4X);
	KUNIT_EXPECT_EQ(test, mlx5_ib_width_of_ptys(MLX5_PTYS_WIDTH_8X), IB_WIDTH_8X);
	KUNIT_EXPECT_EQ(test, mlx5_ib_width_of_ptys(MLX5_PTYS_WIDTH_12X), IB_WIDTH_12X);
	KUNIT_EXPECT_EQ(test, mlx5_ib_width_of_ptys(0), IB_WIDTH_4X);
	KUNIT_EXPECT_EQ(test, mlx5_ib_width_of_ptys(0x8000), IB_WIDTH_4X);
	KUNIT_EXPECT_EQ(test, mlx5_ib_mtu_of_bytes(256), IB_MTU_256);
	KUNIT_EXPECT_EQ(test, mlx5_ib_mtu_of_bytes(4096), IB_MTU_4096);
	KUNIT_EXPECT_EQ(test, mlx5_ib_mtu_of_bytes(8192), 0);
	KUNIT_EXPECT_EQ(test, mlx5_ib_mtu_of_bytes(1500), 0);
	KUNIT_EXPECT_EQ(test, mlx5_ib_mtu_of_bytes(0), 0);
	KUNIT_EXPECT_EQ(test, mlx5_ib_vls_of_device(1), 1);
	KUNIT_EXPECT_EQ(test, mlx5_ib_vls_of_device(8), 4);
	KUNIT_EXPECT_EQ(test, mlx5_ib_vls_of_device(15), 5);
	KUNIT_EXPECT_EQ(test, mlx5_ib_vls_of_device(3), -EINVAL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_vls_of_device(0), -EINVAL);
}

static struct kunit_case port_info_cases[] = {
	KUNIT_CASE(fields),
	KUNIT_CASE(speeds),
	KUNIT_CASE(double_width),
	KUNIT_CASE(by_command),
	{}
};

static struct kunit_suite port_info_suite = {
	.name = "mlx5-port-info",
	.test_cases = port_info_cases,
};

kunit_test_suite(port_info_suite);
