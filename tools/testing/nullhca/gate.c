// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What each call of an operation passes through: counted, held or refused, as the tester says. */

#include <linux/wait.h>

#include "nullhca.h"

void nullhca_gates_init(struct nullhca_slot *slot)
{
	struct nullhca_gate *gate;

	for (gate = slot->gates; gate < slot->gates + NULLHCA_NR_OPS; gate++) {
		gate->failures = 1;
		gate->error = EIO;
		init_waitqueue_head(&gate->released);
	}
}

/* Nobody waits any longer: the device must be able to go. */
void nullhca_gates_open(struct nullhca_slot *slot)
{
	struct nullhca_gate *gate;

	for (gate = slot->gates; gate < slot->gates + NULLHCA_NR_OPS; gate++) {
		WRITE_ONCE(gate->block, 0);
		wake_up_all(&gate->released);
	}
}

static bool held(const struct nullhca_gate *gate, u32 call)
{
	u32 first = READ_ONCE(gate->block);

	return first && call >= first;
}

static bool refused(const struct nullhca_gate *gate, u32 call)
{
	u32 first = READ_ONCE(gate->fail_at);

	return first && call >= first && call - first < READ_ONCE(gate->failures);
}

/**
 * nullhca_pass_slot - a call of an operation begins
 * @slot: whose
 * @op: the operation
 *
 * Context: waits only in operations whose gate can be closed, and these may sleep.
 * Return: 0, or the errno with which the operation has to fail.
 */
int nullhca_pass_slot(struct nullhca_slot *slot, enum nullhca_op op)
{
	struct nullhca_gate *gate = &slot->gates[op];
	u32 call = atomic_inc_return(&gate->calls);

	if (unlikely(held(gate, call))) {
		atomic_inc(&gate->waiting);
		wait_event(gate->released, !held(gate, call));
		atomic_dec(&gate->waiting);
	}
	return unlikely(refused(gate, call)) ? -(int)READ_ONCE(gate->error) : 0;
}

/* The same, for those who know the device. */
int nullhca_pass(struct ib_device *ib, enum nullhca_op op)
{
	return nullhca_pass_slot(to_nullhca(ib)->slot, op);
}
