//! Conditions on what arrays hold: that what a kernel reads out of arrays that say where others are accessed is no negative
//! number, or lies within an array whose length is declared. Nobody gave these contents, and hardly any kernel is right for
//! all of them.
//!
//! Such a condition is assumed where an element is read. It speaks of arrays alone that the kernel does not write, so that
//! it is one on what these hold at its start. Beside it stands how far arguments point [into their arrays](super::inside).

use super::inside::{self, Inside};
use super::offer;
use super::under::is_excluded;
use crate::subject::EntryPoint;
use crate::subject::compared_contents::{Constant, compared_contents};
use crate::subject::indices::{Flow, Named};
use crate::subject::prepared::Prepared;
use crate::words::sentences::all_of;
use gridlock_checker::limits::Limits;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::site::Site;
use gridlock_semantics::algebra::declaration::Extent;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::analysis::reached::reached;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::well_formed::check_well_formed;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Bounds of what is multiplied before it is a place: rows, pages. What is no defect for the first is none for most
/// arrays; the product may leave the range of its type beyond the second.
const MOST: [u64; 2] = [1 << 24, 1 << 16];

/// What is asked of the contents of one array argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InRange {
    array: VarId,
    elem: ScalarType,
    /// The least length that is declared of the arrays that it indexes, or a number of which a multiple is a place.
    below: Option<u64>,
}

/// What is asked of the arrays that arguments point to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OfArrays {
    contents: Vec<InRange>,
    inside: Inside,
}

/// A kernel that is given arrays as one makes them.
pub(crate) struct WithContents {
    pub all: OfArrays,
    /// What that means, in words.
    pub text: String,
    /// The kernel under it.
    pub prepared: Prepared,
    kernel: ProcId,
    /// With what is asked of contents as assumptions, and nothing else.
    assuming: Prepared,
}

/// The kernel under what was asked `before` of its arguments, and what else these defects do not meet, where nobody gave
/// them; `None` where they meet all.
pub(crate) fn with_contents(
    prepared: &Prepared,
    entry: &EntryPoint,
    before: &OfArrays,
    defects: &[Defect],
    profile: &Profile,
    limits: &Limits,
) -> Option<WithContents> {
    if !profile.admits_canonical_run() || !entry.nulls.is_empty() {
        return None;
    }
    let program = &prepared.atomic;
    let flow = Flow::of(program, entry.proc);
    let is_unmet = |one: &InRange| {
        let assumed = assuming(program, entry.proc, &flow, std::slice::from_ref(one));
        assumed.is_some_and(|assumed| {
            let mut witnesses = defects.iter().filter_map(|d| d.witness.as_ref());
            witnesses.any(|witness| is_excluded(&assumed, &witness.setup, profile, limits))
        })
    };
    let surface = &prepared.surface;
    let compared = compared_contents(surface, &Flow::of(surface, entry.proc), entry.proc);
    let mut all = before.contents.clone();
    for most in in_range(program, entry.proc, &flow) {
        if entry.contents.contains_key(&most.array) {
            continue;
        }
        // Who asks whether an element is such a place reckons with others.
        let asked = compared.get(&Named::Param(most.array));
        let is_reckoned_with = |one: &InRange| {
            let mut constants = asked.into_iter().flatten();
            constants.any(|constant| is_outside(*constant, one))
        };
        // That they are not negative is enough for most.
        let below = [None, most.below].into_iter().chain(match most.below {
            Some(_) => vec![],
            None => MOST.map(Some).to_vec(),
        });
        let is_of_type = |below: u64| {
            let below = i64::try_from(below);
            below.is_ok_and(|below| offer::fits(below, most.elem))
        };
        let is_asked = |one: &InRange| {
            says_something(one) && one.below.is_none_or(is_of_type) && !is_reckoned_with(one)
        };
        let mut likely = below.map(|below| InRange {
            below,
            ..most.clone()
        });
        if let Some(one) = likely.find(|one| is_asked(one) && is_unmet(one)) {
            all.retain(|known| known.array != one.array);
            all.push(one);
        }
    }
    let inside = inside::needed(program, entry, &before.inside, defects);
    let names = all.iter().map(|one| in_words(program, entry.proc, one));
    let names = names.chain(inside::in_words(program, entry.proc, &inside));
    let text = all_of(&names.collect::<Vec<_>>());
    let assuming = assuming(program, entry.proc, &flow, &all)?;
    let all = OfArrays {
        contents: all,
        inside,
    };
    if all == *before {
        return None;
    }
    let prepared = inside::moved(&assuming.atomic, entry.proc, &all.inside)?;
    Some(WithContents {
        all,
        text,
        prepared,
        kernel: entry.proc,
        assuming,
    })
}

impl WithContents {
    /// Whether a defect is none, or is shown in a configuration with other arrays: it says nothing of these.
    pub fn excludes(&self, defect: &Defect, profile: &Profile, limits: &Limits) -> bool {
        let program = &self.prepared.atomic;
        let witness = defect.witness.as_ref();
        inside::excludes(program, self.kernel, &self.all.inside, defect)
            || witness.is_some_and(|w| is_excluded(&self.assuming, &w.setup, profile, limits))
    }
}

/// Whether a test against a constant tells apart what a condition leaves from what it excludes.
fn is_outside(constant: Constant, one: &InRange) -> bool {
    match constant {
        Constant::Integer(number) => {
            let is_above = |below: u64| number + 1 >= i128::from(below);
            number <= 0 || one.below.is_some_and(is_above)
        }
        Constant::Float(_) => true,
    }
}

fn says_something(one: &InRange) -> bool {
    one.elem.is_signed() || one.below.is_some()
}

fn in_words(program: &Program, kernel: ProcId, one: &InRange) -> String {
    let name = &program.proc(kernel).vars[one.array.0 as usize].name;
    let range = match (one.elem.is_signed(), one.below) {
        (_, None) => "at least 0".to_owned(),
        (true, Some(below)) => format!("in 0..{below}"),
        (false, Some(below)) => format!("less than {below}"),
    };
    format!("every element read of {name} is {range}")
}

/// What can be asked of arguments that hold places in other arrays and are not written.
fn in_range(program: &Program, kernel: ProcId, flow: &Flow<'_>) -> Vec<InRange> {
    let written = written(program, kernel, flow);
    let procedure = program.proc(kernel);
    let mut found = Vec::new();
    for (array, targets) in flow.indexed() {
        let &Named::Param(var) = array else { continue };
        let declared = procedure.vars.get(var.0 as usize);
        let elem = declared.and_then(|v| v.ty.pointer()).map(|to| to.elem);
        let Some(elem) = elem.filter(|elem| elem.is_integer() && *elem != ScalarType::Bool) else {
            continue;
        };
        let lengths = targets.iter().filter_map(|target| match target {
            Named::Declared(id) => match program.array(*id).extent {
                Extent::Fixed(elements) => Some(elements),
                Extent::LaunchShared => None,
            },
            Named::Param(_) => None,
        });
        let one = InRange {
            array: var,
            elem,
            below: lengths.min(),
        };
        if !written.contains(array) {
            found.push(one);
        }
    }
    found
}

/// Arrays of which the kernel may do more than read elements.
fn written(program: &Program, kernel: ProcId, flow: &Flow<'_>) -> BTreeSet<Named> {
    let mut found = BTreeSet::new();
    for proc in reached(program, kernel) {
        program.proc(proc).body.walk(&mut |op| {
            if let OpKind::Basic(Basic::Load { .. } | Basic::Assign { .. }) | OpKind::Call { .. } =
                &op.kind
            {
                return;
            }
            for expr in op.expressions() {
                expr.walk(&mut |part| found.extend(flow.bases(proc, part)));
            }
        });
    }
    found
}

/// Where a race is one of a plain store with itself, to an array that the kernel does not read, and elements that nobody
/// gave say where: the arrays that hold them.
pub(super) fn scattered_by(
    program: &Program,
    entry: &EntryPoint,
    race: &Defect,
) -> Option<Vec<VarId>> {
    let [first, second] = race.accesses.as_slice() else {
        return None;
    };
    let place = |site: &Site| (site.line, site.column);
    let is_written = |site: &Site| site.mode == Some(AccessMode::Write);
    if place(first) != place(second) || !is_written(first) || !is_written(second) {
        return None;
    }
    let flow = Flow::of(program, entry.proc);
    let (mut stored, mut used) = (BTreeSet::new(), BTreeSet::new());
    for proc in reached(program, entry.proc) {
        program.proc(proc).body.walk(&mut |op| {
            let to = match &op.kind {
                OpKind::Basic(Basic::Store { pointer, value }) => {
                    value.walk(&mut |part| used.extend(flow.bases(proc, part)));
                    Some(flow.bases(proc, pointer))
                }
                OpKind::Call { .. } => return,
                _ => None,
            };
            match to {
                Some(to) if (op.span.line, op.span.column) == place(first) => stored.extend(to),
                Some(_) => {}
                None => {
                    for expr in op.expressions() {
                        expr.walk(&mut |part| used.extend(flow.bases(proc, part)));
                    }
                }
            }
        });
    }
    if stored.is_empty() || stored.intersection(&used).next().is_some() {
        return None;
    }
    let written = written(program, entry.proc, &flow);
    let says_where = flow.indexed().iter().filter_map(|(array, targets)| {
        let &Named::Param(var) = array else {
            return None;
        };
        let ty = program.proc(entry.proc).vars.get(var.0 as usize)?.ty;
        let is_open = ty.pointer().is_some_and(|to| to.elem.is_integer())
            && !written.contains(array)
            && !entry.contents.contains_key(&var);
        (is_open && !targets.is_disjoint(&stored)).then_some(var)
    });
    let arrays: Vec<VarId> = says_where.collect();
    (!arrays.is_empty()).then_some(arrays)
}

/// The program with what is asked of contents assumed behind each operator that reads an element.
fn assuming(
    program: &Program,
    kernel: ProcId,
    flow: &Flow<'_>,
    all: &[InRange],
) -> Option<Prepared> {
    let mut program = program.clone();
    for proc in reached(&program, kernel) {
        let behind = |op: &Arc<Op>| {
            let OpKind::Basic(Basic::Load { var, pointer }) = &op.kind else {
                return None;
            };
            let mut bases = flow.bases(proc, pointer).into_iter();
            // What may also read another array says nothing of this one.
            let (Some(Named::Param(array)), None) = (bases.next(), bases.next()) else {
                return None;
            };
            let one = all.iter().find(|one| one.array == array)?;
            Some((one.clone(), *var))
        };
        let procedure = &program.procs[proc.0 as usize];
        let with = |op: &Arc<Op>| {
            let (one, var) = behind(op)?;
            let ty = procedure.vars.get(var.0 as usize)?.ty;
            // Read as it is declared.
            if ty.scalar() != Some(one.elem) {
                return None;
            }
            let value = Expr {
                ty,
                kind: ExprKind::Var(var),
            };
            let number = |n: u64| Some(Expr::int(one.elem, i64::try_from(n).ok()?));
            let mut parts = vec![op.clone()];
            let mut assume = |cond: Expr| parts.push(Op::basic(Basic::Assume { cond }, op.span));
            if one.elem.is_signed() {
                assume(Expr::binary(BinaryOp::Ge, value.clone(), number(0)?));
            }
            if let Some(below) = one.below {
                assume(Expr::binary(BinaryOp::Lt, value, number(below)?));
            }
            Some(parts)
        };
        let body = with_more(&procedure.body, &with);
        program.procs[proc.0 as usize].body = body;
    }
    program.number_operators();
    check_well_formed(&program).ok()?;
    Some(Prepared::new(program))
}

/// What stands in the place of a basic operator; `None`: it stays.
type More<'m> = &'m dyn Fn(&Arc<Op>) -> Option<Vec<Arc<Op>>>;

/// An operator with `more` in the place of basic ones.
fn with_more(op: &Arc<Op>, more: More<'_>) -> Arc<Op> {
    let kind = match &op.kind {
        OpKind::Seq(ops) => OpKind::Seq(ops.iter().map(|o| with_more(o, more)).collect()),
        OpKind::If {
            cond,
            then,
            otherwise,
        } => OpKind::If {
            cond: cond.clone(),
            then: with_more(then, more),
            otherwise: with_more(otherwise, more),
        },
        OpKind::While { cond, body } => OpKind::While {
            cond: cond.clone(),
            body: with_more(body, more),
        },
        OpKind::Par(a, b) => OpKind::Par(with_more(a, more), with_more(b, more)),
        OpKind::Basic(_) => match more(op) {
            Some(parts) => OpKind::Seq(parts),
            None => return op.clone(),
        },
        OpKind::Skip | OpKind::Call { .. } => return op.clone(),
    };
    Arc::new(Op {
        kind,
        ..(**op).clone()
    })
}
