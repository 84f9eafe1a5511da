//! A file after preprocessing, with its definitions (`clang -E -dD`): which token stands in which line of which file,
//! and in what order files, definitions and tokens come.

use super::lexer::lex;
use super::libraries::may_define;
use std::collections::{BTreeMap, HashMap};

/// A token of a file of the user's, after the expansion of macros.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub text: String,
    /// Number of its file.
    pub file: usize,
    /// The line where it, or the macro that makes it, stands; of a macro's use over several lines, the first.
    pub line: u32,
}

/// Lines of a file that are read one after the other.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    first: u32,
    last: u32,
    /// When the first of them is read.
    time: usize,
}

/// The text of a translation unit.
#[derive(Debug, Default)]
pub(super) struct Preprocessed {
    /// clang's names of the user's files.
    pub files: Vec<String>,
    pub tokens: Vec<Placed>,
    stretches: Vec<Vec<Stretch>>,
    /// When each macro is defined, or undefined, first.
    defined: HashMap<String, usize>,
    /// When each missing header is included first, with its name.
    missing: Vec<(usize, String)>,
    /// By file: where files are included from, as file and line.
    pub included_from: BTreeMap<usize, Vec<(usize, u32)>>,
    /// Something after which files, lines and declarations are not told apart.
    pub is_odd: bool,
}

/// What a file is to the program.
pub(super) enum Role {
    /// Written by the user.
    User,
    /// An empty file in the place of a missing header of this name.
    Missing(String),
    /// Ours, or clang's own.
    Known,
}

impl Preprocessed {
    /// Reads clang's output.
    pub fn new(text: &str, role: impl Fn(&str) -> Role) -> Preprocessed {
        let mut read = Preprocessed::default();
        // The file being read, if it is the user's, and those that include it.
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut line = 0u32;
        // A literal over several lines: its text so far, its first line, and what ends it.
        let mut literal: Option<(String, u32, String)> = None;
        for (time, written) in text.lines().enumerate() {
            if let Some((text, _, end)) = &mut literal {
                *text += written;
                line += 1;
                if written.contains(end.as_str())
                    && let (Some((text, first, _)), Some(Some(file))) =
                        (literal.take(), open.last())
                {
                    read.code(&text, *file, first);
                }
                continue;
            }
            if let Some((number, name, flags)) = marker(written) {
                let file = match role(&name) {
                    Role::User => Some(read.file(&name)),
                    Role::Missing(header) => {
                        if read.missing.iter().all(|(_, known)| *known != header) {
                            read.missing.push((time, header));
                        }
                        None
                    }
                    Role::Known => None,
                };
                let outer = open.last().copied().flatten();
                match flags.split(' ').next() {
                    Some("1") => {
                        if let (Some(file), Some(outer)) = (file, outer) {
                            read.included_from
                                .entry(file)
                                .or_default()
                                .push((outer, line));
                        }
                        open.push(file);
                    }
                    Some("2") => {
                        open.pop();
                        match open.last_mut() {
                            Some(top) => *top = file,
                            None => open.push(file),
                        }
                    }
                    _ => match open.last_mut() {
                        Some(top) => *top = file,
                        None => open.push(file),
                    },
                }
                line = number;
                if let Some(file) = file {
                    read.stretches[file].push(Stretch {
                        first: number,
                        last: number,
                        time: time + 1,
                    });
                }
                continue;
            }
            let file = open.last().copied().flatten();
            if let Some(file) = file
                && let Some(stretch) = read.stretches[file].last_mut()
            {
                stretch.last = line;
            }
            let directive = written.strip_prefix('#').map(str::trim_start);
            match (directive, file) {
                (Some(directive), _) => {
                    let mut words = directive.split([' ', '(', '\t']);
                    if let (Some("define" | "undef"), Some(name)) = (words.next(), words.next()) {
                        read.defined.entry(name.to_string()).or_insert(time);
                    }
                }
                (None, Some(file)) => {
                    let end = read.code(written, file, line);
                    literal = end.map(|end| (written.to_string(), line, end));
                }
                (None, None) => {}
            }
            line += 1;
        }
        read.is_odd |= literal.is_some();
        read
    }

    /// Adds tokens. If they end in a literal that goes on, none are added, and what ends the literal is given.
    fn code(&mut self, text: &str, file: usize, line: u32) -> Option<String> {
        let lexed = lex(text);
        if lexed.wanted.is_some() {
            return lexed.wanted;
        }
        self.is_odd |= lexed.is_odd;
        self.tokens
            .extend(lexed.tokens.into_iter().map(|token| Placed {
                text: token.text,
                file,
                line,
            }));
        None
    }

    fn file(&mut self, name: &str) -> usize {
        if let Some(known) = self.files.iter().position(|n| n == name) {
            return known;
        }
        self.files.push(name.to_string());
        self.stretches.push(Vec::new());
        self.files.len() - 1
    }

    /// When a line of a file is read: first, and last where a file is included several times.
    fn times(&self, file: usize, line: u32) -> (usize, usize) {
        let time =
            |s: &Stretch| s.time + (line.clamp(s.first, s.last.max(s.first)) - s.first) as usize;
        let stretches = self.stretches.get(file).map_or(&[][..], Vec::as_slice);
        let before = |s: &&Stretch| s.first <= line;
        let holding: Vec<usize> = stretches
            .iter()
            .filter(before)
            .filter(|s| line <= s.last)
            .map(time)
            .collect();
        // A line that is not read belongs to what comes before it.
        let nearest = stretches.iter().rfind(before).map_or(usize::MAX, time);
        let first = holding.first().copied().unwrap_or(nearest);
        (first, holding.last().copied().unwrap_or(nearest))
    }

    /// Whether a line is read after a missing header could have defined a macro of this name.
    pub fn may_be_defined(&self, name: &str, file: usize, line: u32) -> bool {
        let (_, last) = self.times(file, line);
        let mut before = self.missing.iter().filter(|(time, _)| *time < last);
        before.any(|(_, header)| may_define(header, name))
    }

    /// Whether a line is read after a missing header.
    pub fn is_after_missing(&self, file: usize, line: u32) -> bool {
        let (_, last) = self.times(file, line);
        self.missing.iter().any(|(time, _)| *time < last)
    }

    /// Whether a macro is defined or undefined, by the text, the command line or clang, before a line is read.
    pub fn is_settled(&self, name: &str, file: usize, line: u32) -> bool {
        let (first, _) = self.times(file, line);
        self.defined
            .get(name)
            .is_some_and(|defined| *defined < first)
    }
}

/// The files that clang names in its output, as often as it does.
pub(super) fn files(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter_map(|line| Some(marker(line)?.1))
}

/// The line, the file and the flags of a line marker.
fn marker(written: &str) -> Option<(u32, String, &str)> {
    let rest = written.strip_prefix("# ")?;
    let (number, rest) = rest.split_once(' ')?;
    let number = number.parse().ok()?;
    let mut name = String::new();
    let mut characters = rest.strip_prefix('"')?.char_indices();
    loop {
        match characters.next()? {
            (_, '\\') => name.push(characters.next()?.1),
            (at, '"') => return Some((number, name, rest[at + 2..].trim_start())),
            (_, c) => name.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# 1 \"a.cu\"\n# 1 \"<built-in>\" 1\n#define __CUDA__ 1\n# 1 \"a.cu\" 2\n#define A 1\n\
                        # 1 \"b.h\" 1\nint b;\n# 3 \"a.cu\" 2\n# 1 \"/m/x.h\" 1 3\n# 4 \"a.cu\" 2\nint c;\n#define D\n";

    #[test]
    fn order_and_places() {
        let role = |name: &str| match name {
            "/m/x.h" => Role::Missing("x.h".into()),
            name if name.starts_with('<') => Role::Known,
            _ => Role::User,
        };
        let read = Preprocessed::new(TEXT, role);
        assert_eq!(read.files, ["a.cu", "b.h"]);
        let tokens: Vec<_> = read
            .tokens
            .iter()
            .map(|t| (t.text.as_str(), t.file, t.line))
            .collect();
        let expected = [
            ("int", 1, 1),
            ("b", 1, 1),
            (";", 1, 1),
            ("int", 0, 4),
            ("c", 0, 4),
            (";", 0, 4),
        ];
        assert_eq!(tokens, expected);
        assert_eq!(read.included_from[&1], [(0, 2)]);
        assert!(read.is_after_missing(0, 5) && !read.is_after_missing(0, 2));
        assert!(!read.is_after_missing(1, 1));
        assert!(read.is_settled("A", 0, 4) && read.is_settled("__CUDA__", 1, 1));
        assert!(!read.is_settled("D", 0, 4) && !read.is_settled("E", 0, 4));
    }
}
