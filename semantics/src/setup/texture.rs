//! The arrays of textures and surfaces: additional parameters of a kernel. What a texture holds, and what describes it,
//! its extents and modes, are inputs; a surface's cells are memory that all threads share. `docs/language.md` says what
//! the elements of a description mean. No name of C has these forms, so the name identifies the parameter in every
//! program made from this one.

use super::contents::Contents;

/// What stands for the name of the textures that are known by a number only.
pub const UNNAMED: &str = "textures";

const TEXELS: &str = "texels of ";
const SHAPE: &str = "shape of ";
const CELLS: &str = "cells of ";

/// The extents that a run chooses are at most this.
const MOST: u64 = 32;

/// The array of what a texture object holds.
pub fn texels(name: &str) -> String {
    format!("{TEXELS}{name}")
}

/// The array that describes a texture or a surface.
pub fn shape(name: &str) -> String {
    format!("{SHAPE}{name}")
}

/// The array of what a surface holds.
pub fn cells(name: &str) -> String {
    format!("{CELLS}{name}")
}

/// Whether a parameter of this name is such an array. Nobody allocates it, and its extent is nothing to be given.
pub fn is_of_texture(name: &str) -> bool {
    [TEXELS, SHAPE, CELLS]
        .iter()
        .any(|kind| name.starts_with(kind))
}

/// What a run chooses for a description: numbers that make small textures. `None`: the name is of another array.
pub fn shape_contents(name: &str, seed: u64) -> Option<Contents> {
    let bound = MOST;
    name.starts_with(SHAPE)
        .then_some(Contents::Below { seed, bound })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::types::ScalarType;

    #[test]
    fn descriptions_are_told_from_arguments() {
        assert!(is_of_texture(&texels("t")) && is_of_texture(&shape("t")));
        assert!(is_of_texture(&cells("t")) && !is_of_texture("shape"));
        assert_eq!(shape_contents("texels of t", 3), None);
    }

    #[test]
    fn textures_of_runs_are_small_and_of_all_modes() {
        let drawn = |seed, at| {
            let contents = shape_contents(&shape("t"), seed);
            contents.and_then(|c| c.cell(ScalarType::U32, at).as_integer())
        };
        let numbers = || (0..40).flat_map(|seed| (0..10).map(move |at| drawn(seed, at)));
        assert!(numbers().all(|n| n.is_some_and(|n| (0..32).contains(&n))));
        let modes: std::collections::BTreeSet<_> = numbers().map(|n| n.map(|n| n % 4)).collect();
        assert_eq!(modes.len(), 4);
    }
}
