/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * How a driver tells ib_uverbs which of the reserved QP types a process may create.
 *
 * A driver may give the types from IB_QPT_RESERVED3 on a meaning of its own (the first two are for
 * its kernel's own use). It declares them as follows, and adds the name to its definitions:
 *
 *	DECLARE_UVERBS_QP_TYPES(my_qp_types,
 *				UVERBS_QP_TYPE(IB_QPT_RESERVED3),
 *				UVERBS_QP_TYPE(IB_QPT_RESERVED4));
 *
 *	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_QP, &my_qp_types),
 *
 * It's an optional attribute of the method QP_CREATE, an enumeration with an element a type. Our
 * ib_uverbs reads it when the device is added, and no process can send it. Any other ib_uverbs has
 * it as an attribute without data, which has no effect, and never lets a reserved type through.
 */
#ifndef RDMA_KMOD_UVERBS_QP_TYPES_H
#define RDMA_KMOD_UVERBS_QP_TYPES_H

/* UVERBS_MODULE_NAME has been defined. */
#include <rdma/uverbs_named_ioctl.h>

#define UVERBS_ATTR_DRIVER_QP_TYPES (UVERBS_ID_DRIVER_NS | 0x1d)
#define UVERBS_FIRST_DRIVER_QP_TYPE IB_QPT_RESERVED3

/* An element of DECLARE_UVERBS_QP_TYPES(). */
#define UVERBS_QP_TYPE(_type)                                                  \
	[(_type) - IB_QPT_RESERVED1] = {                                       \
		.type = UVERBS_ATTR_TYPE_PTR_IN,                               \
		UVERBS_ATTR_NO_DATA(),                                         \
	}

#define DECLARE_UVERBS_QP_TYPES(_name, ...)                                    \
	static const struct uverbs_attr_spec _name##_specs[] = { __VA_ARGS__ };\
	ADD_UVERBS_ATTRIBUTES_SIMPLE(                                          \
		_name, UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE,              \
		UVERBS_ATTR_ENUM_IN(UVERBS_ATTR_DRIVER_QP_TYPES, _name##_specs,\
				    UA_OPTIONAL))

/**
 * uverbs_qp_type_declared - whether an element of the enumeration declares its type
 * @element: those between declared types are all zero
 *
 * Return: true if it does.
 */
static inline bool uverbs_qp_type_declared(const struct uverbs_attr_spec *element)
{
	return element->type != UVERBS_ATTR_TYPE_NA || element->u.ptr.len;
}

#endif
