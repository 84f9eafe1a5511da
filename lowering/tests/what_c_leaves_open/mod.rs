//! The table of `docs/what-c-leaves-open.md`, row by row: small functions in C, read by the front
//! end and run by the interpreter on a grid of values, against the same text compiled by clang, and
//! against PoCL through the OpenCL that lowering prints. Where the semantics gives a defect, the
//! row says which, every input that C leaves undefined gets it, no other does, and clang's checks
//! trap on it. What a refused row shows is no program here.

mod machine;
mod opencl;
mod rows;
mod semantics;
mod values;

use rows::{Held, ROWS, Row};
use semantics::Judged;

/// What the semantics says of each input of each case; its defects are the row's.
fn judged() -> Vec<(&'static Row, Vec<Judged>)> {
    let judged = semantics::judge(ROWS);
    for (row, cases) in &judged {
        let mut n_faults = 0;
        for case in cases {
            for input in &case.inputs {
                let Err(fault) = &input.result else {
                    continue;
                };
                assert_eq!(
                    Some(fault.as_str()),
                    row.fault,
                    "{} at {input:?}",
                    case.body
                );
                n_faults += 1;
            }
        }
        assert_eq!(n_faults > 0, row.fault.is_some(), "{}", row.what);
    }
    judged
}

#[test]
fn clang_agrees() {
    let judged = judged();
    let n_compared = machine::compare(&judged);
    assert!(n_compared > 5_000, "{n_compared}");
}

#[test]
fn pocl_agrees() {
    let n_compared = opencl::compare(&judged());
    assert!(n_compared.is_none_or(|n| n > 5_000), "{n_compared:?}");
}

/// What refused rows show is refused; the same operands in an order are read.
#[test]
fn what_has_no_order_is_refused() {
    let refused = ROWS.iter().filter(|row| row.held == Held::Refused);
    let cases: Vec<_> = refused.flat_map(semantics::refusals).collect();
    assert!(cases.len() > 3, "{cases:?}");
    for (body, refused) in cases {
        assert!(refused, "{body}");
    }
    let ordered = ROWS.iter().find(|row| row.held == Held::Compared);
    for (body, refused) in ordered.map(semantics::refusals).expect("a row") {
        assert!(!refused, "{body}");
    }
}

/// A planted difference is seen: both are asked about a result that was changed, of the first row.
#[test]
fn a_planted_difference_is_seen() {
    let mut judged = judged();
    judged.truncate(1);
    let (row, cases) = &mut judged[0];
    let what = row.what;
    let input = cases[0].inputs.last_mut().expect("an input");
    input.result = input.result.clone().map(semantics::another);
    let by_clang = message(|| machine::compare(&judged));
    assert!(by_clang.contains(what), "{by_clang}");
    if std::env::var_os("GRIDLOCK_NO_OPENCL").is_none() {
        let by_pocl = message(|| opencl::compare(&judged).unwrap_or_default());
        assert!(by_pocl.contains(what), "{by_pocl}");
    }
}

/// So is a defect claimed where clang computes a value.
#[test]
fn a_planted_defect_is_seen() {
    let mut judged = judged();
    judged.truncate(1);
    judged[0].1[0].inputs[0].result = Err("DivisionByZero".to_owned());
    let found = message(|| machine::compare(&judged));
    assert!(
        found.contains("clang gives no trap, expected trap"),
        "{found}"
    );
}

/// What a comparison panics with.
fn message(compare: impl FnOnce() -> usize) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(compare));
    let panic = panic.expect_err("a difference");
    *panic.downcast::<String>().expect("text")
}

/// The rows of the document are the rows tested here, and held as it says.
#[test]
fn the_document_has_these_rows() {
    let document = include_str!("../../../docs/what-c-leaves-open.md");
    let mut listed = Vec::new();
    let (rows, _lemmas) = document.split_once("\n## ").expect("two tables");
    for line in rows.lines().filter(|line| line.starts_with("| ")) {
        let line = line.replace("\\|", "¦");
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [what, _, _, held] = cells.as_slice() else {
            panic!("four columns: {line}");
        };
        if *what != "what" {
            listed.push((what.replace('¦', "|"), (*held).to_owned()));
        }
    }
    let tested: Vec<(String, String)> = ROWS
        .iter()
        .map(|row| (row.what.to_owned(), row.held.text().to_owned()))
        .collect();
    assert_eq!(listed, tested);
}
