// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <string.h>

#include "check.h"
#include "hostile.h"
#include "uverbs.h"

/* The objects that the forms refer to. Each has its handle, wherever others can't be made. */

static int invoke(int fd, struct attacker *attacker, uint32_t number, const void *in,
		  size_t in_len)
{
	unsigned char out[64], driver_in[64], driver_out[64];

	return command_ioctl(fd, &(struct command){
		.number = number, .in = in, .in_len = in_len, .out = out, .out_len = sizeof(out),
		.driver_in = driver_in,
		.driver_in_len = driver_request(attacker, number, driver_in),
		.driver_out = driver_out, .driver_out_len = sizeof(driver_out),
	});
}

/* What can't be made here leaves its place to a PD. */
static void keep_place(int fd, int ret)
{
	uint32_t pd;

	if (ret)
		try_pd(fd, &pd);
}

#define MAKE(fd, attacker, number, in) \
	keep_place(fd, invoke(fd, attacker, number, &(in), sizeof(in)))

static void furnish_queues(int fd, struct attacker *attacker)
{
	struct ib_uverbs_create_cq cq = { .cqe = 16, .comp_channel = -1 };
	struct ib_uverbs_create_srq srq = { .max_wr = 16, .max_sge = 1 };
	struct ib_uverbs_create_qp qp = qp_request(0, 2, QPT_RC);

	MAKE(fd, attacker, IB_USER_VERBS_CMD_CREATE_CQ, cq);
	MAKE(fd, attacker, IB_USER_VERBS_CMD_CREATE_CQ, cq);
	MAKE(fd, attacker, IB_USER_VERBS_CMD_CREATE_SRQ, srq);
	MAKE(fd, attacker, IB_USER_VERBS_CMD_CREATE_QP, qp);
	MAKE(fd, attacker, IB_USER_VERBS_CMD_CREATE_QP, qp);
	qp.qp_type = QPT_UD;
	MAKE(fd, attacker, IB_USER_VERBS_CMD_CREATE_QP, qp);
}

static void furnish_memory(int fd, struct attacker *attacker)
{
	struct ib_uverbs_reg_mr mr = {
		.start = (uintptr_t)attacker->arena, .hca_va = (uintptr_t)attacker->arena,
		.length = 4096, .access_flags = 1,
	};
	struct ib_uverbs_alloc_mw mw = { .mw_type = 1 };
	struct ib_uverbs_create_ah ah = { .attr = { .port_num = 1, .dlid = 1 } };
	struct ib_uverbs_open_xrcd xrcd = { .fd = -1 };

	MAKE(fd, attacker, IB_USER_VERBS_CMD_REG_MR, mr);
	MAKE(fd, attacker, IB_USER_VERBS_CMD_REG_MR, mr);
	MAKE(fd, attacker, IB_USER_VERBS_CMD_ALLOC_MW, mw);
	MAKE(fd, attacker, IB_USER_VERBS_CMD_CREATE_AH, ah);
	MAKE(fd, attacker, IB_USER_VERBS_CMD_OPEN_XRCD, xrcd);
}

static void furnish_rare(int fd, struct attacker *attacker)
{
	struct ib_uverbs_ex_create_wq wq = { .cq_handle = 2, .max_wr = 4, .max_sge = 1 };
	uint32_t table[] = { 0, 1, 13, 14 };
	struct {
		struct ib_uverbs_create_flow head;
		struct ib_uverbs_flow_spec_eth eth;
	} flow = {
		.head = { .qp_handle = 7, .flow_attr = { .size = sizeof(flow.eth),
			  .num_of_specs = 1, .port = 1 } },
		.eth = { .type = 0x20, .size = sizeof(flow.eth) },
	};
	struct method dm = method_of(UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC);
	struct method counters = method_of(UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_CREATE);
	uint64_t length = 4096;
	uint32_t alignment = 0;

	MAKE(fd, attacker, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_WQ), wq);
	MAKE(fd, attacker, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_WQ), wq);
	MAKE(fd, attacker, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL), table);
	MAKE(fd, attacker, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_FLOW), flow);
	attr_id(&dm, UVERBS_ATTR_ALLOC_DM_HANDLE, 0);
	attr_in(&dm, UVERBS_ATTR_ALLOC_DM_LENGTH, &length, sizeof(length));
	attr_in(&dm, UVERBS_ATTR_ALLOC_DM_ALIGNMENT, &alignment, sizeof(alignment));
	keep_place(fd, method_call(fd, &dm));
	attr_id(&counters, UVERBS_ATTR_CREATE_COUNTERS_HANDLE, 0);
	keep_place(fd, method_call(fd, &counters));
}

void furnish(int fd, struct attacker *attacker)
{
	uint64_t in = 0;
	uint32_t pd;

	invoke(fd, attacker, IB_USER_VERBS_CMD_GET_CONTEXT, &in, sizeof(in));
	try_pd(fd, &pd);
	try_pd(fd, &pd);
	furnish_queues(fd, attacker);
	furnish_memory(fd, attacker);
	furnish_rare(fd, attacker);
}
