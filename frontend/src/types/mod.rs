//! Types of C, and what they are in the algebra: scalars, pointers, structs, how they lie in memory.

pub(crate) mod bit_field;
pub(crate) mod contents;
pub(crate) mod ctype;
pub(crate) mod group;
mod instance_names;
pub(crate) mod layout;
pub(crate) mod member_names;
pub(crate) mod opencl_vector;
pub(crate) mod record;
pub(crate) mod record_source;
pub(crate) mod scalar_words;
