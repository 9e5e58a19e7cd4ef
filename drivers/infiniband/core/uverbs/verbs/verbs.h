/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* What the handlers share with each other. */
#ifndef RDMA_UVERBS_VERBS_H
#define RDMA_UVERBS_VERBS_H

#include "../uverbs.h"

/*
 * Looks up an object for reading; @to points to it, or to nothing if that fails. @kind is what
 * follows ib_ in its structure's name.
 */
#define uverbs_look_up(to, kind, object_id, handle, attrs)                               \
	({                                                                               \
		struct ib_##kind *_found = uobj_get_obj_read(kind, object_id, handle, attrs); \
											 \
		(to) = IS_ERR(_found) ? NULL : _found;                                   \
		PTR_ERR_OR_ZERO(_found);                                                 \
	})

/* Lets go of a queue that was looked up for reading: ib_cq, ib_qp, ib_srq or ib_wq. */
#define uverbs_put_queue(queue) uobj_put_read(&(queue)->uobject->uevent.uobject)

int uverbs_destroy_queue(struct uverbs_attr_bundle *attrs, u16 object_id, u32 handle,
			 u32 *events_reported);

struct ib_uxrcd_object *uverbs_look_up_xrcd(struct uverbs_attr_bundle *attrs, u32 handle);

/* Queue pairs: handlers of qp.c's tables, and one of xrcd.c's. */

int UVERBS_HANDLER(UVERBS_METHOD_QP_CREATE)(struct uverbs_attr_bundle *attrs);
int uverbs_create_qp(struct uverbs_attr_bundle *attrs);
int uverbs_create_qp_ex(struct uverbs_attr_bundle *attrs);
int uverbs_open_qp(struct uverbs_attr_bundle *attrs);
int uverbs_query_qp(struct uverbs_attr_bundle *attrs);
int uverbs_modify_qp(struct uverbs_attr_bundle *attrs);
int uverbs_modify_qp_ex(struct uverbs_attr_bundle *attrs);
int uverbs_attach_mcast(struct uverbs_attr_bundle *attrs);
int uverbs_detach_mcast(struct uverbs_attr_bundle *attrs);
int uverbs_post_send(struct uverbs_attr_bundle *attrs);
int uverbs_post_recv(struct uverbs_attr_bundle *attrs);

/* Shared receive queues: handlers of srq.c's tables. */

int UVERBS_HANDLER(UVERBS_METHOD_SRQ_CREATE)(struct uverbs_attr_bundle *attrs);
int uverbs_create_srq(struct uverbs_attr_bundle *attrs);
int uverbs_create_xsrq(struct uverbs_attr_bundle *attrs);
int uverbs_post_srq_recv(struct uverbs_attr_bundle *attrs);

#endif
