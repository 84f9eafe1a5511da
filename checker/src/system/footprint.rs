//! Sets of accesses, and whether two of them get in each other's way.
//!
//! Two accesses *interfere* when exchanging them may change what either reads or what is left in
//! memory. Reads do not interfere with reads; atomics of one commutative function whose results
//! are not used do not interfere with each other (integer addition, minimum, …: the memory they
//! leave and the steps that follow are the same in either order).

use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::AtomicFn;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::transition::{Access, Actor};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// How an access gets along with others at the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AccessClass {
    /// A plain read.
    Read,
    /// A plain write.
    Write,
    /// An atomic whose order among others shows.
    Atomic,
    /// An atomic that leaves every cell as it was (`atomicAdd(p, 0)`): among themselves they read.
    /// With a plain read it makes a race all the same, so it is no `Read`.
    Look,
    /// An integer atomic of a commutative function, its result unused. `Sub` counts as `Add`.
    Commuting(AtomicFn),
}

impl AccessClass {
    /// Whether exchanging two accesses of one place may change what is read or left.
    pub fn interferes(self, other: AccessClass) -> bool {
        match (self, other) {
            (AccessClass::Read, AccessClass::Read) | (AccessClass::Look, AccessClass::Look) => {
                false
            }
            (AccessClass::Commuting(f), AccessClass::Commuting(g)) => f != g,
            _ => true,
        }
    }
}

/// A place in memory as all blocks see it: shared and private arrays are told apart by block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MemoryPlace {
    /// The block, for shared arrays; 0 for memory that is one for all.
    instance: u32,
    array: ArrayRef,
    index: i64,
}

impl MemoryPlace {
    /// The block whose threads alone can reach it; `None` for memory that is one for all.
    pub fn block(&self) -> Option<u32> {
        self.instance.checked_sub(1)
    }

    /// Which of the two memories that threads have in common it belongs to.
    pub fn space(&self) -> Space {
        match self.block() {
            Some(_) => Space::Shared,
            None => Space::Global,
        }
    }
}

/// The place an access touches.
pub fn place_of(access: &Access) -> MemoryPlace {
    MemoryPlace {
        instance: instance_of(access),
        array: access.array,
        index: access.index,
    }
}

/// Whether two accesses are made by threads of one block.
pub fn are_of_one_block(first: &Access, second: &Access) -> bool {
    match (first.actor, second.actor) {
        (Actor::Thread { block: one, .. }, Actor::Thread { block: other, .. }) => one == other,
        _ => false,
    }
}

fn instance_of(access: &Access) -> u32 {
    match (access.array, access.actor) {
        (ArrayRef::Shared(_), Actor::Thread { block, .. } | Actor::Block(block)) => block + 1,
        _ => 0,
    }
}

/// The accesses of a stretch of a run.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    /// The classes met at each place; two classes that do not interfere may stand side by side
    /// (none do but equal ones, so at most a handful).
    places: FxHashMap<MemoryPlace, Vec<AccessClass>>,
}

impl Footprint {
    /// Adds an access of this class.
    pub fn add(&mut self, access: &Access, class: AccessClass) {
        let classes = self.places.entry(place_of(access)).or_default();
        if !classes.contains(&class) {
            classes.push(class);
        }
    }

    /// Adds the accesses of another footprint.
    pub fn extend(&mut self, other: &Footprint) {
        for (place, classes) in &other.places {
            let mine = self.places.entry(*place).or_default();
            for class in classes {
                if !mine.contains(class) {
                    mine.push(*class);
                }
            }
        }
    }

    /// Whether some access here interferes with one there.
    pub fn interferes(&self, other: &Footprint) -> bool {
        let (small, large) = if self.places.len() <= other.places.len() {
            (self, other)
        } else {
            (other, self)
        };
        small.places.iter().any(|(place, mine)| {
            large
                .places
                .get(place)
                .is_some_and(|theirs| any_interferes(mine, theirs))
        })
    }

    /// Whether some access here interferes with what code of another thread may do.
    /// `same_block` says whether the two share their shared arrays.
    pub fn interferes_with_code(&self, code: &MayTouch, same_block: bool) -> bool {
        self.places.iter().any(|(place, classes)| {
            classes
                .iter()
                .any(|class| code.may_interfere(place.array, *class, same_block))
        })
    }

    /// Whether there is no access.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

fn any_interferes(mine: &[AccessClass], theirs: &[AccessClass]) -> bool {
    mine.iter().any(|a| theirs.iter().any(|b| a.interferes(*b)))
}

/// What a piece of code may do to memory, by array: an over-approximation of any run of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MayTouch {
    arrays: FxHashSet<(ArrayRef, AccessClass)>,
    /// Accesses that may go to any array in global memory.
    any_global: FxHashSet<AccessClass>,
    /// Nothing is known: it may do anything.
    anything: bool,
}

impl MayTouch {
    /// What is true of any code.
    pub fn anything() -> MayTouch {
        MayTouch {
            anything: true,
            ..MayTouch::default()
        }
    }

    /// Adds an access to any cell of an array.
    pub fn add(&mut self, array: ArrayRef, class: AccessClass) {
        self.arrays.insert((array, class));
    }

    /// Adds an access to any cell of any array of global memory.
    pub fn add_any_global(&mut self, class: AccessClass) {
        self.any_global.insert(class);
    }

    /// Whether code that may do this may write to `array` plainly.
    pub fn may_write(&self, array: ArrayRef) -> bool {
        let is_global = matches!(array, ArrayRef::Global(_));
        self.anything
            || self.arrays.contains(&(array, AccessClass::Write))
            || is_global && self.any_global.contains(&AccessClass::Write)
    }

    /// Whether code that may do this may interfere with an access of `class` to `array`.
    pub fn may_interfere(&self, array: ArrayRef, class: AccessClass, same_block: bool) -> bool {
        if matches!(array, ArrayRef::Shared(_)) && !same_block {
            return false;
        }
        let is_global = matches!(array, ArrayRef::Global(_));
        self.anything
            || self
                .arrays
                .iter()
                .any(|(touched, how)| *touched == array && how.interferes(class))
            || is_global && self.any_global.iter().any(|how| how.interferes(class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_interferes() {
        use AccessClass::*;
        let add = Commuting(AtomicFn::Add);
        let max = Commuting(AtomicFn::Max);
        for (a, b, expected) in [
            (Read, Read, false),
            (Read, Write, true),
            (Write, Write, true),
            (Atomic, Atomic, true),
            (Atomic, Read, true),
            (add, add, false),
            (add, max, true),
            (add, Read, true),
            (add, Atomic, true),
        ] {
            assert_eq!(a.interferes(b), expected, "{a:?} {b:?}");
            assert_eq!(b.interferes(a), expected, "{b:?} {a:?}");
        }
    }
}
