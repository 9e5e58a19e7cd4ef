# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# What hostile calls must leave as it was, and what goes on beside them.

. /project/tools/testing/interop/lib.sh

device=${PORT_A%/*}

# All there are. mlx5_ib makes some of its own when they're first needed: there, those of programs.
objects() {
	local kind
	if [ "$HCA" != connectx5 ]; then
		rdma resource show "$device" | sed 's/^[0-9]*: //'
		return
	fi
	for kind in pd cq qp mr srq ctx; do
		rdma -j resource show $kind | grep -o '{[^{]*"pid":[^}]*}' || true
	done
}

# The device goes and comes back, and its driver fails here and there, until it's told to stop. (nullhca's: others can't
# fail on request, and rxe's device stays until the last file of it is closed.)
trouble() {
	local operation
	while [ ! -e /tmp/trouble.over ]; do
		sleep 2
		$UNPLUG
		sleep 0.3
		$REPLUG
		for operation in alloc_pd reg_user_mr rereg_user_mr create_cq create_srq create_qp modify_qp create_ah \
			alloc_mw; do
			null null0 $operation/calls 0
			null null0 $operation/fail_at $((RANDOM % 100 + 1))
		done
	done
}

# hostile SEED CALLS: a quarter of them from one thread, a quarter from a 32-bit program, the others in times of trouble
hostile() {
	local seed=$1 calls=$2 before pages status
	before=$(objects) pages=$(pinned)
	verbs-hostile "$seed" $((calls / 4)) 1 || return
	verbs-hostile32 $((seed + 1)) $((calls / 4)) 4 || return
	equal "objects" "$(objects)" "$before"
	rm -f /tmp/trouble.over
	[ "$HCA" != nullhca ] || trouble &
	verbs-hostile $((seed + 2)) $((calls / 2)) 4
	status=$?
	touch /tmp/trouble.over
	wait
	[ $status = 0 ] || return $status
	sleep 2 # the kernel's own objects are there again
	equal "objects" "$(objects)" "$before"
	equal "pages that are pinned" "$(pinned)" "$pages"
}
