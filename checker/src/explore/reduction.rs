//! The reduced expansion of a state. Sound under `Firing::One` with all blocks resident.
//!
//! **Claim** (metatheory M3, and its extension to faults and races). The reduced graph has the
//! same final states, deadlocks and faults as the full one, and every pair of interfering
//! accesses that is co-enabled in some state of the full graph is co-enabled in some state of
//! the reduced one.
//!
//! **Argument.** In each state we take a *persistent set* (Godefroid, *Partial-Order Methods for
//! the Verification of Concurrent Systems*, LNCS 1032, ch. 4): transitions such that whatever the
//! others do without them is independent of them. With the proviso of `search` that
//! gives deadlocks and reachable local states.
//! - *Faults* end a run, so they depend on everything; we treat a thread whose next step is a
//!   fault as one that does not move any more, which is a schedule like any other, and record
//!   every fault enabled in a state visited. A fault that an access decides (an uninitialised
//!   read) carries the access and so depends on writes there. A failing assumption likewise ends
//!   a run, one that does not count, so it is never taken for others.
//! - *Races.* Let `a`, `b` interfere and be enabled after `w` from a visited `r`, with persistent
//!   set `P` at `r`. If a step of `w` is in `P`, take the first such step first. If none is and
//!   `a ∈ P`, then `b` must be in `P` too, for `w·b` runs without `P` and would be dependent on
//!   `a`; so both are enabled at `r`. If neither is, take any step of `P`: it is independent of
//!   all of `w·a·b`, and by the proviso this does not go on forever.
//!
//! **The persistent sets**, tried in this order:
//! 1. *Private steps* of a thread: independent of everything. Taken at once, up to a bound, after
//!    which they are transitions like others, so a private endless loop hides no other thread.
//! 2. *The whole launch*, when a lookahead finds no interference between threads in one interval
//!    nor between blocks (see `lookahead`).
//! 3. *Whole blocks* whose lookahead is clean and interferes with no lookahead of another clean
//!    block and with nothing the code of the rest may do.
//! 4. *Single threads to their next barrier*, when their accesses up to there interfere with
//!    nothing others may do before the barrier: what a lookahead says, for threads it speaks for;
//!    anything their code may do, for the others and for other blocks.
//! 5. *One step* that interferes with nothing the launch's code may do: a read of an array that
//!    is never written, an exit, a barrier whose block is complete.
//!
//! A thread at the barrier of the grid waits until all threads of all blocks have come, so that
//! barrier ends stretches like a block's. Arriving at a named barrier may let a few others go on,
//! so no lookahead passes it.
//!
//! Otherwise all transitions are taken.
//!
//! *`__activemask()`* depends on who else stands there. No thread that does leaves but by firing
//! it, so steps of others only add to the sets that may fire together: a step elsewhere taken first
//! loses none of them. A thread that comes to one is not run past it, so no lookahead holds one.
//!
//! Not claimed: anything about runs that never end.

use crate::explore::expansion::{Edge, Expander, Expansion, expansion_of};
use crate::explore::lookahead::{Stretch, block_to_end, launch_to_end, thread_alone};
use crate::explore::walk::{ThreadRun, Walk};
use crate::system::footprint::{Footprint, MayTouch};
use crate::system::{DeviceShape, Threadwise, WarpWait, label_text};
use gridlock_semantics::transition::{Actor, Label, Rule};
use std::time::Instant;

/// Private steps of one thread in a row before others get their turn.
const PRIVATE_BOUND: u32 = 2_000;

/// Looks no further ahead than `until`: what is not known to be independent by then is not reduced.
pub struct Reduced<'a, T> {
    pub system: &'a T,
    pub until: Option<Instant>,
}

impl<T: Threadwise> Expander<T::State> for Reduced<'_, T> {
    fn start(&self, state: T::State) -> Edge<T::State> {
        let mut walk = Walk::from(&state);
        self.settle_everyone(&mut walk);
        walk.into_edge(String::new())
    }

    fn expand(&self, state: &T::State, reduce: bool) -> Expansion<T::State> {
        let system = self.system;
        if system.too_wide(state).is_some() {
            return Expansion::cut();
        }
        let mut found = Vec::new();
        match system.device(state) {
            None => system.successors(state, &mut found),
            Some(shape) => self.heads(state, shape, &mut found),
        }
        let persistent = if reduce {
            self.persistent(state, &found)
        } else {
            None
        };
        let mut expansion = expansion_of(system, state, found);
        match persistent {
            Some(edge) => {
                // Even where one transition is enabled: the way leads past states where more are.
                expansion.reduced = true;
                expansion.edges = vec![edge];
            }
            None => {
                for edge in &mut expansion.edges {
                    self.settle_edge(state, edge);
                }
            }
        }
        expansion
    }
}

impl<T: Threadwise> Reduced<'_, T> {
    /// What each may do next, thread by thread.
    fn heads(&self, state: &T::State, shape: DeviceShape, found: &mut Vec<(Label, T::State)>) {
        for block in 0..shape.n_blocks {
            for thread in 0..shape.n_threads {
                self.system
                    .fire_actor(state, Actor::Thread { block, thread }, found);
            }
            self.system.fire_actor(state, Actor::Block(block), found);
        }
        self.system.fire_actor(state, Actor::Device, found);
        self.system.fire_actor(state, Actor::Host, found);
        drop_repeated_warp_operations(found);
    }

    fn settle_everyone(&self, walk: &mut Walk<T::State>) {
        for thread in self.system.host_threads(&walk.state) {
            walk.settle(self.system, thread, PRIVATE_BOUND);
        }
        if let Some(shape) = self.system.device(&walk.state) {
            for block in 0..shape.n_blocks {
                for thread in 0..shape.n_threads {
                    walk.settle(self.system, Actor::Thread { block, thread }, PRIVATE_BOUND);
                }
            }
        }
    }

    /// Adds the private steps that follow a transition.
    fn settle_edge(&self, from: &T::State, edge: &mut Edge<T::State>) {
        let mut walk = Walk {
            state: edge.to.clone(),
            schedule: std::mem::take(&mut edge.schedule),
            n_transitions: edge.n_transitions,
            until: None,
        };
        let one_thread = match walk.schedule.first().map(|step| step.actors.as_slice()) {
            Some([actor @ Actor::Thread { .. }]) if self.system.device(from).is_some() => {
                Some(*actor)
            }
            _ => None,
        };
        match one_thread {
            Some(actor) => walk.settle(self.system, actor, PRIVATE_BOUND),
            None => self.settle_everyone(&mut walk),
        }
        edge.to = walk.state;
        edge.schedule = walk.schedule;
        edge.n_transitions = walk.n_transitions;
    }

    /// A persistent set with a single way on; `None` when none is found. `found` are the
    /// transitions enabled.
    fn persistent(&self, state: &T::State, found: &[(Label, T::State)]) -> Option<Edge<T::State>> {
        let Some(shape) = self.system.device(state) else {
            return self.host_alone(state);
        };
        // Steps that interfere here and now spoil every lookahead that has both.
        if !self.some_interfere(found)
            && let Some(stretch) = launch_to_end(self.system, state, shape, self.until)
            && stretch.walk.n_transitions > 0
        {
            return Some(stretch.walk.into_edge("launch to its end".to_owned()));
        }
        let nothing_known = MayTouch::anything();
        let code = self.system.may_touch(state).unwrap_or(&nothing_known);
        self.clean_blocks(state, shape, code)
            .or_else(|| self.clean_threads(state, shape, code))
            .or_else(|| self.harmless_step(found, code))
    }

    /// Whether two enabled transitions interfere.
    fn some_interfere(&self, found: &[(Label, T::State)]) -> bool {
        let mut before = Footprint::default();
        found.iter().any(|(label, _)| {
            let mut own = Footprint::default();
            for access in &label.accesses {
                own.add(access, self.system.access_class(access));
            }
            let interferes = before.interferes(&own);
            before.extend(&own);
            interferes
        })
    }

    /// The host alone until it has a choice, starts a launch, or faults.
    fn host_alone(&self, state: &T::State) -> Option<Edge<T::State>> {
        let mut walk = Walk::from(state);
        let mut found = Vec::new();
        while walk.n_transitions < PRIVATE_BOUND && self.system.device(&walk.state).is_none() {
            found.clear();
            self.system.successors(&walk.state, &mut found);
            match found.pop() {
                Some((label, next))
                    if found.is_empty()
                        && label.fault.is_none()
                        && !self.system.is_discarded(&next) =>
                {
                    walk.take(&label, next, 0);
                }
                _ => break,
            }
        }
        if walk.n_transitions == 0 {
            return None;
        }
        if self.system.device(&walk.state).is_some() {
            self.settle_everyone(&mut walk);
        }
        Some(walk.into_edge("host".to_owned()))
    }

    /// Blocks that go to their ends without meeting others.
    fn clean_blocks(
        &self,
        state: &T::State,
        shape: DeviceShape,
        code: &MayTouch,
    ) -> Option<Edge<T::State>> {
        if shape.n_blocks == 1 {
            return None;
        }
        let mut stretches: Vec<Option<Stretch<T::State>>> = (0..shape.n_blocks)
            .map(|block| {
                let mut walk = Walk::until(state, self.until);
                let footprint = block_to_end(self.system, &mut walk, block, shape)?;
                Some(Stretch { walk, footprint })
            })
            .collect();
        // Taking a block out makes others unclean: repeat until nothing changes.
        loop {
            let met = (0..stretches.len()).find(|&b| {
                let Some(mine) = &stretches[b] else {
                    return false;
                };
                stretches.iter().enumerate().any(|(c, other)| match other {
                    _ if b == c => false,
                    Some(other) => mine.footprint.interferes(&other.footprint),
                    None => mine.footprint.interferes_with_code(code, false),
                })
            });
            match met {
                Some(block) => stretches[block] = None,
                None => break,
            }
        }
        let mut walk = Walk::from(state);
        let mut names = Vec::new();
        for (block, stretch) in stretches.iter().enumerate() {
            if stretch.as_ref().is_some_and(|s| s.walk.n_transitions > 0) {
                block_to_end(self.system, &mut walk, block as u32, shape)?;
                names.push(format!("b{block}"));
            }
        }
        (walk.n_transitions > 0).then(|| walk.into_edge(format!("{} to the end", names.join(","))))
    }

    /// Threads that go to their next barrier without meeting others.
    fn clean_threads(
        &self,
        state: &T::State,
        shape: DeviceShape,
        code: &MayTouch,
    ) -> Option<Edge<T::State>> {
        let others = shape.n_blocks > 1;
        let mut walk = Walk::from(state);
        for block in 0..shape.n_blocks {
            let runs: Vec<LoneRun> = (0..shape.n_threads)
                .map(|thread| self.lone_run(state, block, thread, shape))
                .collect();
            for thread in untouched(&runs, code, others) {
                let actor = Actor::Thread {
                    block,
                    thread: thread as u32,
                };
                walk.run_alone(self.system, actor, u32::MAX);
            }
        }
        (walk.n_transitions > 0).then(|| walk.into_edge("threads to their barriers".to_owned()))
    }

    fn lone_run(&self, state: &T::State, block: u32, thread: u32, shape: DeviceShape) -> LoneRun {
        let actor = Actor::Thread { block, thread };
        let (walk, run) = thread_alone(self.system, state, actor, self.until);
        LoneRun {
            run,
            warp: thread / shape.n_lanes.max(1),
            warp_operation: self.system.warp_wait(&walk.state, actor),
        }
    }

    /// A single step that nothing the code may do interferes with.
    fn harmless_step(
        &self,
        found: &[(Label, T::State)],
        code: &MayTouch,
    ) -> Option<Edge<T::State>> {
        let moves_alone = |n: usize| {
            let actors = &found[n].0.actors;
            found
                .iter()
                .enumerate()
                .all(|(m, (other, _))| m == n || !other.actors.iter().any(|a| actors.contains(a)))
        };
        let (n, (label, next)) = found.iter().enumerate().find(|(n, (label, next))| {
            label.fault.is_none()
                && !self.system.is_discarded(next)
                && !matches!(
                    label.rule,
                    Rule::R6
                        | Rule::R7
                        | Rule::R8
                        | Rule::R9
                        | Rule::WarpBarrier
                        | Rule::WarpExchange
                        | Rule::NamedBarrier
                )
                && label.is_visible()
                && label.accesses.iter().all(|access| {
                    !code.may_interfere(access.array, self.system.access_class(access), true)
                })
                && moves_alone(*n)
        })?;
        assert!(n < found.len());
        let mut walk = Walk::from(next);
        walk.take(label, next.clone(), 0);
        for actor in &label.actors {
            walk.settle(self.system, *actor, PRIVATE_BOUND);
        }
        Some(walk.into_edge(label_text(label)))
    }
}

/// A warp operation shows up once for each of its threads when threads are asked one by one.
fn drop_repeated_warp_operations<S>(found: &mut Vec<(Label, S)>) {
    let mut seen: Vec<Label> = Vec::new();
    found.retain(|(label, _)| {
        if !matches!(label.rule, Rule::WarpBarrier | Rule::WarpExchange) {
            return true;
        }
        let is_new = !seen.contains(label);
        if is_new {
            seen.push(label.clone());
        }
        is_new
    });
}

/// What one thread does alone.
struct LoneRun {
    run: ThreadRun,
    warp: u32,
    /// It stops at a warp operation.
    warp_operation: Option<WarpWait>,
}

impl LoneRun {
    /// Whether the run is all the thread may do while `other` does not move.
    fn is_all_before(&self, other: &LoneRun) -> bool {
        self.run.clean
            && match self.warp_operation {
                None => true,
                Some(wait) => wait == WarpWait::Whole && self.warp == other.warp,
            }
    }
}

/// The threads of one block that can move, and whose runs interfere with nothing the other
/// threads may do meanwhile; `others`: other blocks run the same code.
fn untouched(runs: &[LoneRun], code: &MayTouch, others: bool) -> Vec<usize> {
    let mut speaks: Vec<bool> = runs.iter().map(|run| run.run.clean).collect();
    let meets = |mine: usize, theirs: usize, speaks: &[bool]| {
        let (mine, them) = (&runs[mine], &runs[theirs]);
        if speaks[theirs] && them.is_all_before(mine) {
            mine.run.footprint.interferes(&them.run.footprint)
        } else {
            mine.run.footprint.interferes_with_code(code, true)
        }
    };
    for (mine, run) in runs.iter().enumerate() {
        if others && run.run.footprint.interferes_with_code(code, false) {
            speaks[mine] = false;
        }
    }
    loop {
        let met = (0..runs.len()).find(|&mine| {
            speaks[mine]
                && (0..runs.len()).any(|theirs| mine != theirs && meets(mine, theirs, &speaks))
        });
        match met {
            Some(mine) => speaks[mine] = false,
            None => break,
        }
    }
    (0..runs.len())
        .filter(|&n| speaks[n] && runs[n].run.n_transitions > 0)
        .collect()
}
