// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * PortInfo (IBTA vol. 1, 14.2.5.6), the link state machine behind it (7.2.7) and the events for the
 * owner.
 */
#include "fabric/tests/lab.h"

#define DATA 64

static void test_power_on(void **state)
{
	struct lab *lab = lab_create(TWO_SWITCHES);
	uint8_t mad[256];

	(void)state;
	assert_int_equal(lab_get(lab->port[0], 0x15, 0, mad), 0);
	assert_true(get_be64(mad + DATA + 8) == 0xfe80000000000000);
	assert_int_equal(get_be16(mad + DATA + 16), 0);
	/*
	 * notice, trap, migration, SL map, system image GUID, CM, capability and other notices,
	 * reregistration
	 */
	assert_int_equal(get_be32(mad + DATA + 20), 0x0641086c);
	assert_int_equal(mad[DATA + 28], 1);
	assert_memory_equal(mad + DATA + 29, ((uint8_t[]){ 3, 3, 2 }),
			    3); /* width: 1x and 4x, 4x active */
	assert_memory_equal(mad + DATA + 32, ((uint8_t[]){ 0x72, 0x52, 0, 0x47 }),
			    4); /* QDR and below, Init; LinkUp, Polling */
	assert_memory_equal(mad + DATA + 36, ((uint8_t[]){ 0x50, 0x40 }), 2); /* MTU 4096; VL0-7 */
	assert_int_equal(mad[DATA + 41], 5);
	assert_int_equal(mad[DATA + 43], 0x40);
	assert_int_equal(mad[DATA + 50], 8);
	assert_int_equal(mad[DATA + 51], 18);
	assert_int_equal(mad[DATA + 62], 0);

	/* a port of a switch has no LID, nor the like; its port 0 is always active */
	assert_int_equal(lab_get(lab_port(lab, SWITCH1, 1), 0x15, 7, mad), 0);
	assert_int_equal(mad[DATA + 28], 1);
	assert_int_equal(mad[DATA + 32], 0x71);
	assert_int_equal(mad[DATA + 33], 0x22);
	assert_true(get_be64(mad + DATA + 8) == 0);
	assert_int_equal(get_be32(mad + DATA + 20), 0);
	assert_int_equal(lab_get(lab_port(lab, SWITCH1, 1), 0x15, 0, mad), 0);
	assert_int_equal(mad[DATA + 32], 0x74);
	assert_int_equal(lab_get(lab_port(lab, SWITCH1, 1), 0x15, 9, mad), 0x1c);
	/* the bit of an SM that knows extended speeds */
	assert_int_equal(lab_get(lab_port(lab, SWITCH1, 1), 0x15, 1u << 31 | 7, mad), 0);
	lab_destroy(lab);
}

static void test_extended_speeds(void **state)
{
	struct lab *lab = lab_create("expose=connectx5\nCa 1 \"H-0002c90300001010\"\n[1] "
				     "\"H-0002c90300001020\"[1] # \"b\" lid 0 4xEDR\n"
				     "expose=connectx5\nCa 1 \"H-0002c90300001020\"\n[1] "
				     "\"H-0002c90300001010\"[1] # \"a\" lid 0 4xFDR\n");
	uint8_t mad[256];

	(void)state;
	assert_int_equal(lab_get(lab->port[0], 0x15, 0, mad), 0);
	assert_true(get_be32(mad + DATA + 20) & 1 << 14);
	assert_int_equal(mad[DATA + 62], 0x13); /* FDR is what both can; FDR and EDR supported */
	assert_int_equal(mad[DATA + 63], 3);
	assert_int_equal(fabric_port_attr(lab->port[0])->link_speed_ext, 1);

	/* off: QDR from the next training on */
	lab_port_info(lab->port[0], 0, mad);
	mad[DATA + 63] = 30;
	mad[DATA + 32] |= 1;
	assert_int_equal(lab_set(lab->port[0], 0x15, 0, mad), 0);
	sched_advance(lab->sched, 100 * NSEC_PER_MSEC);
	assert_int_equal(lab_get(lab->port[0], 0x15, 0, mad), 0);
	assert_int_equal(mad[DATA + 62], 0x03);
	assert_int_equal(mad[DATA + 63], 30);
	assert_int_equal(mad[DATA + 35] >> 4, 4);
	mad[DATA + 63] = 4; /* HDR isn't supported */
	mad[DATA + 32] &= 0xf0;
	mad[DATA + 33] &= 0x0f;
	assert_int_equal(lab_set(lab->port[0], 0x15, 0, mad), 0x1c);
	lab_destroy(lab);
}

static void test_set_and_read_back(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	const struct port_attr *attr = fabric_port_attr(lab->port[0]);
	uint8_t mad[256], *pi = mad + DATA;

	(void)state;
	lab_port_info(lab->port[0], 0, mad);
	put_be64(pi + 8, 0xfec0000000000001);
	put_be16(pi + 16, 0x40);
	put_be16(pi + 18, 0x41);
	put_be16(pi + 26, 77);
	pi[34] = 2; /* LMC */
	pi[36] = 0x43;
	pi[38] = 9;
	pi[42] = 0x6d;
	pi[43] = 0x30;
	pi[51] = 0x80 | 17;
	pi[53] = 0x5a;
	assert_int_equal(lab_set(lab->port[0], 0x15, 0, mad), 0);
	assert_true(get_be64(pi + 8) == 0xfec0000000000001);
	assert_int_equal(get_be16(pi + 16), 0x40);
	assert_int_equal(get_be16(pi + 18), 0x41);
	assert_int_equal(get_be16(pi + 26), 77);
	assert_int_equal(pi[34], 2);
	assert_int_equal(pi[36], 0x43);
	assert_int_equal(pi[38], 9);
	assert_int_equal(pi[42], 0x6d);
	assert_int_equal(pi[43], 0x30);
	assert_int_equal(pi[51], 17); /* ClientReregister reads 0 */
	assert_int_equal(pi[53], 0x5a);
	assert_int_equal(attr->lid, 0x40);
	assert_int_equal(attr->lmc, 2);
	assert_int_equal(attr->sm_lid, 0x41);
	assert_int_equal(attr->sm_sl, 3);
	assert_int_equal(attr->neighbor_mtu, 4);
	assert_int_equal(attr->subnet_timeout, 17);

	assert_int_equal(lab->owner[0].event_count, 0); /* from a task, not from inside the call */
	sched_run(lab->sched);
	assert_int_equal(lab->owner[0].event_count, 4);
	assert_int_equal(lab->owner[0].events[0], PORT_EV_LID_CHANGE);
	assert_int_equal(lab->owner[0].events[1], PORT_EV_GUID_CHANGE);
	assert_int_equal(lab->owner[0].events[2], PORT_EV_CLIENT_REREGISTER);
	assert_int_equal(lab->owner[0].events[3], PORT_EV_SM_CHANGE);
	assert_int_equal(lab->owner[1].event_count, 0);
	lab_destroy(lab);
}

/* One bad byte in what Get has shown, and nothing changes. */
static void refused(struct lab *lab, unsigned int at, uint8_t value)
{
	uint8_t mad[256];

	lab_port_info(lab->port[0], 0, mad);
	put_be16(mad + DATA + 26, 99); /* would change */
	mad[DATA + at] = value;
	if (lab_set(lab->port[0], 0x15, 0, mad) != 0x1c)
		fail_msg("byte %u = 0x%02x was taken", at, value);
	assert_int_equal(lab->port[0]->m_key_lease_period, 0);
}

static void test_bad_values(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	uint8_t mad[256];

	(void)state;
	lab_assign_lid(lab->port[0], 1, 1);
	refused(lab, 16, 0xc0);     /* LID 0xc001: multicast */
	refused(lab, 17, 0);        /* LID 0 */
	refused(lab, 18, 0xff);     /* SM LID */
	refused(lab, 19, 0);
	refused(lab, 34, 1);        /* LMC 1 and an odd LID */
	refused(lab, 29, 4);        /* 8x */
	refused(lab, 35, 0x08);     /* a speed that there isn't */
	refused(lab, 63, 1);        /* FDR */
	refused(lab, 36, 0x00);     /* MTU */
	refused(lab, 36, 0x60);
	refused(lab, 43, 0x50);     /* VL0-14 */
	refused(lab, 33, 0x03);     /* LinkDownDefaultState */
	refused(lab, 33, 0x40);     /* PortPhysicalState */
	refused(lab, 32, 0x72);     /* Init can't be asked for */
	refused(lab, 32, 0x74);     /* Init to Active */
	refused(lab, 32, 0x75);
	lab_port_info(lab->port[0], 0, mad);
	mad[DATA + 32] |= 3;
	mad[DATA + 33] |= 0x20; /* Armed and Polling at once */
	assert_int_equal(lab_set(lab->port[0], 0x15, 0, mad), 0x1c);
	assert_int_equal(lab_set(lab->port[0], 0x15, 2, mad), 0x1c);
	lab_destroy(lab);
}

/* Widths and speeds of all ones ask for all that is supported, zero for no change. */
static void test_enabled_rates(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	uint8_t mad[256];

	(void)state;
	lab_port_info(lab->port[0], 0, mad);
	mad[DATA + 29] = 1;
	mad[DATA + 35] = 2;
	mad[DATA + 32] |= 1;
	assert_int_equal(lab_set(lab->port[0], 0x15, 0, mad), 0);
	sched_advance(lab->sched, 100 * NSEC_PER_MSEC);
	assert_int_equal(lab_get(lab->port[1], 0x15, 0, mad), 0);
	assert_int_equal(mad[DATA + 31], 1);         /* 1x */
	assert_int_equal(mad[DATA + 35], 2 << 4 | 7); /* DDR; this end has all enabled */
	lab_port_info(lab->port[0], 0, mad);
	mad[DATA + 29] = 0xff;
	mad[DATA + 35] = 0xf;
	assert_int_equal(lab_set(lab->port[0], 0x15, 0, mad), 0);
	assert_int_equal(mad[DATA + 29], 3);
	assert_int_equal(mad[DATA + 35] & 0xf, 7);
	mad[DATA + 29] = 0;
	mad[DATA + 35] = 0;
	mad[DATA + 32] &= 0xf0;
	mad[DATA + 33] &= 0x0f;
	assert_int_equal(lab_set(lab->port[0], 0x15, 0, mad), 0);
	assert_int_equal(mad[DATA + 29], 3);

	/* nothing in common: the link stays down */
	lab->port[1]->enabled.width = 4;
	mad[DATA + 32] = 1;
	mad[DATA + 33] &= 0x0f;
	assert_int_equal(lab_set(lab->port[0], 0x15, 0, mad), 0);
	sched_advance(lab->sched, 100 * NSEC_PER_MSEC);
	assert_int_equal(fabric_port_attr(lab->port[0])->state, PORT_DOWN);
	lab_destroy(lab);
}

static void set_states(struct fabric_port *port, uint8_t state, uint8_t phys)
{
	uint8_t mad[256];

	lab_port_info(port, 0, mad);
	mad[DATA + 32] |= state;
	mad[DATA + 33] |= phys << 4;
	assert_int_equal(lab_set(port, 0x15, 0, mad), 0);
}

static void check_events(struct lab *lab, unsigned int at, unsigned int count,
			 const enum port_event *events)
{
	sched_run(lab->sched);
	assert_int_equal(lab->owner[at].event_count, count);
	for (unsigned int i = 0; i < count; i++)
		assert_int_equal(lab->owner[at].events[i], events[i]);
	lab->owner[at].event_count = 0;
}

static void test_state_machine(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	const struct port_attr *a = fabric_port_attr(lab->port[0]),
			       *b = fabric_port_attr(lab->port[1]);

	(void)state;
	assert_int_equal(a->state, PORT_INIT);
	set_states(lab->port[0], 3, 0);
	check_events(lab, 0, 0, NULL);
	assert_int_equal(a->state, PORT_ARMED);
	set_states(lab->port[0], 3, 0);
	set_states(lab->port[0], 4, 0);
	set_states(lab->port[0], 4, 0);
	check_events(lab, 0, 1, (enum port_event[]){ PORT_EV_ACTIVE });
	assert_int_equal(a->state, PORT_ACTIVE);
	assert_int_equal(b->state, PORT_INIT);

	/* Down: at both ends, until they have trained again */
	set_states(lab->port[0], 1, 0);
	assert_int_equal(a->state, PORT_DOWN);
	assert_int_equal(b->state, PORT_DOWN);
	assert_int_equal(b->phys_state, PHYS_POLLING);
	check_events(lab, 1, 1, (enum port_event[]){ PORT_EV_DOWN });
	sched_advance(lab->sched, 100 * NSEC_PER_MSEC);
	assert_int_equal(a->state, PORT_INIT);
	assert_int_equal(b->phys_state, PHYS_LINK_UP);
	check_events(lab, 0, 2, (enum port_event[]){ PORT_EV_DOWN, PORT_EV_INIT });
	check_events(lab, 1, 1, (enum port_event[]){ PORT_EV_INIT });
	assert_int_equal(lab->port[0]->counters.errors[ERR_LINK_DOWNED], 1);
	assert_int_equal(lab->port[1]->counters.errors[ERR_LINK_DOWNED], 1);

	/* Disabled, which only that end can end */
	set_states(lab->port[0], 1, 3);
	sched_advance(lab->sched, NSEC_PER_SEC);
	assert_int_equal(a->phys_state, PHYS_DISABLED);
	assert_int_equal(b->phys_state, PHYS_POLLING);
	set_states(lab->port[1], 1, 2);
	sched_advance(lab->sched, NSEC_PER_SEC);
	assert_int_equal(a->state, PORT_DOWN);
	set_states(lab->port[0], 1, 2);
	sched_advance(lab->sched, NSEC_PER_SEC);
	assert_int_equal(a->state, PORT_INIT);
	assert_int_equal(b->state, PORT_INIT);

	/* two sleepers don't wake each other, one that polls does */
	set_states(lab->port[1], 1, 3);
	set_states(lab->port[0], 0, 1);
	set_states(lab->port[1], 0, 1);
	sched_advance(lab->sched, NSEC_PER_SEC);
	assert_int_equal(a->phys_state, PHYS_SLEEP);
	assert_int_equal(b->phys_state, PHYS_SLEEP);
	set_states(lab->port[1], 0, 2);
	sched_advance(lab->sched, NSEC_PER_SEC);
	assert_int_equal(a->state, PORT_INIT);
	lab_destroy(lab);
}

static void test_violations_are_cleared_by_zero(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	uint8_t mad[256];

	(void)state;
	fabric_port_count(lab->port[0], PORT_QKEY_VIOLATIONS);
	fabric_port_count(lab->port[0], PORT_PKEY_VIOLATIONS);
	fabric_port_count(lab->port[0], PORT_PKEY_VIOLATIONS);
	assert_int_equal(lab_get(lab->port[0], 0x15, 0, mad), 0);
	assert_int_equal(get_be16(mad + DATA + 46), 2);
	assert_int_equal(get_be16(mad + DATA + 48), 1);
	lab_port_info(lab->port[0], 0, mad);
	put_be16(mad + DATA + 46, 0);
	assert_int_equal(lab_set(lab->port[0], 0x15, 0, mad), 0);
	assert_int_equal(get_be16(mad + DATA + 46), 0);
	assert_int_equal(get_be16(mad + DATA + 48), 1);
	lab->port[0]->attr.qkey_violations = 0xffff;
	fabric_port_count(lab->port[0], PORT_QKEY_VIOLATIONS);
	assert_int_equal(fabric_port_attr(lab->port[0])->qkey_violations, 0xffff);
	lab_destroy(lab);
}

/* A switch is set up through any of its ports. */
static void test_set_a_port_of_a_switch(void **state)
{
	struct lab *lab = lab_create(TWO_SWITCHES);
	struct fabric_port *via = lab_port(lab, SWITCH1, 2);
	uint8_t mad[256];

	(void)state;
	lab_port_info(via, 1, mad);
	put_be16(mad + DATA + 16, 55); /* no LID to set */
	mad[DATA + 43] |= 0x0c;        /* P_Key enforcement */
	mad[DATA + 32] |= 3;
	assert_int_equal(lab_set(via, 0x15, 1, mad), 0);
	assert_int_equal(mad[DATA + 43] & 0xf, 0x0c);
	assert_int_equal(lab_port(lab, SWITCH1, 1)->attr.state, PORT_ARMED);
	assert_int_equal(lab_port(lab, SWITCH1, 1)->attr.lid, 0);
	assert_int_equal(lab_port(lab, SWITCH1, 2)->attr.state, PORT_INIT);

	lab_port_info(via, 0, mad);
	put_be16(mad + DATA + 16, 55);
	put_be16(mad + DATA + 18, 1);
	mad[DATA + 34] = 1; /* a base port 0 has one LID */
	assert_int_equal(lab_set(via, 0x15, 0, mad), 0x1c);
	mad[DATA + 34] = 0;
	assert_int_equal(lab_set(via, 0x15, 0, mad), 0);
	assert_int_equal(lab_port(lab, SWITCH1, 0)->attr.lid, 55);
	lab_destroy(lab);
}

/* The other port of a CA may be looked at, without its M_Key. */
static void test_other_port_of_a_ca(void **state)
{
	struct lab *lab = lab_create(
		"Ca 2 \"H-0000000000001000\"\n[1] \"H-0000000000001000\"[2]\n[2] \"H-0000000000001000\"[1]\n");
	struct fabric_port *port = lab_port(lab, 0x1000, 1);
	uint8_t mad[256];

	(void)state;
	lab_port(lab, 0x1000, 2)->m_key = 3;
	assert_int_equal(lab_get(port, 0x15, 2, mad), 0);
	assert_true(get_be64(mad + DATA) == 0);
	mad[DATA + 32] &= 0xf0;
	assert_int_equal(lab_set(port, 0x15, 2, mad), 0x1c);
	lab_destroy(lab);
}

/* SubnSet(PortInfo) that takes down the link it came over: the answer is on its way already. */
static void test_answer_over_a_link_that_goes_down(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	struct packet *packet = lab_dr_smp((uint8_t[]){ 1 }, 1, 0x02, 0x15, 0);
	uint8_t mad[256];

	(void)state;
	lab_port_info(lab->port[1], 0, mad);
	memcpy(lab_mad(packet) + DATA, mad + DATA, 64);
	lab_mad(packet)[DATA + 32] |= 1;
	lab_mad(packet)[DATA + 33] |= 3 << 4;
	lab_send(lab, 0, packet);
	assert_int_equal(fabric_port_attr(lab->port[0])->state, PORT_DOWN);
	assert_int_equal(lab->owner[0].count, 1);
	lab_destroy(lab);
}

static void detach_on_event(void *owner, enum port_event event)
{
	struct lab *lab = owner;

	(void)event;
	lab->owner[0].event_count++;
	fabric_port_detach(lab->port[0]);
}

/*
 * A flap before the owner has looked: once each, Down first. An owner may leave from inside its
 * callback.
 */
static void test_events_pile_up(void **state)
{
	static const struct port_ops ops = { lab_receive, detach_on_event };
	struct lab *lab = lab_create(BACK_TO_BACK);

	(void)state;
	port_set_state(lab->port[0], PORT_ACTIVE);
	port_set_state(lab->port[0], PORT_DOWN);
	port_set_state(lab->port[0], PORT_INIT);
	port_set_state(lab->port[0], PORT_DOWN);
	port_set_state(lab->port[0], PORT_INIT);
	check_events(lab, 0, 2, (enum port_event[]){ PORT_EV_DOWN, PORT_EV_INIT });

	fabric_port_attach(lab->port[0], &ops, lab);
	port_set_state(lab->port[0], PORT_DOWN);
	port_set_state(lab->port[0], PORT_INIT);
	sched_run(lab->sched);
	assert_int_equal(lab->owner[0].event_count, 1);
	lab_destroy(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_power_on),
		cmocka_unit_test(test_extended_speeds),
		cmocka_unit_test(test_set_and_read_back),
		cmocka_unit_test(test_bad_values),
		cmocka_unit_test(test_enabled_rates),
		cmocka_unit_test(test_state_machine),
		cmocka_unit_test(test_violations_are_cleared_by_zero),
		cmocka_unit_test(test_set_a_port_of_a_switch),
		cmocka_unit_test(test_other_port_of_a_ca),
		cmocka_unit_test(test_answer_over_a_link_that_goes_down),
		cmocka_unit_test(test_events_pile_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
