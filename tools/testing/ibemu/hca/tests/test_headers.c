/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Headers against bytes worked out by hand from IBTA vol. 1: figures of 7.7, 8.3, 9.2 and 9.3.2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "hca/headers.h"

/* VL 3, LVer 0 | SL 5, LNH 3 | DLID 0xbeef | PktLen 0x123 | SLID 0x0102 */
static const uint8_t lrh_bytes[] = { 0x30, 0x53, 0xbe, 0xef, 0x01, 0x23, 0x01, 0x02 };

static void local_route_header(void **state)
{
	const struct lrh lrh = {
		.vl = 3,
		.sl = 5,
		.lnh = LNH_GLOBAL,
		.dlid = 0xbeef,
		.slid = 0x0102,
		.packet_words = 0x123,
	};
	struct lrh back;
	uint8_t p[LRH_LEN];

	(void)state;
	lrh_encode(p, &lrh);
	assert_memory_equal(p, lrh_bytes, sizeof(p));
	lrh_decode(p, &back);
	assert_int_equal(back.vl, 3);
	assert_int_equal(back.sl, 5);
	assert_int_equal(back.lnh, LNH_GLOBAL);
	assert_int_equal(back.dlid, 0xbeef);
	assert_int_equal(back.slid, 0x0102);
	assert_int_equal(back.packet_words, 0x123);
}

/* IPVer 6, TClass 0xab, FlowLabel 0xcdef1 | PayLen 0x0118, NxtHdr 0x1b, HopLmt 0x3f | SGID | DGID
 */
static const uint8_t grh_bytes[] = {
	0x6a, 0xbc, 0xde, 0xf1, 0x01, 0x18, 0x1b, 0x3f,
	0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 2, 0xc9, 3, 0, 0, 0x10, 0x11,
	0xff, 0x12, 0x40, 0x1b, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
};

static void global_route_header(void **state)
{
	struct grh grh = { .traffic_class = 0xab,
			   .hop_limit = 0x3f,
			   .flow_label = 0xcdef1,
			   .payload_len = 0x118 };
	struct grh back;
	uint8_t p[GRH_LEN];

	(void)state;
	memcpy(grh.sgid, grh_bytes + 8, 16);
	memcpy(grh.dgid, grh_bytes + 24, 16);
	grh_encode(p, &grh);
	assert_memory_equal(p, grh_bytes, sizeof(p));
	assert_true(grh_decode(p, &back));
	assert_int_equal(back.traffic_class, 0xab);
	assert_int_equal(back.hop_limit, 0x3f);
	assert_int_equal(back.flow_label, 0xcdef1);
	assert_int_equal(back.payload_len, 0x118);
	assert_memory_equal(back.sgid, grh_bytes + 8, 16);
	assert_memory_equal(back.dgid, grh_bytes + 24, 16);
	p[0] = 0x4a;
	assert_false(grh_decode(p, &back));
	p[0] = 0x6a;
	p[6] = 0x11;
	assert_false(grh_decode(p, &back));
}

/*
 * UD SEND only with immediate | SE 1, M 1, PadCnt 2, TVer 0 | P_Key | reserved, DestQP | AckReq 1,
 * PSN
 */
static const uint8_t bth_bytes[] = { 0x65, 0xe0, 0x80, 0x01, 0x00, 0x12,
				     0x34, 0x56, 0x80, 0xab, 0xcd, 0xef };

static void base_transport_header(void **state)
{
	const struct bth bth = {
		.opcode = BTH_OPCODE(BTH_TRANSPORT_UD, BTH_SEND_ONLY_IMM),
		.pad_count = 2,
		.solicited = true,
		.migrated = true,
		.ack_request = true,
		.pkey = 0x8001,
		.dest_qpn = 0x123456,
		.psn = 0xabcdef,
	};
	struct bth back;
	uint8_t p[BTH_LEN];

	(void)state;
	bth_encode(p, &bth);
	assert_memory_equal(p, bth_bytes, sizeof(p));
	assert_true(bth_decode(p, &back));
	assert_int_equal(back.opcode, 0x65);
	assert_int_equal(back.pad_count, 2);
	assert_true(back.solicited);
	assert_true(back.migrated);
	assert_true(back.ack_request);
	assert_int_equal(back.pkey, 0x8001);
	assert_int_equal(back.dest_qpn, 0x123456);
	assert_int_equal(back.psn, 0xabcdef);
	p[1] = 0xe1; /* transport header version 1 */
	assert_false(bth_decode(p, &back));
}

static void fields_do_not_spill_over(void **state)
{
	const struct bth bth = { .dest_qpn = 0xff000000, .psn = 0x7f000000, .pad_count = 0xfc };
	const struct deth deth = { .qkey = 0x80010000, .src_qpn = 0xff000001 };
	static const uint8_t deth_bytes[] = { 0x80, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01 };
	static const uint8_t zero[BTH_LEN];
	struct deth back;
	uint8_t p[BTH_LEN];

	(void)state;
	bth_encode(p, &bth);
	assert_memory_equal(p, zero, BTH_LEN);
	deth_encode(p, &deth);
	assert_memory_equal(p, deth_bytes, DETH_LEN);
	p[4] = 0xee; /* reserved */
	deth_decode(p, &back);
	assert_int_equal(back.qkey, 0x80010000);
	assert_int_equal(back.src_qpn, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(local_route_header),
		cmocka_unit_test(global_route_header),
		cmocka_unit_test(base_transport_header),
		cmocka_unit_test(fields_do_not_spill_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
