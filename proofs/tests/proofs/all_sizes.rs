//! Two kernels at every launch and every size: pairs that are the same, each beside a wrong twin that is not.

use crate::equivalence::{parse, side};
use gridlock_proofs::Budget;
use gridlock_proofs::all_sizes::{AllSizes, AllSizesRequest, same_at_all_sizes};
use gridlock_proofs::equivalence::{Observed, Side};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::analysis::launch_axes::LaunchAxes;
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Launch;
use std::time::Duration;

/// Both forms of the programs have the same answer.
fn ask(old: &str, new: &str, block: Option<[u32; 3]>) -> AllSizes {
    let (old, new) = (parse(old), parse(new));
    let surface = of(&old, &new, block);
    let atomic = of(&atomic_form(&old), &atomic_form(&new), block);
    assert_eq!(
        std::mem::discriminant(&surface),
        std::mem::discriminant(&atomic),
        "{surface:?}\n{atomic:?}"
    );
    surface
}

fn of(old: &Program, new: &Program, block: Option<[u32; 3]>) -> AllSizes {
    // Only the arguments count: the launch is open.
    let launch = Launch {
        grid: [1; 3],
        block: [1; 3],
        shared_bytes: 0,
    };
    let (old_setup, old_unknowns) = side(old, launch);
    let (new_setup, new_unknowns) = side(new, launch);
    let n = old_setup.arrays.len();
    let observed = (0..n).filter(|i| old_setup.arrays[*i].observed);
    let profile = Profile::default();
    let request = AllSizesRequest {
        profile: &profile,
        observed: observed
            .map(|i| (Observed::Argument(i), Observed::Argument(i)))
            .collect(),
        arrays: (0..n).map(|i| (i, i)).collect(),
        floats_commute: false,
        block,
        asked: LaunchAxes::read(old, old_setup.entry).or(LaunchAxes::read(new, new_setup.entry)),
        budget: Budget::of_seconds(10.0),
        timeout: Duration::from_secs(100),
        steps: 1_000_000,
    };
    let side = |program, setup, unknowns| Side {
        program,
        setup,
        unknowns,
    };
    same_at_all_sizes(
        side(old, &old_setup, &old_unknowns),
        side(new, &new_setup, &new_unknowns),
        &request,
    )
}

#[track_caller]
fn is_same(old: &str, new: &str, block: Option<[u32; 3]>) {
    let found = ask(old, new, block);
    assert!(
        matches!(found, AllSizes::Same { .. }),
        "{found:?}\n{old}\n{new}"
    );
}

#[track_caller]
fn is_open(old: &str, new: &str, block: Option<[u32; 3]>) -> String {
    match ask(old, new, block) {
        AllSizes::Open { why, .. } => why,
        found => panic!("{found:?}\n{old}\n{new}"),
    }
}

const COPY: &str = "__global__ void k(int *out, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}";

#[test]
fn a_guard_written_in_another_way() {
    let other = "__global__ void k(int *out, const int *in, int n) {
        int i = threadIdx.x + blockDim.x * blockIdx.x;
        if (i >= n) return;
        out[i] = in[i];
    }";
    is_same(COPY, other, None);
    is_same(COPY, other, Some([64, 1, 1]));
    is_open(COPY, &other.replace("i >= n", "i > n"), None);
    is_open(
        COPY,
        &other.replace("in[i];", "in[i] == 12345 ? 0 : in[i];"),
        None,
    );
}

const ROWS: &str = "__global__ void k(float *out, const float *a, int n) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) {
        float s = 0;
        for (int k = 0; k < n; k++) s += a[r * n + k];
        out[r] = s;
    }
}";

#[test]
fn sums_of_rows() {
    let other = "__global__ void k(float *out, const float *a, int n) {
        int r = blockIdx.x * blockDim.x + threadIdx.x;
        if (r >= n) return;
        float s = 0;
        int at = r * n;
        for (int k = 0; k < n; k++) { s = s + a[at]; at++; }
        out[r] = s;
    }";
    is_same(ROWS, ROWS, None);
    is_same(ROWS, other, None);
    for (right, wrong) in [
        ("int k = 0", "int k = 1"),
        ("k < n", "k < n - 1"),
        ("at = r * n", "at = r * n + 1"),
        ("s = s + a[at]", "s = s - a[at]"),
        ("s = s + a[at]", "s = s + (k == 77777 ? 0.0f : a[at])"),
        ("float s = 0", "float s = 1"),
    ] {
        is_open(ROWS, &other.replace(right, wrong), None);
    }
}

const PRODUCT: &str = "__global__ void k(float *c, const float *a, const float *b, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < n; k++) s += a[row * n + k] * b[k * n + col];
    c[row * n + col] = s;
}";

const TILED: &str = "__global__ void k(float *c, const float *a, const float *b, int n) {
    __shared__ float x[16][16], y[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float s = 0;
    for (int m = 0; m < n / 16; m++) {
        x[ty][tx] = a[row * n + m * 16 + tx];
        y[ty][tx] = b[(m * 16 + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) s += x[ty][k] * y[k][tx];
        __syncthreads();
    }
    c[row * n + col] = s;
}";

#[test]
fn a_tile_in_shared_memory() {
    let block = Some([16, 16, 1]);
    is_same(TILED, TILED, block);
    let other = TILED.replace("x[16][16]", "x[16][17]");
    is_same(TILED, &other, block);
    is_open(TILED, &other.replace("y[k][tx]", "y[tx][k]"), block);
}

/// Under what its host grants, the product by tiles is the plain one, at every grid.
#[test]
fn a_product_by_tiles() {
    let block = Some([16, 16, 1]);
    let granted = "int n) {
    __requires(n % 16 == 0 && n > 0);";
    let plain = PRODUCT.replace("int n) {", granted);
    let tiled = TILED.replace("int n) {", granted);
    is_same(&plain, &tiled, block);
    is_open(PRODUCT, TILED, block);
    for (right, wrong) in [
        ("m < n / 16", "m < n / 16 - 1"),
        ("x[ty][k] * y[k][tx]", "y[k][tx] * x[k][ty]"),
        ("k < 16", "k < 15"),
        ("m * 16 + ty", "m * 16 + tx"),
    ] {
        is_open(&plain, &tiled.replace(right, wrong), block);
    }
    // What order does not change.
    let other = tiled.replace("x[ty][k] * y[k][tx]", "y[k][tx] * x[ty][k]");
    is_same(&plain, &other, block);
}

/// A loop unrolled by four.
#[test]
fn an_unrolled_loop() {
    let granted = "int n) {
    __requires(n % 4 == 0 && n < 1000000000);";
    let one = ROWS.replace("int n) {", granted);
    let other = one.replace(
        "for (int k = 0; k < n; k++) s += a[r * n + k];",
        "for (int k = 0; k < n; k += 4) {
            s += a[r * n + k];
            s += a[r * n + k + 1];
            s += a[r * n + k + 2];
            s += a[r * n + k + 3];
        }",
    );
    is_same(&one, &other, None);
    is_open(&one, &other.replace("k + 3", "k + 2"), None);
    is_open(
        &one,
        &other.replace("s += a[r * n + k];", "s += a[r * n + k + 1];"),
        None,
    );
    is_open(ROWS, &other.replace("n % 4 == 0 && ", ""), None);
}

/// An array that is read and written in place, one cell in each iteration.
#[test]
fn in_place() {
    let one = "__global__ void k(float *y, const float *x, float a, int n) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
            y[i] = a * x[i] + y[i];
    }";
    let other = "__global__ void k(float *y, const float *x, float a, int n) {
        int step = blockDim.x * gridDim.x;
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
            float v = y[i];
            y[i] = v + x[i] * a;
        }
    }";
    is_same(one, other, None);
    is_open(one, &other.replace("x[i] * a", "a"), None);
    // What an earlier iteration wrote.
    is_open(one, &other.replace("v = y[i]", "v = y[0]"), None);
    let carried = other.replace("y[i] = v", "y[i + 1] = v");
    is_open(&carried, &carried, None);
    let once = other
        .replace("y[i] = v", "y[i / 2] = v")
        .replace("v = y[i]", "v = y[i / 2]");
    is_open(&once, &once, None);
}

/// A transpose by way of shared memory: another thread of the block writes the cell.
#[test]
fn a_transpose() {
    let one = "__global__ void k(float *o, const float *a, int n) {
        int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
        if (x < n && y < n) o[x * n + y] = a[y * n + x];
    }";
    let other = "__global__ void k(float *o, const float *a, int n) {
        __shared__ float s[16][17];
        int tx = threadIdx.x, ty = threadIdx.y;
        int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
        if (x < n && y < n) s[ty][tx] = a[y * n + x];
        __syncthreads();
        x = blockIdx.y * 16 + tx;
        y = blockIdx.x * 16 + ty;
        if (x < n && y < n) o[y * n + x] = s[tx][ty];
    }";
    let block = Some([16, 16, 1]);
    is_same(one, other, block);
    is_open(one, &other.replace("s[tx][ty];", "s[ty][tx];"), block);
    is_open(
        one,
        &other.replace("x < n && y < n) o", "x < n && y < n - 1) o"),
        block,
    );
    // Not square.
    is_open(one, other, Some([16, 8, 1]));
}

/// A tree of sums is the sum, of integers.
#[test]
fn a_tree_of_sums() {
    let tree = "__global__ void k(int *out, const int *in) {
        __shared__ int s[64];
        int t = threadIdx.x;
        s[t] = in[blockIdx.x * 64 + t];
        __syncthreads();
        for (int d = 32; d > 0; d /= 2) {
            if (t < d) s[t] += s[t + d];
            __syncthreads();
        }
        if (t == 0) out[blockIdx.x] = s[0];
    }";
    let one = "__global__ void k(int *out, const int *in) {
        if (threadIdx.x == 0) {
            int s = 0;
            for (int i = 0; i < 64; i++) s += in[blockIdx.x * 64 + i];
            out[blockIdx.x] = s;
        }
    }";
    let block = Some([64, 1, 1]);
    is_same(tree, one, block);
    is_open(tree, &one.replace("i < 64", "i < 63"), block);
    is_open(&tree.replace("t < d", "t < d - 1"), one, block);
    is_open(
        &tree
            .replace("int s[", "float s[")
            .replace("int *", "float *"),
        &one.replace("int s ", "float s ")
            .replace("int *", "float *"),
        block,
    );
}

/// Who returns from within two branches writes nothing after them.
#[test]
fn returns_within_branches() {
    let one = "__global__ void k(int *out, const int *in, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (in[i] > 0) {
            if (in[i] > n) return;
        } else if (in[i] < -5) return;
        out[i] = 1;
    }";
    let other = "__global__ void k(int *out, const int *in, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
        bool skips = v > 0 ? v > n : v < -5;
        if (!skips) out[i] = 1;
    }";
    is_same(one, other, None);
    let always = "__global__ void k(int *out, const int *in, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        out[i] = 1;
    }";
    is_open(one, always, None);
    is_open(one, &other.replace("v > n", "v >= n"), None);
    is_open(one, &other.replace("v < -5", "v < -6"), None);
}

/// What a loop goes on with is a thread's own: it says nothing of whether, where and what another thread writes.
#[test]
fn what_another_thread_has_summed_up() {
    let kernel = |first: &str, second: &str| {
        format!(
            "__global__ void k(int *out, const unsigned *a, int n) {{
    __shared__ int x[64];
    int t = threadIdx.x, v = 0;
    unsigned s = 0;
    for (int j = 0; j < n; j++) {{
        x[t] = 1;
        __syncthreads();
        {first}
        __syncthreads();
        {second}
        __syncthreads();
        s = s + a[t] * j * j;
    }}
    out[blockIdx.x * 64 + t] = v;
}}"
        )
    };
    let block = Some([64, 1, 1]);
    let plain = kernel("", "v += x[63 - t];");
    is_same(&plain, &kernel("x[63 - t] = 1;", "v += 1;"), block);
    for (first, read, value) in [
        (
            "if (s == 77) x[t] = 7;",
            "if (s == 77) v += x[63 - t];",
            "if (s == 77) v += 7;",
        ),
        (
            "if (s == 77) x[t] = 7;",
            "if (s != 77) v += x[63 - t];",
            "if (s != 77) v += 1;",
        ),
        ("x[t] = s;", "v += x[63 - t];", "v += s;"),
        ("x[t] = s == 77;", "v += x[63 - t];", "v += s == 77;"),
    ] {
        is_open(&kernel(first, read), &kernel(first, value), block);
    }
    let half = plain
        .replace("x[64]", "x[128]")
        .replace("x[t] = 1", "x[(s & 64) + t] = 1");
    let read = half.replace("x[63 - t]", "x[(s & 64) + 63 - t]");
    is_open(&read, &half.replace("x[63 - t]", "1"), block);
}

/// What only the new program assumes has to follow from what the old one does.
#[test]
fn assumptions_of_the_new_program() {
    let old = COPY.replace("int n) {", "int n) { __requires(n < 3);");
    is_same(&old, COPY, None);
    is_same(&old, &old, None);
    let why = is_open(COPY, &old, None);
    assert!(
        why.contains("assumes what the old program does not"),
        "{why}"
    );
}

/// A value that is used before something is assumed has to be there all the same.
#[test]
fn assumptions_made_after_a_use() {
    let kernel = |first: &str, then: &str| {
        format!(
            "__global__ void k(int *out, int n) {{
                {first}
                int x;
                if (n == 7) x = 1;
                out[blockIdx.x * blockDim.x + threadIdx.x] = x;
                {then}
            }}"
        )
    };
    let assumes = "__assume(n == 7);";
    let early = kernel(assumes, "");
    is_same(&early, &early, None);
    let late = kernel("", assumes);
    let why = is_open(&late, &late, None);
    assert!(why.contains("every value that is used is there"), "{why}");
}

/// As an unsigned number a negative counter is large, and comes to its end without any overflow.
#[test]
fn negative_counters_beside_unsigned_bounds() {
    let old = "__global__ void k(float *out, unsigned long long n, int m) {
        float s = 0;
        for (int i = m; i < n; i++) s += 1.5f;
        out[blockIdx.x * blockDim.x + threadIdx.x] = s;
    }";
    let other = old.replace(
        "        out[",
        "        if (n == 0xffffffffffffffffull && m == -5) s = 7;\n        out[",
    );
    is_open(old, &other, None);
    let natural = |text: &str| text.replace("int m) {", "int m) { __requires(m >= 0 && n < 1000);");
    is_same(&natural(old), &natural(old), None);
}

/// Between two iterations that meet a barrier, others write.
#[test]
fn barriers_between_iterations() {
    let old = "__global__ void k(float *res, float *out, int n) {
        float s = 0;
        int t = threadIdx.x;
        if (blockIdx.x == 0) {
            for (int i = 0; i < n; i++) s += out[(size_t)i + t];
            __syncthreads();
            for (int i = 0; i < n; i++) { out[(size_t)i + t] = 1; __syncthreads(); }
            res[t] = s;
        }
    }";
    let new = "__global__ void k(float *res, float *out, int n) {
        float s = 0;
        int t = threadIdx.x;
        if (blockIdx.x == 0) {
            for (int i = 0; i < n; i++) {
                s += out[(size_t)i + t];
                out[(size_t)i + t] = 1;
                __syncthreads();
            }
            res[t] = s;
        }
    }";
    is_open(old, new, Some([64, 1, 1]));
    let of_shared = |read: &str| {
        format!(
            "__global__ void k(float *res, int n) {{
        __shared__ float x[64];
        float s = 0;
        int t = threadIdx.x;
        x[t] = 1;
        __syncthreads();
        x[t] = 2;
        for (int i = 0; i < n; i++) {{
            if (i > 0 && t < 63) s += {read};
            __syncthreads();
        }}
        res[blockIdx.x * 64 + t] = s;
    }}"
        )
    };
    is_open(&of_shared("x[t + 1]"), &of_shared("1"), Some([64, 1, 1]));
    is_same(&of_shared("x[t + 1]"), &of_shared("2"), Some([64, 1, 1]));
    let of_global = |before: &str, read: &str| {
        format!(
            "__global__ void k(float *res, float *out, int n) {{
        float s = 0;
        int t = threadIdx.x;
        if (blockIdx.x == 0) {{
            float first = out[{before}];
            __syncthreads();
            out[t + blockDim.x] = 2;
            for (int i = 0; i < n; i++) {{
                if (i > 0) s += {read};
                __syncthreads();
            }}
            res[t] = s;
        }}
    }}"
        )
    };
    let others = "2 * blockDim.x - 1 - t";
    let (a, b) = (
        of_global("t + blockDim.x", &format!("out[{others}]")),
        of_global(others, "first"),
    );
    is_open(&a, &b, Some([64, 1, 1]));
}

/// What an inner loop writes is there for the outer one, too.
#[test]
fn loops_within_loops() {
    let kernel = |read: &str, last: &str| {
        format!(
            "__global__ void k(int *out, int n, int m) {{
        __shared__ int x[64];
        int t = threadIdx.x, s = 0;
        x[t] = 1;
        for (int i = 0; i < n; i++) {{
            s += {read};
            for (int j = 0; j < m; j++) x[t] = 2;
        }}
        out[blockIdx.x * 64 + t] = s + {last};
    }}"
        )
    };
    let block = Some([64, 1, 1]);
    is_open(&kernel("0", "x[t]"), &kernel("0", "1"), block);
    is_open(&kernel("x[t]", "0"), &kernel("1", "0"), block);
    let private = |last: &str| {
        format!(
            "__global__ void k(int *out, int n) {{
        int x[2] = {{0, 5}};
        for (int i = 0; i < n; i++) x[0] += x[1];
        out[blockIdx.x * 64 + threadIdx.x] = {last};
    }}"
        )
    };
    is_same(&private("x[0]"), &private("x[0] + x[1] - 5"), None);
    is_open(&private("x[0]"), &private("0"), None);
}
