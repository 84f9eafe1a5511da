//! One kernel under two profiles: a correct barrier deadlocks where rules R6 and R7 are read
//! literally, and nowhere else.

mod tool;

use tool::run;

const EXCHANGE: [&str; 4] = ["explore", "tests/input/exchange.cu", "--block", "2"];

fn explore(profile: &str, against: &str, status: i32) -> serde_json::Value {
    let options = [
        "--profile",
        profile,
        "--against",
        against,
        "--format",
        "json",
    ];
    let run = run(&[EXCHANGE.as_slice(), options.as_slice()].concat());
    assert_eq!(run.status, status, "{}", run.stderr);
    run.json()["against"].clone()
}

#[test]
fn the_printed_barrier_rules_lose_an_increment() {
    let against = explore("paper-literal", "cuda", 1);
    assert_eq!(
        against["profiles"],
        serde_json::json!(["paper-literal", "cuda"])
    );
    assert_eq!(against["complete"], serde_json::json!([true, true]));
    assert_eq!(against["both"].as_array().map(Vec::len), Some(1));
    let only = against["only_first"].as_array().expect("a list");
    assert_eq!(only.len(), 1, "{against:#}");
    assert_eq!(only[0]["outcome"], "deadlock");
    // Both threads arrive in one transition, and the counter counts one.
    let last = only[0]["schedule"]
        .as_array()
        .and_then(|s| s.last())
        .expect("a schedule");
    assert_eq!(last["actors"].as_array().map(Vec::len), Some(2));
    assert_eq!(against["only_second"], serde_json::json!([]));
}

#[test]
fn the_repaired_barrier_loses_nothing() {
    let against = explore("paper", "cuda", 0);
    assert_eq!(against["only_first"], serde_json::json!([]), "{against:#}");
    assert_eq!(against["only_second"], serde_json::json!([]), "{against:#}");
}
