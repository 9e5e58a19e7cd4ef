# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# The test ib-opensm-*, on whatever fabric: from Init to Active, and found again as the topology file has it.

. /project/tools/testing/interop/ib-lib.sh

for guid in $(exposed_guids); do
	ibemuctl link down "$guid:1"
	ibemuctl link up "$guid:1"
done
for ca in "$ca_a" "$ca_b"; do
	eventually 20 state_is "$ca" '2: INIT'
done

start_sm
[ -z "$(sm_errors)" ] || fail "opensm complains: $(sm_errors)"
[ "$(lid "$ca_a")" != "$(lid "$ca_b")" ] || fail "both ports have LID $(lid "$ca_a")"

run ibnetdiscover -C "$ca_a"
diff <(graph <"$topology") <(graph <<<"$out") || fail "that isn't the topology of the file"

# Every node has got a LID of its own, and its ports that have a cable are Active.
run saquery -C "$ca_a" NR
nodes=$(grep -c '^node' <(graph <"$topology"))
shows_times "$nodes" 'NodeRecord dump:'
equal "the number of different LIDs" "$(grep -E '^[[:space:]]*lid' <<<"$out" | sort -u | wc -l)" "$nodes"
run iblinkinfo -C "$ca_a" -l
shows_times "$(grep -c '^link' <(graph <"$topology"))" 'Active/ +LinkUp'
hides '(Initialize|Armed)/'
stop_sm
