//! Proofs of kernels given as CUDA source.

use gridlock_checker::verdict::{Property, Reason};
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_generation::effort;
use gridlock_proofs::{ProofOutcome, ProofRequest, ProofStatus, prove_kernel};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Launch;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Is {
    Proved,
    Suspected,
    Open(Reason),
}
use Is::{Open, Proved, Suspected};

pub fn parse(source: &str) -> Program {
    let parsed = parse_source("k.cu", source, Language::Cuda, &ParseOptions::default());
    let parsed = parsed.unwrap_or_else(|e| panic!("{e:?}"));
    assert!(parsed.unsupported.is_empty(), "{:?}", parsed.unsupported);
    parsed.program
}

pub(super) fn prove(
    program: &Program,
    profile: &str,
    launch: Option<Launch>,
    properties: &[Property],
) -> ProofOutcome {
    let mut request = ProofRequest::all_sizes(Profile::named(profile).expect("a profile"));
    request.launch = launch;
    request.properties = properties.to_vec();
    // Tests run on busy machines.
    request.total_timeout *= 10;
    let kernel = program.procs_of_kind(ProcKind::Kernel).next();
    prove_kernel(program, kernel.expect("a kernel"), &request)
}

pub(super) fn is(outcome: &ProofOutcome, property: Property) -> Is {
    match outcome.of(property).expect("asked for").status {
        ProofStatus::Proved { .. } => Proved,
        ProofStatus::Candidate => Suspected,
        ProofStatus::Unknown { reason } => Open(reason),
        ProofStatus::NotJudged => panic!("not judged"),
    }
}

/// Judges both forms of the program, which have to agree.
/// A short run proves one kernel in so many as it was read, too.
const SHARE: usize = 5;

/// The atomic form, in which kernels are judged, and the form in which it was read.
fn forms(source: &str) -> Vec<Program> {
    let surface = parse(source);
    let atomic = atomic_form(&surface);
    match effort::is_next_done(SHARE) {
        true => vec![surface, atomic],
        false => vec![atomic],
    }
}

#[track_caller]
pub(super) fn check_in(
    source: &str,
    profile: &str,
    launch: Option<Launch>,
    races: Is,
    divergence: Is,
) {
    for program in forms(source) {
        let outcome = prove(
            &program,
            profile,
            launch,
            &[Property::Races, Property::Divergence],
        );
        let found = (
            is(&outcome, Property::Races),
            is(&outcome, Property::Divergence),
        );
        assert_eq!(
            found,
            (races, divergence),
            "{source}\n{:?}: {outcome:#?}",
            program.form
        );
    }
}

#[track_caller]
pub(super) fn check(source: &str, races: Is, divergence: Is) {
    check_in(source, "cuda", None, races, divergence);
}

pub(super) fn line(threads: u32, blocks: u32) -> Option<Launch> {
    Some(Launch {
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        shared_bytes: 4096,
    })
}

pub(super) const I: &str = "int i = blockIdx.x * blockDim.x + threadIdx.x;";

#[track_caller]
pub(super) fn check_one(source: &str, property: Property, expected: Is) {
    for program in forms(source) {
        let outcome = prove(&program, "cuda", None, &[property]);
        assert_eq!(is(&outcome, property), expected, "{source}\n{outcome:#?}");
    }
}
