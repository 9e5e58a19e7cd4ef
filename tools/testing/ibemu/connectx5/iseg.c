// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The initialization segment, the first 8 KiB of the BAR: versions, the command queue's address and
 * doorbell, clocks and health. All words are big-endian.
 */
#include "base/log.h"
#include "connectx5/device.h"
#include "connectx5/field.h"

#define FW_REV_MAJOR 16u
#define FW_REV_MINOR 35u
#define FW_REV_SUB 4006u
#define CMDIF_REV 5u
#define LOG_CMDQ_SLOTS 5u
#define LOG_CMDQ_STRIDE 6u

#define CMDQ_ADDR_LOW_MASK 0xfffff000u
#define NIC_INTERFACE_SHIFT 8
#define NIC_INTERFACE_MASK 7u

#define HEALTH_TICK_NS (100 * NSEC_PER_MSEC) /* drivers expect a change within 2 s */
#define HEALTH_REQUEST_RESET 0x80000000u     /* the firmware asks for a reset */

uint64_t cx5_timer(const struct connectx5 *dev)
{
	return sched_now_ns(dev->sched);
}

static uint32_t cmdq_low_word(const struct connectx5 *dev)
{
	return (dev->iseg.cmdq_low & CMDQ_ADDR_LOW_MASK) |
	       (uint32_t)dev->iseg.nic_interface << NIC_INTERFACE_SHIFT | LOG_CMDQ_SLOTS << 4 |
	       LOG_CMDQ_STRIDE;
}

static uint32_t health_syndrome_word(const struct connectx5 *dev)
{
	/*
	 * The syndrome is the second byte; the severity in front of the word before asks for the
	 * reset.
	 */
	return (uint32_t)dev->iseg.health_syndrome << 16;
}

static uint32_t read_word(const struct connectx5 *dev, uint64_t offset)
{
	switch (offset) {
	case CX5_ISEG_FW_REV:
		return FW_REV_MINOR << 16 | FW_REV_MAJOR;
	case CX5_ISEG_CMDIF_REV:
		return CMDIF_REV << 16 | FW_REV_SUB;
	case CX5_ISEG_CMDQ_ADDR_HIGH:
		return dev->iseg.cmdq_high;
	case CX5_ISEG_CMDQ_ADDR_LOW:
		return cmdq_low_word(dev);
	case CX5_ISEG_HEALTH_FW_VER:
		return FW_REV_MAJOR << 24 | FW_REV_MINOR << 16 | FW_REV_SUB;
	case CX5_ISEG_HEALTH_SEVERITY:
		return dev->iseg.health_syndrome ? HEALTH_REQUEST_RESET : 0;
	case CX5_ISEG_HEALTH_SYNDROME:
		return health_syndrome_word(dev);
	case CX5_ISEG_TIMER_HIGH:
		return (uint32_t)(cx5_timer(dev) >> 32);
	case CX5_ISEG_TIMER_LOW:
		return (uint32_t)cx5_timer(dev);
	case CX5_ISEG_HEALTH_COUNTER:
		return (uint32_t)(cx5_timer(dev) / HEALTH_TICK_NS);
	default:
		return 0;
	}
}

void cx5_iseg_read(struct connectx5 *dev, uint64_t offset, uint8_t *buf, size_t len)
{
	while (len) {
		size_t within = offset & 3, part = 4 - within < len ? 4 - within : len;
		uint8_t word[4];

		put_be32(word, read_word(dev, offset - within));
		memcpy(buf, word + within, part);
		buf += part;
		offset += part;
		len -= part;
	}
}

/*
 * The low word carries the state that the driver asks for beside the address: a new address in the
 * normal state starts the firmware (again, if it had died), a software reset ends it.
 */
static void write_cmdq_low(struct connectx5 *dev, uint32_t value)
{
	unsigned int nic_interface = value >> NIC_INTERFACE_SHIFT & NIC_INTERFACE_MASK;

	if (nic_interface == CX5_NIC_SW_RESET) {
		cx5_reset(dev);
		dev->iseg.nic_interface = CX5_NIC_DISABLED;
		return;
	}
	if (dev->iseg.health_syndrome && nic_interface == CX5_NIC_FULL) {
		uint32_t high = dev->iseg.cmdq_high;

		cx5_reset(dev);
		dev->iseg.cmdq_high = high;
	}
	dev->iseg.cmdq_low = value & CMDQ_ADDR_LOW_MASK;
	dev->iseg.nic_interface = (uint8_t)nic_interface;
	dev->cmdq.addr = (uint64_t)dev->iseg.cmdq_high << 32 | dev->iseg.cmdq_low;
}

static void write_word(struct connectx5 *dev, uint64_t offset, uint32_t value)
{
	switch (offset) {
	case CX5_ISEG_CMDQ_ADDR_HIGH:
		dev->iseg.cmdq_high = value;
		break;
	case CX5_ISEG_CMDQ_ADDR_LOW:
		write_cmdq_low(dev, value);
		break;
	case CX5_ISEG_CMD_DOORBELL:
		cx5_cmdq_doorbell(dev, value);
		break;
	default:
		dev->counters.stray_writes++;
		log_debug("connectx5: write of %#x to read-only offset %#llx", value,
			  (unsigned long long)offset);
		break;
	}
}

void cx5_iseg_write(struct connectx5 *dev, uint64_t offset, const uint8_t *buf, size_t len)
{
	if ((offset | len) & 3) {
		dev->counters.stray_writes++;
		return;
	}
	for (; len; offset += 4, buf += 4, len -= 4)
		write_word(dev, offset, get_be32(buf));
}
