// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The life of a send. Two things go on at once: the send queue has the buffer, and an answer is
 * awaited. Either may end first, and the client must be told once, when both have. Whoever
 * decides the outcome first wins: an answer that has come isn't undone by a cancel, and a cancel
 * not by a late answer.
 */

#include "mad.h"

#define TO(state)	{ .next = MAD_SEND_##state, .valid = true }
#define ENDS_AS(state)	{ .next = MAD_SEND_##state, .valid = true, .decides = true }

static const struct mad_transition transitions[MAD_SEND_STATES][MAD_SEND_EVENTS] = {
	[MAD_SEND_IDLE] = {
		[MAD_EVENT_POST]	= TO(POSTED),
		[MAD_EVENT_POST_LOCAL]	= TO(LOCAL),
	},
	[MAD_SEND_POSTED] = {
		[MAD_EVENT_RESEND]	= TO(POSTED),
		[MAD_EVENT_SENT]	= TO(DONE),
		[MAD_EVENT_SENT_AWAITS]	= TO(WAITING),
		[MAD_EVENT_SEND_ERROR]	= ENDS_AS(DONE),
		[MAD_EVENT_ANSWER]	= TO(ANSWERING_POSTED),
		[MAD_EVENT_ACKED]	= TO(DECIDED_POSTED),
		[MAD_EVENT_ABORT]	= ENDS_AS(DECIDED_POSTED),
		[MAD_EVENT_CANCEL]	= ENDS_AS(DECIDED_POSTED),
	},
	[MAD_SEND_WAITING] = {
		[MAD_EVENT_RESEND]	= TO(POSTED),
		[MAD_EVENT_ANSWER]	= TO(ANSWERING),
		[MAD_EVENT_ACKED]	= TO(DONE),
		[MAD_EVENT_ABORT]	= ENDS_AS(DONE),
		[MAD_EVENT_CANCEL]	= ENDS_AS(CANCELED),
		[MAD_EVENT_EXPIRE]	= ENDS_AS(DONE),
	},
	[MAD_SEND_ANSWERING_POSTED] = {
		[MAD_EVENT_SENT]	= TO(ANSWERING),
		[MAD_EVENT_SENT_AWAITS]	= TO(ANSWERING),
		[MAD_EVENT_SEND_ERROR]	= TO(ANSWERING),
		[MAD_EVENT_HANDLED]	= TO(DECIDED_POSTED),
		[MAD_EVENT_CANCEL]	= TO(ANSWERING_POSTED),
	},
	[MAD_SEND_ANSWERING] = {
		[MAD_EVENT_HANDLED]	= TO(DONE),
		[MAD_EVENT_CANCEL]	= TO(ANSWERING),
	},
	[MAD_SEND_DECIDED_POSTED] = {
		[MAD_EVENT_SENT]	= TO(DONE),
		[MAD_EVENT_SENT_AWAITS]	= TO(DONE),
		[MAD_EVENT_SEND_ERROR]	= TO(DONE),
		[MAD_EVENT_CANCEL]	= TO(DECIDED_POSTED),
	},
	[MAD_SEND_CANCELED] = {
		[MAD_EVENT_CANCEL]	= TO(CANCELED),
		[MAD_EVENT_EXPIRE]	= TO(DONE),
	},
	[MAD_SEND_LOCAL] = {
		[MAD_EVENT_HANDLED]	= TO(DONE),
		[MAD_EVENT_CANCEL]	= TO(LOCAL),
	},
	/* A client may send a buffer again. */
	[MAD_SEND_DONE] = {
		[MAD_EVENT_POST]	= TO(POSTED),
		[MAD_EVENT_POST_LOCAL]	= TO(LOCAL),
	},
};

/**
 * mad_send_transition - what an event does to a send
 * @state: the send's state
 * @event: the event
 *
 * Return: the next state, or .valid false if @event can't happen in @state.
 */
struct mad_transition mad_send_transition(enum mad_send_state state, enum mad_send_event event)
{
	return transitions[state][event];
}

/* Whether the outcome is still open: it can be answered, or canceled. */
bool mad_send_open(enum mad_send_state state)
{
	return state == MAD_SEND_POSTED || state == MAD_SEND_WAITING;
}
