// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Queries by kind of record: paths, GUIDs, members of multicast groups. */

#include <linux/export.h>

#include "sa.h"

#define MCMEMBER_TIMEOUT_MS	3000

/* ---- path records ---- */

static void deliver_path(struct ib_sa_query *query, int status, const void *record)
{
	struct sa_path_rec rec = { .rec_type = SA_PATH_REC_TYPE_IB };

	if (!query->path_callback)
		return;
	if (record)
		sa_unpack_path(record, &rec);
	query->path_callback(status, record ? &rec : NULL, !!record, query->context);
}

/* Delivers what user space knew. */
void sa_path_deliver_local(struct ib_sa_query *query, struct sa_path_rec *recs, unsigned int count)
{
	if (query->path_callback)
		query->path_callback(0, recs, count, query->context);
}

/* Asks user space first, if anybody listens there. */
static int send_path_query(struct ib_sa_query *query, const struct sa_path_rec *rec,
			   unsigned long timeout_ms, gfp_t gfp)
{
	int id = sa_query_number(query, timeout_ms, gfp);

	if (id < 0 || !sa_ls_ask(query, rec, gfp))
		return id;
	return sa_query_post(query);
}

/**
 * ib_sa_path_rec_get - ask for a path
 * @client: who asks
 * @device: where to ask
 * @port_num: where to ask
 * @rec: what is known of the path; of type SA_PATH_REC_TYPE_IB
 * @comp_mask: which components of @rec count
 * @timeout_ms: how long to wait for a response, all tries together
 * @gfp_mask: how to allocate
 * @callback: called exactly once, unless an error is returned, from process context. Its status is
 *	0; -EINVAL if SA refuses, with what it says in the record; -ETIMEDOUT; -EINTR if canceled;
 *	or -EIO. May be NULL
 * @context: for @callback
 * @sa_query: set to the query, to cancel it
 *
 * Context: any, as @gfp_mask allows.
 *
 * Return: a number, 0 or more, for ib_sa_cancel_query(); -ENODEV if SA can't be asked from there;
 * -EINVAL for another type of record; -EAGAIN while the way to the subnet manager isn't known;
 * -ENOMEM; or the driver's error. IBTA volume 1, chapter 15.2.5.16.
 */
int ib_sa_path_rec_get(struct ib_sa_client *client, struct ib_device *device, u32 port_num,
		       struct sa_path_rec *rec, ib_sa_comp_mask comp_mask,
		       unsigned long timeout_ms, gfp_t gfp_mask,
		       void (*callback)(int status, struct sa_path_rec *resp,
					unsigned int num_paths, void *context),
		       void *context, struct ib_sa_query **sa_query)
{
	const struct sa_request request = {
		.method = IB_MGMT_METHOD_GET,
		.attr_id = IB_SA_ATTR_PATH_REC,
		.comp_mask = comp_mask,
	};
	struct ib_sa_query *query;
	int ret;

	if (!sa_port_find(device, port_num))
		return -ENODEV;
	if (rec->rec_type != SA_PATH_REC_TYPE_IB)
		return -EINVAL;
	query = sa_query_create(client, device, port_num, &request, gfp_mask);
	if (IS_ERR(query))
		return PTR_ERR(query);
	query->deliver = deliver_path;
	query->path_callback = callback;
	query->context = context;
	sa_pack_path(rec, sa_query_mad(query)->data);

	*sa_query = query;
	ret = send_path_query(query, rec, timeout_ms, gfp_mask);
	if (ret < 0) {
		*sa_query = NULL;
		sa_query_free(query);
	}
	return ret;
}
EXPORT_SYMBOL(ib_sa_path_rec_get);

/* ---- GUID info records ---- */

static void deliver_guidinfo(struct ib_sa_query *query, int status, const void *record)
{
	struct ib_sa_guidinfo_rec rec;

	if (!query->guidinfo_callback)
		return;
	if (record)
		sa_unpack_guidinfo(record, &rec);
	query->guidinfo_callback(status, record ? &rec : NULL, query->context);
}

/**
 * ib_sa_guid_info_rec_query - ask for a port's GUIDs, set or delete them
 * @client: who asks
 * @device: where to ask
 * @port_num: where to ask
 * @rec: the record
 * @comp_mask: which components of @rec count
 * @method: IB_MGMT_METHOD_GET, IB_MGMT_METHOD_SET or IB_SA_METHOD_DELETE
 * @timeout_ms: how long to wait for a response, all tries together
 * @gfp_mask: how to allocate
 * @callback: as for ib_sa_path_rec_get()
 * @context: for @callback
 * @sa_query: set to the query, to cancel it
 *
 * Context: any, as @gfp_mask allows. IBTA volume 1, chapter 15.2.5.18.
 *
 * Return: as ib_sa_path_rec_get(); -EINVAL for another method.
 */
int ib_sa_guid_info_rec_query(struct ib_sa_client *client, struct ib_device *device,
			      u32 port_num, struct ib_sa_guidinfo_rec *rec,
			      ib_sa_comp_mask comp_mask, u8 method, unsigned long timeout_ms,
			      gfp_t gfp_mask,
			      void (*callback)(int status, struct ib_sa_guidinfo_rec *resp,
					       void *context),
			      void *context, struct ib_sa_query **sa_query)
{
	const struct sa_request request = {
		.method = method,
		.attr_id = IB_SA_ATTR_GUID_INFO_REC,
		.comp_mask = comp_mask,
	};
	struct ib_sa_query *query;
	int ret;

	if (!sa_port_find(device, port_num))
		return -ENODEV;
	if (method != IB_MGMT_METHOD_GET && method != IB_MGMT_METHOD_SET &&
	    method != IB_SA_METHOD_DELETE)
		return -EINVAL;
	query = sa_query_create(client, device, port_num, &request, gfp_mask);
	if (IS_ERR(query))
		return PTR_ERR(query);
	query->deliver = deliver_guidinfo;
	query->guidinfo_callback = callback;
	query->context = context;
	sa_pack_guidinfo(rec, sa_query_mad(query)->data);

	*sa_query = query;
	ret = sa_query_send(query, timeout_ms, gfp_mask);
	if (ret < 0) {
		*sa_query = NULL;
		sa_query_free(query);
	}
	return ret;
}
EXPORT_SYMBOL(ib_sa_guid_info_rec_query);

/* ---- multicast member records ---- */

static void deliver_mcmember(struct ib_sa_query *query, int status, const void *record)
{
	struct ib_sa_mcmember_rec rec;

	if (record)
		sa_unpack_mcmember(record, &rec);
	query->mcmember_callback(status, record ? &rec : NULL, query->context);
}

/**
 * sa_mcmember_query - join or leave a multicast group
 * @client: who asks
 * @device: where to ask
 * @port_num: where to ask
 * @method: IB_MGMT_METHOD_SET to join, IB_SA_METHOD_DELETE to leave
 * @rec: the record
 * @comp_mask: which components of @rec count
 * @callback: called exactly once, unless an error is returned
 * @context: for @callback
 *
 * Context: sleeps.
 *
 * Return: 0 or a negative errno.
 */
int sa_mcmember_query(struct ib_sa_client *client, struct ib_device *device, u32 port_num,
		      u8 method, const struct ib_sa_mcmember_rec *rec, ib_sa_comp_mask comp_mask,
		      void (*callback)(int status, struct ib_sa_mcmember_rec *rec, void *context),
		      void *context)
{
	const struct sa_request request = {
		.method = method,
		.attr_id = IB_SA_ATTR_MC_MEMBER_REC,
		.comp_mask = comp_mask,
	};
	struct ib_sa_query *query;
	int ret;

	query = sa_query_create(client, device, port_num, &request, GFP_KERNEL);
	if (IS_ERR(query))
		return PTR_ERR(query);
	query->deliver = deliver_mcmember;
	query->mcmember_callback = callback;
	query->context = context;
	sa_pack_mcmember(rec, sa_query_mad(query)->data);
	ret = sa_query_send(query, MCMEMBER_TIMEOUT_MS, GFP_KERNEL);
	if (ret < 0)
		sa_query_free(query);
	return min(ret, 0);
}
