//! Programs lowered and lifted back: they are judged equivalent, and lowered again they are the same text.

use super::mutants::{MUTANTS, refuted};
use super::programs::PROGRAMS;
use super::support::{TARGETS, judged, lift, lower, shown, there_and_back};
use crate::labelled;
use gridlock_generation::effort;
use serde_json::Value as Json;
use std::fmt::Write;
use std::path::Path;

const TABLE: &str = "\
## Targets

Host code by pattern files (`lowering/targets/`): a program is lowered, lifted back and judged against the original
under `cuda`. A mutant is a pattern with one thing wrong.

";

/// A short run makes a row in so many, and holds it against the table.
const SHARE: usize = 17;

/// The section of `docs/transformations.md` on targets: `INSTA_UPDATE=always cargo test --test gridlock targets::`,
/// then `transformations::`.
#[test]
fn every_target_gives_the_program_back_and_its_faults_are_refuted() {
    let mut text = TABLE.to_owned();
    text.push_str("| target | example | call | verdict | assumes |\n|---|---|---|---|---|\n");
    let names = ["cuda-runtime", "cuda-driver", "opencl-host", "csharp"];
    let mut numbers = 0..;
    let mut is_done = || effort::is_done(numbers.next().unwrap(), SHARE);
    for target in names {
        for program in PROGRAMS.iter().filter(|p| p.is_for(target) && is_done()) {
            let folder = tempfile::tempdir().unwrap();
            let lifted = there_and_back(program, target, folder.path());
            let (verdict, report) = judged(program, &lifted);
            assert!(
                matches!(verdict.as_str(), "passed" | "proved"),
                "{target} {}: {report:#}",
                program.file
            );
            let assumed: Vec<&str> = report["assumptions"]
                .as_array()
                .map(|all| all.iter().filter_map(Json::as_str).collect())
                .unwrap_or_default();
            let assumed = match assumed.is_empty() {
                true => "nothing".to_owned(),
                false => assumed.join("; "),
            };
            let stem = Path::new(program.file).file_stem().unwrap();
            let _ = writeln!(
                text,
                "| `{target}` | `{}` | `{}` | cuda: {verdict} | {assumed} |",
                stem.to_str().unwrap(),
                program.call[1..].join(" ")
            );
        }
    }
    text.push_str(
        "\n| target | example | mutant | refuted | counterexample |\n|---|---|---|---|---|\n",
    );
    for mutant in MUTANTS.iter().filter(|_| is_done()) {
        let (kind, size) = refuted(mutant);
        let stem = Path::new(PROGRAMS[mutant.program].file)
            .file_stem()
            .unwrap();
        let _ = writeln!(
            text,
            "| `{}` | `{}` | {} | cuda: {kind} | {size} |",
            mutant.target,
            stem.to_str().unwrap(),
            mutant.what
        );
    }
    if effort::seed().is_some() || effort::writes_tables() {
        labelled::assert_table("tests/targets/table.md", &text);
        return;
    }
    let stored = std::fs::read_to_string("tests/targets/table.md").unwrap();
    let is_new = |row: &&str| !stored.lines().any(|line| line == *row);
    let new: Vec<&str> = text.lines().filter(is_new).collect();
    assert!(new.is_empty(), "not in the table:\n{}", new.join("\n"));
}

/// What the target's text says once it is lifted is what it said before: lowered again, it is the
/// same text. (The runtime's text is C++, whose arithmetic C# would write otherwise.)
#[test]
fn lifted_programs_lower_to_the_same_text() {
    for (target, extension) in TARGETS.into_iter().filter(|(_, e)| *e == "cpp") {
        let kinds = [&PROGRAMS[..3], &PROGRAMS[9..]].concat();
        for program in kinds.iter().filter(|p| p.is_for(target)) {
            if !effort::is_next_done(3) {
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            let host = lower(program.file, ["--target", target], extension, folder.path());
            let before = std::fs::read_to_string(&host).unwrap();
            let lifted = lift(&host, ["--target", target]).expect(program.file);
            let again = folder.path().join("again");
            let stem = host.file_stem().unwrap().to_str().unwrap();
            let renamed = folder.path().join(format!("{stem}.cu"));
            std::fs::rename(&lifted, &renamed).unwrap();
            let host = lower(shown(&renamed), ["--target", target], extension, &again);
            assert_eq!(std::fs::read_to_string(host).unwrap(), before, "{target}");
        }
    }
}
