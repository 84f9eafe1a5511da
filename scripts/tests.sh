#!/usr/bin/env bash
# Every test of the workspace, one program after another, and at the end those that took over five seconds.
#
#   scripts/tests.sh [NAME]      those with this in their name
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
log=${CARGO_TARGET_DIR:-target}/tests.log

# The library that runs tests says how long each took only where it may do what is not stable yet. The variable is given
# to the programs of tests alone, not to the compiler.
host=$(rustc -vV | sed -n 's/^host: //p')
host=${host^^}
export "CARGO_TARGET_${host//-/_}_RUNNER=env RUSTC_BOOTSTRAP=1"
# What clang made of a file is kept while they run, in a folder that is new each time.
export GRIDLOCK_CLANG_CACHE=$PWD/target/clang
[[ -z ${CARGO_TARGET_DIR-} ]] || GRIDLOCK_CLANG_CACHE=$(realpath "$CARGO_TARGET_DIR")/clang
rm -rf "$GRIDLOCK_CLANG_CACHE"
mkdir -p "$GRIDLOCK_CLANG_CACHE"
rc=0
# One more than there are processors: some tests wait for what they stop.
threads=$(($(nproc) + 1))
cargo test --workspace --lib --bins --tests --no-fail-fast -- -Z unstable-options --report-time --test-threads "$threads" "$@" 2>&1 | tee "$log" || rc=$?

echo
echo 'tests that took over five seconds:'
# Where tests run side by side, a test's own line may stand behind what another printed.
grep -oE 'test [^ ]+ \.\.\. .*<[0-9.]+s>' "$log" |
  sed -E 's/^test ([^ ]+) \.\.\. .*<([0-9.]+)s>$/\2 \1/' |
  awk '$1 > 5 {printf "%8.1f s  %s\n", $1, $2}' | sort -rn || true
rm -rf "$GRIDLOCK_CLANG_CACHE"
exit "$rc"
