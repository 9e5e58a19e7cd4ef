# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# For scripts that run in guests.

# barrier NAME: waits until every guest of the run has come to it. Names are used once a run.
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

# ibemuctl COMMAND...: as the program of that name, for the ibemu that this guest's HCAs belong to.
ibemuctl() {
	local stem=$SHARE/ibemuctl/$GUEST.$BASHPID verdict
	printf "'%s' " "${@//\'/\'\\\'\'}" >"$stem.part"
	echo >>"$stem.part"
	mv "$stem.part" "$stem.request"
	until [ -e "$stem.answer" ]; do sleep 0.02; done
	verdict=$(tail -n 1 "$stem.answer")
	sed '$d' "$stem.answer"
	rm "$stem.answer"
	[ "$verdict" = ok ] && return
	echo "ibemuctl: ${verdict#error: }" >&2
	return 1
}
