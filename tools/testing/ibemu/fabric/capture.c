// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Captures packets into a pcap file, with both CRCs, as they stand on the wire. Without a port
 * selected, each packet is written once: as it leaves its source (loopback included). With one, as
 * it enters a link at either end of that port's cable. A filter strikes afterwards: what it drops
 * or damages is in the file, and whole.
 *
 * tshark 4.4 has no use for pcap's own link type of InfiniBand (247), but takes InfiniBand in the
 * records of ERF, the "extensible record format", inside pcap: a header of 16 bytes before each
 * packet.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "fabric/model.h"

#define MAGIC_NANOSECONDS 0xa1b23c4du
#define LINKTYPE_ERF 197
#define ERF_HEADER_LEN 16
#define ERF_TYPE_INFINIBAND 21
#define ERF_VARIABLE_LENGTH 0x04
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

int capture_start(struct fabric *fabric, const char *path, const struct fabric_node *node,
		  unsigned int port_num)
{
	struct file_header header = { MAGIC_NANOSECONDS, 2, 4, 0, 0, SNAP_LEN, LINKTYPE_ERF };
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

static void put_le(uint8_t *p, uint64_t value, unsigned int len)
{
	for (unsigned int i = 0; i < len; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

/* Its time is a little-endian fixed-point number of seconds, its lengths are big-endian. */
static void fill_erf_header(uint8_t *erf, uint64_t time_ns, uint16_t len)
{
	memset(erf, 0, ERF_HEADER_LEN);
	put_le(erf, (time_ns % NSEC_PER_SEC << 32) / NSEC_PER_SEC, 4);
	put_le(erf + 4, time_ns / NSEC_PER_SEC, 4);
	erf[8] = ERF_TYPE_INFINIBAND;
	erf[9] = ERF_VARIABLE_LENGTH;
	put_be16(erf + 10, (uint16_t)(ERF_HEADER_LEN + len));
	put_be16(erf + 14, len);
}

static bool write_record(FILE *file, uint64_t time_ns, const struct packet *packet)
{
	uint32_t icrc = packet_icrc(packet), len = packet->len + ICRC_LEN + VCRC_LEN,
		 record_len = ERF_HEADER_LEN + len;
	struct record_header header = {
		(uint32_t)(time_ns / NSEC_PER_SEC),
		(uint32_t)(time_ns % NSEC_PER_SEC),
		record_len,
		record_len,
	};
	uint8_t erf[ERF_HEADER_LEN], crcs[ICRC_LEN + VCRC_LEN];

	fill_erf_header(erf, time_ns, (uint16_t)len);
	put_le(crcs, icrc, ICRC_LEN);
	put_le(crcs + ICRC_LEN, packet_vcrc(packet, icrc), VCRC_LEN);
	return fwrite(&header, sizeof(header), 1, file) && fwrite(erf, sizeof(erf), 1, file) &&
	       fwrite(packet->data, packet->len, 1, file) && fwrite(crcs, sizeof(crcs), 1, file);
}

/* Flushed at once: somebody may be reading along. */
static void write_packet(struct fabric *fabric, const struct packet *packet)
{
	struct capture *capture = fabric->capture;

	if (capture->failed)
		return;
	if (!write_record(capture->file, sched_now_ns(fabric->sched), packet) ||
	    fflush(capture->file)) {
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
	return port->node == capture->node &&
	       (!capture->port_num || port->num == capture->port_num);
}

void capture_on_link(const struct fabric_port *from, const struct packet *packet)
{
	const struct capture *capture = port_fabric(from)->capture;

	if (capture->node && (selected(capture, from) || selected(capture, from->peer)))
		write_packet(port_fabric(from), packet);
}
