// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Registers that are read and written by a command.
 */
#include "base/log.h"
#include "connectx5/device.h"
#include "connectx5/field.h"

#define REGISTER_AT 10
#define DATA_AT 16

enum { WRITE = 0, READ = 1 };
enum { REG_PORT_CAPABILITIES = 0x5001, REG_HOST_ENDIANNESS = 0x7004 };

/* Port capabilities: the port's number, and the first of four words of its capability mask. */
#define PCAP_PORT_AT (DATA_AT + 1)
#define PCAP_MASK_AT (DATA_AT + 4)
#define PCAP_LEN (DATA_AT + 20)

/*
 * The bits of PortInfo.CapabilityMask that are the host's to set: IsSM and the agents that run on
 * it.
 */
#define HOST_CAPABILITIES (1u << 1 | 1u << 16 | 1u << 17 | 1u << 19)

static enum cx5_status write_port_capabilities(struct connectx5 *dev, const struct cx5_command *cmd)
{
	uint32_t mask;

	if (cmd->in_len < PCAP_LEN)
		return CX5_BAD_INPUT_LEN;
	if (cmd->in[PCAP_PORT_AT] != 1)
		return CX5_BAD_PARAM;
	mask = get_be32(cmd->in + PCAP_MASK_AT);
	fabric_port_change_capabilities(dev->port, mask & HOST_CAPABILITIES,
					~mask & HOST_CAPABILITIES);
	return CX5_OK;
}

/* A write answers with what was written. */
static void echo(struct cx5_command *cmd)
{
	uint32_t len = cmd->in_len < cmd->out_len ? cmd->in_len : cmd->out_len;

	if (len > DATA_AT)
		memcpy(cmd->out + DATA_AT, cmd->in + DATA_AT, len - DATA_AT);
}

enum cx5_status cx5_access_register(struct connectx5 *dev, struct cx5_command *cmd)
{
	uint16_t number = get_be16(cmd->in + REGISTER_AT);
	enum cx5_status status = CX5_BAD_PARAM;

	if (cmd->op_mod == WRITE && number == REG_HOST_ENDIANNESS)
		status = CX5_OK;
	else if (cmd->op_mod == WRITE && number == REG_PORT_CAPABILITIES)
		status = write_port_capabilities(dev, cmd);
	else
		log_warn("connectx5: %s of unknown register %#x: refused",
			 cmd->op_mod == READ ? "read" : "write", number);
	if (status == CX5_OK)
		echo(cmd);
	return status;
}
