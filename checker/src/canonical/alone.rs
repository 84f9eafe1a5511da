//! A launch of a host program as a launch by itself: on what its kernel was given in the run. A replay of a program
//! whose host code has made millions of steps begins there, and not at the first of them.

use super::run::Run;
use crate::compiled::memory::Array;
use crate::compiled::raw;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use std::collections::BTreeMap;

/// Transitions of a host program that make it a long one: one of its launches is then looked at by itself.
const MANY: u64 = 200_000;

/// Whether a launch of this run is looked at by itself.
pub fn is_long(run: &Run<'_>) -> bool {
    run.setup.launch.is_none() && !run.uses_streams && run.transitions > MANY
}

/// The setup of a launch that `run`, of a host program, is about to make. `args`: the registers of each argument. `None`
/// where it cannot be given to the kernel alone: pointers into the middle of arrays or to other memory than arrays of the
/// device that are allocated, under another type than theirs.
pub fn setup_of(run: &Run<'_>, kernel: ProcId, launch: Launch, args: &[[u64; 2]]) -> Option<Setup> {
    let program = run.program();
    let procedure = program.proc(kernel);
    let n_declared = n_declared(run);
    let mut arrays: Vec<ArrayArg> = Vec::new();
    let mut numbers: Vec<u32> = Vec::new();
    let mut given = Vec::new();
    for (var, [bits, offset]) in procedure.params.iter().zip(args) {
        let decl = &procedure.vars[var.0 as usize];
        let pointer = match decl.ty {
            Type::Scalar(ty) => {
                given.push(Arg::Scalar(raw::to_value(*bits, ty)));
                continue;
            }
            Type::Pointer(pointer) => pointer,
        };
        let number = match raw::to_array(*bits) {
            ArrayRef::Null => {
                given.push(Arg::Null);
                continue;
            }
            ArrayRef::Global(number) if number >= n_declared && *offset == 0 => number,
            _ => return None,
        };
        if let Some(index) = numbers.iter().position(|known| *known == number) {
            given.push(Arg::Array(index));
            continue;
        }
        let array = run.global.get(number as usize)?;
        if array.freed() || array.elem != pointer.elem {
            return None;
        }
        given.push(Arg::Array(arrays.len()));
        numbers.push(number);
        arrays.push(ArrayArg {
            name: decl.name.clone(),
            elem: array.elem,
            extent: Some(array.len()),
            contents: contents(array),
            observed: true,
        });
    }
    Some(Setup {
        entry: kernel,
        launch: Some(launch),
        args: given,
        arrays,
        declared: declared(run),
        observed: Vec::new(),
        device: run.setup.device,
    })
}

/// How many of the global arrays the file declares.
fn n_declared(run: &Run<'_>) -> u32 {
    let arrays = run.program().arrays.iter();
    let global = arrays.filter(|decl| matches!(decl.space, Space::Global | Space::Constant));
    global.count() as u32
}

/// What those hold.
fn declared(run: &Run<'_>) -> BTreeMap<ArrayId, Contents> {
    let declared = (0..).map(ArrayId).zip(&run.program().arrays);
    let global = declared.filter(|(_, decl)| matches!(decl.space, Space::Global | Space::Constant));
    let held = global.zip(run.global.iter());
    held.map(|((id, _), array)| (id, contents(array))).collect()
}

fn contents(array: &Array) -> Contents {
    let values = array.values();
    match values.first() {
        Some(Value::Undef) if values.iter().all(|value| *value == Value::Undef) => Contents::Undef,
        Some(first) if values.iter().all(|value| value == first) => Contents::Fill(*first),
        _ => Contents::Values(values),
    }
}
