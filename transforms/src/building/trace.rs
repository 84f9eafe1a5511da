//! Bindings and assumptions in words.

use crate::building::builder::Builder;
use crate::language::pattern::{Condition, ParameterValue, Rule};
use crate::matching::matcher::{Binding, Substitution};
use crate::terms::term::Term;
use std::collections::BTreeMap;

fn printed(binding: &Binding) -> String {
    match binding {
        Binding::One(term) => term.to_string(),
        Binding::Many(items) => {
            let items: Vec<String> = items.iter().map(Term::to_string).collect();
            items.join(" ")
        }
    }
}

/// What each metavariable matched.
pub fn printed_bindings(rule: &Rule, substitution: &Substitution) -> BTreeMap<String, String> {
    let named = rule.metas.iter().zip(&substitution.bindings);
    let bound = named.filter_map(|(meta, binding)| {
        let star = if meta.is_run { "*" } else { "" };
        Some((format!("${}{star}", meta.name), printed(binding.as_ref()?)))
    });
    bound.collect()
}

/// What a condition says in the words of the program: `$x` becomes what it stands for, a metavariable or
/// a parameter.
pub fn assumption_text(condition: &Condition, rule: &Rule, builder: &Builder) -> String {
    let template = condition.explanation.as_ref().unwrap_or(&condition.text);
    let mut text = String::new();
    let mut rest = template.as_str();
    while let Some(start) = rest.find('$') {
        text.push_str(&rest[..start]);
        rest = &rest[start + 1..];
        let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
        let (name, after) = rest.split_at(rest.find(word).unwrap_or(rest.len()));
        let meta = rule.metas.iter().position(|m| m.name == name);
        let bound = meta.and_then(|id| builder.substitution[id].as_ref());
        match (bound, builder.parameter(name)) {
            (Some(binding), _) => text.push_str(&printed(binding)),
            (None, Some(ParameterValue::Int(value))) => text.push_str(&value.to_string()),
            (None, Some(ParameterValue::Text(value))) => text.push_str(value),
            (None, None) => text.push_str(&format!("${name}")),
        }
        rest = after;
    }
    text.push_str(rest);
    text
}
