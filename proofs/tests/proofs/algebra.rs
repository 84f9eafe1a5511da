//! Kernels written in the algebra, for tests. Scalars are `int`; subscripts convert to 64 bits.

#![allow(dead_code)]

use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space, VarDecl};
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr, ExprKind, UnaryOp};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, OpKind, Orders, Scope};
use gridlock_semantics::algebra::program::*;
use gridlock_semantics::algebra::span::{FileId, Span};
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use std::cell::Cell;
use std::sync::Arc;

pub type Stmt = Arc<Op>;

thread_local! {
    static LINE: Cell<u32> = const { Cell::new(0) };
}

fn span() -> Span {
    let line = LINE.with(|l| {
        l.set(l.get() + 1);
        l.get()
    });
    Span {
        file: FileId(0),
        line,
        column: 1,
        end_line: line,
        end_column: 1,
    }
}

/// A procedure under construction.
pub struct Draft {
    program: Program,
    vars: Vec<VarDecl>,
    params: Vec<VarId>,
}

impl Draft {
    pub fn new() -> Draft {
        LINE.with(|l| l.set(0));
        Draft {
            program: Program {
                form: Form::Surface,
                files: vec![],
                arrays: vec![],
                procs: vec![],
                cells: Default::default(),
            },
            vars: vec![],
            params: vec![],
        }
    }

    fn var(&mut self, name: &str, ty: Type) -> Expr {
        let id = VarId(self.vars.len() as u32);
        self.vars.push(VarDecl {
            name: name.into(),
            ty,
            span: Span::NONE,
        });
        Expr::var(id, ty)
    }

    pub fn local(&mut self, name: &str) -> Expr {
        self.var(name, Type::I32)
    }

    pub fn local_of(&mut self, name: &str, ty: Type) -> Expr {
        self.var(name, ty)
    }

    fn param(&mut self, name: &str, ty: Type) -> Expr {
        let var = self.var(name, ty);
        self.params.push(id(&var));
        var
    }

    pub fn int(&mut self, name: &str) -> Expr {
        self.param(name, Type::I32)
    }

    pub fn argument(&mut self, name: &str, ty: Type) -> Expr {
        self.param(name, ty)
    }

    pub fn ints(&mut self, name: &str) -> Expr {
        self.param(name, Type::Pointer(PointerType::to(ScalarType::I32)))
    }

    pub fn shared(&mut self, name: &str, extent: u64) -> Expr {
        let id = ArrayId(self.program.arrays.len() as u32);
        self.program.arrays.push(ArrayDecl {
            name: name.into(),
            elem: ScalarType::I32,
            extent: Extent::Fixed(extent),
            dims: vec![extent],
            space: Space::Shared,
            is_volatile: false,
            is_managed: false,
            init: None,
            owner: Some(ProcId(0)),
            symbol: None,
            span: Span::NONE,
        });
        Expr::array_base(id, PointerType::to(ScalarType::I32))
    }

    pub fn finish(self, kind: ProcKind, body: Vec<Stmt>) -> Program {
        let mut program = self.program;
        program.procs.push(Procedure {
            name: "f".into(),
            kind,
            params: self.params,
            vars: self.vars,
            result: None,
            body: seq(body),
            most_threads: None,
            span: Span::NONE,
        });
        program.number_operators();
        program
    }

    pub fn kernel(self, body: Vec<Stmt>) -> Program {
        self.finish(ProcKind::Kernel, body)
    }
}

pub fn id(var: &Expr) -> VarId {
    match var.kind {
        ExprKind::Var(id) => id,
        _ => panic!("a variable expected"),
    }
}

pub fn c(value: i32) -> Expr {
    Expr::i32(value)
}

fn int_of(builtin: Builtin) -> Expr {
    Expr::builtin(builtin).cast(Type::I32)
}

/// `threadIdx.x`, as `int`.
pub fn tid() -> Expr {
    int_of(Builtin::ThreadIdx(Axis::X))
}

pub fn bid() -> Expr {
    int_of(Builtin::BlockIdx(Axis::X))
}

pub fn bdim() -> Expr {
    int_of(Builtin::BlockDim(Axis::X))
}

/// `blockIdx.x * blockDim.x + threadIdx.x`, computed unsigned, as `int`.
pub fn gid() -> Expr {
    gid_of(Axis::X)
}

pub fn gid_of(axis: Axis) -> Expr {
    let product = Expr::binary(
        BinaryOp::Mul,
        Expr::builtin(Builtin::BlockIdx(axis)),
        Expr::builtin(Builtin::BlockDim(axis)),
    );
    let sum = Expr::binary(
        BinaryOp::Add,
        product,
        Expr::builtin(Builtin::ThreadIdx(axis)),
    );
    sum.cast(Type::I32)
}

/// `gridDim.x * blockDim.x`, as `int`.
pub fn total() -> Expr {
    Expr::binary(
        BinaryOp::Mul,
        Expr::builtin(Builtin::GridDim(Axis::X)),
        Expr::builtin(Builtin::BlockDim(Axis::X)),
    )
    .cast(Type::I32)
}

macro_rules! binary {
    ($($name:ident $op:ident),*) => {
        $(pub fn $name(a: &Expr, b: &Expr) -> Expr {
            Expr::binary(BinaryOp::$op, a.clone(), b.clone())
        })*
    };
}
binary!(add Add, sub Sub, mul Mul, div Div, rem Rem, shl Shl, shr Shr, xor BitXor, lt Lt, le Le,
        gt Gt, ge Ge, eq Eq, ne Ne, and And, or Or);

pub fn not(a: &Expr) -> Expr {
    Expr::unary(UnaryOp::Not, a.clone())
}

pub fn at(array: &Expr, index: &Expr) -> Expr {
    Expr::load(Expr::offset(array.clone(), index.clone())).expect("a pointer")
}

pub fn set(var: &Expr, value: &Expr) -> Stmt {
    let var = id(var);
    let value = value.clone();
    Op::basic(Basic::Assign { var, value }, span())
}

pub fn store(array: &Expr, index: &Expr, value: &Expr) -> Stmt {
    let pointer = Expr::offset(array.clone(), index.clone());
    let value = value.clone();
    Op::basic(Basic::Store { pointer, value }, span())
}

pub fn atomic_add(array: &Expr, index: &Expr, value: &Expr, result: Option<&Expr>) -> Stmt {
    let atomic = Basic::Atomic {
        function: AtomicFn::Add,
        scope: Scope::Device,
        pointer: Expr::offset(array.clone(), index.clone()),
        operands: vec![value.clone()],
        result: result.map(id),
    };
    Op::basic(atomic, span())
}

pub fn basic(basic: Basic) -> Stmt {
    Op::basic(basic, span())
}

pub fn barrier() -> Stmt {
    basic(Basic::barrier(Orders::All))
}

pub fn exit() -> Stmt {
    basic(Basic::Exit)
}

pub fn seq(body: Vec<Stmt>) -> Stmt {
    Op::new(OpKind::Seq(body), span())
}

pub fn if_(cond: &Expr, then: Vec<Stmt>) -> Stmt {
    if_else(cond, then, vec![])
}

pub fn if_else(cond: &Expr, then: Vec<Stmt>, otherwise: Vec<Stmt>) -> Stmt {
    let kind = OpKind::If {
        cond: cond.clone(),
        then: seq(then),
        otherwise: seq(otherwise),
    };
    Op::new(kind, span())
}

pub fn while_(cond: &Expr, body: Vec<Stmt>) -> Stmt {
    let kind = OpKind::While {
        cond: cond.clone(),
        body: seq(body),
    };
    Op::new(kind, span())
}

/// `for (var = init; cond; var = step) body`
pub fn for_(var: &Expr, init: &Expr, cond: &Expr, step: &Expr, body: Vec<Stmt>) -> Stmt {
    let body = seq(body);
    seq(vec![
        set(var, init),
        while_(cond, vec![body, set(var, step)]),
    ])
}
