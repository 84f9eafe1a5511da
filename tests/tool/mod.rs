//! Running the tool as a user does.

use serde_json::Value;
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
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_gridlock"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
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
