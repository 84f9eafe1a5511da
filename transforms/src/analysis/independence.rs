//! Are the iterations of a counted loop independent: does none write a cell that another touches?
//!
//! `Yes` is certain, for pointers that do not alias; `No` is given where a dependence shows; all
//! else is `Unknown`. Two tests, both exact about 32-bit wrap-around:
//!
//! - *affine*: subscripts `c·i + d` and `c·i + d'` with one fixed difference `k = d' − d`. They
//!   meet in different iterations only if `c` divides `k ≠ 0`. `c·i` itself takes a value twice
//!   only where `i` differs by `2³²/2ᵛ`, `2ᵛ` the power of two in `c`: out of reach for `v < 2`,
//!   since `i < 2³¹`.
//! - *pairs*: all accesses at `i` or `i ^ m`, `m` fixed, under the guard `(i ^ m) > i` (or `<`).
//!   `i ↦ i ^ m` is its own inverse, so of the two iterations that could touch the pair only the
//!   one with the smaller (greater) number passes the guard. The bitonic sort's inner loop (paper
//!   1, section 2.3) is of this kind.

use super::Answer;
use super::affine::{Linear, linear};
use super::nest::Nest;
use super::usage::{
    Access, accesses, accesses_with_atomics, are_in_no_order, assigned_variables, has_load,
};
use crate::matching::matcher::peel;
use crate::terms::term::{BinaryOp, Functor, Term};
use gridlock_semantics::algebra::operator::Head;

/// Whether iterations are independent, and if that is not known two accesses of one array by different iterations that
/// may meet, where there are such.
pub struct Found {
    pub answer: Answer,
    pub meeting: Option<[Access; 2]>,
}

impl From<Answer> for Found {
    fn from(answer: Answer) -> Found {
        Found {
            answer,
            meeting: None,
        }
    }
}

/// The loop is `for (i = …; …; i = i + 1) body`.
pub fn independent(root: &Term, body: &Term, i: &Term) -> Found {
    match accesses(root, body) {
        Some(found) => are_independent(found, body, i, None, None),
        None => Answer::Unknown.into(),
    }
}

/// Whether what iterations do in `first` and what others do in `second` has nothing to do with each other: the loop's
/// body is `first`, then `second`.
pub fn independent_parts(root: &Term, first: &Term, second: &Term, i: &Term) -> Found {
    let body = Term::block(vec![first.clone(), second.clone()], None);
    match accesses(root, first).zip(accesses(root, &body)) {
        Some((of_first, all)) => are_independent(all, &body, i, None, Some(of_first.len())),
        None => Answer::Unknown.into(),
    }
}

/// The same, as if no subscript overflowed: with the loop's `nest` rows count, too. Atomics that do the same to a cell
/// may come in any order, those on floats as well.
pub fn independent_unless_overflow(
    root: &Term,
    body: &Term,
    i: &Term,
    nest: Option<&Nest>,
) -> Found {
    match accesses_with_atomics(root, body) {
        Some(found) => are_independent(found, body, i, nest, None),
        None => Answer::Unknown.into(),
    }
}

/// With `n_first`, only the first so many accesses against the others.
fn are_independent(
    mut found: Vec<Access>,
    body: &Term,
    i: &Term,
    nest: Option<&Nest>,
    n_first: Option<usize>,
) -> Found {
    let assigned = assigned_variables(body);
    if i.as_variable().is_none_or(|v| assigned.contains(&v.id)) {
        return Answer::Unknown.into();
    }
    let is_invariant = |term: &Term| {
        let mut invariant = !has_load(term);
        term.walk(&mut |t| {
            invariant &= t.as_variable().is_none_or(|v| !assigned.contains(&v.id));
        });
        invariant
    };
    let definitions = Definitions::of(body, i, &is_invariant);
    for access in &mut found {
        access.index = definitions.resolve(&access.index);
        for guard in &mut access.guards {
            *guard = definitions.resolve(guard);
        }
    }
    let mut all = Found::from(Answer::Yes);
    let mut bases: Vec<Term> = Vec::new();
    for access in &found {
        if !bases.contains(&access.base) {
            bases.push(access.base.clone());
        }
    }
    for base in bases {
        if !is_invariant(&base) {
            return Answer::Unknown.into();
        }
        let numbered = found.iter().enumerate().filter(|(_, a)| a.base == base);
        let (numbers, here): (Vec<usize>, Vec<&Access>) = numbered.unzip();
        if here.iter().all(|a| !a.is_write) || in_pairs(&here, i, &is_invariant) {
            continue;
        }
        let first = n_first.map(|n| numbers.iter().filter(|&&number| number < n).count());
        let found = affine(&here, first, i, &is_invariant);
        match found.answer {
            Answer::Yes => {}
            Answer::No => return found,
            Answer::Unknown if nest.is_some_and(|nest| nest.is_apart(&base)) => {}
            Answer::Unknown if all.answer == Answer::Unknown => {}
            Answer::Unknown => all = found,
        }
    }
    all
}

/// Variables that an iteration assigns once, at its outermost level, to a value that is a function
/// of `i` and of what does not change: later they are that value.
struct Definitions(Vec<(Term, Term)>);

impl Definitions {
    fn of(body: &Term, i: &Term, is_invariant: &dyn Fn(&Term) -> bool) -> Definitions {
        let mut definitions = Definitions(vec![]);
        let mut assignments: Vec<u32> = Vec::new();
        body.walk(&mut |t| {
            let args = t.as_app().map(|(f, args)| match f {
                Functor::Basic(Head::Assign | Head::Load) | Functor::For => args.first(),
                Functor::Call | Functor::Basic(Head::Atomic(..)) => args.last(),
                _ => None,
            });
            if let Some(variable) = args.flatten().and_then(Term::as_variable) {
                assignments.push(variable.id);
            }
        });
        let statements = body.statements();
        for (position, statement) in statements.iter().enumerate() {
            let Some([var, value]) = statement.args_of(&Functor::Basic(Head::Assign)) else {
                continue;
            };
            let Some(variable) = var.as_variable() else {
                continue;
            };
            let once = assignments.iter().filter(|&&id| id == variable.id).count() == 1;
            let used_before = statements[..position].iter().any(|s| s.contains(var));
            let value = definitions.resolve(value);
            let known = atoms_known(&value, i, is_invariant);
            if once && !used_before && known && !has_load(&value) {
                definitions.0.push((var.clone(), value));
            }
        }
        definitions
    }

    fn resolve(&self, term: &Term) -> Term {
        if let Some((_, value)) = self.0.iter().find(|(var, _)| var == term) {
            return value.clone();
        }
        if term.children().is_empty() {
            return term.clone();
        }
        term.with_children(term.children().iter().map(|t| self.resolve(t)).collect())
    }
}

fn atoms_known(term: &Term, i: &Term, is_invariant: &dyn Fn(&Term) -> bool) -> bool {
    let mut known = true;
    term.walk(&mut |t| known &= t.as_variable().is_none() || t == i || is_invariant(t));
    known
}

fn affine(
    here: &[&Access],
    n_first: Option<usize>,
    i: &Term,
    is_invariant: &dyn Fn(&Term) -> bool,
) -> Found {
    let mut all = Found::from(Answer::Yes);
    let n_left = n_first.unwrap_or(here.len());
    for (number, a) in here[..n_left].iter().enumerate() {
        for b in &here[n_first.unwrap_or(number)..] {
            if !a.is_write && !b.is_write || are_in_no_order(a.atomic, b.atomic) {
                continue;
            }
            let forms = linear(&a.index, i, is_invariant).zip(linear(&b.index, i, is_invariant));
            let is_guarded = !(a.guards.is_empty() && b.guards.is_empty());
            let answer = match forms.map(|(p, q)| disjoint(&p, &q)) {
                Some(Answer::Yes) => continue,
                // A guard may keep the two apart.
                Some(Answer::No) if !is_guarded => Answer::No,
                Some(Answer::No | Answer::Unknown) | None => Answer::Unknown,
            };
            if answer == Answer::No || all.answer == Answer::Yes {
                all = Found {
                    answer,
                    meeting: Some([(*a).clone(), (*b).clone()]),
                };
            }
            if answer == Answer::No {
                return all;
            }
        }
    }
    all
}

/// Whether `p(i) ≠ q(i')` for all `i ≠ i'`.
fn disjoint(p: &Linear, q: &Linear) -> Answer {
    if p.atoms != q.atoms || p.coefficient != q.coefficient {
        return Answer::Unknown;
    }
    let (c, k) = (p.coefficient, q.constant - p.constant);
    let (c_small, k_small) = (c.unsigned_abs() < 1 << 30, k.unsigned_abs() < 1 << 30);
    if !c_small || !k_small {
        return Answer::Unknown;
    }
    if c == 0 {
        return if k == 0 { Answer::No } else { Answer::Yes };
    }
    if k == 0 {
        return Answer::known(c.trailing_zeros() < 2);
    }
    if k % c == 0 {
        return Answer::No;
    }
    // Modulo 2³² a multiple of `c` is a multiple of its power of two, and of nothing more.
    Answer::known(k.trailing_zeros() < c.trailing_zeros())
}

fn in_pairs(here: &[&Access], i: &Term, is_invariant: &dyn Fn(&Term) -> bool) -> bool {
    let partner = here.iter().find_map(|a| {
        let index = peel(&a.index);
        let [x, m] = index.args_of(&Functor::Binary(BinaryOp::BitXor))? else {
            return None;
        };
        let (x, m) = (peel(x), peel(m));
        let fixed = |m: &Term| !m.contains(i) && is_invariant(m);
        ((x == i && fixed(m)) || (m == i && fixed(x))).then(|| index.clone())
    });
    let Some(partner) = partner else {
        return false;
    };
    let greater = |guard: &Term, great: &Term, small: &Term| match guard.as_app() {
        Some((Functor::Binary(BinaryOp::Gt), [a, b])) => a == great && b == small,
        Some((Functor::Binary(BinaryOp::Lt), [a, b])) => a == small && b == great,
        _ => false,
    };
    let guarded = |great: &Term, small: &Term| {
        here.iter()
            .all(|a| a.guards.iter().any(|guard| greater(guard, great, small)))
    };
    let placed = here.iter().all(|a| {
        let index = peel(&a.index);
        index == i || *index == partner
    });
    placed && (guarded(&partner, i) || guarded(i, &partner))
}
