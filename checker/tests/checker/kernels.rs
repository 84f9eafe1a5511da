//! Kernels built by hand, one operator a source line, and setups for them.
#![allow(dead_code)]

use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space, VarDecl};
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, OpKind, Orders, Scope};
use gridlock_semantics::algebra::program::*;
use gridlock_semantics::algebra::span::{FileId, SourceFile, Span};
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use std::sync::Arc;

pub const INT: PointerType = PointerType::to(ScalarType::I32);

pub fn line(line: u32) -> Span {
    Span {
        file: FileId(0),
        line,
        column: 5,
        end_line: line,
        end_column: 20,
    }
}

pub fn op(at: u32, basic: Basic) -> Arc<Op> {
    Op::basic(basic, line(at))
}

pub fn seq(ops: Vec<Arc<Op>>) -> Arc<Op> {
    Op::new(OpKind::Seq(ops), Span::NONE)
}

pub fn when(at: u32, cond: Expr, then: Vec<Arc<Op>>) -> Arc<Op> {
    let (then, otherwise) = (seq(then), Op::skip());
    Op::new(
        OpKind::If {
            cond,
            then,
            otherwise,
        },
        line(at),
    )
}

pub fn repeat(at: u32, cond: Expr, body: Vec<Arc<Op>>) -> Arc<Op> {
    let body = seq(body);
    Op::new(OpKind::While { cond, body }, line(at))
}

pub fn n(value: i32) -> Expr {
    Expr::i32(value)
}

pub fn tid() -> Expr {
    Expr::builtin(Builtin::ThreadIdx(Axis::X)).cast(Type::I32)
}

pub fn bid() -> Expr {
    Expr::builtin(Builtin::BlockIdx(Axis::X)).cast(Type::I32)
}

pub fn bin(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b)
}

pub fn add(a: Expr, b: Expr) -> Expr {
    bin(BinaryOp::Add, a, b)
}

pub fn lt(a: Expr, b: Expr) -> Expr {
    bin(BinaryOp::Lt, a, b)
}

pub fn eq(a: Expr, b: Expr) -> Expr {
    bin(BinaryOp::Eq, a, b)
}

/// Parameter or local number `var`, of type `int`.
pub fn int(var: u32) -> Expr {
    Expr::var(VarId(var), Type::I32)
}

/// Pointer parameter number `var`.
pub fn ptr(var: u32) -> Expr {
    Expr::var(VarId(var), Type::Pointer(INT))
}

/// Declared array number `array`.
pub fn base(array: u32) -> Expr {
    Expr::array_base(ArrayId(array), INT)
}

pub fn cell(pointer: Expr, index: Expr) -> Expr {
    Expr::offset(pointer, index)
}

pub fn load(pointer: Expr, index: Expr) -> Expr {
    Expr::load(cell(pointer, index)).expect("a pointer")
}

pub fn set(at: u32, var: u32, value: Expr) -> Arc<Op> {
    let var = VarId(var);
    op(at, Basic::Assign { var, value })
}

pub fn store(at: u32, pointer: Expr, index: Expr, value: Expr) -> Arc<Op> {
    let pointer = cell(pointer, index);
    op(at, Basic::Store { pointer, value })
}

pub fn barrier(at: u32) -> Arc<Op> {
    op(at, Basic::barrier(Orders::All))
}

pub fn syncwarp(at: u32, mask: u32) -> Arc<Op> {
    let mask = Expr::int(ScalarType::U32, mask as i64);
    op(at, Basic::SyncWarp { mask })
}

pub fn fence(at: u32) -> Arc<Op> {
    let scope = Scope::Device;
    op(at, Basic::Fence { scope })
}

pub fn atomic(
    at: u32,
    function: AtomicFn,
    pointer: Expr,
    operands: Vec<Expr>,
    result: Option<u32>,
) -> Arc<Op> {
    op(
        at,
        Basic::Atomic {
            function,
            scope: Scope::Device,
            pointer,
            operands,
            result: result.map(VarId),
        },
    )
}

/// A program of one kernel `k` with pointer parameters `a`, `b`, … (as many as `n_pointers`),
/// integer locals, and shared arrays of the given extents.
pub fn kernel(n_pointers: u32, n_locals: u32, shared: &[u64], body: Vec<Arc<Op>>) -> Program {
    let letter = |k: u32| Arc::from(((b'a' + k as u8) as char).to_string());
    let pointers = (0..n_pointers).map(|k| VarDecl {
        name: letter(k),
        ty: Type::Pointer(INT),
        span: line(1),
    });
    let locals = (0..n_locals).map(|k| VarDecl {
        name: letter(8 + k),
        ty: Type::I32,
        span: line(2),
    });
    let array = |(k, extent): (usize, &u64)| ArrayDecl {
        name: Arc::from(format!("s{k}")),
        elem: ScalarType::I32,
        extent: Extent::Fixed(*extent),
        dims: vec![*extent],
        space: Space::Shared,
        is_volatile: false,
        is_managed: false,
        init: None,
        owner: Some(ProcId(0)),
        symbol: None,
        span: line(2),
    };
    let mut program = Program {
        form: Form::Surface,
        files: vec![SourceFile {
            name: "k.cu".into(),
            text: "a kernel built by hand".into(),
        }],
        arrays: shared.iter().enumerate().map(array).collect(),
        procs: vec![Procedure {
            name: "k".into(),
            kind: ProcKind::Kernel,
            params: (0..n_pointers).map(VarId).collect(),
            vars: pointers.chain(locals).collect(),
            result: None,
            body: seq(body),
            most_threads: None,
            span: line(1),
        }],
        cells: Default::default(),
    };
    program.number_operators();
    program
}

/// A launch of the first kernel; each array has the extent and contents given.
pub fn launch(n_blocks: u32, n_threads: u32, arrays: &[(u64, Contents)]) -> Setup {
    let array = |(k, (extent, contents)): (usize, &(u64, Contents))| ArrayArg {
        name: Arc::from(((b'a' + k as u8) as char).to_string()),
        elem: ScalarType::I32,
        extent: Some(*extent),
        contents: contents.clone(),
        observed: true,
    };
    Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry: ProcId(0),
        launch: Some(Launch {
            grid: [n_blocks, 1, 1],
            block: [n_threads, 1, 1],
            shared_bytes: 0,
        }),
        args: (0..arrays.len()).map(Arg::Array).collect(),
        arrays: arrays.iter().enumerate().map(array).collect(),
    }
}

pub fn ints(values: impl IntoIterator<Item = i32>) -> Contents {
    Contents::Values(values.into_iter().map(Value::i32).collect())
}

/// How the threads of the tree sum are separated after each step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Separation {
    Barrier,
    SyncWarp,
    Nothing,
}

/// `a[block * n + …]` summed in shared memory into `a[block * n]`; one variable `d` (number 1)
/// halves from `n / 2` to 1.
pub fn tree_sum(n_threads: i32, separation: Separation) -> Program {
    let at = |index: Expr| add(bin(BinaryOp::Mul, bid(), n(n_threads)), index);
    let separate = |line| match separation {
        Separation::Barrier => barrier(line),
        Separation::SyncWarp => syncwarp(line, u32::MAX),
        Separation::Nothing => Op::skip(),
    };
    let sum = add(load(base(0), tid()), load(base(0), add(tid(), int(1))));
    kernel(
        1,
        1,
        &[n_threads as u64],
        vec![
            store(3, base(0), tid(), load(ptr(0), at(tid()))),
            barrier(4),
            set(5, 1, n(n_threads / 2)),
            repeat(
                6,
                lt(n(0), int(1)),
                vec![
                    when(7, lt(tid(), int(1)), vec![store(8, base(0), tid(), sum)]),
                    separate(9),
                    set(10, 1, bin(BinaryOp::Div, int(1), n(2))),
                ],
            ),
            when(
                11,
                eq(tid(), n(0)),
                vec![store(12, ptr(0), at(n(0)), load(base(0), n(0)))],
            ),
        ],
    )
}
