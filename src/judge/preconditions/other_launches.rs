//! What a defect at one launch says of a kernel, seen beside others, and what is found out of those.

use super::condition::{Atom, Condition, all};
use super::of_use::LEAST_THREADS;
use super::portable::Portable;
use super::space::{Point, Space};
use crate::subject::EntryPoint;
use gridlock_semantics::algebra::expr::Expr;

/// Launches at which a condition is judged first.
const TOLD: usize = 6;

/// What came of launches as one makes them, where a defect shows at some and no condition was found that excludes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OtherLaunches {
    /// At launches of some kind nothing goes wrong, wherever one was tried.
    Held,
    /// At some nothing goes wrong, which may be luck where it hangs on what arrays hold.
    SomeRight,
    /// Of those of some kind none was seen to go wrong, and not enough runs ended to be right.
    Open,
    /// Wherever runs ended, something went wrong; or none was tried.
    Wrong,
}

/// A condition on launches and arguments.
pub(crate) struct Ordinary {
    /// In words.
    pub text: String,
    /// In the source.
    pub code: String,
    /// Its parts, as expressions of the kernel.
    pub requires: Vec<Expr>,
    /// How many launches there were at which nothing went wrong.
    pub held_at: u64,
    /// Some of these.
    pub launches: Vec<EntryPoint>,
    /// The same, for other kernels.
    pub portable: Portable,
}

impl Ordinary {
    /// The condition that all `atoms` hold, with launches among `safe`, at which nothing went wrong, that meet it.
    pub(super) fn new(space: &Space, safe: &[Point], atoms: &[Atom]) -> Option<Ordinary> {
        let mut safe: Vec<&Point> = safe.iter().filter(|point| all(atoms, point)).collect();
        let held_at = safe.len() as u64;
        // Those with blocks of many threads, which do something, and among them what takes least.
        safe.retain(|point| space.n_threads_of_block(point) >= LEAST_THREADS);
        safe.sort_by_key(|point| space.effort(point));
        let spread = safe.len().div_ceil(TOLD).max(1);
        let launches = safe.into_iter().step_by(spread);
        let launches = launches.filter_map(|point| space.closed_at(point).ok());
        let is_open = space.shared_is_open;
        let launches = launches
            .map(|at| EntryPoint {
                shared_is_open: is_open,
                ..at
            })
            .collect();
        let portable = Portable::new(atoms, space);
        let parts: Vec<Condition> = atoms.iter().cloned().map(Condition::Atom).collect();
        let in_source = parts.iter().map(|part| part.in_source(space));
        let (_, requires): (Vec<String>, Vec<Expr>) =
            in_source.collect::<Option<Vec<_>>>()?.into_iter().unzip();
        let condition = match parts.len() {
            1 => parts.into_iter().next()?,
            _ => Condition::And(parts),
        };
        Some(Ordinary {
            text: condition.text(space),
            code: condition.in_source(space)?.0,
            requires,
            held_at,
            launches,
            portable,
        })
    }
}
