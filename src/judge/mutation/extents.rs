//! The size of arrays without a given extent: as large as a correct program needs them.

use super::original::is_right_at;
use crate::input::error::InputError;
use crate::input::request::{ExtentFactor, ExtentSpec, Request};
use crate::subject::EntryPoint;
use crate::subject::prepared::Prepared;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::setup::Launch;

/// Elements tried at most.
const MOST: u64 = 1 << 12;

/// The entry with the smallest extent, for each array that has none, at which the program is right at
/// this launch. `None` if every array has one, or the program is right at none that is tried.
///
/// # Errors
/// Extents that do not evaluate.
pub(super) fn as_needed(
    prepared: &Prepared,
    point: &EntryPoint,
    launch: Launch,
    request: &Request,
) -> Result<Option<EntryPoint>, InputError> {
    let procedure = prepared.surface.proc(point.proc);
    let is_open = |var: &VarId| {
        let is_pointer = procedure.vars[var.0 as usize].ty.pointer().is_some();
        is_pointer && !point.extents.contains_key(var)
    };
    let open: Vec<VarId> = procedure.params.iter().copied().filter(is_open).collect();
    if open.is_empty() {
        return Ok(None);
    }
    let suffice = |point: &EntryPoint| is_right_at(prepared, point, launch, request);
    let mut found = point.clone();
    let mut size = 1;
    loop {
        open.iter().for_each(|var| set(&mut found, *var, size));
        if suffice(&found)? {
            break;
        }
        size *= 2;
        if size > MOST {
            return Ok(None);
        }
    }
    for var in open {
        // It does not suffice with `least`, it does with `most`; an extent of 0 never does here.
        let (mut least, mut most) = (0, size);
        while most - least > 1 {
            let middle = least + (most - least) / 2;
            set(&mut found, var, middle);
            match suffice(&found)? {
                true => most = middle,
                false => least = middle,
            }
        }
        set(&mut found, var, most);
    }
    Ok(Some(found))
}

fn set(point: &mut EntryPoint, var: VarId, elements: u64) {
    let spec = ExtentSpec(vec![ExtentFactor::Number(elements)]);
    point.extents.insert(var, spec);
}
