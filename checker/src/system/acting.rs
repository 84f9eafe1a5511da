//! Who acts in a transition, for schedules and in words.

use gridlock_semantics::transition::{Actor, Label, Rule};

/// Who is named in a schedule for a transition: its actors, or the blocks or the device as a whole.
pub fn acting(label: &Label) -> Vec<Actor> {
    match label.rule {
        Rule::CollectiveBarrier => {
            let blocks = label.actors.iter().filter_map(|actor| match actor {
                Actor::Thread { block, .. } | Actor::Block(block) => Some(Actor::Block(*block)),
                _ => None,
            });
            let mut blocks: Vec<Actor> = blocks.collect();
            blocks.dedup();
            blocks
        }
        Rule::GridBarrier if !is_of_a_thread(label) => vec![Actor::Device],
        _ => label.actors.clone(),
    }
}

/// Whether a transition is the fault of one thread.
fn is_of_a_thread(label: &Label) -> bool {
    let fault = label.fault.as_ref();
    fault.is_some_and(|fault| matches!(fault.actor, Actor::Thread { .. }))
}

/// A transition in a few characters.
pub fn label_text(label: &Label) -> String {
    let actors: Vec<String> = acting(label).iter().map(actor_text).collect();
    format!("{} {:?}", actors.join("+"), label.rule)
}

/// An actor in a few characters: `b0.t3` is thread 3 of block 0.
pub fn actor_text(actor: &Actor) -> String {
    match actor {
        Actor::Host => "host".to_owned(),
        Actor::HostThread(number) => format!("host.{number}"),
        Actor::Stream(handle) => format!("stream {handle}"),
        Actor::DefaultStream(0) => "default stream".to_owned(),
        Actor::DefaultStream(device) => format!("default stream of device {device}"),
        Actor::PerThreadStream(0) => "per-thread stream".to_owned(),
        Actor::PerThreadStream(device) => format!("per-thread stream of device {device}"),
        Actor::Thread { block, thread } => format!("b{block}.t{thread}"),
        Actor::Block(block) => format!("b{block}"),
        Actor::Device => "device".to_owned(),
    }
}
