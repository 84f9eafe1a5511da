//! Random kernels through every target. What fails is named by its seed.

use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_generation::effort;
use gridlock_generation::random::{Generated, Sizes, race_free, unrestricted};
use gridlock_lowering::cuda::CudaOptions;
use gridlock_lowering::device::{DeviceError, DeviceKind, Interpreter, open};
use gridlock_lowering::diff::compare_observations;
use gridlock_lowering::nvcc::{self, Output};
use gridlock_lowering::{cuda, opencl};
use gridlock_semantics::algebra::program::Program;

fn sizes() -> Sizes {
    Sizes {
        threads: 40,
        blocks: 3,
        all_threads: 100,
        statements: 14,
        depth: 3,
        expression_depth: 4,
        iterations: 5,
        early_return: false,
        all_types: true,
        exchanges: false,
        beyond_core: false,
    }
}

fn cuda_text(program: &Program) -> String {
    cuda::kernels(program, &CudaOptions::default())
        .expect("lowers")
        .text
}

/// `None` for the one thing we print and do not read: 64-bit atomics of signed integers go
/// through a pointer cast.
fn read_back(generated: &Generated, text: &str) -> Option<Program> {
    let seed = generated.seed;
    if text.contains("((unsigned long long *)") {
        return None;
    }
    let parsed = parse_source("lowered.cu", text, Language::Cuda, &ParseOptions::default())
        .unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{text}"));
    assert!(
        parsed.unsupported.is_empty(),
        "seed {seed}: {:?}\n{text}",
        parsed.unsupported
    );
    Some(parsed.program)
}

#[test]
fn reading_back_keeps_the_behaviour() {
    let (first, count) = (effort::first(0), effort::cases(10, 1_000));
    for seed in first..first + count {
        let generated = race_free(seed, &sizes());
        let text = cuda_text(&generated.program);
        let Some(again) = read_back(&generated, &text) else {
            continue;
        };
        let mut setup = generated.setup.clone();
        let before = Interpreter::new(&generated.program)
            .expect("well-formed")
            .observe(&setup);
        assert!(before.is_ok(), "seed {seed}: {before:?}");
        let name = &generated.program.proc(generated.kernel).name;
        setup.entry = again.find_proc(name).expect("the kernel");
        let after = Interpreter::new(&again)
            .expect("well-formed")
            .observe(&setup);
        assert_eq!(before, after, "seed {seed}\n{text}");
    }
}

/// Kernels that may do anything wrong are text like any other.
#[test]
fn defective_kernels_are_printed_and_read_back() {
    let (first, count) = (effort::first(0), effort::cases(8, 1_000));
    for seed in first..first + count {
        let generated = unrestricted(seed, &Sizes::default());
        read_back(&generated, &cuda_text(&generated.program));
    }
}

#[test]
fn nvcc_accepts_them() {
    let nvcc = match nvcc::find() {
        Ok(nvcc) => nvcc,
        Err(_) if std::env::var_os("GRIDLOCK_NO_NVCC").is_some() => return,
        Err(missing) => panic!("{missing}; or set GRIDLOCK_NO_NVCC"),
    };
    let mut all = String::from("#include <cassert>\n#include <cmath>\n");
    for seed in 0..60 {
        let text = cuda_text(&race_free(seed, &sizes()).program);
        let text = text.replace("#include", "// #include");
        all.push_str(&format!("namespace seed_{seed} {{\n{text}}}\n"));
    }
    if let Err(error) = nvcc.compile(&all, "sm_80", Output::Ptx) {
        panic!("{error}\n{all}");
    }
}

#[test]
fn an_opencl_device_agrees() {
    for seed in 0..25 {
        let generated = race_free(seed, &sizes());
        let mut device = match open(DeviceKind::OpenCl, &generated.program) {
            Ok(device) => device,
            Err(DeviceError::Missing { .. })
                if std::env::var_os("GRIDLOCK_NO_OPENCL").is_some() =>
            {
                return;
            }
            // Warp barriers have no OpenCL C spelling.
            Err(DeviceError::Unsupported { .. }) => continue,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        let text = opencl::kernels(&generated.program).expect("lowers").text;
        let seen = device.run(&generated.setup).outcome;
        let seen = seen.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let interpreter = Interpreter::new(&generated.program).expect("well-formed");
        let expected = interpreter.observe(&generated.setup).expect("decides");
        let compared = compare_observations(&expected, &seen, 0);
        assert!(
            compared.agree,
            "seed {seed}: {:?}\n{text}",
            compared.differences
        );
    }
}
