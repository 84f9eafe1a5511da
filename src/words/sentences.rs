//! Sentences of a report, each said once.

/// Adds a sentence once.
pub fn note(sentences: &mut Vec<String>, sentence: String) {
    if !sentences.contains(&sentence) {
        sentences.push(sentence);
    }
}

/// A noun with the indefinite article: `a data-race`, `an out-of-bounds`.
pub fn with_article(noun: &str) -> String {
    match noun.starts_with(['a', 'e', 'i', 'o']) {
        true => format!("an {noun}"),
        false => format!("a {noun}"),
    }
}

/// Several conditions as one: `(n <= 0 or n >= 4) and blockDim.x == 32`.
pub fn all_of<S: AsRef<str>>(conditions: &[S]) -> String {
    let text = |condition: &S| match condition.as_ref() {
        text if conditions.len() > 1 && text.contains(" or ") => format!("({text})"),
        text => text.to_owned(),
    };
    conditions
        .iter()
        .map(text)
        .collect::<Vec<_>>()
        .join(" and ")
}
