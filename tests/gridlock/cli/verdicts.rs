//! Verdicts that depend on options, on the launches tried, and on what a run or a proof can show.

use super::FILL;
use crate::tool::{check_error, run};
use serde_json::{Value, json};

#[test]
fn the_required_level_decides_between_0_and_3() {
    let at = |require: &str| run(&["check", FILL, "--block", "4", "--require", require]).status;
    assert_eq!(at("tested"), 0);
    assert_eq!(at("schedules"), 0);
}

#[test]
fn proofs_count_no_samples() {
    let proved = run(&["prove", FILL, "--property", "races,divergence"]);
    assert_eq!(proved.status, 0, "{}{}", proved.stdout, proved.stderr);
    let refuted = run(&["prove", "tests/input/race.cu", "--property", "races"]);
    assert_eq!(refuted.status, 1, "{}{}", refuted.stdout, refuted.stderr);
}

/// What `check` says of one property.
fn verdict_of(arguments: &[&str], property: &str) -> Value {
    let report = run(&[arguments, &["--format", "json"]].concat()).json();
    let rows = report["properties"].as_array().unwrap();
    let row = rows.iter().find(|row| row["kind"] == property).unwrap();
    row["verdict"].clone()
}

/// Thread 1 may store beyond `b` where thread 0 stores 3 in between: no canonical run shows that.
#[test]
fn one_run_of_racy_inputs_passes_nothing() {
    let racy = [
        "check",
        "tests/input/race_decides.cu",
        "--block",
        "2",
        "--extent",
        "b=3",
    ];
    let unknown = json!("unknown");
    assert_eq!(verdict_of(&racy, "bounds"), unknown);
    let alone = [&racy[..], &["--property", "bounds"]].concat();
    assert_eq!(verdict_of(&alone, "bounds"), unknown);
    // A closed program, where it would be called proved.
    let main = ["check", "tests/input/race_in_main.cu", "--kernel", "main"];
    assert_eq!(verdict_of(&main, "bounds"), unknown);
}

/// The first thread's store before the array ends the run, though no extent was given and bounds
/// are not judged: threads 0 and 3 race for `b[0]` in other schedules.
#[test]
fn a_run_ended_by_a_defect_not_asked_about_passes_nothing() {
    let file = "tests/input/before_the_array.cu";
    let cut = ["check", file, "--block", "4", "--no-proof"];
    let unknown = json!("unknown");
    assert_eq!(verdict_of(&cut, "races"), unknown);
}

/// Without a launch, blocks of an even size that is no power of two are tried too, and two blocks
/// of one thread.
#[test]
fn launches_tried_include_48_threads_and_two_blocks_of_one() {
    let even = "tests/input/even_blocks.cu";
    let asked = ["--property", "assertions", "--no-conditions"];
    let found = run(&[&["check", even][..], &asked].concat());
    assert_eq!(found.status, 1, "{}{}", found.stdout, found.stderr);
    let json = run(&[&["check", even, "--format", "json"][..], &asked].concat()).json();
    let defect = &json["defects"][0];
    assert_eq!(defect["kind"], "assertion");
    assert_eq!(
        defect["witness"]["setup"]["launch"]["block"],
        json!([48, 1, 1])
    );
    let file = |from: &str, change: &dyn Fn(&str) -> String| {
        let text = change(&std::fs::read_to_string(from).unwrap());
        let file = tempfile::Builder::new().suffix(".cu").tempfile().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    };
    // Its twin asks for what it needs.
    let powers = "(blockDim.x & (blockDim.x - 1)) == 0";
    let twin = file(even, &|text| text.replace("blockDim.x % 2 == 0", powers));
    let twin = twin.path().to_str().unwrap();
    let right = run(&[&["check", twin, "--require", "schedules"][..], &asked].concat());
    assert_eq!(right.status, 0, "{}{}", right.stdout, right.stderr);
    // Nobody says at which launch.
    let waiting = file("tests/corpus/progress/handing-over-broken.cu", &|text| {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with("// gridlock:"));
        let text = lines.collect::<Vec<_>>().join("\n");
        text.replace("} else {", "} else if (gridDim.x > 1) {")
    });
    let waiting = waiting.path().to_str().unwrap();
    let asked = ["--property", "deadlock", "--format", "json"];
    let json = run(&[&["check", waiting][..], &asked].concat()).json();
    let defects = json["defects"].as_array().unwrap();
    let livelock = defects.iter().find(|defect| defect["kind"] == "livelock");
    let launch = &livelock.expect("a livelock")["witness"]["setup"]["launch"];
    assert_eq!(launch["grid"], json!([2, 1, 1]));
    assert_eq!(launch["block"], json!([1, 1, 1]));
}

/// An access too far into an array of unknown extent is no defect and no pass; what it is, is said.
#[test]
fn an_access_too_far_is_named() {
    let wrapped = "tests/input/wrapped.cu";
    let open = run(&["equiv", wrapped, wrapped, "--block", "2"]);
    assert_eq!(open.status, 3, "{}{}", open.stdout, open.stderr);
    let words: Vec<&str> = open.stdout.split_whitespace().collect();
    let words = words.join(" ");
    let said = "line 4: a thread reads `a[4294967295]` (-1 as an unsigned number); without an \
                extent (--extent a=…) an array is followed for 67108864 elements";
    assert!(words.contains(said), "{words}");
    // With an extent it is a defect.
    let known = ["check", wrapped, "--block", "2", "--extent", "a=2"];
    let json = run(&[&known[..], &["--format", "json"]].concat()).json();
    let defect = &json["defects"][0];
    assert_eq!(defect["kind"], "out-of-bounds", "{json:#}");
    assert_eq!(defect["index"], 4_294_967_295_i64);
    assert_eq!(defect["accesses"][0]["line"], 4);
}

/// Where some extents are known, a proof of bounds also asks that no index into another array is
/// below 0: runs alone would have to meet it.
#[test]
fn a_proof_of_bounds_looks_below_arrays_of_unknown_extent() {
    let text = "__global__ void k(const int *a, int *out, int back)\n{\n    int t = threadIdx.x;\n    \
                out[t] = a[t - back];\n}\n";
    let asked = [
        "--property",
        "bounds",
        "--extent",
        "out=1024",
        "--format",
        "json",
    ];
    for (text, verdict) in [
        (text.to_owned(), "refuted"),
        (text.replace("a[t - back]", "a[t - back % 1]"), "proved"),
        (
            text.replace("out[t] =", "if (back >= 0 && t >= back) out[t] ="),
            "proved",
        ),
    ] {
        let file = tempfile::Builder::new().suffix(".cu").tempfile().unwrap();
        std::fs::write(file.path(), &text).unwrap();
        let path = file.path().to_str().unwrap();
        let json = run(&[&["check", path][..], &asked].concat()).json();
        let bounds = &json["properties"][0];
        assert_eq!(bounds["verdict"], verdict, "{text}\n{json:#}");
        if verdict == "refuted" {
            let defect = &json["defects"][0];
            assert_eq!(defect["array"], "a");
            assert!(defect["index"].as_i64().unwrap() < 0, "{defect:#}");
            assert_eq!(defect["accesses"][0]["line"], 4);
        }
    }
}

/// Over the real numbers nothing is decided; modulo associativity and commutativity a difference says
/// nothing where floats differ, or decide.
#[test]
fn floats_compared_modulo() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, body: &str| {
        let path = folder.path().join(name);
        let text =
            format!("__global__ void k(const float *in, int *n, float *out)\n{{\n{body}\n}}\n");
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (forth, back) = ("in[0] + 0.3f + in[2]", "in[0] + in[2] + 0.3f");
    let judged = |old: &str, new: &str, modulo: &[&str]| {
        let options = [
            "--grid", "1", "--block", "1", "--extent", "in=3", "--extent", "n=1",
        ];
        let rest = [
            "--extent",
            "out=1",
            "--contents",
            "in=range:100000000:-100000000",
            "--format",
            "json",
        ];
        let all = [&["equiv", old, new][..], &options, &rest, modulo].concat();
        let report = run(&all).json();
        report["verdict"].as_str().unwrap_or("error").to_owned()
    };
    let modulo = ["--modulo", "assoc-comm"];
    let old = file("old.cu", &format!("    out[0] = {forth};"));
    let new = file("new.cu", &format!("    out[0] = {back};"));
    assert_eq!(judged(&old, &new, &[]), "refuted");
    assert_eq!(judged(&old, &new, &modulo), "unknown");
    let old = file("old-n.cu", &format!("    n[0] = (int)(({forth}) * 10.0f);"));
    let new = file("new-n.cu", &format!("    n[0] = (int)(({back}) * 10.0f);"));
    assert_eq!(judged(&old, &new, &[]), "refuted");
    assert_eq!(judged(&old, &new, &modulo), "unknown");
    // One is a part of the other, however it is rounded.
    let old = file("old-p.cu", "    out[0] = in[1] / 3.0f + in[1];");
    let new = file("new-p.cu", "    out[0] = in[1] / 3.0f + in[1] * 2.0f;");
    let judged_of_any = |old: &str, new: &str| {
        let all = [
            "equiv", old, new, "--grid", "1", "--block", "1", "--format", "json",
        ];
        run(&[&all[..], &modulo].concat()).json()["verdict"].clone()
    };
    assert_eq!(judged_of_any(&old, &old), "proved");
    assert_eq!(judged_of_any(&old, &new), "refuted");
    let old = file("old-i.cu", "    n[0] = 1;\n    out[0] = in[0];");
    let new = file("new-i.cu", "    n[0] = 2;\n    out[0] = in[0];");
    assert_eq!(judged(&old, &new, &modulo), "refuted");
    // For all inputs the terms are the same; where floats decide and samples tell the two apart, that counts.
    let of_any = |old: &str, new: &str| {
        let launch = ["--grid", "1", "--block", "64", "--floats", "ordinary"];
        let all = [
            &["equiv", old, new, "--format", "json"][..],
            &launch,
            &modulo,
        ]
        .concat();
        run(&all).json()["verdict"].clone()
    };
    let i = "threadIdx.x";
    let sums = [[0, 1, 2], [2, 0, 1]].map(|of| of.map(|at| format!("in[{i} + {at}]")).join(" + "));
    let [old, new] = [0, 1].map(|at| {
        file(
            &format!("sum-{at}.cu"),
            &format!("    out[{i}] = {};", sums[at]),
        )
    });
    assert_eq!(of_any(&old, &new), "proved");
    let [old, new] = [0, 1].map(|at| {
        let body = format!(
            "    out[0] = {0};\n    n[0] = __float_as_int({0});",
            sums[at]
        );
        file(&format!("bits-{at}.cu"), &body)
    });
    assert_eq!(of_any(&old, &new), "unknown");
    let both = ["equiv", FILL, FILL, "--block", "64", "--modulo", "real"];
    check_error(&both, "usage", None, "(--modulo reals)");
}

/// An extent that hangs on an argument that the tool draws may come out below 0: such an input set is left out, and what
/// the others show is not lost.
#[test]
fn a_sample_that_cannot_be_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.cu");
    let text = "__global__ void k(int *a, int n) { if (n == -1) return; \
                if (blockIdx.x == 0 && threadIdx.x < n) a[threadIdx.x] = 1; }";
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let shown = run(&["check", file, "--extent", "a=n", "--no-proof"]);
    assert_eq!(shown.status, 3, "{}{}", shown.stdout, shown.stderr);
    assert!(shown.stdout.contains("passed"), "{}", shown.stdout);
    // Given, it is a mistake.
    let given = [
        "check",
        file,
        "--extent",
        "a=n",
        "--arg",
        "n=-1",
        "--no-proof",
    ];
    check_error(
        &given,
        "usage",
        None,
        "an extent of -1 elements is out of range",
    );
}

/// More than runs take is no mistake: proofs hold for it, and where they stop, it is a limit.
#[test]
fn an_extent_beyond_runs_is_a_limit() {
    let (file, extent) = ("tests/input/race.cu", "a=4294967296");
    let shown = run(&[
        "check",
        file,
        "--extent",
        extent,
        "--block",
        "4",
        "--no-proof",
    ]);
    assert_eq!(shown.status, 3, "{}{}", shown.stdout, shown.stderr);
    assert!(shown.stdout.contains("out of range"), "{}", shown.stdout);
}
