//! Sentences of a report, each said once.

/// Adds a sentence once.
pub fn note(sentences: &mut Vec<String>, sentence: String) {
    if !sentences.contains(&sentence) {
        sentences.push(sentence);
    }
}
