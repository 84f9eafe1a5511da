//! Host programs explored launch by launch, each launch compiled, against the reference semantics
//! of the whole.

use crate::planted::exchanged;
use gridlock_checker::automaton::Keeps;
use gridlock_checker::compiled::compile;
use gridlock_checker::explore::{Exploration, ExploreOptions, Outcome, explore, explore_launches};
use gridlock_checker::finding::Evidence;
use gridlock_checker::limits::Limits;
use gridlock_checker::order::Remembering;
use gridlock_checker::order::synchronisation::Tracked;
use gridlock_checker::replay::{confirm_in, observation_after};
use gridlock_checker::system::ExploredProgram;
use gridlock_generation::effort;
use gridlock_generation::random::{Generated, Sizes, unrestricted_host};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, CopyKind, OpKind};
use gridlock_semantics::profile::{Profile, Warps};
use gridlock_semantics::transition::Actor;
use std::collections::BTreeSet;
use std::sync::Arc;

fn limits() -> Limits {
    Limits {
        states: 4_000,
        ..Limits::default()
    }
}

fn options(reduction: bool) -> ExploreOptions {
    ExploreOptions {
        reduction,
        ..ExploreOptions::default()
    }
}

fn profiles() -> [Profile; 3] {
    let named = |name| Profile::named(name).expect("a named profile");
    let mut small_warps = named("cuda");
    small_warps.axes.warps = Warps::Independent(2);
    [named("cuda"), named("portable"), small_warps]
}

fn sizes() -> Sizes {
    Sizes {
        statements: 3,
        exchanges: true,
        ..Sizes::default()
    }
}

/// Kinds of findings, with the operators of races.
fn findings(found: &Exploration) -> BTreeSet<(String, Option<(u32, u32)>)> {
    let of = |f: &gridlock_checker::finding::Finding| {
        let ops = match &f.evidence {
            Evidence::Race { first, second } => {
                let (a, b) = (first.op.0, second.op.0);
                Some((a.min(b), a.max(b)))
            }
            _ => None,
        };
        (f.kind.name().to_owned(), ops)
    };
    found.findings.iter().map(of).collect()
}

/// What the reference finds that keeps as much, and what it says against sequential consistency.
fn expected(system: &Arc<ExploredProgram>, keeps: Keeps) -> (Exploration, Vec<String>) {
    let (limits, options) = (limits(), options(false));
    let words = |reasons: Vec<_>| reasons.iter().map(|r| format!("{r:?}")).collect();
    match keeps {
        Keeps::Nothing => (explore(&**system, &limits, &options), Vec::new()),
        Keeps::Past => (explore(&Remembering(system), &limits, &options), Vec::new()),
        Keeps::Order => {
            let tracked = Tracked::new(system);
            let found = explore(&tracked, &limits, &options);
            (found, words(tracked.reasons()))
        }
    }
}

fn program(generated: &Generated, profile: &Profile) -> Arc<ExploredProgram> {
    let system = ExploredProgram::new(&generated.program, &generated.setup, profile);
    Arc::new(system.expect("it fits"))
}

/// What the programs compared were made of.
#[derive(Debug, Default)]
struct Tally {
    judged: u32,
    launches: u32,
    two_launches: u32,
    copies_back: u32,
    racy: u32,
    faulty: u32,
    deadlocked: u32,
    weak: u32,
    several_outcomes: u32,
}

impl Tally {
    fn add(&mut self, system: &ExploredProgram, found: &Exploration) {
        let mut copies_back = false;
        for (_, op) in system.program().operators() {
            let to_host = |kind| matches!(kind, CopyKind::DeviceToHost);
            copies_back |=
                matches!(&op.kind, OpKind::Basic(Basic::Copy { kind, .. }) if to_host(*kind));
        }
        let n_launches = |schedule: &[gridlock_checker::finding::ScheduleStep]| {
            let device = schedule.iter().filter(|s| s.actors == [Actor::Device]);
            device
                .map(|step| step.steps as usize)
                .sum::<usize>()
                .div_ceil(2)
        };
        let most = found.outcomes.values().map(|s| n_launches(s)).max();
        let kinds = findings(found);
        let has = |kind: &str| kinds.iter().any(|(name, _)| name == kind) as u32;
        let faults = |o: &&Outcome| matches!(o, Outcome::Fault { .. });
        self.judged += 1;
        self.launches += (most >= Some(1)) as u32;
        self.two_launches += (most >= Some(2)) as u32;
        self.copies_back += (most >= Some(1) && copies_back) as u32;
        self.racy += has("data-race");
        self.deadlocked += has("deadlock");
        self.faulty += found.outcomes.keys().any(|o| faults(&o)) as u32;
        self.several_outcomes += (found.outcomes.len() > 1) as u32;
    }
}

#[test]
fn launch_by_launch_is_what_the_reference_does() {
    let n = effort::cases(150, 20_000);
    let mut tally = Tally::default();
    // 702: a plain read beside an atomic that changes nothing; 761: a launch whose runs are all discarded.
    for seed in (0..n).chain([702, 761]) {
        let generated = unrestricted_host(seed, &sizes());
        let profile = &profiles()[(seed % 3) as usize];
        let system = program(&generated, profile);
        let keeps = match seed / 3 % 3 {
            // Where nothing is known of warps, no lane's exchange hides a race.
            1 if profile.axes.warps.are_known() => Keeps::Past,
            2 => Keeps::Order,
            _ => Keeps::Nothing,
        };
        let compiled = compile(system.program());
        let found = explore_launches(&system, &compiled, keeps, &limits(), &options(true));
        let Some(found) = found.filter(|found| found.complete) else {
            continue;
        };
        let (wanted, reasons) = expected(&system, keeps);
        if !wanted.complete {
            continue;
        }
        let seed = (seed, &profile.name, keeps);
        assert!(found.outcomes.keys().eq(wanted.outcomes.keys()), "{seed:?}");
        assert_eq!(findings(&found), findings(&wanted), "{seed:?}");
        assert_eq!(found.deadlocks.len(), wanted.deadlocks.len(), "{seed:?}");
        for reason in &found.weak_memory {
            assert!(reasons.contains(&format!("{reason:?}")), "{seed:?}");
        }
        assert!(
            found.weak_memory.is_empty() == reasons.is_empty(),
            "{seed:?}"
        );
        tally.weak += !reasons.is_empty() as u32;
        for finding in &found.findings {
            let confirmed = keeps == Keeps::Past || confirm_in(&system, finding).is_some();
            assert!(confirmed, "{seed:?} {finding:?}");
        }
        for (outcome, schedule) in &found.outcomes {
            if let Outcome::Observation(wanted) = outcome {
                let seen = observation_after(&system, schedule);
                assert_eq!(seen.as_ref(), Some(wanted), "{seed:?}");
            }
        }
        tally.add(&system, &found);
    }
    let n = n as u32;
    let Tally {
        judged,
        launches,
        two_launches,
        copies_back,
        racy,
        faulty,
        weak,
        several_outcomes,
        ..
    } = tally;
    assert!(judged > n / 2 && launches > n / 5, "{tally:?}");
    assert!(two_launches > n / 30 && copies_back > n / 10, "{tally:?}");
    assert!(racy > n / 20 && faulty > n / 5 && weak > 0, "{tally:?}");
    assert!(several_outcomes > n / 20, "{tally:?}");
}

/// A fault planted in the code of the launches is seen at the end of the program.
#[test]
fn other_launches_are_told_apart() {
    let other_atomic = |basic: &Basic| match basic {
        Basic::Atomic {
            function: AtomicFn::Add,
            scope,
            pointer,
            operands,
            result,
        } => Some(Basic::Atomic {
            function: AtomicFn::Max,
            scope: *scope,
            pointer: pointer.clone(),
            operands: operands.clone(),
            result: *result,
        }),
        Basic::Barrier { .. } => Some(Basic::Assert {
            cond: gridlock_semantics::algebra::expr::Expr::bool(false),
        }),
        _ => None,
    };
    let (mut planted_in, mut seen) = (0, 0);
    for seed in 0..60 {
        let generated = unrestricted_host(seed, &sizes());
        let system = program(&generated, &profiles()[0]);
        let changed = exchanged(system.program(), &other_atomic);
        if changed == **system.program() {
            continue;
        }
        let explored = |program| {
            let compiled = compile(program);
            let keeps = Keeps::Nothing;
            explore_launches(&system, &compiled, keeps, &limits(), &options(true))
        };
        let Some(right) = explored(system.program()) else {
            continue;
        };
        planted_in += 1;
        // What cannot be followed on the reference is not believed.
        seen += explored(&changed)
            .is_none_or(|wrong| !wrong.outcomes.keys().eq(right.outcomes.keys()))
            as u32;
    }
    assert!(seen > planted_in / 4 && seen > 3, "{seen} of {planted_in}");
}
