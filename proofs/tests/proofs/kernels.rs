//! Kernels that must come out proved for all sizes, each beside broken twins that must not.

use crate::algebra::*;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::{Assurance, Property, Reason};
use gridlock_proofs::{
    ExtentTerm, ProofOutcome, ProofRequest, ProofStatus, prove_and_tell, prove_kernel,
};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::Profile;

const ALL: ProofStatus = ProofStatus::Proved {
    assurance: Assurance::AllInputsAllSizes,
};

fn prove(program: &Program) -> ProofOutcome {
    prove_in(program, "cuda", &[])
}

fn prove_in(program: &Program, profile: &str, extents: &[(VarId, ExtentTerm)]) -> ProofOutcome {
    let mut request = ProofRequest::all_sizes(Profile::named(profile).expect("a profile"));
    request.extents = extents.iter().cloned().collect();
    request.total_timeout *= 10;
    prove_kernel(program, ProcId(0), &request)
}

fn status(outcome: &ProofOutcome, property: Property) -> ProofStatus {
    outcome.of(property).expect("asked for").status
}

#[track_caller]
fn proved(program: &Program) {
    let outcome = prove(program);
    for property in [Property::Races, Property::Divergence, Property::Deadlock] {
        assert_eq!(status(&outcome, property), ALL, "{outcome:#?}");
    }
}

#[track_caller]
fn suspected(program: &Program, kind: DefectKind) {
    let outcome = prove(program);
    assert_eq!(
        status(&outcome, kind.property()),
        ProofStatus::Candidate,
        "{outcome:#?}"
    );
    assert!(outcome.candidates.iter().any(|c| c.kind == kind));
}

/// Each property is told of when it is judged, with what it takes for granted, as in the end.
#[test]
fn what_is_judged_is_told() {
    for guarded in [true, false] {
        let program = map(guarded, 0);
        let request = ProofRequest::all_sizes(Profile::default());
        let (mut told, mut assumed) = (Vec::new(), Statements::default());
        let outcome = prove_and_tell(&program, ProcId(0), &request, &mut |proof, assumptions| {
            told.push(proof.clone());
            assumed = assumptions.clone();
        });
        assert_eq!(told, outcome.results);
        assert_eq!(assumed, outcome.assumptions);
        assert!(told.len() > 1);
    }
}

/// Straight code of many like accesses asks no more than a few; one that differs is not lost among them.
#[test]
fn many_accesses_of_one_cell() {
    let straight = |last: i32| {
        let mut d = Draft::new();
        let out = d.ints("out");
        let more = |shift: i32| {
            let index = add(&gid(), &c(shift));
            store(&out, &index, &add(&at(&out, &index), &c(1)))
        };
        let mut body: Vec<_> = (0..400).map(|_| more(0)).collect();
        body.push(more(last));
        d.kernel(body)
    };
    let outcome = prove(&straight(0));
    assert_eq!(status(&outcome, Property::Races), ALL, "{outcome:#?}");
    assert!(outcome.queries < 50, "{}", outcome.queries);
    suspected(&straight(1), DefectKind::DataRace);
}

fn map(guarded: bool, shift: i32) -> Program {
    let mut d = Draft::new();
    let (input, out, n) = (d.ints("in"), d.ints("out"), d.int("n"));
    let i = d.local("i");
    let work = store(&out, &add(&i, &c(shift)), &mul(&at(&input, &i), &c(3)));
    let body = if guarded {
        if_(&lt(&i, &n), vec![work])
    } else {
        work
    };
    d.kernel(vec![set(&i, &gid()), body])
}

#[test]
fn guarded_map() {
    proved(&map(true, 0));
}

#[test]
fn bounds_need_the_guard() {
    let extents = |program: &Program| {
        let vars = &program.procs[0].vars;
        let n = gridlock_semantics::algebra::expr::Expr::var(VarId(2), vars[2].ty);
        [
            (VarId(0), ExtentTerm::Of(n.clone())),
            (VarId(1), ExtentTerm::Of(n)),
        ]
    };
    let guarded = map(true, 0);
    let outcome = prove_in(&guarded, "cuda", &extents(&guarded));
    assert_eq!(status(&outcome, Property::Bounds), ALL, "{outcome:#?}");
    for broken in [map(false, 0), map(true, 1)] {
        let outcome = prove_in(&broken, "cuda", &extents(&broken));
        assert_eq!(
            status(&outcome, Property::Bounds),
            ProofStatus::Candidate,
            "{outcome:#?}"
        );
        let candidate = &outcome.candidates[0];
        assert_eq!(candidate.kind, DefectKind::OutOfBounds);
        let (_, index) = candidate.sites[0].element.clone().expect("an element");
        let extent = candidate.setup.arrays[0].extent.expect("an extent");
        assert!(index >= extent as i64 || index < 0);
    }
}

#[test]
fn bounds_without_extents_are_not_judged() {
    let outcome = prove(&map(true, 0));
    assert_eq!(status(&outcome, Property::Bounds), ProofStatus::NotJudged);
}

/// Nobody said how long `a` is, but nothing lies before its beginning.
#[test]
fn arrays_without_extent_begin_at_0_all_the_same() {
    let shifted = |guarded: bool, back: i32| {
        let mut d = Draft::new();
        let (a, out) = (d.ints("a"), d.ints("out"));
        let body = store(&out, &tid(), &at(&a, &sub(&tid(), &c(back))));
        let body = match guarded {
            true => if_(&ge(&tid(), &c(back)), vec![body]),
            false => body,
        };
        d.kernel(vec![body])
    };
    let bounds = |program: &Program| {
        // Of `out` only.
        prove_in(program, "cuda", &[(VarId(1), ExtentTerm::Elements(1024))])
    };
    for (guarded, back) in [(true, 1), (true, 3), (false, 0), (false, -1)] {
        let outcome = bounds(&shifted(guarded, back));
        let found = status(&outcome, Property::Bounds);
        assert!(
            matches!(found, ProofStatus::Proved { .. }),
            "{back} {outcome:#?}"
        );
        let why = &outcome.of(Property::Bounds).unwrap().why;
        assert!(why.ends_with("and none into another is below 0"), "{why}");
    }
    for back in [1, 3] {
        let outcome = bounds(&shifted(false, back));
        assert_eq!(status(&outcome, Property::Bounds), ProofStatus::Candidate);
        let mut candidates = outcome.candidates.iter();
        let found = candidates
            .find(|c| c.kind == DefectKind::OutOfBounds)
            .unwrap();
        assert_eq!(found.setup.arrays[0].extent, None);
        let (array, index) = found.sites[0].element.clone().expect("an element");
        assert_eq!(array, "a");
        assert!((-i64::from(back)..0).contains(&index), "{index}");
    }
    // Where no extent is known, a beginning that is passed is still a defect.
    let outcome = prove(&shifted(false, 1));
    assert_eq!(status(&outcome, Property::Bounds), ProofStatus::Candidate);
    assert_eq!(
        status(&prove(&shifted(true, 1)), Property::Bounds),
        ProofStatus::NotJudged
    );
}

#[test]
fn all_threads_write_one_element() {
    let mut d = Draft::new();
    let out = d.ints("out");
    let program = d.kernel(vec![store(&out, &c(0), &tid())]);
    suspected(&program, DefectKind::DataRace);
}

#[test]
fn stencil_in_place_races() {
    for (in_place, offset) in [(false, 1), (false, -1), (true, 1)] {
        let mut d = Draft::new();
        let (input, out, n) = (d.ints("in"), d.ints("out"), d.int("n"));
        let i = d.local("i");
        let target = if in_place { &input } else { &out };
        let sum = add(&at(&input, &i), &at(&input, &add(&i, &c(offset))));
        let program = d.kernel(vec![
            set(&i, &gid()),
            if_(&lt(&i, &n), vec![store(target, &i, &sum)]),
        ]);
        if in_place {
            suspected(&program, DefectKind::DataRace);
        } else {
            proved(&program);
        }
    }
}

fn bitonic(strict: bool, guard: bool) -> Program {
    let mut d = Draft::new();
    let (a, n, j, k) = (d.ints("a"), d.int("n"), d.int("j"), d.int("k"));
    let (i, ixj, t) = (d.local("i"), d.local("ixj"), d.local("t"));
    let order = if strict { gt(&ixj, &i) } else { ge(&ixj, &i) };
    let up = eq(
        &gridlock_semantics::algebra::expr::Expr::binary(
            gridlock_semantics::algebra::expr::BinaryOp::BitAnd,
            i.clone(),
            k.clone(),
        ),
        &c(0),
    );
    let wrong = or(
        &and(&up, &gt(&at(&a, &i), &at(&a, &ixj))),
        &and(&not(&up), &lt(&at(&a, &i), &at(&a, &ixj))),
    );
    let swap = if_(
        &wrong,
        vec![
            set(&t, &at(&a, &i)),
            store(&a, &i, &at(&a, &ixj)),
            store(&a, &ixj, &t),
        ],
    );
    let exchange = if guard {
        vec![if_(&order, vec![swap])]
    } else {
        vec![swap]
    };
    let mut body = vec![set(&ixj, &xor(&i, &j))];
    body.extend(exchange);
    d.kernel(vec![set(&i, &gid()), if_(&lt(&i, &n), body)])
}

#[test]
fn bitonic_step() {
    proved(&bitonic(true, true));
}

#[test]
fn bitonic_step_without_its_order_races() {
    suspected(&bitonic(true, false), DefectKind::DataRace);
}

/// Loads a tile into shared memory, then reads a neighbour.
fn neighbour(barrier_outside: bool, barrier_at_all: bool, stride: i32) -> Program {
    let mut d = Draft::new();
    let (input, out, n) = (d.ints("in"), d.ints("out"), d.int("n"));
    let s = d.shared("s", 1024);
    let i = d.local("i");
    let mut load = vec![store(&s, &tid(), &at(&input, &i))];
    let mut body = vec![set(&i, &gid())];
    let wait = if barrier_at_all {
        vec![barrier()]
    } else {
        vec![]
    };
    let left = at(&s, &sub(&tid(), &c(stride)));
    let use_it = if_(
        &and(&lt(&i, &n), &ge(&tid(), &c(stride))),
        vec![store(&out, &i, &add(&at(&s, &tid()), &left))],
    );
    if barrier_outside {
        body.push(if_(&lt(&i, &n), load));
        body.extend(wait);
        body.push(use_it);
    } else {
        load.extend(wait);
        load.push(use_it);
        body.push(if_(&lt(&i, &n), load));
    }
    d.kernel(body)
}

#[test]
fn barrier_pair() {
    let twin = neighbour(true, true, 1);
    let outcome = prove(&twin);
    for result in &outcome.results {
        if result.property == Property::Bounds {
            // Of `s` only, whose extent is declared.
            assert_eq!(result.status, ALL);
        } else {
            assert_eq!(result.status, ALL, "{outcome:#?}");
        }
    }
    suspected(&neighbour(false, true, 1), DefectKind::BarrierDivergence);
    suspected(&neighbour(true, false, 1), DefectKind::DataRace);
}

#[test]
fn divergence_is_a_small_launch() {
    let outcome = prove(&neighbour(false, true, 1));
    let candidate = &outcome.candidates[0];
    let launch = candidate.setup.launch.expect("a launch");
    assert!(launch.block[0] <= 4 && launch.grid[0] <= 2, "{launch:?}");
    assert_eq!(candidate.sites.len(), 2);
    // Nothing is claimed about races while threads may part.
    assert!(matches!(
        status(&outcome, Property::Races),
        ProofStatus::Unknown { .. } | ProofStatus::Candidate
    ));
}

#[derive(Clone, Copy, PartialEq)]
enum Sum {
    Right,
    NoBarrier,
    BarrierInside,
    Reach(i32),
}

fn shrinking_sum(how: Sum) -> Program {
    let mut d = Draft::new();
    let (input, out) = (d.ints("in"), d.ints("out"));
    let x = d.shared("x", 1024);
    let s = d.local("s");
    let reach = if let Sum::Reach(by) = how { by } else { 0 };
    let far = add(&add(&tid(), &s), &c(reach));
    let mut step = vec![store(&x, &tid(), &add(&at(&x, &tid()), &at(&x, &far)))];
    if how == Sum::BarrierInside {
        step.push(barrier());
    }
    let mut body = vec![if_(&lt(&tid(), &s), step)];
    if how != Sum::NoBarrier && how != Sum::BarrierInside {
        body.push(barrier());
    }
    d.kernel(vec![
        store(&x, &tid(), &at(&input, &gid())),
        barrier(),
        for_(
            &s,
            &div(&bdim(), &c(2)),
            &gt(&s, &c(0)),
            &shr(&s, &c(1)),
            body,
        ),
        if_(
            &eq(&tid(), &c(0)),
            vec![store(&out, &bid(), &at(&x, &c(0)))],
        ),
    ])
}

#[test]
fn tree_sum_with_shrinking_distance() {
    proved(&shrinking_sum(Sum::Right));
    suspected(&shrinking_sum(Sum::NoBarrier), DefectKind::DataRace);
    suspected(
        &shrinking_sum(Sum::BarrierInside),
        DefectKind::BarrierDivergence,
    );
    suspected(&shrinking_sum(Sum::Reach(-1)), DefectKind::DataRace);
}

fn growing_sum(reach: i32, wait: bool, last_guard: bool) -> Program {
    let mut d = Draft::new();
    let (input, out) = (d.ints("in"), d.ints("out"));
    let x = d.shared("x", 2048);
    let s = d.local("s");
    let far = add(&add(&tid(), &s), &c(reach));
    let mine = eq(&rem(&tid(), &mul(&c(2), &s)), &c(0));
    let mine = and(&mine, &lt(&far, &bdim()));
    let mut body = vec![if_(
        &mine,
        vec![store(&x, &tid(), &add(&at(&x, &tid()), &at(&x, &far)))],
    )];
    if wait {
        body.push(barrier());
    }
    let write = store(&out, &bid(), &at(&x, &c(0)));
    let write = if last_guard {
        if_(&eq(&tid(), &c(0)), vec![write])
    } else {
        write
    };
    d.kernel(vec![
        store(&x, &tid(), &at(&input, &gid())),
        barrier(),
        for_(&s, &c(1), &lt(&s, &bdim()), &mul(&s, &c(2)), body),
        write,
    ])
}

#[test]
fn tree_sum_with_growing_distance() {
    proved(&growing_sum(0, true, true));
    suspected(&growing_sum(1, true, true), DefectKind::DataRace);
    suspected(&growing_sum(0, false, true), DefectKind::DataRace);
    suspected(&growing_sum(0, true, false), DefectKind::DataRace);
}

#[test]
fn paper_profiles_are_not_for_two_threads() {
    let outcome = prove_in(&map(true, 0), "paper", &[]);
    for result in outcome.results {
        let reason = Reason::Unsupported;
        assert_eq!(result.status, ProofStatus::Unknown { reason });
    }
}
