//! What is never done to a machine and to files: nothing from a folder is run, no name becomes an option, no input
//! is overwritten, no output is lost without a word, and nothing outlives the tool (`docs/security.md`).

#[path = "safety/children.rs"]
mod children;
#[path = "safety/devices.rs"]
mod devices;
#[path = "safety/inputs.rs"]
mod inputs;
#[path = "safety/lost_output.rs"]
mod lost_output;
#[path = "safety/names.rs"]
mod names;
#[path = "safety/overwriting.rs"]
mod overwriting;
#[path = "safety/planted.rs"]
mod planted;
#[path = "safety/support.rs"]
mod support;
