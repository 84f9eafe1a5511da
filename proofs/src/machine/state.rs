//! The symbolic machine: what a run of one generic thread records, and the state all its parts
//! share. Expressions are in [`crate::machine::evaluate`], operators in [`crate::machine::execute`], loops in
//! [`crate::machine::repeat`], barrier intervals in [`crate::kernel::interval`].

use crate::machine::launch::SymbolicLaunch;
use crate::machine::value::{Frame, Repeated, Round, State, SymValue, Target, sort_of};
use crate::terms::array_key::ArrayKey;
use crate::terms::induction::Step;
use crate::terms::term::{Origin, Scope, Sort, TermId, Terms};
use gridlock_checker::finding::DefectKind;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{
    Basic, Op, OpId, OpKind, Orders, Scope as AtomicScope,
};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::transition::AccessMode;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// A construct the symbolic machine does not follow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {}: {why}", span.line)]
pub struct Unfollowed {
    pub why: String,
    pub span: Span,
}

pub type Followed<T> = Result<T, Unfollowed>;

/// One access a generic thread makes when its path condition holds.
#[derive(Clone, Debug)]
pub struct Access {
    pub array: ArrayKey,
    /// In elements, 64 bits, signed.
    pub index: TermId,
    pub mode: AccessMode,
    /// Only for atomics.
    pub scope: Option<AtomicScope>,
    /// An atomic whose old value is used.
    pub result_used: bool,
    /// A write that leaves the cell as it is, without a value if it has none.
    pub leaves: bool,
    pub op: OpId,
    pub span: Span,
    pub path: TermId,
    /// The iterations and calls that it is made in, outermost first.
    pub rounds: Vec<Round>,
}

/// An explicit `return` of the kernel.
#[derive(Clone, Debug)]
pub struct Leaving {
    pub op: OpId,
    pub path: TermId,
    /// It stands in a loop summarised as a whole, so `path` speaks of one iteration only.
    pub in_loop: bool,
}

/// A failed assertion is possible where `path` holds and `cond` does not.
#[derive(Clone, Debug)]
pub struct Asserted {
    pub op: OpId,
    pub path: TermId,
    pub cond: TermId,
    /// It asks whether a pointer is aligned.
    pub aligned: bool,
}

/// What a thread that comes there meets, or the run does not count.
#[derive(Clone, Copy, Debug)]
pub struct Assumed {
    pub path: TermId,
    pub cond: TermId,
}

/// Arithmetic that is a fault where `path` holds and `cond` does not.
#[derive(Clone, Debug)]
pub struct Arithmetic {
    pub op: OpId,
    pub span: Span,
    pub kind: DefectKind,
    pub path: TermId,
    /// `None`: not followed (a conversion from a float).
    pub cond: Option<TermId>,
}

/// Signed arithmetic on numbers that are known, whose result is beyond its type.
#[derive(Clone, Debug)]
pub struct Overflow {
    pub span: Span,
    pub path: TermId,
    /// As in `255999 * 8960`.
    pub text: String,
    pub ty: ScalarType,
    /// What it wraps to.
    pub wraps_to: i128,
}

/// A thread at a block barrier, as the generic run reached it.
#[derive(Clone, Debug)]
pub struct AtBarrier<'p> {
    /// Of which memories it orders accesses.
    pub orders: Orders,
    pub state: State,
    /// What is left to run.
    pub rest: Rest<'p>,
}

/// Why a loop ends.
#[derive(Clone, Debug)]
pub struct LoopEnd {
    pub span: Span,
    /// The loop ends for certain if no thread can satisfy any of these; `None`: not recognised.
    pub endless_if: Option<Vec<TermId>>,
}

/// What a run recorded.
#[derive(Clone, Debug, Default)]
pub struct Log<'p> {
    pub accesses: Vec<Access>,
    pub leavings: Vec<Leaving>,
    pub asserted: Vec<Asserted>,
    pub assumed: Vec<Assumed>,
    pub arithmetic: Vec<Arithmetic>,
    pub overflows: Vec<Overflow>,
    pub barriers: Vec<AtBarrier<'p>>,
    pub loops: Vec<LoopEnd>,
    /// Where `__syncwarp` and other warp operations stand.
    pub warp_barriers: Vec<Span>,
    /// The steps of loops' counters that were taken not to wrap around.
    pub counted: Vec<CounterStep>,
}

/// A variable that a loop counts with, in a generic iteration.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    pub var: VarId,
    pub value: TermId,
    pub step: Step,
    pub signed: bool,
}

/// What a thread has still to run: a list shared between runs.
pub type Rest<'p> = Option<Rc<RestCell<'p>>>;

#[derive(Clone, Debug)]
pub struct RestCell<'p> {
    pub item: Item<'p>,
    pub next: Rest<'p>,
}

#[derive(Clone, Debug)]
pub enum Item<'p> {
    Op(&'p Arc<Op>),
    /// The end of the body of this `While`, and its counters as they were when the body began.
    LoopBack(&'p Arc<Op>, Rc<[Counter]>),
    /// The end of a procedure; the caller's variable that receives the result.
    Return(Option<VarId>),
}

pub fn before<'p>(item: Item<'p>, next: Rest<'p>) -> Rest<'p> {
    Some(Rc::new(RestCell { item, next }))
}

pub struct Machine<'p> {
    pub program: &'p Program,
    /// The procedure that is entered, once there is one.
    entry: Option<ProcId>,
    pub terms: Terms,
    pub launch: SymbolicLaunch,
    /// Arrays some thread may write; `None`: not known yet, so all of them.
    pub written: Option<FxHashSet<ArrayKey>>,
    pub log: Log<'p>,
    /// Values read from arrays, and the cell each was read from: what the array may have held at first.
    pub loaded: FxHashMap<TermId, (ArrayKey, TermId)>,
    /// How many trial runs are under way; nothing is recorded in one.
    pub trials: u32,
    /// How many summarised loops the run is inside of.
    pub summarised: u32,
    /// A trial run has written private memory without contents, at an index that is no constant.
    pub fills_private: bool,
    /// How many iterations and calls there have been.
    n_rounds: u64,
    /// Iterations of the nest of loops that are run one by one at present (see `unroll`).
    pub unrolled: u32,
    /// A loop whose independence is asked for (see [`crate::independence`]).
    pub watched: Option<Watched>,
    /// Counters, by their `While`, whose step may wrap around: nothing is taken from their bounds.
    pub wrapping: FxHashSet<(OpId, VarId)>,
    /// A thread that has ended, in whichever way, is not waited for at barriers.
    pub ended_arrive: bool,
    /// Operators run so far.
    pub steps: u64,
}

/// Operators after which a run is given up: trial runs multiply in deep nests of loops.
pub const MAX_STEPS: u64 = 2_000_000;

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program, launch: SymbolicLaunch, terms: Terms) -> Machine<'p> {
        Machine {
            program,
            entry: None,
            terms,
            launch,
            written: None,
            log: Log::default(),
            loaded: FxHashMap::default(),
            trials: 0,
            summarised: 0,
            fills_private: false,
            unrolled: 1,
            n_rounds: 0,
            watched: None,
            wrapping: FxHashSet::default(),
            ended_arrive: false,
            steps: 0,
        }
    }

    /// The state in which `proc` is entered: pointer parameters point to arrays of their own,
    /// scalar parameters are `scalar`'s or arbitrary.
    pub fn entry_state(
        &mut self,
        proc: ProcId,
        scalar: &dyn Fn(VarId) -> Option<gridlock_semantics::algebra::value::Value>,
    ) -> Followed<State> {
        let program = self.program;
        let procedure = program.proc(proc);
        self.entry = Some(proc);
        let mut vars = vec![None; procedure.vars.len()];
        for &param in &procedure.params {
            let decl = &procedure.vars[param.0 as usize];
            let value = match decl.ty {
                Type::Pointer(_) => {
                    let (guard, offset) = (self.terms.bool(true), self.terms.bits(64, 0));
                    SymValue::Pointer(vec![Target {
                        guard,
                        array: ArrayKey::Param(param),
                        offset,
                    }])
                }
                Type::Scalar(ty) => match scalar(param) {
                    Some(value) if value.scalar_type() != Some(ty) => {
                        let why = format!("a value of another type than {}'s", decl.name);
                        return unfollowed(why, decl.span);
                    }
                    Some(value) => self.constant(value, decl.ty, decl.span)?,
                    None => SymValue::Scalar(self.terms.fresh(
                        decl.name.as_ref(),
                        sort_of(ty),
                        Scope::Grid,
                    )),
                },
            };
            vars[param.0 as usize] = Some(value);
        }
        Ok(State {
            frames: vec![Frame { proc, vars }],
            path: vec![],
            ended: false,
            rounds: vec![],
        })
    }

    /// Adds to the path condition.
    pub fn assume(&mut self, state: &mut State, cond: TermId) {
        match self.terms.as_bool(cond) {
            Some(true) => {}
            Some(false) => {
                state.path.push(cond);
                state.ended = true;
            }
            None => state.path.push(cond),
        }
    }

    pub fn path(&mut self, state: &State) -> TermId {
        self.terms.all(&state.path)
    }

    pub fn unknown(&mut self, name: &str, sort: Sort) -> TermId {
        self.terms.fresh(name, sort, Scope::Thread)
    }

    /// The same of what memory or another thread gives.
    pub fn unknown_of_memory(&mut self, name: &str, sort: Sort) -> TermId {
        let origin = Origin::Memory;
        self.terms.fresh_from(origin, name, sort, Scope::Thread)
    }

    /// Whether what is read of `array` may be another value each time: it may change during the
    /// launch, or holds unknown values, each of which is read but once.
    pub fn is_written(&self, array: ArrayKey) -> bool {
        self.is_arbitrary(array) || self.written.as_ref().is_none_or(|w| w.contains(&array))
    }

    /// Whether `array` holds unknown values, and is nothing else: no thread writes it.
    pub fn is_arbitrary(&self, array: ArrayKey) -> bool {
        let ArrayKey::Param(var) = array else {
            return false;
        };
        let known = self.written.as_ref();
        known.is_some_and(|written| !written.contains(&array))
            && self
                .entry
                .is_some_and(|entry| self.program.proc(entry).is_arbitrary(var))
    }

    pub fn space(&self, array: ArrayKey) -> Space {
        match array {
            ArrayKey::Null | ArrayKey::Param(_) => Space::Global,
            ArrayKey::Declared(id) => self.program.array(id).space,
        }
    }

    /// A new iteration or call begins: the one before, if there was one, is over with all that it was in the midst of.
    pub fn begin_round(&mut self, state: &mut State, of: Repeated) {
        state.end_round(|round| round == of);
        let number = self.n_rounds;
        self.n_rounds += 1;
        state.rounds.push(Round { of, number });
    }

    /// Whether the array has no contents when the kernel starts.
    pub fn starts_unset(&self, array: ArrayKey) -> bool {
        match array {
            ArrayKey::Declared(id) => self.program.array(id).init.is_none(),
            _ => false,
        }
    }

    /// Whether `op`, with what it calls, contains a block barrier.
    pub fn has_barrier(&self, op: &Arc<Op>) -> bool {
        contains(self.program, op, &|basic| {
            matches!(basic, Basic::Barrier { .. })
        })
    }

    pub fn has_exit(&self, op: &Arc<Op>) -> bool {
        contains(self.program, op, &|basic| matches!(basic, Basic::Exit))
    }
}

/// Whether a basic operator for which `wanted` holds is inside `op` or what it calls.
fn contains(program: &Program, op: &Arc<Op>, wanted: &dyn Fn(&Basic) -> bool) -> bool {
    match &op.kind {
        OpKind::Basic(basic) => wanted(basic),
        OpKind::Call { proc, .. } => contains(program, &program.proc(*proc).body, wanted),
        _ => op.children().iter().any(|o| contains(program, o, wanted)),
    }
}

pub(crate) fn unfollowed<T>(why: impl Into<String>, span: Span) -> Followed<T> {
    Err(Unfollowed {
        why: why.into(),
        span,
    })
}

/// A counter that is about to take the step of its loop.
///
/// Where no thread can satisfy both `path` and `wraps` in any launch considered, no step ever wraps
/// around: consider the first that does, in a run; up to it everything known of counters has held.
#[derive(Clone, Debug)]
pub struct CounterStep {
    /// The `While`.
    pub op: OpId,
    pub var: VarId,
    pub span: Span,
    pub path: TermId,
    pub wraps: TermId,
    /// It is signed and as wide as `int`, and so is all arithmetic on it.
    pub signed_throughout: bool,
    /// Conditions, strongest last, each of which says that the bound leaves room for one more step.
    pub room: Vec<TermId>,
    /// Of an unsigned counter whose bound is a matter of the kernel's parameters: that the bound lies in the lower
    /// half of the range, and how C says that.
    pub small_limit: Option<(TermId, String)>,
    /// Of the counter, in bits.
    pub width: u32,
    pub signed: bool,
    /// Names, for people.
    pub counter: String,
    pub limit: String,
}

/// A loop that is looked for during a run, and what was seen of it.
pub struct Watched {
    /// The `While`.
    pub op: OpId,
    pub counter: VarId,
    pub seen: Option<Seen>,
}

/// One generic iteration.
pub struct Seen {
    pub accesses: Vec<Access>,
    /// Value of the counter.
    pub counter: TermId,
    /// Under which there is such an iteration.
    pub path: TermId,
    /// Symbols made before the loop are older.
    pub mark: u32,
    /// The counter goes in steps of one size, which is known and not 0.
    pub steps: bool,
}
