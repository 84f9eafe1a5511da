//! The lemmas that engines lean on (docs/metatheory.md): each in a file of its own whose comment
//! is the lemma, over every kernel up to a size from one generator
//! ([`gridlock_generation::random::enumerate`]) and on random larger ones.
//!
//! They speak of the core of the algebra: reads, writes, atomics, the block's barrier,
//! `__syncwarp`, `return`, branches and loops.

mod grammar;
mod m1;
mod m1_conditions;
mod m2;
mod m3;
mod m4;
mod schedules;
