//! What keeps interleaving from speaking for the machine.

use crate::order::synchronisation::known::Missing;
use crate::system::footprint::MemoryPlace;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::program::Program;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A reason for `unknown`, `weak-memory`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WeakMemory {
    /// Two conflicting accesses are ordered through atomics alone; these fences are missing.
    Unfenced {
        /// The access made first.
        first: OpId,
        /// The access that conflicts with it.
        second: OpId,
        /// The fences to add.
        missing: Missing,
    },
    /// Nothing orders two conflicting accesses. The explorer finds this as a race where it can.
    Racing {
        /// One access.
        first: OpId,
        /// The access that conflicts with it.
        second: OpId,
    },
    /// Two atomics of one thread at different contended places without a fence between them.
    Unordered {
        /// The atomic made first.
        first: OpId,
        /// The atomic behind it in the same thread.
        second: OpId,
        /// Whether a fence of the block is enough: the two are contended within one block only.
        block: bool,
    },
}

impl WeakMemory {
    /// The two accesses that happens-before leaves unordered, the lower operator first. `fences_assumed`: they
    /// count as ordered where only fences are missing.
    pub fn unordered(&self, fences_assumed: bool) -> Option<(OpId, OpId)> {
        match self {
            WeakMemory::Racing { first, second } => Some((*first.min(second), *first.max(second))),
            WeakMemory::Unfenced { first, second, .. } if !fences_assumed => {
                Some((*first.min(second), *first.max(second)))
            }
            WeakMemory::Unfenced { .. } | WeakMemory::Unordered { .. } => None,
        }
    }

    /// These reasons in sentences, each once.
    pub fn texts(reasons: &[WeakMemory], program: &Program) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        for reason in reasons {
            let text = reason.text(program);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }

    /// The reason in a sentence, with lines of the source and the fence to add.
    pub fn text(&self, program: &Program) -> String {
        let line = |op: OpId| match program.operators().iter().find(|(_, o)| o.id == op) {
            Some((_, found)) => format!("line {}", found.span.line),
            None => "an unknown line".to_owned(),
        };
        match self {
            WeakMemory::Unfenced {
                first,
                second,
                missing,
            } => {
                let mut fences = Vec::new();
                if let Some(op) = missing.before {
                    fences.push(format!("before the atomic at {}", line(op)));
                }
                if let Some(op) = missing.after {
                    fences.push(format!("after the atomic at {}", line(op)));
                }
                let place = match fences.is_empty() {
                    true => "around the atomics between them".to_owned(),
                    false => fences.join(" and "),
                };
                format!(
                    "only atomics order the access at {} and the one at {}; add a \
                     `__threadfence()` {place}",
                    line(*first),
                    line(*second),
                )
            }
            WeakMemory::Racing { first, second } => format!(
                "nothing orders the access at {} and the one at {}",
                line(*first),
                line(*second),
            ),
            WeakMemory::Unordered {
                first,
                second,
                block,
            } => {
                let fence = match block {
                    true => "`__threadfence_block()`",
                    false => "`__threadfence()`",
                };
                format!(
                    "the atomics at {} and {} may take effect in another order than the \
                     program's; add a {fence} between them",
                    line(*first),
                    line(*second),
                )
            }
        }
    }
}

/// Two atomics at different places with nothing but program order and barriers between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Passing {
    pub first: (MemoryPlace, OpId),
    pub second: (MemoryPlace, OpId),
    /// A fence or barrier of the block stands between them.
    pub fenced_in_block: bool,
}

/// What was seen over all executions. A set, so that the order of the search does not show.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Collected {
    pub unfenced: BTreeSet<WeakMemory>,
    pub passing: FxHashSet<Passing>,
    /// Places with unordered atomics whose order can be seen; whether of different blocks.
    pub contended: FxHashMap<MemoryPlace, bool>,
}

impl Collected {
    /// The reasons, sorted; one for each pair of operators.
    pub fn reasons(&self) -> Vec<WeakMemory> {
        let mut all = self.unfenced.clone();
        for passing in &self.passing {
            let (Some(a), Some(b)) = (
                self.contended.get(&passing.first.0),
                self.contended.get(&passing.second.0),
            ) else {
                continue;
            };
            let across = *a || *b;
            if across || !passing.fenced_in_block {
                all.insert(WeakMemory::Unordered {
                    first: passing.first.1,
                    second: passing.second.1,
                    block: !across,
                });
            }
        }
        let mut seen = BTreeSet::new();
        let pair = |reason: &WeakMemory| match *reason {
            WeakMemory::Unfenced { first, second, .. } => (0, first, second),
            WeakMemory::Racing { first, second } => (1, first, second),
            WeakMemory::Unordered { first, second, .. } => (2, first, second),
        };
        all.into_iter().filter(|r| seen.insert(pair(r))).collect()
    }
}
