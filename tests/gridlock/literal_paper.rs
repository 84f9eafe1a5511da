//! What the model of 2011 does when its rules are taken as printed (`docs/literal-paper.md`): five
//! effects, each on a tiny kernel of `examples/literal-paper`, and for each the axis it comes from:
//! with that axis alone repaired the effect is gone.

use gridlock::input::request::{EntryRequest, ExtentSpec, Request};
use gridlock::run::derivation::{Derivation, End, derive};
use gridlock::run::explored::Explored;
use gridlock::subject::closed::{Closed, closed};
use gridlock_checker::explore::{ExploreOptions, Outcome};
use gridlock_checker::finding::ScheduleStep;
use gridlock_checker::replay::Counts;
use gridlock_checker::system::ExploredProgram;
use gridlock_semantics::profile::{
    Axes, BarrierRule, ExitedThreads, Firing, Granularity, Merge, Profile,
};
use gridlock_semantics::transition::Rule;
use std::path::Path;

fn example(name: &str) -> Closed {
    let path = Path::new("examples/literal-paper").join(format!("{name}.cu"));
    let mut entry = EntryRequest::default();
    match name {
        "lost-outcome" | "lost-update" => {
            entry.entry = Some("run".to_owned());
            let one = ExtentSpec::parse("1").expect("an extent");
            entry.extents.insert("out".to_owned(), one);
        }
        "early-return" => {
            entry.args.insert("n".to_owned(), "1".to_owned());
        }
        _ => {}
    }
    closed(&path, &Default::default(), &entry, &Request::default()).expect("an example")
}

fn named(name: &str) -> Profile {
    Profile::named(name).expect("a named profile")
}

/// Everything that can happen; complete, and all of it replayed.
fn explore(closed: &Closed, profile: &Profile) -> Explored {
    let limits = Request::default().limits;
    let options = ExploreOptions::default();
    let program = &closed.prepared.surface;
    let explored = Explored::new(program, &closed.setup, profile, &limits, &options)
        .expect("a profile with a meaning");
    assert!(explored.exploration.complete && explored.all_replayed);
    explored
}

/// The final values of the only cell observed.
fn finals(explored: &Explored) -> Vec<i128> {
    let ends = explored.exploration.outcomes.keys();
    let cell = |end: &Outcome| match end {
        Outcome::Observation(seen) => seen
            .arrays
            .first()?
            .cells
            .first()
            .and_then(|value| value.as_integer()),
        _ => None,
    };
    ends.filter_map(cell).collect()
}

/// Where a thread stands in a deadlock: whether it waits, and whether it has returned.
type Stands = (bool, bool);

/// Whether some deadlock has its threads stand as `of` says.
fn deadlock(explored: &Explored, of: &dyn Fn(&[Stands]) -> bool) -> bool {
    explored.exploration.deadlocks.iter().any(|stuck| {
        let stands = stuck.positions.iter().map(|p| (p.op.is_some(), p.returned));
        of(&stands.collect::<Vec<_>>())
    })
}

/// An effect: its example, and whether an exploration shows it.
struct Effect {
    name: &'static str,
    example: &'static str,
    shows: fn(&Explored) -> bool,
}

const EFFECTS: [Effect; 5] = [
    Effect {
        name: "lost increment",
        example: "lost-increment",
        // Both wait at the barrier, and nobody is left to come.
        shows: |e| deadlock(e, &|threads| threads.iter().all(|(waits, _)| *waits)),
    },
    Effect {
        name: "early reset",
        example: "early-reset",
        // One has gone past the barrier to the end, the other still waits at it.
        shows: |e| {
            let gone = |threads: &[Stands]| {
                threads.contains(&(false, false)) && threads.contains(&(true, false))
            };
            deadlock(e, &gone)
        },
    },
    Effect {
        name: "early return",
        example: "early-return",
        // One has returned, the other waits for it.
        shows: |e| {
            let waits_for_returned = |threads: &[Stands]| {
                threads.contains(&(false, true)) && threads.contains(&(true, false))
            };
            deadlock(e, &waits_for_returned)
        },
    },
    Effect {
        name: "lost outcome",
        example: "lost-outcome",
        shows: |e| !finals(e).contains(&0),
    },
    Effect {
        name: "hidden lost update",
        example: "lost-update",
        shows: |e| finals(e) == [3],
    },
];

/// `paper-literal` with one axis as `cuda` has it.
fn repaired(axis: &str, repair: fn(&mut Axes)) -> Profile {
    let mut profile = named("paper-literal");
    profile.name = format!("paper-literal, {axis}");
    repair(&mut profile.axes);
    profile
}

fn columns() -> Vec<(&'static str, Profile)> {
    vec![
        ("paper-literal", named("paper-literal")),
        (
            "barrier = collective",
            repaired("collective", |a| a.barrier = BarrierRule::Collective),
        ),
        ("firing = one", repaired("one", |a| a.firing = Firing::One)),
        (
            "exited-threads = return-only",
            repaired("return-only", |a| {
                a.exited_threads = ExitedThreads::ReturnOnly;
            }),
        ),
        (
            "merge = by-write",
            repaired("by-write", |a| a.merge = Merge::ByWrite),
        ),
        (
            "granularity = access",
            repaired("access", |a| a.granularity = Granularity::Access),
        ),
        ("paper", named("paper")),
        ("cuda", named("cuda")),
    ]
}

/// The table of `docs/literal-paper.md`: what shows the effect, by axis repaired.
fn table() -> String {
    let columns = columns();
    let mut lines = vec![
        format!(
            "| effect | {} |",
            columns
                .iter()
                .map(|(n, _)| format!("`{n}`"))
                .collect::<Vec<_>>()
                .join(" | ")
        ),
        format!("|---|{}", "---|".repeat(columns.len())),
    ];
    for effect in &EFFECTS {
        let closed = example(effect.example);
        let shows =
            columns.iter().map(
                |(_, profile)| match (effect.shows)(&explore(&closed, profile)) {
                    true => "there",
                    false => "gone",
                },
            );
        let shows: Vec<&str> = shows.collect();
        lines.push(format!("| {} | {} |", effect.name, shows.join(" | ")));
    }
    lines.join("\n")
}

#[test]
fn each_effect_is_there_as_printed_and_gone_with_its_axis() {
    let table = table();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(2)
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let columns = columns();
    let index = |name: &str| {
        1 + columns
            .iter()
            .position(|(n, _)| *n == name)
            .expect("a column")
    };
    // By effect: the axis that alone takes it away, and whether `paper` does.
    for (row, (axis, paper)) in rows.iter().zip([
        ("barrier = collective", "gone"),
        ("barrier = collective", "gone"),
        ("exited-threads = return-only", "there"),
        ("merge = by-write", "gone"),
        ("granularity = access", "there"),
    ]) {
        assert_eq!(row[index("paper-literal")], "there", "{row:?}");
        assert_eq!(row[index(axis)], "gone", "{row:?}");
        assert_eq!(row[index("paper")], paper, "{row:?}");
        assert_eq!(row[index("cuda")], "gone", "{row:?}");
    }
    // The two effects of the barrier rules are two: firing one at a time takes away only the first.
    assert_eq!(rows[0][index("firing = one")], "gone");
    assert_eq!(rows[1][index("firing = one")], "there");
}

#[test]
fn the_page_has_the_table() {
    let page = std::fs::read_to_string("docs/literal-paper.md").expect("the page");
    let table = table();
    assert!(
        page.contains(&table),
        "docs/literal-paper.md needs\n{table}"
    );
}

/// The derivation of one of the deadlocks the tool found.
fn derived(name: &str, schedule: impl Fn(&Explored) -> Vec<ScheduleStep>) -> Derivation {
    let closed = example(name);
    let profile = named("paper-literal");
    let explored = explore(&closed, &profile);
    let program = &closed.prepared.surface;
    let system = ExploredProgram::new(program, &closed.setup, &profile).expect("a system");
    derive(&system, &schedule(&explored), Counts::Visible, 1_000)
        .expect("a schedule that can be followed")
}

fn rules(derivation: &Derivation) -> Vec<(Rule, Vec<Rule>, String)> {
    let steps = derivation.steps.iter();
    steps
        .map(|s| (s.label.rule, s.merged.clone(), s.effects.join(", ")))
        .collect()
}

#[test]
fn two_arrivals_merged_count_once() {
    let derivation = derived("lost-increment", |e| {
        e.exploration.outcomes[&Outcome::Deadlock].clone()
    });
    assert_eq!(derivation.end, End::Stuck);
    let (rule, merged, effect) = rules(&derivation).pop().expect("a step");
    assert_eq!(
        (rule, merged.as_slice()),
        (Rule::Merge, [Rule::R6].as_slice())
    );
    assert_eq!(effect, "bc := 1");
}

#[test]
fn the_first_who_leaves_clears_the_count() {
    let derivation = derived("early-reset", |e| {
        let gone =
            |p: &&gridlock_checker::explore::StuckAt| p.positions.iter().any(|p| p.op.is_none());
        let stuck = e.exploration.deadlocks.iter().find(gone);
        stuck.expect("a thread that has gone on").schedule.clone()
    });
    assert_eq!(derivation.end, End::Stuck);
    let seen = rules(&derivation);
    let seen: Vec<(Rule, &str)> = seen.iter().map(|(r, _, e)| (*r, e.as_str())).collect();
    assert_eq!(
        seen,
        [
            (Rule::R6, "bc := 1"),
            (Rule::R6, "bc := 2"),
            (Rule::R7, "bc := 0"),
        ]
    );
}
