//! Indices of two dimensions with an extent that is not known: `row * n + column`.
//!
//! Where `0 <= column < n`, `0 <= row`, and the sum does not wrap around, two such indices are equal exactly if rows
//! and columns are. That spares the solver a product of unknowns, of which it makes little. What has to hold is asked
//! of it for each access, without products: the sum has room if `n <= 2^b` and `row < 2^(w - 2 - b)` for some b, where
//! w is its width (`lemmas`).

use crate::kernel::analysis::{Analysis, Row};
use crate::machine::state::Access;
use crate::solver::solve::Reader;
use crate::terms::normal::{Normal, Sum, linear};
use crate::terms::term::{BitOp, Node, Order, TermId};

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
        conds.push(has_room);
        let all = terms.all(&conds);
        let not = terms.not(all);
        let cut = self.prover.cut;
        let answer = self.ask(&[(path, Reader::FIRST), (not, Reader::FIRST)], &[]);
        // It was only tried.
        self.prover.cut = cut;
        answer.is_unsatisfiable()
    }
}
