//! What one run of a program costs, in counts that a change of the program moves: launches, barriers,
//! accesses to global memory, branches that part a warp. No model of time: a ranking, nothing more.

use crate::system::{ExploredProgram, present, unstarted};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::host::State;
use gridlock_semantics::transition::{Actor, Label, Rule, TransitionSystem};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Transitions of one actor in a row: who waits in a loop waits for others.
const MOST_IN_A_ROW: u32 = 10_000;

/// Counts of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Cost {
    /// Launches by host code; 1 for a kernel judged alone.
    pub launches: u64,
    /// Barriers of a block or of the grid that were passed, each counted once for each block.
    pub barriers: u64,
    /// `__syncwarp` that were passed, each counted once for each warp.
    pub warp_barriers: u64,
    /// Elements of global memory that device threads read, wrote or changed atomically.
    pub global_accesses: u64,
    /// Occurrences of a branch or of a loop's condition, a warp at a time, after which its threads go
    /// different ways.
    pub divergent_branches: u64,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.launches += other.launches;
        self.barriers += other.barriers;
        self.warp_barriers += other.warp_barriers;
        self.global_accesses += other.global_accesses;
        self.divergent_branches += other.divergent_branches;
    }
}

/// Follows one run of a kernel or a host program: each actor in turn, as far as it gets alone. `None` if
/// it takes more transitions than these, does not end, or ends in a fault.
pub fn of_one_run(system: &ExploredProgram, most_transitions: u64) -> Option<Cost> {
    let mut state = system.initial().into_iter().next()?;
    let mut count = Count {
        lanes: system.profile().axes.warps.size(),
        ..Count::default()
    };
    // A kernel judged alone is a launch that no host code made.
    let alone = state.device.is_some();
    let mut n_transitions = 0;
    while !system.is_final(&state) {
        let before = n_transitions;
        for actor in actors(&state) {
            for _ in 0..MOST_IN_A_ROW {
                let found = system.system().fire(&state, &[actor]);
                let Some((label, next)) = found.into_iter().next() else {
                    break;
                };
                if label.fault.is_some() || system.is_discarded(&next) {
                    return None;
                }
                count.take(&label, &state);
                state = next;
                n_transitions += 1;
                if n_transitions > most_transitions {
                    return None;
                }
            }
        }
        if n_transitions == before {
            return None;
        }
    }
    count.cost.launches += u64::from(alone);
    count.cost.divergent_branches = count.parted();
    Some(count.cost)
}

/// Every actor that may move, or may come to.
fn actors(state: &State) -> Vec<Actor> {
    let mut found = present(state);
    found.extend(unstarted(state));
    found
}

/// A branch of a warp: launch, block, warp, operator, which time.
type Branch = (u64, u32, u32, OpId, u32);

#[derive(Default)]
struct Count {
    cost: Cost,
    lanes: u32,
    /// The branch each thread stands behind.
    behind: FxHashMap<(u32, u32), Branch>,
    /// How often each thread came to a branch.
    times: FxHashMap<(u64, u32, u32, OpId), u32>,
    /// Where the first thread went, and whether another went elsewhere.
    ways: FxHashMap<Branch, (Option<OpId>, bool)>,
}

impl Count {
    fn take(&mut self, label: &Label, before: &State) {
        match label.rule {
            Rule::R8 => self.cost.launches += 1,
            Rule::CollectiveBarrier => self.cost.barriers += 1,
            Rule::WarpBarrier => self.cost.warp_barriers += 1,
            Rule::GridBarrier => {
                let blocks = before.device.as_ref().map_or(0, |d| d.blocks.len());
                self.cost.barriers += blocks as u64;
            }
            _ => {}
        }
        let of_a_thread = |actor: &Actor| matches!(actor, Actor::Thread { .. });
        let global = label.accesses.iter().filter(|access| {
            of_a_thread(&access.actor) && matches!(access.array, ArrayRef::Global(_))
        });
        self.cost.global_accesses += global.count() as u64;
        for actor in &label.actors {
            if let Actor::Thread { block, thread } = *actor {
                self.go(label, block, thread);
            }
        }
    }

    /// A thread takes a step: it tells where its last branch led, and may be one itself.
    fn go(&mut self, label: &Label, block: u32, thread: u32) {
        if let Some(branch) = self.behind.remove(&(block, thread)) {
            let way = self.ways.entry(branch).or_insert((label.op, false));
            way.1 |= way.0 != label.op;
        }
        if let (Rule::R2 | Rule::R3, Some(op)) = (label.rule, label.op) {
            let launch = self.cost.launches;
            let times = self.times.entry((launch, block, thread, op)).or_default();
            let branch = (launch, block, thread / self.lanes.max(1), op, *times);
            *times += 1;
            self.behind.insert((block, thread), branch);
        }
    }

    fn parted(&self) -> u64 {
        self.ways.values().filter(|(_, parted)| *parted).count() as u64
    }
}
