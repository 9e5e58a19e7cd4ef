// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "hca/engine.h"

#include <errno.h>
#include <string.h>

uint64_t hca_sge_total(const struct hca_sge *sge, unsigned int count)
{
	uint64_t total = 0;

	for (unsigned int i = 0; i < count; i++)
		total += sge[i].len;
	return total;
}

static enum hca_status status_of(int error)
{
	switch (error) {
	case 0:
		return HCA_OK;
	case -EAGAIN:
		return HCA_PAGED_OUT;
	default:
		return HCA_LOCAL_PROTECTION;
	}
}

static enum hca_status read_sge(struct hca *hca, uint32_t pd, const struct hca_sge *sge,
				uint64_t offset, uint8_t *to, uint64_t len)
{
	if (!sge->inline_data)
		return status_of(hca_mkey_copy(hca, sge->lkey, pd, sge->addr + offset, to, len,
					       DMA_READ));
	memcpy(to, sge->inline_data + offset, len);
	return HCA_OK;
}

enum hca_status hca_gather_part(struct hca *hca, uint32_t pd, const struct hca_sge *sge,
				unsigned int count, uint64_t offset, uint8_t *to, uint64_t len)
{
	for (unsigned int i = 0; i < count && len; i++) {
		enum hca_status status;
		uint64_t part;

		if (offset >= sge[i].len) {
			offset -= sge[i].len;
			continue;
		}
		part = sge[i].len - offset;
		if (part > len)
			part = len;
		status = read_sge(hca, pd, &sge[i], offset, to, part);
		if (status != HCA_OK)
			return status;
		to += part;
		len -= part;
		offset = 0;
	}
	return HCA_OK;
}

enum hca_status hca_gather(struct hca *hca, uint32_t pd, const struct hca_sge *sge,
			   unsigned int count, uint8_t *to)
{
	return hca_gather_part(hca, pd, sge, count, 0, to, hca_sge_total(sge, count));
}

enum hca_status hca_scatter(struct hca *hca, uint32_t pd, const struct hca_sge *sge,
			    unsigned int count, uint64_t offset, const uint8_t *from, uint64_t len)
{
	for (unsigned int i = 0; i < count && len; i++) {
		enum hca_status status;
		uint64_t part;

		if (offset >= sge[i].len) {
			offset -= sge[i].len;
			continue;
		}
		part = sge[i].len - offset;
		if (part > len)
			part = len;
		status = status_of(hca_mkey_copy(hca, sge[i].lkey, pd, sge[i].addr + offset,
						 (uint8_t *)from, part, DMA_WRITE));
		if (status != HCA_OK)
			return status;
		from += part;
		len -= part;
		offset = 0;
	}
	return HCA_OK;
}
