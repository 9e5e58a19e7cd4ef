// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Links: training, and carrying packets from port to port. Passing a link takes no time of the
 * clock, but always a turn of the scheduler.
 */
#include "base/log.h"
#include "fabric/model.h"

#define TRAINING_NS NSEC_PER_MSEC
#define BATCH 64
/* Longest directed route, there and LID-routed parts at both of its ends. */
#define HOPS_MAX 128
/* Multicast through a loop multiplies; what is in flight has an end. */
#define QUEUE_MAX 16384

void queue_init(struct packet_queue *queue)
{
	queue->head = NULL;
	queue->tail = &queue->head;
	queue->len = 0;
}

static void queue_push(struct packet_queue *queue, struct packet *packet)
{
	packet->next = NULL;
	*queue->tail = packet;
	queue->tail = &packet->next;
	queue->len++;
}

void queue_insert(struct packet_queue *queue, struct packet *packet)
{
	struct packet **at = &queue->head;

	while (*at && (*at)->due_ns <= packet->due_ns)
		at = &(*at)->next;
	packet->next = *at;
	*at = packet;
	if (!packet->next)
		queue->tail = &packet->next;
	queue->len++;
}

static struct packet *queue_pop(struct packet_queue *queue)
{
	struct packet *packet = queue->head;

	if (!packet)
		return NULL;
	queue->head = packet->next;
	if (!queue->head)
		queue->tail = &queue->head;
	queue->len--;
	packet->next = NULL;
	return packet;
}

void queue_clear(struct packet_queue *queue)
{
	struct packet *packet;

	while ((packet = queue_pop(queue)))
		packet_free(packet);
}

static bool rates_match(const struct fabric_port *port)
{
	return rate_negotiate(&port->enabled, &port->peer->enabled).width;
}

/* Sleeping ports wake up when the other end polls. */
static bool may_train(const struct fabric_port *port)
{
	const struct fabric_port *peer = port->peer;

	return peer && !port->cut && port->phys_wanted != PHYS_DISABLED &&
	       peer->phys_wanted != PHYS_DISABLED &&
	       (port->phys_wanted == PHYS_POLLING || peer->phys_wanted == PHYS_POLLING) &&
	       rates_match(port);
}

void port_set_state(struct fabric_port *port, enum port_state state)
{
	port->attr.state = state;
	if (state == PORT_DOWN)
		port_event(port, PORT_EV_DOWN);
	else if (state == PORT_INIT)
		port_event(port, PORT_EV_INIT);
	else if (state == PORT_ACTIVE)
		port_event(port, PORT_EV_ACTIVE);
}

static void end_up(struct fabric_port *port, const struct link_rate *rate)
{
	port->attr.phys_state = PHYS_LINK_UP;
	port->phys_wanted = PHYS_POLLING;
	port->attr.link_width = rate->width;
	port->attr.link_speed = rate->speed;
	port->attr.link_speed_ext = rate->speed_ext;
	port_set_state(port, PORT_INIT);
}

static void end_down(struct fabric_port *port)
{
	port_error(port, ERR_LINK_DOWNED);
	if (port->phys_wanted != PHYS_DISABLED)
		port->phys_wanted = port->link_down_default;
	port->attr.phys_state = port->phys_wanted;
	port_set_state(port, PORT_DOWN);
}

static void announce(struct fabric_port *port)
{
	if (port->node->type != NODE_SWITCH)
		return;
	port->node->tables->port_state_change = true;
	trap_link_state(port->node);
}

void link_power_on(struct fabric_port *port)
{
	struct link_rate rate;

	if (!may_train(port) || port->attr.phys_state == PHYS_LINK_UP)
		return;
	rate = rate_negotiate(&port->enabled, &port->peer->enabled);
	end_up(port, &rate);
	end_up(port->peer, &rate);
}

static void link_trained(void *ctx)
{
	struct fabric_port *port = ctx;

	if (!may_train(port))
		return;
	link_power_on(port);
	announce(port);
	announce(port->peer);
}

static void link_down(struct fabric_port *port)
{
	end_down(port);
	end_down(port->peer);
	announce(port);
	announce(port->peer);
}

static void link_train(struct fabric_port *port)
{
	if (!may_train(port) || timer_armed(&port->train) || timer_armed(&port->peer->train))
		return;
	timer_init(&port->train, link_trained, port);
	timer_arm(port_fabric(port)->sched, &port->train,
		  sched_now_ns(port_fabric(port)->sched) + TRAINING_NS);
}

void link_update(struct fabric_port *port)
{
	if (port->attr.phys_state == PHYS_LINK_UP) {
		if (port->cut)
			link_down(port);
		return;
	}
	port->attr.phys_state = port->phys_wanted;
	link_train(port);
}

void link_bounce(struct fabric_port *port, uint8_t phys_wanted)
{
	if (port->attr.phys_state == PHYS_LINK_UP)
		link_down(port);
	if (phys_wanted)
		port->phys_wanted = phys_wanted;
	link_update(port);
}

static void count_traffic(struct fabric_port *port, const struct packet *packet, bool xmit)
{
	uint64_t *traffic = port->counters.traffic;
	bool multicast = lid_is_multicast(lrh_dlid(packet));

	traffic[xmit ? TRAFFIC_XMIT_DATA : TRAFFIC_RCV_DATA] += (packet->len + ICRC_LEN) / 4;
	traffic[xmit ? TRAFFIC_XMIT_PKTS : TRAFFIC_RCV_PKTS]++;
	if (multicast)
		traffic[xmit ? TRAFFIC_MULTICAST_XMIT_PKTS : TRAFFIC_MULTICAST_RCV_PKTS]++;
	else
		traffic[xmit ? TRAFFIC_UNICAST_XMIT_PKTS : TRAFFIC_UNICAST_RCV_PKTS]++;
}

static unsigned int vl_count(uint8_t code)
{
	return code == 5 ? 15 : 1u << (code - 1);
}

/*
 * States (7.2.7), operational VLs, and the length that the neighbour takes (7.7.8: MTU and 124
 * bytes of headers). The answer to an SMP still leaves over the link that the SMP itself took down.
 */
static bool may_transmit(const struct fabric_port *port, const struct packet *packet)
{
	if (packet->vl == VL_SMP)
		return port->attr.state >= PORT_INIT || (packet->answer && packet->to == port);
	return port->attr.state == PORT_ACTIVE && packet->vl < vl_count(port->operational_vls) &&
	       packet->len <= (128u << port->attr.neighbor_mtu) + 124;
}

static void discard(struct fabric_port *port, struct packet *packet, enum fabric_stat why)
{
	port_error(port, ERR_XMIT_DISCARDS);
	fabric_drop(port_fabric(port), packet, why);
}

void link_transmit(struct fabric_port *port, struct packet *packet)
{
	struct fabric *fabric = port_fabric(port);

	if (!may_transmit(port, packet)) {
		discard(port, packet, STAT_NOT_ACTIVE);
		return;
	}
	if (packet->hops++ == HOPS_MAX) {
		fabric_drop(fabric, packet, STAT_LOOPED);
		return;
	}
	count_traffic(port, packet, true);
	if (fabric->capture)
		capture_on_link(port, packet);
	packet->to = port->peer;
	packet->answer = false;
	if (fabric->filters && !filter_apply(port, packet))
		return;
	link_deliver(fabric, packet);
}

void link_deliver(struct fabric *fabric, struct packet *packet)
{
	if (fabric->queue.len == QUEUE_MAX) {
		fabric_drop(fabric, packet, STAT_OVERFLOW);
		return;
	}
	queue_push(&fabric->queue, packet);
	task_post(fabric->sched, &fabric->deliver);
}

/*
 * By LID: data for a QP of an owner, or for the agent that stands in for the GSI of a node without
 * one.
 */
static void ca_receive(struct fabric_port *port, struct packet *packet)
{
	struct fabric *fabric = port_fabric(port);
	uint16_t dlid = lrh_dlid(packet);

	if (packet->vl == VL_SMP) {
		smi_receive(port, packet);
	} else if (!port_has_lid(port, dlid) && !lid_is_multicast(dlid)) {
		fabric_drop(fabric, packet, STAT_NO_ROUTE);
	} else if (port->ops) {
		fabric->stats[STAT_DELIVERED]++;
		port->ops->receive(port->owner, packet);
	} else if (port->node->model) {
		fabric_drop(fabric, packet, STAT_NO_OWNER);
	} else {
		gsi_receive(port, packet);
	}
}

static bool may_receive(struct fabric_port *port, const struct packet *packet)
{
	/* An SMP that left over a link arrives, even if it took that link down. */
	if (packet->vl == VL_SMP)
		return true;
	if (port->attr.state == PORT_ARMED) /* 7.2.7.4: data from an active neighbour activates */
		port_set_state(port, PORT_ACTIVE);
	return port->attr.state == PORT_ACTIVE;
}

static void port_receive(struct fabric_port *port, struct packet *packet)
{
	struct fabric *fabric = port_fabric(port);

	if (packet->corrupt) {
		port_error(port, ERR_RCV);
		fabric_drop(fabric, packet, STAT_CORRUPT);
		return;
	}
	if (!may_receive(port, packet)) {
		fabric_drop(fabric, packet, STAT_NOT_ACTIVE);
		return;
	}
	if (!packet->loopback)
		count_traffic(port, packet, false);
	packet->loopback = false;
	if (port->node->type == NODE_SWITCH)
		switch_receive(port, packet);
	else
		ca_receive(port, packet);
}

static void deliver(void *ctx)
{
	struct fabric *fabric = ctx;
	struct packet *packet;

	for (int i = 0; i < BATCH && (packet = queue_pop(&fabric->queue)); i++)
		port_receive(packet->to, packet);
	if (fabric->queue.head)
		task_post(fabric->sched, &fabric->deliver);
}

static void delay_over(void *ctx)
{
	struct fabric *fabric = ctx;
	uint64_t now = sched_now_ns(fabric->sched);

	while (fabric->delayed.head && fabric->delayed.head->due_ns <= now)
		link_deliver(fabric, queue_pop(&fabric->delayed));
	if (fabric->delayed.head)
		timer_arm(fabric->sched, &fabric->delay, fabric->delayed.head->due_ns);
}

void link_init(struct fabric *fabric)
{
	queue_init(&fabric->queue);
	queue_init(&fabric->delayed);
	task_init(&fabric->deliver, deliver, fabric);
	timer_init(&fabric->delay, delay_over, fabric);
}

static void loop_back(struct fabric_port *port, struct packet *packet)
{
	if (port->attr.state < (packet->vl == VL_SMP ? PORT_INIT : PORT_ACTIVE)) {
		discard(port, packet, STAT_NOT_ACTIVE);
		return;
	}
	packet->to = port;
	packet->loopback = true;
	link_deliver(port_fabric(port), packet);
}

/* VL15 in a SLtoVLMappingTable says that data of this SL has no lane (14.2.5.8). */
static bool pick_vl(const struct fabric_port *port, struct packet *packet)
{
	uint8_t vl = packet->vl;

	if (vl != VL_SMP && port->node->type != NODE_SWITCH) {
		vl = port->attr.sl2vl[lrh_sl(packet)];
		if (vl == VL_SMP)
			return false;
	}
	lrh_set_vl(packet, vl);
	return true;
}

void port_originate(struct fabric_port *port, struct packet *packet)
{
	struct fabric *fabric = port_fabric(port);

	if (!pick_vl(port, packet)) {
		discard(port, packet, STAT_NO_ROUTE);
		return;
	}
	if (fabric->capture)
		capture_originated(fabric, packet);
	if (port_has_lid(port, lrh_dlid(packet)))
		loop_back(port, packet);
	else if (port->node->type == NODE_SWITCH)
		switch_forward(port, packet);
	else
		link_transmit(port, packet);
}

void fabric_port_send(struct fabric_port *port, struct packet *packet)
{
	packet->hops = 0;
	packet->corrupt = packet->loopback = packet->answer = false;
	if (!packet_is_sane(packet)) {
		discard(port, packet, STAT_MALFORMED);
		return;
	}
	port_originate(port, packet);
}
