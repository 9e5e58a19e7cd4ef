// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The bodies of the trace points of CQs and MRs, once. */

#include <rdma/ib_verbs.h>

#define CREATE_TRACE_POINTS
#include <trace/events/rdma_core.h>
