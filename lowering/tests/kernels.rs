//! Kernels read from source go through every target: `nvcc` accepts the CUDA text, the front end
//! reads it back as a program of the same behaviour, and an OpenCL device agrees with the checker.

use crate::support::{cases, options};
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_generation::effort;
use gridlock_lowering::cuda::CudaOptions;
use gridlock_lowering::device::{DeviceError, DeviceKind, Interpreter};
use gridlock_lowering::diff::{self, DiffError};
use gridlock_lowering::nvcc::{self, ARCHITECTURES, Output};
use gridlock_lowering::{cuda, host};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::setup::{Arg, Setup};
use std::path::Path;

fn parse(name: &str, text: &str) -> Program {
    let language = if name.ends_with(".c") {
        Language::C
    } else {
        Language::Cuda
    };
    let parsed = parse_source(name, text, language, &ParseOptions::default())
        .unwrap_or_else(|error| panic!("{name}: {error:?}\n{text}"));
    assert!(
        parsed.unsupported.is_empty(),
        "{name}: {:?}\n{text}",
        parsed.unsupported
    );
    parsed.program
}

fn source(file: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/kernels")
        .join(file);
    let text = std::fs::read_to_string(&path).expect("a kernel file");
    parse(file, &text)
}

const FILES: [&str; 8] = [
    "barrier_loop.cu",
    "integers.cu",
    "floats.cu",
    "shared.cu",
    "atomics.cu",
    "control.cu",
    "warps.cu",
    "host.cu",
];

#[test]
fn nvcc_accepts_every_kernel_for_every_architecture() {
    let nvcc = match nvcc::find() {
        Ok(nvcc) => nvcc,
        Err(_) if std::env::var_os("GRIDLOCK_NO_NVCC").is_some() => return,
        Err(missing) => panic!("{missing}; or set GRIDLOCK_NO_NVCC"),
    };
    std::thread::scope(|threads| {
        for (number, file) in FILES.into_iter().enumerate() {
            let nvcc = &nvcc;
            threads.spawn(move || {
                let lowered = cuda::kernels(&source(file), &CudaOptions::default());
                let text = lowered.expect(file).text;
                // A short run compiles every other file, for one of them, in turn.
                let chosen = (number..).zip(ARCHITECTURES);
                let n_all = ARCHITECTURES.len();
                for (_, arch) in chosen.filter(|(turn, _)| effort::is_done(*turn, 2 * n_all)) {
                    if let Err(error) = nvcc.compile(&text, arch, Output::Cubin) {
                        panic!("{file}, {arch}: {error}\n{text}");
                    }
                }
            });
        }
    });
    let text = host::program(&source("host.cu")).expect("host.cu").text;
    if let Err(error) = nvcc.compile(&text, "sm_80", Output::Object) {
        panic!("{error}\n{text}");
    }
}

/// A null pointer that is followed, memory whose contents a copy under way leaves open, and a barrier of the grid: what a GPU
/// and its compiler refused.
#[test]
fn null_pointers_open_contents_and_barriers_of_the_grid() {
    let Ok(nvcc) = nvcc::find() else { return };
    let lowered = |file: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../tests")
            .join(file);
        let program = parse(file, &std::fs::read_to_string(&path).expect(file));
        let lowered = cuda::kernels(&program, &CudaOptions::default()).expect(file);
        if let Err(error) = nvcc.compile(&lowered.text, "sm_90", Output::Ptx) {
            panic!("{file}: {error}\n{}", lowered.text);
        }
        lowered
    };
    for file in [
        "function-pointer",
        "function-table",
        "copied-by-instruction",
    ] {
        if !effort::is_next_done(3) {
            continue;
        }
        let lowered = lowered(&format!("language/{file}.cu"));
        assert!(lowered.kernels.iter().all(|kernel| !kernel.cooperative));
    }
    if !effort::is_done(1, 2) {
        return;
    }
    let stencil = lowered("corpus/synchronisation/grid-stencil.cu");
    assert!(stencil.kernels.iter().any(|kernel| kernel.cooperative));
}

#[test]
fn lowering_and_reading_back_keeps_the_behaviour() {
    for case in cases() {
        if !effort::is_next_done(3) {
            continue;
        }
        let program = source(case.file);
        let text = host::program(&program).expect(case.file).text;
        let again = parse("lowered.cu", &text);
        for seed in 0..3 {
            let setup = diff::reseeded(&case.setup(&program), seed, 0);
            let mut setup_again = setup.clone();
            setup_again.entry = again.find_proc(case.entry).expect("the same procedures");
            let run = |program: &Program, setup: &Setup| {
                Interpreter::new(program)
                    .expect("well-formed")
                    .observe(setup)
            };
            let before = run(&program, &setup);
            assert!(before.is_ok(), "{}: {before:?}", case.entry);
            assert_eq!(before, run(&again, &setup_again), "{}\n{text}", case.entry);
        }
    }
}

#[test]
fn an_opencl_device_agrees_with_the_checker() {
    for case in cases().into_iter().filter(|case| case.runs_on_opencl) {
        let program = source(case.file);
        let report = match diff::run(
            &program,
            &case.setup(&program),
            &options(DeviceKind::OpenCl),
        ) {
            Ok(report) => report,
            Err(DiffError::Device(DeviceError::Missing { .. }))
                if std::env::var_os("GRIDLOCK_NO_OPENCL").is_some() =>
            {
                return;
            }
            Err(error) => panic!("{}: {error}", case.entry),
        };
        assert!(report.agree, "{}: {:?}", case.entry, report.differences);
        assert!(report.cells > 0, "{}", case.entry);
        assert_eq!(report.max_ulps, 0, "{}", case.entry);
    }
}

/// Tickets: who gets which depends on the schedule. Every outcome the device shows is one the
/// explorer knows.
#[test]
fn outcomes_that_depend_on_the_schedule_are_counted() {
    let program = parse(
        "ticket.cu",
        "__global__ void ticket(int *next, int *mine) { mine[threadIdx.x] = atomicAdd(next, 1); }",
    );
    let int = gridlock_semantics::algebra::types::ScalarType::I32;
    let arrays = vec![
        crate::support::random("next", int, 1, 1),
        crate::support::random("mine", int, 2, 2),
    ];
    let setup = crate::support::kernel_setup(1, 2, 0, arrays, &[]);
    let options = diff::DiffOptions {
        runs: 1,
        ..options(DeviceKind::OpenCl)
    };
    match diff::run(&program, &setup, &options) {
        Ok(report) => {
            assert!(report.agree, "{:?}", report.histogram);
            assert_eq!(report.runs, 20);
            assert_eq!(report.histogram.len(), 2, "{:?}", report.histogram);
            let seen: u64 = report.histogram.iter().map(|outcome| outcome.count).sum();
            assert_eq!(seen, 20);
        }
        Err(DiffError::Device(DeviceError::Missing { .. }))
            if std::env::var_os("GRIDLOCK_NO_OPENCL").is_some() => {}
        Err(error) => panic!("{error}"),
    }
}

/// A difference between the kernels of device and checker is seen: the device runs another
/// program.
#[test]
fn a_planted_difference_is_reported() {
    let add_one = crate::support::add_one();
    let mut add_two = add_one.clone();
    let text = serde_json::to_string(&add_two.procs[0].body).expect("serialises");
    // The constant 1 of `in[i] + 1`.
    let planted = text.replacen(
        r#"{"Const":{"Int":["I32",1]}}"#,
        r#"{"Const":{"Int":["I32",2]}}"#,
        1,
    );
    assert_ne!(text, planted);
    add_two.procs[0].body = serde_json::from_str(&planted).expect("deserialises");
    let arrays = vec![
        crate::support::random(
            "in",
            gridlock_semantics::algebra::types::ScalarType::I32,
            8,
            1,
        ),
        crate::support::random(
            "out",
            gridlock_semantics::algebra::types::ScalarType::I32,
            8,
            2,
        ),
    ];
    let setup = crate::support::kernel_setup(1, 8, 0, arrays, &[8]);
    let seen = Interpreter::new(&add_two)
        .expect("well-formed")
        .observe(&setup);
    let expected = Interpreter::new(&add_one)
        .expect("well-formed")
        .observe(&setup);
    let (seen, expected) = (seen.expect("runs"), expected.expect("runs"));
    let report = diff::compare_observations(&expected, &seen, 0);
    assert!(!report.agree);
    assert_eq!(report.n_differences, 8);
    assert_eq!(report.differences[0].array, "out");
}

#[test]
fn every_kernel_has_a_case() {
    for file in FILES {
        let program = source(file);
        for kernel in program.procs_of_kind(ProcKind::Kernel) {
            let name = &*program.proc(kernel).name;
            let by_host_code = file == "host.cu" && name == "scale";
            assert!(
                by_host_code || cases().iter().any(|case| case.entry == name),
                "{name}"
            );
        }
    }
}

/// Scalars and arrays go to the parameters they are meant for.
#[test]
fn setups_fit_their_programs() {
    for case in cases() {
        let program = source(case.file);
        let setup = case.setup(&program);
        let proc = program.proc(setup.entry);
        for (var, arg) in proc.params.iter().zip(&setup.args) {
            let is_pointer = matches!(proc.vars[var.0 as usize].ty, Type::Pointer(_));
            assert_eq!(is_pointer, matches!(arg, Arg::Array(_)), "{}", case.entry);
        }
    }
}

/// Of a program whose first launch races, whatever its host code goes on with, no run stands for all. What host code does
/// with its own memory counts as transitions.
#[test]
fn a_race_before_a_long_end_hangs_on_the_order() {
    let program = |index: &str, rounds: u32| {
        let text = format!(
            "__global__ void fill(int *a) {{ a[{index}] = threadIdx.x; }}
            int all(void) {{
                int *a, *h = (int *)malloc(256 * sizeof(int));
                cudaMalloc(&a, 32 * sizeof(int));
                fill<<<1, 32>>>(a);
                cudaDeviceSynchronize();
                for (int i = 0; i < {rounds}; i++) h[i % 256] = i;
                int last = h[9];
                free(h);
                cudaFree(a);
                return last;
            }}"
        );
        parse("long.cu", &text)
    };
    let observed = |index: &str, rounds: u32| {
        let program = program(index, rounds);
        let setup = Setup {
            declared: Default::default(),
            observed: Default::default(),
            device: Default::default(),
            entry: program.find_proc("all").expect("host code"),
            launch: None,
            args: Vec::new(),
            arrays: Vec::new(),
        };
        let interpreter = Interpreter::new(&program).expect("well-formed");
        interpreter.observe(&setup)
    };
    for rounds in [10, 300_000] {
        assert!(observed("threadIdx.x", rounds).is_ok(), "{rounds}");
        let racy = observed("0", rounds);
        let is_said = matches!(racy, Err(DeviceError::OrderDependent { .. }));
        assert!(is_said, "{rounds}: {racy:?}");
    }
}
