//! The labelled corpus through the suite, and the matrix kernel × profile → verdict.

use gridlock::request::Request;
use gridlock::suite::header::Expected;
use gridlock::suite::{self, Labelled};
use gridlock_checker::defect::DefectKind;
use gridlock_semantics::profile::Profile;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// The corpus, with paths from the root of the tree (where cargo runs tests).
fn corpus() -> Vec<Labelled> {
    suite::read_corpus(Path::new("tests/corpus")).unwrap()
}

fn request() -> Request {
    let mut request = Request {
        device_limits: None,
        ..Request::default()
    };
    request.limits.seconds = 20.0;
    request
}

fn n_workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[test]
fn every_kernel_comes_out_as_its_header_says() {
    let rows = suite::run(
        &corpus(),
        &request(),
        &Default::default(),
        n_workers(),
        &mut |_| {},
    )
    .unwrap();
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
    let not_checked = [
        DefectKind::Livelock,
        DefectKind::StaleData,
        DefectKind::Leak,
        DefectKind::NotEquivalent,
    ];
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

/// What each profile says of each kernel. Reviewed when it changes
/// (`INSTA_UPDATE=always cargo test --test corpus`).
#[test]
fn matrix() {
    let profiles = Profile::all();
    let mut columns = Vec::new();
    let mut kernels = corpus();
    kernels.retain(|l| !matches!(l.header.expected, Expected::Error(_)));
    for labelled in &mut kernels {
        labelled.header.profiles.clear();
    }
    for profile in &profiles {
        let mut request = Request {
            profile: profile.clone(),
            // What proofs add is a matter of the solver's patience; the matrix is not.
            symbolic: false,
            ..request()
        };
        // By count, not by time, so that the matrix is the same on every machine.
        request.limits.seconds = 600.0;
        request.limits.states = 2_000;
        let rows = suite::run(
            &kernels,
            &request,
            &Default::default(),
            n_workers(),
            &mut |_| {},
        );
        columns.push(rows.unwrap());
    }
    let mut text = String::new();
    for (i, labelled) in kernels.iter().enumerate() {
        let _ = writeln!(text, "{}", labelled.path.display());
        for (profile, rows) in profiles.iter().zip(&columns) {
            let row = &rows[i];
            let _ = writeln!(text, "    {:14} {} {}", profile.name, row.verdict, row.kind);
        }
    }
    let text: Vec<&str> = text.lines().map(str::trim_end).collect();
    insta::assert_snapshot!("matrix", text.join("\n"));
}
