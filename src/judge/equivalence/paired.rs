//! Inputs of two programs that correspond.

use super::file_variables::same_variables;
use super::sides::Compared;
use crate::input::error::InputError;
use crate::subject::compared::compared;
use crate::subject::compared_contents::compared_contents;
use crate::subject::indices::{Flow, Named};
use crate::subject::literals::literals;
use crate::subject::{self, Elsewhere, EntryPoint};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::Procedure;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::arbitrary;
use gridlock_semantics::setup::{Arg, ArrayArg, Launch, Setup};
use std::collections::BTreeMap;

/// The new side's setup with the old side's inputs: parameters correspond by name, else by
/// position. An array that either side may write is observed of both. `drawn` gives inputs of the new
/// side alone, for memory of its file that the old side does not have.
pub(super) fn paired_setup(
    old: &Compared,
    new: &Compared,
    old_setup: &mut Setup,
    launch: Option<Launch>,
    drawn: impl Fn(&EntryPoint, Option<Launch>) -> Result<Setup, InputError>,
) -> Result<Setup, InputError> {
    let old_proc = old.prepared.surface.proc(old.point.proc);
    let new_proc = new.prepared.surface.proc(new.point.proc);
    let mut args = Vec::new();
    let mut arrays: Vec<ArrayArg> = Vec::new();
    let mut scalars = new.point.scalars.clone();
    for (position, &var) in new_proc.params.iter().enumerate() {
        let decl = &new_proc.vars[var.0 as usize];
        let partner = partner(old_proc, new_proc, position, var);
        if let (Type::Scalar(ty), Some(Arg::Scalar(value))) =
            (decl.ty, partner.map(|p| &old_setup.args[p]))
            && let Some(value) = converted(*value, ty)
        {
            scalars.entry(var).or_insert(value);
        }
    }
    for (position, &var) in new_proc.params.iter().enumerate() {
        let decl = &new_proc.vars[var.0 as usize];
        let partner = partner(old_proc, new_proc, position, var);
        let unpaired = || {
            InputError::usage(format!(
                "parameter `{}` of `{}` has no counterpart in `{}`{}",
                decl.name,
                new_proc.name,
                old_proc.name,
                match decl.ty {
                    Type::Scalar(_) => format!("; give it with --b-arg {}=…", decl.name),
                    Type::Pointer(_) => ", of that name or of that type in its place".to_owned(),
                }
            ))
        };
        match decl.ty {
            Type::Scalar(_) => {
                args.push(Arg::Scalar(*scalars.get(&var).ok_or_else(unpaired)?));
            }
            // Values that only the new program asks for may be any.
            Type::Pointer(pointer)
                if partner.is_none()
                    && (new_proc.is_arbitrary(var) || arbitrary::is_choice(&decl.name)) =>
            {
                args.push(Arg::Array(arrays.len()));
                arrays.push(ArrayArg {
                    name: decl.name.clone(),
                    elem: pointer.elem,
                    extent: None,
                    contents: arbitrary::contents(&decl.name, pointer.elem, position as u64),
                    observed: false,
                });
            }
            Type::Pointer(_)
                if new.point.nulls.contains(&var)
                    || partner.is_some_and(|p| old_setup.args[p] == Arg::Null) =>
            {
                args.push(Arg::Null);
            }
            Type::Pointer(pointer) => {
                let Some(Arg::Array(index)) = partner.map(|p| &old_setup.args[p]) else {
                    return Err(unpaired());
                };
                let index = *index;
                let source = &mut old_setup.arrays[index];
                source.observed |= !pointer.is_const;
                let source = &old_setup.arrays[index];
                if source.elem != pointer.elem {
                    return Err(unpaired());
                }
                let extent = match new.point.extents.get(&var) {
                    Some(spec) => Some(subject::evaluate_extent(
                        &new.prepared.surface,
                        new.point.proc,
                        spec,
                        &scalars,
                    )?),
                    None => source.extent,
                };
                args.push(Arg::Array(arrays.len()));
                arrays.push(ArrayArg {
                    name: decl.name.clone(),
                    elem: pointer.elem,
                    extent,
                    contents: source.contents.clone(),
                    observed: source.observed,
                });
            }
        }
    }
    let new_program = &new.prepared.surface;
    let mut declared = match new.point.filled.is_empty() {
        true => BTreeMap::new(),
        false => drawn(&new.point, launch)?.declared,
    };
    let pairs = same_variables(&old.prepared.surface, new_program);
    declared.extend(old_setup.declared.iter().filter_map(|(id, contents)| {
        let found = pairs.get(id)?;
        Some((*found, contents.clone()))
    }));
    Ok(Setup {
        device: old_setup.device,
        declared,
        observed: Vec::new(),
        entry: new.point.proc,
        launch,
        args,
        arrays,
    })
}

/// The position of the old side's parameter that the new side's number `position`, `var`, corresponds to: by
/// name; else, of those without a namesake, the so-manieth of its kind.
pub(super) fn partner(
    old: &Procedure,
    new: &Procedure,
    position: usize,
    var: VarId,
) -> Option<usize> {
    let has = |procedure: &Procedure, name: &str| {
        let mut params = procedure.params.iter();
        params.any(|v| *procedure.vars[v.0 as usize].name == *name)
    };
    let name = |procedure: &Procedure, v: VarId| procedure.vars[v.0 as usize].name.clone();
    let wanted = name(new, var);
    let is_named = |v: &VarId| name(old, *v) == wanted;
    let found = old.params.iter().position(is_named);
    if arbitrary::is_choice(&wanted) {
        return found;
    }
    if new.is_arbitrary(var) {
        return found.or_else(|| corresponding(old, new, var));
    }
    let kind = |procedure: &Procedure, v: VarId| match procedure.vars[v.0 as usize].ty {
        Type::Scalar(ty) => (false, ty.is_float(), None),
        Type::Pointer(pointer) => (true, false, Some(pointer.elem)),
    };
    let ours = kind(new, var);
    let alone = |v: &VarId| !has(old, &name(new, *v)) && kind(new, *v) == ours;
    let earlier = new.params.iter().take(position);
    let number = earlier
        .filter(|v| !new.is_arbitrary(**v) && alone(v))
        .count();
    let mut others = old.params.iter().enumerate().filter(|(_, v)| {
        !old.is_arbitrary(**v) && !has(new, &name(old, **v)) && kind(old, **v) == ours
    });
    found.or_else(|| others.nth(number).map(|(position, _)| position))
}

/// A value of the old side's parameter as one of the new side's: integers are converted as a call would.
fn converted(value: Value, ty: ScalarType) -> Option<Value> {
    if value.scalar_type() == Some(ty) {
        return Some(value);
    }
    let number = value.as_integer().filter(|_| ty.is_integer())?;
    Some(Value::int(ty, number))
}

/// What the new side compares the inputs with, by the old side's parameters.
pub(super) fn compared_by_the_other(old: &Compared, new: &Compared) -> Elsewhere {
    let program = &new.prepared.surface;
    let (old_proc, new_proc) = (
        old.prepared.surface.proc(old.point.proc),
        program.proc(new.point.proc),
    );
    let flow = Flow::of(program, new.point.proc);
    let mut contents = compared_contents(program, &flow, new.point.proc);
    let mut scalars = compared(program, new.point.proc);
    let mut elsewhere = Elsewhere {
        literals: literals(program, new.point.proc),
        ..Elsewhere::default()
    };
    for (position, var) in new_proc.params.iter().enumerate() {
        let Some(partner) = partner(old_proc, new_proc, position, *var) else {
            continue;
        };
        let of_old = old_proc.params[partner];
        let constants = contents.remove(&Named::Param(*var)).unwrap_or_default();
        elsewhere
            .contents
            .entry(of_old)
            .or_default()
            .extend(constants);
        let constants = scalars.remove(var).unwrap_or_default();
        elsewhere
            .scalars
            .entry(of_old)
            .or_default()
            .extend(constants);
    }
    elsewhere
}

/// The position of the old side's parameter that holds the values the new side's `var` does: both
/// are the so-manieth place that asks for values of this type.
fn corresponding(old: &Procedure, new: &Procedure, var: VarId) -> Option<usize> {
    let ty = new.vars[var.0 as usize].ty;
    let asks = |proc: &Procedure, v: VarId| {
        proc.is_arbitrary(v) && proc.vars[v.0 as usize].ty.same_shape(ty)
    };
    let earlier = new.params.iter().take_while(|v| **v != var);
    let number = earlier.filter(|v| asks(new, **v)).count();
    let same = old.params.iter().enumerate();
    let mut same = same.filter(|(_, v)| asks(old, **v));
    same.nth(number).map(|(position, _)| position)
}
