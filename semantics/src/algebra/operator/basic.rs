//! The basic operators of the GPU domain, of threads and of the host: the table that says of each what its operands
//! are, of which types, on which side it runs, what it does beyond its thread, and its word in texts ([`super::table`]
//! has the grammar of a row). Traversal, well-formedness, the atomic form, terms of the rewriting, and how an operator
//! is printed and read follow from it.

use super::atomic::{AtomicFn, Scope};
use super::barrier::{Met, Orders};
use super::memory::{AllocSpace, CopyKind};
use super::signature::Expects::{Bytes, Is, Own, Pointer, Variable};
use super::signature::{Effect, Field, Part, Side, Slot, first, joined, joined_mut};
use super::table::operators;
use super::warp::WarpFn;
use crate::algebra::expr::Expr;
use crate::algebra::ids::{ProcId, VarId};
use crate::algebra::types::{ScalarType, Type};
use serde::{Deserialize, Serialize};

operators! {
    /// `var := value`; with [`Expr::no_value`] the variable loses its value.
    Assign {
        /// Receives the value.
        var: VarId = Own,
        /// Of the variable's type.
        value: Expr = Own,
    } => Both, Private;

    /// `var := *pointer`. What the atomic form makes of `ExprKind::Load`.
    Load {
        /// Receives the value of the cell.
        var: VarId = Own,
        /// To a cell of the variable's type.
        pointer: Expr = Pointer,
    } => Both, Reads;

    /// `*pointer := value`; with [`Expr::no_value`] the cell is written back as it is ([`Basic::writes_back`]).
    Store {
        /// To the cell.
        pointer: Expr = Pointer,
        /// Of the cell's type.
        value: Expr = Own,
    } => Both, Writes;

    /// `result := function(*pointer, operands)` in one step. The result is the old value.
    Atomic {
        [
            /// What becomes of the cell.
            function: AtomicFn,
            /// With whom it is atomic.
            scope: Scope,
        ]
        /// To the cell.
        pointer: Expr = Pointer,
        /// In the order that the function names.
        operands: Vec<Expr> = Own,
        /// Receives what the cell held before.
        result: Option<VarId> = Own,
    } => Both, Updates;

    /// The block's barrier, `__syncthreads()`. Threads that bring different values of these variables do
    /// not stand at one barrier: calls that OpenCL wants all work-items to make with the same arguments.
    Barrier {
        [
            /// Of which memories accesses are put in order there.
            orders: Orders,
            /// Where those who meet have to stand.
            met: Met,
        ]
        /// What all have to bring alike: variables.
        agreed: Vec<Expr> = Variable,
    } => Device, Meets;

    /// A barrier of a part of the block: `bar.sync id, threads`, or `bar.arrive`, which counts
    /// as arrived without waiting. No `threads` means the whole block.
    NamedBarrier {
        [
            /// The thread goes on at once, and is counted.
            arrive_only: bool,
        ]
        /// Which of the block's barriers, from 0.
        id: Expr = Is(Type::U32),
        /// How many threads it gathers, a whole number of warps.
        threads: Option<Expr> = Is(Type::U32),
    } => Device, Meets;

    /// The grid's barrier, `cooperative_groups::this_grid().sync()`.
    GridBarrier => Device, Meets, "grid_barrier";

    /// `__syncwarp(mask)`.
    SyncWarp {
        /// One bit for each lane.
        mask: Expr = Is(Type::U32),
    } => Device, Meets, "sync_warp";

    /// `result := function(operands of all threads of the mask)`.
    Warp {
        [
            /// What the lanes compute together.
            function: WarpFn,
        ]
        /// One bit for each lane that takes part.
        mask: Expr = Is(Type::U32),
        /// Of this lane, in the order that the function names.
        operands: Vec<Expr> = Own,
        /// Receives this lane's result.
        result: Option<VarId> = Own,
    } => Device, Exchanges;

    /// `result := __activemask()`: some set of lanes of the warp with this one among them.
    ActiveMask {
        /// Receives the set, one bit for each lane.
        result: VarId = Is(Type::U32),
    } => Device, Exchanges, "active_mask";

    /// `__threadfence` and its kin.
    Fence {
        [
            /// Among whom accesses are ordered.
            scope: Scope,
        ]
    } => Device, Orders;

    /// `__nanosleep(nanoseconds)`: the thread does nothing for a while. How long that is no program can rely on, so it
    /// is no other than not being scheduled.
    Nanosleep {
        /// About how long; evaluated, and no more.
        nanoseconds: Expr = Is(Type::U32),
    } => Device, Private, "nanosleep";

    /// A kernel's explicit `return` (rule R10).
    Exit => Device, Ends, "exit";

    /// A run on which the condition is false has a defect.
    Assert {
        /// What holds.
        cond: Expr = Is(Type::BOOL),
    } => Both, Private;

    /// A run on which the condition is false does not count.
    Assume {
        /// What holds on runs that count.
        cond: Expr = Is(Type::BOOL),
    } => Both, Private;

    /// What comes here was left out: calls nested deeper than were unfolded, say. A run that reaches it
    /// decides nothing.
    Beyond => Both, Ends, "beyond";

    // Host operators.
    /// `init_gpu`; changes nothing.
    InitGpu => Host, Manages, "init_gpu";

    /// Allocates `bytes / size(elem)` elements and points `var` at them.
    Alloc {
        [
            /// Type of the elements.
            elem: ScalarType,
            /// What kind of memory, hence what gives it back.
            space: AllocSpace,
        ]
        /// Receives the pointer to the first element.
        var: VarId = Own,
        /// A whole number of elements.
        bytes: Expr = Bytes,
    } => Host, Manages;

    /// Gives memory back: at once, or in its turn in a stream (`cudaFreeAsync`).
    Free {
        [
            /// The kind of memory that the call gives back.
            space: AllocSpace,
        ]
        /// To the first element, or null, which gives back nothing.
        pointer: Expr = Pointer,
        /// A stream's handle; `None` is the synchronous call.
        stream: Option<Expr> = Is(Type::U64),
    } => Host, Manages;

    /// Copies `bytes` bytes: at once, or in its turn in a stream (`cudaMemcpyAsync`).
    Copy {
        [
            /// On which sides the two pointers are.
            kind: CopyKind,
        ]
        /// Where the first element goes.
        dst: Expr = Pointer,
        /// Where the first element comes from.
        src: Expr = Pointer,
        /// A whole number of elements.
        bytes: Expr = Bytes,
        /// A stream's handle; `None` is the synchronous call.
        stream: Option<Expr> = Is(Type::U64),
    } => Host, Manages;

    /// `call_gpu(kernel, block, grid)`.
    CallGpu {
        [
            /// All blocks are resident together (`cudaLaunchCooperativeKernel`).
            cooperative: bool,
        ]
        /// What each thread runs.
        kernel: ProcId = Own,
        /// Blocks along each axis.
        grid: [Expr; 3] = Is(Type::U32),
        /// Threads of a block along each axis.
        block: [Expr; 3] = Is(Type::U32),
        /// Bytes of dynamic shared memory a block.
        shared_bytes: Expr = Is(Type::U32),
        /// One for each parameter of the kernel, in order.
        args: Vec<Expr> = Own,
        /// A stream's handle; `None` is the default stream.
        stream: Option<Expr> = Is(Type::U64),
    } => Host, Manages;

    /// `cudaDeviceSynchronize()`
    DeviceSync => Host, Manages, "device_sync";

    /// The calls that follow speak of this device.
    SetDevice {
        /// Its number, from 0.
        device: Expr = Is(Type::I32),
    } => Host, Manages, "set_device";

    /// `var :=` a new stream's handle (0 is the default stream). A `non_blocking` stream
    /// does not wait for the default stream, nor it for that.
    StreamCreate {
        [
            /// Takes no part in what the default stream waits for.
            non_blocking: bool,
        ]
        /// Receives the handle.
        var: VarId = Is(Type::U64),
    } => Host, Manages;

    /// The stream's handle names it no longer; what was put into it still runs.
    StreamDestroy {
        /// A handle.
        stream: Expr = Is(Type::U64),
    } => Host, Manages, "stream_destroy";

    /// Waits until everything put into the stream is done.
    StreamSync {
        /// A handle.
        stream: Expr = Is(Type::U64),
    } => Host, Manages, "stream_sync";

    /// `var :=` a new event's handle.
    EventCreate {
        /// Receives the handle.
        var: VarId = Is(Type::U64),
    } => Host, Manages, "event_create";

    /// The event's handle names it no longer; who waits for it still does.
    EventDestroy {
        /// A handle.
        event: Expr = Is(Type::U64),
    } => Host, Manages, "event_destroy";

    /// The event happens when everything put into the stream so far is done.
    EventRecord {
        /// A handle.
        event: Expr = Is(Type::U64),
        /// A handle; 0 is the default stream.
        stream: Expr = Is(Type::U64),
    } => Host, Manages, "event_record";

    /// The host waits for the event's last record.
    EventSync {
        /// A handle.
        event: Expr = Is(Type::U64),
    } => Host, Manages, "event_sync";

    /// What is put into the stream from here on waits for the event's last record.
    StreamWait {
        /// A handle; 0 is the default stream.
        stream: Expr = Is(Type::U64),
        /// A handle.
        event: Expr = Is(Type::U64),
    } => Host, Manages, "stream_wait";

    /// `WAIT cond` (SAA-M): the host thread goes on once the condition holds.
    Wait {
        /// May read memory in the atomic form, too.
        cond: Expr = Is(Type::BOOL),
    } => Host, Manages;
}

impl Head {
    /// Its word in programs' texts, where it has one.
    pub fn word(self) -> Option<&'static str> {
        let found = Head::NAMED.iter().find(|(_, head)| *head == self);
        found.map(|(word, _)| *word)
    }

    /// The operator that a word is for.
    pub fn named(word: &str) -> Option<Head> {
        let found = Head::NAMED.iter().find(|(own, _)| *own == word);
        found.map(|(_, head)| *head)
    }
}

impl Basic {
    /// A barrier that nobody brings values to.
    pub const fn barrier(orders: Orders) -> Basic {
        Basic::Barrier {
            orders,
            met: Met::AtOnePlace,
            agreed: Vec::new(),
        }
    }

    /// What it does beyond the private state of its thread.
    pub const fn effect(&self) -> Effect {
        self.head().effect()
    }

    /// Whether the operator writes a cell back as it is: an access that counts as a write and changes nothing, not
    /// even whether the cell has a value. So a store to a bit-field treats the other fields of its memory location.
    pub fn writes_back(&self) -> bool {
        matches!(self, Basic::Store { value, .. } if value.is_no_value())
    }

    /// Whether it may stand in host procedures only.
    pub const fn is_host_only(&self) -> bool {
        matches!(self.head().side(), Side::Host)
    }
}
