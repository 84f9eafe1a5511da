//! What reports say beside verdicts: each thing once, as sentences and as objects.

use gridlock_checker::report::assumption::{Assumption, Counter};
use gridlock_checker::report::not_judged::{Gap, NotJudged, Place};
use gridlock_checker::report::remark::Remark;
use gridlock_checker::report::statements::{Statements, said_twice};
use serde_json::json;

fn aligned(bytes: u64) -> Assumption {
    Assumption::ArraysAligned { bytes }
}

fn no_aliasing(kernel: &str) -> Assumption {
    let kernel = kernel.to_owned();
    Assumption::NoAliasing { kernel }
}

fn counters(named: &[(&str, u32)]) -> Assumption {
    let counter = |&(name, line): &(&str, u32)| Counter {
        counter: name.to_owned(),
        line,
    };
    Assumption::CountersDoNotOverflow {
        counters: named.iter().map(counter).collect(),
    }
}

/// What is left of the first list is the second, in this order.
fn check(said: &[Assumption], left: &[Assumption]) {
    let noted: Statements<Assumption> = said.iter().cloned().collect();
    assert!(noted.iter().eq(left), "{noted:?}");
    assert_eq!(said_twice(left), None);
}

#[test]
fn each_thing_is_said_once() {
    let (k, f, first) = (
        no_aliasing("k"),
        no_aliasing("f"),
        Assumption::FirstElements {},
    );
    check(
        &[
            k.clone(),
            first.clone(),
            k.clone(),
            f.clone(),
            first.clone(),
        ],
        &[k, first, f],
    );
}

/// Multiples of 16 are multiples of 8. What is stronger stands where the weaker stood, whichever came first.
#[test]
fn the_stronger_of_two_is_said() {
    let k = no_aliasing("k");
    check(&[aligned(16), aligned(8)], &[aligned(16)]);
    check(&[aligned(8), k.clone(), aligned(16)], &[aligned(16), k]);
    check(&[aligned(4), aligned(8), aligned(16)], &[aligned(16)]);
    check(&[aligned(12), aligned(8)], &[aligned(12), aligned(8)]);
    check(
        &[counters(&[("i", 3)]), counters(&[("i", 3), ("j", 4)])],
        &[counters(&[("i", 3), ("j", 4)])],
    );
    check(
        &[counters(&[("i", 3)]), counters(&[("i", 5)])],
        &[counters(&[("i", 3)]), counters(&[("i", 5)])],
    );
}

/// Only what gives a value is said to give any.
#[test]
fn a_function_without_a_body_gives_any_value() {
    let no_body = |gives_value| Assumption::NoBody {
        function: "f".to_owned(),
        gives_value,
    };
    let any = |function: &str| Assumption::AnyValue {
        function: function.to_owned(),
    };
    check(&[any("f"), no_body(true)], &[no_body(true)]);
    check(&[any("f"), no_body(false)], &[any("f"), no_body(false)]);
    check(&[any("g"), no_body(true)], &[any("g"), no_body(true)]);
}

/// A list that was made past [`Statements`] is found out: equal values, a value that says another, one sentence.
#[test]
fn what_is_said_twice_is_found() {
    for planted in [
        [no_aliasing("k"), no_aliasing("k")],
        [aligned(16), aligned(8)],
        [aligned(8), aligned(16)],
    ] {
        assert_eq!(said_twice(&planted), Some((&planted[0], &planted[1])));
    }
    let one_sentence = [
        Assumption::UnitAxes {
            axes: vec!["blockDim.y".to_owned(), "gridDim.y".to_owned()],
            numbered: false,
        },
        Assumption::UnitAxes {
            axes: vec!["blockDim.y = gridDim.y".to_owned()],
            numbered: false,
        },
    ];
    assert!(said_twice(&one_sentence).is_some());
    assert_eq!(said_twice(&[no_aliasing("k"), no_aliasing("f")]), None);
}

/// `kind`, `arguments` and `text`; the arguments are an object where there are none, too.
#[test]
fn statements_as_objects() {
    let said: Statements<Assumption> = [no_aliasing("k"), Assumption::FirstElements {}]
        .into_iter()
        .collect();
    let object = json!([
        {
            "kind": "no-aliasing",
            "arguments": { "kernel": "k" },
            "text": "the pointer arguments of `k` do not alias",
        },
        {
            "kind": "first-elements",
            "arguments": {},
            "text": "pointer arguments point at the first elements of their memory",
        },
    ]);
    assert_eq!(serde_json::to_value(&said).unwrap(), object);
    assert_eq!(
        serde_json::from_value::<Statements<Assumption>>(object).unwrap(),
        said
    );
    let remarks: Statements<Remark> = [Remark::Refines {}].into_iter().collect();
    let object = serde_json::to_value(&remarks).unwrap();
    assert_eq!(object[0]["kind"], "refines");
    assert_eq!(
        serde_json::from_value::<Statements<Remark>>(object).unwrap(),
        remarks
    );
}

/// `what` and `why` are the halves of the sentence; the place is there where there is one.
#[test]
fn what_was_not_judged_as_objects() {
    let place = Place {
        file: "k.cu".to_owned(),
        line: 3,
        column: 5,
    };
    let gap = Gap::UnsupportedHostCode {
        construct: "a lambda".to_owned(),
    };
    let said: Statements<NotJudged> = [Some(place), None]
        .map(|place| NotJudged {
            subject: 1,
            gap: gap.clone(),
            place,
        })
        .into_iter()
        .collect();
    let why = "not supported: a lambda; the kernels are judged without it";
    let object = json!([
        {
            "subject": 1,
            "what": "host code",
            "why": why,
            "kind": "unsupported-host-code",
            "arguments": { "construct": "a lambda" },
            "file": "k.cu",
            "line": 3,
            "column": 5,
            "text": format!("host code: k.cu:3:5: {why}"),
        },
        {
            "subject": 1,
            "what": "host code",
            "why": why,
            "kind": "unsupported-host-code",
            "arguments": { "construct": "a lambda" },
            "text": format!("host code: {why}"),
        },
    ]);
    assert_eq!(serde_json::to_value(&said).unwrap(), object);
    assert_eq!(
        serde_json::from_value::<Statements<NotJudged>>(object).unwrap(),
        said
    );
}
