//! Writing witnesses to files for `gridlock replay`.

use super::output::Output;
use gridlock::input::error::InputError;
use gridlock::input::whole_file::{self, Inputs, file_part};
use gridlock::report::render::text::{ReplayHint, original_beside};
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::witness::Witness;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Witnesses")]
pub struct WitnessOptions {
    /// Write the first defect's witness here
    #[arg(long, value_name = "FILE")]
    pub save_witness: Option<PathBuf>,
    /// Write every defect's witness into this folder
    #[arg(long, value_name = "DIR")]
    pub witness_dir: Option<PathBuf>,
}

impl WitnessOptions {
    /// # Errors
    /// A witness would take the place of what the command reads.
    pub fn check(&self, output: &Output) -> Result<(), InputError> {
        output.writes(&self.save_witness)
    }

    /// Writes what was asked for, and says how to replay it. `output` takes note of what cannot be
    /// written.
    pub fn save(&self, defects: &[Defect], output: &mut Output) -> ReplayHint {
        if self.save_witness.is_none() && self.witness_dir.is_none() {
            return ReplayHint::HowToSave;
        }
        let dir = self.witness_dir.as_ref().filter(|dir| {
            let made = whole_file::make(dir);
            let is_there = made.is_ok();
            output.note(made);
            is_there
        });
        let mut saved = vec![None; defects.len()];
        let mut keep = |index: usize, file: &Path| {
            let Some(witness) = &defects[index].witness else {
                return;
            };
            let written = write(file, &defects[index], witness, output.inputs());
            if written.is_ok() {
                saved[index] = Some(file.display().to_string());
            }
            output.note(written);
        };
        if let Some(dir) = dir {
            for (i, defect) in defects.iter().enumerate() {
                let Some(witness) = &defect.witness else {
                    continue;
                };
                let kind = defect.kind.name();
                keep(
                    i,
                    &dir.join(format!(
                        "{}-{kind}-{}.json",
                        file_part(&witness.entry),
                        i + 1
                    )),
                );
            }
        }
        if let Some(file) = &self.save_witness
            && let Some(first) = defects.iter().position(|d| d.witness.is_some())
        {
            keep(first, file);
        }
        ReplayHint::Saved(saved)
    }
}

/// The witness; beside it, where two programs were compared, the run of the old one.
fn write(
    file: &Path,
    defect: &Defect,
    witness: &Witness,
    inputs: &Inputs,
) -> Result<(), InputError> {
    let whole = |file: &Path, witness: &Witness| {
        let text = serde_json::to_string_pretty(witness).expect("a witness is plain data");
        inputs.write_beside(file, text + "\n")
    };
    whole(file, witness)?;
    match &defect.original {
        Some(original) => whole(&original_beside(file), original),
        None => Ok(()),
    }
}
