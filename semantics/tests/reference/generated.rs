//! Random well-formed programs: stepping them is total under every profile, and the generators
//! keep their promises.

use crate::exploring::{Outcome, explore, explore_with};
use gridlock_generation::effort;
use gridlock_generation::random::{Generated, Sizes, Unrestricted, race_free, unrestricted};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::host::State;
use gridlock_semantics::profile::{Profile, Residency};
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::transition::{Actor, TransitionSystem};
use gridlock_semantics::well_formed::check_well_formed;
use quickcheck::Arbitrary;
use std::sync::Arc;

fn system(generated: &Generated, profile: &Profile) -> ProgramSystem {
    let program = Arc::new(generated.program.clone());
    ProgramSystem::new(program, generated.setup.clone(), profile.clone())
        .unwrap_or_else(|error| panic!("seed {}: {error}", generated.seed))
}

/// A run that takes the transition `pick` chooses in every state.
fn run(system: &ProgramSystem, mut state: State, mut pick: impl FnMut(usize) -> usize) -> State {
    let mut found = Vec::new();
    for _ in 0..10_000 {
        found.clear();
        system.successors(&state, &mut found);
        if found.is_empty() {
            return state;
        }
        let n = found.len();
        state = found.swap_remove(pick(n) % n).1;
    }
    panic!("a generated program does not end");
}

#[test]
fn stepping_well_formed_programs_is_total() {
    let sizes = Sizes {
        threads: 4,
        statements: 8,
        early_return: true,
        ..Sizes::default()
    };
    let mut profiles = Profile::all();
    for residency in [
        Residency::RunToCompletion,
        Residency::Resident(1),
        Residency::EveryResident,
    ] {
        let mut profile = Profile::default();
        profile.axes.safety.residency = residency;
        profiles.push(profile);
    }
    for seed in 0..150 {
        for generated in [unrestricted(seed, &sizes), race_free(seed, &sizes)] {
            assert_eq!(check_well_formed(&generated.program), Ok(()), "seed {seed}");
            for profile in &profiles {
                let system = system(&generated, profile);
                let mut choice = seed;
                for start in system.initial() {
                    let last = run(&system, start, |n| {
                        choice = choice
                            .wrapping_mul(6364136223846793005)
                            .wrapping_add(n as u64);
                        (choice >> 33) as usize
                    });
                    // Observing and describing the last state is total too.
                    system.observe(&last);
                    system.positions(&last);
                }
            }
        }
    }
}

#[test]
fn race_free_programs_have_one_outcome() {
    let mut n_complete = 0;
    for seed in 0..25 {
        let generated = race_free(seed, &Sizes::default());
        for name in ["cuda", "cuda-hw", "portable", "lockstep-warp", "paper"] {
            let profile = Profile::named(name).expect("a named profile");
            let found = explore(&system(&generated, &profile), 2_000);
            let finals = found
                .outcomes
                .iter()
                .filter(|o| matches!(o, Outcome::Final(_)));
            assert!(finals.count() <= 1, "seed {seed} under {name}");
            let others = found
                .outcomes
                .iter()
                .find(|o| !matches!(o, Outcome::Final(_)));
            assert_eq!(others, None, "seed {seed} under {name}");
            n_complete += found.complete as u32;
        }
    }
    assert!(
        n_complete > 60,
        "only {n_complete} of 125 explorations were complete"
    );
}

#[test]
fn unrestricted_programs_go_wrong_in_many_ways() {
    let mut faults = std::collections::BTreeSet::new();
    let mut n_several = 0;
    for seed in 0..400 {
        let generated = unrestricted(seed, &Sizes::default());
        let found = explore(&system(&generated, &Profile::default()), 1_000);
        n_several += (found.outcomes.len() > 1) as u32;
        for outcome in found.outcomes {
            match outcome {
                Outcome::Fault(name) => {
                    let name = name.split([' ', '(']).next().unwrap_or_default().to_owned();
                    faults.insert(name);
                }
                Outcome::Deadlock => {
                    faults.insert("Deadlock".to_owned());
                }
                Outcome::Final(_) => {}
            }
        }
    }
    for expected in [
        "AssertionFailed",
        "BarrierDivergence",
        "DivisionByZero",
        "OutOfBounds",
        "UndefinedArithmetic",
        "UninitialisedRead",
    ] {
        assert!(faults.contains(expected), "no {expected} in {faults:?}");
    }
    assert!(
        n_several > 20,
        "only {n_several} programs with several outcomes"
    );
}

/// `fire` gives exactly the transitions that `successors` labels with the same actors.
#[test]
fn firing_actors_agrees_with_successors() {
    for seed in 0..120 {
        let generated = unrestricted(seed, &Sizes::default());
        for profile in Profile::all() {
            let system = system(&generated, &profile);
            let mut state = system.initial().remove(0);
            for step in 0..40 {
                let mut found = Vec::new();
                system.successors(&state, &mut found);
                if found.is_empty() {
                    break;
                }
                for (label, next) in &found {
                    let collective =
                        label.rule == gridlock_semantics::transition::Rule::CollectiveBarrier;
                    let mut actors = label.actors.clone();
                    if collective {
                        for actor in &mut actors {
                            if let Actor::Thread { block, .. } = *actor {
                                *actor = Actor::Block(block);
                            }
                        }
                        actors.dedup();
                    }
                    let fired = system.fire(&state, &actors);
                    assert!(
                        fired.iter().any(|(l, s)| l == label && s == next),
                        "seed {seed} under {} step {step}: {label:?}",
                        profile.name
                    );
                }
                let next = (seed as usize + step) % found.len();
                state = found.swap_remove(next).1;
            }
        }
    }
}

/// Every rule that a launch can fire fires in random programs; R8 and R9 are the host's.
#[test]
fn every_rule_of_a_launch_fires() {
    use gridlock_semantics::transition::Rule;
    let mut fired = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let generated = unrestricted(seed, &Sizes::default());
        for name in ["cuda", "paper-literal"] {
            let profile = Profile::named(name).expect("a named profile");
            let system = system(&generated, &profile);
            explore_with(&system, 100, &mut |_, label, _| {
                fired.insert(label.rule);
            });
        }
    }
    use Rule::*;
    for rule in [
        R1,
        R2,
        R3,
        R4,
        R5,
        R6,
        R7,
        R10,
        Merge,
        CollectiveBarrier,
        WarpBarrier,
        WarpExchange,
    ] {
        assert!(fired.contains(&rule), "{rule:?} never fires");
    }
    assert!(!fired.contains(&R8) && !fired.contains(&R9));
}

/// What shrinking makes is well-formed, smaller, and stepped like everything else.
#[test]
fn shrinking_keeps_programs_well_formed() {
    fn property(program: Unrestricted) -> bool {
        let n_operators = program.0.program.operators().len();
        program.shrink().all(|smaller| {
            let last = system(&smaller.0, &Profile::default());
            let mut turn = 0;
            let mut state = last.initial().remove(0);
            // A loop without its initialisation or step need not end.
            for _ in 0..200 {
                let mut found = Vec::new();
                last.successors(&state, &mut found);
                if found.is_empty() {
                    break;
                }
                turn += 1;
                let next = turn % found.len();
                state = found.swap_remove(next).1;
            }
            check_well_formed(&smaller.0.program) == Ok(())
                && smaller.0.program.operators().len() < n_operators
        })
    }
    quickcheck::QuickCheck::new()
        .tests(effort::cases(20, 20_000))
        .quickcheck(property as fn(Unrestricted) -> bool);
}

/// Barriers, races and faults stay away from race-free programs also where threads return early.
#[test]
fn race_free_programs_may_return_early() {
    let sizes = Sizes {
        early_return: true,
        ..Sizes::default()
    };
    let mut n_returning = 0;
    for seed in 0..60 {
        let generated = race_free(seed, &sizes);
        let found = explore(&system(&generated, &Profile::default()), 800);
        assert!(found.outcomes.len() <= 1, "seed {seed}");
        let fine = found
            .outcomes
            .iter()
            .all(|o| matches!(o, Outcome::Final(_)));
        assert!(fine, "seed {seed}: {:?}", found.outcomes);
        let ops = generated.program.operators();
        let exits = |op: &Op| matches!(op.kind, OpKind::Basic(Basic::Exit));
        n_returning += ops.iter().any(|(_, op)| exits(op)) as u32;
    }
    assert!(n_returning > 5, "{n_returning}");
}

/// The system of one thread alone is deterministic: it starts in one state, and of each state at most one other comes
/// (paper 2, section 2.2).
#[test]
fn one_thread_alone_is_deterministic() {
    fn goes_one_way(seed: u64) -> bool {
        let sizes = Sizes {
            threads: 1,
            all_threads: 1,
            statements: 12,
            early_return: true,
            ..Sizes::default()
        };
        let generated = unrestricted(seed, &sizes);
        ["paper", "paper-literal", "cuda"].iter().all(|name| {
            let profile = Profile::named(name).expect("a named profile");
            let system = system(&generated, &profile);
            let mut states = system.initial();
            let mut found = Vec::new();
            for _ in 0..1_000 {
                let [state] = &states[..] else {
                    return states.is_empty();
                };
                found.clear();
                system.successors(state, &mut found);
                states = found.drain(..).map(|(_, next)| next).collect();
            }
            true
        })
    }
    quickcheck::QuickCheck::new()
        .tests(100)
        .quickcheck(goes_one_way as fn(u64) -> bool);
}

/// A program is determined by its seed and sizes.
#[test]
fn generation_is_reproducible() {
    for seed in [0, 1, u64::MAX] {
        assert_eq!(
            unrestricted(seed, &Sizes::default()),
            unrestricted(seed, &Sizes::default())
        );
        assert_eq!(
            race_free(seed, &Sizes::default()),
            race_free(seed, &Sizes::default())
        );
    }
    assert_ne!(
        unrestricted(1, &Sizes::default()).program,
        unrestricted(2, &Sizes::default()).program
    );
}
