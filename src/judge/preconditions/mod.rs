//! What must hold of a launch for a kernel to be right: points of the space of launches and
//! arguments are judged, and the simplest condition is looked for that holds at the safe ones and
//! at no failing one. Then it is tried to prove that the condition suffices.
//!
//! A condition that is not proved says something about the points tried and nothing else; the
//! report says which it is. Points that no engine decides are no evidence.

mod again;
mod blocks;
mod condition;
mod constants;
mod contents;
mod explained;
mod failing;
mod fresh;
mod grammar;
mod grid;
mod guesses;
mod inside;
mod judge;
mod of_host;
mod of_use;
mod offer;
mod only_if;
mod options;
mod ordinary;
mod other_contents;
mod other_launches;
mod other_sizes;
mod pointless;
mod pool;
mod portable;
mod rng;
mod search;
mod separate;
mod space;
mod stronger;
mod term;
mod under;
mod variable;
mod vary;
mod wording;

pub(crate) use contents::{OfArrays, with_contents};
pub use explained::{Counts, Explained, Finding, Grid, OfKind, Stated, Tried, Varied};
pub(crate) use failing::Failing;
pub(crate) use inside::hangs_on_start;
pub use judge::Outcome;
pub(crate) use judge::ops_of;
pub(crate) use only_if::of_defect;
pub use options::Options;
pub(crate) use ordinary::{AtOrdinary, as_before, ordinary};
pub(crate) use other_contents::hangs_on_contents;
pub(crate) use other_launches::{Ordinary, OtherLaunches};
pub(crate) use other_sizes::hangs_on_sizes;
pub(crate) use pointless::made_pointless;
pub(crate) use portable::Portable;
pub(crate) use stronger::Stronger;
pub use under::UnderCondition;
pub(crate) use under::{is_excluded, requiring};
pub use vary::Vary;

use crate::input::error::InputError;
use crate::input::request::device_limits;
use crate::input::request::{EntryRequest, Request};
use crate::subject::entries;
use crate::subject::prepared::Prepared;
use gridlock_frontend::{ParseOptions, Parsed};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::ProcKind;
use space::Space;
use std::path::Path;

/// Explains the conditions of every kernel asked for. Launches in header comments and host code
/// are only launches among others here; what `entry` fixes is fixed. `say` is told what is being
/// done.
///
/// # Errors
/// As [`crate::judge::check::check_file`]; a variable no kernel has.
pub fn explain_file(
    file: &Path,
    parse: &ParseOptions,
    entry: &EntryRequest,
    request: &Request,
    options: &Options,
    say: &mut dyn FnMut(String),
) -> Result<Vec<Explained>, InputError> {
    let parsed = crate::input::source::parse(file, parse)?;
    let shown = file.display().to_string();
    let asked = Asked::new(&shown, parsed, entry, request, options)?;
    Ok(asked.explain(request, options, say))
}

/// The kernels of a file whose conditions are asked for, and what may vary of each: known before anything is judged.
pub struct Asked {
    shown: String,
    prepared: Prepared,
    spaces: Vec<Space>,
}

impl Asked {
    /// `shown` is the name of the file that was read.
    ///
    /// # Errors
    /// As [`explain_file`], but for those of reading.
    pub fn new(
        shown: &str,
        parsed: Parsed,
        entry: &EntryRequest,
        request: &Request,
        options: &Options,
    ) -> Result<Asked, InputError> {
        let chosen = entries::choose(shown, &parsed, entry)?;
        let prepared = Prepared::new(parsed.program);
        let device = device_limits(request)?;
        let of_kernel = |&kernel: &ProcId| prepared.surface.proc(kernel).kind == ProcKind::Kernel;
        let kernels = chosen.procs.into_iter().filter(of_kernel);
        let vary = &options.vary;
        let spaces = kernels.map(|k| Space::new(&prepared.surface, k, entry, vary, device));
        let spaces = spaces.collect::<Result<Vec<Space>, InputError>>()?;
        if spaces.is_empty() {
            let message = "--explain-conditions: there is no kernel among what is judged";
            return Err(InputError::usage(message).in_file(shown));
        }
        Ok(Asked {
            shown: shown.to_owned(),
            prepared,
            spaces,
        })
    }

    /// The conditions of each.
    pub fn explain(
        &self,
        request: &Request,
        options: &Options,
        say: &mut dyn FnMut(String),
    ) -> Vec<Explained> {
        let (shown, prepared) = (&self.shown, &self.prepared);
        let spaces = self.spaces.iter();
        spaces
            .map(|space| search::explain(shown, prepared, space, request, options, say))
            .collect()
    }
}
