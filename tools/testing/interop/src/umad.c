// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <arpa/inet.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "check.h"
#include "umad.h"

enum { RECEIVE_LIMIT_MS = 30000 };

const struct agent_spec server_spec = {
	.qpn = GSI_QPN,
	.mgmt_class = CLASS_VENDOR_0X30,
	.class_version = 1,
	.methods = { METHOD_BIT(METHOD_GET) | METHOD_BIT(METHOD_SET) | METHOD_BIT(METHOD_SEND) },
	.oui = TEST_OUI,
};

const struct agent_spec client_spec = { .qpn = GSI_QPN };

int agent_register(int fd, const struct agent_spec *spec)
{
	enum { BITS = 8 * sizeof(long) };
	struct ib_user_mad_reg_req request = {
		.id = ~0u,
		.qpn = spec->qpn,
		.mgmt_class = spec->mgmt_class,
		.mgmt_class_version = spec->class_version,
		.oui = { spec->oui >> 16, spec->oui >> 8, spec->oui },
		.rmpp_version = spec->rmpp_version,
	};

	for (int method = 0; method < 128; method++)
		if (spec->methods[method / 64] & METHOD_BIT(method % 64))
			request.method_mask[method / BITS] |= 1ul << (method % BITS);
	return ioctl(fd, IB_USER_MAD_REGISTER_AGENT, &request) ? -1 : (int)request.id;
}

int agent_register2(int fd, const struct agent_spec *spec)
{
	struct ib_user_mad_reg_req2 request = {
		.id = ~0u,
		.qpn = spec->qpn,
		.mgmt_class = spec->mgmt_class,
		.mgmt_class_version = spec->class_version,
		.flags = spec->flags,
		.method_mask = { spec->methods[0], spec->methods[1] },
		.oui = spec->oui,
		.rmpp_version = spec->rmpp_version,
	};

	return ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, &request) ? -1 : (int)request.id;
}

int agent_unregister(int fd, uint32_t id)
{
	return ioctl(fd, IB_USER_MAD_UNREGISTER_AGENT, &id);
}

static void address(struct ib_user_mad_hdr *hdr, const struct port *from, const struct port *to)
{
	hdr->qpn = htonl(GSI_QPN);
	hdr->qkey = htonl(GSI_QKEY);
	hdr->lid = htons(to->lid);
	hdr->grh_present = to->roce;
	hdr->gid_index = from->gid_index;
	hdr->hop_limit = to->roce ? 64 : 0;
	memcpy(hdr->gid, to->gid, sizeof(hdr->gid));
}

void packet_init(struct packet *packet, uint32_t agent_id, const struct port *from,
		 const struct port *to, uint8_t method, uint32_t tid)
{
	struct mad *mad;

	memset(packet, 0, UMAD_HDR + MAD_SIZE + offsetof(struct packet, bytes));
	packet->hdr_len = UMAD_HDR;
	packet->mad_len = MAD_SIZE;
	packet->hdr.id = agent_id;
	address(&packet->hdr, from, to);
	mad = packet_mad(packet);
	mad->hdr.base_version = 1;
	mad->hdr.mgmt_class = CLASS_VENDOR_0X30;
	mad->hdr.class_version = 1;
	mad->hdr.method = method;
	mad->hdr.tid = htobe64(tid);
	mad->hdr.attr_id = htobe16(0x1234);
	mad->hdr.attr_mod = htobe32(0x89abcdef);
	mad->oui[0] = TEST_OUI >> 16 & 0xff;
	mad->oui[1] = TEST_OUI >> 8 & 0xff;
	mad->oui[2] = TEST_OUI & 0xff;
	for (size_t i = 0; i < MAD_SIZE - MAD_VENDOR_HDR_LEN; i++)
		mad->data[i] = pattern(i + tid);
}

void packet_respond(struct packet *response, struct packet *request, uint32_t agent_id)
{
	struct mad *mad;

	memcpy(response, request,
	       offsetof(struct packet, bytes) + request->hdr_len + request->mad_len);
	response->hdr.id = agent_id;
	response->hdr.qkey = htonl(GSI_QKEY);
	response->hdr.timeout_ms = 0;
	response->hdr.retries = 0;
	mad = packet_mad(response);
	mad->hdr.method |= METHOD_RESP;
	for (size_t i = 0; i < response->mad_len - MAD_VENDOR_HDR_LEN; i++)
		mad->data[i] = ~mad->data[i];
}

ssize_t packet_write(int fd, const struct packet *packet)
{
	return write(fd, packet->bytes, packet->hdr_len + packet->mad_len);
}

void packet_send(int fd, const struct packet *packet)
{
	size_t sent = CHECK_OK(packet_write(fd, packet));

	CHECK_EQ(sent, packet->hdr_len + packet->mad_len);
}

void packet_receive(int fd, struct packet *packet, size_t hdr_len)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	size_t got;

	CHECK(poll(&poll_fd, 1, RECEIVE_LIMIT_MS) == 1, "nothing to read within %d ms",
	      RECEIVE_LIMIT_MS);
	got = CHECK_OK(read(fd, packet->bytes, sizeof(packet->bytes)));
	CHECK(got >= hdr_len + MAD_HDR_LEN, "read %zu bytes: no user MAD", got);
	packet->hdr_len = hdr_len;
	packet->mad_len = got - hdr_len;
}

void check_nothing_queued(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	CHECK_EQ(poll(&poll_fd, 1, 0), 0);
}
