//! A process that makes a part of a report for another: it prints one object, with what it would have shown and a
//! summary of it.

use gridlock::input::error::InputError;
use gridlock::report::render::json;
use gridlock::supervision::die_with_parent;
use gridlock::words::style::Style;
use serde_json::{Value, json};
use std::process::Command;

/// Who asks for the part, and how it is to look: the number of the process, columns, whether in colour.
const VARIABLE: &str = "GRIDLOCK_PART_OF";

/// How the part of a report is to look.
#[derive(Clone, Debug)]
pub struct Part {
    parent: u32,
    width: usize,
    colour: bool,
}

impl Part {
    /// In this style.
    pub fn of(style: Style) -> Part {
        let Style { colour, width } = style;
        Part {
            parent: std::process::id(),
            width,
            colour,
        }
    }

    /// The command makes a part.
    pub fn begin(&self, command: &mut Command) {
        let Part {
            parent,
            width,
            colour,
        } = self;
        command.env(VARIABLE, format!("{parent} {width} {colour}"));
    }

    /// What this process was asked for, if it makes a part.
    pub fn asked() -> Option<Part> {
        let text = std::env::var(VARIABLE).ok()?;
        let mut words = text.split(' ');
        Some(Part {
            parent: words.next()?.parse().ok()?,
            width: words.next()?.parse().ok()?,
            colour: words.next()?.parse().ok()?,
        })
    }

    /// This process ends when the one that asked does.
    pub fn end_with_it(&self) {
        die_with_parent(self.parent);
    }

    pub fn style(&self) -> Style {
        Style {
            colour: self.colour,
            width: self.width,
        }
    }
}

/// What a process prints that makes a part.
pub fn answer(shown: Value, summary: &Value, page: &Value) -> String {
    format!(
        "{}\n",
        json!({"shown": shown, "summary": summary, "page": page})
    )
}

/// The answer of a process that gave none.
pub fn failed(error: &InputError) -> Value {
    json!({"shown": json::error(error), "summary": json::error(error)})
}
