//! Conditions of the library, each with a program that needs it: with the condition the rule is refused there;
//! without it, it applies and the judgement finds out. And assumptions that a case breaks: stated, and the
//! result refuted.

use gridlock::pipeline::report::StepReport;
use gridlock::pipeline::{self, PipelineOptions};
use gridlock_checker::verdict::Verdict;
use std::fs;
use std::path::Path;

/// A rule system of the library, and a program it is applied to.
struct Applied<'a> {
    system: &'a str,
    /// Of `tests/rule_conditions/`.
    file: &'a str,
    entry: &'a str,
    /// Keys of the pipeline's `[[case]]`.
    case: &'a str,
}

const ONE_THREAD: &str =
    "launch = { grid = [1, 1, 1], block = [1, 1, 1] }\nextents = { a = 4, b = 4 }";

/// The one step, with `without` taken out of the rules; the message where it cannot be applied.
fn applied(of: &Applied, without: &str) -> Result<StepReport, String> {
    let folder = tempfile::tempdir().unwrap();
    let rules = fs::read_to_string(format!("transforms/rules/{}.rules", of.system)).unwrap();
    assert!(rules.contains(without), "{}: no {without}", of.system);
    fs::write(folder.path().join("s.rules"), rules.replace(without, "")).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = root.join("tests/rule_conditions").join(of.file);
    let text = format!(
        "name = \"p\"\nsource = {source:?}\nentry = \"{}\"\n[[case]]\n{}\n[[step]]\nname = \"s\"\n\
         rules = \"s.rules\"\nexpect = [{{ profile = \"cuda\", at-least = \"passed\" }}]\n",
        of.entry, of.case
    );
    let path = folder.path().join("p.toml");
    fs::write(&path, text).unwrap();
    let report = pipeline::verify(&path, &PipelineOptions::default());
    report
        .map(|mut report| report.steps.remove(0))
        .map_err(|error| error.message)
}

/// Refused by the condition; without it refuted, or not even a program that can be judged.
fn needed(of: &Applied, condition: &str, kind: &str) {
    let refused = match applied(of, "") {
        Ok(step) => panic!("{} was applied: {:?}", of.system, step.verdict),
        Err(message) => message,
    };
    assert!(refused.contains("changes nothing"), "{refused}");
    let step = applied(of, condition).expect("it applies without");
    let found: Vec<&str> = step
        .defects
        .iter()
        .map(|defect| defect.kind.name())
        .collect();
    let right = match kind {
        "" => step.verdict == Verdict::Unknown,
        kind => step.verdict == Verdict::Refuted && found.contains(&kind),
    };
    let (system, verdict) = (of.system, step.verdict);
    assert!(right, "{system} without {condition}: {verdict:?} {found:?}");
}

#[test]
fn a_loop_that_a_thread_may_leave_for_good_is_not_split() {
    let of = Applied {
        system: "split-loop",
        file: "ends-early.cu",
        entry: "together",
        case: ONE_THREAD,
    };
    needed(&of, "no_exit({ $first $second $rest* }),", "not-equivalent");
}

#[test]
fn nor_is_it_fused_with_another() {
    let of = Applied {
        system: "fuse-loops",
        file: "ends-early.cu",
        entry: "apart",
        case: ONE_THREAD,
    };
    needed(&of, "no_exit({ $p $q }),", "not-equivalent");
}

#[test]
fn a_copy_stays_where_the_host_waits_by_it() {
    let of = Applied {
        system: "copy-elimination",
        file: "waits.cu",
        entry: "there_and_back",
        case: "extents = { x = 4 }",
    };
    needed(&of, "synchronous(),", "use-after-free");
    let of = Applied {
        system: "host-code-motion",
        entry: "in_a_loop",
        case: "extents = { x = 4, y = 4 }",
        ..of
    };
    needed(&of, ", synchronous()", "stale-data");
}

/// The half behind the barrier would name an array that is none of its own.
#[test]
fn a_kernel_that_keeps_an_array_past_a_barrier_is_not_split_there() {
    let of = Applied {
        system: "split-kernel",
        file: "own-array.cu",
        entry: "run",
        case: "extents = { x = 4, y = 4 }",
    };
    needed(&of, ", no_own_arrays({ $head* $p* $q* })", "");
}

#[test]
fn what_leaves_a_loop_takes_for_granted_that_it_runs() {
    let of = |case| Applied {
        system: "host-code-motion",
        file: "never-runs.cu",
        entry: "run",
        case,
    };
    let says = |step: &StepReport| {
        let mut all = step.assumptions.iter();
        all.any(|a| a.to_string().contains("the loop over v runs at least once"))
    };
    let runs = applied(&of("extents = { x = 4 }\nargs = { rounds = 2 }"), "").unwrap();
    assert!(runs.verdict == Verdict::Proved && says(&runs), "{runs:?}");
    let never = applied(&of("extents = { x = 1 }\nargs = { rounds = 0 }"), "").unwrap();
    assert!(
        never.verdict == Verdict::Refuted && says(&never),
        "{never:?}"
    );
}

/// Every grid is to cover all: one that leaves elements out is no original.
#[test]
fn a_loop_over_the_grids_stride_takes_a_thread_for_each_for_granted() {
    let of = |case| Applied {
        system: "grid-stride",
        file: "guarded.cu",
        entry: "twice",
        case,
    };
    let says = |step: &StepReport| {
        let mut all = step.assumptions.iter();
        all.any(|a| {
            a.to_string()
                .contains("the grid has a thread for each of n")
        })
    };
    let whole = "launch = { grid = [2, 1, 1], block = [4, 1, 1] }\nargs = { n = 7 }";
    let part = "launch = { grid = [2, 1, 1], block = [4, 1, 1] }\nargs = { n = 12 }";
    let covers = applied(&of(whole), "").unwrap();
    assert!(
        covers.verdict == Verdict::Proved && says(&covers),
        "{covers:?}"
    );
    let short = applied(&of(part), "").unwrap();
    assert!(
        short.verdict == Verdict::Refuted && says(&short),
        "{short:?}"
    );
}

/// Variables that one rule makes have names of their own.
#[test]
fn parameters_of_a_fused_kernel_have_different_names() {
    let of = Applied {
        system: "fuse-kernels",
        file: "two-launches.cu",
        entry: "run",
        case: "extents = { x = 4 }",
    };
    let step = applied(&of, "").unwrap();
    assert_eq!(step.verdict, Verdict::Proved);
    assert!(step.diff.contains("(int *a_2, int *a_3)"), "{}", step.diff);
}

/// What a step changes and its entry never comes to was not compared: the barrier of the kernel beside the entry is
/// dropped, and no run shows that.
#[test]
fn a_step_that_its_entry_never_comes_to_is_not_passed() {
    let judged = |entry: &str| {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write(
            "k.cu",
            "__global__ void needed(int *a) { __shared__ int s[4]; s[threadIdx.x] = a[threadIdx.x]; \
             __syncthreads(); a[threadIdx.x] = s[3 - threadIdx.x]; }\n\
             __global__ void other(int *a) { a[threadIdx.x] = 1; }\n",
        );
        let rules = fs::read_to_string("examples/first-rule/drop.rules").unwrap();
        write("drop.rules", &rules);
        write(
            "p.toml",
            &format!(
                "name = \"p\"\nsource = \"k.cu\"\nentry = \"{entry}\"\n[[case]]\n\
                 launch = {{ grid = [1, 1, 1], block = [4, 1, 1] }}\nextents = {{ a = 4 }}\n[[step]]\n\
                 name = \"s\"\nrules = \"drop.rules\"\nexpect = [{{ profile = \"cuda\", at-least = \"passed\" }}]\n"
            ),
        );
        let report = pipeline::verify(&folder.path().join("p.toml"), &PipelineOptions::default());
        let mut report = report.expect("a pipeline");
        (report.as_expected, report.steps.remove(0))
    };
    let (as_expected, step) = judged("other");
    assert!(!as_expected, "{:?}", step.verdict);
    assert_eq!(step.verdict, Verdict::Unknown);
    assert!(
        step.explanation.contains("`needed`"),
        "{}",
        step.explanation
    );
    assert_eq!(judged("needed").1.verdict, Verdict::Refuted);
}
