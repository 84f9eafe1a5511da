//! Innermost rewriting: arguments first, left to right, then the first rule that matches, then what it
//! built. The term that is given is gone through here, each part once; what rules build is for the
//! machine, and all of it is normal when it is built.

use super::bank::{Bank, TermId};
use super::machine::{Machine, OutOfFuel};
use super::rules::GroundRules;

/// What was done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Applications of rules, all together.
    pub applied: u64,
    /// By rule, in the order of [`GroundRules::names`].
    pub by_rule: Vec<u64>,
}

/// A term whose arguments are gone through: cells of the bank.
#[derive(Clone, Copy, Debug)]
struct Frame {
    term: TermId,
    next: u32,
    end: u32,
}

impl Frame {
    #[inline]
    fn of(bank: &Bank, term: TermId) -> Frame {
        let next = term.0 + 1;
        let end = next + bank.n_args(bank.head_of(term)) as u32;
        Frame { term, next, end }
    }
}

/// Brings terms of one bank to normal form.
#[derive(Debug)]
pub struct Normaliser<'r> {
    rules: &'r GroundRules,
    machine: Machine<'r>,
    /// By term: its normal form and 1, or 0 where it is not known.
    normal: Vec<u32>,
    /// The terms something was learned of since the last one was begun.
    learned: Vec<TermId>,
    /// Those something is known of when a term is done.
    remembered: Vec<TermId>,
    /// What stands around the term at hand.
    frames: Vec<Frame>,
    statistics: Statistics,
}

impl<'r> Normaliser<'r> {
    /// `keep_provenance`: keep each application, in order.
    pub fn new(rules: &'r GroundRules, keep_provenance: bool) -> Normaliser<'r> {
        Normaliser {
            rules,
            machine: Machine::new(rules, keep_provenance),
            normal: Vec::new(),
            learned: Vec::new(),
            remembered: Vec::new(),
            frames: Vec::new(),
            statistics: Statistics {
                applied: 0,
                by_rule: vec![0; rules.names().count()],
            },
        }
    }

    /// What was done since this was made, over all terms.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Rule number and the term it was applied to, in order.
    pub fn provenance(&self) -> &[(u32, TermId)] {
        self.machine.provenance.as_deref().unwrap_or_default()
    }

    /// Forgets which terms are known to be normal: the next one is rewritten as if it were the first.
    pub fn forget(&mut self) {
        for known in self.remembered.drain(..) {
            self.normal[known.0 as usize] = 0;
        }
    }

    #[inline]
    fn known(&self, term: TermId) -> Option<TermId> {
        match self.normal.get(term.0 as usize) {
            None | Some(0) => None,
            Some(known) => Some(TermId(known - 1)),
        }
    }

    #[inline]
    fn learn(&mut self, term: TermId, normal: TermId) {
        self.note(term, normal);
        self.learned.push(term);
    }

    #[inline]
    fn note(&mut self, term: TermId, normal: TermId) {
        let index = term.0 as usize;
        if self.normal.len() <= index {
            self.normal.resize(index + 1 + index / 2, 0);
        }
        self.normal[index] = normal.0 + 1;
    }

    /// The normal form of a term.
    ///
    /// # Errors
    /// More than `fuel` applications would be needed, or more terms on the way than a bank has room for.
    pub fn normalise(
        &mut self,
        bank: &mut Bank,
        term: TermId,
        fuel: u64,
    ) -> Result<TermId, OutOfFuel> {
        let mark = bank.end();
        self.learned.clear();
        self.machine.clear();
        self.machine.mark = mark;
        self.machine.most = self.machine.applied.saturating_add(fuel);
        let outcome = self.run(bank, term);
        self.statistics.applied = self.machine.applied;
        self.statistics.by_rule.clone_from(&self.machine.by_rule);
        // What was built on the way goes; so what is known of terms by such parts is no longer known.
        for learned in self.learned.drain(..) {
            let known = &mut self.normal[learned.0 as usize];
            if *known as usize > mark {
                *known = 0;
            } else {
                self.remembered.push(learned);
            }
        }
        let forget = self.machine.provenance.is_none();
        let kept = bank.keep_only(mark, outcome.unwrap_or(term), forget);
        outcome?;
        self.learn(term, kept);
        // Where all young terms stay, a table up to here would be as large as they are.
        if forget {
            self.learn(kept, kept);
        }
        self.remembered.append(&mut self.learned);
        Ok(kept)
    }

    /// Goes through a term that was there before, its parts first.
    fn run(&mut self, bank: &mut Bank, term: TermId) -> Result<TermId, OutOfFuel> {
        if let Some(value) = self.known(term) {
            return Ok(value);
        }
        self.frames.clear();
        let mut frame = Frame::of(bank, term);
        loop {
            if frame.next < frame.end {
                let arg = bank.cell(frame.next);
                frame.next += 1;
                if let Some(value) = self.known(arg) {
                    self.machine.stack.push(value);
                    continue;
                }
                let inner = Frame::of(bank, arg);
                let is_constant = inner.next == inner.end;
                if is_constant && self.rules.net.root(bank.head_of(arg)).is_none() {
                    // A constant is normal, and that is never forgotten.
                    self.note(arg, arg);
                    self.machine.stack.push(arg);
                    continue;
                }
                self.frames.push(frame);
                frame = inner;
                continue;
            }
            let value = self.combine(bank, frame.term)?;
            self.learn(frame.term, value);
            match self.frames.pop() {
                Some(outer) => {
                    self.machine.stack.push(value);
                    frame = outer;
                }
                None => return Ok(value),
            }
        }
    }

    /// The normal form of `term`, whose arguments' normal forms are taken from the stack.
    #[inline]
    fn combine(&mut self, bank: &mut Bank, term: TermId) -> Result<TermId, OutOfFuel> {
        let head = bank.head_of(term);
        let first = self.machine.stack.len() - bank.n_args(head);
        if let Some(value) = self.machine.apply(bank, head, first)? {
            return Ok(value);
        }
        let args = &self.machine.stack[first..];
        let made = match bank.args_of(term) == args {
            true => term,
            false => bank.young(head, args),
        };
        self.machine.stack.truncate(first);
        Ok(made)
    }
}
