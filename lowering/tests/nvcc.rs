//! Lowered kernels go through the real compiler.

use gridlock_generation::effort;
use gridlock_lowering::cuda::CudaOptions;
use gridlock_lowering::nvcc::{self, ARCHITECTURES, CompileError, Nvcc, Output};
use gridlock_lowering::{cuda, host};
use gridlock_semantics::algebra::program::Program;

/// The compiler. Absent, the tests fail, unless GRIDLOCK_NO_NVCC says that is known.
fn compiler() -> Option<Nvcc> {
    match nvcc::find() {
        Ok(nvcc) => Some(nvcc),
        Err(_) if std::env::var_os("GRIDLOCK_NO_NVCC").is_some() => None,
        Err(missing) => panic!("{missing}; or set GRIDLOCK_NO_NVCC"),
    }
}

fn compiles(program: &Program, architectures: &[&str]) {
    let Some(nvcc) = compiler() else { return };
    let kernels = cuda::kernels(program, &CudaOptions::default()).expect("lowers");
    for arch in architectures {
        if let Err(error) = nvcc.compile(&kernels.text, arch, Output::Cubin) {
            panic!("{arch}: {error}\n{}", kernels.text);
        }
    }
}

#[test]
fn kernels_compile_for_every_architecture() {
    for arch in ARCHITECTURES {
        for program in [crate::support::block_sum, crate::support::bitonic] {
            if effort::is_next_done(5) {
                compiles(&program(), &[arch]);
            }
        }
    }
}

#[test]
fn warp_operations_compile() {
    let text = "__global__ void k(int *a, unsigned *u, short *h, double *d, long long *w)
{
    int t = threadIdx.x;
    int v = a[t];
    unsigned all = 0xffffffff;
    v += __shfl_down_sync(all, v, 1) + __shfl_up_sync(all, v, u[t]) + __shfl_xor_sync(all, v, 2, 8);
    d[t] = __shfl_sync(all, d[t], v);
    w[t] = __shfl_sync(all, w[t], 0, 4);
    h[t] = __shfl_sync(all, h[t], 3);
    u[t] = __ballot_sync(all, v > 0) & __activemask();
    if (__all_sync(all, v) || __any_sync(all, v == 2)) u[t] += __match_any_sync(all, w[t]);
    v += __reduce_add_sync(all, v) + __reduce_min_sync(all, v);
    u[t] += __reduce_or_sync(all, u[t]) + __brev(u[t]);
    a[t] = v + __popc(u[t]) + __popcll(w[t]) + __ffs(v) + __clz(v) + __clzll(w[t]);
}
";
    let options = gridlock_frontend::ParseOptions::default();
    let language = gridlock_frontend::Language::Cuda;
    let parsed = gridlock_frontend::parse_source("k.cu", text, language, &options);
    let parsed = parsed.expect("is read");
    assert_eq!(parsed.unsupported, vec![]);
    compiles(&parsed.program, &["sm_80"]);
}

#[test]
fn host_programs_compile() {
    let Some(nvcc) = compiler() else { return };
    let whole = host::program(&crate::support::bitonic()).expect("lowers");
    if let Err(error) = nvcc.compile(&whole.text, "sm_80", Output::Object) {
        panic!("{error}\n{}", whole.text);
    }
}

#[test]
fn what_does_not_compile_is_refused_with_its_line() {
    let Some(nvcc) = compiler() else { return };
    let check = |text: &str, expected_line: u32| match nvcc.compile(text, "sm_90", Output::Ptx) {
        Err(CompileError::Refused { diagnostics, .. }) => {
            assert_eq!(diagnostics[0].line, expected_line, "{diagnostics:?}");
        }
        other => panic!("{other:?}"),
    };
    check("__global__ void k(int *p)\n{\n    p[0] = q;\n}\n", 3);
    // A warning is an error.
    check(
        "__global__ void k(int *p)\n{\n    int unused;\n    p[0] = 1;\n}\n",
        3,
    );
}

/// Barriers of part of a block and of the grid, and a cooperative launch.
#[test]
fn barriers_of_parts_and_of_the_grid_compile() {
    let Some(nvcc) = compiler() else { return };
    let text = "#include <cooperative_groups.h>
__global__ void k(int *a, unsigned n)
{
    if (threadIdx.x < 32)
        asm volatile(\"bar.arrive %0, %1;\" :: \"r\"(1), \"r\"(n) : \"memory\");
    else
        asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");
    __barrier_sync(2);
    cooperative_groups::this_grid().sync();
    a[threadIdx.x] = 1;
}
int main()
{
    unsigned n = 64;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    void *arguments[] = {&d, &n};
    cudaLaunchCooperativeKernel((void *)k, dim3(2), dim3(64), arguments);
    cudaFree(d);
    return 0;
}
";
    let options = gridlock_frontend::ParseOptions::default();
    let cuda = gridlock_frontend::Language::Cuda;
    let parsed = gridlock_frontend::parse_source("k.cu", text, cuda, &options).expect("parses");
    assert!(parsed.unsupported.is_empty(), "{:?}", parsed.unsupported);
    // The whole program has the kernels in it.
    if effort::is_done(1, 2) {
        compiles(&parsed.program, &["sm_80"]);
    }
    let whole = host::program(&parsed.program).expect("lowers");
    if let Err(error) = nvcc.compile(&whole.text, "sm_80", Output::Object) {
        panic!("{error}\n{}", whole.text);
    }
}
