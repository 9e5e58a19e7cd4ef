# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# For tests in which the firmware of port A's device refuses commands: "resource busy", which the kernel calls EBUSY.

. /project/tools/testing/interop/ib-lib.sh

hits=''     # the commands that were refused, a line each
all_hits='' # in all of the test

quiet='2RST_QP|QUERY_HCA_CAP|MAD_IFC|CREATE_UCTX|ALLOC_UAR|ALLOC_TRANSPORT_DOMAIN|'
quiet+='DESTROY_UCTX|DEALLOC_UAR|DEALLOC_TRANSPORT_DOMAIN'

# refuse COMMAND NTH [STEP]: the Nth such command from now on (any: of all); and then each STEPth
refuse() { ibemuctl hca0 fail-command "$1" 6 nth "$2" ${3:+every "$3"}; }

# A test that fails must not leave a device behind that refuses; nor is what earlier ones had refused any of ours.
trap 'ibemuctl hca0 failures >/dev/null' EXIT
ibemuctl hca0 failures >/dev/null

# No more of that.
end_of_refusals() {
	hits=$(ibemuctl hca0 failures)
	all_hits+=$hits$'\n'
}

# Each of these has been refused at some time.
were_refused() {
	local command
	for command; do
		grep -qx "$command" <<<"$all_hits" || fail "no $command was refused"
	done
}

# A process has told of all that it must have heard of. Not of those: the kernel resets a queue pair that goes, the
# library opens the device in another way if one fails, and a process that goes is told nothing.
heard() {
	local told least most
	told=$(grep -c '^refused:' <<<"$out") || true
	least=$(grep -cvE "^($quiet|)\$" <<<"$hits") || true
	most=$(grep -c . <<<"$hits") || true
	[ "$told" -ge "$least" ] || fail "the process told of $told refusals only, of these: $(xargs <<<"$hits")"
	[ "$told" -le "$most" ] || fail "the process told of $told refusals, and there were only: $(xargs <<<"$hits")"
}

# The firmware's objects; of its pages there may be more or less.
objects() { ibemuctl hca0 objects | grep -v '^pages '; }

# expected OBJECTS HITS: if the former were there; what a process that goes leaves behind is lost.
expected() {
	sed -n 's/^DEALLOC_UAR$/uars/p; s/^DEALLOC_TRANSPORT_DOMAIN$/transport_domains/p; s/^DESTROY_UCTX$/uctxs/p' <<<"$2" |
		cat - <(printf '%s\n' "$1") |
		awk 'NF == 1 { lost[$1]++ } NF == 2 { printf "%-24s %d\n", $1, $2 + lost[$1] }'
}
