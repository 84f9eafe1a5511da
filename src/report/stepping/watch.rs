//! What one watches while stepping: a cell of an array, or a private variable.

use crate::report::render::moves::actor_name;
use gridlock_checker::replay::{AccessSeen, Replay};
use gridlock_semantics::setup::Launch;
use gridlock_semantics::transition::Actor;

/// Something to watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watch {
    /// `a[3]`; of an array in shared memory, in every block.
    Cell {
        /// Name of the array.
        array: String,
        /// In elements.
        index: i64,
    },
    /// `m[1][0]`, `s[2].pos.x`: the same, as the source writes it.
    Element(String),
    /// `i`: of the thread that moves, or of one particular thread (`b0.t1:i`).
    Variable {
        /// Of the variable, in the program.
        name: String,
        /// The thread; `None`: the one that moves.
        of: Option<Actor>,
    },
}

/// What is known of it at some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// `a[3]`, `i of b0 t1`.
    pub name: String,
    /// `None`: nothing yet.
    pub value: Option<String>,
    /// The step just taken gave it its value.
    pub is_new: bool,
}

impl Watch {
    /// Reads `a[3]`, `s[2].pos.x`, `i`, `b0.t1:i`, `host:n`.
    pub fn parse(text: &str) -> Option<Watch> {
        let text = text.trim();
        if let Some((array, index)) = text.strip_suffix(']').and_then(|t| t.split_once('['))
            && let (array, Ok(index)) = (array.trim(), index.trim().parse())
        {
            return is_name(array).then(|| Watch::Cell {
                array: array.to_owned(),
                index,
            });
        }
        if is_element(text) {
            return Some(Watch::Element(text.to_owned()));
        }
        let (of, name) = match text.rsplit_once(':') {
            None => (None, text),
            Some((actor, name)) => (Some(actor_of(actor.trim())?), name.trim()),
        };
        is_name(name).then(|| Watch::Variable {
            name: name.to_owned(),
            of,
        })
    }

    /// Whether the run has such a thing.
    pub fn is_in(&self, replay: &Replay) -> bool {
        replay.steps.iter().any(|step| match self {
            Watch::Cell { .. } | Watch::Element(_) => {
                step.accesses.iter().any(|seen| self.is_cell(seen))
            }
            Watch::Variable { name, of } => step.assigned.iter().any(|assigned| {
                assigned.name == *name && of.is_none_or(|actor| actor == assigned.actor)
            }),
        })
    }

    /// What it is after `n` steps of the replay, where `moves` moved last.
    pub fn after(
        &self,
        replay: &Replay,
        n: usize,
        moves: Option<Actor>,
        launch: Option<&Launch>,
    ) -> Watched {
        match self {
            Watch::Cell { array, index } => self.cell(replay, n, || format!("{array}[{index}]")),
            Watch::Element(text) => self.cell(replay, n, || text.clone()),
            Watch::Variable { name, of } => variable(replay, n, name, of.or(moves), launch),
        }
    }

    /// Whether an access is to the cell that is watched.
    fn is_cell(&self, seen: &AccessSeen) -> bool {
        match self {
            Watch::Cell { array, index } => seen.name == *array && seen.access.index == *index,
            Watch::Element(text) => seen.element == *text,
            Watch::Variable { .. } => false,
        }
    }

    fn cell(&self, replay: &Replay, n: usize, name: impl FnOnce() -> String) -> Watched {
        let here = |seen: &&AccessSeen| self.is_cell(seen);
        let mut past = replay.steps[..n].iter().enumerate().rev();
        let last = past.find_map(|(at, step)| {
            let seen = step.accesses.iter().rev().find(here)?;
            Some((at, seen.new.or(seen.old)?))
        });
        // What it holds before the first access is what that access finds.
        let first = || {
            let mut coming = replay.steps[n..].iter();
            coming.find_map(|step| step.accesses.iter().find(here)?.old)
        };
        let value = last.map(|(_, value)| value).or_else(first);
        let all = replay.steps.iter().flat_map(|step| &step.accesses);
        let written = all.into_iter().find(here).map(|seen| seen.element.clone());
        Watched {
            name: written.unwrap_or_else(name),
            value: value.map(|value| value.to_string()),
            is_new: last.is_some_and(|(at, _)| at + 1 == n),
        }
    }
}

fn variable(
    replay: &Replay,
    n: usize,
    name: &str,
    of: Option<Actor>,
    launch: Option<&Launch>,
) -> Watched {
    let mut past = replay.steps[..n].iter().enumerate().rev();
    let last = past.find_map(|(at, step)| {
        let mut assigned = step.assigned.iter().rev();
        let found = assigned.find(|a| a.name == name && Some(a.actor) == of)?;
        Some((at, found.value.clone()))
    });
    let whose = of.map_or(String::new(), |actor| {
        format!(" of {}", actor_name(actor, launch))
    });
    Watched {
        name: format!("{name}{whose}"),
        is_new: last.as_ref().is_some_and(|(at, _)| at + 1 == n),
        value: last.map(|(_, value)| value),
    }
}

/// The variables of an actor after `n` steps, in the order in which they were first assigned.
pub fn variables_of(replay: &Replay, n: usize, actor: Actor) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let past = replay.steps[..n].iter().flat_map(|step| &step.assigned);
    for assigned in past.filter(|assigned| assigned.actor == actor) {
        match found.iter_mut().find(|(name, _)| *name == assigned.name) {
            Some((_, value)) => value.clone_from(&assigned.value),
            None => found.push((assigned.name.clone(), assigned.value.clone())),
        }
    }
    found
}

/// A name with subscripts and members behind it.
fn is_element(text: &str) -> bool {
    let Some(end) = text.find(['[', '.']) else {
        return false;
    };
    let (name, path) = text.split_at(end);
    let number = |text: &str| {
        text.strip_suffix(']')
            .is_some_and(|n| n.parse::<i64>().is_ok())
    };
    // Members, then perhaps a subscript.
    let mut pieces = path.split_inclusive(']').map(|piece| {
        let (members, subscript) = match piece.split_once('[') {
            Some((members, subscript)) => (members, Some(subscript)),
            None => (piece, None),
        };
        let are_names = match members.strip_prefix('.') {
            Some(members) => members.split('.').all(is_name),
            None => members.is_empty(),
        };
        are_names && subscript.is_none_or(number)
    });
    is_name(name) && path.contains('[') && pieces.all(|is_right| is_right)
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// `b0.t1`, `b0 t1` or `host`.
fn actor_of(text: &str) -> Option<Actor> {
    if text == "host" {
        return Some(Actor::Host);
    }
    let (block, thread) = text.strip_prefix('b')?.split_once(['.', ' '])?;
    Some(Actor::Thread {
        block: block.parse().ok()?,
        thread: thread.trim().strip_prefix('t')?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watches_are_read() {
        let cell = |array: &str, index| Watch::Cell {
            array: array.to_owned(),
            index,
        };
        assert_eq!(Watch::parse(" a[3] "), Some(cell("a", 3)));
        assert_eq!(Watch::parse("a[-1]"), Some(cell("a", -1)));
        let of_thread = Watch::Variable {
            name: "i".to_owned(),
            of: Some(Actor::Thread {
                block: 0,
                thread: 1,
            }),
        };
        assert_eq!(Watch::parse("b0.t1:i"), Some(of_thread.clone()));
        assert_eq!(Watch::parse("b0 t1: i"), Some(of_thread));
        for element in ["m[1][0]", "s[2].pos.x", "b.rows[1].n[-2]"] {
            let expected = Some(Watch::Element(element.to_owned()));
            assert_eq!(Watch::parse(element), expected);
        }
        for wrong in ["s[2].", "s[2]x", "s[2]..x", "s.[2]", "m[1][i]", "m[1]]"] {
            assert_eq!(Watch::parse(wrong), None, "{wrong}");
        }
        for wrong in ["", "a[", "a[]", "a[i]", "3", "b0:i", "t1:i", "a b"] {
            assert_eq!(Watch::parse(wrong), None, "{wrong}");
        }
    }
}
