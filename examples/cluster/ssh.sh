#!/usr/bin/env bash
# A campaign over machines that ssh reaches, a shard each, and its merge here:
#
#     examples/cluster/ssh.sh "alpha beta gamma" fuzz tensix-wh --seed 1 --cases 400000000
#
# Every machine has the same `tandem` in its PATH. Started again, it runs only what is missing.
set -euo pipefail
read -ra hosts <<<"${1:?give the machines, as one word}"
shift
command=$(printf '%q ' "$@")
pids=()
for number in "${!hosts[@]}"; do
    shard=$((number + 1))
    # The directory on the machine is named by the shard, so that the same machine may have several.
    ssh "${hosts[$number]}" "tandem $command --shard $shard/${#hosts[@]} --out tandem-shards/$shard" &
    pids+=($!)
done
status=0
for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
if [ "$status" != 0 ]; then
    echo "a shard did not come to its end; the same command goes on" >&2
    exit "$status"
fi
directories=()
for number in "${!hosts[@]}"; do
    shard=$((number + 1))
    mkdir -p shards
    rm -rf "shards/$shard"
    scp -qr "${hosts[$number]}:tandem-shards/$shard" "shards/$shard"
    directories+=("shards/$shard")
done
tandem merge "${directories[@]}"
