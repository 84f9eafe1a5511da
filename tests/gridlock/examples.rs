//! The examples' verdicts, with kind, line and profile: what `make demo` shows, asserted.

use gridlock::input::request::{EntryRequest, LaunchSpec, Request};
use gridlock::judge::check::check_file;
use gridlock::pipeline::{self, PipelineOptions, report::PipelineReport};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::limits::Limits;
use gridlock_checker::report::Judgement;
use gridlock_checker::verdict::{Assurance, Verdict};
use gridlock_frontend::ParseOptions;
use gridlock_semantics::profile::Profile;
use std::path::{Path, PathBuf};

fn example(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples")
        .join(path)
}

fn check(path: &str, profile: &str, entry: EntryRequest) -> Judgement {
    let request = Request {
        profile: Profile::named(profile).expect("a named profile"),
        ..Request::default()
    };
    check_file(&example(path), &ParseOptions::default(), &entry, &request)
        .expect("an example is good input")
}

fn four_blocks_of_64() -> EntryRequest {
    EntryRequest {
        launch: LaunchSpec {
            grid: Some([4, 1, 1]),
            block: Some([64, 1, 1]),
            shared_bytes: None,
        },
        args: [("n".to_owned(), "250".to_owned())].into(),
        ..EntryRequest::default()
    }
}

#[test]
fn the_divergent_barrier_is_refuted_under_cuda() {
    let judgement = check("barriers/divergent.cu", "cuda", four_blocks_of_64());
    assert_eq!(judgement.verdict, Verdict::Refuted);
    let defect = judgement
        .defects
        .iter()
        .find(|d| d.kind == DefectKind::BarrierDivergence)
        .expect("a barrier divergence");
    assert!(defect.confirmed);
    // n = 250: threads 58 to 63 of block 3 skip the barrier on line 11 the others wait at.
    let waiting = defect.threads.iter().filter(|t| t.line == 11).count();
    assert_eq!(
        (defect.threads.len(), waiting),
        (64, 58),
        "{:#?}",
        defect.threads
    );
    assert!(defect.threads.iter().all(|t| t.block == Some([3, 0, 0])));
    assert!(defect.message.contains("never"), "{}", defect.message);
}

#[test]
fn hardware_tolerates_the_divergent_barrier() {
    let judgement = check("barriers/divergent.cu", "cuda-hw", four_blocks_of_64());
    assert!(
        judgement.verdict >= Verdict::Passed,
        "{:#?}",
        judgement.properties
    );
}

#[test]
fn the_divergent_barrier_is_found_without_a_launch() {
    let judgement = check("barriers/divergent.cu", "cuda", EntryRequest::default());
    assert_eq!(judgement.verdict, Verdict::Conditional);
    let excluded = judgement.conditions.iter();
    let mut excluded = excluded.map(|condition| condition.defect.kind);
    assert!(excluded.any(|kind| kind == DefectKind::BarrierDivergence));
}

#[test]
fn the_repaired_twin_is_proved_for_all_sizes() {
    let judgement = check("barriers/repaired.cu", "cuda", EntryRequest::default());
    assert_eq!(
        judgement.verdict,
        Verdict::Proved,
        "{:#?}",
        judgement.properties
    );
    assert_eq!(judgement.assurance, Some(Assurance::AllInputsAllSizes));
}

/// Step, profile, verdict, kind of the first defect.
type JudgedStep = (String, String, Verdict, Option<DefectKind>);

fn with_devices() -> PipelineOptions {
    PipelineOptions {
        run_devices: true,
        // What a step takes is counted; a clock is there for what hangs, on a busy machine too.
        limits: Limits {
            seconds: 600.0,
            ..Limits::default()
        },
        ..PipelineOptions::default()
    }
}

/// Runs a pipeline; says whether all came out as expected, and gives the steps.
fn verify(path: &str) -> (bool, Vec<JudgedStep>) {
    let (report, steps) = verify_with(path, &with_devices());
    (report.as_expected, steps)
}

fn verify_with(path: &str, options: &PipelineOptions) -> (PipelineReport, Vec<JudgedStep>) {
    let report = pipeline::verify(&example(path), options).expect("an example is good input");
    assert!(
        !report.runs.is_empty() && report.not_run.is_empty(),
        "{:?}",
        report.not_run
    );
    for run in &report.runs {
        assert!(run.agree, "{run:#?}");
    }
    let steps = report.steps.iter().map(|s| {
        assert!(
            s.agrees,
            "{} under {}: {:?} {}",
            s.name, s.profile, s.verdict, s.explanation
        );
        (
            s.name.clone(),
            s.profile.clone(),
            s.verdict,
            s.defects.first().map(|d| d.kind),
        )
    });
    let steps = steps.collect();
    (report, steps)
}

#[test]
fn the_tree_sum_goes_through_its_chain() {
    let (as_expected, steps) = verify("tree-sum/pipeline.toml");
    assert!(as_expected);
    let of = |name: &str, profile: &str| {
        let found = steps
            .iter()
            .find(|(n, p, ..)| n.starts_with(name) && p == profile);
        let (_, _, verdict, kind) = found.expect("the step was judged");
        (*verdict, *kind)
    };
    assert!(of("T4", "cuda").0 >= Verdict::Passed);
    assert!(of("T6", "cuda").0 >= Verdict::Passed);
    assert_eq!(
        of("T8 unrolled", "cuda"),
        (Verdict::Refuted, Some(DefectKind::DataRace))
    );
    assert!(of("T8 unrolled", "lockstep-warp").0 >= Verdict::Passed);
    assert!(of("T8 repaired", "cuda").0 >= Verdict::Passed);
}

/// And is lowered, one program of the algebra as a file over each interface a host may use.
#[test]
fn the_bitonic_sort_becomes_a_gpu_program() {
    let folder = tempfile::tempdir().unwrap();
    let options = PipelineOptions {
        write: Some(folder.path().to_owned()),
        ..with_devices()
    };
    let (report, steps) = verify_with("bitonic-sort/pipeline.toml", &options);
    assert!(report.as_expected);
    let last = steps.last().expect("steps");
    assert_eq!(
        (last.2, last.3),
        (Verdict::Refuted, Some(DefectKind::OutOfBounds))
    );
    for (name, call) in [
        ("bitonic-sort-host.cu", "cudaMemcpy("),
        ("bitonic-sort-cuda-driver.cpp", "cuLaunchKernel("),
        ("bitonic-sort-cuda-driver.cu", "__global__"),
        ("bitonic-sort-opencl-host.cpp", "clEnqueueNDRangeKernel("),
        ("bitonic-sort-opencl-host.cl", "kernel void"),
        ("bitonic-sort-csharp.cs", "DllImport"),
        ("bitonic-sort-csharp.cu", "__global__"),
    ] {
        let text = std::fs::read_to_string(folder.path().join(name)).expect(name);
        assert!(text.contains(call), "{name}:\n{text}");
        let lowered = report.lowered.iter().find(|l| l.name == name).expect(name);
        let is_compiled = name.ends_with(".cu");
        assert_eq!(lowered.compiled_for.is_empty(), !is_compiled, "{name}");
    }
}
