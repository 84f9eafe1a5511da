//! From clang's locations to spans.

use crate::syntax::Node;
use clang_ast::{BareSourceLocation, SourceLocation};
use gridlock_boundary::input;
use gridlock_semantics::algebra::span::{FileId, SourceFile, Span};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// The files that spans refer to. Number 0 is the file that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    /// clang's name of each file.
    paths: RefCell<Vec<Arc<str>>>,
    /// Of each file whose text was asked for, that text, by its number; `None` where it cannot be read.
    texts: RefCell<HashMap<u32, Option<Arc<Lines>>>>,
    shown: String,
}

/// A text, and where each of its lines begins.
#[derive(Debug)]
struct Lines {
    text: String,
    begins: Vec<usize>,
}

impl Lines {
    fn new(text: String) -> Lines {
        let behind = text.match_indices('\n').map(|(at, _)| at + 1);
        let begins = std::iter::once(0).chain(behind).collect();
        Lines { text, begins }
    }

    /// A line, counted from 0, with its end.
    fn line(&self, number: usize) -> Option<&str> {
        let begin = *self.begins.get(number)?;
        if begin == self.text.len() {
            return None;
        }
        let end = self.begins.get(number + 1).copied();
        self.text.get(begin..end.unwrap_or(self.text.len()))
    }
}

impl Files {
    /// `path` is the main file as given to clang, `shown` its name in spans.
    pub fn new(path: &Path, shown: &str) -> Files {
        Files {
            paths: RefCell::new(vec![Arc::from(path.to_string_lossy().as_ref())]),
            texts: RefCell::default(),
            shown: shown.to_string(),
        }
    }

    fn id(&self, path: &Arc<str>) -> FileId {
        let mut paths = self.paths.borrow_mut();
        let index = match paths.iter().position(|p| p == path) {
            Some(index) => index,
            None => {
                paths.push(path.clone());
                paths.len() - 1
            }
        };
        FileId(index as u32)
    }

    /// The number of a file, by clang's name.
    pub fn number(&self, path: &str) -> FileId {
        self.id(&Arc::from(path))
    }

    pub fn name(&self, id: FileId) -> String {
        match id.0 {
            0 => self.shown.clone(),
            index => self
                .paths
                .borrow()
                .get(index as usize)
                .map_or(String::new(), |p| self.named(p).to_string()),
        }
    }

    /// The name of an included file in spans. clang has its whole path where it reads files made here in the place of
    /// others; beside a file that was named by a path from the working directory it is named so too.
    fn named(&self, path: &Arc<str>) -> Arc<str> {
        let from_here = || {
            let here = std::path::absolute(".").ok()?;
            let inside = Path::new(&**path).strip_prefix(here).ok()?;
            Some(Arc::from(inside.to_string_lossy().as_ref()))
        };
        match Path::new(&self.shown).is_relative() {
            true => from_here().unwrap_or_else(|| path.clone()),
            false => path.clone(),
        }
    }

    /// clang's name of a file.
    pub fn clang_name(&self, id: FileId) -> Option<Arc<str>> {
        self.paths.borrow().get(id.0 as usize).cloned()
    }

    /// The files seen so far; `text` is the main file's. Columns count bytes from 1, as clang's.
    pub fn sources(&self, text: &str) -> Vec<SourceFile> {
        let paths = self.paths.borrow();
        let file = |(index, path): (usize, &Arc<str>)| {
            if index == 0 {
                return SourceFile {
                    name: Arc::from(self.shown.as_str()),
                    text: Arc::from(text),
                };
            }
            let bytes = input::read(Path::new(&**path)).unwrap_or_default();
            SourceFile {
                name: self.named(path),
                text: Arc::from(String::from_utf8_lossy(&bytes).as_ref()),
            }
        };
        paths.iter().enumerate().map(file).collect()
    }

    fn lines(&self, id: FileId) -> Option<Arc<Lines>> {
        let path = self.paths.borrow().get(id.0 as usize)?.clone();
        let mut texts = self.texts.borrow_mut();
        let text = texts.entry(id.0).or_insert_with(|| {
            let bytes = input::read(Path::new(&*path)).ok()?;
            Some(Arc::new(Lines::new(String::from_utf8(bytes).ok()?)))
        });
        text.clone()
    }

    /// The source text of a span.
    pub fn text(&self, span: Span) -> Option<String> {
        let lines = self.lines(span.file)?;
        let first = span.line.checked_sub(1)? as usize;
        let last = span.end_line.checked_sub(1)? as usize;
        let mut found = String::new();
        for number in first..=last {
            let Some(line) = lines.line(number) else {
                break;
            };
            let from = if number == first {
                span.column as usize - 1
            } else {
                0
            };
            let to = if number == last {
                span.end_column as usize - 1
            } else {
                line.len()
            };
            found += line.get(from..to.min(line.len()))?;
        }
        Some(found)
    }

    /// clang's name of the file a node stands in.
    pub fn path(&self, node: &Node) -> Option<Arc<str>> {
        let range = node.kind.range.as_ref();
        let begin = range
            .and_then(|r| expansion(&r.begin))
            .or_else(|| node.kind.loc.as_ref().and_then(expansion));
        begin.map(|l| l.file.clone())
    }

    /// The last token of a node as it is spelled, possibly in the definition of a macro.
    pub fn last_token(&self, node: &Node) -> Option<String> {
        let end = &node.kind.range.as_ref()?.end;
        let place = end.spelling_loc.as_ref().or(end.expansion_loc.as_ref())?;
        let span = Span {
            file: self.id(&place.file),
            line: place.line as u32,
            column: place.col as u32,
            end_line: place.line as u32,
            end_column: (place.col + place.tok_len) as u32,
        };
        self.text(span)
    }

    /// The text that a node covers. Code made by a macro has the place of the macro's use.
    pub fn span(&self, node: &Node) -> Span {
        let own = |l: &BareSourceLocation| (l.file.clone(), l.line, l.col, l.tok_len);
        let range = node.kind.range.as_ref();
        let begin = range
            .and_then(|r| expansion(&r.begin))
            .or_else(|| node.kind.loc.as_ref().and_then(expansion));
        let Some((file, line, column, length)) = begin.map(own) else {
            return Span::NONE;
        };
        let end = range.and_then(|r| expansion(&r.end)).map(own);
        let (end_line, end_column) = match end {
            Some((end_file, end_line, end_column, length)) if end_file == file => {
                (end_line, end_column + length)
            }
            _ => (line, column + length),
        };
        Span {
            file: self.id(&file),
            line: line as u32,
            column: column as u32,
            end_line: end_line as u32,
            end_column: end_column as u32,
        }
    }
}

fn expansion(location: &SourceLocation) -> Option<&BareSourceLocation> {
    location.expansion_loc.as_ref()
}
