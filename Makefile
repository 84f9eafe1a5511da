SHELL := /bin/bash
.NOTPARALLEL:
.PHONY: help demo test soak bench gpu wheel

export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin
target_dir := $(or $(CARGO_TARGET_DIR),target)

help:
	@scripts/bootstrap.sh
	@echo 'make demo    build, then run the worked examples'
	@echo 'make test    formatting, lints, documentation and every test, as CI runs them'
	@echo 'make soak    the random tests for hours: another seed each time (SEED=N repeats one), SOAK_SECONDS=N for the fuzzers'
	@echo 'make bench   the benchmarks'
	@echo 'make wheel   the Python package, with the command in it'
	@echo 'make gpu     build with the CUDA driver and run kernels on the GPU of this machine'

demo:
	@scripts/bootstrap.sh
	cargo build --release
	scripts/demo.sh

# The command with the CUDA driver is built, and linked, as what a small test needs: then cargo chooses the features of
# the other crates as for all tests, and builds them once.
test:
	@scripts/bootstrap.sh
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --no-deps --workspace
	cargo test --workspace --features gpu --no-run --test processes
	cargo test --workspace --no-fail-fast
	scripts/wheel.sh --test $(target_dir)/debug/gridlock

# The wheel is built of the command that `cargo build --release` has built, or builds it.
wheel:
	scripts/wheel.sh

# Every test that draws at random, for long. A line for each; a new one belongs here too.
SEED ?= $(shell date +%s)
SOAK_SECONDS ?= 3600
soak:
	@scripts/bootstrap.sh
	@echo 'seed $(SEED); the same again: make soak SEED=$(SEED)'
	GRIDLOCK_FUZZ_SEED=$(SEED) GRIDLOCK_FUZZ_SECONDS=$(SOAK_SECONDS) cargo test --release --test fuzz_commands -- --nocapture
	GRIDLOCK_FUZZ_SECONDS=$(SOAK_SECONDS) cargo test --release -p gridlock-frontend --test damaged -- --nocapture
	GRIDLOCK_RANDOM_PROGRAMS=100000 GRIDLOCK_FIRST_PROGRAM=$(SEED) cargo test --release -p gridlock-frontend --test against_clang random_programs -- --nocapture
	GRIDLOCK_RANDOM_CALLS=50000 GRIDLOCK_FIRST_CALLS=$(SEED) cargo test --release -p gridlock-frontend --test against_clang random_calls_and_walks -- --nocapture
	GRIDLOCK_RANDOM_BITS=50000 GRIDLOCK_FIRST_BITS=$(SEED) cargo test --release -p gridlock-frontend --test against_clang random_bit_fields -- --nocapture
	SEED=$(SEED) KERNELS=10000 cargo test --release -p gridlock-proofs --test proofs what_is_proved_is_not_found
	SEED=$(SEED) WRAPPING_KERNELS=20000 cargo test --release -p gridlock-proofs --test proofs counters_that_wrap_around
	SEED=$(SEED) PAIRS=5000 cargo test --release --test gridlock what_is_proved_of_random_pairs_shows
	GRIDLOCK_PROGRAMS=20000 cargo test --release -p gridlock-checker --test checker stateless::the_stateless_search_loses_nothing
	GRIDLOCK_RACES=20000 cargo test --release -p gridlock-checker --test checker detectors::
	SEED=$(SEED) GRIDLOCK_LOOPS=20000 cargo test --release -p gridlock-checker --test checker endless_random::
	GRIDLOCK_MUTANT_SEED=$(SEED) cargo test --release --test gridlock mutants::
	GRIDLOCK_ALL_LAUNCHES=1 cargo test --release --test gridlock engines::
	QUICKCHECK_TESTS=20000 cargo test --release -p gridlock-semantics --test reference generated
	QUICKCHECK_TESTS=20000 cargo test --release -p gridlock-frontend --test scheme round_trip
	QUICKCHECK_TESTS=2000 cargo test --release -p gridlock-checker --test checker host_streams::
	QUICKCHECK_TESTS=20000 cargo test --release -p gridlock-transforms

bench:
	@scripts/bootstrap.sh
	cargo bench -p gridlock-checker --bench canonical
	cargo bench -p gridlock-checker --bench stateless
	cargo bench -p gridlock-checker --bench explorer
	cargo bench -p gridlock-checker --bench searches
	cargo bench -p gridlock-checker --bench livelock

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
