//! The wide run against the run thread by thread: the same result, on as many processors as you
//! like. And that it is wide where it should be, as one always given up would agree as well.

use crate::algebra::*;
use crate::running::{both_widths, kinds, run, zeros};
use gridlock_checker::canonical::{self, CanonicalResult, CanonicalStatus};
use gridlock_checker::compiled::compile;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::limits::Limits;
use gridlock_generation::effort;
use gridlock_generation::mutate::{Mutation, mutants};
use gridlock_generation::random::{Generated, Sizes, race_free, unrestricted, unrestricted_host};
use gridlock_semantics::algebra::operator::AtomicFn;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Contents, Setup};

/// How many launches were wide, of how many runs without findings.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    clean: u64,
    wide: u64,
    found: u64,
    /// Of those with findings: in parts, and with wide blocks.
    parted: u64,
    mixed: u64,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.clean += other.clean;
        self.wide += other.wide;
        self.found += other.found;
        self.parted += other.parted;
        self.mixed += other.mixed;
    }
}

fn judge(generated: &Generated, profile: &Profile) -> Tally {
    let compiled = compile(&atomic_form(&generated.program));
    let result = both_widths(&compiled, &generated.setup, profile, &Limits::default());
    let clean = result.status == CanonicalStatus::Decides && result.findings.is_empty();
    Tally {
        clean: clean as u64,
        wide: (clean && result.wide_launches > 0) as u64,
        found: !result.findings.is_empty() as u64,
        parted: (result.parted_launches > 0) as u64,
        mixed: (result.wide_blocks > 0) as u64,
    }
}

fn judge_all(seeds: u64, make: impl Fn(u64) -> Generated) -> Tally {
    let profiles: Vec<Profile> = ["cuda", "cuda-hw", "portable", "lockstep-warp"]
        .into_iter()
        .filter_map(Profile::named)
        .collect();
    let mut tally = Tally::default();
    for seed in 0..seeds {
        tally.add(judge(
            &make(seed),
            &profiles[seed as usize % profiles.len()],
        ));
    }
    tally
}

#[test]
fn random_kernels_that_may_do_anything() {
    let sizes = Sizes {
        threads: 5,
        blocks: 4,
        all_threads: 12,
        statements: 8,
        early_return: true,
        ..Sizes::default()
    };
    let tally = judge_all(800, |seed| unrestricted(seed, &sizes));
    assert!(tally.found > 300 && tally.wide > 30, "{tally:?}");
    assert!(tally.mixed > 10, "{tally:?}");
}

#[test]
fn random_kernels_without_defects() {
    let sizes = Sizes {
        threads: 6,
        blocks: 3,
        all_threads: 18,
        statements: 10,
        iterations: 4,
        ..Sizes::default()
    };
    let tally = judge_all(500, |seed| race_free(seed, &sizes));
    // A quarter of the profiles knows only lockstep, which is never wide.
    assert!(tally.wide > 200, "{tally:?}");
}

/// Where a barrier is missing, most races are between threads of one block, so that parts of the launch run side by side.
#[test]
fn random_kernels_without_one_of_their_barriers() {
    let few = Sizes {
        threads: 6,
        blocks: 4,
        all_threads: 18,
        statements: 10,
        iterations: 3,
        ..Sizes::default()
    };
    // More blocks than parts.
    let many = Sizes {
        threads: 3,
        blocks: 40,
        all_threads: 120,
        ..few
    };
    let mut tally = Tally::default();
    let profile = Profile::default();
    for seed in 0..effort::cases(300, 10_000) {
        let sizes = if seed % 3 == 0 { &many } else { &few };
        let generated = race_free(seed, sizes);
        let mutants = mutants(&generated.program).into_iter();
        let dropped = mutants.filter(|mutant| mutant.mutation == Mutation::BarrierDropped);
        for mutant in dropped.take(2) {
            let without = Generated {
                program: mutant.program,
                ..generated.clone()
            };
            tally.add(judge(&without, &profile));
        }
    }
    assert!(tally.parted > 8, "{tally:?}");
}

#[test]
fn random_kernels_that_exchange() {
    let sizes = Sizes {
        threads: 4,
        blocks: 2,
        all_threads: 8,
        statements: 6,
        exchanges: true,
        ..Sizes::default()
    };
    let tally = judge_all(300, |seed| unrestricted(seed, &sizes));
    assert!(tally.found > 100 && tally.wide > 10, "{tally:?}");
    let tally = judge_all(200, |seed| race_free(seed, &sizes));
    assert!(tally.wide > 75, "{tally:?}");
}

#[test]
fn random_host_programs() {
    let sizes = Sizes {
        threads: 4,
        blocks: 3,
        all_threads: 12,
        ..Sizes::default()
    };
    let tally = judge_all(200, |seed| unrestricted_host(seed, &sizes));
    assert!(tally.found > 20, "{tally:?}");
}

/// Several strips of threads, the last one not full, and several blocks.
fn tree_sum(barrier_in_loop: bool) -> (Program, Setup) {
    let mut draft = Draft::new();
    let (input, output) = (draft.ints("in"), draft.ints("out"));
    let s = draft.shared("s", 512);
    let d = draft.local("d");
    let add = when(
        (tid() + d.clone()).lt(200),
        vec![put(&s, tid(), s.at(tid()) + s.at(tid() + d.clone()))],
    );
    let add = when(tid().lt(d.clone()), vec![add]);
    let body = match barrier_in_loop {
        true => vec![add, barrier()],
        false => vec![add],
    };
    let program = draft.kernel(vec![
        put(&s, tid(), input.at(gid())),
        barrier(),
        counted(&d, 128, d.clone().gt(0), d.clone() / 2, body),
        when(tid().equals(0), vec![put(&output, bid(), s.at(0))]),
    ]);
    let arrays = vec![
        ints("in", 1_000, Contents::Random { seed: 1 }),
        zeros("out", 5),
    ];
    let setup = kernel_setup(&program, 5, 200, arrays);
    (program, setup)
}

fn widely(program: &Program, setup: &Setup) -> CanonicalResult {
    let profile = Profile::default();
    both_widths(&compile(program), setup, &profile, &Limits::default())
}

#[test]
fn a_tree_sum_is_wide_and_without_its_barrier_it_races() {
    let (program, setup) = tree_sum(true);
    let result = widely(&program, &setup);
    assert_eq!(result.status, CanonicalStatus::Decides);
    assert_eq!((result.wide_launches, result.findings.len()), (1, 0));
    // By itself it takes to width as well.
    let auto = canonical::run(
        &compile(&program),
        &setup,
        &Profile::default(),
        &Limits::default(),
    );
    assert_eq!(auto.wide_launches, 1);
    assert_eq!(auto.observation, result.observation);

    let (program, setup) = tree_sum(false);
    let result = widely(&program, &setup);
    assert_eq!(result.wide_launches, 0);
    assert_eq!(kinds(&result)[0], DefectKind::DataRace);
}

/// A race across blocks names the first of the readers in the order thread after thread, whichever instruction came first where
/// the block was run wide.
#[test]
fn readers_of_a_block_run_wide_are_told_thread_by_thread() {
    for first in 0..3 {
        let mut draft = Draft::new();
        let a = draft.ints("a");
        let v = draft.local("v");
        let order = [first, (first + 1) % 3, (first + 2) % 3];
        let reads = order.map(|thread| when(tid().equals(thread), vec![set(&v, a.at(0))]));
        let reads = when(bid().equals(0), reads.into_iter().collect());
        let write = when(
            bid().equals(1),
            vec![when(tid().equals(1), vec![put(&a, 0, 1)])],
        );
        let program = draft.kernel(vec![reads, write]);
        let setup = kernel_setup(&program, 2, 3, vec![zeros("a", 4)]);
        let result = widely(&program, &setup);
        assert_eq!(
            (result.wide_blocks, result.parted_launches),
            (2, 0),
            "{first}"
        );
        assert_eq!(kinds(&result), [DefectKind::DataRace], "{first}");
    }
}

/// What two blocks do to one cell of global memory: each pair with the races it has.
#[test]
fn races_across_blocks() {
    type Act = fn(&E) -> Stmt;
    let read: Act = |a| put(a, bid() + 10, a.at(0));
    let write: Act = |a| put(a, 0, bid());
    let add: Act = |a| atomic(AtomicFn::Add, a.clone(), 1, None);
    let max: Act = |a| atomic(AtomicFn::Max, a.clone(), 1, None);
    let cases: [(Act, Act, bool, bool); 8] = [
        (read, read, false, true),
        (read, write, true, false),
        (write, write, true, false),
        (add, add, false, true),
        (add, read, true, false),
        (add, write, true, false),
        (add, max, false, false),
        (max, max, false, true),
    ];
    for (number, (first, second, races, is_wide)) in cases.into_iter().enumerate() {
        let mut draft = Draft::new();
        let a = draft.ints("a");
        let other = when(bid().equals(3), vec![second(&a)]);
        let program = draft.kernel(vec![when(bid().equals(1), vec![first(&a)]), other]);
        let setup = kernel_setup(&program, 4, 1, vec![zeros("a", 20)]);
        let result = run(&program, &setup);
        assert_eq!(!result.findings.is_empty(), races, "case {number}");
        assert_eq!(result.wide_launches == 1, is_wide, "case {number}");
    }
}

/// `a` is written by one block through a pointer that came by it in some way, and read by the others.
/// An array that no thread writes needs no shadow; one written in a roundabout way does.
#[test]
fn an_array_written_through_a_pointer_made_elsewhere_is_watched() {
    type Way = fn(&E, &E, &E, &E) -> Vec<Stmt>;
    let copied: Way = |p, _, a, _| vec![set(p, a.clone())];
    let twice: Way = |p, q, a, _| vec![set(q, a.clone()), set(p, q.clone())];
    let moved: Way = |p, _, a, _| vec![set(p, a.plus(3)), set(p, p.plus(-3))];
    let chosen: Way = |p, _, a, b| {
        let (this, other) = (set(p, a.clone()), set(p, b.clone()));
        vec![branch(bid().lt(4), vec![this], vec![other])]
    };
    let swapped: Way = |p, q, a, b| {
        let first = vec![set(p, b.clone()), set(q, a.clone())];
        [first, vec![set(p, q.clone())]].concat()
    };
    let not_at_all: Way = |p, _, _, b| vec![set(p, b.clone())];
    let ways = [
        (copied, true),
        (twice, true),
        (moved, true),
        (chosen, true),
        (swapped, true),
        (not_at_all, false),
    ];
    for (number, (way, races)) in ways.into_iter().enumerate() {
        for is_atomic in [false, true] {
            let mut draft = Draft::new();
            let [a, b, out] = ["a", "b", "out"].map(|name| draft.ints(name));
            let (p, q) = (draft.pointer("p"), draft.pointer("q"));
            let write = match is_atomic {
                true => atomic(AtomicFn::Add, p.clone(), 1, None),
                false => put(&p, 0, 1),
            };
            let mut body = way(&p, &q, &a, &b);
            let writes = when(gid().equals(40), vec![write]);
            body.extend([writes, put(&out, gid(), a.at(0))]);
            let program = draft.kernel(body);
            let arrays = vec![zeros("a", 8), zeros("b", 8), zeros("out", 128)];
            let setup = kernel_setup(&program, 4, 32, arrays);
            let result = widely(&program, &setup);
            assert_eq!(!result.findings.is_empty(), races, "way {number}");
            assert_eq!(result.wide_launches == 0, races, "way {number}");
        }
    }
}

/// An array without extent grows as far as it is used.
#[test]
fn an_array_without_extent() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let program = draft.kernel(vec![put(&a, gid() * 3, gid())]);
    let mut array = zeros("a", 0);
    array.extent = None;
    let setup = kernel_setup(&program, 40, 100, vec![array]);
    let result = widely(&program, &setup);
    assert_eq!(result.wide_launches, 1);
    let observation = result.observation.expect("a run that ended");
    assert_eq!(observation.arrays[0].cells.len(), 3 * 3_999 + 1);
}
