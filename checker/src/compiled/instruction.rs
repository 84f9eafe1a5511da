//! The instructions of the register code.

use super::raw;
use gridlock_semantics::algebra::expr::{BinaryOp, Builtin, MathFn, UnaryOp};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{AllocSpace, AtomicFn, CopyKind, Scope, WarpFn};
use gridlock_semantics::algebra::operator::{Met, Orders};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

/// Index of a register. A pointer takes two: array (see [`super::raw`]), then offset in elements.
pub type Reg = u32;

/// Index of an instruction.
pub type Pc = u32;

/// One instruction. `dst` is always written last, so it may be an operand too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instr {
    Move {
        dst: Reg,
        src: Reg,
    },
    MovePointer {
        dst: Reg,
        src: Reg,
    },
    Op1 {
        code: Op1,
        dst: Reg,
        a: Reg,
    },
    Op2 {
        code: Op2,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// An operation that may fault or is rare: through the reference arithmetic
    /// ([`Code::slow`](super::Code)).
    Slow {
        site: u32,
    },
    /// Division, remainder and shifts of 32- and 64-bit integers.
    Partial {
        code: Partial,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// `dst := ptr + elements`
    Offset {
        dst: Reg,
        ptr: Reg,
        elements: Reg,
    },
    /// Comparison or difference of pointers.
    PointerOp {
        op: BinaryOp,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// Whether a pointer is not null.
    PointerToBool {
        dst: Reg,
        a: Reg,
    },
    /// Reading an unassigned variable is a fault; `flag` says whether it was assigned.
    CheckDefined {
        flag: Reg,
        var: VarId,
    },
    Jump {
        to: Pc,
    },
    /// The back edge of a loop: costs one unit of the thread's depth limit.
    Repeat {
        to: Pc,
    },
    /// Branch that touches nothing others could see before it rejoins.
    JumpIfFalse {
        cond: Reg,
        to: Pc,
    },
    /// Branch of an `If` or `While` operator; both ways meet at the `Join` at `join`.
    Branch {
        cond: Reg,
        otherwise: Pc,
        join: Pc,
    },
    /// Where the ways of a branch meet. `last`: nothing follows in the entry's own body, so that
    /// who comes here has ended.
    Join {
        last: bool,
    },
    /// The end of a call's body. Does nothing.
    Return,
    Increment {
        counter: Reg,
    },
    /// `dst := *(ptr + elements)`
    Load {
        dst: Reg,
        ptr: Reg,
        elements: Reg,
        elem: ScalarType,
    },
    /// `*(ptr + elements) := src`
    Store {
        src: Reg,
        ptr: Reg,
        elements: Reg,
        elem: ScalarType,
    },
    /// `*(ptr + elements)` is written back as it is.
    WriteBack {
        ptr: Reg,
        elements: Reg,
        elem: ScalarType,
    },
    /// `*(ptr + elements)` becomes a cell without a value, as `var` has none: a fault where others see the
    /// cell after the launch.
    StoreNothing {
        var: VarId,
        ptr: Reg,
        elements: Reg,
        elem: ScalarType,
    },
    /// See [`AtomicSite`].
    Atomic {
        site: u32,
    },
    /// See [`BarrierSite`].
    Barrier {
        site: u32,
    },
    SyncWarp {
        mask: Reg,
    },
    /// A shuffle, vote, match or reduction: see [`WarpSite`].
    Warp {
        site: u32,
    },
    /// `dst := __activemask()`
    ActiveMask {
        dst: Reg,
    },
    /// Does nothing where memory is sequentially consistent.
    Fence {
        scope: Scope,
    },
    /// See [`NamedSite`].
    NamedBarrier {
        site: u32,
    },
    /// The barrier of the grid: see [`BarrierSite`].
    GridBarrier {
        site: u32,
    },
    /// A kernel's explicit `return`; `closing` when it is the body's last statement, hence
    /// simply its end.
    Exit {
        closing: bool,
    },
    /// The end of the entry's body.
    End,
    /// Nothing is known of what comes here.
    Beyond,
    /// `aligned`: it asks whether a pointer is.
    Assert {
        cond: Reg,
        aligned: bool,
    },
    Assume {
        cond: Reg,
    },
    /// See [`HostSite`].
    Host {
        site: u32,
    },
}

/// Total operations of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op1 {
    NegI32,
    NegU32,
    Neg64,
    NegF32,
    NegF64,
    Not,
    BitNotSigned,
    BitNotU32,
    BitNotU64,
    ToBool,
    ToI8,
    ToI16,
    ToI32,
    ToU8,
    ToU16,
    ToU32,
    SignedToF32,
    SignedToF64,
    UnsignedToF32,
    UnsignedToF64,
    F32ToF64,
    F64ToF32,
}

/// Total operations of two operands. `S`, `U`: signed, unsigned of any width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op2 {
    AddI32,
    SubI32,
    MulI32,
    AddU32,
    SubU32,
    MulU32,
    Add64,
    Sub64,
    Mul64,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    LtS,
    LeS,
    GtS,
    GeS,
    LtU,
    LeU,
    GtU,
    GeU,
    MinS,
    MaxS,
    MinU,
    MaxU,
    AddF32,
    SubF32,
    MulF32,
    DivF32,
    AddF64,
    SubF64,
    MulF64,
    DivF64,
    EqF32,
    NeF32,
    LtF32,
    LeF32,
    GtF32,
    GeF32,
    EqF64,
    NeF64,
    LtF64,
    LeF64,
    GtF64,
    GeF64,
}

/// Operations that may fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partial {
    DivI32,
    DivI64,
    DivU,
    RemI32,
    RemI64,
    RemU,
    ShlI32,
    ShlU32,
    Shl64,
    ShrI32,
    ShrI64,
    ShrU32,
    ShrU64,
}

/// An operation carried out by `semantics::arithmetic`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlowOp {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Cast,
    Math(MathFn),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowSite {
    pub op: SlowOp,
    pub operands: Vec<(Reg, ScalarType)>,
    pub dst: Reg,
    pub ty: ScalarType,
}

/// `result := function(*(ptr + elements), operands)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtomicSite {
    pub function: AtomicFn,
    pub scope: Scope,
    pub ptr: Reg,
    pub elements: Reg,
    pub elem: ScalarType,
    pub operands: Vec<Reg>,
    pub result: Option<Reg>,
    /// Some expression of the procedure reads the variable that receives the old value.
    pub result_used: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarrierSite {
    /// What must be the same for all who meet: the iteration counters of the enclosing loops that contain a
    /// barrier, outermost first, and the values brought.
    pub counters: Vec<Reg>,
    /// Of which memories it orders accesses.
    pub orders: Orders,
    /// Where those who meet have to stand.
    pub met: Met,
}

/// Arrival at the named barrier `id` of the block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSite {
    pub id: (Reg, ScalarType),
    /// How many it takes; `None`: all threads of the block.
    pub threads: Option<(Reg, ScalarType)>,
    /// It does not wait.
    pub arrive_only: bool,
}

/// `result := function(operands of the lanes of the mask)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpSite {
    pub function: WarpFn,
    pub mask: Reg,
    pub operands: Vec<(Reg, ScalarType)>,
    /// Shuffles: the register that says whether what is handed on is a value; `None` where it is one
    /// for certain.
    pub is_value: Option<Reg>,
    /// The register of the result, and the one that says whether it is a value.
    pub result: Option<(Reg, Option<Reg>)>,
}

impl WarpSite {
    /// What a lane brings, as its registers say.
    pub fn brought(&self, register: impl Fn(Reg) -> u64) -> Vec<Value> {
        let numbers = 0..self.operands.len();
        numbers
            .map(|number| self.operand(number, &register))
            .collect()
    }

    /// One of the operands a lane brings.
    pub fn operand(&self, number: usize, register: impl Fn(Reg) -> u64) -> Value {
        let (reg, ty) = self.operands[number];
        match self.is_value.filter(|_| number == 0) {
            Some(flag) if register(flag) == 0 => Value::Undef,
            _ => raw::to_value(register(reg), ty),
        }
    }
}

/// Host operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostSite {
    /// `init_gpu`.
    Nothing,
    Alloc {
        dst: Reg,
        elem: ScalarType,
        bytes: (Reg, ScalarType),
        space: AllocSpace,
        /// Name of the variable, for reports.
        name: std::sync::Arc<str>,
    },
    Free {
        ptr: Reg,
        space: AllocSpace,
        stream: Option<Reg>,
    },
    Copy {
        kind: CopyKind,
        dst: Reg,
        src: Reg,
        bytes: (Reg, ScalarType),
        /// The handle; `None`: the synchronous call.
        stream: Option<Reg>,
    },
    CallGpu {
        kernel: ProcId,
        /// Grid, block, dynamic shared bytes.
        shape: [Reg; 7],
        args: Vec<(Reg, Type)>,
        stream: Option<Reg>,
    },
    DeviceSync,
    SetDevice(Reg),
    StreamCreate {
        dst: Reg,
        non_blocking: bool,
    },
    StreamDestroy(Reg),
    StreamSync(Reg),
    EventCreate(Reg),
    EventDestroy(Reg),
    EventRecord {
        event: Reg,
        stream: Reg,
    },
    EventSync(Reg),
    StreamWait {
        stream: Reg,
        event: Reg,
    },
    /// Waits for something only others can bring about.
    Wait,
    /// The two sides of a `PAR` follow one after another: one order of many.
    Par,
}

/// A built-in variable and the register that holds it.
pub type BuiltinReg = (Builtin, Reg);
