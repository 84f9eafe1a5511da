//! What the front end makes of source text.

mod arbitrary;
mod bit_fields;
mod cell_names;
mod command_line;
mod control;
mod expressions;
mod files;
mod gpu_constructs;
mod integer_intrinsics;
mod left_out;
mod limits;
mod missing_headers;
mod nearby_headers;
mod order;
mod own_types;
mod prelude;
mod refusals;
mod removed;
mod stored_pointers;
mod structs;
mod support;
mod textures;
mod views;
