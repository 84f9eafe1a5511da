//! `--watch`: judged again when a source or a header changes, ended by a signal; and several sources, interrupted.

use crate::supervised::INPUT;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A judgement of a small kernel, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

struct Tool {
    child: Child,
    lines: Receiver<String>,
}

impl Tool {
    fn start(folder: &Path, arguments: &[&str]) -> Tool {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gridlock"))
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            out.lines()
                .map_while(Result::ok)
                .all(|line| sender.send(line).is_ok())
        });
        Tool { child, lines }
    }

    /// Waits for a line with this in it.
    fn says(&self, part: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            match self
                .lines
                .recv_timeout(end.saturating_duration_since(Instant::now()))
            {
                Ok(line) if line.contains(part) => return,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => panic!("no `{part}` in {PATIENCE:?}"),
                Err(RecvTimeoutError::Disconnected) => panic!("ended without `{part}`"),
            }
        }
    }

    /// The exit status after a signal.
    fn ends_by(mut self, signal: Signal) -> Option<i32> {
        kill_process(Pid::from_raw(self.child.id() as i32).unwrap(), signal).unwrap();
        let end = Instant::now() + Duration::from_secs(10);
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        self.child.kill().unwrap();
        panic!("it does not end");
    }
}

#[test]
fn a_change_is_judged_and_a_signal_ends() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "k.cu",
        "#include \"n.h\"\n__global__ void k(int *a) { a[threadIdx.x / N] = threadIdx.x; }\n",
    );
    write("n.h", "#define N 2\n");
    let arguments = [
        "check",
        "k.cu",
        "--watch",
        "--grid",
        "1",
        "--block",
        "2",
        "--property",
        "races",
    ];
    let tool = Tool::start(folder.path(), &arguments);
    tool.says("Verdict: refuted");
    tool.says("waiting for a change");
    // A header beside the source.
    write("n.h", "#define N 1\n");
    tool.says("Verdict: proved");
    tool.says("waiting for a change");
    // An editor that puts another file in its place, with a mistake in it.
    write("new", "__global__ void k(int *a) { a[0] = ; }\n");
    std::fs::rename(folder.path().join("new"), folder.path().join("k.cu")).unwrap();
    tool.says("changed");
    tool.says("waiting for a change");
    assert_eq!(tool.ends_by(Signal::INT), Some(2), "that of the last run");
}

#[test]
fn several_sources_are_ended_with_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let lock = std::fs::read_to_string(format!("{INPUT}/spin_lock.cu")).unwrap();
    std::fs::write(
        folder.path().join("a.cu"),
        "__global__ void k(int *a) { a[threadIdx.x / 2] = 1 + threadIdx.x; }\n",
    )
    .unwrap();
    std::fs::write(folder.path().join("b.cu"), lock).unwrap();
    let arguments = [
        "check",
        ".",
        "--jobs",
        "2",
        "--grid",
        "33",
        "--block",
        "32",
        "--limit-seconds",
        "300",
    ];
    let tool = Tool::start(folder.path(), &arguments);
    // The defect of the first is told while the second is judged.
    tool.says("data-race: ");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(tool.ends_by(Signal::TERM), Some(1));
}
