//! Small programs, written as briefly as Rust allows.

use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space, VarDecl};
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, OpKind, Orders, Scope};
use gridlock_semantics::algebra::program::{Form, ProcKind, Procedure, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::host::State;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::transition::{Actor, Label, TransitionSystem};
use std::sync::Arc;

pub type Y = Arc<Op>;

/// A program whose entry is procedure 0, a kernel or a host procedure.
pub struct Build {
    pub program: Program,
    pub setup: Setup,
}

impl Build {
    /// A kernel over `grid` blocks of `block` threads.
    pub fn kernel(grid: u32, block: u32) -> Build {
        let mut build = Build::empty(ProcKind::Kernel);
        build.setup.launch = Some(Launch {
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            shared_bytes: 0,
        });
        build
    }

    pub fn host() -> Build {
        Build::empty(ProcKind::Host)
    }

    fn empty(kind: ProcKind) -> Build {
        let mut build = Build {
            program: Program {
                form: Form::Surface,
                files: vec![],
                arrays: vec![],
                procs: vec![],
                cells: Default::default(),
            },
            setup: Setup {
                declared: Default::default(),
                observed: Default::default(),
                device: Default::default(),
                entry: ProcId(0),
                launch: None,
                args: vec![],
                arrays: vec![],
            },
        };
        build.procedure("entry", kind);
        build
    }

    pub fn procedure(&mut self, name: &str, kind: ProcKind) -> ProcId {
        self.program.procs.push(Procedure {
            name: name.into(),
            kind,
            params: vec![],
            vars: vec![],
            result: None,
            body: Op::skip(),
            most_threads: None,
            span: Span::NONE,
        });
        ProcId(self.program.procs.len() as u32 - 1)
    }

    pub fn var_of(&mut self, proc: ProcId, name: &str, ty: Type) -> VarId {
        let vars = &mut self.program.procs[proc.0 as usize].vars;
        vars.push(VarDecl {
            name: name.into(),
            ty,
            span: Span::NONE,
        });
        VarId(vars.len() as u32 - 1)
    }

    pub fn param_of(&mut self, proc: ProcId, name: &str, ty: Type) -> VarId {
        let var = self.var_of(proc, name, ty);
        self.program.procs[proc.0 as usize].params.push(var);
        var
    }

    /// A variable of the entry.
    pub fn var(&mut self, name: &str, ty: Type) -> VarId {
        self.var_of(ProcId(0), name, ty)
    }

    pub fn int(&mut self, name: &str) -> VarId {
        self.var(name, Type::I32)
    }

    /// A pointer parameter of the entry with an array of `int` behind it.
    pub fn array(&mut self, name: &str, cells: &[i32]) -> Expr {
        let cells: Vec<Value> = cells.iter().map(|&n| Value::i32(n)).collect();
        let extent = Some(cells.len() as u64);
        self.array_with(name, extent, Contents::Values(cells))
    }

    pub fn array_with(&mut self, name: &str, extent: Option<u64>, contents: Contents) -> Expr {
        let ty = Type::pointer_to(ScalarType::I32);
        let var = self.param_of(ProcId(0), name, ty);
        self.setup.args.push(Arg::Array(self.setup.arrays.len()));
        self.setup.arrays.push(ArrayArg {
            name: name.into(),
            elem: ScalarType::I32,
            extent,
            contents,
            observed: true,
        });
        Expr::var(var, ty)
    }

    /// A declared array of `int`.
    pub fn declared(&mut self, name: &str, space: Space, extent: u64, owner: Option<u32>) -> Expr {
        self.program.arrays.push(ArrayDecl {
            name: name.into(),
            elem: ScalarType::I32,
            extent: Extent::Fixed(extent),
            dims: vec![extent],
            space,
            is_volatile: false,
            is_managed: false,
            init: None,
            owner: owner.map(ProcId),
            symbol: None,
            span: Span::NONE,
        });
        let id = ArrayId(self.program.arrays.len() as u32 - 1);
        Expr::array_base(id, PointerType::to(ScalarType::I32))
    }

    pub fn shared(&mut self, name: &str, extent: u64) -> Expr {
        self.declared(name, Space::Shared, extent, Some(0))
    }

    pub fn body(&mut self, body: Y) -> &mut Build {
        self.body_of(ProcId(0), body)
    }

    pub fn body_of(&mut self, proc: ProcId, body: Y) -> &mut Build {
        self.program.procs[proc.0 as usize].body = body;
        self
    }

    pub fn finished(&self) -> Program {
        let mut program = self.program.clone();
        program.number_operators();
        program
    }

    pub fn system_with(&self, profile: Profile) -> ProgramSystem {
        let program = Arc::new(self.finished());
        ProgramSystem::new(program, self.setup.clone(), profile)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn system(&self, profile: &str) -> ProgramSystem {
        self.system_with(Profile::named(profile).expect("a named profile"))
    }
}

pub fn seq(ops: impl IntoIterator<Item = Y>) -> Y {
    Op::new(OpKind::Seq(ops.into_iter().collect()), Span::NONE)
}

pub fn basic(basic: Basic) -> Y {
    Op::basic(basic, Span::NONE)
}

pub fn assign(var: VarId, value: Expr) -> Y {
    basic(Basic::Assign { var, value })
}

pub fn store(array: &Expr, index: Expr, value: Expr) -> Y {
    basic(Basic::Store {
        pointer: Expr::offset(array.clone(), index),
        value,
    })
}

pub fn atomic(
    function: AtomicFn,
    array: &Expr,
    index: Expr,
    operands: &[i32],
    result: Option<VarId>,
) -> Y {
    basic(Basic::Atomic {
        function,
        scope: Scope::Device,
        pointer: Expr::offset(array.clone(), index),
        operands: operands.iter().map(|&n| Expr::i32(n)).collect(),
        result,
    })
}

pub fn if_else(cond: Expr, then: Y, otherwise: Y) -> Y {
    let kind = OpKind::If {
        cond,
        then,
        otherwise,
    };
    Op::new(kind, Span::NONE)
}

pub fn when(cond: Expr, then: Y) -> Y {
    if_else(cond, then, Op::skip())
}

pub fn while_do(cond: Expr, body: Y) -> Y {
    Op::new(OpKind::While { cond, body }, Span::NONE)
}

pub fn call(proc: ProcId, args: Vec<Expr>, result: Option<VarId>) -> Y {
    Op::new(OpKind::Call { proc, args, result }, Span::NONE)
}

pub fn barrier() -> Y {
    basic(Basic::barrier(Orders::All))
}

pub fn exit() -> Y {
    basic(Basic::Exit)
}

pub fn sync_warp(mask: u32) -> Y {
    let mask = Expr::int(ScalarType::U32, mask as i64);
    basic(Basic::SyncWarp { mask })
}

/// `bar.sync id, n` or `bar.arrive id, n`; without a number the whole block.
pub fn named_barrier(id: u32, n: Option<u32>, arrive_only: bool) -> Y {
    let number = |n: u32| Expr::int(ScalarType::U32, n as i64);
    basic(Basic::NamedBarrier {
        id: number(id),
        threads: n.map(number),
        arrive_only,
    })
}

pub fn grid_barrier() -> Y {
    basic(Basic::GridBarrier)
}

/// `threadIdx.x`, as `int`.
pub fn tid() -> Expr {
    Expr::builtin(Builtin::ThreadIdx(Axis::X)).cast(Type::I32)
}

/// `blockIdx.x`, as `int`.
pub fn bid() -> Expr {
    Expr::builtin(Builtin::BlockIdx(Axis::X)).cast(Type::I32)
}

pub fn int(n: i32) -> Expr {
    Expr::i32(n)
}

pub fn v(var: VarId) -> Expr {
    Expr::var(var, Type::I32)
}

pub fn at(array: &Expr, index: Expr) -> Expr {
    Expr::load(Expr::offset(array.clone(), index)).expect("a pointer")
}

pub fn op(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b)
}

pub fn add(a: Expr, b: Expr) -> Expr {
    op(BinaryOp::Add, a, b)
}

pub fn eq(a: Expr, b: Expr) -> Expr {
    op(BinaryOp::Eq, a, b)
}

pub fn lt(a: Expr, b: Expr) -> Expr {
    op(BinaryOp::Lt, a, b)
}

/// Thread `thread` of block 0.
pub fn t(thread: u32) -> Actor {
    Actor::Thread { block: 0, thread }
}

/// The only transition of `actors`.
pub fn fire(system: &ProgramSystem, state: &State, actors: &[Actor]) -> (Label, State) {
    let mut found = system.fire(state, actors);
    assert_eq!(
        found.len(),
        1,
        "{actors:?} have {} transitions",
        found.len()
    );
    found.remove(0)
}

/// Fires each actor in turn; the labels and the last state.
pub fn replay(system: &ProgramSystem, actors: &[Actor]) -> (Vec<Label>, State) {
    let mut state = system.initial().remove(0);
    let mut labels = Vec::new();
    for actor in actors {
        let (label, next) = fire(system, &state, &[*actor]);
        labels.push(label);
        state = next;
    }
    (labels, state)
}
