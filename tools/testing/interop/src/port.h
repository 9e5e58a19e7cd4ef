/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef INTEROP_PORT_H
#define INTEROP_PORT_H

#include <stdbool.h>
#include <stdint.h>

/* A port and how it is reached, from sysfs. */
struct port {
	char ibdev[64];
	unsigned int port_num;
	char node[300];		/* /dev/infiniband/umadN */
	bool roce;		/* addressed by GRH; else by LID */
	uint16_t lid;
	uint8_t gid[16];
	int gid_index;
};

/* name: "rxe_a/1". The GID is the one at index 0. */
struct port port_find(const char *name);
/* The ports that the test was given: PORT_A and PORT_B of the environment. */
struct port port_a(void);
struct port port_b(void);
/* RoCE only: the GID that's mapped from an IPv4 address, instead of the link-local one. */
void port_use_ipv4(struct port *port);
/* An open umadN. */
int port_open(const struct port *port, int flags);

#endif
