//! The named analyses of conditions. `docs/rules.md` says what each means and which of its answers
//! is certain.

use crate::analysis::additive::additive;
use crate::analysis::aliasing;
use crate::analysis::cells;
use crate::analysis::independence;
use crate::analysis::liveness;
use crate::analysis::marks;
use crate::analysis::nest::Nest;
use crate::analysis::privacy;
use crate::analysis::straight;
use crate::analysis::streams::{is_asynchronous, uses_devices};
use crate::analysis::uniformity::uniform;
use crate::analysis::usage::{
    self, assigned_variables, has_load, may_write, occurrences, only_assigned,
};
use crate::analysis::{Answer, Oracle};
use crate::matching::matcher::peel;
use crate::terms::conversion::TermProgram;
use crate::terms::term::{BinaryOp, Functor, Mark, Origin, Term, TermKind};
use gridlock_semantics::algebra::declaration::{Extent, Space};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Head, OpId, Provenance, Side};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::Type;
use std::sync::Arc;

/// Where a condition is asked: the program before the step, and the place.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub program: &'a TermProgram,
    /// Number of the procedure at hand.
    pub proc: u32,
    /// Path of the term the rule is applied to.
    pub path: &'a [usize],
    /// What the rule matched of it: the term itself, or a run of its statements.
    pub matched: &'a [Term],
    pub oracle: &'a dyn Oracle,
}

impl Question<'_> {
    pub fn root(&self) -> &Term {
        &self.program.root
    }

    fn procedure(&self) -> Option<&Term> {
        self.root().children().get(self.proc as usize)
    }

    fn focus(&self) -> Option<&Term> {
        self.root().at(self.path)
    }
}

/// Answers the analysis `name`.
pub fn answer(name: &str, args: &[Term], question: Question) -> Answer {
    let root = question.root();
    match (name, args) {
        ("host_code", []) => {
            let head = question.procedure().and_then(|p| p.as_app());
            let host = Functor::Procedure(ProcKind::Host);
            Answer::decided(head.is_some_and(|(f, _)| *f == host))
        }
        ("synchronous", []) => Answer::decided(!is_asynchronous(question.program)),
        ("no_device_code", []) => Answer::decided(!uses_devices(question.program)),
        ("kernel_code", [body]) => Answer::decided(kernel_code(root, body, 0)),
        ("independent", [body, i]) => match independence::independent(root, body, i).answer {
            Answer::Unknown => ask_oracle(question, body, i),
            known => known,
        },
        ("independent_parts", [first, second, i]) => {
            independence::independent_parts(root, first, second, i).answer
        }
        ("independent_unless_overflow", [body, i, n]) => {
            let nest = Nest::of(root, body, i, n);
            match independence::independent_unless_overflow(root, body, i, nest.as_ref()).answer {
                Answer::Unknown => ask_oracle(question, body, i),
                known => known,
            }
        }
        ("exact_subscripts", [body, i, n]) => {
            let nest = Nest::of(root, body, i, n);
            let with = |nest| independence::independent_unless_overflow(root, body, i, nest).answer;
            Answer::known(with(None) == with(nest.as_ref()))
        }
        ("accumulates", [body]) => Answer::known(privacy::accumulator(body).is_some()),
        ("declared", [a]) => {
            let is_declared = |a: &Term| match a.kind() {
                TermKind::Array { id, .. } => {
                    let array = question.program.arrays.get(*id as usize);
                    array.is_some_and(|array| matches!(array.extent, Extent::Fixed(_)))
                }
                _ => false,
            };
            Answer::decided(each(a).iter().all(is_declared))
        }
        ("in_place", [p]) => {
            Answer::known(straight::is_straight(root, p) && reads_what_it_writes(question, p))
        }
        ("straight", [p]) => {
            Answer::known(straight::is_straight(root, p) && reads_no_written_array(question, p))
        }
        ("private_scalars", [body]) => {
            let stays = usage::scalars(body).into_iter().filter(|v| {
                let id = v.as_variable().map(|v| v.id);
                id.is_some_and(|id| assigned_variables(body).contains(&id))
            });
            let mut stays = stays.map(|v| only_here(question, &v));
            Answer::known(privacy::private_scalars(body) && stays.all(|here| here))
        }
        ("no_alias", [list]) => match question.procedure() {
            Some(procedure) => aliasing::no_alias(question.program, procedure, list.children()),
            None => Answer::Unknown,
        },
        ("within", [body, i, n]) => cells::within(root, question.procedure(), body, i, n),
        ("counted", [body, i, n]) => cells::counted(root, body, i, n),
        ("overwritten", [a, body, i, n]) => {
            let is_overwritten = |a: &Term| cells::overwritten(root, a, body, i, n);
            Answer::known(each(a).iter().all(is_overwritten))
        }
        ("passes_none", [p, q]) => Answer::known(!passes(p, q)),
        ("apart", [p, q]) => Answer::known(are_apart(question, p, q)),
        ("invariant", [e, body]) => {
            let assigned = assigned_variables(body);
            let mut changes = false;
            e.walk(&mut |t| {
                changes |= t.as_variable().is_some_and(|v| assigned.contains(&v.id));
            });
            if changes {
                Answer::No
            } else {
                Answer::known(!has_load(e))
            }
        }
        ("only_here", [x]) => Answer::decided(each(x).iter().all(|x| only_here(question, x))),
        // A scalar that stands in a subscript is no memory.
        ("writes", [p, a]) => {
            let is_memory = a.ty().is_some_and(|ty| ty.pointer().is_some());
            let names = all_names(question, a);
            Answer::decided(is_memory && names.iter().any(|a| may_write(root, p, a)))
        }
        ("reads" | "uses", [p, x]) => {
            let names = all_names(question, peel(x));
            Answer::decided(names.iter().any(|x| usage::may_use(root, p, x)))
        }
        ("assigns", [p, x]) => {
            let id = x.as_variable().map(|v| v.id);
            Answer::decided(id.is_none_or(|id| assigned_variables(p).contains(&id)))
        }
        ("uniform", [u]) => {
            let known = question.procedure().is_some_and(|p| uniform(p, u));
            Answer::known(known)
        }
        ("power_of_two", [n]) => match n.as_integer() {
            Some(n) => Answer::decided(n > 0 && n.count_ones() == 1),
            None => Answer::Unknown,
        },
        ("no_barrier", [p]) => no_barrier(root, inside(root, p), 0),
        ("integral", [e]) => match e.ty() {
            Some(Type::Scalar(scalar)) => Answer::decided(scalar.is_integer()),
            _ => Answer::Unknown,
        },
        ("signed", [e]) => match e.ty() {
            Some(Type::Scalar(scalar)) => Answer::decided(scalar.is_signed()),
            _ => Answer::Unknown,
        },
        ("reorderable", [e]) => match e.ty() {
            Some(Type::Scalar(scalar)) => Answer::known(scalar.is_integer()),
            _ if e.is_operator() => Answer::known(!updates_floats(e)),
            _ => Answer::Unknown,
        },
        ("no_memory", [p]) => match usage::accesses(root, p) {
            Some(found) => Answer::decided(found.is_empty()),
            None => Answer::Unknown,
        },
        ("no_shared_scalars", [p, q]) => Answer::decided(!carries(p, q) && !carries(q, p)),
        ("carries_none", [p, q]) => Answer::decided(!carries(p, q)),
        ("no_exit", [p]) => {
            let mut exits = false;
            inside(root, p).walk(&mut |t| {
                exits |= matches!(t.as_app(), Some((Functor::Basic(Head::Exit), _)))
            });
            Answer::decided(!exits)
        }
        ("shared", [a]) => match a.kind() {
            TermKind::Array { id, .. } => {
                let array = question.program.arrays.get(*id as usize);
                Answer::decided(array.is_some_and(|d| d.space == Space::Shared))
            }
            _ => Answer::Unknown,
        },
        ("no_shared_arrays", [p]) => {
            Answer::decided(no_shared_arrays(question, inside(root, p), 0))
        }
        ("no_own_arrays", [p]) => {
            let arrays = &question.program.arrays;
            let mut none = true;
            inside(root, p).walk(&mut |t| {
                if let TermKind::Array { id, .. } = t.kind() {
                    none &= arrays.get(*id as usize).is_some_and(|a| a.owner.is_none());
                }
            });
            Answer::decided(none)
        }
        ("only_assigned", [p, x]) => Answer::decided(only_assigned(p, x)),
        ("same_type", [x, y]) => Answer::decided(x.ty().is_some() && x.ty() == y.ty()),
        ("scalar", [x]) => Answer::decided(x.ty().is_some_and(|ty| ty.scalar().is_some())),
        ("same_thread_only", [_, xs, _, ys]) => match question.procedure() {
            Some(procedure) => aliasing::nothing_in_common(question.program, procedure, xs, ys),
            None => Answer::Unknown,
        },
        ("dead", [rest, a]) => match question.procedure() {
            // A copy of what is dead may still be what the host waits for.
            Some(_) if is_asynchronous(question.program) => Answer::Unknown,
            Some(procedure) => Answer::known(liveness::dead(root, procedure, rest, a)),
            None => Answer::Unknown,
        },
        ("additive", [p, a]) => {
            let known = question.procedure().is_some_and(|all| additive(all, p, a));
            Answer::known(known)
        }
        ("reads_first", [p, a, i]) => Answer::known(cells::reads_first(root, p, a, i)),
        ("selected", [i, name]) => match (i.as_variable(), name.kind()) {
            (Some(i), TermKind::Text(name)) => {
                Answer::decided(name.is_empty() || *name == i.name || is_named(question, name))
            }
            _ => Answer::Unknown,
        },
        ("named", [k, name]) => match (k.as_proc(), name.kind()) {
            (Some((_, own)), TermKind::Text(name)) => {
                Answer::decided(name.is_empty() || name == own)
            }
            _ => Answer::Unknown,
        },
        ("own_cell", [p, a, i]) => {
            let is_own = |a: &Term| {
                let names = all_names(question, a);
                let only = names.iter().all(|name| name == a || !p.contains(name));
                only && cells::own_cell(root, p, a, i)
            };
            Answer::known(each(a).iter().all(is_own))
        }
        ("defined_as", [p, x, e]) => Answer::known(defined_as(p, x, e)),
        ("launched_only", [p, d]) => {
            let names = all_names(question, d);
            Answer::decided(names.iter().all(|d| launched_only(p, d)))
        }
        _ => Answer::Unknown,
    }
}

/// Whether what was matched begins in the line of this number, or has this mark.
fn is_named(question: Question, name: &str) -> bool {
    let Some(span) = question.matched.first().map(Term::span) else {
        return false;
    };
    let files = &question.program.files;
    !span.is_none() && (name.parse() == Ok(span.line) || marks::is_marked(files, span, name))
}

/// The term, and if it is a pointer the pointers of the procedure computed from it, or it from them.
fn all_names(question: Question, x: &Term) -> Vec<Term> {
    match question.procedure() {
        Some(procedure) if x.ty().is_some_and(|ty| ty.pointer().is_some()) => {
            aliasing::family(procedure, vec![x.clone()])
        }
        _ => vec![x.clone()],
    }
}

/// The terms of a list, or the one.
fn each(term: &Term) -> &[Term] {
    match term.kind() {
        TermKind::List(items) => items,
        _ => std::slice::from_ref(term),
    }
}

/// Whether `q` may read a variable that `p` gave its value.
fn passes(p: &Term, q: &Term) -> bool {
    let assigned = assigned_variables(p);
    let mut brought = privacy::brought(q).filter_map(|v| Some(v.as_variable()?.id));
    brought.any(|v| assigned.contains(&v))
}

/// Whether neither of two pieces may write what the other uses: an array, under any of its names, or a variable that it does
/// not assign itself before it reads it.
fn are_apart(question: Question, p: &Term, q: &Term) -> bool {
    let root = question.root();
    let are_kept = |p: &Term, q: &Term| {
        let names = usage::arrays(q).into_iter();
        let mut names = names.flat_map(|array| all_names(question, &array));
        !names.any(|array| may_write(root, p, &array)) && !passes(p, q)
    };
    are_kept(p, q) && are_kept(q, p)
}

/// Whether every array that is both read and written is so at one cell alone, under one name, and read before it is written.
fn reads_what_it_writes(question: Question, p: &Term) -> bool {
    usage::arrays(p).iter().all(|array| {
        let names = all_names(question, array);
        let is_of_array = |cell: &Term| {
            let base = usage::element_of(cell).map(|(base, _)| base);
            base.is_none_or(|base| names.contains(&base))
        };
        let is_written = straight::cells(p, true).iter().any(is_of_array);
        let is_read = straight::cells(p, false).iter().any(is_of_array);
        !(is_read && is_written) || straight::is_in_place(p, &is_of_array)
    })
}

/// Whether no array is both read and written, under any of its names.
fn reads_no_written_array(question: Question, p: &Term) -> bool {
    let Some(found) = usage::accesses(question.root(), p) else {
        return false;
    };
    let (written, read): (Vec<_>, Vec<_>) = found.into_iter().partition(|access| access.is_write);
    let is_written = |name: &Term| written.iter().any(|access| access.base == *name);
    let mut names = read
        .iter()
        .flat_map(|access| all_names(question, &access.base));
    !names.any(|name| is_written(&name))
}

/// Whether some variable that `a` assigns occurs in `b`.
fn carries(a: &Term, b: &Term) -> bool {
    let assigned = assigned_variables(a);
    let mut carries = false;
    b.walk(&mut |t| carries |= t.as_variable().is_some_and(|v| assigned.contains(&v.id)));
    carries
}

/// The body of a procedure where its handle is given; the term itself otherwise.
fn inside<'t>(root: &'t Term, term: &'t Term) -> &'t Term {
    let number = term.as_proc().map(|(id, _)| id as usize);
    let procedure = number.and_then(|n| root.children().get(n));
    procedure.and_then(|p| p.children().get(4)).unwrap_or(term)
}

/// Whether nothing of a block's shared memory is named, callees included.
fn no_shared_arrays(question: Question, p: &Term, depth: usize) -> bool {
    let root = question.root();
    let mut none = depth < 16;
    p.walk(&mut |t| {
        if let TermKind::Array { id, .. } = t.kind() {
            let array = question.program.arrays.get(*id as usize);
            none &= array.is_some_and(|declared| declared.space != Space::Shared);
        }
        if let Some([callee, ..]) = t.args_of(&Functor::Call)
            && none
        {
            none &= no_shared_arrays(question, inside(root, callee), depth + 1);
        }
    });
    none
}

/// Whether a variable, or an array that the procedure declares, occurs nowhere in it but in what was matched. Loops over
/// the variable that give it its first value do not count, where they are all there is of it in what was matched, too.
pub fn only_here(question: Question, x: &Term) -> bool {
    let Some([_, params, _, result, body]) = question.procedure().map(Term::children) else {
        return false;
    };
    // Other procedures may name what is none of its own.
    if let TermKind::Array { id, .. } = x.kind() {
        let declared = question.program.arrays.get(*id as usize);
        if declared.and_then(|array| array.owner) != Some(ProcId(question.proc)) {
            return false;
        }
    }
    let everywhere: usize = [params, result, body]
        .map(|part| occurrences(part, x))
        .iter()
        .sum();
    let here: usize = question.matched.iter().map(|t| occurrences(t, x)).sum();
    everywhere == here || is_begun_anew(&[params, result, body], question.matched, x)
}

/// Whether a variable occurs in loops over it alone, all of which give it its first value, and none of which what was
/// matched is a part of.
fn is_begun_anew(whole: &[&Term], matched: &[Term], x: &Term) -> bool {
    let is_loop = |t: &Term| match t.args_of(&Functor::For) {
        Some([counter, first, ..]) => counter == x && !first.contains(x),
        _ => false,
    };
    fn is_in_loops(t: &Term, x: &Term, is_loop: &impl Fn(&Term) -> bool) -> bool {
        is_loop(t) || t != x && t.children().iter().all(|t| is_in_loops(t, x, is_loop))
    }
    let is_inside = |t: &Term| {
        let is_part = |part: &Term| matched.iter().any(|m| part.contains(m));
        is_loop(t) && t.children().iter().any(is_part)
    };
    let mut is_part_of_one = false;
    for part in whole {
        part.walk(&mut |t| is_part_of_one |= is_inside(t));
    }
    x.as_variable().is_some()
        && !is_part_of_one
        && whole.iter().all(|t| is_in_loops(t, x, &is_loop))
        && matched.iter().all(|t| is_in_loops(t, x, &is_loop))
}

/// Whether a statement may stand in a kernel: nothing of the host, callees included.
fn kernel_code(root: &Term, statement: &Term, depth: usize) -> bool {
    let mut fine = depth < 16;
    statement.walk(&mut |t| {
        let Some((functor, args)) = t.as_app() else {
            return;
        };
        fine &= match functor {
            // What ends the program of the host ends no kernel.
            Functor::Par | Functor::Basic(Head::Exit | Head::Beyond) | Functor::Helper(_) => false,
            Functor::Basic(head) if head.side() == Side::Host => false,
            Functor::Call => {
                let callee = args[0].as_proc().map(|(id, _)| id as usize);
                let callee = callee.and_then(|id| root.children().get(id)?.children().get(4));
                callee.is_some_and(|body| kernel_code(root, body, depth + 1))
            }
            _ => true,
        };
    });
    statement.walk(&mut |t| fine &= !matches!(t.kind(), TermKind::Array { .. }));
    fine
}

/// Whether an atomic of a statement is one on floats.
fn updates_floats(statement: &Term) -> bool {
    let mut found = false;
    statement.walk(&mut |t| {
        if let Some((Functor::Basic(Head::Atomic(function, _)), args)) = t.as_app() {
            let cell = args.first().and_then(Term::ty).and_then(Type::pointer);
            found |= cell.is_none_or(|cell| cell.elem.is_float()) || function.adds_narrow_floats();
        }
    });
    found
}

fn no_barrier(root: &Term, p: &Term, depth: usize) -> Answer {
    let mut found = depth > 16;
    p.walk(&mut |t| match t.as_app() {
        Some((Functor::Basic(Head::Barrier(..)), _)) => found = true,
        Some((Functor::Call, args)) => {
            let callee = args[0].as_proc().map(|(id, _)| id as usize);
            let body = callee.and_then(|id| root.children().get(id)?.children().get(4));
            found |= body.is_none_or(|b| no_barrier(root, b, depth + 1) == Answer::No);
        }
        _ => {}
    });
    Answer::decided(!found)
}

/// Whether device pointer `d` is used in `p` as an argument of launches only.
fn launched_only(p: &Term, d: &Term) -> bool {
    let mut in_launches = 0;
    p.walk(&mut |t| {
        if let Some([_, _, _, _, args]) = t.args_of(&Functor::Basic(Head::CallGpu(false))) {
            in_launches += args.children().iter().filter(|a| *a == d).count();
        }
    });
    in_launches == occurrences(p, d)
}

/// Whether `p` assigns `x` once, in one of its outermost statements, the value `e`, conversions
/// between wide integers and the order of commuting operands aside.
fn defined_as(p: &Term, x: &Term, e: &Term) -> bool {
    usage::definition(p, x).is_some_and(|value| commute_alike(&value, e))
}

fn commute_alike(a: &Term, b: &Term) -> bool {
    let (a, b) = (peel(a), peel(b));
    if let (Some((f, x)), Some((g, y))) = (a.as_app(), b.as_app())
        && f == g
        && x.len() == y.len()
    {
        let in_order = x.iter().zip(y).all(|(x, y)| commute_alike(x, y));
        return in_order
            || matches!(
                (f, x, y),
                (Functor::Binary(BinaryOp::Add | BinaryOp::Mul), [p, q], [r, s])
                    if commute_alike(p, s) && commute_alike(q, r)
            );
    }
    a == b
}

/// Asks the oracle about the counted loop over `i` inside what was matched, with the body asked about in it:
/// that of two loops to be fused is neither's.
fn ask_oracle(question: Question, body: &Term, i: &Term) -> Answer {
    let Some(path) = question.focus().and_then(|focus| loop_over(focus, i)) else {
        return Answer::Unknown;
    };
    let mut place = question.path.to_vec();
    place.extend(path);
    let Some(found) = question.root().at(&place) else {
        return Answer::Unknown;
    };
    // The loop is found again by a provenance no program has.
    let name: Arc<str> = "the loop asked about".into();
    let provenance = Provenance::Rule {
        rule: name.clone(),
        from: vec![],
    };
    let mut origin = found
        .origin()
        .map_or(Origin { marks: vec![] }, |o| (**o).clone());
    let mark = Mark {
        id: OpId(u32::MAX),
        span: found.span(),
        provenance: provenance.clone(),
    };
    origin.marks.resize(5, mark.clone());
    origin.marks[0] = mark;
    let mut parts = found.children().to_vec();
    parts[4] = body.clone();
    let marked = found
        .with_children(parts)
        .with_origin(Some(Arc::new(origin)));
    let mut asked = question.program.clone();
    asked.root = asked.root.replaced(&place, marked);
    let Ok(mut program) = asked.to_program() else {
        return Answer::Unknown;
    };
    program.number_operators();
    let operators = program.operators();
    let found = operators.iter().find(|(_, op)| op.provenance == provenance);
    match found {
        Some((proc, op)) => {
            let (proc, id): (ProcId, OpId) = (*proc, op.id);
            question.oracle.independent_iterations(&program, proc, id)
        }
        None => Answer::Unknown,
    }
}

fn loop_over(term: &Term, i: &Term) -> Option<Vec<usize>> {
    if term
        .args_of(&Functor::For)
        .is_some_and(|args| args[0] == *i)
    {
        return Some(vec![]);
    }
    term.children().iter().enumerate().find_map(|(n, child)| {
        let mut path = loop_over(child, i)?;
        path.insert(0, n);
        Some(path)
    })
}
