# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# What tests of RoCE GIDs share: a cable of their own, with MAC addresses that don't change from run to run, and
# a look at the GID table of rxe_g, the port at one end of it.

set -eu -o pipefail
. /project/tools/testing/interop/lib.sh

table=/sys/class/infiniband/rxe_g/ports/1

make_wire() {
	sysctl -qw net.ipv6.conf.default.accept_dad=0
	ip link add wire0 address 02:00:a0:00:00:01 type veth peer name wire1 address 02:00:a0:00:00:02
	trap remove_wire EXIT
	ip link set wire1 up
	ip link set wire0 up
}

remove_wire() { ip link delete wire0; }

step() { echo "--- $*"; }

# A GID as it's written here: IPv4 addresses as such, the others as sysfs has them.
ip_of() {
	local groups
	IFS=: read -ra groups <<<"$1"
	if [[ $1 == 0000:0000:0000:0000:0000:ffff:* ]]; then
		printf '%d.%d.%d.%d' "0x${groups[6]:0:2}" "0x${groups[6]:2}" "0x${groups[7]:0:2}" "0x${groups[7]:2}"
	else
		printf '%s' "$1"
	fi
}

# A line for each slot that has a GID: number, GID, type, netdev. Of rxe's 1024 slots those that tests come to.
read_gids() {
	local slot gid
	while IFS=: read -r slot gid; do
		echo "$slot $(ip_of "$gid") $(cat "$table/gid_attrs/types/$slot") $(cat "$table/gid_attrs/ndevs/$slot")"
	done < <(cd "$table/gids" && grep -v '^0000:0000:0000:0000:0000:0000:0000:0000$' {0..63})
}

# gids "SLOT GID NETDEV"...: that, and nothing else, is what the table comes to, and what it stays. (While it
# changes, a slot may be empty when it's looked at more closely; then it's looked at once more.)
gids() {
	local want slot gid ndev line tries
	want=$(for line; do
		read -r slot gid ndev <<<"$line"
		echo "$slot $gid RoCE v2 $ndev"
	done)
	for tries in {1..50}; do
		[ "$(read_gids 2>/dev/null)" != "$want" ] || break
		sleep 0.2
	done
	sleep 0.3
	echo "seen after $tries looks"
	diff <(echo "$want") <(read_gids) || fail "these aren't the GIDs expected (<)"
}
