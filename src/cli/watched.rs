//! `--watch`: the command runs again whenever what it reads changes, until it is interrupted.
//!
//! Files are looked at twice a second instead of asking the system for notifications: these are lost on network
//! file systems and where editors replace files, and a project has few sources.

use super::output::{Format, Output};
use super::supervised::Asked;
use gridlock::input::error::{ErrorKind, InputError};
use gridlock::input::{compile_commands, folder, project};
use gridlock::report::exit_status::ExitStatus;
use gridlock::supervision::{self, Watched};
use gridlock_boundary::program;
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Between two looks.
const LOOK: Duration = Duration::from_millis(500);

/// Between two looks whether a signal has come.
const BETWEEN: Duration = Duration::from_millis(50);

/// A process that is asked to end does so within this time.
const TO_END: Duration = Duration::from_secs(5);

/// What is read of a project: sources and what they include.
const READ: [&str; 12] = [
    "cu", "cuh", "cl", "c", "h", "hpp", "hh", "inl", "inc", "cpp", "cc", "scheme",
];

/// What a command reads: files, and folders with all sources and headers in them.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    pub paths: Vec<PathBuf>,
}

/// When a file was changed last, its length and its number: a file that takes the place of another has another one.
type Stamp = (Option<SystemTime>, u64, u64);

impl Watch {
    fn stamps(&self) -> BTreeMap<PathBuf, Stamp> {
        let mut stamps = BTreeMap::new();
        let mut note = |path: &Path| {
            if let Ok(known) = std::fs::metadata(path)
                && known.is_file()
            {
                stamps.insert(
                    path.to_owned(),
                    (known.modified().ok(), known.len(), known.ino()),
                );
            }
        };
        for path in &self.paths {
            if path.is_dir() {
                let found = folder::sources(path, &READ).unwrap_or_default();
                found.iter().for_each(|file| note(file));
                note(&path.join(project::NAME));
                note(&path.join(compile_commands::NAME));
                continue;
            }
            note(path);
            // What it includes stands beside it, mostly.
            let beside = path.parent().unwrap_or(Path::new(""));
            note(&beside.join(project::NAME));
            let beside = if beside.as_os_str().is_empty() {
                Path::new(".")
            } else {
                beside
            };
            for entry in std::fs::read_dir(beside).into_iter().flatten().flatten() {
                let file = entry.path();
                let extension = file.extension().and_then(|e| e.to_str());
                if extension.is_some_and(|e| READ.contains(&e) && !matches!(e, "cu" | "cl")) {
                    note(&file);
                }
            }
        }
        stamps
    }
}

/// Runs the command line again and again, without `--watch`.
pub fn run(watch: &Watch, arguments: &[OsString], mut output: Output) -> ExitStatus {
    if output.format() != Format::Text {
        let message = "--watch prints text: a program that reads reports runs the command itself";
        output.error(&InputError::usage(message));
        return output.finish(ExitStatus::BadInput);
    }
    let signals = Asked::listen();
    let rest: Vec<&OsString> = arguments
        .iter()
        .skip(1)
        .filter(|a| *a != "--watch")
        .collect();
    let mut status = ExitStatus::NotReached;
    loop {
        let stamps = watch.stamps();
        let changed = || watch.stamps() != stamps;
        match once(&rest, &signals, &changed) {
            Ok(Some(ended)) => status = ended,
            Ok(None) => {}
            Err(error) => {
                output.error(&error);
                return output.finish(ExitStatus::of_error(&error));
            }
        }
        if signals.end_was_asked().is_none() && !changed() {
            output.line("\nwaiting for a change; Ctrl-C ends");
        }
        let mut looked = Instant::now();
        while looked.elapsed() < LOOK || !changed() {
            if signals.end_was_asked().is_some() {
                return output.finish(status);
            }
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
            }
            std::thread::sleep(BETWEEN);
        }
        // An editor may still be writing.
        std::thread::sleep(Duration::from_millis(50));
        if signals.end_was_asked().is_some() {
            return output.finish(status);
        }
        output.line("\n— changed —");
    }
}

/// One run; `None` where it was overtaken by a change or ended by a signal.
fn once(
    arguments: &[&OsString],
    signals: &Asked,
    changed: &dyn Fn() -> bool,
) -> Result<Option<ExitStatus>, InputError> {
    let failed = |e: std::io::Error| {
        InputError::new(
            ErrorKind::Internal,
            format!("the command cannot be run: {e}"),
        )
    };
    let tool = std::env::current_exe().map_err(failed)?;
    let mut command = program::command(&tool);
    command.args(arguments).stdin(std::process::Stdio::null());
    let watched = Watched::start(&mut command).map_err(failed)?;
    let mut asked: Option<Instant> = None;
    let mut looked = Instant::now();
    let ended = watched.watch(&mut |_, family| {
        if let Some(since) = asked {
            return (since.elapsed() > TO_END).then_some(());
        }
        let is_due = looked.elapsed() > LOOK;
        if is_due {
            looked = Instant::now();
        }
        if signals.end_was_asked().is_some() || is_due && changed() {
            family.signal_leader(Signal::TERM);
            asked = Some(Instant::now());
        }
        None
    });
    match ended.map_err(failed)? {
        supervision::End::Ended(status) => Ok(status.code().map(ExitStatus::of_code)),
        supervision::End::Stopped(()) => Ok(None),
    }
}
