//! The explorer on the toy machine: counts by hand, limits, strategies, and the reduction against
//! the full search on random programs.

use crate::toy::{Step, Step::*, Toy};
use gridlock_checker::explore::{
    Exploration, ExploreOptions, Outcome, Strategy, explore_threadwise,
};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::limits::Limits;
use std::collections::BTreeSet;

fn options(reduction: bool) -> ExploreOptions {
    ExploreOptions {
        reduction,
        ..ExploreOptions::default()
    }
}

fn run(toy: &Toy, reduction: bool) -> Exploration {
    explore_threadwise(toy, &Limits::default(), &options(reduction))
}

fn states(toy: &Toy, reduction: bool) -> u64 {
    let found = run(toy, reduction);
    assert!(found.complete);
    found.statistics.states
}

fn steps(n: usize, cell: usize) -> Vec<Step> {
    (0..n).map(|k| Write(cell, k as u8)).collect()
}

/// Two threads of `k` steps on their own cells: `(k+1)²` states, `2k(k+1)` transitions; reduced,
/// the first and the last state.
#[test]
fn two_threads_of_k_steps() {
    for k in [1, 2, 3, 10, 50] {
        let toy = Toy::new(vec![vec![steps(k, 0), steps(k, 1)]], 2);
        let full = run(&toy, false);
        assert_eq!(full.statistics.states, ((k + 1) * (k + 1)) as u64);
        assert_eq!(full.statistics.transitions, (2 * k * (k + 1)) as u64);
        assert_eq!(full.statistics.executions, 1);
        assert!(full.complete && full.findings.is_empty() && !full.cycle);
        assert_eq!(states(&toy, true), 2);
    }
}

/// A barrier in the middle cuts the square in two; one state stands before and one behind it.
#[test]
fn a_barrier_cuts_the_square() {
    let thread = |cell| [steps(3, cell), vec![Barrier], steps(2, cell)].concat();
    let toy = Toy::new(vec![vec![thread(0), thread(1)]], 2);
    assert_eq!(states(&toy, false), 16 + 9);
    assert_eq!(states(&toy, true), 2);
}

/// Every strategy, fingerprints or whole states: the same states, outcomes and defects.
#[test]
fn strategies_agree() {
    let toy = Toy::new(
        vec![vec![
            vec![Read(0), Write(1, 1), Barrier, Read(1)],
            vec![Write(0, 5), Read(1), Barrier, AssertNot(1)],
        ]],
        2,
    );
    let expected = run(&toy, false);
    for strategy in [
        Strategy::Breadth,
        Strategy::Depth,
        Strategy::Random { seed: 7 },
    ] {
        for exact in [false, true] {
            let options = ExploreOptions {
                strategy,
                exact,
                reduction: false,
                ..ExploreOptions::default()
            };
            let found = explore_threadwise(&toy, &Limits::default(), &options);
            assert_eq!(found.statistics.states, expected.statistics.states);
            assert_eq!(
                found.statistics.transitions,
                expected.statistics.transitions
            );
            assert!(found.outcomes.keys().eq(expected.outcomes.keys()));
            assert_eq!(kinds(&found), kinds(&expected));
        }
    }
}

fn kinds(found: &Exploration) -> BTreeSet<&'static str> {
    found.findings.iter().map(|f| f.kind.name()).collect()
}

/// Planted faults: a race, a deadlock (an ended thread that still counts), a failed assertion
/// that only some schedules reach.
#[test]
fn planted_defects_are_found() {
    let race = Toy::new(vec![vec![vec![Write(0, 1)], vec![Read(0)]]], 1);
    let mut deadlock = Toy::new(vec![vec![vec![Barrier], vec![]]], 1);
    deadlock.ended_count = true;
    let assertion = Toy::new(vec![vec![vec![Fetch(0), AssertNot(1)], vec![Fetch(0)]]], 1);
    for (toy, expected) in [
        (&race, DefectKind::DataRace),
        (&deadlock, DefectKind::Deadlock),
        (&assertion, DefectKind::Assertion),
    ] {
        for reduction in [false, true] {
            let found = run(toy, reduction);
            let kinds: Vec<_> = found.findings.iter().map(|f| f.kind).collect();
            assert_eq!(kinds, [expected], "reduction: {reduction}");
        }
    }
    let repaired = Toy::new(
        vec![vec![vec![Write(0, 1), Barrier], vec![Barrier, Read(0)]]],
        1,
    );
    assert!(run(&repaired, false).findings.is_empty());
    assert!(run(&repaired, true).findings.is_empty());
}

/// Atomic increments without results commute: one path. With results they do not.
#[test]
fn counters() {
    let blind = Toy::new(vec![vec![vec![Add(0, 1)]; 4]], 1);
    assert_eq!(states(&blind, false), 16);
    assert_eq!(states(&blind, true), 2);
    let tickets = Toy::new(vec![vec![vec![Fetch(0)]; 4]], 1);
    // Who has taken a ticket, in which order: 1 + 4 + 12 + 24 + 24.
    assert_eq!(states(&tickets, false), 65);
    assert_eq!(states(&tickets, true), 65);
}

/// Blocks that touch different cells go to their ends one after the other, though the threads of
/// one of them race.
#[test]
fn independent_blocks() {
    let racy = vec![vec![Fetch(0), Fetch(0)], vec![Fetch(0), Fetch(0)]];
    let quiet = vec![vec![Read(1), Barrier, Read(2)], vec![Read(2), Barrier]];
    let toy = Toy::new(vec![racy.clone(), quiet], 3);
    let racy_alone = states(&Toy::new(vec![racy], 3), true);
    // The quiet block first, in one stride; then the racy one alone.
    assert_eq!(states(&toy, true), 1 + racy_alone);
    assert!(states(&toy, false) > 4 * racy_alone);
}

#[test]
fn limits_keep_what_was_found() {
    let mut threads = vec![steps(30, 0), steps(30, 1), steps(30, 2)];
    threads.push(vec![AssertNot(0)]);
    let toy = Toy::new(vec![threads], 3);
    let limited = |limits: Limits| explore_threadwise(&toy, &limits, &options(false));
    for (limits, word) in [
        (
            Limits {
                states: 100,
                ..Limits::default()
            },
            "states",
        ),
        (
            Limits {
                bytes: 10_000,
                ..Limits::default()
            },
            "bytes",
        ),
        (
            Limits {
                seconds: 0.0,
                ..Limits::default()
            },
            "seconds",
        ),
        (
            Limits {
                depth: 5,
                ..Limits::default()
            },
            "--limit-depth",
        ),
    ] {
        let found = limited(limits);
        assert!(!found.complete);
        assert!(found.limits_hit[0].contains(word), "{:?}", found.limits_hit);
        if word != "seconds" {
            assert_eq!(kinds(&found), BTreeSet::from(["assertion"]));
        }
    }
}

/// A private endless loop hides nobody: the other thread's fault is found, and the cycle is said.
#[test]
fn an_endless_loop_hides_nothing() {
    let toy = Toy::new(
        vec![vec![vec![BackIfEven(0)], vec![Private(3), AssertNot(3)]]],
        1,
    );
    for reduction in [false, true] {
        let found = run(&toy, reduction);
        assert!(found.complete && found.cycle);
        assert_eq!(kinds(&found), BTreeSet::from(["assertion"]));
    }
    let spin = Toy::new(
        vec![vec![vec![Read(0), BackIfEven(1)], vec![Write(0, 1)]]],
        1,
    );
    for reduction in [false, true] {
        let found = run(&spin, reduction);
        assert!(found.complete && found.cycle);
        assert_eq!(found.outcomes.len(), 1);
    }
}

#[test]
fn stops_at_the_first_defect_when_told() {
    let toy = Toy::new(
        vec![vec![vec![AssertNot(0)], vec![Read(0), AssertNot(0)]]],
        1,
    );
    let options = ExploreOptions {
        stop_at_first: true,
        ..options(false)
    };
    let found = explore_threadwise(&toy, &Limits::default(), &options);
    assert!(!found.complete);
    assert_eq!(found.findings.len(), 1);
    assert_eq!(found.findings[0].schedule.len(), 1);
}

#[test]
fn the_graph_shows_ends() {
    let toy = Toy::new(
        vec![vec![vec![Write(0, 1)], vec![Read(0), AssertNot(0)]]],
        1,
    );
    let options = ExploreOptions {
        graph: true,
        ..options(false)
    };
    let found = explore_threadwise(&toy, &Limits::default(), &options);
    let dot = found.graph.unwrap().to_dot();
    assert!(dot.starts_with("digraph states {") && dot.ends_with("}\n"));
    assert!(dot.contains("doublecircle") && dot.contains("assertion"));
    assert!(dot.contains("b0.t0 R1"));
}

/// Small pseudo-random programs.
struct Rng(u64);

impl Rng {
    fn roll(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % n
    }

    fn thread(&mut self, n_cells: usize, n_steps: u64) -> Vec<Step> {
        let length = self.roll(n_steps + 1);
        (0..length)
            .map(|_| {
                let cell = self.roll(n_cells as u64) as usize;
                let k = self.roll(3) as u8;
                match self.roll(12) {
                    0 | 1 => Read(cell),
                    2 | 3 => Write(cell, k),
                    4 => Add(cell, k + 1),
                    5 => Fetch(cell),
                    6 => Private(k),
                    7 => SkipIfEven(1 + k as usize),
                    8 => BackIfEven(1 + k as usize),
                    9 | 10 => Barrier,
                    _ => AssertNot(k),
                }
            })
            .collect()
    }

    fn toy(&mut self) -> Toy {
        let (n_blocks, n_threads) = [(1, 2), (1, 3), (2, 1), (2, 2)][self.roll(4) as usize];
        let n_cells = 1 + self.roll(4) as usize;
        let n_steps = if n_blocks * n_threads > 2 { 3 } else { 6 };
        let block = |rng: &mut Rng| {
            (0..n_threads)
                .map(|_| rng.thread(n_cells, n_steps))
                .collect()
        };
        let blocks = (0..n_blocks).map(|_| block(self)).collect();
        let mut toy = Toy::new(blocks, n_cells);
        toy.ended_count = self.roll(3) == 0;
        toy
    }
}

/// Lemma (M3): reduced and full search agree on outcomes, faults, deadlock, and on which pairs of
/// operators race.
#[test]
fn reduction_loses_nothing() {
    let mut rng = Rng(20_261_120);
    let limits = Limits {
        states: 20_000,
        ..Limits::default()
    };
    let (mut judged, mut smaller, mut defective) = (0, 0, 0);
    while judged < 600 {
        let toy = rng.toy();
        let full = explore_threadwise(&toy, &limits, &options(false));
        if !full.complete {
            continue;
        }
        let reduced = explore_threadwise(&toy, &limits, &options(true));
        assert!(
            reduced.complete,
            "{toy:?} {:?} {:?} full {:?}",
            reduced.limits_hit, reduced.statistics, full.statistics
        );
        let outcomes = |e: &Exploration| e.outcomes.keys().cloned().collect::<BTreeSet<Outcome>>();
        assert_eq!(outcomes(&full), outcomes(&reduced), "{toy:?}");
        assert_eq!(races(&full), races(&reduced), "{toy:?}");
        assert!(
            reduced.statistics.states <= full.statistics.states,
            "{toy:?}"
        );
        judged += 1;
        smaller += (reduced.statistics.states * 2 < full.statistics.states) as u32;
        defective += (!full.findings.is_empty()) as u32;
    }
    assert!(smaller > 200 && defective > 150, "{smaller} {defective}");
}

fn races(found: &Exploration) -> BTreeSet<String> {
    use gridlock_checker::finding::Evidence;
    found
        .findings
        .iter()
        .filter_map(|finding| match &finding.evidence {
            Evidence::Race { first, second } => {
                let (a, b) = (first.op.min(second.op), first.op.max(second.op));
                Some(format!("{a:?} {b:?}"))
            }
            _ => None,
        })
        .collect()
}
