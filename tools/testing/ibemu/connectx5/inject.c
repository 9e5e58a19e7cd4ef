// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Commands that fail because somebody has ordered so.
 */
#include <errno.h>

#include "connectx5/device.h"

#define ANY_COMMAND 0 /* no command has this number */

static bool applies(const struct cx5_injection *injection, uint16_t opcode)
{
	return injection->countdown &&
	       (injection->opcode == ANY_COMMAND || injection->opcode == opcode);
}

static void note(struct cx5_injections *injections, uint16_t opcode)
{
	if (injections->hit_count < CX5_INJECTIONS)
		injections->hits[injections->hit_count++] = opcode;
}

bool cx5_injected(struct connectx5 *dev, uint16_t opcode, enum cx5_status *status)
{
	struct cx5_injections *injections = &dev->injections;

	for (int i = 0; i < CX5_INJECTIONS; i++) {
		struct cx5_injection *injection = &injections->waiting[i];

		if (!applies(injection, opcode) || --injection->countdown)
			continue;
		dev->counters.injected_failures++;
		note(injections, opcode);
		*status = injection->status;
		return true;
	}
	return false;
}

int cx5_inject(struct connectx5 *dev, uint16_t opcode, enum cx5_status status, unsigned int nth)
{
	for (int i = 0; i < CX5_INJECTIONS; i++) {
		struct cx5_injection *injection = &dev->injections.waiting[i];

		if (injection->countdown)
			continue;
		*injection = (struct cx5_injection){ opcode, (uint8_t)status, nth };
		return 0;
	}
	return -EBUSY;
}

int cx5_inject_any(struct connectx5 *dev, enum cx5_status status, unsigned int nth)
{
	return cx5_inject(dev, ANY_COMMAND, status, nth);
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
