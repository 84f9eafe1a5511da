//! Reading pattern files.

use super::fill::{Hole, Piece, Repeated};
use super::term::{High, OPERATORS};
use super::{Category, HostLanguage, Kernels, Pair, PatternFile, recognise};

/// What is wrong with a pattern file, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct PatternError {
    /// Empty where no file is meant.
    pub file: String,
    /// From 1; 0 when unknown.
    pub line: u32,
    /// From 1; 0 when unknown.
    pub column: u32,
    /// What is wrong, one phrase.
    pub message: String,
}

/// A place in the file, from 1.
#[derive(Clone, Copy)]
struct TextPosition {
    line: u32,
    column: u32,
}

type Read<T> = Result<T, (TextPosition, String)>;

pub(super) fn read(file: &str, text: &str) -> Result<PatternFile, PatternError> {
    Reader::default()
        .read(text)
        .map_err(|(place, message)| PatternError {
            file: file.to_owned(),
            line: place.line,
            column: place.column,
            message,
        })
}

/// A pair whose low side may go on.
struct Open {
    at: TextPosition,
    high: High,
    /// Metavariables the low side need not mention.
    unsaid: Vec<String>,
    low: Vec<(TextPosition, String)>,
    lowers: bool,
    lifts: bool,
}

#[derive(Default)]
struct Reader {
    fields: Vec<(String, TextPosition, String)>,
    categories: Vec<Category>,
    open: Option<Open>,
    /// Categories that holes name.
    mentioned: Vec<(TextPosition, String)>,
}

const FIELDS: [&str; 10] = [
    "target",
    "about",
    "source",
    "language",
    "extension",
    "device-pointers",
    "kernels",
    "depth",
    "reserved",
    "foreign",
];

impl Reader {
    fn read(mut self, text: &str) -> Read<PatternFile> {
        let mut last = TextPosition { line: 1, column: 1 };
        for (line, number) in text.lines().zip(1..) {
            let indent = line.chars().take_while(|c| *c == ' ').count();
            let content = line[indent..].trim_end();
            let at = TextPosition {
                line: number,
                column: indent as u32 + 1,
            };
            last = at;
            if content.starts_with('\t') {
                return Err((at, "a tab: lines are indented by blanks".into()));
            }
            if let Some(low) = content.strip_prefix('|').filter(|_| indent > 0) {
                let Some(open) = &mut self.open else {
                    return Err((
                        at,
                        "a line of a low side without a pattern before it".into(),
                    ));
                };
                let from = TextPosition {
                    line: number,
                    column: at.column + 2,
                };
                open.low
                    .push((from, low.strip_prefix(' ').unwrap_or(low).to_owned()));
                continue;
            }
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            self.close()?;
            if indent > 0 {
                self.pattern(at, content)?;
            } else {
                self.field(at, content)?;
            }
        }
        self.close()?;
        self.finish(last)
    }

    /// `category NAME` or a line of the heading.
    fn field(&mut self, at: TextPosition, content: &str) -> Read<()> {
        let (word, value) = content.split_once(' ').unwrap_or((content, ""));
        let value = value.trim();
        if word == "category" {
            if !is_word(value) {
                return Err((at, "`category` and its name".into()));
            }
            if self.categories.iter().any(|c| c.name == value) {
                return Err((at, format!("a second category `{value}`")));
            }
            self.categories.push(Category {
                name: value.to_owned(),
                pairs: Vec::new(),
            });
            return Ok(());
        }
        if !FIELDS.contains(&word) {
            let message = format!(
                "unknown `{word}` (there are category, {})",
                FIELDS.join(", ")
            );
            return Err((at, message));
        }
        if self.fields.iter().any(|(known, ..)| known == word) {
            return Err((at, format!("a second `{word}`")));
        }
        self.fields.push((word.to_owned(), at, value.to_owned()));
        Ok(())
    }

    /// `high <=> low`
    fn pattern(&mut self, at: TextPosition, content: &str) -> Read<()> {
        if self.categories.is_empty() {
            return Err((at, "a pattern before the first `category`".into()));
        }
        let arrows = [
            ("<=>", true, true),
            ("=>", true, false),
            ("<=", false, true),
        ];
        let found = arrows.iter().find_map(|(arrow, lowers, lifts)| {
            let (high, low) = content.split_once(arrow)?;
            Some((high, low, arrow.len(), *lowers, *lifts))
        });
        let Some((high_text, low, arrow, lowers, lifts)) = found else {
            return Err((at, "no `<=>` (nor `=>`, nor `<=`) in a pattern".into()));
        };
        let mut unsaid = Vec::new();
        let mut parser = HighParser {
            text: high_text,
            at: 0,
            place: at,
            unsaid: &mut unsaid,
        };
        let high = parser.term()?;
        parser.end()?;
        if !matches!(high, High::App(..)) {
            return Err((at, "a high side is an operator".into()));
        }
        let mut lines = Vec::new();
        if !low.trim().is_empty() {
            let skipped = low.len() - low.trim_start().len();
            let column = at.column + (high_text.chars().count() + arrow + skipped) as u32;
            lines.push((TextPosition { column, ..at }, low.trim_start().to_owned()));
        }
        self.open = Some(Open {
            at,
            high,
            unsaid,
            low: lines,
            lowers,
            lifts,
        });
        Ok(())
    }

    fn close(&mut self) -> Read<()> {
        let Some(open) = self.open.take() else {
            return Ok(());
        };
        let mut bound = Vec::new();
        open.high.vars(&mut bound);
        let mut said: Vec<&str> = Vec::new();
        let mut lines = Vec::new();
        for (place, line) in &open.low {
            lines.push(pieces(*place, line)?);
        }
        for (line, (place, _)) in lines.iter().zip(&open.low) {
            for piece in line {
                let Piece::Hole(hole) = piece else { continue };
                if !bound.contains(&hole.var.as_str()) {
                    let message = format!("`${}` does not stand on the high side", hole.var);
                    return Err((*place, message));
                }
                said.push(&hole.var);
                if let Some(category) = hole.category.as_ref().filter(|c| *c != "name") {
                    self.mentioned.push((*place, category.clone()));
                }
            }
        }
        if open.lifts
            && let Some(var) = bound
                .iter()
                .find(|var| !said.contains(var) && !open.unsaid.iter().any(|u| u == *var))
        {
            let message = format!(
                "the low side does not say what `${var}` is: write `${var}?` if that is meant"
            );
            return Err((open.at, message));
        }
        let tokens = recognise::low_tokens(&lines);
        if open.lifts && tokens.is_empty() && !open.low.is_empty() {
            return Err((open.at, "a low side without a token".into()));
        }
        let Some(category) = self.categories.last_mut() else {
            return Err((open.at, "a pattern before the first `category`".into()));
        };
        if category
            .pairs
            .iter()
            .any(|p| p.high == open.high && p.lowers && open.lowers)
        {
            return Err((open.at, "an earlier pattern has this high side".into()));
        }
        category.pairs.push(Pair {
            high: open.high,
            lines,
            lifts: open.lifts && !tokens.is_empty(),
            tokens,
            lowers: open.lowers,
        });
        Ok(())
    }

    fn finish(self, end: TextPosition) -> Read<PatternFile> {
        for (place, name) in &self.mentioned {
            if !self.categories.iter().any(|c| c.name == *name) {
                return Err((*place, format!("no category `{name}`")));
            }
        }
        let field = |name: &str| {
            let found = self.fields.iter().find(|(known, ..)| known == name);
            found.map(|(_, at, value)| (*at, value.as_str()))
        };
        let needed = |name: &str| {
            field(name)
                .filter(|(_, value)| !value.is_empty())
                .ok_or_else(|| (end, format!("the heading has no `{name}`")))
        };
        let words = |name: &str| -> Vec<String> {
            let value = field(name).map_or("", |(_, value)| value);
            value.split_whitespace().map(str::to_owned).collect()
        };
        let language = match needed("language")? {
            (_, "c++") => HostLanguage::Cpp,
            (_, "csharp") => HostLanguage::CSharp,
            (at, other) => return Err((at, format!("language `{other}` (there are c++, csharp)"))),
        };
        let opaque_pointers = match needed("device-pointers")? {
            (_, "opaque") => true,
            (_, "typed") => false,
            (at, _) => return Err((at, "device pointers are `typed` or `opaque`".into())),
        };
        let (at, kernels) = needed("kernels")?;
        let kernels = match kernels.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["same-file"] => Kernels::SameFile,
            ["cuda", source, loaded] => Kernels::Cuda {
                source: (*source).to_owned(),
                loaded: (*loaded).to_owned(),
            },
            ["opencl", source] => Kernels::OpenCl {
                source: (*source).to_owned(),
            },
            _ => {
                let message = "kernels: `same-file`, `cuda EXTENSION LOADED` or `opencl EXTENSION`";
                return Err((at, message.into()));
            }
        };
        let depth = match field("depth") {
            None => 0,
            Some((at, text)) => match text.parse() {
                Ok(depth) if depth <= 8 => depth,
                _ => return Err((at, "the depth is a number up to 8".into())),
            },
        };
        let (at, extension) = needed("extension")?;
        let is_extension = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric());
        if !is_extension(extension) {
            return Err((
                at,
                "an extension is letters and digits, without a dot".into(),
            ));
        }
        Ok(PatternFile {
            name: needed("target")?.1.to_owned(),
            about: needed("about")?.1.to_owned(),
            source: needed("source")?.1.to_owned(),
            extension: extension.to_owned(),
            language,
            kernels,
            opaque_pointers,
            depth,
            reserved: words("reserved"),
            foreign: words("foreign"),
            categories: self.categories,
        })
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// Length of the word a text begins with.
fn word(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(text.len())
}

struct HighParser<'a> {
    text: &'a str,
    at: usize,
    place: TextPosition,
    unsaid: &'a mut Vec<String>,
}

impl HighParser<'_> {
    fn rest(&mut self) -> &str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn error<T>(&self, message: impl Into<String>) -> Read<T> {
        let before = self.text[..self.at].chars().count() as u32;
        let column = self.place.column + before;
        Err((
            TextPosition {
                column,
                ..self.place
            },
            message.into(),
        ))
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    fn term(&mut self) -> Read<High> {
        if self.eat("$") {
            let length = word(&self.text[self.at..]);
            if length == 0 {
                return self.error("a metavariable without a name");
            }
            let name = self.text[self.at..self.at + length].to_owned();
            self.at += length;
            if self.text[self.at..].starts_with('?') {
                self.at += 1;
                self.unsaid.push(name.clone());
            }
            return Ok(High::Var(name));
        }
        let length = word(self.rest());
        if length == 0 {
            return self.error("an operator, a metavariable or a number is expected");
        }
        let name = self.text[self.at..self.at + length].to_owned();
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            self.at += length;
            return Ok(High::Literal(name));
        }
        let start = self.at;
        self.at += length;
        let mut parts = Vec::new();
        if self.eat("(") && !self.eat(")") {
            loop {
                parts.push(self.term()?);
                if self.eat(")") {
                    break;
                }
                if !self.eat(",") {
                    return self.error("`,` or `)` is expected");
                }
            }
        }
        let Some((_, arity)) = OPERATORS.iter().find(|(known, _)| *known == name) else {
            self.at = start;
            return self.error(format!("no operator `{name}`"));
        };
        if *arity != parts.len() {
            self.at = start;
            return self.error(format!("`{name}` has {arity} parts, here {}", parts.len()));
        }
        Ok(High::App(name, parts))
    }

    fn end(&mut self) -> Read<()> {
        match self.rest().is_empty() {
            true => Ok(()),
            false => self.error("the arrow is expected"),
        }
    }
}

/// A line of a low side: `$x`, `$x:category`, `$x:category*`, `$x:category,*`,
/// `$x:category,,*`; `$$` is a dollar.
fn pieces(place: TextPosition, line: &str) -> Read<Vec<Piece>> {
    let mut found = Vec::new();
    let mut text = String::new();
    let mut rest = line;
    while let Some(dollar) = rest.find('$') {
        text.push_str(&rest[..dollar]);
        rest = &rest[dollar + 1..];
        if let Some(behind) = rest.strip_prefix('$') {
            text.push('$');
            rest = behind;
            continue;
        }
        let length = word(rest);
        if length == 0 {
            let column = place.column + (line.len() - rest.len()) as u32 - 1;
            let message = "a metavariable without a name (a dollar is `$$`)";
            return Err((TextPosition { column, ..place }, message.into()));
        }
        let mut hole = Hole {
            var: rest[..length].to_owned(),
            category: None,
            repeated: None,
        };
        rest = &rest[length..];
        // `$x::y` is no category.
        if let Some(behind) = rest.strip_prefix(':')
            && word(behind) > 0
        {
            let length = word(behind);
            hole.category = Some(behind[..length].to_owned());
            rest = &behind[length..];
            for (mark, repeated) in [
                (",,*", Repeated::Followed),
                (",*", Repeated::Commas),
                ("*", Repeated::Plain),
            ] {
                if let Some(behind) = rest.strip_prefix(mark) {
                    hole.repeated = Some(repeated);
                    rest = behind;
                    break;
                }
            }
        }
        if !text.is_empty() {
            found.push(Piece::Text(std::mem::take(&mut text)));
        }
        found.push(Piece::Hole(hole));
    }
    text.push_str(rest);
    if !text.is_empty() {
        found.push(Piece::Text(text));
    }
    Ok(found)
}
