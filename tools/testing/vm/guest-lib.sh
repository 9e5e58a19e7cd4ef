# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# For scripts that run in several guests of one `run`.

# barrier NAME: waits until every guest has come to it. Names are used once a run.
barrier() {
	local have
	mkdir -p "$SHARE/barrier"
	: >"$SHARE/barrier/$1.$GUEST"
	while :; do
		have=$(find "$SHARE/barrier" -name "$1.*" | wc -l)
		[ "$have" -ge "$GUESTS" ] && return
		sleep 0.2
	done
}
