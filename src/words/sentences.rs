//! Sentences of a report, each said once.

/// Adds a sentence once.
pub fn note(sentences: &mut Vec<String>, sentence: String) {
    if !sentences.contains(&sentence) {
        sentences.push(sentence);
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
