/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include "base/slice.h"

#include <sched.h>

#include "base/log.h"

#define SLICE_NS 100000 /* the shortest that Linux has */

void ask_for_short_slices(void)
{
	struct sched_attr attr;

	if (sched_getattr(0, &attr, sizeof(attr), 0) || attr.sched_policy != SCHED_OTHER)
		return;
	attr.sched_runtime = SLICE_NS;
	if (sched_setattr(0, &attr, 0))
		log_debug("sched_setattr: %m");
}
