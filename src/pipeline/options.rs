//! Options of a pipeline run.

use super::folder;
use crate::input::deadline::Deadline;
use crate::input::whole_file::Inputs;
use gridlock_checker::limits::Limits;
use std::path::PathBuf;

/// Options of a pipeline run.
#[derive(Clone, Debug, Default)]
pub struct PipelineOptions {
    /// Write here: of each step its program, its diff, its verdicts and witnesses; the lowered files; the
    /// report.
    pub out: Option<PathBuf>,
    /// Write the lowered files here, once everything has come out as expected.
    pub write: Option<PathBuf>,
    /// Go on after a step that did not come out as expected.
    pub keep_going: bool,
    /// For each step and case.
    pub limits: Limits,
    /// Run lowered programs on the devices that the pipeline names: their kernels then run natively on this machine.
    /// Nothing that stands in a file can ask for that alone.
    pub run_devices: bool,
    /// What is read besides the pipeline's own files, and must not be overwritten.
    pub inputs: Inputs,
    /// What the caller writes afterwards, and must be none of what is read.
    pub also_writes: Option<PathBuf>,
    /// When the whole must have ended.
    pub until: Option<Deadline>,
    /// Program to call for device runs in a child process; `None`: in this process.
    pub child: Option<PathBuf>,
}

impl PipelineOptions {
    /// Where results go, if anywhere.
    pub(super) fn results(&self) -> Option<folder::Results<'_>> {
        let inputs = &self.inputs;
        let folder = self.out.as_deref()?;
        Some(folder::Results { folder, inputs })
    }
}
