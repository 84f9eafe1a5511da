//! Witnesses: a program, its inputs and a schedule that together replay a defect.

use crate::defect::DefectKind;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::transition::Actor;
use serde::{Deserialize, Serialize};

/// A run of *visible* transitions by one actor: those that access memory other threads could
/// reach, synchronise, start or end a launch, exit, or fault. The private transitions before a
/// visible one belong to it, so engines that take private steps differently share schedules.
/// `choice` picks among the actor's visible transitions where it has several (0 otherwise).
/// Steps by `Actor::Block` and `Actor::Device` are collective barriers and launch boundaries.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ScheduleStep {
    /// One actor, or several that fire together (`Firing::Set`).
    pub actors: Vec<Actor>,
    /// How many transitions in a row.
    pub steps: u32,
    #[serde(skip_serializing_if = "is_zero", default)]
    pub choice: u32,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// Everything needed to replay a defect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// Version of this format.
    pub schema: u32,
    /// Path of the source file as the user gave it.
    pub file: String,
    /// Hash of the source text; a witness whose program changed is refused.
    pub source_hash: String,
    pub entry: String,
    pub profile: Profile,
    pub setup: Setup,
    /// The defect a replay must show.
    pub kind: DefectKind,
    pub schedule: Vec<ScheduleStep>,
    /// The whole program, when it is not what the file says (made by rules).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub program: Option<gridlock_semantics::program::Program>,
}

impl Witness {
    pub const SCHEMA: u32 = 1;
}
