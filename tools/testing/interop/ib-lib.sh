# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# What the InfiniBand tests share beside lib.sh: the fabric that they run on, a subnet manager, and assertions
# about what tools print.

set -eu -o pipefail
. /project/tools/testing/interop/lib.sh

class=/sys/class/infiniband
topology=/project/tools/testing/ibemu/topologies/$(sed -n 's/^# topology: *//p' "/project/tools/testing/interop/tests/$TEST").topo
sm_log=/tmp/opensm.$TEST.log

# The node GUIDs of the exposed HCAs, in the order of the topology file: guest 1 has the first ones.
exposed_guids() { awk -F'"' '/^expose=/ { e = 1 } /^Ca/ { if (e) print "0x" substr($2, 3); e = 0 }' "$topology"; }
cas() { basename -a "$class"/*; }
# 16 digits after 0x, as the diagnostics print them.
node_guid() { echo "0x$(tr -d : <"$class/$1/node_guid")"; }

# This guest's devices: ca_a is ibemu's hca0 (in guest 1), ca_b hca1. Their names follow from the order in which they
# were probed last, which isn't always the order of the slots.
find_devices() {
	local guids ca count
	count=$(cas | wc -l)
	mapfile -t -s $(((GUEST - 1) * count)) guids < <(exposed_guids)
	for ca in $(cas); do
		[ "$(node_guid "$ca")" != "${guids[0]}" ] || ca_a=$ca
		[ "$(node_guid "$ca")" != "${guids[1]:-}" ] || ca_b=$ca
	done
	[ -n "$ca_a" ] || fail "no device has the node GUID ${guids[0]}"
}
ca_a='' ca_b=''
find_devices

# --- tools: each command and its output go to the test's log

# run TOOL...: it must end well. What it printed is in $out afterwards.
run() {
	local status=0
	echo "+ $*"
	out=$(patiently 60 "$@" 2>&1) || status=$?
	printf '%s\n' "$out"
	[ "$status" = 0 ] || fail "$1 ended with status $status"
}

# refused TOOL...: it must end with a failure of its own (no signal, no time-out).
refused() {
	local status=0
	echo "+ $*"
	out=$(patiently 60 "$@" 2>&1) || status=$?
	printf '%s\n' "$out"
	[ "$status" != 0 ] || fail "$1 ended well"
	[ "$status" != 124 ] && [ "$status" -lt 128 ] || [ "$status" = 255 ] || fail "$1 ended with status $status"
}

# shows PATTERN...: each extended regular expression is found in what the last tool printed.
shows() {
	local pattern
	for pattern; do
		grep -qE -- "$pattern" <<<"$out" || fail "it doesn't print: $pattern"
	done
}

hides() {
	local pattern
	for pattern; do
		! grep -qE -- "$pattern" <<<"$out" || fail "it prints: $pattern"
	done
}

# What ping-pongs with -c have printed: they tell of data that isn't what was sent, and end well all the same.
no_wrong_data() { ! grep 'invalid data' <<<"$*" || fail "the data isn't what was sent"; }

# shows_times N PATTERN: in so many lines.
shows_times() { equal "the number of lines with $2" "$(grep -cE -- "$2" <<<"$out")" "$1"; }

# field NAME: the value of the first line "NAME:....value" (or "NAME: value") that the last tool printed.
field() { sed -nE "s/^[[:space:]]*$1:[. ]*//p" <<<"$out" | head -n 1; }

# says FILE PATTERN
says() { grep -qE -- "$2" "$1"; }

# --- ports

# attribute CA NAME: of port 1, as sysfs has it.
attribute() { cat "$class/$1/ports/1/$2"; }
state_is() { [ "$(attribute "$1" state)" = "$2" ]; }
lid() { printf '%d\n' "$(attribute "$1" lid)"; }
port_guid() { attribute "$1" gids/0 | awk -F: '{ print "0x" $5 $6 $7 $8 }'; }

# --- the subnet manager: stock opensm on port A, in the background

sm_pid=''
sm_options=()

# Returns when the subnet is up and this guest's ports are Active. (Debug flag 2: the log is flushed at each line.)
start_sm() {
	local ca
	rm -f "$sm_log"
	opensm -d 2 -g "$(port_guid "$ca_a")" -f "$sm_log" "${sm_options[@]}" >"$sm_log.out" 2>&1 &
	sm_pid=$!
	eventually 90 sm_has_come_up
	for ca in $(cas); do
		eventually 30 state_is "$ca" '4: ACTIVE'
	done
}

sm_has_come_up() {
	kill -0 "$sm_pid" || fail "opensm has ended: $(tail -n 5 "$sm_log" "$sm_log.out")"
	[ -e "$sm_log" ] && says "$sm_log" 'SUBNET UP'
}

stop_sm() {
	kill -INT "$sm_pid"
	wait "$sm_pid" || fail "opensm ended with status $?"
	sm_pid=''
}

# What opensm has complained about so far.
sm_errors() { grep -E 'ERR [0-9A-F]{4}:' "$sm_log" || true; }

# --- the fabric

# Standard input as ibnetdiscover prints it: one line a node and one line an end of a link, sorted.
graph() { /project/tools/testing/interop/ib-graph | sort; }

# The port of the switch that a CA's cable ends in, of a one-switch fabric.
switch_port() {
	local guid
	guid=$(node_guid "$1")
	graph <"$topology" | sed -nE "s/^link H-${guid#0x}\[1\] S-[0-9a-f]+\[([0-9]+)\]$/\1/p"
}

switch_guid() { sed -nE 's/^Switch.*"S-([0-9a-f]{16})".*/0x\1/p' "$topology"; }

# The SM has given it one.
switch_lid() { ibswitches -C "$ca_a" | sed -nE 's/.* lid ([0-9]+) .*/\1/p'; }

# ping_once CA LID: from that CA to the server at that LID.
ping_once() { ibping -C "$1" -c 1 "$2" >/dev/null 2>&1; }

# Answers of ibping on port B, from now on.
serve_ping() {
	ibping -S -C "$ca_b" &
	eventually 20 ping_once "$ca_a" "$(lid "$ca_b")"
}

# --- IPoIB

# The network interface of a CA's port.
netdev() { basename "$class/$1/device/net/"*; }

# Both ports of this guest as ends of an IP network, the second one in a network namespace of its own: else the kernel
# would find that both addresses are its own. Needs a subnet manager.
join_networks() {
	modprobe ib_ipoib
	net_a=$(netdev "$ca_a") net_b=$(netdev "$ca_b")
	ip netns add far
	trap leave_networks EXIT
	ip link set "$net_b" netns far
	ip -n far link set lo up
	ip address add 192.0.2.1/24 dev "$net_a"
	ip link set "$net_a" up
	ip -n far address add 192.0.2.2/24 dev "$net_b"
	ip -n far link set "$net_b" up
	eventually 60 busybox ping -c 1 -W 2 192.0.2.2 >/dev/null
}
net_a='' net_b=''

leave_networks() {
	ip -n far link set "$net_b" netns 1
	ip netns delete far
}

far() { ip netns exec far "$@"; }

# Two guests as ends of an IP network, in which guest N is 192.0.2.N. The first one manages the subnet.
join_guests() {
	[ "$GUEST" != 1 ] || start_sm
	meet up
	eventually 30 state_is "$ca_a" '4: ACTIVE'
	modprobe -a ib_uverbs ib_ipoib
	ip address add "192.0.2.$GUEST/24" dev "$(netdev "$ca_a")"
	ip link set "$(netdev "$ca_a")" up
	eventually 60 busybox ping -c 1 -W 2 "192.0.2.$((3 - GUEST))" >/dev/null
	meet joined
}
