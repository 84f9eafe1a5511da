//! Where quotients, roots and logarithms are defined. A normal form says nothing of it: `x * y / y` is `x`, but for `y = 0`.
//! What the old program needs is taken for granted, as nothing is claimed where it is not defined. What the new one needs has
//! to follow from that, or from the form alone.

use super::field::sign::Sign;
use super::field::{Atom, CondId, Field, Formed, Stop};
use super::forms::{Decided, Forms, Real, floats_in};
use super::operation::{Operation, operation};
use super::polynomial::{Monomial, Number, Poly, PolyId};
use crate::terms::term::{Node, TermId, Terms};
use num_traits::Signed;
use rustc_hash::{FxHashMap, FxHashSet};

/// What has to hold of a real number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Need {
    /// It is divided by.
    NotZero(PolyId),
    /// Its root is taken.
    NotNegative(PolyId),
    /// Its logarithm is taken.
    Positive(PolyId),
    /// A function of which nothing else is known is taken there.
    Defined(PolyId),
}

/// Conditions with what they come to, on the way to an operation.
type Path = Vec<(CondId, bool)>;

/// Looks at terms under conditions, at each for every way that leads there.
const MOST_LOOKS: usize = 20_000;

/// What terms need.
#[derive(Default)]
pub struct Needs {
    found: FxHashMap<Need, Vec<Path>>,
    seen: FxHashSet<(TermId, Path)>,
    looks: usize,
    /// Whether there is such an operation in a term.
    asks: FxHashMap<TermId, bool>,
}

impl Needs {
    /// Adds what a term needs.
    pub fn add(&mut self, forms: &mut Forms, terms: &mut Terms, term: TermId) -> Formed<()> {
        let mut open: Vec<(TermId, Path)> = vec![(term, Vec::new())];
        while let Some((term, path)) = open.pop() {
            // Conditions on the way are as many as there are ways: only those to what needs something are gone.
            if !self.asks(terms, term) {
                continue;
            }
            self.looks += usize::from(!path.is_empty());
            if self.looks > MOST_LOOKS {
                return Err(Stop::TooLarge);
            }
            // What is needed without a condition is needed with one.
            let is_known = self.seen.contains(&(term, Vec::new()));
            if is_known || !self.seen.insert((term, path.clone())) {
                continue;
            }
            match terms.node(term).clone() {
                Node::Ite(cond, a, b) => {
                    let others = floats_in(terms, term).into_iter();
                    let in_cond = others.filter(|t| *t != a && *t != b);
                    open.extend(in_cond.map(|t| (t, path.clone())));
                    match forms.cond(terms, cond)? {
                        Decided::Known(true) => open.push((a, path)),
                        Decided::Known(false) => open.push((b, path)),
                        Decided::Open(cond) => {
                            let with = |holds: bool| {
                                let mut path = path.clone();
                                path.push((cond, holds));
                                path.sort_unstable();
                                path.dedup();
                                path
                            };
                            open.extend([(a, with(true)), (b, with(false))]);
                        }
                    }
                }
                Node::Apply { function, args, .. } => {
                    if let Some(operation) = operation(&function) {
                        for need in needs_of(forms, terms, term, &operation, &args)? {
                            self.found.entry(need).or_default().push(path.clone());
                        }
                    }
                    let floats = floats_in(terms, term).into_iter();
                    open.extend(floats.map(|t| (t, path.clone())));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether something inside a term needs anything.
    fn asks(&mut self, terms: &Terms, term: TermId) -> bool {
        let mut stack = vec![(term, false)];
        while let Some((t, is_ready)) = stack.pop() {
            if self.asks.contains_key(&t) {
                continue;
            }
            let inside = floats_in(terms, t);
            if !is_ready {
                stack.push((t, true));
                stack.extend(inside.into_iter().map(|c| (c, false)));
                continue;
            }
            let own = match terms.node(t) {
                Node::Apply { function, .. } => operation(function),
                _ => None,
            };
            let needs = match own {
                Some(
                    Operation::Div
                    | Operation::Pow
                    | Operation::Root
                    | Operation::Log { .. }
                    | Operation::Log1p,
                ) => true,
                Some(Operation::Other(name)) => !is_total(&name),
                _ => false,
            };
            let asks = needs || inside.iter().any(|c| self.asks[c]);
            self.asks.insert(t, asks);
        }
        self.asks[&term]
    }

    /// One of these that does not follow from those.
    pub fn not_in(&self, others: &Needs, field: &Field) -> Option<Need> {
        let follows = |(need, paths): (&Need, &Vec<Path>)| {
            let stronger = match *need {
                Need::NotZero(of) => vec![Need::NotZero(of), Need::Positive(of)],
                Need::NotNegative(of) => vec![Need::NotNegative(of), Need::Positive(of)],
                Need::Positive(_) | Need::Defined(_) => vec![*need],
            };
            let known = stronger.iter().filter_map(|need| others.found.get(need));
            let known: Vec<&Path> = known.flatten().collect();
            is_certain(*need, field)
                || paths.iter().all(|path| {
                    let is_under = |other: &&Path| other.iter().all(|cond| path.contains(cond));
                    known.iter().any(is_under)
                })
        };
        let mut open: Vec<&Need> = self
            .found
            .iter()
            .filter(|need| !follows(*need))
            .map(|(need, _)| need)
            .collect();
        open.sort_unstable_by_key(|need| match need {
            Need::NotZero(of) => (0, *of),
            Need::NotNegative(of) => (1, *of),
            Need::Positive(of) => (2, *of),
            Need::Defined(of) => (3, *of),
        });
        open.first().map(|need| **need)
    }
}

fn is_certain(need: Need, field: &Field) -> bool {
    match need {
        Need::NotZero(of) => {
            let of = field.poly(of);
            field.sign(&of) == Sign::Positive || field.sign(&of.negated()) == Sign::Positive
        }
        Need::NotNegative(of) => field.sign(&field.poly(of)) != Sign::Unknown,
        Need::Positive(of) => field.sign(&field.poly(of)) == Sign::Positive,
        Need::Defined(_) => false,
    }
}

/// Whether a function, by its name in terms, has a value for all numbers.
fn is_total(name: &str) -> bool {
    const OF_ALL: [&str; 18] = [
        "Sin", "Cos", "Tan", "SinPi", "CosPi", "Atan", "Atan2", "Sinh", "Cosh", "Asinh", "Cbrt",
        "Erf", "Erfc", "Round", "Rint", "Copysign", "Fraction", "Exponent",
    ];
    let elementary = name.strip_prefix("Elementary(");
    match elementary.and_then(|name| name.strip_suffix(')')) {
        Some(name) => OF_ALL.contains(&name),
        None => ["Floor", "Ceil", "Trunc"].contains(&name),
    }
}

fn needs_of(
    forms: &mut Forms,
    terms: &mut Terms,
    term: TermId,
    operation: &Operation,
    args: &[TermId],
) -> Formed<Vec<Need>> {
    let mut of = |arg: TermId| -> Formed<Option<Poly>> {
        Ok(match forms.real(terms, arg)? {
            Real::Finite(poly) => Some(Poly::clone(&poly)),
            _ => None,
        })
    };
    let poly = match operation {
        Operation::Div | Operation::Pow => of(args[1])?,
        Operation::Root | Operation::Log { .. } | Operation::Log1p => of(args[0])?,
        Operation::Other(name) if !is_total(name) => {
            let own = of(term)?;
            return Ok(own.map(|own| defined(forms, own)).into_iter().collect());
        }
        _ => None,
    };
    let Some(poly) = poly else {
        return Ok(Vec::new());
    };
    let field = &mut forms.field;
    Ok(match operation {
        Operation::Div => not_zero(field, &poly),
        Operation::Pow => match poly.as_constant().filter(Number::is_integer) {
            Some(power) if !power.is_negative() => Vec::new(),
            Some(_) => match forms.real(terms, args[0])? {
                Real::Finite(base) => not_zero(&mut forms.field, &base),
                _ => Vec::new(),
            },
            None => match forms.real(terms, term)? {
                Real::Finite(own) => vec![defined(forms, Poly::clone(&own))],
                _ => Vec::new(),
            },
        },
        Operation::Root => vec![Need::NotNegative(sized(field, &poly))],
        Operation::Log1p => {
            let sum = field.plus(&poly, &Poly::one())?;
            vec![Need::Positive(sized(field, &sum))]
        }
        _ => vec![Need::Positive(sized(field, &poly))],
    })
}

fn defined(forms: &mut Forms, poly: Poly) -> Need {
    Need::Defined(forms.field.named(poly))
}

/// A polynomial of the same sign, the same for all multiples by positive numbers.
fn sized(field: &mut Field, poly: &Poly) -> PolyId {
    let poly = match field.lead(poly) {
        Some((_, factor)) => poly.scaled(&factor.abs().recip()),
        None => poly.clone(),
    };
    field.named(poly)
}

/// That none of the factors is 0 into which a divisor falls. Of a sum these are the atoms that all of its products have, and
/// what is left: `x + y` is not 0 where `x` may be.
fn not_zero(field: &mut Field, poly: &Poly) -> Vec<Need> {
    let Some((lead, _)) = field.lead(poly) else {
        return Vec::new();
    };
    let mut common = Monomial {
        powers: lead.powers.clone(),
        exponent: lead.exponent,
    };
    for (atom, power) in &mut common.powers {
        for (monomial, _) in poly.terms() {
            let own = monomial.powers.iter().find(|(other, _)| other == atom);
            *power = (*power).min(own.map_or(0, |(_, power)| *power));
        }
    }
    common.powers.retain(|(_, power)| *power > 0);
    let mut needs = Vec::new();
    for (atom, _) in &common.powers {
        match *field.atom_of(*atom) {
            Atom::Root(of) => {
                let of = field.poly(of);
                needs.extend(not_zero(field, &of));
            }
            _ => needs.push(Need::NotZero(field.named(Poly::atom(*atom)))),
        }
    }
    let rest = match field.without(poly, &common) {
        Ok(rest) => rest,
        Err(_) => poly.clone(),
    };
    if rest.as_constant().is_none() {
        needs.push(Need::NotZero(sized(field, &rest)));
    }
    needs
}
