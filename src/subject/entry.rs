//! An entry of a program, with what the user fixed about it.

use super::compared_contents::Constants;
use crate::input::contents::ContentsSpec;
use crate::input::request::ExtentSpec;
use gridlock_checker::report::SubjectLaunch;
use gridlock_frontend::HostLaunch;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::analysis::launch_axes::LaunchAxes;
use gridlock_semantics::setup::Launch;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use std::collections::{BTreeMap, BTreeSet};

/// An entry with what the user fixed about it.
#[derive(Clone, Debug)]
pub struct EntryPoint {
    /// A kernel or a host procedure.
    pub proc: ProcId,
    /// Only for kernels; `None` when no launch was given.
    pub launch: Option<Launch>,
    /// What launches must keep, those of host code too.
    pub device: DeviceLimits,
    /// The axes that the entry asks about; over every launch the others have extent 1.
    pub asked: LaunchAxes,
    /// Whether the kernel uses dynamic shared memory and its size was not given. Then the
    /// launch's is a guess, and an index beyond it no defect.
    pub shared_is_open: bool,
    /// Dynamic shared memory in bytes, where a kernel that uses it was given its size, with a launch or without.
    pub shared_bytes: Option<u32>,
    /// The launches of the kernel in host code of its file, where none was given.
    pub host_launches: Vec<HostLaunch>,
    /// Whether host code may launch it in other ways.
    pub has_other_launches: bool,
    /// Scalar arguments that were given.
    pub scalars: BTreeMap<VarId, Value>,
    /// Extents that were given.
    pub extents: BTreeMap<VarId, ExtentSpec>,
    /// First contents that were given.
    pub contents: BTreeMap<VarId, ContentsSpec>,
    /// The same of memory that the file declares.
    pub declared: BTreeMap<ArrayId, ContentsSpec>,
    /// Constant memory that a host may have filled, so that its contents are an input.
    pub filled: BTreeSet<ArrayId>,
    /// Pointer arguments that are null.
    pub nulls: BTreeSet<VarId>,
    /// Launches with arguments that are tried where none was given; none: the usual ones.
    pub(crate) tried: Vec<EntryPoint>,
    /// What a program that gets the same inputs compares them with.
    pub(crate) elsewhere: Elsewhere,
}

/// By argument, the constants that another program compares it or its contents with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elsewhere {
    pub scalars: BTreeMap<VarId, BTreeSet<i128>>,
    pub contents: BTreeMap<VarId, Constants>,
    /// All constants of the other program.
    pub literals: Constants,
}

impl EntryPoint {
    /// Whether some array was asked to start without contents.
    pub fn has_unset_contents(&self) -> bool {
        let is_unset = |spec: &ContentsSpec| matches!(spec, ContentsSpec::Undef);
        let mut given = self.contents.values().chain(self.declared.values());
        given.any(is_unset)
    }

    /// Whether the values of all parameters were given, so that there is one input.
    pub fn has_one_input(&self, program: &Program) -> bool {
        let procedure = program.proc(self.proc);
        let is_given = |var: &VarId| match procedure.vars[var.0 as usize].ty {
            Type::Scalar(_) => self.scalars.contains_key(var),
            Type::Pointer(_) => self.contents.contains_key(var) || self.nulls.contains(var),
        };
        self.filled.is_empty() && procedure.params.iter().all(is_given)
    }
}

/// The launch and arguments as the report shows them.
pub fn describe(program: &Program, entry: &EntryPoint) -> SubjectLaunch {
    let procedure = program.proc(entry.proc);
    let args = entry
        .scalars
        .iter()
        .map(|(var, value)| {
            (
                procedure.vars[var.0 as usize].name.to_string(),
                value.to_string(),
            )
        })
        .chain(entry.nulls.iter().map(|var| {
            let name = &procedure.vars[var.0 as usize].name;
            (name.to_string(), "null".to_owned())
        }))
        .collect();
    SubjectLaunch {
        grid: entry.launch.map(|l| l.grid),
        block: entry.launch.map(|l| l.block),
        shared: entry
            .launch
            .filter(|_| !entry.shared_is_open)
            .map(|l| l.shared_bytes)
            .or(entry.shared_bytes),
        args,
    }
}
