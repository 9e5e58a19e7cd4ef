// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What the port's own management agents say, to the host itself: MADs without a wire, and the
 * port's state as a virtual port context.
 */
#include "connectx5/device.h"
#include "connectx5/field.h"

#define PORT_AT 11
#define MAD_AT 16
#define CONTEXT_AT 16

#define OP_IGNORE_MKEY 1
#define OP_IGNORE_BKEY 2

#define MAD_CLASS 1
#define MAD_METHOD 3
#define MAD_STATUS 4

enum { METHOD_GET = 0x01, METHOD_SET = 0x02, METHOD_TRAP_REPRESS = 0x07, METHOD_GET_RESP = 0x81 };
enum { CLASS_LID_ROUTED = 0x01, CLASS_PERFORMANCE = 0x04, CLASS_DIRECTED_ROUTE = 0x81 };

#define MAD_STATUS_BAD_CLASS 0x0004 /* IBTA vol. 1, 13.4.7 */

static bool has_agent(uint8_t class)
{
	return class == CLASS_LID_ROUTED || class == CLASS_DIRECTED_ROUTE ||
	       class == CLASS_PERFORMANCE;
}

/* The device has no agent for this class, and says so. */
static enum cx5_status refuse_class(const uint8_t *in, uint8_t *out)
{
	if (in[MAD_METHOD] != METHOD_GET && in[MAD_METHOD] != METHOD_SET)
		return CX5_BAD_PKT;
	memcpy(out, in, MAD_LEN);
	out[MAD_METHOD] = METHOD_GET_RESP;
	put_be16(out + MAD_STATUS, MAD_STATUS_BAD_CLASS);
	return CX5_OK;
}

enum cx5_status cx5_mad_ifc(struct connectx5 *dev, struct cx5_command *cmd)
{
	const uint8_t *in = cmd->in + MAD_AT;
	uint8_t *out = cmd->out + MAD_AT;
	unsigned int flags = (cmd->op_mod & OP_IGNORE_MKEY ? MAD_IGNORE_MKEY : 0) |
			     (cmd->op_mod & OP_IGNORE_BKEY ? MAD_IGNORE_BKEY : 0);

	if (cmd->in[PORT_AT] > 1)
		return CX5_BAD_PARAM;
	if (!has_agent(in[MAD_CLASS]))
		return refuse_class(in, out);
	if (fabric_port_mad(dev->port, flags, in, out))
		return CX5_OK;
	return in[MAD_METHOD] == METHOD_TRAP_REPRESS ? CX5_OK : CX5_BAD_PKT;
}

enum cx5_status cx5_query_vport_context(struct connectx5 *dev, struct cx5_command *cmd)
{
	const struct port_attr *attr = fabric_port_attr(dev->port);
	uint8_t *context = cmd->out + CONTEXT_AT;

	PUT(vport_context, has_smi, context, 1);
	PUT(vport_context, port_state, context, attr->state);
	PUT(vport_context, vport_state, context, attr->state);
	PUT64(vport_context, port_guid, context, attr->guids[0]);
	PUT64(vport_context, node_guid, context, fabric_node_guid(dev->node));
	PUT(vport_context, lid, context, attr->lid);
	PUT(vport_context, lmc, context, attr->lmc);
	PUT(vport_context, sm_lid, context, attr->sm_lid);
	PUT(vport_context, sm_sl, context, attr->sm_sl);
	return CX5_OK;
}
