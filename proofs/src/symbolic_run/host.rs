//! What host code has in a run on unknown inputs.

use super::value::Held;
use gridlock_checker::canonical::streams::{Footprint, Streams};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::AllocSpace;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::ScalarType;
use std::sync::Arc;

/// Memory that the host has asked for.
pub struct Allocated {
    pub name: Arc<str>,
    pub elem: ScalarType,
    pub extent: u64,
    pub kind: AllocSpace,
    pub is_freed: bool,
}

impl Allocated {
    pub fn space(&self) -> Space {
        match self.kind.is_on_host() {
            true => Space::Host,
            false => Space::Global,
        }
    }
}

/// What host code has.
#[derive(Default)]
pub struct Host {
    /// The run began there.
    pub is_entry: bool,
    /// It is what runs now.
    pub is_running: bool,
    /// What the procedure that the run began in returns; `None`: nothing.
    pub returned: Option<Held>,
    pub allocated: Vec<Allocated>,
    /// Operations that the host has not waited for, in a program with streams.
    pub streams: Option<Streams>,
    /// There: what the last launch used.
    pub footprint: Footprint,
}

impl Host {
    /// Of a run that begins in a procedure of this kind.
    pub fn of(kind: ProcKind) -> Host {
        Host {
            is_entry: kind == ProcKind::Host,
            ..Host::default()
        }
    }
}
