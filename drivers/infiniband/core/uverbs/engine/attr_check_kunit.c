// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * uverbs_attr_check() over many specifications and attributes, most of them nearly right, against a
 * slow reference that goes through all reasons to refuse, one by one.
 */

#include <kunit/test.h>
#include <linux/prandom.h>

#include "engine.h"

#define ROUNDS 300000

struct reason {
	bool holds;
	int errno;
};

/* The first that holds. */
static int first(const struct reason *reasons, int count)
{
	int i;

	for (i = 0; i < count; i++)
		if (reasons[i].holds)
			return reasons[i].errno;
	return 0;
}

/* Byte by byte. Memory that is pointed to isn't known, so it's taken to be zero. */
static bool data_is_zero_from(const struct ib_uverbs_attr *attr, int from)
{
	const u8 *bytes = (const u8 *)attr + offsetof(struct ib_uverbs_attr, data);
	int i;

	if (attr->len > 8)
		return true;
	for (i = from; i < attr->len; i++)
		if (bytes[i])
			return false;
	return true;
}

static int reference_memory(const struct uverbs_attr_spec *spec, const struct ib_uverbs_attr *attr,
			    bool input)
{
	int len = attr->len, max = spec->u.ptr.len;
	const struct reason reasons[] = {
		{ len < spec->u.ptr.min_len, -EINVAL },
		{ len > max && !spec->zero_trailing, -EINVAL },
		{ input && len > max && !data_is_zero_from(attr, max), -EOPNOTSUPP },
	};

	return first(reasons, ARRAY_SIZE(reasons));
}

static int reference_enum(const struct uverbs_attr_spec *spec, const struct ib_uverbs_attr *attr)
{
	int elem = attr->attr_data.enum_data.elem_id;
	bool exists = elem < spec->u.enum_def.num_elems;
	bool is_input = exists && spec->u2.enum_def.ids[elem].type == UVERBS_ATTR_TYPE_PTR_IN;
	const struct reason reasons[] = {
		{ !exists, -EOPNOTSUPP },
		{ attr->attr_data.enum_data.reserved != 0, -EINVAL },
		{ !is_input, -EOPNOTSUPP },
	};

	return first(reasons, ARRAY_SIZE(reasons)) ?:
	       reference_memory(&spec->u2.enum_def.ids[elem], attr, true);
}

static int reference(const struct uverbs_attr_spec *spec, const struct ib_uverbs_attr *attr)
{
	bool reserved = attr->attr_data.reserved != 0;
	bool fits_int = attr->data_s64 >= INT_MIN && attr->data_s64 <= INT_MAX;
	int count = attr->len / 4;
	bool bad_count = attr->len % 4 != 0 || count < spec->u2.objs_arr.min_len ||
			 count > spec->u2.objs_arr.max_len;

	switch (spec->type) {
	case UVERBS_ATTR_TYPE_PTR_IN:
		return reserved ? -EINVAL : reference_memory(spec, attr, true);
	case UVERBS_ATTR_TYPE_PTR_OUT:
		return reserved ? -EINVAL : reference_memory(spec, attr, false);
	case UVERBS_ATTR_TYPE_IDR:
	case UVERBS_ATTR_TYPE_FD:
		return reserved || attr->len ? -EINVAL : 0;
	case UVERBS_ATTR_TYPE_RAW_FD:
		return reserved || attr->len || !fits_int ? -EINVAL : 0;
	case UVERBS_ATTR_TYPE_ENUM_IN:
		return reference_enum(spec, attr);
	case UVERBS_ATTR_TYPE_IDRS_ARRAY:
		return reserved || bad_count ? -EINVAL : 0;
	}
	return reserved ? -EINVAL : -EOPNOTSUPP;
}

static struct rnd_state rnd;

static u32 below(u32 limit)
{
	return prandom_u32_state(&rnd) % limit;
}

static bool one_in(u32 n)
{
	return !below(n);
}

/* Around the length at which memory is no longer inline, and the largest. */
static u16 some_length(void)
{
	return one_in(16) ? U16_MAX - below(3) : below(14);
}

static void random_memory(struct uverbs_attr_spec *spec)
{
	u16 one = some_length(), other = some_length();

	spec->zero_trailing = one_in(2);
	spec->u.ptr.min_len = min(one, other);
	spec->u.ptr.len = max(one, other);
}

static void random_elements(struct uverbs_attr_spec *elements, int count)
{
	int i;

	for (i = 0; i < count; i++) {
		elements[i] = (struct uverbs_attr_spec) {
			.type = one_in(5) ? below(9) : UVERBS_ATTR_TYPE_PTR_IN,
		};
		random_memory(&elements[i]);
	}
}

static void random_spec(struct uverbs_attr_spec *spec, struct uverbs_attr_spec *elements)
{
	*spec = (struct uverbs_attr_spec) { .type = below(9) };
	switch (spec->type) {
	case UVERBS_ATTR_TYPE_ENUM_IN:
		random_elements(elements, 4);
		spec->u.enum_def.num_elems = below(5);
		spec->u2.enum_def.ids = elements;
		break;
	case UVERBS_ATTR_TYPE_IDRS_ARRAY:
		spec->u2.objs_arr.min_len = 1 + below(3);
		spec->u2.objs_arr.max_len = spec->u2.objs_arr.min_len + below(3);
		break;
	default:
		random_memory(spec);
	}
}

static u64 random_data(void)
{
	u64 data = (u64)prandom_u32_state(&rnd) << 32 | prandom_u32_state(&rnd);

	if (one_in(4))
		return (s64)data >> (31 + below(3));
	return one_in(4) ? 0 : data & GENMASK_ULL(8 * (1 + below(8)) - 1, 0);
}

static void random_attr(struct ib_uverbs_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->len = one_in(4) ? 0 : one_in(3) ? 4 * below(6) : some_length();
	attr->attr_data.enum_data.elem_id = one_in(2) ? below(5) : 0;
	attr->attr_data.enum_data.reserved = one_in(8) ? below(256) : 0;
	attr->data = random_data();
}

static void agrees_with_reference(struct kunit *test)
{
	struct uverbs_attr_spec spec, elements[4];
	int results[3] = {}, got, want, i;
	struct ib_uverbs_attr attr;

	prandom_seed_state(&rnd, 6);
	for (i = 0; i < ROUNDS; i++) {
		random_spec(&spec, elements);
		random_attr(&attr);
		got = uverbs_attr_check(&spec, &attr);
		want = reference(&spec, &attr);
		KUNIT_ASSERT_EQ_MSG(test, got, want, "round %d: type %u, length %u", i, spec.type,
				    attr.len);
		results[got == 0 ? 0 : got == -EINVAL ? 1 : 2]++;
	}
	for (i = 0; i < ARRAY_SIZE(results); i++)
		KUNIT_EXPECT_GT(test, results[i], ROUNDS / 50);
}

static int check(const struct uverbs_attr_def *def, u16 len, u64 data)
{
	struct ib_uverbs_attr attr = { .len = len, .data = data };

	return uverbs_attr_check(&def->attr, &attr);
}

/* What the public macros mean. */
static void forms_of_specifications(struct kunit *test)
{
	struct two {
		u32 first, second;
	};
	const struct uverbs_attr_def *constant = UVERBS_ATTR_CONST_IN(0, u64);
	const struct uverbs_attr_def *flags = UVERBS_ATTR_FLAGS_IN(0, u64);
	const struct uverbs_attr_def *exact = UVERBS_ATTR_PTR_IN(0, UVERBS_ATTR_TYPE(u32));
	const struct uverbs_attr_def *grows =
		UVERBS_ATTR_PTR_IN(0, UVERBS_ATTR_STRUCT(struct two, first));
	const struct uverbs_attr_def *grew =
		UVERBS_ATTR_PTR_IN(0, UVERBS_ATTR_SIZE(2, 4), .zero_trailing = 1);

	KUNIT_EXPECT_EQ(test, check(constant, 4, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, check(constant, 8, 1), 0);
	KUNIT_EXPECT_EQ(test, check(constant, 9, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, check(flags, 3, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, check(flags, 4, 1), 0);
	KUNIT_EXPECT_EQ(test, check(flags, 8, 1), 0);
	KUNIT_EXPECT_EQ(test, check(exact, 3, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, check(exact, 4, 1), 0);
	KUNIT_EXPECT_EQ(test, check(exact, 5, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, check(grows, 3, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, check(grows, 4, U64_MAX), 0);
	KUNIT_EXPECT_EQ(test, check(grows, 8, U64_MAX), 0);
	KUNIT_EXPECT_EQ(test, check(grows, 40, U64_MAX), 0);
	KUNIT_EXPECT_EQ(test, check(grew, 6, U32_MAX), 0);
	KUNIT_EXPECT_EQ(test, check(grew, 6, BIT_ULL(40)), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, check(grew, 5, BIT_ULL(40)), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(agrees_with_reference),
	KUNIT_CASE(forms_of_specifications),
	{}
};

static struct kunit_suite suite = { .name = "uverbs_attr_check", .test_cases = cases };
kunit_test_suite(suite);
