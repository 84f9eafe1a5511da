//! Building terms from templates: metavariables filled in, types and conversions of C found,
//! declared variables made fresh.

use crate::building::answers::Question;
use crate::building::term_functions;
use crate::language::pattern::{ParameterValue, Pattern, PatternKind, Rule, TypeName};
use crate::matching::matcher::{Binding, Matcher, Substitution};
use crate::matching::modulo::operand_patterns;
use crate::terms::conversion::TermProgram;
use crate::terms::term::{BinaryOp, Functor, Term};
use crate::terms::typing;
use gridlock_semantics::algebra::operator::{AllocSpace, Head, OpId};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::collections::BTreeMap;

/// Why a template cannot be built from what was matched: what a metavariable of sort *anything*
/// stands for is only known now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbuildable(pub String);

pub type Built<T> = Result<T, Unbuildable>;

/// An error of building.
pub fn unbuildable<T>(message: impl Into<String>) -> Built<T> {
    Err(Unbuildable(message.into()))
}

pub struct Builder<'a> {
    pub rule: &'a Rule,
    pub matcher: Matcher<'a>,
    pub question: Question<'a>,
    /// Extended by what the template declares.
    pub program: &'a mut TermProgram,
    pub substitution: &'a mut Substitution,
    /// Declared variables and arrays, by `LocalId`.
    pub locals: &'a mut Vec<Option<Term>>,
    /// Span of what is replaced.
    pub span: Span,
    /// Operators that are replaced.
    pub from: &'a [OpId],
}

impl Builder<'_> {
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
                term_functions::build(name, &args, self)?
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
                let value = gridlock_semantics::algebra::value::Value::Bool(*value);
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
            P::App(Functor::Binary(op), args) if has_run(*op, args) => self.operation(*op, args)?,
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

    /// An operation on runs of operands.
    fn operation(&mut self, op: BinaryOp, args: &[Pattern]) -> Built<Term> {
        let mut patterns = Vec::new();
        operand_patterns(op, args, &mut patterns);
        let mut operands = Vec::new();
        for pattern in patterns {
            operands.extend(self.terms(pattern)?);
        }
        let mut operands = operands.into_iter();
        let Some(first) = operands.next() else {
            return unbuildable("an operation on no operands");
        };
        Ok(operands.fold(first, |all, next| typing::binary(op, all, next)))
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
            P::Local(id) => return self.declare_array(*id),
            _ => {}
        }
        let statement = match &pattern.kind {
            P::Assign { ty, var, value } => {
                let value = self.expression(value)?;
                let var = self.target(var, ty.as_ref(), &value)?;
                let ty = var.ty().unwrap_or(Type::I32);
                let value = typing::convert(value, ty);
                self.operator(pattern, Functor::Basic(Head::Assign), vec![var, value])
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
                let functor = Functor::Basic(Head::Alloc(pointer.elem, AllocSpace::Global));
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
            (Functor::Par, [first, second]) => vec![
                self.block_of(std::slice::from_ref(first))?,
                self.block_of(std::slice::from_ref(second))?,
            ],
            (Functor::While, [cond, body]) => vec![
                typing::truth(self.expression(cond)?),
                self.block_of(std::slice::from_ref(body))?,
            ],
            (Functor::Basic(Head::Store), [pointer, value]) => {
                let pointer = self.expression(pointer)?;
                let value = self.expression(value)?;
                let Some(cell) = pointer.ty().and_then(Type::pointer) else {
                    return unbuildable(format!("`{pointer}` is no pointer to store through"));
                };
                vec![pointer, typing::convert(value, Type::Scalar(cell.elem))]
            }
            (Functor::Basic(Head::Atomic(..)), [pointer, operands, _]) => {
                let pointer = self.expression(pointer)?;
                let Some(cell) = pointer.ty().and_then(Type::pointer) else {
                    return unbuildable(format!("`{pointer}` is no pointer to a cell"));
                };
                let operands = operands.parts().into_iter();
                let operands = operands.map(|operand| {
                    Ok(typing::convert(
                        self.expression(operand)?,
                        Type::Scalar(cell.elem),
                    ))
                });
                let operands = Term::list(operands.collect::<Built<_>>()?);
                vec![pointer, operands, Term::nil()]
            }
            (Functor::Basic(Head::Copy(_)), [dst, src, bytes]) => vec![
                self.expression(dst)?,
                self.expression(src)?,
                typing::convert(self.expression(bytes)?, Type::U64),
            ],
            (Functor::Basic(Head::SyncWarp | Head::NamedBarrier(_)), args) => {
                let number = |arg| Ok(typing::convert(self.expression(arg)?, Type::U32));
                args.iter().map(number).collect::<Built<_>>()?
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
        Ok((Functor::Basic(Head::CallGpu(false)), args))
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
}

/// Whether a run is among the operands of `op`.
fn has_run(op: BinaryOp, args: &[Pattern]) -> bool {
    let mut patterns = Vec::new();
    operand_patterns(op, args, &mut patterns);
    let is_run = |pattern: &&Pattern| matches!(pattern.kind, PatternKind::Run(_));
    patterns.iter().any(is_run)
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
            let ty = gridlock_semantics::algebra::expr::Expr::builtin(*builtin).ty;
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
                gridlock_semantics::algebra::expr::BinaryOp::Add,
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
