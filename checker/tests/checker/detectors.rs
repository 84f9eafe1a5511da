//! Every detector of races against the definition (`gridlock_checker::order::race`), which is asked of
//! every run of a small random program: runs are enumerated on the reference, without an engine of the
//! checker, and in each all pairs of accesses are compared.
//!
//! The definition itself is held against the axioms of the PTX memory model in `litmus_oracle`, and
//! proofs are held against searches in `proofs/tests`.

use crate::planted::exchanged;
use gridlock_checker::automaton::Automaton;
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::compiled::compile;
use gridlock_checker::explore::stateless::dependence::ByAccess;
use gridlock_checker::explore::stateless::explore_automaton;
use gridlock_checker::explore::{Exploration, ExploreOptions, explore, explore_system};
use gridlock_checker::finding::{Evidence, Finding};
use gridlock_checker::limits::Limits;
use gridlock_checker::order::Remembering;
use gridlock_checker::order::happens_before::Ordering;
use gridlock_checker::order::race::races_with;
use gridlock_checker::system::follow::Followed;
use gridlock_checker::system::{Explorable, ExploredProgram};
use gridlock_generation::random::{Generated, Sizes, race_free, unrestricted};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::{Basic, OpId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::host::State;
use gridlock_semantics::profile::{Profile, SameValueWrites};
use gridlock_semantics::transition::{Label, TransitionSystem};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Operators of two accesses that race, in ascending order.
type Pairs = BTreeSet<(OpId, OpId)>;

/// Transitions of all runs of a program before it is left out.
const MOST_TRANSITIONS: usize = 60_000;

/// All runs of a program, by depth-first search without memory of states.
struct Runs<'a> {
    system: &'a ExploredProgram,
    ordering: Ordering,
    run: Vec<Followed>,
    races: Pairs,
    n_transitions: usize,
    n_runs: usize,
}

impl Runs<'_> {
    /// What the definition says of the program; `None` where it has too many runs.
    fn races(system: &ExploredProgram) -> Option<(Pairs, usize)> {
        let mut runs = Runs {
            system,
            ordering: Ordering::new(system),
            run: Vec::new(),
            races: Pairs::new(),
            n_transitions: 0,
            n_runs: 0,
        };
        for initial in system.initial() {
            runs.go_on_from(&initial)?;
        }
        Some((runs.races, runs.n_runs))
    }

    fn go_on_from(&mut self, state: &State) -> Option<()> {
        let mut next: Vec<(Label, State)> = Vec::new();
        self.system.successors(state, &mut next);
        if next.is_empty() {
            self.n_runs += 1;
            return Some(());
        }
        // A step that no other thread can see is as good now as later, unless the run ends with it.
        let is_private = |(label, after): &(Label, State)| {
            !self.system.counts(label) && {
                let mut further = Vec::new();
                self.system.successors(after, &mut further);
                !further.is_empty()
            }
        };
        if let Some(private) = next.iter().position(is_private) {
            next = vec![next.swap_remove(private)];
        }
        for (label, after) in next {
            self.n_transitions += 1;
            if self.n_transitions > MOST_TRANSITIONS {
                return None;
            }
            let counts = self.system.counts(&label);
            let states = counts.then(|| Box::new((state.clone(), after.clone())));
            self.run.push(Followed { label, states });
            let last = self.run.len() - 1;
            let races = races_with(self.system, &self.ordering, &self.run, last);
            self.races
                .extend(races.iter().map(|(a, b)| pair(a.op, b.op)));
            self.go_on_from(&after)?;
            self.run.pop();
        }
        Some(())
    }
}

fn pair(one: OpId, other: OpId) -> (OpId, OpId) {
    (one.min(other), one.max(other))
}

fn pairs(findings: &[Finding]) -> Pairs {
    let races = findings
        .iter()
        .filter_map(|finding| match finding.evidence {
            Evidence::Race { first, second } => Some(pair(first.op, second.op)),
            _ => None,
        });
    races.collect()
}

/// What a detector says: the pairs it names, and whether what it does not name is not there.
struct Said {
    by: &'static str,
    pairs: Pairs,
    speaks_for_all: bool,
}

impl Said {
    fn of(by: &'static str, found: &Exploration) -> Said {
        Said {
            by,
            pairs: pairs(&found.findings),
            speaks_for_all: found.complete,
        }
    }
}

/// What every detector says of a program in the form that runs.
fn detectors(program: &Program, g: &Generated, profile: &Profile) -> Vec<Said> {
    let limits = Limits {
        states: 40_000,
        ..Limits::default()
    };
    let full = ExploreOptions {
        reduction: false,
        ..ExploreOptions::default()
    };
    let reduced = ExploreOptions::default();
    let system = ExploredProgram::new(program, &g.setup, profile).expect("well-formed");
    let compiled = compile(program);
    let mut said = vec![
        Said::of("command", &explore_system(&system, &limits, &reduced)),
        match system.exchanges_hide_races() {
            true => Said::of(
                "reference, remembering",
                &explore(&Remembering(&system), &limits, &full),
            ),
            false => Said::of("reference", &explore(&system, &limits, &full)),
        },
    ];
    let run = canonical::run(&compiled, &g.setup, profile, &limits);
    said.push(Said {
        by: "canonical run",
        pairs: pairs(&run.findings),
        speaks_for_all: matches!(run.status, CanonicalStatus::Decides),
    });
    if let Ok(automaton) = Automaton::of(Arc::new(system), &compiled, &g.setup) {
        said.push(Said::of("automaton", &explore(&automaton, &limits, &full)));
        let steps = Limits {
            states: 200_000,
            depth: 5_000,
            ..Limits::default()
        };
        if let Ok(found) = explore_automaton(&automaton, &ByAccess, &steps, &reduced) {
            said.push(Said::of("stateless", &found));
        }
    }
    said
}

#[derive(Debug, Default)]
struct Tally {
    programs: usize,
    racy: usize,
    free: usize,
    pairs: usize,
    runs: usize,
    judgements: usize,
    /// Pairs of the definition that a detector which speaks for all did not name (another pair it did).
    unnamed: usize,
}

impl Tally {
    fn add(self, other: Tally) -> Tally {
        Tally {
            programs: self.programs + other.programs,
            racy: self.racy + other.racy,
            free: self.free + other.free,
            pairs: self.pairs + other.pairs,
            runs: self.runs + other.runs,
            judgements: self.judgements + other.judgements,
            unnamed: self.unnamed + other.unnamed,
        }
    }
}

/// How a detector contradicts the definition.
fn contradiction(said: &Said, races: &Pairs) -> Option<String> {
    let beyond: Vec<_> = said.pairs.difference(races).collect();
    if !beyond.is_empty() {
        return Some(format!("{}: {beyond:?} are no races", said.by));
    }
    let misses = said.speaks_for_all && said.pairs.is_empty() && !races.is_empty();
    misses.then(|| format!("{}: misses all of {races:?}", said.by))
}

fn judge(g: &Generated, profile: &Profile, tally: &mut Tally) {
    let program = atomic_form(&g.program);
    let system = ExploredProgram::new(&program, &g.setup, profile).expect("well-formed");
    let Some((races, runs)) = Runs::races(&system) else {
        return;
    };
    tally.programs += 1;
    tally.runs += runs;
    tally.racy += !races.is_empty() as usize;
    tally.free += races.is_empty() as usize;
    tally.pairs += races.len();
    for said in detectors(&program, g, profile) {
        let wrong = contradiction(&said, &races);
        assert_eq!(wrong, None, "seed {}, {}", g.seed, profile.name);
        if said.speaks_for_all {
            tally.judgements += 1;
            tally.unnamed += races.difference(&said.pairs).count();
        }
    }
}

fn sizes() -> Sizes {
    Sizes {
        threads: 2,
        blocks: 2,
        all_threads: 2,
        statements: 5,
        depth: 1,
        expression_depth: 1,
        iterations: 1,
        early_return: true,
        ..Sizes::default()
    }
}

fn profiles() -> Vec<Profile> {
    let named = |name: &str| Profile::named(name).expect("a named profile");
    let mut benign = named("cuda");
    benign.name = "same values are benign".to_owned();
    benign.axes.same_value_writes = SameValueWrites::Benign;
    vec![named("cuda"), named("portable"), benign]
}

/// How many programs of each kind: `GRIDLOCK_RACES`, in `make soak`.
fn count() -> u64 {
    let asked = std::env::var("GRIDLOCK_RACES").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(200)
}

#[test]
fn every_detector_says_what_the_definition_says() {
    let profiles = profiles();
    let exchanging = Sizes {
        exchanges: true,
        blocks: 1,
        ..sizes()
    };
    let beyond = Sizes {
        beyond_core: true,
        ..sizes()
    };
    let tally = (0..count())
        .into_par_iter()
        .map(|seed| {
            let mut tally = Tally::default();
            let profile = &profiles[(seed % 3) as usize];
            judge(&unrestricted(seed, &sizes()), profile, &mut tally);
            judge(&race_free(seed, &sizes()), profile, &mut tally);
            judge(&unrestricted(seed, &exchanging), profile, &mut tally);
            judge(&unrestricted(seed, &beyond), profile, &mut tally);
            tally
        })
        .reduce(Tally::default, Tally::add);
    println!("{tally:?}");
    assert!(tally.programs as u64 > 3 * count(), "{tally:?}");
    assert!(6 * tally.racy > tally.programs, "{tally:?}");
    assert!(5 * tally.free > tally.programs, "{tally:?}");
}

/// A program other than the one the definition is asked about: the contradiction shows, for each detector.
#[test]
fn a_planted_fault_is_seen() {
    let sizes = Sizes {
        beyond_core: true,
        ..sizes()
    };
    let profile = Profile::default();
    let nothing = || {
        Some(Basic::Assert {
            cond: Expr::bool(true),
        })
    };
    let no_barrier = |basic: &Basic| match basic {
        Basic::Barrier { .. } => nothing(),
        _ => None,
    };
    let no_store = |basic: &Basic| match basic {
        Basic::Store { .. } => nothing(),
        _ => None,
    };
    let mut seen: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for seed in 0..150 {
        let g = unrestricted(seed, &sizes);
        let program = atomic_form(&g.program);
        let system = ExploredProgram::new(&program, &g.setup, &profile).expect("well-formed");
        let Some((races, _)) = Runs::races(&system) else {
            continue;
        };
        let planted = [
            (exchanged(&program, &no_barrier), false),
            (exchanged(&program, &no_store), true),
        ];
        for (planted, misses) in planted {
            for said in detectors(&planted, &g, &profile) {
                let wrong = contradiction(&said, &races);
                let found = wrong.is_some_and(|text| text.contains("misses") == misses);
                *seen.entry((said.by, misses)).or_default() += found as usize;
            }
        }
    }
    println!("{seen:?}");
    assert_eq!(seen.len(), 12, "{seen:?}");
    assert!(seen.values().all(|&n| n > 0), "{seen:?}");
}
