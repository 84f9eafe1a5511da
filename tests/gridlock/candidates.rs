//! Replays of what a proof could not exclude.

use crate::tool::run;

/// The solver's model runs longer than the first replay of it may: samples are tried in the meantime, and then it is
/// run to its end.
#[test]
fn a_race_after_many_steps_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.cu");
    let text = "__global__ void k(unsigned *y, unsigned *s, unsigned n) {\n  \
        if (n != 33000) return;\n  \
        for (unsigned i = 0; i < n; i++) s[threadIdx.x] += i;\n  \
        y[0] = threadIdx.x;\n}\n";
    std::fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    let launch = ["--grid", "1", "--block", "2", "--property", "races"];
    let asked = ["check", &path, "--format", "json", "--limit-seconds", "600"];
    let report = run(&[&asked[..], &launch].concat()).json();
    assert_eq!(report["verdict"], "refuted", "{report:#}");
    assert_eq!(report["defects"][0]["kind"], "data-race", "{report:#}");
    assert_eq!(report["defects"][0]["accesses"][0]["line"], 4, "{report:#}");
}
