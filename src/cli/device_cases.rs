//! Labelled kernels that are right at a launch, as cases for a device: what the tool reads, executes and prints is compared
//! with hardware over all that its own tests hold.

use gridlock::input::error::{ErrorKind, InputError};
use gridlock::input::request::Request;
use gridlock::pipeline::gpu_cases::PreparedCase;
use gridlock::subject::closed::closed;
use gridlock::suite::expected::Expected;
use gridlock::suite::{Labelled, read_file, read_folder};
use gridlock_boundary::input;
use gridlock_frontend::ParseOptions;
use gridlock_semantics::algebra::program::ProcKind;
use std::path::Path;

/// Of an array whose extent its label leaves open. An access beyond is seen by the interpreter, before a device makes it.
const CELLS: u64 = 1 << 14;

/// Kernels ready to run, and those that cannot be.
#[derive(Clone, Debug, Default)]
pub struct LabelledCases {
    /// In order of name.
    pub cases: Vec<PreparedCase>,
    /// A file and why it is no case.
    pub left_out: Vec<(String, String)>,
}

/// Prepares what is labelled right under the profile of `request`, of a file or a folder and below.
///
/// # Errors
/// What cannot be read, and a file whose label has a mistake in it.
pub fn prepare(path: &Path, request: &Request) -> Result<LabelledCases, InputError> {
    let labelled = match path.is_dir() {
        true => read_folder(path)?.labelled,
        false => vec![read_file(path)?],
    };
    let mut found = LabelledCases::default();
    for one in labelled.iter().filter(|one| is_right(one, request)) {
        match prepare_one(one, request) {
            Ok(case) => found.cases.push(case),
            Err(error) => {
                let why = error.to_string();
                found.left_out.push((one.path.display().to_string(), why));
            }
        }
    }
    Ok(found)
}

/// Whether its label says that nothing goes wrong in it.
fn is_right(labelled: &Labelled, request: &Request) -> bool {
    let profiles = &labelled.header.profiles;
    let is_of_profile = profiles.is_empty() || profiles.contains(&request.profile.name);
    is_of_profile && matches!(labelled.header.expected, Expected::AtLeast(_))
}

fn prepare_one(labelled: &Labelled, request: &Request) -> Result<PreparedCase, InputError> {
    let Labelled { path, header } = labelled;
    if header.cooperative {
        return Err(InputError::usage("it needs a cooperative launch"));
    }
    let entry = header.entry_under(&request.profile);
    let closed = closed(path, &ParseOptions::default(), &entry, request)?;
    let program = (*closed.prepared.surface).clone();
    let is_kernel = program.proc(closed.setup.entry).kind == ProcKind::Kernel;
    if is_kernel && !entry.launch.is_given() {
        return Err(InputError::usage("no launch is given"));
    }
    let mut setup = closed.setup;
    for array in &mut setup.arrays {
        array.extent.get_or_insert(CELLS);
    }
    let file = path.display().to_string();
    let source = input::read_text(path).map_err(|e| {
        InputError::new(ErrorKind::File, format!("cannot read: {e}")).in_file(&file)
    })?;
    Ok(PreparedCase {
        name: name_of(path),
        file,
        source,
        program,
        setup,
        is_labelled: true,
    })
}

/// The folder and the file, in letters, digits and dashes.
fn name_of(path: &Path) -> String {
    let stem = path.with_extension("");
    let parts: Vec<&str> = stem.iter().filter_map(|part| part.to_str()).collect();
    let last = &parts[parts.len().saturating_sub(2)..];
    let dashed = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    last.join("-").chars().map(dashed).collect()
}
