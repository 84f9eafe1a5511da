//! The tool as a process: what it says when it runs out of time or memory, or is ended by a signal, and how it leaves
//! a terminal. These are timed, so they do not run beside the other tests.

mod interruption;
mod limits;
mod pty;
mod supervised;
mod terminal;
#[path = "../gridlock/tool.rs"]
mod tool;
mod watching;
