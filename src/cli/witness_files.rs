//! Writing witnesses to files for `gridlock replay`.

use gridlock::input_error::{ErrorKind, InputError};
use gridlock::render::text::ReplayHint;
use gridlock_checker::defect::Defect;
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
    /// Writes what was asked for, and says how to replay it.
    pub fn save(&self, defects: &[Defect]) -> Result<ReplayHint, InputError> {
        if self.save_witness.is_none() && self.witness_dir.is_none() {
            return Ok(ReplayHint::HowToSave);
        }
        let mut saved = vec![None; defects.len()];
        if let Some(dir) = &self.witness_dir {
            std::fs::create_dir_all(dir).map_err(|e| cannot_write(dir, &e))?;
            for (i, defect) in defects.iter().enumerate() {
                let Some(witness) = &defect.witness else {
                    continue;
                };
                let file = dir.join(format!(
                    "{}-{}-{}.json",
                    witness.entry,
                    defect.kind.name(),
                    i + 1
                ));
                write(&file, witness)?;
                saved[i] = Some(file.display().to_string());
            }
        }
        if let Some(file) = &self.save_witness {
            let first = defects.iter().position(|d| d.witness.is_some());
            if let Some(i) = first
                && let Some(witness) = &defects[i].witness
            {
                write(file, witness)?;
                saved[i] = Some(file.display().to_string());
            }
        }
        Ok(ReplayHint::Saved(saved))
    }
}

fn write(file: &Path, witness: &gridlock_checker::witness::Witness) -> Result<(), InputError> {
    let text = serde_json::to_string_pretty(witness).expect("a witness is plain data");
    super::whole_file::write(file, text + "\n")
}

fn cannot_write(path: &Path, error: &std::io::Error) -> InputError {
    InputError::new(ErrorKind::File, format!("cannot write: {error}"))
        .in_file(path.display().to_string())
}
