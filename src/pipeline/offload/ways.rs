//! What is tried with a loop, the best first.

use crate::pipeline::format::{Rewriting, Scalar};

/// Threads of a block in the programs that are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocks {
    /// Of a kernel of one dimension.
    pub line: u32,
    /// Of each of the two dimensions of another.
    pub side: u32,
}

impl Blocks {
    /// Blocks of so few threads that small sizes have several.
    pub const SMALL: Blocks = Blocks { line: 4, side: 2 };

    /// Of about so many threads.
    pub fn of(threads: u32) -> Blocks {
        let sides = (0..=5).map(|power| 1 << power);
        let side = sides.rev().find(|side| side * side <= threads);
        Blocks {
            line: threads,
            side: side.unwrap_or(1),
        }
    }
}

/// A rewriting of the library, for a loop or for the whole program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// T9: a nest becomes a kernel of two dimensions.
    Nest,
    /// T1: a loop becomes a kernel.
    Kernel,
    /// T1 with atomics and scans.
    Sum,
    /// T10: the loop and the one inside change places.
    Interchange,
    /// T10: a loop for each statement.
    Split,
    /// T2, T3: arrays stay on the device.
    Keep,
    /// T12: copies that bring nothing go.
    Copies,
}

impl Move {
    /// Its rule system in the library.
    pub const fn system(self) -> &'static str {
        match self {
            Move::Nest => "parallelise-nest",
            Move::Kernel | Move::Sum => "parallelise-loop",
            Move::Interchange => "interchange-loops",
            Move::Split => "split-loop",
            Move::Keep => "host-code-motion",
            Move::Copies => "copy-elimination",
        }
    }

    /// In words, for the report.
    pub const fn words(self) -> &'static str {
        match self {
            Move::Nest => "a kernel of two dimensions",
            Move::Kernel => "a kernel",
            Move::Sum => "a kernel with atomics or scans",
            Move::Interchange => "loops change places",
            Move::Split => "a loop for each statement",
            Move::Keep => "arrays stay on the device",
            Move::Copies => "copies that bring nothing go",
        }
    }

    /// Whether it makes a kernel.
    pub const fn makes_a_kernel(self) -> bool {
        matches!(self, Move::Nest | Move::Kernel | Move::Sum)
    }

    /// As a step of a pipeline has it.
    pub fn rewriting(self, selected: Option<&str>, blocks: Blocks) -> Rewriting {
        let strategy = match self {
            Move::Kernel => Some("outermost"),
            Move::Sum => Some("outermost-sum"),
            Move::Split => Some("wholly"),
            _ => None,
        };
        let block = match self {
            Move::Nest => Some(blocks.side),
            Move::Kernel | Move::Sum => Some(blocks.line),
            _ => None,
        };
        let block = block.map(|block| ("block", Scalar::Integer(block.into())));
        let selected = selected.map(|name| ("loop", Scalar::Text(name.to_owned())));
        let params = block.into_iter().chain(selected);
        Rewriting {
            rules: self.system().to_owned(),
            strategy: strategy.map(str::to_owned),
            params: params.map(|(name, v)| (name.to_owned(), v)).collect(),
            ..Rewriting::default()
        }
    }
}
