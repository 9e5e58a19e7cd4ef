# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# What tests share. The guest's test loop (guest) sources it, and so does every test that is a shell script.
#
# Set for a test: HCA, MODULES, OURS (names of our modules in use), GUEST, GUESTS, TEST (its name),
# PORT_A and PORT_B (two ports that reach each other; PORT_B only where this guest has both), and the
# commands UNPLUG and REPLUG, which take the device of PORT_A away and bring it back. PATIENCE says how many times as
# long as usual everything may take.

PATH=/project/build/interop/bin:$PATH
PATIENCE=${PATIENCE:-1}

. /project/tools/testing/vm/guest-lib.sh

fail() { echo "$*" >&2; exit 1; }
# For what can't be done here; the reason is printed.
skip() { echo "$*"; exit 77; }
# True if that module is ours in this run: core, umad, uverbs, mlx4, mlx5.
ours() { [[ " $OURS " == *" $1 "* ]]; }
# All guests of the test have come to this point.
meet() { barrier "$TEST.$1"; }

# Cases of umadtest, as a 64-bit program and as a 32-bit one.
cases() { umadtest "$@" && umadtest32 "$@"; }

# Cases of verbstest, with commands that are written and with commands in ioctls, in both sizes.
verbs() { verbstest "$@" && verbstest --ioctl "$@" && verbstest32 "$@" && verbstest32 --ioctl "$@"; }

# equal WHAT GOT WANT
equal() { [ "$2" = "$3" ] || fail "$1 is '$2', expected '$3'"; }

# patiently SECONDS PROGRAM...: it's ended when the time is over.
patiently() { timeout $(($1 * PATIENCE)) "${@:2}"; }

# eventually SECONDS COMMAND...: it succeeds before the time is over, tried again and again.
eventually() {
	local end=$((SECONDS + $1 * PATIENCE))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || fail "it never came to: $*"
		sleep 0.2
	done
}

# listening PORT: a server on this machine waits for TCP connections there
listening() { grep -qE ":$(printf %04X "$1") [0-9A-F:]+ 0A " /proc/net/tcp /proc/net/tcp6; }

# Modules in the order in which they can be removed.
rdma_modules='ib_umad rdma_ucm ib_ipoib rdma_cm iw_cm ib_cm nullhca rdma_rxe mlx5_ib mlx4_ib ib_uverbs ib_mad ib_core'

loaded() { grep -q "^$1 " /proc/modules; }

# Pages that are pinned for a device's use. Each CPU has counted some that the sum doesn't have yet.
pinned() {
	echo 1 >/proc/sys/vm/stat_refresh
	awk '/^nr_foll_pin_acquired/ { n += $2 } /^nr_foll_pin_released/ { n -= $2 } END { print n }' /proc/vmstat
}

# Everything of ours and of stock's out again. That it goes shows that nothing holds on to it.
unload() {
	local module
	for module in $rdma_modules; do
		loaded "$module" || continue
		rmmod "$module" || fail "$module can't be removed: $(grep "^$module " /proc/modules)"
	done
	[ ! -e /sys/class/infiniband_mad ] || fail "class infiniband_mad has outlived ib_umad"
	[ -z "$(find /dev/infiniband -name 'umad*' -o -name 'issm*' 2>/dev/null)" ] ||
		fail "device nodes have outlived ib_umad"
	! grep -q infiniband_mad /proc/devices || fail "device numbers have outlived ib_umad"
}

# --- rxe: two ends of a virtual cable, with RoCE on both. Both IPv4 addresses are this machine's own, so the
# kernel must be told to believe them when they come in over the cable. (Responses travel between the IPv6
# link-local addresses: the MAD layer compares GIDs with a GRH, and RoCE over IPv4 has none.)

make_cable() {
	modprobe veth
	ip link add eth_a type veth peer name eth_b
	for end in a b; do
		sysctl -qw "net.ipv4.conf.eth_$end.accept_local=1" "net.ipv4.conf.eth_$end.rp_filter=0" \
			"net.ipv6.conf.eth_$end.accept_dad=0"
		ip link set "eth_$end" up
	done
	ip address add 192.0.2.1/24 dev eth_a
	ip address add 192.0.2.2/24 dev eth_b
}

set_up_rxe() {
	[ -e /sys/class/net/eth_a ] || make_cable
	modprobe -a rdma_rxe ib_umad
	rdma link add rxe_a type rxe netdev eth_a
	rdma link add rxe_b type rxe netdev eth_b
	export PORT_A=rxe_a/1 PORT_B=rxe_b/1
	export UNPLUG='rdma link delete rxe_a' REPLUG='rdma link add rxe_a type rxe netdev eth_a'
}

# With the cable go the addresses that a test has left on it.
tear_down_rxe() {
	for end in a b; do
		[ ! -e "/sys/class/infiniband/rxe_$end" ] || rdma link delete "rxe_$end"
	done
	[ ! -e /sys/class/net/eth_a ] || ip link delete eth_a
	unload
}

# --- connectx5: the emulated HCAs; mlx5_core stays loaded, which saves a probe for each test.

set_up_connectx5() {
	modprobe -a mlx5_ib ib_umad
	export PORT_A=mlx5_0/1 PORT_B=mlx5_1/1
	[ -e /sys/class/infiniband/mlx5_0 ] || fail "mlx5_ib has found no device"
}

tear_down_connectx5() { unload; }

# --- nullhca: devices null0 and null1, plugged in; controls in $NULL/nullN. A port reaches itself.

export NULL=/sys/kernel/debug/nullhca

set_up_nullhca() {
	mountpoint -q /sys/kernel/debug || mount -t debugfs debugfs /sys/kernel/debug
	modprobe -a ib_uverbs ib_umad
	insmod /project/build/kernel/tools/testing/nullhca/nullhca.ko devices=2
	export PORT_A=null0/1 UNPLUG="eval echo 0 >$NULL/null0/plugged" REPLUG="eval echo 1 >$NULL/null0/plugged"
}

tear_down_nullhca() { unload; }

# null DEVICE CONTROL VALUE: sets a control
null() { echo "$3" >"$NULL/$1/$2"; }
# Nobody waits at a gate any longer; for the end of tests that close some.
open_gates() {
	local gate
	for gate in "$NULL"/*/*/block; do echo 0 >"$gate"; done
}
# null_is DEVICE CONTROL: its value
null_is() { cat "$NULL/$1/$2"; }
