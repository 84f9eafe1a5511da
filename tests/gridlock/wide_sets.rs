//! Sets of many threads are not listed: the search says so instead of running out of memory.

use gridlock_checker::explore::{Exploration, ExploreOptions, explore_program};
use gridlock_checker::limits::Limits;
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};

const KERNEL: &str = "__global__ void fill(int *a) { a[threadIdx.x] = 1; }\n";

/// Explores `KERNEL` with one block under `paper`.
fn explore(n_threads: u32) -> Exploration {
    explore_source(KERNEL, n_threads, "paper")
}

/// Explores the kernel `fill` of a text with one block.
fn explore_source(text: &str, n_threads: u32, profile: &str) -> Exploration {
    let parsed = parse_source("fill.cu", text, Language::Cuda, &ParseOptions::default()).unwrap();
    let setup = Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry: parsed.program.find_proc("fill").unwrap(),
        launch: Some(Launch {
            grid: [1, 1, 1],
            block: [n_threads, 1, 1],
            shared_bytes: 0,
        }),
        args: vec![Arg::Array(0)],
        arrays: vec![ArrayArg {
            name: "a".into(),
            elem: ScalarType::I32,
            extent: None,
            contents: Contents::Zero,
            observed: true,
        }],
    };
    let profile = Profile::named(profile).unwrap();
    let options = ExploreOptions::default();
    explore_program(
        &parsed.program,
        &setup,
        &profile,
        &Limits::default(),
        &options,
    )
    .unwrap()
}

#[test]
fn sets_of_few_threads_are_explored() {
    let exploration = explore(4);
    assert!(exploration.complete, "{:?}", exploration.limits_hit);
    assert_eq!(exploration.outcomes.len(), 1);
}

#[test]
fn sets_of_many_threads_are_a_limit_and_no_deadlock() {
    let exploration = explore(64);
    assert!(!exploration.complete);
    assert!(
        exploration.outcomes.is_empty(),
        "{:?}",
        exploration.outcomes
    );
    assert!(exploration.findings.is_empty());
    assert!(
        exploration.limits_hit[0].contains("64 threads"),
        "{:?}",
        exploration.limits_hit
    );
}

/// Thread 0 writes element 2^32 - 1 of an array whose extent is not given: no list of its elements is
/// made, and nothing is claimed of the run.
#[test]
fn a_wild_index_is_a_limit() {
    let text = "__global__ void fill(int *a) { a[threadIdx.x - 1] = 1; }\n";
    for profile in ["cuda", "lockstep-warp", "paper"] {
        let explored = explore_source(text, 2, profile);
        assert!(!explored.complete);
        assert!(explored.outcomes.is_empty());
        let [limit] = &explored.limits_hit[..] else {
            panic!("{:?}", explored.limits_hit);
        };
        assert!(limit.contains("`a`, whose extent is not given"), "{limit}");
    }
}
