// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Advice on what a process is about to use of regions that are paged in on demand. */

#include "verbs.h"

/* Users' scatter elements are passed on as the kernel's. */
static_assert(sizeof(struct ib_sge) == sizeof(struct ib_uverbs_sge));
static_assert(offsetof(struct ib_sge, addr) == offsetof(struct ib_uverbs_sge, addr));
static_assert(offsetof(struct ib_sge, length) == offsetof(struct ib_uverbs_sge, length));
static_assert(offsetof(struct ib_sge, lkey) == offsetof(struct ib_uverbs_sge, lkey));

static int UVERBS_HANDLER(UVERBS_METHOD_ADVISE_MR)(struct uverbs_attr_bundle *attrs)
{
	struct ib_pd *pd = uverbs_attr_get_obj(attrs, UVERBS_ATTR_ADVISE_MR_PD_HANDLE);
	enum ib_uverbs_advise_mr_advice advice;
	struct ib_sge *sges;
	int ret, num_sge;
	u32 flags;

	if (!pd->device->ops.advise_mr)
		return -EOPNOTSUPP;
	ret = uverbs_get_const(&advice, attrs, UVERBS_ATTR_ADVISE_MR_ADVICE);
	if (!ret)
		ret = uverbs_get_flags32(&flags, attrs, UVERBS_ATTR_ADVISE_MR_FLAGS,
					 IB_UVERBS_ADVISE_MR_FLAG_FLUSH);
	if (ret)
		return ret;
	num_sge = uverbs_attr_ptr_get_array_size(attrs, UVERBS_ATTR_ADVISE_MR_SGE_LIST,
						 sizeof(*sges));
	if (num_sge <= 0)
		return num_sge;
	sges = uverbs_attr_get_alloced_ptr(attrs, UVERBS_ATTR_ADVISE_MR_SGE_LIST);
	return pd->device->ops.advise_mr(pd, advice, flags, sges, num_sge, attrs);
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_ADVISE_MR,
			    UVERBS_ATTR_IDR(UVERBS_ATTR_ADVISE_MR_PD_HANDLE, UVERBS_OBJECT_PD,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_CONST_IN(UVERBS_ATTR_ADVISE_MR_ADVICE,
						 enum ib_uverbs_advise_mr_advice, UA_MANDATORY),
			    UVERBS_ATTR_FLAGS_IN(UVERBS_ATTR_ADVISE_MR_FLAGS,
						 enum ib_uverbs_advise_mr_flag, UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_ADVISE_MR_SGE_LIST,
					       UVERBS_ATTR_MIN_SIZE(sizeof(struct ib_uverbs_sge)),
					       UA_MANDATORY, UA_ALLOC_AND_COPY));

ADD_UVERBS_METHODS(mr_advise_methods, UVERBS_OBJECT_MR, &UVERBS_METHOD(UVERBS_METHOD_ADVISE_MR));

const struct uapi_definition uverbs_def_mr_advise[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_MR, &mr_advise_methods),
	{}
};
