/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What the handlers share with each other. Commands with both a write() and an ioctl() form have a
 * parser for each, and one function that carries them out.
 *
 * A request's and a response's data for the driver are its own affair: attrs->driver_udata.
 */
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

/*
 * Before the driver makes an object: its record, for rdma_restrack_add() once it's there, or for
 * rdma_restrack_put() if it never is. It's named after the process.
 */
static inline void uverbs_restrack_new(struct rdma_restrack_entry *res,
				       enum rdma_restrack_type type)
{
	rdma_restrack_new(res, type);
	rdma_restrack_set_name(res, NULL);
}

int uverbs_destroy_by_handle(struct uverbs_attr_bundle *attrs, u16 object_id);
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

/* Tables that device.c chains. */

extern const struct uapi_definition uverbs_def_context[];
extern const struct uapi_definition uverbs_def_query_device[];
extern const struct uapi_definition uverbs_def_query_port[];
extern const struct uapi_definition uverbs_def_gid[];
extern const struct uapi_definition uverbs_def_handles[];

/* Memory regions: tables that mr.c chains, and what their handlers share. */

extern const struct uapi_definition uverbs_def_mr_reg[];
extern const struct uapi_definition uverbs_def_mr_rereg[];
extern const struct uapi_definition uverbs_def_mr_dm[];
extern const struct uapi_definition uverbs_def_mr_dmabuf[];
extern const struct uapi_definition uverbs_def_mr_advise[];
extern const struct uapi_definition uverbs_def_mr_query[];

bool uverbs_mr_range_ok(u64 start, u64 length, u64 hca_va);
void uverbs_mr_created(struct ib_mr *mr, enum ib_mr_type type, struct ib_pd *pd,
		       struct ib_uobject *uobj);
int uverbs_mr_keys(struct uverbs_attr_bundle *attrs, const struct ib_mr *mr, u16 lkey_id,
		   u16 rkey_id);

/* Completion queues: tables that cq.c chains. */

extern const struct uapi_definition uverbs_def_cq_create[];
extern const struct uapi_definition uverbs_def_cq_poll[];

static inline struct ib_ucq_object *to_ucq(struct ib_uobject *uobj)
{
	return container_of(uobj, struct ib_ucq_object, uevent.uobject);
}

#endif
