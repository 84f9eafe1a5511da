//! Who moves in a step of a replay, and what the step does.

use super::threads::coordinates;
use gridlock_checker::replay::{AccessSeen, ReplayStep};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Dim3, Launch};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::Actor;

/// What a step does: its accesses, or the step in words where it has none.
pub fn step_text(step: &ReplayStep) -> String {
    let seen: Vec<String> = step.accesses.iter().map(access).collect();
    let what = match seen.is_empty() {
        true => step.text.clone(),
        false => seen.join(", "),
    };
    match &step.site {
        Some(site) if site.line > 0 => format!("line {}: {what}", site.line),
        _ => what,
    }
}

/// `reads a[3] = 5`, `writes a[3] := 7 (was 5)`.
fn access(seen: &AccessSeen) -> String {
    let AccessSeen {
        access,
        element,
        old,
        new,
        ..
    } = seen;
    let value = |value: &Option<Value>| match value {
        Some(value) => value.to_string(),
        None => "outside".to_owned(),
    };
    let (old, new) = (value(old), value(new));
    match access.mode {
        AccessMode::Read => format!("reads {element} = {old}"),
        AccessMode::AtomicRead => format!("atomically reads {element} = {old}"),
        AccessMode::Write => format!("writes {element} := {new} (was {old})"),
        AccessMode::Atomic => format!("atomically {element} := {new} (was {old})"),
    }
}

/// `thread (3,0,0) of block (1,0,0)` shortly: `b1 t3` where grid and block have one dimension,
/// `b(1,0,0) t(3,0,0)` where not.
pub fn actor_name(actor: Actor, launch: Option<&Launch>) -> String {
    let name = |extents: Option<Dim3>, linear: u32| match extents {
        Some([x, y, z]) if y > 1 || z > 1 => coordinates(Launch::coordinates([x, y, z], linear)),
        _ => linear.to_string(),
    };
    let (grid, threads) = (launch.map(|l| l.grid), launch.map(|l| l.block));
    match actor {
        Actor::Host => "host".to_owned(),
        Actor::Device => "device".to_owned(),
        Actor::Block(block) => format!("block {}", name(grid, block)),
        Actor::Thread { block, thread } => {
            format!("b{} t{}", name(grid, block), name(threads, thread))
        }
        other => gridlock_checker::system::actor_text(&other),
    }
}
