#!/bin/bash
# Builds the Python wheel: the command, the module that starts it, and libz3. It needs no network, and no more of Python
# than scripts/bootstrap.sh brings. What cargo has built before is not built again.
#
#   scripts/wheel.sh                     of a release build: out/wheel/gridlock-*.whl
#   scripts/wheel.sh --test COMMAND      of this command; installs it in an environment of its own under out/, and runs
#                                        the tests of python/ against what was installed
#   pip install out/wheel/gridlock-*.whl
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "wheel: $*" >&2; exit 1; }

folder=out/wheel
settings=()
case "${1:-}" in
  '') ;;
  --test)
    [[ -x ${2:-} ]] || fail "--test needs the command that goes into the wheel"
    folder=out/wheel-test
    settings=(--config-settings "command=$(realpath "$2")")
    ;;
  *) fail "what is $1? see the head of $0" ;;
esac

scripts/bootstrap.sh
rm -rf "$folder"
mkdir -p "$folder"
# The environment that bootstrap.sh has made has a pip; where its Python has gone since, another Python makes one.
python=.toolchain/venv/bin/python
if ! "$python" -m pip --version >/dev/null 2>&1; then
  python3 -m venv "$folder/tools" || fail "no Python with pip: install the Debian package python3-venv"
  python=$folder/tools/bin/python
fi
pip=("$python" -m pip --disable-pip-version-check --quiet)
# Here, where it is seen; the backend finds it built.
[[ -n ${1:-} ]] || cargo build --release --bin gridlock
"${pip[@]}" wheel --no-index --no-deps --no-build-isolation --wheel-dir "$folder" "${settings[@]}" ./python
wheel=$(echo "$folder"/gridlock-*.whl)
echo "$wheel"
[[ -n ${1:-} ]] || exit 0

# An environment without pip needs no package of Debian's but Python's own; pip installs into it from outside.
"$python" -m venv --without-pip "$folder/venv"
"${pip[@]}" --python "$folder/venv/bin/python" install --no-index --no-deps --no-compile "$wheel"
# What was linked with the library of this tree must find the one that was installed.
env -u GRIDLOCK -u PYTHONPATH PYTHONDONTWRITEBYTECODE=1 GRIDLOCK_INSTALLED="$(realpath "$folder/venv")" \
  "$folder/venv/bin/python" -m unittest discover -s python/tests
