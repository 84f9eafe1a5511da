//! Where values lie: places, and pointers to them. Nothing here depends on the procedure that is read.

pub(crate) mod arrays;
pub(crate) mod place;
pub(crate) mod pointers;
pub(crate) mod slices;
