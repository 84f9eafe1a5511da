//! Pipelines that search, what a run costs, and the folder of results.

use gridlock::input::request::{EntryRequest, LaunchSpec, Sampling};
use gridlock::input::source;
use gridlock::pipeline::report::PipelineReport;
use gridlock::pipeline::rewriting::{self, Trace};
use gridlock::pipeline::{self, PipelineOptions};
use gridlock::subject;
use gridlock_checker::cost::{self, Cost};
use gridlock_checker::system::ExploredProgram;
use gridlock_semantics::profile::Profile;
use std::path::{Path, PathBuf};

fn tree_sum() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/tree-sum")
}

/// What no search may accept here.
const DROP: &str = r#"
system drop
about "Every barrier is dropped."
source "a planted fault"
status "wrong"
rule drop: __syncthreads(); -> ;
strategy main = everywhere(drop)
"#;

/// A pipeline over the tree sum with this text behind its case.
fn run(rest: &str, options: &PipelineOptions) -> PipelineReport {
    let folder = tempfile::tempdir().unwrap();
    let source = std::fs::read_to_string(tree_sum().join("tree_sum.cu")).unwrap();
    std::fs::write(folder.path().join("tree_sum.cu"), source).unwrap();
    std::fs::write(folder.path().join("drop.rules"), DROP).unwrap();
    let head = r#"
name = "a search"
source = "tree_sum.cu"
entry = "tree_sum"
[[case]]
launch = { grid = [2, 1, 1], block = [64, 1, 1] }
extents = { in = 128, out = 128 }
inputs = "random:1:1"
"#;
    let path = folder.path().join("pipeline.toml");
    std::fs::write(&path, format!("{head}{rest}")).unwrap();
    pipeline::verify(&path, options).unwrap()
}

const TO_SHARED: &str = r#"
[[search.move]]
rules = "shared-memory"
observe = ["new.out[b] == old.out[b * blockDim] for b in 0..gridDim"]
"#;

#[test]
fn what_is_wrong_is_not_found_and_what_is_better_comes_first() {
    let text = format!(
        r#"
[search]
depth = 2
at-least = "passed"
expect-better = true
{TO_SHARED}
[[search.move]]
rules = "drop.rules"
[[search.move]]
rules = "shrinking-distance"
"#
    );
    let report = run(&text, &PipelineOptions::default());
    assert!(report.as_expected);
    let search = report.search.unwrap();
    assert!(search.limit.is_none());
    let steps: Vec<&[String]> = search.found.iter().map(|f| &f.steps[..]).collect();
    // In shared memory the accesses to global memory go, with fewer branches that part warps it is best.
    assert_eq!(steps[0], ["shared-memory", "shrinking-distance"]);
    let named = |wrong: &str| steps.iter().any(|s| s.iter().any(|name| name == wrong));
    assert!(!named("drop.rules"));
    assert!(search.refuted > 0);
    let totals: Vec<u64> = search.found.iter().map(|f| f.cost.unwrap().total).collect();
    assert!(totals.is_sorted());
    assert!(totals[0] < search.cost.unwrap().total);
}

#[test]
fn a_search_that_finds_nothing_is_not_as_expected() {
    let text = r#"
[search]
at-least = "passed"
expect-better = true
[[search.move]]
rules = "drop.rules"
[[lower]]
step = "best"
targets = ["cuda"]
"#;
    let folder = tempfile::tempdir().unwrap();
    let options = PipelineOptions {
        write: Some(folder.path().join("lowered")),
        ..PipelineOptions::default()
    };
    let report = run(text, &options);
    let search = report.search.unwrap();
    assert!(!report.as_expected);
    assert!(search.found.is_empty());
    assert_eq!((search.accepted, search.refuted), (0, 1));
    assert!(!folder.path().join("lowered").exists());
}

#[test]
fn a_search_ends_at_its_limits() {
    for (limit, said) in [("programs = 1", "1 programs"), ("seconds = 0", "0 seconds")] {
        let text = format!(
            "[search]\nat-least = \"passed\"\n{limit}\n{TO_SHARED}\n[[search.move]]\nrules = \"shrinking-distance\"\n"
        );
        let search = run(&text, &PipelineOptions::default()).search.unwrap();
        assert_eq!(search.limit.as_deref(), Some(said));
    }
}

#[test]
fn the_folder_has_every_step_and_what_was_lowered() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let options = PipelineOptions {
        out: Some(out.clone()),
        write: Some(folder.path().join("lowered")),
        ..PipelineOptions::default()
    };
    let text = r#"
[[step]]
name = "to shared memory"
rules = "shared-memory"
observe = ["new.out[b] == old.out[b * blockDim] for b in 0..gridDim"]
expect = [{ profile = "cuda", at-least = "passed" }]
[[step]]
name = "too short"
rules = "mutants/shrinking-distance-short"
expect = [{ profile = "cuda", verdict = "refuted" }]
[[lower]]
step = "to shared memory"
targets = ["cuda"]
"#;
    let report = run(text, &options);
    assert!(report.as_expected);
    for name in [
        "00-source.scheme",
        "01-to-shared-memory.scheme",
        "01-to-shared-memory.diff",
        "01-to-shared-memory-cuda.verdict.json",
        "01-to-shared-memory.steps.txt",
        "02-too-short.scheme",
        "too-short-cuda-1.json",
        "a-search-cuda.cu",
    ] {
        assert!(out.join(name).is_file(), "{name}");
    }
    let read = source::parse(&out.join("01-to-shared-memory.scheme"), &Default::default()).unwrap();
    assert!(read.program.find_proc("tree_sum").is_some());
    assert!(folder.path().join("lowered/a-search-cuda.cu").is_file());
    // Each derivation is done again on the program that it began with, and on no other.
    let replayed = |before: &str, steps: &str| {
        let before = source::parse(&out.join(before), &Default::default()).unwrap();
        let trace = Trace::load(&out.join(steps)).unwrap();
        let system = rewriting::rule_system(&trace.rules, Path::new("")).unwrap();
        rewriting::replay(&before.program, &system, &trace)
            .map(|derivation| gridlock_frontend::scheme::print_with_head(&derivation.program))
    };
    let text = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    let steps = [
        ("00-source.scheme", "01-to-shared-memory"),
        ("01-to-shared-memory.scheme", "02-too-short"),
    ];
    for (before, after) in steps {
        let again = replayed(before, &format!("{after}.steps.json")).unwrap();
        assert_eq!(again, text(&format!("{after}.scheme")));
    }
    assert!(replayed("00-source.scheme", "02-too-short.steps.json").is_err());
    let told = text("01-to-shared-memory.steps.txt");
    assert!(told.starts_with("Step 1 of "), "{told}");
}

/// The message of a pipeline that is refused.
fn refused(rest: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipeline.toml");
    let head = "name = 'p'\nsource = 'p.cu'\nentry = 'k'\n[[case]]\n";
    std::fs::write(&path, format!("{head}{rest}")).unwrap();
    let error = pipeline::verify(&path, &PipelineOptions::default());
    error.err().map(|error| error.message).unwrap_or_default()
}

#[test]
fn a_step_cannot_hide_behind_what_the_search_finds() {
    let step = |name: &str| {
        format!(
            "[[step]]\nname = '{name}'\nrules = 'redundant-barrier'\nexpect = [{{ profile = 'cuda' }}]\n"
        )
    };
    let search = "[search]\n[[search.move]]\nrules = 'redundant-barrier'\n";
    let message = refused(&format!("{}{search}", step("best")));
    assert!(message.contains("give the step another name"), "{message}");
    // Without a search it is a name like others; nothing but the source is missing here.
    let message = refused(&step("best"));
    assert!(!message.contains("another name"), "{message}");
    let message = refused(&step("last' \nmodulo = 'real"));
    assert!(message.contains("modulo is"), "{message}");
}

/// A field that no step has, at its own place.
#[test]
fn an_unknown_field_of_a_step_has_its_place() {
    for table in [
        "[[step]]\nname = 's'\nexpect = [{ profile = 'cuda' }]\n",
        "[search]\n[[search.move]]\nname = 'm'\n",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipeline.toml");
        let head = "name = 'p'\nsource = 'p.cu'\nentry = 'k'\n[[case]]\n";
        let rules = "rules = 'split-loop'\n  strategi = 'main'\n";
        std::fs::write(&path, format!("{head}{table}{rules}")).unwrap();
        let error = pipeline::verify(&path, &PipelineOptions::default());
        let error = error.expect_err("refused");
        assert_eq!(
            (error.line, error.column),
            (Some(9), Some(3)),
            "{}",
            error.message
        );
        assert!(error.message.contains("strategi"), "{}", error.message);
    }
}

#[test]
fn a_run_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kernel.cu");
    let text = "__global__ void k(int *a)\n{\n    __shared__ int s[64];\n    int t = threadIdx.x;\n    \
                s[t] = a[t];\n    __syncthreads();\n    if (t % 2 == 0)\n        a[t] = s[63 - t];\n    \
                if (t < 32)\n        s[t] = 0;\n}\n";
    std::fs::write(&path, text).unwrap();
    let program = source::parse(&path, &Default::default()).unwrap().program;
    let entry = EntryRequest {
        launch: LaunchSpec {
            grid: Some([3, 1, 1]),
            block: Some([64, 1, 1]),
            shared_bytes: None,
        },
        ..EntryRequest::default()
    };
    let kernel = program.find_proc("k").unwrap();
    let point = subject::resolve_entry(&program, kernel, &entry, None).unwrap();
    let setup =
        subject::sampled_setup(&program, &point, point.launch, Sampling::default(), 0).unwrap();
    let system = ExploredProgram::new(&program, &setup, &Profile::default()).unwrap();
    let counted = cost::of_one_run(&system, 1_000_000).unwrap();
    let expected = Cost {
        launches: 1,
        barriers: 3,
        warp_barriers: 0,
        // 64 reads and 32 writes a block.
        global_accesses: 3 * 96,
        // `t % 2` parts each of the two warps of a block; `t < 32` parts none.
        divergent_branches: 6,
    };
    assert_eq!(counted, expected);
    assert!(cost::of_one_run(&system, 100).is_none());
}
