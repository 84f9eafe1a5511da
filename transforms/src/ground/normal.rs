//! Innermost rewriting: arguments first, left to right, then the first rule that matches, then what it
//! built. Without recursion, so that a long list needs no deep stack.

use super::bank::{Bank, HeadId, TermId};
use super::rules::{GroundRules, Step, at_place};

/// So many rules were applied and the term was not normal.
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
    Normalise(TermId),
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
        self.normal.clear();
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
    }

    /// The normal form of a term.
    ///
    /// # Errors
    /// More than `fuel` applications would be needed.
    pub fn normalise(
        &mut self,
        bank: &mut Bank,
        term: TermId,
        fuel: u64,
    ) -> Result<TermId, OutOfFuel> {
        let rules = self.rules;
        let most = self.statistics.applied.saturating_add(fuel);
        let mut work = vec![Work::Normalise(term)];
        let mut values: Vec<TermId> = Vec::new();
        let mut open = Vec::new();
        while let Some(next) = work.pop() {
            match next {
                Work::Value(term) => values.push(term),
                Work::Known(term) => {
                    if let Some(&value) = values.last() {
                        self.learn(term, value);
                    }
                }
                Work::Normalise(term) => {
                    if let Some(value) = self.known(term) {
                        values.push(value);
                        continue;
                    }
                    work.push(Work::Known(term));
                    work.push(Work::Make(bank.head_of(term)));
                    let args = bank.args_of(term).iter().rev();
                    work.extend(args.map(|arg| Work::Normalise(*arg)));
                }
                Work::Make(head) => {
                    let first = values.len() - bank.n_args(head);
                    let args = &values[first..];
                    let accepted = |number: usize| {
                        let rule = &rules.rules[number];
                        let at = |place: u32| at_place(bank, args, &rule.places[place as usize]);
                        rule.same.iter().all(|&(a, b)| at(a) == at(b))
                            && rule
                                .integers
                                .iter()
                                .all(|&place| is_integer(bank, at(place)))
                    };
                    let Some(number) = rules.net.first(bank, head, args, &mut open, accepted)
                    else {
                        let made = bank.term(head, args);
                        values.truncate(first);
                        values.push(made);
                        self.learn(made, made);
                        continue;
                    };
                    if self.statistics.applied >= most {
                        let applied = self.statistics.applied;
                        return Err(OutOfFuel { applied });
                    }
                    self.statistics.applied += 1;
                    self.statistics.by_rule[number] += 1;
                    let rule = &rules.rules[number];
                    work.extend(rule.right.iter().rev().map(|step| match *step {
                        Step::Bound(place) => {
                            Work::Value(at_place(bank, args, &rule.places[place as usize]))
                        }
                        Step::Make(head) => Work::Make(head),
                    }));
                    if self.provenance.is_some() {
                        let before = bank.term(head, args);
                        if let Some(provenance) = &mut self.provenance {
                            provenance.push((number as u32, before));
                        }
                    }
                    values.truncate(first);
                }
            }
        }
        Ok(values.pop().unwrap_or(term))
    }
}

fn is_integer(bank: &Bank, term: TermId) -> bool {
    matches!(bank.head(bank.head_of(term)), super::bank::Head::Int(_))
}
