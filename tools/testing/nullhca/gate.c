// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What each call of an operation passes through: counted, held or refused, as the tester says. */

#include <linux/wait.h>

#include "nullhca.h"

void nullhca_gates_init(struct nullhca_slot *slot)
{
	struct nullhca_gate *gate;

	for (gate = slot->gates; gate < slot->gates + NULLHCA_NR_OPS; gate++) {
		gate->error = EIO;
		init_waitqueue_head(&gate->released);
	}
}

/* Nobody waits any longer: the device must be able to go. */
void nullhca_gates_open(struct nullhca_slot *slot)
{
	struct nullhca_gate *gate;

	for (gate = slot->gates; gate < slot->gates + NULLHCA_NR_OPS; gate++) {
		WRITE_ONCE(gate->block, false);
		wake_up_all(&gate->released);
	}
}

/**
 * nullhca_pass - a call of an operation begins
 * @ib: the device
 * @op: the operation
 *
 * Context: waits only in operations whose gate can be closed, and these may sleep.
 * Return: 0, or the errno with which the operation has to fail.
 */
int nullhca_pass(struct ib_device *ib, enum nullhca_op op)
{
	struct nullhca_gate *gate = &to_nullhca(ib)->slot->gates[op];
	u32 call = atomic_inc_return(&gate->calls);

	if (unlikely(READ_ONCE(gate->block))) {
		atomic_inc(&gate->waiting);
		wait_event(gate->released, !READ_ONCE(gate->block));
		atomic_dec(&gate->waiting);
	}
	return unlikely(call == READ_ONCE(gate->fail_at)) ? -(int)READ_ONCE(gate->error) : 0;
}
