//! The symbolic machine: what a run of one generic thread does and records, operator by operator. It asks the
//! solver nothing.

pub(crate) mod counter_step;
pub(crate) mod courses;
pub(crate) mod evaluate;
pub(crate) mod execute;
pub(crate) mod iterate;
pub(crate) mod launch;
pub(crate) mod repeat;
pub(crate) mod state;
pub(crate) mod unroll;
pub(crate) mod value;
