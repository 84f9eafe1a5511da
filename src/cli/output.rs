//! Where results and errors go: results on standard output, everything else on standard error.

use super::part::{self, Part};
use super::supervised::worker;
use clap::ValueEnum;
use gridlock::input::error::InputError;
use gridlock::input::whole_file::Inputs;
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::page::pages::Followed;
use gridlock::report::render::several;
use gridlock::report::render::sources::Sources;
use gridlock::report::render::{diagnostic, json, opencl_words};
use gridlock::report::{github, sarif};
use gridlock::words::style::Style;
use gridlock_checker::report::Judgement;
use gridlock_frontend::Parsed;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// One object, as the contract says
    Json,
    /// SARIF 2.1.0, for code scanners and editors (`check`, `equiv`, `prove`)
    Sarif,
    /// Annotations of GitHub Actions (`check`, `equiv`, `prove`)
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

/// The output of one command.
#[derive(Debug)]
pub struct Output {
    command: String,
    format: Format,
    colour: Colour,
    pub sources: Sources,
    /// JSON has the text for people too.
    with_text: bool,
    /// Text is in OpenCL's words.
    speaks_opencl: bool,
    /// What kept files that were asked for from being written.
    warnings: Vec<InputError>,
    /// What the command reads.
    inputs: Inputs,
    /// Why standard output takes no more.
    failed: Option<std::io::Error>,
    /// What is printed is a part of the report of another process.
    part: Option<Part>,
    /// What a report of several files says of this one.
    summary: Value,
    /// A part of a page for that report.
    page: Value,
}

impl Output {
    pub fn new(command: &str, format: Format, colour: Colour) -> Output {
        Output {
            command: command.to_owned(),
            format,
            colour,
            sources: Sources::new(),
            with_text: false,
            speaks_opencl: false,
            warnings: Vec::new(),
            inputs: Inputs::default(),
            failed: None,
            part: Part::asked(),
            summary: Value::Null,
            page: Value::Null,
        }
    }

    /// Whether what is printed has room for schedules.
    pub fn wants_runs(&self) -> bool {
        self.format == Format::Sarif
    }

    /// Whether this is a part of a report of several files.
    pub fn is_part(&self) -> bool {
        self.part.is_some()
    }

    pub fn set_page(&mut self, page: Value) {
        self.page = page;
    }

    /// JSON has the text for people too.
    pub fn with_text(mut self, with_text: bool) -> Output {
        self.with_text = with_text;
        self
    }

    pub fn format(&self) -> Format {
        self.format
    }

    pub fn is_text(&self) -> bool {
        self.format == Format::Text
    }

    pub fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    fn style_for(&self, is_terminal: bool) -> Style {
        if let Some(part) = &self.part {
            return part.style();
        }
        let colour = match self.colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none(),
        };
        // COLUMNS wins over the terminal; what is no terminal is taken as 100 wide.
        let columns = std::env::var("COLUMNS")
            .ok()
            .and_then(|text| text.parse::<usize>().ok());
        let terminal = || match is_terminal {
            true => terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)),
            false => None,
        };
        let width = match columns.or_else(terminal) {
            Some(columns) => columns.clamp(40, 120),
            None => 100,
        };
        Style { colour, width }
    }

    /// Style of what goes to standard output.
    pub fn style(&self) -> Style {
        self.style_for(std::io::stdout().is_terminal())
    }

    /// What is printed is about this file.
    pub fn speak_of(&mut self, file: &Path) {
        self.speaks_opencl = opencl_words::speaks_of(file);
    }

    /// The command reads these files: nothing that it writes may take their place.
    pub fn reads<'p>(&mut self, paths: impl IntoIterator<Item = &'p Path>) {
        self.inputs.add(paths);
    }

    /// The command is going to write these files.
    ///
    /// # Errors
    /// One of them is read.
    pub fn writes<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<(), InputError> {
        paths
            .into_iter()
            .try_for_each(|path| self.inputs.refuse(path))
    }

    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Writes a file whole.
    ///
    /// # Errors
    /// It is an input of the command, or cannot be written.
    pub fn write(&self, path: &Path, contents: impl AsRef<[u8]>) -> Result<(), InputError> {
        self.inputs.write_beside(path, contents)
    }

    /// As [`Output::write`]; what keeps it from being written does not cost the report.
    pub fn write_or_note(&mut self, path: &Path, contents: impl AsRef<[u8]>) {
        let written = self.write(path, contents);
        self.note(written);
    }

    /// Takes note of a file that could not be written: that must not cost the report, with which
    /// it is said.
    pub fn note(&mut self, written: Result<(), InputError>) {
        self.warnings.extend(written.err());
    }

    /// The exit status of a command that ends with `status` as far as its report goes.
    pub fn status(&self, status: ExitStatus) -> ExitStatus {
        status.or_not_written(self.warnings.is_empty())
    }

    /// Prints the result of the command: `text` or, for JSON, `body` in the contract's envelope.
    pub fn result(
        &mut self,
        text: impl FnOnce(&mut Sources, &Style) -> String,
        body: impl FnOnce() -> Value,
    ) {
        let shown = match self.format {
            Format::Sarif | Format::Github => {
                // Commands that give no findings are refused these formats before they run.
                let text = text(&mut self.sources, &Style::default());
                text.lines().map(|line| format!("# {line}\n")).collect()
            }
            Format::Text => self.in_words(text),
            Format::Json => {
                let mut object = json::envelope(&self.command, body());
                if !self.warnings.is_empty() {
                    object["warnings"] = self.warnings.iter().map(json::located).collect();
                }
                if self.with_text {
                    object["text"] = Value::String(self.in_words(text));
                }
                format!("{object:#}\n")
            }
        };
        self.show(shown);
        if self.format == Format::Text {
            for warning in &self.warnings {
                say(&format!("warning: {warning}\n"));
            }
        }
    }

    /// The text for people.
    fn in_words(&mut self, text: impl FnOnce(&mut Sources, &Style) -> String) -> String {
        let style = self.style();
        if !self.speaks_opencl {
            return text(&mut self.sources, &style);
        }
        let width = style.width - opencl_words::MARGIN;
        opencl_words::translated(&text(&mut self.sources, &Style { width, ..style }))
    }

    /// The result of a command that gives findings. `text` and `body` as in [`Output::result`]; `runs` are the
    /// schedules of the defects, where a format has room for them.
    pub fn judged(
        &mut self,
        judgement: &Judgement,
        runs: &[Followed],
        text: impl FnOnce(&mut Sources, &Style) -> String,
        body: impl FnOnce() -> Value,
    ) {
        self.summary = several::summary(judgement);
        match self.format {
            Format::Text | Format::Json => return self.result(text, body),
            Format::Sarif => {
                let log = sarif::log(judgement, runs, &mut self.sources);
                self.show(format!("{log:#}\n"));
            }
            Format::Github => self.show(github::annotations(judgement)),
        }
        self.warnings
            .iter()
            .for_each(|warning| say(&format!("warning: {warning}\n")));
    }

    /// Prints what is the result as a whole.
    fn show(&mut self, shown: String) {
        worker::begin_to_print();
        let shown = self.as_part(shown);
        self.print(&shown);
    }

    fn as_part(&self, shown: String) -> String {
        if self.part.is_none() {
            return shown;
        }
        let shown = match self.format {
            Format::Text | Format::Github => Value::String(shown),
            // What was printed a moment ago.
            Format::Json | Format::Sarif => serde_json::from_str(&shown).unwrap_or_default(),
        };
        part::answer(shown, &self.summary, &self.page)
    }

    /// Prints text as it is made (a long listing); nothing for JSON.
    pub fn line(&mut self, text: &str) {
        if self.format == Format::Text {
            let shown = match self.speaks_opencl {
                true => opencl_words::translated(text),
                false => text.to_owned(),
            };
            self.print(&format!("{shown}\n"));
        }
    }

    pub fn error(&mut self, error: &InputError) {
        self.summary = json::error(error);
        if matches!(self.format, Format::Json | Format::Sarif) {
            // There is one document, and it is this.
            worker::begin_to_print();
        }
        let shown = match self.format {
            Format::Text => {
                let style = self.style_for(std::io::stderr().is_terminal());
                let shown = diagnostic::input_error(error, &mut self.sources, &style);
                if self.part.is_none() {
                    return say(&shown);
                }
                shown
            }
            Format::Json => {
                let mut object = json::envelope(&self.command, json::error(error));
                if self.with_text {
                    let style = self.style();
                    let text = diagnostic::input_error(error, &mut self.sources, &style);
                    object["text"] = Value::String(text);
                }
                format!("{object:#}\n")
            }
            Format::Sarif => format!("{:#}\n", sarif::failed(error, &mut self.sources)),
            Format::Github => github::failed(error),
        };
        let shown = self.as_part(shown);
        self.print(&shown);
    }

    /// Says, on standard error, what a program that is written does not have of the one that was read.
    pub fn left_out(&self, parsed: &Parsed) {
        let mut told = BTreeSet::new();
        for note in parsed.notes.iter().filter(|note| note.is_output) {
            let (span, message) = (note.span, &note.message);
            let files = parsed.program.files.get(span.file.0 as usize);
            let file = files.map_or("", |file| &*file.name);
            if told.insert((file, span.line, span.column)) {
                let (line, column) = (span.line, span.column);
                say(&format!(
                    "{file}:{line}:{column}: note: {message}: left out\n"
                ));
            }
        }
    }

    /// Says, on standard error, which procedures of a file could not be read, and why.
    pub fn not_read(&self, parsed: &Parsed, file: &Path) {
        let file = file.display().to_string();
        for lost in parsed.unsupported.iter().filter(|lost| lost.file == file) {
            let (line, column) = (lost.line, lost.column);
            let (name, message) = (&lost.proc, &lost.message);
            say(&format!(
                "{file}:{line}:{column}: note: `{name}` is not read: not supported: {message}\n"
            ));
        }
    }

    /// Everything that goes to standard output goes through here.
    pub fn print(&mut self, text: &str) {
        if self.failed.is_none() {
            let mut out = std::io::stdout().lock();
            let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            self.note_printed(printed);
        }
    }

    /// Takes note of how it went to print something.
    pub fn note_printed(&mut self, printed: std::io::Result<()>) {
        self.failed = self.failed.take().or(printed.err());
    }

    /// The exit status of a command that ends with `status`: what could not be printed is lost, and said. A reader
    /// that went away (`gridlock … | head`) has what it wanted.
    pub fn finish(self, status: ExitStatus) -> ExitStatus {
        match self.failed {
            Some(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                say(&format!("error: standard output: cannot write: {error}\n"));
                ExitStatus::BadInput
            }
            _ => status,
        }
    }
}

/// Says something on standard error. That it cannot be said could be said nowhere.
fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
