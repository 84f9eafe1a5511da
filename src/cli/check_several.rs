//! `gridlock check` of several sources: a process for each, which judges it as if it were given alone.

use super::given::Source;
use super::output::{Format, Output};
use super::part::{self, Part};
use super::progress::Progress;
use super::supervised::{Asked, Cut};
use gridlock::input::error::{ErrorKind, InputError};
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::page::{self, pages};
use gridlock::report::render::several::{self, FileRow};
use gridlock::report::{github, sarif};
use gridlock::supervision::{self, Watched};
use gridlock::words::plain_words;
use gridlock_boundary::program;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// A process that is asked to end gives its report within this time.
const TO_END: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Several sources")]
pub struct SeveralOptions {
    /// Sources judged at the same time [default: the number of processors]
    #[arg(long, short, value_name = "N")]
    jobs: Option<usize>,
    /// Print the reports of all sources, not only of those with a defect
    #[arg(long)]
    all_reports: bool,
    /// Judge this source alone, as a part of a report (for the tool's own use)
    #[arg(long, value_name = "FILE", hide = true)]
    alone: Option<PathBuf>,
    /// In which of the ways it is compiled
    #[arg(long, value_name = "N", hide = true, requires = "alone")]
    alone_number: Option<usize>,
}

impl SeveralOptions {
    /// The source that this process judges of several, and in which of the ways it is compiled.
    pub fn alone(&self) -> Option<(PathBuf, usize)> {
        let number = self.alone_number.unwrap_or_default();
        self.alone.clone().map(|path| (path, number))
    }
}

/// Sources to judge.
pub struct Several<'a> {
    pub options: &'a SeveralOptions,
    pub sources: Vec<Source>,
    /// Where the page is written.
    pub html: Option<&'a Path>,
}

/// What became of one of them.
struct Done {
    status: ExitStatus,
    /// As the process printed it: a text, or an object.
    shown: Value,
    row: FileRow,
    /// A part of the page.
    page: Value,
    seconds: f64,
}

impl Several<'_> {
    /// Judges all; text comes as it is made, in the order of the sources.
    pub fn run(&self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let jobs = match self.options.jobs {
            Some(0) => return Err(InputError::usage("--jobs 0: at least one")),
            Some(jobs) => jobs,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        let tool = std::env::current_exe().map_err(|e| {
            InputError::new(
                ErrorKind::Internal,
                format!("this program is not found: {e}"),
            )
        })?;
        let signals = Asked::listen();
        let n = self.sources.len();
        let progress = Progress::start("judging", Some(n as u64));
        let part = Part::of(output.style());
        let next = AtomicUsize::new(0);
        let started = Instant::now();
        let (sender, receiver) = channel();
        let mut done: Vec<Option<Done>> = (0..n).map(|_| None).collect();
        let mut printed = 0;
        std::thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, n.max(1)) {
                let (sender, next, tool, part, signals, progress) =
                    (sender.clone(), &next, &tool, &part, &signals, &progress);
                scope.spawn(move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(source) = self.sources.get(index) else {
                            break;
                        };
                        if signals.end_was_asked().is_some() {
                            break;
                        }
                        progress.say(&source.path.display().to_string());
                        // The receiver lives until all are done.
                        let _ = sender.send((index, judge(source, tool, part, signals)));
                    }
                });
            }
            drop(sender);
            for (index, found) in receiver {
                progress.done();
                done[index] = Some(found);
                while let Some(Some(found)) = done.get(printed) {
                    if output.is_text() && (found.row.has_defects || self.options.all_reports) {
                        progress.suspend(|| output.print(&format!("{}\n", text_of(&found.shown))));
                    }
                    printed += 1;
                }
            }
        });
        drop(progress);
        let interrupted = signals.end_was_asked();
        let done: Vec<Done> = done.into_iter().flatten().collect();
        let seconds = started.elapsed().as_secs_f64();
        if let Some(path) = self.html {
            output.write_or_note(path, page::html(&self.page(&done)));
        }
        self.tell(&done, interrupted, seconds, output);
        let status = together(&done);
        Ok(output.status(match (status, interrupted) {
            (ExitStatus::Reached, Some(_)) => ExitStatus::NotReached,
            (status, _) => status,
        }))
    }

    /// The page of all.
    fn page(&self, done: &[Done]) -> Value {
        let rows: Vec<&FileRow> = done.iter().map(|done| &done.row).collect();
        let word = plain_words::verdict(several::verdict(&rows)).0;
        let parts: Vec<Value> = done
            .iter()
            .filter(|done| !done.page.is_null())
            .map(|done| {
                let mut page = done.page.clone();
                page["tables"][0]["title"] = json!(done.row.file);
                page
            })
            .collect();
        let about = vec![several::counts(&rows)];
        pages::together(
            &format!("{word}: {} files", rows.len()),
            about,
            several::page_table(&rows),
            &parts,
        )
    }

    fn tell(&self, done: &[Done], interrupted: Option<i32>, seconds: f64, output: &mut Output) {
        // That a file of a folder has no kernel is nothing to act on.
        let told = || done.iter().filter(|done| !done.row.is_empty);
        match output.format() {
            Format::Sarif => {
                let logs: Vec<Value> = told().map(|done| done.shown.clone()).collect();
                output.print(&format!("{:#}\n", sarif::together(&logs)));
                return;
            }
            Format::Github => {
                told().for_each(|done| output.print(&text_of(&done.shown)));
                output.print(&github::summary(done.iter().map(|done| &done.row)));
                return;
            }
            Format::Text | Format::Json => {}
        }
        let rows: Vec<&FileRow> = done.iter().map(|done| &done.row).collect();
        let left = self.sources.len() - done.len();
        output.result(
            |_, style| {
                let mut text = several::table(&rows, seconds, style);
                if let Some(signal) = interrupted {
                    text.push_str(&format!(
                        "Cut short: {}; {left} not judged\n",
                        Cut::Signal(signal)
                    ));
                }
                text
            },
            || {
                let files = done.iter().map(|done| {
                    let mut file = done.shown.clone();
                    if let Some(fields) = file.as_object_mut() {
                        // Said once, at the top.
                        for field in ["schema", "tool", "version", "command"] {
                            fields.remove(field);
                        }
                        fields.insert("file".to_owned(), json!(done.row.file));
                        fields.insert("exit_status".to_owned(), json!(done.status.code()));
                        fields.insert("seconds".to_owned(), json!(done.seconds));
                    }
                    file
                });
                json!({
                    "files": files.collect::<Vec<_>>(),
                    "verdict": several::verdict(&rows),
                    "totals": several::totals(&rows),
                    "not_judged_files": left,
                    "reason": interrupted.map(|_| "interrupted"),
                    "statistics": {"seconds": seconds},
                })
            },
        );
    }
}

fn text_of(shown: &Value) -> String {
    shown.as_str().unwrap_or_default().to_owned()
}

/// A defect weighs most, then what cannot be read, then what is undecided.
fn together(done: &[Done]) -> ExitStatus {
    let has = |status| done.iter().any(|done| done.status == status);
    [
        ExitStatus::Refuted,
        ExitStatus::BadInput,
        ExitStatus::NotReached,
    ]
    .into_iter()
    .find(|status| has(*status))
    .unwrap_or(ExitStatus::Reached)
}

/// Judges one in a process.
fn judge(source: &Source, tool: &std::path::Path, part: &Part, signals: &Asked) -> Done {
    let started = Instant::now();
    let (status, answer) = match answer(source, tool, part, signals) {
        Ok(found) => found,
        Err(error) => {
            let error = error.in_file(source.path.display().to_string());
            (ExitStatus::of_error(&error), part::failed(&error))
        }
    };
    let row = FileRow::new(
        &source.path.display().to_string(),
        &answer["summary"],
        source.named,
    );
    Done {
        status: match (row.is_empty, row.is_undecided) {
            (true, _) => ExitStatus::Reached,
            (false, true) => ExitStatus::NotReached,
            _ => status,
        },
        shown: answer["shown"].clone(),
        page: answer["page"].clone(),
        row,
        seconds: started.elapsed().as_secs_f64(),
    }
}

fn answer(
    source: &Source,
    tool: &std::path::Path,
    part: &Part,
    signals: &Asked,
) -> Result<(ExitStatus, Value), InputError> {
    let failed = |what: String| InputError::new(ErrorKind::Internal, what);
    let mut command = program::command(tool);
    command.args(alone(std::env::args_os().skip(1), source));
    part.begin(&mut command);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut watched = Watched::start(&mut command)
        .map_err(|e| failed(format!("a process to judge it cannot be started: {e}")))?;
    let out = watched.child.stdout.take();
    let mut asked: Option<Instant> = None;
    let (printed, ended) = std::thread::scope(|scope| {
        let printed = scope.spawn(move || {
            let mut text = String::new();
            // What was read before an error is what there is.
            let _ = out.map(|mut out| out.read_to_string(&mut text));
            text
        });
        let ended = watched.watch(&mut |_, family| match (signals.end_was_asked(), asked) {
            (None, _) => None,
            (Some(_), None) => {
                family.signal_leader(Signal::TERM);
                asked = Some(Instant::now());
                None
            }
            (Some(_), Some(since)) => (since.elapsed() > TO_END).then_some(()),
        });
        (printed.join().unwrap_or_default(), ended)
    });
    let status = match ended {
        Ok(supervision::End::Ended(status)) => status,
        Ok(supervision::End::Stopped(())) => return Err(failed("stopped".to_owned())),
        Err(error) => return Err(failed(format!("its process is lost: {error}"))),
    };
    match (status.code(), serde_json::from_str(&printed)) {
        (Some(code), Ok(answer)) => Ok((ExitStatus::of_code(code), answer)),
        _ => Err(failed(format!(
            "the process that judged it gave no report ({status})"
        ))),
    }
}

/// The arguments of this command for one source. The name is part of the option, whatever it begins with.
fn alone(given: impl Iterator<Item = OsString>, source: &Source) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = given.collect();
    let mut option = OsString::from("--alone=");
    option.push(&source.path);
    let number = OsString::from(format!("--alone-number={}", source.number));
    let after = arguments.iter().position(|argument| argument == "check");
    let at = after.map_or(0, |at| at + 1);
    arguments.splice(at..at, [option, number]);
    arguments
}
