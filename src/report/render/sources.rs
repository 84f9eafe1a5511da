//! Source texts for diagnostics, read when first needed.

use gridlock_boundary::input;
use std::collections::HashMap;
use std::path::Path;

/// Texts by the name a report gives them. A file that cannot be read has no text: its places are
/// then shown by number only.
#[derive(Debug, Default)]
pub struct Sources {
    texts: HashMap<String, Option<String>>,
}

impl Sources {
    /// No text read yet.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Uses `text` for `file` instead of what the disk holds.
    pub fn insert(&mut self, file: &str, text: &str) {
        self.texts.insert(file.to_owned(), Some(text.to_owned()));
    }

    /// The whole text; `None` where it cannot be read.
    pub fn text(&mut self, file: &str) -> Option<&str> {
        self.texts
            .entry(file.to_owned())
            .or_insert_with(|| {
                let bytes = input::read(Path::new(file)).ok()?;
                Some(as_text(&bytes))
            })
            .as_deref()
    }

    /// Line `line` (from 1) without its end.
    pub fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        let text = self.text(file)?;
        text.lines().nth((line as usize).checked_sub(1)?)
    }
}

/// A file's bytes as text that a terminal shows as it stands, with every character in the column, counted in bytes,
/// that it has in the file: what is no text, or would move what follows, becomes `?`, each byte one.
fn as_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\t' | '\n' | '\r' => text.push(c),
                '\u{b}' | '\u{c}' => text.push(' '),
                c if c.is_control() => text.extend((0..c.len_utf8()).map(|_| '?')),
                // They turn the direction of text, or end a line.
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}' => {
                    text.push('\u{fffd}');
                }
                c => text.push(c),
            }
        }
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

/// Text that a terminal shows as it stands: tabs as blanks, no control characters.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            c if c.is_control() => out.push('\u{fffd}'),
            // What turns the direction of text could hide code.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Byte range of the word or sign at `line`, `column` (both from 1; columns count bytes, as
/// clang's do). `None` when the place does not exist in `text`.
pub fn word_at(text: &str, line: u32, column: u32) -> Option<std::ops::Range<usize>> {
    let line_start = match line.checked_sub(1)? {
        0 => 0,
        n => text.match_indices('\n').nth(n as usize - 1)?.0 + 1,
    };
    let rest = text.get(line_start..)?;
    let content = rest.split('\n').next().unwrap_or("");
    let column = (column as usize).checked_sub(1)?.min(content.len());
    let column = (0..=column).rev().find(|&c| content.is_char_boundary(c))?;
    let word = content[column..]
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(content.len() - column);
    let length = match word {
        0 => content[column..].chars().next().map_or(0, char::len_utf8),
        n => n,
    };
    let start = line_start + column;
    Some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::{as_text, printable, word_at};

    #[test]
    fn what_is_no_text_keeps_its_bytes() {
        for (bytes, expected) in [
            (&b"a\xff\xfe b\0c\x1b"[..], "a?? b?c?"),
            (b"\xe2\x82 x\r\n\ty", "?? x\r\n\ty"),
            ("ä\u{85}€\u{2028}x\u{c}y".as_bytes(), "ä??€\u{fffd}x y"),
        ] {
            let text = as_text(bytes);
            assert_eq!(text, expected);
            assert_eq!(text.len(), bytes.len());
        }
    }

    #[test]
    fn control_characters_are_not_passed_on() {
        assert_eq!(printable("a\tb\u{1b}[31m\r"), "a    b\u{fffd}[31m\u{fffd}");
        assert_eq!(printable("ä — ü\u{202e}x"), "ä — ü\u{fffd}x");
    }

    fn check(text: &str, line: u32, column: u32, expected: Option<&str>) {
        assert_eq!(word_at(text, line, column).map(|r| &text[r]), expected);
    }

    #[test]
    fn words_and_signs() {
        check("int x;\n  tile[t] = 1;\n", 2, 3, Some("tile"));
        check("int x;\n  tile[t] = 1;\n", 2, 7, Some("["));
        check("int x;\n", 1, 99, Some(""));
        check("int x;\n", 7, 1, None);
        check("int x;\n", 0, 1, None);
    }

    #[test]
    fn columns_inside_a_character_do_not_panic() {
        check("// ä b\n", 1, 5, Some("ä"));
    }
}
