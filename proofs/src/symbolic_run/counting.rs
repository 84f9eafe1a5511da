//! Counters, and how often a loop is repeated.

use super::run::Run;
use super::slots::{Changing, Slot};
use crate::machine::state::{Followed, unfollowed};
use crate::terms::normal::Normal;
use crate::terms::simplify::mask;
use crate::terms::substitute::Substitution;
use crate::terms::term::{BitOp, Node, Order, Origin, Sort, TermId};
use gridlock_semantics::algebra::span::Span;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// How a loop's condition bounds its iterations.
pub struct Bounded {
    /// 64 bits.
    pub count: TermId,
    /// The counter widened to 64 bits, and what that is: it does not wrap around in any iteration.
    pub widened: (TermId, TermId),
    /// It is a word of at most 32 bits, so that small multiples of it do not wrap around in 64.
    pub is_narrow: bool,
}

impl Run<'_> {
    /// The variable that the condition asks about, by name.
    pub fn counter_of(&self, holds: TermId, counted: &BTreeMap<Slot, (TermId, TermId)>) -> String {
        let frame = self.frame();
        let vars = &self.program.proc(frame.proc).vars;
        let asked = counted.iter().find_map(|(slot, (_, value))| match slot {
            Slot::Variable(var) if self.terms.mentions(holds, &[*value]) => Some(*var),
            _ => None,
        });
        asked.map_or("a counter".to_owned(), |var| vars[var].name.to_string())
    }

    /// The amount by which the slot changes in each iteration, if that is always the same.
    pub fn step_of(
        &mut self,
        change: &Changing,
        next: TermId,
        symbols: &[TermId],
    ) -> Option<TermId> {
        if self.terms.sort(next) == Sort::Bool {
            return None;
        }
        let difference = self.terms.bit(BitOp::Sub, next, change.symbol);
        let step = Normal::new(false).of(self.terms, difference);
        (!self.terms.mentions(step, symbols) && self.is_known(step)).then_some(step)
    }

    /// Nothing of a first look at a loop is in the term.
    pub fn is_known(&self, term: TermId) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![term];
        while let Some(t) = open.pop() {
            if let Node::Symbol(id) = self.terms.node(t) {
                let origin = self.terms.symbols[id.0 as usize].origin;
                if matches!(origin, Origin::EarlierRound | Origin::AnotherThread) {
                    return false;
                }
            }
            if seen.insert(t) {
                open.extend(self.terms.children(t));
            }
        }
        true
    }

    /// `init + step * count`, in the width of `init`.
    pub fn after(&mut self, init: TermId, step: TermId, count: TermId) -> TermId {
        let width = self.terms.width(init);
        let count = match width {
            64 => count,
            width => self.terms.low(width, count),
        };
        let by = self.terms.bit(BitOp::Mul, count, step);
        self.terms.bit(BitOp::Add, init, by)
    }

    pub fn is_same(&mut self, a: TermId, b: TermId) -> bool {
        let mut normal = Normal::new(false);
        normal.of(self.terms, a) == normal.of(self.terms, b)
    }

    /// How many iterations there are, from the condition in iteration k.
    pub fn bounded(
        &mut self,
        holds: TermId,
        iteration: TermId,
        guard: TermId,
        name: String,
        span: Span,
    ) -> Followed<Bounded> {
        let unrecognised = "a loop of which it is not seen how often it is repeated";
        let (order, low, high) = match *self.terms.node(holds) {
            Node::Less(order, a, b) => (order, a, b),
            Node::Not(inner) => match *self.terms.node(inner) {
                Node::Less(order, a, b) => (opposite(order), b, a),
                _ => return unfollowed(unrecognised, span),
            },
            _ => return unfollowed(unrecognised, span),
        };
        let signed = matches!(order, Order::SignedLess | Order::SignedLessEq);
        let strict = matches!(order, Order::SignedLess | Order::UnsignedLess);
        let on_low = self.terms.mentions(low, &[iteration]);
        let on_high = self.terms.mentions(high, &[iteration]);
        if on_low == on_high {
            return unfollowed(unrecognised, span);
        }
        // The side that counts: `first + k * step`, up to or down to the other side.
        let (side, bound) = if on_low { (low, high) } else { (high, low) };
        // A counter that is widened wraps around where it is narrow.
        let narrow = match *self.terms.node(side) {
            Node::SignExt(_, inner) => Some(self.terms.width(inner)),
            _ => None,
        };
        let Some((first, step)) = self.counting(side, iteration) else {
            return unfollowed(unrecognised, span);
        };
        let width = self.terms.width(side);
        let zero = self.terms.bits(width, 0);
        // As an unsigned number a negative one is large: it would go around, which is defined.
        if !signed && narrow.is_some() {
            let is_natural = self.terms.less(Order::SignedLessEq, zero, first);
            if !self.is_certain(guard, is_natural) {
                return unfollowed(
                    "a counter that may be negative, as an unsigned number",
                    span,
                );
            }
        }
        // Downwards the step is turned around.
        let step = match on_low {
            true => step,
            false => self.terms.bit(BitOp::Sub, zero, step),
        };
        let positive = self.terms.less(Order::SignedLess, zero, step);
        if !self.is_certain(guard, positive) {
            return unfollowed(
                "a loop of which it is not seen that it comes to its end",
                span,
            );
        }
        let (from, to) = if on_low {
            (first, bound)
        } else {
            (bound, first)
        };
        let is_any = match (signed, strict) {
            (true, true) => self.terms.less(Order::SignedLess, from, to),
            (true, false) => self.terms.less(Order::SignedLessEq, from, to),
            (false, true) => self.terms.less(Order::UnsignedLess, from, to),
            (false, false) => self.terms.less(Order::UnsignedLessEq, from, to),
        };
        // The distance as an unsigned number is exact where there is one; an equal end makes it one more.
        let distance = self.terms.bit(BitOp::Sub, to, from);
        let distance = match strict {
            true => {
                let one = self.terms.bits(width, 1);
                self.terms.bit(BitOp::Sub, distance, one)
            }
            false => distance,
        };
        let in_words = |run: &mut Self, term: TermId| match width {
            64 => term,
            _ => run.terms.zero_ext(64, term),
        };
        let count = match strict && self.terms.as_bits(step) == Some(1) {
            true => {
                let distance = self.terms.bit(BitOp::Sub, to, from);
                in_words(self, distance)
            }
            false => {
                let whole = self.terms.bit(BitOp::UDiv, distance, step);
                let whole = in_words(self, whole);
                let one = self.terms.bits(64, 1);
                self.terms.bit(BitOp::Add, whole, one)
            }
        };
        let none = self.terms.bits(64, 0);
        let count = self.terms.ite(is_any, count, none);
        self.no_wrap(order, (from, to, step), guard, (on_low, narrow), name, span)?;
        // What the condition looks at, in 64 bits: as an extension of the narrow word, and counted there.
        let extended = |run: &mut Self, term: TermId| match (width, signed) {
            (64, _) => term,
            (_, true) => run.terms.sign_ext(64, term),
            (_, false) => run.terms.zero_ext(64, term),
        };
        let (first, step) = match on_low {
            true => (first, step),
            false => (first, self.terms.bit(BitOp::Sub, zero, step)),
        };
        let narrow = extended(self, side);
        let (first, step) = (extended(self, first), self.terms.sign_ext(64, step));
        let wide = self.after(first, step, iteration);
        let mut normal = Normal::new(false);
        let widened = (normal.of(self.terms, narrow), normal.of(self.terms, wide));
        let counter = match *self.terms.node(side) {
            Node::SignExt(_, inner) => self.terms.width(inner),
            _ => width,
        };
        Ok(Bounded {
            count,
            widened,
            is_narrow: counter <= 32,
        })
    }

    /// The counter does not wrap around in the step that ends the loop: certain, or undefined in C and then assumed.
    pub fn no_wrap(
        &mut self,
        order: Order,
        (from, to, step): (TermId, TermId, TermId),
        guard: TermId,
        (upwards, narrow): (bool, Option<u32>),
        name: String,
        span: Span,
    ) -> Followed<()> {
        let width = self.terms.width(to);
        let of_counter = narrow.unwrap_or(width);
        let signed = matches!(order, Order::SignedLess | Order::SignedLessEq);
        let strict = matches!(order, Order::SignedLess | Order::UnsignedLess);
        if strict && self.terms.as_bits(step) == Some(1) && narrow.is_none() {
            return Ok(());
        }
        // Up: the last value below the bound, and one step. Down: the same from above, mirrored.
        let one = self.terms.bits(width, 1);
        let reach = match strict {
            true => self.terms.bit(BitOp::Sub, step, one),
            false => step,
        };
        let fits = match (signed, upwards) {
            (true, true) => {
                let most = self.terms.bits(width, mask(of_counter) >> 1);
                let room = self.terms.bit(BitOp::Sub, most, reach);
                self.terms.less(Order::SignedLessEq, to, room)
            }
            (true, false) => {
                let least = self
                    .terms
                    .bits(width, mask(width) ^ (mask(of_counter) >> 1));
                let room = self.terms.bit(BitOp::Add, least, reach);
                self.terms.less(Order::SignedLessEq, room, from)
            }
            (false, true) => {
                let most = match narrow {
                    Some(narrow) => mask(narrow) >> 1,
                    None => mask(width),
                };
                let most = self.terms.bits(width, most);
                let room = self.terms.bit(BitOp::Sub, most, reach);
                self.terms.less(Order::UnsignedLessEq, to, room)
            }
            (false, false) => self.terms.less(Order::UnsignedLessEq, reach, from),
        };
        if self.is_certain(guard, fits) {
            return Ok(());
        }
        // Of a counter that is widened with its sign, it is one of C that has no defined wrap.
        if !signed && narrow.is_none() {
            return unfollowed("an unsigned counter that may wrap around", span);
        }
        // That it does not overflow is printed, and no hypothesis: what is shown without it holds where it is so.
        if let Some(generic) = &mut self.generic {
            generic.counters_assumed.insert((span.line, name));
        }
        Ok(())
    }

    /// `first + k * step` as its parts.
    pub fn counting(&mut self, side: TermId, iteration: TermId) -> Option<(TermId, TermId)> {
        // Widened without loss: the counter itself does not wrap around.
        if let Node::SignExt(width, inner) = *self.terms.node(side) {
            let (first, step) = self.counting(inner, iteration)?;
            return Some((
                self.terms.sign_ext(width, first),
                self.terms.sign_ext(width, step),
            ));
        }
        let at = |run: &mut Self, n: u64| {
            let k = run.terms.bits(64, n);
            let mut there = Substitution::new([(iteration, k)]);
            let term = there.of(run.terms, side);
            Normal::new(false).of(run.terms, term)
        };
        let first = at(self, 0);
        let second = at(self, 1);
        let step = self.terms.bit(BitOp::Sub, second, first);
        let step = Normal::new(false).of(self.terms, step);
        let expected = self.after(first, step, iteration);
        self.is_same(expected, side).then_some((first, step))
    }
}

fn opposite(order: Order) -> Order {
    match order {
        Order::SignedLess => Order::SignedLessEq,
        Order::SignedLessEq => Order::SignedLess,
        Order::UnsignedLess => Order::UnsignedLessEq,
        Order::UnsignedLessEq => Order::UnsignedLess,
    }
}
