// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What isn't asked of an object but of the device, and INVOKE_WRITE. */

#include "verbs.h"

static int UVERBS_HANDLER(UVERBS_METHOD_INVOKE_WRITE)(struct uverbs_attr_bundle *attrs)
{
	return uverbs_invoke_write(attrs);
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_INVOKE_WRITE,
			    UVERBS_ATTR_CONST_IN(UVERBS_ATTR_WRITE_CMD, enum ib_uverbs_write_cmds,
						 UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CORE_IN,
					       UVERBS_ATTR_MIN_SIZE(sizeof(u32)), UA_OPTIONAL),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_CORE_OUT, UVERBS_ATTR_MIN_SIZE(0),
						UA_OPTIONAL),
			    UVERBS_ATTR_UHW());

DECLARE_UVERBS_GLOBAL_METHODS(UVERBS_OBJECT_DEVICE, &UVERBS_METHOD(UVERBS_METHOD_INVOKE_WRITE));

const struct uapi_definition uverbs_def_device[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_DEVICE),
	UAPI_DEF_OBJ_NEEDS_FN(alloc_ucontext),
	UAPI_DEF_OBJ_NEEDS_FN(dealloc_ucontext),
	UAPI_DEF_CHAIN(uverbs_def_context),
	UAPI_DEF_CHAIN(uverbs_def_query_device),
	UAPI_DEF_CHAIN(uverbs_def_query_port),
	UAPI_DEF_CHAIN(uverbs_def_gid),
	UAPI_DEF_CHAIN(uverbs_def_handles),
	{}
};
