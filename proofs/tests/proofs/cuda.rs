//! CUDA kernels as users write them. Each case says what is expected of races and divergence
//! for all sizes; a kernel that is proved stands beside broken twins.

use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::remark::Remark;
use gridlock_checker::verdict::{Property, Reason};
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_proofs::{ExtentTerm, ProofOutcome, ProofRequest, ProofStatus, prove_kernel};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Launch;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Is {
    Proved,
    Suspected,
    Open(Reason),
}
use Is::{Open, Proved, Suspected};

fn parse(source: &str) -> Program {
    let parsed = parse_source("k.cu", source, Language::Cuda, &ParseOptions::default());
    let parsed = parsed.unwrap_or_else(|e| panic!("{e:?}"));
    assert!(parsed.unsupported.is_empty(), "{:?}", parsed.unsupported);
    parsed.program
}

fn prove(
    program: &Program,
    profile: &str,
    launch: Option<Launch>,
    properties: &[Property],
) -> ProofOutcome {
    let mut request = ProofRequest::all_sizes(Profile::named(profile).expect("a profile"));
    request.launch = launch;
    request.properties = properties.to_vec();
    // Tests run on busy machines.
    request.total_timeout *= 10;
    let kernel = program.procs_of_kind(ProcKind::Kernel).next();
    prove_kernel(program, kernel.expect("a kernel"), &request)
}

fn is(outcome: &ProofOutcome, property: Property) -> Is {
    match outcome.of(property).expect("asked for").status {
        ProofStatus::Proved { .. } => Proved,
        ProofStatus::Candidate => Suspected,
        ProofStatus::Unknown { reason } => Open(reason),
        ProofStatus::NotJudged => panic!("not judged"),
    }
}

/// Judges both forms of the program, which have to agree.
#[track_caller]
fn check_in(source: &str, profile: &str, launch: Option<Launch>, races: Is, divergence: Is) {
    let surface = parse(source);
    for program in [&surface, &atomic_form(&surface)] {
        let outcome = prove(
            program,
            profile,
            launch,
            &[Property::Races, Property::Divergence],
        );
        let found = (
            is(&outcome, Property::Races),
            is(&outcome, Property::Divergence),
        );
        assert_eq!(
            found,
            (races, divergence),
            "{source}\n{:?}: {outcome:#?}",
            program.form
        );
    }
}

#[track_caller]
fn check(source: &str, races: Is, divergence: Is) {
    check_in(source, "cuda", None, races, divergence);
}

fn line(threads: u32, blocks: u32) -> Option<Launch> {
    Some(Launch {
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        shared_bytes: 4096,
    })
}

const I: &str = "int i = blockIdx.x * blockDim.x + threadIdx.x;";

#[test]
fn maps() {
    check(
        &format!(
            "__global__ void k(const float *x, float *y, float a, int n) {{ {I} if (i < n) y[i] = a * x[i] + y[i]; }}"
        ),
        Proved,
        Proved,
    );
    check(
        &format!(
            "__global__ void k(const float *x, float *y, float a, int n) {{ {I} if (i < n) y[i] = a * x[i] + y[i + 1]; }}"
        ),
        Suspected,
        Proved,
    );
    check(
        &format!(
            "__global__ void k(const int *p, int *y, int n) {{ {I} if (i < n) y[p[i]] = i; }}"
        ),
        Suspected,
        Proved,
    );
    check(
        &format!("__global__ void k(int *y, int n) {{ {I} if (i < n) atomicAdd(&y[i % 16], 1); }}"),
        Proved,
        Proved,
    );
    check(
        &format!(
            "__global__ void k(int *y, int n) {{ {I} if (i < n) {{ atomicAdd(&y[i % 16], 1); y[0] = 2; }} }}"
        ),
        Suspected,
        Proved,
    );
    check(
        &format!(
            "__global__ void k(int *y, int *z, int n) {{ {I} if (i < n) {{ int t = atomicAdd(y, 1); z[i] = t; }} }}"
        ),
        Open(Reason::WeakMemory),
        Proved,
    );
}

#[test]
fn sixty_four_bit_index() {
    check(
        "__global__ void k(long long *y, long long n) { long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = i; }",
        Proved,
        Proved,
    );
}

#[test]
fn grid_stride() {
    let kernel = |step: &str| {
        format!(
            "__global__ void k(const int *x, int *y, int n) {{ for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += {step}) y[i] = x[i]; }}"
        )
    };
    check(&kernel("blockDim.x * gridDim.x"), Proved, Proved);
    check(&kernel("gridDim.x * blockDim.x"), Proved, Proved);
    check(&kernel("blockDim.x"), Suspected, Proved);
    check(&kernel("1"), Suspected, Proved);
    check_in(
        &kernel("blockDim.x * gridDim.x"),
        "cuda",
        line(64, 4),
        Proved,
        Proved,
    );
    check_in(
        &kernel("blockDim.x"),
        "cuda",
        line(64, 4),
        Suspected,
        Proved,
    );
    check_in(&kernel("blockDim.x"), "cuda", line(64, 1), Proved, Proved);
}

#[test]
fn two_dimensions() {
    let kernel = |index: &str| {
        format!(
            "__global__ void k(int *y) {{ int c = threadIdx.x, r = threadIdx.y; y[(blockIdx.x * blockDim.y + r) * blockDim.x + c] = {index}; }}"
        )
    };
    check_in(
        &kernel("0"),
        "cuda",
        Some(Launch {
            grid: [3, 1, 1],
            block: [16, 8, 1],
            shared_bytes: 0,
        }),
        Proved,
        Proved,
    );
    let transposed = |pad: &str| {
        format!("__global__ void k(const int *x, int *y) {{ __shared__ int t[16][17]; int c = threadIdx.x, r = threadIdx.y;
            t[r][c] = x[r * 16 + c]; {pad} y[r * 16 + c] = t[c][r]; }}")
    };
    let launch = Some(Launch {
        grid: [1, 1, 1],
        block: [16, 16, 1],
        shared_bytes: 0,
    });
    check_in(
        &transposed("__syncthreads();"),
        "cuda",
        launch,
        Proved,
        Proved,
    );
    check_in(&transposed(""), "cuda", launch, Suspected, Proved);
}

#[test]
fn early_return() {
    let kernel = format!(
        "__global__ void k(const int *x, int *y, int n) {{ __shared__ int s[1024]; {I}
            if (i >= n) return;
            s[threadIdx.x] = x[i];
            __syncthreads();
            y[i] = s[threadIdx.x] + (threadIdx.x > 0 ? s[threadIdx.x - 1] : 0); }}"
    );
    check_in(&kernel, "cuda", None, Proved, Proved);
    check_in(&kernel, "cuda-hw", None, Proved, Proved);
    check_in(
        &kernel,
        "portable",
        None,
        Open(Reason::Inconclusive),
        Suspected,
    );
    // What a thread did before it returned is ordered with nothing that follows the barrier.
    check(
        &format!(
            "__global__ void k(const int *x, int *y, int n) {{ __shared__ int s[1024]; {I}
                s[threadIdx.x] = 1;
                if (i >= n) return;
                __syncthreads();
                if (threadIdx.x + 1 < blockDim.x) y[i] = s[threadIdx.x + 1]; }}"
        ),
        Suspected,
        Proved,
    );
}

#[test]
fn barrier_under_a_condition() {
    let kernel = |cond: &str| {
        format!("__global__ void k(int *y, int n) {{ __shared__ int s[1024]; s[threadIdx.x] = n;
            if ({cond}) {{ __syncthreads(); y[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]; }} }}")
    };
    check(&kernel("n > 3"), Proved, Proved);
    check(&kernel("blockIdx.x > 3"), Proved, Proved);
    check(&kernel("threadIdx.x < blockDim.x"), Proved, Proved);
    check(
        &kernel("threadIdx.x < 31"),
        Open(Reason::Inconclusive),
        Suspected,
    );
    check(&kernel("y[0] > 3"), Suspected, Suspected);
}

#[test]
fn reductions() {
    let sum = |cond: &str, far: &str, wait: &str| {
        format!("__global__ void k(const int *x, int *y) {{ __shared__ int s[1024]; unsigned t = threadIdx.x;
            s[t] = x[blockIdx.x * blockDim.x + t];
            __syncthreads();
            for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {{
                if ({cond}) s[t] += s[{far}];
                {wait}
            }}
            if (t == 0) y[blockIdx.x] = s[0]; }}")
    };
    let wait = "__syncthreads();";
    check(&sum("t < d", "t + d", wait), Proved, Proved);
    check(&sum("t <= d", "t + d", wait), Suspected, Proved);
    check(&sum("t < d", "t + d - 1", wait), Suspected, Proved);
    check(&sum("t < d", "t + d", ""), Suspected, Proved);
    check(
        &sum("t < d", "t + d", "if (d > 32) __syncthreads();"),
        Suspected,
        Open(Reason::Unsupported),
    );
    let growing = |wait: &str| {
        format!("__global__ void k(const int *x, int *y) {{ __shared__ int s[1024]; int t = threadIdx.x;
            s[t] = x[blockIdx.x * blockDim.x + t];
            for (int d = 1; d < blockDim.x; d *= 2) {{
                {wait}
                int at = 2 * d * t;
                if (at + d < blockDim.x) s[at] += s[at + d];
            }}
            if (t == 0) y[blockIdx.x] = s[0]; }}")
    };
    check(&growing(wait), Proved, Proved);
    check(&growing(""), Suspected, Proved);
}

#[test]
fn tree_sum_in_global_memory() {
    let source = include_str!("../../../examples/tree-sum/tree_sum.cu");
    let source = source.replace("#include <cuda_runtime.h>", "");
    check_in(&source, "cuda", line(64, 3), Proved, Proved);
    // A block of 3 reaches into the next block's slice.
    check(&source, Suspected, Proved);
    let broken = source.replacen("        __syncthreads();\n    }", "    }", 1);
    assert_ne!(broken, source);
    check_in(&broken, "cuda", line(64, 3), Suspected, Proved);
}

#[test]
fn barrier_pair() {
    let divergent = include_str!("../../../examples/barriers/divergent.cu");
    let repaired = include_str!("../../../examples/barriers/repaired.cu");
    check(repaired, Proved, Proved);
    check(divergent, Open(Reason::Inconclusive), Suspected);
    // Threads that have ended are not waited for.
    check_in(divergent, "cuda-hw", None, Proved, Proved);
    // In lockstep the lanes that part wait for those at the barrier, which never leave it.
    check_in(
        divergent,
        "lockstep-warp",
        None,
        Open(Reason::Inconclusive),
        Suspected,
    );
    check_in(
        divergent,
        "portable",
        None,
        Open(Reason::Inconclusive),
        Suspected,
    );
}

#[test]
fn threads_that_end_are_not_waited_for() {
    let kernel = |inside: &str, after: &str| {
        format!("__global__ void k(const int *x, int *y, int n) {{ __shared__ int s[1024]; int t = threadIdx.x; {I}
            if (i < n) {{ s[t] = x[i]; __syncthreads(); {inside} }} {after} }}")
    };
    let hw = |inside: &str, after: &str, races: Is, divergence: Is| {
        check_in(&kernel(inside, after), "cuda-hw", None, races, divergence);
    };
    hw("if (t > 0) y[i] = s[t - 1];", "", Proved, Proved);
    hw(
        "if (t > 0) y[i] = s[t - 1]; __syncthreads(); s[t] = 0;",
        "",
        Proved,
        Proved,
    );
    // What the others did after they parted is ordered with nothing.
    hw(
        "if (t > 0) y[i] = s[t - 1];",
        "s[t] = 0;",
        Suspected,
        Proved,
    );
    hw(
        "y[i] = s[blockDim.x - 1];",
        "else s[t] = 1;",
        Suspected,
        Proved,
    );
    // A barrier that both sides meet.
    hw(
        "",
        "__syncthreads();",
        Open(Reason::Inconclusive),
        Suspected,
    );
    let looped = |after: &str| {
        format!("__global__ void k(int *y, int n) {{ int t = threadIdx.x;
            for (int d = t; d < n; d++) {{ y[blockIdx.x * blockDim.x + t] += d; __syncthreads(); }} {after} }}")
    };
    check_in(&looped(""), "cuda-hw", None, Proved, Proved);
    check_in(
        &looped(""),
        "cuda",
        None,
        Open(Reason::Inconclusive),
        Suspected,
    );
    check_in(
        &looped("__syncthreads();"),
        "cuda-hw",
        None,
        Open(Reason::Inconclusive),
        Suspected,
    );
}

#[test]
fn double_buffer() {
    let scan = |wait: &str, out: &str| {
        format!("__global__ void k(const int *x, int *y) {{ __shared__ int s[2048]; int t = threadIdx.x; int n = blockDim.x;
            int from = 0, to = 1;
            s[t] = x[t];
            __syncthreads();
            for (int d = 1; d < n; d *= 2) {{
                from = 1 - from; to = 1 - from;
                if (t >= d) s[{out} * 1024 + t] = s[from * 1024 + t - d];
                else s[{out} * 1024 + t] = s[from * 1024 + t];
                {wait}
            }}
            if (blockIdx.x == 0) y[t] = s[to * 1024 + t]; }}")
    };
    check(&scan("__syncthreads();", "to"), Proved, Proved);
    check(&scan("__syncthreads();", "from"), Suspected, Proved);
    check(&scan("", "to"), Suspected, Proved);
}

#[test]
fn device_functions() {
    let kernel = |wait: &str| {
        format!(
            "__device__ int twice(int v) {{ return 2 * v; }}
            __device__ void put(int *s, int at, int v) {{ s[at] = twice(v); {wait} }}
            __global__ void k(int *y) {{ __shared__ int s[1024]; int t = threadIdx.x;
                put(s, t, t); y[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t]; }}"
        )
    };
    check(&kernel("__syncthreads();"), Proved, Proved);
    check(&kernel(""), Suspected, Proved);
}

#[test]
fn warp_barriers_are_not_judged() {
    check(
        &format!("__global__ void k(int *y, int n) {{ {I} if (i < n) y[i] = 1; __syncwarp(); }}"),
        Proved,
        Open(Reason::Unsupported),
    );
}

/// The value of an exchange may be any, so what holds of accesses holds whatever comes of it; who
/// takes part, and whether there is a value, is not judged.
#[test]
fn exchanges_give_any_value() {
    let kernel = |body: &str| format!("__global__ void k(int *y, int n) {{ {I} {body} }}");
    let sum = "int v = i; v += __shfl_down_sync(0xffffffff, v, 1); if (i < n) y[i] = v;";
    check(&kernel(sum), Proved, Open(Reason::Unsupported));
    // The lane that a vote or a shuffle names may be any.
    let leader = "int first = __ffs(__ballot_sync(0xffffffff, i < n)) - 1;
        if (threadIdx.x % 32 == first) y[0] = i;";
    check(&kernel(leader), Suspected, Open(Reason::Unsupported));
    let index = "int j = __shfl_sync(0xffffffff, i, 0); y[j] = i;";
    check(&kernel(index), Suspected, Open(Reason::Unsupported));
    let active = "unsigned m = __activemask(); if (i < n && m > 3) y[i] = 1;";
    check(&kernel(active), Proved, Open(Reason::Unsupported));
    // A condition that an exchange gives may differ between threads.
    let barrier = "if (__any_sync(0xffffffff, i < n)) __syncthreads();";
    check(&kernel(barrier), Open(Reason::Inconclusive), Suspected);
}

#[test]
fn bitonic_step() {
    let kernel = |order: &str| {
        format!("__global__ void k(int *a, int n, int j, int k) {{ {I}
            if (i < n) {{ int ixj = i ^ j; if ({order}) {{
                if ((i & k) == 0 ? a[i] > a[ixj] : a[i] < a[ixj]) {{ int t = a[i]; a[i] = a[ixj]; a[ixj] = t; }} }} }} }}")
    };
    check(&kernel("ixj > i"), Proved, Proved);
    // Allows i == ixj only where j == 0, and then each thread has its own element.
    check(&kernel("ixj >= i"), Proved, Proved);
    check(&kernel("ixj <= n"), Suspected, Proved);
    check(&kernel("ixj != i"), Suspected, Proved);
}

#[test]
fn bitonic_sort_of_a_block() {
    let kernel = |wait: &str| {
        format!("__global__ void k(int *a, int n) {{ __shared__ int s[1024]; int t = threadIdx.x;
            s[t] = a[blockIdx.x * blockDim.x + t];
            __syncthreads();
            for (int k = 2; k <= n; k *= 2) {{
                for (int j = k / 2; j > 0; j /= 2) {{
                    int o = t ^ j;
                    if (o > t) {{ int u = s[t], v = s[o]; if ((t & k) == 0 ? u > v : u < v) {{ s[t] = v; s[o] = u; }} }}
                    {wait}
                }}
            }}
            a[blockIdx.x * blockDim.x + t] = s[t]; }}")
    };
    check(&kernel("__syncthreads();"), Proved, Proved);
    check(&kernel(""), Suspected, Proved);
}

#[track_caller]
fn check_one(source: &str, property: Property, expected: Is) {
    let surface = parse(source);
    for program in [&surface, &atomic_form(&surface)] {
        let outcome = prove(program, "cuda", None, &[property]);
        assert_eq!(is(&outcome, property), expected, "{source}\n{outcome:#?}");
    }
}

#[test]
fn repaired_barrier_kernel_is_proved_in_all_respects() {
    let program = parse(include_str!("../../../examples/barriers/repaired.cu"));
    let outcome = prove(&atomic_form(&program), "cuda", None, &Property::DEFAULT);
    for result in &outcome.results {
        let host = result.property == Property::Host;
        assert!(
            matches!(result.status, ProofStatus::Proved { .. })
                || host && result.status == ProofStatus::NotJudged,
            "{outcome:#?}"
        );
    }
}

#[test]
fn uninitialised_reads() {
    let kernel = |fill: &str, read: &str| {
        format!("__global__ void k(const int *x, int *y, int n) {{ __shared__ int s[1024]; int t = threadIdx.x; {I}
            {fill}
            __syncthreads();
            if (i < n) y[i] = {read}; }}")
    };
    let reads = Property::UninitialisedReads;
    check_one(&kernel("s[t] = n;", "s[blockDim.x - 1 - t]"), reads, Proved);
    check_one(
        &kernel("s[t] = n;", "s[(t + 1) % blockDim.x]"),
        reads,
        Proved,
    );
    check_one(&kernel("if (i < n) s[t] = x[i];", "s[t]"), reads, Proved);
    let open = Open(Reason::Inconclusive);
    check_one(&kernel("s[t] = n;", "s[t + 1]"), reads, open);
    check_one(&kernel("if (t > 0) s[t] = n;", "s[t]"), reads, open);
    check_one(
        &kernel("if (i < n) s[t] = x[i];", "s[(t + 1) % blockDim.x]"),
        reads,
        open,
    );
    check_one(&kernel("", "s[t]"), reads, open);
    check_one(
        &kernel("int v; if (t > 3) v = 1; s[t] = v;", "s[t]"),
        reads,
        open,
    );
    check_one(
        &kernel("int v = 0; if (t > 3) v = 1; s[t] = v;", "s[t]"),
        reads,
        Proved,
    );
    // Written by the reader, in the interval of the read.
    check_one(
        "__global__ void k(int *y) { __shared__ int s[1024]; s[threadIdx.x] = 1; y[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x]; }",
        reads,
        Proved,
    );
}

#[test]
fn arithmetic() {
    let kernel = |value: &str| {
        format!(
            "__global__ void k(const int *x, int *y, int n) {{ {I} if (i < n) y[i] = {value}; }}"
        )
    };
    let arithmetic = Property::Arithmetic;
    check_one(&kernel("x[i] / 2 + i % 7"), arithmetic, Proved);
    check_one(&kernel("100 / n"), arithmetic, Proved);
    check_one(&kernel("100 / x[i]"), arithmetic, Suspected);
    check_one(&kernel("100 / i"), arithmetic, Suspected);
    check_one(&kernel("x[i] != 0 ? 100 / x[i] : 0"), arithmetic, Proved);
    check_one(&kernel("x[i] / (i + 1)"), arithmetic, Proved);
    check_one(&kernel("x[i] / (n - 3)"), arithmetic, Suspected);
    check_one(&kernel("1 << (i % 32)"), arithmetic, Proved);
    check_one(&kernel("1 << (i % 33)"), arithmetic, Suspected);
    check_one(&kernel("x[i] >> -1"), arithmetic, Suspected);
}

#[test]
fn assertions() {
    let kernel = |cond: &str| {
        format!(
            "#include <assert.h>\n__global__ void k(int *y, int n) {{ {I} if (i < n) {{ assert({cond}); y[i] = 1; }} }}"
        )
    };
    check_one(&kernel("n > 0"), Property::Assertions, Proved);
    check_one(&kernel("n > 1"), Property::Assertions, Suspected);
}

#[test]
fn deadlock_needs_loops_that_end() {
    let kernel = |head: &str| {
        format!(
            "__global__ void k(int *y, int n) {{ {I} int v = 0; {head} v += d; if (i < n) y[i] = v; }}"
        )
    };
    let ends = Property::Deadlock;
    let open = Open(Reason::Inconclusive);
    check_one(&kernel("for (int d = 0; d < n; d++)"), ends, Proved);
    check_one(&kernel("for (int d = 1; d < n; d *= 2)"), ends, Proved);
    check_one(&kernel("for (int d = i; d < n; d *= 2)"), ends, open);
    check_one(&kernel("for (int d = n; d > 0; d >>= 1)"), ends, Proved);
    check_one(&kernel("for (int d = n; d >= 0; d >>= 1)"), ends, open);
    check_one(
        &kernel("for (unsigned d = n; d != 0; d /= 2)"),
        ends,
        Proved,
    );
    // Ends, but halving a negative number is not followed.
    check_one(&kernel("for (int d = n; d != 0; d /= 2)"), ends, open);
    check_one(&kernel("for (int d = 0; d < n; d += n - 5)"), ends, open);
    check_one(&kernel("for (int d = 0; d != n; d += 2)"), ends, open);
    check_one(&kernel("for (int d = 0; y[0] == 0; d++)"), ends, open);
}

/// A value nobody knows is another one for each thread and each time: two threads may part on it,
/// and an index of it meets any other; under a barrier that all reach it does no harm.
#[test]
fn values_nobody_knows() {
    let f = "__device__ int f();\n";
    let kernel = |code: &str| format!("{f}__global__ void k(int *a) {{ {code} }}");
    let own = "int i = blockIdx.x * blockDim.x + threadIdx.x;";
    check(
        &kernel(&format!(
            "{own} while (f() > 2) a[i] += f(); __syncthreads(); a[i] = f();"
        )),
        Proved,
        Proved,
    );
    check(
        &kernel(&format!("{own} if (f()) __syncthreads(); a[i] = 1;")),
        Open(Reason::Inconclusive),
        Suspected,
    );
    check(&kernel("a[f()] = 1;"), Suspected, Proved);
    // One place, twice: the second value is no copy of the first.
    let twice =
        "int x[2]; for (int j = 0; j < 2; ++j) x[j] = f(); if (x[0] != x[1]) a[0] = threadIdx.x;";
    check(&kernel(twice), Suspected, Proved);
    // Equal values are no less possible than others.
    let equal = "int x = f(); int y = f(); if (x == y) a[0] = threadIdx.x;";
    check(&kernel(equal), Suspected, Proved);
}

/// What is proved of `body` in a kernel of `int *a, int *r, unsigned n, int m`, with `n` given or not,
/// and what was assumed of counters.
fn of_counters(body: &str, n: Option<i128>, property: Property) -> (Is, Vec<String>) {
    let source = format!(
        "__global__ void k(int *a, int *r, unsigned n, int m) {{ __shared__ float s[1024]; {body} }}"
    );
    let program = parse(&source);
    let mut request = ProofRequest::all_sizes(Profile::named("cuda").expect("a profile"));
    request.properties = vec![property];
    request.total_timeout *= 10;
    if let Some(n) = n {
        request.launch = line(4, 1);
        let n = Value::int(ScalarType::U32, n);
        request.scalars = [(VarId(2), n), (VarId(3), Value::i32(7))].into();
    }
    let kernel = program.procs_of_kind(ProcKind::Kernel).next();
    let outcome = prove_kernel(&program, kernel.expect("a kernel"), &request);
    let of_a_counter = |a: &&Assumption| {
        matches!(
            a,
            Assumption::CounterHasRoom { .. } | Assumption::CountersDoNotOverflow { .. }
        )
    };
    let assumed = outcome.assumptions.iter().filter(of_a_counter);
    let assumed = assumed.map(Assumption::to_string).collect();
    (is(&outcome, property), assumed)
}

#[test]
fn loops_over_counters_that_do_not_wrap_end_without_assumption() {
    for body in [
        "for (unsigned i = 0; i < n; i++) a[0];",
        "for (int i = 0; i < m; i++) a[0];",
        "for (int i = m; i >= 0; i--) a[0];",
        "for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) a[0];",
        "for (unsigned d = 1; d < blockDim.x; d *= 2) a[0];",
        "for (unsigned long i = threadIdx.x; i < n; i += blockDim.x) a[0];",
        "for (unsigned char i = 0; i < 100; i += 50) a[0];",
        "for (short i = 0; i < 100; i++) a[0];",
        // It wraps, and ends.
        "for (unsigned i = n; i - n < 7; i++) a[0];",
        "for (unsigned i = 0; i != n; i++) a[0];",
    ] {
        let found = of_counters(body, None, Property::Deadlock);
        assert_eq!(found, (Proved, vec![]), "{body}");
    }
}

#[test]
fn what_is_assumed_of_counters_is_said_with_its_line() {
    for (body, words) in [
        (
            "for (int i = threadIdx.x; i < m; i += blockDim.x) a[0];",
            "line 1: `m` leaves room for one more step of `i` in its 32 signed bits",
        ),
        (
            "for (int i = r[0]; i < r[threadIdx.x]; i += 32) a[0];",
            "no signed counter of a loop overflows in the loop's own step: `i` at line 1",
        ),
    ] {
        let found = of_counters(body, None, Property::Deadlock);
        assert_eq!(found, (Proved, vec![words.to_owned()]), "{body}");
    }
}

/// The wrap of an unsigned counter is defined, so that no run of a kernel may be left out for it.
#[test]
fn nothing_is_assumed_of_unsigned_counters() {
    let stride = |ty: &str, head: &str, cond: &str| {
        format!(
            "{head} for ({ty} i = blockIdx.x * blockDim.x + threadIdx.x; {cond}; i += gridDim.x * blockDim.x) a[i] = 1;"
        )
    };
    for property in [Property::Deadlock, Property::Races] {
        // A signed bound is converted.
        for cond in ["i < n", "i <= n", "i < m"] {
            let (found, assumed) = of_counters(&stride("unsigned", "", cond), None, property);
            assert_ne!(found, Proved, "{cond}");
            assert_eq!(assumed, Vec::<String>::new(), "{cond}");
        }
        for (head, cond) in [
            ("__requires(n <= 2147483647);", "i < n"),
            ("__requires(m >= 0);", "i < m"),
            ("if (n > 1u << 31) return;", "i < n"),
        ] {
            let found = of_counters(&stride("unsigned", head, cond), None, property);
            assert_eq!(found, (Proved, vec![]), "{head}");
        }
        // 64 bits have room for any number of 32.
        let found = of_counters(&stride("unsigned long", "", "i < n"), None, property);
        assert_eq!(found, (Proved, vec![]));
        // With room, nothing is open where the number is given; without, it wraps.
        let body = stride("unsigned", "", "i < n");
        assert_eq!(of_counters(&body, Some(100), property), (Proved, vec![]));
    }
    let body = stride("unsigned", "", "i < n");
    let (found, _) = of_counters(&body, Some(u32::MAX as i128), Property::Deadlock);
    assert_ne!(found, Proved);
}

#[test]
fn what_keeps_an_unsigned_counter_in_its_range_is_named() {
    for (ty, cond, words) in [
        ("unsigned n", "i < n", "__requires(n <= 2147483647)"),
        ("int n", "i < n", "__requires(n >= 0)"),
    ] {
        let text = |head: &str| {
            format!(
                "__global__ void k(int *a, {ty}) {{ {head}\n for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; {cond}; i += gridDim.x * blockDim.x) a[i] = 1; }}"
            )
        };
        let prove = |head: &str| {
            let program = parse(&text(head));
            let request = ProofRequest::all_sizes(Profile::named("cuda").expect("a profile"));
            let kernel = program.procs_of_kind(ProcKind::Kernel).next();
            prove_kernel(&program, kernel.expect("a kernel"), &request)
        };
        let outcome = prove("");
        let named = outcome.remarks.iter().any(|remark| {
            matches!(remark, Remark::CounterWrapsAround { line: 2, counter, requires, .. }
                if counter == "i" && *words == format!("__requires({requires})"))
        });
        assert!(named, "{:?}", outcome.remarks);
        let outcome = prove(&format!("{words};"));
        assert_eq!(is(&outcome, Property::Races), Proved);
        assert!(outcome.remarks.is_empty(), "{:?}", outcome.remarks);
    }
}

/// What is asked of a parameter at the beginning says nothing of what the kernel made of it.
#[test]
fn no_condition_is_named_on_a_parameter_that_changes() {
    let body = "n = n * 2 + 1; for (unsigned i = threadIdx.x; i < n; i += 4) a[i] = 1;";
    let program = parse(&format!(
        "__global__ void k(int *a, unsigned n) {{ {body} }}"
    ));
    let request = ProofRequest::all_sizes(Profile::named("cuda").expect("a profile"));
    let kernel = program.procs_of_kind(ProcKind::Kernel).next();
    let outcome = prove_kernel(&program, kernel.expect("a kernel"), &request);
    assert_ne!(is(&outcome, Property::Races), Proved);
    let named = |remark: &Remark| matches!(remark, Remark::CounterWrapsAround { .. });
    assert!(!outcome.remarks.iter().any(named), "{:?}", outcome.remarks);
}

#[test]
fn loops_that_a_wrap_keeps_going_are_not_proved_to_end() {
    for body in [
        "for (unsigned i = threadIdx.x; i >= 0; i--) a[0];",
        "for (unsigned char i = 0; i < m; i++) a[0];",
        "for (unsigned i = n; i > 0; i -= 2) a[0];",
        "for (int i = 0; i < 2147483647; i += 2) a[0];",
        "for (int i = 0; i <= 2147483647; i++) a[0];",
        "for (short i = threadIdx.x; i < 100; i += blockDim.x * 64) a[0];",
        "for (int i = 0; i < n; i += m) a[0];",
    ] {
        let (found, _) = of_counters(body, None, Property::Deadlock);
        assert_ne!(found, Proved, "{body}");
    }
}

#[test]
fn a_counter_that_wraps_meets_what_lies_at_the_beginning() {
    let writes = "if (threadIdx.x == 1) a[0] = 2;";
    let body =
        format!("if (threadIdx.x == 0) for (unsigned i = n; i - n < 4; i++) a[i] = 1; {writes}");
    let (found, _) = of_counters(&body, Some(4294967294), Property::Races);
    assert_ne!(found, Proved);
    let (found, _) = of_counters(&body, Some(4294967288), Property::Races);
    assert_eq!(found, Proved);
    let narrow = format!(
        "if (threadIdx.x == 0) for (unsigned char i = 250; i != 4; i++) a[i] = 1; {writes}"
    );
    let (found, _) = of_counters(&narrow, Some(1), Property::Races);
    assert_eq!(found, Suspected);
    let short = "for (unsigned char i = 250; i != 0; i++) if (threadIdx.x == 0) a[i] = 1;";
    let (found, _) = of_counters(&format!("{short} {writes}"), Some(1), Property::Races);
    assert_eq!(found, Proved);
}

#[test]
fn an_index_that_an_unsigned_number_took_below_0_is_not_in_bounds() {
    let bounds = |body: &str, a_has_extent: bool| {
        let source = format!("__global__ void k(int *a, int *o) {{ {body} }}");
        let program = parse(&source);
        let mut request = ProofRequest::all_sizes(Profile::named("cuda").expect("a profile"));
        request.properties = vec![Property::Bounds];
        request.total_timeout *= 10;
        request.extents = [(VarId(1), ExtentTerm::Elements(1024))].into();
        if a_has_extent {
            request.extents.insert(VarId(0), ExtentTerm::Elements(1024));
        }
        let kernel = program.procs_of_kind(ProcKind::Kernel).next();
        let outcome = prove_kernel(&program, kernel.expect("a kernel"), &request);
        let first = Assumption::FirstElements {};
        let said = outcome.assumptions.iter().any(|a| *a == first);
        (is(&outcome, Property::Bounds), said)
    };
    let signed = "int i = threadIdx.x - 1; o[threadIdx.x] = a[i];";
    assert_eq!(bounds(signed, false), (Suspected, true));
    assert_eq!(bounds(signed, true), (Suspected, false));
    let unsigned = "o[threadIdx.x] = a[threadIdx.x - 1];";
    assert_eq!(bounds(unsigned, false), (Open(Reason::Inconclusive), false));
    assert_eq!(bounds(unsigned, true), (Suspected, false));
    let guarded = "if (threadIdx.x > 0) o[threadIdx.x] = a[threadIdx.x - 1];";
    assert_eq!(bounds(guarded, false), (Proved, false));
    assert_eq!(bounds(guarded, true), (Proved, false));
    let plain = "o[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];";
    assert_eq!(bounds(plain, false), (Proved, false));
}

/// Products of unknowns have large circuits. Defects that small numbers show are found among those: in steps that
/// a processor does in a second, not in tens of them.
#[test]
fn what_hangs_on_products_of_small_numbers_is_found_among_them() {
    const STEPS: u64 = 2_000_000;
    let head = "__global__ void k(float *a, int w, int h, int pitch) {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;";
    let [width, height, pitch] = [1, 2, 3].map(VarId);
    let extent = |by: VarId| {
        let long = |var| Expr::var(var, Type::I32).cast(Type::I64);
        ExtentTerm::Of(Expr::binary(BinaryOp::Mul, long(by), long(height)))
    };
    for guard in ["", "if (x < w && y < h)", "if (x < w)", "if (y < h)"] {
        for by in [width, pitch] {
            let program = parse(&format!("{head} {guard} a[y * pitch + x] = 1; }}"));
            let mut request = ProofRequest::all_sizes(Profile::named("cuda").unwrap());
            request.total_timeout *= 10;
            request.properties = vec![Property::Races, Property::Bounds];
            request.extents = [(VarId(0), extent(by))].into();
            let kernel = program.procs_of_kind(ProcKind::Kernel).next().unwrap();
            let outcome = prove_kernel(&program, kernel, &request);
            let what = format!("{guard}, {by:?}: {} steps", outcome.steps);
            assert_eq!(is(&outcome, Property::Races), Suspected, "{what}");
            assert_eq!(is(&outcome, Property::Bounds), Suspected, "{what}");
            assert!(outcome.steps > 0 && outcome.steps < STEPS, "{what}");
        }
    }
    // Nothing is taken from what no small number shows: this is beyond them all.
    let source = "__global__ void k(int *a, unsigned n, unsigned m) {
        if (n > 100 && m > 100 && n < 200 && m < 200 && n * m == 10403) a[0] = 1; }";
    check(source, Suspected, Proved);
}
