//! Runs in a child process. This program is its own child: called as `device-runner` it serves
//! one job, called under another name it misbehaves as the name says.

mod support;

use gridlock_lowering::device::runner::{Job, SUBCOMMAND, run_in_child, serve};
use gridlock_lowering::device::{DeviceError, DeviceKind};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use support::{Proc, at, bin, int, kernel_setup, load, program, ptr, random, store, while_loop};

const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    let mut args = std::env::args();
    let name = PathBuf::from(args.next().unwrap_or_default());
    if args.next().as_deref() == Some(SUBCOMMAND) {
        let name = name.file_name().and_then(|name| name.to_str());
        return child(name.unwrap_or_default());
    }
    let exe = std::env::current_exe().expect("the path of this program");
    a_job_is_answered(&exe);
    a_child_that_is_silent_is_killed(&exe);
    a_child_that_dies_is_a_result(&exe);
    a_child_that_talks_nonsense_is_a_result(&exe);
    a_missing_program_is_an_error();
    kernels_that_hang_and_crash_are_results(&exe);
}

fn child(name: &str) {
    match name {
        "silent" => std::thread::sleep(Duration::from_secs(1000)),
        "dying" => {
            eprintln!("last words");
            std::process::abort();
        }
        "nonsense" => {
            std::io::stdout().write_all(b"nonsense").expect("writes");
        }
        _ => serve(std::io::stdin(), std::io::stdout()).expect("serves"),
    }
}

/// This program under another name.
fn renamed(exe: &Path, folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    std::os::unix::fs::symlink(exe, &path).expect("a link");
    path
}

fn job(device: DeviceKind, program: Program) -> Job {
    let arrays = vec![
        random("in", ScalarType::I32, 40, 1),
        random("out", ScalarType::I32, 40, 2),
    ];
    Job {
        device,
        program,
        setups: vec![kernel_setup(2, 32, 0, arrays, &[40])],
        repeat: 2,
    }
}

fn a_job_is_answered(exe: &Path) {
    let job = job(DeviceKind::Interpreter, support::add_one());
    let result = run_in_child(exe, &job, LIMIT).expect("an answer");
    assert_eq!(result.device.kind, DeviceKind::Interpreter);
    assert_eq!(result.runs.len(), 1);
    assert_eq!(result.runs[0].len(), 2);
    let observation = result.runs[0][0].outcome.as_ref().expect("an observation");
    let cells = |n: usize| {
        observation.arrays[n]
            .cells
            .iter()
            .map(|c| c.as_integer().expect("an int"))
    };
    assert!(cells(0).map(|v| v + 1).eq(cells(1)));
}

fn a_child_that_is_silent_is_killed(exe: &Path) {
    let folder = tempfile::tempdir().expect("a folder");
    let silent = renamed(exe, folder.path(), "silent");
    let start = Instant::now();
    let job = job(DeviceKind::Interpreter, support::add_one());
    let answer = run_in_child(&silent, &job, Duration::from_secs(1));
    assert_eq!(answer, Err(DeviceError::TimedOut { seconds: 1 }));
    assert!(start.elapsed() < Duration::from_secs(30));
}

fn a_child_that_dies_is_a_result(exe: &Path) {
    let folder = tempfile::tempdir().expect("a folder");
    let dying = renamed(exe, folder.path(), "dying");
    let job = job(DeviceKind::Interpreter, support::add_one());
    match run_in_child(&dying, &job, LIMIT) {
        Err(DeviceError::Crashed { status, output }) => {
            assert!(status.contains("SIGABRT"), "{status}");
            assert_eq!(output, "last words");
        }
        other => panic!("{other:?}"),
    }
}

fn a_child_that_talks_nonsense_is_a_result(exe: &Path) {
    let folder = tempfile::tempdir().expect("a folder");
    let nonsense = renamed(exe, folder.path(), "nonsense");
    let job = job(DeviceKind::Interpreter, support::add_one());
    let answer = run_in_child(&nonsense, &job, LIMIT);
    assert!(
        matches!(answer, Err(DeviceError::Crashed { .. })),
        "{answer:?}"
    );
}

fn a_missing_program_is_an_error() {
    let job = job(DeviceKind::Interpreter, support::add_one());
    let answer = run_in_child(Path::new("/nowhere/gridlock"), &job, LIMIT);
    assert!(matches!(answer, Err(DeviceError::Api { .. })), "{answer:?}");
}

/// `while (out[0] != 12345) {}`
fn spinning() -> Program {
    let mut k = Proc::new(ProcKind::Kernel, "spin");
    k.param("in", ptr(ScalarType::I32));
    let out = k.param("out", ptr(ScalarType::I32));
    k.param("n", Type::I32);
    let waits = bin(
        gridlock_semantics::algebra::expr::BinaryOp::Ne,
        load(at(k.get(out), int(0))),
        int(12345),
    );
    let again = store(at(k.get(out), int(1)), int(1));
    program(vec![], vec![k.done(vec![while_loop(waits, vec![again])])])
}

/// `out[1 << 45] = 1`
fn wild() -> Program {
    let mut k = Proc::new(ProcKind::Kernel, "wild");
    k.param("in", ptr(ScalarType::I32));
    let out = k.param("out", ptr(ScalarType::I32));
    k.param("n", Type::I32);
    let far = Expr::int(ScalarType::I64, 1 << 45);
    let body = vec![store(at(k.get(out), far), int(1))];
    program(vec![], vec![k.done(body)])
}

fn kernels_that_hang_and_crash_are_results(exe: &Path) {
    let warm_up = run_in_child(exe, &job(DeviceKind::OpenCl, support::add_one()), LIMIT);
    if matches!(warm_up, Err(DeviceError::Missing { .. }))
        && std::env::var_os("GRIDLOCK_NO_OPENCL").is_some()
    {
        return;
    }
    assert!(warm_up.is_ok(), "{warm_up:?}");
    let answer = run_in_child(
        exe,
        &job(DeviceKind::OpenCl, spinning()),
        Duration::from_secs(5),
    );
    assert_eq!(answer, Err(DeviceError::TimedOut { seconds: 5 }));
    match run_in_child(exe, &job(DeviceKind::OpenCl, wild()), LIMIT) {
        Err(DeviceError::Crashed { status, .. }) => assert!(status.contains("SIGSEGV"), "{status}"),
        other => panic!("{other:?}"),
    }
}
