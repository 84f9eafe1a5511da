//! Makes a procedure of a function: its parameters, its body, its result. Some functions are read twice, because the
//! first reading finds facts that the second needs.

pub(crate) mod unassignment;
pub(crate) mod unused_results;

use crate::assumed::Assumed;
use crate::body::binding::Binding;
use crate::body::code::Code;
use crate::body::parameters::{Parameter, is_command_line, parameters, refuse_at};
use crate::body::program_builder::Builder;
use crate::body::{Body, sequence};
use crate::body::{asked, group_copies};
use crate::order::footprint::Unordered;
use crate::parsed::Note;
use crate::refusal::{Refusal, Result};
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::CType;
use crate::unit::{Function, Side, Unit};
use gridlock_semantics::algebra::cell_names::CellNames;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::program::{ProcKind, Procedure};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use std::sync::Arc;
use unassignment::without_needless;
use unused_results::{adds_narrow_floats, without_unused};

/// A procedure, with notes on what was read without effect, and with assumptions.
pub(crate) struct Made {
    pub procedure: Procedure,
    pub notes: Vec<Note>,
    pub assumed: Vec<Assumed>,
    /// Of parameters whose elements are not cells: the variables for each, and their cells an element.
    pub layouts: Vec<(String, Vec<(String, u64)>)>,
    /// The names of the cells behind its pointers.
    pub pointed: Vec<(VarId, CellNames)>,
    /// Operands without an order whose evaluation touches memory.
    pub unordered: Vec<Unordered>,
}

/// Reads one function.
pub(crate) fn procedure<'a>(
    unit: &Unit<'a>,
    builder: &mut Builder,
    index: usize,
    name: &str,
    proc: ProcId,
    kind: ProcKind,
) -> Result<Made> {
    let mark = builder.mark();
    let first = FirstReading::default();
    let (made, first) = attempt(unit, builder, index, name, proc, kind, &first)?;
    if first.places.is_empty() {
        return Ok(made);
    }
    builder.reset(mark);
    attempt(unit, builder, index, name, proc, kind, &first).map(|(made, _)| made)
}

/// The facts that the first reading of a function finds.
#[derive(Default)]
pub(crate) struct FirstReading {
    /// The places that need arbitrary values.
    pub places: Vec<asked::Asked>,
    /// The calls that begin asynchronous copies.
    pub copies: Vec<group_copies::Shape>,
}

/// Reads a function, using the facts that the `first` reading of it found; returns the facts found now.
pub(crate) fn attempt<'a>(
    unit: &Unit<'a>,
    builder: &mut Builder,
    index: usize,
    name: &str,
    proc: ProcId,
    kind: ProcKind,
    first: &FirstReading,
) -> Result<(Made, FirstReading)> {
    let function = &unit.functions[index];
    if let Some(trouble) = &function.trouble {
        return Err(trouble.clone());
    }
    if let (false, Some(at)) = (function.is_recursive, unit.recursion(index)) {
        return refuse_at(unit, at, format!("recursion of `{}`", function.node.name()));
    }
    if function.node.kind.variadic {
        return refuse_at(unit, function.node, "a variable number of arguments");
    }
    let mut body = Body::new(unit, builder, proc, kind);
    body.in_place.extend(function.is_recursive.then_some(index));
    body.find_boxed(function.body);
    body.required_group(function)?;
    let mut params = body.parameters(function)?;
    params.extend(body.hold_arbitrary(&first.places, unit.files.span(function.node)));
    body.declare_copies(&first.copies);
    body.thread_copies.n_params = params.len();
    body.assigned_locals(function);
    let most_threads = body.launch_bounds(function)?;
    if kind == ProcKind::Kernel {
        body.assume_enumerators(function);
        body.assume_in_range(function);
        body.assume_axioms()?;
    }
    let result = body.result(function)?;
    let mut all = std::mem::take(&mut body.ops);
    let main = body.block(|b| {
        b.function_body(function.body)?;
        b.finish_copies(function.node)
    })?;
    let main = body.with_thread_copies(main, function.node)?;
    body.check_stored_pointers()?;
    all.extend(body.no_copies_yet());
    all.extend(body.no_thread_copies_yet());
    all.extend(body.first_arbitrary(unit.files.span(function.node)));
    all.extend(body.flow_prologue(unit.files.span(function.node)));
    all.extend(main);
    if let Some((span, own, given)) = body.conflict {
        return Err(Refusal {
            span,
            message: format!(
                "a pointer to `{}` cells that is given one to `{}` cells",
                own.usual_name(),
                given.usual_name()
            ),
            cause: None,
        });
    }
    let span = unit.files.span(function.node);
    let whole = sequence(all);
    let is_atomic = |f: &Function<'_>| {
        let record = f.record.as_deref();
        record.is_some_and(|record| record.starts_with("cuda::atomic"))
    };
    let whole = match unit.functions.iter().any(is_atomic) || adds_narrow_floats(&whole) {
        true => without_unused(&whole, result),
        false => whole,
    };
    let procedure = Procedure {
        name: Arc::from(name),
        kind,
        params,
        vars: std::mem::take(&mut body.vars),
        result,
        body: without_needless(&whole),
        most_threads,
        span,
    };
    let made = Made {
        procedure,
        notes: std::mem::take(&mut body.notes),
        assumed: std::mem::take(&mut body.assumed),
        layouts: std::mem::take(&mut body.layouts),
        pointed: std::mem::take(&mut body.pointed),
        unordered: std::mem::take(&mut body.unordered),
    };
    let told = FirstReading {
        places: std::mem::take(&mut body.arbitrary.found),
        copies: body.group_copies.shapes(),
    };
    Ok((made, told))
}

impl Body<'_, '_> {
    /// The first number of `__launch_bounds__`, where it is a constant.
    pub(crate) fn launch_bounds(&mut self, function: &Function<'_>) -> Result<Option<u32>> {
        let is_bound = |n: &&Node| n.is(Kind::CUDALaunchBoundsAttr);
        let attribute = function.node.inner.iter().find(is_bound);
        let most = attribute.filter(|_| function.side == Side::Kernel);
        let Some(most) = most.and_then(|attribute| attribute.inner.first()) else {
            return Ok(None);
        };
        let value = self.constant_value(most, ScalarType::I64)?;
        let most = value.and_then(Value::as_integer);
        Ok(most
            .and_then(|most| u32::try_from(most).ok())
            .filter(|most| *most > 0))
    }
}

impl<'a> Code<'_, 'a> {
    /// Assumes of arguments whose type is an enumeration that they are in its range, as C++ demands.
    fn assume_enumerators(&mut self, function: &Function<'a>) {
        for &node in &function.params {
            let text = node.type_text().trim_start_matches("const ");
            let name = text.strip_prefix("enum ").unwrap_or(text);
            let known = self.unit.enum_ranges.get(name);
            let (Some(&(least, most)), Some(&Binding::Var(var, ty))) =
                (known, self.bindings.get(&node.id))
            else {
                continue;
            };
            let Some(scalar) = ty.scalar().filter(|s| s.is_integer()) else {
                continue;
            };
            let span = self.span(node);
            let bound = |n| Expr::constant(Value::int(scalar, n));
            let value = || Expr::var(var, ty);
            let mut cond = Expr::binary(BinaryOp::Le, value(), bound(most));
            if scalar.is_signed() {
                let above = Expr::binary(BinaryOp::Ge, value(), bound(least));
                cond = Expr::binary(BinaryOp::And, above, cond);
            }
            self.emit(Basic::Assume { cond }, span);
            let name = node.name();
            self.note(
                node,
                format!("`{name}` is an enumeration: its values are {least} to {most}"),
            );
        }
    }

    fn result(&mut self, function: &Function<'a>) -> Result<Option<VarId>> {
        if matches!(function.returns.ty, CType::Void | CType::Status) {
            return Ok(None);
        }
        let node = function.node;
        if matches!(function.returns.ty, CType::Reference(_)) {
            return self.refuse(node, "a function that returns a reference");
        }
        let span = self.span(node);
        match function.returns.variable_type() {
            Ok(ty) => {
                let result = self.declare("result", ty, span);
                self.flow.result = Some(result);
                Ok(Some(result))
            }
            Err(message) => self.refuse(node, format!("a function that returns {message}")),
        }
    }
}

impl<'a> Body<'_, 'a> {
    /// Makes variables of the parameters and binds their names.
    fn parameters(&mut self, function: &Function<'a>) -> Result<Vec<VarId>> {
        let parameters = parameters(self.unit, function, self.on_host())?;
        let mut ids = Vec::new();
        let mut boxed = Vec::new();
        let mut in_memory = Vec::new();
        for (position, (&node, parameter)) in function.params.iter().zip(parameters).enumerate() {
            let span = self.span(node);
            let declared = self.type_of(node).decayed();
            let binding = match parameter {
                Parameter::Erased if declared.ty == CType::Status => Binding::Status,
                Parameter::Erased if self.on_host() && is_command_line(function, &declared) => {
                    self.main_parameter(position, node.kind.is_used, declared.scalar())
                }
                Parameter::Erased => Binding::Text,
                Parameter::LocalMemory(to) => self.launch_local(node, &to)?,
                Parameter::Var(ty) => {
                    let var = self.declare(node.name(), ty, span);
                    ids.push(var);
                    self.note_parameter(node, &[var]);
                    self.note_cells(node, &declared, ty);
                    self.note_layout(node, &declared, &[var]);
                    self.name_behind(node, &declared, &[var]);
                    if self.boxed.contains(&node.id) {
                        boxed.push((node, var, ty));
                    }
                    Binding::Var(var, ty)
                }
                Parameter::Parts(parts) => {
                    let mut vars = Vec::new();
                    for part in parts {
                        let name = format!("{}{}", node.name(), part.path);
                        vars.push(self.declare(&name, part.ty, span));
                    }
                    ids.extend(&vars);
                    self.note_layout(node, &declared, &vars);
                    self.name_behind(node, &declared, &vars);
                    self.note_parameter(node, &vars);
                    if self.is_memory(node, &declared) {
                        in_memory.push((node, vars.clone(), declared.clone()));
                    }
                    Binding::Object(vars, declared)
                }
                Parameter::Reference(ty) => {
                    let var = self.declare(node.name(), ty, span);
                    ids.push(var);
                    let to = match declared.ty {
                        CType::Reference(to) => *to,
                        _ => declared,
                    };
                    Binding::Reference(var, to)
                }
            };
            self.bindings.insert(node.id, binding);
        }
        for (node, var, ty) in boxed {
            let span = self.span(node);
            let place = self.box_local(node)?;
            self.write(&place, Expr::var(var, ty), span, node)?;
        }
        for (node, vars, ty) in in_memory {
            let span = self.span(node);
            let binding = self.local_memory(node, node.name(), &ty, span)?;
            let place = self.place_of(binding.clone(), node)?;
            self.bindings.insert(node.id, binding);
            let value = |var: VarId| Expr::var(var, self.vars[var.0 as usize].ty);
            let values = vars.into_iter().map(value).collect();
            self.write_parts(&place, values, span, node)?;
        }
        Ok(ids)
    }
}
