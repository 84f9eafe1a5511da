//! The blocks that are tried where launches are made as one makes them.

use super::space::Space;
use super::variable::Variable;
use gridlock_semantics::algebra::expr::Axis;

const EXTENTS: &[i64] = &[
    1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 48, 64, 96, 128, 192, 256, 512, 1024,
];
const SIDES: &[i64] = &[1, 2, 3, 4, 8, 16, 32];

/// The dimensions of the block that vary, by axis.
pub(super) fn block_dimensions(space: &Space) -> [Option<usize>; 3] {
    [Axis::X, Axis::Y, Axis::Z].map(|axis| {
        let found = space.find(Variable::BlockDim(axis));
        found.filter(|&d| !space.dimensions[d].is_fixed())
    })
}

/// Extents of blocks to try: usual ones, and those that the code names.
pub(super) fn blocks(space: &Space, numbers: &[i64]) -> Vec<[i64; 3]> {
    let [x, y, z] = block_dimensions(space);
    let along = |d: Option<usize>, usual: &[i64]| -> Vec<i64> {
        let mut extents = match d {
            None => vec![1],
            Some(_) => [usual, numbers].concat(),
        };
        extents.retain(|extent| (1..=1024).contains(extent));
        extents.sort_unstable();
        extents.dedup();
        extents
    };
    let warps: Vec<i64> = numbers.iter().map(|n| n.saturating_mul(32)).collect();
    let mut found = Vec::new();
    for a in along(x, &[EXTENTS, &warps].concat()) {
        for &b in &along(y, SIDES) {
            for &c in &along(z, &[1, 2, 4]) {
                if a.saturating_mul(b).saturating_mul(c) <= 1024 {
                    found.push([a, b, c]);
                }
            }
        }
    }
    found
}
