//! Loops that the generic thread repeats an unknown number of times.
//!
//! One iteration is run with an unknown in the place of each variable that changes. A variable that changes by the same
//! amount each time is a counter, and known in iteration k. The condition, on counters alone, says how many iterations
//! there are. What else the loop goes on with is a *fold*: of the number of iterations, what there was at first, and
//! one step, as terms of the iteration and of what there is. Folds of equal parts are equal.
//!
//! Symbols that a fold binds are named by its height, how deep folds nest in its step. So no substitution captures one,
//! and equal folds are one term.

use super::counting::Bounded;
use super::folds::is_small;
use super::generic::{Apart, Event, Repeat, in_wide_words};
use super::obligation::Obligation;
use super::run::{At, Run};
use super::slots::{Changing, Saved, Slot};
use super::value::{Known, Place, Value};
use crate::machine::state::{Followed, unfollowed};
use crate::terms::normal::Normal;
use crate::terms::substitute::Substitution;
use crate::terms::term::{BitOp, Order, Scope, Sort, TermId, Terms};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::Op;
use gridlock_semantics::algebra::span::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Iterations of a loop that are run one by one, where each is certain.
const MOST_CERTAIN: usize = 1_030;
/// Looks at a loop, each with more variables that change.
const MOST_LOOKS: usize = 12;
/// Multiples of a counter that cells are looked for at.
const MOST_FACTOR: u64 = 16;
/// A substitution into normal forms.
struct InNormalForm {
    normal: Normal,
    replaced: Substitution,
}

impl InNormalForm {
    fn of(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        let term = self.normal.of(terms, term);
        self.replaced.of(terms, term)
    }
}

/// What one look at an iteration starts from.
#[derive(Clone, Copy)]
struct Look<'a> {
    changing: &'a [Changing],
    written: &'a BTreeSet<Place>,
    /// Counters: the step of each, and its value in the iteration.
    counted: Option<&'a BTreeMap<Slot, (TermId, TermId)>>,
    apart: &'a BTreeMap<Place, Apart>,
    /// Whether iterations meet barriers that order shared memory, and global memory.
    meets: [bool; 2],
}

impl Run<'_> {
    /// The loop, for the generic thread, which comes there where `active` holds.
    pub fn repeat_generic(
        &mut self,
        cond: &Expr,
        body: &Arc<Op>,
        active: TermId,
        span: Span,
    ) -> Followed<()> {
        let saved = self.saved();
        for _ in 0..MOST_CERTAIN {
            self.spend(1, span)?;
            let at = At {
                thread: 0,
                guard: active,
                span,
            };
            let holds = self.scalar(cond, at)?;
            match self.terms.as_bool(holds) {
                Some(false) => return Ok(()),
                Some(true) => self.execute(body, &[active])?,
                None => break,
            }
        }
        self.restore(&saved);
        self.fold(cond, body, active, &saved, span)
    }

    fn fold(
        &mut self,
        cond: &Expr,
        body: &Arc<Op>,
        active: TermId,
        saved: &Saved,
        span: Span,
    ) -> Followed<()> {
        let guard = active;
        let was_probe = self.generic.as_ref().is_some_and(|g| g.is_probe);
        // First looks: which slots change, and which arrays are written.
        let mut changing: Vec<Changing> = Vec::new();
        let mut written: BTreeSet<Place> = BTreeSet::new();
        let mut looks = 0;
        let mark = self.terms.mark();
        let mut meets = [false; 2];
        let (steps, cells) = loop {
            looks += 1;
            if looks > MOST_LOOKS {
                return unfollowed("a loop that changes ever more", span);
            }
            self.set_probe(true);
            let look = Look {
                changing: &changing,
                written: &written,
                counted: None,
                apart: &BTreeMap::new(),
                meets,
            };
            let looked = self.iteration(cond, body, guard, look, span);
            self.set_probe(was_probe);
            looked?;
            let new_slots = self.changed(saved, &changing, guard, span)?;
            let new_written = self.written_since(saved);
            let is_stable = new_slots.is_empty()
                && new_written.is_subset(&written)
                && meets == self.meets(saved, meets);
            meets = self.meets(saved, meets);
            if is_stable {
                let steps = self.steps(&changing, span)?;
                let cells = match self.block.intervals[1] == saved.intervals[1] {
                    true => self.cells_written(saved),
                    // After a barrier there may be what other threads wrote in earlier iterations.
                    false => BTreeMap::new(),
                };
                self.restore(saved);
                break (steps, cells);
            }
            self.restore(saved);
            changing.extend(new_slots);
            written.extend(new_written);
        };

        // Counters are known in iteration k.
        let iteration = self
            .terms
            .fresh("iteration", Sort::Bits(64), Scope::Interval);
        let symbols: Vec<TermId> = changing.iter().map(|c| c.symbol).collect();
        let mut counted: BTreeMap<Slot, (TermId, TermId)> = BTreeMap::new();
        let mut pairs = Vec::new();
        for (change, next) in changing.iter().zip(&steps) {
            if let Some(step) = self.step_of(change, *next, &symbols) {
                let value = self.after(change.init, step, iteration);
                counted.insert(change.slot, (step, value));
                pairs.push((change.symbol, value));
            }
        }
        let own: Vec<TermId> = changing
            .iter()
            .filter(|change| !counted.contains_key(&change.slot))
            .map(|change| change.symbol)
            .collect();
        if let Some(generic) = &mut self.generic {
            generic.own.extend(own.iter().copied());
        }
        // How many there are.
        let apart = BTreeMap::new();
        let mut look = Look {
            changing: &changing,
            written: &written,
            counted: Some(&counted),
            apart: &apart,
            meets,
        };
        let holds = self.begin(cond, guard, look, span)?;
        if self.terms.mentions(holds, &own) {
            return unfollowed("a loop whose end depends on what it computes", span);
        }
        self.restore(saved);
        let name = self.counter_of(holds, &counted);
        let bounded = self.bounded(holds, iteration, guard, name, span)?;
        // The iteration itself. Of arrays that it writes, earlier ones have written the same cells of their own.
        if let Some(generic) = &mut self.generic {
            generic.own.extend(own.iter().copied());
        }
        let apart = self.apart(cells, pairs, &bounded, iteration, mark);
        look.apart = &apart;
        let again = self.iteration(cond, body, guard, look, span)?;
        if again != holds {
            return unfollowed("a loop whose condition is not the same twice", span);
        }
        let late = self.changed(saved, &changing, guard, span)?;
        if !late.is_empty() || !self.written_since(saved).is_subset(&written) {
            return unfollowed("a loop that changes ever more", span);
        }
        let nexts = self.steps(&changing, span)?;
        for (change, next) in changing.iter().zip(&nexts) {
            let Some((step, value)) = counted.get(&change.slot) else {
                continue;
            };
            let expected = self.terms.bit(BitOp::Add, *value, *step);
            if !self.is_same(expected, *next) {
                return unfollowed("a loop whose counter is not recognised", span);
            }
        }
        // What it leaves.
        let events = self.events_since(saved);
        for (place, apart) in &apart {
            let writes = events.get(place).into_iter().flatten();
            for event in writes {
                let is_apart = match event {
                    Event::Written(write) => apart.is(self.terms, write.cell),
                    _ => false,
                };
                if !is_apart {
                    return unfollowed("a loop that changes ever more", span);
                }
            }
        }
        let obligations: Vec<Obligation> = self.obligations.split_off(saved.n_obligations);
        let assumed = self.assumed.split_off(saved.n_assumed);
        let accesses = match &mut self.generic {
            Some(generic) => generic.accesses.split_off(saved.n_accesses),
            None => Vec::new(),
        };
        let intervals = self.block.intervals;
        self.restore(saved);
        self.block.intervals = intervals;
        let mut widen = Substitution::new([bounded.widened]);
        let accumulated: Vec<(TermId, TermId, TermId)> = changing
            .iter()
            .zip(&nexts)
            .filter(|(change, _)| !counted.contains_key(&change.slot))
            .map(|(change, next)| {
                let next = widen.of(self.terms, *next);
                (change.symbol, change.init, next)
            })
            .collect();
        // What is multiplied by the number of parts must not wrap around.
        let may_roll = is_small(self.terms, bounded.count);
        let mut up_to = Vec::new();
        for at in 0..accumulated.len() {
            let folded = self.folded(&accumulated, at, iteration, iteration, may_roll);
            up_to.push((accumulated[at].0, folded));
        }
        up_to.push(bounded.widened);
        let mut here = InNormalForm {
            normal: Normal::new(self.floats.commute()),
            replaced: Substitution::new(up_to),
        };
        let is_one = {
            let inside = self
                .terms
                .less(Order::UnsignedLess, iteration, bounded.count);
            self.terms.and(holds, inside)
        };
        for obligation in obligations {
            let cond = here.of(self.terms, obligation.cond);
            let cond = self.terms.implies(is_one, cond);
            self.obligations.push(Obligation { cond, ..obligation });
        }
        for one in assumed {
            let cond = here.of(self.terms, one);
            self.assumed.push(cond);
        }
        for mut access in accesses {
            let guard = here.of(self.terms, access.guard);
            access.guard = self.terms.and(guard, is_one);
            access.cell = here.of(self.terms, access.cell);
            access.iterations.push(iteration);
            if let Some(generic) = &mut self.generic {
                generic.accesses.push(access);
            }
        }
        let number = self.generic.as_ref().map_or(0, |g| g.n_loops);
        let counters: Vec<TermId> = counted.values().map(|(_, value)| *value).collect();
        for (place, of_place) in events {
            let is_shared = matches!(place, Place::Shared(_));
            for event in of_place {
                let event = match event {
                    Event::Written(mut write) if !is_shared => {
                        write.guard = here.of(self.terms, write.guard);
                        write.guard = self.terms.and(write.guard, is_one);
                        write.cell = here.of(self.terms, write.cell);
                        write.value = write.value.map(|value| Value {
                            known: match value.known {
                                Known::Scalar(term) => Known::Scalar(here.of(self.terms, term)),
                                other => other,
                            },
                            defined: here.of(self.terms, value.defined),
                        });
                        for repeat in &mut write.repeats {
                            repeat.is_one = here.of(self.terms, repeat.is_one);
                            for counter in &mut repeat.counters {
                                *counter = here.of(self.terms, *counter);
                            }
                        }
                        write.repeats.push(Repeat {
                            number,
                            iteration,
                            is_one,
                            counters: counters.clone(),
                        });
                        Event::Written(write)
                    }
                    // What the last iteration left is not followed.
                    _ => Event::Anything,
                };
                if let Some(generic) = &mut self.generic {
                    generic.events.entry(place).or_default().push(event);
                }
            }
        }
        if let Some(generic) = &mut self.generic {
            generic.n_loops += 1;
        }
        for (at, change) in changing.iter().enumerate() {
            let after = match counted.get(&change.slot) {
                Some((step, _)) => self.after(change.init, *step, bounded.count),
                None => {
                    let position = changing[..at]
                        .iter()
                        .filter(|c| !counted.contains_key(&c.slot))
                        .count();
                    self.folded(&accumulated, position, iteration, bounded.count, may_roll)
                }
            };
            let held = self.with_part(&change.like, after);
            self.leave_in(change.slot, &held, guard, span)?;
        }
        Ok(())
    }

    /// One generic iteration; the condition under which there is one.
    fn iteration(
        &mut self,
        cond: &Expr,
        body: &Arc<Op>,
        guard: TermId,
        look: Look<'_>,
        span: Span,
    ) -> Followed<TermId> {
        let holds = self.begin(cond, guard, look, span)?;
        let n_returns = self.generic.as_ref().map_or(0, |g| g.n_returns);
        let always = self.terms.bool(true);
        self.execute(body, &[always])?;
        if self.generic.as_ref().map_or(0, |g| g.n_returns) != n_returns {
            return unfollowed("a return inside of a loop", span);
        }
        Ok(holds)
    }

    /// Comes to the condition of a generic iteration, and says what it is.
    fn begin(
        &mut self,
        cond: &Expr,
        guard: TermId,
        look: Look<'_>,
        span: Span,
    ) -> Followed<TermId> {
        for change in look.changing {
            let counter = look.counted.and_then(|counted| counted.get(&change.slot));
            let term = counter.map_or(change.symbol, |(_, value)| *value);
            let held = self.with_part(&change.like, term);
            self.put(change.slot, held);
        }
        // Between what was before the loop and an iteration there is a barrier of the iteration before, if it has any.
        for (interval, meets) in self.block.intervals.iter_mut().zip(look.meets) {
            *interval += u32::from(meets);
        }
        if let Some(generic) = &mut self.generic {
            generic.context = self.terms.and(generic.context, guard);
            for place in look.written {
                let events = generic.events.entry(*place).or_default();
                events.push(match look.apart.get(place) {
                    Some(apart) => Event::Apart(*apart),
                    None => Event::Earlier,
                });
            }
        }
        let at = self.here(span);
        let holds = self.scalar(cond, at)?;
        if let Some(generic) = &mut self.generic {
            generic.context = self.terms.and(generic.context, holds);
        }
        Ok(holds)
    }

    /// Whether barriers of each kind were met since, or are known to be.
    fn meets(&self, saved: &Saved, known: [bool; 2]) -> [bool; 2] {
        std::array::from_fn(|of| known[of] || self.block.intervals[of] != saved.intervals[of])
    }

    /// The cells of global arrays that were written since.
    fn cells_written(&self, saved: &Saved) -> BTreeMap<Place, Vec<TermId>> {
        let events = self.events_since(saved).into_iter();
        let is_followed = |events: &[Event]| {
            let mut events = events.iter();
            events.all(|event| matches!(event, Event::Written(_)))
        };
        let global = events
            .filter(|(place, events)| !matches!(place, Place::Shared(_)) && is_followed(events));
        global
            .map(|(place, events)| {
                let cells = events.iter().filter_map(|event| match event {
                    Event::Written(write) => Some(write.cell),
                    _ => None,
                });
                (place, cells.collect())
            })
            .collect()
    }

    /// Arrays of which each iteration writes one cell of its own: a multiple of the loop's counter, which is another
    /// number in each, and something that is the same in all.
    fn apart(
        &mut self,
        cells: BTreeMap<Place, Vec<TermId>>,
        counters: Vec<(TermId, TermId)>,
        bounded: &Bounded,
        iteration: TermId,
        mark: u32,
    ) -> BTreeMap<Place, Apart> {
        let mut counted = Substitution::new(counters);
        let (narrow, wide) = bounded.widened;
        let mut found = BTreeMap::new();
        for (place, cells) in cells {
            let mut distinct = BTreeSet::new();
            for cell in cells {
                let cell = counted.of(self.terms, cell);
                distinct.insert(in_wide_words(self.terms, cell, (narrow, wide)));
            }
            let [cell] = distinct.into_iter().collect::<Vec<_>>()[..] else {
                continue;
            };
            let is_apart = (1..=MOST_FACTOR).any(|factor| {
                let factor = self.terms.bits(64, factor);
                let counted = self.terms.bit(BitOp::Mul, wide, factor);
                let rest = self.terms.bit(BitOp::Sub, cell, counted);
                let rest = Normal::new(false).of(self.terms, rest);
                self.terms.is_older_than(rest, mark) && !self.terms.mentions(rest, &[iteration])
            });
            if is_apart && bounded.is_narrow {
                found.insert(place, Apart { cell, narrow, wide });
            }
        }
        found
    }

    fn set_probe(&mut self, is_probe: bool) {
        if let Some(generic) = &mut self.generic {
            generic.is_probe = is_probe;
        }
    }
}
