//! Every sentence with which well-formedness refuses a program is provoked by a test: the sentences
//! are read off the source, and a new one that no test provokes is missed here.

use crate::well_formed;
use std::cell::RefCell;

const SOURCES: [&str; 6] = [
    include_str!("../../src/well_formed/mod.rs"),
    include_str!("../../src/well_formed/calls.rs"),
    include_str!("../../src/well_formed/operators.rs"),
    include_str!("../../src/well_formed/parallel.rs"),
    include_str!("../../src/well_formed/refusal.rs"),
    include_str!("../../src/well_formed/types.rs"),
];

thread_local! {
    static PROVOKED: RefCell<Vec<String>> = RefCell::default();
}

/// A refusal that a test of this thread has provoked.
pub fn note(message: &str) {
    PROVOKED.with_borrow_mut(|messages| messages.push(message.to_owned()));
}

/// What stands in the source where a refusal is made, the sentence after it.
const MAKES: [&str; 6] = [
    "because(",
    "refuse(",
    "Refusal(",
    "wrong(",
    "message: ",
    "reason(",
];

/// The sentences of a source, with `{…}` where something is filled in.
fn sentences(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for makes in MAKES {
        for (at, _) in source.match_indices(makes) {
            let rest = source[at + makes.len()..].trim_start();
            let rest = rest.strip_prefix("format!(").unwrap_or(rest).trim_start();
            let Some(rest) = rest.strip_prefix('"') else {
                continue;
            };
            // No sentence has a quotation mark in it.
            let end = rest.find('"').expect("a closed literal");
            let literal = rest[..end].replace("\\\n", " ");
            let words: Vec<&str> = literal.split_whitespace().collect();
            found.push(words.join(" "));
        }
    }
    found
}

/// Whether a message is a sentence filled in.
fn fits(message: &str, sentence: &str) -> bool {
    let mut rest = message;
    let mut first = true;
    for part in sentence.split('{') {
        let fixed = match (first, part.split_once('}')) {
            (true, _) => part,
            (false, Some((_, fixed))) => fixed,
            (false, None) => return false,
        };
        match rest.find(fixed) {
            Some(at) if !first || at == 0 => rest = &rest[at + fixed.len()..],
            _ => return false,
        }
        first = false;
    }
    rest.is_empty() || sentence.ends_with('}')
}

#[test]
fn every_refusal_is_provoked() {
    well_formed::provoke_all();
    let provoked = PROVOKED.take();
    let sentences: Vec<String> = SOURCES.iter().flat_map(|s| sentences(s)).collect();
    assert!(sentences.len() > 40, "{} sentences", sentences.len());
    // Part of a longer sentence that is made elsewhere.
    let is_part = |sentence: &str| provoked.iter().any(|m| m.starts_with(sentence));
    let missed: Vec<&String> = sentences
        .iter()
        .filter(|s| !provoked.iter().any(|message| fits(message, s)) && !is_part(s))
        .collect();
    assert!(missed.is_empty(), "no test provokes {missed:#?}");
}

#[test]
fn a_sentence_nobody_provokes_is_missed() {
    assert!(fits(
        "`x` is assigned a value of type I32",
        "`{}` is assigned a value of type {ty:?}"
    ));
    assert!(!fits(
        "`x` is assigned",
        "`{}` is assigned a value of type {ty:?}"
    ));
    assert!(!fits("a load", "a store"));
    assert_eq!(
        sentences("return because(format!(\n   \"`{}` is\\\n     recursive\", name));"),
        ["`{}` is recursive"]
    );
}
