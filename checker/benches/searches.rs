//! The two stateful searches beside each other: the one over words, which compiled launches take, and
//! the one over any transition system. Each line is a launch searched in a process of its own: states,
//! seconds of processors in the quickest of five runs, the memory it took at most, and both as
//! multiples of the first line of its group.
//!
//! *Interned* is the search over any system on the reference with its states numbered, each found
//! once. It measures what the search over words could make of states of the reference
//! (docs/decisions/two-searches.md).

#[path = "../tests/checker/algebra.rs"]
mod algebra;

use algebra::*;
use gridlock_checker::automaton::{Automaton, Keeps};
use gridlock_checker::compiled::compile;
use gridlock_checker::explore::{
    Exploration, ExploreOptions, explore, explore_flat, explore_threadwise,
};
use gridlock_checker::limits::Limits;
use gridlock_checker::system::footprint::AccessClass;
use gridlock_checker::system::{Explorable, ExploredProgram};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{Builtin, Expr};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, ShuffleMode, WarpFn};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::host::State;
use gridlock_semantics::memory::conflict::AccessKind;
use gridlock_semantics::profile::{MemoryModel, Profile};
use gridlock_semantics::setup::Setup;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::transition::fault::ThreadPosition;
use gridlock_semantics::transition::{Access, Label, TransitionSystem};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// Each case is run so often; the quickest counts.
const RUNS: usize = 5;
/// Names the case that a process is to run.
const CASE: &str = "GRIDLOCK_SEARCH";

/// What is searched, and how; the first of a group is what the others are compared with.
#[derive(Clone, Copy)]
enum Search {
    /// Words, on the automaton.
    Flat { reduction: bool },
    /// Any system, on the automaton.
    Automaton { reduction: bool },
    /// Any system, on the reference.
    Reference { reduction: bool },
    /// Every state of the reference, each numbered.
    Interned,
}

impl Search {
    fn name(self) -> String {
        let (name, reduction) = match self {
            Search::Flat { reduction } => ("words", reduction),
            Search::Automaton { reduction } => ("any system, automaton", reduction),
            Search::Reference { reduction } => ("any system, reference", reduction),
            Search::Interned => ("any system, reference interned", false),
        };
        let every = if reduction { "reduced" } else { "every state" };
        format!("{name}, {every}")
    }

    fn run(self, program: &Program, setup: &Setup) -> Exploration {
        let mut profile = Profile::default();
        profile.axes.memory = MemoryModel::Sc;
        let system = ExploredProgram::new(program, setup, &profile).expect("the setup fits");
        let system = Arc::new(system);
        let automaton = || {
            let code = compile(system.program());
            let made = Automaton::keeping(system.clone(), &code, setup, Keeps::Nothing);
            made.expect("it is one")
        };
        let limits = Limits::default();
        let options = |reduction| ExploreOptions {
            reduction,
            ..ExploreOptions::default()
        };
        match self {
            Search::Flat { reduction } => explore_flat(&automaton(), &limits, &options(reduction)),
            Search::Automaton { reduction } => {
                explore_threadwise(&automaton(), &limits, &options(reduction))
            }
            Search::Reference { reduction } => {
                explore_threadwise(&*system, &limits, &options(reduction))
            }
            Search::Interned => explore(&Interned::new(&system), &limits, &options(false)),
        }
    }
}

/// The reference with its states numbered.
struct Interned<'a> {
    system: &'a ExploredProgram,
    known: RwLock<Known>,
}

#[derive(Default)]
struct Known {
    numbers: FxHashMap<Arc<State>, u32>,
    states: Vec<Arc<State>>,
}

impl Interned<'_> {
    fn new(system: &ExploredProgram) -> Interned<'_> {
        let known = RwLock::default();
        Interned { system, known }
    }

    fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self, number: u32) -> Arc<State> {
        self.read().states[number as usize].clone()
    }

    fn number(&self, state: State) -> u32 {
        if let Some(number) = self.read().numbers.get(&state) {
            return *number;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let next = known.states.len() as u32;
        let state = Arc::new(state);
        let number = *known.numbers.entry(state.clone()).or_insert(next);
        if number == next {
            known.states.push(state);
        }
        number
    }
}

impl TransitionSystem for Interned<'_> {
    type State = u32;

    fn initial(&self) -> Vec<u32> {
        let states = self.system.initial().into_iter();
        states.map(|state| self.number(state)).collect()
    }

    fn successors(&self, state: &u32, found: &mut Vec<(Label, u32)>) {
        let mut plain = Vec::new();
        self.system.successors(&self.state(*state), &mut plain);
        let numbered = |(label, state)| (label, self.number(state));
        found.extend(plain.into_iter().map(numbered));
    }

    fn is_final(&self, state: &u32) -> bool {
        self.system.is_final(&self.state(*state))
    }

    fn is_discarded(&self, state: &u32) -> bool {
        self.system.is_discarded(&self.state(*state))
    }
}

impl Explorable for Interned<'_> {
    fn observe(&self, state: &u32) -> Observation {
        self.system.observe(&self.state(*state))
    }

    fn positions(&self, state: &u32) -> Vec<ThreadPosition> {
        Explorable::positions(self.system, &self.state(*state))
    }

    fn access_class(&self, access: &Access) -> AccessClass {
        self.system.access_class(access)
    }

    fn access_kind(&self, access: &Access) -> AccessKind {
        self.system.access_kind(access)
    }

    fn is_benign(&self, state: &u32, first: &Access, second: &Access) -> bool {
        self.system.is_benign(&self.state(*state), first, second)
    }
}

/// A ticket lock: threads draw a number and wait until it is served, round after round.
fn ticket(n_threads: u32, n_rounds: i32) -> (Program, Setup) {
    let mut draft = Draft::new();
    let zero = || Some(vec![0]);
    let next = draft.array("next", Space::Global, 1, zero());
    let serving = draft.array("serving", Space::Global, 1, zero());
    let counter = draft.array("counter", Space::Global, 1, zero());
    let [k, my, seen, v] = ["k", "my", "seen", "v"].map(|name| draft.local(name));
    let look = || atomic(AtomicFn::Add, serving.plus(0), 0, Some(&seen));
    let body = vec![
        atomic(AtomicFn::Add, next.plus(0), 1, Some(&my)),
        look(),
        repeat(seen.clone().differs(my.clone()), vec![look()]),
        set(&v, counter.at(0)),
        put(&counter, 0, v.clone() + 1),
        atomic(AtomicFn::Exch, serving.plus(0), my.clone() + 1, None),
    ];
    let rounds = counted(&k, 0, k.clone().lt(n_rounds), k.clone() + 1, body);
    let program = draft.kernel(vec![rounds]);
    let setup = kernel_setup(&program, 1, n_threads, Vec::new());
    (program, setup)
}

/// A tree sum of twice as many elements as there are threads.
fn tree_sum(n_threads: u32) -> (Program, Setup) {
    let mut draft = Draft::new();
    let n = n_threads as u64 * 2;
    let s = draft.array("s", Space::Global, n, Some(vec![1; n as usize]));
    let h = draft.local("h");
    let add = when(
        tid().lt(h.clone()),
        vec![put(&s, tid(), s.at(tid()) + s.at(tid() + h.clone()))],
    );
    let levels = counted(
        &h,
        n_threads as i32,
        h.clone().gt(0),
        h.clone() / 2,
        vec![add, barrier()],
    );
    let program = draft.kernel(vec![levels]);
    let setup = kernel_setup(&program, 1, n_threads, Vec::new());
    (program, setup)
}

/// Lanes add up what they read by shuffles; each writes the sum.
fn warp_sum(n_threads: u32) -> (Program, Setup) {
    let mut draft = Draft::new();
    let n = n_threads as usize;
    let input = draft.array("in", Space::Global, n as u64, Some(vec![1; n]));
    let output = draft.array("out", Space::Global, n as u64, Some(vec![0; n]));
    let [v, got, d] = ["v", "got", "d"].map(|name| draft.local(name));
    let mask = Expr::int(ScalarType::U32, (1 << n_threads) - 1);
    let width = Expr::builtin(Builtin::WarpSize);
    let shuffle = basic(Basic::Warp {
        function: WarpFn::Shuffle(ShuffleMode::Xor),
        mask,
        operands: vec![v.0.clone(), d.0.clone(), width],
        result: Some(got.var()),
    });
    let step = vec![shuffle, set(&v, v.clone() + got.clone())];
    let half = n_threads as i32 / 2;
    let sums = counted(&d, half, d.clone().gt(0), d.clone() / 2, step);
    let program = draft.kernel(vec![
        set(&v, input.at(tid())),
        sums,
        put(&output, tid(), v.clone()),
        set(&v, output.at(tid())),
        put(&output, tid(), v.clone() + 1),
    ]);
    let setup = kernel_setup(&program, 1, n_threads, Vec::new());
    (program, setup)
}

type Group = (&'static str, (Program, Setup), Vec<Search>);

fn groups() -> Vec<Group> {
    let words = Search::Flat { reduction: false };
    let on_the_automaton = Search::Automaton { reduction: false };
    let on_the_reference = Search::Reference { reduction: false };
    vec![
        (
            "ticket lock, 3 threads, 2 rounds",
            ticket(3, 2),
            vec![words, on_the_automaton, on_the_reference, Search::Interned],
        ),
        (
            "ticket lock, 3 threads, 10 rounds",
            ticket(3, 10),
            vec![words, on_the_automaton],
        ),
        (
            "tree sum, 8 threads",
            tree_sum(8),
            vec![words, on_the_automaton],
        ),
        (
            "tree sum, 4 threads",
            tree_sum(4),
            vec![
                Search::Reference { reduction: true },
                on_the_reference,
                Search::Interned,
            ],
        ),
        (
            "warp sum, 8 lanes",
            warp_sum(8),
            vec![
                Search::Automaton { reduction: true },
                on_the_automaton,
                Search::Flat { reduction: true },
            ],
        ),
    ]
}

/// Bytes of a line of `/proc/self/status`.
fn memory(line: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let found = status.lines().find_map(|l| l.strip_prefix(line));
    let kilobytes = found.and_then(|l| l.trim_matches([':', ' ', '\t', 'k', 'B']).parse().ok());
    kilobytes.unwrap_or(0u64) * 1024
}

/// Seconds that processors have spent on the threads of this process: unlike those of the clock, no
/// longer on a machine that has other work.
fn processor_seconds() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").expect("a process has threads");
    let files = threads.filter_map(|thread| Some(thread.ok()?.path().join("schedstat")));
    let texts = files.filter_map(|file| std::fs::read_to_string(file).ok());
    let nanoseconds = texts.filter_map(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.sum::<f64>() / 1e9
}

fn run_case(group: &Group, search: Search) {
    let (program, setup) = &group.1;
    let before = memory("VmRSS");
    let started = processor_seconds();
    let found = search.run(program, setup);
    let seconds = processor_seconds() - started;
    assert!(
        found.complete && found.findings.is_empty(),
        "{:?}",
        found.limits_hit
    );
    let bytes = memory("VmHWM").saturating_sub(before);
    println!("{} {seconds} {bytes}", found.statistics.states);
}

struct Measured {
    states: f64,
    seconds: f64,
    bytes: f64,
}

/// A case in a process of its own; `None` where it came to no end.
fn measured(program: &Path, number: usize) -> Option<Measured> {
    let child = Command::new(program).env(CASE, number.to_string()).output();
    let output = child.expect("it runs").stdout;
    let line = String::from_utf8_lossy(&output);
    let numbers = line.split_whitespace();
    let numbers: Vec<f64> = numbers.filter_map(|n| n.parse().ok()).collect();
    let &[states, seconds, bytes] = numbers.as_slice() else {
        return None;
    };
    Some(Measured {
        states,
        seconds,
        bytes,
    })
}

fn main() {
    let groups = groups();
    let case = std::env::var(CASE).ok();
    let case = case.and_then(|case| case.parse::<usize>().ok());
    let mut all = groups
        .iter()
        .flat_map(|group| group.2.iter().map(move |s| (group, *s)));
    if let Some((group, search)) = case.and_then(|case| all.nth(case)) {
        return run_case(group, search);
    }
    let program = std::env::current_exe().expect("this program has a file");
    let mut number = 0;
    for (name, _, searches) in &groups {
        println!("{name}");
        let mut first = None;
        for search in searches {
            let best = (0..RUNS).filter_map(|_| measured(&program, number));
            let best = best.min_by(|a, b| a.seconds.total_cmp(&b.seconds));
            number += 1;
            let Some(Measured {
                states,
                seconds,
                bytes,
            }) = best
            else {
                println!("    {:42} met a limit", search.name());
                continue;
            };
            let (of_seconds, of_bytes) = *first.get_or_insert((seconds, bytes));
            println!(
                "    {:42} {states:>9} states {seconds:>8.3} s {:>7.1} MiB  {:>7.1} x time {:>6.1} x memory",
                search.name(),
                bytes / f64::from(1 << 20),
                seconds / of_seconds,
                bytes / of_bytes,
            );
        }
    }
}
