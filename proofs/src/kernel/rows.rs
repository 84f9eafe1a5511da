//! Indices of two dimensions with an extent that is not known: `row * n + column`.
//!
//! Where `0 <= column < n`, `0 <= row`, and the sum does not wrap around, two such indices are equal exactly if rows
//! and columns are. That spares the solver a product of unknowns, of which it makes little. What has to hold is asked
//! of it for each access, without products: the sum has room if `n <= 2^b` and `row < 2^(w - 2 - b)` for some b, where
//! w is its width, or if `row < rows` where it is required that `n * rows < 2^(w - 1)` (`lemmas`). An array of
//! `n * rows` elements then has the index inside it.

use crate::kernel::analysis::{Analysis, Row};
use crate::machine::state::Access;
use crate::solver::solve::{Answer, Reader, Reading};
use crate::terms::normal::{Normal, Sum, linear};
use crate::terms::term::{BitOp, Node, Order, Sort, TermId, Terms};

impl Analysis<'_> {
    /// The index of an access taken apart, where that says as much.
    pub fn row(&mut self, access: &Access) -> Option<Row> {
        let key = (access.index, access.path);
        if let Some(known) = self.rows.get(&key) {
            return *known;
        }
        let found = self.taken_apart(access);
        self.rows.insert(key, found);
        found
    }

    fn taken_apart(&mut self, access: &Access) -> Option<Row> {
        let terms = &mut self.machine.terms;
        let index = Normal::new(false).of(terms, access.index);
        let inner = match *terms.node(index) {
            Node::SignExt(_, inner) | Node::ZeroExt(_, inner) => inner,
            _ => index,
        };
        if !matches!(terms.node(inner), Node::Bit(BitOp::Add, ..)) {
            return None;
        }
        let width = terms.width(inner);
        let sum = linear(terms, inner)?;
        let mut lengths: Vec<TermId> = Vec::new();
        for product in sum.keys().filter(|product| product.len() > 1) {
            for factor in product {
                let scope = self.machine.terms.scope(*factor);
                let is_length = scope == crate::terms::term::Scope::Grid;
                if is_length && !lengths.contains(factor) {
                    lengths.push(*factor);
                }
            }
        }
        lengths.into_iter().find_map(|length| {
            let (mut row, mut column) = (Sum::new(), Sum::new());
            for (product, factor) in &sum {
                match product.iter().position(|part| *part == length) {
                    Some(at) => {
                        let mut rest = product.clone();
                        rest.remove(at);
                        *row.entry(rest).or_insert(0) += factor;
                    }
                    None => {
                        column.insert(product.clone(), *factor);
                    }
                }
            }
            let row = Row {
                row: self.made(width, &row),
                length,
                column: self.made(width, &column),
            };
            self.is_exact(&row, access.path, width).then_some(row)
        })
    }

    /// Whether an access is shown to lie inside its array by its row alone: below the number of rows, of which the array
    /// has the product with the length of one.
    pub fn is_in_a_row(&mut self, access: &Access, extent: TermId) -> bool {
        let Some(row) = self.row(access) else {
            return false;
        };
        let width = self.machine.terms.width(row.length);
        let Some(factors) = factors_of_extent(&self.machine.terms, extent, width) else {
            return false;
        };
        let mut rows = self.required_rows(&row, access.path, width);
        rows.retain(|rows| factors == [row.length, *rows] || factors == [*rows, row.length]);
        rows.into_iter().any(|rows| {
            let above = self.machine.terms.less(Order::SignedLessEq, rows, row.row);
            let answer = self.tried(&[(access.path, Reader::FIRST), (above, Reader::FIRST)]);
            answer.is_unsatisfiable()
        })
    }

    /// Numbers of rows of that length of which the path of an access requires that all of them together have less than
    /// `2^(width - 1)` columns: the product, in words that hold it, stands below a bound.
    fn required_rows(&self, row: &Row, path: TermId, width: u32) -> Vec<TermId> {
        let terms = &self.machine.terms;
        let mut found = Vec::new();
        let mut rest = vec![path];
        while let Some(term) = rest.pop() {
            let Node::And(a, b) = *terms.node(term) else {
                let factors = bounded_product(terms, term, width);
                let other = factors.and_then(|[a, b]| match (a == row.length, b == row.length) {
                    (true, _) => Some(b),
                    (_, true) => Some(a),
                    _ => None,
                });
                found.extend(other);
                continue;
            };
            rest.extend([a, b]);
        }
        found
    }

    fn made(&mut self, width: u32, sum: &Sum) -> TermId {
        let terms = &mut self.machine.terms;
        let mut total = terms.bits(width, 0);
        for (product, factor) in sum {
            let mut term = terms.bits(width, *factor);
            for part in product {
                term = terms.bit(BitOp::Mul, term, *part);
            }
            total = terms.bit(BitOp::Add, total, term);
        }
        total
    }

    /// Whether rows and columns say as much as the index, wherever the access is made.
    fn is_exact(&mut self, row: &Row, path: TermId, width: u32) -> bool {
        let terms = &mut self.machine.terms;
        let zero = terms.bits(width, 0);
        let mut conds = vec![
            terms.less(Order::SignedLessEq, zero, row.column),
            terms.less(Order::SignedLess, row.column, row.length),
            terms.less(Order::SignedLessEq, zero, row.row),
        ];
        let mut has_room = terms.bool(false);
        for b in 0..=width - 2 {
            let most = terms.bits(width, 1 << b);
            let rows = terms.bits(width, 1 << (width - 2 - b));
            let short = terms.less(Order::SignedLessEq, row.length, most);
            let few = terms.less(Order::SignedLess, row.row, rows);
            let both = terms.and(short, few);
            has_room = terms.or(has_room, both);
        }
        for rows in self.required_rows(row, path, width) {
            let terms = &mut self.machine.terms;
            let is_one = terms.less(Order::SignedLess, row.row, rows);
            has_room = terms.or(has_room, is_one);
        }
        let terms = &mut self.machine.terms;
        conds.push(has_room);
        let all = terms.all(&conds);
        let not = terms.not(all);
        let answer = self.tried(&[(path, Reader::FIRST), (not, Reader::FIRST)]);
        answer.is_unsatisfiable()
    }

    /// An answer to what is only tried: that there is none is no limit met.
    fn tried(&mut self, readings: &[Reading]) -> Answer {
        let cut = self.prover.cut;
        let answer = self.ask(readings, &[]);
        self.prover.cut = cut;
        answer
    }
}

/// What a word was extended from.
fn extended(terms: &Terms, term: TermId) -> Option<TermId> {
    match *terms.node(term) {
        Node::SignExt(_, inner) | Node::ZeroExt(_, inner) => Some(inner),
        _ => None,
    }
}

/// The two words of that width whose product an extent is: one of wide words, or a wide one of theirs. It is that of two
/// numbers where those are positive and it does not wrap around.
fn factors_of_extent(terms: &Terms, extent: TermId, width: u32) -> Option<[TermId; 2]> {
    let factors = match (terms.node(extent), extended(terms, extent)) {
        (Node::Bit(BitOp::Mul, a, b), _) => [extended(terms, *a)?, extended(terms, *b)?],
        (_, Some(inner)) => match *terms.node(inner) {
            Node::Bit(BitOp::Mul, a, b) => [a, b],
            _ => return None,
        },
        _ => return None,
    };
    let are_words = factors.iter().all(|f| terms.sort(*f) == Sort::Bits(width));
    are_words.then_some(factors)
}

/// The two words of that width whose product, in words of twice the width or more, a condition holds below
/// `2^(width - 1)`.
fn bounded_product(terms: &Terms, condition: TermId, width: u32) -> Option<[TermId; 2]> {
    let (product, bound, is_below) = match *terms.node(condition) {
        Node::Less(Order::SignedLess | Order::UnsignedLess, a, b) => (a, b, true),
        Node::Less(Order::SignedLessEq | Order::UnsignedLessEq, a, b) => (a, b, false),
        Node::Not(inner) => match *terms.node(inner) {
            Node::Less(Order::SignedLess | Order::UnsignedLess, a, b) => (b, a, false),
            Node::Less(Order::SignedLessEq | Order::UnsignedLessEq, a, b) => (b, a, true),
            _ => return None,
        },
        _ => return None,
    };
    let limit = 1u64 << (width - 1);
    let bound = terms.as_bits(bound)?;
    let is_enough = if is_below {
        bound <= limit
    } else {
        bound < limit
    };
    let Node::Bit(BitOp::Mul, a, b) = *terms.node(product) else {
        return None;
    };
    let factors = [extended(terms, a)?, extended(terms, b)?];
    let is_wide = terms.width(product) >= 2 * width;
    let are_words = factors.iter().all(|f| terms.sort(*f) == Sort::Bits(width));
    (is_enough && is_wide && are_words).then_some(factors)
}
