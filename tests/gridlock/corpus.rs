//! The labelled corpus through the suite, and the matrix kernel × profile → verdict.

use crate::labelled::{files, judged};
use gridlock::input::request::Request;
use gridlock::suite::agreement::Row;
use gridlock::suite::expected::Expected;
use gridlock::suite::{self, Labelled};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::remark::Remark;
use gridlock_checker::verdict::Verdict;
use gridlock_generation::effort;
use gridlock_semantics::profile::Profile;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// The corpus, with paths from the root of the tree (where cargo runs tests).
fn corpus() -> Vec<Labelled> {
    files().iter().map(|file| file.labelled.clone()).collect()
}

fn request() -> Request {
    let mut request = Request {
        device_limits: None,
        ..Request::default()
    };
    request.limits.seconds = 20.0;
    request
}

#[test]
fn every_kernel_comes_out_as_its_header_says() {
    // Of what need not be proved a short run tries to prove a third.
    let (tried, proved): (Vec<_>, Vec<_>) =
        corpus()
            .into_iter()
            .enumerate()
            .partition(|(number, labelled)| {
                let least = &labelled.header.expected;
                matches!(least, Expected::AtLeast(Verdict::Passed)) && !effort::is_done(*number, 3)
            });
    let without_proof = Request {
        symbolic: false,
        ..request()
    };
    let rows = [(tried, without_proof), (proved, request())]
        .into_iter()
        .flat_map(|(some, request)| {
            let some: Vec<Labelled> = some.into_iter().map(|(_, labelled)| labelled).collect();
            judged(files(), &some, &request)
        });
    let rows: Vec<Row> = rows.collect();
    let wrong: Vec<String> = rows
        .iter()
        .filter(|row| !row.agrees)
        .map(|row| {
            format!(
                "{} ({}): expected {}, got {} {}: {}",
                row.file, row.profile, row.expected, row.verdict, row.kind, row.disagreement
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every kind of defect the engines report has a kernel with it. The others are listed: no check
/// finds them yet.
#[test]
fn every_kind_of_defect_is_in_the_corpus() {
    let not_checked = [DefectKind::NotEquivalent];
    let mut expected: BTreeSet<DefectKind> = BTreeSet::new();
    for labelled in corpus() {
        if let Expected::Refuted(kinds) = &labelled.header.expected {
            expected.extend(kinds);
        }
    }
    for kind in DefectKind::ALL {
        assert_ne!(
            expected.contains(&kind),
            not_checked.contains(&kind),
            "{}",
            kind.name()
        );
    }
}

/// Where the matrix kernel × profile stands.
const MATRIX: &str = "tests/matrix.txt";

/// A short run does a row in so many, and takes the others as stored.
const SHARE: usize = 61;

/// States a search may keep; more than that in all are not counted.
const MOST_STATES: u64 = 2_000;

const MATRIX_HEAD: &str = "\
# What each profile says of each kernel of tests/corpus: verdict, kinds of defect or reason, states
# the explorer kept (- where one canonical run decided), transitions taken; both over all inputs
# tried. Without proofs, and with at most 2000 states a search: beyond that, cut or many.
# Written by: INSTA_UPDATE=always cargo test --test gridlock corpus::
";

/// What each profile says of each kernel, and what it took. Reviewed when it changes
/// (`INSTA_UPDATE=always cargo test --test gridlock corpus::`).
#[test]
fn matrix() {
    // What two profiles decide alike on every axis is judged once, under the first of them.
    let profiles = Profile::all();
    let mut distinct: Vec<&Profile> = Vec::new();
    let judged_as: Vec<usize> = profiles
        .iter()
        .map(|profile| {
            let alike = |other: &&Profile| other.axes == profile.axes;
            distinct.iter().position(alike).unwrap_or_else(|| {
                distinct.push(profile);
                distinct.len() - 1
            })
        })
        .collect();
    let names: Vec<String> = distinct
        .iter()
        .map(|profile| profile.name.clone())
        .collect();
    let written = std::fs::read_to_string(MATRIX).unwrap_or_default();
    let mut kernels = corpus();
    kernels.retain(|l| !matches!(l.header.expected, Expected::Error(_)));
    let name = |labelled: &Labelled| {
        let path = labelled.path.strip_prefix("tests/corpus").unwrap();
        path.display().to_string()
    };
    let stored = |labelled: &Labelled, profile: &Profile| -> Option<String> {
        let mut paragraphs = written.split("\n\n");
        let head = name(labelled);
        let rows = paragraphs.find_map(|p| p.strip_prefix(&*head)?.strip_prefix('\n'))?;
        let start = format!("    {:14} ", profile.name);
        let row = rows.lines().find(|row| row.starts_with(&start))?;
        Some(row.to_owned())
    };
    for (number, labelled) in kernels.iter_mut().enumerate() {
        let is_kept = stored(labelled, &profiles[0]).is_some();
        let asked = (number..).zip(&names);
        let asked = asked.filter(|(number, _)| !is_kept || effort::is_done(*number, SHARE));
        labelled.header.profiles = asked.map(|(_, name)| name.clone()).collect();
    }
    let mut request = Request {
        // What proofs add is a matter of the solver's budget; the matrix is not.
        symbolic: false,
        ..request()
    };
    // By count, not by time, so that the matrix is the same on every machine.
    request.limits.seconds = 600.0;
    request.limits.states = MOST_STATES;
    let is_asked = |l: &&Labelled| !l.header.profiles.is_empty();
    let asked: Vec<Labelled> = kernels.iter().filter(is_asked).cloned().collect();
    let rows = judged(files(), &asked, &request);
    let mut rows = rows.iter();
    let mut text = MATRIX_HEAD.to_owned();
    for labelled in &kernels {
        let _ = writeln!(text, "\n{}", name(labelled));
        let of_kernel: Vec<&Row> = rows.by_ref().take(labelled.header.profiles.len()).collect();
        for (profile, judged) in profiles.iter().zip(&judged_as) {
            let Some(row) = of_kernel.iter().find(|row| row.profile == names[*judged]) else {
                let kept = stored(labelled, profile).unwrap_or_default();
                let _ = writeln!(text, "{kept}");
                continue;
            };
            let (states, transitions) = match (row.cut, row.states) {
                // How far a search came beyond a limit depends on the machine.
                (true, _) => ("cut".to_owned(), "cut".to_owned()),
                // Nor does it where the sum has such a search of another launch in it.
                (_, states) if states > MOST_STATES => ("many".to_owned(), "many".to_owned()),
                (_, 0) => ("-".to_owned(), row.transitions.to_string()),
                (_, states) => (states.to_string(), row.transitions.to_string()),
            };
            let _ = writeln!(
                text,
                "    {:14} {:8} {:36} {states:>7} {transitions:>8}",
                profile.name, row.verdict, row.kind
            );
        }
    }
    assert!(rows.next().is_none(), "a row that was not asked for");
    if effort::writes_tables() {
        std::fs::write(MATRIX, &text).unwrap();
        return;
    }
    let changed: Vec<String> = differing_lines(&written, &text);
    assert!(
        changed.is_empty(),
        "{MATRIX} is not what comes out (if that is meant, write it anew: see its head):\n{}",
        changed.join("\n")
    );
}

/// Kernels whose paragraph differs, as they were and as they are.
fn differing_lines(old: &str, new: &str) -> Vec<String> {
    let paragraphs = |text: &str| -> BTreeSet<String> {
        text.split("\n\n")
            .map(|p| p.trim_end().to_owned())
            .collect()
    };
    let (old, new) = (paragraphs(old), paragraphs(new));
    let gone = old.difference(&new).map(|p| format!("was:\n{p}"));
    gone.chain(new.difference(&old).map(|p| format!("is:\n{p}")))
        .collect()
}

/// The corpus is large enough, in pairs, and negative enough for what the matrix is to show.
#[test]
fn kernels_stand_in_pairs_a_third_of_them_broken() {
    let mut kernels = corpus();
    kernels.retain(|l| !matches!(l.header.expected, Expected::Error(_)));
    let paths: BTreeSet<String> = corpus()
        .iter()
        .map(|l| l.path.with_extension("").display().to_string())
        .collect();
    for path in &paths {
        let twin = match path.strip_suffix("-broken") {
            Some(right) => right.to_owned(),
            None => format!("{path}-broken"),
        };
        assert!(paths.contains(&twin), "{path} has no twin {twin}");
    }
    for labelled in corpus() {
        let name = labelled.path.with_extension("").display().to_string();
        let expected = &labelled.header.expected;
        match name.ends_with("-broken") {
            true => assert!(!matches!(expected, Expected::AtLeast(_)), "{name}"),
            false => assert!(!matches!(expected, Expected::Refuted(_)), "{name}"),
        }
    }
    let negative = |l: &&Labelled| matches!(l.header.expected, Expected::Refuted(_));
    let n_negative = kernels.iter().filter(negative).count();
    assert!(kernels.len() >= 60, "{} kernels", kernels.len());
    assert!(
        3 * n_negative >= kernels.len(),
        "{n_negative} of {} kernels are refuted",
        kernels.len()
    );
}

/// What is right only while warps move in lockstep is accepted there with a remark: the compiler
/// must be kept from moving the accesses.
#[test]
fn lockstep_is_accepted_with_a_remark_on_volatile() {
    let remarks = |name: &str, n_threads: u32| {
        let path = Path::new("tests/corpus").join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let header = suite::header::Header::read(name, &text).unwrap();
        let request = Request {
            profile: Profile::named("lockstep-warp").unwrap(),
            ..request()
        };
        let mut entry = header.entry_under(&request.profile);
        entry.launch.block = Some([n_threads, 1, 1]);
        let judged =
            gridlock::judge::check::check_file(&path, &Default::default(), &entry, &request);
        let judged = judged.unwrap();
        assert!(judged.defects.is_empty(), "{name}");
        judged.remarks
    };
    let unrolled = remarks("papers/unrolled-last-warp.cu", 64);
    assert!(
        matches!(unrolled.iter().next(), Some(Remark::LockstepOrder { .. })),
        "{unrolled:?}"
    );
    let declared = remarks("profiles/warp-synchronous.cu", 32);
    assert!(declared.is_empty(), "{declared:?}");
}
