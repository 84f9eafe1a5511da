//! Random kernels made as odd as a well-formed program may be: names that clash or are no names,
//! floats of any bits, pointers with any qualifiers, sequences nested anyhow, idle operators.

use gridlock_generation::random::{Generated, Sizes, unrestricted};
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space, VarDecl};
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, CopyKind};
use gridlock_semantics::algebra::operator::{Op, OpKind, Scope};
use gridlock_semantics::algebra::program::{ProcKind, Procedure, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use gridlock_semantics::algebra::value::{ArrayRef, Pointer, Value};
use gridlock_semantics::well_formed::check_well_formed;
use std::sync::Arc;

/// A stream of numbers that depends on the seed alone.
pub struct Rng(pub u64);

impl Rng {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }

    fn name(&mut self) -> Arc<str> {
        const NAMES: [&str; 14] = [
            "i", "i", "i", "x", "IF", "barrier", "f32", "a b", "`", "\\", "a#2", "Ünï", "0", "a\nb",
        ];
        NAMES[self.roll(14) as usize].into()
    }

    fn qualified(&mut self, pointer: PointerType) -> Type {
        Type::Pointer(PointerType {
            elem: pointer.elem,
            is_const: self.roll(2) == 0,
            is_volatile: self.roll(2) == 0,
        })
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        expr.map(&mut |mut e| {
            match &mut e.kind {
                ExprKind::Const(Value::F32(bits)) if self.roll(2) == 0 => {
                    *bits = match self.roll(4) {
                        0 => 0x7f80_0000 | (self.roll(2) as u32) << 31,
                        1 => 0x7fc0_0000,
                        _ => self.roll(1 << 31) as u32 | (self.roll(2) as u32) << 31,
                    }
                }
                ExprKind::Const(Value::F64(bits)) if self.roll(2) == 0 => {
                    *bits = self.roll(1 << 31) << 33 | self.roll(1 << 31);
                }
                _ => {}
            }
            if let (Type::Pointer(pointer), 0) = (e.ty, self.roll(2)) {
                e = match self.roll(6) {
                    0 => {
                        let kind = ExprKind::Cast(Arc::new(e));
                        Expr::new(self.qualified(pointer), kind)
                    }
                    1 => self.chosen(e, pointer),
                    _ => Expr::new(self.qualified(pointer), e.kind),
                };
            } else if self.roll(12) == 0 {
                // A conversion that changes nothing.
                e = Expr::new(e.ty, ExprKind::Cast(Arc::new(e)));
            }
            e
        })
    }

    /// The pointer, or a null pointer, by a condition on null pointers.
    fn chosen(&mut self, pointer: Expr, ty: PointerType) -> Expr {
        let mut null = || {
            let offset = self.roll(3) as i64 - 1;
            let array = ArrayRef::Null;
            let value = Value::Pointer(Pointer { array, offset });
            Expr::new(self.qualified(ty), ExprKind::Const(value))
        };
        use gridlock_semantics::algebra::expr::BinaryOp;
        let cond = Expr::binary(BinaryOp::Ne, null(), null());
        let other = Expr::offset(null(), Expr::i32(-1));
        match self.roll(2) {
            0 => Expr::select(cond, pointer, other),
            _ => Expr::select(cond, other, pointer),
        }
    }

    fn op(&mut self, op: &Op) -> Arc<Op> {
        let kind = match &op.kind {
            OpKind::Skip => OpKind::Skip,
            OpKind::Seq(ops) => OpKind::Seq(ops.iter().map(|o| self.op(o)).collect()),
            OpKind::If {
                cond,
                then,
                otherwise,
            } => OpKind::If {
                cond: self.expr(cond),
                then: self.op(then),
                otherwise: self.op(otherwise),
            },
            OpKind::While { cond, body } => OpKind::While {
                cond: self.expr(cond),
                body: self.op(body),
            },
            OpKind::Call { proc, args, result } => OpKind::Call {
                proc: *proc,
                args: args.iter().map(|a| self.expr(a)).collect(),
                result: *result,
            },
            OpKind::Par(a, b) => OpKind::Par(self.op(a), self.op(b)),
            OpKind::Basic(basic) => {
                let mut basic = basic.clone();
                for e in basic
                    .expressions_mut()
                    .into_iter()
                    .filter(|e| !e.is_no_value())
                {
                    *e = self.expr(e);
                }
                if let Basic::Atomic { scope, .. } = &mut basic {
                    *scope = [Scope::Block, Scope::Device, Scope::System][self.roll(3) as usize];
                }
                OpKind::Basic(basic)
            }
        };
        let made = Op::new(kind, Span::NONE);
        match self.roll(8) {
            0 => Op::new(OpKind::Seq(vec![made]), Span::NONE),
            1 => Op::new(OpKind::Seq(vec![made, Op::skip()]), Span::NONE),
            2 => {
                let nothing = Op::new(OpKind::Seq(vec![]), Span::NONE);
                Op::new(OpKind::Seq(vec![nothing, made]), Span::NONE)
            }
            _ => made,
        }
    }
}

fn array(name: Arc<str>, space: Space, owner: Option<ProcId>) -> ArrayDecl {
    ArrayDecl {
        name,
        elem: ScalarType::F32,
        extent: Extent::Fixed(6),
        dims: vec![],
        space,
        is_volatile: true,
        is_managed: false,
        init: None,
        owner,
        symbol: None,
        span: Span::NONE,
    }
}

/// A host procedure that launches the kernel and copies.
fn host(rng: &mut Rng, kernel: &Procedure) -> Procedure {
    let pointer = Type::pointer_to(ScalarType::F32);
    let vars = [
        pointer,
        pointer,
        Type::I64,
        Type::pointer_to(ScalarType::I8),
    ];
    let vars = vars.map(|ty| VarDecl {
        name: rng.name(),
        ty,
        span: Span::NONE,
    });
    let (p, q) = (Expr::var(VarId(0), pointer), Expr::var(VarId(1), pointer));
    let bytes = |n: i64| Expr::int(ScalarType::I64, n);
    let one = || Expr::int(ScalarType::U32, 1);
    let args = kernel.params.iter().map(|param| {
        let ty = kernel.vars[param.0 as usize].ty;
        match ty {
            Type::Pointer(_) => Expr::new(
                ty,
                ExprKind::Const(Value::Pointer(Pointer {
                    array: ArrayRef::Null,
                    offset: 0,
                })),
            ),
            Type::Scalar(scalar) => Expr::int(scalar, 7),
        }
    });
    let launch = Basic::CallGpu {
        kernel: ProcId(0),
        grid: [one(), Expr::int(ScalarType::U32, 2), one()],
        block: [one(), one(), one()],
        shared_bytes: Expr::int(ScalarType::U32, rng.roll(2) as i64),
        args: args.collect(),
        stream: None,
        cooperative: false,
    };
    let copy = Basic::Copy {
        kind: CopyKind::DeviceToHost,
        dst: p.clone(),
        src: Expr::offset(q, Expr::var(VarId(2), Type::I64)),
        bytes: bytes(12),
        stream: None,
    };
    let free = Basic::Free {
        pointer: p,
        space: gridlock_semantics::algebra::operator::AllocSpace::Host,
        stream: None,
    };
    let ops = [Basic::InitGpu, launch, Basic::DeviceSync, copy, free];
    let ops = ops.map(|basic| Op::basic(basic, Span::NONE));
    Procedure {
        name: rng.name(),
        kind: ProcKind::Host,
        params: vec![VarId(0), VarId(1)],
        vars: vars.to_vec(),
        result: Some(VarId(2)),
        body: Op::new(OpKind::Seq(ops.to_vec()), Span::NONE),
        most_threads: None,
        span: Span::NONE,
    }
}

/// A well-formed program as odd as the random numbers make it.
pub fn rough(seed: u64) -> Program {
    let sizes = Sizes {
        statements: 12,
        depth: 3,
        expression_depth: 4,
        ..Sizes::default()
    };
    let Generated { mut program, .. } = unrestricted(seed, &sizes);
    let rng = &mut Rng(seed);
    let kernel = program.procs[0].clone();
    program.procs.push(host(rng, &kernel));
    // Arrays in no order of owners, one of them named by a procedure that does not own it.
    let foreign = ArrayId(program.arrays.len() as u32);
    program
        .arrays
        .push(array("i".into(), Space::Global, Some(ProcId(1))));
    program.arrays.push(array(rng.name(), Space::Global, None));
    program
        .arrays
        .push(array(rng.name(), Space::Private, Some(ProcId(0))));
    program
        .arrays
        .push(array(rng.name(), Space::Constant, None));
    let named = |array: ArrayId| {
        let base = Expr::array_base(array, PointerType::to(ScalarType::F32));
        Basic::Store {
            pointer: base,
            value: Expr::constant(Value::f32(-0.0)),
        }
    };
    let mut body: Vec<Arc<Op>> = (0..4)
        .map(|n| Op::basic(named(ArrayId(foreign.0 + n)), Span::NONE))
        .collect();
    body.push(program.procs[0].body.clone());
    program.procs[0].body = Op::new(OpKind::Seq(body), Span::NONE);
    for proc in &mut program.procs {
        proc.body = rng.op(&proc.body);
        proc.name = rng.name();
        for var in &mut proc.vars {
            var.name = rng.name();
        }
    }
    for array in &mut program.arrays {
        array.name = rng.name();
        if array.init.is_none() && array.space != Space::Shared && rng.roll(2) == 0 {
            let cell = Value::zero(array.elem);
            array.init = Some(vec![cell; rng.roll(2) as usize]);
        }
    }
    program.number_operators();
    if let Err(reasons) = check_well_formed(&program) {
        panic!("seed {seed}: {}", reasons[0]);
    }
    program
}
