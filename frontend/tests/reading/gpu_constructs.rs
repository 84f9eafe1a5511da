//! What CUDA adds: address spaces, thread coordinates, synchronisation, atomics, launches, the
//! runtime.

use crate::reading::support::{check_kernels, operators, parse, squeezed};
use gridlock_frontend::Language;
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::print::{PrintOptions, program};

#[test]
fn coordinates() {
    check_kernels(
        "",
        &[
            (
                "u = threadIdx.x + blockIdx.y * blockDim.z + gridDim.x;",
                "u = threadIdx.x + blockIdx.y * blockDim.z + gridDim.x;",
            ),
            (
                "n = threadIdx.x % warpSize;",
                "n = (int)(threadIdx.x % (unsigned int)warpSize);",
            ),
            (
                "uint3 t = threadIdx; u = t.y;",
                "t.x = threadIdx.x; t.y = threadIdx.y; t.z = threadIdx.z; u = t.y;",
            ),
        ],
    );
}

#[test]
fn synchronisation_and_atomics() {
    check_kernels(
        "#include <assert.h>\n",
        &[
            ("__syncthreads();", "barrier;"),
            (
                "__syncwarp(); __syncwarp(0xff);",
                "syncwarp(4294967295u); syncwarp(255u);",
            ),
            (
                "__threadfence(); __threadfence_block(); __threadfence_system();",
                "fence; fence_block; fence_system;",
            ),
            ("__nanosleep(n);", "nanosleep((unsigned int)n);"),
            ("atomicAdd(a, 1);", "atomicAdd(a, 1);"),
            ("n = atomicAdd(&a[n], 1);", "n = atomicAdd(&a[n], 1);"),
            ("int old = atomicCAS(a, 0, n);", "old = atomicCAS(a, 0, n);"),
            ("atomicAdd(f, 1);", "atomicAdd(f, 1.0f);"),
            (
                "atomicSub(a, 1); atomicMin(a, 1); atomicMax(a, 1); atomicExch(a, 1);",
                "atomicSub(a, 1); atomicMin(a, 1); atomicMax(a, 1); atomicExch(a, 1);",
            ),
            (
                "atomicAnd(a, 1); atomicOr(a, 1); atomicXor(a, 1);",
                "atomicAnd(a, 1); atomicOr(a, 1); atomicXor(a, 1);",
            ),
            (
                "atomicAdd_block(a, 1); atomicCAS_system(a, 1, 2);",
                "atomicAdd_block(a, 1); atomicCAS_system(a, 1, 2);",
            ),
            (
                "if (atomicAdd(a, 1) == n) b[0] = 1;",
                "temporary = atomicAdd(a, 1); if (temporary == n) { b[0] = 1; }",
            ),
            ("atomicAdd(&a[b[0]], a[1]);", "atomicAdd(&a[b[0]], a[1]);"),
            ("assert(n > 0);", "assert(n > 0);"),
            ("n = __ldg(&a[3]);", "n = a[3];"),
        ],
    );
}

fn check_program(text: &str, expected: &str) {
    let parsed = parse(text, Language::Cuda);
    assert_eq!(parsed.unsupported, vec![], "{text}");
    let shown = program(&parsed.program, PrintOptions::default());
    assert_eq!(squeezed(&shown), squeezed(expected), "{text}");
}

#[test]
fn address_spaces() {
    check_program(
        "__constant__ float weights[2][2] = {{1, 2}, {3}};
         __device__ int total = 5;
         __device__ volatile int flag;
         const int width = 16;
         __global__ void k(int n) {
           __shared__ int s[4][width];
           __shared__ int one;
           extern __shared__ float dyn[];
           volatile __shared__ int v[2];
           int local[3];
           s[1][2] = total + flag; one = (int)weights[1][0]; dyn[n] = 1; local[0] = v[1];
         }",
        "shared float dyn[]; global int total = {5}; global volatile int flag = {};
         constant float weights[2][2] = {1.0f, 2.0f, 3.0f};
         kernel k(int n) {
           shared int s[4][16]; shared int one; shared volatile int v[2]; private int local[3];
           s[18] = *total + *flag; *one = (int)weights[2]; dyn[n] = 1.0f; local[0] = v[1];
         }",
    );
}

#[test]
fn what_a_host_may_fill() {
    let parsed = parse(
        "struct pair { int at; float by; };
         typedef int (*op)(int);
         __device__ int twice(int a) { return 2 * a; }
         __constant__ int sizes[4] = {1, 2, 3, 4};
         __constant__ pair pairs[2];
         __constant__ int scale;
         const __constant__ int fixed[2] = {1, 2};
         __constant__ const float rows[2][2] = {{1, 2}, {3, 4}};
         __constant__ op table[1] = {twice};
         __device__ int count = 0;
         __global__ void k(int *a, int i) {
           a[0] = sizes[i] + pairs[i].at + (int)pairs[i].by + scale + fixed[i] + (int)rows[i][1]
             + table[i](3) + count;
         }",
        Language::Cuda,
    );
    assert_eq!(parsed.unsupported, vec![]);
    let name = |id: &ArrayId| parsed.program.array(*id).name.to_string();
    let names: Vec<String> = parsed.fillable.iter().map(name).collect();
    assert_eq!(names, ["sizes", "pairs.at", "pairs.by", "scale"]);
}

#[test]
fn host_programs() {
    check_program(
        "#include <stdlib.h>
         #include <stdio.h>
         #define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { \\
           printf(\"%s\\n\", cudaGetErrorString(e)); exit(1); } } while (0)
         __global__ void k(int *d, int n) {}
         int main() {
           int n = 8, *h = (int *)calloc(n, sizeof(int)), *d;
           CHECK(cudaMalloc(&d, n * sizeof(int)));
           CHECK(cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice));
           dim3 block(4, 2);
           k<<<n / 2, block, 16>>>(d, n);
           CHECK(cudaGetLastError());
           CHECK(cudaDeviceSynchronize());
           cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
           cudaFree(d); free(h);
           return 0;
         }",
        "kernel k(int *d, int n) { skip; }
         host main() -> int result {
           int n; int *temporary; unsigned long long i; int *h; int *d;
           unsigned int block.x; unsigned int block.y; unsigned int block.z;
           n = 8;
           temporary = alloc_host<int>((unsigned long long)n * 4ull);
           { i = 0ull; while (i < (unsigned long long)n * 4ull / 4ull) {
             temporary[i] = 0; i = i + 1ull; } }
           h = temporary;
           d = alloc_global<int>((unsigned long long)n * 4ull);
           copy_gpu(d, h, (unsigned long long)n * 4ull);
           block.x = 4u; block.y = 2u; block.z = 1u;
           call_gpu k<<<((unsigned int)(n / 2), 1u, 1u), (block.x, block.y, block.z), 16u>>>(d, n);
           device_sync;
           copy_back(h, d, (unsigned long long)n * 4ull);
           free_global(d); free_host(h);
           result = 0;
         }",
    );
}

#[test]
fn warp_operations() {
    check_kernels(
        "",
        &[
            (
                "n = __shfl_down_sync(0xffffffff, n, 4);",
                "temporary = shuffle_down(4294967295u, n, 4u, warpSize); n = temporary;",
            ),
            (
                "n += __shfl_xor_sync(~0u, n, 1, 8);",
                "temporary = shuffle_xor(~0u, n, 1, 8); n = n + temporary;",
            ),
            (
                "f[0] = __shfl_sync(u, f[1], n) + __shfl_up_sync(u, f[2], u, 16);",
                "temporary = shuffle(u, f[1], n, warpSize); temporary_1 = shuffle_up(u, f[2], u, 16);
                 f[0] = temporary + temporary_1;",
            ),
            (
                "u = __ballot_sync(~0u, n > 3);",
                "temporary = ballot(~0u, n > 3); u = temporary;",
            ),
            (
                "if (__any_sync(u, n) && __all_sync(u, n == 2)) a[0] = 1;",
                "temporary = any(u, n != 0); temporary_2 = temporary != 0;
                 if (temporary_2) { temporary_1 = all(u, n == 2); temporary_2 = temporary_1 != 0; }
                 if (temporary_2) { a[0] = 1; }",
            ),
            (
                "n = __shfl_down(n, 1); u = __ballot(n > 3);",
                "temporary = shuffle_down(4294967295u, n, 1u, warpSize); n = temporary;
                 temporary_1 = ballot(4294967295u, n > 3); u = temporary_1;",
            ),
            (
                "u = __match_any_sync(__activemask(), n);",
                "temporary = activemask(); temporary_1 = match_any(temporary, n); u = temporary_1;",
            ),
            (
                "n = __reduce_add_sync(u, n); u = __reduce_xor_sync(u, u);",
                "temporary = reduce_add(u, n); n = temporary; temporary_1 = reduce_xor(u, u); u = temporary_1;",
            ),
            // Nobody asks for the result.
            ("__all_sync(~0u, n);", "all(~0u, n != 0);"),
        ],
    );
}

#[test]
fn error_reporters_vanish() {
    check_program(
        "#include <stdio.h>
         #include <stdlib.h>
         inline void report(cudaError_t code, const char *file, int line) {
           if (code != cudaSuccess) {
             fprintf(stderr, \"%s %s %d\\n\", cudaGetErrorString(code), file, line);
             exit(code);
           }
         }
         void f() { report(cudaDeviceSynchronize(), __FILE__, __LINE__); }",
        "host report(int line) { skip; }
         host f() { device_sync; report(9); }",
    );
}

#[test]
fn symbols_and_copies() {
    let parsed = parse(
        "__constant__ int c[4];
         __device__ int out;
         __global__ void k() { out = c[0]; }
         void f(const int *src) {
           int result;
           cudaMemcpyToSymbol(c, src, sizeof(c));
           k<<<1, 1>>>();
           cudaMemcpyFromSymbol(&result, out, sizeof(int));
           int *a, *b;
           cudaMalloc((void **)&a, 64); cudaMalloc((void **)&b, 64);
           cudaMemset(a, 0, 64);
           cudaMemcpy(b, a + 2, 8, cudaMemcpyDeviceToDevice);
         }",
        Language::Cuda,
    );
    assert_eq!(parsed.unsupported, vec![]);
    assert_eq!(
        squeezed(&operators(&parsed, "f")),
        squeezed(
            "copy_gpu(c, src, 16ull); call_gpu k<<<(1u, 1u, 1u), (1u, 1u, 1u), 0u>>>();
             copy_back(result, out, 4ull);
             a = alloc_global<int>(64ull); b = alloc_global<int>(64ull);
             staged = alloc_host<int>(64ull);
             { i = 0ull; while (i < 16ull) { staged[i] = 0; i = i + 1ull; } }
             copy_gpu(a, staged, 64ull); free_host(staged);
             copy_device(b, &a[2], 8ull);"
        )
    );
}

#[test]
fn streams_events_and_devices() {
    check_program(
        "__global__ void k(int *d) {}
         void f(int *h) {
           int *d, *p;
           cudaStream_t s, t[2] = {0, nullptr};
           cudaEvent_t e;
           cudaSetDevice(1);
           cudaMalloc((void **)&d, 8);
           cudaHostAlloc((void **)&p, 8, cudaHostAllocDefault);
           cudaStreamCreate(&s);
           cudaStreamCreateWithFlags(&t[1], cudaStreamNonBlocking);
           cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
           cudaMemcpyAsync(d, h, 8, cudaMemcpyHostToDevice, s);
           cudaMemcpyAsync(d, p, 8, cudaMemcpyHostToDevice);
           cudaEventRecord(e, s);
           cudaEventRecord(e);
           cudaStreamWaitEvent(t[1], e, 0);
           k<<<1, 2, 0, t[1]>>>(d);
           k<<<1, 2, 0, 0>>>(d);
           cudaEventSynchronize(e);
           cudaStreamSynchronize(s);
           cudaStreamSynchronize(0);
           cudaEventDestroy(e);
           cudaStreamDestroy(s);
           cudaFreeHost(p);
         }",
        "kernel k(int *d) { skip; }
         host f(int *h) {
           host unsigned long long t[2];
           int *d; int *p; unsigned long long s; unsigned long long e; unsigned long long temporary;
           t[0] = 0ull; t[1] = 0ull;
           set_device(1);
           d = alloc_global<int>(8ull);
           p = alloc_pinned<int>(8ull);
           s = stream_create();
           temporary = stream_create_non_blocking(); t[1] = temporary;
           e = event_create();
           copy_gpu(d, h, 8ull) in stream s;
           copy_gpu(d, p, 8ull) in stream 0ull;
           event_record(e, s);
           event_record(e, 0ull);
           stream_wait(t[1], e);
           call_gpu k<<<(1u, 1u, 1u), (2u, 1u, 1u), 0u>>>(d) in stream t[1];
           call_gpu k<<<(1u, 1u, 1u), (2u, 1u, 1u), 0u>>>(d);
           event_sync(e);
           stream_sync(s);
           stream_sync(0ull);
           event_destroy(e);
           stream_destroy(s);
           free_pinned(p);
         }",
    );
}

#[test]
fn functions_of_both_sides_and_templates() {
    check_program(
        "__host__ __device__ int twice(int x) { return 2 * x; }
         template <int N, typename T> __global__ void fill(T *a) { a[N] = twice(N); }
         void f(int *d) { int x = twice(3); fill<4><<<1, x>>>(d); }",
        "device twice(int x) -> int result { result = 2 * x; }
         host twice_host(int x) -> int result { result = 2 * x; }
         kernel fill_4_int(int *a) { int temporary; temporary = twice(4); a[4] = temporary; }
         host f(int *d) { int x; x = twice_host(3);
           call_gpu fill_4_int<<<(1u, 1u, 1u), ((unsigned int)x, 1u, 1u), 0u>>>(d); }",
    );
}

#[test]
fn references_are_pointers() {
    check_program(
        "__device__ void bump(int &x, const int &by) { x += by; }
         __global__ void k(int *a) { int i = 0; bump(i, 2); bump(a[i], i); }",
        "device bump(int *x, const int *by) { *x = *x + *by; }
         kernel k(int *a) { private int i; private int temporary;
           *i = 0; *temporary = 2; bump(i, temporary); bump(&a[*i], i); }",
    );
}

#[test]
fn streams_of_output_are_noted() {
    let parsed = parse(
        "#include <iostream>
         using namespace std;
         int main() { int i = 0; cout << \"x\" << i++ << std::endl; return std::min(i, 3); }",
        Language::Cuda,
    );
    assert_eq!(parsed.unsupported, vec![]);
    assert_eq!(
        squeezed(&operators(&parsed, "main")),
        "i = 0; i = i + 1; result = min(i, 3);"
    );
    assert_eq!(parsed.notes.len(), 3);
}

#[test]
fn exit_in_main_is_a_return() {
    let parsed = parse(
        "#include <stdlib.h>
         int main() { int *h = (int *)malloc(4); if (h == NULL) { exit(1); } h[0] = 1; return 0; }",
        Language::Cuda,
    );
    assert_eq!(
        squeezed(&operators(&parsed, "main")),
        "h = alloc_host<int>(4ull); if (h == (int *)0) { result = 1; } \
         else { h[0] = 1; result = 0; }"
    );
}

#[test]
fn function_pointers() {
    let parsed = parse(
        "typedef int (*step)(int);
         __device__ int up(int x) { return x + 1; }
         __device__ int down(int x) { return x - 1; }
         __device__ int other(int x, int y) { return x - y; }
         __device__ int twice(step f, int x) { return f(f(x)); }
         __global__ void k(int *a, int n) {
           step f = n ? up : &down;
           a[0] = (*f)(n);
           a[1] = twice(up, n);
         }",
        Language::Cuda,
    );
    assert_eq!(parsed.unsupported, vec![]);
    assert_eq!(
        squeezed(&operators(&parsed, "k")),
        "f = n != 0 ? 1u : 2u; \
         if (f == 1u) { temporary = up(n); } else { if (f == 2u) { temporary = down(n); } \
         else { *(int *)0 = 0; } } a[0] = temporary; \
         { temporary_2 = up(n); temporary_1 = up(temporary_2); } a[1] = temporary_1;"
    );
}

#[test]
fn annotations_of_gpuverify() {
    let parsed = parse(
        "__device__ void f(int x) { __requires(__implies(__enabled(), x < 4)); }
         __global__ void k(int *a, int n) {
           __requires(n == 2);
           __requires(__uniform_int(n));
           for (int i = 0; __invariant(i < n), i < n; i++) f(i);
           __assert(n < 4);
         }",
        Language::Cuda,
    );
    assert_eq!(parsed.unsupported, vec![]);
    assert_eq!(squeezed(&operators(&parsed, "f")), "assert(x < 4);");
    assert_eq!(
        squeezed(&operators(&parsed, "k")),
        "assume(n == 2); { i = 0; while (i < n) { f(i); i = i + 1; } } assert(n < 4);"
    );
    assert_eq!(parsed.notes.len(), 1);
}

#[test]
fn copies_on_the_device() {
    check_kernels(
        "struct mixed { int id; float x; };",
        &[
            (
                "memcpy(&a[n], b, 8);",
                "a[n] = b[0]; a[(long long)n + 1ll] = b[1];",
            ),
            (
                "__shared__ mixed s[4]; memcpy(&s[n], &s[1], sizeof(mixed)); memset(s, 0, sizeof(mixed));",
                "s.id[n] = s.id[1]; s.x[n] = s.x[1]; s.id[0] = 0; s.x[0] = 0.0f;",
            ),
            (
                "memset(a, -1, 256);",
                "i = 0ll; while (i < 64ll) { a[i] = -1; i = i + 1ll; }",
            ),
            ("n = __mul24(n, 3);", "n = (n << 8 >> 8) * (3 << 8 >> 8);"),
        ],
    );
}
