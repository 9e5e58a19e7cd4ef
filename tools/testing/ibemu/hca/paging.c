// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * On-demand paging: memory whose pages software may take away, and gives back when they are needed.
 * Half a queue pair that meets a page that isn't there says so, and waits until software has it go
 * on. A requester stands still; a responder tells the other side to try again later, or keeps the
 * answer to a read waiting.
 */
#include "hca/connected.h"

bool hca_page_fault(const struct hca_page_fault *fault)
{
	struct hca_qp *qp = fault->qp;

	/* What hides behind a number that isn't its own can't be told to go on. */
	if ((qp->page_refused & fault->half) || !qp->hca->ops->page_fault ||
	    hca_qp_find(qp->hca, qp->num) != qp)
		return false;
	if (!(qp->page_waiting & fault->half)) {
		qp->page_waiting |= (uint8_t)fault->half;
		qp->hca->ops->page_fault(fault);
	}
	return true;
}

void hca_qp_resume(struct hca_qp *qp, enum hca_half half, bool refused)
{
	if (!(qp->page_waiting & half))
		return;
	qp->page_waiting &= (uint8_t)~half;
	if (refused)
		qp->page_refused |= (uint8_t)half;
	if (half == HCA_REQUESTER && qp->connected)
		hca_requester_resume(qp);
	hca_send_queue(qp);
}
