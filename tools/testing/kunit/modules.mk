# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Prints the test modules that the Kbuild of FOLDER makes.

KUNIT_MODULES := m
src := $(FOLDER)
srctree := .
include $(FOLDER)/Kbuild

$(foreach module,$(filter %_kunit.o,$(obj-m)),$(info $(module:.o=.ko)))
all: ;
