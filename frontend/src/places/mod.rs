//! What names, pointers and members refer to: places found, read and written. Methods of
//! [`Body`](crate::body::Body), as in all rooms of this floor.

pub(crate) mod address_number;
pub(crate) mod boxed;
pub(crate) mod choice;
pub(crate) mod file_scope;
pub(crate) mod place;
pub(crate) mod pointer_address;
pub(crate) mod seen_memory;
pub(crate) mod stored_pointer;
pub(crate) mod view;
