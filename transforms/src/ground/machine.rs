//! The machine that applies rules: values and slots on one stack, so that a long list needs no deep one of
//! the processor.

use super::bank::{Bank, Head, HeadId, TermId};
use super::build::Instruction;
use super::net::Node;
use super::rules::GroundRules;

/// Values on the stack of a machine that gives up: gigabytes.
const MOST: usize = 1 << 28;

#[derive(Debug)]
pub(super) struct Machine<'r> {
    rules: &'r GroundRules,
    /// Normal terms.
    pub stack: Vec<TermId>,
    /// What is to be gone on with: instruction, and where its slots begin.
    returns: Vec<(u32, u32)>,
    /// Terms before it are found when they are equal.
    pub mark: usize,
    pub applied: u64,
    pub most: u64,
    pub by_rule: Vec<u64>,
    /// Rule, and the term it was applied to; `None`: not asked for.
    pub provenance: Option<Vec<(u32, TermId)>>,
}

impl<'r> Machine<'r> {
    pub fn new(rules: &'r GroundRules, keep_provenance: bool) -> Machine<'r> {
        Machine {
            rules,
            stack: Vec::new(),
            returns: Vec::new(),
            mark: 0,
            applied: 0,
            most: 0,
            by_rule: vec![0; rules.names().count()],
            provenance: keep_provenance.then(Vec::new),
        }
    }

    /// Forgets what it was about.
    pub fn clear(&mut self) {
        self.stack.clear();
        self.returns.clear();
    }

    /// The normal form of `head` over the normal arguments that are the stack from `base` on, which are taken
    /// from it; `None`, with the stack as it was, where no rule applies.
    #[inline]
    pub fn apply(
        &mut self,
        bank: &mut Bank,
        head: HeadId,
        base: usize,
    ) -> Result<Option<TermId>, OutOfFuel> {
        let end = self.stack.len();
        let Some((rule, entry)) = self.entry(bank, head, base) else {
            self.stack.truncate(end);
            return Ok(None);
        };
        self.count(bank, rule, head, base, end - base)?;
        self.run(bank, entry, base)?;
        self.stack.truncate(base + 1);
        Ok(self.stack.pop())
    }

    /// One more application, of `rule` to `head` over what stands from `base` on.
    #[inline(always)]
    fn count(
        &mut self,
        bank: &mut Bank,
        rule: u32,
        head: HeadId,
        base: usize,
        n_args: usize,
    ) -> Result<(), OutOfFuel> {
        if self.applied >= self.most || bank.is_full() || self.stack.len() > MOST {
            let applied = self.applied;
            return Err(OutOfFuel { applied });
        }
        self.applied += 1;
        self.by_rule[rule as usize] += 1;
        if let Some(provenance) = &mut self.provenance {
            let before = bank.young(head, &self.stack[base..base + n_args]);
            provenance.push((rule, before));
        }
        Ok(())
    }

    /// Runs a right side from its `entry` on, with its slots from `base` on; then what it builds stands there.
    fn run(&mut self, bank: &mut Bank, entry: u32, base: usize) -> Result<(), OutOfFuel> {
        assert!(self.returns.is_empty());
        let rules = self.rules;
        let (mut at, mut base) = (entry as usize, base);
        loop {
            let (head, n_args);
            loop {
                match rules.code.instructions[at] {
                    Instruction::Slot(slot) => {
                        let value = self.stack[base + slot as usize];
                        self.stack.push(value);
                    }
                    Instruction::Constant(term) => self.stack.push(term),
                    Instruction::Build { head, n_args } => {
                        let first = self.stack.len() - n_args as usize;
                        let made = bank.young(head, &self.stack[first..]);
                        self.stack.truncate(first);
                        self.stack.push(made);
                    }
                    Instruction::Call {
                        head: called,
                        n_args: n,
                    } => {
                        self.returns.push((at as u32 + 1, base as u32));
                        (head, n_args) = (called, n as usize);
                        base = self.stack.len() - n_args;
                        break;
                    }
                    Instruction::CallLast {
                        head: called,
                        n_args: n,
                    } => {
                        (head, n_args) = (called, n as usize);
                        let first = self.stack.len() - n_args;
                        for arg in 0..n_args {
                            self.stack[base + arg] = self.stack[first + arg];
                        }
                        self.stack.truncate(base + n_args);
                        break;
                    }
                    Instruction::Return => {
                        let value = self.stack[self.stack.len() - 1];
                        self.stack[base] = value;
                        self.stack.truncate(base + 1);
                        let Some((next, slots)) = self.returns.pop() else {
                            return Ok(());
                        };
                        (at, base) = (next as usize, slots as usize);
                        continue;
                    }
                }
                at += 1;
            }
            at = match self.entry(bank, head, base) {
                Some((rule, entry)) => {
                    self.count(bank, rule, head, base, n_args)?;
                    entry as usize
                }
                None => {
                    let made = bank.young(head, &self.stack[base..base + n_args]);
                    self.stack.truncate(base);
                    self.stack.push(made);
                    match self.returns.pop() {
                        Some((next, slots)) => {
                            base = slots as usize;
                            next as usize
                        }
                        None => return Ok(()),
                    }
                }
            };
        }
    }

    /// The first rule that matches `head` over what stands from `base` on, and where to go on; its slots
    /// are on the stack then.
    // Called in two places, and half of all work: as a call of its own it costs a sixth more.
    #[inline(always)]
    fn entry(&mut self, bank: &Bank, head: HeadId, base: usize) -> Option<(u32, u32)> {
        let net = &self.rules.net;
        let mut at = net.root(head)?;
        loop {
            at = match net.nodes[at as usize] {
                Node::Switch {
                    slot,
                    branches,
                    otherwise,
                } => {
                    let term = self.stack[base + slot as usize];
                    match net.branch(branches, bank.head_of(term)) {
                        Some(next) => {
                            for arg in bank.args_of(term) {
                                self.stack.push(*arg);
                            }
                            next
                        }
                        None => otherwise,
                    }
                }
                Node::Same {
                    slots: (a, b),
                    then,
                    otherwise,
                } => {
                    let (a, b) = (self.stack[base + a as usize], self.stack[base + b as usize]);
                    if bank.equal(self.mark, a, b) {
                        then
                    } else {
                        otherwise
                    }
                }
                Node::Integer {
                    slot,
                    then,
                    otherwise,
                } => {
                    let term = self.stack[base + slot as usize];
                    match bank.head(bank.head_of(term)) {
                        Head::Int(_) => then,
                        _ => otherwise,
                    }
                }
                Node::Reset { n_slots, then } => {
                    self.stack.truncate(base + n_slots as usize);
                    then
                }
                Node::Match { rule, entry } => return Some((rule, entry)),
                Node::Fail => return None,
            };
        }
    }
}

/// So many rules were applied in all and the term was not normal: no more were allowed, or there was no
/// room for what they built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not normal after {applied} applications of rules")]
pub struct OutOfFuel {
    /// Applications so far.
    pub applied: u64,
}
