//! Children that end, hang, talk without end, and start others.

use super::*;
use crate::program;
use std::path::Path;

const LIMITS: Limits = Limits {
    seconds: 30.0,
    bytes: 1 << 30,
    may_write: false,
};

fn shell(script: &str) -> Command {
    let mut command = program::command(Path::new("/bin/sh"));
    command.args(["-c", script]);
    command
}

fn all(script: &str, limits: Limits) -> (End, Vec<u8>) {
    let mut printed = Vec::new();
    let end = run(shell(script), limits, &mut |piece, _| {
        printed.extend_from_slice(piece);
        ControlFlow::Continue(())
    });
    (end.expect("it runs"), printed)
}

/// Whether a process is there that is no zombie.
fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

/// Waits for a process to go: it may still be about to.
fn goes(pid: &str) -> bool {
    let waited = (0..200).find(|_| {
        std::thread::sleep(Duration::from_millis(20));
        !is_alive(pid)
    });
    waited.is_some()
}

#[test]
fn what_is_printed_and_said_comes_through() {
    let (end, printed) = all("head -c 3000000 /dev/zero; echo words >&2; exit 3", LIMITS);
    assert_eq!(printed.len(), 3_000_000);
    let End::Ended { status, said, .. } = end else {
        panic!("{end:?}");
    };
    assert_eq!((status.code(), said.as_slice()), (Some(3), &b"words\n"[..]));
}

/// The shell's own child holds the pipe, and must go too.
#[test]
fn a_child_that_hangs_is_stopped_with_what_it_started() {
    let limits = Limits {
        seconds: 2.0,
        ..LIMITS
    };
    let started = Instant::now();
    let (end, printed) = all("sleep 1000 & echo $!; wait", limits);
    assert_eq!(end, End::OutOfTime);
    assert!(started.elapsed() < Duration::from_secs(20));
    assert!(goes(&String::from_utf8_lossy(&printed)));
}

#[test]
fn nobody_waits_for_a_pipe_that_a_grandchild_keeps() {
    let started = Instant::now();
    let (end, printed) = all("sleep 30 & echo $!", LIMITS);
    assert!(matches!(end, End::Ended { .. }), "{end:?}");
    assert!(started.elapsed() < Duration::from_secs(20));
    let orphan = String::from_utf8_lossy(&printed).trim().parse().ok();
    let orphan = orphan.and_then(Pid::from_raw).expect("a number");
    rustix::process::kill_process(orphan, Signal::KILL).expect("it was there");
}

#[test]
fn a_reader_that_wants_no_more_stops_the_child() {
    let mut n = 0;
    let end = run(shell("cat /dev/zero"), LIMITS, &mut |piece, _| {
        n += piece.len();
        match n > 1 << 20 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    assert_eq!(end.expect("it runs"), End::NotWanted { said: Vec::new() });
}

/// However much it is, and whichever pipe is looked at first.
#[test]
fn a_reader_knows_all_that_was_said_before() {
    for n_said in [0, 1, 70_000, 1_000_000] {
        let script = format!("head -c {n_said} /dev/zero >&2; echo begins; sleep 1000");
        let mut n_known = None;
        let end = run(shell(&script), LIMITS, &mut |_, said| {
            n_known.get_or_insert(said.len());
            ControlFlow::Break(())
        });
        assert_eq!(n_known, Some(n_said));
        let said = vec![0; n_said];
        assert_eq!(end.expect("it runs"), End::NotWanted { said });
    }
}

#[test]
fn memory_and_files_are_bounded() {
    let limits = Limits {
        bytes: 64 << 20,
        ..LIMITS
    };
    let (end, _) = all(
        "x=$(head -c 400000000 /dev/zero | tr '\\0' x); echo ${#x}",
        limits,
    );
    assert!(
        matches!(&end, End::Ended { status, .. } if !status.success()),
        "{end:?}"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("written");
    let script = format!("echo text > '{}'", file.display());
    let (end, _) = all(&script, LIMITS);
    assert!(
        matches!(&end, End::Ended { status, .. } if !status.success()),
        "{end:?}"
    );
    assert_eq!(std::fs::read_to_string(&file).expect("made"), "");
}

/// Not a process but a thread that starts a child and ends: that is when the kernel sends the signal.
#[test]
fn a_child_dies_with_who_started_it() {
    let mut child = std::thread::spawn(|| {
        let mut command = shell("exec sleep 1000");
        dies_with_us(&mut command);
        command.spawn().expect("started")
    })
    .join()
    .expect("no panic");
    let pid = child.id().to_string();
    let gone = goes(&pid);
    stop(&mut child);
    assert!(gone);
}
