// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What the core defines, and the tables that a device gets of it. */

#include "engine.h"

static const struct uapi_definition core_definitions[] = {
	UAPI_DEF_CHAIN(uverbs_def_device),
	UAPI_DEF_CHAIN(uverbs_def_pd),
	UAPI_DEF_CHAIN(uverbs_def_comp_channel),
	UAPI_DEF_CHAIN(uverbs_def_cq),
	UAPI_DEF_CHAIN(uverbs_def_qp),
	UAPI_DEF_CHAIN(uverbs_def_srq),
	UAPI_DEF_CHAIN(uverbs_def_ah),
	UAPI_DEF_CHAIN(uverbs_def_mr),
	UAPI_DEF_CHAIN(uverbs_def_mw),
	UAPI_DEF_CHAIN(uverbs_def_flow),
	UAPI_DEF_CHAIN(uverbs_def_xrcd),
	UAPI_DEF_CHAIN(uverbs_def_rwq_ind_tbl),
	UAPI_DEF_CHAIN(uverbs_def_wq),
	UAPI_DEF_CHAIN(uverbs_def_flow_action),
	UAPI_DEF_CHAIN(uverbs_def_dm),
	UAPI_DEF_CHAIN(uverbs_def_counters),
	UAPI_DEF_CHAIN(uverbs_def_async_event),
	{}
};

/**
 * uverbs_api_alloc - make the tables of a device
 * @ib_dev: the device
 *
 * Return: the tables, for uverbs_api_free(), or an ERR_PTR, of which the cause is in the log.
 */
struct uverbs_api *uverbs_api_alloc(struct ib_device *ib_dev)
{
	struct uverbs_api *api = uverbs_api_build(ib_dev, core_definitions);

	if (IS_ERR(api) && api != ERR_PTR(-ENOMEM))
		dev_err(&ib_dev->dev, "uverbs: no sense in what the driver defines (%pe)\n", api);
	return api;
}
