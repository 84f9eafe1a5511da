//! Where the tool meets the machine it runs on: files read, files written, programs found, children run.
//!
//! Nothing here is relative to what is judged: a folder that someone else filled never supplies a program, and
//! the user who judges what stands in it says what is written where. `docs/security.md` is the whole story.

#![warn(missing_docs)]

pub mod child;
pub mod input;
pub mod program;
pub mod whole_file;
