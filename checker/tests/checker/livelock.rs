//! Livelock: found under the guarantee that allows it, not found under the one that does not,
//! replayed, and refused where the run was tampered with.

use gridlock_checker::finding::{DefectKind, Evidence, Finding};
use gridlock_checker::limits::Limits;
use gridlock_checker::progress::{Termination, judge, quick_look};
use gridlock_checker::replay::{confirm, defect, replay};
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::witness::Witness;
use gridlock_checker::system::ExploredProgram;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::{AtomicFn, Op};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::{
    BlockScheduling, NextBlock, Profile, Progress, Residency, Warps,
};
use gridlock_semantics::setup::{Contents, Setup};
use std::sync::Arc;

use crate::kernels::*;

fn profile(residency: Residency, progress: Progress) -> Profile {
    let mut profile = Profile::default();
    profile.axes.termination = BlockScheduling {
        residency,
        next: NextBlock::Any,
        progress,
    };
    profile
}

fn all_resident() -> Profile {
    profile(Residency::AllResident, Progress::OccupancyBound)
}

/// `while (atomic(…) is not wanted) {}`: the result goes to local `var`.
fn spin(at: u32, var: u32, ask: Arc<Op>, goes_on: BinaryOp, wanted: i32) -> Vec<Arc<Op>> {
    let again = bin(goes_on, int(var), n(wanted));
    vec![ask.clone(), repeat(at, again, vec![ask])]
}

/// Each thread adds itself, then spins until `wanted` have come.
fn meeting(wanted: i32) -> Program {
    let place = || cell(ptr(0), n(0));
    let ask = atomic(4, AtomicFn::Add, place(), vec![n(0)], Some(1));
    let mut body = vec![atomic(3, AtomicFn::Add, place(), vec![n(1)], None)];
    body.extend(spin(4, 1, ask, BinaryOp::Lt, wanted));
    kernel(1, 1, &[], body)
}

/// A spin lock around nothing.
fn lock() -> Program {
    let place = || cell(ptr(0), n(0));
    let ask = atomic(3, AtomicFn::Cas, place(), vec![n(0), n(1)], Some(1));
    let mut body = spin(3, 1, ask, BinaryOp::Ne, 0);
    body.push(atomic(5, AtomicFn::Exch, place(), vec![n(0)], None));
    kernel(1, 1, &[], body)
}

fn zeros(n_blocks: u32, n_threads: u32) -> Setup {
    launch(n_blocks, n_threads, &[(1, ints([0]))])
}

fn answer(program: &Program, setup: &Setup, profile: &Profile) -> Termination {
    let system = ExploredProgram::for_termination(program, setup, profile).unwrap();
    let answer = judge(&system, &Limits::default()).answer;
    if let Termination::Livelock(finding) = &answer {
        assert!(confirm(program, setup, profile, finding).is_some());
    }
    answer
}

fn finding(program: &Program, setup: &Setup, profile: &Profile) -> Finding {
    match answer(program, setup, profile) {
        Termination::Livelock(finding) => finding,
        other => panic!("{other:?}"),
    }
}

fn is_livelock(answer: &Termination) -> bool {
    matches!(answer, Termination::Livelock(_))
}

#[test]
fn a_barrier_of_blocks_needs_them_all_resident() {
    let (program, setup) = (meeting(2), zeros(2, 1));
    for progress in [Progress::OccupancyBound, Progress::Fair] {
        for (residency, ends) in [
            (Residency::AllResident, true),
            (Residency::Resident(2), true),
            (Residency::Resident(1), false),
            (Residency::RunToCompletion, false),
            (Residency::EveryResident, false),
        ] {
            let answer = answer(&program, &setup, &profile(residency, progress));
            assert_eq!(
                answer == Termination::Ends,
                ends,
                "{residency:?} {progress:?}"
            );
            assert_eq!(is_livelock(&answer), !ends, "{residency:?} {progress:?}");
        }
    }
    let unfair = profile(Residency::AllResident, Progress::Unfair);
    assert!(is_livelock(&answer(&program, &setup, &unfair)));
}

/// A free place must be filled: with two places the first block may not spin for ever alone.
#[test]
fn whether_an_end_was_in_reach_is_said() {
    let ends_possible = |finding: &Finding| match &finding.evidence {
        Evidence::Cycle { can_end, .. } => *can_end,
        _ => None,
    };
    let (program, setup) = (meeting(2), zeros(2, 1));
    let unfair = profile(Residency::AllResident, Progress::Unfair);
    assert_eq!(
        ends_possible(&finding(&program, &setup, &unfair)),
        Some(true)
    );
    let one = profile(Residency::Resident(1), Progress::OccupancyBound);
    assert_eq!(ends_possible(&finding(&program, &setup, &one)), Some(false));
}

#[test]
fn a_spin_lock_in_a_warp() {
    let (program, setup) = (lock(), zeros(1, 2));
    assert_eq!(answer(&program, &setup, &all_resident()), Termination::Ends);
    let mut lockstep = all_resident();
    lockstep.axes.warps = Warps::Lockstep(32);
    assert!(is_livelock(&answer(&program, &setup, &lockstep)));
    let unfair = profile(Residency::AllResident, Progress::Unfair);
    assert!(is_livelock(&answer(&program, &setup, &unfair)));
}

/// `while (true);` in one of two threads; the other one ends.
#[test]
fn a_private_endless_loop() {
    let one = bin(BinaryOp::Eq, tid(), n(0));
    let forever = |cond: Expr| {
        kernel(
            1,
            1,
            &[],
            vec![when(3, one.clone(), vec![repeat(4, cond, vec![])])],
        )
    };
    let setup = zeros(1, 2);
    let always = bin(BinaryOp::Eq, tid(), n(0));
    let found = finding(&forever(always), &setup, &all_resident());
    assert!(matches!(&found.evidence, Evidence::Cycle { cycle, .. } if cycle.len() == 1));
    let never = bin(BinaryOp::Eq, tid(), n(1));
    assert_eq!(
        answer(&forever(never), &setup, &all_resident()),
        Termination::Ends
    );
}

/// Its steps are several, private, and the registers change: the round is one of states.
#[test]
fn a_private_round_of_several_steps() {
    let flips = set(4, 1, bin(BinaryOp::BitXor, int(1), n(1)));
    let body = vec![set(2, 1, n(0)), repeat(3, lt(int(1), n(2)), vec![flips])];
    let found = finding(&kernel(1, 1, &[], body), &zeros(1, 2), &all_resident());
    let Evidence::Cycle { cycle, .. } = &found.evidence else {
        panic!("{found:?}");
    };
    // Both threads, each twice round a test and an assignment.
    assert_eq!(cycle.iter().map(|step| step.steps).sum::<u32>(), 8);
}

/// Where nothing in the cycle depends on the counter, the run is a cycle but for it and where it is written, and
/// a replay says so too; not where it is written to what the loop asks about.
#[test]
fn a_counter_that_grows_is_cut_if_the_loop_looks_at_it() {
    let waiting = |shown_at: Option<i32>| {
        let mut round = vec![set(4, 1, add(int(1), n(1)))];
        round.extend(shown_at.map(|at| store(5, ptr(0), n(at), int(1))));
        let stays = bin(BinaryOp::Ge, load(ptr(0), n(0)), n(0));
        kernel(1, 1, &[], vec![set(2, 1, n(0)), repeat(3, stays, round)])
    };
    let (setup, profile) = (launch(1, 1, &[(2, ints([0, 0]))]), all_resident());
    let limits = Limits {
        states: 500,
        ..Limits::default()
    };
    let system_of =
        |program: Program| ExploredProgram::for_termination(&program, &setup, &profile).unwrap();
    for shown_at in [0, 1] {
        let answer = judge(&system_of(waiting(Some(shown_at))), &limits).answer;
        assert_eq!(answer, Termination::Cut(limits.cut_by_states()));
    }
    let round = witness(&waiting(None), &setup, &profile);
    check(&round, &waiting(None), true);
    let mut shown = round.clone();
    shown.cycle[0].steps += 1;
    check(&shown, &waiting(Some(1)), true);
    check(&shown, &waiting(Some(0)), false);
    assert!(quick_look(&system_of(waiting(Some(1))), 60.0).is_some());
    assert_eq!(quick_look(&system_of(waiting(Some(0))), 60.0), None);
}

/// The quick look finds what is far too large to explore, and nothing where there is nothing.
#[test]
fn a_quick_look_at_a_large_launch() {
    let program = meeting(257);
    let setup = zeros(4, 64);
    let profile = all_resident();
    let system = ExploredProgram::for_termination(&program, &setup, &profile).unwrap();
    let found = quick_look(&system, 60.0).unwrap();
    assert!(confirm(&program, &setup, &profile, &found).is_some());
    let program = meeting(256);
    let system = ExploredProgram::for_termination(&program, &setup, &profile).unwrap();
    assert_eq!(quick_look(&system, 60.0), None);
}

fn livelock_of(program: &Program, setup: &Setup, profile: &Profile) -> Defect {
    let finding = finding(program, setup, profile);
    let defect = defect(program, setup, profile, &finding, 0).unwrap();
    assert_eq!(defect.kind, DefectKind::Livelock);
    defect
}

#[test]
fn the_defect_says_who_spins_and_who_never_starts() {
    let one = profile(Residency::Resident(1), Progress::OccupancyBound);
    let defect = livelock_of(&meeting(2), &zeros(2, 1), &one);
    for part in [
        "spins at",
        "trying `a[0]` = 1",
        "never gets a place",
        "no schedule ends",
    ] {
        assert!(defect.message.contains(part), "{}", defect.message);
    }
    assert_eq!(defect.array.as_deref(), Some("a"));
    assert_eq!(defect.threads[0].line, 4);
}

fn witness(program: &Program, setup: &Setup, profile: &Profile) -> Witness {
    let witness = livelock_of(program, setup, profile).witness.unwrap();
    Witness::from_json(&witness.to_json()).unwrap()
}

fn check(witness: &Witness, program: &Program, reproduced: bool) {
    let followed = replay(witness, program).unwrap();
    assert_eq!(followed.reproduced, reproduced, "{}", followed.conclusion);
    assert_eq!(followed.cycle_from.is_some(), reproduced);
}

#[test]
fn a_witness_shows_its_cycle_again() {
    let (program, setup) = (meeting(3), zeros(1, 2));
    check(&witness(&program, &setup, &all_resident()), &program, true);
}

#[test]
fn a_tampered_run_is_refused() {
    let (program, setup) = (meeting(3), zeros(1, 2));
    let good = witness(&program, &setup, &all_resident());
    assert!(
        good.cycle.len() >= 2 && good.schedule.len() >= 2,
        "{good:?}"
    );
    let tampered = |change: &dyn Fn(&mut Witness)| {
        let mut bad = good.clone();
        change(&mut bad);
        check(&bad, &program, false);
    };
    // No round at all.
    tampered(&|w| w.cycle.clear());
    // It does not come back.
    tampered(&|w| w.cycle[0].steps += 1);
    // It comes back, but one who is protected and can move never does.
    tampered(&|w| w.cycle.truncate(1));
    // It begins elsewhere: thread 1 has not arrived.
    tampered(&|w| w.schedule.truncate(1));
    // Somebody who is not there.
    tampered(&|w| w.cycle[0].actors = vec![gridlock_semantics::transition::Actor::Host]);
    tampered(&|w| w.cycle[0].choice = 7);
}

/// The same run is a livelock for one guarantee and not for another.
#[test]
fn the_guarantee_of_the_witness_counts() {
    let (program, setup) = (meeting(2), zeros(2, 1));
    let unfair = profile(Residency::AllResident, Progress::Unfair);
    let mut alone = witness(&program, &setup, &unfair);
    check(&alone, &program, true);
    alone.profile.axes.termination.progress = Progress::OccupancyBound;
    check(&alone, &program, false);
    // With one place only, nobody else can start.
    alone.profile.axes.termination.residency = Residency::Resident(1);
    check(&alone, &program, true);
}

#[test]
fn whatever_ends_is_no_livelock() {
    let body = vec![store(2, ptr(0), tid(), n(1))];
    let setup = launch(2, 2, &[(2, Contents::Zero)]);
    for progress in [Progress::Unfair, Progress::OccupancyBound, Progress::Fair] {
        let profile = profile(Residency::EveryResident, progress);
        assert_eq!(
            answer(&kernel(1, 0, &[], body.clone()), &setup, &profile),
            Termination::Ends
        );
    }
}
