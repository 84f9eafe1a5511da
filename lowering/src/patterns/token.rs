//! Tokens of C, C++ and C# texts, as far as patterns need them: what stands before a token is kept.

/// A token of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub text: String,
    /// White space and comments before it.
    pub before: String,
    /// From 1.
    pub line: u32,
    pub column: u32,
}

impl Token {
    pub(super) fn is_name(&self) -> bool {
        self.text
            .starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }
}

/// Longest first.
const PUNCTUATION: &[&str] = &[
    "<<<", ">>>", "<<=", ">>=", "...", "->", "::", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
    "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];

/// The tokens, and what stands behind the last.
pub(super) fn tokens(text: &str) -> (Vec<Token>, String) {
    let mut found = Vec::new();
    let mut rest = text;
    let mut before = String::new();
    let (mut line, mut column) = (1, 1);
    while let Some(first) = rest.chars().next() {
        let (length, is_token) = match trivia(rest) {
            Some(length) => (length, false),
            None => (token(rest, first), true),
        };
        let (piece, behind) = rest.split_at(length);
        if is_token {
            found.push(Token {
                text: piece.to_owned(),
                before: std::mem::take(&mut before),
                line,
                column,
            });
        } else {
            before.push_str(piece);
        }
        for c in piece.chars() {
            if c == '\n' {
                line += 1;
                column = 1;
            } else {
                column += 1;
            }
        }
        rest = behind;
    }
    (found, before)
}

/// Length of white space, of a comment or of a line's continuation, if one stands here.
fn trivia(text: &str) -> Option<usize> {
    if let Some(comment) = text.strip_prefix("//") {
        return Some(2 + comment.find('\n').unwrap_or(comment.len()));
    }
    if let Some(comment) = text.strip_prefix("/*") {
        return Some(comment.find("*/").map_or(text.len(), |end| end + 4));
    }
    if text.starts_with("\\\n") {
        return Some(2);
    }
    let first = text.chars().next()?;
    first.is_whitespace().then(|| first.len_utf8())
}

/// Length of the token at the beginning of a text that is not empty.
fn token(text: &str, first: char) -> usize {
    let while_in =
        |accepts: &dyn Fn(char) -> bool| text.find(|c: char| !accepts(c)).unwrap_or(text.len());
    if first.is_ascii_alphabetic() || first == '_' {
        return while_in(&|c| c.is_ascii_alphanumeric() || c == '_');
    }
    if first.is_ascii_digit() {
        let is_hex = text.starts_with("0x") || text.starts_with("0X");
        let mut last = ' ';
        for (at, c) in text.char_indices() {
            let is_sign = matches!(c, '+' | '-')
                && (matches!(last, 'p' | 'P') || (!is_hex && matches!(last, 'e' | 'E')));
            if !(c.is_ascii_alphanumeric() || c == '.' || c == '_' || is_sign) {
                return at;
            }
            last = c;
        }
        return text.len();
    }
    if matches!(first, '"' | '\'') {
        let mut escaped = false;
        for (at, c) in text.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '\n' => return at,
                _ if c == first => return at + 1,
                _ => {}
            }
        }
        return text.len();
    }
    let known = PUNCTUATION.iter().find(|p| text.starts_with(**p));
    known.map_or(first.len_utf8(), |p| p.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_as_c_cuts_them() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<String> = tokens(text).0.into_iter().map(|t| t.text).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("a+b1", &["a", "+", "b1"]);
        check(
            "k<<<n, 1>>>(x);",
            &["k", "<<<", "n", ",", "1", ">>>", "(", "x", ")", ";"],
        );
        check("1e-3f - 0x1E-2", &["1e-3f", "-", "0x1E", "-", "2"]);
        check(
            r#"f("a\"b", '\'')"#,
            &["f", "(", r#""a\"b""#, ",", r"'\''", ")"],
        );
        check("a // b\n/* c */ d \\\n e", &["a", "d", "e"]);
        check("\"open\nx", &["\"open", "x"]);
        check("µ /* open", &["µ"]);
    }

    #[test]
    fn nothing_is_lost() {
        for text in ["  a /* b */ + c\n", "", "x\n\n#define A \\\n b\n"] {
            let (found, behind) = tokens(text);
            let again: String = found.iter().map(|t| t.before.clone() + &t.text).collect();
            assert_eq!(again + &behind, text);
        }
    }

    #[test]
    fn places_count_from_one() {
        let (found, _) = tokens("a\n  bc d");
        let places: Vec<(u32, u32)> = found.iter().map(|t| (t.line, t.column)).collect();
        assert_eq!(places, [(1, 1), (2, 3), (2, 6)]);
    }
}
