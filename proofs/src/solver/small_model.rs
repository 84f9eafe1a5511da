//! Products of unknowns, whose circuits cost the solver most: a question with them is also asked about small
//! numbers alone, where they are small circuits.

use rustc_hash::FxHashSet;
use z3::ast::{Ast, BV, Bool, Dynamic};
use z3::{AstKind, DeclKind};

/// Bits of a small number.
const BITS: u32 = 4;

/// Where some of the formulas multiplies or divides unknowns by one another: what says that all unknown words of
/// the formulas are small numbers. A model that says so too is a model of the formulas; that there is none says
/// nothing about larger numbers.
pub fn all_are_small(formulas: &[Bool]) -> Option<Vec<Bool>> {
    let mut seen: FxHashSet<Dynamic> = FxHashSet::default();
    let mut stack: Vec<Dynamic> = formulas.iter().map(|f| Dynamic::from_ast(f)).collect();
    let mut has_product = false;
    let mut bounds = Vec::new();
    while let Some(node) = stack.pop() {
        if !seen.insert(node.clone()) {
            continue;
        }
        let parts = node.children();
        if let Some(word) = node.as_bv() {
            has_product |= is_product(&node, &parts);
            bounds.extend(is_small(&word));
        }
        stack.extend(parts);
    }
    has_product.then_some(bounds)
}

fn is_product(node: &Dynamic, parts: &[Dynamic]) -> bool {
    use DeclKind::{Bmul, Bsdiv, Bsrem, Budiv, Burem};
    let kind = node.safe_decl().map(|decl| decl.kind());
    let unknowns = parts.iter().filter(|p| p.kind() != AstKind::Numeral);
    matches!(kind, Ok(Bmul | Budiv | Bsdiv | Burem | Bsrem)) && unknowns.count() > 1
}

/// That an unknown has no bits but the lowest: as an equation, which the solver puts into the rest.
fn is_small(word: &BV) -> Option<Bool> {
    let width = word.get_size();
    if !word.is_const() || width <= BITS {
        return None;
    }
    let is_unknown = word
        .safe_decl()
        .is_ok_and(|d| d.kind() == DeclKind::Uninterpreted);
    let low = is_unknown.then(|| BV::new_const(format!("small!{word}"), BITS))?;
    Some(word.eq(low.zero_ext(width - BITS)))
}
