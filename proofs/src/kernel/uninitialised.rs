//! Reads of what was never written: private variables by definite assignment; shared memory by finding, for
//! each read, a write that certainly came before.
//!
//! A write certainly came before a read of the same cell where the same thread made it earlier in
//! the interval, or where the thread whose index is the cell's made it in the first interval and
//! the read comes after a barrier (race freedom puts the two in order, and only that way round).
//! Kernels that fill shared memory otherwise are left open.

use crate::kernel::analysis::{Analysis, Attempt, Obstacle};
use crate::machine::state::Access;
use crate::machine::value::{Repeated, Round};
use crate::solver::possible::Possible;
use crate::solver::solve::{Answer, Reader};
use crate::terms::array_key::ArrayKey;
use crate::terms::term::{Order, TermId};
use gridlock_checker::verdict::Reason;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::OpKind;
use gridlock_semantics::analysis::definite_assignment::Assigned;
use gridlock_semantics::transition::AccessMode;
use std::collections::BTreeSet;

/// Reads asked about in one question.
const BATCH: usize = 24;

impl Analysis<'_> {
    /// `race_free`: that has been proved.
    pub fn uninitialised_reads(&mut self, race_free: bool) -> Attempt {
        if let Some(name) = self.unset_variable() {
            let why = format!("{name} may be read before it is assigned");
            return Attempt::Open(Obstacle::new(Reason::Inconclusive, why));
        }
        let intervals = std::mem::take(&mut self.intervals);
        let mut open = None;
        for (number, interval) in intervals.iter().enumerate() {
            let accesses = interval.accesses.iter().enumerate();
            let mut reads: Vec<(&Access, TermId)> = Vec::new();
            for (place, read) in accesses {
                if read.mode != AccessMode::Write && self.machine.starts_unset(read.array) {
                    reads.push((read, self.missed(read, &interval.accesses[..place])));
                }
            }
            for some in reads.chunks(BATCH) {
                let any = some
                    .iter()
                    .fold(self.machine.terms.bool(false), |any, (_, missed)| {
                        self.machine.terms.or(any, *missed)
                    });
                if matches!(self.is_possible(any), Possible::No) {
                    continue;
                }
                for &(read, missed) in some {
                    let first = &intervals[0].accesses;
                    let set = some.len() > 1 && matches!(self.is_possible(missed), Possible::No)
                        || self.machine.space(read.array) == Space::Shared
                            && race_free
                            && number > 0
                            && self.set_at_first(read, first);
                    if !set {
                        let name = self.array_name(read.array);
                        open.get_or_insert(format!(
                            "line {}: it is not established that this element of {name} has been \
                             written before",
                            read.span.line
                        ));
                    }
                }
            }
        }
        self.intervals = intervals;
        if let Some(obstacle) = self.incomplete() {
            return Attempt::Open(obstacle);
        }
        match open {
            Some(why) => Attempt::Open(Obstacle::new(Reason::Inconclusive, why)),
            None => Attempt::Holds(
                "every variable and every element of shared memory is written before it is read; \
                 contents of arrays in global memory are taken as given"
                    .to_owned(),
            ),
        }
    }

    /// A private variable that may be read before it is assigned.
    fn unset_variable(&self) -> Option<String> {
        let mut seen = BTreeSet::new();
        let mut stack = vec![self.kernel];
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let procedure = self.program.proc(id);
            procedure.body.walk(&mut |op| {
                if let OpKind::Call { proc, .. } = &op.kind {
                    stack.push(*proc);
                }
            });
            if let Some(var) = self.unset_in(id) {
                let name = &procedure.vars[var.0 as usize].name;
                return Some(self.program.source_name(name).to_owned());
            }
        }
        None
    }

    fn unset_in(&self, id: ProcId) -> Option<VarId> {
        let procedure = self.program.proc(id);
        let assigned = Assigned::These(procedure.params.iter().copied().collect());
        let mut found = None;
        assigned.through(self.program, &procedure.body, &mut |_, var| {
            found.get_or_insert(var);
        });
        found
    }

    /// That the reader reads the cell and has written it in none of the `earlier` accesses of its walk (a walk notes
    /// accesses in the order they are made). What an iteration or a call before wrote into an array that may be declared
    /// in there does not count.
    fn missed(&mut self, read: &Access, earlier: &[Access]) -> TermId {
        let anew = read
            .rounds
            .iter()
            .filter(|round| self.may_declare(round.of, read.array));
        let anew: Vec<&Round> = anew.collect();
        let written = |w: &&Access| {
            w.array == read.array
                && w.mode == AccessMode::Write
                && !w.leaves
                && anew.iter().all(|round| w.rounds.contains(round))
        };
        let mut missed = read.path;
        for write in earlier.iter().filter(written) {
            let terms = &mut self.machine.terms;
            let same = terms.eq(write.index, read.index);
            let done = terms.and(write.path, same);
            let not_done = terms.not(done);
            missed = terms.and(missed, not_done);
        }
        missed
    }

    /// Whether the array may be declared in the loop or procedure: all accesses to it are made there.
    fn may_declare(&self, of: Repeated, array: ArrayKey) -> bool {
        // What is shared by a block is there all the time.
        if self.machine.space(array) != Space::Private {
            return false;
        }
        match (of, array) {
            (Repeated::Procedure(called), ArrayKey::Declared(id)) => {
                self.program.array(id).owner == Some(called)
            }
            (Repeated::Procedure(_), _) => false,
            (Repeated::Loop(_), _) => {
                let mut all = self.whole.accesses.iter().filter(|a| a.array == array);
                all.all(|a| a.rounds.iter().any(|round| round.of == of))
            }
        }
    }

    /// Whether the thread of the block whose index is the cell's certainly wrote it in the first
    /// interval. Both that there is such a thread and that it wrote the cell are asked.
    fn set_at_first(&mut self, read: &Access, first: &[Access]) -> bool {
        let [x, y, z] = self.machine.launch.dimensions;
        let terms = &mut self.machine.terms;
        if terms.as_bits(y.thread).is_none() || terms.as_bits(z.thread).is_none() {
            return false;
        }
        let extent = terms.zero_ext(64, x.block_extent);
        let exists = terms.less(Order::UnsignedLess, read.index, extent);
        let missing = terms.not(exists);
        let readings = [(read.path, Reader::FIRST), (missing, Reader::FIRST)];
        if !self.ask(&readings, &[]).is_unsatisfiable() {
            return false;
        }
        let written =
            |w: &&Access| w.array == read.array && w.mode == AccessMode::Write && !w.leaves;
        let writes: Vec<(TermId, TermId)> = first
            .iter()
            .filter(written)
            .map(|w| (w.path, w.index))
            .collect();
        for (path, index) in writes {
            let terms = &mut self.machine.terms;
            let thread = terms.zero_ext(64, x.thread);
            let terms = &self.machine.terms;
            let other = Reader::APART;
            let cell = self.prover.word(terms, read.index, Reader::FIRST);
            let writer = self.prover.word(terms, thread, other);
            let to = self.prover.word(terms, index, other);
            let ran = self.prover.formula(terms, path, other);
            let wrote = z3::ast::Bool::and(&[ran, to.eq(&cell)]);
            let extra = [writer.eq(&cell), wrote.not()];
            let always = self.machine.terms.bool(true);
            let readings = [(read.path, Reader::FIRST), (always, other)];
            if let Answer::Unsatisfiable = self.ask(&readings, &extra) {
                return true;
            }
        }
        false
    }
}
