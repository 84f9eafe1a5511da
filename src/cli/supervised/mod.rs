//! Commands that may take long run twice: the process the user started supervises a *worker*, the same program
//! with the same arguments. The supervisor owns the limits on seconds and bytes, the signals, the temporary
//! files, and the report where the worker gives none: a worker that is stopped, killed, or fails has left what it
//! had established by then.

mod cut;
mod cut_short;
mod established;
mod run_folder;
mod signals;
pub mod standard_input;
pub mod worker;

pub use cut::Cut;
pub use cut_short::{CutShort, beyond, exploration, judgement, nothing, report};
pub use established::{Established, ExploredSoFar};
pub use signals::Asked;

use gridlock::report::exit_status::ExitStatus;
use gridlock::supervision::{self, End, Family, LEAST_BYTES, Taken, Watched};
use run_folder::{RunFolder, SUPERVISOR, VARIABLE};
use rustix::process::Signal;
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

/// The worker ends by itself at the limit, with a report of its own; this much later, in shares of the limit and
/// in seconds, it is stopped.
const SHARE_BEYOND: f64 = 0.1;
const SECONDS_BEYOND: f64 = 0.6;

/// The limits of a command.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub seconds: f64,
    /// The seconds are for one kernel: nobody asked for other ones.
    pub each: bool,
    /// Of memory, for the worker and everything it starts.
    pub bytes: u64,
    /// At a signal the worker is asked to end, and has this long to do so.
    pub to_end: Option<Duration>,
}

/// Runs the command line in a worker. `Err`: it has to be reported here what it has established.
/// `input`: what the worker reads as standard input.
pub fn run(
    bounds: &Bounds,
    arguments: &[OsString],
    input: Option<File>,
) -> Option<Result<ExitStatus, CutShort>> {
    let folder = RunFolder::make().ok();
    let run = folder.as_ref().map(|folder| RunFolder::new(folder.path()));
    let (name, rest) = arguments.split_first()?;
    let mut command = Command::new("/proc/self/exe");
    command.arg0(name).args(rest);
    command.env(VARIABLE, run.as_ref().map_or("".as_ref(), |run| run.path()));
    command.env(SUPERVISOR, std::process::id().to_string());
    if let Some(run) = &run {
        command.env("TMPDIR", run.path());
    }
    if let Some(input) = input {
        command.stdin(input);
    }
    supervision::adopt_orphans();
    let signals = Asked::listen();
    let started = Instant::now();
    let watched = Watched::start(&mut command).ok()?;
    let mut watch = Watch {
        bounds,
        run: run.as_ref(),
        signals: &signals,
        asked_to_end: None,
        paused: Duration::ZERO,
    };
    let end = watched.watch(&mut |taken, family| watch.look(taken, family));
    supervision::kill_what_is_left();
    let cut = match end {
        Ok(End::Stopped(cut)) => cut,
        Ok(End::Ended(status)) => match status.code() {
            Some(code @ 0..=3) => return Some(Ok(ExitStatus::of_code(code))),
            _ if run.as_ref().is_some_and(RunFolder::was_refused_memory) => Cut::MemoryRefused,
            _ => Cut::of_end(status),
        },
        Err(error) => Cut::Failed(format!("the worker cannot be waited for: {error}")),
    };
    let is_printing = run.as_ref().is_some_and(RunFolder::is_printing);
    if is_printing {
        // Two reports are none.
        eprintln!("gridlock: {cut}; the report above is not whole");
        return Some(Ok(cut.status()));
    }
    Some(Err(CutShort {
        cut,
        established: run.as_ref().map(RunFolder::established).unwrap_or_default(),
        seconds: started.elapsed().as_secs_f64(),
    }))
}

/// Makes a command one of a worker that its own caller supervises.
pub fn as_worker(command: &mut Command) {
    command.env(VARIABLE, "");
    command.env(SUPERVISOR, std::process::id().to_string());
}

/// What is looked at while the worker works.
struct Watch<'a> {
    bounds: &'a Bounds,
    run: Option<&'a RunFolder>,
    signals: &'a Asked,
    asked_to_end: Option<(i32, Instant)>,
    /// Time in which we were stopped from the terminal.
    paused: Duration,
}

impl Watch<'_> {
    fn look(&mut self, taken: Taken, family: &Family) -> Option<Cut> {
        if self.signals.stop_was_asked() {
            let stopped = Instant::now();
            family.signal(Signal::STOP);
            signals::stop();
            family.signal(Signal::CONT);
            self.paused += stopped.elapsed();
            return None;
        }
        if let Some(cut) = self.end(family) {
            return Some(cut);
        }
        if taken.bytes > self.bounds.bytes.max(LEAST_BYTES) {
            return Some(Cut::Bytes(self.bounds.bytes.max(LEAST_BYTES)));
        }
        let time = taken.time.saturating_sub(self.paused).as_secs_f64();
        let seconds = self.bounds.seconds;
        if time <= with_grace(seconds) || self.is_printing() {
            return None;
        }
        if self.bounds.each && time <= with_grace(seconds * self.subjects() as f64) {
            return None;
        }
        Some(Cut::Seconds {
            seconds,
            each: self.bounds.each,
        })
    }

    /// By a signal, gently where that is asked for; at once by a second one.
    fn end(&mut self, family: &Family) -> Option<Cut> {
        let signal = self.signals.end_was_asked();
        match (signal, self.bounds.to_end, self.asked_to_end) {
            (None, _, None) => None,
            (Some(signal), Some(_), None) => {
                self.asked_to_end = Some((signal, Instant::now()));
                self.signals.forget();
                family.signal_leader(Signal::TERM);
                None
            }
            (None, Some(to_end), Some((signal, since))) => {
                (since.elapsed() > to_end).then_some(Cut::Signal(signal))
            }
            (Some(signal), ..) | (None, None, Some((signal, _))) => Some(Cut::Signal(signal)),
        }
    }

    fn is_printing(&self) -> bool {
        self.run.is_some_and(RunFolder::is_printing)
    }

    /// How many kernels are judged, as far as the worker has said.
    fn subjects(&self) -> usize {
        match self.run.map(RunFolder::established) {
            Some(Established::Judgement(judgement)) => judgement.subjects.len().max(1),
            _ => 1,
        }
    }
}

fn with_grace(seconds: f64) -> f64 {
    seconds * (1.0 + SHARE_BEYOND) + SECONDS_BEYOND
}
