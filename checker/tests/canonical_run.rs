//! The canonical run: outcomes, and each kind of defect planted and caught with its kind, place
//! and threads.

mod algebra;

use algebra::*;
use gridlock_checker::canonical::{self, CanonicalResult, CanonicalStatus};
use gridlock_checker::compiled::compile;
use gridlock_checker::defect::DefectKind;
use gridlock_checker::finding::Evidence;
use gridlock_checker::limits::Limits;
use gridlock_semantics::fault::FaultKind;
use gridlock_semantics::operator::{AllocSpace, AtomicFn, CopyKind};
use gridlock_semantics::profile::Profile;
use gridlock_semantics::program::{ProcKind, Program};
use gridlock_semantics::setup::{Contents, Setup};
use gridlock_semantics::transition::Actor;
use gridlock_semantics::value::Value;
use gridlock_semantics::well_formed::check_well_formed;

fn run_under(profile: &str, program: &Program, setup: &Setup) -> CanonicalResult {
    assert_eq!(check_well_formed(program), Ok(()));
    let profile = Profile::named(profile).expect("a named profile");
    let limits = Limits {
        seconds: 30.0,
        ..Limits::default()
    };
    canonical::run(&compile(program), setup, &profile, &limits)
}

fn run(program: &Program, setup: &Setup) -> CanonicalResult {
    run_under("cuda", program, setup)
}

/// The kinds found.
fn kinds(result: &CanonicalResult) -> Vec<DefectKind> {
    result.findings.iter().map(|finding| finding.kind).collect()
}

/// The cells of an observed array.
fn cells(result: &CanonicalResult, array: usize) -> Vec<i64> {
    let observation = result.observation.as_ref().expect("a run that ended");
    let number = |value: &Value| value.as_integer().expect("a defined cell") as i64;
    observation.arrays[array].cells.iter().map(number).collect()
}

fn thread(block: u32, thread: u32) -> Actor {
    Actor::Thread { block, thread }
}

fn zeros(name: &str, extent: u64) -> gridlock_semantics::setup::ArrayArg {
    ints(name, extent, Contents::Zero)
}

fn counting(name: &str, extent: u64) -> gridlock_semantics::setup::ArrayArg {
    ints(
        name,
        extent,
        Contents::Values((0..extent as i32).map(Value::i32).collect()),
    )
}

/// A sum of each block's slice by a tree, a barrier after each step if `with_barrier`.
fn tree_sum(draft: &mut Draft, n: u64, with_barrier: bool) -> gridlock_semantics::program::ProcId {
    let (input, output) = (draft.ints("in"), draft.ints("out"));
    let s = draft.shared("s", n);
    let d = draft.local("d");
    let mut body = vec![put(&s, tid(), input.at(gid())), barrier()];
    let mut step = vec![when(
        tid().lt(d.clone()),
        vec![put(&s, tid(), s.at(tid()) + s.at(tid() + d.clone()))],
    )];
    if with_barrier {
        step.push(barrier());
    }
    body.push(counted(
        &d,
        n as i32 / 2,
        d.clone().gt(0),
        d.clone() / 2,
        step,
    ));
    body.push(when(tid().equals(0), vec![put(&output, bid(), s.at(0))]));
    draft.end("tree_sum", ProcKind::Kernel, None, body)
}

#[test]
fn a_tree_sum_decides_with_its_sums() {
    let mut draft = Draft::new();
    tree_sum(&mut draft, 64, true);
    let program = draft.finish();
    let setup = kernel_setup(&program, 3, 64, vec![counting("in", 192), zeros("out", 3)]);
    let result = run(&program, &setup);
    assert_eq!(result.status, CanonicalStatus::Decides);
    assert_eq!(kinds(&result), vec![]);
    let sum = |block: i64| (block * 64..(block + 1) * 64).sum::<i64>();
    assert_eq!(cells(&result, 1), vec![sum(0), sum(1), sum(2)]);
}

#[test]
fn a_tree_sum_without_barriers_races() {
    let mut draft = Draft::new();
    tree_sum(&mut draft, 64, false);
    let program = draft.finish();
    let setup = kernel_setup(&program, 2, 64, vec![counting("in", 128), zeros("out", 2)]);
    let result = run(&program, &setup);
    assert!(
        kinds(&result).contains(&DefectKind::DataRace),
        "{:?}",
        result.status
    );
    let Evidence::Race { first, second } = &result.findings[0].evidence else {
        panic!("a race");
    };
    assert_ne!(first.actor, second.actor);
    assert_eq!(first.index, second.index);
}

#[test]
fn host_code_runs_its_launches() {
    let mut draft = Draft::new();
    let kernel = tree_sum(&mut draft, 8, true);
    let (input, output) = (draft.ints("in"), draft.ints("out"));
    let (d_in, d_out) = (draft.pointer("d_in"), draft.pointer("d_out"));
    let body = vec![
        alloc(&d_in, 32, AllocSpace::Global),
        alloc(&d_out, 4, AllocSpace::Global),
        copy(CopyKind::HostToDevice, &d_in, &input, 32),
        launch(kernel, 4, 8, vec![d_in.clone(), d_out.clone()]),
        copy(CopyKind::DeviceToHost, &output, &d_out, 4),
        free(&d_in, AllocSpace::Global),
        free(&d_out, AllocSpace::Global),
    ];
    draft.end("main", ProcKind::Host, None, body);
    let program = draft.finish();
    let setup = host_setup(&program, vec![counting("in", 32), zeros("out", 4)]);
    let result = run(&program, &setup);
    assert_eq!(
        result.status,
        CanonicalStatus::Decides,
        "{:?}",
        result.findings
    );
    assert_eq!(cells(&result, 1), vec![28, 92, 156, 220]);
    assert_eq!(result.leaks, vec![]);
}

#[test]
fn a_barrier_some_threads_skip_diverges() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let program = draft.kernel(vec![
        when(tid().lt(3), vec![barrier()]),
        put(&a, gid(), c(1)),
    ]);
    let setup = kernel_setup(&program, 2, 4, vec![zeros("a", 8)]);
    let result = run(&program, &setup);
    assert_eq!(result.status, CanonicalStatus::Faulted);
    assert_eq!(kinds(&result), vec![DefectKind::BarrierDivergence]);
    let Evidence::Fault(fault) = &result.findings[0].evidence else {
        panic!("a fault");
    };
    let FaultKind::BarrierDivergence { positions } = &fault.kind else {
        panic!("a divergence");
    };
    assert_eq!(fault.actor, Actor::Block(0));
    let waits: Vec<bool> = positions.iter().map(|p| p.op.is_some()).collect();
    assert_eq!(waits, vec![true, true, true, false]);
    assert_eq!(positions[3].actor, thread(0, 3));
    // What hardware does: a thread that has ended no longer counts.
    assert_eq!(
        run_under("cuda-hw", &program, &setup).status,
        CanonicalStatus::Decides
    );
}

#[test]
fn atomics_on_one_cell_commute() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let program = draft.kernel(vec![atomic(AtomicFn::Add, a.plus(gid() % 3), 1, None)]);
    let setup = kernel_setup(&program, 4, 40, vec![zeros("a", 3)]);
    let result = run(&program, &setup);
    assert_eq!(result.status, CanonicalStatus::Decides);
    assert_eq!(cells(&result, 0), vec![54, 53, 53]);
}
