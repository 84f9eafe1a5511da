//! Ranges of integer expressions: which signed operations cannot overflow, so that they may be
//! printed plainly.
//!
//! An over-approximation: every value an expression takes in a run free of faults, at a launch
//! the target accepts, lies in its range. Assumed of a launch, and said in `docs/lowering.md`:
//! `gridDim.d * blockDim.d < 2^31` in each dimension `d`.

use crate::print::dialect::Dialect;
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::collections::BTreeMap;
use std::sync::Arc;

/// `lo ..= hi`, never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub lo: i128,
    pub hi: i128,
}

impl Range {
    pub(crate) const fn new(lo: i128, hi: i128) -> Range {
        Range { lo, hi }
    }

    /// All values of a type; of anything that is no integer: everything.
    pub(crate) const fn of(ty: ScalarType) -> Range {
        match ty {
            ScalarType::Bool => Range::new(0, 1),
            ScalarType::F32 | ScalarType::F64 => Range::new(i128::MIN, i128::MAX),
            signed if signed.is_signed() => {
                let half = 1i128 << (signed.bits() - 1);
                Range::new(-half, half - 1)
            }
            unsigned => Range::new(0, (1i128 << unsigned.bits()) - 1),
        }
    }

    pub(crate) const fn within(self, other: Range) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    fn union(self, other: Range) -> Range {
        Range::new(self.lo.min(other.lo), self.hi.max(other.hi))
    }

    /// The common part; `self` when there is none (the place is then unreachable).
    fn intersect(self, other: Range) -> Range {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        if lo <= hi { Range::new(lo, hi) } else { self }
    }
}

/// What is known of the variables at one place. A variable not mentioned may have any value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    dialect: Dialect,
    vars: BTreeMap<VarId, Range>,
    reachable: bool,
}

impl Known {
    pub(crate) fn at_entry(dialect: Dialect) -> Known {
        Known {
            dialect,
            vars: BTreeMap::new(),
            reachable: true,
        }
    }

    /// Whether any run gets here.
    pub(crate) fn is_reachable(&self) -> bool {
        self.reachable
    }

    /// Range of an expression of integer type or `Bool`.
    pub(crate) fn range(&self, expr: &Expr) -> Range {
        let Type::Scalar(ty) = expr.ty else {
            return Range::new(i128::MIN, i128::MAX);
        };
        let all = Range::of(ty);
        if ty.is_float() {
            return all;
        }
        let exact = match &expr.kind {
            ExprKind::Const(value) => value.as_integer().map_or(all, |v| Range::new(v, v)),
            ExprKind::Var(var) => self.vars.get(var).map_or(all, |range| range.intersect(all)),
            ExprKind::Builtin(builtin) => self.builtin(*builtin),
            ExprKind::Cast(inner) => match inner.ty {
                Type::Scalar(from) if !from.is_float() && ty != ScalarType::Bool => {
                    self.range(inner)
                }
                _ => all,
            },
            ExprKind::Select(_, a, b) => self.range(a).union(self.range(b)),
            ExprKind::Unary(..) | ExprKind::Binary(..) => self.unwrapped(expr),
            ExprKind::Math(MathFn::BitsAs(_) | MathFn::Aligned(_), _) => all,
            ExprKind::Math(function, args) => {
                let args: Vec<Range> = args.iter().map(|arg| self.range(arg)).collect();
                match (function, args.as_slice()) {
                    (MathFn::Min, [a, b]) => Range::new(a.lo.min(b.lo), a.hi.min(b.hi)),
                    (MathFn::Max, [a, b]) => Range::new(a.lo.max(b.lo), a.hi.max(b.hi)),
                    _ => all,
                }
            }
            ExprKind::ArrayBase(_) | ExprKind::Offset(..) | ExprKind::Load(_) => all,
        };
        if exact.within(all) { exact } else { all }
    }

    /// Range of the mathematical result of an integer operation, before it is wrapped.
    pub(crate) fn unwrapped(&self, expr: &Expr) -> Range {
        let all = expr
            .ty
            .scalar()
            .map_or(Range::new(i128::MIN, i128::MAX), Range::of);
        if expr.ty.scalar().is_none_or(ScalarType::is_float) {
            return all;
        }
        match &expr.kind {
            ExprKind::Unary(op, a) => {
                let a = self.range(a);
                match op {
                    UnaryOp::Neg => Range::new(-a.hi, -a.lo),
                    UnaryOp::BitNot | UnaryOp::Not => all,
                }
            }
            ExprKind::Binary(op, a, b) => {
                if let Some(coordinate) = coordinate(expr) {
                    return coordinate.range();
                }
                if a.ty.scalar().is_none_or(ScalarType::is_float) {
                    return all;
                }
                let found = self.binary(*op, self.range(a), self.range(b));
                found.unwrap_or(match op {
                    // These may leave the type.
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => {
                        Range::new(i128::MIN, i128::MAX)
                    }
                    _ => all,
                })
            }
            _ => self.range(expr),
        }
    }

    fn binary(&self, op: BinaryOp, a: Range, b: Range) -> Option<Range> {
        let corners = |f: fn(i128, i128) -> Option<i128>| {
            let all = [
                f(a.lo, b.lo)?,
                f(a.lo, b.hi)?,
                f(a.hi, b.lo)?,
                f(a.hi, b.hi)?,
            ];
            Some(Range::new(*all.iter().min()?, *all.iter().max()?))
        };
        match op {
            BinaryOp::Add => Some(Range::new(a.lo.checked_add(b.lo)?, a.hi.checked_add(b.hi)?)),
            BinaryOp::Sub => Some(Range::new(a.lo.checked_sub(b.hi)?, a.hi.checked_sub(b.lo)?)),
            BinaryOp::Mul => corners(i128::checked_mul),
            BinaryOp::Div if b.lo > 0 => corners(i128::checked_div),
            BinaryOp::Rem if b.lo > 0 => {
                let largest = b.hi - 1;
                Some(Range::new(
                    if a.lo >= 0 { 0 } else { a.lo.max(-largest) },
                    if a.hi <= 0 { 0 } else { a.hi.min(largest) },
                ))
            }
            BinaryOp::Shl if b.lo >= 0 && b.hi < 64 && a.lo >= 0 => {
                let hi = a.hi.checked_mul(1i128.checked_shl(b.hi as u32)?)?;
                Some(Range::new(a.lo << b.lo, hi))
            }
            BinaryOp::Shr if b.lo >= 0 && a.lo >= 0 => {
                Some(Range::new(a.lo >> b.hi.min(64), a.hi >> b.lo.min(64)))
            }
            BinaryOp::BitAnd if a.lo >= 0 && b.lo >= 0 => Some(Range::new(0, a.hi.min(b.hi))),
            BinaryOp::BitAnd if a.lo >= 0 => Some(Range::new(0, a.hi)),
            BinaryOp::BitAnd if b.lo >= 0 => Some(Range::new(0, b.hi)),
            BinaryOp::BitOr | BinaryOp::BitXor if a.lo >= 0 && b.lo >= 0 => {
                let bits = 128 - a.hi.max(b.hi).leading_zeros();
                Some(Range::new(0, (1i128 << bits) - 1))
            }
            _ => None,
        }
    }

    fn builtin(&self, builtin: Builtin) -> Range {
        // The hardware limits of CUDA devices; an OpenCL work-group here is at most 65536 wide
        // (the OpenCL device refuses more).
        let block = |axis| match (self.dialect, axis) {
            (Dialect::OpenCl, _) => 65536,
            (_, Axis::Z) => 64,
            _ => 1024,
        };
        let grid = |axis| match (self.dialect, axis) {
            (Dialect::OpenCl, _) | (_, Axis::X) => i32::MAX as i128,
            _ => 65535,
        };
        match builtin {
            Builtin::ThreadIdx(axis) => Range::new(0, block(axis) - 1),
            Builtin::BlockDim(axis) => Range::new(1, block(axis)),
            Builtin::BlockIdx(axis) => Range::new(0, grid(axis) - 1),
            Builtin::GridDim(axis) => Range::new(1, grid(axis)),
            Builtin::WarpSize => Range::new(32, 32),
        }
    }

    /// Learns that a condition came out as `truth`.
    pub(crate) fn assume(&mut self, cond: &Expr, truth: bool) {
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.assume(inner, !truth),
            ExprKind::Binary(BinaryOp::And, a, b) if truth => {
                self.assume(a, true);
                self.assume(b, true);
            }
            ExprKind::Binary(BinaryOp::Or, a, b) if !truth => {
                self.assume(a, false);
                self.assume(b, false);
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                if a.ty.scalar().is_none_or(ScalarType::is_float) {
                    return;
                }
                let (op, a, b) = match (op, truth) {
                    (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => (BinaryOp::Lt, a, b),
                    (BinaryOp::Le, true) | (BinaryOp::Gt, false) => (BinaryOp::Le, a, b),
                    (BinaryOp::Gt, true) | (BinaryOp::Le, false) => (BinaryOp::Lt, b, a),
                    (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => (BinaryOp::Le, b, a),
                    (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => (BinaryOp::Eq, a, b),
                    _ => return,
                };
                let (ra, rb) = (self.range(a), self.range(b));
                if op == BinaryOp::Eq {
                    self.narrow(a, rb);
                    self.narrow(b, ra);
                } else {
                    let strict = i128::from(op == BinaryOp::Lt);
                    let bottom = i128::MIN + 1;
                    self.narrow(a, Range::new(bottom, rb.hi - strict));
                    self.narrow(b, Range::new(ra.lo + strict, i128::MAX));
                }
            }
            _ => {}
        }
    }

    /// Learns that an expression lies in a range.
    fn narrow(&mut self, expr: &Expr, to: Range) {
        let range = self.range(expr).intersect(to);
        match &expr.kind {
            ExprKind::Var(var) => {
                self.vars.insert(*var, range);
            }
            ExprKind::Cast(inner) => {
                let (Some(from), Some(into)) = (inner.ty.scalar(), expr.ty.scalar()) else {
                    return;
                };
                if from.is_float() || into == ScalarType::Bool || from == ScalarType::Bool {
                    return;
                }
                // The cast keeps the value; or it is injective and takes no other value into `range`.
                let keeps = self.range(inner).within(Range::of(into));
                let injective = from.bits() <= into.bits() && range.within(Range::of(from));
                if keeps || injective {
                    self.narrow(inner, range);
                }
            }
            _ => {}
        }
    }

    pub(crate) fn assign(&mut self, var: VarId, value: &Expr) {
        if value.ty.scalar().is_some_and(|ty| !ty.is_float()) {
            let range = self.range(value);
            self.vars.insert(var, range);
        }
    }

    pub(crate) fn forget(&mut self, var: VarId) {
        self.vars.remove(&var);
    }

    /// What holds where two paths meet.
    pub(crate) fn join(self, other: Known) -> Known {
        if !self.reachable {
            return other;
        }
        if !other.reachable {
            return self;
        }
        let mut vars = BTreeMap::new();
        for (var, range) in &self.vars {
            if let Some(there) = other.vars.get(var) {
                vars.insert(*var, range.union(*there));
            }
        }
        Known {
            dialect: self.dialect,
            vars,
            reachable: true,
        }
    }

    /// What holds after an operator.
    pub(crate) fn execute(&mut self, op: &Arc<Op>) {
        match &op.kind {
            OpKind::Skip => {}
            OpKind::Seq(ops) => ops.iter().for_each(|op| self.execute(op)),
            OpKind::If {
                cond,
                then,
                otherwise,
            } => {
                let mut no = self.clone();
                self.assume(cond, true);
                self.execute(then);
                no.assume(cond, false);
                no.execute(otherwise);
                *self = self.clone().join(no);
            }
            OpKind::While { cond, body } => {
                *self = self.at_loop_head(cond, body);
                self.assume(cond, false);
            }
            OpKind::Call { result, .. } => {
                if let Some(result) = result {
                    self.forget(*result);
                }
            }
            OpKind::Par(a, b) => {
                // Each sees what the other may assign at any time; nothing is claimed of either.
                let mut forget = |op: &Arc<Op>| {
                    op.walk(&mut |o| {
                        if let Some(var) = assigned(o) {
                            self.vars.remove(&var);
                        }
                    });
                };
                forget(a);
                forget(b);
            }
            OpKind::Basic(basic) => match basic {
                Basic::Assign { var, value } if value.is_no_value() => self.forget(*var),
                Basic::Assign { var, value } => self.assign(*var, value),
                Basic::Exit | Basic::Beyond => self.reachable = false,
                Basic::Assert { cond } | Basic::Assume { cond } => self.assume(cond, true),
                _ => {
                    if let Some(var) = assigned(op) {
                        self.forget(var);
                    }
                }
            },
        }
    }

    /// What holds whenever the condition of a loop is about to be evaluated: a post-fixpoint by
    /// widening, then narrowed once.
    ///
    /// Each round goes through the loops inside, so the cost is exponential in their nesting: of
    /// what a deep nest assigns nothing is claimed.
    pub(crate) fn at_loop_head(&self, cond: &Expr, body: &Arc<Op>) -> Known {
        if nesting(body) > DEEPEST {
            let mut head = self.clone();
            body.walk(&mut |op| {
                if let Some(var) = assigned(op) {
                    head.vars.remove(&var);
                }
            });
            return head;
        }
        let once = |head: &Known| {
            let mut after = head.clone();
            after.assume(cond, true);
            after.execute(body);
            self.clone().join(after)
        };
        let mut head = self.clone();
        for round in 0.. {
            let next = once(&head);
            if next == head {
                return head;
            }
            if round < 3 {
                head = next;
                continue;
            }
            let mut widened = next.clone();
            widened.vars.retain(|var, range| {
                let Some(before) = head.vars.get(var) else {
                    return false;
                };
                // Beyond any integer type: reading it gives the whole type on that side.
                if range.lo < before.lo {
                    range.lo = i64::MIN as i128;
                }
                if range.hi > before.hi {
                    range.hi = u64::MAX as i128;
                }
                true
            });
            if widened == head || round > 12 {
                head = widened;
                break;
            }
            head = widened;
        }
        // `round > 12` cannot leave a state that is no post-fixpoint unnoticed.
        let narrowed = once(&head);
        if once(&narrowed).is_within(&narrowed) && narrowed.is_within(&head) {
            narrowed
        } else if narrowed.is_within(&head) {
            head
        } else {
            Known::at_entry(self.dialect)
        }
    }

    fn is_within(&self, other: &Known) -> bool {
        !self.reachable
            || other
                .vars
                .iter()
                .all(|(var, outer)| self.vars.get(var).is_some_and(|inner| inner.within(*outer)))
    }
}

/// Loops within loops that are gone through round by round.
const DEEPEST: u32 = 3;

/// How deep loops are nested in an operator.
fn nesting(op: &Arc<Op>) -> u32 {
    let inside = op.children().into_iter().map(nesting).max().unwrap_or(0);
    inside + matches!(op.kind, OpKind::While { .. }) as u32
}

/// The variable a basic operator or a call sets.
pub(crate) fn assigned(op: &Op) -> Option<VarId> {
    match &op.kind {
        OpKind::Basic(basic) => basic.assigned(),
        OpKind::Call { result, .. } => *result,
        _ => None,
    }
}

/// Expressions of a thread's place in the grid; all below 2^31 by the assumption on launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coordinate {
    /// `blockIdx.d * blockDim.d`
    FirstOfBlock(Axis),
    /// `blockIdx.d * blockDim.d + threadIdx.d`
    ThreadInGrid(Axis),
    /// `gridDim.d * blockDim.d`
    GridThreads(Axis),
}

impl Coordinate {
    const fn range(self) -> Range {
        let most = (1i128 << 31) - 1;
        match self {
            Coordinate::FirstOfBlock(_) | Coordinate::ThreadInGrid(_) => Range::new(0, most - 1),
            Coordinate::GridThreads(_) => Range::new(1, most),
        }
    }
}

/// Recognises a [`Coordinate`], factors and summands in either order.
pub(crate) fn coordinate(expr: &Expr) -> Option<Coordinate> {
    let ExprKind::Binary(op, a, b) = &expr.kind else {
        return None;
    };
    if expr.ty != Type::U32 {
        return None;
    }
    let builtin = |e: &Expr| match e.kind {
        ExprKind::Builtin(builtin) => Some(builtin),
        _ => None,
    };
    match op {
        BinaryOp::Mul => match (builtin(a)?, builtin(b)?) {
            (Builtin::BlockIdx(x), Builtin::BlockDim(y))
            | (Builtin::BlockDim(x), Builtin::BlockIdx(y))
                if x == y =>
            {
                Some(Coordinate::FirstOfBlock(x))
            }
            (Builtin::GridDim(x), Builtin::BlockDim(y))
            | (Builtin::BlockDim(x), Builtin::GridDim(y))
                if x == y =>
            {
                Some(Coordinate::GridThreads(x))
            }
            _ => None,
        },
        BinaryOp::Add => {
            let sum = |first: &Expr, index: &Expr| match (coordinate(first)?, builtin(index)?) {
                (Coordinate::FirstOfBlock(x), Builtin::ThreadIdx(y)) if x == y => {
                    Some(Coordinate::ThreadInGrid(x))
                }
                _ => None,
            };
            sum(a, b).or_else(|| sum(b, a))
        }
        _ => None,
    }
}
