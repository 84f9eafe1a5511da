//! The JSON contract: these fields are there, with these types, whatever else is added. A field
//! that is taken out or changes its type fails here.

use crate::tool::run;
use gridlock_generation::effort;
use serde_json::Value;

/// Types of the contract.
#[derive(Clone, Copy, Debug)]
enum Is {
    Text,
    Number,
    Flag,
    List,
    Object,
    /// Null or the named type.
    TextOrNull,
    NumberOrNull,
    ListOrNull,
}

impl Is {
    fn fits(self, value: &Value) -> bool {
        match self {
            Is::Text => value.is_string(),
            Is::Number => value.is_number(),
            Is::Flag => value.is_boolean(),
            Is::List => value.is_array(),
            Is::Object => value.is_object(),
            Is::TextOrNull => value.is_string() || value.is_null(),
            Is::NumberOrNull => value.is_number() || value.is_null(),
            Is::ListOrNull => value.is_array() || value.is_null(),
        }
    }
}

fn check(value: &Value, fields: &[(&str, Is)]) {
    for (path, is) in fields {
        let field = value
            .get(path)
            .unwrap_or_else(|| panic!("no `{path}` in {value:#}"));
        assert!(is.fits(field), "`{path}` is {field}, not {is:?}");
    }
}

const ENVELOPE: &[(&str, Is)] = &[
    ("schema", Is::Number),
    ("tool", Is::Text),
    ("version", Is::Text),
    ("command", Is::Text),
];

const JUDGEMENT: &[(&str, Is)] = &[
    ("profile", Is::Object),
    ("subjects", Is::List),
    ("verdict", Is::Text),
    ("reason", Is::TextOrNull),
    ("assurance", Is::TextOrNull),
    ("modulo", Is::TextOrNull),
    ("properties", Is::List),
    ("defects", Is::List),
    ("assumptions", Is::List),
    ("assumed", Is::List),
    ("conditions", Is::List),
    ("remarks", Is::List),
    ("remarked", Is::List),
    ("not_judged", Is::List),
    ("limits_hit", Is::List),
    ("statistics", Is::Object),
];

/// An assumption, a remark, something not judged.
const STATEMENT: &[(&str, Is)] = &[
    ("kind", Is::Text),
    ("arguments", Is::Object),
    ("text", Is::Text),
];

const NOT_JUDGED: &[(&str, Is)] = &[
    ("subject", Is::Number),
    ("what", Is::Text),
    ("why", Is::Text),
];

const STATISTICS: &[(&str, Is)] = &[
    ("states", Is::Number),
    ("transitions", Is::Number),
    ("executions", Is::Number),
    ("queries", Is::Number),
    ("seconds", Is::Number),
    ("peak_bytes", Is::Number),
];

const SUBJECT: &[(&str, Is)] = &[
    ("file", Is::Text),
    ("kernel", Is::Text),
    ("launch", Is::Object),
    ("inputs", Is::Text),
    ("verdict", Is::TextOrNull),
];

const LAUNCH: &[(&str, Is)] = &[
    ("grid", Is::ListOrNull),
    ("block", Is::ListOrNull),
    ("shared", Is::NumberOrNull),
    ("args", Is::Object),
];

const PROPERTY: &[(&str, Is)] = &[
    ("subject", Is::Number),
    ("kind", Is::Text),
    ("verdict", Is::Text),
];

const DEFECT: &[(&str, Is)] = &[
    ("subject", Is::Number),
    ("kind", Is::Text),
    ("message", Is::Text),
    ("array", Is::Text),
    ("index", Is::Number),
    ("element", Is::Text),
    ("space", Is::Text),
    ("accesses", Is::List),
    ("confirmed", Is::Flag),
    ("witness", Is::Object),
];

const SITE: &[(&str, Is)] = &[
    ("file", Is::Text),
    ("line", Is::Number),
    ("column", Is::Number),
    ("thread", Is::List),
    ("block", Is::List),
    ("mode", Is::Text),
];

const PROFILE: &[(&str, Is)] = &[("name", Is::Text), ("axes", Is::Object)];

const ERROR: &[(&str, Is)] = &[
    ("kind", Is::Text),
    ("message", Is::Text),
    ("file", Is::TextOrNull),
    ("line", Is::NumberOrNull),
    ("column", Is::NumberOrNull),
];

const ROW: &[(&str, Is)] = &[
    ("file", Is::Text),
    ("expected", Is::Text),
    ("verdict", Is::Text),
    ("kind", Is::Text),
    ("seconds", Is::Number),
    ("agrees", Is::Flag),
];

const STEP: &[(&str, Is)] = &[
    ("name", Is::Text),
    ("from", Is::TextOrNull),
    ("rules", Is::TextOrNull),
    ("profile", Is::Text),
    ("expected", Is::Text),
    ("verdict", Is::Text),
    ("reason", Is::TextOrNull),
    ("assurance", Is::TextOrNull),
    ("assumptions", Is::List),
    ("assumed", Is::List),
    ("remarks", Is::List),
    ("remarked", Is::List),
    ("defects", Is::List),
    ("seconds", Is::Number),
];

const EXPLANATION: &[(&str, Is)] = &[
    ("moments", Is::List),
    ("steps", Is::Number),
    ("switches", Is::Number),
];

const COMPARED: &[(&str, Is)] = &[
    ("side", Is::Text),
    ("file", Is::Text),
    ("entry", Is::Text),
    ("launch", Is::Object),
    ("inputs", Is::List),
    ("cells", Is::List),
];

const CELL_LEFT: &[(&str, Is)] = &[("cell", Is::Text), ("value", Is::Text), ("wrote", Is::List)];

const MOMENT: &[(&str, Is)] = &[
    ("who", Is::Text),
    ("site", Is::Object),
    ("does", Is::Text),
    ("cell", Is::Text),
    ("values", Is::List),
    ("interval", Is::Object),
];

const REPLAY: &[(&str, Is)] = &[
    ("profile", Is::Object),
    ("file", Is::Text),
    ("kernel", Is::Text),
    ("kind", Is::Text),
    ("steps", Is::List),
    ("cycle_from", Is::NumberOrNull),
    ("reproduced", Is::Flag),
    ("conclusion", Is::Text),
    ("conflict", Is::List),
    ("explanation", Is::Object),
];

fn report(arguments: &[&str]) -> Value {
    let run = run(&[arguments, &["--format", "json"]].concat());
    assert!((0..=3).contains(&run.status), "{}", run.status);
    let report = run.json();
    check(&report, ENVELOPE);
    assert_eq!(report["command"], arguments[0]);
    assert_eq!(report["tool"], "gridlock");
    assert_eq!(report["schema"], 1);
    report
}

fn check_judgement(report: &Value) {
    check(report, JUDGEMENT);
    check(&report["profile"], PROFILE);
    check(&report["statistics"], STATISTICS);
    for subject in report["subjects"].as_array().unwrap() {
        check(subject, SUBJECT);
        check(&subject["launch"], LAUNCH);
    }
    for property in report["properties"].as_array().unwrap() {
        check(property, PROPERTY);
    }
    check_statements(report, "assumptions", "assumed");
    check_statements(report, "remarks", "remarked");
    for open in report["not_judged"].as_array().unwrap() {
        check(open, STATEMENT);
        check(open, NOT_JUDGED);
    }
}

/// Values stand beside sentences, in the same order. Gives how many.
fn check_statements(report: &Value, sentences: &str, values: &str) -> usize {
    let values = report[values].as_array().unwrap();
    let sentences = report[sentences].as_array().unwrap();
    assert_eq!(values.len(), sentences.len());
    for (value, sentence) in values.iter().zip(sentences) {
        check(value, STATEMENT);
        assert_eq!(value["text"], *sentence);
    }
    values.len()
}

#[test]
fn a_judgement_without_defects() {
    let report = report(&["check", "tests/input/fill.cu", "--block", "4"]);
    check_judgement(&report);
    assert!(!report["properties"].as_array().unwrap().is_empty());
}

#[test]
fn a_judgement_for_every_launch() {
    let report = report(&["check", "tests/input/fill.cu"]);
    check_judgement(&report);
    assert!(!report["assumed"].as_array().unwrap().is_empty());
    assert_eq!(report["not_judged"][0]["kind"], "bounds-without-extent");
}

#[test]
fn a_defect_with_both_sides() {
    let report = report(&["check", "tests/input/race.cu", "--block", "2"]);
    check_judgement(&report);
    let defect = &report["defects"][0];
    check(defect, DEFECT);
    assert_eq!(defect["accesses"].as_array().unwrap().len(), 2);
    for site in defect["accesses"].as_array().unwrap() {
        check(site, SITE);
    }
    check(&defect["explanation"], EXPLANATION);
    for moment in defect["explanation"]["moments"].as_array().unwrap() {
        check(moment, MOMENT);
    }
}

#[test]
fn a_replay() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("w.json");
    let file = file.to_str().unwrap();
    run(&[
        "check",
        "tests/input/race.cu",
        "--block",
        "2",
        "--save-witness",
        file,
    ]);
    check(&report(&["replay", file]), REPLAY);
}

/// Every axis of a profile is in every report.
#[test]
fn a_profile_has_every_axis() {
    let report = report(&["check", "tests/input/fill.cu", "--block", "2"]);
    for axis in [
        "granularity",
        "firing",
        "merge",
        "barrier",
        "exited-threads",
        "divergence",
        "warps",
        "safety",
        "termination",
        "memory",
        "same-value-writes",
    ] {
        assert!(report["profile"]["axes"].get(axis).is_some(), "{axis}");
    }
}

#[test]
fn an_error() {
    let report = report(&["check", "tests/input/syntax.cu"]);
    check(&report["error"], ERROR);
    assert!(report.get("verdict").is_none(), "an error is no verdict");
}

#[test]
fn an_equivalence() {
    let file = "tests/input/fill.cu";
    let report = report(&["equiv", file, file, "--block", "2", "--arg", "value=1"]);
    check_judgement(&report);
    assert_eq!(report["subjects"].as_array().unwrap().len(), 2);
}

#[test]
fn programs_that_differ() {
    let file = "tests/input/fill.cu";
    let values = ["--a-arg", "value=1", "--b-arg", "value=2"];
    let report = report(&[&["equiv", file, file, "--block", "2"][..], &values].concat());
    check_judgement(&report);
    let defect = &report["defects"][0];
    assert!(defect["witness"].is_object() && defect["original"].is_object());
    let sides = defect["explanation"]["compared"].as_array().unwrap();
    assert_eq!(sides.len(), 2);
    for side in sides {
        check(side, COMPARED);
        check(&side["cells"][0], CELL_LEFT);
        check(&side["cells"][0]["wrote"][0], MOMENT);
    }
}

#[test]
fn rows_of_a_suite() {
    let report = report(&["suite", "tests/corpus/arithmetic"]);
    for row in report["rows"].as_array().unwrap() {
        check(row, ROW);
    }
}

#[test]
fn steps_of_a_pipeline() {
    let report = report(&["verify", "examples/tree-sum/pipeline.toml"]);
    assert!(!report["steps"].as_array().unwrap().is_empty());
    for step in report["steps"].as_array().unwrap() {
        check(step, STEP);
        check_statements(step, "remarks", "remarked");
    }
    let steps = report["steps"].as_array().unwrap().iter();
    let said = steps.map(|step| check_statements(step, "assumptions", "assumed"));
    assert!(
        said.sum::<usize>() > 0,
        "a rule of this pipeline assumes something"
    );
}

/// `explore` and `rewrite` judge nothing, and say what they take for granted.
#[test]
fn assumptions_of_other_commands() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("k.cu");
    let text =
        "//--blockDim=2 --gridDim=1 -DN=3\n__global__ void k(int *a) { a[threadIdx.x] = N; }\n";
    std::fs::write(&file, text).unwrap();
    let explored = report(&["explore", file.to_str().unwrap()]);
    assert_eq!(check_statements(&explored, "assumptions", "assumed"), 1);
    assert_eq!(explored["assumed"][0]["kind"], "header-definition");
    assert_eq!(explored["assumed"][0]["arguments"]["definition"], "N=3");
    let text = "#include <missing.h>\n__global__ void k(int *a) { a[threadIdx.x] = 1; }\n";
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    for command in [
        vec!["check", file],
        vec!["explore", file, "--block", "2", "--grid", "1"],
        vec!["prove", file],
        vec!["equiv", file, file, "--block", "2"],
    ] {
        if !effort::is_next_done(3) {
            continue;
        }
        let report = report(&command);
        let mut assumed = report["assumed"].as_array().unwrap().iter();
        let is_said = assumed
            .any(|a| a["kind"] == "missing-header" && a["arguments"]["header"] == "missing.h");
        assert!(is_said, "{command:?}: {report:#}");
    }
    let source = "examples/tree-sum/tree_sum.cu";
    let rewritten = report(&["rewrite", source, "--rules", "shared-memory"]);
    assert!(check_statements(&rewritten, "assumptions", "assumed") > 0);
    assert_eq!(rewritten["assumed"][0]["kind"], "rule-condition");
}

const EXPLAINED: &[(&str, Is)] = &[
    ("file", Is::Text),
    ("kernel", Is::Text),
    ("finding", Is::Text),
    ("condition", Is::Object),
    ("kinds", Is::List),
    ("counts", Is::Object),
    ("variables", Is::List),
    ("table", Is::Object),
    ("points", Is::List),
    ("assumptions", Is::List),
    ("assumed", Is::List),
    ("unknown", Is::List),
    ("limits_hit", Is::List),
    ("seconds", Is::Number),
];

const STATED: &[(&str, Is)] = &[
    ("text", Is::Text),
    ("code", Is::TextOrNull),
    ("proved", Is::Flag),
    ("properties", Is::List),
    ("holds_at", Is::Number),
    ("fails_at", Is::Number),
    ("held_out", Is::Number),
    ("revisions", Is::Number),
];

#[test]
fn what_must_hold() {
    let report = run(&[
        "check",
        "tests/conditions/small-block.cu",
        "--explain-conditions",
        "--format",
        "json",
    ])
    .json();
    check(&report, JUDGEMENT);
    let explained = &report["what_must_hold"][0];
    check(explained, EXPLAINED);
    check_statements(explained, "assumptions", "assumed");
    check(&explained["condition"], STATED);
    check(
        &explained["kinds"][0],
        &[
            ("kind", Is::Text),
            ("n_failing", Is::Number),
            ("example", Is::Object),
            ("condition", Is::Object),
        ],
    );
    check(
        &explained["points"][0],
        &[("at", Is::Object), ("outcome", Is::Text)],
    );
    let counts = ["tried", "safe", "failing", "unknown", "excluded"];
    check(&explained["counts"], &counts.map(|name| (name, Is::Number)));
    // Without the option nothing of it is there.
    let plain = run(&[
        "check",
        "tests/conditions/small-block.cu",
        "--format",
        "json",
    ])
    .json();
    assert!(plain.get("what_must_hold").is_none());
}
