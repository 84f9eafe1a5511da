//! Running the tool as a user does.

use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};

/// What a run of the tool gave.
#[allow(dead_code, reason = "not every test asks for all of it")]
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `gridlock` with these arguments in the root of the tree.
pub fn run(arguments: &[&str]) -> Run {
    run_with_input(arguments, "")
}

/// The same with text on standard input.
pub fn run_with_input(arguments: &[&str], input: &str) -> Run {
    run_in_with_input(Path::new(env!("CARGO_MANIFEST_DIR")), arguments, input)
}

/// The same in another folder.
#[allow(dead_code, reason = "not every test asks for it")]
pub fn run_in(folder: &Path, arguments: &[&str]) -> Run {
    run_in_with_input(folder, arguments, "")
}

fn run_in_with_input(folder: &Path, arguments: &[&str], input: &str) -> Run {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_gridlock"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("GRIDLOCK_LOG")
        .env("COLUMNS", "100")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A tool that reads no input may be gone before it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    Run {
        status: output.status.code().expect("ended by a signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Run {
    /// Standard output as one JSON object.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("{e}:\n{}\n{}", self.stdout, self.stderr))
    }
}

/// Both formats: the text starts with `file:line:column:` (or names what is wrong) on standard
/// error and shows the source line; JSON has the same as an object on standard output.
#[allow(dead_code, reason = "not every test asks for errors")]
pub fn check_error(arguments: &[&str], kind: &str, place: Option<(&str, u32, u32)>, part: &str) {
    let text = run(arguments);
    assert_eq!(
        text.status, 2,
        "{arguments:?}: {}{}",
        text.stdout, text.stderr
    );
    assert_eq!(text.stdout, "", "{arguments:?}: results on an error");
    assert!(text.stderr.contains(part), "{arguments:?}: {}", text.stderr);
    let with_json = [arguments, &["--format", "json"]].concat();
    let object = run(&with_json);
    assert_eq!(object.status, 2);
    assert_eq!(object.stderr, "", "{arguments:?}: text beside JSON");
    let error = &object.json()["error"];
    assert_eq!(error["kind"], kind, "{error}");
    assert!(error["message"].as_str().unwrap().contains(part), "{error}");
    match place {
        Some((file, 0, 0)) => assert_eq!(error["file"], file),
        Some((file, line, column)) => {
            assert_eq!(
                (&error["file"], &error["line"], &error["column"]),
                (&json!(file), &json!(line), &json!(column))
            );
            let start = format!("{file}:{line}:{column}: ");
            assert!(text.stderr.starts_with(&start), "{}", text.stderr);
            let source = std::fs::read_to_string(format!("{}/{file}", env!("CARGO_MANIFEST_DIR")));
            let source = source.unwrap();
            let shown = source.lines().nth(line as usize - 1).unwrap().trim();
            assert!(text.stderr.contains(shown), "{}", text.stderr);
        }
        None => {
            assert_eq!(error["line"], Value::Null, "{error}");
        }
    }
}
