//! Writing witnesses to files for `gridlock replay`.

use super::output::Output;
use gridlock::input::error::InputError;
use gridlock::input::whole_file::{self, Inputs, file_part};
use gridlock::report::page::pages::{self, Followed};
use gridlock::report::render::text::{ReplayHint, original_beside};
use gridlock_checker::report::Judgement;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::witness::{Reading, Witness};
use gridlock_frontend::ParseOptions;
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
    /// How the program is read that a witness is of.
    #[arg(skip)]
    reading: Option<Reading>,
    /// How the original is, where two are compared.
    #[arg(skip)]
    reading_of_original: Option<OfOriginal>,
    /// Write a page with verdicts, sources and the schedules of defects to step through; it stands alone and
    /// opens in any browser
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

#[derive(Clone, Debug)]
struct OfOriginal(Option<Reading>);

/// How a file is read, for a witness; `None`: in the usual way.
fn reading(parse: &ParseOptions) -> Option<Reading> {
    let define = |(name, value): &(String, Option<String>)| match value {
        Some(value) => format!("{name}={value}"),
        None => name.clone(),
    };
    let path = |path: &PathBuf| path.display().to_string();
    let reading = Reading {
        define: parse.defines.iter().map(define).collect(),
        include: parse.include_dirs.iter().map(path).collect(),
        pre_include: parse.pre_includes.iter().map(path).collect(),
        require_includes: parse.require_includes,
        instantiate: parse.instantiate.clone(),
        standard: parse.standard.clone(),
        recursion: parse.recursion,
        argv: parse.argv.clone(),
    };
    (reading != Reading::default()).then_some(reading)
}

impl WitnessOptions {
    /// Witnesses keep how their program is read, so that a replay needs no more than their file.
    pub fn read_as(mut self, parse: &ParseOptions) -> WitnessOptions {
        self.reading = reading(parse);
        self
    }

    /// The same where a program is compared with an original.
    pub fn read_as_two(mut self, new: &ParseOptions, old: &ParseOptions) -> WitnessOptions {
        self.reading = reading(new);
        self.reading_of_original = Some(OfOriginal(reading(old)));
        self
    }

    /// # Errors
    /// A witness would take the place of what the command reads.
    pub fn check(&self, output: &Output) -> Result<(), InputError> {
        output.writes(&self.save_witness)?;
        output.writes(&self.html)
    }

    /// # Errors
    /// Of several sources there is no first defect.
    pub fn allow_several(&self) -> Result<(), InputError> {
        match &self.save_witness {
            None => Ok(()),
            Some(_) => Err(InputError::usage(
                "--save-witness is for one source: --witness-dir takes the witnesses of several",
            )),
        }
    }

    /// For one source of several: a folder of its own.
    pub fn of(&self, source: &Path) -> WitnessOptions {
        let name = file_part(&source.display().to_string());
        let own = |dir: &PathBuf| dir.join(name.trim_start_matches('.'));
        WitnessOptions {
            save_witness: None,
            witness_dir: self.witness_dir.as_ref().map(own),
            html: self.html.clone(),
            ..self.clone()
        }
    }

    /// Makes the page that was asked for: of one source of several as a part of the whole page. `runs` are those of
    /// the defects.
    pub fn write_page(
        &self,
        judgement: &Judgement,
        runs: &[Followed],
        hint: &ReplayHint,
        output: &mut Output,
    ) {
        let Some(path) = &self.html else {
            return;
        };
        let saved = |index: usize| match hint {
            ReplayHint::Saved(files) => files.get(index).cloned().flatten(),
            ReplayHint::HowToSave => None,
        };
        let page = pages::of_judgement(judgement, runs, &saved, &mut output.sources);
        match output.is_part() {
            true => output.set_page(page.data()),
            false => output.write_or_note(path, page.html()),
        }
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
            let written = self.write(file, &defects[index], witness, output.inputs());
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

    /// The witness; beside it, where two programs were compared, the run of the old one.
    fn write(
        &self,
        file: &Path,
        defect: &Defect,
        witness: &Witness,
        inputs: &Inputs,
    ) -> Result<(), InputError> {
        let whole = |file: &Path, witness: &Witness, reading: &Option<Reading>| {
            let witness = Witness {
                reading: reading.clone(),
                ..witness.clone()
            };
            let text = serde_json::to_string_pretty(&witness).expect("a witness is plain data");
            inputs.write_beside(file, text + "\n")
        };
        let of_original = match &self.reading_of_original {
            Some(OfOriginal(reading)) => reading,
            None => &self.reading,
        };
        // Of two programs the original is the first subject.
        let own = match defect.subject {
            0 => of_original,
            _ => &self.reading,
        };
        whole(file, witness, own)?;
        match &defect.original {
            Some(witness) => whole(&original_beside(file), witness, of_original),
            None => Ok(()),
        }
    }
}
