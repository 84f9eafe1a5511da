//! What printed code looks like: lines a reader of the source expects to find again.

use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_lowering::cuda::CudaOptions;
use gridlock_lowering::lowered::{Lowered, Param};
use gridlock_lowering::{cuda, host, opencl};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::atomic_form::atomic_form;

fn parse(text: &str) -> Program {
    let parsed = parse_source("k.cu", text, Language::Cuda, &ParseOptions::default());
    let parsed = parsed.unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    assert!(parsed.unsupported.is_empty(), "{:?}", parsed.unsupported);
    parsed.program
}

fn kernel(body: &str) -> Program {
    parse(&format!(
        "__global__ void k(int *a, unsigned *u, short *h, long long *w, int n)\n{{\n{body}\n}}\n"
    ))
}

fn in_cuda(body: &str, expected: &[&str]) {
    contains(
        &cuda::kernels(&kernel(body), &CudaOptions::default()).expect("lowers"),
        expected,
    );
}

fn in_opencl(body: &str, expected: &[&str]) {
    contains(&opencl::kernels(&kernel(body)).expect("lowers"), expected);
}

fn contains(lowered: &Lowered, expected: &[&str]) {
    let lines: Vec<&str> = lowered.text.lines().map(str::trim).collect();
    for line in expected {
        assert!(lines.contains(line), "no `{line}` in\n{}", lowered.text);
    }
}

#[test]
fn sums_that_may_overflow_are_unsigned() {
    in_cuda("a[0] = a[1] + a[2];", &["a[0] = (unsigned)a[1] + a[2];"]);
    in_cuda("a[0] += a[1];", &["a[0] += (unsigned)a[1];"]);
    in_cuda("a[0] = a[1] * 2;", &["a[0] = a[1] * 2u;"]);
    in_cuda("a[0] = -a[1];", &["a[0] = -(unsigned)a[1];"]);
    in_cuda(
        "if (a[0] + 1 > a[1]) a[0] = 0;",
        &["if ((int)(a[0] + 1u) > a[1]) {"],
    );
    in_cuda(
        "w[0] = w[1] - a[0];",
        &["w[0] = (unsigned long long)w[1] - a[0];"],
    );
    in_opencl("a[0] = a[1] + a[2];", &["a[0] = (uint)a[1] + a[2];"]);
}

#[test]
fn sums_that_cannot_overflow_are_plain() {
    in_cuda("u[0] = u[1] + 1;", &["u[0] = u[1] + 1;"]);
    in_cuda("h[0] = h[1] + h[2];", &["h[0] = h[1] + h[2];"]);
    in_cuda(
        "int t = threadIdx.x; a[0] = t * 2 + 1;",
        &["a[0] = t * 2 + 1;"],
    );
    in_cuda(
        "w[0] = (long long)a[0] * a[1];",
        &["w[0] = (long long)a[0] * a[1];"],
    );
    in_cuda(
        "for (int i = 0; i < n; i++) a[i] = i + 1;",
        &["for (int i = 0; i < n; i++) {", "a[i] = i + 1;"],
    );
    in_cuda(
        "if (n < 1000) a[0] = n * n;\n",
        &["a[0] = (unsigned)n * n;"],
    );
    in_cuda(
        "if (n < 1000 && n > -1000) a[0] = n * n;",
        &["a[0] = n * n;"],
    );
    in_cuda("if (n > 0) { n -= 1; a[0] = n; }", &["n--;"]);
}

#[test]
fn an_index_that_overflows_is_out_of_bounds_anyway() {
    in_cuda(
        "int t = threadIdx.x; a[0] = a[n + t];",
        &["a[0] = a[n + t];"],
    );
    // Both summands may be negative: the sum could wrap to a legal index.
    in_cuda(
        "a[0] = a[n + a[1]];",
        &["a[0] = a[(int)((unsigned)n + a[1])];"],
    );
    // Not from the start of an array.
    in_cuda(
        "int t = threadIdx.x; int *p = a + 5; a[0] = p[n + t];",
        &["a[0] = p[(int)((unsigned)n + t)];"],
    );
}

#[test]
fn coordinates() {
    let body = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 0;";
    in_cuda(body, &["int i = blockIdx.x * blockDim.x + threadIdx.x;"]);
    in_opencl(body, &["int i = get_global_id(0);"]);
    in_opencl(
        "for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < n; i += gridDim.y * blockDim.y) a[i] = 0;",
        &["for (int i = get_global_id(1); i < n; i += get_global_size(1)) {"],
    );
}

#[test]
fn loops_and_branches() {
    in_cuda(
        "for (int d = n; d > 0; d /= 2) a[d] = 0;",
        &["for (int d = n; d > 0; d /= 2) {"],
    );
    in_cuda("while (a[0] < n) a[0] = n;", &["while (a[0] < n) {"]);
    in_cuda(
        "if (n < 0) return; a[0] = 1;",
        &["if (n < 0)", "return;", "a[0] = 1;"],
    );
    in_cuda(
        "if (n < 0) a[0] = 1; else if (n < 5) a[0] = 2; else a[0] = 3;",
        &["if (n < 0) {", "} else if (n < 5) {", "} else {"],
    );
    in_cuda("if (n < 0) { } else a[0] = 1;", &["if (n >= 0) {"]);
}

#[test]
fn parentheses_are_few() {
    in_cuda(
        "u[0] = (u[1] + u[2]) * u[3] - (u[4] - u[5]);",
        &["u[0] = (u[1] + u[2]) * u[3] - (u[4] - u[5]);"],
    );
    in_cuda(
        "if ((n & 1) == 0 && (n > 5 || n < 2)) a[0] = 1;",
        &["if ((n & 1) == 0 && (n > 5 || n < 2)) {"],
    );
    in_cuda(
        "u[0] = u[1] << (u[2] & 7) | u[3];",
        &["u[0] = (u[1] << (u[2] & 7)) | u[3];"],
    );
    in_cuda(
        "a[0] = n > 0 ? a[1] : a[2];",
        &["a[0] = n > 0 ? a[1] : a[2];"],
    );
}

#[test]
fn declarations_stand_where_values_are_born() {
    in_cuda(
        "int x; if (n > 0) { x = a[0]; a[1] = x; } else { x = a[2]; a[3] = x; }",
        &["int x = a[0];", "int x = a[2];"],
    );
    // Set in one iteration, read in the next.
    in_cuda(
        "int last; for (int i = 0; i < n; i++) { if (i > 0) a[i] = last; last = i; }",
        &["int last = 0;"],
    );
    in_cuda("int unused = a[0]; unused += 2; a[1] = 3;", &["a[1] = 3;"]);
}

#[test]
fn words_of_the_language_are_no_names() {
    let program = parse("__global__ void kernel(int *local, int global) { local[0] = global; }");
    let text = opencl::kernels(&program).expect("lowers");
    contains(
        &text,
        &["kernel void kernel_(global int *local_, int global_)"],
    );
    contains(
        &cuda::kernels(&program, &CudaOptions::default()).expect("lowers"),
        &["__global__ void kernel(int *local, int global)"],
    );
}

#[test]
fn options_of_the_cuda_text() {
    let options = CudaOptions {
        restrict: true,
        extern_c: true,
    };
    let lowered = cuda::kernels(&crate::support::add_one(), &options).expect("lowers");
    contains(
        &lowered,
        &[
            "extern \"C\" __global__ void add_one(const int *__restrict__ in, int *__restrict__ out, int n)",
        ],
    );
}

#[test]
fn interfaces_say_what_a_launch_passes() {
    let lowered = opencl::kernels(&crate::support::block_sum()).expect("lowers");
    let names: Vec<&str> = lowered.kernels[0]
        .params
        .iter()
        .map(|param| match param {
            Param::Pointer { name, .. } => name.as_str(),
            Param::DynamicShared { .. } => "dynamic shared memory",
            _ => "something else",
        })
        .collect();
    assert_eq!(names, ["in", "out", "dynamic shared memory"]);
}

#[test]
fn whole_programs_have_their_host_code() {
    let lowered = host::program(&crate::support::bitonic()).expect("lowers");
    assert_eq!(lowered.extension, "cu");
    contains(
        &lowered,
        &[
            "void bitonic_sort(int *a, int n)",
            "CHECK(cudaMalloc(&d_a, n * sizeof(int)));",
            "CHECK(cudaMemcpy(d_a, a, n * sizeof(int), cudaMemcpyHostToDevice));",
            "for (int j = k >> 1; j > 0; j >>= 1) {",
            "compare_swap<<<(int)(n + 63u) / 64, 64>>>(d_a, n, k, j);",
            "CHECK(cudaFree(d_a));",
        ],
    );
}

#[test]
fn streams_and_events_are_the_runtimes() {
    let text = "#include <cuda_runtime.h>
        __global__ void k(int *a) { a[threadIdx.x] += 1; }
        void run(int *a, int n) {
            int *d, *h;
            cudaStream_t s, t;
            cudaEvent_t e;
            cudaSetDevice(1);
            cudaMalloc((void **)&d, n * sizeof(int));
            cudaMallocHost((void **)&h, n * sizeof(int));
            cudaStreamCreate(&s);
            cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
            cudaEventCreate(&e);
            for (int i = 0; i < n; i++) h[i] = a[i];
            cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, s);
            cudaEventRecord(e, s);
            cudaStreamWaitEvent(t, e, 0);
            k<<<1, n, 0, t>>>(d);
            cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, t);
            cudaStreamSynchronize(t);
            cudaEventSynchronize(e);
            for (int i = 0; i < n; i++) a[i] = h[i];
            cudaEventDestroy(e);
            cudaStreamDestroy(s);
            cudaStreamDestroy(t);
            cudaFreeHost(h);
            cudaFree(d);
        }";
    let lowered = host::program(&parse(text)).expect("lowers");
    contains(
        &lowered,
        &[
            "CHECK(cudaSetDevice(1));",
            "CHECK(cudaMallocHost(&h, n * sizeof(int)));",
            "CHECK(cudaStreamCreate((cudaStream_t *)&s));",
            "CHECK(cudaStreamCreateWithFlags((cudaStream_t *)&t, cudaStreamNonBlocking));",
            "CHECK(cudaEventCreate((cudaEvent_t *)&e));",
            "CHECK(cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, (cudaStream_t)(s)));",
            "CHECK(cudaEventRecord((cudaEvent_t)(e), (cudaStream_t)(s)));",
            "CHECK(cudaStreamWaitEvent((cudaStream_t)(t), (cudaEvent_t)(e), 0));",
            "k<<<1, n, 0, (cudaStream_t)(t)>>>(d);",
            "CHECK(cudaStreamSynchronize((cudaStream_t)(t)));",
            "CHECK(cudaStreamDestroy((cudaStream_t)(t)));",
            "CHECK(cudaFreeHost(h));",
        ],
    );
    // What was printed is read again.
    let again = host::program(&parse(&lowered.text)).expect("lowers");
    assert_eq!(again.text, lowered.text);
}

#[test]
fn sequential_programs_are_c() {
    let text = "int total(const int *a, int n)\n{ int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }";
    let parsed = parse_source("t.c", text, Language::C, &ParseOptions::default()).expect("parses");
    let lowered = host::program(&parsed.program).expect("lowers");
    assert_eq!(lowered.extension, "c");
    contains(
        &lowered,
        &[
            "int total(const int *a, int n)",
            "s += (unsigned)a[i];",
            "return s;",
        ],
    );
}

#[test]
fn warp_operations() {
    let body = "n += __shfl_down_sync(0xffffffff, n, 4); w[0] = __shfl_xor_sync(u[0], w[1], 1, 8);
        h[0] = __shfl_sync(~0u, h[1], n); u[1] = __ballot_sync(__activemask(), n > 3);
        if (__any_sync(~0u, n)) u[2] = __match_any_sync(~0u, n);
        a[1] = __reduce_add_sync(~0u, n) + __popc(u[1]) + __ffs(n) + __clz(n);
        u[3] = __brev(u[1]); a[0] = n;";
    in_cuda(
        body,
        &[
            "int temporary = __shfl_down_sync(4294967295u, n, 4);",
            "long long temporary_1 = __shfl_xor_sync(u[0], w[1], 1, 8);",
            "unsigned temporary_3 = __activemask();",
            "u[3] = __brev(u[1]);",
        ],
    );
    let error = opencl::kernels(&kernel(body)).expect_err("OpenCL C has no warps");
    assert!(error.to_string().contains("a warp operation"), "{error}");
    in_opencl("a[0] = __popc(u[0]) + __clz(n);", &[]);
    let error = opencl::kernels(&kernel("u[0] = __brev(u[0]);")).expect_err("no such function");
    assert!(error.to_string().contains("ReverseBits"), "{error}");
}

/// Views: bits of other types, and the alignment that a wider one asks for.
#[test]
fn views_of_memory() {
    let body = "float *f = (float *)(a + n); f[1] = u[0]; u[1] = __float_as_uint(f[2]);
        double2 *d = (double2 *)w; w[4] = (long long)d->x;";
    in_cuda(
        body,
        &[
            "f[1] = __float_as_int((float)u[0]);",
            "assert((unsigned long long)w % 16 == 0);",
        ],
    );
    in_opencl(body, &["f[1] = as_int((float)u[0]);"]);
}

/// A thread sleeps in CUDA; in OpenCL C, which knows no sleep, it goes on at once.
#[test]
fn sleeping() {
    in_cuda("__nanosleep(n + 1);", &["__nanosleep(n + 1u);"]);
    in_opencl("__nanosleep(100u);", &["// sleeps: 100 ns"]);
}

#[test]
fn what_a_target_cannot_say_is_named_with_its_place() {
    let program = parse("__global__ void k(int *a)\n{\n    __syncwarp();\n    a[0] = 1;\n}\n");
    let error = opencl::kernels(&program).expect_err("OpenCL C has no warps");
    assert_eq!(
        (error.line, error.file.as_str(), error.target.as_str()),
        (3, "k.cu", "opencl")
    );
    assert!(
        error
            .to_string()
            .starts_with("k.cu:3:5: not supported by the target opencl: a warp")
    );

    let text = "__device__ int f(int *p) { return p[0]; }
__global__ void k(int *a, int n)
{
    __shared__ int s[4];
    s[0] = 1;
    int *p = n > 0 ? a : s;
    a[1] = f(p);
}
";
    let error = opencl::kernels(&parse(text)).expect_err("two address spaces");
    assert_eq!(error.line, 6, "{error}");

    let atomic = atomic_form(&crate::support::add_one());
    assert!(cuda::kernels(&atomic, &CudaOptions::default()).is_err());
}

/// Barriers of part of a block and of the grid, and the launch the latter takes.
#[test]
fn barriers_of_parts_and_of_the_grid() {
    let sync = "asm volatile(\"bar.sync %0, %1;\" :: \"r\"(n), \"r\"(64) : \"memory\");";
    in_cuda(
        sync,
        &["asm volatile(\"barrier.sync %0, %1;\" :: \"r\"(n), \"r\"(64) : \"memory\");"],
    );
    in_cuda(
        "asm volatile(\"bar.arrive 3, 96;\" ::: \"memory\");",
        &["asm volatile(\"barrier.arrive %0, %1;\" :: \"r\"(3), \"r\"(96) : \"memory\");"],
    );
    in_cuda("__barrier_sync(0);", &["__barrier_sync(0);"]);
    in_cuda(
        "asm volatile(\"bar.sync 0;\" ::: \"memory\");",
        &["__syncthreads();"],
    );
    in_cuda(
        "__barrier_sync(2);",
        &["asm volatile(\"barrier.sync %0;\" :: \"r\"(2) : \"memory\");"],
    );
    let program = parse(COOPERATIVE);
    let kernels = cuda::kernels(&program, &CudaOptions::default()).expect("lowers");
    contains(
        &kernels,
        &[
            "#include <cooperative_groups.h>",
            "cooperative_groups::this_grid().sync();",
        ],
    );
    let whole = host::program(&program).expect("lowers");
    contains(
        &whole,
        &[
            "attribute.id = cudaLaunchAttributeCooperative;",
            "launch.numAttrs = 1;",
        ],
    );
    let refused = opencl::kernels(&program).expect_err("OpenCL C has no grid barrier");
    assert!(refused.to_string().contains("of the grid"), "{refused}");
}

const COOPERATIVE: &str = "#include <cooperative_groups.h>
__global__ void k(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = i;
    cooperative_groups::this_grid().sync();
    if (i + 1 < n)
        a[i] = a[i + 1];
}
int main()
{
    int n = 8;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    void *arguments[] = {&d, &n};
    cudaLaunchCooperativeKernel((void *)k, dim3(2), dim3(4), arguments);
    cudaFree(d);
    return 0;
}
";
