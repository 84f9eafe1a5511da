//! What builds right sides: a program for a machine with a stack.
//!
//! A rule that matches leaves slots on the stack (its arguments and the parts the net looked at). The program
//! reads them; a head no rule begins with is built at once, another is called. Parts that stand twice in a
//! right side are built once, before it, as further slots; parts without a variable and without a head of a
//! rule are built when the rules are read.

use super::bank::{Bank, HeadId, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A right side or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// What the left side has at this place.
    Place(u32),
    App(HeadId, Vec<Part>),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    /// Pushes what a slot holds.
    Slot(u32),
    /// Pushes a normal term.
    Constant(TermId),
    /// A term of a head no rule begins with: takes its arguments, pushes it.
    Build { head: HeadId, n_args: u32 },
    /// Takes arguments, pushes the normal form.
    Call { head: HeadId, n_args: u32 },
    /// The same as the last thing done.
    CallLast { head: HeadId, n_args: u32 },
    /// What was pushed last is the normal form.
    Return,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub instructions: Vec<Instruction>,
    /// Heads rules begin with.
    defined: FxHashSet<HeadId>,
}

struct Builder<'a> {
    code: &'a mut Code,
    bank: &'a mut Bank,
    places: &'a [u32],
    /// Slots of parts that are there already.
    built: FxHashMap<&'a Part, u32>,
}

impl Code {
    pub fn new(defined: impl Iterator<Item = HeadId>) -> Code {
        Code {
            instructions: Vec::new(),
            defined: defined.collect(),
        }
    }

    /// The program for a right side, given the slots of its places and how many there are.
    pub fn entry(&mut self, bank: &mut Bank, right: &Part, places: &[u32], n_slots: u32) -> u32 {
        let entry = self.instructions.len() as u32;
        let mut twice = Vec::new();
        repeated(right, &mut FxHashSet::default(), &mut twice);
        let mut builder = Builder {
            code: self,
            bank,
            places,
            built: FxHashMap::default(),
        };
        for (slot, part) in (n_slots..).zip(twice) {
            builder.part(part);
            builder.built.insert(part, slot);
        }
        builder.part(right);
        let last = self.instructions.last_mut();
        match last {
            Some(last @ Instruction::Call { .. }) => {
                if let Instruction::Call { head, n_args } = *last {
                    *last = Instruction::CallLast { head, n_args };
                }
            }
            _ => self.instructions.push(Instruction::Return),
        }
        entry
    }
}

/// The compound parts that stand twice, what is inside of others before them.
fn repeated<'p>(part: &'p Part, met: &mut FxHashSet<&'p Part>, twice: &mut Vec<&'p Part>) {
    let Part::App(_, args) = part else {
        return;
    };
    if !met.insert(part) {
        if !twice.contains(&part) && !args.is_empty() {
            twice.push(part);
        }
        return;
    }
    for arg in args {
        repeated(arg, met, twice);
    }
}

impl<'a> Builder<'a> {
    /// The normal term that a part is whatever its rule matched.
    fn constant(&mut self, part: &Part) -> Option<TermId> {
        let Part::App(head, args) = part else {
            return None;
        };
        if self.code.defined.contains(head) {
            return None;
        }
        let args: Option<Vec<TermId>> = args.iter().map(|arg| self.constant(arg)).collect();
        Some(self.bank.term(*head, &args?))
    }

    fn part(&mut self, part: &'a Part) {
        let instruction = match part {
            Part::Place(place) => Instruction::Slot(self.places[*place as usize]),
            Part::App(head, args) => {
                if let Some(slot) = self.built.get(part) {
                    Instruction::Slot(*slot)
                } else if let Some(term) = self.constant(part) {
                    Instruction::Constant(term)
                } else {
                    for arg in args {
                        self.part(arg);
                    }
                    let (head, n_args) = (*head, args.len() as u32);
                    match self.code.defined.contains(&head) {
                        true => Instruction::Call { head, n_args },
                        false => Instruction::Build { head, n_args },
                    }
                }
            }
        };
        self.code.instructions.push(instruction);
    }
}
