/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The device from the inside: what its files share.
 */
#ifndef IBEMU_CX5_DEVICE_H
#define IBEMU_CX5_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "connectx5/connectx5.h"
#include "hca/hca.h"

#define CX5_VECTORS 32
#define CX5_BAR0_SIZE (32u << 20)
#define CX5_UAR_PAGE 4096u

#define CX5_QPC_LEN 232
#define CX5_PRIMARY_PATH 24 /* where the address paths of a queue pair context lie in it */
#define CX5_SECONDARY_PATH 68
#define CX5_PATH_LEN 44
#define CX5_DCTC_LEN 64
#define CX5_CQC_LEN 64
#define CX5_EQC_LEN 64
#define CX5_MKC_LEN 64

#define container(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

/* The initialization segment: iseg.c */

enum cx5_nic_interface { CX5_NIC_FULL = 0, CX5_NIC_DISABLED = 1, CX5_NIC_SW_RESET = 7 };

struct cx5_iseg {
	uint32_t cmdq_high, cmdq_low;
	uint8_t nic_interface;
	uint8_t health_syndrome; /* nonzero: the firmware died, and waits to be used again */
};

/* The command queue: cmdq.c */

struct cx5_cmdq {
	uint64_t addr;    /* of the slots, 0: none */
	uint32_t pending; /* slots whose doorbell was rung */
	struct task task;
};

/* Commands: command.c */

struct cx5_output;

enum cx5_status {
	CX5_OK = 0x0,
	CX5_BAD_OP = 0x2,
	CX5_BAD_PARAM = 0x3,
	CX5_BAD_SYS_STATE = 0x4,
	CX5_BAD_RES = 0x5,
	CX5_LIMIT = 0x8,
	CX5_BAD_RES_STATE = 0x9,
	CX5_NO_RES = 0xf,
	CX5_BAD_QP_STATE = 0x10,
	CX5_BAD_PKT = 0x30,
	CX5_BAD_OUTSTANDING_CQES = 0x40,
	CX5_BAD_INPUT_LEN = 0x50,
};

enum cx5_state { CX5_DISABLED, CX5_ENABLED, CX5_RUNNING };

struct cx5_command {
	uint16_t opcode, op_mod;
	const uint8_t *in;
	uint32_t in_len;
	uint8_t *out; /* zeroed; long enough for what the command's type says */
	uint32_t out_len;
	/* what the output consists of: the type's, or as the handler says */
	const struct cx5_output *output;
};

typedef enum cx5_status cx5_handler(struct connectx5 *dev, struct cx5_command *cmd);

struct cx5_command_type {
	uint16_t opcode;
	const char *name;
	cx5_handler *handler;
	uint32_t min_in, min_out; /* bytes */
	enum cx5_state state;     /* the least that the device must have reached */
	const struct cx5_output *output;
};

#define CX5_COMMAND_TYPES_MAX 96

/* Failures to order: inject.c */

#define CX5_ANY_COMMAND 0 /* no command has this number */

struct cx5_injection {
	uint16_t opcode;
	uint8_t status;
	unsigned int countdown; /* 0: unused */
	unsigned int every;     /* counts down from this the next time; 0: there's none */
};

#define CX5_INJECTIONS 16
#define CX5_HITS 256

struct cx5_injections {
	struct cx5_injection waiting[CX5_INJECTIONS];
	uint16_t hits[CX5_HITS]; /* the first commands that were hit */
	unsigned int hit_count;
};

/* Event queues: eq.c */

struct cx5_eq {
	struct connectx5 *dev;
	uint32_t num;
	struct hca_buffer buf;
	uint8_t log_size;
	uint32_t producer, consumer; /* 24-bit counters */
	bool armed, overrun;
	unsigned int vector;
	uint32_t uar;
	uint64_t mask[4]; /* event types that it takes */
	unsigned int users; /* completion queues */
	uint16_t uid; /* whose it is: a user context's, everybody's, or 0: the driver's */
	uint8_t context[CX5_EQC_LEN];
};

/* Event types. */
enum {
	CX5_EV_COMPLETION = 0x00,
	CX5_EV_PATH_MIGRATED = 0x01,
	CX5_EV_COMM_EST = 0x02,
	CX5_EV_SQ_DRAINED = 0x03,
	CX5_EV_CQ_ERROR = 0x04,
	CX5_EV_WQ_CATASTROPHIC = 0x05,
	CX5_EV_PATH_MIGRATION_FAILED = 0x07,
	CX5_EV_PORT_CHANGE = 0x09,
	CX5_EV_COMMAND = 0x0a,
	CX5_EV_PAGE_FAULT = 0x0c,
	CX5_EV_WQ_INVALID_REQUEST = 0x10,
	CX5_EV_WQ_ACCESS = 0x11,
	CX5_EV_SRQ_CATASTROPHIC = 0x12,
	CX5_EV_SRQ_LAST_WQE = 0x13,
	CX5_EV_SRQ_LIMIT = 0x14,
	CX5_EV_DCT_DRAINED = 0x1c,
};

#define CX5_EVENT_DATA 28

/* User memory: umem.c */

struct cx5_umem {
	uint32_t id;
	uint16_t uid;
	unsigned int users; /* queues and keys */
	bool writable;
	struct hca_buffer buf;
};

/* What a queue stands on, counted as its users; NULL: pages that its command listed. */
struct cx5_memory {
	struct cx5_umem *buffer, *record;
};

struct cx5_cq {
	struct hca_cq hca;
	struct cx5_memory memory;
	struct cx5_eq *eq;
	uint32_t uar;
	uint16_t uid;
	uint8_t context[CX5_CQC_LEN];
};

struct cx5_mkey {
	struct hca_mkey hca;
	struct cx5_umem *umem; /* that it covers, or NULL */
	uint16_t uid;
	uint8_t context[CX5_MKC_LEN];
};

struct cx5_qp {
	struct hca_qp hca;
	struct cx5_memory memory;
	uint64_t sq_offset; /* in the buffer */
	uint8_t log_sq_size; /* in blocks of CX5_WQEBB bytes */
	uint64_t sq_dbr;
	bool sq_without_record; /* its doorbell itself tells how far it may go: to there */
	uint16_t sq_posted;
	uint32_t uar;
	uint32_t user_index;
	uint16_t uid;
	uint8_t context[CX5_QPC_LEN]; /* of a DC target, one of its own kind */
};

#define CX5_WQEBB 64

enum cx5_srq_kind { CX5_SRQ_BASIC, CX5_SRQ_XRC, CX5_SRQ_RMP };

#define CX5_RMPC_LEN 240
#define CX5_SRQC_LEN 64

struct cx5_srq {
	struct hca_srq hca;
	struct cx5_memory memory;
	enum cx5_srq_kind kind;
	uint32_t user_index;
	uint16_t uid;
	uint8_t context[CX5_RMPC_LEN];
};

/* Numbers without a content of their own: resource.c */

enum cx5_resource { CX5_PD, CX5_XRCD, CX5_TRANSPORT_DOMAIN, CX5_UAR, CX5_RESOURCES };

struct cx5_counters {
	uint64_t commands, failed_commands, unknown_commands, injected_failures, delivery_errors;
	uint64_t events, dropped_events, interrupts, doorbells, blue_flame_writes, stray_writes;
	uint64_t page_faults;
	uint64_t user_buffers; /* of queues, on user memory */
};

struct connectx5 {
	struct sched *sched;
	struct dma *dma;
	struct fabric_node *node;
	struct fabric_port *port;
	struct connectx5_options options;
	void (*raise)(void *host, unsigned int vector);
	void *host;

	enum cx5_state state;
	uint16_t issi; /* interface step sequence: the interface's version, as the driver chose */
	struct cx5_iseg iseg;
	struct cx5_cmdq cmdq;
	struct cx5_eq *cmd_eq; /* commands complete with an event there once it was armed */
	bool cmd_events;
	uint64_t *pages; /* the firmware's share of the guest's memory: kept, unused, given back */
	uint32_t page_count, page_room;
	uint8_t max_caps[256], caps[256]; /* general: on offer, and as the driver set them */
	uint8_t odp_caps[256]; /* of on-demand paging, as the driver set them */
	bool host_endian_atomics; /* the driver has chosen so */

	struct hca hca;
	struct idtab eqs;
	struct idtab resources[CX5_RESOURCES];
	struct idtab uctxs; /* user contexts: numbers alone */
	struct idtab umems;
	uint32_t umem_pages; /* of all of them */

	struct cx5_injections injections;
	uint64_t noise; /* state of the generator for reserved fields */
	struct cx5_counters counters;
	uint64_t command_counts[CX5_COMMAND_TYPES_MAX]; /* in the order of the table of commands */
};

/* The device without its socket: raise() is called with an MSI-X vector. 0 or -errno. */
int cx5_init(struct connectx5 *dev, struct sched *sched, struct dma *dma, struct fabric_node *node,
	     const struct connectx5_options *options,
	     void (*raise)(void *host, unsigned int vector), void *host);
void cx5_destroy(struct connectx5 *dev);

/* reset.c */
/* All contexts are lost: queues, keys, events, whatever the driver has made. */
void cx5_forget_objects(struct connectx5 *dev);
/* As after power-on. */
void cx5_reset(struct connectx5 *dev);
/*
 * The firmware dies and starts anew: all contexts are lost, and no command is taken until the
 * driver, who finds out by the health buffer, sets a command queue address again.
 */
void cx5_fatal(struct connectx5 *dev);

/* BAR accesses: uar.c takes what lies above the initialization segment. */
void cx5_bar_read(struct connectx5 *dev, uint64_t offset, uint8_t *buf, size_t len);
void cx5_bar_write(struct connectx5 *dev, uint64_t offset, const uint8_t *buf, size_t len);
void cx5_iseg_read(struct connectx5 *dev, uint64_t offset, uint8_t *buf, size_t len);
void cx5_iseg_write(struct connectx5 *dev, uint64_t offset, const uint8_t *buf, size_t len);
void cx5_uar_write(struct connectx5 *dev, uint64_t offset, const uint8_t *buf, size_t len);
uint64_t cx5_timer(const struct connectx5 *dev);

void cx5_cmdq_init(struct connectx5 *dev);
void cx5_cmdq_doorbell(struct connectx5 *dev, uint32_t slots);
void cx5_cmdq_stop(struct connectx5 *dev);

/* Executes a command: the status, which is in cmd->out as well. */
enum cx5_status cx5_execute(struct connectx5 *dev, struct cx5_command *cmd);
/* By name or number; NULL: unknown. */
const struct cx5_command_type *cx5_command_find(uint16_t opcode);
const struct cx5_command_type *cx5_command_named(const char *name);
/* How often each was given, a line a command; those that never were are left out. */
void cx5_commands_print(const struct connectx5 *dev, FILE *out);
enum cx5_status cx5_status_of(int error);

/* inject.c: true with the status that somebody has ordered for this command. */
bool cx5_injected(struct connectx5 *dev, uint16_t opcode, enum cx5_status *status);
/* From now on. 0, or -EBUSY: too many wait. */
int cx5_inject(struct connectx5 *dev, const struct cx5_injection *injection);
/* Prints the names of those that were hit since this was done last, and forgets those that wait. */
void cx5_injections_end(struct connectx5 *dev, FILE *out);

/* The page list of a command from a byte on, as a queue's buffer. 0 or -errno. */
int cx5_buffer(struct hca_buffer *buf, const struct cx5_command *cmd, unsigned int at,
	       unsigned int log_page_size, unsigned int page_offset);

/* Noise for what this output's layout doesn't name. */
void cx5_noise_apply(struct connectx5 *dev, const struct cx5_output *output, uint8_t *out,
		     uint32_t len);

void cx5_caps_init(struct connectx5 *dev);

/* eq.c */
struct cx5_eq *cx5_eq_find(struct connectx5 *dev, uint32_t num);
void cx5_eq_push(struct cx5_eq *eq, unsigned int type, unsigned int sub_type,
		 const uint8_t data[CX5_EVENT_DATA]);
/* To the queue that takes this type of event, or to nobody. */
void cx5_event(struct connectx5 *dev, unsigned int type, unsigned int sub_type,
	       const uint8_t data[CX5_EVENT_DATA]);
void cx5_eq_doorbell(struct connectx5 *dev, uint32_t uar, uint32_t word, bool arm);
void cx5_eq_free(struct cx5_eq *eq);

/* events.c, wqe.c, umr.c, cqe.c, paging.c: the engine's view of this chip. */
extern const struct hca_ops cx5_hca_ops;
void cx5_completion_event(struct hca_cq *cq);
void cx5_affiliated_event(struct hca *hca, enum hca_event event, uint32_t number);
void cx5_port_event(struct hca *hca, enum port_event event);
enum hca_fetch cx5_fetch_send(struct hca_qp *qp, uint16_t index, struct hca_send_wr *wr);
/* Where a work request that begins with this control segment ends: the index of the next block. */
uint16_t cx5_wqe_end(const uint8_t *ctrl);
bool cx5_decode_recv(const struct hca_rq *rq, const uint8_t *wqe, struct hca_recv_wr *wr);
enum hca_status cx5_execute_local(struct hca_qp *qp, const struct hca_send_wr *wr);
void cx5_page_fault(const struct hca_page_fault *fault);
void cx5_encode_cqe(const struct hca_cq *cq, const struct hca_wc *wc, bool owner, uint8_t *cqe);

static inline struct connectx5 *cx5_of(const struct hca *hca)
{
	return hca->chip;
}

/* resource.c: takes or gives back a reference; false: no such number. */
bool cx5_resource_get(struct connectx5 *dev, enum cx5_resource kind, uint32_t num);
void cx5_resource_put(struct connectx5 *dev, enum cx5_resource kind, uint32_t num);
/* Whose it is; NULL: no such number. */
uint16_t *cx5_resource_owner(struct connectx5 *dev, enum cx5_resource kind, uint32_t num);
bool cx5_uar_exists(struct connectx5 *dev, uint32_t num);
int cx5_resources_init(struct connectx5 *dev);
void cx5_resources_forget(struct connectx5 *dev);
void cx5_resources_destroy(struct connectx5 *dev);

/* qp.c: not for DC targets, which share the numbers. NULL: no such queue pair. */
struct cx5_qp *cx5_qp_find(struct connectx5 *dev, uint32_t num);

/* uctx.c: may this command's user context do that? And then what it has made is its own. */
enum cx5_status cx5_uctx_check(struct connectx5 *dev, const struct cx5_command *cmd);
void cx5_uctx_own(struct connectx5 *dev, const struct cx5_command *cmd);
void cx5_uctxs_forget(struct connectx5 *dev);

/* Of a command; 0: the driver's own. */
uint16_t cx5_uid_of(const struct cx5_command *cmd);
bool cx5_uctx_reaches(uint16_t uid, uint16_t owner);

/* umem.c: where a user context says that something lies in user memory. */
struct cx5_umem_place {
	uint16_t uid;
	uint32_t id;
	uint64_t offset;
};

/*
 * A part of it becomes a queue's buffer, or the place of its record. 0, -ENOENT: no such memory in
 * this context's reach, -EINVAL: it hasn't so much there, or the device writes to a buffer that is
 * for reading only.
 */
int cx5_umem_buffer(struct connectx5 *dev, struct cx5_umem_place place, uint64_t len, bool writes,
		    struct cx5_memory *memory, struct hca_buffer *buf);
int cx5_umem_record(struct connectx5 *dev, struct cx5_umem_place place, struct cx5_memory *memory,
		    uint64_t *bus);
/* The queue is gone, or wasn't made. */
void cx5_memory_release(struct cx5_memory *memory);
/* The list of a key that covers what lies there. 0, or as above. */
int cx5_umem_cover(struct connectx5 *dev, struct cx5_umem_place place, struct cx5_mkey *mkey);
void cx5_umems_forget(struct connectx5 *dev);

/* connection.c: from a queue pair's context to the engine, and back. */
void cx5_connection_apply(struct cx5_qp *qp);
void cx5_connection_refresh(struct cx5_qp *qp);
/* mkey.c: what a context says, but for the translation. */
void cx5_mkey_decode(struct hca_mkey *mkey, const uint8_t *mkc);

/* mkey_list.c: what lies behind a memory key, or a piece of it. */
struct cx5_list {
	const uint8_t *entries;
	uint32_t first, octwords; /* units of 16 bytes */
	bool replaces;            /* it's the whole list */
	bool present;             /* its pages are all there, whatever their flags say */
};

/* 0 or -EINVAL: too many. */
int cx5_list_set_room(struct hca_mkey *mkey, uint32_t octwords);
bool cx5_list_fits(const struct hca_mkey *mkey, const struct cx5_list *list);
/*
 * It fits, and hca_mkey_reserve() was called. Of pages and blocks, cx5_list_reach() says in advance
 * how many entries there will be.
 */
void cx5_list_put(struct hca_mkey *mkey, const struct cx5_list *list);
void cx5_list_reach(struct hca_mkey *mkey, const struct cx5_list *list);
/* The begin of the list; of pages, the addresses alone. */
void cx5_list_get(const struct hca_mkey *mkey, uint8_t *entries, uint32_t octwords);

/* Unmakes an object; 0 or -EBUSY. */
int cx5_cq_free(struct connectx5 *dev, struct cx5_cq *cq);
int cx5_qp_free(struct connectx5 *dev, struct cx5_qp *qp);
void cx5_dct_free(struct connectx5 *dev, struct cx5_qp *dct);
int cx5_srq_free(struct connectx5 *dev, struct cx5_srq *srq);
void cx5_mkey_free(struct connectx5 *dev, struct cx5_mkey *mkey);

/* adapter.c */
cx5_handler cx5_enable_hca, cx5_disable_hca, cx5_init_hca, cx5_teardown_hca;
cx5_handler cx5_query_issi, cx5_set_issi, cx5_query_adapter, cx5_query_lag,
	cx5_query_special_contexts;
/* caps.c */
cx5_handler cx5_query_hca_cap, cx5_set_hca_cap;
/* pages.c */
cx5_handler cx5_query_pages, cx5_manage_pages;
/* resource.c */
cx5_handler cx5_alloc_pd, cx5_dealloc_pd, cx5_alloc_xrcd, cx5_dealloc_xrcd;
cx5_handler cx5_alloc_transport_domain, cx5_dealloc_transport_domain;
cx5_handler cx5_alloc_uar, cx5_dealloc_uar;
/* paging.c */
cx5_handler cx5_page_fault_resume;
/* eq.c */
cx5_handler cx5_create_eq, cx5_destroy_eq, cx5_query_eq;
/* cq.c */
cx5_handler cx5_create_cq, cx5_destroy_cq, cx5_query_cq, cx5_modify_cq;
/* mkey.c */
cx5_handler cx5_create_mkey, cx5_destroy_mkey, cx5_query_mkey;
/* qp.c, modify_qp.c */
cx5_handler cx5_create_qp, cx5_destroy_qp, cx5_query_qp, cx5_modify_qp;
/* uctx.c */
cx5_handler cx5_create_uctx, cx5_destroy_uctx;
/* umem.c */
cx5_handler cx5_create_umem, cx5_destroy_umem;
/* dct.c */
cx5_handler cx5_create_dct, cx5_destroy_dct, cx5_drain_dct, cx5_query_dct;
/* srq.c */
cx5_handler cx5_create_srq, cx5_destroy_srq, cx5_query_srq, cx5_arm_srq;
/* rmp.c */
cx5_handler cx5_create_rmp, cx5_destroy_rmp, cx5_query_rmp, cx5_modify_rmp;
/* mcg.c */
cx5_handler cx5_attach_to_mcg, cx5_detach_from_mcg;
/* mad_ifc.c */
cx5_handler cx5_mad_ifc, cx5_query_vport_context;
/* access_register.c */
cx5_handler cx5_access_register;

#endif
