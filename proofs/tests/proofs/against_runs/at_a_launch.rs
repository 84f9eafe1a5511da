//! Runs on unknown inputs against runs: random kernels at a launch, most of them broken. What has no defect for any input
//! has none for those that are drawn.

use super::{Rng, kernel, setup};
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::compiled::compile;
use gridlock_checker::limits::Limits;
use gridlock_generation::effort;
use gridlock_proofs::Budget;
use gridlock_proofs::defects::{Safety, SafetyRequest, is_safe};
use gridlock_proofs::equivalence::{Side, Unknowns};
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, Launch};
use std::time::Duration;

/// Runs of a kernel that is proved safe.
const RUNS: u32 = 12;

#[test]
fn what_is_safe_shows_no_defect() {
    let (first, count) = (effort::first(1), effort::cases(40, 20_000));
    let (mut n_safe, mut n_wide, mut n_defective) = (0u64, 0u64, 0u64);
    for seed in first..first + count {
        let program = kernel(seed);
        let compiled = compile(&program);
        let mut rng = Rng(seed ^ 0x5afe);
        let profile = *rng.pick(&["cuda", "cuda", "cuda-hw", "portable", "lockstep-warp"]);
        let profile = Profile::named(profile).expect("a profile");
        let launch = Launch {
            grid: [*rng.pick(&[1, 1, 2, 3]), 1, 1],
            block: [*rng.pick(&[1, 2, 3, 4, 5, 6, 8]), 1, 1],
            shared_bytes: 0,
        };
        let at = setup(&mut rng, launch);
        // Scalars are known more often than not: loops run to them.
        let is_open: [bool; 2] = [rng.roll(3) == 0, rng.roll(3) == 0];
        let name = |is_open: bool, name: &str| is_open.then(|| name.to_owned());
        let unknowns = Unknowns {
            arrays: ["a", "b", "p"].map(|array| Some(array.to_owned())).to_vec(),
            scalars: vec![
                None,
                None,
                None,
                name(is_open[0], "n"),
                name(is_open[1], "m"),
            ],
            ..Unknowns::default()
        };
        let side = Side {
            program: &program,
            setup: &at,
            unknowns: &unknowns,
        };
        let question = SafetyRequest {
            profile: &profile,
            budget: Budget::of_seconds(1.0),
            timeout: Duration::from_secs(2),
            steps: 100_000,
        };
        let is_safe = matches!(is_safe(side, &question), Safety::Safe);
        n_safe += u64::from(is_safe);
        n_wide += u64::from(is_safe && is_open.contains(&true));
        let limits = Limits {
            depth: 100_000,
            ..Limits::default()
        };
        for _ in 0..if is_safe { RUNS } else { 1 } {
            let mut drawn = setup(&mut rng, launch);
            for (number, is_open) in (3..).zip(is_open) {
                if !is_open {
                    drawn.args[number] = at.args[number].clone();
                }
            }
            let run = canonical::run(&compiled, &drawn, &profile, &limits);
            n_defective += u64::from(!run.findings.is_empty());
            let is_clean = run.findings.is_empty() && run.status == CanonicalStatus::Decides;
            assert!(
                !is_safe || is_clean,
                "seed {seed}: {:?} {:#?}\n{:#?}\n{}",
                run.status,
                run.findings,
                drawn
                    .args
                    .iter()
                    .filter(|arg| matches!(arg, Arg::Scalar(_)))
                    .collect::<Vec<_>>(),
                gridlock_semantics::print::program(&program, Default::default())
            );
        }
    }
    println!(
        "{n_safe} of {count} safe, {n_wide} of them for all n or m; {n_defective} runs with defects"
    );
    assert!(10 * n_safe > count && n_wide > 0, "{n_safe}, {n_wide}");
    assert!(4 * n_defective > count, "{n_defective}");
}
