//! A disk that is full, a reader that went away.

use super::support::{Folder, KERNEL, RACE, Ran, of, pipeline};
use gridlock_generation::effort;
use std::fs::{File, OpenOptions};
use std::process::Stdio;

/// One call of every command that prints, with the files they need.
fn commands() -> (Folder, Vec<Vec<&'static str>>) {
    let labelled = format!("//pass\n//--gridDim=1 --blockDim=4\n{KERNEL}");
    let folder = Folder::new(&[
        ("k.cu", KERNEL),
        ("race.cu", RACE),
        ("suite/k.cu", &labelled),
        ("p.toml", &pipeline("k.cu", "")),
        ("p.json", "{}"),
    ]);
    let made = folder.run(&[
        "check",
        "race.cu",
        "--block",
        "2",
        "--save-witness",
        "w.json",
    ]);
    assert_eq!(made.status, Some(1), "{made:?}");
    let made = folder.run(&["lower", "k.cu", "-t", "opencl-host", "-o", "lowered"]);
    assert_eq!(made.status, Some(0), "{made:?}");
    let commands = [
        "check k.cu --block 4 --extent a=4",
        "check race.cu --block 2",
        "check k.cu --block 4 --extent a=4 --explain-conditions",
        "equiv k.cu k.cu --block 4",
        "verify p.toml",
        "explore k.cu --block 2",
        "prove k.cu",
        "prove shared-memory",
        "rewrite k.cu --rules shared-memory",
        "lower k.cu -t cuda",
        "lower k.cu -t opencl-host",
        "lift lowered/k.cpp --target opencl-host --kernels lowered/k.cl",
        "diff k.cu --device interpreter --block 4",
        "replay w.json",
        "replay w.json --step",
        "trace k.cu --block 2",
        "profiles",
        "devices",
        "suite suite",
        "suite suite --alone suite/k.cu",
    ];
    let mut all = Vec::new();
    for command in commands {
        let words: Vec<&'static str> = command.split(' ').collect();
        all.push([&words[..], &["--format", "json"]].concat());
        all.push(words);
    }
    for only_text in [
        "--help",
        "--version",
        "check --help",
        "check nothing.cu --format json",
    ] {
        all.push(only_text.split(' ').collect());
    }
    (folder, all)
}

fn into(folder: &Folder, command: &[&str], stdout: impl Into<Stdio>) -> Ran {
    let mut tool = folder.tool(command);
    tool.stdout(stdout).stderr(Stdio::piped());
    of(tool.spawn().unwrap().wait_with_output().unwrap())
}

/// A short run tries every command once, as text or as JSON.
const SHARE: usize = 8;

#[test]
fn what_cannot_be_printed() {
    let (folder, commands) = commands();
    let chosen = commands.iter().enumerate();
    for (_, command) in chosen.filter(|(number, _)| effort::is_done(number.div_ceil(2), SHARE)) {
        // What prints nothing at all loses nothing.
        let usual = folder.run(command);
        assert!(!usual.stdout.is_empty(), "{command:?} prints nothing");
        a_full_disk_is_told(&folder, command);
        a_reader_that_went_away_is_no_error(&folder, command, &usual);
    }
}

fn a_full_disk_is_told(folder: &Folder, command: &[&str]) {
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let ran = into(folder, command, full);
    assert_eq!(ran.status, Some(2), "{command:?}: {ran:?}");
    let is_told = ran
        .stderr
        .contains("standard output: cannot write: No space left");
    assert!(is_told, "{command:?}: {ran:?}");
}

/// `gridlock … | head`: nothing to complain of.
fn a_reader_that_went_away_is_no_error(folder: &Folder, command: &[&str], usual: &Ran) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ran = into(folder, command, writer);
    assert_eq!(ran.status, usual.status, "{command:?}: {ran:?}");
    assert!(!ran.stderr.contains("cannot write"), "{command:?}: {ran:?}");
}

#[test]
fn a_file_that_cannot_be_written_is_told() {
    let (folder, _) = commands();
    for command in [
        "lower k.cu -t cuda -o /dev/full",
        "lower k.cu -t cuda -o nowhere/out.cu",
        "rewrite k.cu --rules shared-memory --trace-file /dev/full",
        "replay w.json --html /dev/full",
        "explore k.cu --block 2 --dot /dev/full",
        "explore k.cu --block 2 --html nowhere/x",
        "check k.cu --block 4 --extent a=4 --save-witness k.cu",
        "verify p.toml --out /dev/full",
        "verify p.toml --out k.cu",
        "lift lowered/k.cpp --target opencl-host --kernels lowered/k.cl -o /dev/full",
    ] {
        let ran = folder.run(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.status, Some(2), "{command}: {ran:?}");
        assert!(!ran.stderr.is_empty(), "{command}: {ran:?}");
    }
    // A defect weighs more than a witness that is lost.
    let check = [
        "check",
        "race.cu",
        "--block",
        "2",
        "--save-witness",
        "/dev/full",
    ];
    let ran = folder.run(&check);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("/dev/full: cannot write"), "{ran:?}");
    let left = folder
        .files()
        .into_iter()
        .find(|name| name.ends_with(".part"));
    assert_eq!(left, None);
    assert!(File::open(folder.path("k.cu")).is_ok());
}
