//! A translation unit in pieces: which lines of which files make up a declaration, and the names in it.
//!
//! Everything here goes by names and lines, and takes a declaration to be more than it is.

use super::chunks::{self, Scope, is_name};
use super::conditions::{Directive, Macros, directives, note_macros};
use super::lexer::{Lexed, lex};
use super::preprocessed::Preprocessed;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A file of the user's.
pub(super) struct File {
    pub text: String,
    pub lexed: Lexed,
    pub directives: Vec<Directive>,
}

/// A translation unit in pieces.
pub(super) struct Source {
    pub read: Preprocessed,
    pub files: Vec<File>,
    pub scope: Scope,
    /// The piece that each declaration belongs to. Declarations that share a line are one piece.
    pub piece_of: Vec<usize>,
    /// By file and line: the piece of what stands there and in the lines that follow, up to the next entry; `None` for
    /// the braces of namespaces.
    owners: Vec<BTreeMap<u32, Option<usize>>>,
    /// By declaration and file: its first and its last line there.
    pub lines: Vec<BTreeMap<usize, (u32, u32)>>,
    /// The macros that the text defines.
    pub macros: Macros,
}

impl Source {
    /// `texts` are those of the files of `read`, in its order.
    pub fn new(read: Preprocessed, texts: Vec<String>) -> Source {
        let files: Vec<File> = texts
            .into_iter()
            .map(|text| {
                let lexed = lex(&text);
                let directives = directives(&lexed);
                File {
                    text,
                    lexed,
                    directives,
                }
            })
            .collect();
        let tokens: Vec<&str> = read.tokens.iter().map(|t| t.text.as_str()).collect();
        let scope = chunks::scope(&tokens);
        let mut macros = Macros::new();
        for file in &files {
            note_macros(&file.lexed, &file.directives, &mut macros);
        }
        let mut lines: Vec<BTreeMap<usize, (u32, u32)>> = Vec::new();
        let mut sets = Sets((0..scope.chunks.len()).collect());
        let mut first_at: HashMap<(usize, u32), usize> = HashMap::new();
        for (index, chunk) in scope.chunks.iter().enumerate() {
            let mut own: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
            for token in &read.tokens[chunk.tokens.clone()] {
                let range = own.entry(token.file).or_insert((token.line, token.line));
                *range = (range.0.min(token.line), range.1.max(token.line));
                let other = *first_at.entry((token.file, token.line)).or_insert(index);
                sets.join(index, other);
            }
            lines.push(own);
        }
        let piece_of: Vec<usize> = (0..scope.chunks.len())
            .map(|index| sets.root(index))
            .collect();
        let mut owners = vec![BTreeMap::new(); files.len()];
        for ((file, line), chunk) in &first_at {
            owners[*file].insert(*line, Some(piece_of[*chunk]));
        }
        for &at in &scope.structure {
            let token = &read.tokens[at];
            owners[token.file].insert(token.line, None);
        }
        Source {
            read,
            files,
            scope,
            piece_of,
            owners,
            lines,
            macros,
        }
    }

    /// Whether the text cannot be told apart into declarations.
    pub fn is_odd(&self) -> bool {
        let odd = ["requires", "concept", "export", "import", "module"];
        let has_line = |file: &File| {
            file.directives
                .iter()
                .any(|d| d.word == "line" || d.word.starts_with(|c: char| c.is_ascii_digit()))
        };
        self.read.is_odd
            || !self.scope.is_balanced
            || self
                .files
                .iter()
                .any(|file| file.lexed.is_odd || has_line(file))
            || self
                .read
                .tokens
                .iter()
                .any(|t| odd.contains(&t.text.as_str()))
    }

    pub fn file(&self, name: &str) -> Option<usize> {
        self.read.files.iter().position(|file| file == name)
    }

    /// clang's name here of a file that it may name otherwise elsewhere.
    pub fn same_file(&self, name: &str) -> Option<&str> {
        let place = std::fs::canonicalize(name).ok()?;
        let mut files = self.read.files.iter().map(String::as_str);
        files.find(|file| {
            *file == name || std::fs::canonicalize(file).is_ok_and(|other| other == place)
        })
    }

    /// The piece that a line belongs to.
    pub fn owner(&self, file: usize, line: u32) -> Option<usize> {
        let mut before = self.owners.get(file)?.range(..=line);
        before.next_back().and_then(|(_, owner)| *owner)
    }

    /// By file and line, where another owner begins.
    pub fn owners(&self) -> impl Iterator<Item = (usize, u32, Option<usize>)> {
        let files = self.owners.iter().enumerate();
        files.flat_map(|(file, lines)| lines.iter().map(move |(line, owner)| (file, *line, *owner)))
    }

    /// Whether a piece shares a line with braces of a namespace, so that it cannot be left out by lines.
    pub fn is_bound(&self, piece: usize) -> bool {
        let places: HashSet<(usize, u32)> = self
            .scope
            .structure
            .iter()
            .map(|at| {
                let token = &self.read.tokens[*at];
                (token.file, token.line)
            })
            .collect();
        self.chunks_of(piece).any(|chunk| {
            let tokens = &self.read.tokens[self.scope.chunks[chunk].tokens.clone()];
            tokens.iter().any(|t| places.contains(&(t.file, t.line)))
        })
    }

    pub fn chunks_of(&self, piece: usize) -> impl Iterator<Item = usize> {
        (0..self.piece_of.len()).filter(move |chunk| self.piece_of[*chunk] == piece)
    }

    /// The names in each piece, before and after the expansion of macros.
    pub fn mentions(&self) -> BTreeMap<usize, HashSet<&str>> {
        let mut found: BTreeMap<usize, HashSet<&str>> = BTreeMap::new();
        for (index, chunk) in self.scope.chunks.iter().enumerate() {
            let names = found.entry(self.piece_of[index]).or_default();
            let tokens = &self.read.tokens[chunk.tokens.clone()];
            names.extend(tokens.iter().map(|t| t.text.as_str()).flat_map(mentioned));
        }
        for (number, file) in self.files.iter().enumerate() {
            for token in &file.lexed.tokens {
                if let Some(piece) = self.owner(number, token.line) {
                    found
                        .entry(piece)
                        .or_default()
                        .extend(mentioned(&token.text));
                }
            }
        }
        found
    }
}

/// The names in a token: itself, or the suffix of a number that a user's operator reads.
fn mentioned(token: &str) -> Option<&str> {
    if is_name(token) {
        return Some(token);
    }
    let is_number = token.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let at = token.find('_').filter(|_| is_number)?;
    Some(&token[at..])
}

/// Sets that are joined.
struct Sets(Vec<usize>);

impl Sets {
    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        let (low, high) = (one.min(other), one.max(other));
        self.0[high] = low;
    }
}
