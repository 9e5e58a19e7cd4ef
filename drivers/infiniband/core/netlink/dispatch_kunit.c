// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/net.h>
#include <net/sock.h>

#include "netlink.h"

#define NLDEV_TYPE(op) RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, op)
#define LS_TYPE(op) RDMA_NL_GET_TYPE(RDMA_NL_LS, op)
#define ERROR_OF_HANDLER (-ENOTUNIQ)
#define SEQ 0x51423

/* What the handlers have seen; cases run one after another. */
static unsigned int doits, dumps;

/**
 * struct fixture - the kernel's end and a program's end of RDMA netlink
 * @kernel: as in socket.c
 * @program: has a file, as a program's socket does
 */
struct fixture {
	struct sock *kernel;
	struct socket *program;
};

static int succeed(struct sk_buff *skb, struct nlmsghdr *nlh, struct netlink_ext_ack *extack)
{
	doits++;
	return 0;
}

static int fail(struct sk_buff *skb, struct nlmsghdr *nlh, struct netlink_ext_ack *extack)
{
	doits++;
	return ERROR_OF_HANDLER;
}

/* Two messages, then the end. */
static int dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	if (dumps == 2)
		return 0;
	dumps++;
	nlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq, cb->nlh->nlmsg_type, 0,
		  NLM_F_MULTI);
	return skb->len;
}

static const struct rdma_nl_cbs nldev_table[RDMA_NLDEV_NUM_OPS] = {
	[RDMA_NLDEV_CMD_GET] = { .doit = succeed, .dump = dump },
	[RDMA_NLDEV_CMD_SET] = { .doit = fail, .flags = RDMA_NL_ADMIN_PERM },
};

static const struct rdma_nl_cbs ls_table[RDMA_NL_LS_NUM_OPS] = {
	[RDMA_NL_LS_OP_RESOLVE] = { .doit = succeed },
};

static int set_up(struct kunit *test)
{
	struct netlink_kernel_cfg config = { .input = rdma_nl_input };
	struct fixture *fixture = kunit_kzalloc(test, sizeof(*fixture), GFP_KERNEL);
	struct file *file;

	KUNIT_ASSERT_NOT_NULL(test, fixture);
	test->priv = fixture;
	fixture->kernel = netlink_kernel_create(&init_net, NETLINK_RDMA, &config);
	KUNIT_ASSERT_NOT_NULL(test, fixture->kernel);
	KUNIT_ASSERT_EQ(test, sock_create_kern(&init_net, AF_NETLINK, SOCK_RAW, NETLINK_RDMA,
					       &fixture->program), 0);
	file = sock_alloc_file(fixture->program, 0, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	doits = 0;
	dumps = 0;
	rdma_nl_register(RDMA_NL_NLDEV, nldev_table);
	rdma_nl_register(RDMA_NL_LS, ls_table);
	return 0;
}

static void tear_down(struct kunit *test)
{
	struct fixture *fixture = test->priv;

	rdma_nl_unregister(RDMA_NL_LS);
	rdma_nl_unregister(RDMA_NL_NLDEV);
	__fput_sync(fixture->program->file);
	netlink_kernel_release(fixture->kernel);
}

static struct nlmsghdr message(u16 type, u16 flags)
{
	return (struct nlmsghdr){
		.nlmsg_len = NLMSG_HDRLEN,
		.nlmsg_type = type,
		.nlmsg_flags = flags,
		.nlmsg_seq = SEQ,
	};
}

static void send(struct kunit *test, void *data, size_t len)
{
	struct fixture *fixture = test->priv;
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	struct msghdr msg = { .msg_name = &kernel, .msg_namelen = sizeof(kernel) };
	struct kvec vec = { .iov_base = data, .iov_len = len };

	KUNIT_EXPECT_EQ(test, kernel_sendmsg(fixture->program, &msg, &vec, 1, len), (int)len);
}

/* Returns the length of what came, or -EAGAIN. */
static int receive(struct kunit *test, void *data, size_t len)
{
	struct fixture *fixture = test->priv;
	struct kvec vec = { .iov_base = data, .iov_len = len };
	struct msghdr msg = {};

	return kernel_recvmsg(fixture->program, &msg, &vec, 1, len, MSG_DONTWAIT);
}

static void expect_silence(struct kunit *test)
{
	u8 data[256];

	KUNIT_EXPECT_EQ(test, receive(test, data, sizeof(data)), -EAGAIN);
}

static void expect_ack(struct kunit *test, int error)
{
	struct {
		struct nlmsghdr nlh;
		struct nlmsgerr err;
		u8 rest[64];
	} ack = {};

	KUNIT_EXPECT_GE(test, receive(test, &ack, sizeof(ack)),
			(int)offsetofend(typeof(ack), err));
	KUNIT_EXPECT_EQ(test, ack.nlh.nlmsg_type, NLMSG_ERROR);
	KUNIT_EXPECT_EQ(test, ack.err.error, error);
	KUNIT_EXPECT_EQ(test, ack.err.msg.nlmsg_seq, SEQ);
	expect_silence(test);
}

static void send_one(struct kunit *test, u16 type, u16 flags)
{
	struct nlmsghdr nlh = message(type, flags);

	send(test, &nlh, sizeof(nlh));
}

static void a_request_is_run(struct kunit *test)
{
	send_one(test, NLDEV_TYPE(RDMA_NLDEV_CMD_GET), NLM_F_REQUEST);
	KUNIT_EXPECT_EQ(test, doits, 1);
	expect_silence(test);
}

static void it_is_acknowledged_if_it_asks_for_that(struct kunit *test)
{
	send_one(test, NLDEV_TYPE(RDMA_NLDEV_CMD_GET), NLM_F_REQUEST | NLM_F_ACK);
	KUNIT_EXPECT_EQ(test, doits, 1);
	expect_ack(test, 0);
}

static void errors_are_acknowledged_unasked(struct kunit *test)
{
	send_one(test, NLDEV_TYPE(RDMA_NLDEV_CMD_SET), NLM_F_REQUEST);
	KUNIT_EXPECT_EQ(test, doits, 1);
	expect_ack(test, ERROR_OF_HANDLER);
}

static void what_nobody_answers_is_refused(struct kunit *test)
{
	static const u16 types[] = {
		RDMA_NL_GET_TYPE(1, 0),
		RDMA_NL_GET_TYPE(RDMA_NL_RSVD, 0),
		RDMA_NL_GET_TYPE(RDMA_NL_IWCM, 0),
		RDMA_NL_GET_TYPE(RDMA_NL_NUM_CLIENTS, 0),
		RDMA_NL_GET_TYPE(63, 1023),
		NLDEV_TYPE(RDMA_NLDEV_CMD_UNSPEC),
		NLDEV_TYPE(RDMA_NLDEV_CMD_NEWLINK),
		NLDEV_TYPE(RDMA_NLDEV_NUM_OPS),
		LS_TYPE(RDMA_NL_LS_NUM_OPS),
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		send_one(test, types[i], NLM_F_REQUEST);
		expect_ack(test, -EINVAL);
	}
	KUNIT_EXPECT_EQ(test, doits, 0);
}

static void only_requests_are_for_the_kernel(struct kunit *test)
{
	send_one(test, NLDEV_TYPE(RDMA_NLDEV_CMD_GET), 0);
	expect_silence(test);
	send_one(test, NLMSG_NOOP, NLM_F_REQUEST);
	expect_silence(test);
	send_one(test, NLDEV_TYPE(RDMA_NLDEV_CMD_GET), NLM_F_ACK);
	expect_ack(test, 0);
	KUNIT_EXPECT_EQ(test, doits, 0);
}

/* It answers what we ask, with an error flag where requests for a dump have theirs. */
static void a_local_service_may_answer(struct kunit *test)
{
	send_one(test, LS_TYPE(RDMA_NL_LS_OP_RESOLVE), 0);
	KUNIT_EXPECT_EQ(test, doits, 1);
	send_one(test, LS_TYPE(RDMA_NL_LS_OP_RESOLVE), RDMA_NL_LS_F_ERR);
	KUNIT_EXPECT_EQ(test, doits, 2);
	expect_silence(test);
}

static void a_dump_goes_on_to_its_end(struct kunit *test)
{
	struct nlmsghdr nlh[4] = {};
	int i;

	send_one(test, NLDEV_TYPE(RDMA_NLDEV_CMD_GET), NLM_F_REQUEST | NLM_F_DUMP);
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, receive(test, nlh, sizeof(nlh)), NLMSG_HDRLEN);
		KUNIT_EXPECT_EQ(test, nlh[0].nlmsg_type, NLDEV_TYPE(RDMA_NLDEV_CMD_GET));
	}
	KUNIT_EXPECT_GE(test, receive(test, nlh, sizeof(nlh)), NLMSG_HDRLEN);
	KUNIT_EXPECT_EQ(test, nlh[0].nlmsg_type, NLMSG_DONE);
	expect_silence(test);
	KUNIT_EXPECT_EQ(test, doits, 0);
}

static void what_has_no_dump_refuses_one(struct kunit *test)
{
	send_one(test, NLDEV_TYPE(RDMA_NLDEV_CMD_SET), NLM_F_REQUEST | NLM_F_DUMP);
	expect_ack(test, -EINVAL);
	KUNIT_EXPECT_EQ(test, doits, 0);
}

static void changes_are_for_administrators(struct kunit *test)
{
	struct cred *cred = prepare_creds();
	const struct cred *old;

	KUNIT_ASSERT_NOT_NULL(test, cred);
	cap_lower(cred->cap_effective, CAP_NET_ADMIN);
	old = override_creds(cred);
	send_one(test, NLDEV_TYPE(RDMA_NLDEV_CMD_SET), NLM_F_REQUEST);
	send_one(test, NLDEV_TYPE(RDMA_NLDEV_CMD_GET), NLM_F_REQUEST);
	revert_creds(old);
	put_cred(cred);

	KUNIT_EXPECT_EQ(test, doits, 1);
	expect_ack(test, -EPERM);
}

static void messages_may_come_together(struct kunit *test)
{
	struct nlmsghdr nlh[3];

	nlh[0] = message(NLDEV_TYPE(RDMA_NLDEV_CMD_GET), NLM_F_REQUEST);
	nlh[1] = message(NLDEV_TYPE(RDMA_NLDEV_CMD_SET), NLM_F_REQUEST);
	nlh[2] = message(NLDEV_TYPE(RDMA_NLDEV_CMD_GET), NLM_F_REQUEST);
	send(test, nlh, sizeof(nlh));
	KUNIT_EXPECT_EQ(test, doits, 3);
	expect_ack(test, ERROR_OF_HANDLER);
}

static void a_length_that_is_wrong_ends_it(struct kunit *test)
{
	static const u32 lengths[] = { 0, NLMSG_HDRLEN - 1, 2 * NLMSG_HDRLEN + 1, U32_MAX };
	int i;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		struct nlmsghdr nlh[2];

		nlh[0] = message(NLDEV_TYPE(RDMA_NLDEV_CMD_GET), NLM_F_REQUEST);
		nlh[1] = nlh[0];
		nlh[0].nlmsg_len = lengths[i];
		send(test, nlh, sizeof(nlh));
	}
	expect_silence(test);
	KUNIT_EXPECT_EQ(test, doits, 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_request_is_run),
	KUNIT_CASE(it_is_acknowledged_if_it_asks_for_that),
	KUNIT_CASE(errors_are_acknowledged_unasked),
	KUNIT_CASE(what_nobody_answers_is_refused),
	KUNIT_CASE(only_requests_are_for_the_kernel),
	KUNIT_CASE(a_local_service_may_answer),
	KUNIT_CASE(a_dump_goes_on_to_its_end),
	KUNIT_CASE(what_has_no_dump_refuses_one),
	KUNIT_CASE(changes_are_for_administrators),
	KUNIT_CASE(messages_may_come_together),
	KUNIT_CASE(a_length_that_is_wrong_ends_it),
	{}
};

static struct kunit_suite suite = {
	.name = "core_netlink_dispatch",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

kunit_test_suite(suite);
