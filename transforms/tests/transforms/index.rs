//! The index rules out no rule that matches: the same applications as trying all, on the whole corpus; and it
//! rules out most of the others. Each program has every eighth system of the library, in turn.

use gridlock_frontend::{ParseOptions, parse_file};
use gridlock_generation::effort;
use gridlock_transforms::rewriting::apply::apply_in;
use gridlock_transforms::rewriting::record::{Manner, Tries};
use gridlock_transforms::{NoOracle, Request, RuleSystem};
use std::path::{Path, PathBuf};

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut entries: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            sources(&entry, into);
        } else if ["cu", "c", "cl"]
            .map(Some)
            .contains(&entry.extension().and_then(|e| e.to_str()))
        {
            into.push(entry);
        }
    }
}

/// A short run takes a file in so many.
const SHARE: usize = 17;

#[test]
fn the_same_rules_apply_as_without_it_on_the_whole_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    sources(&root.join("tests/corpus"), &mut files);
    sources(&root.join("examples"), &mut files);
    let systems: Vec<RuleSystem> = RuleSystem::built_in_names()
        .filter_map(RuleSystem::built_in)
        .collect();
    let request = Request {
        fuel: 200,
        ..Request::default()
    };
    let mut total = Tries::default();
    let (mut n_programs, mut n_applied) = (0_usize, 0);
    let chosen = (0..).zip(&files);
    for (_, file) in chosen.filter(|(number, _)| effort::is_done(*number, SHARE)) {
        let Ok(parsed) = parse_file(file, &ParseOptions::default()) else {
            continue;
        };
        n_programs += 1;
        for system in systems.iter().skip(n_programs % 8).step_by(8) {
            let derive = |try_all: bool| {
                let manner = Manner {
                    try_all,
                    ..Manner::default()
                };
                apply_in(&parsed.program, system, &request, manner, &NoOracle)
            };
            let (with, without) = (derive(false), derive(true));
            let (with, without) = match (with, without) {
                (Ok(with), Ok(without)) => (with, without),
                (with, without) => {
                    let errors = (with.map(|_| ()), without.map(|_| ()));
                    assert_eq!(errors.0, errors.1, "{}: {}", file.display(), system.name());
                    continue;
                }
            };
            let place = format!("{}: {}", file.display(), system.name());
            assert_eq!(with.applications, without.applications, "{place}");
            assert_eq!(with.refusals, without.refusals, "{place}");
            assert_eq!(with.program, without.program, "{place}");
            assert_eq!(without.tries.tried, without.tries.asked, "{place}");
            n_applied += with.applications.len();
            total.asked += with.tries.asked;
            total.tried += with.tries.tried;
        }
    }
    println!("{n_programs} programs, {n_applied} applications: {total:?}");
    assert!(
        SHARE * n_programs > 200 && SHARE * n_applied > 50,
        "{n_programs}, {n_applied}"
    );
    assert!(total.tried * 4 < total.asked, "{total:?}");
}
