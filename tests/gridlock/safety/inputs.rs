//! Inputs are files of a bounded size.

use super::support::{Folder, KERNEL, RACE, pipeline, ran};
use std::process::Command;

/// A call of each command with an input of each kind, which `FILE` stands for.
const COMMANDS: &[(&str, &str)] = &[
    ("check FILE", "cu"),
    ("check FILE", "c"),
    ("check FILE", "cl"),
    ("check FILE", "scheme"),
    ("check k.cu --profile FILE", "toml"),
    ("check k.cu --profile FILE", "json"),
    ("equiv k.cu FILE --block 4", "cu"),
    ("explore FILE --block 2", "cu"),
    ("explore k.cu --block 2 --continue FILE", "search"),
    ("prove FILE", "rules"),
    ("verify FILE", "toml"),
    ("rewrite k.cu --rules FILE", "rules"),
    ("rewrite k.cu --replay FILE", "json"),
    ("lower k.cu --patterns FILE", "patterns"),
    ("lift FILE --target cuda-runtime", "cpp"),
    (
        "lift k.cpp --target cuda-runtime --patterns FILE",
        "patterns",
    ),
    ("normalise FILE --rules FILE", "txt"),
    ("replay FILE", "json"),
    ("trace --witness FILE", "json"),
    ("suite suite --baseline FILE", "json"),
];

fn check(folder: &Folder, file: &str, words: &str) {
    for (command, _) in COMMANDS {
        if command.contains("--target") && command.contains("--patterns") {
            continue;
        }
        let arguments: Vec<&str> = command
            .split(' ')
            .map(|a| if a == "FILE" { file } else { a })
            .collect();
        let ran = folder.run(&arguments);
        assert_eq!(ran.status, Some(2), "{command} {file}: {ran:?}");
        // Some names are no names of such a file: then that is said.
        let of_its_name = [
            "not a source file",
            "a profile is",
            "no rule system",
            "ends in .rules",
        ];
        let is_said =
            ran.stderr.contains(words) || of_its_name.iter().any(|w| ran.stderr.contains(w));
        assert!(is_said, "{command} {file}: {ran:?}");
    }
}

fn folder() -> Folder {
    Folder::new(&[
        ("k.cu", KERNEL),
        ("k.cpp", "int main() { return 0; }\n"),
        (
            "suite/k.cu",
            &format!("//pass\n//--gridDim=1 --blockDim=4\n{KERNEL}"),
        ),
    ])
}

#[test]
fn devices_are_no_inputs() {
    check(&folder(), "/dev/zero", "not a regular file");
}

/// To open one would be to wait for somebody to write into it.
#[test]
fn pipes_are_no_inputs() {
    for (command, extension) in COMMANDS {
        let folder = folder();
        let name = format!("pipe.{extension}");
        let made = Command::new("mkfifo").arg(folder.path(&name)).status();
        assert!(made.unwrap().success());
        let arguments: Vec<&str> = command
            .split(' ')
            .map(|a| if a == "FILE" { &name } else { a })
            .collect();
        if arguments.contains(&"normalise")
            || (arguments.contains(&"--target") && arguments.contains(&"--patterns"))
        {
            continue;
        }
        let ran = folder.run(&arguments);
        ran.refuses("not a regular file");
    }
    // One in a suite is a row that agrees with nothing.
    let folder = folder();
    let made = Command::new("mkfifo")
        .arg(folder.path("suite/pipe.cu"))
        .status();
    assert!(made.unwrap().success());
    let ran = folder.run(&["suite", "suite", "--format", "json"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("not a regular file"), "{ran:?}");
}

#[test]
fn inputs_have_a_size() {
    let folder = folder();
    folder.write("long.cu", &format!("{KERNEL}// {}\n", "x".repeat(1000)));
    folder.write("p.toml", &pipeline("long.cu", ""));
    for command in [&["check", "long.cu"][..], &["verify", "p.toml"]] {
        let short = ran(folder.tool(command).env("GRIDLOCK_INPUT_BYTES", "900"));
        short.refuses("more than 900 bytes (GRIDLOCK_INPUT_BYTES raises the limit)");
    }
    let mut enough = folder.tool(&["check", "long.cu", "--block", "4", "--extent", "a=4"]);
    let enough = ran(enough.env("GRIDLOCK_INPUT_BYTES", "90000"));
    assert_eq!(enough.status, Some(0), "{enough:?}");
}

/// What a message quotes is read as well.
#[test]
fn lines_are_quoted_from_files_only() {
    let folder = Folder::new(&[("k.cu", "# 1 \"/dev/zero\"\nint x = ;\n")]);
    let ran = folder.run(&["check", "k.cu"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("expected expression"), "{ran:?}");
}

#[test]
fn a_suite_with_links_that_lead_back_ends() {
    let folder = folder();
    for name in ["suite/a", "suite/b"] {
        std::os::unix::fs::symlink(folder.path("suite"), folder.path(name)).unwrap();
    }
    folder.write(
        "suite/c/race.cu",
        &format!("//xfail:BOOGIE_ERROR\n//--gridDim=1 --blockDim=4\n{RACE}"),
    );
    let ran = folder.run(&["suite", "suite", "--format", "json"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(ran.json()["rows"].as_array().map(Vec::len), Some(2));
}
