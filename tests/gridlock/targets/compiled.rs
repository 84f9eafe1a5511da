//! What is printed compiles, with every warning an error.

use super::programs::PROGRAMS;
use super::support::{lower, shown};
use gridlock_lowering::nvcc;
use std::path::Path;
use std::process::Command;

/// Runs a compiler on a file in a folder.
pub(super) fn compiled(compiler: &str, folder: &Path, arguments: &[&str]) {
    let output = Command::new(compiler)
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap_or_else(|e| panic!("{compiler}: {e}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {arguments:?}: {said}");
}

pub(super) const STRICT: [&str; 5] = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"];

#[test]
fn driver_programs_compile() {
    let nvcc = match nvcc::find() {
        Ok(nvcc) => nvcc,
        Err(_) if std::env::var_os("GRIDLOCK_NO_NVCC").is_some() => return,
        Err(error) => panic!("{error}; or set GRIDLOCK_NO_NVCC where there is none"),
    };
    let toolkit = nvcc.path.parent().and_then(Path::parent).unwrap();
    let include = format!("-I{}/include", toolkit.display());
    for program in &PROGRAMS {
        let folder = tempfile::tempdir().unwrap();
        let host = lower(
            program.file,
            ["--target", "cuda-driver"],
            "cpp",
            folder.path(),
        );
        let arguments = [&STRICT[..], &[&include, shown(&host)]].concat();
        compiled("g++", folder.path(), &arguments);
    }
}

#[test]
fn csharp_programs_compile() {
    if std::env::var_os("GRIDLOCK_NO_MCS").is_some() {
        return;
    }
    let found = Command::new("mcs").arg("--version").output();
    found.expect("a C# compiler (mono-mcs), or GRIDLOCK_NO_MCS set");
    for program in &PROGRAMS {
        let folder = tempfile::tempdir().unwrap();
        let host = lower(program.file, ["--target", "csharp"], "cs", folder.path());
        let arguments = ["-unsafe", "-target:library", "-out:out.dll", shown(&host)];
        compiled("mcs", folder.path(), &arguments);
    }
}
