//! From an operator to a target's text: the first pattern whose high side matches, its low side
//! filled in.

use super::term::Bindings;
use super::{PatternFile, Term};

/// A piece of a line of a low side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Hole(Hole),
}

/// A metavariable of a low side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hole {
    pub var: String,
    /// Patterns its term is translated by; without, it is text.
    pub category: Option<String>,
    /// For lists: what stands between two elements.
    pub repeated: Option<Repeated>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeated {
    /// One behind the other, or each on a line of its own where the hole has one.
    Plain,
    Commas,
    /// A comma behind each.
    Followed,
}

/// Patterns may be nested so deep.
const DEPTH: usize = 32;

impl PatternFile {
    /// The lines an operator has in this target; `None` where the patterns have no word for it.
    pub(crate) fn lines(&self, category: &str, term: &Term) -> Option<Vec<String>> {
        self.filled(category, term, DEPTH)
    }

    /// The same on one line.
    pub(crate) fn inline(&self, category: &str, term: &Term) -> Option<String> {
        Some(self.lines(category, term)?.join(" "))
    }

    fn filled(&self, category: &str, term: &Term, depth: usize) -> Option<Vec<String>> {
        let pairs = &self.category(category)?.pairs;
        let depth = depth.checked_sub(1)?;
        pairs.iter().filter(|pair| pair.lowers).find_map(|pair| {
            let mut bindings = Bindings::new();
            if !pair.high.matches(term, &mut bindings) {
                return None;
            }
            let mut lines = Vec::new();
            for line in &pair.lines {
                self.fill_line(line, &bindings, depth, &mut lines)?;
            }
            Some(lines)
        })
    }

    fn fill_line(
        &self,
        line: &[Piece],
        bindings: &Bindings,
        depth: usize,
        lines: &mut Vec<String>,
    ) -> Option<()> {
        let alone = match line {
            [Piece::Hole(hole)] => Some((String::new(), hole)),
            [Piece::Text(indent), Piece::Hole(hole)] if indent.trim().is_empty() => {
                Some((indent.clone(), hole))
            }
            _ => None,
        };
        if let Some((indent, hole)) = alone
            && matches!(hole.repeated, None | Some(Repeated::Plain))
        {
            for inner in self.fill_hole(hole, bindings, depth)?.concat() {
                lines.push(format!("{indent}{inner}"));
            }
            return Some(());
        }
        let mut text = String::new();
        for piece in line {
            match piece {
                Piece::Text(plain) => text.push_str(plain),
                Piece::Hole(hole) => {
                    let items: Vec<String> = self
                        .fill_hole(hole, bindings, depth)?
                        .into_iter()
                        .map(|lines| lines.join(" "))
                        .collect();
                    let between = match hole.repeated {
                        Some(Repeated::Commas | Repeated::Followed) => ", ",
                        _ => "",
                    };
                    text.push_str(&items.join(between));
                    if hole.repeated == Some(Repeated::Followed) && !items.is_empty() {
                        text.push_str(between);
                    }
                }
            }
        }
        lines.push(text);
        Some(())
    }

    /// The lines of each element.
    fn fill_hole(
        &self,
        hole: &Hole,
        bindings: &Bindings,
        depth: usize,
    ) -> Option<Vec<Vec<String>>> {
        let term = bindings.get(&hole.var)?;
        let items = match (hole.repeated, term) {
            (Some(_), Term::List(items)) => items.as_slice(),
            (None, _) => std::slice::from_ref(term),
            (Some(_), _) => return None,
        };
        let fill = |item: &Term| match (&hole.category, item) {
            (Some(category), _) if category != "name" => self.filled(category, item, depth),
            (_, Term::Text(text)) => Some(vec![text.clone()]),
            _ => None,
        };
        items.iter().map(fill).collect()
    }
}
