//! Replays of what a proof could not exclude.

use crate::tool::run;

/// The solver's model runs longer than the first replay of it may: samples, none of which comes to the race, are tried
/// in the meantime, and then it is run to its end.
#[test]
fn a_race_after_many_iterations_is_replayed() {
    const ITERATIONS: u64 = 66_000;
    const FIRST: u64 = 1 << 16;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.cu");
    let text = format!(
        "__global__ void k(unsigned *y, unsigned *s, unsigned n) {{\n  \
        if ((n ^ 0x5a5a5a5au) * 3u != 0x12345678u) return;\n  \
        for (unsigned i = 0; i < {ITERATIONS}; i++) s[threadIdx.x] = i;\n  \
        y[0] = threadIdx.x;\n}}\n"
    );
    std::fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    let launch = ["--grid", "1", "--block", "2", "--property", "races"];
    let asked = ["check", &path, "--format", "json", "--limit-seconds", "600"];
    let report = run(&[&asked[..], &launch, &["--no-conditions"]].concat()).json();
    assert_eq!(report["verdict"], "refuted", "{report:#}");
    assert_eq!(report["defects"][0]["kind"], "data-race", "{report:#}");
    assert_eq!(report["defects"][0]["accesses"][0]["line"], 4, "{report:#}");
    assert_eq!(report["properties"][0]["engine"], "symbolic", "{report:#}");
    // The first replay is cut, the second is not.
    let transitions = report["statistics"]["transitions"].as_u64().unwrap();
    assert!(transitions > FIRST + 2 * ITERATIONS, "{transitions}");
    assert!(transitions < 2 * FIRST + 2 * ITERATIONS, "{transitions}");
}
