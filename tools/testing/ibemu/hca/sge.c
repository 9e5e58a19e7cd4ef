// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "hca/engine.h"

#include <string.h>

uint64_t hca_sge_total(const struct hca_sge *sge, unsigned int count)
{
	uint64_t total = 0;

	for (unsigned int i = 0; i < count; i++)
		total += sge[i].len;
	return total;
}

enum hca_status hca_gather(struct hca *hca, uint32_t pd, const struct hca_sge *sge, unsigned int count,
			   uint8_t *to)
{
	for (unsigned int i = 0; i < count; to += sge[i++].len) {
		if (sge[i].inline_data)
			memcpy(to, sge[i].inline_data, sge[i].len);
		else if (hca_mkey_copy(hca, sge[i].lkey, pd, sge[i].addr, to, sge[i].len, DMA_READ))
			return HCA_LOCAL_PROTECTION;
	}
	return HCA_OK;
}

enum hca_status hca_scatter(struct hca *hca, uint32_t pd, const struct hca_sge *sge, unsigned int count,
			    uint64_t offset, const uint8_t *from, uint64_t len)
{
	for (unsigned int i = 0; i < count && len; i++) {
		uint64_t part;

		if (offset >= sge[i].len) {
			offset -= sge[i].len;
			continue;
		}
		part = sge[i].len - offset;
		if (part > len)
			part = len;
		if (hca_mkey_copy(hca, sge[i].lkey, pd, sge[i].addr + offset, (uint8_t *)from, part, DMA_WRITE))
			return HCA_LOCAL_PROTECTION;
		from += part;
		len -= part;
		offset = 0;
	}
	return HCA_OK;
}
