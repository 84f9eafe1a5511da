//! Values that the kernel does not determine: of exchanges, and of functions without a body.

use super::support::Is::{Open, Proved, Suspected};
use super::support::{I, check};
use gridlock_checker::verdict::Reason;

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
