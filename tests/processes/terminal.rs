//! `gridlock replay` on a real pseudo-terminal: what the screen shows while it is stepped through,
//! and that the terminal is given back on every way out.

#![cfg(unix)]

use crate::tool;

use crate::pty::InTerminal;
use rustix::process::{Pid, Signal, kill_process};
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

fn replay(witness: &str) -> InTerminal {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridlock"));
    InTerminal::start(command.args(["replay", witness]))
}

/// A witness of a race, in a folder of its own.
fn witness() -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("w.json");
    let file = file.to_str().unwrap().to_owned();
    let broken = "tests/corpus/races/tree-sum-broken.cu";
    let arguments = ["check", broken, "--block", "4", "--property", "races"];
    let saved = ["--save-witness", &file, "--format", "json"];
    let found = tool::run(&[&arguments[..], &saved].concat());
    assert_eq!(found.status, 1, "{}", found.stderr);
    assert_eq!(found.json()["defects"][0]["kind"], "data-race");
    (dir, file)
}

#[test]
fn a_replay_is_stepped_through_and_left_by_q() {
    let (_dir, file) = witness();
    let mut view = replay(&file);
    view.until_shows("step 0 of ");
    view.is_taken();
    view.until_shows("n step  p back");
    // Forward and back.
    view.press("n", "step 1 of ");
    view.press("n", "step 2 of ");
    view.until_shows(">  ");
    view.press("p", "step 1 of ");
    // To where another thread moves, and to where it was before.
    view.press("g", "step 0 of ");
    view.press("s", "step 3 of 17: b0 t1: line 11: reads in[1] = ");
    view.press("s", "step 5 of 17: b0 t2: ");
    view.press("S", "step 3 of ");
    view.press("S", "step 0 of ");
    // A variable that is watched, and a cell.
    view.press("w", "watch (a[3], i, b0.t1:i): ");
    view.press("b0.t1:t\r", "watch t of b0 t1 = nothing yet");
    view.press("w", "watch (a[3], i, b0.t1:i): ");
    view.press("no such\r", "is neither a cell");
    view.press("s", "watch t of b0 t1 = 1");
    view.until_shows("step 3 of ");
    // The end says what it shows; why is told in front.
    view.press("G", "reproduced: ");
    view.press("e", " how it came about ");
    view.type_in("q");
    view.until("view behind it", |screen| {
        let text = screen.contents();
        !text.contains(" how it came about ") && text.contains("reproduced: ")
    });
    assert!(view.seen.screen().alternate_screen());
    view.type_in("q");
    let status = view.ends();
    assert_eq!(status.code(), Some(0));
    assert!(view.screen().contains("reproduced: "), "{}", view.screen());
}

/// In the view, and while something is being typed.
#[test]
fn control_c_gives_the_terminal_back() {
    let (_dir, file) = witness();
    for asked in ["", "w", "j", "h", "e"] {
        let mut view = replay(&file);
        view.until_shows("step 0 of ");
        view.is_taken();
        match asked {
            "" => {}
            "w" => view.press("w", "watch (a[3]"),
            "j" => view.press("j", "step: "),
            "h" => view.press("h", " keys "),
            _ => view.press("e", " how it came about "),
        }
        view.type_in("\x03");
        assert_eq!(view.ends().code(), Some(0), "{asked}");
    }
}

/// A signal ends the tool as it always does, but the terminal is given back first.
#[test]
fn signals_give_the_terminal_back() {
    let (_dir, file) = witness();
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let mut view = replay(&file);
        view.until_shows("step 0 of ");
        view.is_taken();
        kill_process(Pid::from_child(&view.child), signal).unwrap();
        assert_eq!(view.ends().signal(), Some(signal.as_raw()));
    }
}

/// A witness that no longer fits is refused before the terminal is touched.
#[test]
fn an_error_before_the_view_leaves_the_terminal_alone() {
    let (_dir, file) = witness();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(
        &file,
        text.replace("\"source_hash\": \"", "\"source_hash\": \"0"),
    )
    .unwrap();
    let mut view = replay(&file);
    view.until_shows("changed");
    assert_eq!(view.ends().code(), Some(2), "{}", view.screen());
}
