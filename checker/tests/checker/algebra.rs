//! Programs written in the algebra, for tests. Each statement's line is the line of the test it
//! stands on.

#![allow(dead_code)]

use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space, VarDecl};
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{
    AllocSpace, AtomicFn, Basic, CopyKind, Op, OpKind, Orders, Scope,
};
use gridlock_semantics::algebra::program::*;
use gridlock_semantics::algebra::span::{FileId, SourceFile, Span};
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use std::panic::Location;
use std::sync::Arc;

pub type Stmt = Arc<Op>;

/// An expression with the operators of Rust.
#[derive(Clone, Debug)]
pub struct E(pub Expr);

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident),*) => { $(
        impl std::ops::$trait<E> for E {
            type Output = E;
            fn $method(self, other: E) -> E { E(Expr::binary(BinaryOp::$op, self.0, other.0)) }
        }
        impl std::ops::$trait<i32> for E {
            type Output = E;
            fn $method(self, other: i32) -> E { self.$method(c(other)) }
        }
    )* };
}
operators!(Add add Add, Sub sub Sub, Mul mul Mul, Div div Div, Rem rem Rem, Shl shl Shl,
           Shr shr Shr, BitAnd bitand BitAnd, BitOr bitor BitOr, BitXor bitxor BitXor);

macro_rules! comparisons {
    ($($name:ident $op:ident),*) => { $(
        pub fn $name(self, other: impl Into<E>) -> E {
            E(Expr::binary(BinaryOp::$op, self.0, other.into().0))
        }
    )* };
}

impl From<i32> for E {
    fn from(value: i32) -> E {
        c(value)
    }
}

impl E {
    comparisons!(lt Lt, le Le, gt Gt, ge Ge, equals Eq, differs Ne, and And, or Or);

    /// `self[index]`
    pub fn at(&self, index: impl Into<E>) -> E {
        E(Expr::load(self.plus(index).0).expect("a pointer"))
    }

    /// `self + index`, a pointer.
    pub fn plus(&self, index: impl Into<E>) -> E {
        E(Expr::offset(self.0.clone(), index.into().0))
    }

    pub fn to(self, ty: ScalarType) -> E {
        E(self.0.cast(Type::Scalar(ty)))
    }

    pub fn var(&self) -> VarId {
        match self.0.kind {
            ExprKind::Var(id) => id,
            _ => panic!("a variable expected"),
        }
    }
}

pub fn c(value: i32) -> E {
    E(Expr::i32(value))
}

fn int_of(builtin: Builtin) -> E {
    E(Expr::builtin(builtin).cast(Type::I32))
}

/// `threadIdx.x`, as `int`.
pub fn tid() -> E {
    int_of(Builtin::ThreadIdx(Axis::X))
}

pub fn bid() -> E {
    int_of(Builtin::BlockIdx(Axis::X))
}

pub fn bdim() -> E {
    int_of(Builtin::BlockDim(Axis::X))
}

pub fn gid() -> E {
    bid() * bdim() + tid()
}

pub fn select(cond: E, then: impl Into<E>, otherwise: impl Into<E>) -> E {
    E(Expr::select(cond.0, then.into().0, otherwise.into().0))
}

pub fn math(function: MathFn, args: Vec<E>) -> E {
    let ty = args[0].0.ty;
    E(Expr::new(
        ty,
        ExprKind::Math(function, args.into_iter().map(|e| e.0).collect()),
    ))
}

pub fn unary(op: UnaryOp, a: E) -> E {
    E(Expr::unary(op, a.0))
}

#[track_caller]
fn op(kind: OpKind) -> Stmt {
    let line = Location::caller().line();
    let span = Span {
        file: FileId(0),
        line,
        column: 1,
        end_line: line,
        end_column: 2,
    };
    Op::new(kind, span)
}

#[track_caller]
pub fn basic(basic: Basic) -> Stmt {
    op(OpKind::Basic(basic))
}

#[track_caller]
pub fn set(var: &E, value: impl Into<E>) -> Stmt {
    basic(Basic::Assign {
        var: var.var(),
        value: value.into().0,
    })
}

/// `array[index] = value`
#[track_caller]
pub fn put(array: &E, index: impl Into<E>, value: impl Into<E>) -> Stmt {
    basic(Basic::Store {
        pointer: array.plus(index).0,
        value: value.into().0,
    })
}

#[track_caller]
pub fn barrier() -> Stmt {
    basic(Basic::barrier(Orders::All))
}

#[track_caller]
pub fn sync_warp(mask: u32) -> Stmt {
    let mask = Expr::constant(Value::int(ScalarType::U32, mask as i128));
    basic(Basic::SyncWarp { mask })
}

#[track_caller]
pub fn exit() -> Stmt {
    basic(Basic::Exit)
}

#[track_caller]
pub fn atomic(function: AtomicFn, pointer: E, value: impl Into<E>, result: Option<&E>) -> Stmt {
    basic(Basic::Atomic {
        function,
        scope: Scope::Device,
        pointer: pointer.0,
        operands: vec![value.into().0],
        result: result.map(E::var),
    })
}

#[track_caller]
pub fn assert(cond: E) -> Stmt {
    basic(Basic::Assert { cond: cond.0 })
}

pub fn seq(ops: Vec<Stmt>) -> Stmt {
    Op::new(OpKind::Seq(ops), Span::NONE)
}

#[track_caller]
pub fn when(cond: E, then: Vec<Stmt>) -> Stmt {
    op(OpKind::If {
        cond: cond.0,
        then: seq(then),
        otherwise: Op::skip(),
    })
}

#[track_caller]
pub fn branch(cond: E, then: Vec<Stmt>, otherwise: Vec<Stmt>) -> Stmt {
    op(OpKind::If {
        cond: cond.0,
        then: seq(then),
        otherwise: seq(otherwise),
    })
}

#[track_caller]
pub fn repeat(cond: E, body: Vec<Stmt>) -> Stmt {
    op(OpKind::While {
        cond: cond.0,
        body: seq(body),
    })
}

/// `for (var = from; cond; var = step) body`
#[track_caller]
pub fn counted(var: &E, from: impl Into<E>, cond: E, step: E, body: Vec<Stmt>) -> Stmt {
    let init = set(var, from);
    let step = set(var, step);
    let whole = op(OpKind::While {
        cond: cond.0,
        body: seq(vec![seq(body), step]),
    });
    seq(vec![init, whole])
}

#[track_caller]
pub fn call(proc: ProcId, args: Vec<E>, result: Option<&E>) -> Stmt {
    let args = args.into_iter().map(|e| e.0).collect();
    op(OpKind::Call {
        proc,
        args,
        result: result.map(E::var),
    })
}

fn u32_of(value: E) -> Expr {
    value.0.cast(Type::U32)
}

#[track_caller]
pub fn launch(kernel: ProcId, grid: impl Into<E>, block: impl Into<E>, args: Vec<E>) -> Stmt {
    let one = || u32_of(c(1));
    basic(Basic::CallGpu {
        kernel,
        grid: [u32_of(grid.into()), one(), one()],
        block: [u32_of(block.into()), one(), one()],
        shared_bytes: u32_of(c(0)),
        args: args.into_iter().map(|e| e.0).collect(),
        stream: None,
        cooperative: false,
    })
}

fn bytes_of(elements: impl Into<E>) -> Expr {
    (elements.into() * 4).0.cast(Type::U64)
}

/// Allocates `int`s.
#[track_caller]
pub fn alloc(var: &E, elements: impl Into<E>, space: AllocSpace) -> Stmt {
    let bytes = bytes_of(elements);
    basic(Basic::Alloc {
        var: var.var(),
        elem: ScalarType::I32,
        bytes,
        space,
    })
}

#[track_caller]
pub fn free(pointer: &E, space: AllocSpace) -> Stmt {
    basic(Basic::Free {
        pointer: pointer.0.clone(),
        space,
        stream: None,
    })
}

/// Copies `int`s.
#[track_caller]
pub fn copy(kind: CopyKind, dst: &E, src: &E, elements: impl Into<E>) -> Stmt {
    let (dst, src) = (dst.0.clone(), src.0.clone());
    basic(Basic::Copy {
        kind,
        dst,
        src,
        bytes: bytes_of(elements),
        stream: None,
    })
}

/// A program under construction: procedures one after another.
#[derive(Clone)]
pub struct Draft {
    program: Program,
    vars: Vec<VarDecl>,
    params: Vec<VarId>,
}

impl Default for Draft {
    fn default() -> Draft {
        Draft::new()
    }
}

impl Draft {
    pub fn new() -> Draft {
        let file = SourceFile {
            name: "test.cu".into(),
            text: "".into(),
        };
        Draft {
            program: Program {
                form: Form::Surface,
                files: vec![file],
                arrays: vec![],
                procs: vec![],
                cells: Default::default(),
            },
            vars: vec![],
            params: vec![],
        }
    }

    pub fn local_of(&mut self, name: &str, ty: Type) -> E {
        let id = VarId(self.vars.len() as u32);
        self.vars.push(VarDecl {
            name: name.into(),
            ty,
            span: Span::NONE,
        });
        E(Expr::var(id, ty))
    }

    pub fn local(&mut self, name: &str) -> E {
        self.local_of(name, Type::I32)
    }

    pub fn pointer(&mut self, name: &str) -> E {
        self.local_of(name, Type::pointer_to(ScalarType::I32))
    }

    pub fn param(&mut self, name: &str, ty: Type) -> E {
        assert_eq!(self.params.len(), self.vars.len(), "parameters come first");
        let var = self.local_of(name, ty);
        self.params.push(var.var());
        var
    }

    pub fn int(&mut self, name: &str) -> E {
        self.param(name, Type::I32)
    }

    pub fn ints(&mut self, name: &str) -> E {
        self.param(name, Type::pointer_to(ScalarType::I32))
    }

    pub fn array(&mut self, name: &str, space: Space, extent: u64, init: Option<Vec<i32>>) -> E {
        let id = ArrayId(self.program.arrays.len() as u32);
        let owner = ProcId(self.program.procs.len() as u32);
        self.program.arrays.push(ArrayDecl {
            name: name.into(),
            elem: ScalarType::I32,
            extent: Extent::Fixed(extent),
            dims: vec![extent],
            space,
            is_volatile: false,
            is_managed: false,
            init: init.map(|cells| cells.into_iter().map(Value::i32).collect()),
            owner: matches!(space, Space::Shared | Space::Private).then_some(owner),
            symbol: None,
            span: Span::NONE,
        });
        E(Expr::array_base(id, PointerType::to(ScalarType::I32)))
    }

    pub fn shared(&mut self, name: &str, extent: u64) -> E {
        self.array(name, Space::Shared, extent, None)
    }

    /// The same pointer, to `volatile`.
    pub fn volatile(pointer: &E) -> E {
        let mut ty = pointer.0.ty.pointer().expect("a pointer");
        ty.is_volatile = true;
        E(pointer.0.clone().cast(Type::Pointer(ty)))
    }

    pub fn end(
        &mut self,
        name: &str,
        kind: ProcKind,
        result: Option<&E>,
        body: Vec<Stmt>,
    ) -> ProcId {
        self.program.procs.push(Procedure {
            name: name.into(),
            kind,
            params: std::mem::take(&mut self.params),
            vars: std::mem::take(&mut self.vars),
            result: result.map(E::var),
            body: seq(body),
            most_threads: None,
            span: Span::NONE,
        });
        ProcId(self.program.procs.len() as u32 - 1)
    }

    pub fn finish(mut self) -> Program {
        self.program.number_operators();
        self.program
    }

    /// The program with one more procedure, a kernel.
    pub fn kernel(mut self, body: Vec<Stmt>) -> Program {
        self.end("k", ProcKind::Kernel, None, body);
        self.finish()
    }
}

/// An array argument of `int`s, observed.
pub fn ints(name: &str, extent: u64, contents: Contents) -> ArrayArg {
    ArrayArg {
        name: name.into(),
        elem: ScalarType::I32,
        extent: Some(extent),
        contents,
        observed: true,
    }
}

/// A launch of the last procedure in one dimension, its arguments these arrays.
pub fn kernel_setup(program: &Program, grid: u32, block: u32, arrays: Vec<ArrayArg>) -> Setup {
    Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry: ProcId(program.procs.len() as u32 - 1),
        launch: Some(Launch {
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            shared_bytes: 0,
        }),
        args: (0..arrays.len()).map(Arg::Array).collect(),
        arrays,
    }
}

/// A run of the last procedure on the host, its arguments these arrays.
pub fn host_setup(program: &Program, arrays: Vec<ArrayArg>) -> Setup {
    Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        launch: None,
        ..kernel_setup(program, 1, 1, arrays)
    }
}
