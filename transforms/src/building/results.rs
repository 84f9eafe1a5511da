//! What an accepted rule makes: the term in place of the match, and the effects of its actions.

use crate::building::builder::{Builder, Unbuildable};
use crate::building::places::MatchPlace;
use crate::language::pattern::{Action, Pattern, PatternKind};
use crate::terms::term::{Functor, Term};
use crate::terms::typing;
use gridlock_semantics::algebra::operator::Head;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// The term that takes the place of the focus.
pub fn destination(
    pattern: &Pattern,
    place: &MatchPlace,
    builder: &mut Builder,
) -> Result<Term, Unbuildable> {
    if let PatternKind::Procedure {
        kind,
        name,
        params,
        body,
    } = &pattern.kind
    {
        let old = place.focus.children();
        let locals = old.get(2).cloned().unwrap_or_else(Term::nil);
        let result = old.get(3).cloned().unwrap_or_else(Term::nil);
        return procedure(builder, (*kind, name, params, body), locals, result);
    }
    match &place.around {
        Some((front, tail)) => {
            let mut all = front.clone();
            let origin = place.focus.origin().cloned().or_else(|| builder.origin());
            all.extend(builder.statements(std::slice::from_ref(pattern))?);
            all.extend(tail.iter().cloned());
            Ok(Term::block(all, origin))
        }
        None => {
            let built = builder.argument(pattern)?;
            Ok(match place.focus.ty() {
                // A helper in the place of an expression has its type.
                Some(ty) if built.is_helper() => match built.as_app() {
                    Some((head, args)) => Term::expression(head.clone(), args.to_vec(), ty),
                    None => built,
                },
                Some(ty @ Type::Scalar(_)) if built.is_expression() => typing::convert(built, ty),
                _ => built,
            })
        }
    }
}

type ProcedureParts<'p> = (ProcKind, &'p Pattern, &'p [Pattern], &'p [Pattern]);

fn procedure(
    builder: &mut Builder,
    (kind, name, params, body): ProcedureParts,
    locals: Term,
    result: Term,
) -> Result<Term, Unbuildable> {
    let handle = builder.argument(name)?;
    let mut variables = Vec::new();
    for param in params {
        variables.extend(builder.terms(param)?);
    }
    if let Some(other) = variables.iter().find(|v| v.as_variable().is_none()) {
        return Err(Unbuildable(format!("`{other}` cannot be a parameter")));
    }
    let body = builder.block_of(body)?;
    let args = vec![handle, Term::list(variables), locals, result, body];
    Ok(Term::app(Functor::Procedure(kind), args))
}

pub fn act(action: &Action, builder: &mut Builder) -> Result<(), Unbuildable> {
    match action {
        Action::AddProcedure(pattern) => {
            let PatternKind::Procedure {
                kind,
                name,
                params,
                body,
            } = &pattern.kind
            else {
                return Err(Unbuildable("`add_procedure` needs a procedure".into()));
            };
            let parts = (*kind, &**name, params.as_slice(), body.as_slice());
            let made = procedure(builder, parts, Term::nil(), Term::nil())?;
            let number = made.children()[0].as_proc().map(|(id, _)| id as usize);
            if let Some(number) = number {
                builder.program.root = builder.program.root.replaced(&[number], made);
            }
            Ok(())
        }
        Action::SetLaunch {
            kernel,
            grid,
            block,
        } => {
            let kernel = builder.argument(kernel)?;
            let grid = builder.expression(grid)?;
            let block = builder.expression(block)?;
            builder.program.root = set_launch(&builder.program.root, &kernel, &grid, &block);
            Ok(())
        }
    }
}

/// All launches of a kernel get another grid and block, along x.
fn set_launch(term: &Term, kernel: &Term, grid: &Term, block: &Term) -> Term {
    let extents = |e: &Term| {
        let one = Term::int(ScalarType::U32, 1);
        Term::list(vec![
            typing::convert(e.clone(), Type::U32),
            one.clone(),
            one,
        ])
    };
    if let Some([k, _, _, shared, args]) = term.args_of(&Functor::Basic(Head::CallGpu(false)))
        && k == kernel
    {
        let parts = vec![
            k.clone(),
            extents(grid),
            extents(block),
            shared.clone(),
            args.clone(),
        ];
        return term.with_children(parts);
    }
    if !term.is_operator() && term.as_list().is_none() && term.is_expression() {
        return term.clone();
    }
    let children = term.children().iter();
    term.with_children(
        children
            .map(|child| set_launch(child, kernel, grid, block))
            .collect(),
    )
}
