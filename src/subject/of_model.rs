//! Inputs of which the solver says something, as a setup that can be run.

use gridlock_proofs::equivalence::{Inputs, Unknowns};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Arg, Contents, Setup};

/// Cells up to this number are given to an array when a model of the solver is run.
const MOST_CELLS: i64 = 1 << 20;
/// Cells that keep what they hold in the sample, in an array of no given extent.
const LEAST_CELLS: u64 = 4_096;

/// A setup with the inputs of a model; what the model leaves open stays as it is. `types`: those of the parameters; `with_results`:
/// also what arrays hold at first that are observed.
pub(crate) fn with_inputs(
    setup: &Setup,
    unknowns: &Unknowns,
    types: &[Type],
    inputs: &Inputs,
    with_results: bool,
) -> Setup {
    let mut setup = setup.clone();
    for ((arg, unknown), ty) in setup.args.iter_mut().zip(&unknowns.scalars).zip(types) {
        let bits = unknown
            .as_ref()
            .and_then(|name| inputs.scalars.iter().find(|(n, _)| n == name));
        if let (Arg::Scalar(value), Some((_, bits)), Some(ty)) = (arg, bits, ty.scalar()) {
            *value = of_bits(ty, *bits);
        }
    }
    for (array, unknown) in setup.arrays.iter_mut().zip(&unknowns.arrays) {
        let Some(name) = unknown.as_ref().filter(|_| with_results || !array.observed) else {
            continue;
        };
        let cells: Vec<(i64, u64)> = inputs
            .cells
            .iter()
            .filter(|(n, cell, _)| n == name && (0..MOST_CELLS).contains(cell))
            .map(|(_, cell, bits)| (*cell, *bits))
            .collect();
        let Some(last) = cells.iter().map(|(cell, _)| *cell).max() else {
            continue;
        };
        let n = array.extent.unwrap_or(LEAST_CELLS).min(MOST_CELLS as u64);
        let mut values: Vec<Value> = (0..n.max(last as u64 + 1))
            .map(|cell| array.contents.cell(array.elem, cell))
            .collect();
        for (cell, bits) in cells {
            values[cell as usize] = of_bits(array.elem, bits);
        }
        array.contents = Contents::Values(values);
    }
    setup
}

fn of_bits(ty: ScalarType, bits: u64) -> Value {
    match ty {
        ScalarType::Bool => Value::Bool(bits != 0),
        ScalarType::F32 => Value::F32(bits as u32),
        ScalarType::F64 => Value::F64(bits),
        int => Value::int(int, i128::from(bits)),
    }
}
