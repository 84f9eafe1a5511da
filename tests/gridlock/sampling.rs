//! What samples find: pairs of kernels that differ only for numbers that a careless sample does not have, and
//! pairs that are alike for all of them. Kernels of one text, read once.

use crate::tool::{check_error, run};
use gridlock::input::request::{EntryRequest, LaunchSpec, Request};
use gridlock::judge::equivalence::{self, Compared, EquivOptions};
use gridlock::subject::prepared::Prepared;
use gridlock::subject::{Floats, resolve_entry};
use gridlock_checker::report::Judgement;
use gridlock_checker::report::tolerance::Tolerance;
use gridlock_checker::verdict::Verdict;
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_generation::effort;
use serde_json::Value;
use std::path::Path;
use std::time::Instant;

const KERNELS: &str = "tests/input/sampling.cu";

struct Kernels {
    prepared: Prepared,
    request: EntryRequest,
}

impl Kernels {
    fn read() -> Kernels {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(KERNELS);
        let text = std::fs::read_to_string(path).unwrap();
        let options = ParseOptions::default();
        let parsed = parse_source("sampling.cu", &text, Language::Cuda, &options).unwrap();
        Kernels {
            request: EntryRequest {
                launch: LaunchSpec {
                    grid: Some([2, 1, 1]),
                    block: Some([64, 1, 1]),
                    shared_bytes: None,
                },
                asked: parsed.asked.clone(),
                ..EntryRequest::default()
            },
            prepared: Prepared::new(parsed.program),
        }
    }

    fn side(&self, name: &str) -> Compared<'_> {
        let program = &self.prepared.surface;
        let proc = program.find_proc(name).unwrap_or_else(|| panic!("{name}"));
        Compared {
            file: "sampling.cu".to_owned(),
            prepared: &self.prepared,
            point: resolve_entry(program, proc, &self.request, None).unwrap(),
        }
    }

    fn judge(&self, old: &str, new: &str, options: &EquivOptions) -> Judgement {
        let (old, new) = (self.side(old), self.side(new));
        // What samples show, and no proof.
        let request = Request {
            symbolic: false,
            ..Request::default()
        };
        equivalence::compare(&old, &new, &request, options).unwrap()
    }

    fn check(&self, old: &str, new: &str, options: &EquivOptions, expected: Verdict) {
        let started = Instant::now();
        let judged = self.judge(old, new, options);
        let why = judged.properties.iter().map(|p| p.explanation.as_str());
        let why = why.collect::<Vec<_>>().join("; ");
        assert_eq!(judged.verdict, expected, "{old} and {new}: {why}");
        assert!(
            started.elapsed().as_secs_f64() < 30.0,
            "{old} and {new}: {why}"
        );
        let shown = judged.defects.iter().all(|defect| defect.confirmed);
        assert!(shown && (expected != Verdict::Refuted || !judged.defects.is_empty()));
    }
}

fn within(relative: f64, absolute: f64) -> EquivOptions {
    EquivOptions {
        tolerance: Some(Tolerance {
            ulps: None,
            relative,
            absolute,
        }),
        ..EquivOptions::default()
    }
}

#[test]
fn what_small_numbers_do_not_show_is_found() {
    let kernels = Kernels::read();
    let check = |old, new, expected| {
        if effort::is_next_done(3) {
            kernels.check(old, new, &EquivOptions::default(), expected);
        }
    };
    check("bits_of_64", "bits_of_a_byte", Verdict::Refuted);
    check("shift_unsigned", "shift_signed", Verdict::Refuted);
    check("identity", "at_most_100", Verdict::Refuted);
    check("sum_forward", "sum_backward", Verdict::Refuted);
    check("next", "next_but_12345", Verdict::Refuted);
    check("next", "next_but_abs_12345", Verdict::Refuted);
    check("next", "next_but_12346", Verdict::Refuted);
    // -0, NaN, infinities, subnormals.
    check("identity", "plus_zero", Verdict::Refuted);
    check("identity", "unless_nan", Verdict::Refuted);
    check("identity", "unless_infinite", Verdict::Refuted);
    check("identity", "flushed", Verdict::Refuted);
    // Scalars that are data, and the last index of what an array of indices leads to.
    check("masked", "masked_low", Verdict::Refuted);
    check("gather", "gather_but_last", Verdict::Refuted);
    // The same for all of them.
    check("identity", "identity_again", Verdict::Passed);
    check("next", "next_again", Verdict::Passed);
    check("sum_ints_forward", "sum_ints_backward", Verdict::Passed);
    check("gather", "gather_again", Verdict::Passed);
    check("halved", "halved_by_shift", Verdict::Passed);
}

/// A kernel that takes what it reads for a size or an index is not refuted for numbers beyond; and what C leaves
/// undefined in the original is no difference that counts, nor is it agreement.
/// Compares two texts.
fn of_texts(old: &str, new: &str, more: &[&str]) -> (i32, Value) {
    let folder = tempfile::tempdir().unwrap();
    let files = [("old.cu", old), ("new.cu", new)].map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    });
    let run = run(&[&["equiv", &files[0], &files[1], "--format", "json"], more].concat());
    (run.status, run.json())
}

/// Programs that differ only where nothing is to be done, and those that do not. An extent that an argument makes
/// impossible ends nothing.
#[test]
fn nothing_to_do_is_tried() {
    let loop_of = |from: &str, to: &str| {
        format!(
            "void f(int *a, int n, int m) {{ int k = 0; {from} a[k & 7] += a[(k * 3) & 7] * m; k++; {to} }}"
        )
    };
    let (before, behind) = (
        loop_of("while (k < n) {", "}"),
        loop_of("do {", "} while (k < n);"),
    );
    let extent = ["--extent", "a=8", "--no-proof"];
    let (status, report) = of_texts(&before, &behind, &extent);
    assert_eq!(
        (status, &report["verdict"]),
        (1, &"refuted".into()),
        "{report:#}"
    );
    let guarded = loop_of("if (n > 0) do {", "} while (k < n);");
    let (_, report) = of_texts(&before, &guarded, &extent);
    assert_eq!(report["verdict"], "passed", "{report:#}");
    // Arguments that are told apart, a stride of one, and values that are equal and not the same.
    let indexed = "void f(int *a, int n, int m) { for (int j = 0; j < 2; j++) for (int l = 0; l < 2; l++) a[(j * m + l) & 63] = 1; }";
    let one = ["--extent", "a=64", "--no-proof"];
    let (_, report) = of_texts(indexed, &indexed.replace("* m", "* n"), &one);
    assert_eq!(report["verdict"], "refuted", "{report:#}");
    let rounds = "__global__ void k(int *a, int n, int m) { int i = threadIdx.x; for (int j = 0; j < n; j++) for (int l = 0; l < m; l++) a[j * m + l + i * 8192] += i; }";
    let one_block = ["--block", "4", "--grid", "1", "--no-proof"];
    let (_, report) = of_texts(rounds, &rounds.replace("* m", "* n"), &one_block);
    assert_eq!(report["verdict"], "refuted", "{report:#}");
    let up = "void f(int *a, int s) { for (int j = 0; j < 8; j++) a[(j + s) & 63] = a[j]; }";
    let down = up.replace("a[(j + s) & 63] = a[j]", "a[(7 - j + s) & 63] = a[7 - j]");
    let (_, report) = of_texts(up, &down, &one);
    assert_eq!(report["verdict"], "refuted", "{report:#}");
    let equal = "__global__ void k(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = a[i] == b[i] ? a[i] : b[i]; }";
    let either = equal.replace("a[i] == b[i] ? a[i] : b[i]", "b[i]");
    let (_, report) = of_texts(equal, &either, &["--block", "64", "--no-proof"]);
    assert_eq!(report["verdict"], "refuted", "{report:#}");
    let halved = equal.replace("a[i] == b[i] ? a[i] : b[i]", "b[i] * 0.5f * 2.0f");
    let (_, report) = of_texts(&halved, &either, &["--block", "64", "--no-proof"]);
    assert_eq!(report["verdict"], "refuted", "{report:#}");
    // One of two variables that a host fills, and the other.
    let filled = "__constant__ int w, v; __global__ void k(int *a) { a[threadIdx.x] += w; }";
    let (_, report) = of_texts(
        filled,
        &filled.replace("+= w", "+= v"),
        &["--block", "8", "--no-proof"],
    );
    assert_eq!(report["verdict"], "refuted", "{report:#}");
    let negative = behind.replace("do {", "if (n >= 0 && n < 1) return; do {");
    let (_, report) = of_texts(&before, &negative, &extent);
    assert_eq!(report["verdict"], "refuted", "{report:#}");
    let text = "__global__ void k(int *a, int n) { int i = threadIdx.x; if (n == -1) return; if (i < n) a[i] = i; }";
    let other = text
        .replace("= i;", "= i + 0 * n;")
        .replace("i = i + 0 * n", "i = threadIdx.x");
    let (_, report) = of_texts(
        text,
        &other,
        &["--block", "8", "--extent", "a=n", "--no-proof"],
    );
    assert_eq!(report["verdict"], "passed", "{report:#}");
}

#[test]
fn what_the_original_is_not_made_for_does_not_refute() {
    let kernels = Kernels::read();
    let check = |old, new, expected| kernels.check(old, new, &EquivOptions::default(), expected);
    check("by_its_size", "by_its_size_again", Verdict::Passed);
    check("grows", "one", Verdict::Unknown);
    check("one", "grows", Verdict::Refuted);
}

#[test]
fn a_tolerance_allows_for_rounding_and_no_more() {
    let kernels = Kernels::read();
    let check = |old, new, options: &EquivOptions, expected| {
        kernels.check(old, new, options, expected);
    };
    check(
        "sum_forward",
        "sum_backward",
        &within(1e-4, 1e-2),
        Verdict::Passed,
    );
    check(
        "sum_forward",
        "sum_backward",
        &within(0.0, 1e-9),
        Verdict::Refuted,
    );
    check(
        "sum_forward",
        "sum_but_one",
        &within(1e-4, 1e-2),
        Verdict::Refuted,
    );
    check(
        "identity",
        "at_most_100",
        &within(1e-4, 1e-2),
        Verdict::Refuted,
    );
    check(
        "next",
        "next_but_12345",
        &within(0.5, 10.0),
        Verdict::Refuted,
    );
    // Floats that are no numbers are only among the samples where they are asked for.
    check(
        "identity",
        "unless_nan",
        &within(1e-6, 0.0),
        Verdict::Passed,
    );
    let any = EquivOptions {
        floats: Some(Floats::Any),
        ..within(1e-6, 0.0)
    };
    check("identity", "unless_nan", &any, Verdict::Refuted);
    let passed = kernels.judge("sum_forward", "sum_backward", &within(1e-4, 1e-2));
    let largest = passed
        .largest_difference
        .expect("sums that are rounded differ");
    assert!(largest.relation.starts_with("new.out["), "{largest:?}");
    let refuted = kernels.judge("sum_forward", "sum_backward", &EquivOptions::default());
    assert!(refuted.largest_difference.is_some());
}

/// Modulo associativity the samples have sums that are exact, so that what differs is a difference.
#[test]
fn reordered_sums_agree_modulo_their_order() {
    let kernels = Kernels::read();
    let modulo = EquivOptions {
        modulo: Some("assoc-comm".to_owned()),
        ..EquivOptions::default()
    };
    kernels.check("sum_forward", "sum_backward", &modulo, Verdict::Passed);
    kernels.check("sum_forward", "sum_but_one", &modulo, Verdict::Refuted);
}

fn equiv(old: &str, new: &str, more: &[&str]) -> (i32, Value) {
    let sides = [
        "equiv",
        KERNELS,
        KERNELS,
        "--a-kernel",
        old,
        "--b-kernel",
        new,
    ];
    let run = run(&[&sides[..], more, &["--format", "json"]].concat());
    (run.status, run.json())
}

const LAUNCH: [&str; 4] = ["--grid", "2", "--block", "64"];

#[test]
fn a_tolerance_at_the_command_line() {
    let options = ["--rtol", "1e-4", "--atol", "1e-2", "--require", "tested"];
    let (status, report) = equiv(
        "sum_forward",
        "sum_backward",
        &[&LAUNCH[..], &options].concat(),
    );
    assert_eq!((status, &report["verdict"]), (0, &Value::from("passed")));
    assert_eq!(report["tolerance"]["relative"], 1e-4);
    let largest = &report["largest_difference"];
    assert!(
        largest["ulps"].as_u64().is_some_and(|ulps| ulps > 0),
        "{largest}"
    );
    assert!(largest["relation"].is_string() && largest["absolute"].is_number());
    let options = ["--ulps", "0", "--require", "schedules"];
    let (status, report) = equiv(
        "sum_forward",
        "sum_backward",
        &[&LAUNCH[..], &options].concat(),
    );
    assert_eq!((status, &report["verdict"]), (1, &Value::from("refuted")));
    let kernels = ["--a-kernel", "identity", "--b-kernel", "at_most_100"];
    let sides = [&["equiv", KERNELS, KERNELS][..], &kernels].concat();
    let error = |more: &[&str], part| {
        check_error(&[&sides[..], &LAUNCH, more].concat(), "usage", None, part);
    };
    error(&["--rtol", "-1"], "--rtol -1: a number from 0 on");
    error(&["--atol", "nan"], "--atol NaN: a number from 0 on");
    error(
        &["--ulps", "1", "--modulo", "assoc-comm"],
        "floats are compared in one way",
    );
}

/// Nobody means one block of one thread.
#[test]
fn an_unknown_launch_is_asked_for() {
    let kernels = ["--a-kernel", "identity", "--b-kernel", "at_most_100"];
    let sides = [&["equiv", KERNELS, KERNELS][..], &kernels].concat();
    let part = "no launch is known of `identity`: give the one that its host uses with --grid and --block \
                (--grid 2 --block 32 is one at which the original shows no defect)";
    check_error(&sides, "usage", None, part);
}

#[test]
fn all_inputs_are_proved_or_said_to_be_sampled() {
    let all = [&LAUNCH[..], &["--inputs", "all"]].concat();
    let (status, report) = equiv("identity", "identity_again", &all);
    assert_eq!((status, &report["verdict"]), (0, &Value::from("proved")));
    let (status, report) = equiv(
        "identity",
        "identity_again",
        &[&all[..], &["--no-proof"]].concat(),
    );
    assert_eq!((status, &report["verdict"]), (3, &Value::from("unknown")));
    let why = report["properties"][0]["explanation"].as_str().unwrap();
    assert!(why.contains("samples do not count"), "{why}");
    assert_eq!(equiv("identity", "at_most_100", &all).0, 1);
    let (status, report) = equiv("closed", "closed_again", &["--inputs", "all"]);
    assert_eq!((status, &report["verdict"]), (0, &Value::from("proved")));
    assert_eq!(equiv("closed", "closed_other", &["--inputs", "all"]).0, 1);
}

/// What a host copies into constant memory is an input, never zeros.
#[test]
fn tables_in_constant_memory_are_inputs() {
    let (status, report) = equiv("by_table", "by_table_turned", &LAUNCH);
    assert_eq!(status, 1, "{report}");
    let (_, report) = equiv("by_table", "by_table_again", &LAUNCH);
    assert_eq!(report["verdict"], "proved", "{report}");
    let remarks = report["remarked"].as_array().unwrap();
    assert!(
        remarks.iter().any(|r| r["kind"] == "filled-by-host"),
        "{report}"
    );
    // A table with contents of its own is taken with these.
    let (_, report) = equiv("by_given_table", "by_numbers", &LAUNCH);
    assert_eq!(report["verdict"], "proved", "{report}");
}

/// Branches decide how long samples are drawn, and those that none took are named.
#[test]
fn branches_that_no_sample_took_are_named() {
    let (_, report) = equiv("next", "never_otherwise", &LAUNCH);
    assert_eq!(report["verdict"], "proved", "{report}");
    let by_samples = [&LAUNCH[..], &["--no-proof"]].concat();
    let (_, report) = equiv("next", "never_otherwise", &by_samples);
    assert_eq!(report["verdict"], "passed", "{report}");
    let remarks = report["remarked"].as_array().unwrap();
    let named = remarks.iter().find(|r| r["kind"] == "branches-not-taken");
    let named = named.unwrap_or_else(|| panic!("{report}"));
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(KERNELS));
    let text = text.unwrap();
    let line = 1 + text.lines().position(|l| l.contains("// never")).unwrap();
    assert_eq!(named["arguments"]["program"], "new");
    assert_eq!(
        named["arguments"]["ways"][0]["line"], line as u64,
        "{named}"
    );
    assert_eq!(named["arguments"]["ways"][0]["holds"], true, "{named}");
    let (_, report) = equiv("next", "next_again", &LAUNCH);
    assert!(
        !report["remarked"]
            .to_string()
            .contains("branches-not-taken")
    );
}

/// The command that is printed replays, without a word more than it says.
#[test]
fn witnesses_keep_how_their_program_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::create_dir(path("inc")).unwrap();
    std::fs::write(path("inc/plus.h"), "#define PLUS(x) ((x) + N)\n").unwrap();
    let text = "#include \"plus.h\"\n\
                template <typename T, int S> __global__ void k(const T *in, T *out, int n) {\n\
                int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
                if (i < n) out[i] = PLUS(in[i]) + S;\n}\n";
    std::fs::write(path("k.cu"), text).unwrap();
    let (file, include, witness) = (path("k.cu"), path("inc"), path("w.json"));
    let reading = ["-I", &include, "-D", "N=4", "--a-instantiate", "k<int, 1>"];
    let sides = ["--b-instantiate", "k<int, 2>", "--a-kernel", "k<int, 1>"];
    let rest = ["--b-kernel", "k<int, 2>", "--save-witness", &witness];
    let compared = ["equiv", &file, &file];
    let found = run(&[&compared[..], &reading, &sides, &rest, &LAUNCH].concat());
    assert_eq!(found.status, 1, "{}{}", found.stdout, found.stderr);
    let commands = found
        .stdout
        .lines()
        .filter_map(|l| l.split_once("gridlock replay "));
    let commands: Vec<&str> = commands.map(|(_, file)| file).collect();
    assert_eq!(commands.len(), 2, "{}", found.stdout);
    for saved in commands {
        let replayed = run(&["replay", saved, "--print"]);
        assert_eq!(replayed.status, 0, "{}{}", replayed.stdout, replayed.stderr);
    }
    // The witness of a program read otherwise does not fit, and what is said now counts.
    let otherwise = run(&["replay", &witness, "--print", "-D", "N=5"]);
    assert_ne!(otherwise.status, 0, "{}", otherwise.stdout);
}

#[test]
fn contents_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let numbers =
        |numbers: &[f32]| -> Vec<u8> { numbers.iter().flat_map(|x| x.to_le_bytes()).collect() };
    let mut npy = b"\x93NUMPY\x01\x00".to_vec();
    let head = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 64)}";
    npy.extend((head.len() as u16).to_le_bytes());
    npy.extend(head.as_bytes());
    npy.extend(numbers(&[7.0; 128]));
    std::fs::write(path("low.bin"), numbers(&[7.0; 128])).unwrap();
    std::fs::write(path("low.npy"), npy).unwrap();
    std::fs::write(path("high.bin"), numbers(&[700.0; 128])).unwrap();
    std::fs::write(path("short.bin"), numbers(&[7.0; 100])).unwrap();
    let judged = |name: &str, rest: &[&str]| {
        let contents = format!("in=@{}", path(name));
        let given = [
            "--contents",
            &contents,
            "--arg",
            "n=128",
            "--contents",
            "out=zero",
        ];
        let all = [&LAUNCH[..], &given, rest].concat();
        let (_, report) = equiv("identity", "at_most_100", &all);
        (
            report["verdict"].as_str().unwrap_or("error").to_owned(),
            report,
        )
    };
    assert_eq!(judged("low.bin", &[]).0, "proved");
    assert_eq!(judged("low.npy", &[]).0, "proved");
    assert_eq!(judged("high.bin", &[]).0, "refuted");
    // The file says how many elements there are: reading more is a defect of the original.
    let (verdict, report) = judged("short.bin", &[]);
    assert_eq!(
        (verdict.as_str(), &report["reason"]),
        ("unknown", &Value::from("source-defective"))
    );
    let (_, report) = judged("low.bin", &["--extent", "in=64"]);
    let message = report["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("it gives 128 elements, and `in` has 64"),
        "{message}"
    );
    let (_, report) = judged("none.bin", &[]);
    assert_eq!(report["error"]["kind"], "file", "{report}");
    // A source does not name files to read.
    let at_head =
        "// gridlock: contents in = @/etc/passwd\n__global__ void k(int *in) { in[0] = 1; }\n";
    std::fs::write(path("k.cu"), at_head).unwrap();
    let run = run(&["check", &path("k.cu"), "--format", "json"]);
    assert!(!run.stdout.contains("passwd"), "{}", run.stdout);
}
