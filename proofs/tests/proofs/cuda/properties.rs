//! Properties other than races and divergence.

use super::support::Is::{Open, Proved, Suspected};
use super::support::{I, check_one, parse, prove};
use gridlock_checker::verdict::{Property, Reason};
use gridlock_proofs::ProofStatus;
use gridlock_semantics::atomic_form::atomic_form;

#[test]
fn repaired_barrier_kernel_is_proved_in_all_respects() {
    let program = parse(include_str!("../../../../examples/barriers/repaired.cu"));
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

/// Private arrays that loops fill: iteration by iteration where the loop is short, else as one generic iteration.
#[test]
fn elements_that_loops_write() {
    let kernel = |fill: &str, read: &str| {
        format!(
            "__global__ void k(const int *x, int *y, int n) {{ {I} int v[4], sum = 0; {fill} {read} y[i] = sum; }}"
        )
    };
    let all = "for (int j = 0; j < 4; j++) sum += v[j];";
    let reads = Property::UninitialisedReads;
    for (fill, read) in [
        ("for (int j = 0; j < 4; j++) v[j] = x[i];", all),
        ("for (int j = 3; j >= 0; j--) v[j] = x[i];", all),
        (
            "for (int j = 0; j < 4; j += 2) { v[j] = 1; v[j + 1] = x[i]; }",
            all,
        ),
        (
            "for (int j = 1; j < 16; j *= 2) v[j / 3 - j / 8] = j;",
            "sum = v[0] + v[1];",
        ),
        (
            "for (int a = 0; a < 2; a++) for (int b = 0; b < 2; b++) v[a * 2 + b] = x[i];",
            all,
        ),
        (
            "for (int r = 0; r < n; r++) { for (int j = 0; j < 4; j++) v[j] = r; sum += v[3]; }",
            "",
        ),
        (
            "for (int j = 0; j < 4; j++) { if (x[j] > 0) v[j] = 1; else v[j] = 2; }",
            all,
        ),
    ] {
        check_one(&kernel(fill, read), reads, Proved);
    }
    let open = Open(Reason::Inconclusive);
    for (fill, read) in [
        ("for (int j = 0; j < 3; j++) v[j] = x[i];", all),
        ("for (int j = 1; j < 4; j++) v[j] = x[i];", all),
        (
            "for (int j = 0; j < 4; j++) { sum += v[j]; v[j] = x[i]; }",
            "",
        ),
        ("for (int j = 0; j < 4; j++) if (x[j] > 0) v[j] = 1;", all),
        (
            "for (int j = 0; j < 4; j++) { v[j] = 1; if (x[j] > 0) break; }",
            all,
        ),
        (
            "for (int j = 0; j < 4; j++) { if (x[j] > 0) continue; v[j] = 1; }",
            all,
        ),
        ("for (int j = 0; j < 4 && j < n; j++) v[j] = 1;", all),
        (
            "for (int r = 0; r < n; r++) for (int j = 0; j < 4; j++) v[j] = r;",
            all,
        ),
        ("if (n > 3) for (int j = 0; j < 4; j++) v[j] = 1;", all),
    ] {
        check_one(&kernel(fill, read), reads, open);
    }
    // What is declared in an iteration or a call begins anew.
    for body in [
        "for (int r = 0; r < 2; r++) { int w[4]; if (r == 0) for (int j = 0; j < 4; j++) w[j] = 1; sum += w[3]; }",
        "for (int r = 0; r < 4; r++) { int w[4]; w[r] = 1; sum += w[0]; }",
        "for (int r = 0; r < 4; r++) { int w[4]; for (int j = 0; j < 2; j++) w[j * 2 + r % 2] = 1; sum += w[1]; }",
        "for (int r = 0; r < n; r++) { int w[2]; if (r > 0) sum += w[0]; __syncthreads(); w[0] = r; }",
    ] {
        check_one(&kernel(body, ""), reads, open);
    }
    let kept = "int w[4]; for (int r = 0; r < 4; r++) { w[r] = 1; sum += w[0]; } sum += w[2];";
    check_one(&kernel(kept, ""), reads, Proved);
    let called = |first: &str, then: &str| {
        format!(
            "__device__ int one(bool fills) {{ int w[2]; if (fills) for (int j = 0; j < 2; j++) w[j] = 1; return w[0] + w[1]; }}
            __global__ void k(int *y) {{ {I} int first = one({first}); y[i] = first + one({then}); }}"
        )
    };
    check_one(&called("true", "true"), reads, Proved);
    check_one(&called("true", "false"), reads, open);
    // Whether there is a next iteration is no constant.
    let stops = "for (int j = 0; j < 4; j++) { v[j] = 1; if (x[j] > 0) break; }";
    check_one(&kernel(stops, "sum = v[0];"), reads, open);
    // Longer than what is run iteration by iteration.
    let long = "int w[17]; for (int j = 0; j < 17; j++) w[j] = x[i]; sum = w[3];";
    check_one(&kernel(long, ""), reads, open);
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
