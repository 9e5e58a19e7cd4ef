/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include "models.h"

#include <string.h>

#include "connectx5/connectx5.h"

static void *create_connectx5(struct loop *loop, struct fabric_node *node, const char *socket_path,
			      const struct model_options *options)
{
	const struct connectx5_options own = { .fuzz_reserved = options->fuzz_reserved,
					       .fuzz_seed = options->seed };

	return connectx5_create(loop, node, socket_path, &own);
}

static void destroy_connectx5(void *hca)
{
	connectx5_destroy(hca);
}

static int control_connectx5(void *hca, int argc, char **argv, FILE *out)
{
	return connectx5_control(hca, argc, argv, out);
}

static int unplug_connectx5(void *hca)
{
	return connectx5_unplug(hca);
}

static void set_present_connectx5(void *hca, bool present)
{
	connectx5_set_present(hca, present);
}

static const struct model models[] = {
	{
		.name = "connectx5",
		.create = create_connectx5,
		.destroy = destroy_connectx5,
		.control = control_connectx5,
		.unplug = unplug_connectx5,
		.set_present = set_present_connectx5,
	},
};

const struct model *model_find(const char *name)
{
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++)
		if (!strcmp(models[i].name, name))
			return &models[i];
	return NULL;
}
