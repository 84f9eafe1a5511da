//! Probes: a rule whose only condition is an analysis, and whose result differs from its source, or has a
//! defect, where the analysis agrees wrongly.

use super::{Shown, run};
use gridlock_checker::explore::{ExploreOptions, Outcome, explore_program};
use gridlock_checker::limits::Limits;
use gridlock_generation::effort;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_transforms::rewriting::everywhere::singles;
use gridlock_transforms::{NoOracle, Request, RuleSystem};

/// A program with the inputs it is run on.
pub struct Case {
    pub program: Program,
    pub setups: Vec<Setup>,
}

/// What became of a probe wherever it applied.
struct Tried {
    count: usize,
    /// Source and result where they differ.
    changed: Vec<String>,
}

/// What is seen of a program that is right; `None` where it is not, or where that is not known.
type See<S> = fn(&Program, &Setup) -> Option<S>;

/// By the canonical run.
fn by_running(program: &Program, setup: &Setup) -> Option<Vec<Vec<i64>>> {
    match run(program, setup, "cuda").0 {
        Shown::Contents(cells) => Some(cells),
        Shown::Defects(_) => None,
    }
}

/// States of a search before a program is left to others.
const MOST_STATES: u64 = 2_000;

/// By every schedule: its outcomes, where it has no defect.
fn by_exploring(program: &Program, setup: &Setup) -> Option<Vec<Outcome>> {
    let limits = Limits {
        states: MOST_STATES,
        ..Limits::default()
    };
    let options = ExploreOptions::default();
    let profile = Profile::named("cuda").expect("a profile");
    let found = explore_program(program, setup, &profile, &limits, &options).expect("it fits");
    let right = found.complete && found.findings.is_empty() && found.deadlocks.is_empty();
    right.then(|| found.outcomes.into_keys().collect())
}

fn system(rule: &str, condition: &str) -> RuleSystem {
    let rule = rule.replace("CONDITION", condition);
    let text = format!(
        "system probe\nabout \"a probe\"\nsource \"none, but no paper\"\nstatus \"for tests\"\n\
         rule probe:\n{rule}\nstrategy main = once(probe)\n"
    );
    RuleSystem::parse("probe.rules", &text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Where the probe applies to programs that are right, up to the first that it changes, or until it applied `enough` times.
fn applied<S: PartialEq>(cases: &[Case], system: &RuleSystem, see: See<S>, enough: usize) -> Tried {
    let (mut count, mut changed) = (0, Vec::new());
    for case in cases {
        if count >= enough || !changed.is_empty() {
            break;
        }
        let found = singles(&case.program, system, &Request::default(), &NoOracle);
        let applied = found.expect("it has no parameters").applied;
        if applied.is_empty() {
            continue;
        }
        let right = |setup| Some((setup, see(&case.program, setup)?));
        let before: Vec<(&Setup, S)> = case.setups.iter().filter_map(right).collect();
        for single in applied {
            let rewritten = single.outcome.expect("a program").program;
            let mut same = before
                .iter()
                .map(|(setup, seen)| see(&rewritten, setup).as_ref() == Some(seen));
            let Some(first) = same.next() else { continue };
            count += 1;
            if !first || same.any(|same| !same) {
                let text = |p: &Program| gridlock_semantics::print::program(p, Default::default());
                changed.push(format!("{}\n{}", text(&case.program), text(&rewritten)));
            }
        }
    }
    Tried { count, changed }
}

fn judge<S: PartialEq>(
    cases: &[Case],
    [right, planted]: [&RuleSystem; 2],
    (condition, wrong): (&str, &str),
    at_least: usize,
    see: See<S>,
) {
    let enough = effort::cases(at_least as u64, u64::MAX) as usize;
    let Tried { count, changed } = applied(cases, right, see, enough);
    assert!(
        changed.is_empty(),
        "[{condition}] agreed wrongly {} times of {count}:\n{}",
        changed.len(),
        changed[0]
    );
    assert!(count >= at_least, "[{condition}] agreed {count} times only");
    let Tried { changed, .. } = applied(cases, planted, see, usize::MAX);
    assert!(!changed.is_empty(), "[{wrong}] was not caught");
}

/// The analysis never agrees wrongly, and often enough rightly; one that always agrees is caught. By the
/// canonical run: for what concerns one thread, or values that do not depend on the schedule.
pub fn probe(cases: &[Case], rule: &str, condition: &str, planted: &str, at_least: usize) {
    let systems = [condition, planted].map(|c| system(rule, c));
    let [right, wrong] = &systems;
    judge(
        cases,
        [right, wrong],
        (condition, planted),
        at_least,
        by_running,
    );
}

/// The same by every schedule: for what an analysis says of other threads.
pub fn probe_schedules(
    cases: &[Case],
    rule: &str,
    condition: &str,
    planted: &str,
    at_least: usize,
) {
    let systems = [condition, planted].map(|c| system(rule, c));
    let [right, wrong] = &systems;
    judge(
        cases,
        [right, wrong],
        (condition, planted),
        at_least,
        by_exploring,
    );
}

/// The same of a system of the library, with a condition of it put in place of another.
pub fn probe_system(cases: &[Case], text: &str, condition: &str, planted: &str, at_least: usize) {
    assert!(text.contains(condition), "no [{condition}] in it");
    let read = |text: &str| RuleSystem::parse("probe.rules", text).expect("a system");
    let (right, wrong) = (read(text), read(&text.replace(condition, planted)));
    judge(
        cases,
        [&right, &wrong],
        (condition, planted),
        at_least,
        by_exploring,
    );
}
