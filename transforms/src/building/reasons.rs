//! Why a condition does not hold, or could not be decided: what of the program stands against it.

use crate::analysis::independence;
use crate::analysis::nest::Nest;
use crate::analysis::privacy;
use crate::analysis::usage::{Access, assigned_variables, scalars};
use crate::building::answers::{Question, only_here};
use crate::terms::term::Term;
use crate::terms::typing;

/// In words, where something can be named.
pub fn reason(name: &str, args: &[Term], question: Question) -> Option<String> {
    let root = question.root();
    match (name, args) {
        ("independent", [body, i]) => meeting(independence::independent(root, body, i).meeting?),
        ("independent_parts", [first, second, i]) => {
            meeting(independence::independent_parts(root, first, second, i).meeting?)
        }
        ("independent_unless_overflow", [body, i, n]) => {
            let nest = Nest::of(root, body, i, n);
            let found = independence::independent_unless_overflow(root, body, i, nest.as_ref());
            meeting(found.meeting?)
        }
        ("private_scalars", [body]) => {
            if let Some(x) = privacy::handed_on(body) {
                return Some(format!("one may read what another one left in `{x}`"));
            }
            let assigned = assigned_variables(body);
            let is_used_behind = |x: &Term| {
                let id = x.as_variable().map(|x| x.id);
                id.is_some_and(|id| assigned.contains(&id)) && !only_here(question, x)
            };
            let used = scalars(body).into_iter().find(is_used_behind)?;
            Some(format!("`{used}` is used elsewhere"))
        }
        _ => None,
    }
}

/// Two accesses of one array by different iterations.
fn meeting([one, other]: [Access; 2]) -> Option<String> {
    let cell = |access: &Access| {
        let pointer = typing::offset(access.base.clone(), access.index.clone());
        Some(typing::load(pointer)?.to_string())
    };
    let verb = |access: &Access| match access.is_write {
        true => "writes",
        false => "reads",
    };
    Some(format!(
        "one {} `{}`, another one {} `{}`",
        verb(&one),
        cell(&one)?,
        verb(&other),
        cell(&other)?
    ))
}
