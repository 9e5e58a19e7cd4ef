// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The part of a life that needs the firmware's own commands. These are laid out as byte offsets.
 * What the firmware says to a command of the process's own is the process's to read: the kernel
 * tells EREMOTEIO. To destroy an object is the kernel's command.
 */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "firmware.h"
#include "mlx5_life.h"

enum {
	QUERY_HCA_CAP = 0x100, CREATE_CQ = 0x400, QUERY_CQ = 0x402, CREATE_QP = 0x500,
	RST2INIT_QP = 0x502, CREATE_DCT = 0x710, CREATE_RMP = 0x90c,
};

#define SERVICE_UD 2
#define MTU_1024 3

/* In the memory: a page for each queue, then the doorbell records. Page 0 is the regions'. */
#define CQ_AT PAGE
#define QP_AT (2 * PAGE)
#define RMP_AT (3 * PAGE)
#define CQ_RECORD_AT (4 * PAGE)
#define QP_RECORD_AT (4 * PAGE + 64)
#define RMP_RECORD_AT (4 * PAGE + 128)

#define LOG_CQ_SIZE 2
#define LOG_RQ_SIZE 4
#define LOG_RQ_STRIDE 4

static uint32_t pdn(void)
{
	struct mlx5dv_pd pd = {};
	struct mlx5dv_obj obj = { .pd = { .in = life.pd, .out = &pd } };

	CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD), 0);
	return pd.pdn;
}

/* The status that comes with it is that of the refusal. */
static int create(struct mlx5dv_devx_obj **object, const uint8_t *in, size_t len, uint32_t *number)
{
	uint8_t out[16] = {};

	*object = mlx5dv_devx_obj_create(life.context, in, len, out, sizeof(out));
	if (!*object) {
		CHECK_EQ(out[0], LIFE_STATUS);
		return errno;
	}
	*number = out[9] << 16 | out[10] << 8 | out[11];
	return 0;
}

static int query_capabilities(void)
{
	uint8_t in[16] = {}, out[4112] = {};

	put16(in, QUERY_HCA_CAP);
	in[7] = 1; /* general ones, as they are */
	return mlx5dv_devx_general_cmd(life.context, in, sizeof(in), out, sizeof(out));
}

static int register_memory(void)
{
	life.umem = mlx5dv_devx_umem_reg(life.context, life.memory, LIFE_PAGES * PAGE,
					 IBV_ACCESS_LOCAL_WRITE);
	return life.umem ? 0 : errno;
}

static int deregister_memory(void)
{
	return mlx5dv_devx_umem_dereg(life.umem);
}

static int create_cq(void)
{
	uint8_t in[272] = {}, *cqc = in + 16;
	uint32_t eqn;

	CHECK_EQ(mlx5dv_devx_query_eqn(life.context, 0, &eqn), 0);
	put16(in, CREATE_CQ);
	put32(cqc + 4, life.umem->umem_id); /* of the record */
	put32(cqc + 12, LOG_CQ_SIZE << 24 | life.uar->page_id);
	put32(cqc + 20, eqn);
	put64(cqc + 56, CQ_RECORD_AT);
	put64(in + 80, CQ_AT);
	put32(in + 88, life.umem->umem_id);
	return create(&life.own_cq, in, sizeof(in), &life.own_cqn);
}

static int query_cq(void)
{
	uint8_t in[16] = {}, out[272] = {};

	put16(in, QUERY_CQ);
	put32(in + 8, life.own_cqn);
	return mlx5dv_devx_obj_query(life.own_cq, in, sizeof(in), out, sizeof(out));
}

static int destroy_cq(void)
{
	return mlx5dv_devx_obj_destroy(life.own_cq);
}

/* With receives alone. */
static int create_qp(void)
{
	uint8_t in[272] = {}, *qpc = in + 24;

	put16(in, CREATE_QP);
	qpc[1] = SERVICE_UD;
	put32(qpc + 4, pdn());
	qpc[9] = LOG_RQ_SIZE << 3;
	qpc[10] = 0x80;
	put32(qpc + 12, life.uar->page_id);
	put32(qpc + 124, life.own_cqn);
	put32(qpc + 156, life.own_cqn);
	put64(qpc + 160, QP_RECORD_AT);
	put32(qpc + 228, life.umem->umem_id);
	put64(in + 256, QP_AT);
	put32(in + 264, life.umem->umem_id);
	return create(&life.own_qp, in, sizeof(in), &life.own_qpn);
}

static int qp_to_init(void)
{
	uint8_t in[272] = {}, out[16] = {};

	put16(in, RST2INIT_QP);
	put32(in + 8, life.own_qpn);
	in[24 + 24 + 37] = 1; /* port */
	return mlx5dv_devx_obj_modify(life.own_qp, in, sizeof(in), out, sizeof(out));
}

static int destroy_qp(void)
{
	return mlx5dv_devx_obj_destroy(life.own_qp);
}

static int create_rmp(void)
{
	uint8_t in[272] = {}, *wq = in + 32 + 48;

	put16(in, CREATE_RMP);
	in[33] = 1 << 4; /* ready */
	put32(wq + 8, pdn());
	put64(wq + 16, RMP_RECORD_AT);
	put32(wq + 32, LOG_RQ_STRIDE << 16 | LOG_RQ_SIZE);
	put32(wq + 40, life.umem->umem_id);
	put32(wq + 44, life.umem->umem_id);
	put64(wq + 48, RMP_AT);
	return create(&life.own_rmp, in, sizeof(in), &life.own_rmpn);
}

static int destroy_rmp(void)
{
	return mlx5dv_devx_obj_destroy(life.own_rmp);
}

static int create_dct(void)
{
	uint8_t in[80] = {}, *dctc = in + 16;
	uint32_t dctn;

	put16(in, CREATE_DCT);
	put32(dctc + 8, life.own_cqn);
	put32(dctc + 20, life.own_rmpn);
	put32(dctc + 24, pdn());
	put64(dctc + 32, 0x55);
	dctc[40] = MTU_1024;
	dctc[41] = 1; /* port */
	return create(&life.own_dct, in, sizeof(in), &dctn);
}

static int destroy_dct(void)
{
	return mlx5dv_devx_obj_destroy(life.own_dct);
}

const struct step devx_steps[] = {
	{ "capabilities", query_capabilities, NULL, EREMOTEIO },
	{ "memory", register_memory, deregister_memory, EBUSY },
	{ "own CQ", create_cq, destroy_cq, EREMOTEIO },
	{ "its attributes", query_cq, NULL, EREMOTEIO },
	{ "own queue pair", create_qp, destroy_qp, EREMOTEIO },
	{ "to INIT", qp_to_init, NULL, EREMOTEIO },
	{ "own RMP", create_rmp, destroy_rmp, EREMOTEIO },
	{ "own DC target", create_dct, destroy_dct, EREMOTEIO },
	{}
};
