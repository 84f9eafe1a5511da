//! Host code for all inputs: what is proved of a procedure beside itself, and that nothing is where it has a defect.

use crate::cuda::support::parse;
use gridlock_proofs::equivalence::{
    Equivalence, EquivalenceRequest, Observed, Side, Unknowns, Which, equivalent,
};
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Setup};

/// Of `int f(int *a, int n)` with `n` = 8, the contents of `a` unknown.
fn compared(old: &str, new: &str) -> Equivalence {
    let programs = [old, new].map(parse);
    let setups = programs.each_ref().map(|program| Setup {
        entry: program.find_proc("f").expect("the function"),
        launch: None,
        args: vec![Arg::Array(0), Arg::Scalar(Value::i32(8))],
        arrays: vec![ArrayArg {
            name: "a".into(),
            elem: ScalarType::I32,
            extent: Some(8),
            contents: Contents::Zero,
            observed: true,
        }],
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
    });
    let unknowns = Unknowns::of_arrays(&setups[0]);
    let table = |program: &Program| {
        let mut arrays = program.arrays.iter();
        let number = arrays.position(|array| *array.name == *"table")?;
        Some(Observed::OfFile(ArrayId(number as u32)))
    };
    let of_file = table(&programs[0]).zip(table(&programs[1]));
    // What one of them alone counts.
    let counted = |which: Which, program: &Program| -> Vec<(Which, Observed)> {
        let arrays = (0..).map(ArrayId).zip(&program.arrays);
        let counted = arrays.filter(|(_, array)| ["calls", "rounds"].contains(&&*array.name));
        counted
            .map(|(id, _)| (which, Observed::OfFile(id)))
            .collect()
    };
    let profile = Profile::default();
    let mut request = EquivalenceRequest::of_arrays(&profile, [0], 20.0, 100_000);
    request.observed.extend(of_file);
    for (which, program) in [(Which::Old, &programs[0]), (Which::New, &programs[1])] {
        request.left_out.extend(counted(which, program));
    }
    let [old, new] = [0, 1].map(|side| Side {
        program: &programs[side],
        setup: &setups[side],
        unknowns: &unknowns,
    });
    equivalent(old, new, &request)
}

const TWICE: &str = "
__global__ void twice(int *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = x[i] + x[i]; }
int f(int *a, int n)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, a, n * sizeof(int), cudaMemcpyHostToDevice);
    twice<<<2, 4>>>(d, n);
    cudaMemcpy(a, d, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d);
    return a[0];
}
";

const LOOP: &str = "int f(int *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2; return a[0]; }";

#[test]
fn a_launch_and_a_loop() {
    for (old, new) in [(TWICE, TWICE), (TWICE, LOOP), (LOOP, TWICE)] {
        let found = compared(old, new);
        assert!(matches!(found, Equivalence::Proved), "{found:?}");
    }
    for (from, to) in [
        ("x[i] + x[i]", "x[i] + (x[i] == 77 ? 0 : x[i])"),
        ("return a[0]", "return a[0] == 77"),
        ("if (i < n)", "if (i < n - 1)"),
        (
            "twice<<<2, 4>>>(d, n);",
            "if (a[3] != 77) twice<<<2, 4>>>(d, n);",
        ),
    ] {
        let other = TWICE.replace(from, to);
        assert_ne!(other, TWICE);
        let found = compared(LOOP, &other);
        assert!(
            matches!(found, Equivalence::Suspected { .. }),
            "{to}: {found:?}"
        );
    }
}

/// Nothing is proved where host code has a defect, although both procedures are the same.
#[test]
fn nothing_is_proved_of_defects() {
    for (from, to, why) in [
        ("    cudaFree(d);\n", "", "not given back"),
        (
            "cudaFree(d);",
            "cudaFree(d); cudaFree(d);",
            "given back otherwise",
        ),
        ("cudaFree(d);", "cudaFree(d + 1);", "given back otherwise"),
        ("cudaFree(d);", "free(d);", "given back otherwise"),
        ("cudaFree(d);", "cudaFree(d); cudaFree(a);", "not asked for"),
        (
            "cudaFree(d);",
            "if (a[0] > 0) cudaFree(d);",
            "if inputs say so",
        ),
        (
            "cudaFree(d);",
            "cudaFree(d); twice<<<2, 4>>>(d, n);",
            "given back",
        ),
        (
            "cudaFree(d);",
            "cudaFree(d); cudaMemcpy(a, d, n * sizeof(int), cudaMemcpyDeviceToHost);",
            "beyond an array",
        ),
        (
            "twice<<<2, 4>>>(d, n);",
            "twice<<<2, 4>>>(a, n);",
            "other side",
        ),
        ("return a[0];", "return d[0];", "given back"),
        (
            "    cudaFree(d);",
            "    a[0] = d[0]; cudaFree(d);",
            "other side",
        ),
        (
            "    cudaFree(d);",
            "    d[0] = a[0]; cudaFree(d);",
            "other side",
        ),
        (
            "cudaMemcpyHostToDevice",
            "cudaMemcpyDeviceToHost",
            "another direction",
        ),
        (
            "cudaMemcpy(a, d, n * sizeof(int)",
            "cudaMemcpy(a, d + 1, n * sizeof(int)",
            "beyond an array",
        ),
        (
            "cudaMemcpy(a, d, n * sizeof(int)",
            "cudaMemcpy(a, d, (n + 1) * sizeof(int)",
            "beyond an array",
        ),
        (
            "cudaMemcpy(d, a, n * sizeof(int)",
            "cudaMemcpy(d, a, a[0] * sizeof(int)",
            "hangs on inputs",
        ),
        (
            "cudaMemcpy(d, a, n * sizeof(int)",
            "cudaMemcpy(d, a, (n - 1) * sizeof(int)",
            "not written",
        ),
        ("twice<<<2, 4>>>", "twice<<<2, 2048>>>", "refuses"),
        ("twice<<<2, 4>>>", "twice<<<a[0], 4>>>", "hang on inputs"),
        ("if (i < n) x[i]", "if (i < n) x[0]", "a data race"),
        ("if (i < n) x[i]", "x[i + 1]", "outside"),
        (
            "a, n * sizeof(int), cudaMemcpyHost",
            "a, 3, cudaMemcpyHost",
            "several types",
        ),
    ] {
        let broken = TWICE.replace(from, to);
        assert_ne!(broken, TWICE, "{from}");
        match compared(&broken, &broken) {
            Equivalence::Open { why: said, .. } => assert!(said.contains(why), "{to}: {said}"),
            found => panic!("{found:?}\n{broken}"),
        }
    }
}

/// Cells of a variable that host code fills are compared beside what they hold at first.
#[test]
fn variables_of_the_file() {
    let with = |table: &str, cells: u32| {
        format!(
            "__constant__ int table[4] = {{{table}}};
            __global__ void k(int *x) {{ x[threadIdx.x] = table[threadIdx.x % 3]; }}
            int f(int *a, int n)
            {{
                int *d;
                cudaMalloc(&d, n * sizeof(int));
                cudaMemcpyToSymbol(table, a, {cells} * sizeof(int));
                k<<<1, 8>>>(d);
                cudaMemcpy(a, d, n * sizeof(int), cudaMemcpyDeviceToHost);
                cudaFree(d);
                return 0;
            }}"
        )
    };
    let (two, three) = (with("1, 2, 3, 4", 2), with("1, 2, 3, 4", 3));
    let found = compared(&two, &two);
    assert!(matches!(found, Equivalence::Proved), "{found:?}");
    let found = compared(&two, &three);
    assert!(matches!(found, Equivalence::Suspected { .. }), "{found:?}");
    // The last cell is neither written nor read.
    let found = compared(&two, &with("1, 2, 3, 5", 2));
    assert!(matches!(found, Equivalence::Open { .. }), "{found:?}");
}

/// What is copied is what was there before, also within one array; and a copy that is made if inputs say so.
#[test]
fn copies_within_an_array() {
    let with = |step: &str| {
        format!(
            "int f(int *a, int n)
            {{
                int *d;
                cudaMalloc(&d, n * sizeof(int));
                cudaMemcpy(d, a, n * sizeof(int), cudaMemcpyHostToDevice);
                {step}
                cudaMemcpy(a, d, n * sizeof(int), cudaMemcpyDeviceToHost);
                cudaFree(d);
                return 0;
            }}"
        )
    };
    let within = with("cudaMemcpy(d + 1, d, 4 * sizeof(int), cudaMemcpyDeviceToDevice);");
    let last_first =
        "int f(int *a, int n) { for (int i = 4; i > 0; i--) a[i] = a[i - 1]; return 0; }";
    let first_first = last_first.replace("int i = 4; i > 0; i--", "int i = 1; i < 5; i++");
    let found = compared(&within, last_first);
    assert!(matches!(found, Equivalence::Proved), "{found:?}");
    let found = compared(&within, &first_first);
    assert!(matches!(found, Equivalence::Suspected { .. }), "{found:?}");
    let asked =
        with("if (a[7] > 0) cudaMemcpy(d + 1, d, 4 * sizeof(int), cudaMemcpyDeviceToDevice);");
    let choice = "int f(int *a, int n)
        { if (a[7] > 0) { a[4] = a[3]; a[3] = a[2]; a[2] = a[1]; a[1] = a[0]; } return 0; }";
    let found = compared(&asked, choice);
    assert!(matches!(found, Equivalence::Proved), "{found:?}");
    let found = compared(&asked, &within);
    assert!(matches!(found, Equivalence::Suspected { .. }), "{found:?}");
}

const STREAMS: &str = "
__global__ void twice(int *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = x[i] + x[i]; }
int f(int *a, int n)
{
    int *d, *h;
    cudaStream_t s[2];
    cudaEvent_t v;
    cudaMalloc(&d, n * sizeof(int));
    cudaMallocHost(&h, n * sizeof(int));
    cudaEventCreate(&v);
    for (int i = 0; i < 2; i++) cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking);
    for (int i = 0; i < n; i++) h[i] = a[i];
    for (int i = 0; i < 2; i++) {
        cudaMemcpyAsync(d + 4 * i, h + 4 * i, 4 * sizeof(int), cudaMemcpyHostToDevice, s[i]);
        twice<<<1, 4, 0, s[i]>>>(d + 4 * i, 4);
    }
    cudaEventRecord(v, s[0]);
    cudaStreamWaitEvent(s[1], v, 0);
    cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, s[1]);
    cudaStreamSynchronize(s[1]);
    for (int i = 0; i < n; i++) a[i] = h[i];
    cudaFreeHost(h);
    for (int i = 0; i < 2; i++) cudaStreamDestroy(s[i]);
    cudaEventDestroy(v);
    cudaFree(d);
    return a[0];
}
";

const MANAGED: &str = "
__device__ int calls;
__global__ void twice(int *x, int n) { int i = threadIdx.x; if (i < n) x[i] *= 2; if (i == 0) calls += 1; }
static int rounds;
int f(int *a, int n)
{
    int *kept;
    rounds += 1;
    cudaMallocManaged(&kept, n * sizeof(int));
    for (int i = 0; i < n; i++) kept[i] = a[i];
    twice<<<1, 8>>>(kept, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) a[i] = kept[i];
    cudaFree(kept);
    return a[0];
}
";

#[test]
fn streams_and_managed_memory() {
    for (old, new) in [(STREAMS, STREAMS), (TWICE, STREAMS), (STREAMS, LOOP)] {
        let found = compared(old, new);
        assert!(matches!(found, Equivalence::Proved), "{found:?}");
    }
    let other = STREAMS.replace("x[i] + x[i]", "x[i] + (x[i] == 77 ? 0 : x[i])");
    let found = compared(&other, LOOP);
    assert!(matches!(found, Equivalence::Suspected { .. }), "{found:?}");
    // Without a stream that differs: of one function beside another that has some.
    let beside = format!("{TWICE} void g() {{ cudaStream_t s; cudaStreamCreate(&s); }}");
    let found = compared(&beside, LOOP);
    assert!(matches!(found, Equivalence::Proved), "{found:?}");
    for new in [MANAGED, LOOP] {
        let found = compared(MANAGED, new);
        assert!(matches!(found, Equivalence::Proved), "{found:?}");
    }
}

/// What is not ordered, not waited for, not there or left over, each in one place.
#[test]
fn nothing_is_proved_of_what_is_not_ordered() {
    for (program, from, to, why) in [
        (
            STREAMS,
            "    cudaStreamWaitEvent(s[1], v, 0);\n",
            "",
            "which nothing orders",
        ),
        (
            STREAMS,
            "    cudaEventRecord(v, s[0]);\n",
            "",
            "which nothing orders",
        ),
        (
            STREAMS,
            "cudaEventRecord(v, s[0])",
            "cudaEventRecord(v, s[1])",
            "which nothing orders",
        ),
        (STREAMS, "0, s[i]>>>", "0, s[0]>>>", "which nothing orders"),
        (
            STREAMS,
            "d + 4 * i, h + 4 * i, 4 * sizeof(int)",
            "d + 3 * i, h + 3 * i, 5 * sizeof(int)",
            "which nothing orders",
        ),
        (
            STREAMS,
            "    cudaStreamWaitEvent(",
            "    if (a[0] > 0) cudaStreamWaitEvent(",
            "if inputs say so",
        ),
        (STREAMS, "s[i]>>>", "s[a[0] & 1]>>>", "hangs on inputs"),
        (
            STREAMS,
            "    cudaStreamSynchronize(s[1]);\n",
            "",
            "has not waited",
        ),
        (
            STREAMS,
            "cudaStreamSynchronize(s[1])",
            "cudaStreamSynchronize(s[0])",
            "has not waited",
        ),
        (
            STREAMS,
            "cudaStreamSynchronize(s[1])",
            "cudaEventSynchronize(v)",
            "has not waited",
        ),
        (
            STREAMS,
            "    cudaStreamSynchronize(s[1]);\n    for (int i = 0; i < n; i++) a[i] = h[i];\n",
            "",
            "that an operation may use",
        ),
        (
            STREAMS,
            "    cudaEventRecord(v, s[0]);",
            "    h[3] = 1; cudaEventRecord(v, s[0]);",
            "has not waited",
        ),
        (
            STREAMS,
            "    cudaEventRecord(v, s[0]);",
            "    if (a[0] > 0) h[a[1] & 7] = 1; cudaEventRecord(v, s[0]);",
            "has not waited",
        ),
        (
            MANAGED,
            "return a[0];",
            "cudaMemcpyFromSymbolAsync(a, calls, 4, 0, cudaMemcpyDeviceToHost); return 0;",
            "has not waited",
        ),
        (
            STREAMS,
            "    cudaEventDestroy(v);\n",
            "",
            "an event that is not destroyed",
        ),
        (
            STREAMS,
            "cudaStreamDestroy(s[i])",
            "if (i) cudaStreamDestroy(s[i])",
            "a stream that is not destroyed",
        ),
        (
            STREAMS,
            "cudaStreamDestroy(s[i])",
            "cudaStreamDestroy(s[0])",
            "that is not there",
        ),
        (STREAMS, "    cudaFreeHost(h);\n", "", "not given back"),
        (
            STREAMS,
            "cudaFreeHost(h)",
            "free(h)",
            "given back otherwise",
        ),
        (
            MANAGED,
            "    cudaDeviceSynchronize();\n",
            "",
            "has not waited",
        ),
        (
            MANAGED,
            "cudaFree(kept)",
            "cudaFreeHost(kept)",
            "given back otherwise",
        ),
    ] {
        let broken = program.replace(from, to);
        assert_ne!(broken, program, "{from}");
        match compared(&broken, &broken) {
            Equivalence::Open { why: said, .. } => assert!(said.contains(why), "{to}: {said}"),
            found => panic!("{found:?}\n{broken}"),
        }
    }
}
