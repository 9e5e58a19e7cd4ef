// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A memory region's properties, for a process that got its handle, and the file, from another. */

#include "verbs.h"

static int UVERBS_HANDLER(UVERBS_METHOD_QUERY_MR)(struct uverbs_attr_bundle *attrs)
{
	struct ib_mr *mr = uverbs_attr_get_obj(attrs, UVERBS_ATTR_QUERY_MR_HANDLE);
	int ret;

	ret = uverbs_mr_keys(attrs, mr, UVERBS_ATTR_QUERY_MR_RESP_LKEY,
			     UVERBS_ATTR_QUERY_MR_RESP_RKEY);
	if (!ret)
		ret = uverbs_copy_to(attrs, UVERBS_ATTR_QUERY_MR_RESP_LENGTH, &mr->length,
				     sizeof(mr->length));
	if (!ret)
		ret = uverbs_copy_to(attrs, UVERBS_ATTR_QUERY_MR_RESP_IOVA, &mr->iova,
				     sizeof(mr->iova));
	return IS_UVERBS_COPY_ERR(ret) ? ret : 0;
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_QUERY_MR,
			    UVERBS_ATTR_IDR(UVERBS_ATTR_QUERY_MR_HANDLE, UVERBS_OBJECT_MR,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_QUERY_MR_RESP_LKEY,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_QUERY_MR_RESP_RKEY,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_QUERY_MR_RESP_LENGTH,
						UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_QUERY_MR_RESP_IOVA,
						UVERBS_ATTR_TYPE(u64), UA_OPTIONAL));

ADD_UVERBS_METHODS(mr_query_methods, UVERBS_OBJECT_MR, &UVERBS_METHOD(UVERBS_METHOD_QUERY_MR));

const struct uapi_definition uverbs_def_mr_query[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_MR, &mr_query_methods),
	{}
};
