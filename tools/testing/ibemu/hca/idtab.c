// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "hca/idtab.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

int idtab_init(struct idtab *tab, uint32_t first, uint32_t limit)
{
	*tab = (struct idtab){ .first = first, .limit = limit, .next = first };
	tab->slots = calloc(limit - first, sizeof(*tab->slots));
	return tab->slots ? 0 : -ENOMEM;
}

void idtab_destroy(struct idtab *tab)
{
	free(tab->slots);
	*tab = (struct idtab){ 0 };
}

int64_t idtab_alloc(struct idtab *tab, void *object)
{
	if (tab->used == tab->limit - tab->first)
		return -ENOSPC;
	for (;;) {
		uint32_t id = tab->next++;

		if (tab->next == tab->limit)
			tab->next = tab->first;
		if (!tab->slots[id - tab->first]) {
			tab->slots[id - tab->first] = object;
			tab->used++;
			return id;
		}
	}
}

void *idtab_find(const struct idtab *tab, uint32_t id)
{
	return id >= tab->first && id < tab->limit ? tab->slots[id - tab->first] : NULL;
}

void idtab_free(struct idtab *tab, uint32_t id)
{
	if (!idtab_find(tab, id))
		return;
	tab->slots[id - tab->first] = NULL;
	tab->used--;
	if (tab->reuses)
		tab->next = id;
}
