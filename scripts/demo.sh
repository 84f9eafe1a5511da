#!/usr/bin/env bash
# Runs the worked examples with the release build (`make demo`). Every command says what it must
# come out with; the first that comes out otherwise ends the demo with status 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
gridlock=${CARGO_TARGET_DIR:-target}/release/gridlock
# The compiler that scripts/bootstrap.sh installed: the tool looks for none in the working directory.
export GRIDLOCK_NVCC=${GRIDLOCK_NVCC:-$PWD/.toolchain/cuda/bin/nvcc}
out=out/demo
mkdir -p "$out"

bold=
plain=
if [[ -t 1 ]]; then
  bold=$(tput bold 2>/dev/null || true)
  plain=$(tput sgr0 2>/dev/null || true)
fi
chapter() { printf '\n%s== %s%s\n' "$bold" "$*" "$plain"; }

# expect STATUS COMMAND…: shows the command, runs it, checks its exit status.
expect() {
  local wanted=$1 status=0
  shift
  printf '\n%s$ gridlock %s%s\n' "$bold" "$*" "$plain"
  "$gridlock" "$@" || status=$?
  if [[ $status -ne $wanted ]]; then
    printf 'demo: exit status %s, expected %s\n' "$status" "$wanted" >&2
    exit 1
  fi
  printf '(exit status %s, as expected)\n' "$status"
}

chapter 'Barriers: one that only some threads meet, and its repaired twin'
expect 1 check examples/barriers/divergent.cu --grid 4 --block 64 --arg n=250
expect 0 check examples/barriers/divergent.cu --grid 4 --block 64 --arg n=250 \
  --profile cuda-hw --require schedules
expect 0 check examples/barriers/repaired.cu --require sizes

chapter 'Tree sum: three rewritings, one of them wrong, and its repair'
expect 0 verify examples/tree-sum/pipeline.toml --out "$out/tree-sum" --run-devices

chapter 'Bitonic sort: from a sequential loop to a kernel with host code'
expect 0 verify examples/bitonic-sort/pipeline.toml --out "$out/bitonic-sort" --run-devices

chapter 'LoopRipper: a nest of loops in chunks that overlap, and the mistakes of its published scheme'
expect 0 verify examples/loop-ripper/pipeline.toml --out "$out/loop-ripper" --run-devices

chapter 'Offload: loops of C programs that become kernels, and one whose loops do not, with the reason'
expect 0 offload examples/offload/gemm.c -o "$out/offload" --run-devices
expect 0 offload examples/offload/atax.c -o "$out/offload" --run-devices
expect 3 offload examples/offload/floyd-warshall.c

chapter 'The model of 2011 as printed: a correct barrier that deadlocks, derived rule by rule'
expect 1 explore examples/literal-paper/lost-increment.cu --profile paper-literal --against paper
expect 1 trace examples/literal-paper/lost-increment.cu --profile paper-literal \
  --schedule 'b0.t0+b0.t1 ×3'

chapter 'The kernel without its guard: stepping through the witness'
expect 0 replay "$out/bitonic-sort/t1-without-its-guard-cuda-1.json"

printf '\nEverything came out as expected. Lowered programs and witnesses are in %s/.\n' "$out"
