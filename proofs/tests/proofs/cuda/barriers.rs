//! Kernels with barriers: under conditions, in loops, before threads end.

use super::support::Is::{Open, Proved, Suspected};
use super::support::{I, Is, check, check_in, line};
use gridlock_checker::verdict::Reason;

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
    let source = include_str!("../../../../examples/tree-sum/tree_sum.cu");
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
    let divergent = include_str!("../../../../examples/barriers/divergent.cu");
    let repaired = include_str!("../../../../examples/barriers/repaired.cu");
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
