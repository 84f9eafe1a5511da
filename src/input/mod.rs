//! What the user gives: files, requests, profiles, and what is wrong with them.

pub mod contents;
pub mod deadline;
pub mod error;
pub mod profile_file;
pub mod profiles;
pub mod request;
pub mod source;
pub mod told;
pub mod value;
pub mod whole_file;
