#!/usr/bin/env bash
# The documentation of every library, under target/doc; a warning is an error.
#
#   scripts/documentation.sh
#
# It reads what the tests were built of. `cargo doc` would have the compiler check every dependency once more, which on a
# fresh machine takes longer than documenting. For tests in documentation cargo does tell what it calls as rustdoc where
# everything is: so that is this script, and it documents instead.
set -euo pipefail

if [[ -n ${GRIDLOCK_DOCUMENTATION-} ]]; then
  arguments=()
  is_library=
  while (($#)); do
    case $1 in
      --test) is_library=1 ;;
      --test-run-directory) shift ;;
      *) arguments+=("$1") ;;
    esac
    shift
  done
  [[ -z $is_library ]] || arguments+=(-D warnings -o "$GRIDLOCK_DOCUMENTATION")
  exec rustdoc "${arguments[@]}"
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target"
documentation=$(cd "$target" && pwd)/doc
rm -rf "$documentation"
GRIDLOCK_DOCUMENTATION=$documentation RUSTDOC=$PWD/scripts/documentation.sh cargo test --quiet --workspace --doc
for library in */src/lib.rs src/lib.rs; do
  crate=gridlock_${library%/src/lib.rs}
  [[ $library != src/lib.rs ]] || crate=gridlock
  [[ -s $documentation/$crate/index.html ]] || {
    echo "documentation: nothing was written of $crate" >&2
    exit 1
  }
done
