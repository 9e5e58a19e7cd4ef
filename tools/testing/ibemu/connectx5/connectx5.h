/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * An emulated ConnectX-5 (15b3:1017) with one InfiniBand port: the face that a node of the fabric
 * shows to a guest, as a PCI device on a vfio-user socket.
 */
#ifndef IBEMU_CONNECTX5_H
#define IBEMU_CONNECTX5_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/loop.h"
#include "fabric/fabric.h"

struct connectx5;

struct connectx5_options {
	bool fuzz_reserved; /* noise in all reserved fields of command outputs ... */
	uint64_t fuzz_seed; /* ... of this seed */
};

/*
 * The node's port 1 is taken over until connectx5_destroy(); the port's state stays with the
 * fabric. options may be NULL. NULL with errno set.
 */
struct connectx5 *connectx5_create(struct loop *loop, struct fabric_node *node,
				   const char *socket_path,
				   const struct connectx5_options *options);
void connectx5_destroy(struct connectx5 *dev);

/*
 * One command of ibemuctl that concerns this device, split into words; writes the answer to out:
 *   statistics                                  live objects, and counters
 *   objects                                     the first alone
 *   commands                                    how often each was given
 *   fatal                                       the firmware dies: health syndrome and fatal state
 *   fail-command NAME|OPCODE|any STATUS [nth N] [every N]
 *                                               the nth such command from now ends so; once, or
 *                                               then each Nth
 *   failures                                    the names of commands that were hit since this was
 *                                               asked last; those that wait are forgotten
 *   reuse-numbers on|off                        of queues: freed ones go out again at once, or not
 * 0, -EINVAL with a message in out, or -ENOENT: not a command of the device.
 */
int connectx5_control(struct connectx5 *dev, int argc, char **argv, FILE *out);

/* Asks the guest to let go of the device. 0 or -errno: nobody listens. */
int connectx5_unplug(struct connectx5 *dev);
/* Pulls the device out of its slot without notice, or puts it back; see vfu_set_present(). */
void connectx5_set_present(struct connectx5 *dev, bool present);

#endif
