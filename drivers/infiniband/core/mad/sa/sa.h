/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The client of subnet administration (SA): queries to the subnet manager, over one agent a port.
 * IBTA volume 1, chapter 15.2.
 *
 * Objects and who keeps them alive:
 *
 *  sa_port	from the client's add to its remove, which waits for all queries: each has a send
 *		buffer, and the agent waits for those.
 *  ib_sa_query	from its start to the end of its callback. Whoever cancels finds it by its number.
 *  sa_sm_ah	referenced by its port and by each query that uses it.
 *
 * Locks, outermost first: the lock of the array of queries, ls_lock (local_service.c), then those
 * of ib_mad. sa_port.lock is taken alone.
 */
#ifndef RDMA_MAD_SA_H
#define RDMA_MAD_SA_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_sa.h>
#include <rdma/ib_verbs.h>

#define SA_PATH_RECORD_LEN	64
#define SA_MCMEMBER_RECORD_LEN	52
#define SA_GUIDINFO_RECORD_LEN	72

/* ---- record.c: records as they are on the wire, pure ---- */

void sa_pack_path(const struct sa_path_rec *rec, void *wire);
void sa_unpack_path(const void *wire, struct sa_path_rec *rec);
void sa_pack_mcmember(const struct ib_sa_mcmember_rec *rec, void *wire);
void sa_unpack_mcmember(const void *wire, struct ib_sa_mcmember_rec *rec);
void sa_pack_guidinfo(const struct ib_sa_guidinfo_rec *rec, void *wire);
void sa_unpack_guidinfo(const void *wire, struct ib_sa_guidinfo_rec *rec);

/* ---- client.c ---- */

struct sa_sm_ah;

/**
 * struct sa_port - a port from which SA can be asked
 * @agent: asks
 * @port_num: the port's number
 * @lock: guards @sm_ah
 * @sm_ah: the way to the subnet manager; NULL while that isn't known
 * @update: makes @sm_ah
 */
struct sa_port {
	struct ib_mad_agent *agent;
	u32 port_num;
	spinlock_t lock; /* see above */
	struct sa_sm_ah *sm_ah;
	struct work_struct update;
};

int sa_init(void);
void sa_exit(void);
struct sa_port *sa_port_find(struct ib_device *device, u32 port_num);

static inline void sa_client_get(struct ib_sa_client *client)
{
	atomic_inc(&client->users);
}

static inline void sa_client_put(struct ib_sa_client *client)
{
	if (atomic_dec_and_test(&client->users))
		complete(&client->comp);
}

/* ---- sm_ah.c ---- */

/**
 * struct sa_sm_ah - a way to the subnet manager
 * @ref: see the top of this file
 * @ah: the address handle
 * @pkey_index: of the default partition
 * @path_mask: the bits of a LID that tell this port's LIDs apart
 */
struct sa_sm_ah {
	struct kref ref;
	struct ib_ah *ah;
	u16 pkey_index;
	u8 path_mask;
};

struct sa_sm_ah *sa_sm_ah_get(struct sa_port *port);
void sa_sm_ah_put(struct sa_sm_ah *sm_ah);
void sa_sm_ah_update(struct sa_port *port);
void sa_sm_ah_forget(struct sa_port *port);
u8 sa_path_mask(struct ib_device *device, u32 port_num);

/* ---- query.c ---- */

/**
 * struct sa_local_request - a query that user space is asked about first
 * @node: in ls_pending; empty when it isn't there
 * @started: jiffies
 * @canceled: it completes, with the next run of the timer
 * @path_use: what the path is for: LS_RESOLVE_PATH_USE_*
 */
struct sa_local_request {
	struct list_head node;
	unsigned long started;
	bool canceled;
	u8 path_use;
};

/**
 * struct ib_sa_query - a query
 * @port: asks
 * @client: who wants to know; counted as its user
 * @mad_buf: the request
 * @sm_ah: the way it goes
 * @id: its number
 * @deliver: calls @callback; @record is NULL if there was no response
 * @path_callback: of a query for a path record
 * @guidinfo_callback: of a query for a GUID info record
 * @mcmember_callback: of a query for a multicast member record
 * @context: for the callback
 * @local: guarded by ls_lock
 */
struct ib_sa_query {
	struct sa_port *port;
	struct ib_sa_client *client;
	struct ib_mad_send_buf *mad_buf;
	struct sa_sm_ah *sm_ah;
	u32 id;
	void (*deliver)(struct ib_sa_query *query, int status, const void *record);
	union {
		void (*path_callback)(int status, struct sa_path_rec *rec, unsigned int count,
				      void *context);
		void (*guidinfo_callback)(int status, struct ib_sa_guidinfo_rec *rec,
					  void *context);
		void (*mcmember_callback)(int status, struct ib_sa_mcmember_rec *rec,
					  void *context);
	};
	void *context;
	struct sa_local_request local;
};

/**
 * struct sa_request - what is asked
 * @method: Get, Set or Delete
 * @attr_id: which kind of record
 * @comp_mask: which of its components count
 */
struct sa_request {
	u8 method;
	u16 attr_id;
	ib_sa_comp_mask comp_mask;
};

void sa_queries_init(void);
struct ib_sa_query *sa_query_create(struct ib_sa_client *client, struct ib_device *device,
				    u32 port_num, const struct sa_request *request, gfp_t gfp);
void sa_query_free(struct ib_sa_query *query);
int sa_query_number(struct ib_sa_query *query, unsigned long timeout_ms, gfp_t gfp);
int sa_query_post(struct ib_sa_query *query);
int sa_query_send(struct ib_sa_query *query, unsigned long timeout_ms, gfp_t gfp);
void sa_query_fail(struct ib_sa_query *query, int status);
void sa_query_end(struct ib_sa_query *query);

typedef void (*sa_query_visitor)(struct ib_sa_query *query, void *context);

void sa_query_visit(u32 id, sa_query_visitor visit, void *context);
void sa_query_sent(struct ib_mad_agent *agent, struct ib_mad_send_wc *send_wc);
void sa_query_answered(struct ib_mad_agent *agent, struct ib_mad_send_buf *send_buf,
		       struct ib_mad_recv_wc *recv_wc);

static inline struct ib_sa_mad *sa_query_mad(const struct ib_sa_query *query)
{
	return query->mad_buf->mad;
}

/* ---- local_service.c ---- */

int sa_ls_init(void);
void sa_ls_exit(void);
int sa_ls_ask(struct ib_sa_query *query, const struct sa_path_rec *rec, gfp_t gfp);
bool sa_ls_cancel(struct ib_sa_query *query);
void sa_ls_cancel_port(const struct sa_port *port);

/* ---- records_query.c ---- */

void sa_path_deliver_local(struct ib_sa_query *query, struct sa_path_rec *recs, unsigned int count);
int sa_mcmember_query(struct ib_sa_client *client, struct ib_device *device, u32 port_num,
		      u8 method, const struct ib_sa_mcmember_rec *rec, ib_sa_comp_mask comp_mask,
		      void (*callback)(int status, struct ib_sa_mcmember_rec *rec, void *context),
		      void *context);

/* ---- multicast.c ---- */

int mcast_init(void);
void mcast_exit(void);

#endif
