//! What a profile knows of warps.

use super::axis::axis;

/// Lanes of a warp at most: `warpSize` of every device, and of a profile that knows nothing of warps.
const MOST_LANES: u32 = 32;

axis! {
    /// What is known of warps.
    pub enum Warps with numbers {
        None = "none", "there are no warps to rely on";
        Independent(n) = "independent", "the {n} threads of a warp move independently";
        Lockstep(n) = "lockstep",
            "the {n} threads of a warp move together; a divergent warp runs one path, either first, to where they \
             meet again";
    }
}

impl Warps {
    /// Threads of a warp, where something is known of warps.
    pub fn known_size(self) -> Option<u32> {
        match self {
            Warps::None => None,
            Warps::Independent(size) | Warps::Lockstep(size) => Some(size.clamp(1, MOST_LANES)),
        }
    }

    /// Whether anything is known of warps.
    pub const fn are_known(self) -> bool {
        !matches!(self, Warps::None)
    }

    /// The value of `warpSize`, also where nothing is known of warps.
    pub fn size(self) -> u32 {
        self.known_size().unwrap_or(MOST_LANES)
    }

    /// Whether the threads of a warp move together.
    pub const fn is_lockstep(self) -> bool {
        matches!(self, Warps::Lockstep(_))
    }

    /// Whether the threads of a warp move independently, and it has operations of its own.
    pub const fn is_independent(self) -> bool {
        matches!(self, Warps::Independent(_))
    }
}
