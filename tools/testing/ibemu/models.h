/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* The models of HCAs that a topology can expose, behind one face. */
#ifndef IBEMU_MODELS_H
#define IBEMU_MODELS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/loop.h"
#include "fabric/fabric.h"

struct model_options {
	bool fuzz_reserved; /* noise where the device documents say reserved */
	uint64_t seed;
};

struct model {
	const char *name; /* as in the topology file */
	/* NULL with errno set. */
	void *(*create)(struct loop *loop, struct fabric_node *node, const char *socket_path,
			const struct model_options *options);
	void (*destroy)(void *hca);
	/* As fabric_control(). */
	int (*control)(void *hca, int argc, char **argv, FILE *out);
	/* Asks the guest to let go of the device. 0 or -errno: nobody listens. */
	int (*unplug)(void *hca);
	/* Pulls the device out of its slot without notice, or puts it back. */
	void (*set_present)(void *hca, bool present);
};

/* NULL: no such model. */
const struct model *model_find(const char *name);

#endif
