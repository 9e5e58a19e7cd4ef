// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Packets: the pool, what is well-formed, and the two CRCs. */
#include "fabric/tests/lab.h"

/* IBTA vol. 1, 7.8.3: an RDMA WRITE only of 14 bytes; its ICRC is given as 96 25 B7 5A. */
static const uint8_t sample[] = {
	0x70, 0x12, 0x37, 0x5c, 0x00, 0x0e, 0x17, 0xd2, /* LRH */
	0x0a, 0x20, 0x24, 0x87, 0x00, 0x87, 0xb1, 0xb3, 0x00, 0x0d, 0xec, 0x2a, /* BTH */
	0x01, 0x71, 0x0a, 0x1c, 0x01, 0x5d, 0x40, 0x02, 0x38, 0xf2, 0x7a, 0x05,
	0x00, 0x00, 0x00, 0x0e, 0xbb, 0x88, 0x4d, 0x85, 0xfd, 0x5c, 0xfb, 0xa4,
	0x72, 0x8b, 0xc0, 0x69, 0x0e, 0xd4, 0x00, 0x00,
};

/* The same with a GRH. */
static const uint8_t grh[] = {
	0x60, 0x00, 0x00, 0x00, 0x00, 0x32, 0x1b, 0x10, 0, 0, 0, 0,    0, 0, 1, 0x25, 0, 0, 0, 0,
	0,    0,    0,	  0x26, 0,    0,    0,	  0,	0, 0, 1, 0x17, 0, 0, 0, 0,    0, 0, 0, 0x96,
};

static struct packet *make(const uint8_t *bytes, uint16_t len)
{
	struct packet *packet = packet_alloc();

	assert_non_null(packet);
	memcpy(packet->data, bytes, len);
	packet->len = len;
	return packet;
}

static struct packet *make_with_grh(void)
{
	struct packet *packet = make(sample, sizeof(sample));

	memmove(packet->data + 48, packet->data + 8, sizeof(sample) - 8);
	memcpy(packet->data + 8, grh, sizeof(grh));
	packet->len += sizeof(grh);
	packet->data[1] = 0x13;
	put_be16(packet->data + 4, packet->len / 4 + 1);
	return packet;
}

/*
 * The slow and obvious CRC: a shift register with its high bit first, fed bit by bit from the low
 * end of each byte; the remainder is complemented and sent high bit first, which puts that bit into
 * the low end of the first byte.
 */
static uint32_t reference_crc(unsigned int width, uint32_t poly, const uint8_t *bytes, size_t len)
{
	uint32_t top = 1u << (width - 1), mask = top | (top - 1), reg = mask, sent = 0;

	for (size_t i = 0; i < len * 8; i++) {
		uint32_t bit = bytes[i / 8] >> (i % 8) & 1, out = (reg & top) != 0;

		reg = (reg << 1 & mask) ^ (bit ^ out ? poly : 0);
	}
	reg = ~reg & mask;
	for (unsigned int i = 0; i < width; i++)
		sent |= (reg >> (width - 1 - i) & 1) << i;
	return sent;
}

static void test_sample_crcs(void **state)
{
	struct packet *packet = make(sample, sizeof(sample));
	uint8_t all[sizeof(sample) + 4];

	(void)state;
	assert_true(packet_is_sane(packet));
	assert_int_equal(packet_icrc(packet), 0x5ab72596); /* sent low byte first: 96 25 b7 5a */
	memcpy(all, sample, sizeof(sample));
	memcpy(all + sizeof(sample), "\x96\x25\xb7\x5a", 4);
	assert_int_equal(packet_vcrc(packet, 0x5ab72596),
			 reference_crc(16, 0x100b, all, sizeof(all)));
	assert_int_equal(packet_vcrc(packet, 0x5ab72596), 0xfa45);
	packet_free(packet);
	packet_drain_pool();
}

/* With a GRH, all of the LRH, traffic class, flow label and hop limit count as ones. */
static void test_icrc_with_grh(void **state)
{
	struct packet *packet = make_with_grh();
	uint8_t masked[sizeof(sample) + sizeof(grh)];
	uint32_t icrc = packet_icrc(packet);

	(void)state;
	assert_true(packet_is_sane(packet));
	memcpy(masked, packet->data, packet->len);
	memset(masked, 0xff, 8);
	masked[8] = 0x6f;
	masked[9] = masked[10] = masked[11] = 0xff;
	masked[15] = 0xff;
	masked[8 + 40 + 4] = 0xff;
	assert_int_equal(icrc, reference_crc(32, 0x04c11db7, masked, packet->len));

	/* what may change on the way doesn't change it, anything else does */
	packet->data[2] ^= 0x55;
	packet->data[9] ^= 1;
	packet->data[15]--;
	assert_int_equal(packet_icrc(packet), icrc);
	packet->data[16] ^= 1;
	assert_int_not_equal(packet_icrc(packet), icrc);
	packet_free(packet);
	packet_drain_pool();
}

static void test_vl_is_in_the_vcrc_only(void **state)
{
	struct packet *packet = make(sample, sizeof(sample));
	uint32_t icrc = packet_icrc(packet);
	uint16_t vcrc = packet_vcrc(packet, icrc);

	(void)state;
	lrh_set_vl(packet, 3);
	assert_int_equal(packet->data[0], 0x30);
	assert_int_equal(packet_icrc(packet), icrc);
	assert_int_not_equal(packet_vcrc(packet, icrc), vcrc);
	packet->data[2] ^= 1; /* without a GRH, the DLID is in the ICRC */
	assert_int_not_equal(packet_icrc(packet), icrc);
	packet_free(packet);
	packet_drain_pool();
}

static void test_headers(void **state)
{
	struct packet *packet = make_with_grh();

	(void)state;
	packet->data[1] |= 0xa0;
	assert_int_equal(lrh_sl(packet), 0xb);
	assert_int_equal(lrh_dlid(packet), 0x375c);
	assert_int_equal(lrh_slid(packet), 0x17d2);
	assert_int_equal(lrh_words(packet), 24);
	assert_int_equal(bth_pkey(packet), 0x2487);
	assert_int_equal(bth_dest_qp(packet), 0x87b1b3);
	assert_memory_equal(grh_gids(packet), grh + 8, 32);
	assert_null(packet_mad(packet));
	packet_free(packet);
	packet_drain_pool();
}

static void check_insane(uint16_t at, uint8_t value, uint16_t len)
{
	struct packet *packet = make(sample, sizeof(sample));

	packet->data[at] = value;
	packet->len = len;
	assert_false(packet_is_sane(packet));
	packet_free(packet);
}

static void test_what_is_not_well_formed(void **state)
{
	struct packet *packet = make(sample, sizeof(sample));

	(void)state;
	assert_true(packet_is_sane(packet));
	packet_free(packet);
	check_insane(0, 0x71, sizeof(sample)); /* link version */
	check_insane(1, 0x10, sizeof(sample)); /* raw */
	check_insane(1, 0x11, sizeof(sample)); /* raw, with an IPv6 header */
	check_insane(5, 0x0d, sizeof(sample)); /* packet length */
	check_insane(4, 0x01, sizeof(sample));
	check_insane(0, 0x70, sizeof(sample) - 4);
	check_insane(0, 0x70, 4);
	check_insane(0, 0x70, PACKET_MAX + 4);
	check_insane(5, 0x04, 12); /* no room for the BTH */
	packet_drain_pool();
}

static void test_pool(void **state)
{
	struct packet *packet = make(sample, sizeof(sample)), *clone;

	(void)state;
	packet->vl = 7;
	packet->next = packet;
	clone = packet_clone(packet);
	assert_non_null(clone);
	assert_null(clone->next);
	assert_int_equal(clone->len, sizeof(sample));
	assert_int_equal(clone->vl, 7);
	assert_memory_equal(clone->data, sample, sizeof(sample));
	packet->corrupt = true;
	packet_free(packet);
	assert_ptr_equal(packet_alloc(), packet); /* from the free list, and as new */
	assert_int_equal(packet->len, 0);
	assert_false(packet->corrupt);
	packet_free(packet);
	packet_free(clone);
	packet_free(NULL);
	packet_drain_pool();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sample_crcs),
		cmocka_unit_test(test_icrc_with_grh),
		cmocka_unit_test(test_vl_is_in_the_vcrc_only),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_what_is_not_well_formed),
		cmocka_unit_test(test_pool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
