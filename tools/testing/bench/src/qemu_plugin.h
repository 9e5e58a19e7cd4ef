/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef BENCH_QEMU_PLUGIN_H
#define BENCH_QEMU_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The few items of QEMU's TCG plugin interface (version 7 as of QEMU 11) that the counter uses.
 * Debian ships no header for it. QEMU resolves the functions when it loads the plugin.
 */

#define PLUGIN_API_VERSION 7
#define PLUGIN_EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;

struct qemu_info_t;
struct qemu_plugin_tb; /* a translation block: instructions that run one after the other */
struct qemu_plugin_insn;

typedef void plugin_translated(struct qemu_plugin_tb *tb, void *data);
typedef void plugin_executed(unsigned int cpu, void *data);

enum { PLUGIN_NO_REGISTERS }; /* the callback looks at none */

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, plugin_translated *translated,
					   void *data);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, plugin_executed *executed,
					  int registers, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    plugin_executed *executed, int registers, void *data);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *bytes, size_t len);

PLUGIN_EXPORT extern int qemu_plugin_version;
PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc,
				      char **argv);

#endif
