//! When two accesses *conflict*: the first half of what a data race is.
//!
//! Two accesses conflict if they are made by different threads (or a thread and the host) to one
//! place, at least one of them writes there, and they are not both atomic for each other; under a
//! profile that calls writes of one value benign, two such writes do not conflict either. A *data
//! race* is a pair of conflicting accesses that happens-before leaves unordered
//! (`gridlock_checker::order`).
//!
//! Callers already know that the threads differ and that the place is the same, because detectors group accesses by
//! place. The rest of the definition is [`conflict`], which the reference, every search, the canonical run and the
//! proofs call.
//!
//! Sources: C++17 \[intro.races\]; PTX ISA 8.5, 8.5 (morally strong operations: each atomic's scope
//! includes the other's thread).

use crate::algebra::operator::Scope;
use crate::transition::AccessMode;

/// The properties of an access that decide whether it conflicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessKind {
    /// Whether it reads, writes, or is atomic.
    pub mode: AccessMode,
    /// An atomic that is one for the threads of its own block only.
    pub is_block_scoped: bool,
}

impl AccessKind {
    /// Of an access in `mode`; `scope` is that of the operator if it is an atomic.
    pub fn new(mode: AccessMode, scope: Option<Scope>) -> AccessKind {
        AccessKind {
            mode,
            is_block_scoped: mode.is_atomic() && scope == Some(Scope::Block),
        }
    }
}

/// Whether two accesses by different threads to one place conflict.
///
/// `is_one_block` says that the threads are of one block. `is_benign` is called for two plain writes only; it says
/// whether they write the same value and the profile's axis *same-value writes* calls that benign.
#[inline]
pub fn conflict(
    first: AccessKind,
    second: AccessKind,
    is_one_block: bool,
    is_benign: impl FnOnce() -> bool,
) -> bool {
    if first.mode.reads_only() && second.mode.reads_only() {
        return false;
    }
    match (first.mode, second.mode) {
        (AccessMode::Write, AccessMode::Write) => !is_benign(),
        (one, other) if one.is_atomic() && other.is_atomic() => {
            !are_atomic_for_each_other(first, second, is_one_block)
        }
        _ => true,
    }
}

/// Whether the scope of each of two atomics includes the thread that makes the other.
#[inline]
pub fn are_atomic_for_each_other(
    first: AccessKind,
    second: AccessKind,
    is_one_block: bool,
) -> bool {
    is_one_block || !(first.is_block_scoped || second.is_block_scoped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use AccessMode::{Atomic, AtomicRead, Read, Write};

    const MODES: [AccessMode; 4] = [Read, Write, Atomic, AtomicRead];
    const SCOPES: [Option<Scope>; 2] = [Some(Scope::Block), Some(Scope::Device)];

    fn kinds() -> impl Iterator<Item = AccessKind> {
        let all = MODES.into_iter();
        all.flat_map(|mode| SCOPES.map(|scope| AccessKind::new(mode, scope)))
    }

    /// By mode, in the order of `MODES`: `.` no conflict, `x` conflict, `s` conflict if a scope does not
    /// reach, `v` conflict unless the values are the same and that is benign.
    const TABLE: [&str; 4] = [".xx.", "xvxx", "xxss", ".xs."];

    #[test]
    fn the_table_of_modes() {
        for (row, first) in kinds().enumerate() {
            for (column, second) in kinds().enumerate() {
                let entry = TABLE[row / 2].as_bytes()[column / 2];
                for (is_one_block, is_benign) in
                    [(false, false), (false, true), (true, false), (true, true)]
                {
                    let is_narrow = first.is_block_scoped || second.is_block_scoped;
                    let expected = match entry {
                        b'.' => false,
                        b's' => is_narrow && !is_one_block,
                        b'v' => !is_benign,
                        _ => true,
                    };
                    let found = conflict(first, second, is_one_block, || is_benign);
                    assert_eq!(found, expected, "{first:?} {second:?} {is_one_block}");
                }
            }
        }
    }

    #[test]
    fn it_is_symmetric_and_benign_is_asked_of_writes_only() {
        for first in kinds() {
            for second in kinds() {
                for is_one_block in [false, true] {
                    let asked = std::cell::Cell::new(false);
                    let benign = || {
                        asked.set(true);
                        true
                    };
                    let there = conflict(first, second, is_one_block, benign);
                    let back = conflict(second, first, is_one_block, || true);
                    assert_eq!(there, back, "{first:?} {second:?}");
                    assert_eq!(asked.get(), (first.mode, second.mode) == (Write, Write));
                }
            }
        }
    }
}
