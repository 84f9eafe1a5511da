//! Damaged programs: whatever becomes of a source text, the front end accepts or refuses it, says
//! where, and comes back. Kernels of the corpus lose tokens, get some twice, swap them, take other
//! numbers, names and operators, and lines of one another.
//!
//! A failure prints seed and text; a long run (`gridlock_generation::effort`) that begins with the seed begins with the text.

mod damage;
mod trees;

use damage::{Rng, damaged};
use gridlock_frontend::{ErrorKind, FrontendError, Language, ParseOptions, Parsed, parse_source};
use gridlock_generation::effort;
use gridlock_semantics::atomic_form::atomic_form;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// Ticks of a second after which a text counts as one that the front end hangs on. Ticks, so that a
/// machine that was stopped for a while does not look like it.
const MOST_TICKS: u32 = 60;

/// Name of the text in messages.
const NAME: &str = "damaged";
/// One text in so many is OpenCL C.
const OPENCL_EVERY: u64 = 4;

fn kernels(extension: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let mut folders: Vec<PathBuf> = vec![root.join("corpus"), root.join("language")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of the tests") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("a kernel");
    files.iter().map(text).collect()
}

/// What became of a text.
#[derive(Clone, Debug, PartialEq)]
enum Came {
    /// Read, though perhaps not all of it.
    Read,
    Refused,
    /// What is wrong with what came out.
    Wrong(String),
}

fn judged(text: &str, read: &Result<Parsed, FrontendError>) -> Came {
    match (complaint(text, read), read) {
        (Some(what), _) => Came::Wrong(what),
        (None, Ok(_)) => Came::Read,
        (None, Err(_)) => Came::Refused,
    }
}

/// What is wrong with what came out; `None` if nothing.
fn complaint(text: &str, read: &Result<Parsed, FrontendError>) -> Option<String> {
    let n_lines = text.lines().count() as u32;
    // clang complains about an end that is missing on the line after the last.
    let is_inside = |line: u32, column: u32| (1..=n_lines + 1).contains(&line) && column > 0;
    match read {
        Ok(parsed) => {
            let lost = parsed.unsupported.iter().find(|u| {
                u.file.is_empty()
                    || u.message.is_empty()
                    || u.file == NAME && !is_inside(u.line, u.column)
            });
            if let Some(lost) = lost {
                return Some(format!("a refusal without its place: {lost:?}"));
            }
            // Total on what the front end accepts.
            atomic_form(&parsed.program);
            None
        }
        Err(error) if matches!(error.kind, ErrorKind::Internal | ErrorKind::Clang) => {
            Some(format!("{:?}: {error}", error.kind))
        }
        Err(error) if error.message.contains("nested this deeply") => None,
        Err(error) if error.file.is_empty() || error.message.is_empty() => {
            Some(format!("an error without its place: {error}"))
        }
        Err(error) if error.file == NAME && !is_inside(error.line, error.column) => Some(format!(
            "an error at a place that is not there: {error}, {n_lines} lines"
        )),
        Err(_) => None,
    }
}

/// Reads a text on a thread of its own.
fn judge(text: &str, language: Language) -> Came {
    let (tell, told) = mpsc::channel();
    let own = text.to_owned();
    let thread = std::thread::spawn(move || {
        let read = parse_source(NAME, &own, language, &ParseOptions::default());
        // Nobody listens any more after a hang.
        let _ = tell.send(judged(&own, &read));
    });
    for _ in 0..MOST_TICKS {
        match told.recv_timeout(Duration::from_secs(1)) {
            Ok(found) => return found,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let panic = thread.join().err();
                let said = panic.as_deref().and_then(|p| {
                    let text = p.downcast_ref::<String>().cloned();
                    text.or_else(|| p.downcast_ref::<&str>().map(|s| (*s).to_owned()))
                });
                return Came::Wrong(format!("a panic: {}", said.unwrap_or_default()));
            }
        }
    }
    Came::Wrong(format!("no answer after {MOST_TICKS} s"))
}

#[test]
fn damaged_kernels_are_refused_or_accepted() {
    let (first, count) = (effort::first(0), effort::cases(5, 4_000));
    let (cuda, opencl) = (kernels("cu"), kernels("cl"));
    assert!(cuda.len() > 200, "{} kernels", cuda.len());
    assert!(opencl.len() > 30, "{} kernels in OpenCL C", opencl.len());
    let next = AtomicU64::new(0);
    let n_read = AtomicU64::new(0);
    let work = || {
        let mut wrong = Vec::new();
        while wrong.len() < 5 {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            let seed = first.wrapping_add(number);
            let (kernels, language) = match seed % OPENCL_EVERY {
                0 => (&opencl, Language::OpenCl),
                _ => (&cuda, Language::Cuda),
            };
            let text = damaged(kernels, &mut Rng::new(seed));
            match judge(&text, language) {
                Came::Wrong(what) => wrong.push(format!("seed {seed}: {what}\n{text}")),
                Came::Read => drop(n_read.fetch_add(1, Ordering::Relaxed)),
                Came::Refused => {}
            }
        }
        wrong
    };
    let n_workers = std::thread::available_parallelism().map_or(2, usize::from);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..n_workers).map(|_| scope.spawn(work)).collect();
        let results = workers.into_iter().map(|w| w.join().expect("a worker"));
        results.flatten().collect()
    });
    let n_read = n_read.into_inner();
    println!("{count} texts, {n_read} read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    // Texts that clang refuses all would test nothing else.
    assert!(n_read * 10 > count, "{n_read} of {count} texts read");
}

/// The test would notice: an error at a place outside the text is one.
#[test]
fn what_is_wrong_is_noticed() {
    let error = |kind, line| Err(FrontendError::new(kind, "x").at(NAME, line, 1));
    let text = "a\nb\n";
    assert_eq!(complaint(text, &error(ErrorKind::Syntax, 2)), None);
    assert!(complaint(text, &error(ErrorKind::Syntax, 9)).is_some());
    assert!(complaint(text, &error(ErrorKind::Internal, 2)).is_some());
    let nowhere = Err(FrontendError::new(ErrorKind::Syntax, "x"));
    assert!(complaint(text, &nowhere).is_some());
}
