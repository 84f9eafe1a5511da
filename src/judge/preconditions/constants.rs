//! The numbers a kernel's code speaks of: where a condition is likely to change its mind.

use crate::subject::premises;
use gridlock_semantics::algebra::declaration::{Extent, Space};
use gridlock_semantics::algebra::expr::ExprKind;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::Program;
use std::collections::BTreeSet;

/// The largest number taken for a size.
const MOST: i64 = 4096;
/// How many are kept, the smallest first.
const KEPT: usize = 16;

/// Numbers from 2 on in the code reachable from `kernel` and in the extents of its arrays: the smallest.
pub fn of_kernel(program: &Program, kernel: ProcId) -> Vec<i64> {
    let mut sizes = all_of_kernel(program, kernel);
    sizes.truncate(KEPT);
    sizes
}

/// All of them, in order.
pub fn all_of_kernel(program: &Program, kernel: ProcId) -> Vec<i64> {
    let reachable = premises::features(program, kernel).reachable;
    let mut found: BTreeSet<i64> = BTreeSet::new();
    for proc in &reachable {
        program.proc(*proc).body.walk(&mut |op| {
            for expression in op.expressions() {
                expression.walk(&mut |e| {
                    if let ExprKind::Const(value) = &e.kind
                        && let Some(number) = value.as_integer()
                    {
                        found.extend(i64::try_from(number).ok());
                    }
                });
            }
        });
    }
    for array in &program.arrays {
        let here = array.owner.is_none_or(|owner| reachable.contains(&owner));
        if let (true, Extent::Fixed(n)) = (here, array.extent) {
            let extents = array.dims.iter().chain([&n]);
            found.extend(extents.filter_map(|&n| i64::try_from(n).ok()));
        }
    }
    let sizes = found.into_iter().filter(|n| (2..=MOST).contains(n));
    sizes.collect()
}

/// How many elements each array has that the threads of a block share.
pub fn of_shared_arrays(program: &Program, kernel: ProcId) -> Vec<i64> {
    let reachable = premises::features(program, kernel).reachable;
    let arrays = program.arrays.iter();
    let shared = arrays.filter(|array| {
        let here = array.owner.is_none_or(|owner| reachable.contains(&owner));
        here && array.space == Space::Shared
    });
    let extents = shared.filter_map(|array| match array.extent {
        Extent::Fixed(n) => i64::try_from(n).ok(),
        _ => None,
    });
    extents.filter(|n| (2..=MOST).contains(n)).collect()
}
