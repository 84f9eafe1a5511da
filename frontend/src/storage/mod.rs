//! Where values lie: places, and pointers to them. Nothing here knows which procedure is read.

pub(crate) mod arrays;
pub(crate) mod place;
pub(crate) mod pointers;
pub(crate) mod slices;
