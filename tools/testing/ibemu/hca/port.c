// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "hca/engine.h"

#include "base/bytes.h"

#define GID_PREFIX_LINK_LOCAL 0xfe80000000000000ull
#define PKEY_FULL_MEMBER 0x8000

bool hca_gid_is_ours(const struct hca *hca, const uint8_t gid[16])
{
	const struct port_attr *attr = fabric_port_attr(hca->port);
	uint64_t prefix = get_be64(gid), guid = get_be64(gid + 8);

	if (!guid || (prefix != attr->gid_prefix && prefix != GID_PREFIX_LINK_LOCAL))
		return false;
	for (unsigned int i = 0; i < FABRIC_GUIDS; i++)
		if (attr->guids[i] == guid)
			return true;
	return false;
}

bool hca_gid_at(const struct hca *hca, unsigned int index, uint8_t gid[16])
{
	const struct port_attr *attr = fabric_port_attr(hca->port);

	if (index >= FABRIC_GUIDS || !attr->guids[index])
		return false;
	put_be64(gid, attr->gid_prefix);
	put_be64(gid + 8, attr->guids[index]);
	return true;
}

uint16_t hca_pkey_at(const struct hca *hca, unsigned int index)
{
	return index < FABRIC_PKEYS ? fabric_port_attr(hca->port)->pkeys[index] : 0;
}

bool hca_pkey_match(uint16_t a, uint16_t b)
{
	return ((a ^ b) & ~PKEY_FULL_MEMBER & 0xffff) == 0 && (a & ~PKEY_FULL_MEMBER) != 0 &&
	       ((a | b) & PKEY_FULL_MEMBER);
}

bool hca_pkey_in_table(const struct hca *hca, uint16_t pkey)
{
	for (unsigned int i = 0; i < FABRIC_PKEYS; i++)
		if (hca_pkey_match(pkey, hca_pkey_at(hca, i)))
			return true;
	return false;
}
