//! The transitions of a block, whichever other blocks move with it (level 2): which threads may fire, and which of
//! them together.

use super::collective_barrier::Gathering;
use super::literal_barrier;
use super::place::Place;
use super::warp;
use super::warp::active::{self, companions, is_at_active_mask};
use crate::algebra::operator::{Basic, OpId, OpKind};
use crate::profile::Firing;
use crate::thread::{Head, ThreadState};
use crate::transition::decision::decided;
use crate::transition::premise::Premise;

/// What one block does in a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockMove {
    /// These threads fire; several have the same head.
    Threads(Vec<u32>),
    /// The collective barrier, or the defect it has become.
    Barrier,
    /// These threads of a warp perform a warp operation together.
    Warp(Vec<u32>),
}

/// The moves of one block, whichever blocks move with it.
pub fn of_block(place: Place<'_>) -> Vec<BlockMove> {
    let Place { context, state, .. } = place;
    let mut moves = Vec::new();
    if context.is_lockstep() {
        for warp in &state.warps {
            moves.extend(warp.moves(state).into_iter().map(BlockMove::Threads));
        }
    } else {
        let mut alone = Vec::new();
        for thread in 0..state.threads.len() as u32 {
            match of_thread(place, thread) {
                Some(BlockMove::Threads(_)) => alone.push(thread),
                Some(BlockMove::Warp(_)) if is_at_active_mask(&state.threads[thread as usize]) => {
                    let sets = active::sets_from(context, state, thread);
                    moves.extend(sets.into_iter().map(BlockMove::Warp));
                }
                // Listed once, for the first of its threads.
                Some(BlockMove::Warp(threads)) if threads[0] == thread => {
                    moves.push(BlockMove::Warp(threads));
                }
                _ => {}
            }
        }
        match context.axes.firing {
            Firing::One => moves.extend(alone.into_iter().map(|t| BlockMove::Threads(vec![t]))),
            Firing::Set => {
                let key = |&thread: &u32| head_key(&state.threads[thread as usize]);
                let mut heads: Vec<HeadKey> = alone.iter().filter_map(key).collect();
                heads.sort_unstable();
                heads.dedup();
                if alone.len() > 1 {
                    decided(Premise::HeadsAreEqual, heads.len() == 1);
                }
                for head in heads {
                    let same = alone.iter().filter(|thread| key(thread) == Some(head));
                    let same: Vec<u32> = same.copied().collect();
                    moves.extend(subsets(&same).into_iter().map(BlockMove::Threads));
                }
            }
        }
    }
    if Gathering::of(context, place.block, state) != Gathering::Incomplete {
        moves.push(BlockMove::Barrier);
    }
    moves
}

/// The move that begins with `thread`, where warps do not move in lockstep: alone, or in a warp
/// operation together with others. `None` when it waits or has ended. At `__activemask()`, which
/// it may do with any of its companions, the move without them.
pub fn of_thread(place: Place<'_>, thread: u32) -> Option<BlockMove> {
    let Place { context, state, .. } = place;
    let own = state.threads.get(thread as usize)?;
    let alone = Some(BlockMove::Threads(vec![thread]));
    let op = match own.head() {
        Head::None => return None,
        Head::Return(_) => return alone,
        Head::Op(op) => op,
    };
    match &op.kind {
        OpKind::Basic(Basic::Barrier { .. }) => {
            let enabled = literal_barrier::is_enabled(context, state, own);
            alone.filter(|_| enabled)
        }
        OpKind::Basic(Basic::NamedBarrier { .. }) => alone.filter(|_| !own.waiting),
        // Of an ordinary launch the step is a fault.
        OpKind::Basic(Basic::GridBarrier) => {
            let cooperative = decided(Premise::LaunchIsCooperative, state.cooperative);
            alone.filter(|_| !cooperative)
        }
        _ if !context.axes.warps.are_known() => alone,
        OpKind::Basic(Basic::ActiveMask { .. }) => Some(BlockMove::Warp(vec![thread])),
        _ => match warp::Gathering::of(place, thread) {
            Some(warp::Gathering::Waits) => None,
            Some(warp::Gathering::Complete(threads)) => Some(BlockMove::Warp(threads)),
            Some(warp::Gathering::Bad(_)) | None => alone,
        },
    }
}

/// Threads fire together only with equal keys: the same occurrence of an operator, `waiting
/// Barrier` told apart from `Barrier`, and the return from a call told apart from the call.
type HeadKey = (OpId, bool, bool);

/// The key that threads that fire together have in common; `None` for a thread that has ended.
pub fn head_key(thread: &ThreadState) -> Option<HeadKey> {
    let returns = matches!(thread.head(), Head::Return(_));
    Some((thread.position()?, thread.waiting, returns))
}

/// The non-empty subsets.
fn subsets(items: &[u32]) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = vec![vec![]];
    for &item in items {
        let with: Vec<Vec<u32>> = found
            .iter()
            .map(|set| set.iter().copied().chain([item]).collect())
            .collect();
        found.extend(with);
    }
    found.retain(|set| !set.is_empty());
    found
}

/// The enabled move of one block that these actors denote.
pub fn enabled(place: Place<'_>, m: &BlockMove) -> Option<BlockMove> {
    let Place {
        context,
        block,
        state: own,
        ..
    } = place;
    let threads = match m {
        BlockMove::Threads(threads) => threads,
        BlockMove::Barrier => {
            let gathering = Gathering::of(context, block, own);
            return (gathering != Gathering::Incomplete).then_some(BlockMove::Barrier);
        }
        // Actors never name one.
        BlockMove::Warp(_) => return None,
    };
    if context.is_lockstep() {
        let warp = own.warps.get((threads[0] / context.warp_size()) as usize)?;
        let moves = warp.moves(own);
        let found = moves
            .into_iter()
            .find(|m| threads.iter().all(|t| m.contains(t)));
        return found.map(BlockMove::Threads);
    }
    match of_thread(place, threads[0])? {
        BlockMove::Warp(_) if is_at_active_mask(&own.threads[threads[0] as usize]) => {
            let companions = companions(context, own, threads[0]);
            let fits = threads.iter().all(|t| companions.contains(t));
            fits.then(|| BlockMove::Warp(threads.clone()))
        }
        BlockMove::Warp(all) => threads
            .iter()
            .all(|t| all.contains(t))
            .then_some(BlockMove::Warp(all)),
        single if threads.len() == 1 => Some(single),
        _ if context.axes.firing == Firing::One => None,
        _ => {
            let key = |thread: &u32| own.threads.get(*thread as usize).map(|t| head_key(t));
            let same = threads.iter().all(|thread| {
                let alone = of_thread(place, *thread);
                matches!(alone, Some(BlockMove::Threads(_))) && key(thread) == key(&threads[0])
            });
            same.then(|| m.clone())
        }
    }
}
