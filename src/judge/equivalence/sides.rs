//! What is compared, and how.

use crate::input::request::EntryRequest;
use crate::subject::prepared::Prepared;
use crate::subject::{EntryPoint, Floats};
use gridlock_checker::report::tolerance::Tolerance;
use gridlock_frontend::ParseOptions;
use std::path::PathBuf;

/// One side as the command line names it.
#[derive(Clone, Debug)]
pub struct Side {
    /// The source file.
    pub file: PathBuf,
    /// How the front end reads it.
    pub parse: ParseOptions,
    /// What of it is compared, and with which inputs.
    pub entry: EntryRequest,
}

/// How observables are compared.
#[derive(Clone, Debug, Default)]
pub struct EquivOptions {
    /// Relations of an observation map; empty for the identity.
    pub observe: Vec<String>,
    /// `assoc-comm`; floats are compared bit by bit when absent.
    pub modulo: Option<String>,
    /// How far floats may lie apart; not beside a theory.
    pub tolerance: Option<Tolerance>,
    /// Which floats inputs have over their whole range; `None`: every float where they are compared bit by bit,
    /// those of ordinary size under a tolerance.
    pub floats: Option<Floats>,
    /// Compare even where the original is itself defective.
    pub allow_source_defects: bool,
    /// What the programs print is not observed.
    pub ignore_output: bool,
    /// Say which branches no input took.
    pub tell_branches: bool,
}

/// A program with its entry, ready to be compared.
pub struct Compared<'a> {
    /// As reports name it.
    pub file: String,
    /// The program in all its forms.
    pub prepared: &'a Prepared,
    /// The entry with what the user fixed of it.
    pub point: EntryPoint,
}
