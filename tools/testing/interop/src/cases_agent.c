// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "umad.h"

/* An unused class, so that nothing else on the port can stand in the way. */
static const struct agent_spec plain_spec = {
	.qpn = GSI_QPN, .mgmt_class = 0x0a, .class_version = 1,
	.methods = { METHOD_BIT(METHOD_GET) },
};

typedef int (*register_fn)(int fd, const struct agent_spec *spec);

static const register_fn both_ioctls[] = { agent_register, agent_register2 };

#define FOR_EACH_IOCTL(fn) \
	for (const register_fn *(fn) = both_ioctls; (fn) < both_ioctls + 2; (fn)++)

static int open_a(void)
{
	struct port port = port_a();

	return port_open(&port, 0);
}

/* Ids count from 0, and the lowest free one is taken. */
static void ids(void)
{
	FOR_EACH_IOCTL(reg) {
		int fd = open_a();

		for (int id = 0; id < 4; id++)
			CHECK_EQ((*reg)(fd, &client_spec), id);
		CHECK_OK(agent_unregister(fd, 1));
		CHECK_OK(agent_unregister(fd, 2));
		CHECK_EQ((*reg)(fd, &client_spec), 1);
		CHECK_EQ((*reg)(fd, &client_spec), 2);
		CHECK_EQ((*reg)(fd, &client_spec), 4);
		close(fd);
	}
}

static void thirty_third(void)
{
	int fd = open_a(), other = open_a();

	for (int id = 0; id < UMAD_MAX_AGENTS; id++)
		CHECK_EQ(agent_register2(fd, &client_spec), id);
	FOR_EACH_IOCTL(reg)
		CHECK_FAILS((*reg)(fd, &client_spec), ENOMEM);
	/* The limit is a file's, and a refused one leaves the file as it was. */
	CHECK_EQ(agent_register2(other, &client_spec), 0);
	CHECK_OK(agent_unregister(fd, 17));
	CHECK_EQ(agent_register2(fd, &client_spec), 17);
}

static void refused(const struct agent_spec *spec, int error)
{
	FOR_EACH_IOCTL(reg) {
		int fd = open_a();

		CHECK_FAILS((*reg)(fd, spec), error);
		/* Nothing of it stays: the first id is still free. */
		CHECK_EQ((*reg)(fd, &client_spec), 0);
		close(fd);
	}
}

/* The plain registration with some fields set otherwise must end in that errno. */
#define REFUSED(error, ...) \
	do { \
		struct agent_spec spec = plain_spec; \
		__VA_ARGS__; \
		refused(&spec, error); \
	} while (0)

static void qpns(void)
{
	REFUSED(EINVAL, spec.qpn = 2);
	REFUSED(EINVAL, spec.qpn = 0xff);
	/* REGISTER_AGENT2 has 32 bits for it, and none is cut off. */
	struct agent_spec spec = plain_spec;
	int fd = open_a();

	spec.qpn = 0x100;
	CHECK_FAILS(agent_register2(fd, &spec), EINVAL);
	spec.qpn = 0x80000001;
	CHECK_FAILS(agent_register2(fd, &spec), EINVAL);
}

/* RoCE has no QP0. */
static void no_smi(void)
{
	REFUSED(EPROTONOSUPPORT, spec.qpn = 0, spec.mgmt_class = 0);
	REFUSED(EPROTONOSUPPORT, spec.qpn = 0, spec.mgmt_class = CLASS_SUBN_LID_ROUTED);
	REFUSED(EPROTONOSUPPORT, spec.qpn = 0, spec.mgmt_class = CLASS_SUBN_DIRECTED_ROUTE);
}

static void classes(void)
{
	/* Subnet management is QP0's. */
	REFUSED(EINVAL, spec.mgmt_class = CLASS_SUBN_LID_ROUTED);
	REFUSED(EINVAL, spec.mgmt_class = CLASS_SUBN_DIRECTED_ROUTE);
	/* Classes end at 0x4f. */
	REFUSED(EINVAL, spec.mgmt_class = 0x50);
	REFUSED(EINVAL, spec.mgmt_class = 0x80);
	REFUSED(EINVAL, spec.mgmt_class = 0x82);
	REFUSED(EINVAL, spec.mgmt_class = 0xff);
	/* Vendor classes from 0x30 on are told apart by an OUI. */
	REFUSED(EINVAL, spec.mgmt_class = 0x30);
	REFUSED(EINVAL, spec.mgmt_class = 0x4f);
}

static void versions(void)
{
	REFUSED(EINVAL, spec.class_version = 0x83);
	REFUSED(EINVAL, spec.class_version = 0xff);
	struct agent_spec spec = plain_spec;
	int fd = open_a();

	spec.class_version = 0x82;
	CHECK_EQ(agent_register2(fd, &spec), 0);
}

static void rmpp_versions(void)
{
	REFUSED(EINVAL, spec.rmpp_version = 2, spec.mgmt_class = CLASS_SUBN_ADM);
	REFUSED(EINVAL, spec.rmpp_version = 0xff, spec.mgmt_class = 0);
	/* Performance management isn't a class with RMPP. */
	REFUSED(EINVAL, spec.rmpp_version = 1, spec.mgmt_class = CLASS_PERF);
	struct agent_spec spec = client_spec;
	int fd = open_a();

	spec.rmpp_version = 1;
	CHECK_EQ(agent_register(fd, &spec), 0);
	CHECK_EQ(agent_register2(fd, &spec), 1);
}

/* REGISTER_AGENT2's OUI has 24 bits, and the first byte of the MAD's OUI is the highest. */
static void ouis(void)
{
	struct agent_spec spec = server_spec;
	int fd = open_a();

	spec.oui = 0x01000000;
	CHECK_FAILS(agent_register2(fd, &spec), EINVAL);
	spec.oui = 0xff0a1b2c;
	CHECK_FAILS(agent_register2(fd, &spec), EINVAL);
	/* Without a class, nobody looks at it. */
	spec = client_spec;
	spec.oui = 0xffffffff;
	CHECK_EQ(agent_register2(fd, &spec), 0);
	/* The two ioctls mean the same by the same OUI. */
	CHECK_EQ(agent_register(fd, &server_spec), 1);
	CHECK_FAILS(agent_register2(fd, &server_spec), EINVAL);
	spec = server_spec;
	spec.oui = TEST_OUI + 1;
	CHECK_EQ(agent_register2(fd, &spec), 2);
}

static void flags(void)
{
	int fd = open_a();
	struct ib_user_mad_reg_req2 request = {
		.qpn = GSI_QPN, .mgmt_class = CLASS_VENDOR_0X30, .mgmt_class_version = 1,
		.oui = TEST_OUI, .rmpp_version = 1, .flags = 1 << 1,
	};

	/* An unknown flag is refused, and the flags that are known come back. */
	CHECK_FAILS(ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, &request), EINVAL);
	CHECK_EQ(request.flags, IB_USER_MAD_USER_RMPP);
	request.flags = 1u << 31 | IB_USER_MAD_USER_RMPP;
	CHECK_FAILS(ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, &request), EINVAL);
	CHECK_EQ(request.flags, IB_USER_MAD_USER_RMPP);
	CHECK_OK(ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, &request));
	CHECK_EQ(request.id, 0);

	/* Segments are handed to a user only with a class to hear. */
	request.mgmt_class = 0;
	CHECK_FAILS(ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, &request), EINVAL);

	/* The bits that the ABI calls ignored are. */
	request = (struct ib_user_mad_reg_req2){
		.qpn = GSI_QPN, .res = 0xffff, .reserved = { 0xff, 0xff, 0xff },
	};
	CHECK_OK(ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, &request));
	CHECK_EQ(request.id, 1);
}

/* A method of a class has one agent on a port, whatever file it is of. */
static void methods_taken(void)
{
	int first = open_a(), second = open_a();
	struct agent_spec spec = plain_spec;

	spec.methods[0] = METHOD_BIT(METHOD_GET) | METHOD_BIT(METHOD_SET);
	spec.methods[1] = METHOD_BIT(0x7f - 64);
	CHECK_EQ(agent_register(first, &spec), 0);
	FOR_EACH_IOCTL(reg)
		CHECK_FAILS((*reg)(second, &spec), EINVAL);
	spec.methods[1] = 0;
	CHECK_FAILS(agent_register2(second, &spec), EINVAL);
	spec.methods[0] = METHOD_BIT(METHOD_SEND);
	CHECK_EQ(agent_register2(second, &spec), 0);
	spec.methods[0] = 0;
	spec.methods[1] = METHOD_BIT(0x7f - 64);
	CHECK_FAILS(agent_register(second, &spec), EINVAL);
	/* Another version of the class is another class. */
	spec.class_version = 2;
	CHECK_EQ(agent_register(second, &spec), 1);
	/* No method at all is a registration too. */
	spec.methods[1] = 0;
	CHECK_EQ(agent_register(second, &spec), 2);

	CHECK_OK(agent_unregister(first, 0));
	spec = plain_spec;
	CHECK_EQ(agent_register(second, &spec), 3);
	close(second);
	CHECK_EQ(agent_register2(first, &spec), 0);
}

static void unregister(void)
{
	int fd = open_a(), other = open_a();

	CHECK_EQ(agent_register2(fd, &client_spec), 0);
	CHECK_FAILS(agent_unregister(fd, 1), EINVAL);
	CHECK_FAILS(agent_unregister(fd, 31), EINVAL);
	CHECK_FAILS(agent_unregister(fd, 32), EINVAL);
	CHECK_FAILS(agent_unregister(fd, 0x80000000), EINVAL);
	CHECK_FAILS(agent_unregister(fd, ~0u), EINVAL);
	CHECK_FAILS(agent_unregister(other, 0), EINVAL);
	CHECK_OK(agent_unregister(fd, 0));
	CHECK_FAILS(agent_unregister(fd, 0), EINVAL);
}

/* Arguments that the kernel can't read or write: EFAULT, and nothing stays registered. */
static void bad_arguments(void)
{
	static const unsigned long ioctls[] = {
		IB_USER_MAD_REGISTER_AGENT, IB_USER_MAD_REGISTER_AGENT2,
	};
	long page = sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	struct ib_user_mad_reg_req2 request2 = {
		.qpn = GSI_QPN, .mgmt_class = 0x0a, .method_mask = { 2 },
	};
	struct ib_user_mad_reg_req request = {
		.qpn = GSI_QPN, .mgmt_class = 0x0a, .method_mask = { 2 },
	};
	const struct agent_spec same = {
		.qpn = GSI_QPN, .mgmt_class = 0x0a, .methods = { 2 },
	};
	int fd = open_a();

	CHECK(memory != MAP_FAILED, "mapping two pages");
	CHECK_OK(munmap(memory + page, page));
	for (int i = 0; i < 2; i++) {
		CHECK_FAILS(ioctl(fd, ioctls[i], NULL), EFAULT);
		CHECK_FAILS(ioctl(fd, ioctls[i], memory + page - 8), EFAULT);
	}
	CHECK_FAILS(ioctl(fd, IB_USER_MAD_UNREGISTER_AGENT, memory + page - 2), EFAULT);
	memcpy(memory, &request, sizeof(request));
	memcpy(memory + 256, &request2, sizeof(request2));
	CHECK_OK(mprotect(memory, page, PROT_READ));
	CHECK_FAILS(ioctl(fd, IB_USER_MAD_REGISTER_AGENT, memory), EFAULT);
	CHECK_FAILS(ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, memory + 256), EFAULT);
	CHECK_EQ(agent_register(fd, &same), 0);

	CHECK_FAILS(ioctl(fd, _IO(IB_IOCTL_MAGIC, 0x7f), 0), ENOTTY);
	CHECK_FAILS(ioctl(fd, _IOWR(IB_IOCTL_MAGIC, 0x01, char[3]), memory), ENOTTY);
}

/* The P_Key index in the header is chosen before the first registration. */
static void enable_pkey(void)
{
	int fd = open_a();

	CHECK_OK(ioctl(fd, IB_USER_MAD_ENABLE_PKEY));
	CHECK_OK(ioctl(fd, IB_USER_MAD_ENABLE_PKEY));
	CHECK_EQ(agent_register(fd, &client_spec), 0);
	CHECK_FAILS(ioctl(fd, IB_USER_MAD_ENABLE_PKEY), EINVAL);
	close(fd);

	FOR_EACH_IOCTL(reg) {
		fd = open_a();
		CHECK_EQ((*reg)(fd, &client_spec), 0);
		CHECK_OK(agent_unregister(fd, 0));
		CHECK_FAILS(ioctl(fd, IB_USER_MAD_ENABLE_PKEY), EINVAL);
		close(fd);
	}
}

const struct test_case agent_cases[] = {
	{ "ids", ids },
	{ "33rd-agent", thirty_third },
	{ "qpns", qpns },
	{ "no-smi", no_smi },
	{ "classes", classes },
	{ "versions", versions },
	{ "rmpp-versions", rmpp_versions },
	{ "ouis", ouis },
	{ "flags", flags },
	{ "methods-taken", methods_taken },
	{ "unregister", unregister },
	{ "bad-arguments", bad_arguments },
	{ "enable-pkey", enable_pkey },
	{}
};
