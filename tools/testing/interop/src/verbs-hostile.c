// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * usage: verbs-hostile SEED CALLS THREADS
 *
 * Makes so many calls to the device of PORT_A that nobody sane would make, from so many threads
 * (at most 8). Nothing but errnos of user space may come out; what the kernel says of it, its log
 * says. The device may be unplugged and come back meanwhile. At the end it says what came out.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "hostile.h"
#include "uverbs.h"

/* After so many calls of each thread, all files are closed, and opened anew. */
enum { ROUND = 500, HIGHEST_ERRNO = 133 };

static struct attacker attackers[MAX_THREADS];
static unsigned int threads;
static unsigned long calls_of_thread;
static char path[300];
static pthread_barrier_t barrier;
static atomic_ulong outcomes[HIGHEST_ERRNO + 1];

/* --- files */

/* If the device isn't there, what was there stays: a file of a device that is gone. */
static void open_slot(struct attacker *attacker, int slot, bool furnished)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	if (furnished)
		furnish(fd, attacker);
	dup3(fd, slot, O_CLOEXEC);
	close(fd);
}

static void open_own(struct attacker *attacker)
{
	int slot = FIRST_FILE + attacker->number * FILES_OF_THREAD;

	open_slot(attacker, slot, true);
	open_slot(attacker, slot + 1, true);
	open_slot(attacker, slot + 2, once_in(attacker, 2));
	if (once_in(attacker, 2))
		close(slot + 3);
	else
		open_slot(attacker, slot + 3, false);
}

/* Files that the kernel made are gone, and those that are shared are new. */
static void begin_round(struct attacker *attacker)
{
	pthread_barrier_wait(&barrier);
	if (!attacker->number) {
		closefrom(FIRST_OTHER_FILE);
		for (int i = 0; i < SHARED_FILES; i++)
			open_slot(attacker, SHARED_FILE + i, true);
	}
	pthread_barrier_wait(&barrier);
	open_own(attacker);
	pthread_barrier_wait(&barrier);
}

/* --- calls */

/* Of an event file, or what is there instead. It may be there no longer, but it never blocks. */
static int hostile_read(struct attacker *attacker)
{
	int fd = FIRST_OTHER_FILE + below(attacker, 24);
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	void *to = attacker->arena + 65536;

	if (fcntl(fd, F_SETFL, O_NONBLOCK))
		return -1;
	if (once_in(attacker, 4))
		to = (void *)(uintptr_t)bad_address(attacker);
	if (poll(&pollfd, 1, 0) < 0)
		return -1;
	return read(fd, to, below(attacker, 40));
}

static int hostile_map(struct attacker *attacker)
{
	static const int protections[] = {
		PROT_READ, PROT_WRITE, PROT_READ | PROT_WRITE, PROT_EXEC,
	};
	size_t len = 4096ULL << (once_in(attacker, 4) ? below(attacker, 20) : 0);
	uint64_t page_number = once_in(attacker, 4) ? chance(attacker) >> 12 : below(attacker, 4);
	volatile char *page = mmap(NULL, len, protections[below(attacker, 4)],
				   once_in(attacker, 4) ? MAP_PRIVATE : MAP_SHARED,
				   file_of(attacker), 4096 * page_number);

	if (page == MAP_FAILED)
		return -1;
	if (once_in(attacker, 2))
		mprotect((void *)page, len, PROT_NONE);
	return munmap((void *)page, len);
}

/* A request of somebody else's changes while the kernel reads it. */
static void scribble(struct attacker *attacker)
{
	struct attacker *other = &attackers[below(attacker, threads)];
	volatile unsigned char *at = other->frame + FRAME_SIZE - 1 - below(attacker, 256);

	*at = once_in(attacker, 2) ? *at ^ 1U << below(attacker, 8) : chance(attacker);
}

static int call(struct attacker *attacker)
{
	switch (below(attacker, 32)) {
	case 0:
		return hostile_read(attacker);
	case 1:
		return hostile_map(attacker);
	default:
		return once_in(attacker, 2) ? hostile_command(attacker) : hostile_method(attacker);
	}
}

static void *attack(void *data)
{
	struct attacker *attacker = data;
	int ret;

	for (unsigned long i = 0; i < calls_of_thread; i++) {
		if (i % ROUND == 0)
			begin_round(attacker);
		if (once_in(attacker, 8))
			scribble(attacker);
		errno = 0;
		ret = call(attacker);
		CHECK(errno >= 0 && errno <= HIGHEST_ERRNO, "errno %d of thread %u, call %lu",
		      errno, attacker->number, i);
		outcomes[ret < 0 ? errno : 0]++;
	}
	return NULL;
}

/* --- all of it */

/*
 * Addresses in requests are torn, and where such a one leads to the kernel may well put an answer.
 * So what they're made from lies where this leads to nothing that the program lives on: whichever
 * bit is another one, and even if two bytes are. (The program, its libraries and stacks are at
 * 0x5... and 0x7...; of 32 bits, at 0x56..., and above 0xf4....)
 */
static const uintptr_t far_away = (uintptr_t)1 << (sizeof(void *) == 8 ? 45 : 29);

static unsigned char *map_at(uintptr_t address, size_t len)
{
	void *memory = mmap((void *)address, len, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	CHECK(memory == (void *)address, "%p instead of %#zx", memory, (size_t)address);
	return memory;
}

static void prepare(struct attacker *attacker, unsigned int number, uint64_t seed)
{
	uintptr_t place = far_away + 2 * ARENA_SIZE * number;

	attacker->number = number;
	attacker->state = seed * 1000 + number;
	attacker->arena = map_at(place, ARENA_SIZE);
	attacker->frame = map_at(place + ARENA_SIZE, 2 * FRAME_SIZE);
	CHECK_OK(mprotect(attacker->frame + FRAME_SIZE, FRAME_SIZE, PROT_NONE));
}

static void report(void)
{
	unsigned long all = 0;

	for (int i = 0; i <= HIGHEST_ERRNO; i++)
		all += outcomes[i];
	printf("%lu calls: %lu succeeded", all, outcomes[0]);
	for (int i = 1; i <= HIGHEST_ERRNO; i++)
		if (outcomes[i])
			printf(", %lu %s", outcomes[i], strerrorname_np(i));
	puts("");
	CHECK(outcomes[0] > all / 100, "hardly any call succeeded: this tests nothing");
}

int main(int argc, char **argv)
{
	pthread_t ids[MAX_THREADS];
	uint64_t seed;

	if (argc != 4) {
		fputs("usage: verbs-hostile SEED CALLS THREADS\n", stderr);
		return 2;
	}
	seed = strtoull(argv[1], NULL, 0);
	threads = atoi(argv[3]);
	CHECK(threads >= 1 && threads <= MAX_THREADS, "%u threads", threads);
	calls_of_thread = strtoul(argv[2], NULL, 0) / threads;
	road = BY_IOCTL;
	strcpy(path, device_path());
	CHECK_OK(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 1024, 1024 }));
	CHECK_EQ(pthread_barrier_init(&barrier, NULL, threads), 0);
	for (unsigned int i = 0; i < threads; i++)
		prepare(&attackers[i], i, seed);
	for (unsigned int i = 0; i < threads; i++)
		CHECK_EQ(pthread_create(&ids[i], NULL, attack, &attackers[i]), 0);
	for (unsigned int i = 0; i < threads; i++)
		CHECK_EQ(pthread_join(ids[i], NULL), 0);
	report();
	return 0;
}
