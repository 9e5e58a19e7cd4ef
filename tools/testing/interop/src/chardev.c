// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * usage: chardev CLIENT [DEVICE-INDEX [PORT]]
 *
 * Asks RDMA netlink for the character device of a client ("umad"), as libibverbs does for "uverbs",
 * and prints "NAME MAJOR:MINOR ABI" or the name of the error (then the status is 1).
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>

#include "check.h"

struct message {
	union {
		struct nlmsghdr hdr;
		char bytes[4096];
	};
};

static void add_attribute(struct message *message, uint16_t type, const void *value, size_t len)
{
	char *end = message->bytes + NLMSG_ALIGN(message->hdr.nlmsg_len);
	struct nlattr *attr = (struct nlattr *)end;

	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + len;
	memcpy((char *)attr + NLA_HDRLEN, value, len);
	message->hdr.nlmsg_len = NLMSG_ALIGN(message->hdr.nlmsg_len) + NLA_ALIGN(attr->nla_len);
}

/* The value of an attribute of the reply; it must be there. */
static const void *attribute(const struct message *message, uint16_t type)
{
	const char *at = message->bytes + NLMSG_HDRLEN;
	const char *end = message->bytes + message->hdr.nlmsg_len;

	while (at + NLA_HDRLEN <= end) {
		const struct nlattr *attr = (const struct nlattr *)at;

		if ((attr->nla_type & NLA_TYPE_MASK) == type)
			return at + NLA_HDRLEN;
		at += NLA_ALIGN(attr->nla_len);
	}
	check_failed(__FILE__, __LINE__, "attribute", "no attribute %u in the reply", type);
}

/* huge_encode_dev() in the kernel's words: 20 bits of minor around 12 of major. */
static void print_reply(const struct message *reply)
{
	uint64_t device, abi;

	memcpy(&device, attribute(reply, RDMA_NLDEV_ATTR_CHARDEV), sizeof(device));
	memcpy(&abi, attribute(reply, RDMA_NLDEV_ATTR_CHARDEV_ABI), sizeof(abi));
	printf("%s %u:%u %llu\n", (const char *)attribute(reply, RDMA_NLDEV_ATTR_CHARDEV_NAME),
	       (unsigned int)(device >> 8 & 0xfff),
	       (unsigned int)((device & 0xff) | (device >> 12 & 0xfff00)),
	       (unsigned long long)abi);
}

int main(int argc, char **argv)
{
	struct message message = { .hdr = {
		.nlmsg_len = NLMSG_HDRLEN,
		.nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET_CHARDEV),
		.nlmsg_flags = NLM_F_REQUEST,
		.nlmsg_seq = 1,
	} };
	uint32_t number;
	int fd;

	if (argc < 2 || argc > 4) {
		fputs("usage: chardev CLIENT [DEVICE-INDEX [PORT]]\n", stderr);
		return 2;
	}
	add_attribute(&message, RDMA_NLDEV_ATTR_CHARDEV_TYPE, argv[1], strlen(argv[1]) + 1);
	if (argc > 2) {
		number = strtoul(argv[2], NULL, 0);
		add_attribute(&message, RDMA_NLDEV_ATTR_DEV_INDEX, &number, sizeof(number));
	}
	if (argc > 3) {
		number = strtoul(argv[3], NULL, 0);
		add_attribute(&message, RDMA_NLDEV_ATTR_PORT_INDEX, &number, sizeof(number));
	}
	fd = CHECK_OK(socket(AF_NETLINK, SOCK_RAW, NETLINK_RDMA));
	CHECK_OK(send(fd, &message, message.hdr.nlmsg_len, 0));
	CHECK_OK(recv(fd, &message, sizeof(message), 0));
	if (message.hdr.nlmsg_type == NLMSG_ERROR) {
		const struct nlmsgerr *error = (const void *)(message.bytes + NLMSG_HDRLEN);

		puts(strerrorname_np(-error->error));
		return 1;
	}
	print_reply(&message);
	return 0;
}
