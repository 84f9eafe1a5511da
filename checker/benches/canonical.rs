//! Speed of the canonical run, in visible steps or instructions a second.

#[path = "../tests/checker/algebra.rs"]
mod algebra;

use algebra::*;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gridlock_checker::canonical::{self, CanonicalStatus, Width};
use gridlock_checker::compiled::compile;
use gridlock_checker::limits::Limits;
use gridlock_semantics::algebra::operator::{AllocSpace, AtomicFn};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Contents, Setup};

fn measure(c: &mut Criterion, name: &str, work: u64, program: &Program, setup: &Setup) {
    let compiled = compile(program);
    let profile = Profile::default();
    let limits = Limits::default();
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(work)).sample_size(10);
    for (how, width) in [("wide", Width::Wide), ("narrow", Width::Narrow)] {
        group.bench_function(how, |b| {
            b.iter(|| {
                let result = canonical::run_as(&compiled, setup, &profile, &limits, width);
                assert_eq!(result.status, CanonicalStatus::Decides);
                assert_eq!(result.wide_launches > 0, width == Width::Wide);
                result.statistics.transitions
            });
        });
    }
    group.finish();
}

/// A loop of arithmetic: 4 instructions an iteration.
fn arithmetic(c: &mut Criterion) {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let (i, x) = (draft.local("i"), draft.local("x"));
    let body = vec![set(&x, x.clone() * 3 + i.clone())];
    let program = draft.kernel(vec![
        set(&x, tid()),
        counted(&i, 0, i.clone().lt(100_000), i.clone() + 1, body),
        put(&a, gid(), x.clone()),
    ]);
    let setup = kernel_setup(&program, 4, 32, vec![ints("a", 128, Contents::Zero)]);
    measure(c, "arithmetic", 128 * 100_000 * 5, &program, &setup);
}

/// Each element read and written once by its own thread.
fn map(c: &mut Criterion) {
    let mut draft = Draft::new();
    let (a, b) = (draft.ints("a"), draft.ints("b"));
    let program = draft.kernel(vec![put(&b, gid(), a.at(gid()) + 1)]);
    let n = 1 << 20;
    let arrays = vec![ints("a", n, Contents::Zero), ints("b", n, Contents::Zero)];
    let setup = kernel_setup(&program, n as u32 / 256, 256, arrays);
    measure(c, "map", 2 * n, &program, &setup);
}

/// A tree sum in shared memory, a barrier after each step.
fn tree_sum(c: &mut Criterion) {
    let mut draft = Draft::new();
    let (input, output) = (draft.ints("in"), draft.ints("out"));
    let s = draft.shared("s", 256);
    let d = draft.local("d");
    let add = when(
        tid().lt(d.clone()),
        vec![put(&s, tid(), s.at(tid()) + s.at(tid() + d.clone()))],
    );
    let program = draft.kernel(vec![
        put(&s, tid(), input.at(gid())),
        barrier(),
        counted(
            &d,
            128,
            d.clone().gt(0),
            d.clone() / 2,
            vec![add, barrier()],
        ),
        when(tid().equals(0), vec![put(&output, bid(), s.at(0))]),
    ]);
    let n = 1 << 18;
    let arrays = vec![
        ints("in", n, Contents::Zero),
        ints("out", n / 256, Contents::Zero),
    ];
    let setup = kernel_setup(&program, n as u32 / 256, 256, arrays);
    measure(c, "tree-sum", 5 * n, &program, &setup);
}

/// Every thread reads the same cells over and over.
fn broadcast(c: &mut Criterion) {
    let mut draft = Draft::new();
    let (a, b) = (draft.ints("a"), draft.ints("b"));
    let (i, x) = (draft.local("i"), draft.local("x"));
    let body = vec![set(&x, x.clone() + a.at(i.clone()))];
    let program = draft.kernel(vec![
        set(&x, 0),
        counted(&i, 0, i.clone().lt(1000), i.clone() + 1, body),
        put(&b, gid(), x.clone()),
    ]);
    let arrays = vec![
        ints("a", 1000, Contents::Zero),
        ints("b", 4096, Contents::Zero),
    ];
    let setup = kernel_setup(&program, 16, 256, arrays);
    measure(c, "broadcast", 4096 * 1000, &program, &setup);
}

/// Atomic additions to 64 bins, in shared memory and then in global memory.
fn histogram(c: &mut Criterion) {
    let mut draft = Draft::new();
    let (input, bins) = (draft.ints("in"), draft.ints("bins"));
    let own = draft.shared("own", 64);
    let bin = input.at(gid()) & 63;
    let to_all = atomic(AtomicFn::Add, bins.plus(tid()), own.at(tid()), None);
    let program = draft.kernel(vec![
        when(tid().lt(64), vec![put(&own, tid(), 0)]),
        barrier(),
        atomic(AtomicFn::Add, own.plus(bin), 1, None),
        barrier(),
        when(tid().lt(64), vec![to_all]),
    ]);
    let n = 1 << 18;
    let arrays = vec![
        ints("in", n, Contents::Random { seed: 1 }),
        ints("bins", 64, Contents::Zero),
    ];
    let setup = kernel_setup(&program, n as u32 / 256, 256, arrays);
    measure(c, "histogram", 3 * n, &program, &setup);
}

/// Host code that fills an array and compares it with what it should hold: no kernel.
fn host(c: &mut Criterion) {
    let n = 1 << 22;
    let mut draft = Draft::new();
    let a = draft.pointer("a");
    let (i, x, wrong) = (draft.local("i"), draft.local("x"), draft.local("wrong"));
    let rounds = |body| counted(&i, 0, i.clone().lt(n), i.clone() + 1, body);
    let filled = i.clone() * 3 + 1;
    let body = vec![
        alloc(&a, n, AllocSpace::Host),
        rounds(vec![put(&a, i.clone(), filled.clone())]),
        set(&wrong, 0),
        rounds(vec![
            set(&x, a.at(i.clone())),
            when(x.clone().differs(filled), vec![set(&wrong, 1)]),
        ]),
        assert(wrong.clone().equals(0)),
        free(&a, AllocSpace::Host),
    ];
    draft.end("main", ProcKind::Host, None, body);
    let program = draft.finish();
    let setup = host_setup(&program, vec![]);
    let compiled = compile(&program);
    let (profile, limits) = (Profile::default(), Limits::default());
    let run = || canonical::run(&compiled, &setup, &profile, &limits);
    // A round of the first loop is three operators (its test, its body, its step), one of the second four.
    let n_steps = 7 * n as u64;
    let mut group = c.benchmark_group("host");
    group
        .throughput(Throughput::Elements(n_steps))
        .sample_size(10);
    group.bench_function("steps", |b| {
        b.iter(|| {
            let result = run();
            assert_eq!(result.status, CanonicalStatus::Decides);
            result.statistics.transitions
        });
    });
    group.finish();
}

criterion_group!(
    benches, arithmetic, map, tree_sum, broadcast, histogram, host
);
criterion_main!(benches);
