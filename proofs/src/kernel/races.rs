//! Data races by the two-thread argument: one query for each pair of conflicting accesses that may
//! be unordered. Unordered are, in one block, accesses of one barrier interval, and those of a
//! thread that returns with everything others do after the barriers it misses; of two blocks, all.
//! Where some barrier of the kernel does not order accesses to a memory, all to it count as
//! unordered in one block too, whatever other barriers stand between.

use crate::kernel::analysis::{Analysis, Attempt, Doubts, Obstacle};
use crate::kernel::candidate::Suspicion;
use crate::kernel::interval::Interval;
use crate::machine::state::Access;
use crate::solver::possible::Possible;
use crate::solver::solve::Reader;
use crate::terms::array_key::ArrayKey;
use crate::terms::term::{Node, TermId};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::remark::Remark;
use gridlock_checker::verdict::Reason;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::memory::conflict;
use gridlock_semantics::memory::conflict::AccessKind;
use rustc_hash::{FxHashMap, FxHashSet};

impl Analysis<'_> {
    /// `aligned`: that barriers are met together has been proved.
    pub fn races(&mut self, aligned: bool) -> Attempt {
        let mut doubts = Doubts::default();
        let intervals = std::mem::take(&mut self.intervals);
        let whole = self.shareable(&self.whole.accesses);
        let asked = self.unlike(&whole);
        for interval in &intervals {
            self.races_in(interval, &asked, &mut doubts);
        }
        self.intervals = intervals;
        // Where some barrier does not order this memory, none is counted on.
        let undivided = asked.iter().filter(|one| !self.barriers_order(one.space));
        let undivided: Vec<Asked> = undivided.cloned().collect();
        let in_one_block = pairs(&undivided)
            .filter(|(a, b)| conflict(a, b, false))
            .map(|(a, b)| {
                let what = "of one block, where barriers do not order this memory";
                race(a, b, Reader::APART, vec![], what)
            });
        self.decide_all(in_one_block, &mut doubts);
        let across = pairs(&asked)
            .filter(|(a, b)| a.space != Space::Shared && conflict(a, b, true))
            .map(|(a, b)| race(a, b, Reader::ELSEWHERE, vec![], "of different blocks"));
        self.decide_all(across, &mut doubts);
        doubts.or(|| self.races_hold(aligned, &whole))
    }

    /// Whether every barrier that the kernel may meet orders accesses to memory of a space.
    fn barriers_order(&self, space: Space) -> bool {
        let mut barriers = self.whole.barriers.iter();
        barriers.all(|barrier| barrier.orders.includes(space))
    }

    /// No pair conflicts; what else the claim needs.
    fn races_hold(&mut self, aligned: bool, whole: &[Access]) -> Attempt {
        if let Some(obstacle) = self.incomplete() {
            return Attempt::Open(obstacle);
        }
        if !aligned {
            let why = "it is not established that the threads of a block meet their barriers \
                       together, so barriers order nothing for certain";
            return Attempt::Open(Obstacle::new(Reason::Inconclusive, why));
        }
        if self.request.profile.axes.memory.asks_for_synchronisation()
            && let Some(atomic) = whole.iter().find(|a| a.result_used)
        {
            let why = format!(
                "line {}: the result of an atomic operation is used; whether fences order what \
                 follows is not judged symbolically",
                atomic.span.line
            );
            return Attempt::Open(Obstacle::new(Reason::WeakMemory, why));
        }
        self.races_are_not_vacuous(whole)
    }

    fn races_in(&mut self, interval: &Interval, whole: &[Asked], doubts: &mut Doubts) {
        let inside = self.unlike(&self.shareable(&interval.accesses));
        // Where threads come to one fork, they are proved (or required) to take one way.
        let mut together = Vec::new();
        for fork in &interval.forks {
            if !fork.may_part && !self.machine.terms.is_uniform(fork.cond) {
                together.push((fork.path, fork.cond));
            }
        }
        let beside = pairs(&inside).filter(|(a, b)| conflict(a, b, false));
        let beside = beside.map(|(a, b)| {
            let mut suspicion = race(a, b, Reader::BESIDE, vec![], "of one block");
            suspicion.together = together.clone();
            suspicion
        });
        self.decide_all(beside, doubts);
        let Some(leaves) = self.leaving_path(interval) else {
            return;
        };
        let of_all = inside.iter();
        let of_all = of_all.flat_map(|a| whole.iter().map(move |b| (a, b)));
        let after = of_all.filter(|(a, b)| conflict(a, b, false)).map(|(a, b)| {
            let what = "of one block, one of which has returned before a barrier";
            race(a, b, Reader::APART, vec![leaves], what)
        });
        self.decide_all(after, doubts);
    }

    /// Of accesses that give the same questions, whatever else they meet, the first: those of one cell under
    /// one path and in one mode.
    fn unlike(&self, accesses: &[Access]) -> Vec<Asked> {
        let mut seen = FxHashSet::default();
        let kept = accesses.iter().filter(|access| {
            let (mode, scope) = (access.mode, access.scope);
            seen.insert((access.array, access.index, access.path, mode, scope))
        });
        let asked = kept.map(|access| Asked {
            access: access.clone(),
            space: self.machine.space(access.array),
            place: match *self.machine.terms.node(access.index) {
                Node::Bits { value, .. } => Some(value),
                _ => None,
            },
        });
        asked.collect()
    }

    /// Under which a thread returns in the interval; `None` if it cannot.
    fn leaving_path(&mut self, interval: &Interval) -> Option<TermId> {
        if interval.leavings.is_empty() {
            return None;
        }
        if interval.leavings.iter().any(|l| l.in_loop) {
            return Some(self.machine.terms.bool(true));
        }
        let mut any = self.machine.terms.bool(false);
        for leaving in &interval.leavings {
            any = self.machine.terms.or(any, leaving.path);
        }
        Some(any)
    }

    /// Accesses other threads could meet, without repetitions.
    fn shareable(&self, accesses: &[Access]) -> Vec<Access> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        for access in accesses {
            let shared = self.machine.space(access.array) != Space::Private;
            if shared
                && access.array != ArrayKey::Null
                && seen.insert((
                    access.array,
                    access.index,
                    access.path,
                    access.mode,
                    access.op,
                ))
            {
                found.push(access.clone());
            }
        }
        found
    }

    fn races_are_not_vacuous(&mut self, accesses: &[Access]) -> Attempt {
        let mut possible = accesses.is_empty();
        let mut happens: FxHashMap<TermId, bool> = FxHashMap::default();
        for access in accesses {
            let answer = match happens.get(&access.path) {
                Some(true) => continue,
                Some(false) => Possible::No,
                None => self.is_possible(access.path),
            };
            happens.insert(access.path, !matches!(answer, Possible::No));
            match answer {
                Possible::Yes => possible = true,
                Possible::No => {
                    let array = self.array_name(access.array);
                    let line = access.span.line;
                    self.remarks
                        .note(Remark::AccessNeverHappens { line, array });
                }
                Possible::Open(why) => {
                    return Attempt::Open(self.gave_up("whether an access happens at all", &why));
                }
            }
        }
        if !possible {
            let why = "no access can happen in any launch considered";
            return Attempt::Open(Obstacle::new(Reason::Vacuous, why));
        }
        Attempt::Holds("no two threads can make conflicting accesses unordered".to_owned())
    }
}

/// An access that questions are asked about.
#[derive(Clone)]
struct Asked {
    access: Access,
    space: Space,
    /// Its index, where that is the same for all threads and inputs.
    place: Option<u64>,
}

/// All unordered pairs, each access with itself too.
fn pairs(accesses: &[Asked]) -> impl Iterator<Item = (&Asked, &Asked)> {
    accesses
        .iter()
        .enumerate()
        .flat_map(move |(i, a)| accesses[i..].iter().map(move |b| (a, b)))
}

/// Whether two accesses may be to one place, and conflict there.
fn conflict(a: &Asked, b: &Asked, across_blocks: bool) -> bool {
    if let (Some(here), Some(there)) = (a.place, b.place)
        && here != there
    {
        return false;
    }
    let (a, b) = (&a.access, &b.access);
    let kind = |access: &Access| AccessKind::new(access.mode, access.scope);
    // Writes of one value are told apart by what their paths leave: see [`Access::leaves`].
    a.array == b.array && conflict::conflict(kind(a), kind(b), !across_blocks, || false)
}

fn race(a: &Asked, b: &Asked, other: Reader, also: Vec<TermId>, who: &str) -> Suspicion {
    let (a, b) = (&a.access, &b.access);
    let mut readings = vec![(a.path, Reader::FIRST), (b.path, other)];
    readings.extend(also.into_iter().map(|t| (t, Reader::FIRST)));
    Suspicion {
        kind: DefectKind::DataRace,
        readings,
        accesses: vec![(a.clone(), Reader::FIRST), (b.clone(), other)],
        places: vec![],
        together: vec![],
        message: format!(
            "two threads {who} access the same element, at lines {} and {}",
            a.span.line, b.span.line
        ),
    }
}
