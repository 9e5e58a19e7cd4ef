// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The tables of a device, made of definitions of a core and a driver. */

#include <kunit/test.h>
#include <linux/sched.h>

#include "engine.h"

#include <rdma_kmod/uverbs_qp_types.h>

/* In place of the object part's, of which only the addresses count. */
const struct uverbs_obj_type_class uverbs_idr_class, uverbs_fd_class;
static const struct uverbs_obj_type_class other_class;

int uverbs_uobject_fd_release(struct inode *inode, struct file *filp)
{
	return 0;
}

static int other_release(struct inode *inode, struct file *filp)
{
	return 0;
}

static int handler_a(struct uverbs_attr_bundle *attrs)
{
	return 1;
}

static int handler_b(struct uverbs_attr_bundle *attrs)
{
	return 2;
}

static bool no(struct ib_device *device)
{
	return false;
}

static bool yes(struct ib_device *device)
{
	return true;
}

#define DEF_METHOD(_name, _id, _handler, ...)                                              \
	static const struct uverbs_attr_def *const _name##_attrs[] = { __VA_ARGS__ };  \
	static const struct uverbs_method_def _name = {                                \
		.id = (_id), .handler = (_handler),                                    \
		.num_attrs = ARRAY_SIZE(_name##_attrs), .attrs = &_name##_attrs,       \
	}

#define DEF_OBJECT(_name, _id, _type, ...)                                                 \
	static const struct uverbs_method_def *const _name##_methods[] = { __VA_ARGS__ }; \
	static const struct uverbs_object_def _name = {                                \
		.id = (_id), .type_attrs = (_type),                                    \
		.num_methods = ARRAY_SIZE(_name##_methods), .methods = &_name##_methods, \
	}

#define TREE(_id, _object) UAPI_DEF_CHAIN_OBJ_TREE(_id, &(_object))
#define WRITE_SIZES(_udata, _resp, _req_size, _resp_size)                              \
	.write.has_udata = (_udata), .write.has_resp = (_resp),                        \
	.write.req_size = (_req_size), .write.resp_size = (_resp_size)

#define EXTENDED IB_USER_VERBS_CMD_FLAG_EXTENDED

/* A PD with two methods, and a CQ of which a method needs a PD, another may have one. */
#define PD 1
#define CQ 3
#define MR 7
#define DRIVER_OBJECT (UVERBS_ID_DRIVER_NS | 5)

static const struct uverbs_obj_type pd_type = { .type_class = &uverbs_idr_class, .obj_size = 128 };
static const struct uverbs_obj_type cq_type = { .type_class = &uverbs_idr_class, .obj_size = 256 };
static const struct file_operations good_fops = { .release = uverbs_uobject_fd_release };
static const struct file_operations bad_fops = { .release = other_release };

static const struct uverbs_obj_fd_type good_fd = {
	.type = { .type_class = &uverbs_fd_class, .obj_size = 128 }, .fops = &good_fops,
};

static const struct uverbs_obj_fd_type bad_fd = {
	.type = { .type_class = &uverbs_fd_class, .obj_size = 128 }, .fops = &bad_fops,
};

static const struct uverbs_obj_type bad_type = { .type_class = &other_class, .obj_size = 128 };

DEF_METHOD(pd_alloc, 0, handler_a,
	   UVERBS_ATTR_IDR(0, PD, UVERBS_ACCESS_NEW, UA_MANDATORY),
	   UVERBS_ATTR_PTR_OUT(2, UVERBS_ATTR_TYPE(u32), UA_OPTIONAL),
	   UVERBS_ATTR_UHW());
DEF_METHOD(pd_destroy, 20, uverbs_destroy_def_handler,
	   UVERBS_ATTR_IDR(4, PD, UVERBS_ACCESS_DESTROY, UA_MANDATORY));
DEF_OBJECT(pd, PD, &pd_type, &pd_alloc, &pd_destroy);

DEF_METHOD(cq_needs_pd, 1, handler_a, UVERBS_ATTR_IDR(3, PD, UVERBS_ACCESS_READ, UA_MANDATORY));
DEF_METHOD(cq_may_have_pd, 2, handler_a,
	   UVERBS_ATTR_IDR(3, PD, UVERBS_ACCESS_READ, UA_OPTIONAL),
	   UVERBS_ATTR_IDRS_ARR(9, PD, UVERBS_ACCESS_READ, 1, 5, UA_OPTIONAL),
	   UVERBS_ATTR_IDR(1, UVERBS_IDR_ANY_OBJECT, UVERBS_ACCESS_READ, UA_MANDATORY));
DEF_METHOD(cq_needs_pds, 3, handler_a,
	   UVERBS_ATTR_IDRS_ARR(31, PD, UVERBS_ACCESS_WRITE, 1, 5, UA_MANDATORY));
DEF_OBJECT(cq, CQ, &cq_type, &cq_needs_pd, &cq_may_have_pd, &cq_needs_pds);

static const struct uapi_definition core[] = {
	TREE(PD, pd), TREE(CQ, cq),
	DECLARE_UVERBS_OBJECT(PD),
	DECLARE_UVERBS_WRITE(3, handler_a, WRITE_SIZES(1, 1, 8, 4)),
	DECLARE_UVERBS_WRITE(63, handler_b, WRITE_SIZES(0, 0, 16, 0)),
	DECLARE_UVERBS_WRITE_EX(3, handler_b, WRITE_SIZES(1, 1, 8, 4)),
	{}
};

static const struct uapi_definition nothing[] = { {} };

/* A device with all commands of write(), no operations, and a driver that defines @driver. */
static struct ib_device *device(struct kunit *test, const struct uapi_definition *driver)
{
	struct ib_device *dev = kunit_kzalloc(test, sizeof(*dev), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, dev);
	dev->uverbs_cmd_mask = U64_MAX;
	dev->driver_def = driver;
	dev->ops.driver_id = RDMA_DRIVER_MLX5;
	return dev;
}

static void free_api(void *api)
{
	uverbs_api_free(api);
}

static struct uverbs_api *build(struct kunit *test, const struct uapi_definition *core_defs,
				const struct uapi_definition *driver)
{
	struct uverbs_api *api = uverbs_api_build(device(test, driver), core_defs);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, api);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, free_api, api), 0);
	return api;
}

static int build_error(struct kunit *test, const struct uapi_definition *core_defs,
		       const struct uapi_definition *driver)
{
	struct uverbs_api *api = uverbs_api_build(device(test, driver), core_defs);

	if (IS_ERR(api))
		return PTR_ERR(api);
	uverbs_api_free(api);
	return 0;
}

static void finds_what_is_defined(struct kunit *test)
{
	struct uverbs_api *api = build(test, core, NULL);
	struct uverbs_api_method *method;

	KUNIT_EXPECT_EQ(test, api->driver_id, RDMA_DRIVER_MLX5);
	method = uverbs_api_method(api, PD, 0);
	KUNIT_ASSERT_NOT_NULL(test, method);
	KUNIT_EXPECT_PTR_EQ(test, method->handler, &handler_a);
	KUNIT_EXPECT_EQ(test, uapi_get_object(api, PD)->id, PD);
	KUNIT_EXPECT_PTR_EQ(test, uapi_get_object(api, PD)->type_attrs, &pd_type);
	KUNIT_EXPECT_PTR_EQ(test, uapi_get_object(api, PD)->type_class, &uverbs_idr_class);
}

/* No id that a process can send leads out of a table or to something else. */
static void finds_nothing_else(struct kunit *test)
{
	struct uverbs_api *api = build(test, core, NULL);
	u32 object, method, found = 0;

	for (object = 0; object <= U16_MAX; object++) {
		if (!IS_ERR(uapi_get_object(api, object)))
			found += object;
		if (uverbs_api_method(api, object, 1))
			found += 0x1000 * object;
	}
	KUNIT_EXPECT_EQ(test, found, PD + CQ + 0x1000 * CQ);
	KUNIT_EXPECT_PTR_EQ(test, uapi_get_object(api, MR), ERR_PTR(-ENOENT));
	KUNIT_EXPECT_PTR_EQ(test, uapi_get_object(api, UVERBS_IDR_ANY_OBJECT), ERR_PTR(-ENOMSG));

	for (method = found = 0; method <= U16_MAX; method++)
		if (uverbs_api_method(api, PD, method))
			found += method + 1;
	KUNIT_EXPECT_EQ(test, found, 1 + 21);
}

static u32 bkey(u16 id)
{
	return uapi_bkey_attr(uapi_key_attr(id));
}

static void works_out_methods(struct kunit *test)
{
	struct uverbs_api *api = build(test, core, NULL);
	struct uverbs_api_method *method = uverbs_api_method(api, PD, 0);

	KUNIT_EXPECT_TRUE(test, method->has_udata);
	KUNIT_EXPECT_EQ(test, method->destroy_bkey, API_ATTRS);
	KUNIT_EXPECT_EQ(test, method->num_bkeys, bkey(2) + 1);
	KUNIT_EXPECT_EQ(test, bitmap_weight(method->mandatory, API_ATTRS), 1);
	KUNIT_EXPECT_TRUE(test, test_bit(bkey(0), method->mandatory));
	KUNIT_EXPECT_EQ(test, method->attrs[bkey(UVERBS_ATTR_UHW_OUT)].spec.type,
			UVERBS_ATTR_TYPE_PTR_OUT);
	KUNIT_EXPECT_EQ(test, method->attrs[bkey(1)].spec.type, UVERBS_ATTR_TYPE_NA);

	method = uverbs_api_method(api, PD, 20);
	KUNIT_EXPECT_FALSE(test, method->has_udata);
	KUNIT_EXPECT_EQ(test, method->destroy_bkey, bkey(4));
}

DEF_METHOD(driver_method, UVERBS_ID_DRIVER_NS | 7, handler_b,
	   UVERBS_ATTR_CONST_IN(UVERBS_ID_DRIVER_NS | 30, u64, UA_MANDATORY));
DEF_METHOD(driver_destroy, UVERBS_ID_DRIVER_NS, uverbs_destroy_def_handler,
	   UVERBS_ATTR_IDR(0, PD, UVERBS_ACCESS_DESTROY, UA_MANDATORY));
DEF_METHOD(driver_attrs, 0, NULL,
	   UVERBS_ATTR_PTR_IN(UVERBS_ATTR_UHW_OUT + 1, UVERBS_ATTR_TYPE(u32), UA_MANDATORY));
DEF_OBJECT(driver_pd, PD, NULL, &driver_method, &driver_destroy, &driver_attrs);
DEF_OBJECT(only_methods, PD, NULL, &driver_method);

static const struct uverbs_attr_spec choices[] = {
	{ .type = UVERBS_ATTR_TYPE_PTR_IN, UVERBS_ATTR_NO_DATA() },
};

DEF_METHOD(driver_enum, 1, NULL,
	   UVERBS_ATTR_ENUM_IN(UVERBS_ID_DRIVER_NS, choices, UA_OPTIONAL));
DEF_OBJECT(driver_cq, CQ, NULL, &driver_enum);
DEF_OBJECT(driver_object, DRIVER_OBJECT, &good_fd.type, &driver_method);

static const struct uapi_definition driver_inner[] = {
	TREE(CQ, driver_cq), TREE(DRIVER_OBJECT, driver_object), {}
};

static const struct uapi_definition driver[] = {
	TREE(PD, driver_pd), UAPI_DEF_CHAIN(driver_inner), {}
};

static void driver_adds(struct kunit *test)
{
	struct uverbs_api *api = build(test, core, driver);
	struct uverbs_api_method *method;

	method = uverbs_api_method(api, PD, UVERBS_ID_DRIVER_NS | 7);
	KUNIT_ASSERT_NOT_NULL(test, method);
	KUNIT_EXPECT_TRUE(test, method->of_driver);
	KUNIT_EXPECT_EQ(test, method->num_bkeys, bkey(UVERBS_ID_DRIVER_NS | 30) + 1);
	KUNIT_EXPECT_FALSE(test, uverbs_api_method(api, PD, UVERBS_ID_DRIVER_NS)->of_driver);

	method = uverbs_api_method(api, PD, 0);
	KUNIT_EXPECT_FALSE(test, method->of_driver);
	KUNIT_EXPECT_TRUE(test, test_bit(bkey(UVERBS_ATTR_UHW_OUT + 1), method->mandatory));
	KUNIT_EXPECT_TRUE(test, uverbs_api_method(api, CQ, 1)->of_driver);
	KUNIT_EXPECT_FALSE(test, uverbs_api_method(api, CQ, 2)->of_driver);
	KUNIT_EXPECT_PTR_EQ(test, uapi_get_object(api, DRIVER_OBJECT)->type_class,
			    &uverbs_fd_class);
	KUNIT_EXPECT_EQ(test, uapi_get_object(api, DRIVER_OBJECT)->id, DRIVER_OBJECT);
}

static void driver_goes(struct kunit *test)
{
	struct uverbs_api *api = build(test, core, driver);

	uverbs_api_disassociate_handlers(api);
	KUNIT_EXPECT_NULL(test, uverbs_api_method(api, PD, UVERBS_ID_DRIVER_NS | 7)->handler);
	KUNIT_EXPECT_NULL(test, uverbs_api_method(api, CQ, 1)->handler);
	KUNIT_EXPECT_PTR_EQ(test, uverbs_api_method(api, PD, 0)->handler, &handler_a);
	KUNIT_EXPECT_NOT_NULL(test, uverbs_api_method(api, PD, UVERBS_ID_DRIVER_NS)->handler);
	KUNIT_EXPECT_NOT_NULL(test, uapi_get_object(api, PD)->type_attrs);

	uverbs_api_disassociate_objects(api);
	KUNIT_EXPECT_NULL(test, uapi_get_object(api, PD)->type_attrs);
	KUNIT_EXPECT_NULL(test, uapi_get_object(api, DRIVER_OBJECT)->type_attrs);
	KUNIT_EXPECT_PTR_EQ(test, uapi_get_object(api, PD)->type_class, &uverbs_idr_class);
}

DEF_METHOD(same_attr, 0, NULL, UVERBS_ATTR_PTR_OUT(2, UVERBS_ATTR_TYPE(u32), UA_OPTIONAL));
DEF_OBJECT(adds_same_attr, PD, NULL, &same_attr);
DEF_OBJECT(adds_same_method, PD, NULL, &pd_alloc);
DEF_OBJECT(adds_same_type, PD, &cq_type);

static void nothing_is_defined_twice(struct kunit *test)
{
	const struct uapi_definition attr[] = { TREE(PD, adds_same_attr), {} };
	const struct uapi_definition method[] = { TREE(PD, adds_same_method), {} };
	const struct uapi_definition type[] = { TREE(PD, adds_same_type), {} };
	const struct uapi_definition command[] = {
		UAPI_DEF_CHAIN(core),
		DECLARE_UVERBS_OBJECT(CQ),
		DECLARE_UVERBS_WRITE(3, handler_a, WRITE_SIZES(1, 1, 8, 4)),
		{}
	};

	KUNIT_EXPECT_EQ(test, build_error(test, core, attr), -EEXIST);
	KUNIT_EXPECT_EQ(test, build_error(test, core, method), -EEXIST);
	KUNIT_EXPECT_EQ(test, build_error(test, core, type), -EEXIST);
	KUNIT_EXPECT_EQ(test, build_error(test, command, NULL), -EEXIST);
}

DEF_METHOD(far_method, 21, handler_a);
DEF_METHOD(far_driver_method, UVERBS_ID_DRIVER_NS | 8, handler_a);
DEF_METHOD(far_attr, 0, handler_a, UVERBS_ATTR_CONST_IN(32, u64, UA_MANDATORY));
DEF_METHOD(far_driver_attr, 0, handler_a,
	   UVERBS_ATTR_CONST_IN(UVERBS_ID_DRIVER_NS | 31, u64, UA_MANDATORY));
DEF_OBJECT(far_object, 20, NULL);
DEF_OBJECT(far_driver_object, UVERBS_ID_DRIVER_NS | 12, NULL);
DEF_OBJECT(with_far_method, MR, NULL, &far_method);
DEF_OBJECT(with_far_driver_method, MR, NULL, &far_driver_method);
DEF_OBJECT(with_far_attr, MR, NULL, &far_attr);
DEF_OBJECT(with_far_driver_attr, MR, NULL, &far_driver_attr);

static void ids_have_limits(struct kunit *test)
{
	static const struct uverbs_object_def * const objects[] = {
		&far_object, &far_driver_object, &with_far_method, &with_far_driver_method,
		&with_far_attr, &with_far_driver_attr,
	};
	const struct uapi_definition command[] = {
		DECLARE_UVERBS_OBJECT(CQ),
		DECLARE_UVERBS_WRITE(64, handler_a, WRITE_SIZES(0, 0, 8, 0)),
		{}
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(objects); i++) {
		const struct uapi_definition definitions[] = {
			TREE(objects[i]->id, *objects[i]), {}
		};

		KUNIT_EXPECT_EQ_MSG(test, build_error(test, definitions, NULL), -EOVERFLOW,
				    "object %d", i);
	}
	KUNIT_EXPECT_EQ(test, build_error(test, command, NULL), -EOVERFLOW);
}

DEF_METHOD(no_handler, 5, NULL);
DEF_METHOD(no_type, 0, handler_a, &(const struct uverbs_attr_def) { .id = 1 });
DEF_METHOD(bad_attr, 0, handler_a, &(const struct uverbs_attr_def) { .attr.type = 8 });
DEF_METHOD(new_array, 0, handler_a, &(const struct uverbs_attr_def) {
	.attr = { .type = UVERBS_ATTR_TYPE_IDRS_ARRAY, .u2.objs_arr.access = UVERBS_ACCESS_NEW },
});
DEF_METHOD(two_new, 0, handler_a, UVERBS_ATTR_IDR(0, CQ, UVERBS_ACCESS_NEW, UA_MANDATORY),
	   UVERBS_ATTR_IDR(1, CQ, UVERBS_ACCESS_DESTROY, UA_MANDATORY));
DEF_METHOD(perhaps_new, 0, handler_a, UVERBS_ATTR_IDR(0, CQ, UVERBS_ACCESS_NEW, UA_OPTIONAL));
DEF_OBJECT(with_no_handler, CQ, &cq_type, &no_handler);
DEF_OBJECT(with_no_type, CQ, &cq_type, &no_type);
DEF_OBJECT(with_bad_attr, CQ, &cq_type, &bad_attr);
DEF_OBJECT(with_new_array, CQ, &cq_type, &new_array);
DEF_OBJECT(with_two_new, CQ, &cq_type, &two_new);
DEF_OBJECT(with_perhaps_new, CQ, &cq_type, &perhaps_new);
DEF_OBJECT(of_bad_class, CQ, &bad_type);

static void senseless_definitions_fail(struct kunit *test)
{
	static const struct uverbs_object_def * const objects[] = {
		&with_no_handler, &with_no_type, &with_bad_attr, &with_new_array, &with_two_new,
		&with_perhaps_new, &of_bad_class,
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(objects); i++) {
		const struct uapi_definition definitions[] = {
			TREE(objects[i]->id, *objects[i]), {}
		};

		KUNIT_EXPECT_EQ_MSG(test, build_error(test, definitions, NULL), -EINVAL,
				    "object %d", i);
	}
}

DEF_OBJECT(of_bad_fd, CQ, &bad_fd.type);

/* What the driver's definitions may not have, but the core's may. */
static void drivers_are_limited(struct kunit *test)
{
	const struct uapi_definition fd[] = { TREE(CQ, of_bad_fd), {} };
	const struct uapi_definition command[] = {
		DECLARE_UVERBS_OBJECT(CQ),
		DECLARE_UVERBS_WRITE(1, handler_a, WRITE_SIZES(0, 0, 8, 0)),
		{}
	};

	KUNIT_EXPECT_EQ(test, build_error(test, nothing, fd), -EINVAL);
	KUNIT_EXPECT_EQ(test, build_error(test, fd, NULL), 0);
	KUNIT_EXPECT_EQ(test, build_error(test, nothing, command), -EINVAL);
	KUNIT_EXPECT_EQ(test, build_error(test, command, NULL), 0);
}

static void lists_have_an_order(struct kunit *test)
{
	const struct uapi_definition no_object[] = { UAPI_DEF_OBJ_NEEDS_FN(alloc_pd), {} };
	const struct uapi_definition no_command[] = {
		DECLARE_UVERBS_OBJECT(CQ), UAPI_DEF_METHOD_NEEDS_FN(alloc_pd), {}
	};
	const struct uapi_definition loose_command[] = {
		DECLARE_UVERBS_WRITE(1, handler_a, WRITE_SIZES(0, 0, 8, 0)), {}
	};
	const struct uapi_definition other_id[] = { UAPI_DEF_CHAIN_OBJ_TREE(MR, &cq), {} };
	const struct uapi_definition other_kind[] = { { .kind = 99 }, {} };

	KUNIT_EXPECT_EQ(test, build_error(test, no_object, NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, build_error(test, no_command, NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, build_error(test, loose_command, NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, build_error(test, other_id, NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, build_error(test, other_kind, NULL), -EINVAL);
}

/* With the PD goes what can't do without it. */
static void check_without_pd(struct kunit *test, struct uverbs_api *api)
{
	struct uverbs_api_method *method;

	KUNIT_EXPECT_PTR_EQ(test, uapi_get_object(api, PD), ERR_PTR(-ENOENT));
	KUNIT_EXPECT_NULL(test, uverbs_api_method(api, PD, 0));
	KUNIT_EXPECT_EQ(test, uverbs_api_command(api, 3)->handler(NULL), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, uverbs_api_command(api, 63)->handler(NULL), -EOPNOTSUPP);
	KUNIT_EXPECT_NULL(test, uverbs_api_method(api, CQ, 1));
	KUNIT_EXPECT_NULL(test, uverbs_api_method(api, CQ, 3));

	method = uverbs_api_method(api, CQ, 2);
	KUNIT_ASSERT_NOT_NULL(test, method);
	KUNIT_EXPECT_EQ(test, method->attrs[bkey(3)].spec.type, UVERBS_ATTR_TYPE_NA);
	KUNIT_EXPECT_EQ(test, method->attrs[bkey(9)].spec.type, UVERBS_ATTR_TYPE_NA);
	KUNIT_EXPECT_EQ(test, method->attrs[bkey(1)].spec.type, UVERBS_ATTR_TYPE_IDR);
	KUNIT_EXPECT_EQ(test, method->num_bkeys, bkey(1) + 1);
}

static void conditions_take_objects_away(struct kunit *test)
{
	const struct uapi_definition by_op[] = {
		TREE(PD, pd), UAPI_DEF_OBJ_NEEDS_FN(alloc_pd), UAPI_DEF_CHAIN(core + 1), {}
	};
	const struct uapi_definition by_driver[] = {
		DECLARE_UVERBS_OBJECT(PD),
		UAPI_DEF_IS_OBJ_SUPPORTED(yes),
		UAPI_DEF_IS_OBJ_SUPPORTED(no),
		{}
	};

	check_without_pd(test, build(test, by_op, NULL));
	check_without_pd(test, build(test, core, by_driver));
}

/* An object that has methods but no type is none that an attribute could be for. */
static void objects_need_a_type(struct kunit *test)
{
	const struct uapi_definition no_pd[] = { TREE(CQ, cq), {} };
	const struct uapi_definition methods[] = { TREE(PD, only_methods), {} };
	struct uverbs_api *api = build(test, no_pd, NULL);

	KUNIT_EXPECT_NULL(test, uverbs_api_method(api, CQ, 1));
	KUNIT_EXPECT_NOT_NULL(test, uverbs_api_method(api, CQ, 2));

	api = build(test, no_pd, methods);
	KUNIT_EXPECT_NOT_NULL(test, uverbs_api_method(api, PD, UVERBS_ID_DRIVER_NS | 7));
	KUNIT_EXPECT_PTR_EQ(test, uapi_get_object(api, PD), ERR_PTR(-ENOENT));
	KUNIT_EXPECT_NULL(test, uverbs_api_method(api, CQ, 1));
	KUNIT_EXPECT_NOT_NULL(test, uverbs_api_method(api, CQ, 2));
}

static int some_op(struct ib_pd *pd_arg, struct ib_udata *udata)
{
	return 0;
}

static void conditions_take_commands_away(struct kunit *test)
{
	const struct uapi_definition definitions[] = {
		DECLARE_UVERBS_OBJECT(PD),
		DECLARE_UVERBS_WRITE(1, handler_a, WRITE_SIZES(0, 0, 8, 0)),
		UAPI_DEF_METHOD_NEEDS_FN(dealloc_pd),
		DECLARE_UVERBS_WRITE(2, handler_a, WRITE_SIZES(0, 0, 8, 0)),
		UAPI_DEF_METHOD_NEEDS_FN(alloc_pd),
		DECLARE_UVERBS_WRITE_EX(2, handler_b, WRITE_SIZES(0, 0, 8, 0)),
		DECLARE_UVERBS_WRITE(4, handler_a, WRITE_SIZES(0, 0, 8, 0)),
		{}
	};
	struct ib_device *dev = device(test, NULL);
	struct uverbs_api *api;

	dev->ops.alloc_pd = some_op;
	dev->uverbs_cmd_mask &= ~BIT_ULL(4);
	api = uverbs_api_build(dev, definitions);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, api);
	KUNIT_EXPECT_EQ(test, uverbs_api_command(api, 1)->handler(NULL), -EOPNOTSUPP);
	KUNIT_EXPECT_PTR_EQ(test, uverbs_api_command(api, 2)->handler, &handler_a);
	KUNIT_EXPECT_PTR_EQ(test, uverbs_api_command(api, EXTENDED | 2)->handler, &handler_b);
	KUNIT_EXPECT_EQ(test, uverbs_api_command(api, 4)->handler(NULL), -EOPNOTSUPP);
	uverbs_api_free(api);
}

static void commands_by_number(struct kunit *test)
{
	struct uverbs_api *api = build(test, core, NULL);
	const struct uverbs_api_command *command = uverbs_api_command(api, 3);
	u32 number;

	KUNIT_EXPECT_PTR_EQ(test, command->handler, &handler_a);
	KUNIT_EXPECT_TRUE(test, command->has_udata && command->has_resp && !command->is_ex);
	KUNIT_EXPECT_EQ(test, command->req_size, 8);
	KUNIT_EXPECT_EQ(test, command->resp_size, 4);

	command = uverbs_api_command(api, 3 | EXTENDED);
	KUNIT_EXPECT_PTR_EQ(test, command->handler, &handler_b);
	KUNIT_EXPECT_TRUE(test, command->is_ex);
	KUNIT_EXPECT_EQ(test, command->req_size, 0);
	KUNIT_EXPECT_EQ(test, command->resp_size, 0);

	command = uverbs_api_command(api, 5 | EXTENDED);
	KUNIT_EXPECT_EQ(test, command->handler(NULL), -EOPNOTSUPP);
	KUNIT_EXPECT_TRUE(test, command->is_ex);

	for (number = 64; number < 256; number++)
		KUNIT_EXPECT_PTR_EQ(test, uverbs_api_command(api, number), ERR_PTR(-EOPNOTSUPP));
	for (number = BIT(8); number != EXTENDED; number <<= 1)
		KUNIT_EXPECT_PTR_EQ(test, uverbs_api_command(api, number | 3), ERR_PTR(-EINVAL));
}

DEF_METHOD(qp_create, UVERBS_METHOD_QP_CREATE, handler_a);
DEF_OBJECT(qp, UVERBS_OBJECT_QP, &cq_type, &qp_create);
DECLARE_UVERBS_QP_TYPES(qp_types, UVERBS_QP_TYPE(IB_QPT_RESERVED2),
			UVERBS_QP_TYPE(IB_QPT_RESERVED4), UVERBS_QP_TYPE(IB_QPT_RESERVED10));

static void drivers_declare_qp_types(struct kunit *test)
{
	const struct uapi_definition core_defs[] = { TREE(UVERBS_OBJECT_QP, qp), {} };
	const struct uapi_definition driver_defs[] = { TREE(UVERBS_OBJECT_QP, qp_types), {} };
	struct uverbs_api *api = build(test, core_defs, driver_defs);
	struct uverbs_api_method *method = uverbs_api_method(api, UVERBS_OBJECT_QP, 0);
	u32 type, found = 0;

	for (type = 0; type < 0x2000; type++)
		if (uverbs_api_has_qp_type(api, type))
			found += type;
	KUNIT_EXPECT_EQ(test, found, IB_QPT_RESERVED4 + IB_QPT_RESERVED10);
	KUNIT_EXPECT_FALSE(test, uverbs_api_has_qp_type(api, U32_MAX));

	/* No process can send it, and the method doesn't depend on the driver. */
	KUNIT_EXPECT_EQ(test, method->num_bkeys, 0);
	KUNIT_EXPECT_FALSE(test, method->of_driver);

	api = build(test, core_defs, NULL);
	KUNIT_EXPECT_FALSE(test, uverbs_api_has_qp_type(api, IB_QPT_RESERVED4));
}

static void allocations_fail(struct kunit *test)
{
	struct ib_device *dev = device(test, driver);
	struct uverbs_api *api;
	int nth, left, failed = 0;

	for (nth = 1; nth < 200; nth++) {
		current->fail_nth = nth;
		api = uverbs_api_build(dev, core);
		left = current->fail_nth;
		current->fail_nth = 0;

		if (IS_ERR(api)) {
			KUNIT_EXPECT_PTR_EQ(test, api, ERR_PTR(-ENOMEM));
			failed++;
		} else {
			uverbs_api_free(api);
		}
		if (left)
			break;
	}
	/* Three objects, and two allocations for each of eight methods. */
	KUNIT_EXPECT_GE(test, failed, 1 + 3 + 2 * 8);
	KUNIT_EXPECT_LT(test, nth, 200);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(finds_what_is_defined),
	KUNIT_CASE(finds_nothing_else),
	KUNIT_CASE(works_out_methods),
	KUNIT_CASE(driver_adds),
	KUNIT_CASE(driver_goes),
	KUNIT_CASE(nothing_is_defined_twice),
	KUNIT_CASE(ids_have_limits),
	KUNIT_CASE(senseless_definitions_fail),
	KUNIT_CASE(drivers_are_limited),
	KUNIT_CASE(lists_have_an_order),
	KUNIT_CASE(conditions_take_objects_away),
	KUNIT_CASE(objects_need_a_type),
	KUNIT_CASE(conditions_take_commands_away),
	KUNIT_CASE(commands_by_number),
	KUNIT_CASE(drivers_declare_qp_types),
	KUNIT_CASE(allocations_fail),
	{}
};

static struct kunit_suite suite = { .name = "uverbs_api", .test_cases = cases };
kunit_test_suite(suite);
