//! What is judged: a program with one of its entries, what the request fixes of it, and the closed configurations
//! (launch, arguments, contents of arrays) that stand for what it leaves open.

mod assumed;
pub mod closed;
pub(crate) mod compared;
pub(crate) mod compared_contents;
pub(crate) mod declared_contents;
pub(crate) mod entries;
mod entry;
pub(crate) mod indices;
mod layouts;
mod operand;
pub(crate) mod places;
pub mod premises;
pub mod prepared;
pub(crate) mod sampled_contents;
mod satisfying;
pub(crate) mod taken;

pub(crate) use entry::{Elsewhere, WHAT_IS_COMPARED, n_compared};
pub use entry::{
    EntryPoint, can_be_written, contradiction, describe, dynamic_shared, evaluate_extent,
    further_in_words, launch_ladder, n_further, parse_value, resolve_entry, sampled_scalar,
    sampled_setup, with_more_shared,
};
