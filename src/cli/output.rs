//! Where results and errors go: results on standard output, everything else on standard error.

use super::supervised::worker;
use clap::ValueEnum;
use gridlock::input::error::InputError;
use gridlock::input::whole_file::Inputs;
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::render::sources::Sources;
use gridlock::report::render::{diagnostic, json, opencl_words};
use gridlock::words::style::Style;
use serde_json::Value;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// One object, as the contract says
    Json,
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
    /// Text is in OpenCL's words.
    speaks_opencl: bool,
    /// What kept files that were asked for from being written.
    warnings: Vec<InputError>,
    /// What the command reads.
    inputs: Inputs,
    /// Why standard output takes no more.
    failed: Option<std::io::Error>,
}

impl Output {
    pub fn new(command: &str, format: Format, colour: Colour) -> Output {
        Output {
            command: command.to_owned(),
            format,
            colour,
            sources: Sources::new(),
            speaks_opencl: false,
            warnings: Vec::new(),
            inputs: Inputs::default(),
            failed: None,
        }
    }

    pub fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    fn style_for(&self, is_terminal: bool) -> Style {
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
            Format::Text => {
                let style = self.style();
                match self.speaks_opencl {
                    true => {
                        let width = style.width - opencl_words::MARGIN;
                        let style = Style { width, ..style };
                        opencl_words::translated(&text(&mut self.sources, &style))
                    }
                    false => text(&mut self.sources, &style),
                }
            }
            Format::Json => {
                let mut object = json::envelope(&self.command, body());
                if !self.warnings.is_empty() {
                    object["warnings"] = self.warnings.iter().map(json::located).collect();
                }
                format!("{object:#}\n")
            }
        };
        worker::begin_to_print();
        self.print(&shown);
        if self.format == Format::Text {
            for warning in &self.warnings {
                say(&format!("warning: {warning}\n"));
            }
        }
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
        match self.format {
            Format::Text => {
                let style = self.style_for(std::io::stderr().is_terminal());
                let shown = diagnostic::input_error(error, &mut self.sources, &style);
                say(&shown);
            }
            Format::Json => {
                let object = json::envelope(&self.command, json::error(error));
                let shown = format!("{object:#}\n");
                self.print(&shown);
            }
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
