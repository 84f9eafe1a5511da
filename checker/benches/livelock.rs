//! Speed of judging livelock, in states a second: on the reference semantics and compiled, on
//! programs whose threads wait for each other.

#[path = "../tests/checker/algebra.rs"]
mod algebra;

use algebra::*;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gridlock_checker::limits::Limits;
use gridlock_checker::progress::{
    Termination, TerminationSearch, judge_compiled, judge_on_the_reference,
};
use gridlock_checker::system::ExploredProgram;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::AtomicFn;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;

/// A ticket lock: each thread draws a number, waits until it is served, and counts.
fn ticket(n_blocks: u32, n_threads: u32) -> (Program, Setup) {
    let mut draft = Draft::new();
    let zero = || Some(vec![0]);
    let next = draft.array("next", Space::Global, 1, zero());
    let serving = draft.array("serving", Space::Global, 1, zero());
    let counter = draft.array("counter", Space::Global, 1, zero());
    let [my, seen, v] = ["my", "seen", "v"].map(|name| draft.local(name));
    let look = || atomic(AtomicFn::Add, serving.plus(0), 0, Some(&seen));
    let program = draft.kernel(vec![
        atomic(AtomicFn::Add, next.plus(0), 1, Some(&my)),
        look(),
        repeat(seen.clone().differs(my.clone()), vec![look()]),
        set(&v, counter.at(0)),
        put(&counter, 0, v.clone() + 1),
        atomic(AtomicFn::Exch, serving.plus(0), my.clone() + 1, None),
    ]);
    let setup = kernel_setup(&program, n_blocks, n_threads, Vec::new());
    (program, setup)
}

type Judge<'a> = &'a dyn Fn(&ExploredProgram) -> Option<TerminationSearch>;

fn measure(c: &mut Criterion, name: &str, (program, setup): &(Program, Setup), judge: Judge<'_>) {
    let profile = Profile::default();
    let system = ExploredProgram::for_termination(program, setup, &profile);
    let system = system.expect("the setup fits");
    let states = || {
        let found = judge(&system).expect("it is compiled");
        assert_eq!(found.answer, Termination::Ends);
        found.statistics.states
    };
    let n_states = states();
    println!("{name}: {n_states} states");
    let mut group = c.benchmark_group("livelock");
    group
        .throughput(Throughput::Elements(n_states))
        .sample_size(10);
    group.bench_function(name, |b| b.iter(states));
    group.finish();
}

fn ticket_lock(c: &mut Criterion) {
    let reference: Judge<'_> = &|system| Some(judge_on_the_reference(system, &Limits::default()));
    let compiled: Judge<'_> = &|system| judge_compiled(system, &Limits::default());
    measure(c, "4 threads, reference", &ticket(1, 4), reference);
    measure(c, "4 blocks, reference", &ticket(4, 1), reference);
    measure(c, "4 threads", &ticket(1, 4), compiled);
    measure(c, "4 blocks", &ticket(4, 1), compiled);
    measure(c, "12 threads", &ticket(1, 12), compiled);
    measure(c, "12 blocks", &ticket(12, 1), compiled);
}

criterion_group!(benches, ticket_lock);
criterion_main!(benches);
