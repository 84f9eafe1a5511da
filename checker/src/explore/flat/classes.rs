//! Classes of accesses as bits, and which may stand side by side.

use crate::automaton::{Automaton, FIXED, PlaceId, Touch};
use crate::system::footprint::{AccessClass, MayTouch};
use gridlock_semantics::algebra::operator::AtomicFn;

/// A set of classes.
pub type ClassSet = u16;

const COMMUTING: u32 = 3;

/// Those there are.
const ALL: [AccessClass; 11] = [
    AccessClass::Read,
    AccessClass::Write,
    AccessClass::Atomic,
    AccessClass::Look,
    AccessClass::Commuting(AtomicFn::Add),
    AccessClass::Commuting(AtomicFn::Min),
    AccessClass::Commuting(AtomicFn::Max),
    AccessClass::Commuting(AtomicFn::And),
    AccessClass::Commuting(AtomicFn::Or),
    AccessClass::Commuting(AtomicFn::Xor),
    // The others are `Atomic` or, subtraction, `Add`; one of them stands for what is not expected.
    AccessClass::Commuting(AtomicFn::Exch),
];

/// The class by itself.
#[inline]
pub fn bit(class: AccessClass) -> ClassSet {
    1 << match class {
        AccessClass::Read => 0,
        AccessClass::Write => 1,
        AccessClass::Atomic => 2,
        AccessClass::Look => 15,
        AccessClass::Commuting(function) => COMMUTING + function as u32,
    }
}

/// The classes that interfere with one.
#[inline]
pub fn against(class: AccessClass) -> ClassSet {
    match class {
        AccessClass::Read | AccessClass::Look | AccessClass::Commuting(_) => !bit(class),
        AccessClass::Write | AccessClass::Atomic => ClassSet::MAX,
    }
}

/// The classes that interfere with one, given as a set of one.
#[inline]
pub fn against_bit(class: ClassSet) -> ClassSet {
    let alike = bit(AccessClass::Read) | !((1 << COMMUTING) - 1);
    match class & alike {
        0 => ClassSet::MAX,
        _ => !class,
    }
}

/// What the code of the launch may do to each place, by any thread: by place, the classes of
/// accesses that it may interfere with.
#[derive(Clone, Debug)]
pub struct CodeAt {
    by_own_block: Vec<ClassSet>,
    by_other_blocks: Vec<ClassSet>,
}

impl CodeAt {
    pub fn new(automaton: &Automaton) -> CodeAt {
        let nothing_known = MayTouch::anything();
        let code = automaton.code().unwrap_or(&nothing_known);
        let set = |array, same_block| {
            let met = |class: &&AccessClass| code.may_interfere(array, **class, same_block);
            ALL.iter()
                .filter(met)
                .fold(0, |set, class| set | bit(*class))
        };
        let arrays = automaton.arrays_of_places();
        let mut by_own_block = Vec::with_capacity(arrays.len());
        let mut by_other_blocks = Vec::with_capacity(arrays.len());
        let mut last = None;
        for array in arrays {
            let sets = match last {
                Some((of, sets)) if of == array => sets,
                _ => (set(array, true), set(array, false)),
            };
            last = Some((array, sets));
            by_own_block.push(sets.0);
            by_other_blocks.push(sets.1);
        }
        CodeAt {
            by_own_block,
            by_other_blocks,
        }
    }

    /// Whether code of other threads may interfere with an access.
    pub fn meets(&self, touch: &Touch) -> bool {
        self.set(&self.by_own_block, touch.place) & bit(touch.class) != 0
    }

    /// Whether code of other blocks may interfere with an access.
    pub fn of_others_meets(&self, touch: &Touch) -> bool {
        self.set(&self.by_other_blocks, touch.place) & bit(touch.class) != 0
    }

    fn set(&self, sets: &[ClassSet], place: PlaceId) -> ClassSet {
        if place == FIXED {
            return 0;
        }
        sets.get(place as usize).copied().unwrap_or(ClassSet::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, against, against_bit, bit};

    /// The sets say what the relation on classes says.
    #[test]
    fn sets_agree_with_the_relation() {
        for a in &ALL {
            for b in &ALL {
                assert_eq!(against(*a) & bit(*b) != 0, a.interferes(*b), "{a:?} {b:?}");
                assert_eq!(against_bit(bit(*a)), against(*a), "{a:?}");
            }
        }
    }
}
