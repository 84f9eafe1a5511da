//! Lemmas livelock detection leans on, over all small instances: that a component decides as well
//! as all walks in it, and that taking private steps at once changes no answer.

use crate::kernels::*;
use gridlock_checker::limits::Limits;
use gridlock_checker::progress::{
    Edge, Graph, Node, Termination, covering_walk, judge, judge_step_by_step,
};
use gridlock_checker::system::ExploredProgram;
use gridlock_semantics::algebra::expr::BinaryOp;
use gridlock_semantics::algebra::operator::{AtomicFn, Op, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::profile::{BlockScheduling, NextBlock, Profile, Progress, Residency};
use std::sync::Arc;

/// A graph of `n` nodes and two agents from the bits of a number; how many bits it takes.
fn graph_from(n: u32, mut bits: u64) -> Graph {
    let mut take = |n_bits: u32| {
        let taken = bits & ((1 << n_bits) - 1);
        bits >>= n_bits;
        taken
    };
    let set = |bits: u64| (0..2).filter(|agent| bits & (1 << agent) != 0).collect();
    let mut graph = Graph::default();
    for _ in 0..n {
        graph.nodes.push(Node {
            owed: set(take(2)),
            // One in four.
            owes_start: take(2) == 0,
            is_final: false,
        });
    }
    for from in 0..n {
        for to in 0..n {
            // Nobody, or more than there are: no edge.
            let moved = take(3);
            if (1..4).contains(&moved) {
                graph.edges.push(Edge {
                    from,
                    to,
                    moved: set(moved),
                });
            }
        }
    }
    graph
}

/// Whether the edges chosen are those of one closed walk, and the walk is fair.
fn is_fair_round(graph: &Graph, chosen: u32) -> bool {
    let edges: Vec<&Edge> = (graph.edges.iter().enumerate())
        .filter(|(i, _)| chosen & (1 << i) != 0)
        .map(|(_, edge)| edge)
        .collect();
    let Some(first) = edges.first() else {
        return false;
    };
    let reach = |start: u32, back: bool| {
        let mut seen = 1u32 << start;
        for _ in 0..graph.nodes.len() {
            for edge in &edges {
                let (a, b) = if back {
                    (edge.to, edge.from)
                } else {
                    (edge.from, edge.to)
                };
                if seen & (1 << a) != 0 {
                    seen |= 1 << b;
                }
            }
        }
        seen
    };
    let nodes = edges
        .iter()
        .fold(0u32, |all, e| all | 1 << e.from | 1 << e.to);
    if reach(first.from, false) & nodes != nodes || reach(first.from, true) & nodes != nodes {
        return false;
    }
    let visited = || (0..graph.nodes.len()).filter(|n| nodes & (1 << n) != 0);
    let served = |agent: u32| {
        edges.iter().any(|edge| edge.moved.contains(agent))
            || visited().any(|node| !graph.nodes[node].owed.contains(agent))
    };
    visited().any(|node| !graph.nodes[node].owes_start) && (0..2).all(served)
}

/// Lemma: a fair closed walk exists if and only if the maximal components show one; and the walk
/// made of the component is one.
#[test]
fn components_decide_for_all_walks() {
    let mut n_livelocks = 0;
    // A linear congruential generator, so that the graphs are the same everywhere.
    let mut bits = 1u64;
    for round in 0..6_000u32 {
        bits = bits
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let graph = graph_from(2 + round % 2, bits >> 20);
        let exists = (1..1u32 << graph.edges.len()).any(|chosen| is_fair_round(&graph, chosen));
        let found = graph.livelock();
        assert_eq!(found.is_some(), exists, "{graph:?}");
        if let Some(component) = found {
            n_livelocks += 1;
            let walk = covering_walk(&graph, &component);
            let chosen = walk.iter().fold(0u32, |all, edge| all | 1 << edge);
            assert!(is_fair_round(&graph, chosen), "{graph:?} {walk:?}");
            let mut at = component[0];
            for &edge in &walk {
                assert_eq!(graph.edges[edge as usize].from, at);
                at = graph.edges[edge as usize].to;
            }
            assert_eq!(at, component[0]);
        }
    }
    assert!((1_000..5_000).contains(&n_livelocks), "{n_livelocks}");
}

/// One statement of a thread; local 1 is its own.
fn statement(number: usize, at: u32) -> Vec<Arc<Op>> {
    let flag = || cell(ptr(0), n(0));
    let ask = |function, operands| atomic(at, function, flag(), operands, Some(1));
    let spin = |ask: Arc<Op>, again: BinaryOp| {
        vec![ask.clone(), repeat(at, bin(again, int(1), n(0)), vec![ask])]
    };
    match number {
        // Sets the flag.
        0 => vec![atomic(at, AtomicFn::Exch, flag(), vec![n(1)], None)],
        // Waits for the flag.
        1 => spin(ask(AtomicFn::Add, vec![n(0)]), BinaryOp::Eq),
        // Takes it as a lock.
        2 => spin(ask(AtomicFn::Cas, vec![n(0), n(1)]), BinaryOp::Ne),
        // Goes round privately for ever if it was last seen set, else takes some private steps.
        3 => vec![
            repeat(at, bin(BinaryOp::Eq, int(1), n(1)), vec![set(at, 1, n(1))]),
            set(at, 1, n(0)),
        ],
        // The block's barrier.
        _ => vec![barrier(at)],
    }
}

const N_STATEMENTS: usize = 5;

/// All sequences of at most two statements.
fn sequences() -> Vec<Vec<usize>> {
    let ones = (0..N_STATEMENTS).map(|a| vec![a]);
    let twos = (0..N_STATEMENTS).flat_map(|a| (0..N_STATEMENTS).map(move |b| vec![a, b]));
    ones.chain(twos).collect()
}

fn two_threads(
    first: &[usize],
    second: &[usize],
    who: gridlock_semantics::algebra::expr::Expr,
) -> Program {
    let body = |numbers: &[usize], from: u32| {
        let statements = numbers.iter().zip(from..);
        seq(statements
            .flat_map(|(&number, at)| statement(number, at))
            .collect())
    };
    let branch = Op::new(
        OpKind::If {
            cond: eq(who, n(0)),
            then: body(first, 10),
            otherwise: body(second, 20),
        },
        Span::NONE,
    );
    kernel(1, 1, &[], vec![set(1, 1, n(0)), branch])
}

fn name(answer: &Termination) -> &'static str {
    match answer {
        Termination::Ends => "ends",
        Termination::Livelock(_) => "livelock",
        Termination::Deadlock => "deadlock",
        Termination::Cut(_) => "cut",
    }
}

/// Lemma: the answer is the same whether private steps are taken at once or one by one. Every
/// second pair of threads that run at most two statements each, in one block and in two.
#[test]
fn private_steps_at_once_change_no_answer() {
    let scheduling = |residency, progress| BlockScheduling {
        residency,
        next: NextBlock::Any,
        progress,
    };
    let ways = [
        (
            1,
            scheduling(Residency::AllResident, Progress::OccupancyBound),
        ),
        (1, scheduling(Residency::AllResident, Progress::Unfair)),
        (
            2,
            scheduling(Residency::EveryResident, Progress::OccupancyBound),
        ),
        (2, scheduling(Residency::AllResident, Progress::Fair)),
        (2, scheduling(Residency::Resident(1), Progress::Unfair)),
    ];
    let mut seen = [0u32; 2];
    let sequences = sequences();
    for (i, first) in sequences.iter().enumerate() {
        for (j, second) in sequences.iter().enumerate() {
            let (n_blocks, termination) = ways[(i * sequences.len() + j) / 2 % ways.len()];
            if (i + j) % 2 == 1 {
                continue;
            }
            let mut profile = Profile::default();
            profile.axes.termination = termination;
            let who = if n_blocks == 1 { tid() } else { bid() };
            let program = two_threads(first, second, who);
            let setup = launch(n_blocks, 3 - n_blocks, &[(1, ints([0]))]);
            let system = ExploredProgram::for_termination(&program, &setup, &profile).unwrap();
            let (quick, slow) = (
                judge(&system, &Limits::default()),
                judge_step_by_step(&system, &Limits::default()),
            );
            let (a, b) = (name(&quick.answer), name(&slow.answer));
            assert_eq!(a, b, "{first:?} | {second:?} {termination:?}");
            assert!(quick.statistics.states <= slow.statistics.states);
            seen[usize::from(a == "livelock")] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 50), "{seen:?}");
}
