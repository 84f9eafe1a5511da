//! Programs that stand in the working directory, beside the inputs or above them.

use super::support::{Folder, KERNEL, pipeline, ran};
use gridlock_generation::effort;
use std::env;

const LOWER: &str = "[[lower]]\ntargets = [\"cuda\"]\nnvcc = [\"sm_80\"]\n";

/// A folder with a pipeline, and with compilers that tell when they are run.
fn folder() -> (Folder, String) {
    let folder = Folder::new(&[
        ("work/k.cu", KERNEL),
        ("work/p.toml", &pipeline("k.cu", LOWER)),
    ]);
    let tell = format!("touch '{}'; exit 1", folder.path("ran").display());
    for place in ["", "work/", "work/below/"] {
        for program in [
            ".toolchain/cuda/bin/nvcc",
            "lib/gridlock/cuda/bin/nvcc",
            "nvcc",
            "clang-19",
            "clang",
            "cicc",
            "ptxas",
            "gcc",
            "g++",
        ] {
            folder.script(&format!("{place}{program}"), &tell);
        }
    }
    (folder, tell)
}

#[test]
fn no_compiler_is_taken_from_a_folder() {
    let (folder, _) = folder();
    let path = env::var("PATH").unwrap_or_default();
    for place in ["", "work", "work/below"] {
        // What is empty or relative in PATH means the working directory.
        for path in [
            path.clone(),
            format!(":.:work:{path}"),
            format!("bin::{path}:"),
        ] {
            if !effort::is_next_done(4) {
                continue;
            }
            let here = folder.path(place);
            let pipeline = folder.path("work/p.toml");
            let mut tool =
                folder.tool(&["verify", &pipeline.display().to_string(), "--out", "out"]);
            tool.current_dir(&here).env("PATH", &path);
            tool.env_remove("GRIDLOCK_NVCC")
                .env_remove("GRIDLOCK_CLANG");
            let ran = ran(&mut tool);
            assert!(!folder.path("ran").exists(), "{place} {path}: {ran:?}");
            // Without a compiler in the tool's own installation it is missing, which is said.
            let is_there = ran.stdout.contains("compiled by nvcc for sm_80");
            assert!(is_there || ran.stdout.contains("nvcc not found"), "{ran:?}");
        }
    }
}

/// The other way round, so that the test above means something.
#[test]
fn a_compiler_that_a_variable_names_is_taken() {
    let (folder, _) = folder();
    let pipeline = folder.path("work/p.toml").display().to_string();
    let nvcc = folder.path("work/nvcc");
    let mut tool = folder.tool(&["verify", &pipeline]);
    let run = ran(tool.env("GRIDLOCK_NVCC", &nvcc));
    assert!(folder.path("ran").exists(), "{run:?}");
    std::fs::remove_file(folder.path("ran")).unwrap();
    // But not by a path that means another file in another working directory.
    for relative in ["work/nvcc", "./nvcc", "nvcc/", "nowhere"] {
        let run = ran(folder
            .tool(&["verify", &pipeline])
            .env("GRIDLOCK_NVCC", relative));
        assert!(run.stdout.contains("nvcc not found"), "{relative}: {run:?}");
        let mut tool = folder.tool(&["check", "work/k.cu", "--block", "4"]);
        let run = ran(tool.env("GRIDLOCK_CLANG", relative));
        run.refuses("no clang found");
    }
    assert!(!folder.path("ran").exists());
}
