//! Renderings of reports: text for people, JSON for programs. Rendering makes strings; only the
//! command line prints them.

pub mod derivation;
pub mod diagnostic;
pub mod differential;
mod excerpt;
pub mod explanation;
pub mod exploration;
mod grade;
pub mod json;
pub mod moves;
pub mod observation;
pub mod offload;
pub mod opencl_words;
pub mod pipeline;
pub mod preconditions;
pub mod profile_difference;
pub mod profiles;
pub mod replay;
pub mod rewriting;
pub mod rule_status;
mod search;
pub mod several;
pub mod sources;
pub mod suite;
pub mod summary;
pub mod table;
pub mod text;
pub mod threads;
