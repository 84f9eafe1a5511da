//! What `sc-if-synchronised` asks of a program (`docs/memory-model.md`), judged on every
//! execution the explorer goes through.
//!
//! The explorer interleaves: it is sequentially consistent (SC). A GPU is not. This module says
//! when that makes no difference. It keeps, beside each state, who is ordered after which access
//! by *happens-before* (`order`), and looks for two things:
//!
//! 1. **Accesses ordered by nothing but relaxed atomics.** Two conflicting accesses, not both
//!    atomic, must be ordered by happens-before: barriers, and fence; atomic → atomic; fence. If
//!    only the fences are missing, the answer is `unknown`, reason `weak-memory`, naming them. (If
//!    not even fences would order the two, they race.)
//! 2. **Atomics that may pass each other.** A thread that has touched one contended place with an
//!    atomic must pass a fence before it touches another. *Contended* is a place with two atomics
//!    that happens-before leaves unordered and whose order can be seen: a result is used, or the
//!    operations do not commute. So a histogram (nothing is seen) needs no fence, and neither does
//!    a ticket (one place: coherence orders it). Store buffering does.
//!
//! # Why that suffices
//! The claim: if no SC execution has a race and none breaks 1 or 2, every execution of the program
//! on the machine is equivalent to an SC one. The machine is any whose executions (relations
//! program order *po*, reads-from *rf*, modification order *mo*, from-reads *fr*) satisfy:
//! *coherence* (happens-before, rf, mo and fr agree at each place), *atomicity* (a
//! read-modify-write reads the write just before it in mo), *SC fences* (putting an SC fence
//! between any two atomics of a thread makes them SC; `__threadfence` is one, PTX ISA 8,
//! `membar`), and *no thin air*: rf together with the part of po that hardware keeps —
//! dependencies, one place, a fence or barrier between — has no cycle. Load buffering is allowed.
//! These are the axioms of Lustig, Sahasrabuddhe, Giroux, *A formal analysis of the NVIDIA PTX
//! memory consistency model*, ASPLOS 2019, but for the last, where PTX only says it of
//! dependencies, and which hardware that finishes loads before a fence gives.
//!
//! Rebuild an execution `G` of the machine event by event as an SC run `S`, a thread's next event
//! whenever `S` would give it what `G` gives it. Suppose every thread is stuck before the end.
//! Let `e` be least, in the order of *no thin air*, among the events left, and `d` the next event
//! of its thread `t`.
//! - `d = e`: what it reads from is in `S`. If it is plain, all conflicting accesses of `S` happen
//!   before it (no race), so by coherence it reads the last write, as in `S`. If it is a
//!   read-modify-write, nothing of `S` can be behind it in mo: the read-modify-write next to it
//!   would read from it, and a plain write would happen before it. So it is not stuck.
//! - `d ≠ e`: no fence and no dependency stands between them, so `S` can run `t` up to `e`, and on
//!   through the threads that lead from `e` to what `d` reads from in `G`. There `d` (or, if `d`
//!   is atomic, what leaves `t`) conflicts with another thread's access, and `t` has passed no
//!   fence since `d`, so nothing of `d` happens before anything there. One of the two is plain:
//!   a race, or 1 is broken. Both are atomic and of different places, both contended: 2 is broken.
//!   They are of one place: coherence contradicts the cycle.
//!
//! Between, block barriers hand on what a thread may still owe a fence for (they order memory for
//! their own threads only). An atomic read-modify-write that fails to write (`atomicCAS`) is a
//! plain atomic read; there the SC fences are what rules out store buffering.
//!
//! The test `litmus_oracle` holds this against an axiomatic enumeration of small programs.
//!
//! **Approximations**, all towards `unknown`: what follows an atomic is taken to have been learnt
//! from it only if its result is used; `__syncwarp`, named barriers and barriers that threads have
//! exited before end no debt of fences; dependencies excuse nothing; contention is asked for by
//! place, over all executions.

pub(crate) mod known;
pub(crate) mod order;
mod tracked;
pub(crate) mod weak;

pub use tracked::{Tracked, TrackedState};
pub use weak::WeakMemory;
