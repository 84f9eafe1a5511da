//! **M1.** Under barrier `collective`, divergence `same-barrier`, granularity `access` and firing
//! `one`: if one complete canonical run of an input meets no race, no barrier divergence and no
//! fault, then no schedule of that input does, none deadlocks, and all end in the one outcome of
//! that run; provided that
//! - atomics leave their results unused, and on each location one commutative integer operation
//!   is applied among all accesses unordered with it,
//! - no operator is nondeterministic,
//! - who takes part in a join follows from program order.
//!
//! Where the order of atomics on floats, or of exchanges, shows in cells that no thread reads afterwards, all this holds
//! but for what these cells hold in the end.
//!
//! The canonical run is the checker's; the schedules are those of the reference.

use super::schedules::{self, End};
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::compiled::compile;
use gridlock_checker::limits::Limits;
use gridlock_generation::effort;
use gridlock_generation::random::enumerate::{Grammar, Leaf, Small};
use gridlock_generation::random::{Generated, Sizes, race_free, unrestricted};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::profile::{Profile, Warps};
use gridlock_semantics::system::observation::Observation;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Display;

/// What became of a number of kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The canonical run decided and found nothing: the lemma's premise.
    pub clean: u32,
    /// It found a race, a divergence or a fault.
    pub found: u32,
    /// The lemma's conditions did not hold.
    pub not_canonical: u32,
    /// The order of atomics shows in cells that nobody reads afterwards, and nothing was found.
    pub open_cells: u32,
}

impl Tally {
    fn add(self, other: Tally) -> Tally {
        Tally {
            clean: self.clean + other.clean,
            found: self.found + other.found,
            not_canonical: self.not_canonical + other.not_canonical,
            open_cells: self.open_cells + other.open_cells,
        }
    }
}

/// Judges one kernel; one with more than `most` states is left out.
fn judge(g: &Generated, profile: &Profile, most: usize, what: &dyn Display) -> Tally {
    let compiled = compile(&atomic_form(&g.program));
    let run = canonical::run(&compiled, &g.setup, profile, &Limits::default());
    let mut tally = Tally::default();
    if !run.findings.is_empty() {
        tally.found += 1;
        return tally;
    }
    match &run.status {
        CanonicalStatus::Decides => tally.clean += 1,
        CanonicalStatus::DecidesDefects { .. } => {
            tally.open_cells += u32::from(differs_in_atomics_alone(g, profile, most, what));
            return tally;
        }
        CanonicalStatus::NotCanonical { .. } | CanonicalStatus::Cycle { .. } => {
            tally.not_canonical += 1;
            return tally;
        }
        CanonicalStatus::AssumptionFailed => return tally,
        other => panic!("{what}: {other:?}"),
    }
    let Some(all) = schedules::all(g, profile, most) else {
        return Tally::default();
    };
    let seen = run.observation.map(End::Final);
    assert!(all.ends.iter().eq(seen.iter()), "{what}: {:?}", all.ends);
    assert!(all.races.is_empty(), "{what}: {:?}", all.races);
    tally
}

/// Whether all schedules end well and alike but for cells that atomics touch; panics where one does not. `false` where
/// there are too many.
fn differs_in_atomics_alone(
    g: &Generated,
    profile: &Profile,
    most: usize,
    what: &dyn Display,
) -> bool {
    let mut open: BTreeSet<i64> = BTreeSet::new();
    let system = schedules::system(g, profile);
    let all = schedules::all_with(&system, most, &mut |_, steps| {
        let accesses = steps.iter().flat_map(|(label, _)| &label.accesses);
        let atomics = accesses.filter(|access| access.mode.is_atomic());
        open.extend(atomics.map(|access| access.index));
    });
    let Some(all) = all else {
        return false;
    };
    assert!(all.races.is_empty(), "{what}: {:?}", all.races);
    let without_open = |end: &End| match end {
        End::Final(seen) => {
            let mut seen = seen.clone();
            for array in &mut seen.arrays {
                for index in open.iter().filter_map(|at| usize::try_from(*at).ok()) {
                    if let Some(cell) = array.cells.get_mut(index) {
                        *cell = Value::Undef;
                    }
                }
            }
            seen
        }
        other => panic!("{what}: {other:?}"),
    };
    let ends: BTreeSet<Observation> = all.ends.iter().map(without_open).collect();
    assert_eq!(ends.len(), 1, "{what}: {ends:?}");
    true
}

fn judge_all(kernels: &[Small], launch: (u32, u32), profile: &str) -> Tally {
    let profile = Profile::named(profile).expect("a named profile");
    let one = |(number, kernel): (usize, &Small)| {
        let g = kernel.generated(launch.0, launch.1, number as u64);
        judge(&g, &profile, usize::MAX, kernel)
    };
    kernels
        .par_iter()
        .enumerate()
        .map(one)
        .reduce(Tally::default, Tally::add)
}

fn tally(clean: u32, found: u32, not_canonical: u32, open_cells: u32) -> Tally {
    Tally {
        clean,
        found,
        not_canonical,
        open_cells,
    }
}

/// Those that a short run judges, which has a tally of its own.
fn some(kernels: Vec<Small>) -> Vec<Small> {
    kernels.into_iter().step_by(SHARE).collect()
}

/// A short run judges one kernel in so many where they are many.
const SHARE: usize = 7;

#[test]
fn every_kernel_of_two_operators() {
    let kernels = Grammar::full().with(Leaf::SyncWarp).up_to(2);
    assert_eq!(kernels.len(), 604);
    for (launch, profile, expected) in [
        ((1, 2), "cuda", tally(188, 382, 12, 22)),
        ((1, 2), "cuda-hw", tally(191, 379, 12, 22)),
        ((1, 2), "portable", tally(188, 382, 12, 22)),
        ((2, 1), "cuda", tally(191, 379, 12, 22)),
        ((2, 2), "cuda", tally(127, 443, 12, 22)),
    ] {
        // Four threads take four times as long as all others.
        if launch == (2, 2) && !effort::is_done(1, 2) {
            let found = judge_all(&some(kernels), launch, profile);
            assert_eq!(found, tally(18, 64, 3, 2), "{launch:?} under {profile}");
            break;
        }
        let found = judge_all(&kernels, launch, profile);
        assert_eq!(found, expected, "{launch:?} under {profile}");
    }
}

#[test]
fn every_kernel_of_three_operators() {
    let kernels = Grammar::full().of_size(3);
    assert_eq!(kernels.len(), 23_572);
    let (kernels, expected) = match effort::seed() {
        None => (
            some(kernels),
            [tally(625, 2_565, 97, 81), tally(635, 2_551, 98, 84)],
        ),
        Some(_) => (
            kernels,
            [
                tally(4_372, 17_954, 688, 558),
                tally(4_477, 17_852, 684, 559),
            ],
        ),
    };
    let in_a_block = judge_all(&kernels, (1, 2), "cuda");
    let in_two_blocks = judge_all(&kernels, (2, 1), "cuda");
    assert_eq!([in_a_block, in_two_blocks], expected);
}

#[test]
fn every_core_kernel_of_four_operators() {
    let kernels = Grammar::core().of_size(4);
    assert_eq!(kernels.len(), 31_232);
    let (kernels, expected) = match effort::seed() {
        None => (some(kernels), tally(1_867, 2_355, 240, 0)),
        Some(_) => (kernels, tally(12_916, 16_705, 1_611, 0)),
    };
    let found = judge_all(&kernels, (1, 2), "cuda");
    assert_eq!(found, expected);
}

fn n_random() -> u32 {
    effort::cases(300, 1_000) as u32
}

fn judge_random(sizes: &Sizes) -> Tally {
    let profiles: Vec<Profile> = Profile::all();
    let canonical: Vec<&Profile> = profiles
        .iter()
        .filter(|p| p.admits_canonical_run() && !matches!(p.axes.warps, Warps::Lockstep(_)))
        .collect();
    (0..u64::from(n_random()))
        .into_par_iter()
        .map(|seed| {
            let profile = canonical[seed as usize % canonical.len()];
            let both = [unrestricted(seed, sizes), race_free(seed, sizes)];
            both.iter()
                .map(|g| judge(g, profile, 1_500, &seed))
                .fold(Tally::default(), Tally::add)
        })
        .reduce(Tally::default, Tally::add)
}

fn larger() -> Sizes {
    Sizes {
        threads: 2,
        statements: 6,
        ..Sizes::default()
    }
}

/// Beyond: random kernels with all types, shared memory, calls, floats, faults.
#[test]
fn random_larger_kernels() {
    let tally = judge_random(&larger());
    assert!(
        tally.clean > n_random() * 4 / 5 && tally.found > n_random() * 2 / 5,
        "{tally:?}"
    );
}

/// And with what is outside the core: warp operations, named and grid barriers, fences.
#[test]
fn random_kernels_beyond_the_core() {
    let tally = judge_random(&Sizes {
        exchanges: true,
        beyond_core: true,
        ..larger()
    });
    assert!(
        tally.clean > n_random() * 2 / 5 && tally.found > n_random() * 2 / 5,
        "{tally:?}"
    );
    assert!(tally.not_canonical > n_random() * 3 / 100, "{tally:?}");
}
