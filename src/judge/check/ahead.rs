//! Proofs of the entries that come later, made on threads of their own while one is judged: a proof rests on nothing that was
//! found of another entry, and most of the time of a file is proofs.

use gridlock_proofs::ProofOutcome;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes of stack: as much as a first thread has.
const STACK: usize = 8 << 20;

/// Threads that prove: each has the memory of a solver.
const MOST_THREADS: usize = 3;

/// How far the proof of an entry is.
enum Slot {
    /// Nobody has begun it.
    Free,
    /// Somebody makes it, or has taken it.
    Begun,
    /// Nothing where none is made ahead.
    Made(Option<Box<ProofOutcome>>),
}

/// The proofs of entries, by their places in the order in which these are judged.
pub(crate) struct Ahead {
    slots: Mutex<Vec<Slot>>,
    made: Condvar,
}

impl Ahead {
    /// None is begun.
    pub fn new(entries: usize) -> Ahead {
        let slots = (0..entries).map(|_| Slot::Free).collect();
        Ahead {
            slots: Mutex::new(slots),
            made: Condvar::new(),
        }
    }

    /// The proof of an entry, if it was begun ahead: waits until it is made. Otherwise it will not be begun. Each is taken
    /// once.
    pub fn take(&self, entry: usize) -> Option<ProofOutcome> {
        let mut slots = self.slots();
        loop {
            match std::mem::replace(slots.get_mut(entry)?, Slot::Begun) {
                Slot::Free => return None,
                Slot::Made(outcome) => return outcome.map(|outcome| *outcome),
                Slot::Begun => {}
            }
            slots = self
                .made
                .wait(slots)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Has `prove` make the proofs of all but the first entry, in their order, on so many threads at most that are free,
    /// until `others` is done, which takes them.
    pub fn beside<T>(
        &self,
        n_free: usize,
        prove: impl Fn(usize) -> Option<ProofOutcome> + Send + Sync,
        others: impl FnOnce() -> T,
    ) -> T {
        let entries = self.slots().len();
        let n_threads = n_free.min(entries.saturating_sub(1)).min(MOST_THREADS);
        let make = || {
            for entry in 1..entries {
                if self.begin(entry) {
                    // What panics here does so again where it is told.
                    let outcome = catch_unwind(AssertUnwindSafe(|| prove(entry)));
                    self.put(entry, outcome.ok().flatten());
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..n_threads {
                // Without a thread nothing is made ahead.
                let _ = std::thread::Builder::new()
                    .name("proofs ahead".into())
                    .stack_size(STACK)
                    .spawn_scoped(scope, make);
            }
            let done = others();
            self.slots().iter_mut().for_each(|slot| *slot = Slot::Begun);
            done
        })
    }

    fn begin(&self, entry: usize) -> bool {
        let slot = &mut self.slots()[entry];
        let is_free = matches!(slot, Slot::Free);
        if is_free {
            *slot = Slot::Begun;
        }
        is_free
    }

    fn put(&self, entry: usize, outcome: Option<ProofOutcome>) {
        self.slots()[entry] = Slot::Made(outcome.map(Box::new));
        self.made.notify_all();
    }

    fn slots(&self) -> MutexGuard<'_, Vec<Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Threads that may run at once, besides so many that are busy; none where this is one of many that share them.
pub(super) fn free_threads(busy: usize) -> usize {
    match rayon::current_thread_index() {
        Some(_) => 0,
        None => rayon::current_num_threads().saturating_sub(busy),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn outcome(queries: u64) -> ProofOutcome {
        ProofOutcome {
            results: Vec::new(),
            assumptions: Default::default(),
            candidates: Vec::new(),
            remarks: Default::default(),
            queries,
            steps: 0,
            seconds: 0.0,
            limits_hit: Vec::new(),
        }
    }

    /// Every proof is made once, by a thread or by who takes it, and each gets its own.
    #[test]
    fn each_proof_is_made_once() {
        for n_free in 0..4 {
            for entries in 0..6 {
                let ahead = Ahead::new(entries);
                let made = AtomicUsize::new(0);
                let prove = |entry: usize| {
                    made.fetch_add(1, Ordering::Relaxed);
                    Some(outcome(entry as u64))
                };
                let all = ahead.beside(n_free, prove, || {
                    let taken = (0..entries).map(|entry| {
                        let made = ahead.take(entry).or_else(|| prove(entry));
                        made.map(|outcome| outcome.queries)
                    });
                    taken.collect::<Vec<_>>()
                });
                let expected: Vec<_> = (0..entries as u64).map(Some).collect();
                assert_eq!(all, expected);
                assert_eq!(made.into_inner(), entries);
            }
        }
    }

    /// A proof that panics on its thread leaves it to who wanted it; what nobody takes is not begun.
    #[test]
    fn a_panic_is_left_to_who_takes_the_proof() {
        let ahead = Ahead::new(3);
        let taken = ahead.beside(
            1,
            |_| panic!("as it would here"),
            || ahead.take(1).is_none(),
        );
        assert!(taken);
        assert!(ahead.take(7).is_none());
    }
}
