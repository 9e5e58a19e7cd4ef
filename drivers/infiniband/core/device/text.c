// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Numbers in words: for messages, and for sysfs, where programs read them. */

#include <linux/array_size.h>
#include <linux/export.h>
#include <linux/sysfs.h>

#include "device.h"

static const char *lookup(const char *const *texts, size_t count, size_t index, const char *other)
{
	return index < count && texts[index] ? texts[index] : other;
}

/**
 * ib_event_msg - an asynchronous event in words
 * @event: the event
 *
 * Context: Any.
 * Return: a constant string, also for an unknown event.
 */
const char *__attribute_const__ ib_event_msg(enum ib_event_type event)
{
	static const char *const texts[] = {
		/* queue pairs */
		[IB_EVENT_QP_FATAL] = "QP fatal error",
		[IB_EVENT_QP_REQ_ERR] = "QP request error",
		[IB_EVENT_QP_ACCESS_ERR] = "QP access error",
		[IB_EVENT_QP_LAST_WQE_REACHED] = "last WQE reached",
		[IB_EVENT_COMM_EST] = "communication established",
		[IB_EVENT_SQ_DRAINED] = "send queue drained",
		[IB_EVENT_PATH_MIG] = "path migration successful",
		[IB_EVENT_PATH_MIG_ERR] = "path migration error",
		/* other queues */
		[IB_EVENT_CQ_ERR] = "CQ error",
		[IB_EVENT_SRQ_ERR] = "SRQ error",
		[IB_EVENT_SRQ_LIMIT_REACHED] = "SRQ limit reached",
		/* ports */
		[IB_EVENT_PORT_ACTIVE] = "port active",
		[IB_EVENT_PORT_ERR] = "port error",
		[IB_EVENT_LID_CHANGE] = "LID change",
		[IB_EVENT_GID_CHANGE] = "GID changed",
		[IB_EVENT_PKEY_CHANGE] = "P_key change",
		[IB_EVENT_SM_CHANGE] = "SM change",
		[IB_EVENT_CLIENT_REREGISTER] = "client reregister",
		/* the device */
		[IB_EVENT_DEVICE_FATAL] = "device fatal error",
	};

	return lookup(texts, ARRAY_SIZE(texts), event, "unrecognized event");
}
EXPORT_SYMBOL(ib_event_msg);

/**
 * ib_wc_status_msg - the status of a work completion in words
 * @status: the status (IBTA 11.6.2)
 *
 * Context: Any.
 * Return: a constant string, also for an unknown status.
 */
const char *__attribute_const__ ib_wc_status_msg(enum ib_wc_status status)
{
	static const char *const texts[] = {
		[IB_WC_SUCCESS] = "success",
		[IB_WC_FATAL_ERR] = "fatal error",
		[IB_WC_GENERAL_ERR] = "general error",
		[IB_WC_BAD_RESP_ERR] = "bad response error",
		[IB_WC_MW_BIND_ERR] = "memory bind operation error",
		[IB_WC_WR_FLUSH_ERR] = "WR flushed",
		/* found out here */
		[IB_WC_LOC_LEN_ERR] = "local length error",
		[IB_WC_LOC_PROT_ERR] = "local protection error",
		[IB_WC_LOC_ACCESS_ERR] = "local access error",
		[IB_WC_LOC_QP_OP_ERR] = "local QP operation error",
		/* by the peer */
		[IB_WC_REM_INV_REQ_ERR] = "remote invalid request error",
		[IB_WC_REM_ACCESS_ERR] = "remote access error",
		[IB_WC_REM_OP_ERR] = "remote operation error",
		[IB_WC_REM_ABORT_ERR] = "operation aborted",
		/* by the clock */
		[IB_WC_RETRY_EXC_ERR] = "transport retry counter exceeded",
		[IB_WC_RNR_RETRY_EXC_ERR] = "RNR retry counter exceeded",
		[IB_WC_RESP_TIMEOUT_ERR] = "response timeout error",
		/* Reliable Datagram */
		[IB_WC_LOC_EEC_OP_ERR] = "local EE context operation error",
		[IB_WC_LOC_RDD_VIOL_ERR] = "local RDD violation error",
		[IB_WC_REM_INV_RD_REQ_ERR] = "remote invalid RD request",
		[IB_WC_INV_EECN_ERR] = "invalid EE context number",
		[IB_WC_INV_EEC_STATE_ERR] = "invalid EE context state",
	};

	return lookup(texts, ARRAY_SIZE(texts), status, "unrecognized status");
}
EXPORT_SYMBOL(ib_wc_status_msg);

/**
 * rdma_node_type_text - a kind of node, as in sysfs
 * @node_type: enum rdma_node_type
 *
 * Return: a constant string.
 */
const char *rdma_node_type_text(unsigned int node_type)
{
	static const char *const texts[] = {
		[RDMA_NODE_IB_CA] = "CA",
		[RDMA_NODE_IB_SWITCH] = "switch",
		[RDMA_NODE_IB_ROUTER] = "router",
		[RDMA_NODE_RNIC] = "RNIC",
		[RDMA_NODE_USNIC] = "usNIC",
		[RDMA_NODE_USNIC_UDP] = "usNIC UDP",
		[RDMA_NODE_UNSPECIFIED] = "unspecified",
	};

	return lookup(texts, ARRAY_SIZE(texts), node_type, "<unknown>");
}

/**
 * rdma_port_state_text - the logical state of a port, as in sysfs
 * @state: enum ib_port_state
 *
 * Return: a constant string.
 */
const char *rdma_port_state_text(unsigned int state)
{
	static const char *const texts[] = {
		[IB_PORT_NOP] = "NOP",
		[IB_PORT_DOWN] = "DOWN",
		[IB_PORT_INIT] = "INIT",
		[IB_PORT_ARMED] = "ARMED",
		[IB_PORT_ACTIVE] = "ACTIVE",
		[IB_PORT_ACTIVE_DEFER] = "ACTIVE_DEFER",
	};

	return lookup(texts, ARRAY_SIZE(texts), state, "UNKNOWN");
}

/**
 * rdma_port_phys_state_text - the physical state of a port, as in sysfs
 * @phys_state: enum ib_port_phys_state
 *
 * Return: a constant string.
 */
const char *rdma_port_phys_state_text(unsigned int phys_state)
{
	static const char *const texts[] = {
		[IB_PORT_PHYS_STATE_SLEEP] = "Sleep",
		[IB_PORT_PHYS_STATE_POLLING] = "Polling",
		[IB_PORT_PHYS_STATE_DISABLED] = "Disabled",
		[IB_PORT_PHYS_STATE_PORT_CONFIGURATION_TRAINING] = "PortConfigurationTraining",
		[IB_PORT_PHYS_STATE_LINK_UP] = "LinkUp",
		[IB_PORT_PHYS_STATE_LINK_ERROR_RECOVERY] = "LinkErrorRecovery",
		[IB_PORT_PHYS_STATE_PHY_TEST] = "Phy Test",
	};

	return lookup(texts, ARRAY_SIZE(texts), phys_state, "<unknown>");
}

struct speed {
	u16 code;
	u16 lane_rate;		/* units of 100 Mb/s, as one lane is called, not as it carries */
	const char *name;
};

static const struct speed *find_speed(u16 active_speed)
{
	static const struct speed speeds[] = {
		{ IB_SPEED_SDR, 25, "SDR" }, /* first: what an unknown one is taken for */
		{ IB_SPEED_DDR, 50, "DDR" },
		{ IB_SPEED_QDR, 100, "QDR" },
		{ IB_SPEED_FDR10, 100, "FDR10" },
		{ IB_SPEED_FDR, 140, "FDR" },
		{ IB_SPEED_EDR, 250, "EDR" },
		{ IB_SPEED_HDR, 500, "HDR" },
		{ IB_SPEED_NDR, 1000, "NDR" },
		{ IB_SPEED_XDR, 2000, "XDR" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(speeds); i++)
		if (speeds[i].code == active_speed)
			return &speeds[i];
	return &speeds[0];
}

/**
 * rdma_rate_text - the rate of a link, as in sysfs: "100 Gb/sec (4X EDR)"
 * @buf: a page of sysfs
 * @active_width: enum ib_port_width
 * @active_speed: enum ib_port_speed
 *
 * Return: the length, or -EINVAL for an unknown width.
 */
int rdma_rate_text(char *buf, u8 active_width, u16 active_speed)
{
	const struct speed *speed = find_speed(active_speed);
	int lanes = ib_width_enum_to_int(active_width);
	int rate = lanes * speed->lane_rate;

	if (lanes < 0)
		return -EINVAL;
	return sysfs_emit(buf, "%d%s Gb/sec (%dX %s)\n", rate / 10, rate % 10 ? ".5" : "", lanes,
			  speed->name);
}
