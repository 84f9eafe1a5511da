//! Tests of the crate, a module each, in one program, since each program is linked anew.

mod against_clang;
mod damaged;
mod reading;
mod scheme;
