//! Who is owed a move in a state.

use gridlock_semantics::host::State;
use gridlock_semantics::profile::Progress;
use gridlock_semantics::transition::{Actor, Label};

/// The claims of a state: see [`crate::progress::Node`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    pub owed: Vec<Actor>,
    pub owes_start: bool,
}

/// What the profile promises those who can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guarantee(pub Progress);

/// Who moves in a transition out of `state`: a thread, the host, or the device as a whole. A
/// block that leaves its barrier moves each of its threads.
pub fn agents_of(state: &State, label: &Label) -> Vec<Actor> {
    let mut agents = Vec::with_capacity(label.actors.len());
    for &actor in &label.actors {
        match actor {
            Actor::Block(block) => {
                let threads = state.device.iter().flat_map(|grid| {
                    let threads = &grid.blocks[block as usize].threads;
                    threads.iter().zip(0..).filter(|(t, _)| t.is_running())
                });
                agents.extend(threads.map(|(_, thread)| Actor::Thread { block, thread }));
            }
            _ => agents.push(actor),
        }
    }
    agents
}

/// Whether the agent belongs to a block that has not started.
pub fn is_unstarted(state: &State, agent: Actor) -> bool {
    let (Actor::Thread { block, .. } | Actor::Block(block)) = agent else {
        return false;
    };
    let own = state
        .device
        .as_ref()
        .and_then(|d| d.blocks.get(block as usize));
    own.is_some_and(|own| !own.started)
}

impl Guarantee {
    /// The claims of a state, from the labels of all its transitions.
    pub fn claims<'a>(self, state: &State, labels: impl IntoIterator<Item = &'a Label>) -> Claims {
        let mut claims = Claims::default();
        for label in labels {
            for agent in agents_of(state, label) {
                let unstarted = is_unstarted(state, agent);
                let protected = match self.0 {
                    Progress::Unfair => false,
                    Progress::OccupancyBound => !unstarted,
                    Progress::Fair => true,
                };
                claims.owes_start |= unstarted && self.0 == Progress::OccupancyBound;
                if protected {
                    claims.owed.push(agent);
                }
            }
        }
        claims.owed.sort_unstable();
        claims.owed.dedup();
        claims
    }
}
