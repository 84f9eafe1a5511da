#!/usr/bin/env bash
# Makes this machine ready to build, test and run Gridlock.
#
#   scripts/bootstrap.sh
#
# Checks the Rust toolchain, installs the Debian packages that are missing (as root or with
# passwordless sudo; otherwise it says what to install), and puts Z3, the CUDA compiler and a stub
# of the CUDA driver under .toolchain/:
#
#   .toolchain/z3/lib/libz3.so            what the crate `z3` links (.cargo/config.toml says so)
#   .toolchain/z3/include/z3.h, bin/z3    its headers and command line
#   .toolchain/cuda/bin/nvcc, ptxas       the CUDA compiler, without a GPU or a driver
#   .toolchain/cuda-stub/lib64/           a libcuda.so to link `--features gpu` against
#
# Quiet and quick when everything is there. It may be interrupted and run again at any time:
# .toolchain/stamp is written last, and without it .toolchain is filled anew.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'bootstrap: %s\n' "$*"; }
fail() {
  printf 'bootstrap: %s\n' "$@" >&2
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# The Z3 wheel has the version that .cargo/config.toml tells the crate z3-sys, and a fourth number.
z3_version=$(sed -n 's/^Z3_SYS_Z3_VERSION *= *"\(.*\)"$/\1/p' .cargo/config.toml)
wheels=(
  "z3-solver==$z3_version.0"
  'nvidia-cuda-nvcc==13.0.*'
  'nvidia-cuda-crt==13.0.*'
  'nvidia-nvvm==13.0.*'
  'nvidia-cuda-runtime==13.0.*'
  'nvidia-cuda-cccl==13.0.*'
)
# The number counts changes of what this script makes of the wheels.
wanted="layout 1: ${wheels[*]}"

# --- Rust ------------------------------------------------------------------------------------

check_rust() {
  PATH="$PATH:${CARGO_HOME:-${HOME:-}/.cargo}/bin"
  local needed found
  needed=$(sed -n 's/^rust-version *= *"\(.*\)"$/\1/p' Cargo.toml)
  have cargo || fail "cargo not found: install Rust $needed or newer with rustup (https://rustup.rs)," \
    "  then open a new shell, or put its bin folder on PATH"
  found=$(cargo --version 2>&1) || fail "cargo does not run: $found"
  found=${found#cargo }
  found=${found%% *}
  [[ $(printf '%s\n%s\n' "$needed" "$found" | sort -V | head -n 1) == "$needed" ]] ||
    fail "cargo is $found, Rust $needed or newer is needed: rustup update stable"
}

# --- Debian packages ---------------------------------------------------------------------------

# The packages whose contents this machine lacks, whoever may have installed them.
missing_packages() {
  have clang-19 || echo clang-19
  have make || echo make
  if have gcc; then
    [[ -e $(gcc -print-file-name=crt1.o) ]] || echo libc6-dev
    [[ -e $(gcc -print-file-name=libOpenCL.so) ]] || echo ocl-icd-opencl-dev ocl-icd-libopencl1
  else
    echo gcc libc6-dev ocl-icd-opencl-dev ocl-icd-libopencl1
  fi
  have g++ || echo g++
  # Tests compile host programs in C# with it.
  [[ -n ${GRIDLOCK_NO_MCS:-} ]] || have mcs || echo mono-mcs
  # A test opens a page in it.
  [[ -n ${GRIDLOCK_BROWSER:-} ]] || have chromium || have chromium-browser ||
    have google-chrome || have google-chrome-stable || echo chromium
  [[ -e /etc/OpenCL/vendors/pocl.icd || -n ${OCL_ICD_VENDORS:-} ]] || echo pocl-opencl-icd
  if ! toolchain_ready && ! find_python >/dev/null; then
    echo python3 python3-venv
  fi
}

install_packages() {
  local packages=("$@") as_root=()
  if [[ $EUID -ne 0 ]]; then
    as_root=(sudo)
  fi
  local advice="install them with: ${as_root[*]} apt-get install ${packages[*]}"
  have apt-get || fail "missing, by their Debian names: ${packages[*]}" \
    "  this is no Debian system: install what corresponds to them"
  [[ $EUID -eq 0 ]] || { have sudo && sudo -n true 2>/dev/null; } ||
    fail "missing Debian packages: ${packages[*]}" "  $advice"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
  say "installing Debian packages: ${packages[*]}"
  local log
  log=$(mktemp)
  # One unreachable package source must not be the end: what counts is whether the install works.
  "${apt[@]}" update >"$log" 2>&1 || true
  if ! "${apt[@]}" install -y --no-install-recommends "${packages[@]}" >>"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    fail "apt-get could not install: ${packages[*]}" "  $advice"
  fi
  rm -f "$log"
}

# --- .toolchain --------------------------------------------------------------------------------

toolchain_ready() {
  [[ -f .toolchain/stamp && $(<.toolchain/stamp) == "$wanted"* &&
    -e .toolchain/z3/lib/libz3.so && -e .toolchain/z3/include/z3.h &&
    -e .toolchain/cuda/bin/nvcc && -e .toolchain/cuda-stub/lib64/libcuda.so ]]
}

# A Python that can make a virtual environment with pip in it; Debian's cannot without python3-venv.
find_python() {
  local candidate
  for candidate in python3 /usr/bin/python3 python3.{14,13,12,11,10,9}; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))' \
      >/dev/null 2>&1; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

install_toolchain() {
  local log=.toolchain/install.log
  rm -rf .toolchain/{stamp,venv,z3,cuda,cuda-stub}
  say "installing under .toolchain (about 150 MB to download): ${wheels[*]}"
  if ! {
    "$(find_python)" -m venv .toolchain/venv &&
      PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 .toolchain/venv/bin/python -m pip install \
        --quiet --no-deps --only-binary :all: "${wheels[@]}"
  } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    fail "could not install the Python wheels (the whole story is in $log)"
  fi
  local installed
  installed=$(.toolchain/venv/bin/python -m pip --disable-pip-version-check list --format freeze |
    grep -E '^(z3-solver|nvidia-)')

  # Relative links, and a real file for the library: the tree may be copied elsewhere.
  local site library
  site=$(cd .toolchain && echo venv/lib/python3*/site-packages)
  library=$(cd ".toolchain/$site/z3/lib" && echo libz3.so.*)
  mkdir -p .toolchain/z3/{bin,lib}
  ln ".toolchain/$site/z3/lib/$library" .toolchain/z3/lib/ 2>/dev/null ||
    cp ".toolchain/$site/z3/lib/$library" .toolchain/z3/lib/
  ln -s "$library" .toolchain/z3/lib/libz3.so
  ln -s "../$site/z3/include" .toolchain/z3/include
  ln -s ../../venv/bin/z3 .toolchain/z3/bin/z3
  ln -s "$site/nvidia/cu13" .toolchain/cuda

  make_driver_stub >>"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "could not make the CUDA driver stub"; }

  printf '%s\n' "$wanted" "$installed" >.toolchain/stamp.new
  mv .toolchain/stamp.new .toolchain/stamp
  local wheel
  for wheel in $installed; do
    say "installed ${wheel/==/ }"
  done
}

# A libcuda.so with every entry point that cuda.h names, each returning CUDA_ERROR_STUB_LIBRARY:
# enough to link a program that runs where a driver is installed.
make_driver_stub() {
  local dir=.toolchain/cuda-stub/lib64 headers=.toolchain/cuda/include
  mkdir -p "$dir"
  {
    echo '// Made by scripts/bootstrap.sh from the names in cuda.h.'
    echo 'static int say(const char **text) { *text = "this libcuda is a stub: no CUDA driver"; return 0; }'
    echo 'int cuGetErrorString(int error, const char **text) { (void)error; return say(text); }'
    echo 'int cuGetErrorName(int error, const char **text) { (void)error; return say(text); }'
    { cat "$headers/cuda.h"; echo cuProfilerInitialize cuProfilerStart cuProfilerStop; } |
      grep -oE '\bcu[A-Z][A-Za-z0-9_]*\b' | sort -u | grep -vxE 'cuGetError(String|Name)' |
      sed 's/.*/int &(void) { return 34; }/'
  } >"$dir/stub.c"
  gcc -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$dir/libcuda.so.1" "$dir/stub.c"
  ln -s libcuda.so.1 "$dir/libcuda.so"
}

# -----------------------------------------------------------------------------------------------

check_rust
mapfile -t missing < <(missing_packages | tr ' ' '\n')
if [[ ${#missing[@]} -gt 0 ]]; then
  install_packages "${missing[@]}"
  mapfile -t missing < <(missing_packages | tr ' ' '\n')
  [[ ${#missing[@]} -eq 0 ]] || fail "still missing after installing: ${missing[*]}"
fi
if ! toolchain_ready; then
  mkdir -p .toolchain
  exec 9>.toolchain/lock
  if have flock; then flock 9; fi
  # Another run may have filled it while this one waited.
  if ! toolchain_ready; then install_toolchain; fi
fi
