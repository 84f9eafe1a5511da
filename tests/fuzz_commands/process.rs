//! A run of the tool under watch: how long, how many bytes, which processes, what it left behind.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// In the environment of the tool and of all it starts: by it they are known.
const MARK: &str = "GRIDLOCK_FUZZ_RUN";
/// Between two looks whether the tool has ended.
const LOOK: Duration = Duration::from_millis(5);
/// Between two looks at memory.
const MEASURE: Duration = Duration::from_millis(200);
/// Given to processes to be gone after the tool has ended.
const TO_BE_GONE: Duration = Duration::from_secs(2);
/// Bytes of memory of all processes of a run together at which it is stopped.
const MOST_MEMORY: u64 = 2_500_000_000;
/// Bytes of output at which a run is stopped.
const MOST_OUTPUT: u64 = 400_000_000;

/// What there is to say of a run.
#[derive(Debug, Default)]
pub struct Ran {
    /// `None` when it was ended by a signal, ours or another's.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// Standard output was no UTF-8.
    pub garbled: bool,
    pub took: Duration,
    /// Most bytes of memory all its processes held at one time, as far as seen.
    pub memory: u64,
    /// Why it was stopped.
    pub stopped: Option<String>,
    /// Command lines of processes it left behind.
    pub orphans: Vec<String>,
    /// Files it left in its folder for temporary files.
    pub temporary: Vec<String>,
}

/// Runs `program` in `folder`, with `scratch` for temporary files and what it prints; stops it after `most`.
pub fn run(
    program: &Path,
    arguments: &[String],
    folder: &Path,
    scratch: &Path,
    most: Duration,
) -> Ran {
    let temporary = scratch.join("temporary");
    std::fs::create_dir_all(&temporary).expect("a folder for temporary files");
    let (out, err) = (scratch.join("stdout"), scratch.join("stderr"));
    let create = |path| Stdio::from(File::create(path).expect("a file for output"));
    let mark = scratch.display().to_string();
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env(MARK, &mark)
        .env("TMPDIR", &temporary)
        .env("COLUMNS", "100")
        // Damaged kernels are run on no device.
        .env("OCL_ICD_VENDORS", &temporary)
        .env_remove("GRIDLOCK_LOG")
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::null())
        .stdout(create(&out))
        .stderr(create(&err))
        .spawn()
        .expect("the tool starts");
    let mut ran = Ran::default();
    let mut measured = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if measured.elapsed() > MEASURE {
            measured = Instant::now();
            let memory = processes(&mark).into_iter().map(|(_, bytes)| bytes).sum();
            ran.memory = ran.memory.max(memory);
            let written = std::fs::metadata(&out).map_or(0, |m| m.len());
            let why = if started.elapsed() > most {
                Some(format!("stopped after {} s", most.as_secs()))
            } else if ran.memory > MOST_MEMORY {
                Some(format!("stopped at {MOST_MEMORY} bytes of memory"))
            } else if written > MOST_OUTPUT {
                Some(format!("stopped at {written} bytes of output"))
            } else {
                None
            };
            if why.is_some() {
                ran.stopped = why;
                end_all(&mark);
            }
        }
        std::thread::sleep(LOOK);
    };
    ran.took = started.elapsed();
    ran.status = status.code();
    if ran.stopped.is_none() {
        ran.orphans = left_behind(&mark);
        ran.temporary = names_in(&temporary).into_iter().collect();
    }
    end_all(&mark);
    let bytes = std::fs::read(&out).unwrap_or_default();
    ran.garbled = std::str::from_utf8(&bytes).is_err();
    ran.stdout = String::from_utf8_lossy(&bytes).into_owned();
    ran.stderr = String::from_utf8_lossy(&std::fs::read(&err).unwrap_or_default()).into_owned();
    ran
}

/// Paths of the files below `folder`, from there.
pub fn names_in(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&inside) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let name = path.strip_prefix(folder).unwrap_or(&path);
            found.insert(name.to_string_lossy().into_owned());
            if entry.file_type().is_ok_and(|t| t.is_dir()) {
                folders.push(path);
            }
        }
    }
    found
}

/// Living processes with this mark and the bytes of memory each holds.
fn processes(mark: &str) -> Vec<(u32, u64)> {
    let wanted = format!("{MARK}={mark}");
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|n| n.parse().ok()) else {
            continue;
        };
        let of = |file: &str| std::fs::read(entry.path().join(file)).unwrap_or_default();
        let environment = of("environ");
        let mut variables = environment.split(|byte| *byte == 0);
        // What has ended and was not waited for yet has no environment.
        if !variables.any(|variable| variable == wanted.as_bytes()) {
            continue;
        }
        let status = String::from_utf8_lossy(&of("status")).into_owned();
        let held = status.lines().find_map(|l| l.strip_prefix("VmRSS:"));
        let held = held.and_then(|l| l.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        found.push((id, held.unwrap_or(0) * 1024));
    }
    found
}

/// Command lines of processes that are still there a while after the tool has ended.
fn left_behind(mark: &str) -> Vec<String> {
    let ended = Instant::now();
    loop {
        let left = processes(mark);
        if left.is_empty() || ended.elapsed() > TO_BE_GONE {
            let line = |&(id, _): &(u32, u64)| {
                let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
                String::from_utf8_lossy(&line).replace('\0', " ")
            };
            return left.iter().map(line).collect();
        }
        std::thread::sleep(LOOK);
    }
}

fn end_all(mark: &str) {
    for (id, _) in processes(mark) {
        if let Some(id) = rustix::process::Pid::from_raw(id as i32) {
            // It may have ended by itself.
            let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
        }
    }
}
