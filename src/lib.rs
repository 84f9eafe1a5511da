//! Gridlock: does this GPU program still do what the original did, under every schedule the
//! hardware may choose? This crate strings the others together: requests, judgements, pipelines,
//! reports. See ARCHITECTURE.md.

mod assumed;
pub mod check;
pub mod closed;
mod compared;
pub mod contents;
mod declared_contents;
pub mod derivation;
pub mod equivalence;
pub mod exit_status;
pub mod explored;
pub mod gpu_cases;
mod indices;
pub mod input_error;
mod layouts;
pub mod lifting;
mod meeting;
pub mod mutation;
mod operand;
pub mod overall;
pub mod page;
pub mod pipeline;
mod places;
pub mod prepared;
pub mod profile_file;
pub mod profiles;
pub mod remarks;
pub mod render;
pub mod request;
pub mod rewriting;
mod sampled_contents;
mod satisfying;
pub mod schedule_text;
pub mod source;
pub mod stepping;
pub mod subject;
pub mod suite;
pub mod supervision;
pub mod termination;
pub mod told;
pub mod trial;
mod unfolding;
pub mod what_must_hold;
pub mod whole_file;
pub mod witness;
