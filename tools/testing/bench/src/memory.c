// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "memory.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"

#define HUGE_PAGE (2L << 20)

static char *map(size_t length)
{
	char *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);

	CHECK(memory != MAP_FAILED, "mmap of %zu bytes", length);
	return memory;
}

char *huge_memory(void)
{
	char *memory = (char *)(((uintptr_t)map(2 * HUGE_PAGE) + HUGE_PAGE - 1) & -HUGE_PAGE);

	CHECK_OK(madvise(memory, HUGE_PAGE, MADV_HUGEPAGE));
	memset(memory, 1, HUGE_PAGE);
	return memory;
}

/* Every second page of memory that was got at once. */
char *scattered_memory(size_t length)
{
	char *source = map(2 * length), *memory = map(length);

	CHECK_OK(madvise(source, 2 * length, MADV_NOHUGEPAGE));
	memset(source, 1, 2 * length);
	for (size_t at = 0; at < length; at += PAGE)
		CHECK(mremap(source + 2 * at, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
			     memory + at) == memory + at, "mremap");
	return memory;
}
