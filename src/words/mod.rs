//! How things are said, whatever is said of what: colours, the words of the verdicts, sentences, the steps of a rewriting, and why
//! there are none.

pub mod plain_words;
pub mod refusals;
pub mod rewriting_steps;
pub mod sentences;
pub mod style;
