# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# What the tests of UCX share: ucx_perftest over one transport alone, and ibemu's word for which one it was.

. /project/tools/testing/interop/ib-lib.sh

# UCX's transports by the names that UCX_TLS takes, and the packets that each sends. rc_v and rc_x stand for two each:
# UCX connects them by a few datagrams of ud_v or ud_x, which these names therefore allow, and there is no other way.
declare -A ucx_packets=([rc_v]=rc [ud_v]=ud [rc_x]=rc [ud_x]=ud [dc_x]=dc)
# What UCX calls them where it says what it uses.
declare -A ucx_names=([rc_v]=rc_verbs [ud_v]=ud_verbs [rc_x]=rc_mlx5 [ud_x]=ud_mlx5 [dc_x]=dc_mlx5)
# The bytes that are enough for connecting, and for what else goes by datagram meanwhile.
ucx_aside=65536

# TEST SIZE COUNT, of which each has UCX move data in another way: along with the work request; by rendezvous, from where
# it is; and copied into a buffer of UCX's. (Atomic operations UCX gives to an adapter that does all of them, masked ones
# as well; ibemu's doesn't, so they would be messages like the first.)
ucx_all='tag_lat 8 100
tag_bw 1048576 3
ucp_put_bw 4096 50'

# ucx_choose TEST...: what is measured from now on, as above and as ucx_perftest wants it, whose own default is 10000
# operations to warm up; and the bytes that all of that moves at least.
ucx_choose() {
	ucx_operations=$(grep -wE "$(IFS='|'; echo "$*")" <<<"$ucx_all")
	awk '{ print $1, "-t", $1, "-s", $2, "-n", $3, "-w", 1 }' <<<"$ucx_operations" >$ucx_batch
	ucx_bytes=$(awk '{ bytes += $2 * $3 } END { print bytes }' <<<"$ucx_operations")
}
ucx_batch=/tmp/ucx.batch
ucx_choose tag_lat tag_bw ucp_put_bw

# y or n: may UCX make queues by itself, with firmware commands and on memory that it hands over (DEVX)?
ucx_devx=y

# ucx_perf TRANSPORT CA [SERVER]: what was chosen. (Without a terminal as its input, ucx_perftest starts MPI.)
# Without DEVX UCX hasn't the key that its strong fence reads with, and the weak one is enough for a single queue pair.
# "gga", a part of UCX that asks the adapter for more than this one can do, has a switch of its own for DEVX.
ucx_perf() {
	local fence=auto
	[ "$ucx_devx" = y ] || fence=weak
	UCX_TLS=$1 UCX_NET_DEVICES=$2:1 UCX_FENCE_MODE=$fence UCX_LOG_LEVEL=info \
		UCX_IB_MLX5_DEVX=$ucx_devx UCX_GGA_MLX5_DEVX=n \
		patiently 200 ucx_perftest -f -b $ucx_batch "${@:3}" </dev/console
}

# A server of that transport on that CA, in the background.
ucx_serve() {
	ucx_perf "$@" >/tmp/ucx.server 2>&1 &
	ucx_server=$!
	eventually 60 listening 13337
}
ucx_server=''

ucx_served() { wait "$ucx_server" || fail "the server ended with status $?: $(cat /tmp/ucx.server)"; }

# What was chosen over that transport, of the client on that CA.
ucx_measure() {
	local name status=0
	out=$(ucx_perf "$@" 2>&1) || status=$?
	printf '%s\n' "$out"
	[ "$status" = 0 ] || fail "ucx_perftest ended with status $status"
	while read -r name _; do
		shows "^ *$name( +[0-9.]+){8}\$"
	done <<<"$ucx_operations"
	hides 'UCX +(WARN|ERROR)'
	equal "what UCX says that it used" "$(grep -oE '[a-z]+_(verbs|mlx5)/' <<<"$out" | sort -u | xargs)" \
		"${ucx_names[$1]}/"
}

# --- ibemu's word

# How much each count of each HCA has grown from the last look but one to the last: ${ucx_rise[hca0 received_rc]}.
declare -A ucx_seen ucx_rise
ucx_look() {
	local hca name value
	for hca in hca0 hca1; do
		while read -r name value; do
			ucx_rise[$hca $name]=$((value - ${ucx_seen[$hca $name]:-0}))
			ucx_seen[$hca $name]=$value
		done < <(ibemuctl "$hca" statistics; ibemuctl "$hca" commands)
	done
}

# Of both HCAs.
ucx_risen() { echo $((${ucx_rise[hca0 $1]:-0} + ${ucx_rise[hca1 $1]:-0})); }

# ucx_proved TRANSPORT: what happened since the last look was UCX's doing over this transport and no other.
ucx_proved() {
	ucx_look
	ucx_went_by "$1"
	ucx_was_made "$1"
}

# The data went in packets of that transport, both ways, and nothing in others'.
ucx_went_by() {
	local kind a b most
	for kind in rc uc ud xrc dc; do
		a=${ucx_rise[hca0 received_${kind}_bytes]} b=${ucx_rise[hca1 received_${kind}_bytes]}
		echo "$1: by $kind hca0 received $a bytes, hca1 $b"
		if [ "$kind" = "${ucx_packets[$1]}" ]; then
			[ $((a + b)) -ge "$ucx_bytes" ] || fail "of $ucx_bytes bytes over $1 only $((a + b)) went by $kind"
			[[ $a -gt 0 && $b -gt 0 ]] || fail "over $1 one HCA received nothing by $kind"
		else
			most=0
			[ "$kind" != ud ] || most=$ucx_aside
			[ $((a + b)) -le $most ] || fail "over $1, $((a + b)) bytes went by $kind"
		fi
	done
}

# With DEVX UCX makes the queues of rc_x and dc_x by it, which stand on user memory, and others' never. Without, it has
# no user memory at all.
ucx_was_made() {
	local buffers memories
	buffers=$(ucx_risen user_buffers) memories=$(ucx_risen CREATE_UMEM)
	echo "$1: DEVX $ucx_devx: $buffers queues on user memory, which was handed over $memories times"
	if [ "$ucx_devx" = n ]; then
		equal "the number of times that user memory was handed over without DEVX" "$memories" 0
	elif [[ $1 = [rd]c_x ]]; then
		[ "$buffers" -gt 0 ] || fail "no queue of $1 was made by DEVX"
	else
		equal "the number of queues of $1 that were made by DEVX" "$buffers" 0
	fi
}
