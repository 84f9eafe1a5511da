//! The tool as a process that is watched from outside: how long it takes, what it holds, and what it leaves.

use gridlock::supervision::{End, Watched};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub const INPUT: &str = "tests/input/limits";

/// What a command is given; tests are short by default.
pub fn limit_seconds() -> f64 {
    let asked = std::env::var("GRIDLOCK_LIMIT_SECONDS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(1.0)
}

/// A run of the tool under way.
pub struct Started {
    watched: Watched,
    /// Where it and all it starts keep temporary files.
    temporary: TempDir,
    output: TempDir,
    since: Instant,
}

/// One that has ended.
pub struct Ended {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
    /// Of memory, at most.
    pub bytes: u64,
    temporary: TempDir,
}

impl Started {
    pub fn new(arguments: &[&str]) -> Started {
        Started::with(arguments, &[])
    }

    /// With further variables of the environment.
    pub fn with(arguments: &[&str], environment: &[(&str, &str)]) -> Started {
        let command = Command::new(env!("CARGO_BIN_EXE_gridlock"));
        Started::by(command, arguments, environment)
    }

    /// Each process of it is given so many KiB of addresses by the system, and refused more.
    pub fn within_addresses(kib: u64, arguments: &[&str]) -> Started {
        let mut shell = Command::new("sh");
        let then = "ulimit -v \"$0\" && exec \"$@\"";
        shell.args(["-c", then, &kib.to_string(), env!("CARGO_BIN_EXE_gridlock")]);
        Started::by(shell, arguments, &[])
    }

    fn by(mut command: Command, arguments: &[&str], environment: &[(&str, &str)]) -> Started {
        let temporary = tempfile::tempdir().unwrap();
        let output = tempfile::tempdir().unwrap();
        let file = |name| std::fs::File::create(output.path().join(name)).unwrap();
        command
            .args(arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env_remove("GRIDLOCK_LOG")
            .env("TMPDIR", temporary.path())
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(file("stdout"))
            .stderr(file("stderr"));
        Started {
            watched: Watched::start(&mut command).unwrap(),
            temporary,
            output,
            since: Instant::now(),
        }
    }

    pub fn supervisor(&self) -> u32 {
        self.watched.child.id()
    }

    pub fn signal(&self, signal: Signal) {
        self.watched.family().signal_leader(signal);
    }

    /// The process that does the work, once it is there.
    pub fn worker(&self) -> u32 {
        let mut found = None;
        until("there is a worker", || {
            found = self.children().first().copied();
            found.is_some()
        });
        found.unwrap()
    }

    /// What it has started.
    pub fn children(&self) -> Vec<u32> {
        let leader = self.watched.child.id();
        let threads = std::fs::read_dir(format!("/proc/{leader}/task")).unwrap();
        let of = |thread: PathBuf| std::fs::read_to_string(thread.join("children"));
        let texts: Vec<String> = threads.filter_map(|t| of(t.ok()?.path()).ok()).collect();
        let numbers = texts.iter().flat_map(|text| text.split_whitespace());
        numbers.map(|n| n.parse().unwrap()).collect()
    }

    /// Waits until the worker has left something for the supervisor.
    pub fn has_established(&self) {
        let folder = self.temporary.path();
        until("something is established", || {
            let runs = std::fs::read_dir(folder).unwrap().flatten();
            runs.into_iter()
                .any(|run| run.path().join("established.json").exists())
        });
    }

    /// Waits until the worker has left this for the supervisor.
    pub fn has_told(&self, what: &str) {
        let folder = self.temporary.path();
        until("it is told", || {
            let runs = std::fs::read_dir(folder).unwrap().flatten();
            let told = |run: PathBuf| std::fs::read_to_string(run.join("established.json"));
            runs.into_iter()
                .any(|run| told(run.path()).unwrap_or_default().contains(what))
        });
    }

    pub fn ends(self) -> Ended {
        let mut bytes = 0;
        let end = self.watched.watch::<()>(&mut |taken, _| {
            bytes = bytes.max(taken.bytes);
            None
        });
        let Ok(End::Ended(status)) = end else {
            panic!("not ended: {end:?}")
        };
        let text = |name| {
            let bytes = std::fs::read(self.output.path().join(name)).unwrap();
            String::from_utf8(bytes).unwrap()
        };
        Ended {
            status: status.code().expect("ended by a signal"),
            stdout: text("stdout"),
            stderr: text("stderr"),
            took: self.since.elapsed(),
            bytes,
            temporary: self.temporary,
        }
    }
}

impl Ended {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("{e}:\n{}\n{}", self.stdout, self.stderr))
    }

    /// No temporary file, and no process whose temporary files they would be.
    pub fn left_nothing(&self) {
        let folder = self.temporary.path();
        until("no process is left", || processes_of(folder).is_empty());
        let left: Vec<PathBuf> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

/// Processes that have this folder, or one below it, for temporary files.
fn processes_of(folder: &Path) -> Vec<u32> {
    let wanted = format!("TMPDIR={}", folder.display());
    let entries = std::fs::read_dir("/proc").unwrap();
    let has = |process: &u32| {
        let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(&wanted)
    };
    let numbers = entries.filter_map(|e| e.ok()?.file_name().to_str()?.parse().ok());
    numbers.filter(has).collect()
}

pub fn kill(process: u32, signal: Signal) {
    let pid = Pid::from_raw(process.try_into().unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

/// Whether there is such a process that has not ended.
pub fn is_running(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    !status.is_empty() && !status.contains("State:\tZ")
}

/// Waits for what comes soon; panics if it does not.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
