//! What papers 1 to 4 published and what becomes of it: each row of the table in the mission, with the
//! program that shows it, the profile and the verdict. Nobody tells the tool which program is whose.

use gridlock::input::request::Request;
use gridlock::pipeline::report::PipelineReport;
use gridlock::suite;
use serde_json::Value as Json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Something published, and what shows what is wrong with it.
struct Row {
    paper: u32,
    what: &'static str,
    shown: &'static [Shown],
}

/// A question to the tool, and the answer.
struct Shown {
    asked: Asked,
    profile: &'static str,
    answer: &'static str,
}

enum Asked {
    /// `check`, of a kernel of the corpus.
    Check(&'static str),
    /// `equiv`, of a mended program and the published one, with assertions taken out of both.
    Same([&'static str; 2], &'static [&'static str]),
    /// `explore`: what may be in the first array.
    Outcomes(&'static str, &'static [&'static str]),
    /// A step of a pipeline of `tests/transformations`.
    Step(&'static str, &'static str),
}

const fn check(file: &'static str, profile: &'static str, answer: &'static str) -> Shown {
    Shown {
        asked: Asked::Check(file),
        profile,
        answer,
    }
}

const fn step(
    pipeline: &'static str,
    name: &'static str,
    profile: &'static str,
    answer: &'static str,
) -> Shown {
    Shown {
        asked: Asked::Step(pipeline, name),
        profile,
        answer,
    }
}

const fn same(files: [&'static str; 2], call: &'static [&'static str]) -> Shown {
    Shown {
        asked: Asked::Same(files, call),
        profile: "cuda",
        answer: "refuted (not-equivalent)",
    }
}

const fn outcomes(profile: &'static str, answer: &'static str) -> Shown {
    let options = &["--block", "2", "--extent", "x=1", "--contents", "x=zero"];
    Shown {
        asked: Asked::Outcomes("published/merge.cu", options),
        profile,
        answer,
    }
}

const ROWS: [Row; 13] = [
    Row {
        paper: 2,
        what: "barrier rules 6 and 7 read literally, for a correct kernel",
        shown: &[
            check(
                "papers/barrier-rules-broken.cu",
                "paper-literal",
                "refuted (deadlock)",
            ),
            check("papers/barrier-rules-broken.cu", "paper", "passed"),
            check("papers/barrier-rules-broken.cu", "cuda", "proved"),
        ],
    },
    Row {
        paper: 2,
        what: "`merge` by changed value: two threads run `x = x == 0 ? t : 7`",
        shown: &[
            outcomes("cuda", "0, 1, 7"),
            outcomes("paper", "0, 1, 7"),
            outcomes("paper-literal", "1, 7"),
        ],
    },
    Row {
        paper: 2,
        what: "a parallelised loop without a guard, at a count that is no multiple of the block",
        shown: &[
            check(
                "papers/parallel-loop-broken.cu",
                "cuda",
                "refuted (out-of-bounds)",
            ),
            step(
                "T01-scale",
                "without its guard",
                "cuda",
                "refuted (out-of-bounds)",
            ),
        ],
    },
    Row {
        paper: 1,
        what: "as many blocks as fit into the array whole",
        shown: &[same(
            [
                "papers/blocks-of-the-array.cu",
                "papers/blocks-of-the-array-broken.cu",
            ],
            &["--arg", "n=3", "--extent", "numbers=n"],
        )],
    },
    Row {
        paper: 1,
        what: "fewer elements than a block has threads",
        shown: &[check(
            "papers/fewer-than-a-block-broken.cu",
            "cuda",
            "refuted (invalid-launch)",
        )],
    },
    Row {
        paper: 1,
        what: "the last warp unrolled without barriers",
        shown: &[
            check(
                "papers/unrolled-last-warp-broken.cu",
                "cuda",
                "refuted (data-race)",
            ),
            check(
                "papers/unrolled-last-warp-broken.cu",
                "paper",
                "refuted (data-race)",
            ),
            check(
                "papers/unrolled-last-warp-broken.cu",
                "lockstep-warp",
                "passed",
            ),
            step(
                "T08-chain",
                "T8: last warp unrolled",
                "cuda",
                "refuted (data-race)",
            ),
            step(
                "T08-chain",
                "T8: last warp unrolled",
                "lockstep-warp",
                "passed, with a remark on volatile",
            ),
        ],
    },
    Row {
        paper: 1,
        what: "the same with a block of 32",
        shown: &[check(
            "papers/unrolled-block-of-32-broken.cu",
            "lockstep-warp",
            "refuted (out-of-bounds)",
        )],
    },
    Row {
        paper: 1,
        what: "changed order of summation",
        shown: &[
            step("T06-sum", "shrinking distance", "cuda", "proved"),
            step(
                "T06-float",
                "shrinking distance, modulo AC",
                "cuda",
                "proved",
            ),
            step(
                "T06-thirds",
                "shrinking distance, bit by bit",
                "cuda",
                "refuted (not-equivalent)",
            ),
            step(
                "T06-thirds",
                "shrinking distance, modulo AC",
                "cuda",
                "proved",
            ),
            step(
                "T06-sum",
                "at a block of 6",
                "cuda",
                "unknown (source-defective)",
            ),
        ],
    },
    Row {
        paper: 4,
        what: "the first reduction kernel: a barrier that a part of the last block comes to",
        shown: &[
            check(
                "papers/first-reduction-broken.cu",
                "cuda",
                "refuted (barrier-divergence)",
            ),
            check(
                "papers/first-reduction-broken.cu",
                "portable",
                "refuted (barrier-divergence)",
            ),
            check("papers/first-reduction-broken.cu", "cuda-hw", "proved"),
        ],
    },
    Row {
        paper: 3,
        what: "the number of launches rounded down",
        shown: &[same(
            [
                "papers/launches-rounded-down.cu",
                "papers/launches-rounded-down-broken.cu",
            ],
            &["--arg", "n=3", "--extent", "data=n", "--extent", "result=n"],
        )],
    },
    Row {
        paper: 3,
        what: "the number of launches rounded up",
        shown: &[check(
            "papers/launches-rounded-up-broken.cu",
            "cuda",
            "refuted (out-of-bounds)",
        )],
    },
    Row {
        paper: 3,
        what: "double buffers: the first round copies back what no kernel wrote, the last result stays behind",
        shown: &[
            check(
                "papers/double-buffer-start-broken.cu",
                "cuda",
                "refuted (uninitialised-read)",
            ),
            same(
                [
                    "papers/double-buffer-tail.cu",
                    "papers/double-buffer-tail-broken.cu",
                ],
                &[
                    "--arg",
                    "chunks=2",
                    "--extent",
                    "data=chunks",
                    "--extent",
                    "result=chunks",
                ],
            ),
        ],
    },
    Row {
        paper: 3,
        what: "buffers that are never freed",
        shown: &[check(
            "streams/loop-ripper-buffers-broken.cu",
            "cuda",
            "refuted (leak)",
        )],
    },
];

const HEAD: &str = "\
## What was published

Programs and forms of the papers with something wrong, or right only under assumptions that their texts do not
state. Files are in `tests/corpus/`, steps in the pipelines below.

| paper | what | shown by | profile | comes out as |
|---|---|---|---|---|
";

/// The table, asked anew; what does not come out as it should fails.
pub fn table(reports: &[(PathBuf, PipelineReport)]) -> String {
    let mut text = HEAD.to_owned();
    let mut wrong = Vec::new();
    for row in &ROWS {
        for shown in row.shown {
            let by = shown.asked.named();
            let answer = shown.asked.answer(shown.profile, reports);
            if !told(&answer, shown.answer) {
                wrong.push(format!(
                    "{by} under {}: {answer}, not {}",
                    shown.profile, shown.answer
                ));
            }
            let (paper, what, profile) = (row.paper, row.what, shown.profile);
            let _ = writeln!(
                text,
                "| {paper} | {what} | {by} | {profile} | {} |",
                shown.answer
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    text
}

/// Whether an answer says what is expected; it may have more kinds of defects and more remarks.
fn told(answer: &str, expected: &str) -> bool {
    match expected.split_once(" (") {
        Some((verdict, kind)) => {
            let all = answer
                .strip_prefix(verdict)
                .and_then(|rest| rest.strip_prefix(" ("));
            let all = all.and_then(|rest| rest.strip_suffix(')'));
            let kind = kind.trim_end_matches(')');
            all.is_some_and(|all| all.split(", ").any(|one| one == kind))
        }
        None => answer == expected || (expected == "passed" && answer.starts_with("passed, with")),
    }
}

impl Asked {
    fn named(&self) -> String {
        match self {
            Asked::Check(file) => format!("`check {file}`"),
            Asked::Same([mended, published], _) => format!("`equiv {mended} {published}`"),
            Asked::Outcomes(..) => "`explore tests/published/merge.cu`: what is in `x`".to_owned(),
            Asked::Step(pipeline, step) => format!("`{pipeline}`: {step}"),
        }
    }

    fn answer(&self, profile: &str, reports: &[(PathBuf, PipelineReport)]) -> String {
        let corpus = |file: &str| format!("tests/corpus/{file}");
        match self {
            Asked::Check(file) => checked(&corpus(file), profile),
            Asked::Same([mended, published], call) => {
                let (mended, published) = (corpus(mended), corpus(published));
                let own = ["--kernel", "run", "-D", "NDEBUG", "--profile", profile];
                judgement(&asked(
                    &[&["equiv", &mended, &published][..], &own, call].concat(),
                ))
            }
            Asked::Outcomes(file, options) => {
                let file = format!("tests/{file}");
                let report =
                    asked(&[&["explore", &file, "--profile", profile][..], options].concat());
                first_cells(&report)
            }
            Asked::Step(pipeline, name) => {
                let of = |path: &PathBuf| path.file_stem().is_some_and(|stem| *stem == **pipeline);
                let report = reports.iter().find(|(path, _)| of(path));
                let steps = report.map_or(&[][..], |(_, report)| &report.steps);
                let step = steps
                    .iter()
                    .find(|s| s.name == *name && s.profile == profile);
                let step = step.unwrap_or_else(|| panic!("{pipeline} has no step {name}"));
                judgement(&serde_json::to_value(step).unwrap())
            }
        }
    }
}

/// As the corpus is judged, under a profile of ours.
fn checked(file: &str, profile: &str) -> String {
    let mut labelled = suite::read_file(Path::new(file)).unwrap();
    labelled.header.profiles = vec![profile.to_owned()];
    let request = Request {
        device_limits: None,
        ..Request::default()
    };
    let rows = suite::run(&[labelled], &request, &Default::default(), 1, &mut |_| {});
    match rows[0].kind.as_str() {
        "" => rows[0].verdict.clone(),
        kind => format!("{} ({kind})", rows[0].verdict),
    }
}

/// The report of a run.
fn asked(arguments: &[&str]) -> Json {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridlock"));
    let output = command
        .args(["--format", "json"])
        .args(arguments)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{arguments:?}: {e}\n{text}"))
}

/// `refuted (data-race, leak)`, `unknown (limit)`, `passed`.
fn judgement(report: &Json) -> String {
    let verdict = report["verdict"].as_str().unwrap_or("none");
    let list = |of: &str| report[of].as_array().cloned().unwrap_or_default();
    match verdict {
        "refuted" => {
            let mut kinds: Vec<String> = Vec::new();
            for defect in list("defects") {
                let kind = defect["kind"].as_str().unwrap_or("").to_owned();
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
            format!("refuted ({})", kinds.join(", "))
        }
        "unknown" => format!("unknown ({})", report["reason"].as_str().unwrap_or("")),
        _ => {
            let on_volatile = |remark: &Json| remark.to_string().contains("volatile");
            match list("remarks").iter().any(on_volatile) {
                true => format!("{verdict}, with a remark on volatile"),
                false => verdict.to_owned(),
            }
        }
    }
}

/// What the first array's first cell may hold in the end.
fn first_cells(report: &Json) -> String {
    let outcomes = report["outcomes"].as_array().cloned().unwrap_or_default();
    let mut found: Vec<String> = outcomes.iter().map(cell).collect();
    found.sort();
    found.join(", ")
}

fn cell(outcome: &Json) -> String {
    let cell = &outcome["outcome"]["observation"]["arrays"][0]["cells"][0];
    cell["Int"][1].to_string()
}
