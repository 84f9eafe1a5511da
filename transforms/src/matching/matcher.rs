//! One-sided matching of patterns against terms (never unification), with backtracking over runs
//! and commutative operands; [`crate::matching::modulo`] has operators that associate.
//!
//! Conversions from integers of 32 bits and more to ones that are no narrower, which C inserts and programmers leave out,
//! are looked through: the pattern `$s < blockDim.x` matches `(unsigned)s < blockDim.x`. What a template builds gets the
//! conversions of C again. What is cut to fewer bits is something else.

use crate::language::error::TextPosition;
use crate::language::pattern::{Meta, MetaId, ParameterValue, Pattern, PatternKind, TypeName};
use crate::language::sort::Sort;
use crate::matching::modulo::Search;
use crate::terms::term::{BinaryOp, Functor, Term};
use gridlock_semantics::algebra::operator::{AllocSpace, Head};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};

/// What a metavariable stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Binding {
    /// One term.
    One(Term),
    /// A run.
    Many(Vec<Term>),
}

impl Binding {
    /// The terms, the items of a single list too.
    pub fn items(&self) -> Vec<Term> {
        match self {
            Binding::Many(items) => items.clone(),
            Binding::One(term) => match term.as_list() {
                Some(items) => items.to_vec(),
                None => vec![term.clone()],
            },
        }
    }
}

/// What a match found.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    /// By [`MetaId`]; the last slot is the matcher's own.
    pub bindings: Vec<Option<Binding>>,
    /// The operators matched by patterns of operators, with the place of the pattern: what is
    /// built in their stead inherits their spans.
    pub operators: Vec<(TextPosition, Term)>,
    /// Terms whose brackets were not minded though their values depend on them.
    pub reassociated: Vec<Term>,
}

impl Index<MetaId> for Substitution {
    type Output = Option<Binding>;

    fn index(&self, id: MetaId) -> &Option<Binding> {
        &self.bindings[id]
    }
}

impl IndexMut<MetaId> for Substitution {
    fn index_mut(&mut self, id: MetaId) -> &mut Option<Binding> {
        &mut self.bindings[id]
    }
}

/// Called with each solution; says whether to stop.
pub type Solution<'a> = &'a mut dyn FnMut(&mut Substitution) -> bool;

/// What patterns of one rule are matched with.
#[derive(Clone, Copy)]
pub struct Matcher<'a> {
    /// The rule's metavariables, by [`MetaId`].
    pub metas: &'a [Meta],
    /// Operators whose operands match in either order.
    pub commutative: &'a [BinaryOp],
    /// Operators whose operands match however they are bracketed.
    pub associative: &'a [BinaryOp],
    /// Counts the steps of the search for operands; one that has given up finds nothing more.
    pub search: &'a Search,
    /// Values of the rule system's parameters.
    pub params: &'a BTreeMap<String, ParameterValue>,
}

/// The term under conversions between wide integers.
pub fn peel(term: &Term) -> &Term {
    under(term, &|_, _| true)
}

/// The term under conversions of wide integers to ones that are no narrower.
pub fn uncut(term: &Term) -> &Term {
    under(term, &|inner, outer| inner.bits() <= outer.bits())
}

fn under<'t>(term: &'t Term, looks_through: &dyn Fn(ScalarType, ScalarType) -> bool) -> &'t Term {
    let wide = |ty: Option<Type>| {
        let scalar = ty.and_then(Type::scalar);
        scalar.filter(|s: &ScalarType| s.is_integer() && s.bits() >= 32)
    };
    match term.args_of(&Functor::Cast) {
        Some([inner]) => match (wide(inner.ty()), wide(term.ty())) {
            (Some(own), Some(outer)) if looks_through(own, outer) => under(inner, looks_through),
            _ => term,
        },
        _ => term,
    }
}

/// A subscript without its conversion to `I64`.
pub fn peel_index(term: &Term) -> &Term {
    match term.args_of(&Functor::Cast) {
        Some([inner]) if term.ty() == Some(Type::I64) => inner,
        _ => term,
    }
}

/// Equal, conversions of wide integers to ones that are no narrower on the outside aside.
pub fn same(a: &Term, b: &Term) -> bool {
    a == b || uncut(a) == uncut(b)
}

impl Matcher<'_> {
    /// An empty substitution, with a slot for the matcher's own use at the end.
    pub fn substitution(&self) -> Substitution {
        Substitution {
            bindings: vec![None; self.metas.len() + 1],
            ..Substitution::default()
        }
    }

    /// Calls `found` with every way the pattern matches, until it says to stop.
    pub fn solve(
        &self,
        pattern: &Pattern,
        term: &Term,
        substitution: &mut Substitution,
        found: Solution,
    ) -> bool {
        if !pattern.is_one_operator() {
            return self.solve_inside(pattern, term, substitution, found);
        }
        let before = substitution.operators.len();
        substitution.operators.push((pattern.at, term.clone()));
        let stopped = self.solve_inside(pattern, term, substitution, found);
        if !stopped {
            substitution.operators.truncate(before);
        }
        stopped
    }

    fn solve_inside(
        &self,
        pattern: &Pattern,
        term: &Term,
        substitution: &mut Substitution,
        found: Solution,
    ) -> bool {
        use PatternKind as P;
        match &pattern.kind {
            P::Any => found(substitution),
            P::Meta(id) => self.bind(*id, term, substitution, found),
            P::Int { value, .. } => {
                let peeled = uncut(term);
                let is_bool = peeled.ty() == Some(Type::BOOL);
                !is_bool && peeled.as_integer() == Some(*value) && found(substitution)
            }
            P::Bool(value) => {
                let is_bool = term.ty() == Some(Type::BOOL);
                is_bool && term.as_integer() == Some(*value as i128) && found(substitution)
            }
            P::Parameter(name) => {
                let value = self.params.get(name);
                let wanted = match value {
                    Some(ParameterValue::Int(value)) => Some(*value),
                    _ => None,
                };
                wanted.is_some() && uncut(term).as_integer() == wanted && found(substitution)
            }
            P::List(items) => match term.as_list() {
                Some(terms) => self.solve_many(items, terms, substitution, found),
                None => false,
            },
            P::Cons(items, rest) => {
                let Some(terms) = term.as_list().filter(|t| t.len() >= items.len()) else {
                    return false;
                };
                let (front, back) = terms.split_at(items.len());
                let back = Term::list(back.to_vec());
                self.solve_many(items, front, substitution, &mut |s| {
                    self.solve(rest, &back, s, found)
                })
            }
            P::Either(options) => options
                .iter()
                .any(|option| self.solve(option, term, substitution, found)),
            P::App(functor, args) => self.solve_app(functor, args, term, substitution, found),
            P::Element(pointer, index) => {
                if let Some([p, i]) = term.args_of(&Functor::Offset) {
                    let i = peel_index(i);
                    return self.solve(pointer, p, substitution, &mut |s| {
                        self.solve(index, i, s, found)
                    });
                }
                let zero = Term::int(ScalarType::I32, 0);
                term.ty().is_some_and(|ty| ty.pointer().is_some())
                    && self.solve(pointer, term, substitution, &mut |s| {
                        self.solve(index, &zero, s, found)
                    })
            }
            P::Alloc(var, bytes) => match term.as_app() {
                Some((Functor::Basic(Head::Alloc(_, AllocSpace::Global)), [v, b])) => {
                    self.solve(var, v, substitution, &mut |s| {
                        self.solve(bytes, b, s, found)
                    })
                }
                _ => false,
            },
            P::Launch {
                kernel,
                grid,
                block,
                args,
            } => self.solve_launch(kernel, [grid, block], args, term, substitution, found),
            P::Assign { ty, var, value } => match term.args_of(&Functor::Basic(Head::Assign)) {
                // A variable that loses its value is given none a rule could speak of.
                Some([_, e]) if e.is_no_value() => false,
                Some([v, e]) if fits(ty, v) => self.solve(var, v, substitution, &mut |s| {
                    self.solve(value, e, s, found)
                }),
                _ => false,
            },
            P::For {
                ty,
                var,
                init,
                cond,
                step,
                body,
            } => match term.args_of(&Functor::For) {
                Some([v, i, c, s, b]) if fits(ty, v) => {
                    let parts = [(&**var, v), (init, i), (cond, c), (step, s), (body, b)];
                    self.solve_pairs(&parts, substitution, found)
                }
                _ => false,
            },
            P::Block(items) | P::Statements(items) => {
                if !(term.is_operator() || term.is_helper()) {
                    return false;
                }
                self.solve_many(items, &term.statements(), substitution, found)
            }
            P::Procedure {
                kind,
                name,
                params,
                body,
            } => match term.args_of(&Functor::Procedure(*kind)) {
                Some([n, ps, _, _, b]) => self.solve(name, n, substitution, &mut |s| {
                    self.solve_many(params, ps.children(), s, &mut |s| {
                        self.solve_many(body, &b.statements(), s, found)
                    })
                }),
                _ => false,
            },
            P::Run(_)
            | P::Text(_)
            | P::Cast(..)
            | P::SizeOf(_)
            | P::Local(_)
            | P::With(..)
            | P::Function(..) => false,
        }
    }

    /// Patterns against as many terms, runs taking any number.
    pub fn solve_many(
        &self,
        patterns: &[Pattern],
        terms: &[Term],
        substitution: &mut Substitution,
        found: Solution,
    ) -> bool {
        let Some((first, rest)) = patterns.split_first() else {
            return terms.is_empty() && found(substitution);
        };
        let PatternKind::Run(id) = first.kind else {
            let Some((term, others)) = terms.split_first() else {
                return false;
            };
            return self.solve(first, term, substitution, &mut |s| {
                self.solve_many(rest, others, s, found)
            });
        };
        if let Some(bound) = &substitution[id] {
            let items = bound.items();
            let fits = terms.len() >= items.len()
                && items
                    .iter()
                    .zip(terms)
                    .all(|(bound, term)| self.same(bound, term));
            return fits && self.solve_many(rest, &terms[items.len()..], substitution, found);
        }
        let shortest = if rest.is_empty() { terms.len() } else { 0 };
        for length in shortest..=terms.len() {
            substitution[id] = Some(Binding::Many(terms[..length].to_vec()));
            if self.solve_many(rest, &terms[length..], substitution, found) {
                return true;
            }
        }
        substitution[id] = None;
        false
    }

    /// Patterns against as many terms.
    pub fn solve_pairs(
        &self,
        pairs: &[(&Pattern, &Term)],
        substitution: &mut Substitution,
        found: Solution,
    ) -> bool {
        match pairs {
            [] => found(substitution),
            [(pattern, term), rest @ ..] => self.solve(pattern, term, substitution, &mut |s| {
                self.solve_pairs(rest, s, found)
            }),
        }
    }

    fn solve_app(
        &self,
        functor: &Functor,
        args: &[Pattern],
        term: &Term,
        substitution: &mut Substitution,
        found: Solution,
    ) -> bool {
        let term = if functor.is_expression() {
            uncut(term)
        } else {
            term
        };
        let Some((head, terms)) = term.as_app().filter(|(head, _)| *head == functor) else {
            return false;
        };
        // A cell written back as it is is given no value a rule could speak of.
        if *functor == Functor::Basic(Head::Store) && terms.get(1).is_some_and(Term::is_no_value) {
            return false;
        }
        // A copy or a release in its turn in a stream has the stream as one argument more. No pattern speaks of it, not
        // even one that stands for any number of arguments.
        let without_stream = match functor {
            Functor::Basic(Head::Copy(_)) => Some(3),
            Functor::Basic(Head::Free(_)) => Some(1),
            _ => None,
        };
        if without_stream.is_some_and(|n| terms.len() > n) {
            return false;
        }
        if self.solve_many(args, terms, substitution, found) {
            return true;
        }
        let Functor::Binary(op) = head else {
            return false;
        };
        if let ([p, q], [a, b]) = (args, terms)
            && self.commutative.contains(op)
            && self.solve(p, b, substitution, &mut |s| self.solve(q, a, s, found))
        {
            return true;
        }
        self.associative.contains(op) && self.solve_modulo(*op, args, term, substitution, found)
    }

    fn solve_launch(
        &self,
        kernel: &Pattern,
        extents: [&Vec<Pattern>; 2],
        args: &[Pattern],
        term: &Term,
        substitution: &mut Substitution,
        found: Solution,
    ) -> bool {
        let is_call = extents[0].is_empty();
        let (name, given, values) = match term.as_app() {
            Some((Functor::Call, [name, values, _])) if is_call => (name, None, values),
            // Patterns say nothing of dynamic shared memory.
            Some((Functor::Basic(Head::CallGpu(false)), [name, grid, block, shared, values]))
                if !is_call && peel(shared).as_integer() == Some(0) =>
            {
                (name, Some([grid, block]), values)
            }
            _ => return false,
        };
        let mut terms = Vec::new();
        let mut patterns = Vec::new();
        for (list, extent) in given.iter().flatten().zip(extents) {
            let list = list.children();
            if extent.len() == 1 && list[1..].iter().any(|e| e.as_integer() != Some(1)) {
                return false;
            }
            terms.extend(list.iter().take(extent.len()).map(|e| peel(e).clone()));
            patterns.extend(extent.iter().cloned());
        }
        self.solve(kernel, name, substitution, &mut |s| {
            self.solve_many(&patterns, &terms, s, &mut |s| {
                self.solve_many(args, values.children(), s, found)
            })
        })
    }

    pub(crate) fn bind(
        &self,
        id: MetaId,
        term: &Term,
        substitution: &mut Substitution,
        found: Solution,
    ) -> bool {
        if let Some(bound) = &substitution[id] {
            return match bound {
                Binding::One(bound) => self.same(bound, term) && found(substitution),
                Binding::Many(_) => false,
            };
        }
        let sort = self.metas[id].sort;
        let term = match sort {
            Sort::Name | Sort::Int => uncut(term),
            _ => term,
        };
        if !sort.holds(term) {
            return false;
        }
        substitution[id] = Some(Binding::One(term.clone()));
        if found(substitution) {
            return true;
        }
        substitution[id] = None;
        false
    }
}

/// Whether a variable has the type a pattern declares it with.
fn fits(ty: &Option<TypeName>, var: &Term) -> bool {
    match ty {
        Some(TypeName::Plain(ty)) => var.ty() == Some(*ty),
        Some(TypeName::Auto | TypeName::Of(_)) | None => true,
    }
}
