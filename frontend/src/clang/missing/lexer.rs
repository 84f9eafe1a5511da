//! Tokens of C and C++, enough to tell declarations apart: names, numbers, literals, punctuation. Comments are passed
//! over; a line that a backslash or a comment continues is one logical line.

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub text: String,
    /// Its line in the text, from 1.
    pub line: u32,
    /// The number of its logical line.
    pub logical: usize,
}

/// A text in tokens.
#[derive(Debug, Default)]
pub(super) struct Lexed {
    pub tokens: Vec<Token>,
    /// The first and the last line of each logical line.
    pub lines: Vec<(u32, u32)>,
    /// A comment or a raw string literal without end.
    pub is_odd: bool,
    /// What would end the raw string literal.
    pub wanted: Option<String>,
}

/// Punctuation of several characters that must not be taken apart. `>>` may close two templates and stays two tokens.
const LONG: [&str; 16] = [
    "...", "::", "->", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "|=", "^=", "##",
];

fn starts_name(text: &[u8]) -> bool {
    text.first()
        .is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, b'_' | b'$') || *c >= 0x80)
}

/// Takes a text apart.
pub(super) fn lex(text: &str) -> Lexed {
    let bytes = text.as_bytes();
    let mut lexed = Lexed {
        is_odd: spells_otherwise(text),
        ..Lexed::default()
    };
    let (mut at, mut line, mut first_line) = (0, 1u32, 1u32);
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        if let Some(length) = continuation(rest) {
            lexed.is_odd |= splits_a_token(&bytes[..at], &bytes[at + length..]);
            line += 1;
            at += length;
            continue;
        }
        if byte == b'\n' {
            lexed.lines.push((first_line, line));
            line += 1;
            first_line = line;
            at += 1;
            continue;
        }
        if rest.starts_with(b"/*") {
            let length = find(&rest[2..], b"*/").map(|n| n + 4);
            lexed.is_odd |= length.is_none();
            let length = length.unwrap_or(rest.len());
            line += newlines(&rest[..length]);
            at += length;
            continue;
        }
        if rest.starts_with(b"//") {
            // A backslash at its end continues it.
            let mut length = 2;
            while length < rest.len() && rest[length] != b'\n' {
                match continuation(&rest[length..]) {
                    Some(n) => {
                        line += 1;
                        length += n;
                    }
                    None => length += 1,
                }
            }
            at += length;
            continue;
        }
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let length = match byte {
            b'"' | b'\'' => literal(rest),
            _ if starts_name(rest) => {
                let length = run_of(rest, |c| {
                    c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$') || c >= 0x80
                });
                let is_raw = matches!(&rest[..length], b"R" | b"LR" | b"uR" | b"UR" | b"u8R");
                match raw_end(&rest[length..]).filter(|_| is_raw) {
                    Some(end) => match find(&rest[length..], end.as_bytes()) {
                        Some(n) => length + n + end.len(),
                        None => {
                            lexed.is_odd = true;
                            lexed.wanted = Some(end);
                            rest.len()
                        }
                    },
                    None => length,
                }
            }
            b'0'..=b'9' => number(rest),
            b'.' if rest.get(1).is_some_and(u8::is_ascii_digit) => number(rest),
            _ => {
                lexed.is_odd |= is_digraph(rest);
                LONG.iter()
                    .find(|long| rest.starts_with(long.as_bytes()))
                    .map_or(1, |long| long.len())
            }
        };
        lexed.tokens.push(Token {
            text: String::from_utf8_lossy(&rest[..length]).into_owned(),
            line,
            logical: lexed.lines.len(),
        });
        line += newlines(&rest[..length]);
        at += length;
    }
    lexed.lines.push((first_line, line));
    lexed
}

/// Whether punctuation begins with two characters that stand for one.
fn is_digraph(rest: &[u8]) -> bool {
    match rest {
        [b'<', b':', b':', next, ..] => matches!(next, b':' | b'>'),
        _ => [b"%:", b"<%", b"%>", b"<:", b":>"]
            .iter()
            .any(|two| rest.starts_with(*two)),
    }
}

/// Whether a text has signs that stand for others, ends of lines that are not one here, or spaces beyond ASCII.
fn spells_otherwise(text: &str) -> bool {
    let trigraphs = ["=", "/", "'", "(", ")", "!", "<", ">", "-"];
    let mut after = text.split("??").skip(1);
    after.any(|rest| trigraphs.iter().any(|t| rest.starts_with(t)))
        || text.split('\r').skip(1).any(|rest| !rest.starts_with('\n'))
        || text
            .contains(|c: char| c == '\0' || c == '\u{feff}' || !c.is_ascii() && c.is_whitespace())
}

/// Whether a token may go on behind a line that is continued.
fn splits_a_token(before: &[u8], after: &[u8]) -> bool {
    let kind = |byte: u8| match byte {
        b' ' | b'\t' | b'\n' | b'\r' | b'(' | b')' | b'{' | b'}' | b'[' | b']' | b';' | b',' => 0,
        _ if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80 => 1,
        _ => 2,
    };
    let ends = (
        before.last().copied().map_or(0, kind),
        after.first().copied().map_or(0, kind),
    );
    ends.0 == ends.1 && ends.0 != 0
        || matches!(ends, (1, 2) | (2, 1)) && {
            let quote = |c: Option<&u8>| matches!(c, Some(b'"' | b'\'' | b'\\' | b'.'));
            quote(before.last()) || quote(after.first())
        }
}

/// The length of a backslash and the end of the line behind it.
fn continuation(rest: &[u8]) -> Option<usize> {
    let after = rest.strip_prefix(b"\\")?;
    // clang passes over spaces behind the backslash.
    let spaces = run_of(after, |c| matches!(c, b' ' | b'\t' | 0x0b | 0x0c));
    match &after[spaces..] {
        [b'\n', ..] => Some(spaces + 2),
        [b'\r', b'\n', ..] => Some(spaces + 3),
        _ => None,
    }
}

fn newlines(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|c| **c == b'\n').count() as u32
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|part| part == what)
}

fn run_of(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|c| belongs(**c)).count()
}

/// What ends the raw string literal whose quote comes first.
fn raw_end(rest: &[u8]) -> Option<String> {
    let inside = rest.strip_prefix(b"\"")?;
    let length = inside.iter().take(17).position(|c| *c == b'(')?;
    Some(format!("){}\"", String::from_utf8_lossy(&inside[..length])))
}

/// A string or a character, which ends with its line at the latest: text that is not compiled may have an apostrophe.
fn literal(rest: &[u8]) -> usize {
    let quote = rest[0];
    let mut length = 1;
    while let Some(&byte) = rest.get(length) {
        match byte {
            b'\\' => length += 1,
            b'\n' => return length,
            _ if byte == quote => return length + 1,
            _ => {}
        }
        length += 1;
    }
    rest.len()
}

fn number(rest: &[u8]) -> usize {
    let mut length = 1;
    while let Some(&byte) = rest.get(length) {
        let signed =
            matches!(byte, b'+' | b'-') && matches!(rest[length - 1], b'e' | b'E' | b'p' | b'P');
        let separates =
            byte == b'\'' && rest.get(length + 1).is_some_and(u8::is_ascii_alphanumeric);
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || signed || separates) {
            break;
        }
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, u32, usize)]) {
        let lexed = lex(text);
        let found: Vec<(&str, u32, usize)> = lexed
            .tokens
            .iter()
            .map(|t| (t.text.as_str(), t.line, t.logical))
            .collect();
        assert_eq!(found, expected);
        assert!(!lexed.is_odd);
    }

    #[test]
    fn comments_and_continued_lines() {
        check(
            "a /* x\n y */ b // c \\\n d\n#define M \\\n 1e-3\ne",
            &[
                ("a", 1, 0),
                ("b", 2, 0),
                ("#", 4, 1),
                ("define", 4, 1),
                ("M", 4, 1),
                ("1e-3", 5, 1),
                ("e", 6, 2),
            ],
        );
    }

    #[test]
    fn literals_hide_what_stands_in_them() {
        check(
            "\"/* { \\\" \" '{' it's\n}",
            &[
                ("\"/* { \\\" \"", 1, 0),
                ("'{'", 1, 0),
                ("it", 1, 0),
                ("'s", 1, 0),
                ("}", 2, 1),
            ],
        );
    }

    #[test]
    fn unusual_spellings_are_odd() {
        for text in [
            "#ifd\\\nef A",
            "/\\\n/ a",
            "%:ifdef A",
            "??=ifdef",
            "a\rb",
            "\u{feff}#if",
            "\u{a0}#if",
        ] {
            assert!(lex(text).is_odd, "{text:?}");
        }
        for text in [
            "a; \\\nb",
            "f(a,\\\nb)",
            "{\\ \nb",
            "a\r\nb",
            "a ?? b",
            "\"<%s>%:\"",
            "V<::T>",
        ] {
            assert!(!lex(text).is_odd, "{text:?}");
        }
        check("a // \\ \n#if\nb", &[("a", 1, 0), ("b", 3, 1)]);
    }

    #[test]
    fn raw_strings_are_one_token() {
        check("R\"(}\n/*)\" b", &[("R\"(}\n/*)\"", 1, 0), ("b", 2, 0)]);
        check("u8R\"x()\")x\"", &[("u8R\"x()\")x\"", 1, 0)]);
        check("FOR \"x\"", &[("FOR", 1, 0), ("\"x\"", 1, 0)]);
        assert!(lex("/* never").is_odd);
        assert_eq!(lex("auto s = LR\"x(})\";").wanted.as_deref(), Some(")x\""));
    }
}
