//! Witness files: back from JSON to a program and its replay.

use crate::input::error::{ErrorKind, InputError};
use gridlock_boundary::input;
use gridlock_checker::replay::{self, Replay, ReplayError};
use gridlock_checker::report::witness::Witness;
use gridlock_checker::system::ExploredProgram;
use gridlock_frontend::ParseOptions;
use gridlock_semantics::algebra::program::Program;
use std::path::{Path, PathBuf};

/// Reads a witness.
///
/// # Errors
/// A file that cannot be read or is no witness; a launch that the device it names refuses.
pub fn read(path: &Path) -> Result<Witness, InputError> {
    let name = path.display().to_string();
    let text = input::read_text(path).map_err(|e| {
        InputError::new(ErrorKind::File, format!("cannot read the witness: {e}")).in_file(&name)
    })?;
    let witness: Witness = serde_json::from_str(&text).map_err(|e| {
        let error = InputError::new(ErrorKind::Syntax, format!("this is no witness: {e}"));
        let error = error.in_file(&name);
        match e.line() {
            0 => error,
            line => error.at(line as u32, e.column().max(1) as u32),
        }
    })?;
    held_to_device(&witness).map_err(|e| e.in_file(&name))?;
    Ok(witness)
}

/// No device would run what a witness says of a block of 5,000 threads.
fn held_to_device(witness: &Witness) -> Result<(), InputError> {
    let refuse = |why: String| Err(InputError::usage(why));
    let setup = match witness.held_setup() {
        Ok(setup) => setup,
        Err(error) => return refuse(error.to_string()),
    };
    match setup.launch.map(|launch| setup.device.validate(&launch, 0)) {
        Some(Err(refused)) => refuse(format!("the launch of this witness: {refused}")),
        _ => Ok(()),
    }
}

/// Follows a witness on the program it names: the one it carries, or the one in its file.
///
/// # Errors
/// The program cannot be read; the witness does not fit it (it has changed, say).
pub fn follow(witness: &Witness, parse: &ParseOptions) -> Result<Replay, InputError> {
    with_program(witness, parse, |program| replay::replay(witness, program))
}

/// The system a witness was made for, on the program it names.
///
/// # Errors
/// As [`follow`].
pub fn system_of(witness: &Witness, parse: &ParseOptions) -> Result<ExploredProgram, InputError> {
    with_program(witness, parse, |program| {
        replay::system_of(witness, program)
    })
}

/// How the file of a witness is read: as it was when the witness was made, but for what is said now.
fn reading(witness: &Witness, now: &ParseOptions) -> ParseOptions {
    let mut options = now.clone();
    let Some(then) = &witness.reading else {
        return options;
    };
    if options.defines.is_empty() {
        let define = |text: &String| match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (text.clone(), None),
        };
        options.defines = then.define.iter().map(define).collect();
    }
    if options.include_dirs.is_empty() {
        options.include_dirs = then.include.iter().map(PathBuf::from).collect();
    }
    if options.pre_includes.is_empty() {
        options.pre_includes = then.pre_include.iter().map(PathBuf::from).collect();
    }
    options.require_includes |= then.require_includes;
    if options.instantiate.is_empty() {
        options.instantiate = then.instantiate.clone();
    }
    options.standard = options.standard.or_else(|| then.standard.clone());
    options.recursion = options.recursion.or(then.recursion);
    if options.argv.is_empty() {
        options.argv = then.argv.clone();
    }
    options
}

fn with_program<T>(
    witness: &Witness,
    parse: &ParseOptions,
    act: impl FnOnce(&Program) -> Result<T, ReplayError>,
) -> Result<T, InputError> {
    let done = match &witness.program {
        Some(program) => act(program),
        None => {
            let parse = reading(witness, parse);
            let parsed = crate::input::source::parse(Path::new(&witness.file), &parse)?;
            act(&parsed.program)
        }
    };
    done.map_err(|error| {
        let kind = match error {
            ReplayError::Unreadable(_) | ReplayError::Schema { .. } | ReplayError::Lead { .. } => {
                ErrorKind::Syntax
            }
            ReplayError::ProgramChanged { .. } => ErrorKind::File,
            ReplayError::NoEntry { .. }
            | ReplayError::UnknownDevice { .. }
            | ReplayError::Setup(_) => ErrorKind::Usage,
        };
        InputError::new(kind, error.to_string())
    })
}
