// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The commands: what there is, and what all of them have in common.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

#include "base/log.h"
#include "connectx5/device.h"
#include "connectx5/field.h"
#include "connectx5/output.h"

#define STATUS_AT 0

static const struct cx5_command_type types[] = {
	{ 0x100, "QUERY_HCA_CAP", cx5_query_hca_cap, 16, 4112, CX5_ENABLED,
	  &cx5_out_query_hca_cap },
	{ 0x101, "QUERY_ADAPTER", cx5_query_adapter, 16, 272, CX5_ENABLED, &cx5_out_query_adapter },
	{ 0x102, "INIT_HCA", cx5_init_hca, 16, 16, CX5_ENABLED, &cx5_out_plain },
	{ 0x103, "TEARDOWN_HCA", cx5_teardown_hca, 16, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x104, "ENABLE_HCA", cx5_enable_hca, 12, 16, CX5_DISABLED, &cx5_out_plain },
	{ 0x105, "DISABLE_HCA", cx5_disable_hca, 12, 16, CX5_ENABLED, &cx5_out_plain },
	{ 0x107, "QUERY_PAGES", cx5_query_pages, 12, 16, CX5_ENABLED, &cx5_out_query_pages },
	{ 0x108, "MANAGE_PAGES", cx5_manage_pages, 16, 16, CX5_ENABLED, &cx5_out_manage_pages },
	{ 0x109, "SET_HCA_CAP", cx5_set_hca_cap, 272, 16, CX5_ENABLED, &cx5_out_plain },
	{ 0x10a, "QUERY_ISSI", cx5_query_issi, 16, 112, CX5_ENABLED, &cx5_out_query_issi },
	{ 0x10b, "SET_ISSI", cx5_set_issi, 12, 16, CX5_ENABLED, &cx5_out_plain },
	{ 0x200, "CREATE_MKEY", cx5_create_mkey, 272, 16, CX5_RUNNING, &cx5_out_number },
	{ 0x201, "QUERY_MKEY", cx5_query_mkey, 12, 304, CX5_RUNNING, &cx5_out_query_mkey },
	{ 0x202, "DESTROY_MKEY", cx5_destroy_mkey, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x203, "QUERY_SPECIAL_CONTEXTS", cx5_query_special_contexts, 8, 32, CX5_RUNNING,
	  &cx5_out_special_contexts },
	{ 0x204, "PAGE_FAULT_RESUME", cx5_page_fault_resume, 16, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x301, "CREATE_EQ", cx5_create_eq, 272, 16, CX5_RUNNING, &cx5_out_eq_number },
	{ 0x302, "DESTROY_EQ", cx5_destroy_eq, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x303, "QUERY_EQ", cx5_query_eq, 12, 272, CX5_RUNNING, &cx5_out_query_eq },
	{ 0x400, "CREATE_CQ", cx5_create_cq, 272, 16, CX5_RUNNING, &cx5_out_number },
	{ 0x401, "DESTROY_CQ", cx5_destroy_cq, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x402, "QUERY_CQ", cx5_query_cq, 12, 272, CX5_RUNNING, &cx5_out_query_cq },
	{ 0x403, "MODIFY_CQ", cx5_modify_cq, 80, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x500, "CREATE_QP", cx5_create_qp, 272, 16, CX5_RUNNING, &cx5_out_number_ece },
	{ 0x501, "DESTROY_QP", cx5_destroy_qp, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x502, "RST2INIT_QP", cx5_modify_qp, 256, 16, CX5_RUNNING, &cx5_out_ece },
	{ 0x503, "INIT2RTR_QP", cx5_modify_qp, 256, 16, CX5_RUNNING, &cx5_out_ece },
	{ 0x504, "RTR2RTS_QP", cx5_modify_qp, 256, 16, CX5_RUNNING, &cx5_out_ece },
	{ 0x505, "RTS2RTS_QP", cx5_modify_qp, 256, 16, CX5_RUNNING, &cx5_out_ece },
	{ 0x506, "SQERR2RTS_QP", cx5_modify_qp, 256, 16, CX5_RUNNING, &cx5_out_ece },
	{ 0x507, "2ERR_QP", cx5_modify_qp, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x50a, "2RST_QP", cx5_modify_qp, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x50b, "QUERY_QP", cx5_query_qp, 12, 272, CX5_RUNNING, &cx5_out_query_qp },
	{ 0x50c, "SQD_RTS_QP", cx5_modify_qp, 256, 16, CX5_RUNNING, &cx5_out_ece },
	{ 0x50d, "MAD_IFC", cx5_mad_ifc, 272, 272, CX5_RUNNING, &cx5_out_mad },
	{ 0x50e, "INIT2INIT_QP", cx5_modify_qp, 256, 16, CX5_RUNNING, &cx5_out_ece },
	{ 0x700, "CREATE_SRQ", cx5_create_srq, 272, 16, CX5_RUNNING, &cx5_out_number },
	{ 0x701, "DESTROY_SRQ", cx5_destroy_srq, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x702, "QUERY_SRQ", cx5_query_srq, 12, 272, CX5_RUNNING, &cx5_out_query_srq },
	{ 0x703, "ARM_RQ", cx5_arm_srq, 16, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x705, "CREATE_XRC_SRQ", cx5_create_srq, 272, 16, CX5_RUNNING, &cx5_out_number },
	{ 0x706, "DESTROY_XRC_SRQ", cx5_destroy_srq, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x707, "QUERY_XRC_SRQ", cx5_query_srq, 12, 272, CX5_RUNNING, &cx5_out_query_srq },
	{ 0x708, "ARM_XRC_SRQ", cx5_arm_srq, 16, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x710, "CREATE_DCT", cx5_create_dct, 80, 16, CX5_RUNNING, &cx5_out_number_ece },
	{ 0x711, "DESTROY_DCT", cx5_destroy_dct, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x712, "DRAIN_DCT", cx5_drain_dct, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x713, "QUERY_DCT", cx5_query_dct, 12, 128, CX5_RUNNING, &cx5_out_query_dct },
	{ 0x762, "QUERY_HCA_VPORT_CONTEXT", cx5_query_vport_context, 12, 528, CX5_RUNNING,
	  &cx5_out_vport_context },
	{ 0x800, "ALLOC_PD", cx5_alloc_pd, 8, 16, CX5_RUNNING, &cx5_out_number },
	{ 0x801, "DEALLOC_PD", cx5_dealloc_pd, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x802, "ALLOC_UAR", cx5_alloc_uar, 8, 16, CX5_RUNNING, &cx5_out_number },
	{ 0x803, "DEALLOC_UAR", cx5_dealloc_uar, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x805, "ACCESS_REG", cx5_access_register, 16, 16, CX5_ENABLED, &cx5_out_register },
	{ 0x806, "ATTACH_TO_MCG", cx5_attach_to_mcg, 32, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x807, "DETACH_FROM_MCG", cx5_detach_from_mcg, 32, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x80e, "ALLOC_XRCD", cx5_alloc_xrcd, 8, 16, CX5_RUNNING, &cx5_out_number },
	{ 0x80f, "DEALLOC_XRCD", cx5_dealloc_xrcd, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x816, "ALLOC_TRANSPORT_DOMAIN", cx5_alloc_transport_domain, 8, 16, CX5_RUNNING,
	  &cx5_out_number },
	{ 0x817, "DEALLOC_TRANSPORT_DOMAIN", cx5_dealloc_transport_domain, 12, 16, CX5_RUNNING,
	  &cx5_out_plain },
	{ 0x842, "QUERY_LAG", cx5_query_lag, 8, 16, CX5_RUNNING, &cx5_out_query_lag },
	{ 0x90c, "CREATE_RMP", cx5_create_rmp, 272, 16, CX5_RUNNING, &cx5_out_number },
	{ 0x90d, "MODIFY_RMP", cx5_modify_rmp, 272, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x90e, "DESTROY_RMP", cx5_destroy_rmp, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0x90f, "QUERY_RMP", cx5_query_rmp, 12, 272, CX5_RUNNING, &cx5_out_query_rmp },
	{ 0xa04, "CREATE_UCTX", cx5_create_uctx, 64, 16, CX5_RUNNING, &cx5_out_uid },
	{ 0xa06, "DESTROY_UCTX", cx5_destroy_uctx, 12, 16, CX5_RUNNING, &cx5_out_plain },
	{ 0xa08, "CREATE_UMEM", cx5_create_umem, 48, 16, CX5_RUNNING, &cx5_out_number },
	{ 0xa0a, "DESTROY_UMEM", cx5_destroy_umem, 12, 16, CX5_RUNNING, &cx5_out_plain },
};

#define TYPE_COUNT (sizeof(types) / sizeof(types[0]))

_Static_assert(TYPE_COUNT <= CX5_COMMAND_TYPES_MAX, "each command has its counter");

const struct cx5_command_type *cx5_command_find(uint16_t opcode)
{
	for (size_t i = 0; i < TYPE_COUNT; i++)
		if (types[i].opcode == opcode)
			return &types[i];
	return NULL;
}

const struct cx5_command_type *cx5_command_named(const char *name)
{
	for (size_t i = 0; i < TYPE_COUNT; i++)
		if (!strcasecmp(types[i].name, name))
			return &types[i];
	return NULL;
}

void cx5_commands_print(const struct connectx5 *dev, FILE *out)
{
	for (size_t i = 0; i < TYPE_COUNT; i++)
		if (dev->command_counts[i])
			fprintf(out, "%-24s %" PRIu64 "\n", types[i].name, dev->command_counts[i]);
}

enum cx5_status cx5_status_of(int error)
{
	switch (error) {
	case 0:
		return CX5_OK;
	case -ENOENT:
		return CX5_BAD_RES;
	case -EBUSY:
		return CX5_BAD_RES_STATE;
	case -ENOSPC:
		return CX5_LIMIT;
	case -ENOMEM:
		return CX5_NO_RES;
	case -EOVERFLOW:
		return CX5_BAD_OUTSTANDING_CQES;
	default:
		return CX5_BAD_PARAM;
	}
}

int cx5_buffer(struct hca_buffer *buf, const struct cx5_command *cmd, unsigned int at,
	       unsigned int log_page_size, unsigned int page_offset)
{
	unsigned int log_size =
		log_page_size + 12; /* the field counts from 4 KiB, offsets in 64ths of a page */

	if (log_size > 31 || cmd->in_len < at)
		return -EINVAL;
	return hca_buffer_init(buf, cmd->in + at, (cmd->in_len - at) / 8, log_size,
			       page_offset << (log_size - 6));
}

static enum cx5_status perform(struct connectx5 *dev, const struct cx5_command_type *type,
			       struct cx5_command *cmd)
{
	enum cx5_status status;

	if (cx5_injected(dev, cmd->opcode, &status))
		return status;
	if (!type) {
		dev->counters.unknown_commands++;
		log_warn("connectx5: unknown command %#x, modifier %#x, %u bytes: refused",
			 cmd->opcode, cmd->op_mod, cmd->in_len);
		return CX5_BAD_OP;
	}
	if (cmd->in_len < type->min_in)
		return CX5_BAD_INPUT_LEN;
	if (dev->state < type->state)
		return CX5_BAD_SYS_STATE;
	status = cx5_uctx_check(dev, cmd);
	if (status == CX5_OK)
		status = type->handler(dev, cmd);
	if (status == CX5_OK)
		cx5_uctx_own(dev, cmd);
	return status;
}

/* Room for the longest answer that the handler writes, whatever the driver asks for. */
static uint8_t *alloc_output(const struct cx5_command_type *type, const struct cx5_command *cmd)
{
	uint32_t len = type && type->min_out > cmd->out_len ? type->min_out : cmd->out_len;

	return calloc(1, len < 16 ? 16 : len);
}

enum cx5_status cx5_execute(struct connectx5 *dev, struct cx5_command *cmd)
{
	const struct cx5_command_type *type;
	enum cx5_status status;

	cmd->opcode = get_be16(cmd->in);
	cmd->op_mod = get_be16(cmd->in + 6);
	type = cx5_command_find(cmd->opcode);
	cmd->output = type ? type->output : &cx5_out_plain;
	cmd->out = alloc_output(type, cmd);
	if (!cmd->out)
		return CX5_NO_RES;
	status = perform(dev, type, cmd);
	cmd->out[STATUS_AT] = (uint8_t)status;
	if (dev->options.fuzz_reserved)
		cx5_noise_apply(dev, cmd->output, cmd->out, cmd->out_len);
	dev->counters.commands++;
	if (type)
		dev->command_counts[type - types]++;
	dev->counters.failed_commands += status != CX5_OK;
	log_at(status == CX5_OK ? LOG_DEBUG : LOG_INFO,
	       "connectx5: %s (%#x), modifier %#x, %u bytes: status %#x",
	       type ? type->name : "unknown", cmd->opcode, cmd->op_mod, cmd->in_len, status);
	return status;
}
