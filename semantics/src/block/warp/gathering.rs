//! Which lanes a thread waits for at a warp operation, among independent threads.
//!
//! In the last warp, a lane without a thread counts as ended. A mask is a fault once no lane of the
//! warp can take a step although every lane that the mask names waits at some warp operation or has
//! ended. If a lane waits for one that waits at the block's barrier, this is a deadlock instead.

use super::super::place::Place;
use super::super::state::BlockState;
use super::arrival::{Arrival, Operation};
use crate::transition::decision::decided;
use crate::transition::fault::FaultKind;
use crate::transition::premise::Premise;

/// What a thread at a warp operation can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gathering {
    /// It waits for others.
    Waits,
    /// These threads continue together.
    Complete(Vec<u32>),
    /// Evaluating its operands is a fault, or its mask or the width of a shuffle is wrong.
    Bad(FaultKind),
}

impl Gathering {
    /// For a thread whose head is a warp operation, under independent warps; `None` elsewhere.
    pub fn of(place: Place<'_>, thread: u32) -> Option<Gathering> {
        let size = place.context.warp_size();
        let first = thread / size * size;
        let own = match Arrival::of(place.view(thread)?)? {
            Ok(arrival) => arrival,
            Err((kind, _)) => return Some(Gathering::Bad(kind)),
        };
        // Nothing may be evaluated while some lane that the mask names has not arrived.
        let mut awaited = (0..size).filter(|lane| own.mask >> lane & 1 != 0);
        if awaited.any(|lane| is_elsewhere(place.state, first + lane)) {
            decided(Premise::LanesHaveArrived, false);
            decided(Premise::LanesMayArrive, true);
            return Some(Gathering::Waits);
        }
        let lanes: Vec<Lane> = (0..size)
            .map(|lane| Lane::of(place, first + lane))
            .collect();
        if decided(Premise::LanesHaveArrived, is_complete(&lanes, &own)) {
            let present = named(&lanes, own.mask).filter(|(_, l)| matches!(l, Lane::Arrived(_)));
            let threads = present.map(|(lane, _)| first + lane).collect();
            return Some(Gathering::Complete(threads));
        }
        let stuck = lanes.iter().all(|lane| match lane {
            Lane::Moves => false,
            Lane::Arrived(other) => !is_complete(&lanes, other),
            Lane::Gone | Lane::AtBarrier => true,
        });
        let all_wait =
            named(&lanes, own.mask).all(|(_, l)| matches!(l, Lane::Arrived(_) | Lane::Gone));
        Some(
            match decided(Premise::LanesMayArrive, !(stuck && all_wait)) {
                true => Gathering::Waits,
                false => Gathering::Bad(bad_mask(&lanes, &own, thread - first)),
            },
        )
    }
}

/// Whether a thread runs and stands neither at a warp operation nor at the block's barrier.
fn is_elsewhere(block: &BlockState, thread: u32) -> bool {
    let thread = block.threads.get(thread as usize);
    thread.is_some_and(|t| t.is_running() && Operation::at(t).is_none() && !t.is_at_barrier())
}

/// Where a lane is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Lane {
    /// It has ended, or there is no such thread.
    Gone,
    Arrived(Arrival),
    AtBarrier,
    /// It is elsewhere, or runs into a fault next.
    Moves,
}

impl Lane {
    fn of(place: Place<'_>, thread: u32) -> Lane {
        let Some(view) = place.view(thread) else {
            return Lane::Gone;
        };
        if !view.thread.is_running() {
            return Lane::Gone;
        }
        match Arrival::of(view) {
            Some(Ok(arrival)) => Lane::Arrived(arrival),
            None if view.thread.is_at_barrier() => Lane::AtBarrier,
            Some(Err(_)) | None => Lane::Moves,
        }
    }
}

/// The lanes of a mask, by number.
fn named(lanes: &[Lane], mask: u32) -> impl Iterator<Item = (u32, &Lane)> {
    let lanes = (0..).zip(lanes);
    lanes.filter(move |(lane, _)| mask >> lane & 1 != 0)
}

/// Whether every lane that `own` names and that has not ended has arrived and meets it.
fn is_complete(lanes: &[Lane], own: &Arrival) -> bool {
    named(lanes, own.mask).all(|(_, lane)| match lane {
        Lane::Gone => true,
        Lane::Arrived(other) => own.meets(other),
        Lane::AtBarrier | Lane::Moves => false,
    })
}

/// The fault of a lane that waits in vain for others that wait as well.
fn bad_mask(lanes: &[Lane], own: &Arrival, lane: u32) -> FaultKind {
    let apart = named(lanes, own.mask).filter_map(|(number, lane)| match lane {
        Lane::Arrived(other) if !own.meets(other) => Some((number, other.mask)),
        _ => None,
    });
    let (mut missing, mut other) = (0, None);
    for (number, mask) in apart {
        missing |= 1 << number;
        if mask != own.mask {
            other = other.or(Some(mask));
        }
    }
    FaultKind::BadWarpMask {
        mask: own.mask,
        lane,
        missing,
        other,
    }
}
