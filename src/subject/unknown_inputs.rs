//! Inputs that nobody gave, where they are unknown and not sampled.

use super::EntryPoint;
use gridlock_proofs::equivalence::Unknowns;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::setup::{Arg, Setup};

/// What nobody gave of the inputs of a kernel.
pub fn unknowns(program: &Program, point: &EntryPoint, setup: &Setup) -> Unknowns {
    let procedure = program.proc(point.proc);
    let mut unknowns = Unknowns {
        arrays: vec![None; setup.arrays.len()],
        ..Unknowns::default()
    };
    for (var, arg) in procedure.params.iter().zip(&setup.args) {
        let decl = &procedure.vars[var.0 as usize];
        let is_given = match decl.ty {
            Type::Pointer(_) => point.contents.contains_key(var),
            Type::Scalar(_) => point.scalars.contains_key(var),
        };
        let name = (!is_given).then(|| decl.name.to_string());
        match arg {
            Arg::Array(index) => {
                unknowns.arrays[*index] = name;
                unknowns.scalars.push(None);
            }
            Arg::Scalar(_) => unknowns.scalars.push(name),
            Arg::Null => unknowns.scalars.push(None),
        }
    }
    let ids = setup.declared.keys().chain(&point.filled);
    let open = ids.filter(|id| !point.declared.contains_key(id));
    unknowns.declared = open
        .map(|id| (*id, format!("{} of the file", program.array(*id).name)))
        .collect();
    unknowns
}
