//! Operators of Glushkov's algebra of algorithms: sequence, if, while, call, PAR, and the basic
//! operators of the GPU domain. There is no other control.

use crate::algebra::declaration::Space;
use crate::algebra::expr::Expr;
use crate::algebra::ids::{ProcId, VarId};
use crate::algebra::span::Span;
use crate::algebra::types::ScalarType;
use crate::algebra::value::ArrayRef;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An occurrence of an operator. "The same operator" in the semantics always means the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OpId(pub u32);

/// Where an operator comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Provenance {
    /// It stands in the source text.
    Source,
    /// The translation into atomic form made it out of the surface operator `from`.
    AtomicForm { from: OpId },
    /// A rewrite rule made it.
    Rule { rule: Arc<str>, from: Vec<OpId> },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Op {
    pub id: OpId,
    pub span: Span,
    pub provenance: Provenance,
    pub kind: OpKind,
}

#[expect(
    clippy::large_enum_variant,
    reason = "operators are shared behind `Arc`, never moved"
)]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OpKind {
    Skip,
    /// `y₁ THEN y₂ THEN …`
    Seq(Vec<Arc<Op>>),
    If {
        cond: Expr,
        then: Arc<Op>,
        otherwise: Arc<Op>,
    },
    /// `WHILE cond DO body`. A counted loop is `Seq[init, While{cond, Seq[body, step]}]`:
    /// see [`crate::analysis::loops`].
    While {
        cond: Expr,
        body: Arc<Op>,
    },
    /// Call of a device or host procedure. `result` is the caller's variable that receives the
    /// callee's result variable on return.
    Call {
        proc: ProcId,
        args: Vec<Expr>,
        result: Option<VarId>,
    },
    /// Asynchronous disjunction of host operators (SAA-M).
    Par(Arc<Op>, Arc<Op>),
    Basic(Basic),
}

/// Read-modify-write functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AtomicFn {
    Add,
    Sub,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exch,
    /// Operands: compare, new value.
    Cas,
    /// `old >= operand ? 0 : old + 1`, unsigned.
    Inc,
    /// `old == 0 || old > operand ? operand : old - 1`, unsigned.
    Dec,
}

impl AtomicFn {
    /// Order of application does not matter for the final contents (integers).
    pub const fn is_commutative(self) -> bool {
        !matches!(
            self,
            AtomicFn::Exch | AtomicFn::Cas | AtomicFn::Inc | AtomicFn::Dec
        )
    }
}

/// From which lane of its segment a shuffle takes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ShuffleMode {
    /// `__shfl_sync`: the lane named.
    Index,
    /// `__shfl_up_sync`: the lane so many below.
    Up,
    /// `__shfl_down_sync`: the lane so many above.
    Down,
    /// `__shfl_xor_sync`: the lane whose number differs in these bits.
    Xor,
}

/// Operations of the threads a mask names, which wait for one another and exchange values. They
/// order no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WarpFn {
    /// Operands: value, lane (or distance, or bits), width (`I32`). The result has the value's
    /// type.
    Shuffle(ShuffleMode),
    /// Operand: a condition. The result is the set of lanes on which it holds (`U32`).
    Ballot,
    /// Operand: a condition. The result is `I32`, 0 or 1.
    All,
    /// Operand: a condition. The result is `I32`, 0 or 1.
    Any,
    /// Operand: a value. The result is the set of lanes that gave the same (`U32`).
    MatchAny,
    /// `__reduce_…_sync`: operand and result are `I32` or `U32`.
    ReduceAdd,
    ReduceMin,
    ReduceMax,
    /// The bitwise ones are `U32` only.
    ReduceAnd,
    ReduceOr,
    ReduceXor,
}

/// Which threads an atomic or a fence is ordered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scope {
    Block,
    Device,
    System,
}

/// Of which memories a barrier of the block puts the accesses in order, among those who meet there:
/// the flags of OpenCL's `barrier` (OpenCL C 3.0, 6.15.8). CUDA's barrier orders all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Orders {
    All,
    /// `CLK_LOCAL_MEM_FENCE` alone.
    Shared,
    /// `CLK_GLOBAL_MEM_FENCE` alone.
    Global,
    /// No flag: threads wait for one another, and nothing they did is in order.
    Nothing,
}

impl Orders {
    /// Whether accesses to memory of a space are among those put in order.
    pub const fn includes(self, space: Space) -> bool {
        match space {
            Space::Shared => matches!(self, Orders::All | Orders::Shared),
            Space::Global => matches!(self, Orders::All | Orders::Global),
            // Nobody else reaches it, or nobody writes it.
            Space::Private | Space::Constant | Space::Host => true,
        }
    }

    /// The barrier's name in programs' texts.
    pub const fn barrier_name(self) -> &'static str {
        match self {
            Orders::All => "barrier",
            Orders::Shared => "barrier_shared",
            Orders::Global => "barrier_global",
            Orders::Nothing => "barrier_nothing",
        }
    }
}

/// Direction of a copy between memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CopyKind {
    /// `copy_gpu`
    HostToDevice,
    /// `copy_back`
    DeviceToHost,
    DeviceToDevice,
    HostToHost,
    /// As the pointers say (`cudaMemcpyDefault`); managed memory is the device's.
    Default,
}

impl CopyKind {
    /// Whether the destination is in the host's memory, and whether the source is.
    pub const fn on_host(self, dst: ArrayRef, src: ArrayRef) -> (bool, bool) {
        match self {
            CopyKind::HostToDevice => (false, true),
            CopyKind::DeviceToHost => (true, false),
            CopyKind::DeviceToDevice => (false, false),
            CopyKind::HostToHost => (true, true),
            CopyKind::Default => (dst.is_hosts(), src.is_hosts()),
        }
    }

    /// The direction of a copy between these.
    pub const fn resolved(self, dst: ArrayRef, src: ArrayRef) -> CopyKind {
        match self.on_host(dst, src) {
            (false, true) => CopyKind::HostToDevice,
            (true, false) => CopyKind::DeviceToHost,
            (false, false) => CopyKind::DeviceToDevice,
            (true, true) => CopyKind::HostToHost,
        }
    }
}

/// Memory an allocation is made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AllocSpace {
    Host,
    /// Host memory that copies of a stream may use while the host goes on (`cudaMallocHost`).
    Pinned,
    Global,
    /// Memory that the host and every device reach (`cudaMallocManaged`).
    Managed,
    /// Host memory that `delete` gives back (`new`).
    New,
    /// The host's, and goes with the object that has it (a vector's elements): no call gives it
    /// back, and it is no leak.
    Owned,
}

impl AllocSpace {
    /// Whether the arrays are numbered among the host's.
    pub const fn is_on_host(self) -> bool {
        matches!(
            self,
            AllocSpace::Host | AllocSpace::Pinned | AllocSpace::New | AllocSpace::Owned
        )
    }
}

/// Basic operators.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Basic {
    /// `var := value`; with [`Expr::no_value`] the variable loses its value.
    Assign {
        var: VarId,
        value: Expr,
    },
    /// `var := *pointer`. What the atomic form makes of `ExprKind::Load`.
    Load {
        var: VarId,
        pointer: Expr,
    },
    /// `*pointer := value`; with [`Expr::no_value`] the cell is written back as it is ([`Basic::writes_back`]).
    Store {
        pointer: Expr,
        value: Expr,
    },
    /// `result := function(*pointer, operands)` in one step. The result is the old value.
    Atomic {
        function: AtomicFn,
        scope: Scope,
        pointer: Expr,
        operands: Vec<Expr>,
        result: Option<VarId>,
    },
    /// The block's barrier, `__syncthreads()`. Threads that bring different values of these variables do
    /// not stand at one barrier: calls that OpenCL wants all work-items to make with the same arguments.
    Barrier(Orders, Vec<Expr>),
    /// A barrier of a part of the block: `bar.sync id, threads`, or `bar.arrive`, which counts
    /// as arrived without waiting. Both numbers are `U32`; no `threads` means the whole block.
    NamedBarrier {
        id: Expr,
        threads: Option<Expr>,
        arrive_only: bool,
    },
    /// The grid's barrier, `cooperative_groups::this_grid().sync()`.
    GridBarrier,
    /// `__syncwarp(mask)`; the mask is a `U32`.
    SyncWarp {
        mask: Expr,
    },
    /// `result := function(operands of all threads of the mask)`; the mask is a `U32`.
    Warp {
        function: WarpFn,
        mask: Expr,
        operands: Vec<Expr>,
        result: Option<VarId>,
    },
    /// `result := __activemask()`, a `U32`: some set of lanes of the warp with this one among
    /// them.
    ActiveMask {
        result: VarId,
    },
    /// `__threadfence` and its kin.
    Fence {
        scope: Scope,
    },
    /// A kernel's explicit `return` (rule R10).
    Exit,
    Assert {
        cond: Expr,
    },
    /// A run on which the condition is false does not count.
    Assume {
        cond: Expr,
    },
    /// What comes here was left out: calls nested deeper than were unfolded, say. A run that reaches it
    /// decides nothing.
    Beyond,

    // Host operators.
    InitGpu,
    /// Allocates `bytes / size(elem)` elements and points `var` at them.
    Alloc {
        var: VarId,
        elem: ScalarType,
        bytes: Expr,
        space: AllocSpace,
    },
    /// Gives memory back: at once, or in its turn in a stream (`cudaFreeAsync`).
    Free {
        pointer: Expr,
        space: AllocSpace,
        /// A stream's handle (`U64`); `None` is the synchronous call.
        stream: Option<Expr>,
    },
    /// Copies `bytes` bytes: at once, or in its turn in a stream (`cudaMemcpyAsync`).
    Copy {
        kind: CopyKind,
        dst: Expr,
        src: Expr,
        bytes: Expr,
        /// A stream's handle (`U64`); `None` is the synchronous call.
        stream: Option<Expr>,
    },
    /// `call_gpu(kernel, block, grid)`; extents and `shared_bytes` are `U32`.
    CallGpu {
        kernel: ProcId,
        grid: [Expr; 3],
        block: [Expr; 3],
        shared_bytes: Expr,
        args: Vec<Expr>,
        /// A stream's handle (`U64`); `None` is the default stream.
        stream: Option<Expr>,
        /// All blocks are resident together (`cudaLaunchCooperativeKernel`).
        cooperative: bool,
    },
    /// `cudaDeviceSynchronize()`
    DeviceSync,
    /// The calls that follow speak of this device (`I32`).
    SetDevice {
        device: Expr,
    },
    /// `var :=` a new stream's handle (`U64`; 0 is the default stream). A `non_blocking` stream
    /// does not wait for the default stream, nor it for that.
    StreamCreate {
        var: VarId,
        non_blocking: bool,
    },
    StreamDestroy {
        stream: Expr,
    },
    /// Waits until everything put into the stream is done.
    StreamSync {
        stream: Expr,
    },
    /// `var :=` a new event's handle (`U64`).
    EventCreate {
        var: VarId,
    },
    EventDestroy {
        event: Expr,
    },
    /// The event happens when everything put into the stream so far is done.
    EventRecord {
        event: Expr,
        stream: Expr,
    },
    /// The host waits for the event's last record.
    EventSync {
        event: Expr,
    },
    /// What is put into the stream from here on waits for the event's last record.
    StreamWait {
        stream: Expr,
        event: Expr,
    },
    /// `WAIT cond` (SAA-M): the host thread goes on once the condition holds.
    Wait {
        cond: Expr,
    },
}

impl Op {
    /// An operator from a source text. Ids are given later: see
    /// [`crate::algebra::program::Program::number_operators`].
    pub fn new(kind: OpKind, span: Span) -> Arc<Op> {
        Arc::new(Op {
            id: OpId(u32::MAX),
            span,
            provenance: Provenance::Source,
            kind,
        })
    }

    pub fn basic(basic: Basic, span: Span) -> Arc<Op> {
        Op::new(OpKind::Basic(basic), span)
    }

    pub fn skip() -> Arc<Op> {
        Op::new(OpKind::Skip, Span::NONE)
    }

    /// The operators directly inside, in textual order.
    pub fn children(&self) -> Vec<&Arc<Op>> {
        match &self.kind {
            OpKind::Seq(ops) => ops.iter().collect(),
            OpKind::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            OpKind::While { body, .. } => vec![body],
            OpKind::Par(a, b) => vec![a, b],
            OpKind::Skip | OpKind::Call { .. } | OpKind::Basic(_) => vec![],
        }
    }

    /// Calls `visit` on this operator and all inside, outermost first, in textual order.
    pub fn walk<'a>(self: &'a Arc<Op>, visit: &mut impl FnMut(&'a Arc<Op>)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// The expressions of this operator itself (not of operators inside), in evaluation order.
    pub fn expressions(&self) -> Vec<&Expr> {
        match &self.kind {
            OpKind::Skip | OpKind::Seq(_) | OpKind::Par(..) => vec![],
            OpKind::If { cond, .. } | OpKind::While { cond, .. } => vec![cond],
            OpKind::Call { args, .. } => args.iter().collect(),
            OpKind::Basic(basic) => basic.expressions(),
        }
    }
}

/// The expressions of a basic operator, in evaluation order: references to them as the reference to
/// the operator is one, to be read or to be changed.
macro_rules! expressions_of {
    ($basic:expr) => {
        match $basic {
            Basic::Assign { value, .. } => vec![value],
            Basic::Load { pointer, .. } => vec![pointer],
            Basic::Free {
                pointer, stream, ..
            } => std::iter::once(pointer).chain(stream).collect(),
            Basic::Store { pointer, value } => vec![pointer, value],
            Basic::Atomic {
                pointer, operands, ..
            } => std::iter::once(pointer).chain(operands).collect(),
            Basic::NamedBarrier { id, threads, .. } => std::iter::once(id).chain(threads).collect(),
            Basic::SyncWarp { mask } => vec![mask],
            Basic::Warp { mask, operands, .. } => std::iter::once(mask).chain(operands).collect(),
            Basic::Assert { cond } | Basic::Assume { cond } | Basic::Wait { cond } => vec![cond],
            Basic::Alloc { bytes, .. } => vec![bytes],
            Basic::Copy {
                dst,
                src,
                bytes,
                stream,
                ..
            } => [dst, src, bytes].into_iter().chain(stream).collect(),
            Basic::CallGpu {
                grid,
                block,
                shared_bytes,
                args,
                stream,
                ..
            } => IntoIterator::into_iter(grid)
                .chain(block)
                .chain(std::iter::once(shared_bytes))
                .chain(args)
                .chain(stream)
                .collect(),
            Basic::SetDevice { device } => vec![device],
            Basic::StreamDestroy { stream } | Basic::StreamSync { stream } => vec![stream],
            Basic::EventDestroy { event } | Basic::EventSync { event } => vec![event],
            Basic::EventRecord { event, stream } => vec![event, stream],
            Basic::StreamWait { stream, event } => vec![stream, event],
            Basic::Barrier(_, agreed) => agreed.into_iter().collect(),
            Basic::GridBarrier
            | Basic::ActiveMask { .. }
            | Basic::Fence { .. }
            | Basic::Exit
            | Basic::Beyond
            | Basic::InitGpu
            | Basic::DeviceSync
            | Basic::StreamCreate { .. }
            | Basic::EventCreate { .. } => vec![],
        }
    };
}

impl Basic {
    /// A barrier that nobody brings values to.
    pub const fn barrier(orders: Orders) -> Basic {
        Basic::Barrier(orders, Vec::new())
    }

    /// The expressions of the operator, in evaluation order.
    pub fn expressions(&self) -> Vec<&Expr> {
        expressions_of!(self)
    }

    /// The same, to be changed.
    pub fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        expressions_of!(self)
    }

    /// Whether the operator writes a cell back as it is: an access that counts as a write and changes nothing, not
    /// even whether the cell has a value. So a store to a bit-field treats the other fields of its memory location.
    pub fn writes_back(&self) -> bool {
        matches!(self, Basic::Store { value, .. } if value.is_no_value())
    }

    /// The variable the operator assigns, where it assigns one.
    pub const fn assigned(&self) -> Option<VarId> {
        match self {
            Basic::Assign { var, .. }
            | Basic::Load { var, .. }
            | Basic::Alloc { var, .. }
            | Basic::StreamCreate { var, .. }
            | Basic::EventCreate { var } => Some(*var),
            Basic::ActiveMask { result } => Some(*result),
            Basic::Atomic { result, .. } | Basic::Warp { result, .. } => *result,
            _ => None,
        }
    }

    /// Host operators may stand in host procedures only, the others (but `Assign`, `Load`,
    /// `Store`, `Assert`, `Assume`, `Beyond`) in device and kernel procedures only.
    pub const fn is_host_only(&self) -> bool {
        matches!(
            self,
            Basic::InitGpu
                | Basic::Alloc { .. }
                | Basic::Free { .. }
                | Basic::Copy { .. }
                | Basic::CallGpu { .. }
                | Basic::DeviceSync
                | Basic::SetDevice { .. }
                | Basic::StreamCreate { .. }
                | Basic::StreamDestroy { .. }
                | Basic::StreamSync { .. }
                | Basic::EventCreate { .. }
                | Basic::EventDestroy { .. }
                | Basic::EventRecord { .. }
                | Basic::EventSync { .. }
                | Basic::StreamWait { .. }
                | Basic::Wait { .. }
        )
    }
}
