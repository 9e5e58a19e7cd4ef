// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "netlink.h"

#define PORT 1
#define OTHER_PORT 2
#define PORTS 2

static const struct rdma_stat_desc descs[] = { { .name = "packets" }, { .name = "errors" } };

/**
 * struct fake - a device with counters, and what its driver was asked for
 * @ib: the device
 * @fail_bind: what the driver's next binding fails with
 * @fail_unbind: the same for unbinding
 * @next_id: the hardware's number for the next counter
 * @allocated: counters that the hardware has
 */
struct fake {
	struct ib_device ib;
	int fail_bind;
	int fail_unbind;
	u32 next_id;
	int allocated;
};

static struct fake *fake_of(struct ib_device *ib)
{
	return container_of(ib, struct fake, ib);
}

static struct rdma_hw_stats *alloc_port_stats(struct ib_device *ib, u32 port)
{
	return rdma_alloc_hw_stats_struct(descs, ARRAY_SIZE(descs), 0);
}

static struct rdma_hw_stats *alloc_counter_stats(struct rdma_counter *counter)
{
	return rdma_alloc_hw_stats_struct(descs, ARRAY_SIZE(descs), 0);
}

static int bind_qp(struct rdma_counter *counter, struct ib_qp *qp)
{
	struct fake *fake = fake_of(qp->device);

	if (fake->fail_bind)
		return fake->fail_bind;
	if (!counter->id) {
		counter->id = fake->next_id++;
		fake->allocated++;
	}
	qp->counter = counter;
	return 0;
}

static int unbind_qp(struct ib_qp *qp)
{
	int err = fake_of(qp->device)->fail_unbind;

	if (!err)
		qp->counter = NULL;
	return err;
}

static int dealloc(struct rdma_counter *counter)
{
	fake_of(counter->device)->allocated--;
	return 0;
}

/* Each question finds one packet more, and as many errors as the counter's number. */
static int update_stats(struct rdma_counter *counter)
{
	counter->stats->value[0]++;
	counter->stats->value[1] = counter->id;
	return 0;
}

static int set_up(struct kunit *test)
{
	struct fake *fake = kunit_kzalloc(test, sizeof(*fake), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, fake);
	test->priv = fake;
	fake->next_id = 10;
	fake->ib.phys_port_cnt = PORTS;
	fake->ib.port_data = kunit_kcalloc(test, PORTS + 1, sizeof(*fake->ib.port_data),
					   GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fake->ib.port_data);
	fake->ib.ops.alloc_hw_port_stats = alloc_port_stats;
	fake->ib.ops.counter_alloc_stats = alloc_counter_stats;
	fake->ib.ops.counter_bind_qp = bind_qp;
	fake->ib.ops.counter_unbind_qp = unbind_qp;
	fake->ib.ops.counter_dealloc = dealloc;
	fake->ib.ops.counter_update_stats = update_stats;
	KUNIT_ASSERT_EQ(test, rdma_restrack_init(&fake->ib), 0);
	rdma_counter_init(&fake->ib);
	return 0;
}

static void tear_down(struct kunit *test)
{
	struct fake *fake = test->priv;

	KUNIT_EXPECT_EQ(test, fake->allocated, 0);
	rdma_counter_release(&fake->ib);
	rdma_restrack_clean(&fake->ib);
}

/* A QP of user space, on PORT. */
static struct ib_qp *make_qp(struct kunit *test, u32 qp_num, enum ib_qp_type type)
{
	struct fake *fake = test->priv;
	struct ib_qp *qp = kunit_kzalloc(test, sizeof(*qp), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, qp);
	qp->device = &fake->ib;
	qp->qp_num = qp_num;
	qp->qp_type = type;
	qp->port = PORT;
	rdma_restrack_new(&qp->res, RDMA_RESTRACK_QP);
	rdma_restrack_set_name(&qp->res, NULL);
	rdma_restrack_add(&qp->res);
	return qp;
}

/* As ib_destroy_qp() does. */
static void destroy_qp(struct ib_qp *qp)
{
	rdma_restrack_begin_del(&qp->res);
	rdma_counter_unbind_qp(qp, true);
	rdma_restrack_commit_del(&qp->res);
}

static int set_rule(struct kunit *test, enum rdma_nl_counter_mask mask)
{
	struct fake *fake = test->priv;
	struct netlink_ext_ack extack = {};

	return rdma_counter_set_auto_mode(&fake->ib, PORT, mask, &extack);
}

static enum rdma_nl_counter_mode mode(struct kunit *test)
{
	struct fake *fake = test->priv;
	enum rdma_nl_counter_mode mode;
	enum rdma_nl_counter_mask mask;

	rdma_counter_get_mode(&fake->ib, PORT, &mode, &mask);
	KUNIT_EXPECT_EQ(test, mode == RDMA_COUNTER_MODE_AUTO, mask != 0);
	return mode;
}

static void qps_of_a_type_share_a_counter(struct kunit *test)
{
	struct ib_qp *first = make_qp(test, 1, IB_QPT_RC), *second = make_qp(test, 2, IB_QPT_RC);
	struct ib_qp *other = make_qp(test, 3, IB_QPT_UD);

	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qp_auto(first, PORT), 0);
	KUNIT_EXPECT_NULL(test, first->counter);

	KUNIT_EXPECT_EQ(test, set_rule(test, RDMA_COUNTER_MASK_QP_TYPE), 0);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qp_auto(first, PORT), 0);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qp_auto(second, PORT), 0);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qp_auto(other, PORT), 0);
	KUNIT_EXPECT_NOT_NULL(test, first->counter);
	KUNIT_EXPECT_PTR_EQ(test, second->counter, first->counter);
	KUNIT_EXPECT_PTR_NE(test, other->counter, first->counter);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qp_auto(first, PORT), -EINVAL);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qp_auto(first, PORTS + 1), -EINVAL);
	destroy_qp(first);
	destroy_qp(second);
	destroy_qp(other);
}

/* The counter on another port of the same device is nobody's business. */
static void ports_have_counters_of_their_own(struct kunit *test)
{
	struct fake *fake = test->priv;
	struct ib_qp *here = make_qp(test, 1, IB_QPT_RC), *there = make_qp(test, 2, IB_QPT_RC);
	struct netlink_ext_ack extack = {};

	there->port = OTHER_PORT;
	KUNIT_EXPECT_EQ(test, set_rule(test, RDMA_COUNTER_MASK_QP_TYPE), 0);
	KUNIT_EXPECT_EQ(test, rdma_counter_set_auto_mode(&fake->ib, OTHER_PORT,
							 RDMA_COUNTER_MASK_PID, &extack), 0);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qp_auto(here, PORT), 0);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qp_auto(there, OTHER_PORT), 0);
	KUNIT_EXPECT_PTR_NE(test, here->counter, there->counter);
	destroy_qp(here);
	KUNIT_EXPECT_EQ(test, fake->allocated, 1);
	destroy_qp(there);
}

static void qps_of_a_process_share_a_counter(struct kunit *test)
{
	struct ib_qp *first = make_qp(test, 1, IB_QPT_RC), *second = make_qp(test, 2, IB_QPT_UD);
	struct ib_qp *other = make_qp(test, 3, IB_QPT_UD);

	put_task_struct(other->res.task);
	other->res.task = get_task_struct(&init_task);
	KUNIT_EXPECT_EQ(test, set_rule(test, RDMA_COUNTER_MASK_PID), 0);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qp_auto(first, PORT), 0);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qp_auto(second, PORT), 0);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qp_auto(other, PORT), 0);
	KUNIT_EXPECT_PTR_EQ(test, second->counter, first->counter);
	KUNIT_EXPECT_PTR_NE(test, other->counter, first->counter);
	destroy_qp(first);
	destroy_qp(second);
	destroy_qp(other);
}

static void a_rule_stands_while_qps_are_bound_by_it(struct kunit *test)
{
	struct ib_qp *qp = make_qp(test, 1, IB_QPT_RC);

	KUNIT_EXPECT_EQ(test, set_rule(test, 1 << 7), -EINVAL);
	KUNIT_EXPECT_EQ(test, set_rule(test, RDMA_COUNTER_MASK_QP_TYPE), 0);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qp_auto(qp, PORT), 0);
	KUNIT_EXPECT_EQ(test, set_rule(test, RDMA_COUNTER_MASK_QP_TYPE), 0);
	KUNIT_EXPECT_EQ(test, set_rule(test, RDMA_COUNTER_MASK_PID), -EBUSY);
	KUNIT_EXPECT_EQ(test, mode(test), RDMA_COUNTER_MODE_AUTO);
	KUNIT_EXPECT_EQ(test, set_rule(test, 0), 0);
	KUNIT_EXPECT_EQ(test, mode(test), RDMA_COUNTER_MODE_MANUAL);
	destroy_qp(qp);
	KUNIT_EXPECT_EQ(test, mode(test), RDMA_COUNTER_MODE_NONE);
}

static void qps_are_bound_by_hand(struct kunit *test)
{
	struct fake *fake = test->priv;
	struct ib_qp *first = make_qp(test, 1, IB_QPT_RC), *second = make_qp(test, 2, IB_QPT_UD);
	u32 id;

	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn_alloc(&fake->ib, PORT, 1, &id), 0);
	KUNIT_EXPECT_EQ(test, id, 10);
	KUNIT_EXPECT_EQ(test, mode(test), RDMA_COUNTER_MODE_MANUAL);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn_alloc(&fake->ib, PORT, 1, &id), -EINVAL);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn(&fake->ib, PORT, 2, id), 0);
	KUNIT_EXPECT_PTR_EQ(test, second->counter, first->counter);

	KUNIT_EXPECT_EQ(test, rdma_counter_unbind_qpn(&fake->ib, PORT, 1, id + 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, rdma_counter_unbind_qpn(&fake->ib, PORT, 1, id), 0);
	KUNIT_EXPECT_NULL(test, first->counter);
	KUNIT_EXPECT_EQ(test, rdma_counter_unbind_qpn(&fake->ib, PORT, 1, id), -EINVAL);
	KUNIT_EXPECT_EQ(test, mode(test), RDMA_COUNTER_MODE_MANUAL);
	destroy_qp(second);
	KUNIT_EXPECT_EQ(test, mode(test), RDMA_COUNTER_MODE_NONE);
	destroy_qp(first);
}

static void what_does_not_fit_is_not_bound(struct kunit *test)
{
	struct fake *fake = test->priv;
	struct ib_qp *qp = make_qp(test, 1, IB_QPT_RC), *kernel = make_qp(test, 2, IB_QPT_RC);
	struct ib_qp *elsewhere = make_qp(test, 3, IB_QPT_RC);
	u32 id;

	kernel->res.user = false;
	elsewhere->port = OTHER_PORT;
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn_alloc(&fake->ib, PORT, 9, &id), -ENOENT);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn_alloc(&fake->ib, 3, 1, &id), -EINVAL);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn_alloc(&fake->ib, PORT, 3, &id), -EINVAL);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn_alloc(&fake->ib, PORT, 1, &id), 0);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn(&fake->ib, PORT, 2, id), -EINVAL);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn(&fake->ib, OTHER_PORT, 3, id), -EINVAL);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn(&fake->ib, PORT, 3, id + 1), -ENOENT);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn(&fake->ib, PORT, 9, id), -ENOENT);
	kernel->res.user = true;
	destroy_qp(qp);
	destroy_qp(kernel);
	destroy_qp(elsewhere);
}

/* What a port's counters have counted never goes back, whichever of them are gone. */
static void what_was_counted_is_remembered(struct kunit *test)
{
	struct fake *fake = test->priv;
	struct ib_qp *first = make_qp(test, 1, IB_QPT_RC), *second = make_qp(test, 2, IB_QPT_RC);
	u32 id;

	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn_alloc(&fake->ib, PORT, 1, &id), 0);
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn_alloc(&fake->ib, PORT, 2, &id), 0);
	KUNIT_EXPECT_EQ(test, rdma_counter_get_hwstat_value(&fake->ib, PORT, 1), 10 + 11);
	destroy_qp(first);
	KUNIT_EXPECT_EQ(test, rdma_counter_get_hwstat_value(&fake->ib, PORT, 1), 10 + 11);
	/* The first one was asked twice, its end included, the second one three times. */
	KUNIT_EXPECT_EQ(test, rdma_counter_get_hwstat_value(&fake->ib, PORT, 0), 2 + 3);
	destroy_qp(second);
	KUNIT_EXPECT_EQ(test, rdma_counter_get_hwstat_value(&fake->ib, PORT, 1), 10 + 11);
	KUNIT_EXPECT_EQ(test, rdma_counter_get_hwstat_value(&fake->ib, OTHER_PORT, 1), 0);
	KUNIT_EXPECT_EQ(test, rdma_counter_get_hwstat_value(&fake->ib, PORT, ARRAY_SIZE(descs)), 0);
}

static void a_driver_may_fail(struct kunit *test)
{
	struct fake *fake = test->priv;
	struct ib_qp *qp = make_qp(test, 1, IB_QPT_RC);
	u32 id;

	fake->fail_bind = -ENOSPC;
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn_alloc(&fake->ib, PORT, 1, &id), -ENOSPC);
	KUNIT_EXPECT_EQ(test, mode(test), RDMA_COUNTER_MODE_NONE);
	fake->fail_bind = 0;
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn_alloc(&fake->ib, PORT, 1, &id), 0);
	fake->fail_unbind = -EIO;
	KUNIT_EXPECT_EQ(test, rdma_counter_unbind_qpn(&fake->ib, PORT, 1, id), -EIO);
	KUNIT_EXPECT_NOT_NULL(test, qp->counter);
	/* The QP goes all the same. */
	destroy_qp(qp);
	KUNIT_EXPECT_EQ(test, fake->allocated, 0);
}

static void a_driver_may_have_no_counters(struct kunit *test)
{
	struct fake *fake = test->priv;
	struct ib_qp *qp = make_qp(test, 1, IB_QPT_RC);

	fake->ib.ops.counter_alloc_stats = NULL;
	KUNIT_EXPECT_EQ(test, rdma_counter_bind_qpn_alloc(&fake->ib, PORT, 1, NULL), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, rdma_counter_unbind_qp(qp, true), -EINVAL);
	destroy_qp(qp);
}

static void memory_may_run_out(struct kunit *test)
{
	struct fake *fake = test->priv;
	struct ib_qp *qp = make_qp(test, 1, IB_QPT_RC);
	int nth, left, ret;

	for (nth = 1; nth < 100; nth++) {
		current->fail_nth = nth;
		ret = rdma_counter_bind_qpn_alloc(&fake->ib, PORT, 1, NULL);
		left = current->fail_nth;
		current->fail_nth = 0;

		if (ret)
			KUNIT_EXPECT_EQ(test, ret, -ENOMEM);
		else
			KUNIT_EXPECT_EQ(test, rdma_counter_unbind_qp(qp, false), 0);
		KUNIT_EXPECT_EQ(test, fake->allocated, 0);
		if (left)
			break;
	}
	KUNIT_EXPECT_LT(test, nth, 100);
	destroy_qp(qp);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(qps_of_a_type_share_a_counter),
	KUNIT_CASE(ports_have_counters_of_their_own),
	KUNIT_CASE(qps_of_a_process_share_a_counter),
	KUNIT_CASE(a_rule_stands_while_qps_are_bound_by_it),
	KUNIT_CASE(qps_are_bound_by_hand),
	KUNIT_CASE(what_does_not_fit_is_not_bound),
	KUNIT_CASE(what_was_counted_is_remembered),
	KUNIT_CASE(a_driver_may_fail),
	KUNIT_CASE(a_driver_may_have_no_counters),
	KUNIT_CASE(memory_may_run_out),
	{}
};

static struct kunit_suite suite = {
	.name = "core_counter",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

kunit_test_suite(suite);
