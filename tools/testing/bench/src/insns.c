// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A TCG plugin: how many instructions a guest's kernel executes between two marks (mark.h).
 *
 * usage: qemu-system-x86_64 -plugin insns.so,out=FILE,share=FOLDER
 *
 * A line for each window: "KERNEL USER PAUSED", instructions of all CPUs together. A translation
 * block is counted as a whole when it's entered. Where the marks stand in user space, what is lost
 * at the edges of a window is never the kernel's; where a module has them, it's less than a block.
 *
 * FOLDER is one that the guest writes to. Files in it change what is counted from the next window
 * on, and say nothing while they aren't there:
 *
 *   pause    lines "START END", in hex: functions. From the entry of one to its return, whatever
 *            runs counts as PAUSED. It must return by a return instruction of its own, not through
 *            another function, and mustn't be in use twice at a time.
 *   profile  becomes, for each window, lines "ADDRESS INSTRUCTIONS" of the blocks that counted as
 *            KERNEL, and a line "window"
 */
#include <inttypes.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#define BENCH_PLUGIN
#include "mark.h"
#include "qemu_plugin.h"

#define KERNEL_HALF (1ull << 63) /* of the addresses: set in the kernel's */
#define RETURN 0xc3		 /* x86's instruction */

enum {
	MAX_TOUCHED = 1 << 20,
	MAX_PAUSES = 8,
};

PLUGIN_EXPORT int qemu_plugin_version = PLUGIN_API_VERSION;

/**
 * struct block - a translation block; stays when QEMU forgets it, of which nobody is told
 * @address: of its first instruction
 * @insns: instructions
 * @returns: the last of them is a return
 * @counted: instructions in the window that's open
 */
struct block {
	uint64_t address;
	uint32_t insns;
	bool returns;
	uint64_t counted;
};

struct function {
	uint64_t start;
	uint64_t end;
};

/**
 * struct window - the window that's open, or the last one
 * @open: it's counted
 * @kernel: instructions so far
 * @user: of user space
 * @waited: those that count as PAUSED
 * @pauses: functions from the file pause, up to one that starts at 0
 * @paused_by: that which is being executed, or NULL
 * @profile: the file, or NULL
 * @touched: how many blocks have been counted for it
 */
static struct window {
	bool open;
	uint64_t kernel;
	uint64_t user;
	uint64_t waited;
	struct function pauses[MAX_PAUSES];
	const struct function *paused_by;
	FILE *profile;
	size_t touched;
} window;

static struct block *touched[MAX_TOUCHED];
static const char *share;
static FILE *out;

static FILE *shared(const char *name, const char *mode)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", share, name);
	return fopen(path, mode);
}

/* --- what is executed; the guest has one CPU, so this never runs twice at a time */

static void remember(struct block *block)
{
	if (!block->counted && window.touched < MAX_TOUCHED)
		touched[window.touched++] = block;
	block->counted += block->insns;
}

static const struct function *entered(uint64_t address)
{
	for (const struct function *function = window.pauses; function->start; function++)
		if (function->start == address)
			return function;
	return NULL;
}

static bool left(const struct block *block, const struct function *function)
{
	return block->returns && block->address >= function->start &&
	       block->address < function->end;
}

static void count_kernel(unsigned int cpu, void *data)
{
	struct block *block = data;

	(void)cpu;
	if (!window.open)
		return;
	if (!window.paused_by)
		window.paused_by = entered(block->address);
	if (window.paused_by) {
		window.waited += block->insns;
		if (left(block, window.paused_by))
			window.paused_by = NULL;
		return;
	}
	window.kernel += block->insns;
	if (window.profile)
		remember(block);
}

static void count_user(unsigned int cpu, void *data)
{
	const struct block *block = data;

	(void)cpu;
	if (window.open)
		window.user += block->insns;
}

/* The last entry stays empty. */
static void read_pauses(void)
{
	FILE *file = shared("pause", "re");

	if (!file)
		return;
	for (struct function *function = window.pauses;
	     function < window.pauses + MAX_PAUSES - 1 &&
	     fscanf(file, "%" SCNx64 "%" SCNx64, &function->start, &function->end) == 2; function++)
		;
	fclose(file);
}

static void begin(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	window = (struct window){};
	read_pauses();
	window.profile = shared("profile", "r+e");
	if (window.profile)
		fseek(window.profile, 0, SEEK_END);
	window.open = true;
}

static void write_profile(void)
{
	for (size_t i = 0; i < window.touched; i++) {
		fprintf(window.profile, "%" PRIx64 " %" PRIu64 "\n", touched[i]->address,
			touched[i]->counted);
		touched[i]->counted = 0;
	}
	fputs("window\n", window.profile);
	fclose(window.profile);
}

static void end(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	if (!window.open)
		return;
	window.open = false;
	fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", window.kernel, window.user,
		window.waited);
	fflush(out);
	if (window.profile)
		write_profile();
}

/* --- what is translated */

static size_t bytes_of(const struct qemu_plugin_insn *insn, unsigned char bytes[MARK_LEN + 1])
{
	return qemu_plugin_insn_data(insn, bytes, MARK_LEN + 1);
}

static void watch_for_mark(struct qemu_plugin_insn *insn)
{
	static const unsigned char begin_mark[] = { MARK_BEGIN_BYTES };
	static const unsigned char end_mark[] = { MARK_END_BYTES };
	unsigned char bytes[MARK_LEN + 1];

	if (bytes_of(insn, bytes) != MARK_LEN)
		return;
	if (!memcmp(bytes, begin_mark, MARK_LEN))
		qemu_plugin_register_vcpu_insn_exec_cb(insn, begin, PLUGIN_NO_REGISTERS, NULL);
	else if (!memcmp(bytes, end_mark, MARK_LEN))
		qemu_plugin_register_vcpu_insn_exec_cb(insn, end, PLUGIN_NO_REGISTERS, NULL);
}

static bool is_return(const struct qemu_plugin_insn *insn)
{
	unsigned char bytes[MARK_LEN + 1];

	return bytes_of(insn, bytes) == 1 && bytes[0] == RETURN;
}

static void translated(struct qemu_plugin_tb *tb, void *data)
{
	size_t insns = qemu_plugin_tb_n_insns(tb);
	struct block *block = malloc(sizeof(*block));

	(void)data;
	if (!block) {
		perror("insns");
		abort();
	}
	*block = (struct block){
		.address = qemu_plugin_tb_vaddr(tb),
		.insns = insns,
		.returns = is_return(qemu_plugin_tb_get_insn(tb, insns - 1)),
	};
	qemu_plugin_register_vcpu_tb_exec_cb(tb, block->address & KERNEL_HALF ? count_kernel :
										count_user,
					     PLUGIN_NO_REGISTERS, block);
	for (size_t i = 0; i < insns; i++)
		watch_for_mark(qemu_plugin_tb_get_insn(tb, i));
}

/* The value of an option "NAME=VALUE"; NULL: it's another. */
static const char *option(const char *name, const char *argument)
{
	size_t len = strlen(name);

	return !strncmp(argument, name, len) && argument[len] == '=' ? argument + len + 1 : NULL;
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
	const char *path = argc == 2 ? option("out", argv[0]) : NULL;
	const char *folder = argc == 2 ? option("share", argv[1]) : NULL;

	(void)info;
	if (!path || !folder) {
		fputs("insns: usage: -plugin insns.so,out=FILE,share=FOLDER\n", stderr);
		return -1;
	}
	share = strdup(folder);
	out = fopen(path, "we");
	if (!out || !share) {
		perror(path);
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated, NULL);
	return 0;
}
