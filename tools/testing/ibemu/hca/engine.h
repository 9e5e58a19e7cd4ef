/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What the engine's files share and no chip sees.
 */
#ifndef IBEMU_ENGINE_H
#define IBEMU_ENGINE_H

#include "hca/hca.h"
#include "hca/headers.h"

/* A packet that has arrived, taken apart as far as all transports agree. */
struct hca_rx {
	const struct packet *packet;
	struct lrh lrh;
	bool has_grh;
	const uint8_t *grh_bytes;
	struct grh grh;
	struct bth bth;
	const uint8_t *rest; /* extended headers and payload, without padding */
	uint16_t rest_len;
};

/*
 * A transport service. One whose work requests are done once they are sent has send(); one that has
 * something under way (RC ...) has run() and what follows it instead, and keeps its state in
 * qp->connected.
 */
struct hca_transport {
	/* Executes a send work request. */
	enum hca_status (*send)(struct hca_qp *qp, struct hca_send_wr *wr);
	/* 0 or -ENOMEM. */
	int (*create)(struct hca_qp *qp);
	void (*destroy)(struct hca_qp *qp);
	/* The queue pair has left a state and is in another. */
	void (*entered)(struct hca_qp *qp, enum hca_qp_state old);
	/* Fetches and sends, within limits. True: its turn ended before its work did. */
	bool (*run)(struct hca_qp *qp);
	/* Completes the oldest send that is under way as flushed. False: there is none. */
	bool (*flush_send)(struct hca_qp *qp);
	/* Is no send under way? If not, it says later that the queue is drained. */
	bool (*drained)(const struct hca_qp *qp);
	/*
	 * A packet for this queue pair, in a state that receives. The caller keeps the packet.
	 * NULL: none expected.
	 */
	void (*receive)(struct hca_qp *qp, const struct hca_rx *rx);
	enum hca_qp_state send_error_state; /* that a failed send leads to (IBTA vol. 1, 10.3.1) */
};

extern const struct hca_transport hca_datagram;
extern const struct hca_transport hca_local;
extern const struct hca_transport hca_reliable;
extern const struct hca_transport hca_unreliable;
extern const struct hca_transport hca_dc_initiator;
extern const struct hca_transport hca_dc_target;

/* rx.c: the fabric's receive callback, and copies of own multicasts. */
void hca_receive(void *hca, struct packet *packet);
void hca_receive_multicast(struct hca *hca, const struct packet *packet,
			   const struct hca_qp *except);

/* paging.c: true: the half has to wait; false: it mustn't have this memory. */
bool hca_page_fault(const struct hca_page_fault *fault);

/* rq.c */
enum hca_fetch hca_rq_fetch(struct hca *hca, struct hca_rq *rq, struct hca_recv_wr *wr);
/* Takes the work request that was fetched. */
void hca_rq_advance(struct hca_rq *rq, const struct hca_recv_wr *wr);
void hca_srq_check_limit(struct hca_srq *srq);

/* route.c: the LRH and GRH of a packet whose rest is there. False: no such source GID. */
bool hca_route(const struct hca_qp *qp, const struct hca_av *av, struct packet *packet);
static inline unsigned int hca_route_len(const struct hca_av *av)
{
	return LRH_LEN + (av->grh ? GRH_LEN : 0);
}

/* sge.c: scatter/gather. HCA_OK, HCA_LOCAL_LENGTH or HCA_LOCAL_PROTECTION. */
uint64_t hca_sge_total(const struct hca_sge *sge, unsigned int count);
enum hca_status hca_gather(struct hca *hca, uint32_t pd, const struct hca_sge *sge,
			   unsigned int count, uint8_t *to);
/* len bytes from the place that is offset bytes into the list; the list is long enough. */
enum hca_status hca_gather_part(struct hca *hca, uint32_t pd, const struct hca_sge *sge,
				unsigned int count, uint64_t offset, uint8_t *to, uint64_t len);
/* len bytes to the place that is offset bytes into the list; the list is long enough. */
enum hca_status hca_scatter(struct hca *hca, uint32_t pd, const struct hca_sge *sge,
			    unsigned int count, uint64_t offset, const uint8_t *from, uint64_t len);

/* send.c */
void hca_send_run(void *hca);
/* Gives the queue pair a turn, whatever its state. */
void hca_send_queue(struct hca_qp *qp);
void hca_send_forget(struct hca_qp *qp);
/* Completes a send: if it asked for it, or failed. */
void hca_complete_send(struct hca_qp *qp, const struct hca_send_wr *wr, enum hca_status status,
		       uint32_t byte_len);

/* flush.c: work requests of queue pairs in the error state. */
void hca_flush_start(struct hca_qp *qp);
/* One send, oldest first. False: there is none. */
bool hca_flush_send(struct hca_qp *qp);
void hca_flush_run(void *hca);
void hca_flush_tick(void *hca);
void hca_flush_forget(struct hca_qp *qp);

/*
 * qp.c: a completion that belongs to this queue pair; a queue that can't take it is fatal for the
 * pair.
 */
void hca_qp_complete(struct hca_qp *qp, struct hca_cq *cq, struct hca_wc *wc);
void hca_qp_catastrophe(struct hca_qp *qp);
/* Ends in the error state; of a connection to a DC target, only that connection ends. */
void hca_qp_fail(struct hca_qp *qp);
/* Connections to a DC target have no events: software doesn't know them. */
void hca_qp_event(struct hca_qp *qp, enum hca_event event);

/* mcg.c: the attached queue pairs, or NULL. */
struct hca_mcg {
	uint8_t gid[16];
	unsigned int count;
	struct hca_qp *qps[HCA_MCG_QPS];
};

struct hca_mcg *hca_mcg_find(struct hca *hca, const uint8_t gid[16]);

/* port.c: what the port's attributes say. */
bool hca_gid_is_ours(const struct hca *hca, const uint8_t gid[16]);
bool hca_gid_at(const struct hca *hca, unsigned int index, uint8_t gid[16]);
/* The P_Key at an index, or 0: invalid. */
uint16_t hca_pkey_at(const struct hca *hca, unsigned int index);
/* May packets with one of these P_Keys be received under the other? (IBTA vol. 1, 10.9.3) */
bool hca_pkey_match(uint16_t a, uint16_t b);
bool hca_pkey_in_table(const struct hca *hca, uint16_t pkey);

#endif
