//! The canonical run against the explorer on random kernels (M1), on the reference semantics.

use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::compiled::compile;
use gridlock_checker::explore::{ExploreOptions, Outcome, explore_system};
use gridlock_checker::limits::Limits;
use gridlock_checker::replay::confirm_in;
use gridlock_checker::system::ExploredProgram;
use gridlock_generation::random::{Generated, Sizes, race_free, unrestricted};
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::profile::Profile;
use rayon::prelude::*;

#[derive(Debug, Default)]
struct Tally {
    decided: u32,
    clean: u32,
    found: u32,
    judged: u32,
    open_cells: u32,
}

impl Tally {
    fn add(self, other: Tally) -> Tally {
        Tally {
            decided: self.decided + other.decided,
            clean: self.clean + other.clean,
            found: self.found + other.found,
            judged: self.judged + other.judged,
            open_cells: self.open_cells + other.open_cells,
        }
    }
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
    // A race may depend on an earlier one in a way its shortened schedule leaves out; the first
    // depends on none.
    if let Some(finding) = run.findings.first() {
        let shown = run
            .findings
            .iter()
            .any(|f| confirm_in(&system, f).is_some());
        assert!(shown, "{case:?} {finding:?}");
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
    if matches!(run.status, CanonicalStatus::DecidesDefects { .. }) {
        tally.open_cells += u32::from(run.findings.is_empty());
        if run.findings.is_empty() {
            assert!(all.findings.is_empty(), "{case:?} {:?}", all.findings);
        }
    }
    if all.findings.is_empty() {
        assert!(run.findings.is_empty(), "{case:?} {:?}", run.findings);
    }
    tally.judged += 1;
    tally.decided += (decides || matches!(run.status, CanonicalStatus::Faulted)) as u32;
    tally.found += (!run.findings.is_empty()) as u32;
}

fn profiles() -> Vec<Profile> {
    let named = |name: &&str| Profile::named(name);
    ["cuda", "cuda-hw", "portable"]
        .iter()
        .filter_map(named)
        .collect()
}

/// Two threads and a few statements: thousands of programs in little time.
#[test]
fn ten_thousand_small_programs() {
    let sizes = Sizes {
        threads: 2,
        all_threads: 2,
        statements: 4,
        expression_depth: 1,
        ..Sizes::default()
    };
    let profiles = profiles();
    let tally = (0..5_000u64)
        .into_par_iter()
        .map(|seed| {
            let mut tally = Tally::default();
            let profile = &profiles[(seed % 3) as usize];
            judge(&unrestricted(seed, &sizes), profile, &mut tally);
            judge(&race_free(seed, &sizes), profile, &mut tally);
            tally
        })
        .reduce(Tally::default, Tally::add);
    assert!(tally.judged == 10_000, "{tally:?}");
    assert!(
        tally.decided > 6_000 && tally.clean > 5_000 && tally.found > 1_000,
        "{tally:?}"
    );
}

/// The same with many operations of warps, also in lockstep.
#[test]
fn programs_that_exchange() {
    let sizes = Sizes {
        threads: 3,
        blocks: 1,
        all_threads: 3,
        statements: 4,
        expression_depth: 1,
        exchanges: true,
        ..Sizes::default()
    };
    let named = |name: &str| Profile::named(name).expect("a named profile");
    let profiles = [named("cuda"), named("cuda-hw"), named("lockstep-warp")];
    let tally = (0..1_000u64)
        .into_par_iter()
        .map(|seed| {
            let mut tally = Tally::default();
            let profile = &profiles[(seed % 3) as usize];
            judge(&unrestricted(seed, &sizes), profile, &mut tally);
            judge(&race_free(seed, &sizes), profile, &mut tally);
            tally
        })
        .reduce(Tally::default, Tally::add);
    assert!(tally.judged > 1_900, "{tally:?}");
    assert!(
        tally.decided > 1_200 && tally.clean > 1_000 && tally.found > 200,
        "{tally:?}"
    );
}
