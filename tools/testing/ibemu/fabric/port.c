// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A port: power-on values, its owner and the events for it, its error counters. */
#include "fabric/model.h"

#define GID_PREFIX_DEFAULT 0xfe80000000000000ull
#define MTU_4096 5
#define VLS_8 4

#define CA_CAPABILITIES                                                                            \
	(CAP_NOTICE | CAP_TRAP | CAP_AUTO_MIGRATION | CAP_SL_MAPPING | CAP_SYSTEM_IMAGE_GUID |     \
	 CAP_COMMUNICATION_MANAGEMENT | CAP_MASK_NOTICE | CAP_CLIENT_REREGISTRATION |              \
	 CAP_OTHER_LOCAL_CHANGES_NOTICE)
#define SWITCH_CAPABILITIES                                                                        \
	(CAP_NOTICE | CAP_TRAP | CAP_SL_MAPPING | CAP_SYSTEM_IMAGE_GUID | CAP_PKEY_SWITCH_TRAP |   \
	 CAP_MASK_NOTICE | CAP_OTHER_LOCAL_CHANGES_NOTICE)

/*
 * From now on the M_Key protects nothing from being read, so that a new SM can take over
 * (14.2.4.2).
 */
static void m_key_lease_over(void *ctx)
{
	struct fabric_port *port = ctx;

	port->m_key_protect = 0;
}

static void port_init_vls(struct fabric_port *port)
{
	port->vl_cap = VLS_8;
	port->operational_vls = VLS_8;
	for (uint8_t sl = 0; sl < 16; sl++)
		port->attr.sl2vl[sl] = sl % 8;
	for (uint8_t i = 0; i < 8; i++) {
		port->vl_arb_low[2 * i] = i;
		port->vl_arb_low[2 * i + 1] = 1;
	}
}

void port_init(struct fabric_port *port, struct fabric_node *node, unsigned int num)
{
	struct port_attr *attr = &port->attr;
	bool port0 = node->type == NODE_SWITCH && num == 0;

	port->node = node;
	port->num = (uint8_t)num;
	timer_init(&port->m_key_lease, m_key_lease_over, port);
	port->rated = (struct link_rate){ .width = 2, .speed = 4 };
	port->enabled = rate_supported(&port->rated);
	port->phys_wanted = PHYS_POLLING;
	port->link_down_default = PHYS_POLLING;
	port->resp_time = 16;
	port->local_phy_errors = 8;
	port->overrun_errors = 8;
	port->hoq_life = 18;
	port_init_vls(port);

	/* A switch's port 0 has no cable: it is always up. */
	attr->state = port0 ? PORT_ACTIVE : PORT_DOWN;
	attr->phys_state = port0 ? PHYS_LINK_UP : PHYS_POLLING;
	attr->link_width = port->rated.width;
	attr->link_speed = port->rated.speed;
	attr->mtu_cap = MTU_4096;
	attr->neighbor_mtu = MTU_4096;
	attr->subnet_timeout = 18;
	attr->pkeys[0] = PKEY_DEFAULT;
	if (node->type != NODE_SWITCH || port0) {
		attr->gid_prefix = GID_PREFIX_DEFAULT;
		attr->capability_mask = port0 ? SWITCH_CAPABILITIES : CA_CAPABILITIES;
	}
}

struct fabric_port *port_managed(struct fabric_port *port)
{
	return port->node->type == NODE_SWITCH ? &port->node->ports[0] : port;
}

bool port_has_lid(const struct fabric_port *port, uint16_t lid)
{
	return port->attr.lid && (lid & ~((1u << port->attr.lmc) - 1)) == port->attr.lid;
}

/* 10.9.3: equal but for the membership bit, and not both of them limited members. */
bool port_has_pkey(const struct fabric_port *port, uint16_t pkey)
{
	if (!(pkey & ~PKEY_FULL_MEMBER))
		return false;
	for (unsigned int i = 0; i < FABRIC_PKEYS; i++) {
		uint16_t entry = port->attr.pkeys[i];

		if (!((entry ^ pkey) & ~PKEY_FULL_MEMBER) && ((entry | pkey) & PKEY_FULL_MEMBER))
			return true;
	}
	return false;
}

void fabric_port_attach(struct fabric_port *port, const struct port_ops *ops, void *owner)
{
	port->ops = ops;
	port->owner = owner;
}

void fabric_port_detach(struct fabric_port *port)
{
	port->ops = NULL;
	port->owner = NULL;
	port->events = 0;
}

const struct port_attr *fabric_port_attr(const struct fabric_port *port)
{
	return &port->attr;
}

static bool event_listed(const struct fabric *fabric, const struct fabric_port *port)
{
	const struct fabric_port *p = fabric->events;

	while (p && p != port)
		p = p->next_event;
	return p;
}

void port_event(struct fabric_port *port, enum port_event event)
{
	struct fabric *fabric = port_fabric(port);

	if (!port->ops)
		return;
	if (event == PORT_EV_DOWN) /* overtakes what the link was before */
		port->events &= ~(1u << PORT_EV_INIT | 1u << PORT_EV_ACTIVE);
	port->events |= 1u << event;
	if (!event_listed(fabric, port)) {
		port->next_event = fabric->events;
		fabric->events = port;
	}
	task_post(fabric->sched, &fabric->deliver_events);
}

/* The owner may detach, or cause new events, from inside its callback. */
void fabric_deliver_events(void *ctx)
{
	struct fabric *fabric = ctx;

	while (fabric->events) {
		struct fabric_port *port = fabric->events;

		fabric->events = port->next_event;
		port->next_event = NULL;
		while (port->events) {
			unsigned int event = (unsigned int)__builtin_ctz(port->events);

			port->events &= ~(1u << event);
			port->ops->event(port->owner, (enum port_event)event);
		}
	}
}

static void saturating_inc(uint16_t *counter)
{
	if (*counter != UINT16_MAX)
		(*counter)++;
}

void port_error(struct fabric_port *port, enum port_error error)
{
	if (port->counters.errors[error] != UINT32_MAX)
		port->counters.errors[error]++;
}

void fabric_port_count(struct fabric_port *port, enum port_counter counter)
{
	switch (counter) {
	case PORT_RCV_ERRORS:
		port_error(port, ERR_RCV);
		break;
	case PORT_RCV_CONSTRAINT_ERRORS:
		port_error(port, ERR_RCV_CONSTRAINT);
		break;
	case PORT_XMIT_DISCARDS:
		port_error(port, ERR_XMIT_DISCARDS);
		break;
	case PORT_QKEY_VIOLATIONS:
		saturating_inc(&port->attr.qkey_violations);
		break;
	case PORT_PKEY_VIOLATIONS:
		saturating_inc(&port->attr.pkey_violations);
		break;
	}
}

void fabric_port_change_capabilities(struct fabric_port *port, uint32_t set, uint32_t clear)
{
	uint32_t mask = (port->attr.capability_mask | set) & ~clear;

	if (mask == port->attr.capability_mask)
		return;
	port->attr.capability_mask = mask;
	trap_local_changes(port, 0);
}
