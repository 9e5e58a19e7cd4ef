// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/kthread.h>
#include <linux/slab.h>

#include "netlink.h"

#define ID_FREED_BY_HARDWARE 0x1234

static struct ib_device *make_device(struct kunit *test)
{
	struct ib_device *device = kunit_kzalloc(test, sizeof(*device), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, device);
	KUNIT_ASSERT_EQ(test, rdma_restrack_init(device), 0);
	return device;
}

static struct ib_qp *make_qp(struct kunit *test, struct ib_device *device, u32 qp_num,
			     enum ib_qp_type type, u32 port)
{
	struct ib_qp *qp = kunit_kzalloc(test, sizeof(*qp), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, qp);
	qp->device = device;
	qp->qp_num = qp_num;
	qp->qp_type = type;
	qp->port = port;
	rdma_restrack_new(&qp->res, RDMA_RESTRACK_QP);
	rdma_restrack_set_name(&qp->res, "kunit");
	rdma_restrack_add(&qp->res);
	return qp;
}

static struct ib_pd *make_pd(struct kunit *test, struct ib_device *device)
{
	struct ib_pd *pd = kunit_kzalloc(test, sizeof(*pd), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, pd);
	pd->device = device;
	rdma_restrack_new(&pd->res, RDMA_RESTRACK_PD);
	rdma_restrack_set_name(&pd->res, "kunit");
	rdma_restrack_add(&pd->res);
	return pd;
}

static struct rdma_restrack_entry *find_qp(struct ib_device *device, u32 id)
{
	return rdma_restrack_get_byid(device, RDMA_RESTRACK_QP, id);
}

static void a_qp_is_found_by_its_number(struct kunit *test)
{
	struct ib_device *device = make_device(test);
	struct ib_qp *qp = make_qp(test, device, 0x48, IB_QPT_RC, 1);

	KUNIT_EXPECT_PTR_EQ(test, find_qp(device, 0x48), &qp->res);
	rdma_restrack_put(&qp->res);
	KUNIT_EXPECT_EQ(test, PTR_ERR(find_qp(device, 0x49)), -ENOENT);
	rdma_restrack_del(&qp->res);
	KUNIT_EXPECT_EQ(test, PTR_ERR(find_qp(device, 0x48)), -ENOENT);
	rdma_restrack_clean(device);
}

static void special_qps_of_two_ports_differ(struct kunit *test)
{
	struct ib_device *device = make_device(test);
	struct ib_qp *first = make_qp(test, device, 1, IB_QPT_GSI, 1);
	struct ib_qp *second = make_qp(test, device, 1, IB_QPT_GSI, 2);

	KUNIT_EXPECT_PTR_EQ(test, find_qp(device, 0x1000001), &first->res);
	KUNIT_EXPECT_PTR_EQ(test, find_qp(device, 0x2000001), &second->res);
	rdma_restrack_put(&first->res);
	rdma_restrack_put(&second->res);
	rdma_restrack_del(&first->res);
	rdma_restrack_del(&second->res);
	rdma_restrack_clean(device);
}

static void a_driver_s_own_qps_are_details(struct kunit *test)
{
	struct ib_device *device = make_device(test);
	struct ib_qp *plain = make_qp(test, device, 2, IB_QPT_UD, 1);
	struct ib_qp *detail = make_qp(test, device, 3, IB_QPT_DRIVER, 1);
	unsigned long id = 0;

	KUNIT_EXPECT_EQ(test, rdma_restrack_count(device, RDMA_RESTRACK_QP, false), 1);
	KUNIT_EXPECT_EQ(test, rdma_restrack_count(device, RDMA_RESTRACK_QP, true), 2);
	KUNIT_EXPECT_PTR_EQ(test, rdma_restrack_get_next(device, RDMA_RESTRACK_QP, &id, false),
			    &plain->res);
	rdma_restrack_put(&plain->res);
	id++;
	KUNIT_EXPECT_NULL(test, rdma_restrack_get_next(device, RDMA_RESTRACK_QP, &id, false));
	KUNIT_EXPECT_PTR_EQ(test, rdma_restrack_get_next(device, RDMA_RESTRACK_QP, &id, true),
			    &detail->res);
	rdma_restrack_put(&detail->res);
	rdma_restrack_del(&detail->res);
	KUNIT_EXPECT_EQ(test, rdma_restrack_count(device, RDMA_RESTRACK_QP, true), 1);
	rdma_restrack_del(&plain->res);
	rdma_restrack_clean(device);
}

static void what_is_not_to_be_tracked_is_not_found(struct kunit *test)
{
	struct ib_device *device = make_device(test);
	struct ib_qp *qp = kunit_kzalloc(test, sizeof(*qp), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, qp);
	qp->device = device;
	qp->qp_num = 5;
	rdma_restrack_no_track(&qp->res);
	rdma_restrack_new(&qp->res, RDMA_RESTRACK_QP);
	rdma_restrack_add(&qp->res);
	KUNIT_EXPECT_TRUE(test, qp->res.valid);
	KUNIT_EXPECT_EQ(test, PTR_ERR(find_qp(device, 5)), -ENOENT);
	rdma_restrack_begin_del(&qp->res);
	rdma_restrack_abort_del(&qp->res);
	rdma_restrack_begin_del(&qp->res);
	rdma_restrack_commit_del(&qp->res);
	rdma_restrack_clean(device);
}

static void a_second_qp_of_a_number_is_not_tracked(struct kunit *test)
{
	struct ib_device *device = make_device(test);
	struct ib_qp *first = make_qp(test, device, 9, IB_QPT_RC, 1);
	struct ib_qp *second = make_qp(test, device, 9, IB_QPT_RC, 1);

	KUNIT_EXPECT_FALSE(test, second->res.valid);
	rdma_restrack_del(&second->res);
	KUNIT_EXPECT_PTR_EQ(test, find_qp(device, 9), &first->res);
	rdma_restrack_put(&first->res);
	rdma_restrack_del(&first->res);
	rdma_restrack_clean(device);
}

/* The first of all ids is 0, where an XArray has no node yet. */
static void deletion_that_is_aborted_changes_nothing(struct kunit *test)
{
	struct ib_device *device = make_device(test);
	struct ib_pd *pd = make_pd(test, device);

	KUNIT_EXPECT_EQ(test, pd->res.id, 0);
	rdma_restrack_begin_del(&pd->res);
	KUNIT_EXPECT_EQ(test, PTR_ERR(rdma_restrack_get_byid(device, RDMA_RESTRACK_PD, 0)),
			-ENOENT);
	KUNIT_EXPECT_EQ(test, rdma_restrack_count(device, RDMA_RESTRACK_PD, true), 0);
	rdma_restrack_abort_del(&pd->res);
	KUNIT_EXPECT_PTR_EQ(test, rdma_restrack_get_byid(device, RDMA_RESTRACK_PD, 0), &pd->res);
	KUNIT_EXPECT_EQ(test, rdma_restrack_count(device, RDMA_RESTRACK_PD, true), 1);
	rdma_restrack_put(&pd->res);
	rdma_restrack_begin_del(&pd->res);
	rdma_restrack_commit_del(&pd->res);
	rdma_restrack_clean(device);
}

static void an_id_is_not_given_again_before_the_commit(struct kunit *test)
{
	struct ib_device *device = make_device(test);
	struct ib_pd *first = make_pd(test, device), *second;

	rdma_restrack_begin_del(&first->res);
	device->res[RDMA_RESTRACK_PD].next_id = first->res.id;
	second = make_pd(test, device);
	KUNIT_EXPECT_NE(test, second->res.id, first->res.id);
	rdma_restrack_commit_del(&first->res);
	rdma_restrack_del(&second->res);
	rdma_restrack_clean(device);
}

static void a_number_that_hardware_gives_again_is_tracked(struct kunit *test)
{
	struct ib_device *device = make_device(test);
	struct ib_qp *old = make_qp(test, device, ID_FREED_BY_HARDWARE, IB_QPT_DRIVER, 1);
	struct ib_qp *new;

	rdma_restrack_begin_del(&old->res);
	new = make_qp(test, device, ID_FREED_BY_HARDWARE, IB_QPT_RC, 1);
	rdma_restrack_commit_del(&old->res);
	KUNIT_EXPECT_TRUE(test, new->res.valid);
	KUNIT_EXPECT_PTR_EQ(test, find_qp(device, ID_FREED_BY_HARDWARE), &new->res);
	rdma_restrack_put(&new->res);
	KUNIT_EXPECT_EQ(test, rdma_restrack_count(device, RDMA_RESTRACK_QP, false), 1);
	rdma_restrack_del(&new->res);
	rdma_restrack_clean(device);
}

static void an_aborted_deletion_does_not_take_a_number_back(struct kunit *test)
{
	struct ib_device *device = make_device(test);
	struct ib_qp *old = make_qp(test, device, ID_FREED_BY_HARDWARE, IB_QPT_DRIVER, 1);
	struct ib_qp *new;

	rdma_restrack_begin_del(&old->res);
	new = make_qp(test, device, ID_FREED_BY_HARDWARE, IB_QPT_RC, 1);
	rdma_restrack_abort_del(&old->res);
	KUNIT_EXPECT_PTR_EQ(test, find_qp(device, ID_FREED_BY_HARDWARE), &new->res);
	rdma_restrack_put(&new->res);
	KUNIT_EXPECT_EQ(test, rdma_restrack_count(device, RDMA_RESTRACK_QP, true), 1);
	rdma_restrack_del(&old->res);
	KUNIT_EXPECT_PTR_EQ(test, find_qp(device, ID_FREED_BY_HARDWARE), &new->res);
	rdma_restrack_put(&new->res);
	rdma_restrack_del(&new->res);
	KUNIT_EXPECT_EQ(test, rdma_restrack_count(device, RDMA_RESTRACK_QP, true), 0);
	rdma_restrack_clean(device);
}

static void a_detail_that_is_hidden_is_not_counted(struct kunit *test)
{
	struct ib_device *device = make_device(test);
	struct ib_qp *plain = make_qp(test, device, 2, IB_QPT_UD, 1);
	struct ib_qp *detail = make_qp(test, device, 3, IB_QPT_DRIVER, 1);

	rdma_restrack_begin_del(&detail->res);
	KUNIT_EXPECT_EQ(test, rdma_restrack_count(device, RDMA_RESTRACK_QP, false), 1);
	KUNIT_EXPECT_EQ(test, rdma_restrack_count(device, RDMA_RESTRACK_QP, true), 1);
	rdma_restrack_abort_del(&detail->res);
	KUNIT_EXPECT_EQ(test, rdma_restrack_count(device, RDMA_RESTRACK_QP, false), 1);
	KUNIT_EXPECT_EQ(test, rdma_restrack_count(device, RDMA_RESTRACK_QP, true), 2);
	rdma_restrack_del(&detail->res);
	rdma_restrack_del(&plain->res);
	KUNIT_EXPECT_EQ(test, rdma_restrack_count(device, RDMA_RESTRACK_QP, true), 0);
	rdma_restrack_clean(device);
}

struct reader {
	struct rdma_restrack_entry *res;
	bool put;
};

static int read_for_a_while(void *data)
{
	struct reader *reader = data;

	msleep(100);
	WRITE_ONCE(reader->put, true);
	rdma_restrack_put(reader->res);
	return 0;
}

static void start_reader(struct kunit *test, struct reader *reader,
			 struct rdma_restrack_entry *res)
{
	reader->res = res;
	KUNIT_ASSERT_TRUE(test, rdma_restrack_get(res));
	KUNIT_ASSERT_FALSE(test, IS_ERR(kthread_run(read_for_a_while, reader, "reader")));
}

static void deletion_waits_for_those_who_look(struct kunit *test)
{
	struct ib_device *device = make_device(test);
	struct ib_qp *qp = make_qp(test, device, 7, IB_QPT_RC, 1);
	struct reader first = {}, second = {}, third = {};

	start_reader(test, &first, &qp->res);
	rdma_restrack_sync(&qp->res);
	KUNIT_EXPECT_TRUE(test, READ_ONCE(first.put));

	start_reader(test, &second, &qp->res);
	rdma_restrack_begin_del(&qp->res);
	KUNIT_EXPECT_TRUE(test, READ_ONCE(second.put));
	KUNIT_EXPECT_FALSE(test, rdma_restrack_get(&qp->res));
	rdma_restrack_abort_del(&qp->res);

	start_reader(test, &third, &qp->res);
	rdma_restrack_del(&qp->res);
	KUNIT_EXPECT_TRUE(test, READ_ONCE(third.put));
	rdma_restrack_clean(device);
}

static int delete_entry(void *res)
{
	rdma_restrack_begin_del(res);
	return 0;
}

/* Else a few who look by turns could hold a deletion up for ever. */
static void nobody_comes_while_deletion_waits(struct kunit *test)
{
	struct ib_device *device = make_device(test);
	struct ib_qp *qp = make_qp(test, device, 7, IB_QPT_RC, 1);
	unsigned long id = 0;

	KUNIT_ASSERT_TRUE(test, rdma_restrack_get(&qp->res));
	KUNIT_ASSERT_FALSE(test, IS_ERR(kthread_run(delete_entry, &qp->res, "deleter")));
	msleep(100);
	KUNIT_EXPECT_EQ(test, PTR_ERR(find_qp(device, 7)), -ENOENT);
	KUNIT_EXPECT_NULL(test, rdma_restrack_get_next(device, RDMA_RESTRACK_QP, &id, true));
	KUNIT_EXPECT_FALSE(test, try_wait_for_completion(&qp->res.comp));
	rdma_restrack_put(&qp->res);
	msleep(100);
	rdma_restrack_commit_del(&qp->res);
	rdma_restrack_clean(device);
}

static void the_task_of_an_entry_is_let_go(struct kunit *test)
{
	struct ib_device *device = make_device(test);
	struct ib_pd *pd = make_pd(test, device);
	struct rdma_restrack_entry failed = {};
	unsigned int before = refcount_read(&current->usage);

	rdma_restrack_set_name(&pd->res, NULL);
	rdma_restrack_new(&failed, RDMA_RESTRACK_PD);
	rdma_restrack_parent_name(&failed, &pd->res);
	KUNIT_EXPECT_FALSE(test, rdma_is_kernel_res(&failed));
	KUNIT_EXPECT_EQ(test, refcount_read(&current->usage), before + 2);
	rdma_restrack_put(&failed);
	KUNIT_EXPECT_EQ(test, refcount_read(&current->usage), before + 1);
	rdma_restrack_del(&pd->res);
	KUNIT_EXPECT_EQ(test, refcount_read(&current->usage), before);
	rdma_restrack_clean(device);
}

static void a_walk_goes_on_where_it_stopped(struct kunit *test)
{
	struct ib_device *device = make_device(test);
	struct ib_qp *qps[4];
	unsigned long id = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(qps); i++)
		qps[i] = make_qp(test, device, 100 * i + 2, IB_QPT_RC, 1);
	for (i = 0; i < ARRAY_SIZE(qps); i++) {
		struct rdma_restrack_entry *res;

		if (i == 2) /* goes while the walk is broken off */
			rdma_restrack_begin_del(&qps[i++]->res);
		res = rdma_restrack_get_next(device, RDMA_RESTRACK_QP, &id, true);
		KUNIT_ASSERT_PTR_EQ(test, res, &qps[i]->res);
		KUNIT_EXPECT_EQ(test, id, qps[i]->qp_num);
		rdma_restrack_put(res);
		id++;
	}
	KUNIT_EXPECT_NULL(test, rdma_restrack_get_next(device, RDMA_RESTRACK_QP, &id, true));
	rdma_restrack_commit_del(&qps[2]->res);
	for (i = 0; i < ARRAY_SIZE(qps); i++)
		rdma_restrack_del(&qps[i]->res);
	rdma_restrack_clean(device);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_qp_is_found_by_its_number),
	KUNIT_CASE(special_qps_of_two_ports_differ),
	KUNIT_CASE(a_driver_s_own_qps_are_details),
	KUNIT_CASE(what_is_not_to_be_tracked_is_not_found),
	KUNIT_CASE(a_second_qp_of_a_number_is_not_tracked),
	KUNIT_CASE(deletion_that_is_aborted_changes_nothing),
	KUNIT_CASE(an_id_is_not_given_again_before_the_commit),
	KUNIT_CASE(a_number_that_hardware_gives_again_is_tracked),
	KUNIT_CASE(an_aborted_deletion_does_not_take_a_number_back),
	KUNIT_CASE(a_detail_that_is_hidden_is_not_counted),
	KUNIT_CASE(deletion_waits_for_those_who_look),
	KUNIT_CASE(nobody_comes_while_deletion_waits),
	KUNIT_CASE(the_task_of_an_entry_is_let_go),
	KUNIT_CASE(a_walk_goes_on_where_it_stopped),
	{}
};

static struct kunit_suite suite = { .name = "core_restrack", .test_cases = cases };

kunit_test_suite(suite);
