//! Innermost rewriting: arguments first, left to right, then the first rule that matches, then what it
//! built. Without recursion, so that a long list needs no deep stack.

use super::bank::{Bank, Head, HeadId, TermId};
use super::rules::{GroundRules, Step, at_place};

/// So many rules were applied in all and the term was not normal: no more were allowed, or there was no
/// room for what they built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not normal after {applied} applications of rules")]
pub struct OutOfFuel {
    pub applied: u64,
}

/// What was done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub applied: u64,
    /// By rule, in the order of [`GroundRules::names`].
    pub by_rule: Vec<u64>,
}

enum Work {
    /// A term that was there before.
    Normalise(TermId),
    /// The same, once its arguments are normal.
    Arguments(TermId),
    /// A normal term.
    Value(TermId),
    /// Takes as many values as the head has arguments.
    Make(HeadId),
    /// The value is the normal form of this term.
    Known(TermId),
}

/// Brings terms of one bank to normal form.
#[derive(Debug)]
pub struct Normaliser<'r> {
    rules: &'r GroundRules,
    /// By term: its normal form and 1, or 0 where it is not known.
    normal: Vec<u32>,
    /// The terms something was learned of since the last one was begun.
    learned: Vec<TermId>,
    /// Those something is known of when a term is done.
    remembered: Vec<TermId>,
    statistics: Statistics,
    /// Rule, and the term it was applied to; `None`: nobody asks.
    provenance: Option<Vec<(u32, TermId)>>,
}

impl<'r> Normaliser<'r> {
    /// `keep_provenance`: keep each application, in order.
    pub fn new(rules: &'r GroundRules, keep_provenance: bool) -> Normaliser<'r> {
        Normaliser {
            rules,
            normal: Vec::new(),
            learned: Vec::new(),
            remembered: Vec::new(),
            statistics: Statistics {
                applied: 0,
                by_rule: vec![0; rules.rules.len()],
            },
            provenance: keep_provenance.then(Vec::new),
        }
    }

    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Rule number and the term it was applied to, in order.
    pub fn provenance(&self) -> &[(u32, TermId)] {
        self.provenance.as_deref().unwrap_or_default()
    }

    /// Forgets which terms are known to be normal: the next one is rewritten as if it were the first.
    pub fn forget(&mut self) {
        for known in self.remembered.drain(..) {
            self.normal[known.0 as usize] = 0;
        }
    }

    fn known(&self, term: TermId) -> Option<TermId> {
        match self.normal.get(term.0 as usize) {
            None | Some(0) => None,
            Some(known) => Some(TermId(known - 1)),
        }
    }

    fn learn(&mut self, term: TermId, normal: TermId) {
        let index = term.0 as usize;
        if self.normal.len() <= index {
            self.normal.resize(index + 1 + index / 2, 0);
        }
        self.normal[index] = normal.0 + 1;
        self.learned.push(term);
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
        let mark = bank.len();
        self.learned.clear();
        let outcome = self.run(bank, mark, term, fuel);
        // What was built on the way goes; so what is known of terms by such parts is no longer known.
        for learned in std::mem::take(&mut self.learned) {
            let known = &mut self.normal[learned.0 as usize];
            if *known as usize > mark {
                *known = 0;
            } else {
                self.remembered.push(learned);
            }
        }
        let forget = self.provenance.is_none();
        let kept = bank.keep_only(mark, outcome.unwrap_or(term), forget);
        outcome?;
        self.learn(term, kept);
        self.learn(kept, kept);
        self.remembered.append(&mut self.learned);
        Ok(kept)
    }

    fn run(
        &mut self,
        bank: &mut Bank,
        mark: usize,
        term: TermId,
        fuel: u64,
    ) -> Result<TermId, OutOfFuel> {
        let most = self.statistics.applied.saturating_add(fuel);
        let mut work = vec![Work::Normalise(term)];
        let mut values: Vec<TermId> = Vec::new();
        let mut open = Vec::new();
        while let Some(next) = work.pop() {
            let (head, before) = match next {
                Work::Value(term) => {
                    values.push(term);
                    continue;
                }
                Work::Known(term) => {
                    if let Some(&value) = values.last() {
                        self.learn(term, value);
                    }
                    continue;
                }
                Work::Normalise(term) => {
                    if let Some(value) = self.known(term) {
                        values.push(value);
                        continue;
                    }
                    work.push(Work::Arguments(term));
                    let args = bank.args_of(term).iter().rev();
                    work.extend(args.map(|arg| Work::Normalise(*arg)));
                    continue;
                }
                Work::Arguments(term) => (bank.head_of(term), Some(term)),
                Work::Make(head) => (head, None),
            };
            let first = values.len() - bank.n_args(head);
            let args = &values[first..];
            let Some(number) = self.rule_for(bank, mark, (head, args), &mut open) else {
                let made = match before {
                    Some(before) if bank.args_of(before) == args => before,
                    _ => bank.scratch(head, args),
                };
                values.truncate(first);
                values.push(made);
                if let Some(before) = before {
                    self.learn(before, made);
                }
                continue;
            };
            if self.statistics.applied >= most || bank.is_full() {
                let applied = self.statistics.applied;
                return Err(OutOfFuel { applied });
            }
            self.statistics.applied += 1;
            self.statistics.by_rule[number] += 1;
            work.extend(before.map(Work::Known));
            let rule = &self.rules.rules[number];
            work.extend(rule.right.iter().rev().map(|step| match *step {
                Step::Bound(place) => {
                    Work::Value(at_place(bank, args, &rule.places[place as usize]))
                }
                Step::Make(head) => Work::Make(head),
            }));
            if let Some(provenance) = &mut self.provenance {
                provenance.push((number as u32, bank.scratch(head, args)));
            }
            values.truncate(first);
        }
        Ok(values.pop().unwrap_or(term))
    }

    /// The first rule that matches `head(args)`.
    #[inline]
    fn rule_for(
        &self,
        bank: &Bank,
        mark: usize,
        (head, args): (HeadId, &[TermId]),
        open: &mut Vec<TermId>,
    ) -> Option<usize> {
        let rules = self.rules;
        let accepted = |number: usize| {
            let rule = &rules.rules[number];
            let at = |place: u32| at_place(bank, args, &rule.places[place as usize]);
            let is_integer = |term| matches!(bank.head(bank.head_of(term)), Head::Int(_));
            rule.same
                .iter()
                .all(|&(a, b)| bank.equal(mark, at(a), at(b)))
                && rule.integers.iter().all(|&place| is_integer(at(place)))
        };
        rules.net.first(bank, head, args, open, accepted)
    }
}
