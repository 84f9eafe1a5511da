//! What a function without a definition stands for. Who asks whether a term is read from memory, is a fold, or is bound
//! by one, asks this; a name that a program chose decides nothing.

use super::array_key::ArrayKey;
use super::sort::Sort;
use std::fmt;
use std::sync::Arc;

/// A function of which nothing is known but that it is one: the same arguments give the same value, for all threads and
/// all times. Two of different content are different functions, and have different names for the solver ([`fmt::Display`]).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// An operation of arithmetic that is left to itself, by its name and types.
    Operation(Arc<str>),
    /// First contents of an array of the kernel, by the number of the cell.
    Contents(ArrayKey),
    /// First contents of an input of two programs that are compared, by the number of the cell.
    Input(Arc<str>),
    /// A scalar input of two programs that are compared.
    Argument(Arc<str>),
    /// What is left of a counter modulo its step, in words of this width.
    Residue(u32),
    /// The number of a round of a loop that two programs share.
    Iteration(usize),
    /// What a loop leaves: of its number of rounds, what its slots begin with, and the step of each.
    Fold {
        /// One more than that of the folds inside.
        height: u32,
        /// How many values go from round to round.
        slots: usize,
    },
    /// A fold by steps that are known by their numbers.
    FoldedBy(Vec<u32>),
    /// In a step: the number of the round of the fold of this height.
    BoundIteration(u32),
    /// In a step: what a slot of the fold of this height holds.
    BoundSlot {
        /// Among the slots.
        number: usize,
        height: u32,
        sort: Sort,
    },
}

impl Function {
    /// Whether it gives what memory holds.
    pub fn is_memory(&self) -> bool {
        matches!(self, Function::Contents(_) | Function::Input(_))
    }

    /// Whether a fold gives it its value.
    pub fn is_bound(&self) -> bool {
        matches!(
            self,
            Function::BoundIteration(_) | Function::BoundSlot { .. }
        )
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // No name of an operation begins with a word and a colon.
            Function::Operation(name) => f.write_str(name),
            Function::Contents(array) => write!(f, "contents: {array:?}"),
            Function::Input(name) => write!(f, "input: {name}"),
            Function::Argument(name) => write!(f, "argument: {name}"),
            Function::Residue(width) => write!(f, "residue: {width}"),
            Function::Iteration(number) => write!(f, "iteration: {number}"),
            Function::Fold { height, slots } => write!(f, "fold: {height} {slots}"),
            Function::FoldedBy(steps) => write!(f, "folded: {steps:?}"),
            Function::BoundIteration(height) => write!(f, "bound: iteration {height}"),
            Function::BoundSlot {
                number,
                height,
                sort,
            } => write!(f, "bound: {number} {height} {sort:?}"),
        }
    }
}
