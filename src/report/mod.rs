//! What people and programs are told of a result: text and JSON (`render`), a page, a replay to step through, an
//! exit status. Everything here makes strings and states; only the command line prints and reads keys.

pub mod exit_status;
pub mod github;
pub mod page;
pub mod render;
pub mod sarif;
pub mod schedule_text;
pub mod stepping;
