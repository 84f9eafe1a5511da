//! A labelled corpus: every file says in its header what must come out, and the suite says
//! whether it does.

pub mod agreement;
pub mod baseline;
pub mod child;
pub mod expected;
pub mod finished;
mod gpuverify;
pub mod header;
mod labelled;

pub use labelled::Labelled;

use crate::input::error::{ErrorKind, InputError};
use crate::input::request::{Request, parse_sampling};
use crate::judge::check::check_parsed;
use agreement::{End, Row, agree};
use child::Children;
use gridlock_boundary::input;
use gridlock_frontend::{ParseOptions, Parsed};
use gridlock_semantics::profile::{Profile, SameValueWrites};
use header::Header;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Instant;

/// The files of a folder, those that say what must come out and those that say nothing.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    /// Files with a header, in order of name.
    pub labelled: Vec<Labelled>,
    /// In order of name.
    pub unlabelled: Vec<PathBuf>,
    /// A row for each file that cannot be read, or whose header has a mistake in it: it agrees with nothing.
    pub mistaken: Vec<Row>,
}

/// Reads the headers of a folder in which not every file need have one.
///
/// # Errors
/// A folder that cannot be read or in which no file has a header.
pub fn read_folder(dir: &Path) -> Result<Folder, InputError> {
    let mut folder = Folder::default();
    for path in sources(dir)? {
        let mistaken = |error: InputError| agreement::mistaken(&path, "", &error);
        match input::read_text(&path) {
            Err(error) => folder.mistaken.push(mistaken(unreadable(&path, &error))),
            Ok(text) if !Header::is_there(&text) => folder.unlabelled.push(path),
            Ok(text) => match labelled(path.clone(), &text) {
                Ok(labelled) => folder.labelled.push(labelled),
                Err(error) => folder.mistaken.push(mistaken(error)),
            },
        }
    }
    let nothing = folder.labelled.is_empty() && folder.mistaken.is_empty();
    if let (true, Some(first)) = (nothing, folder.unlabelled.first()) {
        let text = input::read_text(first).map_err(|e| unreadable(first, &e))?;
        labelled(first.clone(), &text)?;
    }
    Ok(folder)
}

/// Reads the headers of all `.cu`, `.c`, `.cl` and `.scheme` files in `dir` and below, in order of name.
///
/// # Errors
/// A folder that cannot be read or holds no such file; a file without a header.
pub fn read_corpus(dir: &Path) -> Result<Vec<Labelled>, InputError> {
    let files = sources(dir)?;
    files.iter().map(|path| read_file(path)).collect()
}

/// Reads one file's header.
///
/// # Errors
/// A file that cannot be read or has no header, or one with a mistake in it.
pub fn read_file(path: &Path) -> Result<Labelled, InputError> {
    let text = input::read_text(path).map_err(|e| unreadable(path, &e))?;
    labelled(path.to_owned(), &text)
}

fn labelled(path: PathBuf, text: &str) -> Result<Labelled, InputError> {
    let header = Header::read(&path.display().to_string(), text)?;
    Ok(Labelled { path, header })
}

/// The files of a folder and below that can be judged, in order of name.
fn sources(dir: &Path) -> Result<Vec<PathBuf>, InputError> {
    crate::input::folder::sources(dir, &["cu", "c", "cl", "scheme"])
}

fn unreadable(path: &Path, error: &std::io::Error) -> InputError {
    InputError::new(ErrorKind::File, format!("cannot read: {error}"))
        .in_file(path.display().to_string())
}

/// Judges every file as its header says and compares. A file is read once and judged for each profile
/// of its header (`request.profile` when it names none). Rows come in the order of the files;
/// `done` is called after each judgement with the file's name. A header that names a profile or inputs that
/// do not exist is a row that agrees with nothing.
pub fn run(
    corpus: &[Labelled],
    request: &Request,
    parse: &ParseOptions,
    n_workers: usize,
    done: &mut dyn FnMut(&Row),
) -> Vec<Row> {
    let read = |labelled: &Labelled| crate::input::source::parse(&labelled.path, parse);
    run_read(corpus, request, &read, n_workers, done)
}

/// As [`run`], of files that `read` reads: a caller that judges a corpus several times need read it only once.
pub fn run_read(
    corpus: &[Labelled],
    request: &Request,
    read: &(dyn Fn(&Labelled) -> Result<Parsed, InputError> + Sync),
    n_workers: usize,
    done: &mut dyn FnMut(&Row),
) -> Vec<Row> {
    let mut each = |_: &Labelled, rows: &[Row]| rows.iter().for_each(&mut *done);
    in_parallel(corpus, n_workers, &mut each, &|labelled| {
        Some(rows_of(labelled, request, || read(labelled)))
    })
}

/// As [`run`], with a process for each file. One that ends without a result, or is stopped at a limit, is a row
/// that agrees with nothing; one that is stopped because all is to end has no row. `done` gets the rows of a
/// file together.
pub fn run_in_children(
    corpus: &[Labelled],
    request: &Request,
    children: &Children<'_>,
    n_workers: usize,
    done: &mut dyn FnMut(&Labelled, &[Row]),
) -> Vec<Row> {
    let judge = |labelled: &Labelled| {
        if (children.is_stopped)() {
            return None;
        }
        let started = Instant::now();
        match children.judge(labelled) {
            Ok(rows) => Some(rows),
            Err(End::Interrupted) => None,
            Err(end) => {
                let profile = match labelled.header.profiles.as_slice() {
                    [one] => one,
                    _ => &request.profile.name,
                };
                let mut row = agreement::without_result(labelled, profile, &end);
                row.seconds = started.elapsed().as_secs_f64();
                Some(vec![row])
            }
        }
    };
    in_parallel(corpus, n_workers, done, &judge)
}

/// Judges one file in this process: a row for each profile.
pub fn judge_alone(labelled: &Labelled, request: &Request, parse: &ParseOptions) -> Vec<Row> {
    rows_of(labelled, request, || {
        crate::input::source::parse(&labelled.path, parse)
    })
}

fn rows_of(
    labelled: &Labelled,
    request: &Request,
    read: impl FnOnce() -> Result<Parsed, InputError>,
) -> Vec<Row> {
    let requests = match requests(labelled, request) {
        Ok(requests) => requests,
        Err(error) => {
            let profile = &request.profile.name;
            return vec![agreement::mistaken(&labelled.path, profile, &error)];
        }
    };
    let parsed = read();
    let judged = requests.iter().map(|r| judge(labelled, r, &parsed));
    judged.collect()
}

fn in_parallel(
    corpus: &[Labelled],
    n_workers: usize,
    done: &mut dyn FnMut(&Labelled, &[Row]),
    judge: &(dyn Fn(&Labelled) -> Option<Vec<Row>> + Sync),
) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    let mut rows: Vec<Vec<Row>> = corpus.iter().map(|_| Vec::new()).collect();
    std::thread::scope(|scope| {
        for _ in 0..n_workers.clamp(1, corpus.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(labelled) = corpus.get(index) else {
                        break;
                    };
                    // The receiver lives until all workers are done.
                    let _ = sender.send((index, judge(labelled)));
                }
            });
        }
        drop(sender);
        for (index, found) in receiver {
            if let Some(found) = found {
                done(&corpus[index], &found);
                rows[index] = found;
            }
        }
    });
    rows.into_iter().flatten().collect()
}

/// One request for each profile the header names.
fn requests(labelled: &Labelled, base: &Request) -> Result<Vec<Request>, InputError> {
    let mut base = base.clone();
    let header = &labelled.header;
    let name = labelled.path.display().to_string();
    if let Some(inputs) = &header.inputs {
        base.sampling = parse_sampling(inputs).map_err(|e| e.in_file(&name))?;
    }
    let launched = |mut profile: Profile| {
        if header.tolerates_same_value {
            profile.axes.same_value_writes = SameValueWrites::Benign;
        }
        match header.cooperative {
            true => profile.cooperative(),
            false => profile,
        }
    };
    if header.profiles.is_empty() {
        if base.profile == Profile::default() {
            base.profile = crate::input::profiles::usual(&labelled.path);
        }
        base.profile = launched(base.profile);
        return Ok(vec![base]);
    }
    let with_profile = |profile: &String| {
        let profile = crate::input::profiles::find(profile).map_err(|e| e.in_file(&name))?;
        let profile = launched(profile);
        Ok(Request {
            profile,
            ..base.clone()
        })
    };
    header.profiles.iter().map(with_profile).collect()
}

/// Judges one file, read before, under one profile.
fn judge(labelled: &Labelled, request: &Request, parsed: &Result<Parsed, InputError>) -> Row {
    let started = Instant::now();
    let entry = labelled.header.entry_under(&request.profile);
    let file = labelled.path.display().to_string();
    let result = parsed
        .clone()
        .and_then(|parsed| check_parsed(&file, parsed, &entry, request));
    let mut row = agree(labelled, &request.profile.name, &result);
    row.seconds = started.elapsed().as_secs_f64();
    row
}
