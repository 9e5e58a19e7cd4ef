// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The headers of write(), at every length near those that decide, and what becomes of the parts. */

#include <kunit/test.h>
#include <linux/prandom.h>

#include "write_frame.h"

static const struct uverbs_api_command plain = {
	.has_udata = true, .has_resp = true, .req_size = 16, .resp_size = 12,
};

static const struct uverbs_api_command no_udata = {
	.has_resp = true, .req_size = 16, .resp_size = 12,
};

static const struct uverbs_api_command no_response = { .has_udata = true, .req_size = 16 };
static const struct uverbs_api_command extended = { .is_ex = true };

static int try_plain(u32 number, u16 in_words, u16 out_words, size_t count)
{
	struct uverbs_write_message msg = {
		.hdr = { .command = number, .in_words = in_words, .out_words = out_words },
	};

	return uverbs_write_check(&plain, &msg, count);
}

static void plain_headers(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, try_plain(3, 6, 3, 24), 0);
	KUNIT_EXPECT_EQ(test, try_plain(3, 7, 3, 24), -EINVAL);
	KUNIT_EXPECT_EQ(test, try_plain(3, 6, 3, 25), -EINVAL);
	KUNIT_EXPECT_EQ(test, try_plain(3, 5, 3, 20), -ENOSPC);
	KUNIT_EXPECT_EQ(test, try_plain(3, 2, 3, 8), -ENOSPC);
	KUNIT_EXPECT_EQ(test, try_plain(3, 6, 2, 24), -ENOSPC);
	KUNIT_EXPECT_EQ(test, try_plain(3, U16_MAX, U16_MAX, 4 * U16_MAX), 0);
	/* The length counts in full, not its lower bits. */
	KUNIT_EXPECT_EQ(test, try_plain(3, 6, 3, 24 + BIT_ULL(32)), -EINVAL);
	KUNIT_EXPECT_EQ(test, try_plain(3, 6, 3, 24 + BIT(18)), -EINVAL);
}

static void short_destroy_cq(struct kunit *test)
{
	struct uverbs_write_message msg = {
		.hdr = { .command = IB_USER_VERBS_CMD_DESTROY_CQ, .in_words = 4, .out_words = 3 },
	};
	struct uverbs_attr_bundle attrs = {};

	KUNIT_EXPECT_EQ(test, try_plain(IB_USER_VERBS_CMD_DESTROY_CQ, 5, 3, 20), -ENOSPC);
	KUNIT_EXPECT_EQ(test, try_plain(IB_USER_VERBS_CMD_DESTROY_CQ, 4, 3, 20), -EINVAL);
	KUNIT_EXPECT_EQ(test, uverbs_write_check(&no_udata, &msg, 16), 0);
	uverbs_write_frame(&no_udata, &msg, (void __user *)0x1000, 0x2000, &attrs);
	KUNIT_EXPECT_EQ(test, attrs.ucore.inlen, 16);
}

static int try_ex(u16 in, u16 driver_in, u16 out, u16 driver_out, u64 response, size_t count)
{
	struct uverbs_write_message msg = {
		.hdr = { .in_words = in, .out_words = out },
		.ex_hdr = {
			.response = response,
			.provider_in_words = driver_in,
			.provider_out_words = driver_out,
		},
	};

	return uverbs_write_check(&extended, &msg, count);
}

static void extended_headers(struct kunit *test)
{
	struct uverbs_write_message reserved = { .ex_hdr.cmd_hdr_reserved = 1 };

	KUNIT_EXPECT_EQ(test, try_ex(0, 0, 0, 0, 0, 24), 0);
	KUNIT_EXPECT_EQ(test, try_ex(0, 0, 0, 0, 0, 23), -EINVAL);
	KUNIT_EXPECT_EQ(test, try_ex(0, 0, 0, 0, 0, 8), -EINVAL);
	KUNIT_EXPECT_EQ(test, try_ex(2, 3, 1, 0, 8, 24 + 40), 0);
	KUNIT_EXPECT_EQ(test, try_ex(2, 3, 1, 0, 8, 24 + 41), -EINVAL);
	KUNIT_EXPECT_EQ(test, try_ex(2, 3, 0, 1, 8, 24 + 40), 0);
	KUNIT_EXPECT_EQ(test, try_ex(2, 3, 0, 0, 8, 24 + 40), -EINVAL);
	KUNIT_EXPECT_EQ(test, try_ex(2, 3, 0, 1, 0, 24 + 40), -EINVAL);
	KUNIT_EXPECT_EQ(test, try_ex(2, 3, 1, 0, 0, 24 + 40), -EINVAL);
	/* Sums don't wrap. */
	KUNIT_EXPECT_EQ(test, try_ex(U16_MAX, 1, 0, 0, 0, 24), -EINVAL);
	KUNIT_EXPECT_EQ(test, try_ex(U16_MAX, U16_MAX, 0, 0, 0, 24 + 16 * U16_MAX), 0);
	KUNIT_EXPECT_EQ(test, uverbs_write_check(&extended, &reserved, 24), -EINVAL);
}

static void expect_part(struct kunit *test, const struct ib_udata *udata, u64 in, size_t inlen,
			u64 out, size_t outlen)
{
	KUNIT_EXPECT_EQ(test, (u64)(uintptr_t)udata->inbuf, inlen ? in : 0);
	KUNIT_EXPECT_EQ(test, udata->inlen, inlen);
	KUNIT_EXPECT_EQ(test, (u64)(uintptr_t)udata->outbuf, outlen ? out : 0);
	KUNIT_EXPECT_EQ(test, udata->outlen, outlen);
}

static void plain_parts(struct kunit *test)
{
	struct uverbs_write_message msg = { .hdr = { .in_words = 10, .out_words = 7 } };
	struct uverbs_attr_bundle attrs = {};

	uverbs_write_frame(&plain, &msg, (void __user *)0x1000, 0x2000, &attrs);
	expect_part(test, &attrs.ucore, 0x1000, 16, 0x2000, 12);
	/* The driver's answer is aligned to 4 bytes only. */
	expect_part(test, &attrs.driver_udata, 0x1010, 16, 0x200c, 16);

	uverbs_write_frame(&no_udata, &msg, (void __user *)0x1000, 0x2000, &attrs);
	expect_part(test, &attrs.ucore, 0x1000, 32, 0x2000, 28);
	expect_part(test, &attrs.driver_udata, 0, 0, 0, 0);

	uverbs_write_frame(&no_response, &msg, (void __user *)0x1000, 0, &attrs);
	expect_part(test, &attrs.ucore, 0x1000, 16, 0, 0);
	expect_part(test, &attrs.driver_udata, 0x1010, 16, 0, 0);

	msg.hdr.in_words = 6;
	msg.hdr.out_words = 3;
	uverbs_write_frame(&plain, &msg, (void __user *)0x1000, 0x2000, &attrs);
	expect_part(test, &attrs.driver_udata, 0, 0, 0, 0);
}

static void extended_parts(struct kunit *test)
{
	struct uverbs_write_message msg = {
		.hdr = { .in_words = 2, .out_words = 5 },
		.ex_hdr = { .provider_in_words = 1, .provider_out_words = 3 },
	};
	struct uverbs_attr_bundle attrs = {};

	uverbs_write_frame(&extended, &msg, (void __user *)0x1000, 0x2000, &attrs);
	expect_part(test, &attrs.ucore, 0x1000, 16, 0x2000, 40);
	expect_part(test, &attrs.driver_udata, 0x1010, 8, 0x2028, 24);

	msg.ex_hdr = (struct ib_uverbs_ex_cmd_hdr) {};
	uverbs_write_frame(&extended, &msg, (void __user *)0x1000, 0x2000, &attrs);
	expect_part(test, &attrs.driver_udata, 0, 0, 0, 0);
}

/* Whatever passes is divided without a gap, and no part is outside of what was sent. */
static void parts_fill_the_whole(struct kunit *test)
{
	static const struct uverbs_api_command * const commands[] = {
		&plain, &no_udata, &no_response, &extended,
	};
	const struct uverbs_api_command *command;
	struct uverbs_attr_bundle attrs = {};
	struct uverbs_write_message msg;
	struct rnd_state rnd;
	size_t count, headers;
	int i, passed = 0;

	prandom_seed_state(&rnd, 1);
	for (i = 0; i < 200000; i++) {
		command = commands[i % ARRAY_SIZE(commands)];
		prandom_bytes_state(&rnd, &msg, sizeof(msg));
		msg.hdr.in_words %= 16;
		msg.ex_hdr.provider_in_words %= 4;
		msg.ex_hdr.cmd_hdr_reserved = 0;
		headers = command->is_ex ? sizeof(msg) : sizeof(msg.hdr);
		count = headers + 4 * (prandom_u32_state(&rnd) % 24);
		if (uverbs_write_check(command, &msg, count))
			continue;
		passed++;
		uverbs_write_frame(command, &msg, (void __user *)0x1000, 0x2000, &attrs);
		KUNIT_ASSERT_EQ(test, attrs.ucore.inlen + attrs.driver_udata.inlen,
				count - headers);
		KUNIT_ASSERT_GE(test, attrs.ucore.inlen, command->req_size);
		KUNIT_ASSERT_GE(test, attrs.ucore.outlen, command->resp_size);
	}
	KUNIT_EXPECT_GT(test, passed, 1000);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(plain_headers),
	KUNIT_CASE(short_destroy_cq),
	KUNIT_CASE(extended_headers),
	KUNIT_CASE(plain_parts),
	KUNIT_CASE(extended_parts),
	KUNIT_CASE(parts_fill_the_whole),
	{}
};

static struct kunit_suite suite = { .name = "uverbs_write_frame", .test_cases = cases };
kunit_test_suite(suite);
