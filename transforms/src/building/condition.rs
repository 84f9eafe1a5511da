//! Conditions: arithmetic and comparisons on constants, and named analyses.

use crate::analysis::Answer;
use crate::building::builder::{Builder, Built};
use crate::building::{answers, reasons};
use crate::language::functions::{self, Gives};
use crate::language::pattern::{Pattern, PatternKind};
use crate::terms::term::{BinaryOp, Functor, Term};
use gridlock_semantics::algebra::expr::UnaryOp;

/// Whether a condition holds of what was matched.
pub fn judge(formula: &Pattern, builder: &mut Builder) -> Built<Answer> {
    use Answer::*;
    match &formula.kind {
        PatternKind::Function(name, args)
            if functions::find(name).is_some_and(|f| f.gives == Gives::Answer) =>
        {
            let args = args
                .iter()
                .map(|arg| builder.argument(arg))
                .collect::<Built<Vec<Term>>>()?;
            Ok(answers::answer(name, &args, builder.question))
        }
        PatternKind::App(Functor::Unary(UnaryOp::Not), args) => {
            Ok(match judge(&args[0], builder)? {
                Yes => No,
                No => Yes,
                Unknown => Unknown,
            })
        }
        PatternKind::App(Functor::Binary(BinaryOp::And), args) => {
            let (a, b) = (judge(&args[0], builder)?, judge(&args[1], builder)?);
            Ok(match (a, b) {
                (No, _) | (_, No) => No,
                (Yes, Yes) => Yes,
                _ => Unknown,
            })
        }
        PatternKind::App(Functor::Binary(BinaryOp::Or), args) => {
            let (a, b) = (judge(&args[0], builder)?, judge(&args[1], builder)?);
            Ok(match (a, b) {
                (Yes, _) | (_, Yes) => Yes,
                (No, No) => No,
                _ => Unknown,
            })
        }
        PatternKind::App(Functor::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne)), args)
            if args
                .iter()
                .any(|arg| matches!(arg.kind, PatternKind::Text(_))) =>
        {
            let same = builder.argument(&args[0])? == builder.argument(&args[1])?;
            Ok(Answer::decided(same == (*op == BinaryOp::Eq)))
        }
        _ => {
            let value = builder.expression(formula)?.as_integer();
            Ok(value.map_or(Unknown, |value| Answer::decided(value != 0)))
        }
    }
}

/// What of the program stands against a condition that does not hold or could not be decided, where it is one analysis.
pub fn reason(formula: &Pattern, builder: &mut Builder) -> Built<Option<String>> {
    let PatternKind::Function(name, args) = &formula.kind else {
        return Ok(None);
    };
    let args = args.iter().map(|arg| builder.argument(arg));
    let args = args.collect::<Built<Vec<Term>>>()?;
    Ok(reasons::reason(name, &args, builder.question))
}

/// The condition as a term over the program's variables: analyses are helper terms.
pub fn formula(pattern: &Pattern, builder: &mut Builder) -> Built<Term> {
    match &pattern.kind {
        PatternKind::Function(name, args)
            if functions::find(name).is_some_and(|f| f.gives == Gives::Answer) =>
        {
            let args = args
                .iter()
                .map(|arg| builder.argument(arg))
                .collect::<Built<Vec<Term>>>()?;
            Ok(Term::app(Functor::Helper(name.as_str().into()), args))
        }
        PatternKind::App(
            head @ (Functor::Unary(UnaryOp::Not) | Functor::Binary(BinaryOp::And | BinaryOp::Or)),
            args,
        ) => {
            let args = args.iter().map(|arg| formula(arg, builder));
            Ok(Term::app(head.clone(), args.collect::<Built<Vec<Term>>>()?))
        }
        PatternKind::Text(_) => builder.argument(pattern),
        _ => builder.expression(pattern),
    }
}
