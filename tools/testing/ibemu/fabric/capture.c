// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Captures packets into a pcap file, with both CRCs, as they stand on the wire. Without a port selected, each packet
 * is written once: as it leaves its source (loopback included). With one, as it enters a link at either end of
 * that port's cable. A filter strikes afterwards: what it drops or damages is in the file, and whole.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "fabric/model.h"

#define MAGIC_NANOSECONDS 0xa1b23c4du
#define LINKTYPE_INFINIBAND 247
#define SNAP_LEN 65535

/* Both in the byte order of the machine, as pcap wants it. */
struct file_header {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t zone, accuracy, snap_len, link_type;
};

struct record_header {
	uint32_t seconds, nanoseconds, captured_len, len;
};

struct capture {
	FILE *file;
	const struct fabric_node *node; /* NULL: all packets, at their source */
	unsigned int port_num;          /* 0: all ports of the node */
	bool failed;
};

int capture_start(struct fabric *fabric, const char *path, const struct fabric_node *node, unsigned int port_num)
{
	struct file_header header = { MAGIC_NANOSECONDS, 2, 4, 0, 0, SNAP_LEN, LINKTYPE_INFINIBAND };
	struct capture *capture = calloc(1, sizeof(*capture));
	int err;

	if (!capture)
		return -ENOMEM;
	capture->node = node;
	capture->port_num = port_num;
	capture->file = fopen(path, "wbe");
	if (!capture->file) {
		err = -errno;
		free(capture);
		return err;
	}
	if (fwrite(&header, sizeof(header), 1, capture->file) != 1 || fflush(capture->file)) {
		err = -errno;
		fclose(capture->file);
		free(capture);
		return err;
	}
	capture_stop(fabric);
	fabric->capture = capture;
	return 0;
}

void capture_stop(struct fabric *fabric)
{
	if (!fabric->capture)
		return;
	fclose(fabric->capture->file);
	free(fabric->capture);
	fabric->capture = NULL;
}

/* Flushed at once: somebody may be reading along. */
static void write_packet(struct fabric *fabric, const struct packet *packet)
{
	struct capture *capture = fabric->capture;
	uint64_t now = sched_now_ns(fabric->sched);
	uint32_t icrc = packet_icrc(packet), len = packet->len + ICRC_LEN + VCRC_LEN;
	uint16_t vcrc = packet_vcrc(packet, icrc);
	struct record_header header = { (uint32_t)(now / NSEC_PER_SEC), (uint32_t)(now % NSEC_PER_SEC), len, len };
	uint8_t crcs[ICRC_LEN + VCRC_LEN] = {
		(uint8_t)icrc, (uint8_t)(icrc >> 8), (uint8_t)(icrc >> 16), (uint8_t)(icrc >> 24), (uint8_t)vcrc, (uint8_t)(vcrc >> 8),
	};

	if (capture->failed)
		return;
	if (fwrite(&header, sizeof(header), 1, capture->file) != 1 || fwrite(packet->data, packet->len, 1, capture->file) != 1 ||
	    fwrite(crcs, sizeof(crcs), 1, capture->file) != 1 || fflush(capture->file)) {
		log_warn("capture: can't write, no more packets are captured: %s", strerror(errno));
		capture->failed = true;
	}
}

void capture_originated(struct fabric *fabric, const struct packet *packet)
{
	if (!fabric->capture->node)
		write_packet(fabric, packet);
}

static bool selected(const struct capture *capture, const struct fabric_port *port)
{
	return port->node == capture->node && (!capture->port_num || port->num == capture->port_num);
}

void capture_on_link(const struct fabric_port *from, const struct packet *packet)
{
	const struct capture *capture = port_fabric(from)->capture;

	if (capture->node && (selected(capture, from) || selected(capture, from->peer)))
		write_packet(port_fabric(from), packet);
}
