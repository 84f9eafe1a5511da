//! What a label says must come out.

use crate::input::error::ErrorKind;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::verdict::{Reason, Verdict};

/// What a header says must come out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// At least this: `passed` is met by `proved`.
    AtLeast(Verdict),
    /// Refuted, by defects of exactly these kinds; empty: any.
    Refuted(Vec<DefectKind>),
    /// Right under a condition, which excludes defects of exactly these kinds; empty: any.
    Conditional(Vec<DefectKind>),
    /// Undecided, for this reason if one is named.
    Unknown(Option<Reason>),
    /// Not judged: an error of this kind.
    Error(ErrorKind),
}

impl Expected {
    /// As the tables show it.
    pub fn describe(&self) -> String {
        let named = |what: &str, name: String| match name.is_empty() {
            true => what.to_owned(),
            false => format!("{what} ({name})"),
        };
        match self {
            Expected::AtLeast(Verdict::Proved) => "proved".to_owned(),
            Expected::AtLeast(_) => "passed".to_owned(),
            Expected::Refuted(kinds) => {
                let names: Vec<&str> = kinds.iter().map(|k| k.name()).collect();
                named("refuted", names.join(", "))
            }
            Expected::Conditional(kinds) => {
                let names: Vec<&str> = kinds.iter().map(|k| k.name()).collect();
                named("conditional", names.join(", "))
            }
            Expected::Unknown(reason) => {
                let name = reason.map_or("", crate::words::plain_words::reason_name);
                named("unknown", name.to_owned())
            }
            Expected::Error(kind) => named("error", kind.name().to_owned()),
        }
    }
}

/// What expected messages in another tool's words come to: one of the kinds must be found, and one of the
/// lines be named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Kinds that the messages may mean.
    pub kinds: Vec<DefectKind>,
    /// Lines they name, from 1.
    pub lines: Vec<u32>,
}

impl Said {
    /// Takes in a line of GPUVerify's messages, a pattern of a regular expression; others are passed over.
    pub(super) fn take(&mut self, text: &str) {
        let text = text.replace('\\', "");
        let kinds = [
            ("race", "possible ", DefectKind::DataRace),
            ("null pointer access", "possible ", DefectKind::NullPointer),
            (
                "non-uniform control flow",
                "barrier",
                DefectKind::BarrierDivergence,
            ),
            (
                "modify constant memory",
                "attempt",
                DefectKind::ConstantWrite,
            ),
            ("assertion might not hold", "", DefectKind::Assertion),
        ];
        for (what, with, kind) in kinds {
            if text.contains(what) && text.contains(with) && !self.kinds.contains(&kind) {
                self.kinds.push(kind);
            }
        }
        for file in ["kernel.cu:", "kernel.cl:"] {
            for after in text.split(file).skip(1) {
                let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
                self.lines.extend(digits.parse::<u32>().ok());
            }
        }
    }
}
