//! What the front end reads beyond scalars and loops, judged end to end: each kernel of
//! `tests/language` beside a broken twin, at the launch its header gives. And loops in which something grows,
//! those of `tests/endless`: each that never ends beside one that does, if only by wrapping around.

use crate::labelled::{File, files_in, files_of_language, judged};
use crate::tool::run;
use gridlock::input::request::Request;
use gridlock::suite::{self, Labelled};
use gridlock_generation::effort;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

#[test]
fn every_kernel_comes_out_as_its_header_says() {
    come_out_as_the_headers_say(files_of_language(), 37);
}

#[test]
fn loops_that_never_end_are_told_from_those_that_do() {
    come_out_as_the_headers_say(&files_in("tests/endless"), 45);
}

/// A short run judges one pair of a right kernel and its twin in so many.
fn come_out_as_the_headers_say(files: &[File], share: usize) {
    let stems: BTreeSet<String> = files.iter().map(|file| pair(&file.labelled)).collect();
    let chosen = stems.iter().enumerate();
    let chosen = chosen.filter(|(number, _)| effort::is_done(*number, share));
    let chosen: BTreeSet<&String> = chosen.map(|(_, stem)| stem).collect();
    let kernels = files.iter().map(|file| file.labelled.clone());
    let kernels: Vec<Labelled> = kernels
        .filter(|kernel| chosen.contains(&pair(kernel)))
        .collect();
    let request = Request {
        device_limits: None,
        ..Request::default()
    };
    let rows = judged(files, &kernels, &request);
    let wrong: Vec<String> = rows
        .iter()
        .filter(|row| !row.agrees)
        .map(|row| {
            format!(
                "{}: expected {}, got {} {}: {}",
                row.file, row.expected, row.verdict, row.kind, row.disagreement
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a kernel and its broken twin are called.
fn pair(kernel: &Labelled) -> String {
    let stem = kernel.path.file_stem().unwrap().to_string_lossy();
    stem.strip_suffix("-broken").unwrap_or(&stem).to_owned()
}

/// Half of them are wrong on purpose, each beside what it should have been.
#[test]
fn every_kernel_has_a_twin() {
    let mut kernels = suite::read_corpus(Path::new("tests/language")).unwrap();
    kernels.extend(suite::read_corpus(Path::new("tests/endless")).unwrap());
    assert!(kernels.len() >= 100, "{} kernels", kernels.len());
    for kernel in &kernels {
        let right = pair(kernel);
        let twin = match kernel.path.file_stem() == Some(OsStr::new(&right)) {
            true => format!("{right}-broken"),
            false => right,
        };
        let extension = kernel.path.extension().unwrap().to_string_lossy();
        let twin = kernel.path.with_file_name(format!("{twin}.{extension}"));
        assert!(twin.exists(), "{} has no twin", kernel.path.display());
    }
}

/// Two programs are compared, and one is printed, with the step where it is: behind the round, not behind a `break`.
#[test]
fn a_step_after_a_break_is_compared_and_printed() {
    let counted = "tests/input/counted_break.cu";
    let folder = tempfile::tempdir().unwrap();
    let printed = folder.path().join("printed.cu").display().to_string();
    let lowered = run(&["lower", counted, "--target", "cuda", "-o", &printed]);
    assert_eq!(lowered.status, 0, "{}", lowered.stderr);
    let launch = "--block 2 --extent key=4 --extent out=2 --require schedules";
    let launch: Vec<&str> = launch.split(' ').collect();
    for (other, status) in [
        ("tests/input/counted_break_by_hand.cu", 0),
        (&printed, 0),
        ("tests/input/counted_break_too_far.cu", 1),
    ] {
        let compared = run(&[&["equiv", counted, other], &launch[..]].concat());
        assert_eq!(compared.status, status, "{other}: {}", compared.stdout);
    }
}

/// A template that nothing instantiates is judged as the instance that its text writes, and the report says so.
#[test]
fn an_instance_is_chosen_and_printed() {
    for (file, status) in [("chosen-instance", 0), ("chosen-instance-broken", 1)] {
        let file = format!("tests/input/{file}.cu");
        let judged = run(&["check", &file, "--require", "tested"]);
        assert_eq!(
            judged.status, status,
            "{file}: {}{}",
            judged.stdout, judged.stderr
        );
        assert!(
            judged.stdout.contains("`shifts::shift<double, 16>`"),
            "{file}: {}",
            judged.stdout
        );
    }
}
