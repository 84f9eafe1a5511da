//! clang's dump of the syntax tree, processed while it arrives through the pipe.
//!
//! The dump is indented by depth, so a deep expression has quadratically many spaces; only the other characters are
//! kept. A tree that is nested too deeply for the engines, which recurse over it, or that is too long, is refused
//! before the dump has ended.

use crate::error::{ErrorKind, FrontendError};
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use serde::Deserialize;
use std::ops::ControlFlow;

/// Deepest nesting of JSON values read; a syntax tree node is two of them. The engines walk
/// expressions by recursion, so that a program nested deeper is refused here, with a message.
const MAX_DEPTH: usize = 700;

/// Bytes of a dump, without its spaces.
pub(super) const MOST_BYTES: usize = 256 << 20;

/// How many levels of a cut dump are dropped at most until the rest can be parsed.
const CUTS: usize = 8;

/// Why the reading of a dump stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// Deeper than [`MAX_DEPTH`].
    Deep,
    /// Longer than [`MOST_BYTES`].
    Long,
}

/// A dump without the spaces between its words.
#[derive(Debug, Default)]
pub(super) struct Compact {
    json: Vec<u8>,
    /// The positions of the open brackets.
    open: Vec<usize>,
    in_string: bool,
    escaped: bool,
    refused: Option<Refused>,
}

impl Compact {
    /// Reads a piece of the dump; an error says that the rest is not needed.
    pub fn take(&mut self, piece: &[u8]) -> ControlFlow<()> {
        let mut rest = piece;
        while let Some((&byte, after)) = rest.split_first() {
            if self.in_string {
                rest = self.string(rest);
                continue;
            }
            rest = after;
            match byte {
                b' ' => {
                    let n = rest.iter().position(|b| *b != b' ').unwrap_or(rest.len());
                    rest = &rest[n..];
                    continue;
                }
                b'\n' | b'\r' | b'\t' => continue,
                b'"' => self.in_string = true,
                b'{' | b'[' => {
                    self.open.push(self.json.len());
                    if self.open.len() > MAX_DEPTH {
                        self.json.push(byte);
                        self.refused = Some(Refused::Deep);
                        return ControlFlow::Break(());
                    }
                }
                b'}' | b']' => drop(self.open.pop()),
                _ => {}
            }
            self.json.push(byte);
        }
        if self.json.len() > MOST_BYTES {
            self.refused = Some(Refused::Long);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Reads the inside of a string as far as it has arrived; returns the rest.
    fn string<'p>(&mut self, piece: &'p [u8]) -> &'p [u8] {
        let mut n = 0;
        for &byte in piece {
            n += 1;
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => {
                    self.in_string = false;
                    break;
                }
                _ => {}
            }
        }
        let (inside, rest) = piece.split_at(n);
        self.json.extend_from_slice(inside);
        rest
    }

    /// A dump that was kept.
    pub fn whole(json: Vec<u8>) -> Compact {
        Compact {
            json,
            ..Compact::default()
        }
    }

    /// What is kept of a dump that came to its end.
    pub fn json(&self) -> Option<&[u8]> {
        let is_whole = self.open.is_empty() && !self.in_string && self.refused.is_none();
        is_whole.then_some(&self.json)
    }

    pub fn is_empty(&self) -> bool {
        self.json.is_empty()
    }

    pub fn refused(&self) -> Option<Refused> {
        self.refused
    }

    /// Drops the contents of the innermost open bracket, which are incomplete.
    fn cut(&mut self) {
        if let Some(at) = self.open.pop() {
            let closing = closing(self.json.get(at).copied());
            self.json.truncate(at + 1);
            self.json.push(closing);
        }
    }

    /// The part of the tree that was read, with all open brackets closed.
    fn closed(&self) -> Option<Node> {
        let mut json = self.json.clone();
        let opening = self.open.iter().rev();
        json.extend(opening.map(|at| closing(self.json.get(*at).copied())));
        node(&json).ok()
    }
}

fn closing(opening: Option<u8>) -> u8 {
    match opening {
        Some(b'[') => b']',
        _ => b'}',
    }
}

/// Needs a stack with room for the nesting.
fn node(json: &[u8]) -> serde_json::Result<Node> {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    deserializer.disable_recursion_limit();
    Node::deserialize(&mut deserializer)
}

/// The tree of a whole dump; needs a stack with room for its nesting.
pub(super) fn read(dump: &Compact) -> Result<Node, FrontendError> {
    let mut tree = node(&dump.json).map_err(|error| {
        FrontendError::new(
            ErrorKind::Clang,
            format!("cannot read clang's syntax tree (wanted: clang 19): {error}"),
        )
    })?;
    drop_comments(&mut tree);
    Ok(tree)
}

/// Comments that document a declaration stand among its children.
fn drop_comments(node: &mut Node) {
    node.inner.retain(|child| !child.is(Kind::FullComment));
    for child in &mut node.inner {
        drop_comments(child);
    }
}

/// What is nested too deeply.
pub(super) struct Deep {
    pub message: &'static str,
    /// clang's name of the file, line and column.
    pub place: Option<(String, u32, u32)>,
}

/// Finds what is nested too deeply in a dump that was cut for that reason: the outermost of nested expressions, or
/// the innermost of nested statements and declarations.
pub(super) fn too_deep(mut dump: Compact) -> Deep {
    let mut tree = None;
    // The attributes of a node, which come before its children, may be cut in the middle.
    for _ in 0..CUTS {
        dump.cut();
        tree = dump.closed();
        if tree.is_some() {
            break;
        }
    }
    let mut chain: Vec<&Node> = Vec::new();
    let mut next = tree.as_ref();
    while let Some(node) = next {
        chain.push(node);
        next = node.inner.last().or(node.kind.array_filler.last());
    }
    while chain.last().is_some_and(|node| place(node).is_none()) {
        chain.pop();
    }
    let expressions = chain.iter().rev().take_while(|node| is_expression(node));
    let expression = expressions.last().copied();
    let found = expression.or(chain.last().copied());
    Deep {
        message: match expression {
            Some(_) => "an expression nested this deeply",
            None => "a program nested this deeply",
        },
        place: found.and_then(place),
    }
}

fn is_expression(node: &Node) -> bool {
    let kind = node.kind().name();
    ["Expr", "Operator", "Literal"]
        .iter()
        .any(|end| kind.ends_with(end))
}

fn place(node: &Node) -> Option<(String, u32, u32)> {
    let range = node.kind.range.as_ref().map(|range| &range.begin);
    let known = [range, node.kind.loc.as_ref()];
    let mut known = known.into_iter().flatten();
    let found = known.find_map(|location| location.expansion_loc.as_ref())?;
    Some((found.file.to_string(), found.line as u32, found.col as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is kept of a text, however it comes in pieces.
    fn check(text: &str, expected: &str) {
        for size in [1, 2, 3, 7, text.len()] {
            let mut compact = Compact::default();
            for piece in text.as_bytes().chunks(size) {
                assert!(compact.take(piece).is_continue());
            }
            assert_eq!(String::from_utf8_lossy(&compact.json), expected);
            assert!(compact.open.is_empty());
        }
    }

    #[test]
    fn spaces_are_dropped_outside_of_strings() {
        check(
            "{\n  \"a b\": [ 1,\t \" \\\" [ \\\\\", {} ]\r\n}\n",
            "{\"a b\":[1,\" \\\" [ \\\\\",{}]}",
        );
    }

    #[test]
    fn depth_is_known_before_the_end() {
        let mut compact = Compact::default();
        let deepest = "[".repeat(MAX_DEPTH);
        assert!(compact.take(deepest.as_bytes()).is_continue());
        assert!(compact.take(b"\"[\"").is_continue(), "not in strings");
        assert!(compact.take(b",[").is_break());
        assert_eq!(compact.refused(), Some(Refused::Deep));
    }
}
