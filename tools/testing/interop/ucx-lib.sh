# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# What the tests of UCX share: ucx_perftest over one transport alone, and ibemu's word for which one it was.

. /project/tools/testing/interop/ib-lib.sh

# UCX's transports by the names that UCX_TLS takes, and the packets that each sends. rc_v and rc_x stand for two each:
# UCX connects them by a few datagrams of ud_v or ud_x, which these names therefore allow, and there is no other way.
declare -A ucx_packets=([rc_v]=rc [ud_v]=ud [rc_x]=rc [ud_x]=ud [dc_x]=dc)
# The bytes that are enough for connecting, and for what else goes by datagram meanwhile.
ucx_aside=65536

# TEST SIZE COUNT, of which each has UCX move data in another way: along with the work request; by rendezvous; from where
# it is; copied into a buffer of UCX's; and an atomic operation.
ucx_operations='tag_lat 8 100
tag_bw 1048576 3
ucp_get 65536 10
ucp_put_bw 4096 50
ucp_fadd 8 20'

# The same as ucx_perftest wants it, whose own default is 10000 operations to warm up.
ucx_batch=/tmp/ucx.batch
awk '{ print $1, "-t", $1, "-s", $2, "-n", $3, "-w", 1 }' <<<"$ucx_operations" >$ucx_batch
# The bytes that all of that moves at least.
ucx_bytes=$(awk '{ bytes += $2 * $3 } END { print bytes }' <<<"$ucx_operations")

# ucx_perf TRANSPORT CA [SERVER]: all operations. Atomic ones are the adapter's if the transport has any. (Without a
# terminal as its input, ucx_perftest starts MPI.)
ucx_perf() {
	local mode=device
	[ "${ucx_packets[$1]}" != ud ] || mode=guess
	UCX_TLS=$1 UCX_NET_DEVICES=$2:1 UCX_ATOMIC_MODE=$mode \
		timeout 200 ucx_perftest -f -b $ucx_batch "${@:3}" </dev/console
}

# A server of that transport on that CA, in the background.
ucx_serve() {
	ucx_perf "$@" >/tmp/ucx.server 2>&1 &
	ucx_server=$!
	eventually 60 listening 13337
}
ucx_server=''

ucx_served() { wait "$ucx_server" || fail "the server ended with status $?: $(cat /tmp/ucx.server)"; }

# All operations over that transport, of the client on that CA.
ucx_measure() {
	local name status=0
	out=$(ucx_perf "$@" 2>&1) || status=$?
	printf '%s\n' "$out"
	[ "$status" = 0 ] || fail "ucx_perftest ended with status $status"
	while read -r name _; do
		shows "^ *$name( +[0-9.]+){8}\$"
	done <<<"$ucx_operations"
	hides 'UCX +(WARN|ERROR)'
}

# --- ibemu's word

# What all HCAs have received and which commands they were given so far: lines "NAME NUMBER".
ucx_count() {
	local hca
	for hca in hca0 hca1; do
		ibemuctl "$hca" statistics
		ibemuctl "$hca" commands
	done | awk '{ sum[$1] += $2 } END { for (name in sum) print name, sum[name] }'
}

# ucx_rise NAME BEFORE AFTER: by how much it has grown between two counts.
ucx_rise() { awk -v name="$1" '$1 == name { n = $2 - n } END { print n + 0 }' <<<"$2"$'\n'"$3"; }

# ucx_went_by TRANSPORT BEFORE AFTER: the data went in packets of that transport, and nothing in others'.
ucx_went_by() {
	local kind bytes
	for kind in rc uc ud xrc dc; do
		bytes=$(ucx_rise "received_${kind}_bytes" "${@:2}")
		echo "$1: $bytes bytes by $kind"
		if [ "$kind" = "${ucx_packets[$1]}" ]; then
			[ "$bytes" -ge "$ucx_bytes" ] || fail "of $ucx_bytes bytes over $1 only $bytes went by $kind"
		else
			[ "$bytes" -le $(($([ "$kind" = ud ] && echo $ucx_aside || echo 0))) ] ||
				fail "over $1, $bytes bytes went by $kind"
		fi
	done
}
