//! What is never done to a machine and to files: nothing from a folder is run, no name becomes an option, no input
//! is overwritten, no output is lost without a word, and nothing outlives the tool (`docs/security.md`).

mod children;
mod devices;
mod inputs;
mod lost_output;
mod names;
mod overwriting;
mod planted;
mod support;
