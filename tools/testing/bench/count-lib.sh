# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# What the scripts share that measure in a guest.

. /project/tools/testing/interop/lib.sh
# shellcheck disable=SC2034 # for those scripts
bin=/project/build/bench/bin

# Both ports Active, and no subnet manager left whose sweeps would run in the windows.
bring_ports_up() {
	local opensm port
	opensm -f /tmp/opensm.log >/dev/null &
	opensm=$!
	for port in "$PORT_A" "$PORT_B"; do
		until grep -q ACTIVE "/sys/class/infiniband/${port%/*}/ports/1/state"; do sleep 0.2; done
	done
	kill -INT "$opensm"
	wait "$opensm"
}

# kernel_verbs PARAMETER...: verbs of the kernel, by a module with these parameters
kernel_verbs() {
	mountpoint -q /sys/kernel/debug || mount -t debugfs debugfs /sys/kernel/debug
	insmod /project/build/kernel/tools/testing/bench/verbs/bench_verbs.ko "$@"
	cat /sys/kernel/debug/bench_verbs >>/share/windows
	rmmod bench_verbs
}
