//! From a target's text to operators: low sides matched on tokens. A metavariable without a
//! category matches the shortest balanced run that lets the rest match; categories are tried pair
//! by pair, with backtracking, within a number of steps.

use super::fill::{Hole, Piece, Repeated};
use super::term::{Bindings, bind};
use super::token::{Token, tokens};
use super::{PatternFile, Term};
use std::cell::Cell;

/// An element of a low side that is to be recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LowToken {
    Exact(String),
    Hole(Hole),
    /// A name that ends in a metavariable: `arg$i`.
    Pasted(String, String),
}

/// The low side as tokens.
pub(super) fn low_tokens(lines: &[Vec<Piece>]) -> Vec<LowToken> {
    let mut found = Vec::new();
    for line in lines {
        let mut pieces = line.iter().peekable();
        while let Some(piece) = pieces.next() {
            match piece {
                Piece::Hole(hole) => found.push(LowToken::Hole(hole.clone())),
                Piece::Text(text) => {
                    // The line's end, for a backslash before it.
                    let end = if pieces.peek().is_none() { "\n" } else { "" };
                    let (mut texts, behind) = tokens(&format!("{text}{end}"));
                    let glued = behind.is_empty() && texts.last().is_some_and(Token::is_name);
                    let pasted = match pieces.peek() {
                        Some(Piece::Hole(hole)) if glued => {
                            let prefix = texts.pop().map(|token| token.text);
                            pieces.next();
                            prefix.map(|prefix| LowToken::Pasted(prefix, hole.var.clone()))
                        }
                        _ => None,
                    };
                    found.extend(texts.into_iter().map(|token| LowToken::Exact(token.text)));
                    found.extend(pasted);
                }
            }
        }
    }
    found
}

/// More backtracking than this at one place is given up; a pattern that needs it is ambiguous. A step is a
/// token looked at, or copied.
const STEPS: u64 = 1_000_000;

/// Pairs within pairs.
const DEPTH: usize = 24;

/// A text being recognised.
pub(super) struct Matcher<'a> {
    pub patterns: &'a PatternFile,
    pub tokens: &'a [Token],
    /// The furthest token that did not fit, for messages.
    pub furthest: Cell<usize>,
    steps: Cell<u64>,
    depth: Cell<usize>,
}

/// What is to follow: the position behind the match and the bindings.
type Then<'t> = &'t mut dyn FnMut(usize, Bindings) -> bool;

impl<'a> Matcher<'a> {
    pub(super) fn new(patterns: &'a PatternFile, tokens: &'a [Token]) -> Matcher<'a> {
        Matcher {
            patterns,
            tokens,
            furthest: Cell::new(0),
            steps: Cell::new(0),
            depth: Cell::new(0),
        }
    }

    /// Whether the limit on backtracking was reached.
    pub(super) fn gave_up(&self) -> bool {
        self.steps.get() > STEPS
    }

    fn spend(&self, steps: usize) {
        self.steps
            .set(self.steps.get().saturating_add(steps as u64));
    }

    /// The operator of a category that begins at `at`, and where the text goes on.
    pub(super) fn operator(&self, category: &str, at: usize) -> Option<(Term, usize)> {
        if !self.gave_up() {
            self.steps.set(0);
        }
        let mut found = None;
        self.category(category, at, &mut |term, end| {
            found = Some((term, end));
            true
        });
        found
    }

    fn category(&self, name: &str, at: usize, then: &mut dyn FnMut(Term, usize) -> bool) -> bool {
        if self.depth.get() >= DEPTH {
            return false;
        }
        let Some(category) = self.patterns.category(name) else {
            return false;
        };
        self.depth.set(self.depth.get() + 1);
        let mut done = false;
        for pair in category.pairs.iter().filter(|pair| pair.lifts) {
            done = self.sequence(&pair.tokens, at, Bindings::new(), &mut |end, bindings| {
                then(pair.high.build(&bindings), end)
            });
            if done {
                break;
            }
        }
        self.depth.set(self.depth.get() - 1);
        done
    }

    fn sequence(&self, low: &[LowToken], at: usize, bindings: Bindings, then: Then<'_>) -> bool {
        // What is bound was copied to come here.
        self.spend(1 + bindings.len());
        if self.gave_up() {
            return false;
        }
        let Some((first, rest)) = low.split_first() else {
            return then(at, bindings);
        };
        self.furthest.set(self.furthest.get().max(at));
        match first {
            LowToken::Exact(text) => {
                let fits = self.tokens.get(at).is_some_and(|token| token.text == *text);
                fits && self.sequence(rest, at + 1, bindings, then)
            }
            LowToken::Pasted(prefix, var) => {
                let name = self.tokens.get(at).filter(|token| token.is_name());
                let Some(end) = name.and_then(|name| name.text.strip_prefix(prefix.as_str()))
                else {
                    return false;
                };
                let mut bindings = bindings;
                !end.is_empty()
                    && bind(&mut bindings, var, Term::text(end))
                    && self.sequence(rest, at + 1, bindings, then)
            }
            LowToken::Hole(hole) => match (&hole.category, hole.repeated) {
                (Some(category), Some(repeated)) => {
                    let list = List {
                        hole,
                        category,
                        repeated,
                    };
                    self.list(&list, rest, at, Vec::new(), &bindings, then)
                }
                (Some(category), None) if category == "name" => {
                    let Some(token) = self.tokens.get(at).filter(|token| token.is_name()) else {
                        return false;
                    };
                    let mut bindings = bindings;
                    bind(&mut bindings, &hole.var, Term::text(&token.text))
                        && self.sequence(rest, at + 1, bindings, then)
                }
                (Some(category), None) => self.category(category, at, &mut |term, end| {
                    let mut bindings = bindings.clone();
                    bind(&mut bindings, &hole.var, term) && self.sequence(rest, end, bindings, then)
                }),
                (None, _) => self.run(hole, rest, at, &bindings, then),
            },
        }
    }

    /// The shortest balanced run of tokens behind which the rest matches.
    fn run(
        &self,
        hole: &Hole,
        rest: &[LowToken],
        at: usize,
        bindings: &Bindings,
        then: Then<'_>,
    ) -> bool {
        let mut open: Vec<&str> = Vec::new();
        for end in at..self.tokens.len() {
            let token = self.tokens[end].text.as_str();
            match token {
                "(" => open.push(")"),
                "[" => open.push("]"),
                ")" | "]" if open.pop() != Some(token) => return false,
                "{" | "}" | ";" => return false,
                "," if open.is_empty() => return false,
                _ => {}
            }
            if !open.is_empty() {
                continue;
            }
            self.spend(1 + (end - at));
            if self.gave_up() {
                return false;
            }
            let mut inner = bindings.clone();
            if bind(
                &mut inner,
                &hole.var,
                Term::Text(joined(&self.tokens[at..=end])),
            ) && self.sequence(rest, end + 1, inner, then)
            {
                return true;
            }
        }
        false
    }

    /// As many elements as let the rest match, more before fewer.
    fn list(
        &self,
        list: &List<'_>,
        rest: &[LowToken],
        at: usize,
        items: Vec<Term>,
        bindings: &Bindings,
        then: Then<'_>,
    ) -> bool {
        // What is known of the list already.
        let known = match bindings.get(&list.hole.var) {
            Some(Term::List(known)) => Some(known.as_slice()),
            _ => None,
        };
        let start = match (list.repeated, items.is_empty()) {
            (Repeated::Commas, false) => {
                let comma = self.tokens.get(at).is_some_and(|token| token.text == ",");
                comma.then_some(at + 1)
            }
            _ => Some(at),
        };
        let may_go_on = known.is_none_or(|known| items.len() < known.len());
        if let Some(start) = start.filter(|_| may_go_on)
            && self.category(list.category, start, &mut |item, end| {
                let comma = || self.tokens.get(end).is_some_and(|token| token.text == ",");
                let end = match list.repeated {
                    Repeated::Followed if comma() => end + 1,
                    Repeated::Followed => return false,
                    Repeated::Plain | Repeated::Commas => end,
                };
                if end == start {
                    return false;
                }
                let item = match known {
                    None => Some(item),
                    Some(known) => known[items.len()].merged(&item),
                };
                let Some(item) = item else {
                    return false;
                };
                let mut items = items.clone();
                items.push(item);
                self.list(list, rest, end, items, bindings, then)
            })
        {
            return true;
        }
        let mut bindings = bindings.clone();
        bind(&mut bindings, &list.hole.var, Term::List(items))
            && self.sequence(rest, at, bindings, then)
    }
}

/// A list's hole.
struct List<'h> {
    hole: &'h Hole,
    category: &'h str,
    repeated: Repeated,
}

/// The tokens as text, without comments, blanks where there were any.
pub(super) fn joined(tokens: &[Token]) -> String {
    let mut text = String::new();
    for (index, token) in tokens.iter().enumerate() {
        if index > 0 && !token.before.is_empty() {
            text.push(' ');
        }
        text.push_str(&token.text);
    }
    text
}
