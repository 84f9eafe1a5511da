//! Loops and subscripts read as polynomials.

use super::polynomial::Polynomial;
use super::usage::{Access, assigned_variables, has_load, occurrences};
use crate::matching::matcher::peel;
use crate::terms::term::{BinaryOp, Functor, Term};
use gridlock_semantics::algebra::expr::UnaryOp;
use gridlock_semantics::algebra::operator::{AtomicFn, Head};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::collections::BTreeSet;

/// The counter of a loop: from the first bound on, and less than the second.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counter {
    /// That of its variable.
    pub number: usize,
    pub from: Polynomial,
    pub below: Polynomial,
    /// Whether it takes every value between them.
    pub is_dense: bool,
}

impl Counter {
    /// No value is greater.
    pub fn last(&self) -> Option<Polynomial> {
        self.below.plus(&Polynomial::constant(1), -1)
    }
}

/// Where an access is.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub base: Term,
    pub index: Polynomial,
    /// What the subscript is below where it is no polynomial, but data: from 0 on.
    pub data_below: Option<Polynomial>,
    /// The loops inside the outermost one around it, outer ones first.
    pub counters: Vec<Counter>,
    /// What conditions around it say that the subscript is at least, and less than.
    pub limits: [Vec<Polynomial>; 2],
    pub is_write: bool,
    pub atomic: Option<AtomicFn>,
    /// Whether it happens whenever the loops around it run.
    pub is_certain: bool,
}

/// Numbers from here on are not followed.
const LARGEST: u128 = 1 << 40;
/// Variables given values one behind the other that are looked through.
const DEEPEST: usize = 16;

/// Dividend and divisor, and the type that both are converted to.
type Quotient = (Polynomial, Polynomial, Option<Type>);

/// Reads the body of the outermost loop.
pub(super) struct Reader {
    unknowns: Vec<Term>,
    /// Quotients, each with the unknown that stands for it.
    quotients: Vec<(Quotient, usize)>,
    /// Variables that have one value wherever they are used in an iteration.
    values: Vec<(Term, Term)>,
    assigned: BTreeSet<u32>,
}

impl Reader {
    /// `None` where the body may assign the outermost loop's counter.
    pub fn of(body: &Term, i: &Term) -> Option<Reader> {
        let reader = Reader {
            unknowns: vec![i.clone()],
            quotients: Vec::new(),
            values: values(body),
            assigned: assigned_variables(body),
        };
        (!reader.is_assigned(i)).then_some(reader)
    }

    /// What the unknowns stand for, by their numbers.
    pub fn into_unknowns(self) -> Vec<Term> {
        self.unknowns
    }

    /// The outermost loop, which goes on below `n`.
    pub fn outermost(&mut self, n: &Term) -> Option<Counter> {
        Some(Counter {
            number: 0,
            from: Polynomial::default(),
            below: self.bound(n, &[])?,
            is_dense: true,
        })
    }

    fn is_assigned(&self, x: &Term) -> bool {
        x.as_variable()
            .is_none_or(|v| self.assigned.contains(&v.id))
    }

    fn number(&mut self, term: &Term) -> usize {
        let known = self.unknowns.iter().position(|unknown| unknown == term);
        known.unwrap_or_else(|| {
            self.unknowns.push(term.clone());
            self.unknowns.len() - 1
        })
    }

    /// An access as a place; its array where it is not understood.
    pub fn place(&mut self, access: &Access) -> Result<Place, Term> {
        self.place_of(access).ok_or_else(|| access.base.clone())
    }

    fn place_of(&mut self, access: &Access) -> Option<Place> {
        let base = access.base.as_variable();
        if base.is_some_and(|base| self.assigned.contains(&base.id)) {
            return None;
        }
        let mut around = Vec::new();
        let mut counters = Vec::new();
        for inner in &access.loops {
            let (variable, counter) = self.counter(inner, &around)?;
            around.push(variable);
            counters.push(counter);
        }
        let index = self.polynomial(&access.index, &around, DEEPEST);
        let (index, data_below) = match index.filter(|index| !self.has_quotient(index)) {
            Some(index) => (index, None),
            None => {
                let below = self.data_below(&access.index, access, DEEPEST)?;
                (Polynomial::unknown(self.number(&access.index)), Some(below))
            }
        };
        let mut limits = [Vec::new(), Vec::new()];
        // A counter has another value before its loop.
        for (guard, &n_around) in access.guards.iter().zip(&access.loops_around_guards) {
            if let Some((side, limit)) = self.limit(guard, &index, around.get(..n_around)?) {
                limits[side].push(limit);
            }
        }
        Some(Place {
            base: access.base.clone(),
            index,
            data_below,
            limits,
            counters,
            is_write: access.is_write,
            atomic: access.atomic,
            is_certain: access.is_unconditional,
        })
    }

    /// The loops of which a body consists, as long as there is nothing beside them and their bounds do not depend on
    /// one another.
    pub fn perfect(&mut self, body: &Term) -> Vec<Counter> {
        let (mut around, mut all) = (Vec::new(), Vec::new());
        let mut inside = body.clone();
        while let [only] = inside.statements().as_slice()
            && let Some([_, _, _, _, body]) = only.args_of(&Functor::For)
            && let Some((variable, counter)) = self.counter(only, &around)
            && counter.from.as_constant().is_some()
            && !counter.below.has(0)
            && !all
                .iter()
                .any(|outer: &Counter| counter.below.has(outer.number))
        {
            around.push(variable);
            all.push(counter);
            inside = body.clone();
        }
        all
    }

    /// The counter of a loop, and the variable; `around`: those of the loops around it, but for the outermost.
    fn counter(&mut self, term: &Term, around: &[Term]) -> Option<(Term, Counter)> {
        let [variable, init, cond, step, body] = term.args_of(&Functor::For)? else {
            return None;
        };
        let id = variable.as_variable()?.id;
        if assigned_variables(body).contains(&id) || around.contains(variable) {
            return None;
        }
        let Some((Functor::Binary(op), [a, b])) = cond.as_app() else {
            return None;
        };
        let (op, bound) = match (op, peel(a) == variable, peel(b) == variable) {
            (BinaryOp::Lt | BinaryOp::Le, true, false) => (*op, b),
            (BinaryOp::Gt, false, true) => (BinaryOp::Lt, a),
            (BinaryOp::Ge, false, true) => (BinaryOp::Le, a),
            _ => return None,
        };
        let bound = self.bound(bound, around)?;
        let below = match op {
            BinaryOp::Le => bound.plus(&Polynomial::constant(1), 1)?,
            _ => bound,
        };
        let from = self.bound(init, around)?;
        let [a, b] = peel(step).args_of(&Functor::Binary(BinaryOp::Add))? else {
            return None;
        };
        let by = match (peel(a) == variable, peel(b) == variable) {
            (true, false) => peel(b).as_integer()?,
            (false, true) => peel(a).as_integer()?,
            _ => return None,
        };
        let counter = Counter {
            number: self.number(variable),
            from,
            below,
            is_dense: by == 1,
        };
        (by >= 1).then(|| (variable.clone(), counter))
    }

    /// What a condition says of a subscript: that it is at least (0), or less than (1) something.
    fn limit(
        &mut self,
        guard: &Term,
        index: &Polynomial,
        around: &[Term],
    ) -> Option<(usize, Polynomial)> {
        let Some((Functor::Binary(op), [a, b])) = guard.as_app() else {
            return None;
        };
        let (a, b) = (self.bound(a, around)?, self.bound(b, around)?);
        let (small, great, is_strict) = match op {
            BinaryOp::Lt => (a, b, true),
            BinaryOp::Le => (a, b, false),
            BinaryOp::Gt => (b, a, true),
            BinaryOp::Ge => (b, a, false),
            _ => return None,
        };
        let apart = |side: &Polynomial| index.plus(side, -1)?.as_constant();
        let moved = |side: &Polynomial, by: i128| side.plus(&Polynomial::constant(by), 1);
        match (apart(&small), apart(&great)) {
            (Some(by), None) => Some((1, moved(&great, by + i128::from(!is_strict))?)),
            (None, Some(by)) => Some((0, moved(&small, by + i128::from(is_strict))?)),
            _ => None,
        }
    }

    /// What is greater than a subscript that is read from memory, and at least 0: its type says so, what is computed of it,
    /// or conditions around the access.
    fn data_below(&mut self, term: &Term, access: &Access, depth: usize) -> Option<Polynomial> {
        let of_type = below_by_type(term);
        if let Some(variable) = term.as_variable() {
            let known = self.values.iter().find(|(of, _)| of == term);
            let value = known.map(|(_, value)| value.clone())?;
            let deeper = depth.checked_sub(1)?;
            let below = self.data_below(&value, access, deeper).or(of_type);
            return below.or_else(|| self.guarded(term, variable.ty, &access.guards));
        }
        let constant = |term: &Term| peel(term).as_integer().filter(|c| (0..1 << 31).contains(c));
        let mut inner = |term: &Term| self.data_below(term, access, depth.checked_sub(1)?);
        let computed = match term.as_app() {
            Some((Functor::Cast, [a])) if is_widening(a.ty(), term.ty()) => inner(a),
            // What is below 2^31 keeps its value in as many bits.
            Some((Functor::Cast, [a])) if is_as_wide(a.ty(), term.ty()) => {
                inner(a).filter(|below| below.as_constant().is_some_and(|c| c <= 1 << 31))
            }
            Some((Functor::Binary(BinaryOp::BitAnd), [a, b])) => {
                let mask = constant(a).or_else(|| constant(b));
                mask.map(|mask| Polynomial::constant(mask + 1))
            }
            Some((Functor::Binary(BinaryOp::Rem), [a, b])) => {
                let is_unsigned = scalar_of(term).is_some_and(|ty| !ty.is_signed());
                let is_natural = is_unsigned || inner(a).is_some();
                let divisor = constant(b).filter(|c| *c > 0);
                divisor.filter(|_| is_natural).map(Polynomial::constant)
            }
            Some((Functor::Binary(op @ (BinaryOp::Shr | BinaryOp::Div)), [a, b])) => {
                let last = inner(a)?.as_constant()? - 1;
                let by = constant(b)?;
                let last = match op {
                    BinaryOp::Shr if by < 64 => last >> by,
                    BinaryOp::Div if by > 0 => last / by,
                    _ => return None,
                };
                Some(Polynomial::constant(last + 1))
            }
            _ => None,
        };
        computed.or(of_type)
    }

    /// What conditions say that a variable with one value is below, where they say that it is not negative.
    fn guarded(&mut self, x: &Term, ty: Type, guards: &[Term]) -> Option<Polynomial> {
        let mut is_natural = ty.scalar().is_some_and(|ty| !ty.is_signed());
        let mut below = None;
        for guard in guards {
            let Some((Functor::Binary(op), [a, b])) = guard.as_app() else {
                continue;
            };
            let (op, other) = match (op, peel(a) == x, peel(b) == x) {
                (op, true, false) => (*op, b),
                (BinaryOp::Gt, false, true) => (BinaryOp::Lt, a),
                (BinaryOp::Ge, false, true) => (BinaryOp::Le, a),
                (BinaryOp::Lt, false, true) => (BinaryOp::Gt, a),
                (BinaryOp::Le, false, true) => (BinaryOp::Ge, a),
                _ => continue,
            };
            // As unsigned numbers negative ones are great.
            let compared = if peel(a) == x { a } else { b };
            let keeps_sign = scalar_of(compared).zip(ty.scalar());
            if keeps_sign.is_none_or(|(as_what, own)| own.is_signed() && !as_what.is_signed()) {
                continue;
            }
            let Some(other) = self.bound(other, &[]) else {
                continue;
            };
            let least = other.as_constant();
            match op {
                BinaryOp::Ge => is_natural |= least.is_some_and(|c| c >= 0),
                BinaryOp::Gt => is_natural |= least.is_some_and(|c| c >= -1),
                BinaryOp::Lt => below = Some(other),
                BinaryOp::Le => below = other.plus(&Polynomial::constant(1), 1),
                _ => {}
            }
        }
        below.filter(|_| is_natural)
    }

    /// A bound of a loop: one that has the value of its polynomial whatever its variables are.
    fn bound(&mut self, term: &Term, around: &[Term]) -> Option<Polynomial> {
        let mut keeps_values = true;
        term.walk(&mut |part| {
            let is_signed =
                |ty: Option<Type>| ty.and_then(Type::scalar).is_some_and(ScalarType::is_signed);
            keeps_values &= match part.as_app() {
                Some((Functor::Cast, [inner])) => is_widening(inner.ty(), part.ty()),
                Some((Functor::Binary(BinaryOp::Sub), _)) => is_signed(part.ty()),
                _ => true,
            };
        });
        let bound = keeps_values.then(|| self.polynomial(term, around, DEEPEST))?;
        bound.filter(|bound| !self.has_quotient(bound))
    }

    /// Whether a quotient is left in it, which changes from iteration to iteration.
    fn has_quotient(&self, polynomial: &Polynomial) -> bool {
        let mut quotients = self.quotients.iter();
        quotients.any(|(_, number)| polynomial.has(*number))
    }

    /// The unknown that stands for a quotient.
    fn quotient(&mut self, term: &Term, dividend: &Polynomial, divisor: &Polynomial) -> Polynomial {
        let quotient = (dividend.clone(), divisor.clone(), term.ty());
        let mut known = self.quotients.iter();
        let known = known.find(|(known, _)| *known == quotient);
        let number = known.map(|(_, number)| *number).unwrap_or_else(|| {
            self.unknowns.push(term.clone());
            let number = self.unknowns.len() - 1;
            self.quotients.push((quotient, number));
            number
        });
        Polynomial::unknown(number)
    }

    /// Whether a term has one value in all iterations.
    fn is_fixed(&self, term: &Term) -> bool {
        let mut is_fixed = !has_load(term);
        term.walk(&mut |part| {
            is_fixed &= part
                .as_variable()
                .is_none_or(|v| !self.assigned.contains(&v.id) && *part != self.unknowns[0]);
        });
        is_fixed
    }

    fn polynomial(&mut self, term: &Term, around: &[Term], depth: usize) -> Option<Polynomial> {
        let term = peel(term);
        if let Some(value) = term.as_integer() {
            return (value.unsigned_abs() < LARGEST).then(|| Polynomial::constant(value));
        }
        if let Some(variable) = term.as_variable() {
            let is_fixed = !self.assigned.contains(&variable.id);
            if is_fixed || around.contains(term) {
                return Some(Polynomial::unknown(self.number(term)));
            }
            let known = self.values.iter().find(|(of, _)| of == term);
            let value = known.map(|(_, value)| value.clone())?;
            return self.polynomial(&value, around, depth.checked_sub(1)?);
        }
        match term.as_app()? {
            (Functor::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)), [a, b]) => {
                let a = self.polynomial(a, around, depth)?;
                let b = self.polynomial(b, around, depth)?;
                match op {
                    BinaryOp::Add => a.plus(&b, 1),
                    BinaryOp::Sub => a.plus(&b, -1),
                    _ => a.times(&b),
                }
            }
            (Functor::Unary(UnaryOp::Neg), [a]) => {
                let a = self.polynomial(a, around, depth)?;
                Polynomial::default().plus(&a, -1)
            }
            // `a % b` is `a - b * (a / b)`, whatever the signs. What does not change is an unknown below.
            (Functor::Binary(op @ (BinaryOp::Div | BinaryOp::Rem)), [a, b])
                if !self.is_fixed(term) =>
            {
                let a = self.polynomial(a, around, depth)?;
                let b = self.polynomial(b, around, depth)?;
                let quotient = self.quotient(term, &a, &b);
                match op {
                    BinaryOp::Div => Some(quotient),
                    _ => a.plus(&b.times(&quotient)?, -1),
                }
            }
            _ => {
                let is_fixed = self.is_fixed(term);
                is_fixed.then(|| Polynomial::unknown(self.number(term)))
            }
        }
    }
}

fn scalar_of(term: &Term) -> Option<ScalarType> {
    term.ty().and_then(Type::scalar)
}

/// What the values of a narrow unsigned type are below.
fn below_by_type(term: &Term) -> Option<Polynomial> {
    let ty = scalar_of(term)?;
    let is_narrow = !ty.is_signed() && !ty.is_float() && ty.bits() <= 16;
    is_narrow.then(|| Polynomial::constant(1 << ty.bits()))
}

/// Whether a conversion goes between integers, to as many bits or more.
fn is_as_wide(from: Option<Type>, to: Option<Type>) -> bool {
    let scalars = from.and_then(Type::scalar).zip(to.and_then(Type::scalar));
    scalars.is_some_and(|(from, to)| {
        from.is_integer() && to.is_integer() && from.bits() <= to.bits() && to.bits() >= 32
    })
}

/// Whether a conversion keeps every value.
fn is_widening(from: Option<Type>, to: Option<Type>) -> bool {
    let scalars = from.and_then(Type::scalar).zip(to.and_then(Type::scalar));
    scalars.is_some_and(|(from, to)| {
        let are_integers = from.is_integer() && to.is_integer();
        let is_wider = match (from.is_signed(), to.is_signed()) {
            (true, false) => false,
            (false, true) => from.bits() < to.bits(),
            _ => from.bits() <= to.bits(),
        };
        are_integers && is_wider
    })
}

/// Variables that a block assigns and only what stands behind the assignment in the block uses: they are the values there.
fn values(body: &Term) -> Vec<(Term, Term)> {
    let mut all = Vec::new();
    body.walk(&mut |block| {
        let statements = block.statements();
        for (position, statement) in statements.iter().enumerate() {
            let Some([variable, value]) = statement.args_of(&Functor::Basic(Head::Assign)) else {
                continue;
            };
            let later = &statements[position + 1..];
            let used: usize = later.iter().map(|s| occurrences(s, variable)).sum();
            let is_kept = variable
                .as_variable()
                .is_some_and(|v| !later.iter().any(|s| assigned_variables(s).contains(&v.id)));
            let is_current = counts_around(body, statement, value);
            if is_kept
                && is_current
                && !value.contains(variable)
                && used + 1 == occurrences(body, variable)
            {
                all.push((variable.clone(), value.clone()));
            }
        }
    });
    all
}

/// Whether every loop that counts a variable of a value is around the statement that has it: what a loop leaves in its
/// counter is not what another loop counts there.
fn counts_around(body: &Term, statement: &Term, value: &Term) -> bool {
    let mut are_around = true;
    body.walk(&mut |term| {
        if let Some([counter, _, _, _, inside]) = term.args_of(&Functor::For) {
            are_around &= !value.contains(counter) || inside.contains(statement);
        }
    });
    are_around
}
