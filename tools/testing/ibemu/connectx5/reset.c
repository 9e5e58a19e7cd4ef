// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Birth, death and what lies between, of the device without its socket. The port isn't part of it:
 * its state and its agents live in the fabric and see no reset.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "connectx5/device.h"
#include "connectx5/limits.h"

#define HEALTH_FIRMWARE_ERROR 1

static void forget_qp(struct connectx5 *dev, struct hca_qp *qp)
{
	hca_mcg_leave_all(qp);
	if (qp->type == HCA_QP_DCT)
		cx5_dct_free(dev, container(qp, struct cx5_qp, hca));
	else
		cx5_qp_free(dev, container(qp, struct cx5_qp, hca));
}

/* Users before what they use. */
void cx5_forget_objects(struct connectx5 *dev)
{
	struct hca *hca = &dev->hca;
	struct hca_mkey *mkey;
	struct hca_srq *srq;
	struct hca_cq *cq;
	struct hca_qp *qp;
	struct cx5_eq *eq;
	uint32_t num;

	for (num = 0; num < 2; num++)
		if (hca->special[num])
			forget_qp(dev, hca->special[num]);
	idtab_for_each(&hca->qps, num, qp)
		forget_qp(dev, qp);
	idtab_for_each(&hca->srqs, num, srq)
		cx5_srq_free(dev, container(srq, struct cx5_srq, hca));
	idtab_for_each(&hca->cqs, num, cq)
		cx5_cq_free(dev, container(cq, struct cx5_cq, hca));
	idtab_for_each(&hca->mkeys, num, mkey)
		cx5_mkey_free(dev, container(mkey, struct cx5_mkey, hca));
	idtab_for_each(&dev->eqs, num, eq)
		cx5_eq_free(eq);
	cx5_umems_forget(dev);
	cx5_resources_forget(dev);
	cx5_uctxs_forget(dev);
}

void cx5_reset(struct connectx5 *dev)
{
	cx5_cmdq_stop(dev);
	cx5_forget_objects(dev);
	dev->iseg = (struct cx5_iseg){ 0 };
	dev->state = CX5_DISABLED;
	dev->issi = 0;
	dev->page_count = 0;
	cx5_caps_init(dev);
}

void cx5_fatal(struct connectx5 *dev)
{
	log_info("connectx5: %s: fatal error on request", fabric_node_desc(dev->node));
	cx5_reset(dev);
	dev->iseg.nic_interface = CX5_NIC_DISABLED;
	dev->iseg.health_syndrome = HEALTH_FIRMWARE_ERROR;
}

int cx5_init(struct connectx5 *dev, struct sched *sched, struct dma *dma, struct fabric_node *node,
	     const struct connectx5_options *options,
	     void (*raise)(void *host, unsigned int vector), void *host)
{
	static const struct hca_limits limits = {
		.first_qpn = CX5_FIRST_QPN,
		.qps = 1 << CX5_LOG_MAX_QP,
		.cqs = 1 << CX5_LOG_MAX_CQ,
		.srqs = 1 << CX5_LOG_MAX_SRQ,
		.first_mkey = CX5_FIRST_MKEY,
		.mkeys = 1 << CX5_LOG_MAX_MKEY,
		.mcgs = 1 << CX5_LOG_MAX_MCG,
		.dc_connections = CX5_DC_CONNECTIONS,
	};

	*dev = (struct connectx5){
		.sched = sched,
		.dma = dma,
		.node = node,
		.port = fabric_node_port(node, 1),
		.raise = raise,
		.host = host,
	};
	if (options)
		dev->options = *options;
	dev->noise = dev->options.fuzz_seed;
	cx5_cmdq_init(dev);
	cx5_caps_init(dev);
	if (!cx5_resources_init(dev) && !idtab_init(&dev->eqs, 1, 1 << CX5_LOG_MAX_EQ) &&
	    !idtab_init(&dev->uctxs, 1, 1 << CX5_LOG_MAX_UCTX) &&
	    !idtab_init(&dev->umems, 1, 1 << CX5_LOG_MAX_UMEM) &&
	    !hca_init(&dev->hca, sched, dma, dev->port, &cx5_hca_ops, dev, &limits)) {
		dev->hca.null_key = CX5_NULL_MKEY;
		return 0;
	}
	idtab_destroy(&dev->umems);
	idtab_destroy(&dev->uctxs);
	idtab_destroy(&dev->eqs);
	cx5_resources_destroy(dev);
	return -ENOMEM;
}

void cx5_destroy(struct connectx5 *dev)
{
	cx5_reset(dev);
	hca_destroy(&dev->hca);
	idtab_destroy(&dev->umems);
	idtab_destroy(&dev->uctxs);
	idtab_destroy(&dev->eqs);
	cx5_resources_destroy(dev);
	free(dev->pages);
}
