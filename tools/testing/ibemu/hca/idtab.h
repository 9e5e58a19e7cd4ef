/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Numbers for objects: a bounded range, handed out in turn, so that a stale number in a late
 * packet or doorbell doesn't hit a new object at once. Unless that is what's wanted.
 */
#ifndef IBEMU_IDTAB_H
#define IBEMU_IDTAB_H

#include <stdbool.h>
#include <stdint.h>

struct idtab {
	uint32_t first, limit; /* numbers first .. limit - 1 */
	uint32_t used;
	uint32_t next;         /* where the search for a free number starts */
	bool reuses;           /* at the number that was freed last */
	void **slots;
};

/* 0 or -ENOMEM. */
int idtab_init(struct idtab *tab, uint32_t first, uint32_t limit);
/* The objects themselves belong to the caller. */
void idtab_destroy(struct idtab *tab);

/* The object's new number, or -ENOSPC. */
int64_t idtab_alloc(struct idtab *tab, void *object);
/* NULL: no such object. */
void *idtab_find(const struct idtab *tab, uint32_t id);
void idtab_free(struct idtab *tab, uint32_t id);

/* For each object; it may be freed in the body. */
#define idtab_for_each(tab, id, object) \
	for ((id) = (tab)->first; (id) < (tab)->limit; (id)++) \
		if (((object) = idtab_find(tab, id)) != NULL)

#endif
