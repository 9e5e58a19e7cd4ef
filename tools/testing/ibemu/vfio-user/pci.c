/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include "vfio-user/pci.h"

#include <errno.h>
#include <linux/pci_regs.h>
#include <string.h>

/* Where the capabilities stand, as on a ConnectX-5. */
enum { CAP_PM = 0x40, CAP_VPD = 0x48, CAP_EXP = 0x60, CAP_MSIX = 0x9c };

#define MSIX_ENTRY 16

static void put16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)value;
	at[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t *at, uint32_t value)
{
	put16(at, value);
	put16(at + 2, value >> 16);
}

static uint32_t get16(const uint8_t *at)
{
	return (uint32_t)(at[0] | at[1] << 8);
}

static void fill_header(struct pci_space *space, const struct vfu_config *config)
{
	uint8_t *b = space->bytes, *w = space->writable;

	put16(b + PCI_VENDOR_ID, config->vendor_id);
	put16(b + PCI_DEVICE_ID, config->device_id);
	put16(w + PCI_COMMAND, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_PARITY |
				       PCI_COMMAND_SERR | PCI_COMMAND_INTX_DISABLE);
	put16(b + PCI_STATUS, PCI_STATUS_CAP_LIST);
	put16(space->write_one_to_clear + PCI_STATUS,
	      PCI_STATUS_PARITY | PCI_STATUS_SIG_TARGET_ABORT | PCI_STATUS_REC_TARGET_ABORT |
		      PCI_STATUS_REC_MASTER_ABORT | PCI_STATUS_SIG_SYSTEM_ERROR |
		      PCI_STATUS_DETECTED_PARITY);
	b[PCI_REVISION_ID] = config->revision;
	b[PCI_CLASS_PROG] = (uint8_t)config->class_code;
	put16(b + PCI_CLASS_DEVICE, config->class_code >> 8);
	w[PCI_CACHE_LINE_SIZE] = 0xff;
	put16(b + PCI_SUBSYSTEM_VENDOR_ID, config->subsystem_vendor_id);
	put16(b + PCI_SUBSYSTEM_ID, config->subsystem_id);
	w[PCI_INTERRUPT_LINE] = 0xff; /* scratch for software; there is no interrupt pin */
}

/* A pair of 32-bit registers: one 64-bit prefetchable memory BAR. */
static int fill_bar(struct pci_space *space, size_t at, uint64_t size)
{
	if (!size)
		return 0;
	if (size & (size - 1) || size < 4096)
		return -EINVAL;
	put32(space->bytes + at, PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH);
	put32(space->writable + at, (uint32_t)-size);
	put32(space->writable + at + 4, (uint32_t)(-size >> 32));
	return 0;
}

static void add_capability(struct pci_space *space, uint8_t **link, uint8_t at, uint8_t id)
{
	**link = at;
	space->bytes[at + PCI_CAP_LIST_ID] = id;
	*link = &space->bytes[at + PCI_CAP_LIST_NEXT];
}

static void fill_power_management(struct pci_space *space)
{
	put16(space->bytes + CAP_PM + PCI_PM_PMC, 3 /* version */);
	put16(space->bytes + CAP_PM + PCI_PM_CTRL, PCI_PM_CTRL_NO_SOFT_RESET);
	put16(space->writable + CAP_PM + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK);
}

/* A card for a PCIe 3.0 slot with 16 lanes, of which all run. */
static void fill_express(struct pci_space *space)
{
	uint8_t *b = space->bytes + CAP_EXP, *w = space->writable + CAP_EXP;

	put16(b + PCI_EXP_FLAGS, PCI_EXP_TYPE_ENDPOINT << 4 | 2 /* version */);
	put32(b + PCI_EXP_DEVCAP, 2 /* payload up to 512 */ | PCI_EXP_DEVCAP_EXT_TAG |
					  PCI_EXP_DEVCAP_RBER | PCI_EXP_DEVCAP_FLR);
	put16(b + PCI_EXP_DEVCTL,
	      PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_NOSNOOP_EN | PCI_EXP_DEVCTL_READRQ_512B);
	put16(w + PCI_EXP_DEVCTL, 0xffff & ~(PCI_EXP_DEVCTL_PHANTOM | PCI_EXP_DEVCTL_AUX_PME));
	put16(space->write_one_to_clear + CAP_EXP + PCI_EXP_DEVSTA,
	      PCI_EXP_DEVSTA_CED | PCI_EXP_DEVSTA_NFED | PCI_EXP_DEVSTA_FED | PCI_EXP_DEVSTA_URD);
	put32(b + PCI_EXP_LNKCAP,
	      PCI_EXP_LNKCAP_SLS_8_0GB | 16 << 4 | 1 << 22 /* ASPM optionality */);
	put16(w + PCI_EXP_LNKCTL, PCI_EXP_LNKCTL_RCB | PCI_EXP_LNKCTL_CCC | PCI_EXP_LNKCTL_ES);
	put16(b + PCI_EXP_LNKSTA,
	      PCI_EXP_LNKSTA_CLS_8_0GB | 16 << PCI_EXP_LNKSTA_NLW_SHIFT | PCI_EXP_LNKSTA_SLC);
	put32(b + PCI_EXP_DEVCAP2, PCI_EXP_DEVCAP2_COMP_TMOUT_DIS);
	put16(w + PCI_EXP_DEVCTL2, PCI_EXP_DEVCTL2_COMP_TMOUT_DIS);
	put32(b + PCI_EXP_LNKCAP2,
	      PCI_EXP_LNKCAP2_SLS_2_5GB | PCI_EXP_LNKCAP2_SLS_5_0GB | PCI_EXP_LNKCAP2_SLS_8_0GB);
	put16(b + PCI_EXP_LNKCTL2, PCI_EXP_LNKCTL2_TLS_8_0GT);
	put16(w + PCI_EXP_LNKCTL2, PCI_EXP_LNKCTL2_TLS);
}

static bool fits_bar(const struct vfu_config *config, uint64_t offset, uint64_t len)
{
	uint64_t size = 0;

	if (config->msix_bar == 0)
		size = config->bar0_size;
	else if (config->msix_bar == 2)
		size = config->bar2_size;
	return offset % 8 == 0 && offset + len <= size;
}

static int fill_msix(struct pci_space *space, const struct vfu_config *config)
{
	uint8_t *b = space->bytes + CAP_MSIX;
	unsigned int vectors = config->msix_vectors;

	if (vectors > 2048 || !fits_bar(config, config->msix_table_offset, vectors * MSIX_ENTRY) ||
	    !fits_bar(config, config->msix_pba_offset, (vectors + 63) / 64 * 8))
		return -EINVAL;
	put16(b + PCI_MSIX_FLAGS, vectors - 1);
	put16(space->writable + CAP_MSIX + PCI_MSIX_FLAGS,
	      PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
	put32(b + PCI_MSIX_TABLE, config->msix_table_offset | config->msix_bar);
	put32(b + PCI_MSIX_PBA, config->msix_pba_offset | config->msix_bar);
	return 0;
}

/* Vital product data (PCI 2.2, appendix I) */

static size_t put_vpd_field(uint8_t *at, const char *keyword, const char *value)
{
	size_t len = strnlen(value, 32);

	memcpy(at, keyword, 2);
	at[2] = (uint8_t)len;
	memcpy(at + 3, value, len);
	return 3 + len;
}

static void fill_vpd(struct pci_space *space, const struct vfu_config *config)
{
	static const char name[] = "ibemu";
	uint8_t *vpd = space->vpd, sum = 0;
	size_t at = 0, fields;

	vpd[at++] = 0x82; /* identifier string */
	put16(vpd + at, sizeof(name) - 1);
	memcpy(vpd + at + 2, name, sizeof(name) - 1);
	at += 2 + sizeof(name) - 1;
	vpd[at] = 0x90; /* read-only fields */
	fields = at + 3;
	at = fields + put_vpd_field(vpd + fields, "PN", config->part_number);
	if (config->serial_number)
		at += put_vpd_field(vpd + at, "SN", config->serial_number);
	/* The checksum field makes all bytes up to and with it sum up to 0. */
	at += put_vpd_field(vpd + at, "RV", "");
	vpd[at - 1] = 1;
	put16(vpd + fields - 2, (uint32_t)(at + 1 - fields));
	for (size_t i = 0; i < at; i++)
		sum = (uint8_t)(sum + vpd[i]);
	vpd[at++] = (uint8_t)-sum;
	vpd[at] = 0x78; /* end */
	put16(space->writable + CAP_VPD + PCI_VPD_ADDR, PCI_VPD_ADDR_MASK | PCI_VPD_ADDR_F);
}

/*
 * Software writes an address, and the flag inverts when the transfer is done: at once. What is
 * written to the data register is dropped, since all fields are read-only.
 */
static void transfer_vpd(struct pci_space *space)
{
	uint8_t *b = space->bytes + CAP_VPD;
	uint32_t addr = get16(b + PCI_VPD_ADDR);

	put16(b + PCI_VPD_ADDR, addr ^ PCI_VPD_ADDR_F);
	if (addr & PCI_VPD_ADDR_F)
		return;
	for (unsigned int i = 0; i < 4; i++)
		b[PCI_VPD_DATA + i] = addr + i < PCI_VPD_MAX ? space->vpd[addr + i] : 0;
}

int pci_init(struct pci_space *space, const struct vfu_config *config)
{
	uint8_t *link = &space->bytes[PCI_CAPABILITY_LIST];
	int error;

	memset(space, 0, sizeof(*space));
	fill_header(space, config);
	error = fill_bar(space, PCI_BASE_ADDRESS_0, config->bar0_size);
	if (!error)
		error = fill_bar(space, PCI_BASE_ADDRESS_2, config->bar2_size);
	if (error)
		return error;
	add_capability(space, &link, CAP_PM, PCI_CAP_ID_PM);
	fill_power_management(space);
	if (config->part_number) {
		add_capability(space, &link, CAP_VPD, PCI_CAP_ID_VPD);
		fill_vpd(space, config);
	}
	add_capability(space, &link, CAP_EXP, PCI_CAP_ID_EXP);
	fill_express(space);
	if (config->msix_vectors) {
		add_capability(space, &link, CAP_MSIX, PCI_CAP_ID_MSIX);
		error = fill_msix(space, config);
	}
	memcpy(space->at_reset, space->bytes, sizeof(space->bytes));
	return error;
}

void pci_reset(struct pci_space *space)
{
	memcpy(space->bytes, space->at_reset, sizeof(space->bytes));
}

void pci_read(const struct pci_space *space, size_t offset, uint8_t *buf, size_t len)
{
	memcpy(buf, space->bytes + offset, len);
}

static bool touches(size_t offset, size_t len, size_t byte)
{
	return offset <= byte && byte < offset + len;
}

bool pci_write(struct pci_space *space, size_t offset, const uint8_t *buf, size_t len)
{
	/* The flags of these two registers stand in their upper byte. */
	const size_t vpd_flag = CAP_VPD + PCI_VPD_ADDR + 1;
	const size_t reset_flag = CAP_EXP + PCI_EXP_DEVCTL + 1;
	const uint8_t reset_bit = PCI_EXP_DEVCTL_BCR_FLR >> 8;
	bool reset;

	for (size_t i = 0; i < len; i++) {
		size_t at = offset + i;
		uint8_t mask = space->writable[at];

		space->bytes[at] &= (uint8_t)~(buf[i] & space->write_one_to_clear[at]);
		space->bytes[at] = (uint8_t)((space->bytes[at] & ~mask) | (buf[i] & mask));
	}
	if (touches(offset, len, vpd_flag) && space->writable[vpd_flag])
		transfer_vpd(space);
	reset = space->bytes[reset_flag] & reset_bit;
	space->bytes[reset_flag] &= (uint8_t)~reset_bit;
	return reset;
}

bool pci_is_bus_master(const struct pci_space *space)
{
	return space->bytes[PCI_COMMAND] & PCI_COMMAND_MASTER;
}
