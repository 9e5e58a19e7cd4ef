/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include "vfio-user/memory.h"

#include <errno.h>
#include <linux/vfio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define RIGHTS (VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE)

/* The first mapping that begins above addr. */
static size_t first_above(const struct memory *memory, uint64_t addr)
{
	size_t low = 0, high = memory->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (memory->mappings[middle].addr > addr)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static bool contains(const struct mapping *mapping, uint64_t addr)
{
	return addr >= mapping->addr && addr - mapping->addr < mapping->size;
}

static const struct mapping *find(struct memory *memory, uint64_t addr)
{
	size_t above;

	if (memory->last_hit < memory->count && contains(&memory->mappings[memory->last_hit], addr))
		return &memory->mappings[memory->last_hit];
	above = first_above(memory, addr);
	if (!above || !contains(&memory->mappings[above - 1], addr))
		return NULL;
	memory->last_hit = above - 1;
	return &memory->mappings[above - 1];
}

static void *map_for_device(struct dma *dma, uint64_t addr, size_t *len, enum dma_dir dir)
{
	struct memory *memory = (struct memory *)((char *)dma - offsetof(struct memory, dma));
	const struct mapping *mapping = memory->bus_master ? find(memory, addr) : NULL;
	uint64_t skip;

	if (!mapping || !mapping->host ||
	    !(dir == DMA_READ ? mapping->readable : mapping->writable))
		return NULL;
	skip = addr - mapping->addr;
	if (*len > mapping->size - skip)
		*len = (size_t)(mapping->size - skip);
	return mapping->host + skip;
}

static const struct dma_ops dma_ops = { .map = map_for_device };

/*
 * A client can shorten a file after we have mapped it. The access beyond the new end must not kill
 * the process, which serves other guests too: the page is replaced by an empty one of our own,
 * until it's unmapped.
 */
static void replace_lost_page(int signal_number, siginfo_t *info, void *context)
{
	uintptr_t page = (uintptr_t)info->si_addr & ~(uintptr_t)(MEMORY_PAGE - 1);

	(void)context;
	if (info->si_code != BUS_ADRERR ||
	    mmap((void *)page, MEMORY_PAGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		signal(signal_number, SIG_DFL); /* the access is tried once more: the end */
}

void memory_init(struct memory *memory)
{
	struct sigaction action = { .sa_sigaction = replace_lost_page, .sa_flags = SA_SIGINFO };

	sigaction(SIGBUS, &action, NULL);
	*memory = (struct memory){ .dma = { .ops = &dma_ops } };
}

static int check_range(uint64_t addr, uint64_t size, uint32_t flags)
{
	if (!size || addr % MEMORY_PAGE || size % MEMORY_PAGE || addr + (size - 1) < addr)
		return -EINVAL;
	if (!(flags & RIGHTS) || flags & ~(uint32_t)RIGHTS)
		return -EINVAL;
	return 0;
}

static int check_file(int fd, uint64_t offset, uint64_t size)
{
	struct stat stat;
	uint64_t end;

	if (fstat(fd, &stat))
		return -errno;
	if (!S_ISREG(stat.st_mode) || offset % MEMORY_PAGE)
		return -EINVAL;
	if (__builtin_add_overflow(offset, size, &end) || end > (uint64_t)stat.st_size)
		return -EINVAL;
	return 0;
}

static int reserve(struct memory *memory)
{
	size_t room = memory->room ? 2 * memory->room : 16;
	struct mapping *mappings;

	if (memory->count == MEMORY_MAX_MAPPINGS)
		return -ENOSPC;
	if (memory->count < memory->room)
		return 0;
	mappings = realloc(memory->mappings, room * sizeof(*mappings));
	if (!mappings)
		return -ENOMEM;
	memory->mappings = mappings;
	memory->room = room;
	return 0;
}

static int map_file(struct mapping *mapping, int fd, uint64_t offset)
{
	int protection = (mapping->readable ? PROT_READ : 0) | (mapping->writable ? PROT_WRITE : 0);
	void *host = mmap(NULL, mapping->size, protection, MAP_SHARED, fd, (off_t)offset);

	if (host == MAP_FAILED)
		return -errno;
	mapping->host = host;
	return 0;
}

int memory_map(struct memory *memory, uint64_t addr, uint64_t size, uint32_t flags, int fd,
	       uint64_t offset)
{
	struct mapping mapping = {
		.addr = addr,
		.size = size,
		.readable = flags & VFIO_DMA_MAP_FLAG_READ,
		.writable = flags & VFIO_DMA_MAP_FLAG_WRITE,
	};
	int error = check_range(addr, size, flags);
	size_t at;

	if (!error && fd >= 0)
		error = check_file(fd, offset, size);
	if (error)
		return error;
	at = first_above(memory, addr + (size - 1));
	if (at && memory->mappings[at - 1].addr + (memory->mappings[at - 1].size - 1) >= addr)
		return -EEXIST;
	error = reserve(memory);
	if (!error && fd >= 0)
		error = map_file(&mapping, fd, offset);
	if (error)
		return error;
	memmove(&memory->mappings[at + 1], &memory->mappings[at],
		(memory->count - at) * sizeof(mapping));
	memory->mappings[at] = mapping;
	memory->count++;
	return 0;
}

static void release(struct mapping *mapping)
{
	if (mapping->host)
		munmap(mapping->host, mapping->size);
}

int memory_unmap(struct memory *memory, uint64_t addr, uint64_t size)
{
	size_t above = first_above(memory, addr);
	struct mapping *mapping = above ? &memory->mappings[above - 1] : NULL;

	if (!mapping || mapping->addr != addr || mapping->size != size)
		return -ENOENT;
	release(mapping);
	memmove(mapping, mapping + 1, (memory->count - above) * sizeof(*mapping));
	memory->count--;
	return 0;
}

void memory_unmap_all(struct memory *memory)
{
	for (size_t i = 0; i < memory->count; i++)
		release(&memory->mappings[i]);
	free(memory->mappings);
	memory->mappings = NULL;
	memory->count = 0;
	memory->room = 0;
}
