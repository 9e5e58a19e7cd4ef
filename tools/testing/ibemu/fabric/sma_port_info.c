// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * PortInfo (IBTA vol. 1, 14.2.5.6): what it shows, what a Set may ask for, and what that sets off.
 */
#include "fabric/sma.h"

/* Offsets of its bytes; two fields of four bits where a name has two parts. */
enum {
	PI_M_KEY = 0,
	PI_GID_PREFIX = 8,
	PI_LID = 16,
	PI_SM_LID = 18,
	PI_CAPABILITY_MASK = 20,
	PI_LEASE_PERIOD = 26,
	PI_LOCAL_PORT = 28,
	PI_WIDTH_ENABLED = 29,
	PI_WIDTH_SUPPORTED = 30,
	PI_WIDTH_ACTIVE = 31,
	PI_SPEED_STATE = 32,
	PI_PHYS_DEFAULT = 33,
	PI_PROTECT_LMC = 34,
	PI_SPEED_ACTIVE_ENABLED = 35,
	PI_MTU_SM_SL = 36,
	PI_VL_CAP = 37,
	PI_VL_HIGH_LIMIT = 38,
	PI_ARB_HIGH_CAP = 39,
	PI_ARB_LOW_CAP = 40,
	PI_MTU_CAP = 41,
	PI_STALL_HOQ = 42,
	PI_VLS_ENFORCE = 43,
	PI_M_KEY_VIOLATIONS = 44,
	PI_P_KEY_VIOLATIONS = 46,
	PI_Q_KEY_VIOLATIONS = 48,
	PI_GUID_CAP = 50,
	PI_REREGISTER_TIMEOUT = 51,
	PI_RESP_TIME = 52,
	PI_PHY_OVERRUN_ERRORS = 53,
	PI_EXT_ACTIVE_SUPPORTED = 62,
	PI_EXT_ENABLED = 63,
};

/* Enabled widths and speeds: "all that is supported", and for the extended speeds "none". */
enum { WIDTH_ALL = 0xff, SPEED_ALL = 0xf, EXT_NONE = 30, EXT_ALL = 31 };

enum { ENFORCE_INBOUND = 0x08, ENFORCE_OUTBOUND = 0x04, CLIENT_REREGISTER = 0x80 };

/*
 * Modifier: port number; the top bit says that the SM knows extended speeds, which changes nothing
 * here.
 */
static struct fabric_port *info_port(const struct sma_request *request)
{
	unsigned int num = request->modifier & 0x7fffffff;

	if (request->port->node->type != NODE_SWITCH && !num)
		return request->port;
	return fabric_node_port(request->port->node, num);
}

/*
 * CA ports and a switch's port 0 have LID, M_Key and SM; the other ports of a switch show zeros
 * there.
 */
static bool is_end_port(const struct fabric_port *port)
{
	return port->node->type != NODE_SWITCH || !port->num;
}

static void get_end_port(const struct fabric_port *port, bool show_m_key, uint8_t *data)
{
	put_be64(data + PI_M_KEY, show_m_key ? port->m_key : 0);
	put_be64(data + PI_GID_PREFIX, port->attr.gid_prefix);
	put_be16(data + PI_LID, port->attr.lid);
	put_be16(data + PI_SM_LID, port->attr.sm_lid);
	put_be32(data + PI_CAPABILITY_MASK, port->attr.capability_mask);
	put_be16(data + PI_LEASE_PERIOD, port->m_key_lease_period);
	data[PI_PROTECT_LMC] = (uint8_t)(port->m_key_protect << 6 | port->attr.lmc);
	data[PI_MTU_SM_SL] |= port->attr.sm_sl;
	put_be16(data + PI_M_KEY_VIOLATIONS, port->m_key_violations);
	put_be16(data + PI_P_KEY_VIOLATIONS, port->attr.pkey_violations);
	put_be16(data + PI_Q_KEY_VIOLATIONS, port->attr.qkey_violations);
	data[PI_GUID_CAP] = port->node->type == NODE_SWITCH ? 1 : FABRIC_GUIDS;
	data[PI_REREGISTER_TIMEOUT] = port->attr.subnet_timeout;
}

static void get_rates(const struct fabric_port *port, uint8_t *data)
{
	struct link_rate supported = rate_supported(&port->rated);

	data[PI_WIDTH_ENABLED] = port->enabled.width;
	data[PI_WIDTH_SUPPORTED] = supported.width;
	data[PI_WIDTH_ACTIVE] = port->attr.link_width;
	data[PI_SPEED_STATE] = (uint8_t)(supported.speed << 4 | port->attr.state);
	data[PI_SPEED_ACTIVE_ENABLED] = (uint8_t)(port->attr.link_speed << 4 | port->enabled.speed);
	data[PI_EXT_ACTIVE_SUPPORTED] =
		(uint8_t)(port->attr.link_speed_ext << 4 | supported.speed_ext);
	data[PI_EXT_ENABLED] = supported.speed_ext && !port->enabled.speed_ext
				       ? EXT_NONE
				       : port->enabled.speed_ext;
}

uint16_t sma_get_port_info(const struct sma_request *request, uint8_t *data)
{
	const struct fabric_port *port = info_port(request);

	if (!port)
		return STATUS_BAD_VALUE;
	get_rates(port, data);
	data[PI_LOCAL_PORT] = request->port->num;
	data[PI_PHYS_DEFAULT] = (uint8_t)(port->attr.phys_state << 4 | port->link_down_default);
	data[PI_MTU_SM_SL] = (uint8_t)(port->attr.neighbor_mtu << 4);
	data[PI_VL_CAP] = (uint8_t)(port->vl_cap << 4);
	data[PI_VL_HIGH_LIMIT] = port->vl_high_limit;
	data[PI_ARB_HIGH_CAP] = VL_ARB_ENTRIES;
	data[PI_ARB_LOW_CAP] = VL_ARB_ENTRIES;
	data[PI_MTU_CAP] = port->attr.mtu_cap;
	data[PI_STALL_HOQ] = (uint8_t)(port->vl_stall_count << 5 | port->hoq_life);
	data[PI_VLS_ENFORCE] = (uint8_t)(port->operational_vls << 4 |
					 (port->enforce_inbound ? ENFORCE_INBOUND : 0) |
					 (port->enforce_outbound ? ENFORCE_OUTBOUND : 0));
	data[PI_RESP_TIME] = port->resp_time;
	data[PI_PHY_OVERRUN_ERRORS] = (uint8_t)(port->local_phy_errors << 4 | port->overrun_errors);
	if (is_end_port(port))
		get_end_port(port, request->show_m_key && port == request->managed, data);
	return STATUS_OK;
}

/* Zero asks for no change, here and in most fields below. */
static bool subset_or_all(uint8_t value, uint8_t supported, uint8_t all)
{
	return value == all || !(value & ~supported);
}

static bool rates_valid(const struct fabric_port *port, const uint8_t *data)
{
	struct link_rate supported = rate_supported(&port->rated);
	uint8_t ext = data[PI_EXT_ENABLED] & 0x1f;

	return subset_or_all(data[PI_WIDTH_ENABLED], supported.width, WIDTH_ALL) &&
	       subset_or_all(data[PI_SPEED_ACTIVE_ENABLED] & 0xf, supported.speed, SPEED_ALL) &&
	       (ext == EXT_NONE || subset_or_all(ext, supported.speed_ext, EXT_ALL));
}

/*
 * Down is always accepted, Armed follows Init, Active follows Armed (7.2.7); asking for the state
 * that the port is in changes nothing. The physical state may only be changed with a port that is,
 * or goes, down.
 */
static bool states_valid(const struct fabric_port *port, const uint8_t *data)
{
	uint8_t state = data[PI_SPEED_STATE] & 0xf, now = port->attr.state;
	uint8_t phys = data[PI_PHYS_DEFAULT] >> 4, down_default = data[PI_PHYS_DEFAULT] & 0xf;

	if (down_default > PHYS_POLLING || phys > PHYS_DISABLED || (phys && state > PORT_DOWN))
		return false;
	if (state == PORT_ARMED)
		return now == PORT_INIT || now == PORT_ARMED;
	if (state == PORT_ACTIVE)
		return now == PORT_ARMED || now == PORT_ACTIVE;
	return state <= PORT_DOWN;
}

/*
 * All LIDs of the port are unicast, and the first is aligned. What stays as it is, is fine: LID 0
 * at the start.
 */
static bool lids_valid(const struct fabric_port *port, const uint8_t *data)
{
	uint16_t lid = get_be16(data + PI_LID), sm_lid = get_be16(data + PI_SM_LID);
	uint8_t lmc = data[PI_PROTECT_LMC] & 7;
	unsigned int last = lid | ((1u << lmc) - 1);

	if (port->node->type == NODE_SWITCH && lmc)
		return false;
	if (sm_lid != port->attr.sm_lid && !lid_is_unicast(sm_lid))
		return false;
	if (lid == port->attr.lid && lmc == port->attr.lmc)
		return true;
	return lid_is_unicast(lid) && last < LID_MULTICAST && !(lid & ((1u << lmc) - 1));
}

static bool set_is_valid(const struct fabric_port *port, const uint8_t *data)
{
	uint8_t mtu = data[PI_MTU_SM_SL] >> 4, vls = data[PI_VLS_ENFORCE] >> 4;
	bool has_cable = port->num;

	if (is_end_port(port) && !lids_valid(port, data))
		return false;
	if (!has_cable) /* the rest says nothing to a switch's port 0 */
		return true;
	return mtu && mtu <= port->attr.mtu_cap && vls <= port->vl_cap && rates_valid(port, data) &&
	       states_valid(port, data);
}

static void set_lids(struct fabric_port *port, const uint8_t *data)
{
	struct port_attr *attr = &port->attr, old = *attr;

	attr->lid = get_be16(data + PI_LID);
	attr->lmc = data[PI_PROTECT_LMC] & 7;
	attr->sm_lid = get_be16(data + PI_SM_LID);
	attr->sm_sl = data[PI_MTU_SM_SL] & 0xf;
	attr->gid_prefix = get_be64(data + PI_GID_PREFIX);
	if (attr->lid != old.lid || attr->lmc != old.lmc)
		port_event(port, PORT_EV_LID_CHANGE);
	if (attr->sm_lid != old.sm_lid || attr->sm_sl != old.sm_sl)
		port_event(port, PORT_EV_SM_CHANGE);
	if (attr->gid_prefix != old.gid_prefix)
		port_event(port, PORT_EV_GUID_CHANGE);
}

static void set_m_key(struct fabric_port *port, const uint8_t *data)
{
	port->m_key = get_be64(data + PI_M_KEY);
	port->m_key_protect = data[PI_PROTECT_LMC] >> 6;
	port->m_key_lease_period = get_be16(data + PI_LEASE_PERIOD);
	timer_cancel(port_fabric(port)->sched, &port->m_key_lease);
}

/*
 * The violation counters are cleared by writing zero; what else is written is what the SM has read
 * before.
 */
static void clear_violations(struct fabric_port *port, const uint8_t *data)
{
	if (!get_be16(data + PI_M_KEY_VIOLATIONS))
		port->m_key_violations = 0;
	if (!get_be16(data + PI_P_KEY_VIOLATIONS))
		port->attr.pkey_violations = 0;
	if (!get_be16(data + PI_Q_KEY_VIOLATIONS))
		port->attr.qkey_violations = 0;
}

static void set_end_port(struct fabric_port *port, const uint8_t *data)
{
	set_m_key(port, data);
	set_lids(port, data);
	clear_violations(port, data);
	port->attr.subnet_timeout = data[PI_REREGISTER_TIMEOUT] & 0x1f;
	if (data[PI_REREGISTER_TIMEOUT] & CLIENT_REREGISTER)
		port_event(port, PORT_EV_CLIENT_REREGISTER);
}

/* They count from the next training on. */
static void set_rates(struct fabric_port *port, const uint8_t *data)
{
	struct link_rate supported = rate_supported(&port->rated);
	uint8_t width = data[PI_WIDTH_ENABLED], speed = data[PI_SPEED_ACTIVE_ENABLED] & 0xf,
		ext = data[PI_EXT_ENABLED] & 0x1f;

	if (width)
		port->enabled.width = width & supported.width;
	if (speed)
		port->enabled.speed = speed & supported.speed;
	if (ext)
		port->enabled.speed_ext = ext == EXT_NONE ? 0 : ext & supported.speed_ext;
}

static void set_link(struct fabric_port *port, const uint8_t *data)
{
	port->attr.neighbor_mtu = data[PI_MTU_SM_SL] >> 4;
	port->vl_high_limit = data[PI_VL_HIGH_LIMIT];
	port->vl_stall_count = data[PI_STALL_HOQ] >> 5;
	port->hoq_life = data[PI_STALL_HOQ] & 0x1f;
	if (data[PI_VLS_ENFORCE] >> 4)
		port->operational_vls = data[PI_VLS_ENFORCE] >> 4;
	if (port->node->type == NODE_SWITCH) {
		port->enforce_inbound = data[PI_VLS_ENFORCE] & ENFORCE_INBOUND;
		port->enforce_outbound = data[PI_VLS_ENFORCE] & ENFORCE_OUTBOUND;
	}
	port->local_phy_errors = data[PI_PHY_OVERRUN_ERRORS] >> 4;
	port->overrun_errors = data[PI_PHY_OVERRUN_ERRORS] & 0xf;
	if (data[PI_PHYS_DEFAULT] & 0xf)
		port->link_down_default = data[PI_PHYS_DEFAULT] & 0xf;
}

static void set_states(struct fabric_port *port, const uint8_t *data)
{
	uint8_t state = data[PI_SPEED_STATE] & 0xf, phys = data[PI_PHYS_DEFAULT] >> 4;

	if (phys || state == PORT_DOWN)
		link_bounce(port, phys);
	else if (state && state != port->attr.state)
		port_set_state(port, (enum port_state)state);
}

/* 14.2.5.6: a CA is set up port by port, each through itself. */
uint16_t sma_set_port_info(const struct sma_request *request, const uint8_t *data)
{
	struct fabric_port *port = info_port(request);

	if (!port || (port->node->type != NODE_SWITCH && port != request->port) ||
	    !set_is_valid(port, data))
		return STATUS_BAD_VALUE;
	if (is_end_port(port))
		set_end_port(port, data);
	if (port->num) {
		set_rates(port, data);
		set_link(port, data);
		set_states(port, data);
	}
	return STATUS_OK;
}

/* Mellanox' MLNX_EXT_PORT_INFO: its one use is FDR10, which no port here has: all zeros. */
uint16_t sma_get_extended_port_info(const struct sma_request *request, uint8_t *data)
{
	(void)data;
	return info_port(request) ? STATUS_OK : STATUS_BAD_VALUE;
}
