// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Commands that fail because somebody has ordered so.
 */
#include <errno.h>

#include "connectx5/device.h"

static bool applies(const struct cx5_injection *injection, uint16_t opcode)
{
	return injection->countdown &&
	       (injection->opcode == CX5_ANY_COMMAND || injection->opcode == opcode);
}

static void note(struct cx5_injections *injections, uint16_t opcode)
{
	if (injections->hit_count < CX5_HITS)
		injections->hits[injections->hit_count++] = opcode;
}

bool cx5_injected(struct connectx5 *dev, uint16_t opcode, enum cx5_status *status)
{
	struct cx5_injections *injections = &dev->injections;

	for (int i = 0; i < CX5_INJECTIONS; i++) {
		struct cx5_injection *injection = &injections->waiting[i];

		if (!applies(injection, opcode) || --injection->countdown)
			continue;
		injection->countdown = injection->every;
		dev->counters.injected_failures++;
		note(injections, opcode);
		*status = injection->status;
		return true;
	}
	return false;
}

int cx5_inject(struct connectx5 *dev, const struct cx5_injection *injection)
{
	for (int i = 0; i < CX5_INJECTIONS; i++) {
		if (dev->injections.waiting[i].countdown)
			continue;
		dev->injections.waiting[i] = *injection;
		return 0;
	}
	return -EBUSY;
}

void cx5_injections_end(struct connectx5 *dev, FILE *out)
{
	struct cx5_injections *injections = &dev->injections;

	for (unsigned int i = 0; i < injections->hit_count; i++) {
		const struct cx5_command_type *type = cx5_command_find(injections->hits[i]);

		if (type)
			fprintf(out, "%s\n", type->name);
		else
			fprintf(out, "%#x\n", injections->hits[i]);
	}
	*injections = (struct cx5_injections){ 0 };
}
