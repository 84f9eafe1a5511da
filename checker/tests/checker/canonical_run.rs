//! The canonical run: outcomes, and each kind of defect planted and caught with its kind, place
//! and threads.

use crate::algebra::*;
use crate::running::*;
use gridlock_checker::canonical::CanonicalStatus;
use gridlock_checker::finding::{DefectKind, Evidence};
use gridlock_semantics::algebra::operator::{AllocSpace, AtomicFn, Basic, CopyKind, Scope};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::setup::Contents;
use gridlock_semantics::transition::Actor;
use gridlock_semantics::transition::fault::FaultKind;

/// A sum of each block's slice by a tree, a barrier after each step if `with_barrier`.
fn tree_sum(
    draft: &mut Draft,
    n: u64,
    with_barrier: bool,
) -> gridlock_semantics::algebra::ids::ProcId {
    let (input, output) = (draft.ints("in"), draft.ints("out"));
    let s = draft.shared("s", n);
    let d = draft.local("d");
    let mut body = vec![put(&s, tid(), input.at(gid())), barrier()];
    let mut step = vec![when(
        tid().lt(d.clone()),
        vec![put(&s, tid(), s.at(tid()) + s.at(tid() + d.clone()))],
    )];
    if with_barrier {
        step.push(barrier());
    }
    body.push(counted(
        &d,
        n as i32 / 2,
        d.clone().gt(0),
        d.clone() / 2,
        step,
    ));
    body.push(when(tid().equals(0), vec![put(&output, bid(), s.at(0))]));
    draft.end("tree_sum", ProcKind::Kernel, None, body)
}

#[test]
fn a_tree_sum_decides_with_its_sums() {
    let mut draft = Draft::new();
    tree_sum(&mut draft, 64, true);
    let program = draft.finish();
    let setup = kernel_setup(&program, 3, 64, vec![counting("in", 192), zeros("out", 3)]);
    let result = run(&program, &setup);
    assert_eq!(result.status, CanonicalStatus::Decides);
    assert_eq!(kinds(&result), vec![]);
    let sum = |block: i64| (block * 64..(block + 1) * 64).sum::<i64>();
    assert_eq!(cells(&result, 1), vec![sum(0), sum(1), sum(2)]);
}

#[test]
fn a_tree_sum_without_barriers_races() {
    let mut draft = Draft::new();
    tree_sum(&mut draft, 64, false);
    let program = draft.finish();
    let setup = kernel_setup(&program, 2, 64, vec![counting("in", 128), zeros("out", 2)]);
    let result = run(&program, &setup);
    assert!(
        kinds(&result).contains(&DefectKind::DataRace),
        "{:?}",
        result.status
    );
    let Evidence::Race { first, second } = &result.findings[0].evidence else {
        panic!("a race");
    };
    assert_ne!(first.actor, second.actor);
    assert_eq!(first.index, second.index);
}

#[test]
fn host_code_runs_its_launches() {
    let mut draft = Draft::new();
    let kernel = tree_sum(&mut draft, 8, true);
    let (input, output) = (draft.ints("in"), draft.ints("out"));
    let (d_in, d_out) = (draft.pointer("d_in"), draft.pointer("d_out"));
    let body = vec![
        alloc(&d_in, 32, AllocSpace::Global),
        alloc(&d_out, 4, AllocSpace::Global),
        copy(CopyKind::HostToDevice, &d_in, &input, 32),
        launch(kernel, 4, 8, vec![d_in.clone(), d_out.clone()]),
        copy(CopyKind::DeviceToHost, &output, &d_out, 4),
        free(&d_in, AllocSpace::Global),
        free(&d_out, AllocSpace::Global),
    ];
    draft.end("main", ProcKind::Host, None, body);
    let program = draft.finish();
    let setup = host_setup(&program, vec![counting("in", 32), zeros("out", 4)]);
    let result = run(&program, &setup);
    assert_eq!(
        result.status,
        CanonicalStatus::Decides,
        "{:?}",
        result.findings
    );
    assert_eq!(cells(&result, 1), vec![28, 92, 156, 220]);
    assert_eq!(result.leaks, vec![]);
}

#[test]
fn a_barrier_some_threads_skip_diverges() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let program = draft.kernel(vec![
        when(tid().lt(3), vec![barrier()]),
        put(&a, gid(), c(1)),
    ]);
    let setup = kernel_setup(&program, 2, 4, vec![zeros("a", 8)]);
    let result = run(&program, &setup);
    assert_eq!(result.status, CanonicalStatus::Faulted);
    assert_eq!(kinds(&result), vec![DefectKind::BarrierDivergence]);
    let Evidence::Fault(fault) = &result.findings[0].evidence else {
        panic!("a fault");
    };
    let FaultKind::BarrierDivergence { positions } = &fault.kind else {
        panic!("a divergence");
    };
    assert_eq!(fault.actor, Actor::Block(0));
    let waits: Vec<bool> = positions.iter().map(|p| p.op.is_some()).collect();
    assert_eq!(waits, vec![true, true, true, false]);
    assert_eq!(positions[3].actor, thread(0, 3));
    // What hardware does: a thread that has ended no longer counts.
    assert_eq!(
        run_under("cuda-hw", &program, &setup).status,
        CanonicalStatus::Decides
    );
}

#[test]
fn atomics_on_one_cell_commute() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let program = draft.kernel(vec![atomic(AtomicFn::Add, a.plus(gid() % 3), 1, None)]);
    let setup = kernel_setup(&program, 4, 40, vec![zeros("a", 3)]);
    let result = run(&program, &setup);
    assert_eq!(result.status, CanonicalStatus::Decides);
    assert_eq!(cells(&result, 0), vec![54, 53, 53]);
}

#[test]
fn a_write_beside_a_read_races_with_both_lines_named() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let v = draft.local("v");
    let line = line!();
    let read = set(&v, a.at(tid() + 1));
    let write = put(&a, tid(), v.clone());
    let program = draft.kernel(vec![read, write]);
    let setup = kernel_setup(&program, 1, 4, vec![counting("a", 5)]);
    let result = run(&program, &setup);
    assert_eq!(result.status, CanonicalStatus::Decides);
    assert_eq!(kinds(&result), vec![DefectKind::DataRace]);
    // Thread 0 reads a[1] on the first line, thread 1 writes it on the second.
    let expected = [(thread(0, 0), line + 1), (thread(0, 1), line + 2)];
    assert_eq!(sides(&result, &program, 0), expected);
    assert_eq!(result.occurrences, vec![3]);
    // Only those two threads are in the schedule.
    let actors: Vec<_> = result.findings[0]
        .schedule
        .iter()
        .map(|s| s.actors.clone())
        .collect();
    assert_eq!(actors, vec![vec![thread(0, 0)], vec![thread(0, 1)]]);
}

#[test]
fn a_barrier_between_makes_it_ordered() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let v = draft.local("v");
    let program = draft.kernel(vec![
        set(&v, a.at(tid() + 1)),
        barrier(),
        put(&a, tid(), v.clone()),
    ]);
    let setup = kernel_setup(&program, 1, 4, vec![counting("a", 5)]);
    let result = run(&program, &setup);
    assert_eq!(kinds(&result), vec![]);
    assert_eq!(cells(&result, 0), vec![1, 2, 3, 4, 4]);
    // Across blocks it orders nothing.
    let setup = kernel_setup(&program, 2, 4, vec![counting("a", 5)]);
    let result = run(&program, &setup);
    assert_eq!(
        kinds(&result),
        vec![DefectKind::DataRace; result.findings.len()]
    );
    let [first, second] = sides(&result, &program, 0);
    assert!(matches!(first.0, Actor::Thread { block: 0, .. }));
    assert!(matches!(second.0, Actor::Thread { block: 1, .. }));
}

#[test]
fn many_readers_conflict_with_one_that_writes() {
    // Each thread reads a[0]; thread `writer` writes it afterwards.
    for writer in 0..4 {
        let mut draft = Draft::new();
        let a = draft.ints("a");
        let v = draft.local("v");
        let program = draft.kernel(vec![
            set(&v, a.at(0)),
            when(tid().equals(writer), vec![put(&a, 0, v.clone())]),
        ]);
        let setup = kernel_setup(&program, 1, 4, vec![zeros("a", 1)]);
        assert_eq!(
            kinds(&run(&program, &setup)),
            vec![DefectKind::DataRace],
            "{writer}"
        );
    }
}

#[test]
fn what_a_thread_did_before_it_returned_stays_unordered() {
    // All read a[0]; those from `stays` on return; thread 0 writes it after a barrier.
    for (stays, expected) in [
        (4, vec![]),
        (3, vec![DefectKind::DataRace]),
        (1, vec![DefectKind::DataRace]),
    ] {
        let mut draft = Draft::new();
        let a = draft.ints("a");
        let v = draft.local("v");
        let program = draft.kernel(vec![
            set(&v, a.at(0)),
            when(tid().ge(stays), vec![exit()]),
            barrier(),
            when(tid().equals(0), vec![put(&a, 0, v.clone())]),
        ]);
        let setup = kernel_setup(&program, 1, 4, vec![zeros("a", 1)]);
        assert_eq!(kinds(&run(&program, &setup)), expected, "{stays}");
    }
}

#[test]
fn atomics_conflict_with_plain_accesses_only() {
    type Other = fn(&E) -> Stmt;
    let cases: Vec<(Other, bool)> = vec![
        (|a| atomic(AtomicFn::Add, a.plus(0), 1, None), false),
        (|a| put(a, 0, 5), true),
        (|a| put(a, 1, 5), false),
    ];
    for (other, races) in cases {
        let mut draft = Draft::new();
        let a = draft.ints("a");
        let program = draft.kernel(vec![branch(
            tid().equals(0),
            vec![atomic(AtomicFn::Add, a.plus(0), 1, None)],
            vec![other(&a)],
        )]);
        let setup = kernel_setup(&program, 1, 2, vec![zeros("a", 2)]);
        let result = run(&program, &setup);
        assert_eq!(result.status, CanonicalStatus::Decides);
        assert_eq!(!result.findings.is_empty(), races);
    }
}

#[test]
fn atomics_whose_order_shows_are_not_canonical() {
    let cases: Vec<(AtomicFn, AtomicFn, bool, &str)> = vec![
        (
            AtomicFn::Add,
            AtomicFn::Add,
            true,
            "the result of an atomic operation is used",
        ),
        (
            AtomicFn::Add,
            AtomicFn::Max,
            false,
            "different atomic functions meet on a[0]",
        ),
    ];
    for (first, second, used, why) in cases {
        let mut draft = Draft::new();
        let a = draft.ints("a");
        let v = draft.local("v");
        let result = used.then_some(&v);
        let mut body = vec![branch(
            tid().equals(0),
            vec![atomic(first, a.plus(0), 1, result)],
            vec![atomic(second, a.plus(0), 2, result)],
        )];
        if used {
            body.push(put(&a, tid() + 1, v.clone()));
        }
        let program = draft.kernel(body);
        let setup = kernel_setup(&program, 1, 2, vec![zeros("a", 3)]);
        match run(&program, &setup).status {
            CanonicalStatus::NotCanonical { why: found }
            | CanonicalStatus::Cycle { why: found } => {
                assert!(found.starts_with(why), "{found}");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Where the order of atomics shows in a cell alone, it matters once a thread reads that cell.
#[test]
fn cells_whose_contents_are_open_may_not_be_read() {
    let why = "the order of atomic exchanges shows in the result";
    let status = |reader: Option<i32>, of: i32| {
        let mut draft = Draft::new();
        let (a, s) = (draft.ints("a"), draft.shared("s", 4));
        let exchanged = if of == 0 { &a } else { &s };
        let mut body = vec![
            put(&s, tid(), 0),
            put(&s, tid() + 2, 0),
            barrier(),
            atomic(AtomicFn::Exch, exchanged.plus(0), tid(), None),
        ];
        if let Some(index) = reader {
            body.push(barrier());
            body.push(put(&a, tid() + 1, exchanged.at(index)));
        }
        let program = draft.kernel(body);
        let setup = kernel_setup(&program, 1, 2, vec![zeros("a", 4)]);
        run(&program, &setup).status
    };
    for of in [0, 1] {
        for reader in [None, Some(3)] {
            let CanonicalStatus::DecidesDefects { why: found } = status(reader, of) else {
                panic!("{:?}", status(reader, of));
            };
            assert!(found.starts_with(why), "{found}");
        }
        let CanonicalStatus::NotCanonical { why: found } = status(Some(0), of) else {
            panic!("{:?}", status(Some(0), of));
        };
        assert!(found.starts_with(why), "{found}");
    }
}

#[test]
fn each_fault_is_found_where_it_is() {
    let undef = || ints("a", 4, Contents::Undef);
    type Body = fn(&mut Draft, &E) -> Vec<Stmt>;
    let cases: Vec<(Body, DefectKind)> = vec![
        (|_, a| vec![put(a, gid() + 1, 0)], DefectKind::OutOfBounds),
        (|_, a| vec![put(a, gid() - 1, 0)], DefectKind::OutOfBounds),
        (
            |draft, _| {
                let p = draft.pointer("p");
                let null = E(c(0).0.cast(p.0.ty));
                vec![set(&p, null), put(&p, 0, 0)]
            },
            DefectKind::NullPointer,
        ),
        (
            |draft, _| {
                use gridlock_semantics::algebra::declaration::Space;
                let table = draft.array("table", Space::Constant, 4, Some(vec![1, 2, 3, 4]));
                vec![put(&table, tid(), 0)]
            },
            DefectKind::ConstantWrite,
        ),
        (
            |draft, a| {
                let v = draft.local("v");
                vec![set(&v, a.at(tid())), put(a, tid(), v)]
            },
            DefectKind::UninitialisedRead,
        ),
        (
            |draft, a| {
                let s = draft.shared("s", 8);
                vec![put(&s, tid(), 1), barrier(), put(a, tid(), s.at(tid() + 1))]
            },
            DefectKind::UninitialisedRead,
        ),
        (
            |draft, a| {
                let v = draft.local("v");
                vec![when(tid().gt(0), vec![set(&v, 1)]), put(a, tid(), v)]
            },
            DefectKind::UninitialisedRead,
        ),
        (
            |_, a| vec![put(a, gid(), c(6) / (tid() - 2))],
            DefectKind::DivisionByZero,
        ),
        (
            |_, a| vec![put(a, gid(), c(6) << (tid() + 30))],
            DefectKind::UndefinedArithmetic,
        ),
        (|_, _| vec![assert(tid().lt(2))], DefectKind::Assertion),
        (
            |_, _| {
                vec![
                    when(tid().equals(1), vec![exit()]),
                    when(tid().ge(2), vec![barrier()]),
                ]
            },
            DefectKind::BarrierDivergence,
        ),
        (
            |_, _| vec![when(tid().lt(2), vec![sync_warp(0b111)]), barrier()],
            DefectKind::Deadlock,
        ),
        (|_, _| vec![sync_warp(0b1101)], DefectKind::BadWarpMask),
        (
            |_, _| {
                vec![branch(
                    tid().lt(2),
                    vec![sync_warp(0b1111)],
                    vec![sync_warp(0b1110)],
                )]
            },
            DefectKind::BadWarpMask,
        ),
    ];
    for (index, (body, expected)) in cases.into_iter().enumerate() {
        let mut draft = Draft::new();
        let a = draft.ints("a");
        let body = body(&mut draft, &a);
        let program = draft.kernel(body);
        let setup = kernel_setup(&program, 1, 4, vec![undef()]);
        let result = run(&program, &setup);
        assert_eq!(result.status, CanonicalStatus::Faulted, "case {index}");
        assert_eq!(kinds(&result).last(), Some(&expected), "case {index}");
    }
}

#[test]
fn a_fault_names_the_thread_and_the_cell() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let program = draft.kernel(vec![put(&a, gid(), 0)]);
    let setup = kernel_setup(&program, 3, 4, vec![zeros("a", 10)]);
    let (actor, kind) = only_fault(&run(&program, &setup));
    assert_eq!(actor, thread(2, 2));
    assert!(matches!(
        kind,
        FaultKind::OutOfBounds {
            index: 10,
            extent: 10,
            ..
        }
    ));
}

#[test]
fn barriers_must_agree_on_place_stack_and_iteration() {
    // A device function with a barrier, called from two places.
    let mut draft = Draft::new();
    let sync = draft.end("sync", ProcKind::Device, None, vec![barrier()]);
    let cases: Vec<(Vec<Stmt>, bool)> = vec![
        (
            vec![branch(tid().lt(2), vec![barrier()], vec![barrier()])],
            false,
        ),
        (
            vec![branch(
                tid().lt(2),
                vec![call(sync, vec![], None)],
                vec![call(sync, vec![], None)],
            )],
            false,
        ),
        (
            vec![call(sync, vec![], None), call(sync, vec![], None)],
            true,
        ),
    ];
    for (index, (body, agree)) in cases.into_iter().enumerate() {
        let mut draft = Draft::new();
        draft.end("sync", ProcKind::Device, None, vec![barrier()]);
        let program = draft.kernel(body);
        let setup = kernel_setup(&program, 1, 4, vec![]);
        let expected = if agree {
            vec![]
        } else {
            vec![DefectKind::BarrierDivergence]
        };
        assert_eq!(kinds(&run(&program, &setup)), expected, "case {index}");
    }
    // Thread 0 skips the barrier of its first iteration.
    for (from, agree) in [(1, false), (0, true)] {
        let mut draft = Draft::new();
        let i = draft.local("i");
        let program = draft.kernel(vec![counted(
            &i,
            select(tid().equals(0), 0, from),
            i.clone().lt(3),
            i.clone() + 1,
            vec![when(i.clone().ge(from), vec![barrier()])],
        )]);
        let setup = kernel_setup(&program, 1, 2, vec![]);
        let expected = if agree {
            vec![]
        } else {
            vec![DefectKind::BarrierDivergence]
        };
        assert_eq!(kinds(&run(&program, &setup)), expected, "from {from}");
    }
}

#[test]
fn sync_warp_orders_its_lanes_and_no_others() {
    let arrays = || vec![zeros("a", 64), zeros("s", 64)];
    let setup = |program: &Program| kernel_setup(program, 1, 64, arrays());
    let mut draft = Draft::new();
    let (a, s) = (draft.ints("a"), draft.ints("s"));
    let partner = select((tid() % 2).equals(0), tid() + 1, tid() - 1);
    let body = |synchronised: bool| {
        let mut body = vec![put(&s, tid(), tid())];
        if synchronised {
            body.push(sync_warp(u32::MAX));
        }
        body.push(put(&a, tid(), s.at(partner.clone())));
        body
    };
    let within = draft.clone().kernel(body(true));
    assert_eq!(kinds(&run(&within, &setup(&within))), vec![]);
    let without = draft.clone().kernel(body(false));
    assert_eq!(
        kinds(&run(&without, &setup(&without))),
        vec![DefectKind::DataRace]
    );
    // In lockstep it is ordered without, and remarked.
    let result = run_under("lockstep-warp", &without, &setup(&without));
    assert_eq!(kinds(&result), vec![]);
    assert_eq!(&*result.lockstep_remark.expect("a remark").array, "s");
    let result = run_under("lockstep-warp", &within, &setup(&within));
    assert_eq!(result.lockstep_remark, None);
    // Threads 32 apart are of different warps.
    let mut draft = Draft::new();
    let (a, b) = (draft.ints("a"), draft.ints("b"));
    let program = draft.kernel(vec![
        put(&b, tid(), tid()),
        sync_warp(u32::MAX),
        put(&a, tid(), b.at((tid() + 32) % 64)),
    ]);
    let setup = kernel_setup(&program, 1, 64, vec![zeros("a", 64), zeros("b", 64)]);
    for profile in ["cuda", "lockstep-warp"] {
        let result = run_under(profile, &program, &setup);
        assert_eq!(kinds(&result), vec![DefectKind::DataRace], "{profile}");
    }
}

#[test]
fn atomics_of_block_scope_race_across_blocks() {
    for (scope, grid, races) in [
        (Scope::Block, 1, false),
        (Scope::Block, 2, true),
        (Scope::Device, 2, false),
    ] {
        let mut draft = Draft::new();
        let a = draft.ints("a");
        let add = basic(Basic::Atomic {
            function: AtomicFn::Add,
            scope,
            pointer: a.plus(0).0,
            operands: vec![c(1).0],
            result: None,
        });
        let program = draft.kernel(vec![add]);
        let setup = kernel_setup(&program, grid, 3, vec![zeros("a", 1)]);
        let result = run(&program, &setup);
        assert_eq!(!result.findings.is_empty(), races, "{scope:?} {grid}");
        assert_eq!(cells(&result, 0), vec![3 * grid as i64]);
    }
}

/// The last steps of a tree sum by one warp, with no barrier between them.
fn unrolled_warp(volatile: bool, synchronised: bool) -> Program {
    let mut draft = Draft::new();
    let (a, out) = (draft.ints("a"), draft.ints("out"));
    let cells = if volatile { Draft::volatile(&a) } else { a };
    let v = draft.local("v");
    let mut body = Vec::new();
    for distance in [16, 8, 4, 2, 1] {
        body.push(set(&v, cells.at(tid()) + cells.at(tid() + distance)));
        if synchronised {
            body.push(sync_warp(u32::MAX));
        }
        body.push(put(&cells, tid(), v.clone()));
        if synchronised {
            body.push(sync_warp(u32::MAX));
        }
    }
    body.push(when(tid().equals(0), vec![put(&out, 0, cells.at(0))]));
    draft.kernel(body)
}

#[test]
fn an_unrolled_last_warp_needs_lockstep_or_synchronisation() {
    // Volatile, with `__syncwarp`; races under `cuda`, remarked in lockstep.
    let cases = [
        (false, false, true, true),
        (true, false, true, false),
        (false, true, false, false),
    ];
    for (volatile, synchronised, races, remarked) in cases {
        let program = unrolled_warp(volatile, synchronised);
        let setup = kernel_setup(&program, 1, 32, vec![counting("a", 64), zeros("out", 1)]);
        let result = run(&program, &setup);
        assert_eq!(
            !result.findings.is_empty(),
            races,
            "{volatile} {synchronised}"
        );
        let result = run_under("lockstep-warp", &program, &setup);
        assert_eq!(result.status, CanonicalStatus::Decides);
        assert_eq!(kinds(&result), vec![]);
        assert_eq!(cells(&result, 1), vec![(0..32).sum::<i64>()]);
        assert_eq!(
            result.lockstep_remark.is_some(),
            remarked,
            "{volatile} {synchronised}"
        );
    }
}

#[test]
fn lanes_on_opposite_sides_of_a_branch_race_in_lockstep_too() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let v = draft.local("v");
    let program = draft.kernel(vec![branch(
        tid().equals(0),
        vec![put(&a, 0, 1)],
        vec![set(&v, a.at(0))],
    )]);
    let setup = kernel_setup(&program, 1, 2, vec![zeros("a", 1)]);
    let result = run_under("lockstep-warp", &program, &setup);
    assert_eq!(kinds(&result), vec![DefectKind::DataRace]);
    // Two lanes in one instruction.
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let program = draft.kernel(vec![put(&a, 0, tid())]);
    let setup = kernel_setup(&program, 1, 2, vec![zeros("a", 1)]);
    let result = run_under("lockstep-warp", &program, &setup);
    assert_eq!(kinds(&result), vec![DefectKind::DataRace]);
    // Met again, they are ordered.
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let v = draft.local("v");
    let program = draft.kernel(vec![
        when(tid().equals(0), vec![put(&a, 0, 1)]),
        when(
            tid().equals(1),
            vec![set(&v, a.at(0)), put(&a, 1, v.clone())],
        ),
    ]);
    let setup = kernel_setup(&program, 1, 2, vec![zeros("a", 2)]);
    let result = run_under("lockstep-warp", &program, &setup);
    assert_eq!(kinds(&result), vec![]);
    assert_eq!(cells(&result, 0), vec![1, 1]);
}

/// Who takes a ticket is told how many did before: what comes of it needs them in its schedule too.
#[test]
fn what_follows_from_a_ticket_replays() {
    let shared_ticket = |draft: &mut Draft, last: i32, then: &dyn Fn(&E) -> Vec<Stmt>| {
        let next = draft.shared("next", 1);
        let mine = draft.local("mine");
        let mut body = vec![
            when(tid().equals(0), vec![put(&next, 0, 0)]),
            barrier(),
            atomic(AtomicFn::Add, next.plus(0), 1, Some(&mine)),
        ];
        body.push(when(mine.clone().ge(last), then(&mine)));
        body
    };
    // The second ticket leads out of bounds.
    let mut draft = Draft::new();
    let out = draft.ints("out");
    let body = shared_ticket(&mut draft, 0, &|mine| vec![put(&out, mine.clone() + 1, 1)]);
    let program = draft.kernel(body);
    let setup = kernel_setup(&program, 1, 2, vec![zeros("out", 2)]);
    let (actor, kind) = only_fault(&run(&program, &setup));
    assert_eq!(actor, thread(0, 1));
    assert!(matches!(kind, FaultKind::OutOfBounds { index: 2, .. }));

    // The second and the third race, where the first goes elsewhere.
    let mut draft = Draft::new();
    let out = draft.ints("out");
    let body = shared_ticket(&mut draft, 1, &|mine| vec![put(&out, 0, mine.clone())]);
    let program = draft.kernel(body);
    let setup = kernel_setup(&program, 1, 3, vec![zeros("out", 2)]);
    let result = run(&program, &setup);
    assert_eq!(kinds(&result), vec![DefectKind::DataRace]);
    let actors = sides(&result, &program, 0).map(|side| side.0);
    assert_eq!(actors, [thread(0, 1), thread(0, 2)]);

    // One ticket a block, in global memory: the last block's is one too many.
    let mut draft = Draft::new();
    let (next, out) = (draft.ints("next"), draft.ints("out"));
    let mine = draft.local("mine");
    let program = draft.kernel(vec![
        atomic(AtomicFn::Add, next.plus(0), 1, Some(&mine)),
        put(&out, mine.clone() + 1, 1),
    ]);
    let setup = kernel_setup(&program, 3, 1, vec![zeros("next", 1), zeros("out", 3)]);
    let (actor, kind) = only_fault(&run(&program, &setup));
    assert_eq!(actor, thread(2, 0));
    assert!(matches!(kind, FaultKind::OutOfBounds { index: 3, .. }));
}
