//! What the user gives: files, requests, profiles, and what is wrong with them.

pub mod compile_command;
pub mod compile_commands;
pub mod contents;
pub mod deadline;
pub mod error;
mod file_contents;
pub mod folder;
pub mod profile_file;
pub mod profiles;
pub mod project;
pub mod reading;
pub mod request;
pub mod source;
pub mod told;
pub mod value;
pub mod whole_file;
