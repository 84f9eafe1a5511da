//! A program being written: its declarations, and what expressions and statements may use.

use super::choices::Choices;
use super::{Generated, Sizes};
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space, VarDecl};
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr, UnaryOp};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, OpKind};
use gridlock_semantics::algebra::program::{Form, ProcKind, Procedure, Program};
use gridlock_semantics::algebra::span::{FileId, Span};
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use std::sync::Arc;

/// An array the kernel can reach.
#[derive(Clone)]
pub(super) struct Reach {
    /// Pointer to its first element.
    pub base: Expr,
    pub elem: ScalarType,
    pub extent: u64,
    /// One instance a block; others are shared by all blocks.
    pub is_shared: bool,
}

pub(super) struct Draft {
    pub choices: Choices,
    pub sizes: Sizes,
    pub launch: Launch,
    vars: Vec<VarDecl>,
    arrays: Vec<ArrayDecl>,
    setup_arrays: Vec<ArrayArg>,
    /// Variables that have a value.
    pub readable: Vec<(VarId, ScalarType)>,
    /// Variables statements may assign.
    pub assignable: Vec<(VarId, ScalarType)>,
    /// `in`: read by everyone.
    pub input: Reach,
    /// `out`: one slice of as many cells as there are threads for each block.
    pub output: Reach,
    /// `acc`: integers.
    pub totals: Reach,
    pub shared: Reach,
    pub total_fn: AtomicFn,
    /// Argument and result type of the device function.
    pub function_type: ScalarType,
    /// Some shared cells have no owner left to write them, so no cell may ever be used by
    /// another thread.
    pub shared_stays_owned: bool,
    /// Expressions may load shared cells.
    pub shared_is_read: bool,
    lines: u32,
    /// Statements that may still be written.
    pub budget: u32,
}

pub(super) const KERNEL: ProcId = ProcId(0);
pub(super) const FUNCTION: ProcId = ProcId(1);

const INTEGERS: [ScalarType; 8] = [
    ScalarType::I8,
    ScalarType::I16,
    ScalarType::I32,
    ScalarType::I64,
    ScalarType::U8,
    ScalarType::U16,
    ScalarType::U32,
    ScalarType::U64,
];

impl Draft {
    pub fn new(seed: u64, sizes: &Sizes) -> Draft {
        let mut choices = Choices::new(seed);
        let n_threads = 1 + choices.below(sizes.threads.max(1) as u64) as u32;
        let room = (sizes.all_threads / n_threads).clamp(1, sizes.blocks.max(1));
        let n_blocks = 1 + choices.below(room as u64) as u32;
        let block = if n_threads == 4 && choices.once_in(2) {
            [2, 2, 1]
        } else {
            [n_threads, 1, 1]
        };
        let launch = Launch {
            grid: [n_blocks, 1, 1],
            block,
            shared_bytes: 0,
        };
        let elem = |choices: &mut Choices| any_type(choices, sizes);
        let (input_elem, output_elem) = (elem(&mut choices), elem(&mut choices));
        let (shared_elem, function_type) = (elem(&mut choices), elem(&mut choices));
        let total_elem = choices.pick(if sizes.all_types {
            &[
                ScalarType::I32,
                ScalarType::U32,
                ScalarType::I64,
                ScalarType::U64,
            ][..]
        } else {
            &[ScalarType::I32][..]
        });
        let total_fn = choices.pick(&[
            AtomicFn::Add,
            AtomicFn::Sub,
            AtomicFn::Min,
            AtomicFn::Max,
            AtomicFn::And,
            AtomicFn::Or,
            AtomicFn::Xor,
        ]);
        let n_input = 1 + choices.below(3);
        let n_shared = n_threads as u64;
        let reach = |base: Expr, elem, extent, is_shared| Reach {
            base,
            elem,
            extent,
            is_shared,
        };
        let pointer = |var, elem| Expr::var(VarId(var), Type::pointer_to(elem));
        let constant = Type::Pointer(PointerType {
            is_const: true,
            ..PointerType::to(input_elem)
        });
        let mut draft = Draft {
            launch,
            vars: Vec::new(),
            arrays: vec![ArrayDecl {
                name: "s".into(),
                elem: shared_elem,
                extent: Extent::Fixed(n_shared),
                dims: vec![n_shared],
                space: Space::Shared,
                is_volatile: false,
                is_managed: false,
                init: None,
                owner: Some(KERNEL),
                symbol: None,
                span: Span::NONE,
            }],
            setup_arrays: Vec::new(),
            readable: vec![(VarId(3), ScalarType::I32)],
            assignable: Vec::new(),
            input: reach(Expr::var(VarId(0), constant), input_elem, n_input, false),
            output: reach(
                pointer(1, output_elem),
                output_elem,
                n_threads as u64 * n_blocks as u64,
                false,
            ),
            totals: reach(pointer(2, total_elem), total_elem, 2, false),
            shared: reach(
                Expr::array_base(ArrayId(0), PointerType::to(shared_elem)),
                shared_elem,
                n_shared,
                true,
            ),
            total_fn,
            function_type,
            shared_stays_owned: false,
            shared_is_read: true,
            lines: 0,
            budget: sizes.statements,
            sizes: *sizes,
            choices,
        };
        for (name, reach, observed) in [
            ("in", draft.input.clone(), false),
            ("out", draft.output.clone(), true),
            ("acc", draft.totals.clone(), true),
        ] {
            draft.declare(name, reach.base.ty);
            let seed = draft.choices.bits();
            draft.setup_arrays.push(ArrayArg {
                name: name.into(),
                elem: reach.elem,
                extent: Some(reach.extent),
                contents: if draft.choices.once_in(3) {
                    Contents::Zero
                } else {
                    Contents::Random { seed }
                },
                observed,
            });
        }
        draft.declare("n", Type::I32);
        draft
    }

    pub fn declare(&mut self, name: &str, ty: Type) -> VarId {
        self.vars.push(VarDecl {
            name: name.into(),
            ty,
            span: Span::NONE,
        });
        VarId(self.vars.len() as u32 - 1)
    }

    pub fn n_vars(&self) -> usize {
        self.vars.len()
    }

    pub fn any_type(&mut self) -> ScalarType {
        any_type(&mut self.choices, &self.sizes)
    }

    /// The span of a new line of the imaginary source text.
    pub fn line(&mut self) -> Span {
        self.lines += 1;
        Span {
            file: FileId(0),
            line: self.lines,
            column: 1,
            end_line: self.lines,
            end_column: 2,
        }
    }

    pub fn basic(&mut self, basic: Basic) -> Arc<Op> {
        let span = self.line();
        Op::basic(basic, span)
    }

    pub fn op(&mut self, kind: OpKind) -> Arc<Op> {
        let span = self.line();
        Op::new(kind, span)
    }

    /// Number of the thread in its block, `U32`.
    pub fn tid(&self) -> Expr {
        let x = Expr::builtin(Builtin::ThreadIdx(Axis::X));
        if self.launch.block[1] == 1 {
            return x;
        }
        let width = Expr::builtin(Builtin::BlockDim(Axis::X));
        let rows = Expr::binary(
            BinaryOp::Mul,
            Expr::builtin(Builtin::ThreadIdx(Axis::Y)),
            width,
        );
        Expr::binary(BinaryOp::Add, rows, x)
    }

    pub fn n_threads(&self) -> u32 {
        self.launch.n_threads() as u32
    }

    /// Index of a block's first cell in an array with a slice for each block, `U32`.
    pub fn slice(&self) -> Expr {
        let block = Expr::builtin(Builtin::BlockIdx(Axis::X));
        Expr::binary(BinaryOp::Mul, block, unsigned(self.n_threads()))
    }

    /// `for (int i = 0; i < bound; i = i + 1) body`, where `body` may read `i`.
    pub fn counted(
        &mut self,
        bound: Expr,
        body: impl FnOnce(&mut Draft) -> Vec<Arc<Op>>,
    ) -> Arc<Op> {
        let name = format!("i{}", self.vars.len());
        let var = self.declare(&name, Type::I32);
        let counter = Expr::var(var, Type::I32);
        let init = self.basic(Basic::Assign {
            var,
            value: Expr::i32(0),
        });
        let n_readable = self.readable.len();
        self.readable.push((var, ScalarType::I32));
        let body = body(self);
        self.readable.truncate(n_readable);
        let body = self.op(OpKind::Seq(body));
        let step = self.basic(Basic::Assign {
            var,
            value: Expr::binary(BinaryOp::Add, counter.clone(), Expr::i32(1)),
        });
        let whole = self.op(OpKind::Seq(vec![body, step]));
        let looped = self.op(OpKind::While {
            cond: Expr::binary(BinaryOp::Lt, counter, bound),
            body: whole,
        });
        self.op(OpKind::Seq(vec![init, looped]))
    }

    /// The program whose kernel runs `body`.
    pub fn finish(mut self, seed: u64, body: Vec<Arc<Op>>) -> Generated {
        let body = self.op(OpKind::Seq(body));
        let count = Arg::Scalar(gridlock_semantics::algebra::value::Value::i32(
            self.choices.below(4) as i32,
        ));
        let kernel = Procedure {
            name: "kernel".into(),
            kind: ProcKind::Kernel,
            params: (0..4).map(VarId).collect(),
            vars: self.vars.clone(),
            result: None,
            body,
            most_threads: None,
            span: Span::NONE,
        };
        let function = self.device_function();
        let mut program = Program {
            form: Form::Surface,
            files: Vec::new(),
            arrays: self.arrays,
            procs: vec![kernel, function],
            cells: Default::default(),
        };
        program.number_operators();
        Generated {
            program,
            kernel: KERNEL,
            setup: Setup {
                declared: Default::default(),
                observed: Default::default(),
                device: Default::default(),
                entry: KERNEL,
                launch: Some(self.launch),
                args: vec![Arg::Array(0), Arg::Array(1), Arg::Array(2), count],
                arrays: self.setup_arrays,
            },
            seed,
        }
    }

    /// `T f(T x) { T r; if (x < 0) r = -x; else r = x + 1; return r; }`, in the type's terms.
    fn device_function(&mut self) -> Procedure {
        let ty = Type::Scalar(self.function_type);
        let (x, r) = (VarId(0), VarId(1));
        let assign = |value| Basic::Assign { var: r, value };
        let argument = || Expr::var(x, ty);
        let zero = Expr::constant(gridlock_semantics::algebra::value::Value::zero(
            self.function_type,
        ));
        let (negated, moved) = if self.function_type == ScalarType::Bool {
            let other = Expr::unary(UnaryOp::Not, argument());
            (other, argument())
        } else {
            let one = Expr::i32(1).cast(ty);
            let moved = Expr::binary(BinaryOp::Add, argument(), one);
            (Expr::unary(UnaryOp::Neg, argument()), moved)
        };
        let then = self.basic(assign(negated));
        let otherwise = self.basic(assign(moved));
        let body = self.op(OpKind::If {
            cond: Expr::binary(BinaryOp::Lt, argument(), zero),
            then,
            otherwise,
        });
        let var = |name: &str| VarDecl {
            name: name.into(),
            ty,
            span: Span::NONE,
        };
        Procedure {
            name: "f".into(),
            kind: ProcKind::Device,
            params: vec![x],
            vars: vec![var("x"), var("r")],
            result: Some(r),
            body,
            most_threads: None,
            span: Span::NONE,
        }
    }
}

pub(super) fn unsigned(n: u32) -> Expr {
    Expr::int(ScalarType::U32, n as i64)
}

fn any_type(choices: &mut Choices, sizes: &Sizes) -> ScalarType {
    if !sizes.all_types {
        return ScalarType::I32;
    }
    match choices.below(10) {
        0..=3 => ScalarType::I32,
        4..=6 => choices.pick(&INTEGERS),
        7 | 8 => choices.pick(&[ScalarType::F32, ScalarType::F64]),
        _ => ScalarType::Bool,
    }
}
