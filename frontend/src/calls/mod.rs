//! Calls of functions that the file defines: as calls of procedures, or read in place.

pub(crate) mod call;
pub(crate) mod function_pointer;
pub(crate) mod in_place;
pub(crate) mod intrinsic;
pub(crate) mod known_arguments;
