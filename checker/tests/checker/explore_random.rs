//! The reduction against full search on random kernels, and findings against their replay.

use gridlock_checker::explore::{
    Exploration, ExploreOptions, Outcome, explore_system, explore_threadwise,
};
use gridlock_checker::finding::{Evidence, Finding};
use gridlock_checker::limits::Limits;
use gridlock_checker::replay::{confirm_in, observation_after};
use gridlock_checker::system::ExploredProgram;
use gridlock_generation::effort;
use gridlock_generation::random::{Generated, Sizes, race_free, unrestricted};
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::profile::Profile;
use std::collections::BTreeSet;

/// States of a full search before a program is left to others.
const MOST_STATES: u64 = 3_000;

fn explore(system: &ExploredProgram, reduction: bool) -> Exploration {
    let limits = Limits {
        states: MOST_STATES,
        ..Limits::default()
    };
    let options = ExploreOptions {
        reduction,
        ..ExploreOptions::default()
    };
    match system.irreducible() {
        // Across an exchange, races are seen by the search of the whole program only.
        None if !system.exchanges_hide_races() => explore_threadwise(system, &limits, &options),
        _ => explore_system(system, &limits, &options),
    }
}

fn races(found: &Exploration) -> BTreeSet<(u32, u32)> {
    let ops = found
        .findings
        .iter()
        .filter_map(|finding| match &finding.evidence {
            Evidence::Race { first, second } => {
                Some((first.op.0.min(second.op.0), first.op.0.max(second.op.0)))
            }
            _ => None,
        });
    ops.collect()
}

#[derive(Default)]
struct Tally {
    judged: u32,
    smaller: u32,
    racy: u32,
    faulty: u32,
    deadlocked: u32,
    confirmed: u32,
    behind: u32,
    unshown: u32,
}

/// Whether atomic updates whose results nobody uses may put the accesses of a race in order in the run of its finding. Another
/// order of these shows it; the searches leave that order out.
fn may_be_ordered(system: &ExploredProgram, finding: &Finding) -> bool {
    let operators = system.program().operators();
    let has_update = operators
        .iter()
        .any(|(_, op)| matches!(&op.kind, OpKind::Basic(Basic::Atomic { result: None, .. })));
    has_update && matches!(finding.evidence, Evidence::Race { .. })
}

/// Compares both searches of one program under one profile and replays every finding.
fn judge(generated: &Generated, profile: &Profile, tally: &mut Tally) {
    let Ok(system) = ExploredProgram::new(&generated.program, &generated.setup, profile) else {
        panic!("seed {} is no program", generated.seed);
    };
    let full = explore(&system, false);
    if !full.complete {
        return;
    }
    let reduced = explore(&system, true);
    let seed = (generated.seed, &profile.name);
    assert!(reduced.complete, "{seed:?}");
    assert!(full.outcomes.keys().eq(reduced.outcomes.keys()), "{seed:?}");
    // A pair behind another race, whose accesses are never possible in one state, may be named by one of them alone.
    let (of_full, of_reduced) = (races(&full), races(&reduced));
    assert_eq!(of_full.is_empty(), of_reduced.is_empty(), "{seed:?}");
    tally.behind += (of_full != of_reduced) as u32;
    assert!(
        reduced.statistics.states <= full.statistics.states,
        "{seed:?}"
    );
    for finding in &reduced.findings {
        match confirm_in(&system, finding) {
            Some(_) => tally.confirmed += 1,
            None => {
                assert!(may_be_ordered(&system, finding), "{seed:?} {finding:?}");
                tally.unshown += 1;
            }
        }
    }
    let has = |name: &str| full.findings.iter().any(|f| f.kind.name() == name);
    tally.judged += 1;
    tally.smaller += (2 * reduced.statistics.states < full.statistics.states) as u32;
    tally.racy += has("data-race") as u32;
    tally.deadlocked += has("deadlock") as u32;
    let is_fault =
        |f: &gridlock_checker::finding::Finding| matches!(f.evidence, Evidence::Fault(_));
    tally.faulty += full.findings.iter().any(is_fault) as u32;
}

/// Follows the schedule of each outcome: it ends in that outcome.
fn outcomes_are_reached(system: &ExploredProgram, found: &Exploration, seed: u64) {
    for (outcome, schedule) in &found.outcomes {
        let seen = observation_after(system, schedule);
        match outcome {
            Outcome::Observation(expected) => assert_eq!(seen.as_ref(), Some(expected), "{seed}"),
            Outcome::Fault { .. } | Outcome::Deadlock => assert_eq!(seen, None, "{seed}"),
        }
    }
}

fn n_programs() -> u64 {
    effort::cases(50, 10_000)
}

/// Lemma (M3): on programs that may do anything wrong, reduced and full search agree on outcomes,
/// faults, deadlocks and racing operators; every finding is confirmed by replay.
#[test]
fn reduction_loses_nothing_of_unrestricted_programs() {
    let profiles: Vec<Profile> = ["cuda", "cuda-hw", "portable"]
        .iter()
        .filter_map(|name| Profile::named(name))
        .collect();
    let mut tally = Tally::default();
    for seed in 0..n_programs() {
        let generated = unrestricted(seed, &Sizes::default());
        judge(&generated, &profiles[(seed % 3) as usize], &mut tally);
    }
    let n = n_programs() as u32;
    assert!(1_000 * tally.behind <= n, "{}", tally.behind);
    assert!(500 * tally.unshown <= n, "{}", tally.unshown);
    assert!(tally.judged > n / 2, "{}", tally.judged);
    assert!(tally.smaller > n / 4, "{}", tally.smaller);
    assert!(
        tally.racy > n / 20 && tally.faulty > n / 20,
        "{} {}",
        tally.racy,
        tally.faulty
    );
    assert!(tally.confirmed > n / 10, "{}", tally.confirmed);
    eprintln!(
        "{} {} {} {} {} {}",
        tally.judged, tally.smaller, tally.racy, tally.faulty, tally.deadlocked, tally.confirmed
    );
}

/// The same with many operations of warps.
#[test]
fn reduction_loses_nothing_of_exchanges() {
    let sizes = Sizes {
        exchanges: true,
        blocks: 1,
        ..Sizes::default()
    };
    let mut tally = Tally::default();
    for seed in 0..n_programs() {
        judge(&unrestricted(seed, &sizes), &Profile::default(), &mut tally);
        judge(&race_free(seed, &sizes), &Profile::default(), &mut tally);
    }
    let n = n_programs() as u32;
    assert!(1_000 * tally.behind <= n, "{}", tally.behind);
    assert!(500 * tally.unshown <= n, "{}", tally.unshown);
    assert!(tally.judged > n, "{}", tally.judged);
    assert!(
        tally.racy > 0 && tally.faulty > n / 4,
        "{} {}",
        tally.racy,
        tally.faulty
    );
    eprintln!(
        "{} {} {} {}",
        tally.judged, tally.smaller, tally.racy, tally.faulty
    );
}

/// Profiles without a reduction: what a search finds is confirmed, and outcomes are reached by
/// their schedules, also where sets of threads fire or warps move in lockstep.
#[test]
fn other_profiles_replay() {
    let sizes = Sizes {
        statements: 3,
        ..Sizes::default()
    };
    let names = ["paper", "paper-literal", "lockstep-warp"];
    let (mut judged, mut confirmed, mut unshown) = (0, 0, 0);
    // The last ones showed a race by two transitions of one thread, in a run that is discarded, or by more threads than needed.
    for seed in (0..n_programs() / 4).chain([183, 330, 832, 1516]) {
        let profile = Profile::named(names[(seed % 3) as usize]).expect("a profile");
        let generated = unrestricted(seed, &sizes);
        let system = ExploredProgram::new(&generated.program, &generated.setup, &profile)
            .expect("well-formed");
        let found = explore(&system, true);
        assert!(found.unreduced_because.is_some());
        outcomes_are_reached(&system, &found, seed);
        for finding in &found.findings {
            match confirm_in(&system, finding) {
                Some(_) => confirmed += 1,
                None => {
                    assert!(may_be_ordered(&system, finding), "{seed} {finding:?}");
                    unshown += 1;
                }
            }
        }
        judged += found.complete as u64;
    }
    assert!(1_000 * unshown <= n_programs(), "{unshown}");
    assert!(
        judged > n_programs() / 8 && confirmed > n_programs() / 16,
        "{judged} {confirmed}"
    );
}

/// Programs without races by construction: no findings, one outcome, two states.
#[test]
fn race_free_programs_have_one_run() {
    for seed in 0..n_programs() / 4 {
        let generated = race_free(seed, &Sizes::default());
        let system =
            ExploredProgram::new(&generated.program, &generated.setup, &Profile::default())
                .expect("well-formed");
        let reduced = explore(&system, true);
        assert!(
            reduced.complete && reduced.findings.is_empty(),
            "{seed}: {:?}",
            reduced.findings
        );
        assert_eq!(reduced.outcomes.len(), 1, "{seed}");
        assert!(reduced.statistics.states <= 2, "{seed}");
        let full = explore(&system, false);
        if full.complete {
            assert!(full.findings.is_empty() && full.outcomes.keys().eq(reduced.outcomes.keys()));
        }
    }
}
