#!/usr/bin/env bash
# What compiles our crates for `make test`: clippy's driver, which is the compiler with more lints. (`cargo clippy` would
# read all dependencies and check every crate once more.)
#
#   CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings RUSTC_WORKSPACE_WRAPPER=scripts/compiler.sh cargo test ...
#
# Where a crate is optimised, that is for what calls it. The tests inside a library take no time, those of the front end wait
# for clang, and benchmarks are built to see that they can be: these are not optimised, which takes a third of the time.
set -euo pipefail

arguments=()
is_test=
is_plain=
is_library=
for argument; do
  case $argument in
    --test) is_test=1 ;;
    */benches/*.rs | benches/*.rs | frontend/tests/main.rs) is_plain=1 ;;
    *src/lib.rs) is_library=1 ;;
  esac
done
for argument; do
  if [[ $argument == opt-level=* && ( -n $is_plain || ( -n $is_test && -n $is_library ) ) ]]; then
    argument=opt-level=0
  fi
  arguments+=("$argument")
done
exec clippy-driver "${arguments[@]}"
