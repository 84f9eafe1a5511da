//! Host programs that launch a random kernel: a right one (allocate, copy, launch, copy back, free)
//! with mistakes made in it: operators left out, doubled or exchanged, sizes and directions wrong,
//! copies and launches put into streams that the host does not wait for, branches and threads
//! around pieces.

use super::choices::Choices;
use super::{Generated, Sizes, unrestricted};
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space, VarDecl};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{AllocSpace, Basic, CopyKind, Op, OpKind};
use gridlock_semantics::algebra::program::{ProcKind, Procedure, Program};
use gridlock_semantics::algebra::span::{FileId, Span};
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::host::streams::PER_THREAD;
use gridlock_semantics::setup::{ArrayArg, Setup};
use std::sync::Arc;

/// The kernel's pointer arguments.
const N_ARRAYS: u32 = 3;

pub(super) fn generate(seed: u64, sizes: &Sizes) -> Generated {
    let kernel_sizes = Sizes {
        beyond_core: sizes.beyond_core && seed.is_multiple_of(2),
        ..*sizes
    };
    let kernel = unrestricted(seed, &kernel_sizes);
    let mut program = kernel.program.clone();
    let bound: Vec<ArrayArg> = kernel.setup.arrays.clone();
    let main = ProcId(program.procs.len() as u32);
    let first_array = program.arrays.len() as u32;
    program.arrays.extend(bound.iter().map(on_host));
    let mut draft = HostDraft {
        choices: Choices::new(seed ^ 0x5bd1_e995_9d1b_899d),
        beyond_core: sizes.beyond_core,
        bound,
        first_array,
        vars: Vec::new(),
        line: 0,
    };
    draft.declare_variables();
    let body = draft.body(&kernel);
    program.procs.push(Procedure {
        name: "main".into(),
        kind: ProcKind::Host,
        params: vec![],
        vars: draft.vars,
        result: None,
        body,
        most_threads: None,
        span: Span::NONE,
    });
    program.number_operators();
    finished(program, main, seed)
}

fn finished(program: Program, main: ProcId, seed: u64) -> Generated {
    Generated {
        kernel: ProcId(0),
        setup: Setup {
            declared: Default::default(),
            observed: Default::default(),
            device: Default::default(),
            entry: main,
            launch: None,
            args: vec![],
            arrays: vec![],
        },
        program,
        seed,
    }
}

fn on_host(array: &ArrayArg) -> ArrayDecl {
    ArrayDecl {
        name: format!("h_{}", array.name).into(),
        elem: array.elem,
        extent: Extent::Fixed(array.extent.unwrap_or(1)),
        dims: vec![],
        space: Space::Host,
        is_volatile: false,
        is_managed: false,
        init: Some(vec![]),
        owner: None,
        symbol: None,
        span: Span::NONE,
    }
}

struct HostDraft {
    choices: Choices,
    beyond_core: bool,
    bound: Vec<ArrayArg>,
    first_array: u32,
    vars: Vec<VarDecl>,
    line: u32,
}

/// Variables behind the device pointers `d_…`, one for each array.
const STREAM: VarId = VarId(N_ARRAYS);
const EVENT: VarId = VarId(N_ARRAYS + 1);
const COUNTER: VarId = VarId(N_ARRAYS + 2);
const PINNED: VarId = VarId(N_ARRAYS + 3);

impl HostDraft {
    fn declare_variables(&mut self) {
        let handle = Type::Scalar(ScalarType::U64);
        let pointers: Vec<(String, Type)> = self
            .bound
            .iter()
            .map(|array| (format!("d_{}", array.name), Type::pointer_to(array.elem)))
            .collect();
        let others = [
            ("stream", handle),
            ("event", handle),
            ("i", Type::I32),
            ("pinned", Type::pointer_to(self.bound[0].elem)),
        ];
        let others = others.map(|(name, ty)| (name.to_owned(), ty));
        for (name, ty) in pointers.into_iter().chain(others) {
            self.vars.push(VarDecl {
                name: name.into(),
                ty,
                span: Span::NONE,
            });
        }
    }

    fn op(&mut self, kind: OpKind) -> Arc<Op> {
        self.line += 1;
        let span = Span {
            file: FileId(0),
            line: self.line,
            column: 1,
            end_line: self.line,
            end_column: 2,
        };
        Op::new(kind, span)
    }

    fn basic(&mut self, basic: Basic) -> Arc<Op> {
        self.op(OpKind::Basic(basic))
    }

    fn sequence(&mut self, ops: Vec<Arc<Op>>) -> Arc<Op> {
        match ops.len() {
            0 => Op::skip(),
            _ => self.op(OpKind::Seq(ops)),
        }
    }

    fn var(&self, var: VarId) -> Expr {
        Expr::var(var, self.vars[var.0 as usize].ty)
    }

    fn host_array(&self, n: u32) -> Expr {
        let elem = self.bound[n as usize].elem;
        Expr::array_base(ArrayId(self.first_array + n), PointerType::to(elem))
    }

    /// Bytes of array `n`; now and then another number.
    fn bytes(&mut self, n: u32) -> Expr {
        let array = &self.bound[n as usize];
        let size = array.elem.size() as i64;
        let right = array.extent.unwrap_or(1) as i64 * size;
        let bytes = match self.choices.below(24) {
            0 => right + size,
            1 => right - 1,
            2 => 0,
            _ => right,
        };
        Expr::int(ScalarType::U64, bytes)
    }

    /// A stream for an asynchronous operation, if it is to be one.
    fn any_stream(&mut self) -> Option<Expr> {
        if !self.beyond_core || !self.choices.once_in(3) {
            return None;
        }
        Some(match self.choices.below(3) {
            0 => match self.choices.once_in(3) {
                true => Expr::constant(Value::int(ScalarType::U64, PER_THREAD.into())),
                false => Expr::int(ScalarType::U64, 0),
            },
            _ => self.var(STREAM),
        })
    }

    fn body(&mut self, kernel: &Generated) -> Arc<Op> {
        let mut ops = Vec::new();
        if self.beyond_core && self.choices.once_in(2) {
            let non_blocking = self.choices.once_in(2);
            ops.push(self.basic(Basic::StreamCreate {
                var: STREAM,
                non_blocking,
            }));
            ops.push(self.basic(Basic::EventCreate { var: EVENT }));
        }
        ops.push(self.basic(Basic::InitGpu));
        let managed = self.beyond_core && self.choices.once_in(4);
        for n in 0..N_ARRAYS {
            let (elem, bytes) = (self.bound[n as usize].elem, self.bytes(n));
            let space = match managed && n == 1 {
                true => AllocSpace::Managed,
                false => AllocSpace::Global,
            };
            ops.push(self.basic(Basic::Alloc {
                var: VarId(n),
                elem,
                bytes,
                space,
            }));
        }
        for n in 0..N_ARRAYS {
            ops.push(self.copy(n, CopyKind::HostToDevice));
        }
        let launches = 1 + self.choices.below(2);
        for _ in 0..launches {
            ops.push(self.launch(kernel));
        }
        if self.choices.once_in(2) {
            ops.push(self.basic(Basic::DeviceSync));
        }
        for n in 1..N_ARRAYS {
            ops.push(self.copy(n, CopyKind::DeviceToHost));
        }
        for n in 0..N_ARRAYS {
            let pointer = self.var(VarId(n));
            let space = AllocSpace::Global;
            let stream = self.any_stream();
            ops.push(self.basic(Basic::Free {
                pointer,
                space,
                stream,
            }));
        }
        let mut mistaken = Vec::new();
        for op in ops {
            match self.choices.below(30) {
                0 => {}
                1 => mistaken.extend([op.clone(), op]),
                2 if !mistaken.is_empty() => {
                    let place = self.choices.below(mistaken.len() as u64) as usize;
                    mistaken.insert(place, op);
                }
                3..=6 => {
                    mistaken.push(op);
                    mistaken.push(self.other());
                }
                _ => mistaken.push(op),
            }
        }
        self.control(mistaken)
    }

    fn copy(&mut self, n: u32, kind: CopyKind) -> Arc<Op> {
        let (device, host) = (self.var(VarId(n)), self.host_array(n));
        let kind = if self.choices.once_in(24) {
            CopyKind::DeviceToDevice
        } else {
            kind
        };
        let (dst, src) = match kind {
            CopyKind::DeviceToHost => (host, device),
            _ => (device, host),
        };
        let bytes = self.bytes(n);
        let stream = self.any_stream();
        self.basic(Basic::Copy {
            kind,
            dst,
            src,
            bytes,
            stream,
        })
    }

    fn launch(&mut self, kernel: &Generated) -> Arc<Op> {
        let launch = kernel.setup.launch;
        let [grid, block] = launch.map_or([[1; 3]; 2], |l| [l.grid, l.block]);
        let word = |n: u32| Expr::int(ScalarType::U32, n as i64);
        let grid = if self.choices.once_in(30) {
            [0, 1, 1]
        } else {
            grid
        };
        let mut args: Vec<Expr> = (0..N_ARRAYS).map(|n| self.var(VarId(n))).collect();
        args.push(Expr::i32(self.choices.below(4) as i32));
        let stream = self.any_stream();
        let cooperative = self.beyond_core && self.choices.once_in(3);
        self.basic(Basic::CallGpu {
            kernel: kernel.kernel,
            grid: grid.map(word),
            block: block.map(word),
            shared_bytes: word(0),
            args,
            stream,
            cooperative,
        })
    }

    /// Something in between.
    fn other(&mut self) -> Arc<Op> {
        let cell = |draft: &HostDraft, n: u32, index: i64| {
            Expr::offset(draft.host_array(n), Expr::int(ScalarType::I64, index))
        };
        let n = self.choices.below(N_ARRAYS as u64) as u32;
        let index = self.choices.below(3) as i64 - i64::from(self.choices.once_in(8));
        let (stream, event) = (self.var(STREAM), self.var(EVENT));
        let basic = match self.choices.below(if self.beyond_core { 15 } else { 3 }) {
            0 => Basic::Store {
                // Of the devices' memory the host reaches what is managed.
                pointer: match self.beyond_core && self.choices.once_in(4) {
                    true => self.var(VarId(n)),
                    false => cell(self, n, index),
                },
                value: Expr::i32(7).cast(Type::Scalar(self.bound[n as usize].elem)),
            },
            1 => {
                let cond = match Expr::load(cell(self, n, index)) {
                    Some(load) => load.cast(Type::BOOL),
                    None => Expr::bool(true),
                };
                Basic::Assert { cond }
            }
            2 => Basic::DeviceSync,
            3 => Basic::StreamCreate {
                var: STREAM,
                non_blocking: self.choices.once_in(2),
            },
            4 => Basic::StreamDestroy { stream },
            5 => Basic::StreamSync { stream },
            6 => Basic::EventCreate { var: EVENT },
            7 => Basic::EventDestroy { event },
            8 => Basic::EventRecord { event, stream },
            9 => Basic::EventSync { event },
            10 => Basic::StreamWait { stream, event },
            11 => Basic::SetDevice {
                device: Expr::i32(self.choices.below(3) as i32 - 1),
            },
            12 => Basic::Alloc {
                var: PINNED,
                elem: self.bound[0].elem,
                bytes: self.bytes(0),
                space: AllocSpace::Pinned,
            },
            13 => {
                let (a, b) = (self.beside(), self.beside());
                return self.op(OpKind::Par(a, b));
            }
            _ => Basic::Wait {
                cond: match Expr::load(cell(self, n, 0)) {
                    Some(load) => Expr::unary(
                        gridlock_semantics::algebra::expr::UnaryOp::Not,
                        load.cast(Type::BOOL),
                    ),
                    None => Expr::bool(true),
                },
            },
        };
        self.basic(basic)
    }

    /// Puts a piece of the program under a branch, a loop, or beside the rest.
    fn control(&mut self, mut ops: Vec<Arc<Op>>) -> Arc<Op> {
        let from = self.choices.below(ops.len().max(1) as u64) as usize;
        let rest = ops.split_off(from.min(ops.len()));
        match self.choices.below(if self.beyond_core { 6 } else { 4 }) {
            0 => {
                let then = self.sequence(rest);
                let cond = Expr::bool(!self.choices.once_in(4));
                ops.push(self.op(OpKind::If {
                    cond,
                    then,
                    otherwise: Op::skip(),
                }));
            }
            1 => {
                let i = || Expr::var(COUNTER, Type::I32);
                ops.push(self.basic(Basic::Assign {
                    var: COUNTER,
                    value: Expr::i32(0),
                }));
                let step = Basic::Assign {
                    var: COUNTER,
                    value: Expr::binary(BinaryOp::Add, i(), Expr::i32(1)),
                };
                let mut inside = vec![self.sequence(rest)];
                inside.push(self.basic(step));
                let body = self.sequence(inside);
                let cond = Expr::binary(BinaryOp::Lt, i(), Expr::i32(2));
                ops.push(self.op(OpKind::While { cond, body }));
            }
            4 => {
                // A thread beside the rest: on a host array, since branches share no variables
                // that either assigns.
                let beside = vec![self.beside(), self.beside()];
                let beside = self.sequence(beside);
                let rest = self.sequence(rest);
                ops.push(self.op(OpKind::Par(rest, beside)));
            }
            _ => ops.extend(rest),
        }
        self.sequence(ops)
    }

    fn beside(&mut self) -> Arc<Op> {
        let n = self.choices.below(N_ARRAYS as u64) as u32;
        let pointer = Expr::offset(self.host_array(n), Expr::int(ScalarType::I64, 0));
        let value = Expr::i32(1).cast(Type::Scalar(self.bound[n as usize].elem));
        let basic = match self.choices.below(3) {
            0 => Basic::DeviceSync,
            _ => Basic::Store { pointer, value },
        };
        self.basic(basic)
    }
}
