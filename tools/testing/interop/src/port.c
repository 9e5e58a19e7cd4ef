// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <arpa/inet.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "port.h"

static bool read_text(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "r");
	bool ok;

	if (!file)
		return false;
	ok = fgets(text, size, file);
	fclose(file);
	text[ok ? strcspn(text, "\n") : 0] = '\0';
	return ok;
}

/* The umad node whose ibdev and port attributes are this port's. */
static bool find_node(struct port *port)
{
	glob_t found;
	bool ok = false;

	if (glob("/sys/class/infiniband_mad/umad*", 0, NULL, &found))
		return false;
	for (size_t i = 0; i < found.gl_pathc && !ok; i++) {
		char path[300], ibdev[64], number[16];

		snprintf(path, sizeof(path), "%s/ibdev", found.gl_pathv[i]);
		if (!read_text(path, ibdev, sizeof(ibdev)) || strcmp(ibdev, port->ibdev))
			continue;
		snprintf(path, sizeof(path), "%s/port", found.gl_pathv[i]);
		if (!read_text(path, number, sizeof(number)) ||
		    strtoul(number, NULL, 10) != port->port_num)
			continue;
		snprintf(port->node, sizeof(port->node), "/dev/infiniband/%s",
			 strrchr(found.gl_pathv[i], '/') + 1);
		ok = true;
	}
	globfree(&found);
	return ok;
}

static bool is_ipv4_mapped(const uint8_t gid[16])
{
	static const uint8_t prefix[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(gid, prefix, sizeof(prefix));
}

static void read_attribute(const struct port *port, const char *name, char *text, size_t size)
{
	char path[200];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/%u/%s", port->ibdev,
		 port->port_num, name);
	CHECK(read_text(path, text, size), "reading %s", path);
}

static void read_gid(struct port *port)
{
	char name[32], text[64];

	snprintf(name, sizeof(name), "gids/%d", port->gid_index);
	read_attribute(port, name, text, sizeof(text));
	CHECK(inet_pton(AF_INET6, text, port->gid) == 1, "%s of %s: '%s' is no GID", name,
	      port->ibdev, text);
}

void port_use_ipv4(struct port *port)
{
	while (!is_ipv4_mapped(port->gid)) {
		port->gid_index++;
		read_gid(port);
	}
}

static void read_address(struct port *port)
{
	char text[64];

	read_attribute(port, "link_layer", text, sizeof(text));
	port->roce = !strcmp(text, "Ethernet");
	read_attribute(port, "lid", text, sizeof(text));
	port->lid = strtoul(text, NULL, 0);
	read_gid(port);
}

struct port port_find(const char *name)
{
	struct port port = {};

	CHECK(name && sscanf(name, "%63[^/]/%u", port.ibdev, &port.port_num) == 2,
	      "a port's name is DEVICE/NUMBER, not '%s'", name ? name : "");
	CHECK(find_node(&port), "no umad node for %s", name);
	read_address(&port);
	return port;
}

struct port port_a(void)
{
	return port_find(getenv("PORT_A"));
}

struct port port_b(void)
{
	return port_find(getenv("PORT_B"));
}

int port_open(const struct port *port, int flags)
{
	return CHECK_OK(open(port->node, O_RDWR | O_CLOEXEC | flags));
}
