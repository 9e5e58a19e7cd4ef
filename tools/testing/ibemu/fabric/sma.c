// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The subnet management agent: who may ask (M_Key, IBTA vol. 1, 14.2.4), and which attribute
 * answers.
 */
#include "fabric/sma.h"

struct attribute {
	uint16_t id;
	bool switch_only;
	uint16_t (*get)(const struct sma_request *request, uint8_t *data);
	/* NULL: read-only */
	uint16_t (*set)(const struct sma_request *request, const uint8_t *data);
};

static const struct attribute attributes[] = {
	{ ATTR_NOTICE, false, sma_get_notice, sma_set_notice },
	{ ATTR_NODE_DESCRIPTION, false, sma_get_node_description, NULL },
	{ ATTR_NODE_INFO, false, sma_get_node_info, NULL },
	{ ATTR_SWITCH_INFO, true, sma_get_switch_info, sma_set_switch_info },
	{ ATTR_GUID_INFO, false, sma_get_guid_info, sma_set_guid_info },
	{ ATTR_PORT_INFO, false, sma_get_port_info, sma_set_port_info },
	{ ATTR_PKEY_TABLE, false, sma_get_pkey_table, sma_set_pkey_table },
	{ ATTR_SL_TO_VL, false, sma_get_sl_to_vl, sma_set_sl_to_vl },
	{ ATTR_VL_ARBITRATION, false, sma_get_vl_arbitration, sma_set_vl_arbitration },
	{ ATTR_LINEAR_FDB, true, sma_get_linear_fdb, sma_set_linear_fdb },
	{ ATTR_MULTICAST_FDB, true, sma_get_multicast_fdb, sma_set_multicast_fdb },
	{ ATTR_EXTENDED_PORT_INFO, false, sma_get_extended_port_info, NULL },
};

static const struct attribute *find_attribute(const struct fabric_node *node, uint16_t id)
{
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		if (attributes[i].id == id &&
		    (!attributes[i].switch_only || node->type == NODE_SWITCH))
			return &attributes[i];
	}
	return NULL;
}

static void m_key_violation(const struct sma_request *request, const uint8_t *mad)
{
	struct fabric_port *managed = request->managed;
	struct sched *sched = port_fabric(managed)->sched;

	if (managed->m_key_violations != UINT16_MAX)
		managed->m_key_violations++;
	if (managed->m_key_lease_period && !timer_armed(&managed->m_key_lease))
		timer_arm(sched, &managed->m_key_lease,
			  sched_now_ns(sched) + managed->m_key_lease_period * NSEC_PER_SEC);
	trap_m_key(managed, request->slid, mad);
}

/*
 * Table "Protection levels" of 14.2.4.1: at levels 0 and 1 anybody may read, at level 0 even the
 * M_Key itself.
 */
static bool m_key_permits(struct sma_request *request, unsigned int flags, const uint8_t *mad)
{
	struct fabric_port *managed = request->managed;

	request->show_m_key = true;
	if ((flags & MAD_IGNORE_MKEY) || !managed->m_key)
		return true;
	if (get_be64(mad + SMP_M_KEY) == managed->m_key) {
		timer_cancel(port_fabric(managed)->sched, &managed->m_key_lease);
		return true;
	}
	request->show_m_key = managed->m_key_protect == 0;
	if (mad[MAD_METHOD] == METHOD_GET && managed->m_key_protect < 2)
		return true;
	m_key_violation(request, mad);
	return false;
}

static uint16_t execute(const struct sma_request *request, uint8_t *mad)
{
	const struct attribute *attr =
		find_attribute(request->port->node, get_be16(mad + MAD_ATTR_ID));
	uint8_t data[SMP_DATA_LEN] = { 0 };
	uint16_t status;

	if (mad[MAD_METHOD] != METHOD_GET && mad[MAD_METHOD] != METHOD_SET)
		return STATUS_BAD_METHOD;
	if (!attr || (mad[MAD_METHOD] == METHOD_SET && !attr->set))
		return STATUS_BAD_ATTR;
	if (mad[MAD_METHOD] == METHOD_SET) {
		status = attr->set(request, mad + MAD_DATA);
		if (status)
			return status;
	}
	status = attr->get(request, data);
	if (!status)
		memcpy(mad + MAD_DATA, data, SMP_DATA_LEN);
	return status;
}

enum sma_verdict sma_process(struct fabric_port *port, uint16_t slid, unsigned int flags,
			     uint8_t mad[MAD_LEN])
{
	struct sma_request request = {
		.port = port,
		.managed = port_managed(port),
		.slid = slid,
		.modifier = get_be32(mad + MAD_ATTR_MOD),
	};
	uint16_t status = STATUS_BAD_VERSION;

	if (mad[MAD_METHOD] & METHOD_RESPONSE)
		return SMA_SILENT;
	if (mad[MAD_BASE_VERSION] == 1 && mad[MAD_CLASS_VERSION] == 1) {
		if (!m_key_permits(&request, flags, mad))
			return SMA_SILENT;
		if (mad[MAD_METHOD] == METHOD_TRAP_REPRESS) {
			trap_repress(request.managed, mad);
			return SMA_SILENT;
		}
		status = execute(&request, mad);
	}
	mad[MAD_METHOD] = METHOD_GET_RESP;
	put_be16(mad + MAD_STATUS, status);
	return SMA_RESPOND;
}

bool fabric_port_mad(struct fabric_port *port, unsigned int flags, const uint8_t in[MAD_LEN],
		     uint8_t out[MAD_LEN])
{
	uint8_t mad[MAD_LEN];
	bool respond = false;

	memcpy(mad, in, MAD_LEN);
	if (mad[MAD_MGMT_CLASS] == CLASS_SUBN_LID_ROUTED ||
	    mad[MAD_MGMT_CLASS] == CLASS_SUBN_DIRECTED)
		respond = sma_process(port, port->attr.lid, flags, mad) == SMA_RESPOND;
	else if (mad[MAD_MGMT_CLASS] == CLASS_PERF)
		respond = pma_process(port->node, mad);
	if (respond)
		memcpy(out, mad, MAD_LEN);
	return respond;
}
