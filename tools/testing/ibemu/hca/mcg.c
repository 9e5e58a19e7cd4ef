// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Multicast groups: which queue pairs want the packets to a multicast GID (IBTA vol. 1, 10.5).
 */
#include <errno.h>
#include <string.h>

#include "hca/engine.h"

struct hca_mcg *hca_mcg_find(struct hca *hca, const uint8_t gid[16])
{
	for (uint32_t i = 0; i < hca->group_count; i++)
		if (!memcmp(hca->groups[i].gid, gid, 16))
			return &hca->groups[i];
	return NULL;
}

static struct hca_mcg *find_or_add(struct hca *hca, const uint8_t gid[16])
{
	struct hca_mcg *group = hca_mcg_find(hca, gid);

	if (group || hca->group_count == hca->group_limit)
		return group;
	group = &hca->groups[hca->group_count++];
	memcpy(group->gid, gid, 16);
	group->count = 0;
	return group;
}

static unsigned int position(const struct hca_mcg *group, const struct hca_qp *qp)
{
	unsigned int i = 0;

	while (i < group->count && group->qps[i] != qp)
		i++;
	return i;
}

int hca_mcg_attach(struct hca_qp *qp, const uint8_t gid[16])
{
	struct hca_mcg *group;

	if (gid[0] != 0xff || qp->type != HCA_QP_UD)
		return -EINVAL;
	group = find_or_add(qp->hca, gid);
	if (!group || group->count == HCA_MCG_QPS)
		return -ENOSPC;
	if (position(group, qp) < group->count)
		return -EINVAL;
	group->qps[group->count++] = qp;
	qp->groups++;
	return 0;
}

static void remove_at(struct hca *hca, struct hca_mcg *group, unsigned int at)
{
	group->qps[at]->groups--;
	group->qps[at] = group->qps[--group->count];
	if (!group->count)
		*group = hca->groups[--hca->group_count];
}

int hca_mcg_detach(struct hca_qp *qp, const uint8_t gid[16])
{
	struct hca_mcg *group = hca_mcg_find(qp->hca, gid);
	unsigned int at = group ? position(group, qp) : 0;

	if (!group || at == group->count)
		return -ENOENT;
	remove_at(qp->hca, group, at);
	return 0;
}

void hca_mcg_leave_all(struct hca_qp *qp)
{
	struct hca *hca = qp->hca;

	/* From the end: a group that gets empty gives its place to the last one. */
	for (uint32_t i = hca->group_count; i-- > 0;) {
		struct hca_mcg *group = &hca->groups[i];
		unsigned int at = position(group, qp);

		if (at < group->count)
			remove_at(hca, group, at);
	}
}
