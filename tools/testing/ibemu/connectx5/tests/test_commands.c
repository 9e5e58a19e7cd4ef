/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Commands: states, lengths, objects and their ties, capabilities, ordered failures, noise. */
#include "connectx5/tests/bench.h"

enum {
	OK = 0,
	BAD_OP = 2,
	BAD_PARAM = 3,
	BAD_SYS_STATE = 4,
	BAD_RES = 5,
	LIMIT = 8,
	BAD_RES_STATE = 9,
	BAD_QP_STATE = 0x10,
	BAD_INPUT_LEN = 0x50
};

static int set_up(void **state)
{
	*state = bench_create();
	return 0;
}

static int set_up_ready(void **state)
{
	*state = bench_create_verbs();
	return 0;
}

static int tear_down(void **state)
{
	bench_destroy(*state);
	return 0;
}

#define bench_test_ready(f) cmocka_unit_test_setup_teardown(f, set_up_ready, tear_down)

static struct guest *first(void **state)
{
	return &((struct bench *)*state)->guest[0];
}

static void commands_need_their_state(void **state)
{
	struct guest *guest = first(state);

	assert_int_equal(execute(guest, QUERY_ISSI, 0, 16), BAD_SYS_STATE);
	assert_int_equal(execute(guest, ALLOC_PD, 0, 16), BAD_SYS_STATE);
	assert_int_equal(execute(guest, ENABLE_HCA, 0, 16), OK);
	assert_int_equal(execute(guest, ENABLE_HCA, 0, 16), BAD_SYS_STATE);
	assert_int_equal(execute(guest, QUERY_ISSI, 0, 16), OK);
	assert_int_equal(get_be32(guest->out + 108), 2);
	assert_int_equal(execute(guest, ALLOC_PD, 0, 16), BAD_SYS_STATE);
	assert_int_equal(execute(guest, TEARDOWN_HCA, 0, 16), BAD_SYS_STATE);
	assert_int_equal(execute(guest, INIT_HCA, 0, 32), OK);
	assert_int_equal(execute(guest, INIT_HCA, 0, 32), BAD_SYS_STATE);
	assert_int_equal(execute(guest, ALLOC_PD, 0, 16), OK);
	assert_int_equal(execute(guest, TEARDOWN_HCA, 0, 16), OK);
	assert_int_equal(execute(guest, DISABLE_HCA, 0, 16), OK);
	assert_int_equal(execute(guest, QUERY_ISSI, 0, 16), BAD_SYS_STATE);
}

static void interface_step_is_one(void **state)
{
	struct guest *guest = first(state);

	assert_int_equal(execute(guest, ENABLE_HCA, 0, 16), OK);
	put_be16(guest->in + 10, 0);
	assert_int_equal(execute(guest, SET_ISSI, 0, 16), BAD_PARAM);
	put_be16(guest->in + 10, 33);
	assert_int_equal(execute(guest, SET_ISSI, 0, 16), BAD_PARAM);
	put_be16(guest->in + 10, 1);
	assert_int_equal(execute(guest, SET_ISSI, 0, 16), OK);
	assert_int_equal(execute(guest, QUERY_ISSI, 0, 16), OK);
	assert_int_equal(get_be16(guest->out + 10), 1);
}

static void unknown_and_short_commands_are_refused(void **state)
{
	struct guest *guest = first(state);

	assert_int_equal(execute(guest, 0x7fff, 0, 16), BAD_OP);
	assert_int_equal(guest->dev.counters.unknown_commands, 1);
	assert_int_equal(execute(guest, CREATE_CQ, 0, 271), BAD_INPUT_LEN);
	assert_int_equal(execute(guest, MAD_IFC, 0, 16), BAD_INPUT_LEN);
}

static void pages_are_kept_and_given_back(void **state)
{
	struct guest *guest = first(state);

	execute(guest, ENABLE_HCA, 0, 16);
	assert_int_equal(execute(guest, QUERY_PAGES, 1, 16), OK);
	assert_int_equal(get_be32(guest->out + 12), 16);
	put_be32(guest->in + 12, 3);
	put_pages(guest, 16, 0x8000, 3);
	assert_int_equal(execute(guest, MANAGE_PAGES, 1, 16 + 24), OK);
	put_be32(guest->in + 12, 1); /* one more than the list holds */
	assert_int_equal(execute(guest, MANAGE_PAGES, 1, 16), BAD_INPUT_LEN);
	put_be32(guest->in + 12, 1);
	put_be64(guest->in + 16, bus(0x8001));
	assert_int_equal(execute(guest, MANAGE_PAGES, 1, 24), BAD_PARAM);
	put_be32(guest->in + 12, 2);
	assert_int_equal(execute(guest, MANAGE_PAGES, 2, 16), OK);
	assert_int_equal(get_be32(guest->out + 8), 2);
	assert_int_equal(get_be64(guest->out + 16), bus(0xa000));
	assert_int_equal(get_be64(guest->out + 24), bus(0x9000));
	put_be32(guest->in + 12, 2);
	assert_int_equal(execute(guest, MANAGE_PAGES, 2, 16), OK);
	assert_int_equal(get_be32(guest->out + 8), 1);
	assert_int_equal(get_be64(guest->out + 16), bus(0x8000));
	assert_int_equal(execute(guest, MANAGE_PAGES, 3, 16), BAD_PARAM);
}

static void capabilities_can_be_lowered_but_not_raised(void **state)
{
	struct guest *guest = first(state);
	uint8_t caps[256];

	execute(guest, ENABLE_HCA, 0, 16);
	assert_int_equal(execute(guest, QUERY_HCA_CAP, 1, 16), OK);
	memcpy(caps, guest->out + 16, sizeof(caps));
	assert_int_equal(caps[0x13] & 0x1f, 12);   /* log_max_qp */
	assert_int_equal(caps[0x37], 1);           /* num_ports */
	assert_int_equal(caps[0x44] & 0xc0, 0xc0); /* cq_oi, cq_resize */
	assert_int_equal(caps[0x34] & 0x20, 0);    /* ib_virt */
	caps[0x13] = (caps[0x13] & 0xe0) | 10;
	memcpy(guest->in + 16, caps, sizeof(caps));
	assert_int_equal(execute(guest, SET_HCA_CAP, 0, 4112), OK);
	assert_int_equal(execute(guest, QUERY_HCA_CAP, 1, 16), OK);
	assert_int_equal(guest->out[16 + 0x13] & 0x1f, 10);
	assert_int_equal(execute(guest, QUERY_HCA_CAP, 0, 16), OK);
	assert_int_equal(guest->out[16 + 0x13] & 0x1f, 12);
	caps[0x34] |= 0x20;
	memcpy(guest->in + 16, caps, sizeof(caps));
	assert_int_equal(execute(guest, SET_HCA_CAP, 0, 4112), BAD_PARAM);
	assert_int_equal(execute(guest, QUERY_HCA_CAP, 2 * 77, 16), BAD_PARAM);
	assert_int_equal(execute(guest, QUERY_HCA_CAP, 2 * 15, 16), OK); /* device memory: none */
	for (unsigned int i = 0; i < 256; i++)
		assert_int_equal(guest->out[16 + i], 0);
}

static void numbers_are_bounded_and_reused(void **state)
{
	struct guest *guest = first(state);
	uint32_t xrcd = alloc(guest, ALLOC_XRCD);

	for (int i = 1; i < 255; i++)
		alloc(guest, ALLOC_XRCD);
	assert_int_equal(execute(guest, ALLOC_XRCD, 0, 16), LIMIT);
	assert_int_equal(on(guest, DEALLOC_XRCD, xrcd), OK);
	assert_int_equal(on(guest, DEALLOC_XRCD, xrcd), BAD_RES);
	assert_int_equal(alloc(guest, ALLOC_XRCD), xrcd);
	assert_int_equal(on(guest, DEALLOC_XRCD, 0), BAD_RES);
	assert_int_equal(on(guest, DEALLOC_XRCD, 0xffffff), BAD_RES);
}

static void objects_in_use_stay(void **state)
{
	struct guest *guest = first(state);
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	assert_int_equal(on(guest, DESTROY_CQ, guest->cqn), BAD_RES_STATE);
	assert_int_equal(on(guest, DESTROY_EQ, guest->eqn), BAD_RES_STATE);
	assert_int_equal(on(guest, DEALLOC_PD, guest->pd), BAD_RES_STATE);
	assert_int_equal(on(guest, DESTROY_QP, qp.qpn), OK);
	assert_int_equal(on(guest, DESTROY_QP, qp.qpn), BAD_RES);
	assert_int_equal(on(guest, DESTROY_CQ, guest->cqn), OK);
	assert_int_equal(on(guest, DESTROY_EQ, guest->eqn), OK);
	assert_int_equal(on(guest, DEALLOC_PD, guest->pd), BAD_RES_STATE); /* the memory key */
	assert_int_equal(on(guest, DESTROY_MKEY, guest->lkey >> 8), OK);
	assert_int_equal(on(guest, DEALLOC_PD, guest->pd), OK);
	assert_int_equal(on(guest, DEALLOC_UAR, guest->uar), OK);
}

/* As it goes when a process dies: stock's driver gives its doorbell pages back first. */
static void a_doorbell_page_goes_before_its_queues(void **state)
{
	struct guest *guest = first(state);
	uint32_t page = alloc(guest, ALLOC_UAR), own = guest->uar;
	struct queue_pair qp;

	guest->uar = page;
	qp = create_qp(guest, ST_UD, 0, QKEY);
	assert_int_equal(on(guest, DEALLOC_UAR, page), OK);
	assert_int_equal(on(guest, DEALLOC_UAR, page), BAD_RES);
	assert_int_equal(try_create_qp(guest, &(struct queue_pair){ 0 }, ST_UD, 1), BAD_RES);
	post_send(&qp, 2, 0x40, 0, 8);
	ring(&qp);
	assert_int_equal(guest->dev.counters.stray_writes, 1);
	assert_int_equal(guest->dev.resources[CX5_UAR].used, 2);
	assert_int_equal(on(guest, DESTROY_QP, qp.qpn), OK);
	assert_int_equal(guest->dev.resources[CX5_UAR].used, 1);
	guest->uar = own;
}

static void failed_creation_takes_no_reference(void **state)
{
	struct guest *guest = first(state);
	struct queue_pair qp;
	uint32_t cqn = guest->cqn;

	guest->cqn = 0xfffff;
	assert_int_equal(try_create_qp(guest, &qp, ST_UD, 0), BAD_RES);
	guest->cqn = cqn;
	assert_int_equal(try_create_qp(guest, &qp, 9, 0),
			 BAD_PARAM); /* a service type that isn't there */
	assert_int_equal(try_create_cq(guest, CQ_AT, 7, 1, 1, 0),
			 BAD_PARAM); /* 128 entries in one page */
	assert_int_equal(try_create_cq(guest, CQ_AT, 15, 1, 1, 0), BAD_PARAM);
	assert_int_equal(try_create_cq(guest, CQ_AT, 6, 1, 1, 3),
			 BAD_PARAM); /* no such entry size */
	assert_int_equal(on(guest, DESTROY_CQ, cqn), OK);
	assert_int_equal(on(guest, DESTROY_EQ, guest->eqn), OK);
}

static void management_queue_pairs_are_unique(void **state)
{
	struct guest *guest = first(state);
	struct queue_pair qp0, qp1, other;

	assert_int_equal(try_create_qp(guest, &qp0, ST_QP0, 0), OK);
	assert_int_equal(qp0.qpn, 0);
	assert_int_equal(try_create_qp(guest, &qp1, ST_QP1, 1), OK);
	assert_int_equal(qp1.qpn, 1);
	assert_int_equal(try_create_qp(guest, &other, ST_QP0, 2), BAD_RES_STATE);
	assert_int_equal(on(guest, DESTROY_QP, 0), OK);
	assert_int_equal(try_create_qp(guest, &other, ST_QP0, 2), OK);
}

static uint8_t qp_state(struct guest *guest, uint32_t qpn)
{
	assert_int_equal(on(guest, QUERY_QP, qpn), OK);
	return guest->out[24] >> 4;
}

static void transitions_need_their_state(void **state)
{
	struct guest *guest = first(state);
	struct queue_pair qp;

	assert_int_equal(try_create_qp(guest, &qp, ST_UD, 0), OK);
	assert_int_equal(modify(&qp, INIT2RTR_QP, 0, 0, 0), BAD_QP_STATE);
	assert_int_equal(modify(&qp, RST2INIT_QP, 0, QKEY, 0), OK);
	assert_int_equal(qp_state(guest, qp.qpn), 1);
	assert_int_equal(modify(&qp, RST2INIT_QP, 0, QKEY, 0), BAD_QP_STATE);
	assert_int_equal(modify(&qp, RTR2RTS_QP, 0, 0, 0), BAD_QP_STATE);
	assert_int_equal(modify(&qp, INIT2RTR_QP, 0, 0, 0), OK);
	assert_int_equal(modify(&qp, RTR2RTS_QP, 0, 0, 0), OK);
	assert_int_equal(qp_state(guest, qp.qpn), 3);
	assert_int_equal(modify(&qp, SQERR2RTS_QP, 0, 0, 0), BAD_QP_STATE);
	assert_int_equal(on(guest, TO_ERR_QP, qp.qpn), OK);
	assert_int_equal(qp_state(guest, qp.qpn), 6);
	assert_int_equal(on(guest, TO_RST_QP, qp.qpn), OK);
	assert_int_equal(qp_state(guest, qp.qpn), 0);
	assert_int_equal(on(guest, TO_RST_QP, 0x3fff), BAD_RES);
}

/*
 * Offsets in QUERY_QP's output: the context is at 24, its Q_Key at 168, the primary path at 24, the
 * P_Key index in it at 2.
 */
static void transitions_take_only_their_fields(void **state)
{
	struct guest *guest = first(state);
	struct queue_pair qp;

	assert_int_equal(try_create_qp(guest, &qp, ST_UD, 0), OK);
	assert_int_equal(modify(&qp, RST2INIT_QP, 0, QKEY, 5), OK);
	assert_int_equal(modify(&qp, INIT2RTR_QP, 0, 0x99, 0), OK);
	assert_int_equal(modify(&qp, RTR2RTS_QP, 0, 0x99, 7), OK);
	on(guest, QUERY_QP, qp.qpn);
	assert_int_equal(get_be32(guest->out + 24 + 168), QKEY);
	assert_int_equal(get_be16(guest->out + 24 + 26), 5);
	assert_int_equal(get_be64(guest->out + 24 + 160), bus(qp.record));
	assert_int_equal(modify(&qp, RTS2RTS_QP, 1 << 5, 0x99, 7), OK); /* Q_Key alone */
	on(guest, QUERY_QP, qp.qpn);
	assert_int_equal(get_be32(guest->out + 24 + 168), 0x99);
	assert_int_equal(get_be16(guest->out + 24 + 26), 5);
	assert_int_equal(modify(&qp, RTS2RTS_QP, 1 << 4, 0, 32),
			 BAD_PARAM); /* P_Key index beyond the table */
	assert_int_equal(modify(&qp, RTS2RTS_QP, 1 << 4, 0, 7), OK);
	on(guest, QUERY_QP, qp.qpn);
	assert_int_equal(get_be16(guest->out + 24 + 26), 7);
}

static void queries_tell_what_was_created(void **state)
{
	struct guest *guest = first(state);

	assert_int_equal(on(guest, QUERY_CQ, guest->cqn), OK);
	assert_int_equal(get_be32(guest->out + 16 + 12), 6u << 24 | guest->uar);
	assert_int_equal(get_be64(guest->out + 16 + 56), bus(RECORDS_AT));
	assert_int_equal(on(guest, QUERY_EQ, guest->eqn), OK);
	assert_int_equal(get_be32(guest->out + 16 + 20), 3);
	assert_int_equal(get_be64(guest->out + 88), 0xfffffbff);
	assert_int_equal(on(guest, QUERY_MKEY, guest->lkey >> 8), OK);
	assert_int_equal(guest->out[16 + 7], 0x77);
	assert_int_equal(get_be64(guest->out + 16 + 24), DATA_LEN);
	assert_int_equal(get_be64(guest->out + 272), bus(DATA_AT));
	assert_int_equal(on(guest, QUERY_CQ, 0xffff), BAD_RES);
	assert_int_equal(on(guest, QUERY_EQ, 31), BAD_RES);
	assert_int_equal(on(guest, QUERY_MKEY, 1), BAD_RES);
}

static void memory_keys_must_be_covered_by_pages(void **state)
{
	struct guest *guest = first(state);

	assert_int_equal(try_create_mkey(guest, 0x1000, 0x2001, DATA_AT, 2, 3, 0), BAD_PARAM);
	assert_int_equal(try_create_mkey(guest, 0x1fff, 0x2000, DATA_AT, 2, 3, 0), BAD_PARAM);
	assert_int_equal(try_create_mkey(guest, UINT64_MAX - 0xfff, 0x2000, DATA_AT, 2, 3, 0),
			 BAD_PARAM);
	assert_int_equal(try_create_mkey(guest, UINT64_MAX - 0xfff, 0x1000, DATA_AT, 2, 3, 0), OK);
	assert_int_equal(try_create_mkey(guest, 0x1fff, 0x1001, DATA_AT, 2, 3, 0), OK);
}

static void multicast_attachments_are_counted(void **state)
{
	static const uint8_t gid[16] = { 0xff, 0x12, [15] = 7 };
	struct guest *guest = first(state);
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	memcpy(guest->in + 16, gid, 16);
	put_be32(guest->in + 8, qp.qpn);
	assert_int_equal(execute(guest, ATTACH_TO_MCG, 0, 32), OK);
	memcpy(guest->in + 16, gid, 16);
	put_be32(guest->in + 8, qp.qpn);
	assert_int_equal(execute(guest, ATTACH_TO_MCG, 0, 32), BAD_PARAM);
	put_be32(guest->in + 8, qp.qpn);
	guest->in[16] = 0xfe; /* not a multicast GID */
	assert_int_equal(execute(guest, ATTACH_TO_MCG, 0, 32), BAD_PARAM);
	assert_int_equal(on(guest, DESTROY_QP, qp.qpn), BAD_RES_STATE);
	memcpy(guest->in + 16, gid, 16);
	put_be32(guest->in + 8, qp.qpn);
	assert_int_equal(execute(guest, DETACH_FROM_MCG, 0, 32), OK);
	memcpy(guest->in + 16, gid, 16);
	put_be32(guest->in + 8, qp.qpn);
	assert_int_equal(execute(guest, DETACH_FROM_MCG, 0, 32), BAD_RES);
	assert_int_equal(on(guest, DESTROY_QP, qp.qpn), OK);
}

static void reset_forgets_everything(void **state)
{
	static const uint8_t gid[16] = { 0xff, 0x12, [15] = 7 };
	struct guest *guest = first(state);
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	memcpy(guest->in + 16, gid, 16);
	put_be32(guest->in + 8, qp.qpn);
	execute(guest, ATTACH_TO_MCG, 0, 32);
	cx5_reset(&guest->dev);
	assert_int_equal(guest->dev.hca.qps.used, 0);
	assert_int_equal(guest->dev.hca.cqs.used, 0);
	assert_int_equal(guest->dev.hca.mkeys.used, 0);
	assert_int_equal(guest->dev.hca.group_count, 0);
	assert_int_equal(execute(guest, ALLOC_PD, 0, 16), BAD_SYS_STATE);
	start_hca(guest);
	set_up_verbs(guest);
	create_qp(guest, ST_UD, 0, QKEY);
}

static void ordered_failures_happen_once(void **state)
{
	struct guest *guest = first(state);
	char text[200] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	assert_int_equal(control(guest, "fail-command alloc_pd 8 nth 2", out), 0);
	assert_int_equal(execute(guest, ALLOC_PD, 0, 16), OK);
	assert_int_equal(execute(guest, ALLOC_PD, 0, 16), LIMIT);
	assert_int_equal(execute(guest, ALLOC_PD, 0, 16), OK);
	assert_int_equal(control(guest, "fail-command NO_SUCH 8 nth 2", out), -EINVAL);
	assert_int_equal(control(guest, "fail-command 0x800 0", out), -EINVAL);
	assert_int_equal(control(guest, "fail-command 0x800 256", out), -EINVAL);
	assert_int_equal(control(guest, "frobnicate", out), -ENOENT);
	fclose(out);
	assert_string_equal(text, "NO_SUCH is no command\n"
				  "0 is no status (1 .. 0xff)\n"
				  "256 is no status (1 .. 0xff)\n");
}

static void any_command_fails_and_is_named(void **state)
{
	struct guest *guest = first(state);
	char text[200] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	assert_int_equal(control(guest, "fail-command any 8 nth 2", out), 0);
	assert_int_equal(execute(guest, ALLOC_PD, 0, 16), OK);
	assert_int_equal(execute(guest, ALLOC_UAR, 0, 16), LIMIT);
	assert_int_equal(control(guest, "fail-command any 8", out), 0);
	assert_int_equal(control(guest, "failures", out), 0);
	assert_int_equal(execute(guest, ALLOC_PD, 0, 16), OK);
	assert_int_equal(control(guest, "failures", out), 0);
	fclose(out);
	assert_string_equal(text, "ALLOC_UAR\n");
}

static void commands_fail_again_and_again(void **state)
{
	struct guest *guest = first(state);
	char text[200] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	assert_int_equal(control(guest, "fail-command ALLOC_PD 8 nth 2 every 3", out), 0);
	for (int i = 1; i <= 9; i++)
		assert_int_equal(execute(guest, ALLOC_PD, 0, 16), i % 3 == 2 ? LIMIT : OK);
	assert_int_equal(control(guest, "failures", out), 0);
	assert_int_equal(control(guest, "fail-command ALLOC_PD 8 every", out), -EINVAL);
	assert_int_equal(control(guest, "fail-command ALLOC_PD 8 each 3", out), -EINVAL);
	for (int i = 0; i < 3; i++)
		assert_int_equal(execute(guest, ALLOC_PD, 0, 16), OK);
	fclose(out);
	assert_memory_equal(text, "ALLOC_PD\nALLOC_PD\nALLOC_PD\nusage:", 33);
}

/* Of another queue: it goes again, and what's its number? */
static uint32_t passing_cqn(struct guest *guest)
{
	uint32_t cqn = create_cq(guest, CQ_AT, 6, 0);

	assert_int_equal(on(guest, DESTROY_CQ, cqn), OK);
	return cqn;
}

static void freed_numbers_go_out_again_on_request(void **state)
{
	struct guest *guest = first(state);
	uint32_t cqn = passing_cqn(guest);

	assert_int_not_equal(passing_cqn(guest), cqn);
	assert_int_equal(control(guest, "reuse-numbers on", stderr), 0);
	cqn = passing_cqn(guest);
	assert_int_equal(passing_cqn(guest), cqn);
	assert_int_equal(control(guest, "reuse-numbers off", stderr), 0);
	assert_int_equal(passing_cqn(guest), cqn);
	assert_int_not_equal(passing_cqn(guest), cqn);
}

/* Bits of ALLOC_PD's output that are reserved: bytes 1 to 3, 8, 12 to 15. */
static void noise_fills_what_is_reserved(void **state)
{
	static const struct connectx5_options options = { .fuzz_reserved = true, .fuzz_seed = 42 };
	struct bench *bench = bench_create_with(&options);
	struct guest *guest = &bench->guest[0];
	uint32_t noise = 0;

	(void)state;
	start_hca(guest);
	for (uint32_t i = 1; i < 9; i++) {
		assert_int_equal(execute(guest, ALLOC_PD, 0, 16), OK);
		assert_int_equal(get_be24(guest->out + 9), i);
		assert_int_equal(get_be32(guest->out + 4), 0);
		noise |= get_be32(guest->out + 12);
	}
	assert_int_not_equal(noise, 0);
	execute(guest, QUERY_HCA_CAP, 1, 16);
	assert_int_equal(guest->out[16 + 0x37], 1);        /* num_ports */
	assert_int_equal(guest->out[16 + 0x34] & 0x20, 0); /* ib_virt */
	assert_int_not_equal(get_be64(guest->out + 16 + 8), 0);
	execute(guest, QUERY_HCA_CAP, 0x14 << 1 | 1, 16); /* events */
	assert_int_equal(get_be64(guest->out + 16 + 8), 0);
	execute(guest, QUERY_HCA_VPORT_CONTEXT, 0, 16);
	assert_int_equal(guest->out[0x31], 0); /* num_port_plane */
	assert_int_equal(execute(guest, QUERY_LAG, 0, 16), OK);
	assert_int_equal(get_be32(guest->out + 8) & 0x80000707, 0); /* the mode, and the state */
	assert_int_equal(get_be32(guest->out + 12) & 0x000f0f0f, 0); /* ports */
	bench_destroy(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		bench_test(commands_need_their_state),
		bench_test(interface_step_is_one),
		bench_test_ready(unknown_and_short_commands_are_refused),
		bench_test(pages_are_kept_and_given_back),
		bench_test(capabilities_can_be_lowered_but_not_raised),
		bench_test_ready(numbers_are_bounded_and_reused),
		bench_test_ready(objects_in_use_stay),
		bench_test_ready(a_doorbell_page_goes_before_its_queues),
		bench_test_ready(failed_creation_takes_no_reference),
		bench_test_ready(management_queue_pairs_are_unique),
		bench_test_ready(transitions_need_their_state),
		bench_test_ready(transitions_take_only_their_fields),
		bench_test_ready(queries_tell_what_was_created),
		bench_test_ready(memory_keys_must_be_covered_by_pages),
		bench_test_ready(multicast_attachments_are_counted),
		bench_test_ready(reset_forgets_everything),
		bench_test_ready(ordered_failures_happen_once),
		bench_test_ready(any_command_fails_and_is_named),
		bench_test_ready(commands_fail_again_and_again),
		bench_test_ready(freed_numbers_go_out_again_on_request),
		cmocka_unit_test(noise_fills_what_is_reserved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
