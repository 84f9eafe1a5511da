//! Building terms from templates: metavariables filled in, types and conversions of C found,
//! declared variables made fresh.

use crate::conversion::TermProgram;
use crate::functions::{self, Question};
use crate::language::pattern::{
    LocalId, ParameterValue, Pattern, PatternKind, Replacement, Rule, TypeName,
};
use crate::matching::{Binding, Matcher, Substitution};
use crate::term::{Functor, Mark, Origin, Term, Variable};
use crate::typing;
use gridlock_semantics::operator::{AllocSpace, OpId, Provenance};
use gridlock_semantics::program::{ArrayDecl, Extent, ProcId, Space};
use gridlock_semantics::span::Span;
use gridlock_semantics::types::{PointerType, ScalarType, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Why a template cannot be built from what was matched: what a metavariable of sort *anything*
/// stands for is only known now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbuildable(pub String);

pub type Built<T> = Result<T, Unbuildable>;

fn unbuildable<T>(message: impl Into<String>) -> Built<T> {
    Err(Unbuildable(message.into()))
}

pub struct Builder<'a> {
    pub rule: &'a Rule,
    pub matcher: Matcher<'a>,
    pub question: Question<'a>,
    /// Extended by what the template declares.
    pub program: &'a mut TermProgram,
    pub substitution: &'a mut Substitution,
    /// Declared variables and arrays, by [`LocalId`].
    pub locals: &'a mut Vec<Option<Term>>,
    /// Span of what is replaced.
    pub span: Span,
    /// Operators that are replaced.
    pub from: &'a [OpId],
}

impl Builder<'_> {
    /// The origin of what stands for all that is replaced.
    pub fn origin(&self) -> Option<Arc<Origin>> {
        let (rule, from) = (self.rule.name.clone(), self.from.to_vec());
        Some(Origin::of(self.span, Provenance::Rule { rule, from }))
    }

    /// The origin of an operator built by `pattern`: that of the operator matched by the source's
    /// pattern most like it; else that of all that is replaced.
    fn origin_of(&self, pattern: &Pattern) -> Option<Arc<Origin>> {
        let matched = self.substitution.operators.iter();
        let like = matched.filter_map(|(at, term)| {
            let source = self.rule.source.operator_at(*at)?;
            source.is_like(pattern).then_some((source, term))
        });
        let agreement = |source: &Pattern| {
            let parts = source.parts();
            let pairs = parts.iter().zip(pattern.parts());
            pairs.filter(|(a, b)| a.says_the_same(b)).count()
        };
        // The first of those that agree most.
        let (_, term) = like.rev().max_by_key(|(source, _)| agreement(source))?;
        term.origin().map(|origin| self.rewritten(origin))
    }

    /// The operator a pattern stands for.
    fn operator(&self, pattern: &Pattern, functor: Functor, args: Vec<Term>) -> Term {
        let origin = self.origin_of(pattern).or_else(|| self.origin());
        Term::operator(functor, args, origin)
    }

    fn bound(&self, id: usize) -> Built<&Binding> {
        let name = &self.rule.metas[id].name;
        let missing = || Unbuildable(format!("`${name}` is not bound"));
        self.substitution[id].as_ref().ok_or_else(missing)
    }

    pub fn parameter(&self, name: &str) -> Option<&ParameterValue> {
        self.matcher.params.get(name)
    }

    /// What a pattern stands for, whatever its sort; runs are spliced.
    pub fn terms(&mut self, pattern: &Pattern) -> Built<Vec<Term>> {
        use PatternKind as P;
        Ok(match &pattern.kind {
            P::Meta(id) => match self.bound(*id)? {
                Binding::One(term) => vec![term.clone()],
                Binding::Many(items) => items.clone(),
            },
            P::Run(id) => self.bound(*id)?.items(),
            P::List(items) => vec![Term::list(self.all(items)?)],
            P::Cons(items, rest) => {
                let mut all = self.all(items)?;
                let rest = self.terms(rest)?;
                match rest.as_slice() {
                    [list] if list.as_list().is_some() => all.extend_from_slice(list.children()),
                    _ => return unbuildable("what stands behind `:` is no list"),
                }
                vec![Term::list(all)]
            }
            P::App(Functor::Helper(name), args) => {
                let args = self.all(args)?;
                let spans = args.iter().any(|arg| !arg.span().is_none());
                let origin = if spans { None } else { self.origin() };
                vec![Term::operator(Functor::Helper(name.clone()), args, origin)]
            }
            P::With(inside, replacements) => {
                let inside = self.terms(inside)?;
                inside
                    .iter()
                    .map(|term| self.replace(term, replacements))
                    .collect::<Built<Vec<_>>>()?
            }
            P::Function(name, args) => {
                let args = args
                    .iter()
                    .map(|arg| self.argument(arg))
                    .collect::<Built<Vec<_>>>()?;
                functions::build(name, &args, self)?
            }
            P::Block(_)
            | P::Statements(_)
            | P::Alloc(..)
            | P::Launch { .. }
            | P::Assign { .. }
            | P::For { .. } => vec![self.block_of(std::slice::from_ref(pattern))?],
            P::App(functor, _) if functor.is_operator() => {
                vec![self.block_of(std::slice::from_ref(pattern))?]
            }
            P::Procedure { .. } => return unbuildable("a procedure is no term here"),
            _ => vec![self.expression(pattern)?],
        })
    }

    fn all(&mut self, patterns: &[Pattern]) -> Built<Vec<Term>> {
        let mut all = Vec::new();
        for pattern in patterns {
            all.extend(self.terms(pattern)?);
        }
        Ok(all)
    }

    /// One argument of a function: a run becomes a list.
    pub fn argument(&mut self, pattern: &Pattern) -> Built<Term> {
        if let PatternKind::Text(text) = &pattern.kind {
            return Ok(Term::text(text));
        }
        if let PatternKind::Parameter(name) = &pattern.kind
            && let Some(ParameterValue::Text(text)) = self.parameter(name)
        {
            return Ok(Term::text(text));
        }
        let mut terms = self.terms(pattern)?;
        Ok(match terms.len() {
            1 => terms.remove(0),
            _ => Term::list(terms),
        })
    }

    /// The single expression a pattern stands for.
    pub fn expression(&mut self, pattern: &Pattern) -> Built<Term> {
        use PatternKind as P;
        Ok(match &pattern.kind {
            P::Int { value, unsigned } => {
                let fits = i32::try_from(*value).is_ok();
                let ty = match (unsigned, fits) {
                    (true, _) => ScalarType::U32,
                    (false, true) => ScalarType::I32,
                    (false, false) => ScalarType::I64,
                };
                Term::int(ty, *value)
            }
            P::Bool(value) => {
                let value = gridlock_semantics::value::Value::Bool(*value);
                Term::literal(value, Type::BOOL)
            }
            P::Parameter(name) => match self.parameter(name) {
                Some(ParameterValue::Int(value)) => Term::int(ScalarType::I32, *value),
                _ => return unbuildable(format!("parameter `{name}` is no number")),
            },
            P::Local(id) => match &self.locals[*id] {
                Some(term) => term.clone(),
                None => {
                    let name = &self.rule.locals[*id].name;
                    return unbuildable(format!("`{name}` is used before it is declared"));
                }
            },
            P::Element(pointer, index) => {
                let pointer = self.expression(pointer)?;
                let index = self.expression(index)?;
                typing::offset(pointer, index)
            }
            P::Cast(ty, inside) => {
                let inside = self.expression(inside)?;
                let ty = self.type_of(ty, Some(&inside))?;
                typing::convert(inside, ty)
            }
            P::SizeOf(ty) => match self.type_of(ty, None)? {
                Type::Scalar(scalar) => Term::int(ScalarType::U64, scalar.size().into()),
                Type::Pointer(_) => Term::int(ScalarType::U64, 8),
            },
            P::App(functor, args) if functor.is_expression() => {
                let args = args
                    .iter()
                    .map(|arg| self.expression(arg))
                    .collect::<Built<Vec<_>>>()?;
                typed(functor, args)?
            }
            _ => {
                let mut terms = self.terms(pattern)?;
                match (terms.pop(), terms.is_empty()) {
                    (Some(term), true) if term.is_expression() => term,
                    (Some(term), true) => {
                        return unbuildable(format!("`{term}` is no expression"));
                    }
                    _ => return unbuildable("expected one expression, found a run"),
                }
            }
        })
    }

    pub fn type_of(&mut self, name: &TypeName, value: Option<&Term>) -> Built<Type> {
        let found = match name {
            TypeName::Plain(ty) => Some(*ty),
            TypeName::Auto => value.and_then(Term::ty),
            TypeName::Of(pattern) => self.expression(pattern)?.ty(),
        };
        found.ok_or_else(|| Unbuildable("the type is not known".into()))
    }

    /// One operator out of statement patterns.
    pub fn block_of(&mut self, patterns: &[Pattern]) -> Built<Term> {
        let statements = self.statements(patterns)?;
        Ok(Term::block(statements, self.origin()))
    }

    /// The statements a list of statement patterns stands for, nested sequences opened.
    pub fn statements(&mut self, patterns: &[Pattern]) -> Built<Vec<Term>> {
        let mut all = Vec::new();
        for pattern in patterns {
            self.statement(pattern, &mut all)?;
        }
        Ok(all)
    }

    fn statement(&mut self, pattern: &Pattern, into: &mut Vec<Term>) -> Built<()> {
        use PatternKind as P;
        match &pattern.kind {
            P::Block(items) | P::Statements(items) => {
                into.extend(self.statements(items)?);
                return Ok(());
            }
            P::Local(id) => return self.declare_shared(*id),
            _ => {}
        }
        let statement = match &pattern.kind {
            P::Assign { ty, var, value } => {
                let value = self.expression(value)?;
                let var = self.target(var, ty.as_ref(), &value)?;
                let ty = var.ty().unwrap_or(Type::I32);
                let value = typing::convert(value, ty);
                self.operator(pattern, Functor::Assign, vec![var, value])
            }
            P::For {
                ty,
                var,
                init,
                cond,
                step,
                body,
            } => {
                let init = self.expression(init)?;
                let var = self.target(var, ty.as_ref(), &init)?;
                let ty = var.ty().unwrap_or(Type::I32);
                let init = typing::convert(init, ty);
                let cond = typing::truth(self.expression(cond)?);
                let step = typing::convert(self.expression(step)?, ty);
                let body = self.block_of(std::slice::from_ref(&**body))?;
                self.operator(pattern, Functor::For, vec![var, init, cond, step, body])
            }
            P::Alloc(var, bytes) => {
                let var = self.expression(var)?;
                let Some(pointer) = var.ty().and_then(Type::pointer) else {
                    return unbuildable(format!("`{var}` is no pointer to allocate for"));
                };
                let bytes = typing::convert(self.expression(bytes)?, Type::U64);
                let functor = Functor::Alloc(pointer.elem, AllocSpace::Global);
                self.operator(pattern, functor, vec![var, bytes])
            }
            P::Launch {
                kernel,
                grid,
                block,
                args,
            } => {
                let (functor, parts) = self.launch(kernel, [grid, block], args)?;
                self.operator(pattern, functor, parts)
            }
            P::App(functor, args) if functor.is_operator() => {
                let parts = self.plain_operator(functor, args)?;
                self.operator(pattern, functor.clone(), parts)
            }
            _ => {
                for term in self.terms(pattern)? {
                    if !(term.is_operator() || term.is_helper()) {
                        return unbuildable(format!("`{term}` is no operator"));
                    }
                    match term.is_helper() {
                        true => into.push(term),
                        false => into.extend(term.statements()),
                    }
                }
                return Ok(());
            }
        };
        into.push(statement);
        Ok(())
    }

    /// The parts of an operator without a form of its own.
    fn plain_operator(&mut self, functor: &Functor, args: &[Pattern]) -> Built<Vec<Term>> {
        Ok(match (functor, args) {
            (Functor::If, [cond, then, otherwise]) => vec![
                typing::truth(self.expression(cond)?),
                self.block_of(std::slice::from_ref(then))?,
                self.block_of(std::slice::from_ref(otherwise))?,
            ],
            (Functor::While, [cond, body]) => vec![
                typing::truth(self.expression(cond)?),
                self.block_of(std::slice::from_ref(body))?,
            ],
            (Functor::Store, [pointer, value]) => {
                let pointer = self.expression(pointer)?;
                let value = self.expression(value)?;
                let Some(cell) = pointer.ty().and_then(Type::pointer) else {
                    return unbuildable(format!("`{pointer}` is no pointer to store through"));
                };
                vec![pointer, typing::convert(value, Type::Scalar(cell.elem))]
            }
            (Functor::Copy(_), [dst, src, bytes]) => vec![
                self.expression(dst)?,
                self.expression(src)?,
                typing::convert(self.expression(bytes)?, Type::U64),
            ],
            (Functor::SyncWarp, [mask]) => {
                vec![typing::convert(self.expression(mask)?, Type::U32)]
            }
            (_, args) => args
                .iter()
                .map(|arg| self.expression(arg))
                .collect::<Built<_>>()?,
        })
    }

    fn launch(
        &mut self,
        kernel: &Pattern,
        extents: [&Vec<Pattern>; 2],
        args: &[Pattern],
    ) -> Built<(Functor, Vec<Term>)> {
        let kernel = self.argument(kernel)?;
        if kernel.as_proc().is_none() {
            return unbuildable(format!("`{kernel}` is no procedure"));
        }
        let args = Term::list(self.all(args)?);
        if extents[0].is_empty() {
            return Ok((Functor::Call, vec![kernel, args, Term::nil()]));
        }
        let mut lists = Vec::new();
        for extent in extents {
            let mut list = Vec::new();
            for pattern in extent {
                list.push(typing::convert(self.expression(pattern)?, Type::U32));
            }
            list.resize(3, Term::int(ScalarType::U32, 1));
            lists.push(Term::list(list));
        }
        let [grid, block] = <[Term; 2]>::try_from(lists).unwrap_or([Term::nil(), Term::nil()]);
        let shared = Term::int(ScalarType::U32, 0);
        let args = vec![kernel, grid, block, shared, args];
        Ok((Functor::CallGpu, args))
    }

    /// The variable an assignment writes; a declared one is made.
    fn target(&mut self, var: &Pattern, ty: Option<&TypeName>, value: &Term) -> Built<Term> {
        if let PatternKind::Local(id) = var.kind {
            if let Some(term) = &self.locals[id] {
                return Ok(term.clone());
            }
            let ty = self.type_of(ty.unwrap_or(&TypeName::Auto), Some(value))?;
            let name = self.rule.locals[id].name.clone();
            let made = self.fresh_variable(&name, ty);
            self.locals[id] = Some(made.clone());
            return Ok(made);
        }
        let var = self.expression(var)?;
        match var.as_variable() {
            Some(_) => Ok(var),
            None => unbuildable(format!("`{var}` is no variable")),
        }
    }

    /// A new variable; its name is `name`, with a number where the program has such a name.
    pub fn fresh_variable(&mut self, name: &str, ty: Type) -> Term {
        let id = self.program.next_variable;
        self.program.next_variable += 1;
        Term::variable(Variable {
            id,
            name: self.fresh_name(name).into(),
            ty,
            span: self.span,
        })
    }

    /// A name no variable, array or procedure of the program has.
    pub fn fresh_name(&self, name: &str) -> String {
        let mut taken: BTreeSet<&str> = BTreeSet::new();
        self.program.root.walk(&mut |term| {
            if let Some(variable) = term.as_variable() {
                taken.insert(&variable.name);
            } else if let Some((_, name)) = term.as_proc() {
                taken.insert(name);
            }
        });
        taken.extend(self.program.arrays.iter().map(|a| &*a.name));
        let locals = self.locals.iter().flatten();
        taken.extend(locals.filter_map(|t| Some(&*t.as_variable()?.name)));
        if !taken.contains(name) {
            return name.to_owned();
        }
        let numbered = (2..).map(|n: u32| format!("{name}_{n}"));
        let mut free = numbered.filter(|n| !taken.contains(n.as_str()));
        free.next().unwrap_or_default()
    }

    /// Declares the shared array of the local, once.
    pub fn declare_shared(&mut self, id: LocalId) -> Built<()> {
        if self.locals[id].is_some() {
            return Ok(());
        }
        let local = &self.rule.locals[id];
        let Some(extent) = &local.shared_extent else {
            return unbuildable(format!("`{}` is no statement", local.name));
        };
        let Some(extent) = self.expression(extent)?.as_integer() else {
            return unbuildable(format!("the extent of `{}` is no constant", local.name));
        };
        let Type::Scalar(elem) = self.type_of(&local.ty, None)? else {
            return unbuildable(format!("`{}` cannot hold pointers", local.name));
        };
        let extent = u64::try_from(extent).unwrap_or(0);
        let name: Arc<str> = self.fresh_name(&local.name).into();
        let array = self.program.arrays.len() as u32;
        self.program.arrays.push(ArrayDecl {
            name: name.clone(),
            elem,
            extent: Extent::Fixed(extent),
            dims: vec![extent],
            space: Space::Shared,
            is_volatile: false,
            init: None,
            owner: Some(ProcId(self.question.proc)),
            span: self.span,
        });
        self.locals[id] = Some(Term::array(array, name, PointerType::to(elem)));
        Ok(())
    }

    /// `term` with every outermost match of a replacement replaced.
    fn replace(&mut self, term: &Term, replacements: &[Replacement]) -> Built<Term> {
        for replacement in replacements {
            let mut substitution = self.substitution.clone();
            let mut solution = None;
            self.matcher
                .solve(&replacement.from, term, &mut substitution, &mut |s| {
                    solution = Some(s.clone());
                    true
                });
            if let Some(solution) = solution {
                let before = std::mem::replace(self.substitution, solution);
                let built = if term.is_operator() {
                    self.block_of(std::slice::from_ref(&replacement.to))
                } else {
                    self.argument(&replacement.to)
                };
                *self.substitution = before;
                let built = built?;
                return Ok(match term.ty() {
                    Some(ty @ Type::Scalar(_)) => typing::convert(built, ty),
                    _ => built,
                });
            }
        }
        let mut changed = false;
        let mut children = Vec::new();
        for child in term.children() {
            let new = self.replace(child, replacements)?;
            changed |= new != *child;
            children.push(new);
        }
        if !changed {
            return Ok(term.clone());
        }
        let new = typing::fold(&term.with_children(children));
        match new.origin() {
            Some(origin) => Ok(new.with_origin(Some(self.rewritten(origin)))),
            None => Ok(new),
        }
    }

    /// The origin of an operator rewritten in place: its span stays.
    fn rewritten(&self, origin: &Origin) -> Arc<Origin> {
        let marks = origin.marks.iter().map(|mark| Mark {
            id: OpId(u32::MAX),
            span: mark.span,
            provenance: Provenance::Rule {
                rule: self.rule.name.clone(),
                from: sources(mark),
            },
        });
        Arc::new(Origin {
            marks: marks.collect(),
        })
    }
}

/// The operators of the program rewritten that a mark stands for.
pub fn sources(mark: &Mark) -> Vec<OpId> {
    match &mark.provenance {
        _ if mark.id != OpId(u32::MAX) => vec![mark.id],
        Provenance::Rule { from, .. } => from.clone(),
        Provenance::Source | Provenance::AtomicForm { .. } => vec![],
    }
}

/// An expression from typed operands.
fn typed(functor: &Functor, args: Vec<Term>) -> Built<Term> {
    let mut args = args.into_iter();
    let mut next = || {
        args.next()
            .ok_or_else(|| Unbuildable("an operand is missing".into()))
    };
    Ok(match functor {
        Functor::Builtin(builtin) => {
            let ty = gridlock_semantics::expr::Expr::builtin(*builtin).ty;
            Term::expression(functor.clone(), vec![], ty)
        }
        Functor::Unary(op) => typing::unary(*op, next()?),
        Functor::Binary(op) => typing::binary(*op, next()?, next()?),
        Functor::Select => typing::select(next()?, next()?, next()?),
        Functor::Load => {
            let pointer = next()?;
            let message = format!("`{pointer}` is no pointer to read through");
            typing::load(pointer).ok_or(Unbuildable(message))?
        }
        Functor::Math(_) => {
            let (a, b) = (next()?, next()?);
            let ty = typing::binary(
                gridlock_semantics::expr::BinaryOp::Add,
                a.clone(),
                b.clone(),
            );
            let ty = ty.ty().unwrap_or(Type::I32);
            let args = vec![typing::convert(a, ty), typing::convert(b, ty)];
            Term::expression(functor.clone(), args, ty)
        }
        _ => return unbuildable("this expression cannot be built"),
    })
}

/// Values of the system's parameters.
pub type Parameters = BTreeMap<String, ParameterValue>;
