//! Gridlock: does this GPU program still do what the original did, under every schedule the
//! hardware may choose? This crate strings the others together: requests, judgements, pipelines,
//! reports. See ARCHITECTURE.md.

#![warn(missing_docs)]

pub mod input;
pub mod judge;
pub mod pipeline;
pub mod report;
pub mod run;
pub mod subject;
pub mod suite;
pub mod supervision;
pub mod words;
