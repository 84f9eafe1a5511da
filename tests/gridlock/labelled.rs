//! Labelled kernels, read and ready to be run under a profile.

use gridlock::input::error::InputError;
use gridlock::input::request::Request;
use gridlock::input::source;
use gridlock::subject::prepared::Prepared;
use gridlock::subject::{self, EntryPoint};
use gridlock::suite::agreement::Row;
use gridlock::suite::expected::Expected;
use gridlock::suite::header::Header;
use gridlock::suite::{self, Labelled};
use gridlock_frontend::{Layout, Parsed};
use gridlock_generation::effort;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Launch;
use rayon::prelude::*;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

/// From the root of the tree, where cargo runs tests.
const CORPUS: &str = "tests/corpus";
const LANGUAGE: &str = "tests/language";

/// A file of the corpus.
pub struct Kernel {
    /// From the root of the corpus.
    pub name: String,
    pub header: Header,
    pub prepared: Prepared,
    pub layouts: Vec<Layout>,
}

/// A labelled file and what comes of reading it.
pub struct File {
    pub labelled: Labelled,
    parsed: OnceLock<Result<Parsed, InputError>>,
}

impl File {
    /// Read when it is first asked for.
    pub fn parsed(&self) -> &Result<Parsed, InputError> {
        self.parsed
            .get_or_init(|| source::parse(&self.labelled.path, &Default::default()))
    }
}

/// Every file of the corpus, each read once for all tests: reading takes longer than most of what they do with it.
pub fn files() -> &'static [File] {
    static FILES: LazyLock<Vec<File>> = LazyLock::new(|| files_in(CORPUS));
    &FILES
}

/// The same of what the front end reads beyond scalars and loops.
pub fn files_of_language() -> &'static [File] {
    static FILES: LazyLock<Vec<File>> = LazyLock::new(|| files_in(LANGUAGE));
    &FILES
}

/// Those that can be read; in a short run, of one file in so many.
pub fn language() -> Vec<Kernel> {
    let chosen = files_of_language().iter().enumerate();
    let chosen = chosen.filter(|(number, _)| effort::is_done(*number, SHARE_OF_LANGUAGE));
    kernels(LANGUAGE, chosen.map(|(_, file)| file).collect())
}

/// An odd number, as every other file is broken.
const SHARE_OF_LANGUAGE: usize = 13;

/// Those of the corpus that can be read.
pub fn corpus() -> &'static [Kernel] {
    static KERNELS: LazyLock<Vec<Kernel>> =
        LazyLock::new(|| kernels(CORPUS, files().iter().collect()));
    &KERNELS
}

/// Some of these files judged as `gridlock suite` judges them, for each profile of their headers.
pub fn judged(files: &[File], some: &[Labelled], request: &Request) -> Vec<Row> {
    let read = |labelled: &Labelled| {
        let same = |file: &&File| file.labelled.path == labelled.path;
        let file = files.iter().find(same).expect("one of the files");
        file.parsed().clone()
    };
    suite::run_read(some, request, &read, n_workers(), &mut |_| {})
}

fn n_workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Every labelled file of a folder that can be read.
pub fn corpus_in(root: &str) -> Vec<Kernel> {
    kernels(root, files_in(root).iter().collect())
}

/// Every labelled file of a folder.
pub fn files_in(root: &str) -> Vec<File> {
    let file = |labelled| File {
        labelled,
        parsed: OnceLock::new(),
    };
    let corpus = suite::read_corpus(Path::new(root)).unwrap();
    corpus.into_iter().map(file).collect()
}

fn kernels(root: &str, files: Vec<&File>) -> Vec<Kernel> {
    let prepared = |file: &&File| {
        let labelled = &file.labelled;
        if matches!(labelled.header.expected, Expected::Error(_)) {
            return None;
        }
        let name = labelled.path.strip_prefix(root).unwrap();
        let parsed = file.parsed().clone().unwrap();
        Some(Kernel {
            name: name.display().to_string(),
            header: labelled.header.clone(),
            prepared: Prepared::new(parsed.program),
            layouts: parsed.layouts,
        })
    };
    files.par_iter().filter_map(prepared).collect()
}

impl Kernel {
    /// The entry of the header under a profile: the one named, or a closed `main`, or the first kernel,
    /// or the first function.
    pub fn point(&self, profile: &Profile) -> EntryPoint {
        let mut asked = self.header.entry_under(profile);
        asked.layouts = self.layouts.clone();
        let program = &self.prepared.surface;
        let proc = match &asked.entry {
            Some(name) => program.find_proc(name),
            None => first_entry(program),
        };
        subject::resolve_entry(program, proc.unwrap(), &asked, None).unwrap()
    }

    /// The profiles of the header, `cuda` if it names none; launched as the header says.
    pub fn profiles(&self) -> Vec<Profile> {
        let named = match &self.header.profiles[..] {
            [] => vec!["cuda".to_owned()],
            some => some.to_vec(),
        };
        named.iter().map(|name| self.launched(name)).collect()
    }

    /// The profile of this name, launched as the header says.
    pub fn launched(&self, profile: &str) -> Profile {
        let profile = Profile::named(profile).unwrap();
        match self.header.cooperative {
            true => profile.cooperative(),
            false => profile,
        }
    }
}

fn first_entry(program: &Program) -> Option<ProcId> {
    let closed = |proc: &ProcId| program.proc(*proc).params.is_empty();
    let main = program.find_proc("main").filter(closed);
    let kernel = || program.procs_of_kind(ProcKind::Kernel).next();
    let host = || program.procs_of_kind(ProcKind::Host).next();
    main.or_else(kernel).or_else(host)
}

/// A judgement by count, not by time, so that it is the same on every machine.
pub fn request(profile: Profile, states: u64) -> Request {
    let mut request = Request {
        profile,
        device_limits: None,
        ..Request::default()
    };
    request.limits.seconds = 600.0;
    request.limits.states = states;
    request
}

/// A launch in few words: `2x64`.
pub fn launch_text(launch: Option<Launch>) -> String {
    let dims = |dims: [u32; 3]| {
        let used = 3 - dims.iter().rev().take_while(|n| **n == 1).count();
        let texts: Vec<String> = dims[..used.max(1)].iter().map(u32::to_string).collect();
        texts.join(",")
    };
    match launch {
        None => "its own".to_owned(),
        Some(launch) => format!("{} x {}", dims(launch.grid), dims(launch.block)),
    }
}

/// Compares a table with the one kept, paragraph by paragraph; writes it anew where that is asked for
/// (`INSTA_UPDATE=always`).
pub fn assert_table(path: &str, text: &str) {
    if effort::writes_tables() {
        std::fs::write(path, text).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    let paragraphs = |text: &str| -> Vec<String> {
        let split = text.split("\n\n").map(|p| p.trim_end().to_owned());
        split.collect()
    };
    let (old, new) = (paragraphs(&written), paragraphs(text));
    let gone = old.iter().filter(|p| !new.contains(p));
    let come = new.iter().filter(|p| !old.contains(p));
    let changed: Vec<String> = gone
        .map(|p| format!("was:\n{p}"))
        .chain(come.map(|p| format!("is:\n{p}")))
        .collect();
    assert!(
        changed.is_empty(),
        "{path} is not what comes out (if that is meant, write it anew: see its head):\n{}",
        changed.join("\n")
    );
}
