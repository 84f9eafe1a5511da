//! Running C text twice.

use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::transition::TransitionSystem;
use std::fmt::Write;
use std::process::Command;
use std::sync::Arc;

pub const CELLS: [i32; 16] = [12, -3, 7, 30, 0, 55, 64, 2, -40, 9, 100, 31, 5, 8, 77, 1];
const SIZES: [i32; 4] = [0, 1, 5, 13];
const ONE_THREAD: Launch = Launch {
    grid: [1, 1, 1],
    block: [1, 1, 1],
    shared_bytes: 0,
};
const MAX_STEPS: usize = 200_000;

/// Compares every body, as `long long f(int *a, int n)`, for each size. `language` is what the
/// front end reads the text as.
pub fn check(language: Language, prelude: &str, bodies: &[&str]) {
    let mut text = String::from(prelude);
    for (index, body) in bodies.iter().enumerate() {
        let _ = writeln!(text, "long long f{index}(int *a, int n) {{ {body} }}");
    }
    let expected = on_this_machine(&text, bodies.len());
    let parsed = parse_source("test", &text, language, &ParseOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(parsed.unsupported, vec![], "{text}");
    let program = Arc::new(parsed.program);
    let mut lines = expected.lines();
    for (index, body) in bodies.iter().enumerate() {
        for n in SIZES {
            let found = in_the_semantics(&program, &format!("f{index}"), false, n);
            let wanted = lines.next().expect("a line a run");
            assert_eq!(found, wanted, "n = {n}: {body}");
        }
    }
}

/// Compiles and runs; a line for each function and size: the result, then the cells.
fn on_this_machine(text: &str, n_bodies: usize) -> String {
    let mut whole = format!("int printf(const char *, ...);\n{text}\nint main(void) {{\n");
    for index in 0..n_bodies {
        for n in SIZES {
            let cells = CELLS.map(|c| c.to_string()).join(", ");
            let _ = writeln!(
                whole,
                "{{ int a[16] = {{{cells}}}; printf(\"%lld\", f{index}(a, {n})); \
                 for (int i = 0; i < 16; i++) printf(\" %d\", a[i]); printf(\"\\n\"); }}"
            );
        }
    }
    whole.push_str("return 0; }\n");
    let dir = tempfile::tempdir().expect("a folder");
    let (source, binary) = (dir.path().join("t.c"), dir.path().join("t"));
    std::fs::write(&source, whole).expect("written");
    // Signed overflow wraps in the semantics.
    let compiled = Command::new(clang())
        .args([
            "-std=gnu17",
            "-O0",
            "-w",
            "-fwrapv",
            "-ffp-contract=off",
            "-o",
        ])
        .args([&binary, &source])
        .output()
        .expect("clang runs");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let output = Command::new(&binary).output().expect("it runs");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text")
}

pub fn clang() -> String {
    std::env::var("GRIDLOCK_CLANG").unwrap_or_else(|_| "clang-19".into())
}

/// What a function comes to, or a kernel of one thread, whose result is taken to be 0.
pub fn in_the_semantics(program: &Arc<Program>, name: &str, is_kernel: bool, n: i32) -> String {
    let cells = CELLS.iter().map(|&c| Value::i32(c)).collect();
    let setup = Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry: program.find_proc(name).expect("the function is there"),
        launch: is_kernel.then_some(ONE_THREAD),
        args: vec![Arg::Array(0), Arg::Scalar(Value::i32(n))],
        arrays: vec![ArrayArg {
            name: "a".into(),
            elem: ScalarType::I32,
            extent: Some(16),
            contents: Contents::Values(cells),
            observed: true,
        }],
    };
    let profile = Profile::named("cuda").expect("there is such a profile");
    let system = ProgramSystem::new(program.clone(), setup, profile).expect("a setup that fits");
    let mut state = system.initial().remove(0);
    for _ in 0..MAX_STEPS {
        if let Some(fault) = state.fault() {
            return format!("{name}: {fault:?}");
        }
        if system.is_final(&state) {
            return shown(&system.observe(&state));
        }
        let mut next = Vec::new();
        system.successors(&state, &mut next);
        state = next.swap_remove(0).1;
    }
    format!("{name}: no end")
}

fn shown(observation: &Observation) -> String {
    let mut text = match &observation.result {
        Some(result) => result.to_string(),
        None => "0".to_owned(),
    };
    for cell in &observation.arrays[0].cells {
        let _ = write!(text, " {cell}");
    }
    text
}
