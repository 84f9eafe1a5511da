//! What must hold: kernels with known conditions, each beside a neighbour that is hardly changed
//! and has another one. The header of a kernel says what must be found; what is found, written
//! into the source, must make the kernel right there.

use crate::tool::run;
use gridlock::input::request::{EntryRequest, ExtentSpec, LaunchSpec, Request};
use gridlock::judge::check::check_file;
use gridlock::judge::preconditions::{Explained, Finding, Options, Outcome, Vary, explain_file};
use gridlock::subject::{self, prepared::Prepared};
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::verdict::Verdict;
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_generation::effort;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDER: &str = "tests/conditions";

/// A short run judges one kernel in so many.
const SHARE_OF_KERNELS: usize = 3;

/// A short run tries one wrong condition in so many.
const SHARE: usize = 13;

/// The header of a kernel.
struct Expected {
    condition: String,
    kinds: Vec<(String, String)>,
    extents: Vec<(String, String)>,
    proved: bool,
    /// Whether proofs are tried.
    proofs: bool,
    seconds: f64,
}

impl Expected {
    fn read(text: &str) -> Expected {
        let values = |key: &str| -> Vec<String> {
            let start = format!("// {key}: ");
            let lines = text.lines().filter_map(|line| line.strip_prefix(&start));
            lines.map(str::to_owned).collect()
        };
        let split = |text: String, by: &str| {
            let (a, b) = text.split_once(by).unwrap();
            (a.to_owned(), b.to_owned())
        };
        let condition = values("condition").remove(0);
        let kinds = values("kind").into_iter();
        let extents = values("extent").into_iter();
        let seconds = values("seconds").first().map(|s| s.parse().unwrap());
        Expected {
            kinds: kinds.map(|t| split(t, ": ")).collect(),
            extents: extents.map(|t| split(t, "=")).collect(),
            proved: values("proved") != ["no"] && values("proofs") != ["off"],
            proofs: values("proofs") != ["off"],
            // Only a busy machine takes so long.
            seconds: seconds.unwrap_or(300.0),
            condition,
        }
    }

    fn entry(&self) -> EntryRequest {
        let extents = self.extents.iter();
        let extents = extents.map(|(name, of)| (name.clone(), ExtentSpec::parse(of).unwrap()));
        EntryRequest {
            extents: extents.collect(),
            ..EntryRequest::default()
        }
    }

    fn request(&self) -> Request {
        let mut request = Request::default();
        request.limits.seconds = self.seconds;
        request.symbolic = self.proofs;
        request
    }
}

fn explain(file: &Path, expected: &Expected, vary: &[&str]) -> Explained {
    let options = Options {
        vary: vary.iter().map(|t| Vary::parse(t).unwrap()).collect(),
        ..Options::default()
    };
    let mut explained = explain_file(
        file,
        &Default::default(),
        &expected.entry(),
        &expected.request(),
        &options,
        &mut |_| {},
    )
    .unwrap();
    assert_eq!(explained.len(), 1);
    explained.remove(0)
}

/// The kernel with a precondition as its first statement.
fn with_requirement(text: &str, code: &str) -> String {
    let kernel = text.find("__global__").unwrap();
    let body = kernel + text[kernel..].find('{').unwrap() + 1;
    format!(
        "{}\n    __requires({code});{}",
        &text[..body],
        &text[body..]
    )
}

/// `text` in a folder of its own.
fn written(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kernel.cu");
    std::fs::write(&file, text).unwrap();
    (folder, file)
}

/// One kernel comes out as its header says.
fn check(name: &str) {
    let number = ALL.iter().position(|known| *known == name);
    if !effort::is_done(number.expect("one of all"), SHARE_OF_KERNELS) {
        return;
    }
    let file = Path::new(FOLDER).join(name).with_extension("cu");
    let text = std::fs::read_to_string(&file).unwrap();
    let expected = Expected::read(&text);
    let explained = explain(&file, &expected, &[]);
    let counts = explained.counts;
    let finding = match &*expected.condition {
        "always" => Finding::Always,
        "never" => Finding::Never,
        "none" => Finding::NoCondition,
        "unknown" => Finding::Unknown,
        _ => Finding::Condition,
    };
    assert_eq!(
        explained.finding, finding,
        "{name}: {:?}",
        explained.condition
    );
    match finding {
        Finding::Unknown => {
            assert_eq!((counts.safe, counts.failing), (0, 0));
            assert!(counts.unknown > 0 && !explained.unknown.is_empty());
        }
        Finding::Never => assert!(counts.safe == 0 && counts.failing > 0),
        Finding::Always => {
            assert!(counts.failing == 0 && counts.safe > 0);
            let proved = explained.condition.as_ref().is_some_and(|c| c.proved);
            assert_eq!(proved, expected.proved, "{name}");
        }
        Finding::NoCondition => {
            assert!(counts.safe > 0 && counts.failing > 0);
            let sufficient = explained.sufficient.as_ref().unwrap();
            assert!(sufficient.holds_at < counts.safe && !sufficient.text.is_empty());
        }
        Finding::NothingVaries => unreachable!(),
        Finding::Condition => {
            let stated = explained.condition.as_ref().unwrap();
            assert_eq!(stated.text, expected.condition, "{name}");
            assert_eq!(
                stated.proved, expected.proved,
                "{name}: {:?}",
                stated.properties
            );
            assert_eq!(
                (stated.holds_at, stated.fails_at),
                (counts.safe, counts.failing)
            );
            assert!(stated.held_out > 0, "{name}: nothing was held out");
            holds_once_written(name, &text, &expected, stated.code.as_ref().unwrap());
        }
    }
    for (kind, condition) in &expected.kinds {
        let found = explained.kinds.iter().find(|k| k.kind.name() == kind);
        let stated = found.and_then(|k| k.condition.as_ref());
        assert_eq!(stated.map(|s| &s.text), Some(condition), "{name}: {kind}");
    }
}

/// With the condition in its source the kernel is right: proved where the proof under the
/// condition was, refuted nowhere; points at which the condition is false are no launches.
fn holds_once_written(name: &str, text: &str, expected: &Expected, code: &str) {
    let (_folder, file) = written(&with_requirement(text, code));
    let judgement = check_file(
        &file,
        &Default::default(),
        &expected.entry(),
        &expected.request(),
    )
    .unwrap();
    let least = if expected.proved {
        Verdict::Proved
    } else {
        Verdict::Unknown
    };
    assert!(
        judgement.verdict >= least,
        "{name}: {:?}",
        judgement.properties
    );
    let again = explain(&file, expected, &[]);
    assert_eq!(again.finding, Finding::Always, "{name}");
    assert!(again.counts.excluded > 0, "{name}: {:?}", again.counts);
}

/// Kernel after kernel; each test is a group of neighbours.
macro_rules! groups {
    ($($test:ident: $($name:literal),+;)+) => {
        $(#[test]
        fn $test() {
            for name in [$($name),+] {
                check(name);
            }
        })+

        const ALL: &[&str] = &[$($($name),+),+];
    };
}

groups! {
    a_tree_needs_a_power_of_two: "tree-sum", "tree-sum-guarded", "tree-sum-tile";
    a_missing_guard_needs_enough_elements: "no-guard", "no-guard-of-a-block", "guard";
    in_place_needs_one_block: "in-place", "in-place-left";
    a_tile_bounds_the_block: "small-block", "small-block-of-40";
    a_divisor_is_not_0: "divisor", "divisor-less-3";
    an_index_is_inside: "index", "index-and-thread";
    a_square_tile: "transpose", "transpose-own";
    whole_warps: "warps", "warps-of-16";
    whole_chunks: "chunks", "chunks-whole";
    all_or_nobody_at_a_barrier: "barrier-under-n";
    two_kinds_of_defects: "two-kinds", "scatter";
    never_safe: "never";
    no_simple_condition: "none";
    nothing_decided: "unknown";
}

#[test]
fn every_kernel_of_the_folder_is_in_a_test() {
    let files = std::fs::read_dir(FOLDER).unwrap();
    let files = files.map(|f| f.unwrap().path());
    let found: BTreeSet<String> = files
        .map(|f| f.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let tested: BTreeSet<String> = ALL.iter().map(|n| (*n).to_owned()).collect();
    assert_eq!(found, tested);
}

/// The neighbour's condition is not enough: written down it does not make the kernel right.
#[test]
fn a_wrong_condition_does_not_help() {
    let all = [
        ("tree-sum", "blockDim.x <= 64"),
        ("tree-sum", "blockDim.x % 2 == 0"),
        ("no-guard", "n >= (int)blockDim.x"),
        (
            "in-place-left",
            "gridDim.x == 1 || n <= (int)blockDim.x + 1",
        ),
        ("small-block-of-40", "blockDim.x <= 64"),
        ("divisor-less-3", "k != 0"),
        ("warps", "blockDim.x % 16 == 0"),
        ("two-kinds", "blockDim.x <= 64"),
    ];
    for (number, (name, code)) in all.into_iter().enumerate() {
        if !effort::is_done(number, SHARE) {
            continue;
        }
        let file = Path::new(FOLDER).join(name).with_extension("cu");
        let text = std::fs::read_to_string(&file).unwrap();
        let expected = Expected::read(&text);
        let (_folder, file) = written(&with_requirement(&text, code));
        let (entry, request) = (expected.entry(), expected.request());
        let judgement = check_file(&file, &Default::default(), &entry, &request).unwrap();
        assert_ne!(judgement.verdict, Verdict::Proved, "{name} under {code}");
        let found = explain(&file, &expected, &[]);
        assert_eq!(found.finding, Finding::Condition, "{name} under {code}");
        assert!(found.counts.failing > 0);
    }
}

/// Ranges say what is tried; what a proof runs into outside of them counts all the same.
#[test]
fn ranges_of_the_user() {
    let file = Path::new(FOLDER).join("no-guard.cu");
    let expected = Expected::read(&std::fs::read_to_string(&file).unwrap());
    let found = explain(&file, &expected, &["block=1..4", "grid=2", "n=0..12"]);
    assert_eq!(found.condition.unwrap().text, "n >= gridDim.x * blockDim.x");
    let given = Assumption::GivenValue {
        name: "gridDim.x".to_owned(),
        value: 2,
    };
    let fixed = EntryRequest {
        launch: LaunchSpec {
            grid: Some([2, 1, 1]),
            ..LaunchSpec::default()
        },
        ..expected.entry()
    };
    let options = Options::default();
    let (request, parse) = (expected.request(), Default::default());
    let one = explain_file(&file, &parse, &fixed, &request, &options, &mut |_| {}).unwrap();
    assert!(
        one[0].assumptions.iter().any(|a| *a == given),
        "{:?}",
        one[0].assumptions
    );
    let n = found.variables.iter().find(|v| v.name == "n").unwrap();
    assert_eq!(n.values, (0..=12).collect::<Vec<i64>>());
    assert!(n.given && !n.fixed);
    let table = found.table.unwrap();
    assert_eq!(table.body.len(), 4);
    // Two blocks of 3 need 6 elements.
    let (label, cells) = &table.body[2];
    let ok = table
        .head
        .iter()
        .zip(cells)
        .filter(|(_, cell)| *cell == "ok");
    let first_ok = ok.map(|(head, _)| head.clone()).next();
    assert_eq!((label.as_str(), first_ok.as_deref()), ("3", Some("6..7")));

    let small = Path::new(FOLDER).join("small-block-of-40.cu");
    let expected = Expected::read("// condition: blockDim.x <= 40\n");
    let found = explain(&small, &expected, &["block=1..8"]);
    assert_eq!(found.condition.unwrap().text, "blockDim.x <= 40");
}

/// An extent has no name in the source: the condition speaks of it, and nothing is to be written.
#[test]
fn the_number_of_elements_of_an_array() {
    let file = Path::new(FOLDER).join("no-guard.cu");
    let mut expected = Expected::read("// condition: -\n");
    expected.extents.clear();
    let found = explain(&file, &expected, &["a=0..40", "block=1..16", "grid=1..2"]);
    let stated = found.condition.unwrap();
    assert_eq!(stated.text, "elements of a >= gridDim.x * blockDim.x");
    assert_eq!((stated.code, stated.proved), (None, false));
}

#[test]
fn on_the_command_line() {
    let file = "tests/conditions/two-kinds.cu";
    let text = run(&["check", file, "--explain-conditions"]);
    assert_eq!(text.status, 3, "{}{}", text.stdout, text.stderr);
    for part in [
        "What must hold of a launch of tile",
        "blockDim.x <= 64 and gridDim.x == 1",
        "__requires(blockDim.x <= 64 && gridDim.x == 1);",
        "if gridDim.x == 1 (proved)",
        "Launches tried:",
    ] {
        assert!(text.stdout.contains(part), "no {part:?} in {}", text.stdout);
    }
    let fixed = &[
        "check",
        file,
        "--explain-conditions",
        "--grid",
        "1",
        "--no-proof",
    ];
    let fixed = run(&[fixed.as_slice(), &["--format", "json", "--block", "65"]].concat());
    let report = fixed.json();
    assert_eq!(report["what_must_hold"][0]["finding"], "nothing-varies");
    let cases: &[(&[&str], &str)] = &[
        (&["--vary", "n=1"], "--explain-conditions"),
        (
            &["--explain-conditions", "--vary", "n=1"],
            "no such variable",
        ),
        (
            &["--explain-conditions", "--vary", "block=0..4"],
            "0 is out of range",
        ),
        (
            &["--explain-conditions", "--vary", "block"],
            "write NAME=FROM..TO",
        ),
        (
            &[
                "--explain-conditions",
                "--vary",
                "block=1",
                "--vary",
                "block=2",
            ],
            "the same name twice",
        ),
        (
            &["--explain-conditions", "--block", "8", "--vary", "block=2"],
            "fixed by another option",
        ),
        (
            &["--explain-conditions", "--vary-points", "0"],
            "a number above 0",
        ),
    ];
    // Before anything is judged, which takes seconds.
    let mut looked_up = Command::new(env!("CARGO_BIN_EXE_gridlock"));
    looked_up.args(["check", file, "--explain-conditions", "--vary", "n=1"]);
    looked_up.env(
        "GRIDLOCK_LOG",
        "gridlock_checker=debug,gridlock_proofs=debug",
    );
    let output = looked_up.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("no such variable") && !said.contains("DEBUG"),
        "{said}"
    );
    for (options, part) in cases {
        let refused = run(&[&["check", file][..], options].concat());
        assert_eq!(refused.status, 2, "{options:?}");
        assert!(
            refused.stderr.contains(part),
            "{options:?}: {}",
            refused.stderr
        );
    }
}

/// A kernel with defects of several kinds, at launches that hang on both extents of the block and on `n`.
fn random_kernel(number: usize, random: &mut impl FnMut(usize) -> usize) -> String {
    let size = [4, 7, 16, 32][random(4)];
    let width = [1, 3, 8, 16][random(4)];
    let of_plane = random(3) > 0;
    let index = match of_plane {
        true => format!("threadIdx.x + threadIdx.y * {width}"),
        false => "threadIdx.x".to_owned(),
    };
    let guards = [
        "true".to_owned(),
        "i < n".to_owned(),
        format!("i < {size}"),
        "threadIdx.x < 5".to_owned(),
        "blockDim.x > 2 || n > 3".to_owned(),
        "i != 3".to_owned(),
    ];
    let (first, second) = (&guards[random(6)], &guards[random(6)]);
    let reads = ["i", "i ^ 1", "(i + 1) % blockDim.x", "n & 7", "i / 2"][random(5)];
    let last = ["", "p[i / 2] = 1;", "if (n > 6) p[0] = i;", "p[i] = 7 / n;"][random(4)];
    format!(
        "__global__ void k{number}(int *p, int n) {{
  REQUIRES
  __shared__ int s[{size}];
  int i = {index};
  if ({first}) s[i] = i;
  __syncthreads();
  if ({second}) p[100 + i] = s[{reads}];
  __syncthreads();
  {last}
}}
"
    )
}

/// A condition holds at every launch that was found safe, and at none that was found to fail, whichever came up last.
#[test]
fn a_condition_contradicts_no_launch_tried() {
    let mut state = 20_261_125u64;
    let mut random = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let n_kernels = effort::cases(5, 60) as usize;
    let kernels: Vec<String> = (0..n_kernels)
        .map(|number| random_kernel(number, &mut random))
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("kernels.cu");
    std::fs::write(&file, kernels.concat().replace("REQUIRES", "")).expect("written");
    let request = Request {
        symbolic: false,
        ..Request::default()
    };
    let options = Options {
        points: 120,
        ..Options::default()
    };
    let parse = ParseOptions::default();
    let (entry, mut say) = (EntryRequest::default(), |_: String| {});
    let explained =
        explain_file(&file, &parse, &entry, &request, &options, &mut say).expect("good");
    // Each condition as an assumption of a kernel of its own: a launch at which it is false does not count.
    let mut text = String::new();
    let mut stated: Vec<(&Explained, Option<DefectKind>)> = Vec::new();
    for (of, kernel) in explained.iter().zip(&kernels) {
        let whole = of.condition.iter().map(|condition| (None, condition));
        let of_kinds = of.kinds.iter();
        let of_kinds = of_kinds.filter_map(|k| Some((Some(k.kind), k.condition.as_ref()?)));
        for (kind, condition) in whole.chain(of_kinds) {
            let Some(code) = &condition.code else {
                continue;
            };
            let name = format!("void of{}(", stated.len());
            text += &kernel
                .replace(&format!("void {}(", of.kernel), &name)
                .replace("REQUIRES", &format!("__requires({code});"));
            stated.push((of, kind));
        }
    }
    assert!(3 * stated.len() > 2 * n_kernels, "{}", stated.len());
    let parsed = parse_source("conditions.cu", &text, Language::Cuda, &parse).expect("reads");
    let prepared = Prepared::new(parsed.program);
    for (number, (of, kind)) in stated.iter().enumerate() {
        let proc = prepared
            .surface
            .find_proc(&format!("of{number}"))
            .expect("a kernel");
        for tried in &of.points {
            let expected = match (&tried.outcome, kind) {
                (Outcome::Safe { .. }, _) => true,
                (Outcome::Fails { .. }, None) => false,
                (Outcome::Fails { kinds }, Some(kind)) if kinds.contains(kind) => false,
                _ => continue,
            };
            let extent = |name: &str| tried.at.get(name).map_or(1, |n| *n as u32);
            let entry = EntryRequest {
                launch: LaunchSpec {
                    grid: Some([extent("gridDim.x"), 1, 1]),
                    block: Some([extent("blockDim.x"), extent("blockDim.y"), 1]),
                    shared_bytes: None,
                },
                args: tried
                    .at
                    .get("n")
                    .map(|n| ("n".to_owned(), n.to_string()))
                    .into_iter()
                    .collect(),
                ..EntryRequest::default()
            };
            let point =
                subject::resolve_entry(&prepared.surface, proc, &entry, None).expect("a launch");
            let setup = subject::sampled_setup(
                &prepared.surface,
                &point,
                point.launch,
                request.sampling,
                0,
            )
            .expect("a run");
            let limits = &request.limits;
            let run = canonical::run(&prepared.compiled, &setup, &request.profile, limits);
            let holds = run.status != CanonicalStatus::AssumptionFailed;
            assert_eq!(
                holds,
                expected,
                "{:?} at {:?} ({:?}) of\n{}",
                kind,
                tried.at,
                tried.outcome,
                kernels[of.kernel[1..].parse::<usize>().unwrap()]
            );
        }
    }
}
