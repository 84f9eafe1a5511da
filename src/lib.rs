//! Gridlock: does this GPU program still do what the original did, under every schedule the
//! hardware may choose? This crate strings the others together: requests, judgements, pipelines,
//! reports. See ARCHITECTURE.md.

pub mod exit_status;
pub mod input_error;
pub mod profile_file;
pub mod render;
pub mod request;
