//! Time of a proof that two kernels leave the same for all inputs at a launch, over its size. Elements are steps of the
//! runs of both kernels on unknown inputs: operators by one thread each.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_proofs::Budget;
use gridlock_proofs::defects::SafetyRequest;
use gridlock_proofs::equivalence::{Equivalence, EquivalenceRequest, Side, Unknowns, equivalent};
use gridlock_proofs::left::left;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use std::time::Duration;

/// As in the tool.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const MOST_STEPS: u64 = 8_000_000;

/// Sums of blocks: by neighbours, and by halves.
const SUMS: &str = "
__global__ void before(int *out, const int *in)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (t % (2 * d) == 0) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void after(int *out, const int *in)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
";

/// Products of matrices: plainly, and by tiles.
const PRODUCTS: &str = "
__global__ void before(float *c, const float *a, const float *b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float s = 0;
    for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
}
__global__ void after(float *c, const float *a, const float *b, int n)
{
    __shared__ float ta[16][16], tb[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float s = 0;
    for (int t = 0; t < n / 16; t++) {
        ta[threadIdx.y][threadIdx.x] = a[y * n + t * 16 + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(t * 16 + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < 16; k++) s += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = s;
}
";

fn parse(source: &str) -> Program {
    let parsed = parse_source("k.cu", source, Language::Cuda, &ParseOptions::default());
    parsed.expect("a program").program
}

/// `before` and `after`, with arrays of so many elements and perhaps a number behind them.
fn setups(program: &Program, launch: Launch, extents: &[u64], n: Option<i32>) -> [Setup; 2] {
    ["before", "after"].map(|name| {
        let entry = program.find_proc(name).expect("the kernel");
        let params = &program.proc(entry).params;
        let vars = &program.proc(entry).vars;
        let elem = |position: usize| {
            let ty = vars[params[position].0 as usize].ty;
            ty.pointer().map_or(ScalarType::I32, |pointer| pointer.elem)
        };
        let arrays = extents
            .iter()
            .enumerate()
            .map(|(position, extent)| ArrayArg {
                name: vars[params[position].0 as usize].name.clone(),
                elem: elem(position),
                extent: Some(*extent),
                contents: Contents::Zero,
                observed: position == 0,
            });
        let args = (0..extents.len()).map(Arg::Array);
        Setup {
            entry,
            launch: Some(launch),
            args: args.chain(n.map(|n| Arg::Scalar(Value::i32(n)))).collect(),
            arrays: arrays.collect(),
            declared: Default::default(),
            observed: Default::default(),
            device: Default::default(),
        }
    })
}

/// The steps of a run on unknown inputs.
fn steps(side: Side<'_>, profile: &Profile) -> u64 {
    let request = SafetyRequest {
        profile,
        budget: Budget::of_seconds(20.0),
        timeout: Duration::from_secs(60),
        steps: MOST_STEPS,
    };
    match left(side, &request) {
        Ok(left) => left.steps,
        Err(stopped) => panic!("{stopped:?}"),
    }
}

fn measure(c: &mut Criterion, name: &str, size: u32, program: &Program, setups: &[Setup; 2]) {
    let profile = Profile::default();
    let unknowns = setups.each_ref().map(Unknowns::of_arrays);
    let request = EquivalenceRequest::of_arrays(&profile, [0], 20.0, MOST_STEPS);
    let side = |number: usize| Side {
        program,
        setup: &setups[number],
        unknowns: &unknowns[number],
    };
    let work = [0, 1]
        .map(|number| steps(side(number), &profile))
        .iter()
        .sum();
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(work)).sample_size(10);
    group.bench_function(size.to_string(), |b| {
        b.iter(|| {
            let found = equivalent(side(0), side(1), &request);
            assert!(matches!(found, Equivalence::Proved), "{found:?}");
        });
    });
    group.finish();
}

/// One block of 64 to 1024 threads.
fn sums(c: &mut Criterion) {
    let program = parse(SUMS);
    for threads in [64, 128, 256, 512, 1024] {
        let launch = Launch {
            grid: [1, 1, 1],
            block: [threads, 1, 1],
            shared_bytes: 0,
        };
        let setups = setups(&program, launch, &[1, u64::from(threads)], None);
        measure(c, "sum", threads, &program, &setups);
    }
}

/// Matrices of 16 to 64 rows and columns.
fn products(c: &mut Criterion) {
    let program = parse(PRODUCTS);
    for n in [16, 32, 48, 64] {
        let launch = Launch {
            grid: [n / 16, n / 16, 1],
            block: [16, 16, 1],
            shared_bytes: 0,
        };
        let setups = setups(&program, launch, &[u64::from(n * n); 3], Some(n as i32));
        measure(c, "product", n, &program, &setups);
    }
}

criterion_group!(benches, sums, products);
criterion_main!(benches);
