// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <linux/slab.h>

#include "umad.h"

/**
 * umad_packet_free - free a packet and the received MAD that it may hold
 * @packet: in no queue, and no longer outstanding
 */
void umad_packet_free(struct umad_packet *packet)
{
	if (packet->recv_wc)
		ib_free_recv_mad(packet->recv_wc);
	kfree(packet);
}
