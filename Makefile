SHELL := /bin/bash
.NOTPARALLEL:
.PHONY: help demo test soak bench gpu wheel

export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin
target_dir := $(or $(CARGO_TARGET_DIR),target)

help:
	@scripts/bootstrap.sh
	@echo 'make demo    build, then run the worked examples'
	@echo 'make test    formatting, lints, documentation and every test, as CI runs them'
	@echo 'make soak    every test at full length, for hours: other random cases each time (SEED=N repeats, ONLY=NAME chooses)'
	@echo 'make bench   the benchmarks'
	@echo 'make wheel   the Python package, with the command in it'
	@echo 'make gpu     build with the CUDA driver and run kernels on the GPU of this machine'

demo:
	@scripts/bootstrap.sh
	cargo build --release
	scripts/demo.sh

test: export RUSTC_WORKSPACE_WRAPPER := $(CURDIR)/scripts/compiler.sh
# As `cargo clippy` tells its driver that a warning is an error. Cargo builds anew what was built with another value: so it
# is set for all that cargo does here.
test: export CLIPPY_ARGS := -D__CLIPPY_HACKERY__warnings
# The tool that documents takes one processor for as long as the tests take to build: it runs beside them.
# What calls the CUDA driver is built, and linked, for a small test, and the benchmarks with it: of the whole workspace,
# so that cargo chooses the features of the other crates as for all tests, and builds them once.
test:
	@scripts/bootstrap.sh
	cargo fmt --all --check
	cargo test --workspace --features gridlock-lowering/gpu --no-run --test device_process --bench '*'
	@echo 'scripts/documentation.sh & scripts/tests.sh'; \
	scripts/documentation.sh >$(target_dir)/documentation.log 2>&1 & documentation=$$!; \
	scripts/tests.sh; tests=$$?; \
	wait $$documentation || { echo 'documentation:'; cat $(target_dir)/documentation.log; exit 1; }; \
	exit $$tests
	scripts/wheel.sh --test $(target_dir)/debug/gridlock

# The wheel is built of the command that `cargo build --release` has built, or builds it.
wheel:
	scripts/wheel.sh

# Every test at full length, from this first random case on; ONLY=NAME takes those with the name in theirs.
SEED ?= $(shell date +%s)
soak:
	@scripts/bootstrap.sh
	@echo 'seed $(SEED); the same again: make soak SEED=$(SEED)'
	GRIDLOCK_SOAK=$(SEED) cargo test --release --workspace --no-fail-fast -- --nocapture $(ONLY)

bench:
	@scripts/bootstrap.sh
	cargo bench -p gridlock-checker --bench canonical
	cargo bench -p gridlock-checker --bench stateless
	cargo bench -p gridlock-checker --bench explorer
	cargo bench -p gridlock-checker --bench searches
	cargo bench -p gridlock-checker --bench livelock
	cargo bench -p gridlock-proofs --bench equivalence

# A machine with a GPU need not have Rust or clang: there the binary built before is run, on the
# cases prepared before. (To prepare them the binary needs a libcuda to start; the stub will do.)
gpu_cases := out/gpu-cases.json
gpu:
	@if command -v cargo >/dev/null; then \
	  scripts/bootstrap.sh && cargo build --release --features gpu && mkdir -p out && \
	  LD_LIBRARY_PATH=.toolchain/cuda-stub/lib64 $(target_dir)/release/gridlock gpu-run --prepare $(gpu_cases); \
	elif [[ -x $(target_dir)/release/gridlock ]]; then \
	  echo 'no cargo here: running the binary in $(target_dir)/release'; \
	else \
	  echo 'make gpu: neither cargo nor a built $(target_dir)/release/gridlock' >&2; exit 1; \
	fi
	@ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1' || { \
	  echo 'make gpu: no CUDA driver (libcuda.so.1) here; take $(target_dir)/release/gridlock and $(gpu_cases) to a machine with one, and run make gpu there' >&2; \
	  exit 1; }
	$(target_dir)/release/gridlock gpu-run --cases $(gpu_cases)
