// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Atomic operations on guest memory (IBTA vol. 1, 9.4.5). They are atomic for the guest's
 * processors too.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "hca/connected.h"

static uint64_t to_memory(const struct hca *hca, uint64_t value)
{
	return hca->big_endian_atomics ? htobe64(value) : htole64(value);
}

static uint64_t from_memory(const struct hca *hca, uint64_t value)
{
	return hca->big_endian_atomics ? be64toh(value) : le64toh(value);
}

void hca_atomic_encode(const struct hca *hca, uint64_t value, uint8_t bytes[8])
{
	uint64_t word = to_memory(hca, value);

	memcpy(bytes, &word, sizeof(word));
}

static uint64_t outcome(const struct atomic_eth *eth, bool compare_swap, uint64_t original)
{
	if (!compare_swap)
		return original + eth->swap_add;
	return original == eth->compare ? eth->swap_add : original;
}

int hca_atomic(struct hca *hca, const struct hca_mkey *mkey, const struct atomic_eth *eth,
	       bool compare_swap, uint64_t *original)
{
	size_t len = sizeof(uint64_t);
	uint64_t bus, seen, *word;

	int error = hca_mkey_resolve(hca, mkey, eth->va, &len, DMA_WRITE, &bus);

	if (error)
		return error;
	if (len != sizeof(*word))
		return -EFAULT;
	word = dma_map(hca->dma, bus, len, DMA_WRITE);
	if (!word || (uintptr_t)word % sizeof(*word))
		return -EFAULT;
	seen = __atomic_load_n(word, __ATOMIC_SEQ_CST);
	do {
		*original = from_memory(hca, seen);
	} while (!__atomic_compare_exchange_n(word, &seen,
					      to_memory(hca, outcome(eth, compare_swap, *original)),
					      false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
	return 0;
}
