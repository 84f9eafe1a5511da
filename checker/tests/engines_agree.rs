//! The canonical run against the explorer on random kernels (M1), on the reference semantics.

use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::compiled::compile;
use gridlock_checker::explore::{ExploreOptions, ExploredProgram, Outcome, explore_system};
use gridlock_checker::limits::Limits;
use gridlock_checker::replay::confirm_in;
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::generate::{Generated, Sizes, race_free, unrestricted};
use gridlock_semantics::profile::Profile;

#[derive(Debug, Default)]
struct Tally {
    decided: u32,
    clean: u32,
    found: u32,
}

/// Lemma (M1): a canonical run that decides and finds nothing speaks for all schedules; what it
/// finds is so; where the explorer finds nothing, it finds nothing.
fn judge(generated: &Generated, profile: &Profile, tally: &mut Tally) {
    let case = (generated.seed, &profile.name);
    let system = ExploredProgram::new(&generated.program, &generated.setup, profile)
        .unwrap_or_else(|error| panic!("{case:?}: {error}"));
    let compiled = compile(&atomic_form(&generated.program));
    let limits = Limits {
        states: 5_000,
        ..Limits::default()
    };
    let run = canonical::run(&compiled, &generated.setup, profile, &limits);
    for finding in &run.findings {
        assert!(
            confirm_in(&system, finding).is_some(),
            "{case:?} {finding:?}"
        );
    }
    let all = explore_system(&system, &limits, &ExploreOptions::default());
    if !all.complete {
        return;
    }
    let decides = matches!(run.status, CanonicalStatus::Decides);
    if decides && run.findings.is_empty() {
        let seen = run.observation.clone().map(Outcome::Observation);
        assert!(all.findings.is_empty(), "{case:?} {:?}", all.findings);
        assert!(all.outcomes.keys().eq(seen.iter()), "{case:?}");
        tally.clean += 1;
    }
    if all.findings.is_empty() {
        assert!(run.findings.is_empty(), "{case:?} {:?}", run.findings);
    }
    tally.decided += (decides || matches!(run.status, CanonicalStatus::Faulted)) as u32;
    tally.found += (!run.findings.is_empty()) as u32;
}

fn n_programs() -> u64 {
    if cfg!(debug_assertions) { 60 } else { 10_000 }
}

#[test]
fn canonical_run_and_explorer_agree() {
    let profiles: Vec<Profile> = ["cuda", "cuda-hw", "portable"]
        .iter()
        .filter_map(|name| Profile::named(name))
        .collect();
    let mut tally = Tally::default();
    let n = n_programs();
    for seed in 0..n {
        let profile = &profiles[(seed % 3) as usize];
        judge(&unrestricted(seed, &Sizes::default()), profile, &mut tally);
        judge(&race_free(seed, &Sizes::default()), profile, &mut tally);
    }
    let n = n as u32;
    assert!(
        tally.decided > n && tally.clean > n / 2 && tally.found > n / 4,
        "{tally:?}"
    );
}
