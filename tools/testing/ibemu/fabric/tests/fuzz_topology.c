// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Any text as a topology: an error or a fabric, whose own print reads back as the same. */
#include <stdlib.h>

#include "fabric/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *print(struct fabric *fabric, size_t *len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, len);

	topology_print(fabric, out);
	fclose(out);
	return text;
}

static int load(struct fabric *fabric, const void *data, size_t size)
{
	FILE *file = fmemopen((void *)data, size, "r");
	char error[100];
	int ret;

	if (!file)
		return -1;
	ret = fabric_load(fabric, file, "fuzz", error, sizeof(error));
	fclose(file);
	return ret;
}

static void check_round_trip(struct fabric *fabric, struct sched *sched)
{
	struct fabric *again = fabric_create(sched);
	size_t len, len_again;
	char *text = print(fabric, &len), *text_again;

	if (load(again, text, len))
		abort();
	text_again = print(again, &len_again);
	if (len != len_again || memcmp(text, text_again, len))
		abort();
	free(text);
	free(text_again);
	fabric_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sched *sched = sched_create_virtual();
	struct fabric *fabric = fabric_create(sched);

	if (size && !load(fabric, data, size) && fabric->nodes)
		check_round_trip(fabric, sched);
	fabric_destroy(fabric);
	sched_destroy(sched);
	packet_drain_pool();
	return 0;
}
