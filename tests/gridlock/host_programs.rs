//! Whole programs with `main`, of the size that people write: those of `benches/hosts` that take a second or two.

use crate::tool::run;

fn judged(name: &str) -> serde_json::Value {
    run(&[
        "check",
        &format!("benches/hosts/{name}.cu"),
        "--format",
        "json",
    ])
    .json()
}

#[test]
fn a_vector_addition_of_a_million_elements() {
    let right = judged("vector-add");
    assert_eq!(right["verdict"], "proved", "{right:#}");
    // What one of its launches shows is shown by that launch: the host has made millions of steps before.
    let broken = judged("vector-add-broken");
    assert_eq!(broken["verdict"], "refuted", "{broken:#}");
    let defect = &broken["defects"][0];
    assert_eq!(defect["kind"], "out-of-bounds", "{broken:#}");
    assert_eq!(defect["accesses"][0]["line"], 9, "{broken:#}");
    let notes = defect["explanation"]["notes"].to_string();
    assert!(notes.contains("launch 1 of the program"), "{broken:#}");
}
