//! A livelock in words: who cycles looking at what, who waits, who never got a turn.

use crate::progress::lasso::{Circling, Doing, Seen};
use crate::replay::words::{Words, group_name, triple, who};
use crate::report::defect::Defect;
use crate::report::site::Site;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::setup::Launch;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::Actor;
use std::collections::BTreeSet;

/// Threads listed one by one in a defect; of the rest every group is listed once.
const MOST_SITES: usize = 64;
/// Places named of one thread.
const MOST_PLACES: usize = 3;

/// Agents that do the same at the same place.
struct Group {
    /// Those in the cycle first, then those who wait, those passed over, not started, ended.
    order: u32,
    op: Option<OpId>,
    /// What each does, as of one: `spins here, reading …`.
    state: String,
    actors: Vec<Actor>,
}

/// Fills in message and threads. `can_end` as in [`crate::finding::Evidence::Cycle`].
pub fn livelock(
    defect: &mut Defect,
    words: &Words<'_>,
    agents: &[Circling],
    can_end: Option<bool>,
    launch: Option<&Launch>,
) {
    let mut groups: Vec<Group> = Vec::new();
    let mut sites: Vec<(u32, Site)> = Vec::new();
    for agent in agents {
        let Some((order, op, state)) = manner(words, agent) else {
            continue;
        };
        let actor = agent.position.actor;
        let same =
            |group: &&mut Group| (group.order, group.op, &group.state) == (order, op, &state);
        let is_first = match groups.iter_mut().find(same) {
            Some(group) => {
                group.actors.push(actor);
                false
            }
            None => {
                groups.push(Group {
                    order,
                    op,
                    state: state.clone(),
                    actors: vec![actor],
                });
                true
            }
        };
        if sites.len() < MOST_SITES || is_first {
            let site = Site {
                state,
                ..words.site(op, actor, launch)
            };
            sites.push((order, site));
        }
    }
    // Who is in the cycle comes first, here as there.
    sites.sort_by_key(|(order, _)| *order);
    defect.threads = sites.into_iter().map(|(_, site)| site).collect();
    groups.sort_by_key(|group| (group.order, group.op));
    let parts: Vec<String> = groups.iter().map(|g| phrase(words, g, launch)).collect();
    let end = match can_end {
        Some(true) => "; from there another schedule could still end the run",
        Some(false) => "; no schedule ends the run from there",
        None => "",
    };
    defect.message = format!("a run can cycle for ever: {}{end}", parts.join("; "));
    first_place(words, defect, agents);
}

/// The place the first one looks at is the defect's.
fn first_place(words: &Words<'_>, defect: &mut Defect, agents: &[Circling]) {
    let looked = agents.iter().find_map(|agent| match &agent.does {
        Doing::Spins { looks_at } => looks_at.first(),
        _ => None,
    });
    if let Some(seen) = looked {
        defect.array = Some(seen.name.clone());
        defect.index = Some(seen.access.index);
        defect.element = Some(words.element((&*seen.name, seen.access.array), seen.access.index));
        defect.space = seen.space;
    }
}

fn manner(words: &Words<'_>, agent: &Circling) -> Option<(u32, Option<OpId>, String)> {
    let op = agent.position.op;
    Some(match &agent.does {
        Doing::Spins { looks_at } => {
            let looks = looks_at.first().map(|seen| seen.access.op);
            let at = looks.or(agent.tests).or(op);
            (0, at, format!("spins here{}", looking(words, looks_at)))
        }
        Doing::Waits => (1, op, "waits here".to_owned()),
        Doing::PassedOver => (2, op, "is never chosen".to_owned()),
        Doing::NotStarted => (3, op, "has not started: its block gets no place".to_owned()),
        // The others do not depend on it.
        Doing::Ended => return None,
    })
}

/// `, reading `flag[0]` = 0`
fn looking(words: &Words<'_>, looks_at: &[Seen]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for seen in looks_at.iter().take(MOST_PLACES) {
        let verb = match seen.access.mode {
            AccessMode::Atomic | AccessMode::AtomicRead => "trying",
            AccessMode::Read | AccessMode::Write => "reading",
        };
        let value = seen
            .value
            .map_or(String::new(), |value| format!(" = {value}"));
        parts.push(format!(
            "{verb} `{}`{value}",
            words.element((&*seen.name, seen.access.array), seen.access.index)
        ));
    }
    if looks_at.len() > MOST_PLACES {
        parts.push("…".to_owned());
    }
    match parts.is_empty() {
        true => String::new(),
        false => format!(", {}", parts.join(", ")),
    }
}

fn phrase(words: &Words<'_>, group: &Group, launch: Option<&Launch>) -> String {
    let one = group.actors.len() == 1;
    let name = group_name(&group.actors, launch);
    let place = group
        .op
        .map_or(String::new(), |op| format!(" at {}", words.place(op)));
    let looked = group.state.strip_prefix("spins here").unwrap_or_default();
    let (verb, rest) = match group.order {
        0 => (
            if one { "spins" } else { "spin" },
            format!("{place}{looked}"),
        ),
        1 => (if one { "waits" } else { "wait" }, place),
        2 => (
            if one { "stands" } else { "stand" },
            format!("{place}, never chosen"),
        ),
        _ => return not_started(&group.actors, launch),
    };
    format!("{name} {verb}{rest}")
}

/// `block (1,0,0) never gets a place`
fn not_started(actors: &[Actor], launch: Option<&Launch>) -> String {
    let blocks: BTreeSet<u32> = actors
        .iter()
        .filter_map(|actor| match actor {
            Actor::Thread { block, .. } | Actor::Block(block) => Some(*block),
            _ => None,
        })
        .collect();
    let name = |block: &u32| match launch {
        Some(launch) => triple(Launch::coordinates(launch.grid, *block)),
        None => who(Actor::Block(*block), launch),
    };
    match (blocks.first(), blocks.last()) {
        (Some(first), Some(last)) if first != last => format!(
            "{} blocks, {} to {}, never get a place",
            blocks.len(),
            name(first),
            name(last)
        ),
        (Some(only), _) => format!("block {} never gets a place", name(only)),
        (None, _) => String::new(),
    }
}
