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
use gridlock_checker::order::race::{all_races, races_with};
use gridlock_checker::replay::shows;
use gridlock_checker::system::follow::Followed;
use gridlock_checker::system::{Explorable, ExploredProgram};
use gridlock_generation::effort;
use gridlock_generation::random::{Generated, Sizes, race_free, unrestricted};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::{Basic, OpId, OpKind};
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

/// What the definition says of all runs of a program.
#[derive(Debug, Default, PartialEq, Eq)]
struct Defined {
    /// Races of any run.
    races: Pairs,
    /// Those of runs in which every assumption holds: the others are none of the program's.
    of_admitted_runs: Pairs,
    /// Those of runs that also end without a fault. A search that reports a fault need not look beyond it.
    of_runs_without_fault: Pairs,
    n_runs: usize,
}

/// All runs of a program, by depth-first search without memory of states.
struct Runs<'a> {
    system: &'a ExploredProgram,
    ordering: Ordering,
    run: Vec<Followed>,
    /// The races of `run`.
    along: Vec<(OpId, OpId)>,
    defined: Defined,
    n_transitions: usize,
}

impl Runs<'_> {
    /// What the definition says of the program; `None` where it has too many runs.
    fn races(system: &ExploredProgram) -> Option<Defined> {
        let mut runs = Runs {
            system,
            ordering: Ordering::new(system),
            run: Vec::new(),
            along: Vec::new(),
            defined: Defined::default(),
            n_transitions: 0,
        };
        for initial in system.initial() {
            runs.go_on_from(&initial)?;
        }
        Some(runs.defined)
    }

    fn end(&mut self, state: &State) {
        // What is said of a run at once: no pair that does not race, and one where one does.
        let at_once = all_races(self.system, &self.ordering, &self.run);
        let at_once: Pairs = at_once.iter().map(|(_, a, b)| pair(a.op, b.op)).collect();
        let along: Pairs = self.along.iter().copied().collect();
        assert!(at_once.is_subset(&along), "{at_once:?} {along:?}");
        assert_eq!(at_once.is_empty(), along.is_empty(), "{along:?}");
        let defined = &mut self.defined;
        defined.n_runs += 1;
        if !self.system.is_discarded(state) {
            defined.of_admitted_runs.extend(&self.along);
            let last = self.run.last();
            if last.is_none_or(|last| last.label.fault.is_none()) {
                defined.of_runs_without_fault.extend(&self.along);
            }
        }
    }

    fn go_on_from(&mut self, state: &State) -> Option<()> {
        let mut next: Vec<(Label, State)> = Vec::new();
        self.system.successors(state, &mut next);
        if next.is_empty() {
            self.end(state);
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
            let states = counts.then(|| Arc::new((state.clone(), after.clone())));
            self.run.push(Followed {
                label: Arc::new(label),
                states,
            });
            let last = self.run.len() - 1;
            let races = races_with(self.system, &self.ordering, &self.run, last);
            let races: Vec<_> = races.iter().map(|(a, b)| pair(a.op, b.op)).collect();
            self.defined.races.extend(&races);
            let n_before = self.along.len();
            self.along.extend(races);
            self.go_on_from(&after)?;
            self.along.truncate(n_before);
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
    /// It also reports something that ends runs.
    fault: bool,
    speaks_for_all: bool,
}

impl Said {
    fn of(by: &'static str, found: &Exploration) -> Said {
        Said::found(by, &found.findings, found.complete)
    }

    fn found(by: &'static str, findings: &[Finding], speaks_for_all: bool) -> Said {
        let is_fault = |finding: &Finding| matches!(finding.evidence, Evidence::Fault(_));
        Said {
            by,
            pairs: pairs(findings),
            fault: findings.iter().any(is_fault),
            speaks_for_all,
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
    // A lane may wait at `__syncwarp`, and a thread at a barrier, until another has ended, which orders nothing. Accesses
    // that race then never stand side by side: a search that keeps no past names what it sees, and the command looks along
    // its runs.
    let is_independent = profile.axes.warps.is_independent();
    let operators = program.operators();
    let is_barrier = |op: &OpKind| matches!(op, OpKind::Basic(Basic::Barrier { .. }));
    let has_barrier = operators.iter().any(|(_, op)| is_barrier(&op.kind));
    let waits = |op: &OpKind| match op {
        OpKind::Basic(Basic::SyncWarp { .. }) => is_independent,
        OpKind::Basic(Basic::NamedBarrier { threads, .. }) => threads.is_none(),
        OpKind::Basic(Basic::Exit) => has_barrier,
        _ => false,
    };
    let ends_release = operators.iter().any(|(_, op)| waits(&op.kind));
    let without_past = |said: Said| Said {
        speaks_for_all: said.speaks_for_all && !ends_release,
        ..said
    };
    // Only the search that keeps the order of all accesses, which the command uses here, knows of order through the
    // results of atomics. What others find is an alarm, and counts once it was replayed.
    let by_atomics = profile.axes.memory.asks_for_synchronisation() && system.atomics_show_order();
    let replayed = |findings: &mut Vec<Finding>| {
        findings.retain(|finding| !by_atomics || shows(program, &g.setup, profile, finding));
    };
    let mut said = vec![Said::of(
        "command",
        &explore_system(&system, &limits, &reduced),
    )];
    if system.exchanges_hide_races() || ends_release {
        let mut found = explore(&Remembering(&system), &limits, &full);
        replayed(&mut found.findings);
        said.push(Said::of("reference, remembering", &found));
    } else {
        let found = explore(&system, &limits, &full);
        said.push(Said::of("reference", &found));
    }
    let mut run = canonical::run(&compiled, &g.setup, profile, &limits);
    let n_found = run.findings.len();
    replayed(&mut run.findings);
    let decides = matches!(
        run.status,
        CanonicalStatus::Decides | CanonicalStatus::DecidesDefects { .. }
    );
    // What is not shown in its own schedule may be in another: nothing is decided then.
    let decides = decides && run.findings.len() == n_found;
    said.push(Said::found("canonical run", &run.findings, decides));
    if let Ok(automaton) = Automaton::of(Arc::new(system), &compiled, &g.setup) {
        let found = explore(&automaton, &limits, &full);
        said.push(without_past(Said::of("automaton", &found)));
        let steps = Limits {
            states: 200_000,
            depth: 5_000,
            ..Limits::default()
        };
        if let Ok(found) = explore_automaton(&automaton, &ByAccess, &steps, &reduced) {
            said.push(without_past(Said::of("stateless", &found)));
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
    /// Contradictions.
    wrong: Vec<String>,
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
            wrong: [self.wrong, other.wrong].concat(),
        }
    }
}

/// How a detector contradicts the definition.
fn contradiction(said: &Said, defined: &Defined) -> Option<String> {
    let beyond: Vec<_> = said.pairs.difference(&defined.races).collect();
    if !beyond.is_empty() {
        return Some(format!("{}: {beyond:?} are no races", said.by));
    }
    let races = match said.fault {
        true => &defined.of_runs_without_fault,
        false => &defined.of_admitted_runs,
    };
    let misses = said.speaks_for_all && said.pairs.is_empty() && !races.is_empty();
    misses.then(|| format!("{}: misses all of {races:?}", said.by))
}

fn judge(kind: &str, g: &Generated, profile: &Profile, tally: &mut Tally) {
    let program = atomic_form(&g.program);
    let system = ExploredProgram::new(&program, &g.setup, profile).expect("well-formed");
    let Some(defined) = Runs::races(&system) else {
        return;
    };
    let races = &defined.races;
    tally.programs += 1;
    tally.runs += defined.n_runs;
    tally.racy += !races.is_empty() as usize;
    tally.free += races.is_empty() as usize;
    tally.pairs += races.len();
    for said in detectors(&program, g, profile) {
        if let Some(wrong) = contradiction(&said, &defined) {
            let program = format!("{kind} program of seed {}", g.seed);
            let profile = &profile.name;
            tally.wrong.push(format!("{program}, {profile}: {wrong}"));
        }
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

/// How many programs of each kind.
fn count() -> u64 {
    effort::cases(50, 5_000)
}

/// Judges the four programs of a seed.
fn judge_all(seed: u64, profiles: &[Profile]) -> Tally {
    let exchanging = Sizes {
        exchanges: true,
        blocks: 1,
        ..sizes()
    };
    let beyond = Sizes {
        beyond_core: true,
        ..sizes()
    };
    let mut tally = Tally::default();
    let profile = &profiles[(seed % 3) as usize];
    for (kind, program) in [
        ("unrestricted", unrestricted(seed, &sizes())),
        ("race-free", race_free(seed, &sizes())),
        ("exchanging", unrestricted(seed, &exchanging)),
        ("beyond the core", unrestricted(seed, &beyond)),
    ] {
        judge(kind, &program, profile, &mut tally);
    }
    tally
}

#[test]
fn every_detector_says_what_the_definition_says() {
    let profiles = profiles();
    let first = effort::first(0);
    let seeds = first..first + count();
    let tally = seeds
        .into_par_iter()
        .map(|seed| judge_all(seed, &profiles))
        .reduce(Tally::default, Tally::add);
    println!("{tally:?}");
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
    assert!(tally.programs as u64 > 3 * count(), "{tally:?}");
    assert!(7 * tally.racy > tally.programs, "{tally:?}");
    assert!(5 * tally.free > tally.programs, "{tally:?}");
}

/// Seeds of long runs at which a detector or this test was wrong: lanes that end while others wait at `__syncwarp`, named
/// barriers between exchanges, assumptions that fail in every run, order by atomics alone, faults that end every run, ends
/// of threads that complete a barrier.
#[test]
fn what_once_showed_a_contradiction_shows_none() {
    let seeds = [
        678_790_590,
        678_790_602,
        480_971_373,
        986,
        4314,
        5319,
        5715,
        7029,
        7130,
        7151,
        9143,
        11148,
        12023,
        12626,
        13754,
        14115,
        14757,
        15627,
        17001,
        19125,
    ];
    let profiles = profiles();
    for seed in seeds {
        if !effort::is_next_done(4) {
            continue;
        }
        assert_eq!(judge_all(seed, &profiles).wrong, [""; 0]);
    }
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
        let Some(defined) = Runs::races(&system) else {
            continue;
        };
        let planted = [
            (exchanged(&program, &no_barrier), false),
            (exchanged(&program, &no_store), true),
        ];
        for (planted, misses) in planted {
            for said in detectors(&planted, &g, &profile) {
                let wrong = contradiction(&said, &defined);
                let found = wrong.is_some_and(|text| text.contains("misses") == misses);
                *seen.entry((said.by, misses)).or_default() += found as usize;
            }
        }
    }
    println!("{seen:?}");
    assert_eq!(seen.len(), 12, "{seen:?}");
    assert!(seen.values().all(|&n| n > 0), "{seen:?}");
}
