//! Programs built by hand for the tests.

#![allow(dead_code, reason = "each test crate uses some of it")]

use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space, VarDecl};
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{AllocSpace, Basic, CopyKind, Op, OpKind, Orders};
use gridlock_semantics::algebra::program::{Form, ProcKind, Procedure, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use std::sync::Arc;

pub type Block = Vec<Arc<Op>>;

/// A procedure under construction.
pub struct Proc {
    name: &'static str,
    kind: ProcKind,
    params: Vec<VarId>,
    vars: Vec<VarDecl>,
    pub result: Option<VarId>,
}

impl Proc {
    pub fn new(kind: ProcKind, name: &'static str) -> Proc {
        Proc {
            name,
            kind,
            params: vec![],
            vars: vec![],
            result: None,
        }
    }

    pub fn local(&mut self, name: &str, ty: Type) -> VarId {
        self.vars.push(VarDecl {
            name: name.into(),
            ty,
            span: Span::NONE,
        });
        VarId(self.vars.len() as u32 - 1)
    }

    pub fn param(&mut self, name: &str, ty: Type) -> VarId {
        let var = self.local(name, ty);
        self.params.push(var);
        var
    }

    pub fn get(&self, var: VarId) -> Expr {
        Expr::var(var, self.vars[var.0 as usize].ty)
    }

    pub fn done(self, body: Block) -> Procedure {
        Procedure {
            name: self.name.into(),
            kind: self.kind,
            params: self.params,
            vars: self.vars,
            result: self.result,
            body: seq(body),
            most_threads: None,
            span: Span::NONE,
        }
    }
}

pub fn program(arrays: Vec<ArrayDecl>, procs: Vec<Procedure>) -> Program {
    let mut program = Program {
        form: Form::Surface,
        files: vec![],
        arrays,
        procs,
        cells: Default::default(),
    };
    program.number_operators();
    program
}

pub fn shared(name: &str, elem: ScalarType, extent: Extent, owner: u32) -> ArrayDecl {
    ArrayDecl {
        name: name.into(),
        elem,
        extent,
        dims: match extent {
            Extent::Fixed(n) => vec![n],
            Extent::LaunchShared => vec![0],
        },
        space: Space::Shared,
        is_volatile: false,
        is_managed: false,
        init: None,
        owner: Some(ProcId(owner)),
        symbol: None,
        span: Span::NONE,
    }
}

pub fn ptr(elem: ScalarType) -> Type {
    Type::pointer_to(elem)
}

pub fn const_ptr(elem: ScalarType) -> Type {
    Type::Pointer(PointerType {
        is_const: true,
        ..PointerType::to(elem)
    })
}

pub fn op(kind: OpKind) -> Arc<Op> {
    Op::new(kind, Span::NONE)
}

pub fn basic(basic: Basic) -> Arc<Op> {
    Op::basic(basic, Span::NONE)
}

pub fn seq(ops: Block) -> Arc<Op> {
    op(OpKind::Seq(ops))
}

pub fn set(var: VarId, value: Expr) -> Arc<Op> {
    basic(Basic::Assign { var, value })
}

pub fn store(pointer: Expr, value: Expr) -> Arc<Op> {
    basic(Basic::Store { pointer, value })
}

pub fn when(cond: Expr, then: Block) -> Arc<Op> {
    when_else(cond, then, vec![])
}

pub fn when_else(cond: Expr, then: Block, otherwise: Block) -> Arc<Op> {
    op(OpKind::If {
        cond,
        then: seq(then),
        otherwise: seq(otherwise),
    })
}

pub fn while_loop(cond: Expr, body: Block) -> Arc<Op> {
    op(OpKind::While {
        cond,
        body: seq(body),
    })
}

pub fn for_loop(var: VarId, init: Expr, cond: Expr, step: Expr, body: Block) -> Arc<Op> {
    seq(vec![
        set(var, init),
        op(OpKind::While {
            cond,
            body: seq(vec![seq(body), set(var, step)]),
        }),
    ])
}

pub fn barrier() -> Arc<Op> {
    basic(Basic::barrier(Orders::All))
}

pub fn bin(operation: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(operation, a, b)
}

pub fn add(a: Expr, b: Expr) -> Expr {
    bin(BinaryOp::Add, a, b)
}

pub fn lt(a: Expr, b: Expr) -> Expr {
    bin(BinaryOp::Lt, a, b)
}

pub fn int(value: i32) -> Expr {
    Expr::i32(value)
}

pub fn at(pointer: Expr, index: Expr) -> Expr {
    Expr::offset(pointer, index)
}

pub fn load(pointer: Expr) -> Expr {
    Expr::load(pointer).expect("a pointer")
}

pub fn array(id: u32, elem: ScalarType) -> Expr {
    Expr::array_base(ArrayId(id), PointerType::to(elem))
}

pub fn tid() -> Expr {
    Expr::builtin(Builtin::ThreadIdx(Axis::X))
}

pub fn bid() -> Expr {
    Expr::builtin(Builtin::BlockIdx(Axis::X))
}

pub fn bdim() -> Expr {
    Expr::builtin(Builtin::BlockDim(Axis::X))
}

/// `blockIdx.x * blockDim.x + threadIdx.x` as an `int`.
pub fn global_id() -> Expr {
    add(bin(BinaryOp::Mul, bid(), bdim()), tid()).cast(Type::I32)
}

/// Kernel 0 `add_one(const int *in, int *out, int n)`: guarded, one element a thread.
pub fn add_one() -> Program {
    let mut k = Proc::new(ProcKind::Kernel, "add_one");
    let input = k.param("in", const_ptr(ScalarType::I32));
    let out = k.param("out", ptr(ScalarType::I32));
    let n = k.param("n", Type::I32);
    let i = k.local("i", Type::I32);
    let body = vec![
        set(i, global_id()),
        when(
            lt(k.get(i), k.get(n)),
            vec![store(
                at(k.get(out), k.get(i)),
                add(load(at(k.get(input), k.get(i))), int(1)),
            )],
        ),
    ];
    program(vec![], vec![k.done(body)])
}

/// Kernel 0 `block_sum(const int *in, int *out)`: a tree in dynamic shared memory.
pub fn block_sum() -> Program {
    let mut k = Proc::new(ProcKind::Kernel, "block_sum");
    let input = k.param("in", const_ptr(ScalarType::I32));
    let out = k.param("out", ptr(ScalarType::I32));
    let t = k.local("t", Type::I32);
    let s = k.local("s", Type::U32);
    let tile = || array(0, ScalarType::I32);
    let partner = add(k.get(t).cast(Type::U32), k.get(s));
    let body = vec![
        set(t, tid().cast(Type::I32)),
        store(at(tile(), k.get(t)), load(at(k.get(input), global_id()))),
        barrier(),
        for_loop(
            s,
            bin(BinaryOp::Div, bdim(), Expr::int(ScalarType::U32, 2)),
            bin(BinaryOp::Gt, k.get(s), Expr::int(ScalarType::U32, 0)),
            bin(BinaryOp::Shr, k.get(s), int(1)),
            vec![
                when(
                    lt(k.get(t).cast(Type::U32), k.get(s)),
                    vec![store(
                        at(tile(), k.get(t)),
                        add(load(at(tile(), k.get(t))), load(at(tile(), partner))),
                    )],
                ),
                barrier(),
            ],
        ),
        when(
            bin(BinaryOp::Eq, k.get(t), int(0)),
            vec![store(at(k.get(out), bid()), load(at(tile(), int(0))))],
        ),
    ];
    let tile = shared("tile", ScalarType::I32, Extent::LaunchShared, 0);
    program(vec![tile], vec![k.done(body)])
}

/// Bitonic sort of `n` integers, `n` a power of two: kernel 0 compares and swaps, host procedure 1
/// `bitonic_sort(int *a, int n)` copies, launches for each distance, copies back.
pub fn bitonic() -> Program {
    let mut k = Proc::new(ProcKind::Kernel, "compare_swap");
    let a = k.param("a", ptr(ScalarType::I32));
    let n = k.param("n", Type::I32);
    let stage = k.param("k", Type::I32);
    let j = k.param("j", Type::I32);
    let i = k.local("i", Type::I32);
    let partner = k.local("ixj", Type::I32);
    let t = k.local("t", Type::I32);
    let cell = |k: &Proc, var| at(k.get(a), k.get(var));
    let ascending = bin(
        BinaryOp::Eq,
        bin(BinaryOp::BitAnd, k.get(i), k.get(stage)),
        int(0),
    );
    let swap = vec![
        set(t, load(cell(&k, i))),
        store(cell(&k, i), load(cell(&k, partner))),
        store(cell(&k, partner), k.get(t)),
    ];
    let greater = bin(BinaryOp::Gt, load(cell(&k, i)), load(cell(&k, partner)));
    let less = lt(load(cell(&k, i)), load(cell(&k, partner)));
    let body = vec![
        set(i, global_id()),
        when(
            lt(k.get(i), k.get(n)),
            vec![
                set(partner, bin(BinaryOp::BitXor, k.get(i), k.get(j))),
                when(
                    bin(BinaryOp::Gt, k.get(partner), k.get(i)),
                    vec![when_else(
                        ascending,
                        vec![when(greater, swap.clone())],
                        vec![when(less, swap)],
                    )],
                ),
            ],
        ),
    ];
    let kernel = k.done(body);

    let mut h = Proc::new(ProcKind::Host, "bitonic_sort");
    let a = h.param("a", ptr(ScalarType::I32));
    let n = h.param("n", Type::I32);
    let d_a = h.local("d_a", ptr(ScalarType::I32));
    let k = h.local("k", Type::I32);
    let j = h.local("j", Type::I32);
    let bytes = bin(
        BinaryOp::Mul,
        h.get(n).cast(Type::U64),
        Expr::int(ScalarType::U64, 4),
    );
    let one = || Expr::int(ScalarType::U32, 1);
    let blocks = bin(BinaryOp::Div, add(h.get(n), int(63)), int(64)).cast(Type::U32);
    let launch = basic(Basic::CallGpu {
        kernel: ProcId(0),
        grid: [blocks, one(), one()],
        block: [Expr::int(ScalarType::U32, 64), one(), one()],
        shared_bytes: Expr::int(ScalarType::U32, 0),
        args: vec![h.get(d_a), h.get(n), h.get(k), h.get(j)],
        stream: None,
        cooperative: false,
    });
    let body = vec![
        basic(Basic::Alloc {
            var: d_a,
            elem: ScalarType::I32,
            bytes: bytes.clone(),
            space: AllocSpace::Global,
        }),
        basic(Basic::Copy {
            kind: CopyKind::HostToDevice,
            dst: h.get(d_a),
            src: h.get(a),
            bytes: bytes.clone(),
            stream: None,
        }),
        for_loop(
            k,
            int(2),
            bin(BinaryOp::Le, h.get(k), h.get(n)),
            bin(BinaryOp::Shl, h.get(k), int(1)),
            vec![for_loop(
                j,
                bin(BinaryOp::Shr, h.get(k), int(1)),
                bin(BinaryOp::Gt, h.get(j), int(0)),
                bin(BinaryOp::Shr, h.get(j), int(1)),
                vec![launch],
            )],
        ),
        basic(Basic::Copy {
            kind: CopyKind::DeviceToHost,
            dst: h.get(a),
            src: h.get(d_a),
            bytes,
            stream: None,
        }),
        basic(Basic::Free {
            pointer: h.get(d_a),
            space: AllocSpace::Global,
            stream: None,
        }),
    ];
    program(vec![], vec![kernel, h.done(body)])
}

/// An array argument with reproducible contents.
pub fn random(name: &str, elem: ScalarType, extent: u64, seed: u64) -> ArrayArg {
    ArrayArg {
        name: name.into(),
        elem,
        extent: Some(extent),
        contents: Contents::Random { seed },
        observed: true,
    }
}

/// A setup of a kernel: array arguments first, then scalars.
pub fn kernel_setup(
    grid: u32,
    block: u32,
    shared: u32,
    arrays: Vec<ArrayArg>,
    scalars: &[i32],
) -> Setup {
    let mut args: Vec<Arg> = (0..arrays.len()).map(Arg::Array).collect();
    args.extend(scalars.iter().map(|v| Arg::Scalar(Value::i32(*v))));
    Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry: ProcId(0),
        launch: Some(Launch {
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            shared_bytes: shared,
        }),
        args,
        arrays,
    }
}

/// A procedure of `tests/kernels` and how to run it.
pub struct Case {
    pub file: &'static str,
    pub entry: &'static str,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared_bytes: u32,
    /// Elements of every array.
    pub extent: u64,
    /// Scalar arguments in order.
    pub scalars: &'static [i32],
    pub runs_on_opencl: bool,
}

pub fn cases() -> Vec<Case> {
    let case = |file, entry, grid, block, extent, scalars| Case {
        file,
        entry,
        grid: [grid, 1, 1],
        block: [block, 1, 1],
        shared_bytes: 0,
        extent,
        scalars,
        runs_on_opencl: true,
    };
    vec![
        case("barrier_loop.cu", "count_divisors", 1, 256, 256, &[]),
        case("integers.cu", "integers", 3, 32, 90, &[90]),
        case("integers.cu", "narrow", 1, 64, 50, &[50]),
        case("floats.cu", "floats", 2, 64, 100, &[100]),
        Case {
            shared_bytes: 32 * 4,
            ..case("shared.cu", "stencil", 3, 32, 90, &[90])
        },
        Case {
            grid: [3, 2, 1],
            block: [8, 8, 1],
            ..case("shared.cu", "transpose", 1, 1, 300, &[20, 15])
        },
        case("atomics.cu", "histogram", 2, 32, 300, &[300]),
        case("atomics.cu", "extremes", 3, 32, 90, &[90]),
        case("control.cu", "control", 3, 32, 90, &[90]),
        case("control.cu", "volatile_tail", 3, 64, 192, &[]),
        Case {
            runs_on_opencl: false,
            ..case("warps.cu", "warp_sum", 3, 64, 192, &[])
        },
        case("host.cu", "scaled_sum", 0, 0, 75, &[75, 3]),
    ]
}

impl Case {
    pub fn setup(&self, program: &Program) -> Setup {
        let entry = program.find_proc(self.entry).expect("the entry");
        let proc = program.proc(entry);
        let mut scalars = self.scalars.iter();
        let mut args = Vec::new();
        let mut arrays = Vec::new();
        for var in &proc.params {
            let decl = &proc.vars[var.0 as usize];
            match decl.ty {
                Type::Scalar(ty) => {
                    let value = scalars.next().copied().expect("enough scalars");
                    args.push(Arg::Scalar(Value::int(ty, value.into())));
                }
                Type::Pointer(to) => {
                    args.push(Arg::Array(arrays.len()));
                    arrays.push(ArrayArg {
                        observed: !to.is_const,
                        ..random(&decl.name, to.elem, self.extent, arrays.len() as u64)
                    });
                }
            }
        }
        Setup {
            declared: Default::default(),
            observed: Default::default(),
            device: Default::default(),
            entry,
            launch: (proc.kind == ProcKind::Kernel).then_some(Launch {
                grid: self.grid,
                block: self.block,
                shared_bytes: self.shared_bytes,
            }),
            args,
            arrays,
        }
    }
}

/// Three inputs, compared exactly, in this process.
pub fn options(
    device: gridlock_lowering::device::DeviceKind,
) -> gridlock_lowering::diff::DiffOptions {
    gridlock_lowering::diff::DiffOptions {
        device,
        runs: 3,
        seed: 42,
        repeat: 20,
        ulps: 0,
        profile: gridlock_semantics::profile::Profile::named("cuda").expect("the default"),
        limits: gridlock_checker::limits::Limits::default(),
        child: None,
        time_limit: std::time::Duration::from_secs(60),
        until: None,
    }
}
