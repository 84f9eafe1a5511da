//! Lowering, lifting and judging, as a user does it.

use super::programs::Program;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(super) fn gridlock(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridlock"));
    command.current_dir(root()).args(["--format", "json"]);
    command.args(arguments).output().unwrap()
}

pub(super) fn json(output: &Output) -> Json {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

pub(super) fn shown(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Targets of two files, with a host file's extension.
pub(super) const TARGETS: [(&str, &str); 3] = [
    ("cuda-driver", "cpp"),
    ("opencl-host", "cpp"),
    ("csharp", "cs"),
];

/// `lower` as `how` says; the host's file.
pub(super) fn lower(file: &str, how: [&str; 2], extension: &str, folder: &Path) -> PathBuf {
    let output = gridlock(&["lower", file, how[0], how[1], "-o", shown(folder)]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{file} {how:?}: {}",
        json(&output)
    );
    let stem = Path::new(file).file_stem().unwrap().to_str().unwrap();
    folder.join(format!("{stem}.{extension}"))
}

/// `lift` of a target; an error's message if it fails.
pub(super) fn lift(host: &Path, how: [&str; 2]) -> Result<PathBuf, String> {
    let lifted = host.with_extension("lifted.cu");
    let output = gridlock(&["lift", shown(host), how[0], how[1], "-o", shown(&lifted)]);
    match output.status.code() {
        Some(0) => Ok(lifted),
        _ => Err(json(&output)["error"]["message"]
            .as_str()
            .unwrap()
            .to_owned()),
    }
}

/// The verdict of `equiv`, and the report.
pub(super) fn judged(program: &Program, lifted: &Path) -> (String, Json) {
    let mut arguments = vec!["equiv", program.file, shown(lifted)];
    arguments.extend(program.call);
    let report = json(&gridlock(&arguments));
    let properties = report["properties"].as_array();
    let found = properties.and_then(|all| all.iter().find(|p| p["kind"] == "equivalence"));
    let verdict = found.and_then(|p| p["verdict"].as_str()).unwrap_or("none");
    (verdict.to_owned(), report)
}

/// A program's text over the CUDA runtime, which needs no lifting: the front end reads it.
pub(super) fn runtime(program: &Program, how: [&str; 2], folder: &Path) -> PathBuf {
    let stem = Path::new(program.file).file_stem().unwrap();
    let host = folder.join(format!("{}.cu", stem.to_str().unwrap()));
    let to = match how[0] {
        "--patterns" => folder,
        _ => &host,
    };
    let output = gridlock(&["lower", program.file, how[0], how[1], "-o", shown(to)]);
    let report = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{how:?}: {report}");
    host
}

/// Lowered to the target and read back.
pub(super) fn there_and_back(program: &Program, target: &str, folder: &Path) -> PathBuf {
    let Some((_, extension)) = TARGETS.iter().find(|(name, _)| *name == target) else {
        return runtime(program, ["--target", "host"], folder);
    };
    let host = lower(program.file, ["--target", target], extension, folder);
    lift(&host, ["--target", target]).expect(program.file)
}
