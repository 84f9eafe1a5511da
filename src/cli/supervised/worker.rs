//! The worker's side: it says what it has established, and when it begins to print.

use super::established::Established;
use super::run_folder::{RunFolder, SUPERVISOR, VARIABLE};
use gridlock::input::deadline::Deadline;
use gridlock::input::told::Told;
use gridlock::supervision::die_with_parent;
use gridlock_checker::limits::interruption;
use signal_hook::consts::SIGTERM;
use signal_hook::iterator::Signals;
use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

/// Where the worker leaves what it has to say; `None`: nobody supervises this process.
static FOLDER: OnceLock<Option<RunFolder>> = OnceLock::new();
static BEGUN: OnceLock<Instant> = OnceLock::new();
/// Open from the start: there is no memory to open it when it is needed.
static REFUSED: OnceLock<File> = OnceLock::new();

/// Whether this process is a worker; it begins as one then.
pub fn begin() -> bool {
    let _ = BEGUN.set(Instant::now());
    let Some(folder) = std::env::var_os(VARIABLE) else {
        return false;
    };
    let supervisor = std::env::var(SUPERVISOR);
    if let Some(supervisor) = supervisor.ok().and_then(|text| text.parse().ok()) {
        die_with_parent(supervisor);
    }
    // Where memory is short, it is the worker that should go.
    let _ = std::fs::write("/proc/self/oom_score_adj", "500");
    let folder = (!folder.is_empty()).then(|| RunFolder::new(Path::new(&folder)));
    if let Some(folder) = &folder
        && let Ok(file) = File::create(folder.refused())
    {
        let _ = REFUSED.set(file);
    }
    let _ = FOLDER.set(folder);
    true
}

/// So many seconds after this process has begun.
pub fn deadline(seconds: f64) -> Deadline {
    let spent = BEGUN
        .get()
        .map_or(0.0, |begun| begun.elapsed().as_secs_f64());
    Deadline::after(seconds - spent)
}

fn folder() -> Option<&'static RunFolder> {
    FOLDER.get().and_then(Option::as_ref)
}

/// The system refused memory. Called in the middle of an allocation: nothing here may allocate.
pub fn memory_refused() {
    if let Some(file) = REFUSED.get() {
        let _ = rustix::io::write(file, b"refused\n");
    }
}

pub fn establish(established: impl FnOnce() -> Established) {
    if let Some(folder) = folder() {
        folder.establish(&established());
    }
}

/// Listens to judgements.
pub fn told() -> Told {
    match folder() {
        None => Told::default(),
        Some(folder) => Told::new(|judgement| {
            folder.establish(&Established::Judgement(Box::new(judgement.clone())));
        }),
    }
}

pub fn begin_to_print() {
    if let Some(folder) = folder() {
        folder.begin_to_print();
    }
}

/// From now on SIGTERM asks the engines to come to an end instead of ending the process.
pub fn end_gently() {
    if folder().is_none() {
        return;
    }
    if let Ok(mut signals) = Signals::new([SIGTERM]) {
        std::thread::spawn(move || {
            for _ in signals.forever() {
                interruption::ask();
            }
        });
    }
}
