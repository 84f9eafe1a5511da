//! The stateless search beside the stateful one, in steps a second: where runs are few, and where
//! states are.

#[path = "../tests/checker/kernels.rs"]
mod kernels;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gridlock_checker::automaton::Automaton;
use gridlock_checker::compiled::compile;
use gridlock_checker::explore::stateless::dependence::ByAccess;
use gridlock_checker::explore::stateless::explore_automaton;
use gridlock_checker::explore::{Exploration, ExploreOptions, explore_flat};
use gridlock_checker::limits::Limits;
use gridlock_checker::system::ExploredProgram;
use gridlock_semantics::algebra::expr::BinaryOp;
use gridlock_semantics::algebra::operator::AtomicFn;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Contents;
use kernels as k;
use std::sync::Arc;

/// `lastzero(n)`: many runs, more states.
fn lastzero(n: i32) -> Program {
    let cell = |index| k::load(k::ptr(0), index);
    let down = k::set(5, 1, k::add(k::int(1), k::n(-1)));
    let not_zero = k::bin(BinaryOp::Ne, cell(k::int(1)), k::n(0));
    let search = vec![k::set(3, 1, k::n(n)), k::repeat(4, not_zero, vec![down])];
    let mine = k::add(cell(k::add(k::tid(), k::n(-1))), k::n(1));
    let others = vec![k::store(7, k::ptr(0), k::tid(), mine)];
    let body = vec![
        k::when(2, k::eq(k::tid(), k::n(0)), search),
        k::when(6, k::lt(k::n(0), k::tid()), others),
    ];
    k::kernel(1, 1, &[], body)
}

/// Everybody draws a number `rounds` times: every order is another run, few are other states.
fn tickets(rounds: i32) -> Program {
    let draw = |line| {
        let cell = k::cell(k::ptr(0), k::n(0));
        k::atomic(line, AtomicFn::Add, cell, vec![k::n(1)], Some(1))
    };
    k::kernel(1, 1, &[], (0..rounds as u32).map(|n| draw(2 + n)).collect())
}

fn measure(c: &mut Criterion, name: &str, program: &Program, n_threads: u32, extent: u64) {
    let setup = k::launch(1, n_threads, &[(extent, Contents::Zero)]);
    let profile = Profile::default();
    let reference = ExploredProgram::new(program, &setup, &profile).expect("well-formed");
    let compiled = compile(reference.program());
    let automaton = Automaton::of(Arc::new(reference), &compiled, &setup).expect("an automaton");
    let (limits, options) = (Limits::default(), ExploreOptions::default());
    let stateless =
        || explore_automaton(&automaton, &ByAccess, &limits, &options).expect("steps it knows");
    let stateful = || explore_flat(&automaton, &limits, &options);
    let engines: [(&str, &dyn Fn() -> Exploration); 2] =
        [("stateless", &stateless), ("stateful", &stateful)];
    for (engine, search) in engines {
        let found = search();
        assert!(found.complete);
        let seen = found.statistics;
        eprintln!(
            "{name}, {engine}: {} states, {} transitions, {} runs, {} bytes",
            seen.states, seen.transitions, seen.executions, seen.peak_bytes
        );
        let mut group = c.benchmark_group(name);
        let steps = Throughput::Elements(seen.transitions);
        group.throughput(steps).sample_size(10);
        group.bench_function(engine, |b| b.iter(|| search().statistics.transitions));
        group.finish();
    }
}

fn searches(c: &mut Criterion) {
    measure(c, "lastzero 7", &lastzero(7), 8, 8);
    measure(c, "tickets 3 x 3", &tickets(3), 3, 1);
}

criterion_group!(benches, searches);
criterion_main!(benches);
