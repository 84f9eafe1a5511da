//! Programs to terms and back: the identity, on random programs and on real ones.

use crate::judging;
use gridlock_generation::effort;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space, VarDecl};
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{
    AllocSpace, AtomicFn, Basic, CopyKind, Op, OpId, OpKind, Orders, Provenance, Scope,
    ShuffleMode, WarpFn,
};
use gridlock_semantics::algebra::program::{Form, ProcKind, Procedure, Program};
use gridlock_semantics::algebra::span::{FileId, SourceFile, Span};
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_transforms::terms::conversion::{NotAProgram, TermProgram};
use gridlock_transforms::terms::term::{Functor, Term};
use quickcheck::{Arbitrary, Gen, QuickCheck};
use std::sync::Arc;

#[derive(Clone, Debug)]
struct AnyProgram(Program);

const VARS: u32 = 5;

fn pick(g: &mut Gen, n: u32) -> u32 {
    u32::arbitrary(g) % n
}

fn span(g: &mut Gen) -> Span {
    let line = pick(g, 50);
    Span {
        file: FileId(0),
        line,
        column: pick(g, 80),
        end_line: line,
        end_column: pick(g, 80),
    }
}

fn variable(g: &mut Gen) -> VarId {
    VarId(pick(g, VARS))
}

fn maybe_variable(g: &mut Gen) -> Option<VarId> {
    bool::arbitrary(g).then(|| variable(g))
}

fn pointer_type(g: &mut Gen) -> PointerType {
    PointerType {
        elem: ScalarType::F32,
        is_const: bool::arbitrary(g),
        is_volatile: bool::arbitrary(g),
    }
}

fn expr(g: &mut Gen, depth: u32) -> Expr {
    let leaf = depth == 0;
    let inside = |g: &mut Gen| Arc::new(expr(g, depth.saturating_sub(1)));
    let kind = match pick(g, if leaf { 4 } else { 12 }) {
        0 => return Expr::int(ScalarType::U8, i64::from(pick(g, 300))),
        // The type of a variable is its declaration's.
        1 => {
            let var = variable(g);
            return Expr::var(var, type_of(var));
        }
        2 => {
            let ty = Type::Pointer(pointer_type(g));
            return Expr::new(ty, ExprKind::ArrayBase(ArrayId(0)));
        }
        3 => return Expr::builtin(Builtin::BlockDim(Axis::Y)),
        4 => ExprKind::Unary(UnaryOp::BitNot, inside(g)),
        5 => ExprKind::Binary(BinaryOp::Shr, inside(g), inside(g)),
        6 => ExprKind::Cast(inside(g)),
        7 => ExprKind::Select(inside(g), inside(g), inside(g)),
        8 => ExprKind::Math(MathFn::Fma, (0..3).map(|_| (*inside(g)).clone()).collect()),
        9 => ExprKind::Offset(inside(g), inside(g)),
        10 => ExprKind::Load(inside(g)),
        _ => ExprKind::Const(Value::Undef),
    };
    let ty = match pick(g, 3) {
        0 => Type::F64,
        1 => Type::Pointer(pointer_type(g)),
        _ => Type::I32,
    };
    Expr::new(ty, kind)
}

fn type_of(var: VarId) -> Type {
    if var.0.is_multiple_of(2) {
        Type::I32
    } else {
        Type::pointer_to(ScalarType::F32)
    }
}

fn basic(g: &mut Gen) -> Basic {
    let e = |g: &mut Gen| expr(g, 2);
    match pick(g, 34) {
        0 => Basic::Assign {
            var: variable(g),
            value: e(g),
        },
        1 => Basic::Load {
            var: variable(g),
            pointer: e(g),
        },
        2 => Basic::Store {
            pointer: e(g),
            value: e(g),
        },
        3 => Basic::Atomic {
            function: AtomicFn::Cas,
            scope: Scope::Block,
            pointer: e(g),
            operands: vec![e(g), e(g)],
            result: maybe_variable(g),
        },
        4 => Basic::barrier(Orders::All),
        5 => Basic::SyncWarp { mask: e(g) },
        6 => Basic::Fence {
            scope: Scope::System,
        },
        7 => Basic::Exit,
        8 => Basic::Assert { cond: e(g) },
        9 => Basic::Assume { cond: e(g) },
        10 => Basic::InitGpu,
        11 => Basic::Alloc {
            var: variable(g),
            elem: ScalarType::I16,
            bytes: e(g),
            space: AllocSpace::Host,
        },
        12 => Basic::Free {
            stream: bool::arbitrary(g).then(|| e(g)),
            pointer: e(g),
            space: AllocSpace::Global,
        },
        13 => Basic::Copy {
            kind: CopyKind::DeviceToDevice,
            dst: e(g),
            src: e(g),
            bytes: e(g),
            stream: None,
        },
        14 => Basic::CallGpu {
            kernel: ProcId(1),
            grid: [e(g), e(g), e(g)],
            block: [e(g), e(g), e(g)],
            shared_bytes: e(g),
            args: vec![e(g)],
            stream: None,
            cooperative: false,
        },
        15 => Basic::DeviceSync,
        16 => Basic::NamedBarrier {
            id: e(g),
            threads: bool::arbitrary(g).then(|| e(g)),
            arrive_only: bool::arbitrary(g),
        },
        17 => Basic::GridBarrier,
        18 => Basic::Warp {
            function: WarpFn::Shuffle(ShuffleMode::Down),
            mask: e(g),
            operands: vec![e(g), e(g), e(g)],
            result: maybe_variable(g),
        },
        19 => Basic::ActiveMask {
            result: variable(g),
        },
        20 => Basic::Copy {
            kind: CopyKind::HostToDevice,
            dst: e(g),
            src: e(g),
            bytes: e(g),
            stream: Some(e(g)),
        },
        21 => Basic::CallGpu {
            kernel: ProcId(1),
            grid: [e(g), e(g), e(g)],
            block: [e(g), e(g), e(g)],
            shared_bytes: e(g),
            args: vec![e(g)],
            stream: bool::arbitrary(g).then(|| e(g)),
            cooperative: true,
        },
        22 => Basic::SetDevice { device: e(g) },
        23 => Basic::StreamCreate {
            var: variable(g),
            non_blocking: bool::arbitrary(g),
        },
        24 => Basic::StreamDestroy { stream: e(g) },
        25 => Basic::StreamSync { stream: e(g) },
        26 => Basic::EventCreate { var: variable(g) },
        27 => Basic::EventDestroy { event: e(g) },
        28 => Basic::EventRecord {
            event: e(g),
            stream: e(g),
        },
        29 => Basic::EventSync { event: e(g) },
        30 => Basic::StreamWait {
            stream: e(g),
            event: e(g),
        },
        31 => Basic::Wait { cond: e(g) },
        _ => Basic::Assign {
            var: variable(g),
            value: e(g),
        },
    }
}

fn op(g: &mut Gen, depth: u32) -> Arc<Op> {
    let inside = |g: &mut Gen| op(g, depth.saturating_sub(1));
    let kind = match pick(g, if depth == 0 { 2 } else { 8 }) {
        0 => OpKind::Skip,
        1 => OpKind::Basic(basic(g)),
        2 => OpKind::Seq((0..pick(g, 4)).map(|_| inside(g)).collect()),
        3 => OpKind::If {
            cond: expr(g, 2),
            then: inside(g),
            otherwise: inside(g),
        },
        4 => OpKind::While {
            cond: expr(g, 2),
            body: inside(g),
        },
        5 => OpKind::Call {
            proc: ProcId(0),
            args: vec![expr(g, 1)],
            result: maybe_variable(g),
        },
        6 => OpKind::Par(inside(g), inside(g)),
        _ => {
            let body = inside(g);
            return counted(g, body);
        }
    };
    made(g, kind)
}

/// A counted loop, now and then one that is not.
fn counted(g: &mut Gen, body: Arc<Op>) -> Arc<Op> {
    let var = VarId(0);
    let read = || Expr::var(var, Type::I32);
    let stepped = if pick(g, 5) == 0 { VarId(2) } else { var };
    let value = expr(g, 1);
    let init = made(g, OpKind::Basic(Basic::Assign { var, value }));
    let value = Expr::binary(BinaryOp::Add, read(), Expr::i32(1));
    let step = made(
        g,
        OpKind::Basic(Basic::Assign {
            var: stepped,
            value,
        }),
    );
    let inner = made(g, OpKind::Seq(vec![body, step]));
    let cond = Expr::binary(BinaryOp::Lt, read(), expr(g, 1));
    let repeat = made(g, OpKind::While { cond, body: inner });
    made(g, OpKind::Seq(vec![init, repeat]))
}

fn made(g: &mut Gen, kind: OpKind) -> Arc<Op> {
    let provenance = match pick(g, 3) {
        0 => Provenance::AtomicForm {
            from: OpId(pick(g, 9)),
        },
        1 => Provenance::Rule {
            rule: "some-rule".into(),
            from: vec![OpId(3), OpId(4)],
        },
        _ => Provenance::Source,
    };
    Arc::new(Op {
        id: OpId(pick(g, 1000)),
        span: span(g),
        provenance,
        kind,
    })
}

impl Arbitrary for AnyProgram {
    fn arbitrary(g: &mut Gen) -> AnyProgram {
        let kinds = [ProcKind::Host, ProcKind::Kernel, ProcKind::Device];
        let procs = kinds.iter().enumerate().map(|(n, &kind)| Procedure {
            name: format!("p{n}").into(),
            kind,
            params: vec![VarId(0), VarId(1)],
            vars: (0..VARS)
                .map(|v| VarDecl {
                    // Names may repeat: numbers tell variables apart.
                    name: format!("v{}", v / 2).into(),
                    ty: type_of(VarId(v)),
                    span: span(g),
                })
                .collect(),
            result: maybe_variable(g),
            body: op(g, 4),
            most_threads: None,
            span: span(g),
        });
        let procs = procs.collect();
        AnyProgram(Program {
            form: Form::Surface,
            files: vec![SourceFile {
                name: "f.cu".into(),
                text: "".into(),
            }],
            arrays: vec![ArrayDecl {
                name: "tile".into(),
                elem: ScalarType::F32,
                extent: Extent::LaunchShared,
                dims: vec![],
                space: Space::Shared,
                is_volatile: true,
                is_managed: false,
                init: None,
                owner: Some(ProcId(1)),
                symbol: None,
                span: span(g),
            }],
            procs,
            cells: Default::default(),
        })
    }
}

fn round_trip(program: &Program) -> Program {
    TermProgram::from_program(program)
        .to_program()
        .expect("a program")
}

#[test]
fn conversion_is_the_identity_on_random_programs() {
    fn identity(program: AnyProgram) -> bool {
        round_trip(&program.0) == program.0
    }
    QuickCheck::new()
        .tests(effort::cases(1000, 20_000))
        .quickcheck(identity as fn(AnyProgram) -> bool);
}

#[test]
fn conversion_is_the_identity_on_the_examples() {
    for name in [
        "bitonic-sort/bitonic_sort.c",
        "tree-sum/tree_sum.cu",
        "barriers/repaired.cu",
    ] {
        let program = judging::example(name);
        assert_eq!(round_trip(&program), program, "{name}");
    }
}

#[test]
fn counted_loops_are_for_terms() {
    let program = judging::example("bitonic-sort/bitonic_sort.c");
    let mut loops = 0;
    let term = TermProgram::from_program(&program);
    term.root
        .walk(&mut |t| loops += usize::from(t.args_of(&Functor::For).is_some()));
    assert_eq!(loops, 3);
}

#[test]
fn a_helper_term_left_behind_is_named() {
    let mut term = TermProgram::from_program(&judging::example("barriers/repaired.cu"));
    let helper = Term::app(Functor::Helper("_Unroll".into()), vec![]);
    term.root = term.root.replaced(&[0, 4], helper);
    let name = &term.procedure_names()[0];
    let expected = NotAProgram::Leftover {
        name: "_Unroll".into(),
        procedure: name.to_string(),
    };
    assert_eq!(term.to_program(), Err(expected));
}

#[test]
fn origins_take_no_part_in_equality() {
    let mut program = judging::example("tree-sum/tree_sum.cu");
    let before = TermProgram::from_program(&program);
    program.procs[0].body = Arc::new(Op {
        span: Span::NONE,
        id: OpId(999),
        ..(*program.procs[0].body).clone()
    });
    assert_eq!(TermProgram::from_program(&program).root, before.root);
}
