// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A TCG plugin: how many instructions a guest's kernel executes between two marks (mark.h).
 *
 * usage: qemu-system-x86_64 -plugin insns.so,out=FILE
 *
 * A line for each window: "KERNEL USER", instructions of all CPUs together. A translation block is
 * counted as a whole when it's entered. Where the marks stand in user space, what is lost at the
 * edges of a window is never the kernel's; where a module has them, it's less than a block.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define BENCH_PLUGIN
#include "mark.h"
#include "qemu_plugin.h"

#define KERNEL_HALF (1ull << 63) /* of the addresses: set in the kernel's */

PLUGIN_EXPORT int qemu_plugin_version = PLUGIN_API_VERSION;

static _Atomic uint64_t kernel, user;
static FILE *out;

static void count_kernel(unsigned int cpu, void *insns)
{
	(void)cpu;
	atomic_fetch_add_explicit(&kernel, (uintptr_t)insns, memory_order_relaxed);
}

static void count_user(unsigned int cpu, void *insns)
{
	(void)cpu;
	atomic_fetch_add_explicit(&user, (uintptr_t)insns, memory_order_relaxed);
}

static void begin(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	kernel = 0;
	user = 0;
}

static void end(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	fprintf(out, "%llu %llu\n", (unsigned long long)kernel, (unsigned long long)user);
	fflush(out);
}

static void watch_for_mark(struct qemu_plugin_insn *insn)
{
	static const unsigned char begin_mark[] = { MARK_BEGIN_BYTES };
	static const unsigned char end_mark[] = { MARK_END_BYTES };
	unsigned char bytes[MARK_LEN + 1];

	if (qemu_plugin_insn_data(insn, bytes, sizeof(bytes)) != MARK_LEN)
		return;
	if (!memcmp(bytes, begin_mark, MARK_LEN))
		qemu_plugin_register_vcpu_insn_exec_cb(insn, begin, PLUGIN_NO_REGISTERS, NULL);
	else if (!memcmp(bytes, end_mark, MARK_LEN))
		qemu_plugin_register_vcpu_insn_exec_cb(insn, end, PLUGIN_NO_REGISTERS, NULL);
}

static void translated(struct qemu_plugin_tb *tb, void *data)
{
	size_t insns = qemu_plugin_tb_n_insns(tb);
	bool in_kernel = qemu_plugin_tb_vaddr(tb) & KERNEL_HALF;

	(void)data;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, in_kernel ? count_kernel : count_user,
					     PLUGIN_NO_REGISTERS, (void *)insns);
	for (size_t i = 0; i < insns; i++)
		watch_for_mark(qemu_plugin_tb_get_insn(tb, i));
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
	static const char option[] = "out=";

	(void)info;
	if (argc != 1 || strncmp(argv[0], option, strlen(option))) {
		fputs("insns: usage: -plugin insns.so,out=FILE\n", stderr);
		return -1;
	}
	out = fopen(argv[0] + strlen(option), "we");
	if (!out) {
		perror(argv[0]);
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated, NULL);
	return 0;
}
