//! Canonical runs for tests: every finding is followed on the reference before it is believed.

use crate::algebra::*;
use crate::reference;
use gridlock_checker::canonical::{self, CanonicalResult, CanonicalStatus, Width};
use gridlock_checker::compiled::{Compiled, compile};
use gridlock_checker::finding::{DefectKind, Evidence};
use gridlock_checker::limits::Limits;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Contents, Setup};
use gridlock_semantics::transition::Actor;
use gridlock_semantics::transition::fault::FaultKind;
use gridlock_semantics::well_formed::check_well_formed;
use rayon::ThreadPool;
use std::sync::LazyLock;

pub fn run_under(profile: &str, program: &Program, setup: &Setup) -> CanonicalResult {
    assert_eq!(check_well_formed(program), Ok(()));
    let profile = Profile::named(profile).expect("a named profile");
    let limits = Limits {
        seconds: 30.0,
        ..Limits::default()
    };
    let result = both_widths(&compile(program), setup, &profile, &limits);
    for finding in &result.findings {
        reference::confirm(program, setup, &profile, finding);
    }
    result
}

/// One processor, and two.
static POOLS: LazyLock<Vec<ThreadPool>> = LazyLock::new(|| {
    let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build();
    (1..=2).map(|n| pool(n).expect("threads")).collect()
});

/// The result of a run, the same whatever the width and however many processors there are.
pub fn both_widths(
    compiled: &Compiled,
    setup: &Setup,
    profile: &Profile,
    limits: &Limits,
) -> CanonicalResult {
    let run_as = |width| canonical::run_as(compiled, setup, profile, limits, width);
    let narrow = run_as(Width::Narrow);
    assert_eq!(
        (
            narrow.wide_launches,
            narrow.parted_launches,
            narrow.wide_blocks
        ),
        (0, 0, 0)
    );
    let mut wide = Vec::new();
    for pool in POOLS.iter() {
        let result = pool.install(|| run_as(Width::Wide));
        let n_threads = pool.current_num_threads();
        assert_eq!(shown(&result), shown(&narrow), "{n_threads} processors");
        wide.push(result);
    }
    wide.swap_remove(1)
}

/// All that a result says but how it was come by.
fn shown(result: &CanonicalResult) -> String {
    let mut result = result.clone();
    result.statistics.seconds = 0.0;
    (
        result.wide_launches,
        result.parted_launches,
        result.wide_blocks,
    ) = (0, 0, 0);
    format!("{result:#?}")
}

pub fn run(program: &Program, setup: &Setup) -> CanonicalResult {
    run_under("cuda", program, setup)
}

/// The kinds found.
pub fn kinds(result: &CanonicalResult) -> Vec<DefectKind> {
    result.findings.iter().map(|finding| finding.kind).collect()
}

/// The cells of an observed array.
pub fn cells(result: &CanonicalResult, array: usize) -> Vec<i64> {
    let observation = result.observation.as_ref().expect("a run that ended");
    let number = |value: &Value| value.as_integer().expect("a defined cell") as i64;
    observation.arrays[array].cells.iter().map(number).collect()
}

pub fn thread(block: u32, thread: u32) -> Actor {
    Actor::Thread { block, thread }
}

pub fn zeros(name: &str, extent: u64) -> gridlock_semantics::setup::ArrayArg {
    ints(name, extent, Contents::Zero)
}

pub fn counting(name: &str, extent: u64) -> gridlock_semantics::setup::ArrayArg {
    ints(
        name,
        extent,
        Contents::Values((0..extent as i32).map(Value::i32).collect()),
    )
}

/// What a finding of a race says: each side's actor and line.
pub fn sides(result: &CanonicalResult, program: &Program, index: usize) -> [(Actor, u32); 2] {
    let Evidence::Race { first, second } = &result.findings[index].evidence else {
        panic!("a race, not {:?}", result.findings[index].evidence);
    };
    let compiled = compile(program);
    [first, second].map(|access| (access.actor, compiled.span(access.op).line))
}

pub fn only_fault(result: &CanonicalResult) -> (Actor, FaultKind) {
    assert_eq!(result.status, CanonicalStatus::Faulted);
    match &result.findings.last().expect("a finding").evidence {
        Evidence::Fault(fault) => (fault.actor, fault.kind.clone()),
        other => panic!("a fault, not {other:?}"),
    }
}
