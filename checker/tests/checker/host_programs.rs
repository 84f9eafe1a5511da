//! Host code that drives a device: launch boundaries order, faults and differences of whole
//! programs replay.

use crate::kernels::*;
use gridlock_checker::explore::{Exploration, ExploreOptions, Outcome, explore_program};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::limits::Limits;
use gridlock_checker::replay::{defect, observation_after, replay, witness};
use gridlock_checker::report::witness::{ObservedCell, Whose, WitnessDifference};
use gridlock_checker::system::ExploredProgram;
use gridlock_semantics::algebra::declaration::VarDecl;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{AllocSpace, Basic, CopyKind, Op};
use gridlock_semantics::algebra::program::*;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Setup};
use gridlock_semantics::transition::Rule;
use std::sync::Arc;

fn bytes(n: i64) -> Expr {
    Expr::int(ScalarType::U64, n)
}

fn extents(x: i64) -> [Expr; 3] {
    [x, 1, 1].map(|n| Expr::int(ScalarType::U32, n))
}

fn call(at: u32, kernel: u32, n_threads: i64) -> Arc<Op> {
    let kernel = ProcId(kernel);
    op(
        at,
        Basic::CallGpu {
            kernel,
            grid: extents(1),
            block: extents(n_threads),
            shared_bytes: Expr::int(ScalarType::U32, 0),
            args: vec![ptr(1)],
            stream: None,
            cooperative: false,
        },
    )
}

fn copy(at: u32, kind: CopyKind, dst: u32, src: u32) -> Arc<Op> {
    let (dst, src, bytes) = (ptr(dst), ptr(src), bytes(8));
    op(
        at,
        Basic::Copy {
            kind,
            dst,
            src,
            bytes,
            stream: None,
        },
    )
}

/// `main(h)` allocates `d`, copies `h` to it, runs `launches`, copies back and frees; kernel 1
/// is `d[t] = t + 1`, kernel 2 is `d[t] = d[1 - t]`, racing, and kernel 3 reads `d[1 - t]`.
fn program(launches: &[(u32, i64)]) -> Program {
    let d = |name: &str| VarDecl {
        name: name.into(),
        ty: Type::Pointer(INT),
        span: line(1),
    };
    let kernel = |name: &str, body: Vec<Arc<Op>>| Procedure {
        name: name.into(),
        kind: ProcKind::Kernel,
        params: vec![VarId(0)],
        vars: vec![
            d("d"),
            VarDecl {
                name: "x".into(),
                ty: Type::I32,
                span: line(1),
            },
        ],
        result: None,
        body: seq(body),
        most_threads: None,
        span: line(1),
    };
    let other = || load(ptr(0), bin(BinaryOp::Sub, n(1), tid()));
    let var = VarId(1);
    let mut body = vec![
        op(
            10,
            Basic::Alloc {
                var,
                elem: ScalarType::I32,
                bytes: bytes(8),
                space: AllocSpace::Global,
            },
        ),
        copy(11, CopyKind::HostToDevice, 1, 0),
    ];
    let calls = launches.iter().zip(12..);
    body.extend(calls.map(|((kernel, n_threads), at)| call(at, *kernel, *n_threads)));
    body.push(copy(20, CopyKind::DeviceToHost, 0, 1));
    let (pointer, space) = (ptr(1), AllocSpace::Global);
    body.push(op(
        21,
        Basic::Free {
            pointer,
            space,
            stream: None,
        },
    ));
    let mut program = with_procs(vec![
        Procedure {
            name: "main".into(),
            kind: ProcKind::Host,
            params: vec![VarId(0)],
            vars: vec![d("h"), d("d")],
            result: None,
            body: seq(body),
            most_threads: None,
            span: line(9),
        },
        kernel("fill", vec![store(2, ptr(0), tid(), add(tid(), n(1)))]),
        kernel("swap", vec![store(3, ptr(0), tid(), other())]),
        kernel("look", vec![set(4, 1, other())]),
    ]);
    program.number_operators();
    program
}

fn with_procs(procs: Vec<Procedure>) -> Program {
    Program {
        procs,
        ..kernel(0, 0, &[], vec![])
    }
}

fn setup() -> Setup {
    Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry: ProcId(0),
        launch: None,
        args: vec![Arg::Array(0)],
        arrays: vec![ArrayArg {
            name: "h".into(),
            elem: ScalarType::I32,
            extent: Some(2),
            contents: Contents::Zero,
            observed: true,
        }],
    }
}

fn explore(program: &Program, reduction: bool) -> Exploration {
    let options = ExploreOptions {
        reduction,
        ..ExploreOptions::default()
    };
    let (setup, profile) = (setup(), Profile::default());
    explore_program(program, &setup, &profile, &Limits::default(), &options).unwrap()
}

/// What one launch wrote another may read.
#[test]
fn launches_are_ordered() {
    let program = program(&[(1, 2), (3, 2), (1, 2)]);
    for reduction in [false, true] {
        let found = explore(&program, reduction);
        assert!(
            found.complete && found.findings.is_empty(),
            "{:?}",
            found.findings
        );
        let [Outcome::Observation(seen)] = found.outcomes.keys().collect::<Vec<_>>()[..] else {
            panic!("one outcome");
        };
        assert_eq!(seen.arrays[0].cells, [Value::i32(1), Value::i32(2)]);
    }
    // The start of the host; of each launch its begin and its end; the end of the host.
    assert_eq!(explore(&program, true).statistics.states, 1 + 3 * 2 + 1);
}

#[test]
fn defects_behind_launches_replay() {
    let racy = program(&[(1, 2), (2, 2)]);
    let too_many = program(&[(1, 2), (1, 3)]);
    for (program, kind) in [
        (racy, DefectKind::DataRace),
        (too_many, DefectKind::OutOfBounds),
    ] {
        for reduction in [false, true] {
            let found = explore(&program, reduction);
            assert!(found.findings.iter().all(|f| f.kind == kind) && !found.findings.is_empty());
            let profile = Profile::default();
            let made = defect(&program, &setup(), &profile, &found.findings[0], 0).unwrap();
            assert!(made.accesses.iter().all(|site| site.thread.is_some()));
            let again = replay(&made.witness.unwrap(), &program).unwrap();
            assert!(again.reproduced);
            let launches = again
                .steps
                .iter()
                .filter(|step| step.rule == Rule::R8)
                .count();
            assert_eq!(launches, 2);
        }
    }
}

/// A witness of a difference is followed to the end; one that claims another value is not
/// reproduced.
#[test]
fn differences_replay() {
    let program = program(&[(1, 2)]);
    let profile = Profile::default();
    let system = ExploredProgram::new(&program, &setup(), &profile).unwrap();
    let seen = observation_after(&system, &[]).unwrap();
    assert_eq!(seen.arrays[0].cells[1], Value::i32(2));
    let mut made = witness(
        &program,
        &setup(),
        &profile,
        DefectKind::NotEquivalent,
        vec![],
    );
    for (claimed, reproduced) in [(2, true), (3, false)] {
        made.difference = Some(WitnessDifference {
            side: Whose::New,
            cells: vec![ObservedCell {
                array: Some("h".to_owned()),
                index: Some(1),
                value: Some(Value::i32(claimed)),
            }],
            new_value: Some(Value::i32(claimed)),
            old_value: Some(Value::i32(7)),
            relation: "new.h[1] == old.h[1]".to_owned(),
        });
        let again = replay(&made, &program).unwrap();
        assert_eq!(again.reproduced, reproduced, "{}", again.conclusion);
        assert!(
            again.conclusion.starts_with("h[1] is 2;"),
            "{}",
            again.conclusion
        );
        assert!(again.steps.iter().any(|step| step.rule == Rule::R9));
    }
}

/// A kernel that never ends has no observation, and asking for one comes to an end.
#[test]
fn endless_runs_are_given_up() {
    let forever = repeat(3, Expr::bool(true), vec![set(4, 1, n(0))]);
    let spinning = repeat(3, Expr::bool(true), vec![store(4, ptr(0), n(0), n(1))]);
    let setup = launch(1, 1, &[(1, Contents::Zero)]);
    for body in [forever, spinning] {
        let endless = kernel(1, 1, &[], vec![body]);
        let system = ExploredProgram::new(&endless, &setup, &Profile::default()).unwrap();
        assert_eq!(observation_after(&system, &[]), None);
    }
}
