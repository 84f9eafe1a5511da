//! Groups of threads of `cooperative_groups`, by their types.

/// Groups of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Block,
    Grid,
    /// This number of neighbouring threads of a block.
    Tile(u32),
}

/// The threads of a `thread_block_tile<N, …>`; those of a tile of lanes that were found at run time are not known.
pub(crate) fn tile(name: &str) -> Option<u32> {
    let (before, inside) = name.split_once("thread_block_tile<")?;
    if !(before.is_empty() || before.ends_with("::")) || inside.contains("coalesced_group") {
        return None;
    }
    let digits = inside.find(|c: char| !c.is_ascii_digit())?;
    inside[..digits].parse().ok()
}
