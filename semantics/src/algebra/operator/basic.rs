//! The basic operators of the GPU domain, of threads and of the host.

use super::atomic::{AtomicFn, Scope};
use super::barrier::Orders;
use super::memory::{AllocSpace, CopyKind};
use super::warp::WarpFn;
use crate::algebra::expr::Expr;
use crate::algebra::ids::{ProcId, VarId};
use crate::algebra::types::ScalarType;
use serde::{Deserialize, Serialize};

/// Basic operators.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Basic {
    /// `var := value`; with [`Expr::no_value`] the variable loses its value.
    Assign {
        /// Receives the value.
        var: VarId,
        /// Of the variable's type.
        value: Expr,
    },
    /// `var := *pointer`. What the atomic form makes of `ExprKind::Load`.
    Load {
        /// Receives the value of the cell.
        var: VarId,
        /// To a cell of the variable's type.
        pointer: Expr,
    },
    /// `*pointer := value`; with [`Expr::no_value`] the cell is written back as it is ([`Basic::writes_back`]).
    Store {
        /// To the cell.
        pointer: Expr,
        /// Of the cell's type.
        value: Expr,
    },
    /// `result := function(*pointer, operands)` in one step. The result is the old value.
    Atomic {
        /// What becomes of the cell.
        function: AtomicFn,
        /// With whom it is atomic.
        scope: Scope,
        /// To the cell.
        pointer: Expr,
        /// In the order that the function names.
        operands: Vec<Expr>,
        /// Receives what the cell held before.
        result: Option<VarId>,
    },
    /// The block's barrier, `__syncthreads()`. Threads that bring different values of these variables do
    /// not stand at one barrier: calls that OpenCL wants all work-items to make with the same arguments.
    Barrier {
        /// Of which memories accesses are put in order there.
        orders: Orders,
        /// What all have to bring alike: variables.
        agreed: Vec<Expr>,
    },
    /// A barrier of a part of the block: `bar.sync id, threads`, or `bar.arrive`, which counts
    /// as arrived without waiting. Both numbers are `U32`; no `threads` means the whole block.
    NamedBarrier {
        /// Which of the block's barriers, from 0; `U32`.
        id: Expr,
        /// How many threads it gathers, a whole number of warps; `U32`.
        threads: Option<Expr>,
        /// The thread goes on at once, and is counted.
        arrive_only: bool,
    },
    /// The grid's barrier, `cooperative_groups::this_grid().sync()`.
    GridBarrier,
    /// `__syncwarp(mask)`; the mask is a `U32`.
    SyncWarp {
        /// One bit for each lane.
        mask: Expr,
    },
    /// `result := function(operands of all threads of the mask)`; the mask is a `U32`.
    Warp {
        /// What the lanes compute together.
        function: WarpFn,
        /// One bit for each lane that takes part; `U32`.
        mask: Expr,
        /// Of this lane, in the order that the function names.
        operands: Vec<Expr>,
        /// Receives this lane's result.
        result: Option<VarId>,
    },
    /// `result := __activemask()`, a `U32`: some set of lanes of the warp with this one among
    /// them.
    ActiveMask {
        /// Receives the set, one bit for each lane.
        result: VarId,
    },
    /// `__threadfence` and its kin.
    Fence {
        /// Among whom accesses are ordered.
        scope: Scope,
    },
    /// A kernel's explicit `return` (rule R10).
    Exit,
    /// A run on which the condition is false has a defect.
    Assert {
        /// Of type `Bool`.
        cond: Expr,
    },
    /// A run on which the condition is false does not count.
    Assume {
        /// Of type `Bool`.
        cond: Expr,
    },
    /// What comes here was left out: calls nested deeper than were unfolded, say. A run that reaches it
    /// decides nothing.
    Beyond,

    // Host operators.
    /// `init_gpu`; changes nothing.
    InitGpu,
    /// Allocates `bytes / size(elem)` elements and points `var` at them.
    Alloc {
        /// Receives the pointer to the first element.
        var: VarId,
        /// Type of the elements.
        elem: ScalarType,
        /// Of type `U64`; a whole number of elements.
        bytes: Expr,
        /// What kind of memory, hence what gives it back.
        space: AllocSpace,
    },
    /// Gives memory back: at once, or in its turn in a stream (`cudaFreeAsync`).
    Free {
        /// To the first element, or null, which gives back nothing.
        pointer: Expr,
        /// The kind of memory that the call gives back.
        space: AllocSpace,
        /// A stream's handle (`U64`); `None` is the synchronous call.
        stream: Option<Expr>,
    },
    /// Copies `bytes` bytes: at once, or in its turn in a stream (`cudaMemcpyAsync`).
    Copy {
        /// On which sides the two pointers are.
        kind: CopyKind,
        /// Where the first element goes.
        dst: Expr,
        /// Where the first element comes from.
        src: Expr,
        /// Of type `U64`; a whole number of elements.
        bytes: Expr,
        /// A stream's handle (`U64`); `None` is the synchronous call.
        stream: Option<Expr>,
    },
    /// `call_gpu(kernel, block, grid)`; extents and `shared_bytes` are `U32`.
    CallGpu {
        /// What each thread runs.
        kernel: ProcId,
        /// Blocks along each axis.
        grid: [Expr; 3],
        /// Threads of a block along each axis.
        block: [Expr; 3],
        /// Bytes of dynamic shared memory a block.
        shared_bytes: Expr,
        /// One for each parameter of the kernel, in order.
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
        /// Its number, from 0.
        device: Expr,
    },
    /// `var :=` a new stream's handle (`U64`; 0 is the default stream). A `non_blocking` stream
    /// does not wait for the default stream, nor it for that.
    StreamCreate {
        /// Receives the handle.
        var: VarId,
        /// Takes no part in what the default stream waits for.
        non_blocking: bool,
    },
    /// The stream's handle names it no longer; what was put into it still runs.
    StreamDestroy {
        /// A handle, `U64`.
        stream: Expr,
    },
    /// Waits until everything put into the stream is done.
    StreamSync {
        /// A handle, `U64`.
        stream: Expr,
    },
    /// `var :=` a new event's handle (`U64`).
    EventCreate {
        /// Receives the handle.
        var: VarId,
    },
    /// The event's handle names it no longer; who waits for it still does.
    EventDestroy {
        /// A handle, `U64`.
        event: Expr,
    },
    /// The event happens when everything put into the stream so far is done.
    EventRecord {
        /// A handle, `U64`.
        event: Expr,
        /// A handle, `U64`; 0 is the default stream.
        stream: Expr,
    },
    /// The host waits for the event's last record.
    EventSync {
        /// A handle, `U64`.
        event: Expr,
    },
    /// What is put into the stream from here on waits for the event's last record.
    StreamWait {
        /// A handle, `U64`; 0 is the default stream.
        stream: Expr,
        /// A handle, `U64`.
        event: Expr,
    },
    /// `WAIT cond` (SAA-M): the host thread goes on once the condition holds.
    Wait {
        /// Of type `Bool`; may read memory in the atomic form, too.
        cond: Expr,
    },
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
            Basic::Barrier { agreed, .. } => agreed.into_iter().collect(),
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
        Basic::Barrier {
            orders,
            agreed: Vec::new(),
        }
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
