# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# What a person types. `make help` lists it. Everything is built and run inside a private Debian 13 tree
# (tools/testing/vm), so this machine needs little: root, bash, make, and debootstrap, which is installed.

SHELL := /bin/bash
VM := tools/testing/vm
IN := $(VM)/in-tree
MODULES ?= ours
HCA ?=
T ?= *

# Kernel sources that any of our modules may include.
KERNEL_SOURCES := $(shell find drivers include tools/testing/swap tools/testing/vm tools/testing/nullhca tools/testing/drain tools/testing/bench/verbs -name '*.[ch]' -o -name Kbuild -o -name objects 2>/dev/null)
IBEMU_SOURCES := $(shell find tools/testing/ibemu -name '*.[ch]' -o -name Makefile 2>/dev/null)
COMBINATION = $(shell tools/build/modules --list $(1))$(if $(filter-out 0,$(.SHELLSTATUS)),$(error no such combination))

help:
	@sed -n 's/^#: //p' $(firstword $(MAKEFILE_LIST))

#: make all                        our kernel modules and ibemu
#: make demo                       boot a guest with our modules, bring an emulated fabric up, look at it
#: make check                      all of the following tests
#: make check-static               sparse, W=1, checkpatch, kernel-doc, shellcheck
#: make check-kunit                KUnit suites in User-mode Linux
#: make check-ibemu                the emulator's unit tests and fuzz runs
#: make check-vm                   the bench itself: nothing that goes wrong in a guest goes unnoticed
#: make check-swap                 a stock importer loads on our exporter
#: make check-exports              what stock modules import of ours, and the layouts that they share
#: make check-interop [T=glob] [MODULES=stock+umad] [HCA=rxe|connectx5|nullhca]     stock clients on our modules
#: make check-pyverbs [T=glob] [MODULES=..] [HCA=..]      rdma-core's own tests, judged by how they go on stock modules
#: make check-debug [T=glob] [MODULES=..] [HCA=..]      check-interop on a kernel with lockdep, KASAN and kmemleak; on demand
#: make bench [MODULES=..]         ours against stock in kernel instructions, and what ibemu costs; never fails a check
#: make vm [MODULES=..] [HCA=..]   a shell in the guest
#: make clean                      removes build/ (the sysroot stays in the cache folder)

all: build/modules/ours build/ibemu/ibemu

# One kernel-build run a folder.
build/kernel/%/built: $(KERNEL_SOURCES) $(wildcard tools/build/*)
	@mkdir -p $(@D)
	@echo "build: $*"
	@$(IN) tools/build/module $* >$(@D)/log 2>&1 || { tail -n 30 $(@D)/log; \
		echo "build: FAILED: $*; the log is $(@D)/log"; exit 1; }
	@touch $@

# What was built stays, though it's but a step to something else.
.SECONDARY:

# ib_mad needs what our ib_core exports beside what stock's does.
build/kernel/drivers/infiniband/core/mad/built: build/kernel/drivers/infiniband/core/built

.SECONDEXPANSION:
build/modules/%: $$(addprefix build/kernel/,$$(addsuffix /built,$$(call COMBINATION,$$*)))
	@mkdir -p $(@D)
	@$(IN) tools/build/modules $* $@
	@touch $@

build/vm/initramfs: $(VM)/initramfs
	@mkdir -p $(@D)
	@$(IN) $(VM)/initramfs $@

build/ibemu/%: $(IBEMU_SOURCES)
	@mkdir -p $(@D)
	@echo "build: $*"
	@$(IN) make -C tools/testing/ibemu -j$$(nproc) O=/project/build/ibemu /project/$@ >build/ibemu/$*.log 2>&1 || { \
		tail -n 30 build/ibemu/$*.log; echo "build: FAILED: $*; the log is build/ibemu/$*.log"; exit 1; }

vm: build/vm/initramfs
	@$(VM)/run -i --modules $(MODULES) $(if $(HCA),--hca $(HCA))

# The targets that `make check` runs; the first builds our modules, and what takes long is begun early.
CHECKS := check-static "check-interop HCA=connectx5" check-kunit check-ibemu \
	"check-interop HCA=nullhca" "check-interop HCA=rxe" \
	"check-pyverbs HCA=connectx5" "check-pyverbs HCA=rxe" \
	"check-interop HCA=connectx5 MODULES=stock T=smoke*" "check-interop HCA=rxe MODULES=stock T=smoke*" \
	check-vm check-swap check-exports

# Two of them run at once, and must not both build ibemu.
check: build/ibemu/ibemu
	@tools/testing/check $(CHECKS)

check-static:
	@tools/testing/static/run

check-kunit:
	@tools/testing/kunit/run $(if $(filter-out *,$(T)),--suite '$(T)')

check-ibemu:
	@$(IN) make --no-print-directory -C tools/testing/ibemu -j$$(nproc) O=/project/build/ibemu check

check-vm:
	@$(VM)/selftest

check-swap:
	@tools/testing/swap/run

check-exports:
	@tools/testing/exports/run

check-interop:
	@tools/testing/interop/run --modules $(MODULES) $(if $(HCA),--hca $(HCA)) --tests '$(T)'

check-pyverbs:
	@tools/testing/pyverbs/run --modules $(MODULES) $(if $(HCA),--hca $(HCA)) --tests '$(T)'

check-debug:
	@tools/testing/debug/run --modules $(MODULES) $(if $(HCA),--hca $(HCA)) --tests '$(T)'

bench:
	@tools/testing/bench/run --modules $(MODULES)

demo:
	@tools/testing/demo/run

clean:
	rm -rf build

.PHONY: help all demo vm check check-static check-kunit check-ibemu check-vm check-swap check-exports check-interop check-pyverbs check-debug bench clean
.DELETE_ON_ERROR:
