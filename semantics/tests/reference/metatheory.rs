//! The lemmas other engines lean on (design: metatheory), on small random programs in every
//! schedule. M1 is tested where the canonical run is.

use crate::exploring::{Outcome, explore, explore_with};
use gridlock_semantics::fault::AccessMode;
use gridlock_semantics::generate::{Generated, Sizes, unrestricted};
use gridlock_semantics::operator::{Basic, OpKind};
use gridlock_semantics::profile::{Firing, Granularity, Profile, Warps};
use gridlock_semantics::system::{ProgramSystem, State};
use gridlock_semantics::transition::{Label, TransitionSystem};
use std::collections::BTreeSet;
use std::sync::Arc;

const LIMIT: usize = 1_500;

fn small() -> Sizes {
    Sizes {
        threads: 2,
        blocks: 1,
        statements: 4,
        ..Sizes::default()
    }
}

fn system(g: &Generated, profile: Profile) -> ProgramSystem {
    let program = Arc::new(g.program.clone());
    ProgramSystem::new(program, g.setup.clone(), profile).expect("well-formed")
}

fn outcomes(g: &Generated, profile: Profile) -> Option<BTreeSet<Outcome>> {
    let found = explore(&system(g, profile), LIMIT);
    found.complete.then_some(found.outcomes)
}

fn finals(outcomes: &BTreeSet<Outcome>) -> BTreeSet<Outcome> {
    let is_final = |outcome: &&Outcome| matches!(outcome, Outcome::Final(_));
    outcomes.iter().filter(is_final).cloned().collect()
}

/// M2: at access granularity with `merge` by write, firing sets adds no outcome to firing one at
/// a time. (At operator granularity it does: see `paper`.)
#[test]
fn m2_firing_sets_adds_no_outcome_at_access_granularity() {
    let mut n_compared = 0;
    for seed in 0..300 {
        let g = unrestricted(seed, &small());
        let one = Profile::default();
        let mut set = Profile::default();
        set.axes.firing = Firing::Set;
        assert_eq!(set.axes.granularity, Granularity::Access);
        let (Some(one), Some(set)) = (outcomes(&g, one), outcomes(&g, set)) else {
            continue;
        };
        assert_eq!(one, set, "seed {seed}");
        n_compared += 1;
    }
    assert!(n_compared > 250, "{n_compared} compared");
}

fn conflict(a: &Label, b: &Label) -> bool {
    a.accesses.iter().any(|x| {
        b.accesses.iter().any(|y| {
            let one_writes = x.mode != AccessMode::Read || y.mode != AccessMode::Read;
            x.array == y.array && x.index == y.index && one_writes
        })
    })
}

/// M3: under firing `one`, two enabled steps of different threads whose accesses do not conflict
/// commute: in either order both are enabled and lead to the same states.
#[test]
fn m3_steps_without_conflict_commute() {
    let (mut n_commuting, mut n_conflicting) = (0u64, 0u64);
    for seed in 0..150 {
        let g = unrestricted(seed, &small());
        for warps in [Warps::Independent(32), Warps::Lockstep(1)] {
            let mut profile = Profile::default();
            profile.axes.warps = warps;
            let system = system(&g, profile);
            let mut states: Vec<State> = Vec::new();
            explore_with(&system, 300, &mut |from, _, _| states.push(from.clone()));
            states.dedup();
            for state in &states {
                let mut found = Vec::new();
                system.successors(state, &mut found);
                for (i, (a, after_a)) in found.iter().enumerate() {
                    for (b, after_b) in &found[i + 1..] {
                        let ends = |state: &State| state.end.is_some();
                        if a.actors == b.actors || ends(after_a) || ends(after_b) {
                            continue;
                        }
                        if conflict(a, b) {
                            n_conflicting += 1;
                            continue;
                        }
                        let ab = then(&system, after_a, b);
                        let ba = then(&system, after_b, a);
                        assert_eq!(ab, ba, "seed {seed}: {a:?} and {b:?}");
                        assert!(!ab.is_empty());
                        n_commuting += 1;
                    }
                }
            }
        }
    }
    assert!(
        n_commuting > 1000 && n_conflicting > 10,
        "{n_commuting}, {n_conflicting}"
    );
}

/// The states reached by the transition that looks like `label`.
fn then(system: &ProgramSystem, state: &State, label: &Label) -> Vec<State> {
    let fired = system.fire(state, &label.actors);
    let same = fired.into_iter().filter(|(l, _)| l == label);
    same.map(|(_, next)| next).collect()
}

fn has_sync_warp(g: &Generated) -> bool {
    let ops = g.program.operators();
    ops.iter()
        .any(|(_, op)| matches!(op.kind, OpKind::Basic(Basic::SyncWarp { .. })))
}

/// M4: final contents of runs under `lockstep-warp` and `paper`, with the exit and divergence
/// axes of `cuda`, are final contents under `cuda`. For `paper` only of programs without
/// `__syncwarp`: it knows no warps, so it neither waits there nor refuses a bad mask.
#[test]
fn m4_lockstep_and_paper_show_nothing_cuda_does_not() {
    let mut n_compared = 0;
    let mut n_fewer = 0;
    for seed in 0..300 {
        let g = unrestricted(seed, &small());
        let Some(cuda) = outcomes(&g, Profile::default()) else {
            continue;
        };
        for name in ["lockstep-warp", "paper"] {
            let mut profile = Profile::named(name).expect("a named profile");
            let axes = Profile::default().axes;
            profile.axes.exited_threads = axes.exited_threads;
            profile.axes.divergence = axes.divergence;
            if name == "paper" && has_sync_warp(&g) {
                continue;
            }
            let Some(other) = outcomes(&g, profile) else {
                continue;
            };
            let (theirs, ours) = (finals(&other), finals(&cuda));
            assert!(theirs.is_subset(&ours), "seed {seed} under {name}");
            n_compared += 1;
            n_fewer += (theirs.len() < ours.len()) as u32;
        }
    }
    assert!(n_compared > 400, "{n_compared} compared");
    assert!(n_fewer > 5, "{n_fewer} programs show the difference");
}
