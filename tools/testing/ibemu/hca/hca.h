/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The device-independent part of a host channel adapter: queue pairs, completion queues, shared
 * receive queues, multicast groups and the transports (IBTA vol. 1, chapters 9 to 11). A chip
 * embeds these objects in its own, fills them in from its commands, and supplies the formats
 * through struct hca_ops.
 *
 * Guest memory is read when it's needed and never trusted: what a driver may change at any time is
 * read once.
 */
#ifndef IBEMU_HCA_H
#define IBEMU_HCA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sched.h"
#include "fabric/fabric.h"
#include "hca/buffer.h"
#include "hca/dma.h"
#include "hca/idtab.h"
#include "hca/mkey.h"

#define HCA_MAX_SGE 64
#define HCA_MAX_WQE 1024
#define HCA_MCG_QPS 64 /* queue pairs of a multicast group */
#define HCA_MAX_MESSAGE (1u << 30)
#define HCA_MAX_RD_ATOMIC 128 /* reads and atomics that a queue pair answers at once */

struct hca;
struct hca_cq;
struct hca_qp;
struct hca_rq;
struct hca_srq;
struct hca_transport;
struct hca_connected;
struct hca_dct;
struct hca_dc_table;
struct hca_mcg;

enum hca_qp_type {
	HCA_QP_RC, HCA_QP_UC, HCA_QP_UD, HCA_QP_XRC, HCA_QP_SMI, HCA_QP_GSI,
	HCA_QP_DCI, HCA_QP_DCT, /* dynamic connections: initiators and targets */
	HCA_QP_LOCAL, /* only work requests that stay inside: memory registration */
	HCA_QP_TYPES
};

/* IBTA vol. 1, 10.3.1. */
enum hca_qp_state {
	HCA_QP_RESET, HCA_QP_INIT, HCA_QP_RTR, HCA_QP_RTS, HCA_QP_SQD, HCA_QP_SQE, HCA_QP_ERR,
};

/* How a work request ended (IBTA vol. 1, 11.6.2). */
enum hca_status {
	HCA_OK,
	HCA_LOCAL_LENGTH,
	HCA_LOCAL_QP_OPERATION,
	HCA_LOCAL_PROTECTION,
	HCA_FLUSHED,
	HCA_MW_BIND,
	HCA_BAD_RESPONSE,
	HCA_LOCAL_ACCESS,
	HCA_REMOTE_INVALID_REQUEST,
	HCA_REMOTE_ACCESS,
	HCA_REMOTE_OPERATION,
	HCA_TRANSPORT_RETRY_EXCEEDED,
	HCA_RNR_RETRY_EXCEEDED,
	HCA_REMOTE_ABORTED,
	HCA_PAGED_OUT, /* it hasn't: a page isn't there, and software will bring it */
};

enum hca_event {
	HCA_EVENT_SQ_DRAINED, HCA_EVENT_LAST_WQE_REACHED, HCA_EVENT_SRQ_LIMIT,
	HCA_EVENT_QP_CATASTROPHIC, HCA_EVENT_CQ_OVERRUN, HCA_EVENT_SRQ_CATASTROPHIC,
	HCA_EVENT_COMM_EST, HCA_EVENT_PATH_MIGRATED,
	HCA_EVENT_PATH_REFUSED, /* Path Migration Request Error */
	HCA_EVENT_QP_REQUEST, /* Invalid Request Local Work Queue Error */
	HCA_EVENT_QP_ACCESS,  /* Local Access Violation Work Queue Error */
	HCA_EVENT_DCT_DRAINED,
};

enum hca_opcode {
	HCA_NOP, HCA_SEND, HCA_SEND_IMM, HCA_UNSUPPORTED,
	HCA_SEND_INVALIDATE, HCA_WRITE, HCA_WRITE_IMM, HCA_READ, HCA_COMPARE_SWAP, HCA_FETCH_ADD,
	HCA_LOCAL, /* stays in the adapter: struct hca_ops.execute_local does it */
};

struct hca_sge {
	uint32_t len, lkey;
	uint64_t addr;
	const uint8_t *inline_data; /* within the work request, instead of lkey and addr */
};

/* An address vector (IBTA vol. 1, 11.2.2.1). */
struct hca_av {
	uint16_t dlid;
	uint8_t sl, path_bits;
	bool grh;
	uint8_t sgid_index, traffic_class, hop_limit;
	uint32_t flow_label;
	uint8_t dgid[16];
};

struct hca_send_wr {
	enum hca_opcode opcode;
	uint8_t chip_opcode;  /* as the completion must repeat it */
	uint16_t index, next; /* this work request's counter value, and the following one's */
	bool signaled, solicited;
	bool fence;           /* not before the reads and atomics in front of it are done */
	uint32_t imm;         /* or the R_Key to invalidate */
	uint64_t remote_addr; /* RDMA and atomics: */
	uint32_t rkey;
	uint64_t swap_add, compare;
	uint32_t srqn;        /* XRC: the remote one */
	struct hca_av av;     /* datagrams and dynamic connections: */
	uint32_t dest_qpn, qkey;
	uint64_t dc_key;
	unsigned int sge_count;
	struct hca_sge sge[HCA_MAX_SGE];
	uint8_t wqe[HCA_MAX_WQE];
};

struct hca_recv_wr {
	uint16_t index; /* as the completion must name it */
	uint16_t link;  /* shared receive queues: the following one's slot */
	unsigned int sge_count;
	struct hca_sge sge[HCA_MAX_SGE];
};

enum hca_wc_opcode {
	HCA_WC_SEND, HCA_WC_RECV, HCA_WC_RECV_IMM, HCA_WC_RESIZE,
	HCA_WC_RECV_INVALIDATE, HCA_WC_WRITE_IMM,
};

/* A completion. */
struct hca_wc {
	enum hca_wc_opcode opcode;
	enum hca_status status;
	const struct hca_qp *qp;
	const struct hca_srq *srq;
	uint8_t chip_opcode;
	uint16_t index;
	bool solicited;
	uint32_t byte_len; /* received, or read from the other side */
	uint32_t imm;      /* or the R_Key that was invalidated */
	bool grh; /* receives: */
	uint32_t src_qpn;
	uint16_t slid, pkey;
	uint8_t sl, path_bits;
};

enum hca_fetch {
	HCA_FETCHED,
	HCA_EMPTY,
	/* there is one, and it makes no sense; what names it in the completion is filled in */
	HCA_MALFORMED,
	HCA_UNREADABLE /* the queue itself isn't in the guest's memory */
};

/* The halves of a queue pair, as bits. */
enum hca_half { HCA_REQUESTER = 1, HCA_RESPONDER = 2 };

/* A page that isn't there, of memory that is paged on demand. */
struct hca_page_fault {
	struct hca_qp *qp;
	enum hca_half half;  /* waits for it */
	bool fetches;        /* a requester's read or atomic */
	bool writes;         /* a responder's request that changes memory */
	uint32_t done;       /* bytes before it, of the message */
	uint32_t packet_len;
	/* A request that names memory by itself: */
	bool remote;
	uint32_t rkey, len;
	uint64_t va;         /* of the message's first byte */
	/* Or one whose memory a work request names: */
	uint16_t index;
	const struct hca_srq *srq; /* where it was posted, if not to the queue pair */
};

struct hca_ops {
	/* The send work request at a counter value. */
	enum hca_fetch (*fetch_send)(struct hca_qp *qp, uint16_t index, struct hca_send_wr *wr);
	/* The scatter list (and link) of a receive work request. False: malformed. */
	bool (*decode_recv)(const struct hca_rq *rq, const uint8_t *wqe, struct hca_recv_wr *wr);
	/* Executes an HCA_LOCAL work request. */
	enum hca_status (*execute_local)(struct hca_qp *qp, const struct hca_send_wr *wr);
	/* The completion queue entry, of hca_cq.cqe_len bytes; ownership goes to its last byte. */
	void (*encode_cqe)(const struct hca_cq *cq, const struct hca_wc *wc, bool owner,
			   uint8_t *cqe);
	/* The completion queue was armed, and something has come. */
	void (*completion_event)(struct hca_cq *cq);
	/* Affiliated asynchronous events (IBTA vol. 1, 11.6.3.1); number: of the QP, CQ or SRQ. */
	void (*event)(struct hca *hca, enum hca_event event, uint32_t number);
	void (*port_event)(struct hca *hca, enum port_event event);
	/* Software is to bring a page, then hca_qp_resume(). NULL: nothing is paged on demand. */
	void (*page_fault)(const struct hca_page_fault *fault);
};

struct hca_limits {
	uint32_t first_qpn, qps, cqs, srqs, mkeys, first_mkey, mcgs;
	uint32_t dc_connections; /* to all targets */
};

/* What packets are told apart by when they are counted. Management: for QP0 or QP1. */
enum hca_traffic {
	HCA_TRAFFIC_RC,
	HCA_TRAFFIC_UC,
	HCA_TRAFFIC_UD,
	HCA_TRAFFIC_XRC,
	HCA_TRAFFIC_DC,
	HCA_TRAFFIC_MANAGEMENT,
	HCA_TRAFFIC_OTHER,
	HCA_TRAFFIC_KINDS
};

struct hca_counters {
	uint64_t sent, received, multicast_copies;
	/* of received: well-formed ones; bytes: extended headers and payload */
	struct { uint64_t packets, bytes; } traffic[HCA_TRAFFIC_KINDS];
	uint64_t dropped_malformed, dropped_no_qp, dropped_state, dropped_pkey, dropped_qkey,
		dropped_no_wqe, dropped_dc;
	uint64_t completions, error_completions, cq_overruns;
};

struct hca_qp_list {
	struct hca_qp *first, *last;
};

struct hca {
	struct sched *sched;
	struct dma *dma;
	struct fabric_port *port;
	const struct hca_ops *ops;
	void *chip;
	struct idtab qps, cqs, srqs, mkeys;
	uint32_t list_entries; /* of all memory keys: at most HCA_LIST_ENTRIES */
	uint32_t null_key;     /* behind others, it stands for pages that aren't there; 0: none */
	struct hca_qp *special[2]; /* QP0 and QP1 */
	struct hca_mcg *groups;
	uint32_t group_count, group_limit;
	struct hca_dc_table *dc; /* owned */
	struct hca_qp_list ready;   /* queue pairs with sends to look at */
	/* queue pairs in the error state: receives are flushed as they are posted */
	struct hca_qp_list failing;
	struct task send_task;
	struct task flush_task;
	struct timer flush_timer;
	struct hca_counters counters;
	/* the numbers in guest memory that atomics work on; else little-endian */
	bool big_endian_atomics;
};

/* Takes the port over. 0 or -ENOMEM. */
int hca_init(struct hca *hca, struct sched *sched, struct dma *dma, struct fabric_port *port,
	     const struct hca_ops *ops, void *chip, const struct hca_limits *limits);
/* All objects are gone by now; the chip destroys its own. */
void hca_destroy(struct hca *hca);

/* Completion queues: cq.c */

enum hca_cq_armed { HCA_CQ_UNARMED, HCA_CQ_SOLICITED, HCA_CQ_ANY };

struct hca_cq {
	struct hca *hca;
	uint32_t num;
	struct hca_buffer buf; /* owned */
	uint8_t log_size;
	uint8_t entry_size, cqe_len; /* bytes; the CQE is the entry's end */
	bool ignore_overrun;
	uint64_t dbr;          /* bus address of the doorbell record: be32 consumer counter */
	uint32_t producer;     /* 24-bit counters */
	uint32_t consumer;     /* as last seen in the doorbell record */
	uint32_t solicited;    /* producer counter just after the last solicited completion */
	bool any_solicited;
	enum hca_cq_armed armed;
	/*
	 * Moderation: an event waits for so many completions since the last one, or for so long
	 * since then. Either 0: it doesn't wait.
	 */
	uint16_t moderation_count, moderation_us;
	uint32_t notified;       /* producer counter at the last event */
	uint64_t notified_ns;
	bool event_waits;
	struct timer moderation; /* when it doesn't any longer */
	bool overrun;          /* it takes no more completions */
	unsigned int users;    /* work queues that complete here */
};

/* Takes the buffer over, also on failure. 0, -ENOSPC, or -EINVAL: the buffer is too small. */
int hca_cq_create(struct hca *hca, struct hca_cq *cq);
/* 0 or -EBUSY. */
int hca_cq_destroy(struct hca_cq *cq);
struct hca_cq *hca_cq_find(struct hca *hca, uint32_t num);
/* False: it has overrun. */
bool hca_cq_push(struct hca_cq *cq, const struct hca_wc *wc);
/* Asks for an event: at once if completions from consumer on are there. */
void hca_cq_arm(struct hca_cq *cq, bool solicited_only, uint32_t consumer);
/* How events are moderated from now on; one that waits is looked at anew. */
void hca_cq_moderate(struct hca_cq *cq, uint16_t count, uint16_t period_us);
/*
 * Goes on in another buffer, after a last entry in the old one that says so. Takes buf over on
 * success. 0, -EINVAL, or -EOVERFLOW: more completions are outstanding than fit.
 */
int hca_cq_resize(struct hca_cq *cq, struct hca_buffer *buf, unsigned int log_size);

/* Receive queues, a queue pair's own or shared: rq.c */

struct hca_rq {
	const struct hca_buffer *buf;
	uint64_t offset;   /* in the buffer */
	uint8_t log_size;
	uint8_t log_stride;
	/* shared: slots are used in the order of a linked list, else one after another */
	bool linked;
	uint64_t dbr;      /* bus address: be32 count of posted work requests, 16 bits */
	uint16_t consumed; /* counter of work requests taken */
	uint16_t slot;     /* linked: where the next one lies */
};

struct hca_srq {
	struct hca *hca;
	uint32_t num, pd;
	struct hca_buffer buf; /* owned */
	struct hca_rq rq;
	struct hca_cq *cq; /* XRC: where its receives complete, or NULL */
	uint32_t xrcd;     /* and the domain it belongs to */
	uint16_t limit;    /* armed low-water mark, or 0 */
	unsigned int users;
};

/* Takes the buffer over, also on failure. 0, -ENOSPC, or -EINVAL. */
int hca_srq_create(struct hca *hca, struct hca_srq *srq);
/* 0 or -EBUSY. */
int hca_srq_destroy(struct hca_srq *srq);
struct hca_srq *hca_srq_find(struct hca *hca, uint32_t num);
/* One limit event as soon as fewer receives than this are posted; 0: none. */
void hca_srq_arm(struct hca_srq *srq, uint16_t limit);
/* Posted and not consumed; 0 if the doorbell record can't be read. */
uint16_t hca_rq_posted(struct hca *hca, const struct hca_rq *rq);

/* Queue pairs: qp.c */

/* Automatic path migration (IBTA vol. 1, 17.2.8). */
enum hca_migration { HCA_MIGRATED, HCA_REARM, HCA_ARMED };

/*
 * What a connected queue pair knows of the other side (IBTA vol. 1, 10.2.4), set by the chip.
 * Initial PSNs count when a state is entered: rq_psn with RTR, sq_psn with RTS.
 */
struct hca_connection {
	uint32_t dest_qpn;
	uint32_t sq_psn, rq_psn;
	uint8_t path_mtu;      /* code: 1 = 256 ... 5 = 4096 */
	uint8_t timeout;       /* local ACK timeout: 4.096 us << timeout; 0: none */
	uint8_t retry_count;   /* 0 to 7 */
	uint8_t rnr_retry;     /* 0 to 6; 7: for ever */
	uint8_t min_rnr_timer; /* code (table 46) */
	uint8_t max_rd_atomic; /* reads and atomics that may be under way from here */
	uint8_t max_dest_rd_atomic; /* and to here; at most HCA_MAX_RD_ATOMIC */
	uint8_t remote_access; /* enum hca_access: which remote ones this queue pair executes */
	struct hca_av path, alternate;
	uint16_t alternate_pkey_index;
	enum hca_migration migration;
};

struct hca_qp {
	struct hca *hca;
	uint32_t num;
	enum hca_qp_type type;
	const struct hca_transport *transport;
	enum hca_qp_state state;
	uint32_t pd;
	struct hca_buffer buf; /* owned; both queues */
	bool has_sq, has_rq;
	struct hca_rq rq;
	struct hca_srq *srq; /* instead of a receive queue of its own, or NULL */
	uint32_t xrcd;       /* XRC: the domain whose shared receive queues it reaches */
	struct hca_cq *send_cq, *recv_cq;
	uint16_t sq_index;   /* counter value of the next send to look at */
	bool sq_unreadable;
	bool block_loopback; /* of its own multicasts */
	uint16_t pkey_index;
	uint32_t qkey;
	uint32_t src_qpn;    /* as datagrams name their sender */
	struct hca_connection conn;
	struct hca_connected *connected; /* owned: the state of a connected transport */
	struct hca_dct *target;   /* owned: the connections of a DC target */
	struct hca_qp *dct;       /* this is one of them, and that's the target */
	uint64_t dc_key;          /* that opens a DC target */
	unsigned int groups; /* multicast attachments */
	uint8_t page_waiting; /* enum hca_half: waits for a page */
	uint8_t page_refused; /* and these: software can't bring it */
	bool queued;         /* on hca->ready */
	struct hca_qp *ready_next;
	struct hca_qp *failing_next;
	bool failing;
};

/* Can queue pairs of this type be made? */
bool hca_qp_type_supported(enum hca_qp_type type);
/*
 * Makes a queue pair in RESET. Takes the buffer over, also on failure. 0, -EOPNOTSUPP (type),
 * -EBUSY (QP0 or QP1 exists), -ENOSPC, -ENOMEM.
 */
int hca_qp_create(struct hca *hca, struct hca_qp *qp);
/* 0 or -EBUSY: attached to multicast groups. */
int hca_qp_destroy(struct hca_qp *qp);
struct hca_qp *hca_qp_find(struct hca *hca, uint32_t num);
/* Enters a state; the caller has checked the transition and set the attributes. */
void hca_qp_set_state(struct hca_qp *qp, enum hca_qp_state state);
/* Sends may have been posted. */
void hca_qp_doorbell(struct hca_qp *qp);
/* Software has brought the page that a half waits for, or there is none. */
void hca_qp_resume(struct hca_qp *qp, enum hca_half half, bool refused);
/*
 * The PSNs of the next request to send and to receive, for a chip's QUERY_QP; 0 for other
 * transports.
 */
void hca_qp_psns(const struct hca_qp *qp, uint32_t *send_psn, uint32_t *receive_psn);

/*
 * DC targets: dct.c. One is a queue pair that goes from RESET to RTR; its attributes are those of
 * each connection that an initiator makes to it.
 */

/*
 * Takes no more connections, and ends those that there are, of which those in the midst of
 * something have a short while left. HCA_EVENT_DCT_DRAINED tells when that is done.
 */
void hca_dct_drain(struct hca_qp *dct);
bool hca_dct_draining(const struct hca_qp *dct);
bool hca_dct_drained(const struct hca_qp *dct);
/* Connects that came with a wrong key. */
uint32_t hca_dct_key_violations(const struct hca_qp *dct);

/* Multicast groups: mcg.c */

/* 0, -EINVAL (not a multicast GID, or attached already), -ENOSPC. */
int hca_mcg_attach(struct hca_qp *qp, const uint8_t gid[16]);
/* 0 or -ENOENT. */
int hca_mcg_detach(struct hca_qp *qp, const uint8_t gid[16]);
/* Detaches from all groups. */
void hca_mcg_leave_all(struct hca_qp *qp);

#endif
