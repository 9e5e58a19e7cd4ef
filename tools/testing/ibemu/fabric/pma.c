// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The performance management agent (IBTA vol. 1, 16.1): ClassPortInfo, PortCounters,
 * PortCountersExtended.
 */
#include "fabric/model.h"

enum { PMA_PORT_COUNTERS = 0x12, PMA_PORT_COUNTERS_EXTENDED = 0x1d };
/* ClassPortInfo.CapabilityMask: 64-bit counters, of packets by kind as well. */
enum { PMA_CAP_EXTENDED_WIDTH = 0x0200 };
enum { CPI_RESP_TIME = 16 };
enum { PM_PORT_SELECT = 1, PM_COUNTER_SELECT = 2, PM_EXTENDED_COUNTERS = 8 };

struct field {
	uint16_t bit; /* in the attribute */
	uint8_t width;
};

/* PortCounters, in the order of the bits of CounterSelect: errors first, then four of traffic. */
static const struct field error_fields[PORT_ERRORS] = {
	[ERR_SYMBOL] = { 32, 16 },
	[ERR_LINK_RECOVERY] = { 48, 8 },
	[ERR_LINK_DOWNED] = { 56, 8 },
	[ERR_RCV] = { 64, 16 },
	[ERR_RCV_REMOTE_PHYSICAL] = { 80, 16 },
	[ERR_RCV_SWITCH_RELAY] = { 96, 16 },
	[ERR_XMIT_DISCARDS] = { 112, 16 },
	[ERR_XMIT_CONSTRAINT] = { 128, 8 },
	[ERR_RCV_CONSTRAINT] = { 136, 8 },
	[ERR_LOCAL_INTEGRITY] = { 152, 4 },
	[ERR_BUFFER_OVERRUN] = { 156, 4 },
	[ERR_VL15_DROPPED] = { 176, 16 },
};

static const struct field traffic_fields[] = {
	[TRAFFIC_XMIT_DATA] = { 192, 32 }, [TRAFFIC_RCV_DATA] = { 224, 32 },
	[TRAFFIC_XMIT_PKTS] = { 256, 32 }, [TRAFFIC_RCV_PKTS] = { 288, 32 },
};

enum { TRAFFIC_FIELDS = sizeof(traffic_fields) / sizeof(traffic_fields[0]) };

/* Short counters stop at their highest value. */
static void put_field(uint8_t *data, struct field field, uint64_t value)
{
	uint32_t max = ~0u >> (32 - field.width);

	put_bits(data, field.bit, field.width, value < max ? (uint32_t)value : max);
}

static void get_counters(const struct fabric_port *port, uint8_t *data)
{
	const struct port_counters *counters = &port->counters;

	for (int i = 0; i < PORT_ERRORS; i++)
		put_field(data, error_fields[i], counters->errors[i]);
	for (int i = 0; i < TRAFFIC_FIELDS; i++)
		put_field(data, traffic_fields[i], counters->traffic[i] - counters->base[i]);
}

static void set_counters(struct fabric_port *port, const uint8_t *data)
{
	struct port_counters *counters = &port->counters;
	uint16_t select = get_be16(data + PM_COUNTER_SELECT);

	for (int i = 0; i < PORT_ERRORS; i++) {
		if (select >> i & 1)
			counters->errors[i] =
				get_bits(data, error_fields[i].bit, error_fields[i].width);
	}
	for (int i = 0; i < TRAFFIC_FIELDS; i++) {
		if (select >> (PORT_ERRORS + i) & 1)
			counters->base[i] =
				counters->traffic[i] - get_bits(data, traffic_fields[i].bit, 32);
	}
}

static void get_extended(const struct fabric_port *port, uint8_t *data)
{
	for (int i = 0; i < PORT_TRAFFICS; i++)
		put_be64(data + PM_EXTENDED_COUNTERS + 8 * i,
			 port->counters.traffic[i] - port->counters.base_extended[i]);
}

static void set_extended(struct fabric_port *port, const uint8_t *data)
{
	uint16_t select = get_be16(data + PM_COUNTER_SELECT);

	for (int i = 0; i < PORT_TRAFFICS; i++) {
		if (select >> i & 1)
			port->counters.base_extended[i] =
				port->counters.traffic[i] -
				get_be64(data + PM_EXTENDED_COUNTERS + 8 * i);
	}
}

static void get_class_port_info(uint8_t *data)
{
	memset(data, 0, PMA_DATA_LEN);
	data[0] = 1; /* BaseVersion */
	data[1] = 1; /* ClassVersion */
	put_be16(data + 2, PMA_CAP_EXTENDED_WIDTH);
	data[7] = CPI_RESP_TIME;
}

/* Per-port attributes carry port and counter selection with them, and back in the answer. */
static uint16_t port_attribute(struct fabric_node *node, bool set, uint8_t *data,
			       void (*get)(const struct fabric_port *port, uint8_t *data),
			       void (*change)(struct fabric_port *port, const uint8_t *data))
{
	struct fabric_port *port = fabric_node_port(node, data[PM_PORT_SELECT]);

	if (!port)
		return STATUS_BAD_VALUE;
	if (set)
		change(port, data);
	memset(data + 4, 0, PMA_DATA_LEN - 4);
	get(port, data);
	return STATUS_OK;
}

static uint16_t execute(struct fabric_node *node, uint8_t *mad)
{
	bool set = mad[MAD_METHOD] == METHOD_SET;
	uint8_t *data = mad + MAD_DATA;

	if (mad[MAD_BASE_VERSION] != 1 || mad[MAD_CLASS_VERSION] != 1)
		return STATUS_BAD_VERSION;
	if (!set && mad[MAD_METHOD] != METHOD_GET)
		return STATUS_BAD_METHOD;
	switch (get_be16(mad + MAD_ATTR_ID)) {
	case ATTR_CLASS_PORT_INFO:
		if (set)
			return STATUS_BAD_ATTR;
		get_class_port_info(data);
		return STATUS_OK;
	case PMA_PORT_COUNTERS:
		return port_attribute(node, set, data, get_counters, set_counters);
	case PMA_PORT_COUNTERS_EXTENDED:
		return port_attribute(node, set, data, get_extended, set_extended);
	default:
		return STATUS_BAD_ATTR;
	}
}

bool pma_process(struct fabric_node *node, uint8_t mad[MAD_LEN])
{
	uint16_t status;

	if (mad[MAD_METHOD] & METHOD_RESPONSE)
		return false;
	status = execute(node, mad);
	mad[MAD_METHOD] = METHOD_GET_RESP;
	put_be16(mad + MAD_STATUS, status);
	return true;
}
