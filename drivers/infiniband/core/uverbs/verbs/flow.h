/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef RDMA_UVERBS_FLOW_H
#define RDMA_UVERBS_FLOW_H

#include "verbs.h"

int uverbs_flow_filter(const struct ib_uverbs_flow_spec_hdr *user, union ib_flow_spec *spec);

#endif
