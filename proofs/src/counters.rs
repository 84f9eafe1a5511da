//! Which counters of loops may wrap around. The machine takes none to; here every step it noted is
//! asked about, and what comes of it is one of these:
//!
//! - No thread can make the step wrap around: nothing is assumed.
//! - The counter is signed, `int` or longer, its bound is a matter of arguments and launch, and arguments for
//!   which it leaves room for one more step are possible: that is assumed, as a condition on arguments.
//! - The counter is signed, `int` or longer, and its overflow hangs on an input: assumed (in C++ it is
//!   undefined, but for a step that was added as an unsigned number).
//! - Otherwise the counter wraps around, and nothing is taken from its bound. Of an unsigned counter nothing is
//!   ever assumed, for its wrap is defined; where a condition on arguments would exclude it, a remark names one.

use crate::machine::state::{CounterStep, Followed, Log, Machine};
use crate::solver::budget::Cut;
use crate::solver::possible::Possible;
use crate::solver::solve::Prover;
use crate::terms::term::{Node, Origin, Scope, Symbol, TermId, Terms};
use gridlock_checker::report::assumption::{Assumption, Counter};
use gridlock_checker::report::remark::Remark;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::OpId;
use std::collections::{BTreeMap, BTreeSet};

/// Counters narrower than this are never assumed to keep within their range: sizes that small are
/// in the ordinary.
const WIDE: u32 = 32;

/// A run in which every counter is accounted for.
pub(crate) struct Settled<'p> {
    pub log: Log<'p>,
    /// What was assumed.
    pub assumptions: Vec<Assumption>,
    /// What keeps unsigned counters from wrapping around, where something does.
    pub remarks: Vec<Remark>,
}

/// Runs `run` until every step of a counter that it takes not to wrap around is accounted for.
pub(crate) fn settle<'p>(
    machine: &mut Machine<'p>,
    prover: &mut Prover,
    run: &mut dyn FnMut(&mut Machine<'p>) -> Followed<Log<'p>>,
) -> Followed<Settled<'p>> {
    // By sentence, which is their order in reports.
    let mut remarks = BTreeMap::new();
    loop {
        machine.steps = 0;
        let log = run(machine)?;
        let known = machine.wrapping.len();
        let mut assumed = Assumed::default();
        let mut seen: BTreeSet<(TermId, TermId)> = BTreeSet::new();
        for step in &log.counted {
            let counter = (step.op, step.var);
            if machine.wrapping.contains(&counter) || !seen.insert((step.path, step.wraps)) {
                continue;
            }
            if !assumed.accounts_for(step, machine, prover) {
                let remedy = assumed.remedy(step, machine, prover);
                remarks.extend(remedy.map(|remark| (remark.to_string(), remark)));
                machine.wrapping.insert(counter);
            }
        }
        if machine.wrapping.len() == known {
            machine.launch.facts.append(&mut assumed.facts);
            return Ok(Settled {
                log,
                assumptions: assumed.into_assumptions(),
                remarks: remarks.into_values().collect(),
            });
        }
    }
}

#[derive(Default)]
struct Assumed {
    /// Conditions on arguments and launch.
    facts: Vec<TermId>,
    /// By sentence, which is their order in reports.
    rooms: BTreeMap<String, Assumption>,
    /// Signed counters that are taken not to overflow, by their place.
    signed: BTreeMap<(OpId, VarId), Counter>,
}

impl Assumed {
    /// Whether `step` cannot wrap around, given what is assumed already or now.
    fn accounts_for(&mut self, step: &CounterStep, machine: &Machine, prover: &mut Prover) -> bool {
        if self.signed.contains_key(&(step.op, step.var)) {
            return true;
        }
        if self.is_impossible(step, &[], true, machine, prover) {
            return true;
        }
        if step.width < WIDE || !step.signed {
            return false;
        }
        let terms = &machine.terms;
        let of_arguments = |&room: &TermId| terms.scope(room) == Scope::Grid;
        for room in step.room.iter().filter(|room| of_arguments(room)) {
            if terms.as_bool(*room) != Some(false) && self.is_enough(step, *room, machine, prover) {
                self.facts.push(*room);
                let room = room_for(step);
                self.rooms.insert(room.to_string(), room);
                return true;
            }
        }
        let hangs_on_input = |&room: &TermId| hangs_on_input(terms, room);
        let met = step.signed_throughout
            && step.room.iter().any(|room| {
                terms.as_bool(*room) != Some(false)
                    && hangs_on_input(room)
                    && self.is_possible(step, &[*room], false, machine, prover)
            });
        if met {
            let counter = Counter {
                counter: step.counter.clone(),
                line: step.span.line,
            };
            self.signed.insert((step.op, step.var), counter);
        }
        met
    }

    /// A condition on arguments under which an unsigned counter keeps within its range.
    fn remedy(&self, step: &CounterStep, machine: &Machine, prover: &mut Prover) -> Option<Remark> {
        let (condition, text) = step.small_limit.as_ref()?;
        let is_open = machine.terms.as_bool(*condition).is_none();
        let helps = is_open && self.is_enough(step, *condition, machine, prover);
        helps.then(|| Remark::CounterWrapsAround {
            line: step.span.line,
            counter: step.counter.clone(),
            limit: step.limit.clone(),
            requires: text.clone(),
        })
    }

    /// Whether under `condition` the step cannot wrap around, and can still be taken.
    fn is_enough(
        &self,
        step: &CounterStep,
        condition: TermId,
        machine: &Machine,
        prover: &mut Prover,
    ) -> bool {
        self.is_impossible(step, &[condition], true, machine, prover)
            && self.is_possible(step, &[condition], false, machine, prover)
    }

    fn is_impossible(
        &self,
        step: &CounterStep,
        also: &[TermId],
        wraps: bool,
        machine: &Machine,
        prover: &mut Prover,
    ) -> bool {
        self.can_come(step, also, wraps, machine, prover) == Possible::No
    }

    fn is_possible(
        &self,
        step: &CounterStep,
        also: &[TermId],
        wraps: bool,
        machine: &Machine,
        prover: &mut Prover,
    ) -> bool {
        self.can_come(step, also, wraps, machine, prover) == Possible::Yes
    }

    /// Whether a thread can come to `step`, and wrap around there where `wraps`.
    fn can_come(
        &self,
        step: &CounterStep,
        also: &[TermId],
        wraps: bool,
        machine: &Machine,
        prover: &mut Prover,
    ) -> Possible {
        let mut path = vec![step.path];
        path.extend(wraps.then_some(step.wraps));
        path.extend(self.facts.iter().chain(also));
        // What stays open here is no question that the report is about.
        let cut = prover.cut;
        let answer = prover.is_possible(&machine.terms, &machine.launch, &path);
        if prover.cut != Some(Cut::Time) {
            prover.cut = cut;
        }
        answer
    }

    fn into_assumptions(self) -> Vec<Assumption> {
        let mut assumptions: Vec<Assumption> = self.rooms.into_values().collect();
        let mut counters: Vec<Counter> = Vec::new();
        for counter in self.signed.into_values() {
            if !counters.contains(&counter) {
                counters.push(counter);
            }
        }
        if !counters.is_empty() {
            assumptions.push(Assumption::CountersDoNotOverflow { counters });
        }
        assumptions
    }
}

fn room_for(step: &CounterStep) -> Assumption {
    Assumption::CounterHasRoom {
        line: step.span.line,
        limit: step.limit.clone(),
        counter: step.counter.clone(),
        bits: step.width,
    }
}

/// Whether `term` hangs on an argument, or on something read from memory or got from others.
fn hangs_on_input(terms: &Terms, term: TermId) -> bool {
    hangs_on(terms, term, &|symbol| {
        symbol.scope == Scope::Grid && symbol.origin != Origin::Launch
    })
}

/// Whether `term` hangs on something read from memory or got from others.
pub(crate) fn hangs_on_memory(terms: &Terms, term: TermId) -> bool {
    hangs_on(terms, term, &|_| false)
}

fn hangs_on(terms: &Terms, term: TermId, also: &dyn Fn(&Symbol) -> bool) -> bool {
    let mut seen = BTreeSet::new();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.node(term) {
            Node::Symbol(symbol) => {
                let symbol = &terms.symbols[symbol.0 as usize];
                if symbol.origin == Origin::Memory || also(symbol) {
                    return true;
                }
            }
            Node::Apply { function, .. } if function.is_memory() => return true,
            _ => stack.extend(terms.children(term)),
        }
    }
    false
}
