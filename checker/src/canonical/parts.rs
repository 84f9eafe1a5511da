//! The parts in which the blocks of a launch are gone through where something races in it. How many there are does not depend
//! on the number of processors.

use gridlock_semantics::setup::Launch;

/// Parts of a launch at most.
const MOST: u32 = 16;

/// Parts of a launch of so many blocks.
pub fn number(n_blocks: u32) -> u32 {
    n_blocks.min(MOST)
}

/// The first block of a part.
pub fn first_of(part: u32, n_blocks: u32) -> u32 {
    (u64::from(part) * u64::from(n_blocks) / u64::from(number(n_blocks))) as u32
}

/// Whether a part begins with this block.
pub fn begins_with(launch: &Launch, block: u32) -> bool {
    let n_blocks = launch.n_blocks() as u32;
    (0..number(n_blocks)).any(|part| first_of(part, n_blocks) == block)
}
