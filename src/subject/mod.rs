//! What is judged: a program with one of its entries, what the request fixes of it, and the closed configurations
//! (launch, arguments, contents of arrays) that stand for what it leaves open.

mod assumed;
pub mod closed;
pub(crate) mod compared;
pub(crate) mod compared_contents;
mod data_scalars;
pub(crate) mod declared_contents;
mod drawn;
pub(crate) mod entries;
mod entry;
mod host_launches;
pub(crate) mod indices;
mod launches;
mod layouts;
pub(crate) mod literals;
pub(crate) mod of_model;
mod operand;
pub(crate) mod places;
pub mod premises;
pub mod prepared;
pub mod printed;
mod resolved;
mod sampled;
pub(crate) mod sampled_contents;
mod sampled_scalar;
mod satisfying;
pub(crate) mod taken;
pub(crate) mod unknown_inputs;
mod wide;
mod written;

pub(crate) use data_scalars::data_scalars;
pub use drawn::{Floats, Wide};
pub(crate) use entry::Elsewhere;
pub use entry::{EntryPoint, describe};
pub use host_launches::{
    Instance, caller, described, each_can_meet, holds_at, if_all_say_blocks, instances,
    is_of_program, says_all, shown_at, with_own_blocks,
};
pub(crate) use launches::validate_launch;
pub use launches::{contradiction, dynamic_shared, launch_ladder, with_more_shared};
pub use resolved::resolve_entry;
pub(crate) use sampled::{WHAT_IS_COMPARED, n_compared};
pub use sampled::{
    evaluate_extent, further_in_words, may_be_dropped, n_further, sampled_setup, wide_setup,
};
pub use sampled_contents::has_any_indices;
pub use sampled_scalar::sampled_scalar;
pub use written::can_be_written;
