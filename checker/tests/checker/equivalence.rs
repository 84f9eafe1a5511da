//! Outcome sets compared: planted differences of every kind, and what is no difference.

use gridlock_checker::equiv::*;
use gridlock_checker::explore::Outcome;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::verdict::Reason;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::system::observation::{Observation, ObservedArray};
use gridlock_semantics::transition::Actor;
use std::collections::BTreeMap;

fn array(name: &str, cells: &[i32]) -> ObservedArray {
    ObservedArray {
        name: name.into(),
        elem: ScalarType::I32,
        cells: cells.iter().map(|&c| Value::i32(c)).collect(),
    }
}

fn seen(arrays: &[(&str, &[i32])]) -> Outcome {
    Outcome::Observation(Observation {
        arrays: arrays
            .iter()
            .map(|(name, cells)| array(name, cells))
            .collect(),
        result: None,
    })
}

fn set(outcomes: &[Outcome]) -> OutcomeSet {
    OutcomeSet {
        outcomes: outcomes.iter().map(|o| (o.clone(), vec![])).collect(),
        complete: true,
        defective: false,
    }
}

fn compare(new: &OutcomeSet, old: &OutcomeSet, map: &str) -> Comparison {
    let options = CompareOptions {
        constants: BTreeMap::from([("B".to_owned(), 2)]),
        ..CompareOptions::default()
    };
    compare_outcomes(new, old, &map.parse().unwrap(), &options).unwrap()
}

fn difference(comparison: Comparison) -> Difference {
    match comparison {
        Comparison::Different(difference) => *difference,
        other => panic!("{other:?}"),
    }
}

/// The same bit by bit, in something that was compared.
fn is_same(comparison: &Comparison) -> bool {
    let bits = |largest: &Option<_>| largest.is_none();
    matches!(comparison, Comparison::Equivalent { largest, n_compared } if bits(largest) && *n_compared > 0)
}

/// A map that no cell falls under.
#[test]
fn nothing_compared_is_counted() {
    let one = set(&[seen(&[("a", &[1, 2])])]);
    let other = set(&[seen(&[("a", &[3, 4])])]);
    let Comparison::Equivalent { n_compared, .. } =
        compare(&one, &other, "new.a[i] == old.a[i] for i in 0..0")
    else {
        panic!("they differ in what is not compared")
    };
    assert_eq!(n_compared, 0);
}

#[test]
fn a_program_is_equivalent_to_itself() {
    let one = set(&[
        seen(&[("a", &[1, 2])]),
        seen(&[("a", &[1, 3])]),
        Outcome::Deadlock,
    ]);
    assert!(is_same(&compare(&one, &one, "")));
}

#[test]
fn names_pair_before_positions() {
    let new = set(&[seen(&[("a", &[1]), ("b", &[2])])]);
    let swapped = set(&[seen(&[("b", &[2]), ("a", &[1])])]);
    let renamed = set(&[seen(&[("x", &[1]), ("y", &[2])])]);
    assert!(is_same(&compare(&new, &swapped, "")));
    assert!(is_same(&compare(&new, &renamed, "")));
}

/// Planted: one cell, one element more, an array on one side only.
#[test]
fn every_element_counts() {
    let old = set(&[seen(&[("a", &[1, 2, 3])])]);
    let cell = difference(compare(&set(&[seen(&[("a", &[1, 9, 3])])]), &old, ""));
    assert_eq!((cell.array.as_deref(), cell.index), (Some("a"), Some(1)));
    assert_eq!(
        (cell.new_value, cell.old_value),
        (Some(Value::i32(9)), Some(Value::i32(2)))
    );
    assert_eq!(
        cell.message,
        "`new.a[1] == old.a[1]` does not hold: the new program leaves 9, the old one 2"
    );
    let longer = difference(compare(&set(&[seen(&[("a", &[1, 2, 3, 0])])]), &old, ""));
    assert_eq!((longer.index, longer.old_value), (Some(3), None));
    let shorter = difference(compare(&set(&[seen(&[("a", &[1, 2])])]), &old, ""));
    assert_eq!((shorter.index, shorter.new_value), (Some(2), None));
    let more = difference(compare(
        &set(&[seen(&[("a", &[1, 2, 3]), ("c", &[])])]),
        &old,
        "",
    ));
    assert_eq!(more.message, "array `c` is observed on one side only");
}

#[test]
fn fewer_outcomes_refine() {
    let (a, b) = (seen(&[("a", &[1])]), seen(&[("a", &[2])]));
    let (one, both) = (set(std::slice::from_ref(&a)), set(&[a, b]));
    let Comparison::Refines { missing } = compare(&one, &both, "") else {
        panic!("refines");
    };
    assert_eq!(missing.old_value, Some(Value::i32(2)));
    assert!(matches!(compare(&both, &one, ""), Comparison::Different(_)));
}

#[test]
fn defects_are_outcomes() {
    let fault = |kind, thread| Outcome::Fault {
        kind,
        actor: Actor::Thread { block: 0, thread },
        op: None,
    };
    let end = seen(&[("a", &[1])]);
    let bounds = set(&[fault(DefectKind::OutOfBounds, 1)]);
    let other_thread = set(&[fault(DefectKind::OutOfBounds, 2)]);
    assert!(is_same(&compare(&bounds, &other_thread, "")));
    let found = difference(compare(&bounds, &set(&[end]), ""));
    assert!(found.message.contains("out-of-bounds"), "{}", found.message);
    let stuck = difference(compare(&set(&[Outcome::Deadlock]), &bounds, ""));
    assert!(stuck.message.contains("deadlock"));
}

#[test]
fn maps_relate_shapes() {
    let old = set(&[seen(&[("out", &[10, 0, 20, 5, 30, 7])])]);
    let new = set(&[seen(&[("out", &[10, 20, 30])])]);
    for (map, holds) in [
        ("new.out[b] == old.out[b * B]", true),
        ("new.out[b] == old.out[b * B] for b in 0..3", true),
        ("new.out[b] == old.out[b]", false),
        ("old.out[2 * b] == new.out[b]", true),
        (
            "new.out[0] + new.out[1] == new.out[2]; new.out[1] == 4 * old.out[3]",
            true,
        ),
        ("new.out[b] == old.out[2*b] + old.out[2*b+1]", false),
        ("new.out[b] == old.out[b * B] for b in 0..4", false),
        (
            "new.out[i*1 + j] == old.out[(i + j) * 2] for i in 0..2, j in 0..2",
            true,
        ),
    ] {
        let equivalent = is_same(&compare(&new, &old, map));
        assert_eq!(equivalent, holds, "{map}");
    }
    let off = set(&[seen(&[("out", &[10, 20, 31])])]);
    let found = difference(compare(&off, &old, "new.out[b] == old.out[b * B]"));
    assert_eq!(found.relation, "new.out[2] == old.out[4]");
    assert_eq!(
        (found.index, found.new_value),
        (Some(2), Some(Value::i32(31)))
    );
}

/// An array the map does not name is compared all the same.
#[test]
fn what_a_map_leaves_out_is_compared_by_name() {
    let old = set(&[seen(&[("in", &[1, 2]), ("out", &[3, 0])])]);
    let good = set(&[seen(&[("in", &[1, 2]), ("out", &[3])])]);
    let bad = set(&[seen(&[("in", &[1, 0]), ("out", &[3])])]);
    let map = "new.out[0] == old.out[0]";
    assert!(is_same(&compare(&good, &old, map)));
    assert_eq!(
        difference(compare(&bad, &old, map)).array.as_deref(),
        Some("in")
    );
}

#[test]
fn maps_that_do_not_fit_are_refused() {
    let one = set(&[seen(&[("out", &[1])])]);
    for (map, word) in [
        ("new.sum[0] == old.out[0]", "no observed array `sum`"),
        ("new.out[i + j] == old.out[0]", "range of"),
        ("new.out[0] == n", "range of"),
        ("new.out[new.out[0]] == 1", "must not read a cell"),
    ] {
        let options = CompareOptions::default();
        let error = compare_outcomes(&one, &one, &map.parse().unwrap(), &options).unwrap_err();
        assert!(error.message.contains(word), "{error}");
    }
}

#[test]
fn what_is_not_known_is_not_claimed() {
    let (a, b) = (seen(&[("a", &[1])]), seen(&[("a", &[2])]));
    let whole = set(&[a]);
    let cut = OutcomeSet {
        complete: false,
        ..whole.clone()
    };
    let other_cut = OutcomeSet {
        complete: false,
        ..set(&[b])
    };
    let reason = |comparison| match comparison {
        Comparison::Unknown { reason, .. } => Some(reason),
        _ => None,
    };
    assert_eq!(reason(compare(&cut, &whole, "")), Some(Reason::Limit));
    assert_eq!(reason(compare(&whole, &cut, "")), Some(Reason::Limit));
    assert_eq!(reason(compare(&whole, &other_cut, "")), Some(Reason::Limit));
    // What the new side was seen to do, and the old one never does, is a difference.
    assert!(matches!(
        compare(&other_cut, &whole, ""),
        Comparison::Different(_)
    ));
    let defective = OutcomeSet {
        defective: true,
        ..whole.clone()
    };
    assert_eq!(
        reason(compare(&whole, &defective, "")),
        Some(Reason::SourceDefective)
    );
    let options = CompareOptions {
        allow_source_defects: true,
        ..CompareOptions::default()
    };
    let allowed = compare_outcomes(&whole, &defective, &ObservationMap::Identity, &options);
    assert!(is_same(&allowed.unwrap()));
}

#[test]
fn floats_modulo_a_theory() {
    let of = |x: f32| {
        let mut one = array("a", &[]);
        one.elem = ScalarType::F32;
        one.cells = vec![Value::f32(x)];
        set(&[Outcome::Observation(Observation {
            arrays: vec![one],
            result: None,
        })])
    };
    let options = CompareOptions {
        modulo: Modulo::AssocComm,
        ..CompareOptions::default()
    };
    let judged = |new: f32, old: f32| {
        compare_outcomes(&of(new), &of(old), &ObservationMap::Identity, &options).unwrap()
    };
    assert!(is_same(&judged(0.1, 0.1)));
    let Comparison::Unknown { reason, .. } = judged(0.1, 0.2) else {
        panic!("unknown");
    };
    assert_eq!(reason, Reason::Unsupported);
    assert!(matches!(
        compare(&of(0.1), &of(0.2), ""),
        Comparison::Different(_)
    ));
    assert!(is_same(&compare(&of(f32::NAN), &of(-f32::NAN), "")));
}
