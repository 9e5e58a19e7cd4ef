// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "hca/hca.h"

#include <errno.h>
#include <stdlib.h>

#include "hca/connected.h"

static void port_event(void *ctx, enum port_event event)
{
	struct hca *hca = ctx;

	hca->ops->port_event(hca, event);
}

static const struct port_ops port_ops = { .receive = hca_receive, .event = port_event };

static int allocate(struct hca *hca, const struct hca_limits *limits)
{
	hca->groups = calloc(limits->mcgs, sizeof(*hca->groups));
	hca->group_limit = limits->mcgs;
	if (!hca->groups ||
	    idtab_init(&hca->qps, limits->first_qpn, limits->first_qpn + limits->qps) ||
	    idtab_init(&hca->cqs, 1, limits->cqs) || idtab_init(&hca->srqs, 1, limits->srqs) ||
	    idtab_init(&hca->mkeys, limits->first_mkey, limits->mkeys) ||
	    hca_dc_table_create(hca, limits->dc_connections))
		return -ENOMEM;
	return 0;
}

static void deallocate(struct hca *hca)
{
	idtab_destroy(&hca->qps);
	idtab_destroy(&hca->cqs);
	idtab_destroy(&hca->srqs);
	idtab_destroy(&hca->mkeys);
	free(hca->groups);
	hca_dc_table_destroy(hca);
}

int hca_init(struct hca *hca, struct sched *sched, struct dma *dma, struct fabric_port *port,
	     const struct hca_ops *ops, void *chip, const struct hca_limits *limits)
{
	*hca = (struct hca){ .sched = sched, .dma = dma, .port = port, .ops = ops, .chip = chip };
	task_init(&hca->send_task, hca_send_run, hca);
	task_init(&hca->flush_task, hca_flush_run, hca);
	timer_init(&hca->flush_timer, hca_flush_tick, hca);
	if (allocate(hca, limits)) {
		deallocate(hca);
		return -ENOMEM;
	}
	fabric_port_attach(port, &port_ops, hca);
	return 0;
}

void hca_destroy(struct hca *hca)
{
	fabric_port_detach(hca->port);
	task_cancel(hca->sched, &hca->send_task);
	task_cancel(hca->sched, &hca->flush_task);
	timer_cancel(hca->sched, &hca->flush_timer);
	deallocate(hca);
}
