//! Renderings of reports: text for people, JSON for programs. Rendering makes strings; only the
//! command line prints them.

pub mod diagnostic;
pub mod json;
pub mod plain_words;
pub mod profiles;
pub mod sources;
pub mod style;
pub mod table;
pub mod text;
pub mod threads;
