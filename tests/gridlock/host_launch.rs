//! Where a file's own host code launches a kernel, that launch is judged: a defect at another
//! launch is a condition, and does not refute.

use crate::tool::run;
use gridlock::input::request::{EntryRequest, Request};
use gridlock::judge::check::check_parsed;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::Judgement;
use gridlock_checker::verdict::Verdict;
use gridlock_frontend::{Language, ParseOptions, parse_source};
use serde_json::Value;

/// Reverses 64 numbers in shared memory; `threads` is what `main` launches.
fn reverse(threads: &str) -> Judgement {
    reverse_as(threads, EntryRequest::default())
}

fn reverse_as(threads: &str, entry: EntryRequest) -> Judgement {
    let text = "
__global__ void reverse(int *d, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = d[t];
    __syncthreads();
    d[t] = s[n - t - 1];
}

int main()
{
    int a[64];
    for (int i = 0; i < 64; i++)
        a[i] = i;
    int *d;
    cudaMalloc((void **)&d, 64 * sizeof(int));
    cudaMemcpy(d, a, 64 * sizeof(int), cudaMemcpyHostToDevice);
    reverse<<<1, THREADS>>>(d, 64);
    cudaMemcpy(a, d, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d);
    return a[0];
}
"
    .replace("THREADS", threads);
    let parsed = parse_source(
        "reverse.cu",
        &text,
        Language::Cuda,
        &ParseOptions::default(),
    )
    .expect("reads");
    check_parsed("reverse.cu", parsed, &entry, &Request::default()).expect("good input")
}

#[test]
fn a_defect_at_another_launch_is_a_condition() {
    let judgement = reverse("64");
    assert_eq!(
        judgement.verdict,
        Verdict::Proved,
        "{:#?}",
        judgement.properties
    );
    assert!(judgement.defects.is_empty());
    let condition = judgement.conditions.first().expect("a condition");
    assert_eq!(condition.defect.kind, DefectKind::OutOfBounds);
    assert!(condition.defect.confirmed);
    assert!(
        condition.launch.starts_with("with grid"),
        "{}",
        condition.launch
    );
}

/// Whoever asks for the kernel by itself has it judged at every launch.
#[test]
fn a_kernel_that_is_asked_for_is_judged_by_itself() {
    let entry = EntryRequest {
        entry: Some("reverse".to_owned()),
        ..EntryRequest::default()
    };
    let judgement = reverse_as("64", entry);
    assert_eq!(judgement.verdict, Verdict::Conditional);
    let condition = &judgement.conditions[0];
    assert_eq!(condition.defect.kind, DefectKind::OutOfBounds);
    assert_eq!(
        condition.source.as_deref(),
        Some("n <= 64 and n == blockDim.x")
    );
}

#[test]
fn a_defect_at_the_launch_of_the_host_refutes() {
    let judgement = reverse("65");
    assert_eq!(judgement.verdict, Verdict::Refuted);
    assert!(
        judgement
            .defects
            .iter()
            .any(|d| d.kind == DefectKind::OutOfBounds)
    );
    let too_few = reverse("32");
    assert_eq!(too_few.verdict, Verdict::Refuted);
    assert!(
        too_few
            .defects
            .iter()
            .any(|d| d.kind == DefectKind::UninitialisedRead)
    );
}

/// What a device refuses another may take: a replay holds launches to the limits that the run was held to.
#[test]
fn a_witness_names_the_device_its_launches_were_held_to() {
    const FILE: &str = "tests/input/large_launches.cu";
    let save = tempfile::NamedTempFile::new().unwrap();
    let path = save.path().to_str().unwrap();
    let found = |entry: &str, options: &[&str]| {
        let check = ["check", FILE, "--kernel", entry, "--save-witness", path];
        let checked = run(&[&check, options].concat());
        assert_eq!(checked.status, 1, "{}{}", checked.stdout, checked.stderr);
        let witness = std::fs::read_to_string(path).unwrap();
        serde_json::from_str::<Value>(&witness).unwrap()
    };
    let replayed = |witness: &Value| {
        std::fs::write(path, witness.to_string()).unwrap();
        run(&["replay", path, "--print"]).status
    };
    let limits = |device| ["--device-limits", device];
    for (entry, device, kind) in [
        ("roomy", "sm_75", "invalid-launch"),
        ("wide", "none", "data-race"),
    ] {
        let mut witness = found(entry, &limits(device));
        assert_eq!(witness["kind"], kind);
        assert_eq!(witness["device"], device);
        assert_eq!(replayed(&witness), 0, "{entry}");
        // The usual device takes, or refuses, the launch.
        witness.as_object_mut().unwrap().remove("device");
        assert_ne!(replayed(&witness), 0, "{entry}");
    }
    // As witnesses were before: nothing is said of the usual device.
    for (entry, kind) in [("roomy", "data-race"), ("wide", "invalid-launch")] {
        let mut witness = found(entry, &[]);
        assert_eq!(
            (&witness["kind"], witness.get("device")),
            (&kind.into(), None)
        );
        assert_eq!(replayed(&witness), 0, "{entry}");
        let other = if entry == "wide" { "none" } else { "sm_75" };
        witness["device"] = other.into();
        assert_ne!(replayed(&witness), 0, "{entry}");
    }
    let launch = ["--grid", "1", "--block", "2", "--device-limits", "sm_75"];
    let witness = found("last", &launch);
    assert_eq!(witness["device"], "sm_75");
    assert_eq!(replayed(&witness), 0);
}

/// GPUVerify knows no limits of blocks: a launch that its header gives is judged, and the report says what that takes
/// for granted. One that an option gives is refused, unless the option says that there are no limits.
#[test]
fn blocks_beyond_devices_are_those_of_gpuverify() {
    const FILE: &str = "tests/input/block_beyond_devices.cu";
    let why = "the block is 2048 in x, the limit is 1024";
    let by_header = run(&["check", FILE]);
    assert_eq!(by_header.status, 1, "{}", by_header.stderr);
    let flat = by_header
        .stdout
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(
        flat.contains(&format!(
            "a device takes the launch that is given, which those of today refuse: {why}"
        )),
        "{flat}"
    );
    let refused = run(&["check", FILE, "--block", "2048"]);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains(why), "{}", refused.stderr);
    let unlimited = run(&["check", FILE, "--block", "2048", "--device-limits", "none"]);
    assert_eq!(unlimited.status, 1);
    assert!(unlimited.stdout.contains("which those of today"));
    let small = run(&["check", FILE, "--block", "64"]);
    assert!(!small.stdout.contains("those of today"));
}

/// A race in `main`, whose host code takes what `rand` gives, behind `rounds` rounds of a loop.
fn shift(rounds: u32) -> Judgement {
    let text = "
#include <stdlib.h>
__global__ void shift(int *a, int n)
{
    int i = threadIdx.x;
    if (i < n)
        a[i] = a[i + 1];
}

__global__ void clear(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 0;
}

int main()
{
    int host[65], *a, sum = 0;
    for (int i = 0; i < 65; i++)
        host[i] = rand();
    for (int i = 0; i < ROUNDS; i++)
        sum += host[i % 64];
    cudaMalloc((void **)&a, sizeof(host));
    cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
    shift<<<1, 64>>>(a, 64);
    clear<<<1, 64>>>(a, 32);
    cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
    cudaFree(a);
    return sum == host[0];
}
"
    .replace("ROUNDS", &rounds.to_string());
    let options = ParseOptions::default();
    let parsed = parse_source("shift.cu", &text, Language::Cuda, &options).expect("reads");
    let (entry, request) = (EntryRequest::default(), Request::default());
    check_parsed("shift.cu", parsed, &entry, &request).expect("good input")
}

#[test]
fn long_host_code_with_a_defect_is_not_run_again_with_other_numbers() {
    let inputs = |judgement: &Judgement| judgement.subjects.last().map(|s| s.inputs.clone());
    let (short, long) = (shift(100), shift(1_000_000));
    for judgement in [&short, &long] {
        assert_eq!(judgement.verdict, Verdict::Refuted);
    }
    assert_eq!(
        inputs(&short).as_deref(),
        Some("random, 3 a launch, seed 1")
    );
    assert_eq!(inputs(&long).as_deref(), Some("random, 1 a launch, seed 1"));
}

/// What is found beyond the launches of host code comes first, in the order of the kernels, and each statement is of its
/// own subject.
#[test]
fn kernels_are_judged_beside_the_host_code() {
    let judgement = shift(100);
    let names: Vec<&str> = judgement.subjects.iter().map(|s| &*s.kernel).collect();
    assert_eq!(names, ["shift", "clear", "main"]);
    let of = |subject: usize| names[subject];
    let defects = judgement.defects.iter().map(|d| (of(d.subject), d.kind));
    let race = DefectKind::DataRace;
    assert_eq!(Vec::from_iter(defects), [("main", race)]);
    let conditions = judgement.conditions.iter();
    let conditions = conditions.map(|c| (of(c.subject), of(c.defect.subject), c.defect.kind));
    assert_eq!(Vec::from_iter(conditions), [("shift", "shift", race)]);
    let proved = judgement.properties.iter();
    let mut proved = proved.filter(|p| p.verdict == Verdict::Proved && of(p.subject) != "main");
    assert!(proved.all(|p| of(p.subject) == "clear"));
}
