// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The pool of packets, and what makes one well-formed. */
#include <stdlib.h>

#include "fabric/mad.h"
#include "fabric/wire.h"

#define POOL_MAX 4096
#define MAD_PACKET_LEN (LRH_LEN + BTH_LEN + DETH_LEN + 256)

static struct packet *pool;
static unsigned int pool_len;

struct packet *packet_alloc(void)
{
	struct packet *packet = pool;

	if (packet) {
		pool = packet->next;
		pool_len--;
	} else {
		packet = malloc(sizeof(*packet));
		if (!packet)
			return NULL;
	}
	memset(packet, 0, offsetof(struct packet, data));
	return packet;
}

struct packet *packet_clone(const struct packet *packet)
{
	struct packet *clone = packet_alloc();

	if (!clone)
		return NULL;
	memcpy(clone, packet, offsetof(struct packet, data) + packet->len);
	clone->next = NULL;
	return clone;
}

void packet_free(struct packet *packet)
{
	if (!packet)
		return;
	if (pool_len == POOL_MAX) {
		free(packet);
		return;
	}
	packet->next = pool;
	pool = packet;
	pool_len++;
}

void packet_drain_pool(void)
{
	while (pool) {
		struct packet *next = pool->next;

		free(pool);
		pool = next;
	}
	pool_len = 0;
}

bool packet_is_sane(const struct packet *packet)
{
	uint8_t lnh;

	if (packet->len < LRH_LEN || packet->len > PACKET_MAX || packet->len % 4)
		return false;
	lnh = lrh_lnh(packet);
	if ((lnh != LNH_BTH && lnh != LNH_GRH) || (packet->data[0] & 0xf))
		return false;
	return packet->len >= bth_at(packet) + BTH_LEN &&
	       lrh_words(packet) == (packet->len + ICRC_LEN) / 4;
}

uint8_t *packet_mad(struct packet *packet)
{
	unsigned int bth = bth_at(packet);

	if (packet->len != MAD_PACKET_LEN - LRH_LEN + bth ||
	    packet->data[bth] != OPCODE_UD_SEND_ONLY)
		return NULL;
	return packet->data + bth + BTH_LEN + DETH_LEN;
}
