// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Protection domains, XRC domains, transport domains and doorbell pages: numbers that other objects
 * refer to, and that can't go while they do. Doorbell pages can: when a process dies, stock's
 * driver gives them back before the queues. They can't be rung any more then, and the number isn't
 * given to anybody else as long as a queue has it.
 */
#include <errno.h>
#include <stdlib.h>

#include "connectx5/device.h"
#include "connectx5/field.h"
#include "connectx5/limits.h"

#define NUMBER_AT 9

struct resource {
	unsigned int users;
	uint16_t uid;
	bool released; /* and kept for its users alone */
};

static const struct {
	uint32_t first, limit;
} ranges[CX5_RESOURCES] = {
	[CX5_PD] = { 1, 1 << CX5_LOG_MAX_PD },
	[CX5_XRCD] = { 1, 1 << CX5_LOG_MAX_XRCD },
	[CX5_TRANSPORT_DOMAIN] = { 1, 1 << CX5_LOG_MAX_TRANSPORT_DOMAIN },
	[CX5_UAR] = { CX5_FIRST_UAR, CX5_FIRST_UAR + CX5_UARS },
};

int cx5_resources_init(struct connectx5 *dev)
{
	for (int kind = 0; kind < CX5_RESOURCES; kind++) {
		int error =
			idtab_init(&dev->resources[kind], ranges[kind].first, ranges[kind].limit);

		if (error)
			return error;
	}
	return 0;
}

void cx5_resources_forget(struct connectx5 *dev)
{
	for (int kind = 0; kind < CX5_RESOURCES; kind++) {
		struct idtab *tab = &dev->resources[kind];
		struct resource *resource;
		uint32_t num;

		idtab_for_each(tab, num, resource) {
			idtab_free(tab, num);
			free(resource);
		}
	}
}

void cx5_resources_destroy(struct connectx5 *dev)
{
	for (int kind = 0; kind < CX5_RESOURCES; kind++)
		idtab_destroy(&dev->resources[kind]);
}

/* NULL: no such number. */
static struct resource *find(struct connectx5 *dev, enum cx5_resource kind, uint32_t num)
{
	struct resource *resource = idtab_find(&dev->resources[kind], num);

	return resource && !resource->released ? resource : NULL;
}

static void destroy(struct connectx5 *dev, enum cx5_resource kind, uint32_t num,
		    struct resource *resource)
{
	idtab_free(&dev->resources[kind], num);
	free(resource);
}

bool cx5_resource_get(struct connectx5 *dev, enum cx5_resource kind, uint32_t num)
{
	struct resource *resource = find(dev, kind, num);

	if (resource)
		resource->users++;
	return resource;
}

void cx5_resource_put(struct connectx5 *dev, enum cx5_resource kind, uint32_t num)
{
	struct resource *resource = idtab_find(&dev->resources[kind], num);

	resource->users--;
	if (resource->released && !resource->users)
		destroy(dev, kind, num, resource);
}

uint16_t *cx5_resource_owner(struct connectx5 *dev, enum cx5_resource kind, uint32_t num)
{
	struct resource *resource = idtab_find(&dev->resources[kind], num);

	return resource ? &resource->uid : NULL;
}

bool cx5_uar_exists(struct connectx5 *dev, uint32_t num)
{
	return find(dev, CX5_UAR, num);
}

static enum cx5_status alloc(struct connectx5 *dev, struct cx5_command *cmd, enum cx5_resource kind)
{
	struct resource *resource = calloc(1, sizeof(*resource));
	int64_t num = resource ? idtab_alloc(&dev->resources[kind], resource) : -ENOMEM;

	if (num < 0) {
		free(resource);
		return cx5_status_of((int)num);
	}
	put_be24(cmd->out + NUMBER_AT, (uint32_t)num);
	return CX5_OK;
}

static enum cx5_status dealloc(struct connectx5 *dev, struct cx5_command *cmd,
			       enum cx5_resource kind)
{
	uint32_t num = get_be24(cmd->in + NUMBER_AT);
	struct resource *resource = find(dev, kind, num);

	if (!resource)
		return CX5_BAD_RES;
	if (resource->users && kind != CX5_UAR)
		return CX5_BAD_RES_STATE;
	resource->released = true;
	if (!resource->users)
		destroy(dev, kind, num, resource);
	return CX5_OK;
}

enum cx5_status cx5_alloc_pd(struct connectx5 *dev, struct cx5_command *cmd)
{
	return alloc(dev, cmd, CX5_PD);
}

enum cx5_status cx5_dealloc_pd(struct connectx5 *dev, struct cx5_command *cmd)
{
	return dealloc(dev, cmd, CX5_PD);
}

enum cx5_status cx5_alloc_xrcd(struct connectx5 *dev, struct cx5_command *cmd)
{
	return alloc(dev, cmd, CX5_XRCD);
}

enum cx5_status cx5_dealloc_xrcd(struct connectx5 *dev, struct cx5_command *cmd)
{
	return dealloc(dev, cmd, CX5_XRCD);
}

enum cx5_status cx5_alloc_transport_domain(struct connectx5 *dev, struct cx5_command *cmd)
{
	return alloc(dev, cmd, CX5_TRANSPORT_DOMAIN);
}

enum cx5_status cx5_dealloc_transport_domain(struct connectx5 *dev, struct cx5_command *cmd)
{
	return dealloc(dev, cmd, CX5_TRANSPORT_DOMAIN);
}

enum cx5_status cx5_alloc_uar(struct connectx5 *dev, struct cx5_command *cmd)
{
	return alloc(dev, cmd, CX5_UAR);
}

enum cx5_status cx5_dealloc_uar(struct connectx5 *dev, struct cx5_command *cmd)
{
	return dealloc(dev, cmd, CX5_UAR);
}
