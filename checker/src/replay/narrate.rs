//! A run as steps to be read.

use crate::replay::step::{AccessSeen, ReplayStep};
use crate::replay::words::{Words, launch_of, verb, who};
use crate::system::follow::Followed;
use crate::system::{ExploredProgram, actor_text};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::Launch;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::{Access, Actor, Label, Rule};

/// The steps of a run, in order.
pub fn narrate(system: &ExploredProgram, run: &[Followed]) -> Vec<ReplayStep> {
    let words = Words::of(system);
    let mut launch = system.system().context().setup.launch;
    let mut steps = Vec::with_capacity(run.len());
    for followed in run {
        if let Some(states) = &followed.states {
            let starts = followed.label.rule == Rule::R8;
            launch = launch_of(system, if starts { &states.1 } else { &states.0 });
        }
        steps.push(step(system, &words, followed, launch.as_ref()));
    }
    steps
}

/// What a transition touched.
pub fn accesses(system: &ExploredProgram, followed: &Followed) -> Vec<AccessSeen> {
    if followed.label.accesses.is_empty() {
        return Vec::new();
    }
    seen(system, &Words::of(system), followed)
}

fn seen(system: &ExploredProgram, words: &Words<'_>, followed: &Followed) -> Vec<AccessSeen> {
    let seen = |access: &Access| {
        let (old, new) = followed.cells(system, access);
        let name = followed
            .before()
            .map(|state| words.array(state, access.array))
            .unwrap_or_default();
        AccessSeen {
            access: *access,
            element: words.element((&*name, access.array), access.index),
            name,
            old,
            new,
        }
    };
    followed.label.accesses.iter().map(seen).collect()
}

fn step(
    system: &ExploredProgram,
    words: &Words<'_>,
    followed: &Followed,
    launch: Option<&Launch>,
) -> ReplayStep {
    let label = &followed.label;
    let accesses = seen(system, words, followed);
    let site = match label.actors.as_slice() {
        [actor] => Some(words.site(label.op, *actor, launch)),
        _ => None,
    };
    let text = text(words, label, &accesses, launch);
    ReplayStep {
        actors: label.actors.clone(),
        rule: label.rule,
        op: label.op,
        site,
        accesses,
        assigned: Vec::new(),
        text,
        visible: label.is_visible(),
    }
}

fn text(
    words: &Words<'_>,
    label: &Label,
    accesses: &[AccessSeen],
    launch: Option<&Launch>,
) -> String {
    let place = label
        .op
        .map_or(String::new(), |op| format!(" ({})", words.place(op)));
    let actors = match label.actors.as_slice() {
        all if label.rule == Rule::GridBarrier && all.len() > 1 => {
            format!("{} threads of the launch", all.len())
        }
        [actor] => who(*actor, launch),
        [Actor::Thread { block, .. }, ..] => format!(
            "{} threads of block {}",
            label.actors.len(),
            launch.map_or_else(
                || actor_text(&Actor::Block(*block)),
                |l| super::words::triple(Launch::coordinates(l.grid, *block))
            )
        ),
        _ => "several".to_owned(),
    };
    let what = match (label.rule, label.op) {
        (Rule::CollectiveBarrier, _) if label.fault.is_none() => "leave the barrier".to_owned(),
        (Rule::CollectiveBarrier, _) => "can never leave the barrier together".to_owned(),
        (Rule::GridBarrier, _) if label.fault.is_none() => {
            "leave the barrier of the grid".to_owned()
        }
        (Rule::GridBarrier, _) => "can never leave the barrier of the grid".to_owned(),
        (Rule::NamedBarrier, Some(op)) => format!("arrives at {}", words.text(op)),
        (Rule::WarpBarrier, _) => "leave __syncwarp".to_owned(),
        (Rule::WarpExchange, Some(op)) => format!("do together {}", words.text(op)),
        (Rule::R6, _) => "arrives at the barrier".to_owned(),
        (Rule::R7, _) => "leaves the barrier".to_owned(),
        (Rule::R8, _) => "starts the launch".to_owned(),
        (Rule::R9, _) => "has finished the launch".to_owned(),
        (Rule::R10, _) => "returns".to_owned(),
        (_, Some(op)) => words.text(op),
        (rule, None) => format!("{rule:?}"),
    };
    let details: Vec<String> = accesses.iter().map(access_text).collect();
    let details = if details.is_empty() {
        String::new()
    } else {
        format!(": {}", details.join(", "))
    };
    format!("{actors}{place} {what}{details}")
}

fn access_text(seen: &AccessSeen) -> String {
    let AccessSeen {
        access: Access { mode, .. },
        element,
        old,
        new,
        ..
    } = seen;
    let shown = |value: &Option<Value>| value.map_or("nothing".to_owned(), |v| v.to_string());
    match mode {
        AccessMode::Read | AccessMode::AtomicRead => {
            format!("{} {element} = {}", verb(*mode), shown(old))
        }
        AccessMode::Write | AccessMode::Atomic => format!(
            "{} {element} := {} (was {})",
            verb(*mode),
            shown(new),
            shown(old)
        ),
    }
}
