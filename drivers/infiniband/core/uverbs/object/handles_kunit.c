// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Handles against a slow model, and the use lock. */

#include <kunit/test.h>
#include <linux/prandom.h>

#include "object.h"

#define HANDLES 200
#define ROUNDS 100000

enum state { FREE, RESERVED, PUBLISHED };

/* What the handles are, in the slowest way. */
struct model {
	struct xarray handles;
	struct ib_uobject objects[HANDLES];
	enum state states[HANDLES];
};

static struct model *new_model(struct kunit *test)
{
	struct model *model = kunit_kzalloc(test, sizeof(*model), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, model);
	xa_init_flags(&model->handles, XA_FLAGS_ALLOC);
	for (i = 0; i < HANDLES; i++)
		kref_init(&model->objects[i].ref);
	return model;
}

static int lowest_free(const struct model *model)
{
	int i = 0;

	while (i < HANDLES && model->states[i] != FREE)
		i++;
	return i;
}

static void step(struct kunit *test, struct model *model, struct rnd_state *rnd)
{
	int want = lowest_free(model), i = prandom_u32_state(rnd) % HANDLES, id;

	if (model->states[i] == FREE && want < HANDLES) {
		KUNIT_ASSERT_EQ(test, uverbs_handle_reserve(&model->handles, &id), 0);
		KUNIT_ASSERT_EQ(test, id, want);
		model->states[id] = RESERVED;
	} else if (model->states[i] == RESERVED && prandom_u32_state(rnd) & 1) {
		uverbs_handle_publish(&model->handles, i, &model->objects[i]);
		model->states[i] = PUBLISHED;
	} else {
		uverbs_handle_free(&model->handles, i);
		model->states[i] = FREE;
	}
}

static void check_one(struct kunit *test, struct model *model, int i)
{
	struct ib_uobject *uobj = uverbs_handle_get(&model->handles, i);

	if (model->states[i] != PUBLISHED) {
		KUNIT_ASSERT_PTR_EQ(test, uobj, ERR_PTR(-ENOENT));
		return;
	}
	KUNIT_ASSERT_PTR_EQ(test, uobj, &model->objects[i]);
	KUNIT_ASSERT_EQ(test, kref_read(&uobj->ref), 2);
	refcount_dec(&uobj->ref.refcount);
}

static void agree_with_model(struct kunit *test)
{
	struct model *model = new_model(test);
	struct rnd_state rnd;
	int i;

	prandom_seed_state(&rnd, 25);
	for (i = 0; i < ROUNDS; i++) {
		step(test, model, &rnd);
		check_one(test, model, prandom_u32_state(&rnd) % HANDLES);
	}
	xa_destroy(&model->handles);
}

static void odd_handles(struct kunit *test)
{
	static const s64 absent[] = { 0, 1, INT_MAX, INT_MAX + 1LL, U32_MAX, S64_MAX };
	static const s64 senseless[] = { -1, INT_MIN, S64_MIN };
	struct model *model = new_model(test);
	int i;

	for (i = 0; i < ARRAY_SIZE(absent); i++)
		KUNIT_EXPECT_PTR_EQ(test, uverbs_handle_get(&model->handles, absent[i]),
				    ERR_PTR(-ENOENT));
	for (i = 0; i < ARRAY_SIZE(senseless); i++)
		KUNIT_EXPECT_PTR_EQ(test, uverbs_handle_get(&model->handles, senseless[i]),
				    ERR_PTR(-EINVAL));
}

/* An object whose last reference is gone isn't found, though its handle may still be there. */
static void dying_object_is_not_found(struct kunit *test)
{
	struct model *model = new_model(test);
	int id;

	KUNIT_ASSERT_EQ(test, uverbs_handle_reserve(&model->handles, &id), 0);
	uverbs_handle_publish(&model->handles, id, &model->objects[0]);
	refcount_set(&model->objects[0].ref.refcount, 0);
	KUNIT_EXPECT_PTR_EQ(test, uverbs_handle_get(&model->handles, id), ERR_PTR(-ENOENT));
	xa_destroy(&model->handles);
}

/* At no time is there nothing at the handle that is to stay. */
static void replaced_object_keeps_its_handle(struct kunit *test)
{
	struct model *model = new_model(test);
	struct ib_uobject *old = &model->objects[0], *new = &model->objects[1];

	KUNIT_ASSERT_EQ(test, uverbs_handle_reserve(&model->handles, &old->id), 0);
	uverbs_handle_publish(&model->handles, old->id, old);
	KUNIT_ASSERT_EQ(test, uverbs_handle_reserve(&model->handles, &new->id), 0);

	uverbs_handle_swap(&model->handles, old, new);
	KUNIT_EXPECT_EQ(test, old->id, 1);
	KUNIT_EXPECT_EQ(test, new->id, 0);
	KUNIT_EXPECT_PTR_EQ(test, uverbs_handle_get(&model->handles, 0), old);

	uverbs_handle_free(&model->handles, old->id);
	KUNIT_EXPECT_PTR_EQ(test, uverbs_handle_get(&model->handles, 0), old);
	uverbs_handle_publish(&model->handles, new->id, new);
	KUNIT_EXPECT_PTR_EQ(test, uverbs_handle_get(&model->handles, 0), new);
	KUNIT_EXPECT_PTR_EQ(test, uverbs_handle_get(&model->handles, 1), ERR_PTR(-ENOENT));
	xa_destroy(&model->handles);
}

static void use_lock(struct kunit *test)
{
	struct ib_uobject uobj = {};

	KUNIT_EXPECT_EQ(test, uverbs_use(&uobj, UVERBS_LOOKUP_READ), 0);
	KUNIT_EXPECT_EQ(test, uverbs_use(&uobj, UVERBS_LOOKUP_READ), 0);
	KUNIT_EXPECT_EQ(test, uverbs_use(&uobj, UVERBS_LOOKUP_WRITE), -EBUSY);
	KUNIT_EXPECT_EQ(test, uverbs_use(&uobj, UVERBS_LOOKUP_DESTROY), 0);
	uverbs_unuse(&uobj, UVERBS_LOOKUP_DESTROY);
	uverbs_unuse(&uobj, UVERBS_LOOKUP_READ);
	KUNIT_EXPECT_EQ(test, uverbs_use(&uobj, UVERBS_LOOKUP_WRITE), -EBUSY);
	uverbs_unuse(&uobj, UVERBS_LOOKUP_READ);
	KUNIT_EXPECT_EQ(test, uverbs_use(&uobj, UVERBS_LOOKUP_WRITE), 0);
	KUNIT_EXPECT_EQ(test, uverbs_use(&uobj, UVERBS_LOOKUP_WRITE), -EBUSY);
	KUNIT_EXPECT_EQ(test, uverbs_use(&uobj, UVERBS_LOOKUP_READ), -EBUSY);
	KUNIT_EXPECT_EQ(test, uverbs_use(&uobj, UVERBS_LOOKUP_DESTROY), 0);
	uverbs_unuse(&uobj, UVERBS_LOOKUP_WRITE);
	KUNIT_EXPECT_EQ(test, uverbs_use(&uobj, UVERBS_LOOKUP_READ), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(agree_with_model),
	KUNIT_CASE(odd_handles),
	KUNIT_CASE(dying_object_is_not_found),
	KUNIT_CASE(replaced_object_keeps_its_handle),
	KUNIT_CASE(use_lock),
	{}
};

static struct kunit_suite suite = { .name = "uverbs_handles", .test_cases = cases };
kunit_test_suite(suite);
