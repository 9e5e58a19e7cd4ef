// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Targets of dynamic connections. A connect makes a connection: a responder of its own for one
 * session of one initiator, hidden behind the number of its target, found by a hash. What breaches
 * the rules ends that connection, and the target lives on.
 *
 * A connection that has ended stays known for a while, so that late packets of its session meet
 * what they belong to: after a disconnect they are dropped, after an error they get the same NAK
 * again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "hca/connected.h"

#define BUCKETS 1024
#define PACKETS_A_TURN 16
#define LINGER_NS NSEC_PER_SEC      /* after the end */
#define IDLE_NS (60 * NSEC_PER_SEC) /* the initiator would have ended it long before */
#define GRACE_NS (100 * NSEC_PER_MSEC) /* for what is under way while a target drains */

enum connection_state { LIVE, ENDED, FAILED };

struct connection {
	struct hca_qp qp; /* the responder */
	enum connection_state state;
	uint16_t slid;
	struct dceth name;
	uint64_t used_ns;
	struct connection *same_bucket;
	struct connection *previous, *next;         /* by age */
	struct connection *of_target, **of_target_link; /* all of a target */
};

/* In the order of their last use, oldest first. */
struct connection_list {
	struct connection *first, *last;
};

struct hca_dc_table {
	struct hca *hca;
	uint32_t count, limit;
	struct connection_list live, ended;
	struct timer timer; /* for the oldest ones */
	struct connection *buckets[BUCKETS];
};

struct hca_dct {
	struct connection *connections;
	uint32_t live;
	bool draining, drained;
	uint32_t key_violations;
	struct timer grace;
};

static struct connection *connection_of(struct hca_qp *qp)
{
	return (struct connection *)((char *)qp - offsetof(struct connection, qp));
}

/* The table */

static struct connection **bucket_of(struct hca_dc_table *table, uint32_t dctn, uint16_t slid,
				     const struct dceth *name)
{
	uint32_t hash = dctn * 0x9e3779b1u ^ name->initiator * 0x85ebca6bu ^
			name->session * 0xc2b2ae35u ^ slid * 0x27d4eb2fu;

	return &table->buckets[(hash ^ hash >> 16) % BUCKETS];
}

static struct connection *find(struct hca_qp *dct, uint16_t slid, const struct dceth *name)
{
	struct connection *c = *bucket_of(dct->hca->dc, dct->num, slid, name);

	while (c && (c->qp.dct != dct || c->slid != slid || c->name.session != name->session ||
		     c->name.initiator != name->initiator))
		c = c->same_bucket;
	return c;
}

static struct connection_list *list_of(const struct connection *c)
{
	struct hca_dc_table *table = c->qp.hca->dc;

	return c->state == LIVE ? &table->live : &table->ended;
}

static void unlist(struct connection *c)
{
	struct connection_list *list = list_of(c);

	*(c->previous ? &c->previous->next : &list->first) = c->next;
	*(c->next ? &c->next->previous : &list->last) = c->previous;
}

static void enlist(struct connection *c)
{
	struct connection_list *list = list_of(c);

	c->used_ns = sched_now_ns(c->qp.hca->sched);
	c->previous = list->last;
	c->next = NULL;
	*(list->last ? &list->last->next : &list->first) = c;
	list->last = c;
}

static void unhash(struct connection *c)
{
	struct connection **link = bucket_of(c->qp.hca->dc, c->qp.num, c->slid, &c->name);

	while (*link != c)
		link = &(*link)->same_bucket;
	*link = c->same_bucket;
}

static void forget(struct connection *c)
{
	c->qp.dct->target->live -= c->state == LIVE;
	hca_send_forget(&c->qp);
	unlist(c);
	unhash(c);
	*c->of_target_link = c->of_target;
	if (c->of_target)
		c->of_target->of_target_link = c->of_target_link;
	c->qp.hca->dc->count--;
	free(c->qp.connected);
	free(c);
}

/* The end of a connection */

static void check_drained(struct hca_qp *dct)
{
	struct hca_dct *target = dct->target;

	if (!target->draining || target->drained || target->live)
		return;
	target->drained = true;
	timer_cancel(dct->hca->sched, &target->grace);
	dct->hca->ops->event(dct->hca, HCA_EVENT_DCT_DRAINED, dct->num);
}

static void arm_timer(struct hca_dc_table *table)
{
	uint64_t until_ns = UINT64_MAX;

	if (table->live.first)
		until_ns = table->live.first->used_ns + IDLE_NS;
	if (table->ended.first && table->ended.first->used_ns + LINGER_NS < until_ns)
		until_ns = table->ended.first->used_ns + LINGER_NS;
	if (until_ns == UINT64_MAX)
		timer_cancel(table->hca->sched, &table->timer);
	else
		timer_arm(table->hca->sched, &table->timer, until_ns);
}

static void leave(struct connection *c, enum connection_state state)
{
	struct hca_qp *dct = c->qp.dct;

	unlist(c);
	c->state = state;
	enlist(c);
	c->qp.state = HCA_QP_ERR;
	hca_send_forget(&c->qp);
	dct->target->live--;
	arm_timer(dct->hca->dc);
	check_drained(dct);
}

/* A message that is cut off gives its receive work request back. */
static void end(struct connection *c)
{
	if (c->state != LIVE)
		return;
	hca_inbound_fail(&c->qp, HCA_FLUSHED);
	if (c->state == LIVE)
		leave(c, ENDED);
}

/* If it wasn't the initiator who was in the wrong, it doesn't know yet. */
void hca_dct_fail(struct hca_qp *qp)
{
	struct responder *r = &qp->connected->responder;

	leave(connection_of(qp), FAILED);
	if (r->closing)
		return;
	r->ack = (struct acknowledge){
		.syndrome = AETH_NAK | NAK_REMOTE_OPERATION, .psn = r->epsn, .msn = r->msn
	};
	hca_send_acknowledge(qp, &r->ack);
}

static void expire(void *ctx)
{
	struct hca_dc_table *table = ctx;
	uint64_t now_ns = sched_now_ns(table->hca->sched);

	while (table->live.first && table->live.first->used_ns + IDLE_NS <= now_ns)
		end(table->live.first);
	while (table->ended.first && table->ended.first->used_ns + LINGER_NS <= now_ns)
		forget(table->ended.first);
	arm_timer(table);
}

/* Draining */

static bool busy(const struct connection *c)
{
	return c->qp.connected->inbound.kind != OPERATION_UNKNOWN || hca_responder_busy(&c->qp);
}

/* While its target drains, a connection ends with what is under way. */
static void settle(struct connection *c)
{
	if (c->qp.dct->target->draining && c->state == LIVE && !busy(c))
		end(c);
}

static void end_all(struct hca_qp *dct, bool even_busy)
{
	for (struct connection *c = dct->target->connections; c; c = c->of_target)
		if (even_busy || !busy(c))
			end(c);
}

static void lose_patience(void *ctx)
{
	end_all(ctx, true);
}

void hca_dct_drain(struct hca_qp *dct)
{
	struct hca_dct *target = dct->target;

	if (target->draining)
		return;
	target->draining = true;
	timer_arm(dct->hca->sched, &target->grace, sched_now_ns(dct->hca->sched) + GRACE_NS);
	end_all(dct, false);
	check_drained(dct);
}

bool hca_dct_draining(const struct hca_qp *dct)
{
	return dct->target->draining;
}

bool hca_dct_drained(const struct hca_qp *dct)
{
	return dct->target->drained;
}

uint32_t hca_dct_key_violations(const struct hca_qp *dct)
{
	return dct->target->key_violations;
}

/* Packets */

static bool run(struct hca_qp *qp)
{
	unsigned int budget = PACKETS_A_TURN;
	bool more = hca_responder_run(qp, &budget);

	settle(connection_of(qp));
	return more && qp->state != HCA_QP_ERR;
}

static const struct hca_transport connection_transport = { .run = run };

/* Back to where the packet came from, with what else the target has been told of paths. */
static void aim(struct hca_qp *qp, const struct hca_rx *rx, uint32_t initiator)
{
	struct hca_av *path = &qp->conn.path;

	qp->conn.dest_qpn = initiator;
	path->dlid = rx->lrh.slid;
	path->sl = rx->lrh.sl;
	path->path_bits = rx->lrh.dlid & ((1u << fabric_port_attr(qp->hca->port)->lmc) - 1);
	path->grh = rx->has_grh;
	if (rx->has_grh)
		memcpy(path->dgid, rx->grh.sgid, sizeof(path->dgid));
}

/* A NAK from no connection. */
static void refuse(const struct hca_qp *dct, const struct hca_rx *rx, const struct dceth *name,
		   uint8_t syndrome, uint32_t psn)
{
	const struct acknowledge nak = { .syndrome = syndrome, .psn = psn };
	struct hca_qp nobody = *dct;

	aim(&nobody, rx, name->initiator);
	hca_send_acknowledge(&nobody, &nak);
}

static struct connection *allocate(struct hca_dc_table *table)
{
	struct connection *c;

	if (table->count == table->limit && table->ended.first)
		forget(table->ended.first);
	if (table->count == table->limit)
		return NULL;
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->qp.connected = calloc(1, sizeof(*c->qp.connected));
	if (!c->qp.connected) {
		free(c);
		return NULL;
	}
	table->count++;
	return c;
}

static void init_responder(struct hca_qp *qp, struct hca_qp *dct, const struct hca_rx *rx,
			   const struct dceth *name)
{
	struct hca_connected *connected = qp->connected;

	*qp = *dct;
	qp->target = NULL;
	qp->dct = dct;
	qp->transport = &connection_transport;
	qp->connected = connected;
	qp->conn.rq_psn = psn_add(rx->bth.psn, 1);
	aim(qp, rx, name->initiator);
	hca_responder_start(qp);
}

static void add(struct connection *c)
{
	struct hca_dct *target = c->qp.dct->target;
	struct connection **bucket = bucket_of(c->qp.hca->dc, c->qp.num, c->slid, &c->name);

	c->same_bucket = *bucket;
	*bucket = c;
	c->of_target = target->connections;
	c->of_target_link = &target->connections;
	if (c->of_target)
		c->of_target->of_target_link = &c->of_target;
	target->connections = c;
	target->live++;
	enlist(c);
	arm_timer(c->qp.hca->dc);
}

static bool key_fits(struct hca_qp *dct, const struct hca_rx *rx)
{
	if (get_be64(rx->rest + DCETH_LEN) == dct->dc_key)
		return true;
	dct->target->key_violations++;
	return false;
}

static void connect(struct hca_qp *dct, const struct hca_rx *rx, const struct dceth *name)
{
	struct connection *c;

	if (rx->rest_len != DCETH_LEN + DC_KEY_LEN || !key_fits(dct, rx)) {
		dct->hca->counters.dropped_dc++;
		return;
	}
	c = allocate(dct->hca->dc);
	if (!c) {
		refuse(dct, rx, name,
		       AETH_RNR_NAK | (dct->conn.min_rnr_timer & AETH_VALUE_MASK), rx->bth.psn);
		return;
	}
	c->slid = rx->lrh.slid;
	c->name = *name;
	init_responder(&c->qp, dct, rx, name);
	add(c);
	/* It lies before what is expected, so it's acknowledged like anything that is repeated. */
	hca_responder_receive(&c->qp, rx, hca_operation(BTH_DC_CONNECT));
}

static void deliver(struct connection *c, const struct hca_rx *rx)
{
	if (c->state == ENDED || !hca_from_peer(&c->qp, rx)) {
		c->qp.hca->counters.dropped_dc++;
		return;
	}
	if (c->state == FAILED) {
		hca_send_acknowledge(&c->qp, &c->qp.connected->responder.ack);
		return;
	}
	unlist(c);
	enlist(c);
	hca_responder_receive(&c->qp, rx, hca_operation(rx->bth.opcode));
	settle(c);
}

/*
 * Of a session that isn't known, the connect was lost, or went to an earlier target of this number:
 * it is asked for, by the session's name.
 */
static void receive_unknown(struct hca_qp *dct, const struct hca_rx *rx, const struct dceth *name,
			    uint8_t operation)
{
	if (dct->target->draining || operation == BTH_DC_DISCONNECT)
		dct->hca->counters.dropped_dc++;
	else if (operation == BTH_DC_CONNECT)
		connect(dct, rx, name);
	else
		refuse(dct, rx, name, AETH_NAK | NAK_PSN_SEQUENCE, name->session);
}

static void receive(struct hca_qp *dct, const struct hca_rx *rx)
{
	uint8_t operation = rx->bth.opcode & BTH_OPERATION_MASK;
	struct connection *c;
	struct dceth name;

	if (BTH_TRANSPORT(rx->bth.opcode) != BTH_TRANSPORT_DC || rx->rest_len < DCETH_LEN ||
	    is_response(hca_operation(operation))) {
		dct->hca->counters.dropped_malformed++;
		return;
	}
	dceth_decode(rx->rest, &name);
	c = find(dct, rx->lrh.slid, &name);
	if (!c)
		receive_unknown(dct, rx, &name, operation);
	else if (operation == BTH_DC_DISCONNECT)
		end(c);
	else
		deliver(c, rx);
}

/* Life */

static int create(struct hca_qp *dct)
{
	dct->target = calloc(1, sizeof(*dct->target));
	if (!dct->target)
		return -ENOMEM;
	timer_init(&dct->target->grace, lose_patience, dct);
	return 0;
}

static void destroy(struct hca_qp *dct)
{
	while (dct->target->connections)
		forget(dct->target->connections);
	arm_timer(dct->hca->dc);
	timer_cancel(dct->hca->sched, &dct->target->grace);
	free(dct->target);
	dct->target = NULL;
}

const struct hca_transport hca_dc_target = {
	.create = create,
	.destroy = destroy,
	.receive = receive,
};

int hca_dc_table_create(struct hca *hca, uint32_t connections)
{
	hca->dc = calloc(1, sizeof(*hca->dc));
	if (!hca->dc)
		return -ENOMEM;
	hca->dc->hca = hca;
	hca->dc->limit = connections;
	timer_init(&hca->dc->timer, expire, hca->dc);
	return 0;
}

/* Its timer went with the last connection. */
void hca_dc_table_destroy(struct hca *hca)
{
	free(hca->dc);
}
