//! A run that keeps nothing makes its transitions in place. It comes to where the run comes that keeps the states on its way,
//! in as many steps.

use gridlock_checker::finding::ScheduleStep;
use gridlock_checker::system::ExploredProgram;
use gridlock_checker::system::follow::Run;
use gridlock_generation::effort;
use gridlock_generation::random::{Generated, Sizes, unrestricted, unrestricted_host};
use gridlock_semantics::profile::Profile;
use gridlock_semantics::transition::TransitionSystem;

/// Transitions in one round of all actors.
const MOST: usize = 20_000;

#[derive(Default)]
struct Tally {
    ended: u32,
    faulted: u32,
    steps: usize,
    followed: u32,
    in_a_row: usize,
}

fn judge(generated: &Generated, profile: &Profile, tally: &mut Tally) {
    let Ok(system) = ExploredProgram::new(&generated.program, &generated.setup, profile) else {
        panic!("seed {} is no program", generated.seed);
    };
    for initial in system.initial() {
        let mut kept = Run::new(&system, initial.clone());
        let mut not_kept = Run::without_history(&system, initial.clone());
        kept.complete(MOST);
        not_kept.complete(MOST);
        let of = |run: &Run<'_>| (run.n_counted, run.n_followed, run.has_faulted());
        let seed = (generated.seed, &profile.name);
        assert_eq!(of(&kept), of(&not_kept), "{seed:?}");
        assert!(kept.state == not_kept.state, "{seed:?}");
        assert_eq!(kept.n_followed, kept.followed.len(), "{seed:?}");
        // The same schedule once more, in which many steps of one thread are made in a row.
        let schedule = joined(&kept.taken);
        let mut in_a_row = Run::without_history(&system, initial);
        let mut one_by_one = Run::new(&system, kept.start.clone());
        let goes = [&mut in_a_row, &mut one_by_one].map(|run| run.follow(&schedule).is_ok());
        assert_eq!(goes[0], goes[1], "{seed:?}");
        assert_eq!(of(&in_a_row), of(&one_by_one), "{seed:?}");
        assert!(in_a_row.state == one_by_one.state, "{seed:?}");
        tally.followed += u32::from(goes[0]);
        tally.in_a_row += schedule.iter().filter(|step| step.steps > 2).count();
        tally.ended += u32::from(system.is_final(&kept.state));
        tally.faulted += u32::from(kept.has_faulted());
        tally.steps += kept.n_counted;
    }
}

/// Neighbouring steps of one actor as one.
fn joined(steps: &[ScheduleStep]) -> Vec<ScheduleStep> {
    let mut schedule: Vec<ScheduleStep> = Vec::new();
    for step in steps {
        match schedule.last_mut() {
            Some(last) if (&last.actors, last.choice) == (&step.actors, step.choice) => {
                last.steps += step.steps;
            }
            _ => schedule.push(step.clone()),
        }
    }
    schedule
}

#[test]
fn runs_come_to_the_same_state() {
    let names = ["cuda", "cuda-hw", "portable"];
    let profiles: Vec<Profile> = names.iter().filter_map(|n| Profile::named(n)).collect();
    let (mut tally, sizes) = (Tally::default(), Sizes::default());
    for seed in effort::first(1)..effort::first(1) + effort::cases(150, 20_000) {
        for profile in &profiles {
            judge(&unrestricted(seed, &sizes), profile, &mut tally);
            judge(&unrestricted_host(seed, &sizes), profile, &mut tally);
        }
    }
    assert!(tally.ended > 200, "{}", tally.ended);
    assert!(tally.faulted > 10, "{}", tally.faulted);
    assert!(tally.steps > 2_000, "{}", tally.steps);
    assert!(tally.followed > 800, "{}", tally.followed);
    assert!(tally.in_a_row > 500, "{}", tally.in_a_row);
}
