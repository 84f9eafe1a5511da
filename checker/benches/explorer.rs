//! Speed of the explorer, in states a second: without reduction on programs whose threads wait for
//! each other, and with it where barriers structure the run.

#[path = "../tests/checker/algebra.rs"]
mod algebra;

use algebra::*;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gridlock_checker::explore::{ExploreOptions, explore_program};
use gridlock_checker::limits::Limits;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::AtomicFn;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::{MemoryModel, Profile};
use gridlock_semantics::setup::Setup;

fn measure(c: &mut Criterion, name: &str, reduction: bool, program: &Program, setup: &Setup) {
    let mut profile = Profile::default();
    profile.axes.memory = MemoryModel::Sc;
    let options = ExploreOptions {
        reduction,
        ..ExploreOptions::default()
    };
    let explore = || {
        let found = explore_program(program, setup, &profile, &Limits::default(), &options);
        let found = found.expect("the setup fits");
        assert!(found.complete && found.findings.is_empty());
        found.statistics.states
    };
    let mut group = c.benchmark_group("explorer");
    group
        .throughput(Throughput::Elements(explore()))
        .sample_size(10);
    group.bench_function(name, |b| b.iter(explore));
    group.finish();
}

/// A ticket lock: threads draw a number and wait until it is served.
fn ticket(c: &mut Criterion) {
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
    let rounds = counted(&k, 0, k.clone().lt(10), k.clone() + 1, body);
    let program = draft.kernel(vec![rounds]);
    let setup = kernel_setup(&program, 1, 3, Vec::new());
    measure(c, "ticket lock, every state", false, &program, &setup);
    measure(c, "ticket lock", true, &program, &setup);
}

/// A tree sum of 16 elements by 8 threads.
fn tree_sum(c: &mut Criterion) {
    let mut draft = Draft::new();
    let s = draft.array("s", Space::Global, 16, Some(vec![1; 16]));
    let h = draft.local("h");
    let add = when(
        tid().lt(h.clone()),
        vec![put(&s, tid(), s.at(tid()) + s.at(tid() + h.clone()))],
    );
    let levels = counted(&h, 8, h.clone().gt(0), h.clone() / 2, vec![add, barrier()]);
    let program = draft.kernel(vec![levels]);
    let setup = kernel_setup(&program, 1, 8, Vec::new());
    measure(c, "tree sum, every state", false, &program, &setup);
    measure(c, "tree sum", true, &program, &setup);
}

criterion_group!(benches, ticket, tree_sum);
criterion_main!(benches);
