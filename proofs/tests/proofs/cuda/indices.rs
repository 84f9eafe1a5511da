//! Kernels whose threads touch cells by their indices: maps, strides, two dimensions.

use super::support::Is::{Open, Proved, Suspected};
use super::support::{I, check, check_in, line};
use gridlock_checker::verdict::Reason;
use gridlock_semantics::setup::Launch;

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
