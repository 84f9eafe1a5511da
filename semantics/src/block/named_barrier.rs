//! Named barriers: `bar.sync a, b` and `bar.arrive a, b` (PTX ISA 8, *Parallel Synchronization and Communication
//! Instructions: bar, barrier*; beyond the paper). With `A` the threads that have arrived at barrier `a` of the
//! block, and `n` the number of threads that it waits for:
//!
//! ```text
//! (b, sync a,n;R, F)    →  (b, waiting sync a,n;R, F)   A := A ∪ {i}   if |A| + 1 < n
//! (b, arrive a,n;R, F)  →  (b, R, F)                    A := A ∪ {i}   if |A| + 1 < n
//! (b, y a,n;R, F) ‖ {(b, waiting sync a,n;Rⱼ, Fⱼ)}  →  (b, R, F) ‖ {(b, Rⱼ, Fⱼ)}   A := ∅   if |A| + 1 = n
//! ```
//!
//! Premises: [`Premise::BarrierExists`], [`Premise::CountIsWholeWarps`], [`Premise::CountIsInBlock`] and
//! [`Premise::CountIsTheSame`], without which an arrival is a fault, and [`Premise::ThreadsHaveArrived`].
//!
//! Effect: a thread *arrives*; with `sync` it then waits, with `arrive` it goes on. The arrival that completes the
//! number of threads releases all waiting threads and resets the barrier, in one step. So `sync` orders everything
//! that all these threads did before with what the waiting threads do after; a thread that only arrives is not
//! ordered after the others.
//!
//! A block has barriers 0 to 15. The number of threads is a multiple of the warp size and the same for all threads
//! that meet. If it is not given, the barrier waits for all threads of the block that have not ended; the end of a
//! thread may therefore complete the barrier (PTX ISA, `exit`).
//!
//! Barriers that are objects in shared memory (`cuda::barrier`) are numbered from [`FIRST_OBJECT`] on. For them the
//! second and the third premise ask less: any number of arrivals above zero will do, also more than the block has threads.
//!
//! Choices made here: arrivals are counted thread by thread, as for `barrier` without `.aligned` since sm_70 (older
//! hardware counts whole warps, so all threads of a warp should arrive in any case); threads may meet at different
//! occurrences, because producers and consumers run different code. Barrier 0 of the whole block is `__syncthreads()`
//! and is represented by [`crate::algebra::operator::Basic::Barrier`].

use super::part::Part;
use super::state::{BlockState, Gathered};
use crate::algebra::value::Value;
use crate::evaluation::eval::eval;
use crate::setup::context::Context;
use crate::thread::named_barrier_at_head;
use crate::thread::view::{Reading, Touched, View};
use crate::transition::decision::decided;
use crate::transition::fault::{Fault, FaultKind};
use crate::transition::premise::Premise;
use serde::{Deserialize, Serialize};

/// Barriers of a block.
pub const N_BARRIERS: u32 = 16;

/// The numbers from here on are of barriers that are objects in shared memory (`cuda::barrier`). There may be any
/// number of them, and each gathers any number of arrivals.
pub const FIRST_OBJECT: u32 = 1 << 16;

/// An arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrival {
    /// Which of the block's barriers.
    pub id: u32,
    /// The number of threads it waits for, by the operand of the thread that arrives.
    pub threads: u32,
    /// It waits for all threads of the block, whatever their number.
    pub whole: bool,
    /// The thread continues without waiting (`arrive`).
    pub arrive_only: bool,
}

/// Threads that met at barrier `id`: everything that `from` did before the meeting, and that `gone` did before they
/// arrived, is ordered before what `to` do after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Which of the block's barriers.
    pub id: u32,
    /// The threads that stood there until now. Ascending.
    pub from: Vec<u32>,
    /// The threads that arrived earlier and continued; what they did after their arrival is not ordered. Ascending.
    pub gone: Vec<u32>,
    /// Ascending.
    pub to: Vec<u32>,
}

/// Evaluates the operands of the named barrier at the head, and says what was read on the way.
///
/// # Errors
/// An operand is not defined, or no barrier can have it.
fn arrival(view: View<'_>, n_threads: u32) -> Result<(Arrival, Vec<Touched>), FaultKind> {
    let Some((id, threads, arrive_only)) = named_barrier_at_head(view.thread) else {
        return bad("no named barrier".to_owned());
    };
    let mut reading = Reading::new(view);
    let id = eval(id, &mut reading)?;
    let count = match threads {
        Some(threads) => Some(eval(threads, &mut reading)?),
        None => None,
    };
    let warp = view.context.warp_size();
    let arrival = Arrival::asked(id, count, arrive_only, n_threads, warp)?;
    Ok((arrival, reading.touched))
}

impl Arrival {
    /// The arrival that operands ask for, in a block of `n_threads` threads and warps of `warp`.
    ///
    /// # Errors
    /// No barrier can have them.
    pub fn asked(
        id: Value,
        threads: Option<Value>,
        arrive_only: bool,
        n_threads: u32,
        warp: u32,
    ) -> Result<Arrival, FaultKind> {
        let id = number(id.as_integer());
        let count = threads.map(|threads| number(threads.as_integer()));
        let is_object = (FIRST_OBJECT..u32::MAX).contains(&id);
        if !decided(Premise::BarrierExists, id < N_BARRIERS || is_object) {
            return bad(format!("a block has barriers 0 to 15, not {id}"));
        }
        let arrival = Arrival {
            id,
            threads: count.unwrap_or(n_threads),
            whole: count.is_none(),
            arrive_only,
        };
        let is_counted = arrival.threads.is_multiple_of(warp) || is_object;
        let fits = arrival.whole || arrival.threads > 0 && is_counted;
        if !decided(Premise::CountIsWholeWarps, fits) {
            return bad(format!(
                "{} threads are no whole number of warps of {warp}",
                arrival.threads
            ));
        }
        let n_lanes = n_threads.next_multiple_of(warp);
        let is_met = arrival.threads <= n_lanes || is_object;
        if !decided(Premise::CountIsInBlock, is_met) {
            return bad(format!(
                "{} threads are waited for in a block of {n_threads}",
                arrival.threads
            ));
        }
        Ok(arrival)
    }
}

fn number(value: Option<i128>) -> u32 {
    value
        .and_then(|n| u32::try_from(n).ok())
        .unwrap_or(u32::MAX)
}

fn bad<T>(reason: String) -> Result<T, FaultKind> {
    Err(FaultKind::BadBarrier { reason })
}

/// The block after `thread` has arrived.
///
/// # Errors
/// Others wait there for another number of threads.
fn arrive(
    context: &Context,
    block: &BlockState,
    thread: u32,
    arrival: Arrival,
) -> Result<BlockState, FaultKind> {
    let mut after = block.clone();
    let mut gathered = match block.named.get(&arrival.id) {
        Some(gathered) => gathered.clone(),
        None => Gathered {
            threads: arrival.threads,
            whole: arrival.whole,
            ..Gathered::default()
        },
    };
    if !decided(Premise::CountIsTheSame, gathered.threads == arrival.threads) {
        return Err(another_count(&arrival, gathered.threads));
    }
    gathered.whole |= arrival.whole;
    let mut moved = (*block.threads[thread as usize]).clone();
    if arrival.arrive_only {
        let at = gathered.arrived.partition_point(|&t| t <= thread);
        gathered.arrived.insert(at, thread);
        moved.advance(&context.program);
    } else {
        let at = gathered.waiting.partition_point(|&t| t < thread);
        gathered.waiting.insert(at, thread);
        moved.waiting = true;
    }
    after.set_thread(thread, moved);
    after.named.insert(arrival.id, gathered);
    release(context, &mut after);
    Ok(after)
}

/// The fault of an arrival where others wait for another number of threads.
pub fn another_count(arrival: &Arrival, threads: u32) -> FaultKind {
    FaultKind::BadBarrier {
        reason: format!(
            "barrier {} gathers {} threads, and {threads} are waited for there already",
            arrival.id, arrival.threads
        ),
    }
}

/// Releases the threads whose barrier is complete.
fn release(context: &Context, block: &mut BlockState) {
    let n_ended = block.threads.len() as u32 - block.unfinished;
    let is_complete = |gathered: &Gathered| {
        let demanded = match gathered.whole {
            true => gathered.threads.saturating_sub(n_ended),
            false => gathered.threads,
        };
        gathered.waiting.len() + gathered.arrived.len() >= demanded as usize
    };
    let ids: Vec<u32> = block.named.keys().copied().collect();
    for id in ids {
        let complete = block.named.get(&id).is_some_and(is_complete);
        if !decided(Premise::ThreadsHaveArrived, complete) {
            continue;
        }
        let Some(gathered) = block.named.remove(&id) else {
            continue;
        };
        for thread in gathered.waiting {
            let mut moved = (*block.threads[thread as usize]).clone();
            moved.waiting = false;
            moved.advance(&context.program);
            block.set_thread(thread, moved);
        }
    }
}

/// Who met in a transition of `actors` (threads of the block) from `before` to `after`.
pub fn meetings(before: &BlockState, after: &BlockState, actors: &[u32]) -> Vec<Meeting> {
    let arrives = |actor: &&u32| {
        let thread = &before.threads[**actor as usize];
        named_barrier_at_head(thread).is_some() && !thread.waiting
    };
    let arriving: Vec<u32> = actors.iter().filter(arrives).copied().collect();
    let goes_on = |thread: &u32| !after.threads[*thread as usize].waiting;
    let waits_for = |thread: &&u32| {
        let found = named_barrier_at_head(&before.threads[**thread as usize]);
        goes_on(thread) && found.is_some_and(|(_, _, arrive_only)| !arrive_only)
    };
    let released = before.named.iter().filter(|(id, gathered)| {
        // Gone, or a new gathering.
        let same = |now: &Gathered| {
            gathered.waiting.iter().all(|t| now.waiting.contains(t))
                && gathered.arrived.len() <= now.arrived.len()
        };
        !after.named.get(id).is_some_and(same)
    });
    released
        .map(|(id, gathered)| {
            let mut from = [&gathered.waiting[..], &arriving].concat();
            from.sort_unstable();
            from.dedup();
            let mut gone = gathered.arrived.clone();
            gone.dedup();
            let mut to = gathered.waiting.clone();
            to.extend(arriving.iter().filter(waits_for));
            to.sort_unstable();
            Meeting {
                id: *id,
                from,
                gone,
                to,
            }
        })
        .collect()
}

impl Part<'_> {
    /// These threads arrive at a named barrier, one after another.
    pub(super) fn arrive(&mut self, threads: &[u32]) -> Option<Fault> {
        let mut block = self.place.state.clone();
        block.started = true;
        let n_threads = block.threads.len() as u32;
        for &thread in threads {
            let op = self.view(thread).thread.position()?;
            self.label.op.get_or_insert(op);
            self.label.actors.push(self.place.actor(thread));
            let asked = arrival(self.view(thread), n_threads);
            let arrived = asked.and_then(|(arrival, touched)| {
                self.record(thread, op, &touched);
                arrive(self.place.context, &block, thread, arrival)
            });
            match arrived {
                Ok(after) => block = after,
                Err(kind) => {
                    let actor = self.place.actor(thread);
                    return Some(Fault { kind, actor, op });
                }
            }
        }
        self.released = Some(block);
        None
    }
}

/// The block after a thread has ended in a transition from `before` to `after`, if others waited at a named barrier
/// for this thread alone: they continue. `None` otherwise.
pub fn without_ended(
    context: &Context,
    before: &BlockState,
    after: &BlockState,
) -> Option<BlockState> {
    if after.named.is_empty() || after.unfinished == before.unfinished {
        return None;
    }
    let mut released = after.clone();
    release(context, &mut released);
    let any = released.named.len() != after.named.len();
    any.then(|| {
        released.settle_warps();
        released
    })
}
