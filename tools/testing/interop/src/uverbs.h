/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef INTEROP_UVERBS_H
#define INTEROP_UVERBS_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl.h>

/*
 * A client of /dev/infiniband/uverbsN without any library: commands, either written or wrapped in
 * an ioctl, and the ioctl's own methods. Calls return what the system call returns.
 */

/* How commands travel. */
enum road { BY_WRITE, BY_IOCTL };
extern enum road road;

#define EXTENDED(number) (IB_USER_VERBS_CMD_FLAG_EXTENDED | (number))

/**
 * struct command - one of those that write() knows
 * @number: with the flag, if it is an extended one
 * @in: the request, without any header. If there's a response, and it isn't an extended command,
 *	the first eight bytes are overwritten with its address
 * @in_len: its size
 * @out: the response
 * @out_len: its size
 * @driver_in: what follows the request, for the driver
 * @driver_in_len: its size
 * @driver_out: what follows the response, from the driver
 * @driver_out_len: its size
 */
struct command {
	uint32_t number;
	const void *in;
	size_t in_len;
	void *out;
	size_t out_len;
	const void *driver_in;
	size_t driver_in_len;
	void *driver_out;
	size_t driver_out_len;
};

/* Headers as they should be, and the request: what is written. Returns its length. */
size_t command_frame(const struct command *command, void *frame, void *response);
int command_write(int fd, const struct command *command);
int command_ioctl(int fd, const struct command *command);
int command_send(int fd, const struct command *command);

/* A command whose structures are named by type. */
#define COMMAND(fd, which, in_, out_) \
	command_send(fd, &(struct command){ .number = which, .in = in_, .in_len = sizeof(*(in_)), \
					    .out = out_, .out_len = sizeof(*(out_)) })
/* One that answers nothing. */
#define ORDER(fd, which, in_) \
	command_send(fd, &(struct command){ .number = which, .in = in_, .in_len = sizeof(*(in_)) })

/* Room for what a driver adds to an answer: where queues can be mapped, and numbers. */
struct driver_room {
	uint64_t words[8];
};

int command_with_room(int fd, uint32_t number, const void *in, size_t in_len, void *out,
		      size_t out_len, struct driver_room *room);
/* The same for drivers that answer more than the core does, and need room for it. */
#define COMMAND_WITH_ROOM(fd, which, in_, out_) \
	command_with_room(fd, which, in_, sizeof(*(in_)), out_, sizeof(*(out_)), \
			  &(struct driver_room){})

#define MAX_ATTRS 40

/* An ioctl that is being put together. */
struct method {
	struct ib_uverbs_ioctl_hdr hdr;
	struct ib_uverbs_attr attrs[MAX_ATTRS];
};

struct method method_of(uint16_t object, uint16_t number);
/* Each adds an attribute and returns it; @id may carry OPTIONAL. */
#define OPTIONAL 0x8000
struct ib_uverbs_attr *attr_in(struct method *method, uint16_t id, const void *data, size_t len);
struct ib_uverbs_attr *attr_out(struct method *method, uint16_t id, void *data, size_t len);
struct ib_uverbs_attr *attr_const(struct method *method, uint16_t id, uint64_t value);
/* A handle or a file descriptor; for a new one, the value is found in the attribute afterwards. */
struct ib_uverbs_attr *attr_id(struct method *method, uint16_t id, int64_t value);
int method_call(int fd, struct method *method);

/* --- a client that has got a context */

/**
 * struct client - a file with a context
 * @fd: of the file
 * @async_fd: where its events are read
 * @comp_vectors: so many CQs may be served at once
 * @map_offset: what the driver added to that: nullhca, where its page can be mapped
 */
struct client {
	int fd;
	int async_fd;
	uint32_t comp_vectors;
	uint64_t map_offset;
};

/* The device of PORT_A: its name, the path of its node, and the driver's number. */
const char *device_name(void);
const char *device_path(void);
uint32_t driver_id(void);
bool device_is_null(void);

int open_device(void);
struct client open_client(void);
void close_client(struct client *client);
int get_context(int fd, struct client *client);

/*
 * Objects, made and destroyed by commands. try_*: returns as the system call, the handle is left in
 * *handle. The others end the process if it fails.
 */
int try_pd(int fd, uint32_t *handle);
int try_mr(int fd, uint32_t pd, uint64_t address, uint64_t length, uint32_t access,
	   struct ib_uverbs_reg_mr_resp *resp);
int try_mw(int fd, uint32_t pd, uint32_t *handle);
int try_cq(int fd, uint32_t cqe, int channel, uint64_t user_handle, uint32_t *handle);
int try_channel(int fd, int *channel);
int try_srq(int fd, uint32_t pd, uint32_t max_wr, uint64_t user_handle, uint32_t *handle);
int try_ah(int fd, uint32_t pd, uint32_t *handle);
int try_xrcd(int fd, int file, int oflags, uint32_t *handle);
int try_qp(int fd, const struct ib_uverbs_create_qp *in, struct ib_uverbs_create_qp_resp *resp);

uint32_t new_pd(int fd);
uint32_t new_mr(int fd, uint32_t pd, void *address, size_t length);
uint32_t new_cq(int fd, int channel, uint64_t user_handle);
int new_channel(int fd);
/* For a thread: reads from the event file *@fd until there's an event or an error; the errno. */
void *read_until_error(void *fd);
uint32_t new_srq(int fd, uint32_t pd, uint64_t user_handle);

/* A small QP that reports to one CQ; types as in the wire protocol. */
enum { QPT_RC = 2, QPT_UC = 3, QPT_UD = 4, QPT_XRC_INI = 9, QPT_XRC_TGT = 10 };
struct ib_uverbs_create_qp qp_request(uint32_t pd, uint32_t cq, uint8_t type);
uint32_t new_qp(int fd, uint32_t pd, uint32_t cq, uint8_t type);
uint32_t new_qp_number(int fd, uint32_t pd, uint32_t cq, uint8_t type, uint32_t *qpn);

/* Orders whose request is but a handle: DEALLOC_PD, DEREG_MR and the like. */
int drop(int fd, uint32_t number, uint32_t handle);
int destroy_cq(int fd, uint32_t handle, struct ib_uverbs_destroy_cq_resp *resp);
int destroy_qp(int fd, uint32_t handle, uint32_t *events);
int destroy_srq(int fd, uint32_t handle, uint32_t *events);

/* RESET, INIT, RTR, RTS: up to that state, connected to the port itself. */
void raise_qp(int fd, uint32_t handle, uint8_t type, uint32_t qpn, uint8_t state);
void reset_qp(int fd, uint32_t handle);

/* --- what the device shows outside */

/* Writes to a control of nullhca, or reads it. */
void null_set(const char *control, long long value);
long long null_get(const char *control);
/* From now on, the @nth call of an operation fails. */
void null_fail(const char *operation, unsigned int nth, int error);

#endif
