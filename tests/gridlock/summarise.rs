//! `gridlock summarise`: formulas for what a kernel leaves.

use crate::tool::run;
use serde_json::Value;

const FILE: &str = "tests/input/summaries.cu";
const KINDS: &str = "tests/input/summaries_of_kinds.cu";

fn summarised(kernel: &str, launch: &str) -> (i32, Value) {
    summarised_of(FILE, kernel, launch)
}

fn summarised_of(file: &str, kernel: &str, launch: &str) -> (i32, Value) {
    let mut arguments = vec!["summarise", file, "--format", "json", "--kernel", kernel];
    arguments.extend(launch.split_whitespace());
    let ran = run(&arguments);
    (ran.status, ran.json())
}

/// `cell = formula, ranges`, by group, in order.
fn lines(report: &Value) -> Vec<String> {
    let arrays = report["arrays"].as_array().expect("arrays");
    let groups = arrays
        .iter()
        .flat_map(|array| array["groups"].as_array().expect("groups"));
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    groups
        .map(|group| {
            let said = format!("{} = {}", text(&group["cell"]), text(&group["formula"]));
            match text(&group["ranges"]) {
                ranges if ranges.is_empty() => said,
                ranges => format!("{said}, {ranges}"),
            }
        })
        .collect()
}

#[test]
fn what_kernels_leave() {
    for (kernel, launch, expected) in [
        (
            "saxpy",
            "--grid 4 --block 64",
            &["y[i] = i < n ? a * x[i] + y[i] : y[i], for i in 0..=255"][..],
        ),
        (
            "saxpy",
            "--grid 4 --block 64 --arg n=200 --arg a=2",
            &["y[i] = 2.0f * x[i] + y[i], for i in 0..=199"],
        ),
        (
            "tree_sum",
            "--grid 4 --block 64",
            &["out[i] = Σ in[64 * i + j] for j in 0..=63, for i in 0..=3"],
        ),
        (
            "product",
            "--grid 2,2 --block 8,8 --arg n=16",
            &[
                "c[16 * i + j] = 0.0f + Σ a[16 * i + k] * b[16 * k + j] for k in 0..=15, for i in 0..=15 for j in 0..=15",
            ],
        ),
        (
            "softmax",
            "--grid 2 --block 32",
            &[
                "out[32 * i + j] = exp(in[32 * i + j] - max(in[32 * i + k] for k in 0..=31)) / (Σ exp(in[32 * i + l] - max(in[32 * i + k] for k in 0..=31)) for l in 0..=31), for i in 0..=1 for j in 0..=31",
            ],
        ),
        (
            "prefix",
            "--grid 1 --block 32",
            &["out[i] = Σ in[j] for j in 0..=i, for i in 0..=31"],
        ),
        (
            "by_halves",
            "--grid 1 --block 8",
            &[
                "out[4 * i] = in[4 * i] * 2.0f, for i in 0..=7",
                "out[4 * i + j + 1] = in[4 * i + j + 1], for i in 0..=7 for j in 0..=1",
                "out[4 * i + 3] = in[4 * i + 3] > in[4 * i] * 2.0f ? in[4 * i + 3] - in[4 * i] * 2.0f : in[4 * i] * 2.0f - (in[4 * i + 3] - in[4 * i] * 2.0f), for i in 0..=7",
            ],
        ),
        (
            "folded",
            "--grid 2 --block 32",
            &["out[i] = fma(0.0f; in[i + j] * weights[j] for j in 0..=4), for i in 0..=63"],
        ),
        (
            "parted",
            "--grid 1 --block 32",
            &["out[i] = i < n ? max((int)(in[i] % 10), least) : -1, for i in 0..=31"],
        ),
        (
            "rows",
            "--grid 1 --block 8 --arg n=5",
            &["out[i] = 0.0f + Σ in[5 * i + j] for j in 0..=4, for i in 0..=7"],
        ),
    ] {
        let (status, report) = summarised(kernel, launch);
        assert_eq!(lines(&report), expected, "{kernel} {launch}");
        assert_eq!(
            (status, &report["verdict"]),
            (0, &Value::from("proved")),
            "{report:#}"
        );
    }
}

/// A formula means what it would in C: what is read as signed, unsigned, narrow, or as the bits of a float, is so there.
#[test]
fn numbers_are_read_as_the_program_reads_them() {
    let file = KINDS;
    for (kernel, expected) in [
        (
            "bytes",
            &["b[i] = (uint8_t)((int)((uint32_t)a[i] * 3 + 7) >> 1), for i in 0..=7"][..],
        ),
        (
            "equal_bytes",
            &[
                "c[i] = ((uint32_t)(uint8_t)a[i] == 200 ? (uint32_t)b[i] == 200 : (uint32_t)b[i] == 255) ? 1 : 0, for i in 0..=7",
            ],
        ),
        (
            "extended",
            &[
                "c[2 * i] = (uint64_t)(unsigned)a[i] + (int64_t)a[i], for i in 0..=7",
                "c[2 * i + 1] = (int64_t)(int)b[i] + (uint64_t)b[i], for i in 0..=7",
            ],
        ),
        (
            "compared",
            &[
                "c[4 * i] = (int)b[i] < 0 ? 1 : 0, for i in 0..=7",
                "c[4 * i + 1] = (unsigned)a[i] < b[i] ? 1 : 0, for i in 0..=7",
                "c[4 * i + 2] = (int)b[i] / 3 + (unsigned)a[i] / 3, for i in 0..=7",
                "c[4 * i + 3] = ((int)b[i] >> 3) + max((int)b[i], a[i]) + max(b[i], (unsigned)a[i]), for i in 0..=7",
            ],
        ),
        (
            "converted",
            &[
                "c[2 * i] = (float)(unsigned)a[i] + (float)a[i], for i in 0..=7",
                "c[2 * i + 1] = (float)(int)b[i] + (float)b[i], for i in 0..=7",
            ],
        ),
        (
            "bits",
            &[
                "b[i] = (bits(a[i]) & 2147483647) + bits(a[i] + 1.0f), for i in 0..=7",
                "c[i] = of_bits(bits(a[i]) ^ INT_MIN), for i in 0..=7",
            ],
        ),
        (
            "shifted",
            &[
                "c[2 * i] = (int64_t)1 << (uint64_t)(unsigned)(a[i] & 63), for i in 0..=7",
                "c[2 * i + 1] = (uint64_t)((uint32_t)(uint8_t)((uint32_t)b[i] + (uint32_t)b[i + 1]) == 200 ? (uint32_t)(uint8_t)((uint32_t)b[i] + 200) : 0), for i in 0..=7",
            ],
        ),
    ] {
        let (_, report) = summarised_of(file, kernel, "--grid 1 --block 8");
        assert_eq!(lines(&report), expected, "{kernel}");
    }
}

#[test]
fn ranges_have_names_that_nothing_else_has() {
    let (_, report) = summarised_of(KINDS, "named", "--grid 1 --block 8");
    assert_eq!(lines(&report), ["j[k] = i[k] + 1, for k in 0..=7"]);
}

#[test]
fn floats_that_vary_evenly_are_one_with_a_range() {
    let (_, report) = summarised_of(KINDS, "even", "--grid 1 --block 8");
    assert_eq!(
        lines(&report),
        ["a[i] = a[i] * (float)(2 * i - 3), for i in 0..=7"]
    );
}

/// What the kernel requires, what is not looked at, and that nobody gave the launch.
#[test]
fn what_it_is_said_under_is_shown() {
    let launch = "--block 8 --grid 1";
    let (_, report) = summarised_of(KINDS, "required", launch);
    let required = serde_json::json!([{ "line": 57, "condition": "n == 8" }]);
    assert_eq!(report["required"], required, "{report:#}");
    let gaps = report["not_judged"].as_array().unwrap();
    let kinds: Vec<&str> = gaps
        .iter()
        .map(|gap| gap["kind"].as_str().unwrap())
        .collect();
    let expected = [
        "bounds-without-extent",
        "bounds-of-open-shared",
        "printed-output",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(report["chosen-launch"], false);
    let shown = run(&["summarise", KINDS, "--kernel", "required"]);
    for said in [
        "Required by the kernel\n  - n == 8 (line 57)",
        "bounds of `a`: no extent given (--extent a=…)",
        "bounds of `s`: the size of dynamic shared memory is not given",
        "what is printed",
        "Nobody gave the launch",
    ] {
        assert!(shown.stdout.contains(said), "{said}: {}", shown.stdout);
    }
    // With all of it given, nothing is open but what is printed.
    let given = format!("{launch} --extent a=8 --shared-bytes 32");
    let (_, report) = summarised_of(KINDS, "required", &given);
    let gaps = report["not_judged"].as_array().unwrap();
    assert_eq!(gaps.len(), 1, "{report:#}");
}

#[test]
fn floats_that_are_added_in_another_order_are_named() {
    let (_, tree) = summarised("softmax", "--grid 1 --block 32");
    let (_, row) = summarised("product", "--grid 1,1 --block 8,8 --arg n=8");
    let (_, integers) = summarised("tree_sum", "--grid 1 --block 64");
    let is_from_left = |report: &Value| report["arrays"][0]["groups"][0]["left-to-right"].clone();
    assert_eq!(is_from_left(&tree), false);
    assert_eq!(is_from_left(&row), true);
    assert_eq!(is_from_left(&integers), true);
    let text = run(&[
        "summarise",
        FILE,
        "--kernel",
        "softmax",
        "--block",
        "32",
        "--grid",
        "1",
    ]);
    assert!(
        text.stdout.contains("[order]: the floats"),
        "{}",
        text.stdout
    );
}

#[test]
fn what_is_not_followed_is_named() {
    // A race: no run speaks for all schedules.
    let (status, report) = summarised("shifted", "--grid 1 --block 8");
    assert_eq!((status, &report["verdict"]), (3, &Value::from("unknown")));
    let why = report["explanation"].as_str().unwrap();
    assert!(why.contains("line 106: a data race"), "{why}");
}

#[test]
fn numbers_are_chosen_where_none_is_given_and_one_is_needed() {
    let (status, report) = summarised("rows", "--grid 1 --block 8");
    assert_eq!(
        (status, &report["verdict"]),
        (0, &Value::from("proved")),
        "{report:#}"
    );
    assert_eq!(report["chosen-arguments"], serde_json::json!(["n"]));
    assert_eq!(report["unknown-arguments"], serde_json::json!([]));
    // The launch that is shown has the number, and the formula is that of it.
    let n: i64 = report["subjects"][0]["launch"]["args"]["n"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let (_, given) = summarised("rows", &format!("--grid 1 --block 8 --arg n={n}"));
    assert_eq!(lines(&report), lines(&given));
    assert_eq!(given["chosen-arguments"], serde_json::json!([]));
    let text = run(&[
        "summarise",
        FILE,
        "--kernel",
        "rows",
        "--block",
        "8",
        "--grid",
        "1",
    ]);
    for said in ["with the n chosen", "--arg n=…", &format!("n = {n};")] {
        assert!(text.stdout.contains(said), "{said}: {}", text.stdout);
    }
}

#[test]
fn what_cannot_be_summarised_is_bad_input() {
    for (arguments, said) in [
        (&["--kernel", "rows", "--extent", "in=n"][..], "--arg n="),
        (&["--kernel", "rows", "--contents", "in=undef"], "unset"),
        (&["--kernel", "none"], "none"),
        (&[], "several"),
    ] {
        let ran = run(&[
            &["summarise", FILE, "--grid", "1", "--block", "8"],
            arguments,
        ]
        .concat());
        assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.stdout);
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn both_sides_of_a_comparison_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str, body: &str| {
        let path = folder.path().join(name);
        let kernel = format!("__global__ void k(const int *in, int *out) {{ {body} }}");
        std::fs::write(&path, kernel).unwrap();
        path.display().to_string()
    };
    let old = written("old.cu", "out[threadIdx.x] = 3 * in[threadIdx.x];");
    let new = written("new.cu", "out[threadIdx.x] = 3 * in[7 - threadIdx.x];");
    let launch = ["--grid", "1", "--block", "8"];
    let arguments = [&["equiv", &old, &new, "--explain"][..], &launch].concat();
    let text = run(&arguments);
    assert_eq!(text.status, 1, "{}", text.stderr);
    for said in [
        "out[i] = in[i] * 3, for i in 0..=7",
        "out[i] = in[-i + 7] * 3, for i in 0..=7",
    ] {
        assert!(text.stdout.contains(said), "{said}: {}", text.stdout);
    }
    let report = run(&[&arguments[..], &["--format", "json"]].concat()).json();
    let sides = report["summaries"].as_array().expect("both");
    let verdicts: Vec<&Value> = sides.iter().map(|side| &side["verdict"]).collect();
    assert_eq!(verdicts, ["proved", "proved"], "{report:#}");
    assert_eq!(
        lines(&sides[1]),
        ["out[i] = in[-i + 7] * 3, for i in 0..=7"]
    );
    // A comparison that goes over launches explains none.
    let ran = run(&["equiv", &old, &new, "--explain"]);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("--grid"), "{}", ran.stderr);
}
