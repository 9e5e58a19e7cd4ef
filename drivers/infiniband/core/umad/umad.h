/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * ib_umad: management datagrams (MADs) for user programs. See
 * Documentation/infiniband/user_mad.rst.
 *
 * Objects and who keeps them alive:
 *
 *  umad_device   one for each RDMA device that has a port with MADs; from the client's add to
 *		  its remove. Owns one reference on each of its ports.
 *  umad_port	  referenced by its umad_device, by each open umadN and by each open issmN. It
 *		  outlives an unplug as long as a file is open; its ib_device doesn't, see @gone.
 *  umad_file	  one for each open() of umadN; freed by the last close, after its agents.
 *  umad_agent	  a slot of umad_file. ib_unregister_mad_agent() returns after the last handler, so
 *		  a handler may use the agent and its file.
 *  umad_packet	  owned by the write() that makes it, then by ib_mad until the send's completion,
 *		  then (if timed out, or received) by the queue, then by the read() that takes it.
 *
 * The class devices and cdevs are separate allocations that the driver core frees by itself: a
 * netlink query or an open() under way may hold on to them for longer than this module is
 * loaded.
 *
 * Locks, outermost first: umad_port.lock, umad_file.lock, then either umad_queue.lock or
 * umad_transactions.lock. MAD handlers take none but the last two, so that they can't deadlock
 * with somebody who waits for a handler's end. No lock is held while user memory is accessed: a
 * page fault there can last as long as a hostile program likes.
 */
#ifndef UMAD_H
#define UMAD_H

#include <linux/device.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/rbtree_types.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_user_mad.h>

#define UMAD_MAX_AGENTS		32	/* for each open file */
#define UMAD_MAX_PORTS		8192	/* as many as ib_core can have */
#define UMAD_QUEUE_LIMIT	200000	/* packets that may wait for a file's reader */

/* ---- message.c: sizes and offsets, pure ---- */

/* The old header is the new one without its end, so that one copy serves both. */
static_assert(sizeof(struct ib_user_mad_hdr_old) == 56);
static_assert(sizeof(struct ib_user_mad_hdr) == 64);
static_assert(offsetof(struct ib_user_mad_hdr, pkey_index) == sizeof(struct ib_user_mad_hdr_old));

/**
 * struct umad_layout - where the parts of a message to be sent are
 * @hdr_len: bytes before the data of the class: MAD, RMPP and class header
 * @data_len: bytes of data, of all segments together
 * @copy_offset: the user's bytes between the MAD header and this offset are ignored
 * @segmented: ib_mad shall send the data as RMPP segments
 */
struct umad_layout {
	int hdr_len;
	int data_len;
	int copy_offset;
	bool segmented;
};

/**
 * struct umad_span - the part of a received segment that belongs to the message
 * @offset: its start in the segment, bytes
 * @len: its length, bytes
 */
struct umad_span {
	size_t offset;
	size_t len;
};

size_t umad_hdr_size(bool pkey_index);
int umad_layout(size_t length, int data_offset, bool kernel_rmpp, bool active,
		struct umad_layout *layout);
__be64 umad_compose_tid(u32 hi_tid, __be64 tid);
int umad_check_room(size_t room, size_t length, size_t seg_size);
struct umad_span umad_span(size_t length, size_t done, size_t seg_size, size_t data_offset);

/* ---- registration.c: what a program asks for, pure ---- */

/**
 * struct umad_registration - a checked registration request
 * @qp_type: IB_QPT_SMI or IB_QPT_GSI
 * @unsolicited: the agent wants requests too, those of @req
 * @req: class, version, OUI and methods
 * @rmpp_version: 0, or the RMPP version that the agent speaks
 * @flags: IB_MAD_USER_RMPP or 0
 */
struct umad_registration {
	enum ib_qp_type qp_type;
	bool unsolicited;
	struct ib_mad_reg_req req;
	u8 rmpp_version;
	u32 flags;
};

int umad_parse_reg_req(const struct ib_user_mad_reg_req *ureq, bool compat,
		       struct umad_registration *reg);
int umad_parse_reg_req2(const struct ib_user_mad_reg_req2 *ureq, struct umad_registration *reg);

/* ---- packet.c ---- */

/**
 * struct umad_packet - a MAD on its way from or to the program
 * @node: in umad_queue.packets
 * @transaction: of an outstanding send, in umad_transactions.sends
 * @hdr: as written by the program, or as it will be read
 * @recv_wc: a received MAD, to be freed with the packet; NULL for one that was sent
 * @mad_hdr: of one that was sent: the MAD header as it was sent, which the reader gets if it
 *	times out
 * @response: of one that was sent: it's a response
 * @outstanding: a send that hasn't been answered, and isn't complete
 */
struct umad_packet {
	union {
		struct list_head node;
		struct rb_node transaction;
	};
	struct ib_user_mad_hdr hdr;
	struct ib_mad_recv_wc *recv_wc;
	struct ib_mad_hdr mad_hdr;
	bool response;
	bool outstanding;
};

static_assert(sizeof_field(struct umad_packet, mad_hdr) == IB_MGMT_MAD_HDR);

void umad_packet_free(struct umad_packet *packet);

/* ---- transaction.c: the outstanding sends of a file, pure ---- */

/**
 * struct umad_transactions - the outstanding sends of a file
 * @lock: guards @sends, and umad_packet.outstanding of what is in it
 * @sends: of struct umad_packet, by what makes two the same transaction; programs can have very
 *	many
 */
struct umad_transactions {
	spinlock_t lock; /* see above */
	struct rb_root sends;
};

void umad_transactions_init(struct umad_transactions *transactions);
int umad_transaction_begin(struct umad_transactions *transactions, struct umad_packet *packet,
			   bool shared);
void umad_transaction_end(struct umad_transactions *transactions, struct umad_packet *packet);

/* ---- queue.c: what waits for the reader, pure ---- */

/**
 * struct umad_queue - packets that wait for a file's reader, first in first out
 * @lock: guards all but @wait
 * @packets: of struct umad_packet
 * @length: of @packets
 * @dead: the port is gone, and there is nothing to be read any more
 * @wait: readers and pollers
 */
struct umad_queue {
	spinlock_t lock; /* see above */
	struct list_head packets;
	unsigned int length;
	bool dead;
	wait_queue_head_t wait;
};

void umad_queue_init(struct umad_queue *queue);
bool umad_queue_add_received(struct umad_queue *queue, struct umad_packet *packet);
void umad_queue_add_timed_out(struct umad_queue *queue, struct umad_packet *packet);
struct umad_packet *umad_queue_take(struct umad_queue *queue);
void umad_queue_put_back(struct umad_queue *queue, struct umad_packet *packet);
bool umad_queue_ready(struct umad_queue *queue);
void umad_queue_kill(struct umad_queue *queue);
__poll_t umad_queue_events(struct umad_queue *queue);

/* ---- node.c: device numbers, device nodes ---- */

/**
 * struct umad_node - a character device with its device in class infiniband_mad
 * @cdev: NULL if the node doesn't exist
 * @dev: its class device
 */
struct umad_node {
	struct cdev *cdev;
	struct device *dev;
};

int umad_nodes_init(void);
void umad_nodes_exit(void);
u32 umad_node_port_number(dev_t devt);

/* ---- port.c ---- */

/**
 * struct umad_port - a port that has MADs
 * @ref: see the top of this file
 * @number: the N of umadN and issmN
 * @ib_dev: valid while @gone is false (and @lock or a live file's lock is held), and for sysfs,
 *	which is drained before the device goes
 * @port_num: of @ib_dev
 * @umad: the node umadN
 * @issm: the node issmN, if the port has subnet management
 * @dropped: received MADs that couldn't be given to a reader
 * @lock: guards @gone, @files and @sm_held
 * @gone: the device was unplugged
 * @files: of struct umad_file
 * @sm_held: somebody has issmN open
 * @sm_wait: openers of issmN that wait for their turn
 */
struct umad_port {
	struct kref ref;
	u32 number;
	struct ib_device *ib_dev;
	u32 port_num;
	struct umad_node umad;
	struct umad_node issm;
	atomic64_t dropped;
	struct mutex lock; /* see above */
	bool gone;
	struct list_head files;
	bool sm_held;
	wait_queue_head_t sm_wait;
};

struct umad_port *umad_port_create(struct ib_device *ib_dev, u32 port_num);
void umad_port_remove(struct umad_port *port);
struct umad_port *umad_port_get(dev_t devt);
void umad_port_put(struct umad_port *port);

int umad_node_create(struct umad_node *node, struct umad_port *port, bool issm);
void umad_node_destroy(struct umad_node *node);

/* ---- nl_info.c ---- */

/**
 * struct umad_device - the ports of an RDMA device
 * @count: how many they are
 * @ports: from the device's first port on; NULL for those without MADs
 */
struct umad_device {
	u32 count;
	struct umad_port *ports[] __counted_by(count);
};

int umad_get_nl_info(struct ib_device *ib_dev, void *client_data, struct ib_client_nl_info *info);
int umad_issm_get_nl_info(struct ib_device *ib_dev, void *client_data,
			  struct ib_client_nl_info *info);

/* ---- issm.c ---- */

extern const struct file_operations umad_issm_fops;

void umad_issm_unplug(struct umad_port *port);

/* ---- file.c, agent.c, receive.c, read.c, send.c ---- */

struct umad_file;

/**
 * struct umad_agent - a slot for an agent; its index is the id that the program knows
 * @file: the file that the slot belongs to
 * @mad_agent: NULL while the slot is free; guarded by umad_file.lock
 */
struct umad_agent {
	struct umad_file *file;
	struct ib_mad_agent *mad_agent;
};

/**
 * struct umad_file - an open umadN
 * @port: referenced
 * @node: in umad_port.files
 * @lock: guards what follows up to @agents. A file that isn't @gone, while its lock is held, keeps
 *	the RDMA device: unplug goes through the lock of each file before it lets the device go
 * @gone: the device was unplugged
 * @registered: an agent was registered once, the header's form can't change any more
 * @pkey_index: headers have a P_Key index (struct ib_user_mad_hdr, else ib_user_mad_hdr_old)
 * @agents: by id
 * @queue: what waits for the reader
 * @transactions: the outstanding sends
 */
struct umad_file {
	struct umad_port *port;
	struct list_head node;
	struct mutex lock; /* see above */
	bool gone;
	bool registered;
	bool pkey_index;
	struct umad_agent agents[UMAD_MAX_AGENTS];
	struct umad_queue queue;
	struct umad_transactions transactions;
};

extern const struct file_operations umad_fops;

void umad_file_unplug(struct umad_file *file);

long umad_register_agent(struct umad_file *file, struct ib_user_mad_reg_req __user *arg,
			 bool compat);
long umad_register_agent2(struct umad_file *file, struct ib_user_mad_reg_req2 __user *arg);
long umad_unregister_agent(struct umad_file *file, const u32 __user *arg);
void umad_unregister_all(struct umad_file *file);

void umad_recv_handler(struct ib_mad_agent *mad_agent, struct ib_mad_send_buf *send_buf,
		       struct ib_mad_recv_wc *recv_wc);
void umad_send_handler(struct ib_mad_agent *mad_agent, struct ib_mad_send_wc *send_wc);
ssize_t umad_read(struct file *filp, char __user *buf, size_t count, loff_t *pos);
ssize_t umad_write(struct file *filp, const char __user *buf, size_t count, loff_t *pos);

#endif
