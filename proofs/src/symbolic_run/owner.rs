//! Who wrote a cell: the coordinates of the thread whose write a later read of another thread sees.
//!
//! The cell written is a sum of coordinates, each times a constant, and something else: `17·threadIdx.y +
//! threadIdx.x`. The cell read is taken apart by the same constants, the largest first. That is a guess; that the thread
//! it names is one of the block and did write the cell is asked of the solver.

use super::generic::Write;
use super::run::Run;
use super::value::{Held, Known, Value};
use crate::machine::state::{Followed, unfollowed};
use crate::terms::normal::{Normal, linear};
use crate::terms::substitute::Substitution;
use crate::terms::term::{BitOp, Node, Order, Origin, TermId};
use gridlock_semantics::algebra::span::Span;

impl Run<'_> {
    /// When some thread of the block made the write to `cell`, and what it wrote; `None`: no thread did. Where neither
    /// is certain the run ends.
    pub fn of_owner(
        &mut self,
        write: &Write,
        cell: TermId,
        guard: TermId,
        span: Span,
    ) -> Followed<Option<(TermId, Held)>> {
        let is_probe = self.generic.as_ref().is_some_and(|g| g.is_probe);
        if let Some(found) = self.named(write, cell, guard)? {
            return Ok(Some(found));
        }
        // Nobody's coordinates at all give the cell.
        let Some(generic) = &self.generic else {
            return Ok(None);
        };
        let threads = generic.launch.dimensions.map(|d| d.thread);
        let mut pairs = Vec::new();
        let mut in_range = self.terms.bool(true);
        for (thread, dimension) in threads.into_iter().zip(generic.launch.dimensions) {
            if let Node::ZeroExt(_, symbol) = *self.terms.node(thread) {
                let scope = crate::terms::term::Scope::Thread;
                let sort = self.terms.sort(symbol);
                let other = self
                    .terms
                    .fresh_from(Origin::AnotherThread, "another", sort, scope);
                let wide = self.terms.zero_ext(32, other);
                pairs.push((symbol, wide));
                let fits = self
                    .terms
                    .less(Order::UnsignedLess, wide, dimension.block_extent);
                in_range = self.terms.and(in_range, fits);
            }
        }
        let mut others = self.of_another(&pairs);
        let theirs = others.of(self.terms, write.cell);
        let there = others.of(self.terms, write.guard);
        let same = self.terms.eq(theirs, cell);
        let some = self.terms.and(there, same);
        let some = self.terms.and(some, in_range);
        let none = self.terms.not(some);
        if self.is_certain(guard, none) {
            return Ok(None);
        }
        if is_probe {
            let never = self.terms.bool(true);
            let value = self.probed(write);
            return Ok(Some((never, value)));
        }
        unfollowed(
            "a cell of shared memory of which it is not seen who wrote it",
            span,
        )
    }

    /// What the generic thread's terms are for another thread: its coordinates are in the place of the generic one's,
    /// and of what loops go on with nothing is known.
    fn of_another(&mut self, coordinates: &[(TermId, TermId)]) -> Substitution {
        let own = self.generic.as_ref().map_or(Vec::new(), |g| g.own.clone());
        let mut theirs = Substitution::of_small(self.terms, coordinates);
        for symbol in own {
            let sort = self.terms.sort(symbol);
            let scope = crate::terms::term::Scope::Thread;
            let origin = Origin::AnotherThread;
            let other = self.terms.fresh_from(origin, "another's", sort, scope);
            theirs.replace(symbol, other);
        }
        theirs
    }

    fn probed(&mut self, write: &Write) -> Held {
        let term = match &write.value {
            Some(Value {
                known: Known::Scalar(term),
                ..
            }) => *term,
            other => return other.clone(),
        };
        let sort = self.terms.sort(term);
        let scope = crate::terms::term::Scope::Thread;
        let origin = Origin::AnotherThread;
        let other = self.terms.fresh_from(origin, "another's", sort, scope);
        let known = Known::Scalar(other);
        Some(self.certain(known))
    }

    /// The owner by taking the cell apart, if that names one for certain.
    fn named(
        &mut self,
        write: &Write,
        cell: TermId,
        guard: TermId,
    ) -> Followed<Option<(TermId, Held)>> {
        let Some(generic) = &self.generic else {
            return Ok(None);
        };
        let dimensions = generic.launch.dimensions;
        let (is_probe, own) = (generic.is_probe, generic.own.clone());
        let symbols: Vec<(usize, TermId)> = (0..3)
            .filter_map(|d| match *self.terms.node(dimensions[d].thread) {
                Node::ZeroExt(_, symbol) => Some((d, symbol)),
                _ => None,
            })
            .collect();
        let Some(coordinates) = self.taken_apart(write.cell, cell, &symbols) else {
            return Ok(None);
        };
        let pairs: Vec<(TermId, TermId)> = symbols
            .iter()
            .zip(&coordinates)
            .map(|((_, symbol), coordinate)| (*symbol, *coordinate))
            .collect();
        let is_self = pairs.iter().all(|(symbol, coordinate)| {
            matches!(self.terms.node(*coordinate), Node::ZeroExt(_, s) if s == symbol)
        });
        let mut theirs = match is_self {
            true => Substitution::default(),
            false => self.of_another(&pairs),
        };
        let their_cell = theirs.of(self.terms, write.cell);
        let there = theirs.of(self.terms, write.guard);
        let mut cond = self.terms.eq(their_cell, cell);
        cond = self.terms.and(cond, there);
        for ((d, _), coordinate) in symbols.iter().zip(&coordinates) {
            let extent = dimensions[*d].block_extent;
            let fits = self.terms.less(Order::UnsignedLess, *coordinate, extent);
            cond = self.terms.and(cond, fits);
        }
        if !self.is_certain(guard, cond) {
            return Ok(None);
        }
        let value = match &write.value {
            None => None,
            Some(value) if is_self => Some(value.clone()),
            Some(Value {
                known: Known::Scalar(term),
                defined,
            }) => {
                if self.terms.mentions(*term, &own) || self.terms.mentions(*defined, &own) {
                    match is_probe {
                        true => return Ok(Some((self.terms.bool(true), self.probed(write)))),
                        false => return Ok(None),
                    }
                }
                let term = theirs.of(self.terms, *term);
                let defined = theirs.of(self.terms, *defined);
                Some(Value {
                    known: Known::Scalar(term),
                    defined,
                })
            }
            Some(_) => return Ok(None),
        };
        Ok(Some((self.terms.bool(true), value)))
    }

    /// For each coordinate what it has to be for `written` to be `cell`.
    fn taken_apart(
        &mut self,
        written: TermId,
        cell: TermId,
        symbols: &[(usize, TermId)],
    ) -> Option<Vec<TermId>> {
        let mut normal = Normal::new(false);
        let (written, cell) = (normal.of(self.terms, written), normal.of(self.terms, cell));
        let mut rest = linear(self.terms, cell)?;
        let mut factors: Vec<(u64, usize)> = Vec::new();
        for (product, factor) in linear(self.terms, written)? {
            let of_coordinate = symbols.iter().position(|(_, symbol)| {
                matches!(product.as_slice(), [one] if *one == *symbol
                    || matches!(self.terms.node(*one), Node::ZeroExt(_, s) if s == symbol))
            });
            match of_coordinate {
                Some(at) if !factors.iter().any(|(_, other)| *other == at) => {
                    factors.push((factor, at));
                }
                Some(_) => return None,
                None => {
                    // What is there beside the coordinates is there on both sides, or missing.
                    let entry = rest.entry(product).or_insert(0);
                    *entry = entry.wrapping_sub(factor);
                }
            }
        }
        factors.sort_by_key(|(factor, _)| std::cmp::Reverse(*factor));
        let zero = self.terms.bits(32, 0);
        let mut coordinates = vec![zero; symbols.len()];
        for (factor, at) in factors {
            if factor == 0 || factor > i32::MAX as u64 {
                return None;
            }
            let mut sum = zero;
            let mut left = std::collections::BTreeMap::new();
            for (product, n) in rest {
                let signed = n as i64;
                let (times, over) = match product.is_empty() {
                    // A constant is shared out; it may belong to a smaller coordinate in part.
                    true => (
                        signed.div_euclid(factor as i64),
                        signed.rem_euclid(factor as i64),
                    ),
                    false if signed % factor as i64 == 0 => (signed / factor as i64, 0),
                    false => (0, signed),
                };
                if over != 0 {
                    left.insert(product.clone(), over as u64);
                }
                if times == 0 {
                    continue;
                }
                let mut term = self.terms.bits(32, times as u64 & 0xffff_ffff);
                for part in &product {
                    let part = self.word(*part);
                    term = self.terms.bit(BitOp::Mul, term, part);
                }
                sum = self.terms.bit(BitOp::Add, sum, term);
            }
            rest = left;
            coordinates[at] = sum;
        }
        rest.is_empty().then_some(coordinates)
    }

    /// The term in 32 bits.
    fn word(&mut self, term: TermId) -> TermId {
        let width = self.terms.width(term);
        match width.cmp(&32) {
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Greater => self.terms.low(32, term),
            std::cmp::Ordering::Less => self.terms.zero_ext(32, term),
        }
    }
}
