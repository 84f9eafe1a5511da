//! The canonical run: host programs, limits, setups that do not fit, arrays without extent.

use crate::algebra::*;
use crate::running::*;
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::compiled::compile;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::limits::Limits;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{AllocSpace, CopyKind};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Contents, Setup};

#[test]
fn each_host_fault_is_found() {
    type Body = fn(&mut Draft, &E) -> Vec<Stmt>;
    let cases: Vec<(Body, DefectKind)> = vec![
        (
            |draft, a| {
                let d = draft.pointer("d");
                vec![alloc(&d, 4, AllocSpace::Global), put(a, 0, d.at(0))]
            },
            DefectKind::WrongMemory,
        ),
        (
            |draft, a| {
                let d = draft.pointer("d");
                vec![
                    alloc(&d, 4, AllocSpace::Global),
                    copy(CopyKind::HostToDevice, &d, a, 5),
                ]
            },
            DefectKind::OutOfBounds,
        ),
        (
            |draft, a| {
                let d = draft.pointer("d");
                vec![
                    alloc(&d, 4, AllocSpace::Host),
                    free(&d, AllocSpace::Host),
                    put(&d, 0, a.at(0)),
                ]
            },
            DefectKind::UseAfterFree,
        ),
        (
            |draft, _| {
                let d = draft.pointer("d");
                vec![
                    alloc(&d, 4, AllocSpace::Global),
                    free(&d, AllocSpace::Global),
                    free(&d, AllocSpace::Global),
                ]
            },
            DefectKind::DoubleFree,
        ),
        (
            |_, a| vec![launch(ProcId(0), a.at(0) - a.at(0), 32, vec![a.clone()])],
            DefectKind::InvalidLaunch,
        ),
        (
            |_, a| vec![launch(ProcId(0), 1, 1025, vec![a.clone()])],
            DefectKind::InvalidLaunch,
        ),
        (
            |_, a| vec![launch(ProcId(0), 1, 1, vec![a.clone()])],
            DefectKind::WrongMemory,
        ),
        (
            |draft, a| {
                let d = draft.pointer("d");
                vec![
                    alloc(&d, 4, AllocSpace::Global),
                    copy(CopyKind::HostToDevice, &d, a, 4),
                    launch(ProcId(0), 1, 5, vec![d.clone()]),
                ]
            },
            DefectKind::OutOfBounds,
        ),
    ];
    for (index, (body, expected)) in cases.into_iter().enumerate() {
        let mut draft = Draft::new();
        let out = draft.ints("out");
        draft.end("k", ProcKind::Kernel, None, vec![put(&out, gid(), 1)]);
        let a = draft.ints("a");
        let body = body(&mut draft, &a);
        draft.end("main", ProcKind::Host, None, body);
        let program = draft.finish();
        let setup = host_setup(&program, vec![zeros("a", 8)]);
        let result = run(&program, &setup);
        assert_eq!(kinds(&result), vec![expected], "case {index}");
    }
}

#[test]
fn memory_never_freed_is_found() {
    let mut draft = Draft::new();
    let d = draft.pointer("d");
    let body = vec![alloc(&d, 4, AllocSpace::Global)];
    draft.end("main", ProcKind::Host, None, body);
    let program = draft.finish();
    let result = run(&program, &host_setup(&program, vec![]));
    assert_eq!(result.status, CanonicalStatus::Decides);
    assert_eq!(kinds(&result), vec![DefectKind::Leak]);
    let leaked: Vec<&str> = result.leaks.iter().map(|leak| &*leak.name).collect();
    assert_eq!(leaked, vec!["d"]);
}

/// `i` goes from 0 up and stays below `period`.
fn endless(period: i32) -> Program {
    let mut draft = Draft::new();
    let i = draft.local("i");
    draft.kernel(vec![
        set(&i, 0),
        repeat(i.clone().ge(0), vec![set(&i, (i.clone() + 1) % period)]),
    ])
}

#[test]
fn a_thread_in_a_cycle_is_noticed() {
    let program = endless(7);
    let setup = kernel_setup(&program, 1, 2, vec![]);
    let (compiled, profile) = (compile(&program), Profile::default());
    let result = canonical::run(&compiled, &setup, &profile, &Limits::default());
    assert!(
        matches!(&result.status, CanonicalStatus::Cycle { why } if why.contains("is in a cycle")),
        "{:?}",
        result.status
    );
}

#[test]
fn a_loop_that_counts_on_reaches_the_limit() {
    let program = endless(1 << 30);
    let setup = kernel_setup(&program, 1, 2, vec![]);
    let limits = Limits {
        depth: 10_000,
        ..Limits::default()
    };
    let result = canonical::run(&compile(&program), &setup, &Profile::default(), &limits);
    assert_eq!(
        result.status,
        CanonicalStatus::Limit {
            what: gridlock_checker::limits::DEPTH.to_owned()
        }
    );
}

#[test]
fn a_setup_that_does_not_fit_is_said() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let program = draft.kernel(vec![put(&a, 0, 1)]);
    let good = kernel_setup(&program, 1, 1, vec![zeros("a", 1)]);
    let bad = [
        Setup {
            declared: Default::default(),
            observed: Default::default(),
            launch: None,
            ..good.clone()
        },
        Setup {
            declared: Default::default(),
            observed: Default::default(),
            args: vec![],
            ..good.clone()
        },
        Setup {
            declared: Default::default(),
            observed: Default::default(),
            arrays: vec![],
            ..good.clone()
        },
        kernel_setup(&program, 0, 1, vec![zeros("a", 1)]),
    ];
    let run = |setup: &Setup| {
        canonical::run(
            &compile(&program),
            setup,
            &Profile::default(),
            &Limits::default(),
        )
    };
    assert_eq!(run(&good).status, CanonicalStatus::Decides);
    for setup in bad {
        assert!(
            matches!(run(&setup).status, CanonicalStatus::Unfit { .. }),
            "{setup:?}"
        );
    }
}

#[test]
fn arrays_without_extent_reach_as_far_as_they_are_used() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let program = draft.kernel(vec![put(&a, gid() * 1000, a.at(gid() * 1000 + 1))]);
    let mut array = ints("a", 0, Contents::Random { seed: 5 });
    array.extent = None;
    let setup = kernel_setup(&program, 2, 3, vec![array]);
    let result = run(&program, &setup);
    assert_eq!(result.status, CanonicalStatus::Decides);
    let seen = cells(&result, 0);
    assert_eq!(seen.len(), 5001);
    assert_eq!(seen[3000], seen[3001]);
}

#[test]
fn schedules_of_random_kernels_show_what_they_say() {
    use gridlock_generation::random::{Sizes, unrestricted};
    let sizes = Sizes {
        early_return: true,
        ..Sizes::default()
    };
    let mut found = 0;
    for seed in 0..1000 {
        let generated = unrestricted(seed, &sizes);
        for profile in ["cuda", "cuda-hw", "portable"] {
            found += run_under(profile, &generated.program, &generated.setup)
                .findings
                .len();
        }
    }
    assert!(found > 1000, "{found}");
}

#[test]
fn what_does_not_fit_into_memory_reaches_the_limit() {
    let limit = CanonicalStatus::Limit {
        what: gridlock_checker::limits::BYTES.to_owned(),
    };
    // An argument, a private array, a shared array, an allocation.
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let program = draft.kernel(vec![put(&a, 0, 1)]);
    let setup = kernel_setup(&program, 1, 1, vec![zeros("a", 1 << 40)]);
    assert_eq!(run(&program, &setup).status, limit);
    for space in [
        gridlock_semantics::algebra::declaration::Space::Private,
        gridlock_semantics::algebra::declaration::Space::Shared,
    ] {
        let mut draft = Draft::new();
        let big = draft.array("big", space, 1 << 40, None);
        let program = draft.kernel(vec![put(&big, tid(), 1)]);
        let setup = kernel_setup(&program, 1, 32, vec![]);
        assert_eq!(run(&program, &setup).status, limit, "{space:?}");
    }
    let mut draft = Draft::new();
    let d = draft.pointer("d");
    let body = vec![alloc(&d, c(1) << 29, AllocSpace::Global); 3];
    draft.end("main", ProcKind::Host, None, body);
    let program = draft.finish();
    assert_eq!(run(&program, &host_setup(&program, vec![])).status, limit);
}
