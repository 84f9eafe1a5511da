//! A random well-formed program never makes any layer panic: a million steps of random walks
//! through the reference (threads, blocks, grid, host) under every profile, the compiled code and
//! the canonical run on the same programs.
//!
//! Everything follows from the seed. A panic is reported with the seed and the program.

use gridlock_checker::canonical;
use gridlock_checker::compiled::compile;
use gridlock_checker::limits::Limits;
use gridlock_generation::effort;
use gridlock_generation::random::{Generated, Sizes, unrestricted, unrestricted_host};
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::print;
use gridlock_semantics::profile::{Profile, Residency};
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::transition::{Rule, TransitionSystem};
use gridlock_semantics::well_formed::check_well_formed;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Steps of one walk: random programs may go in circles.
const LONGEST: u64 = 400;

fn sizes() -> Sizes {
    Sizes {
        threads: 4,
        statements: 10,
        early_return: true,
        beyond_core: true,
        exchanges: true,
        ..Sizes::default()
    }
}

/// All named profiles, and the ways to schedule blocks that none of them has.
fn profiles() -> Vec<Profile> {
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
    profiles
}

/// SplitMix64: Steele, Lea, Flood, OOPSLA 2014.
fn next(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Steps taken, and the rules that fired.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Walked {
    n_steps: u64,
    rules: BTreeSet<Rule>,
}

impl Walked {
    fn and(mut self, other: Walked) -> Walked {
        self.n_steps += other.n_steps;
        self.rules.extend(other.rules);
        self
    }
}

/// A random walk from one initial state.
fn walk(g: &Generated, profile: &Profile) -> Walked {
    let program = Arc::new(g.program.clone());
    let system = ProgramSystem::new(program, g.setup.clone(), profile.clone())
        .unwrap_or_else(|error| panic!("refused: {error}"));
    let mut choice = g.seed;
    let mut starts = system.initial();
    let start = next(&mut choice) as usize % starts.len();
    let mut state = starts.swap_remove(start);
    let mut found = Vec::new();
    let mut walked = Walked::default();
    while walked.n_steps < LONGEST {
        found.clear();
        system.successors(&state, &mut found);
        if found.is_empty() {
            break;
        }
        let pick = next(&mut choice) as usize % found.len();
        let (label, after) = found.swap_remove(pick);
        state = after;
        walked.n_steps += 1;
        walked.rules.insert(label.rule);
    }
    // What is said of the last state is total too.
    system.is_final(&state);
    system.observe(&state);
    system.positions(&state);
    system.leaks(&state);
    walked
}

/// One program through every layer.
fn every_layer(g: &Generated, profile: &Profile) -> Walked {
    let walked = walk(g, profile);
    let atomic = atomic_form(&g.program);
    assert_eq!(check_well_formed(&atomic), Ok(()));
    let limits = Limits {
        depth: 2_000,
        seconds: 5.0,
        ..Limits::default()
    };
    let in_atomic_form = Generated {
        program: atomic,
        ..g.clone()
    };
    let compiled = compile(&in_atomic_form.program);
    canonical::run(&compiled, &g.setup, profile, &limits);
    walked.and(walk(&in_atomic_form, profile))
}

/// What `layer` gives; a panic comes back with the seed, the profile and the program.
fn guarded(
    g: &Generated,
    profile: &Profile,
    layer: fn(&Generated, &Profile) -> Walked,
) -> Result<Walked, String> {
    catch_unwind(AssertUnwindSafe(|| layer(g, profile))).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        format!(
            "seed {} under {}: {}\n{}",
            g.seed,
            profile.name,
            text.unwrap_or_default(),
            print::program(&g.program, print::PrintOptions::default())
        )
    })
}

/// The program of a seed: every third one with a host program around the kernel.
fn of_seed(seed: u64) -> Generated {
    if seed.is_multiple_of(3) {
        unrestricted_host(seed, &sizes())
    } else {
        unrestricted(seed, &sizes())
    }
}

#[test]
fn steps_of_random_programs() {
    let profiles = profiles();
    let mut all = Walked::default();
    let mut seeds = 0..0u64;
    while all.n_steps < effort::cases(125_000, 10_000_000) {
        seeds = seeds.end..seeds.end + 100;
        let batch: Result<Vec<Walked>, String> = seeds
            .clone()
            .into_par_iter()
            .map(|seed| {
                let g = of_seed(seed);
                assert_eq!(check_well_formed(&g.program), Ok(()), "seed {seed}");
                let mut walks = profiles.iter().map(|p| guarded(&g, p, every_layer));
                walks.try_fold(Walked::default(), |sum, walked| Ok(sum.and(walked?)))
            })
            .collect();
        let batch = batch.unwrap_or_else(|report| panic!("{report}"));
        all = batch.into_iter().fold(all, Walked::and);
    }
    let silent: Vec<&Rule> = Rule::ALL
        .iter()
        .filter(|rule| !all.rules.contains(rule))
        .collect();
    assert!(silent.is_empty(), "rules that never fired: {silent:?}");
}

/// The harness reports a panic: a planted one, with the seed and the program it happened on.
#[test]
fn a_planted_panic_is_reported() {
    fn planted(g: &Generated, _: &Profile) -> Walked {
        let ops = g.program.operators();
        let n_steps = u64::from(ops[ops.len()].1.id.0);
        Walked {
            n_steps,
            ..Walked::default()
        }
    }
    let g = unrestricted(41, &sizes());
    let report = guarded(&g, &Profile::default(), planted).expect_err("a panic");
    assert!(
        report.starts_with("seed 41 under cuda: index out of bounds"),
        "{report}"
    );
    assert!(report.contains("kernel"), "{report}");
    let quiet = guarded(&g, &Profile::default(), |_, _| Walked::default());
    assert_eq!(quiet, Ok(Walked::default()));
}
