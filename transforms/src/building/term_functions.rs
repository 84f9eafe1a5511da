//! The term functions of templates: what a rule computes rather than matches.

use crate::analysis::usage::{self, assigned_variables};
use crate::analysis::{cells, privacy, straight};
use crate::building::builder::{Builder, Built, Unbuildable};
use crate::terms::term::{Functor, Term, TermKind};
use crate::terms::typing;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::Head;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};

/// Builds the term function `name`.
pub fn build(name: &str, args: &[Term], builder: &mut Builder) -> Built<Vec<Term>> {
    let text = |term: &Term| match term.kind() {
        TermKind::Text(text) => text.to_string(),
        _ => String::new(),
    };
    Ok(vec![match (name, args) {
        ("arrays", [p]) => Term::list(usage::arrays(p)),
        ("scalars", [p, i]) => {
            let assigned = assigned_variables(p);
            let private = |t: &Term| t.as_variable().is_some_and(|v| assigned.contains(&v.id));
            let mut found = usage::scalars(p);
            found.retain(|t| t != i && !private(t));
            Term::list(found)
        }
        ("assigned", [p]) => {
            let assigned = assigned_variables(p);
            let mut found = usage::scalars(p);
            found.retain(|t| t.as_variable().is_some_and(|v| assigned.contains(&v.id)));
            Term::list(found)
        }
        ("parameters", [arrays]) => {
            let made = arrays.children().iter().map(|array| match array.kind() {
                TermKind::Array { name, pointer, .. } => {
                    builder.fresh_variable(&format!("{name}_cells"), Type::Pointer(*pointer))
                }
                _ => array.clone(),
            });
            Term::list(made.collect())
        }
        ("instead", [p, of, new]) => {
            let pairs = of.children().iter().zip(new.children());
            replaced(p, &pairs.collect::<Vec<_>>())
        }
        ("stored_instead", [p, of, new]) => {
            let pairs = of.children().iter().zip(new.children());
            stored_instead(p, &pairs.collect::<Vec<_>>())
        }
        ("accumulator", [p]) => {
            let nothing = || Unbuildable("no iteration hands a number on to the next".into());
            privacy::accumulator(p).ok_or_else(nothing)?
        }
        ("in_cell", [p, x, cell]) => in_cell(p, x, cell)?,
        ("without_memory", [p]) => {
            let (first, _) = straight::parted(builder.question.root(), p);
            Term::block(first, p.origin().cloned())
        }
        ("with_memory", [p]) => {
            let (_, rest) = straight::parted(builder.question.root(), p);
            Term::block(rest, p.origin().cloned())
        }
        ("needed", [p, work]) => {
            let needed = straight::needed(&p.statements(), work);
            Term::block(needed, p.origin().cloned())
        }
        ("cells_read", [p]) => Term::list(straight::cells(p, false)),
        ("cells_written", [p]) => Term::list(straight::cells(p, true)),
        ("host_arrays", [cells, prefix, n]) => host_arrays(builder, cells, &text(prefix), n)?,
        ("arrays_like", [arrays]) => arrays_like(builder, arrays)?,
        ("arrays_read", [p]) => arrays_accessed(builder, p, false)?,
        ("arrays_written", [p]) => arrays_accessed(builder, p, true)?,
        ("extent", [array]) => {
            let (_, extent) = builder.declaration(array)?;
            Term::int(ScalarType::I32, i128::from(extent))
        }
        ("at", [arrays, i]) => {
            let cells = arrays.children().iter();
            Term::list(
                cells
                    .map(|array| typing::offset(array.clone(), i.clone()))
                    .collect(),
            )
        }
        ("in_stream", [p, stream]) => in_stream(p, stream),
        ("fresh_like", [list, prefix]) => {
            let mut made = Vec::new();
            for item in list.children() {
                let name = format!("{}{item}", text(prefix));
                // Memory of its own is filled through it, whatever may be done through the other.
                let ty = match item.ty() {
                    Some(Type::Pointer(pointer)) => Type::Pointer(PointerType {
                        is_const: false,
                        ..pointer
                    }),
                    ty => ty.unwrap_or(Type::I32),
                };
                made.push(builder.fresh_variable(&name, ty));
            }
            Term::list(made)
        }
        ("fresh", [name, like]) => {
            builder.fresh_variable(&text(name), like.ty().unwrap_or(Type::I32))
        }
        ("fresh_kernel", [name]) => {
            let names = builder.program.procedure_names();
            let host = names.get(builder.question.proc as usize);
            let wanted = match text(name) {
                name if name.is_empty() => {
                    format!("{}_kernel", host.map_or("loop", |name| &**name))
                }
                name => name,
            };
            add_procedure(
                builder,
                ProcKind::Kernel,
                &wanted,
                [
                    Term::nil(),
                    Term::nil(),
                    Term::nil(),
                    Term::operator(Functor::Skip, vec![], None),
                ],
            )
        }
        ("on_device", [p]) => on_device(builder, p, 0)?,
        ("device_of", [k]) => device_of(builder, k)?,
        ("body", [k]) => parts_of(builder, k)?[4].clone(),
        ("params", [k]) => parts_of(builder, k)?[1].clone(),
        ("reach", [a, n, body, i]) => cells::reach(builder.question.root(), a, n, body, i),
        ("runs", [n, body, i]) => cells::runs(builder.question.root(), n, body, i),
        _ => return Err(Unbuildable(format!("`{name}` gives no term"))),
    }])
}

/// With other terms in place of some.
fn replaced(term: &Term, pairs: &[(&Term, &Term)]) -> Term {
    if let Some((_, new)) = pairs.iter().find(|(old, _)| *old == term) {
        return (*new).clone();
    }
    if term.children().is_empty() {
        return term.clone();
    }
    let children = term.children().iter();
    term.with_children(children.map(|child| replaced(child, pairs)).collect())
}

/// An array of the host for each of the cells, of `n` elements of its type, named after the array that the cell is of.
fn host_arrays(builder: &mut Builder, cells: &Term, prefix: &str, n: &Term) -> Built<Term> {
    let extent = n.as_integer().and_then(|n| u64::try_from(n).ok());
    let extent = extent.ok_or_else(|| Unbuildable(format!("`{n}` is no constant extent")))?;
    let mut made = Vec::new();
    for cell in cells.children() {
        let Some(pointer) = cell.ty().and_then(|ty| ty.pointer()) else {
            return Err(Unbuildable(format!("`{cell}` is no cell")));
        };
        let base = usage::element_of(cell).map_or_else(String::new, |(base, _)| base.to_string());
        let name = format!("{prefix}{base}");
        made.push(builder.array(&name, pointer.elem, Space::Host, extent));
    }
    Ok(Term::list(made))
}

/// Arrays of the same kind and extent as declared ones.
fn arrays_like(builder: &mut Builder, arrays: &Term) -> Built<Term> {
    let mut made = Vec::new();
    for array in arrays.children() {
        let (space, extent) = builder.declaration(array)?;
        let elem = array.ty().and_then(|ty| ty.pointer());
        let elem = elem
            .ok_or_else(|| Unbuildable(format!("`{array}` is no array")))?
            .elem;
        made.push(builder.array(&array.to_string(), elem, space, extent));
    }
    Ok(Term::list(made))
}

/// The arrays of which a statement reads cells, or writes them, each once, in the order of the text.
fn arrays_accessed(builder: &Builder, p: &Term, is_write: bool) -> Built<Term> {
    let found = usage::accesses(builder.question.root(), p);
    let unknown = || Unbuildable("what memory is touched is not known".into());
    let mut arrays: Vec<Term> = Vec::new();
    for access in found.ok_or_else(unknown)? {
        if access.is_write == is_write && !arrays.contains(&access.base) {
            arrays.push(access.base);
        }
    }
    Ok(Term::list(arrays))
}

/// With every copy and launch, of those that the host waits for or that are in no stream, in this stream.
fn in_stream(p: &Term, stream: &Term) -> Term {
    let without = match p.as_app() {
        Some((Functor::Basic(Head::Copy(_)), args)) => Some(args.len() == 3),
        Some((Functor::Basic(Head::CallGpu(_)), args)) => Some(args.len() == 5),
        _ => None,
    };
    match without {
        Some(true) => {
            let parts = [p.children(), std::slice::from_ref(stream)].concat();
            p.with_children(parts)
        }
        Some(false) => p.clone(),
        None if p.children().is_empty() => p.clone(),
        None => {
            let inside = p.children().iter().map(|part| in_stream(part, stream));
            p.with_children(inside.collect())
        }
    }
}

/// With stores to other cells in place of those to some.
fn stored_instead(p: &Term, pairs: &[(&Term, &Term)]) -> Term {
    if let Some([pointer, value]) = p.args_of(&Functor::Basic(Head::Store)) {
        let new = pairs.iter().find(|(old, _)| *old == pointer);
        let pointer = new.map_or(pointer, |(_, new)| new);
        return p.with_children(vec![pointer.clone(), value.clone()]);
    }
    if p.children().is_empty() {
        return p.clone();
    }
    let inside = p.children().iter().map(|part| stored_instead(part, pairs));
    p.with_children(inside.collect())
}

/// With a variable that only assignments give values in the first cell of an array: these become stores.
fn in_cell(p: &Term, x: &Term, array: &Term) -> Built<Term> {
    let cell = typing::load(array.clone());
    let cell = cell.ok_or_else(|| Unbuildable(format!("`{array}` is no array")))?;
    Ok(with_cell(p, x, array, &cell))
}

fn with_cell(p: &Term, x: &Term, array: &Term, cell: &Term) -> Term {
    if p == x {
        return cell.clone();
    }
    let inside = |term: &Term| with_cell(term, x, array, cell);
    match p.args_of(&Functor::Basic(Head::Assign)) {
        Some([variable, value]) if variable == x => {
            let parts = vec![array.clone(), inside(value)];
            Term::operator(Functor::Basic(Head::Store), parts, p.origin().cloned())
        }
        _ if p.children().is_empty() => p.clone(),
        _ => p.with_children(p.children().iter().map(inside).collect()),
    }
}

/// Adds a procedure; its handle.
fn add_procedure(builder: &mut Builder, kind: ProcKind, name: &str, rest: [Term; 4]) -> Term {
    let id = builder.program.root.children().len() as u32;
    let handle = Term::proc(id, builder.fresh_name(name).into());
    let mut args = vec![handle.clone()];
    args.extend(rest);
    let mut procedures = builder.program.root.children().to_vec();
    procedures.push(Term::app(Functor::Procedure(kind), args));
    builder.program.root = Term::app(Functor::Program, procedures);
    builder.program.proc_spans.push(builder.span);
    handle
}

/// Handle, parameters, locals, result, body.
fn parts_of(builder: &Builder, proc: &Term) -> Built<Vec<Term>> {
    let number = proc.as_proc().map(|(id, _)| id as usize);
    let procedure = number.and_then(|n| builder.program.root.children().get(n));
    match procedure.map(Term::children) {
        Some(parts) if parts.len() == 5 => Ok(parts.to_vec()),
        _ => Err(Unbuildable(format!("`{proc}` is no procedure"))),
    }
}

/// A device procedure that does what a kernel does.
fn device_of(builder: &mut Builder, kernel: &Term) -> Built<Term> {
    let parts = parts_of(builder, kernel)?;
    let rest = [1, 2, 3, 4].map(|n| parts[n].clone());
    let name = format!("{kernel}_device");
    Ok(add_procedure(builder, ProcKind::Device, &name, rest))
}

/// `CpuToGpu` of the papers: calls of host procedures become calls of device procedures, added
/// where they are missing.
fn on_device(builder: &mut Builder, p: &Term, depth: usize) -> Built<Term> {
    if depth > 16 {
        return Err(Unbuildable("calls are nested too deeply".into()));
    }
    if let Some([proc, args, result]) = p.args_of(&Functor::Call) {
        let procedures = builder.program.root.children();
        let callee = proc
            .as_proc()
            .and_then(|(id, _)| procedures.get(id as usize));
        let Some((Functor::Procedure(kind), parts)) = callee.and_then(Term::as_app) else {
            return Err(Unbuildable(format!("`{proc}` is no procedure")));
        };
        if *kind != ProcKind::Host {
            return Ok(p.clone());
        }
        let [params, locals, value, body] = [1, 2, 3, 4].map(|n| parts[n].clone());
        let body = on_device(builder, &body, depth + 1)?;
        let rest = [params, locals, value, body];
        let device = Functor::Procedure(ProcKind::Device);
        let existing = builder
            .program
            .root
            .children()
            .iter()
            .find_map(|procedure| {
                let parts = procedure.args_of(&device)?;
                (parts[1..] == rest).then(|| parts[0].clone())
            });
        let handle = match existing {
            Some(handle) => handle,
            None => {
                let name = format!("{proc}_device");
                add_procedure(builder, ProcKind::Device, &name, rest)
            }
        };
        return Ok(p.with_children(vec![handle, args.clone(), result.clone()]));
    }
    let children = p.children().iter();
    let children = children.map(|child| on_device(builder, child, depth));
    Ok(p.with_children(children.collect::<Built<_>>()?))
}
