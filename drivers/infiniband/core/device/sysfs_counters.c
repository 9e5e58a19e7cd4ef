// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The folder "counters" of a port: what its performance management agent counts (IBTA 16.1.3.5,
 * 16.1.4.11), read with the MADs that anybody else would send.
 */

#include <linux/slab.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_pma.h>

#include "device.h"

#define ATTRIBUTE_OFFSET 40	/* in ib_mad.data, whose first bytes are reserved in this class */
#define PORT_SELECT 1		/* in both attributes */

struct pma_mads {
	struct ib_mad request;
	struct ib_mad response;
};

/* Returns MADs to be freed with kfree(). */
static struct pma_mads *pma_get(struct ib_device *device, u32 port_num, __be16 attr_id)
{
	const int want = IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
	struct pma_mads *mads = kzalloc(sizeof(*mads), GFP_KERNEL);
	size_t response_size = sizeof(mads->response);
	u16 pkey_index = 0;
	int result;

	if (!mads)
		return ERR_PTR(-ENOMEM);
	mads->request.mad_hdr = (struct ib_mad_hdr) {
		.base_version = IB_MGMT_BASE_VERSION,
		.mgmt_class = IB_MGMT_CLASS_PERF_MGMT,
		.class_version = 1,
		.method = IB_MGMT_METHOD_GET,
		.attr_id = attr_id,
	};
	if (attr_id != IB_PMA_CLASS_PORT_INFO)
		mads->request.data[ATTRIBUTE_OFFSET + PORT_SELECT] = port_num;

	result = device->ops.process_mad(device, IB_MAD_IGNORE_MKEY, port_num, NULL, NULL,
					 &mads->request, &mads->response, &response_size,
					 &pkey_index);
	if ((result & want) == want)
		return mads;
	kfree(mads);
	return ERR_PTR(-EINVAL);
}

static const u8 *attribute_of(const struct pma_mads *mads)
{
	return mads->response.data + ATTRIBUTE_OFFSET;
}

/**
 * rdma_pma_kind - what a port can count
 * @device: the device, with process_mad
 * @port_num: the port
 *
 * Context: Sleeps.
 * Return: as its ClassPortInfo says; the least if it says nothing.
 */
enum rdma_pma_kind rdma_pma_kind(struct ib_device *device, u32 port_num)
{
	struct pma_mads *mads = pma_get(device, port_num, IB_PMA_CLASS_PORT_INFO);
	enum rdma_pma_kind kind = RDMA_PMA_BASIC;
	const struct ib_class_port_info *info;

	if (IS_ERR(mads))
		return kind;
	info = (const void *)attribute_of(mads);
	if (info->capability_mask & IB_PMA_CLASS_CAP_EXT_WIDTH)
		kind = RDMA_PMA_EXT;
	else if (info->capability_mask & IB_PMA_CLASS_CAP_EXT_WIDTH_NOIETF)
		kind = RDMA_PMA_EXT_NO_IETF;
	kfree(mads);
	return kind;
}

struct counter_file {
	struct ib_port_attribute attr;
	__be16 attr_id;
	u16 offset_bits;
	u8 width_bits;
	u8 kinds;	/* bits of enum rdma_pma_kind: ports that have it */
};

static ssize_t show_counter(struct ib_device *device, u32 port_num, struct ib_port_attribute *attr,
			    char *buf)
{
	struct counter_file *file = container_of(attr, struct counter_file, attr);
	struct pma_mads *mads = pma_get(device, port_num, file->attr_id);
	u64 value;

	if (IS_ERR(mads))
		return PTR_ERR(mads);
	value = rdma_pma_field(attribute_of(mads), file->offset_bits, file->width_bits);
	kfree(mads);
	return sysfs_emit(buf, "%llu\n", value);
}

#define COUNTER(_name, _attr_id, _offset_bits, _width_bits, _kinds) { \
	.attr = __ATTR(_name, 0444, show_counter, NULL), \
	.attr_id = (_attr_id), \
	.offset_bits = (_offset_bits), \
	.width_bits = (_width_bits), \
	.kinds = (_kinds), \
}

#define ON_BASIC	BIT(RDMA_PMA_BASIC)
#define ON_FULL_EXT	BIT(RDMA_PMA_EXT)
#define ON_ANY_EXT	(BIT(RDMA_PMA_EXT) | BIT(RDMA_PMA_EXT_NO_IETF))
#define ON_ALL		(ON_BASIC | ON_ANY_EXT)

/* PortCounters: on all ports, but for what others count in more bits. */
#define PORT_COUNTER(name, offset_bits, width_bits) \
	COUNTER(name, IB_PMA_PORT_COUNTERS, offset_bits, width_bits, ON_ALL)
#define SHORT_COUNTER(name, offset_bits) \
	COUNTER(name, IB_PMA_PORT_COUNTERS, offset_bits, 32, ON_BASIC)

/* PortCountersExtended: four on all ports that have the attribute, the others on most of them. */
#define LONG_COUNTER(name, offset_bits) \
	COUNTER(name, IB_PMA_PORT_COUNTERS_EXT, offset_bits, 64, ON_ANY_EXT)
#define IETF_COUNTER(name, offset_bits) \
	COUNTER(name, IB_PMA_PORT_COUNTERS_EXT, offset_bits, 64, ON_FULL_EXT)

/* Four names are there twice, on different ports. */
static struct counter_file counters[] = {
	PORT_COUNTER(symbol_error, 32, 16),
	PORT_COUNTER(link_error_recovery, 48, 8),
	PORT_COUNTER(link_downed, 56, 8),
	PORT_COUNTER(port_rcv_errors, 64, 16),
	PORT_COUNTER(port_rcv_remote_physical_errors, 80, 16),
	PORT_COUNTER(port_rcv_switch_relay_errors, 96, 16),
	PORT_COUNTER(port_xmit_discards, 112, 16),
	PORT_COUNTER(port_xmit_constraint_errors, 128, 8),
	PORT_COUNTER(port_rcv_constraint_errors, 136, 8),
	PORT_COUNTER(local_link_integrity_errors, 152, 4),
	PORT_COUNTER(excessive_buffer_overrun_errors, 156, 4),
	PORT_COUNTER(VL15_dropped, 176, 16),
	SHORT_COUNTER(port_xmit_data, 192),
	SHORT_COUNTER(port_rcv_data, 224),
	SHORT_COUNTER(port_xmit_packets, 256),
	SHORT_COUNTER(port_rcv_packets, 288),
	PORT_COUNTER(port_xmit_wait, 320, 32),
	LONG_COUNTER(port_xmit_data, 64),
	LONG_COUNTER(port_rcv_data, 128),
	LONG_COUNTER(port_xmit_packets, 192),
	LONG_COUNTER(port_rcv_packets, 256),
	IETF_COUNTER(unicast_xmit_packets, 320),
	IETF_COUNTER(unicast_rcv_packets, 384),
	IETF_COUNTER(multicast_xmit_packets, 448),
	IETF_COUNTER(multicast_rcv_packets, 512),
};

static struct attribute *counter_attrs[ARRAY_SIZE(counters) + 1];

static umode_t is_visible(struct kobject *kobj, struct attribute *attr, int unused)
{
	const struct ib_port *port = container_of(kobj, struct ib_port, kobj);
	const struct counter_file *file = container_of(attr, struct counter_file, attr.attr);

	return file->kinds & BIT(port->pma_kind) ? attr->mode : 0;
}

const struct attribute_group rdma_pma_group = {
	.name = "counters",
	.attrs = counter_attrs,
	.is_visible = is_visible,
};

/**
 * rdma_pma_group_init - module load: fill the group in
 */
void rdma_pma_group_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counters); i++)
		counter_attrs[i] = &counters[i].attr.attr;
}
