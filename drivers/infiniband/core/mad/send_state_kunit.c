// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The life of a send: each state with each event, and what must hold on every way through them. */

#include <kunit/test.h>

#include "mad.h"

/*
 * A line a state, a column an event, in the order of the enums: post, post locally, resend, sent,
 * sent and awaits, send error, answer, handled, acked, abort, cancel, expire. Letters are states,
 * see letters[]; '.': can't happen.
 */
static const char * const expected[MAD_SEND_STATES] = {
	[MAD_SEND_IDLE]			= "PL..........",
	[MAD_SEND_POSTED]		= "..PXWXQ.DDD.",
	[MAD_SEND_WAITING]		= "..P...A.XXCX",
	[MAD_SEND_ANSWERING_POSTED]	= "...AAA.D..Q.",
	[MAD_SEND_ANSWERING]		= ".......X..A.",
	[MAD_SEND_DECIDED_POSTED]	= "...XXX....D.",
	[MAD_SEND_CANCELED]		= "..........CX",
	[MAD_SEND_LOCAL]		= ".......X..L.",
	[MAD_SEND_DONE]			= "PL..........",
};

static const char letters[MAD_SEND_STATES] = {
	[MAD_SEND_IDLE] = 'I',
	[MAD_SEND_POSTED] = 'P',
	[MAD_SEND_WAITING] = 'W',
	[MAD_SEND_ANSWERING_POSTED] = 'Q',
	[MAD_SEND_ANSWERING] = 'A',
	[MAD_SEND_DECIDED_POSTED] = 'D',
	[MAD_SEND_CANCELED] = 'C',
	[MAD_SEND_LOCAL] = 'L',
	[MAD_SEND_DONE] = 'X',
};

static void each_state_with_each_event(struct kunit *test)
{
	enum mad_send_state state;
	enum mad_send_event event;

	for (state = 0; state < MAD_SEND_STATES; state++) {
		KUNIT_ASSERT_EQ(test, strlen(expected[state]), MAD_SEND_EVENTS);
		for (event = 0; event < MAD_SEND_EVENTS; event++) {
			struct mad_transition to = mad_send_transition(state, event);

			KUNIT_EXPECT_EQ_MSG(test, to.valid ? letters[to.next] : '.',
					    expected[state][event], "state %d event %d", state,
					    event);
		}
	}
}

/* Only the first that decides does: an answer isn't undone, a verdict isn't replaced. */
static void outcome_is_decided_once(struct kunit *test)
{
	enum mad_send_state state;
	enum mad_send_event event;

	for (state = 0; state < MAD_SEND_STATES; state++)
		for (event = 0; event < MAD_SEND_EVENTS; event++)
			KUNIT_EXPECT_TRUE_MSG(test,
					      !mad_send_transition(state, event).decides ||
					      mad_send_open(state),
					      "state %d event %d", state, event);
	KUNIT_EXPECT_TRUE(test,
			  mad_send_transition(MAD_SEND_WAITING, MAD_EVENT_EXPIRE).decides);
	KUNIT_EXPECT_TRUE(test,
			  mad_send_transition(MAD_SEND_POSTED, MAD_EVENT_SEND_ERROR).decides);
	KUNIT_EXPECT_FALSE(test, mad_send_transition(MAD_SEND_POSTED, MAD_EVENT_SENT).decides);
}

/* What the world knows of a send: whether the queue has it, whether the client is looking. */
struct world {
	enum mad_send_state state;
	bool queued;
	bool handling;
};

static bool possible(const struct world *world, enum mad_send_event event)
{
	switch (event) {
	case MAD_EVENT_SENT:
	case MAD_EVENT_SENT_AWAITS:
	case MAD_EVENT_SEND_ERROR:
		return world->queued;
	case MAD_EVENT_HANDLED:
		return world->handling;
	case MAD_EVENT_CANCEL:
		return world->state != MAD_SEND_IDLE && world->state != MAD_SEND_DONE;
	case MAD_EVENT_EXPIRE:
		return world->state == MAD_SEND_WAITING || world->state == MAD_SEND_CANCELED;
	case MAD_EVENT_RESEND:
		return world->state == MAD_SEND_WAITING;
	case MAD_EVENT_POST:
	case MAD_EVENT_POST_LOCAL:
		return world->state == MAD_SEND_IDLE;
	default:
		return mad_send_open(world->state);
	}
}

static struct world happen(struct kunit *test, struct world world, enum mad_send_event event)
{
	struct mad_transition to = mad_send_transition(world.state, event);

	KUNIT_EXPECT_TRUE_MSG(test, to.valid, "state %d event %d", world.state, event);
	switch (event) {
	case MAD_EVENT_POST:
	case MAD_EVENT_RESEND:
		world.queued = true;
		break;
	case MAD_EVENT_SENT:
	case MAD_EVENT_SENT_AWAITS:
	case MAD_EVENT_SEND_ERROR:
		world.queued = false;
		break;
	case MAD_EVENT_POST_LOCAL:
	case MAD_EVENT_ANSWER:
		world.handling = true;
		break;
	case MAD_EVENT_HANDLED:
		world.handling = false;
		break;
	default:
		break;
	}
	world.state = to.next;
	return world;
}

/* Every way that events can come, several tries long. Returns how many ended. */
static unsigned int explore(struct kunit *test, struct world world, int depth)
{
	enum mad_send_event event;
	unsigned int ended = 0;

	if (world.state == MAD_SEND_DONE) {
		KUNIT_EXPECT_FALSE(test, world.queued);
		KUNIT_EXPECT_FALSE(test, world.handling);
		return 1;
	}
	if (!depth)
		return 0;
	for (event = 0; event < MAD_SEND_EVENTS; event++)
		if (possible(&world, event))
			ended += explore(test, happen(test, world, event), depth - 1);
	return ended;
}

static void no_end_while_somebody_has_it(struct kunit *test)
{
	KUNIT_EXPECT_GT(test, explore(test, (struct world){ .state = MAD_SEND_IDLE }, 7), 100);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(each_state_with_each_event),
	KUNIT_CASE(outcome_is_decided_once),
	KUNIT_CASE(no_end_while_somebody_has_it),
	{}
};

static struct kunit_suite suite = {
	.name = "mad_send_state",
	.test_cases = cases,
};

kunit_test_suite(suite);
